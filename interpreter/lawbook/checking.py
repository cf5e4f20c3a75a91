"""Checking: every problem of the editions and laws of a library, or of one edition or file.

An edition is resolved as it stands and once more for each choice that one of its readings offers, so that a clause
which only another reading takes is checked too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lawbook.checks.run import Run
from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.library import Library
from lawbook.edition.manifest import read_manifest
from lawbook.edition.memory import Memory
from lawbook.errors import Collector, LawbookError
from lawbook.notation import format_edition_name, parse_edition_name
from lawbook.values import shorten


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to check: an edition by its name, or a file that no edition takes."""

    name: str
    file: Path | None = None


def tasks_for_all(library: Library) -> list[Task]:
    """Everything in a library: each edition in each way it can be read, then the files that no edition takes."""
    tasks: list[Task] = []
    taken: set[Path] = set()
    for identifier in library.edition_files():
        tasks.extend(tasks_of(library, identifier))
        taken |= files_of(library, identifier)
    tasks.extend(Task(library.shown(path), path) for path in _law_files(library) if path.resolve() not in taken)
    return tasks


def tasks_for(library: Library, name: str) -> list[Task]:
    """One edition in each way it can be read (in one way, where its name chooses); or what a file, or each file of a
    folder, is part of.

    Raises LawbookError if there is no such edition or file, or if there is nothing to check in a folder.
    """
    path = Path(name)
    if path.is_dir() and name not in library.edition_files():
        return _tasks_of_files(library, files_in(path))
    if "/" not in name and not name.endswith((".yaml", ".yml")):
        identifier, chosen = parse_edition_name(name)
        library.edition(identifier)
        return [Task(name)] if chosen else tasks_of(library, identifier)
    if not path.is_file():
        what = "folder" if name.endswith("/") else "file"
        message = f"there is no {what} {shorten(name) if len(name) > 200 else name}"
        raise LawbookError([Diagnostic("missing-file", Severity.ERROR, message)])
    return _tasks_of_files(library, [path])


def files_in(folder: Path) -> list[Path]:
    """The files below a folder that can be editions or laws. Raises LawbookError if there are none."""
    found = _files_below(folder)
    if not found:
        message = f"there are no editions and no laws in {folder}"
        help = "they are files whose names end in .yaml; `lawbook new` writes some to begin with"
        raise LawbookError([Diagnostic("missing-file", Severity.ERROR, message, help=help)])
    return found


def _tasks_of_files(library: Library, paths: Iterable[Path]) -> list[Task]:
    """What the files are part of: the editions that take each, or else the file alone."""
    of_editions = {file.resolve(): identifier for identifier, file in library.edition_files().items()}
    made_of = {identifier: files_of(library, identifier) for identifier in library.edition_files()}
    tasks: dict[Task, None] = {}
    for path in paths:
        own = of_editions.get(path.resolve())
        # An edition that cannot be read is known by its name alone.
        takers = [i for i, files in made_of.items() if path.resolve() in files or (i == own and not files)]
        found = [task for identifier in takers for task in tasks_of(library, identifier)]
        tasks.update(dict.fromkeys(found or [Task(library.shown(path), path)]))
    return list(tasks)


def problems_of(library: Library, task: Task, memory: Memory | None = None) -> tuple[Diagnostic, ...]:
    """The problems of one edition, errors and warnings, or of one file, as far as one task can tell. A memory is shared
    by the tasks of one run."""
    run = Run(library, memory or Memory())
    look_at(run, task)
    return run.findings(lambda file: False)


def look_at(run: Run, task: Task) -> None:
    """Do one task of a run. Raises LawbookError for a name that is none."""
    if task.file is None:
        run.edition(task.name)
    else:
        run.file(task.file)


def findings_of(run: Run, done: Iterable[Task]) -> tuple[Diagnostic, ...]:
    """What a run has found when these tasks have been done, with what nothing speaks of in the files that only editions
    take which were all looked at, and without errors, in every way they can be read."""
    library, names = run.library, {task.name for task in done}
    lacking: set[str] = set()
    taken: set[str] = set()
    for identifier in library.edition_files():
        files = {library.shown(path) for path in files_of(library, identifier)}
        taken |= files
        if not {task.name for task in tasks_of(library, identifier)} <= names - run.unread:
            lacking |= files
    return run.findings(lambda file: file in taken - lacking)


def concerns(diagnostic: Diagnostic, file: str) -> bool:
    """Whether a diagnostic speaks of a file."""
    spans = (diagnostic.span, *(label.span for label in diagnostic.labels))
    return any(span is not None and span.file == file for span in spans)


def tasks_of(library: Library, identifier: str) -> list[Task]:
    """An edition as it stands, and once more for each choice that one of its readings offers."""
    tasks = [Task(identifier)]
    try:
        manifest = read_manifest(library, identifier, {}, Collector())
    except LawbookError:
        return tasks
    for reading in manifest.readings.values() if manifest is not None else ():
        for choice in reading.alternatives:
            if choice != reading.chosen:
                tasks.append(Task(format_edition_name(identifier, {reading.name: choice})))
    return tasks


def files_of(library: Library, identifier: str) -> set[Path]:
    """The files that an edition is made of, those of the editions it is based on included; none if they cannot be
    read."""
    try:
        manifest = read_manifest(library, identifier, {}, Collector())
    except LawbookError:
        return set()
    if manifest is None:
        return set()
    named = (*manifest.vocabulary, *manifest.laws)
    # What is misspelt is told where it is named, and not once more that nobody takes the file.
    found = [library.law(path) or library.law(library.law_meant(path) or path) for path in named]
    found += [library.edition_file(name) for name in manifest.chain]
    return {path.resolve() for path in found if path is not None}


def _law_files(library: Library) -> Iterator[Path]:
    """The law and vocabulary files of a library, each once, without the editions that lie among them."""
    editions = {path.resolve() for path in library.edition_files().values()}
    seen: set[Path] = set()
    for folder in library.laws:
        for path in _files_below(folder):
            if path.resolve() not in seen | editions:
                seen.add(path.resolve())
                yield path


def _files_below(folder: Path) -> list[Path]:
    """The YAML files of a folder and of those in it. What has the name of a file and is none (an editor's lock, a
    folder, a pipe) is left alone."""
    return [path for path in sorted(folder.rglob("*.yaml")) if path.is_file()]
