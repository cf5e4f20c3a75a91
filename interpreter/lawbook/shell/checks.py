"""`check`: mistakes in editions and laws."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from lawbook.diagnostics import Diagnostic, render
from lawbook.shell.command import Arguments, Command, library_of
from lawbook.shell.terminal import Terminal


def _configure_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "targets", metavar="FILE|EDITION", nargs="*", help="editions, or files of laws or editions; all if not given"
    )


def _check(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.checking import Task, concerns, library_with, problems_of, tasks_for, tasks_for_all
    from lawbook.edition.library import Library
    from lawbook.edition.memory import Memory
    from lawbook.errors import Collector
    from lawbook.notation import EDITION_FILE
    from lawbook.report.findings import check_json, check_summary

    library = library_of(arguments) or Library.shipped()
    work: list[tuple[Library, Task, str | None]] = []
    if not arguments.targets:
        work.extend((library, task, None) for task in tasks_for_all(library))
    for target in arguments.targets:
        terminal.sources[EDITION_FILE] = target
        own = library_with(library, target)
        tasks = tasks_for(own, target)
        one_file = target.endswith((".yaml", ".yml"))
        work.extend((own, task, own.shown(Path(target)) if one_file else None) for task in tasks)
    problems, memory = Collector(), Memory()
    for done, (place, task, file) in enumerate(work):
        terminal.progress(done, len(work), task.name)
        problems.extend(d for d in problems_of(place, task, memory) if file is None or concerns(d, file))
    terminal.progress(len(work), len(work), "")
    checked = list(dict.fromkeys(task.name for _, task, _ in work))
    if arguments.json:
        terminal.json(check_json(checked, problems.diagnostics))
    else:
        _show(problems.diagnostics, terminal)
        terminal.lines([check_summary(checked, problems.diagnostics)])
    return 1 if problems.diagnostics else 0


def _show(diagnostics: Sequence[Diagnostic], terminal: Terminal) -> None:
    """Diagnostics as part of a report: on standard output, a blank line after them."""
    page = terminal.page()
    text = render(diagnostics, colour=page.colour, width=page.width, source=terminal.source)
    if text:
        terminal.lines([*text.splitlines(), ""])


CHECK = Command(
    "check",
    "Find every mistake in editions and laws: each edition as it stands and under each choice of its readings,\n"
    "and the files that no edition takes. Exits with 1 if anything is found.",
    ("check", "check whist-club-1912", "check laws/declaration/rotation/whist-club-1912.yaml", "check --laws my-rules"),
    _configure_check,
    _check,
)
