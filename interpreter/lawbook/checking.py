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
    """One edition in each way it can be read (in one way, where its name chooses); or what a file is part of.

    Raises LawbookError if there is no such edition or file.
    """
    if "/" not in name and not name.endswith((".yaml", ".yml")):
        identifier, chosen = parse_edition_name(name)
        library.edition(identifier)
        return [Task(name)] if chosen else tasks_of(library, identifier)
    path = Path(name)
    if not path.is_file():
        message = f"there is no file {shorten(name) if len(name) > 200 else name}"
        raise LawbookError([Diagnostic("missing-file", Severity.ERROR, message)])
    of_editions = {file.resolve(): identifier for identifier, file in library.edition_files().items()}
    if path.resolve() in of_editions and not files_of(library, of_editions[path.resolve()]):
        # One that cannot be read is known by its name alone.
        return tasks_of(library, of_editions[path.resolve()])
    takers = [i for i in library.edition_files() if path.resolve() in files_of(library, i)]
    return [task for identifier in takers for task in tasks_of(library, identifier)] or [
        Task(library.shown(path), path)
    ]


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
    found = [library.law(path) for path in (*manifest.vocabulary, *manifest.laws)]
    found += [library.edition_file(name) for name in manifest.chain]
    return {path.resolve() for path in found if path is not None}


def _law_files(library: Library) -> Iterator[Path]:
    """The law and vocabulary files of a library, each once, without the editions that lie among them."""
    editions = {path.resolve() for path in library.edition_files().values()}
    seen: set[Path] = set()
    for folder in library.laws:
        for path in sorted(folder.rglob("*.yaml")):
            # What has the name of a file and is none (an editor's lock, a folder, a pipe) is left alone.
            if path.is_file() and path.resolve() not in seen | editions:
                seen.add(path.resolve())
                yield path
