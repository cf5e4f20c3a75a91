"""`check`: mistakes in editions and laws, told or mended."""

from __future__ import annotations

import argparse
import gc
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lawbook.diagnostics import Diagnostic, render
from lawbook.shell.command import Arguments, Command, library_of, wrong_usage
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.checking import Task
    from lawbook.edition.library import Library
    from lawbook.mending import Mended

# Mending one thing can bring another to light; more rounds than this would mean that two fixes undo each other.
_MOST_ROUNDS: Final = 10
# How many results are kept; each change of a file makes another.
_MOST_KEPT: Final = 20


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "targets",
        metavar="EDITION|FILE|FOLDER",
        nargs="*",
        help="editions, files of laws or editions, or folders of them; all there are if not given",
    )
    parser.add_argument("--sarif", action="store_true", help="answer as a SARIF log, for other programs")
    parser.add_argument("--fix", action="store_true", help="mend what can be mended beyond doubt, then check again")
    parser.add_argument(
        "--unsafe-fixes", action="store_true", help="mend what can be mended at all; look at the difference afterwards"
    )


@dataclass(slots=True)
class _Work:
    """What is to be checked in one library; where `files` are given, only what is wrong in those is told."""

    library: Library
    tasks: dict[Task, None] = field(default_factory=dict)
    files: set[str] | None = field(default_factory=set)

    def tells_of(self, finding: Diagnostic) -> bool:
        """Whether something that was found is to be told."""
        from lawbook.checking import concerns

        return self.files is None or any(concerns(finding, file) for file in self.files)


@dataclass(frozen=True, slots=True)
class _Checked:
    """What was checked, what was found, and what was silenced, with the reasons."""

    names: tuple[str, ...]
    findings: tuple[Diagnostic, ...]
    silenced: tuple[tuple[Diagnostic, str], ...]


def _check(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.report.findings import check_json, check_summary, left_lines, mended_lines
    from lawbook.report.sarif import sarif

    if arguments.json and arguments.sarif:
        raise wrong_usage("--json and --sarif are two ways to answer", help="give one of them")
    mended: tuple[Mended, ...] = ()
    if arguments.fix or arguments.unsafe_fixes:
        mended = _mend(arguments, terminal)
    checked = _kept_or_looked(arguments, terminal)
    if arguments.sarif:
        terminal.json(sarif(checked.findings, checked.silenced))
    elif arguments.json:
        terminal.json(check_json(checked.names, checked.findings, mended))
    else:
        page = terminal.page()
        terminal.lines(mended_lines(mended, page))
        _show(checked.findings, terminal)
        terminal.lines(page.wrap(check_summary(checked.names, checked.findings, mended), 0, 2))
        if arguments.fix and not arguments.unsafe_fixes:
            terminal.lines(left_lines(checked.findings, lambda file: _text(file) is not None, page))
    return 1 if checked.findings else 0


def _work(arguments: Arguments, terminal: Terminal) -> list[_Work]:
    """All there is to do, by library: a file that lies outside of all folders brings its own folder."""
    from lawbook.checking import files_in, tasks_for, tasks_for_all
    from lawbook.edition.library import Library, Still
    from lawbook.notation import EDITION_FILE

    library = Still.of(library_of(arguments) or Library.shipped())
    if not arguments.targets:
        for folder in arguments.laws:
            files_in(folder)
        return [_Work(library, dict.fromkeys(tasks_for_all(library)), None)]
    found: dict[Library, _Work] = {}
    for target in arguments.targets:
        terminal.sources[EDITION_FILE] = target
        own = Still.of(library.including(Path(target)))
        work = found.setdefault(own, _Work(own))
        work.tasks.update(dict.fromkeys(tasks_for(own, target)))
        if not target.endswith((".yaml", ".yml")):
            work.files = None
        elif work.files is not None:
            work.files.add(own.shown(Path(target)))
    return list(found.values())


def _look(arguments: Arguments, terminal: Terminal) -> _Checked:
    """Check everything once."""
    # All that is made is kept to the end, so looking for what could be thrown away would be time lost.
    collects = gc.isenabled()
    gc.disable()
    try:
        return _looked(_work(arguments, terminal), terminal)
    finally:
        if collects:
            gc.enable()


def _looked(work: list[_Work], terminal: Terminal) -> _Checked:
    from lawbook.checking import findings_of, look_at
    from lawbook.checks.run import Run
    from lawbook.errors import Collector

    problems, silenced = Collector(), dict[Diagnostic, str]()
    done, whole = 0, sum(len(one.tasks) for one in work)
    for one in work:
        run = Run(one.library)
        for task in one.tasks:
            terminal.progress(done, whole, task.name)
            look_at(run, task)
            done += 1
        problems.extend(filter(one.tells_of, findings_of(run, one.tasks)))
        silenced.update((finding, reason) for finding, reason in run.silenced if one.tells_of(finding))
    terminal.progress(whole, whole, "")
    names = dict.fromkeys(task.name for one in work for task in one.tasks)
    return _Checked(tuple(names), problems.diagnostics, tuple(silenced.items()))


def _kept_or_looked(arguments: Arguments, terminal: Terminal) -> _Checked:
    """What a check finds, with the fixes there are; as it was found before, where every file is as it was then."""
    from lawbook import keeping

    folders = [str(folder) for folder in arguments.laws]
    place = keeping.place_for("check", [arguments.targets, folders, os.getcwd()])
    # Asked for before anything is read: a file that changes meanwhile is looked at again the next time.
    digest = None if place is None else _digest(arguments)
    if place is not None:
        kept = keeping.read(place, lambda told: told == digest)
        if isinstance(kept, _Checked):
            return kept
    from lawbook.mending import with_fixes

    found = _look(arguments, terminal)
    checked = _Checked(found.names, with_fixes(found.findings, terminal.source), found.silenced)
    if place is not None:
        keeping.write(place, digest, checked, most=_MOST_KEPT)
    return checked


def _digest(arguments: Arguments) -> str:
    """What tells the files that a check could read from the same files changed: their places and all they hold."""
    from lawbook.edition.library import Library

    library = library_of(arguments) or Library.shipped()
    every = [library, *(library.including(Path(target)) for target in arguments.targets)]
    folders = dict.fromkeys(folder for one in every for folder in (*one.laws, *one.editions))
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for ending in ("*.yaml", "*.json") for path in folder.rglob(ending)):
            content = path.read_bytes() if path.is_file() else b""
            digest.update(f"{path} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _mend(arguments: Arguments, terminal: Terminal) -> tuple[Mended, ...]:
    """Mend and check again until nothing more is mended; what was mended, in that order."""
    from lawbook.mending import mend, with_fixes

    made: list[Mended] = []
    for _ in range(_MOST_ROUNDS):
        findings = _look(arguments, terminal).findings
        files = {finding.span.file for finding in findings if finding.span is not None}
        texts = {file: text for file in sorted(files) if (text := _text(file)) is not None}
        changed, mended = mend(with_fixes(findings, texts.get), texts, unsafe=arguments.unsafe_fixes)
        if not changed:
            break
        for file, text in changed.items():
            _write(file, text)
        made.extend(mended)
    return tuple(made)


def _text(file: str) -> str | None:
    """The text of a file that may be changed: it is YAML in UTF-8, and no part of the installed program."""
    path = Path(file)
    if path.suffix not in (".yaml", ".yml") or path.resolve().is_relative_to(Path(__file__).resolve().parents[1]):
        return None
    try:
        # Line ends are kept as they are.
        return path.read_bytes().decode("utf-8").removeprefix(_MARK)
    except (OSError, UnicodeDecodeError):
        return None


def _write(file: str, text: str) -> None:
    path = Path(file)
    mark = _MARK if path.read_bytes().startswith(_MARK.encode()) else ""
    try:
        path.write_bytes((mark + text).encode("utf-8"))
    except OSError as error:
        raise wrong_usage(f"{file} cannot be written: {error.strerror}") from error


_MARK: Final = "\ufeff"


def _show(diagnostics: Sequence[Diagnostic], terminal: Terminal) -> None:
    """Diagnostics as part of a report: on standard output, a blank line after them."""
    page = terminal.page()
    text = render(diagnostics, colour=page.colour, width=page.width, source=terminal.source)
    if text:
        terminal.lines([*text.splitlines(), ""])


CHECK = Command(
    "check",
    "Find mistakes in editions and laws, in every way they can be read, and law files that no edition takes.\n"
    "Exits with 1 if anything is found.",
    (
        "check",
        "check whist-club-1912",
        "check laws/declaration/rotation/whist-club-1912.yaml",
        "check my-rules",
        "check --laws my-rules --fix",
    ),
    _configure,
    _check,
)
