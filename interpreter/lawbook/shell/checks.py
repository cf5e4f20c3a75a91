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
    from lawbook.checking import Task, concerns, findings_of, library_with, look_at, tasks_for, tasks_for_all
    from lawbook.checks.run import Run
    from lawbook.edition.library import Library
    from lawbook.errors import Collector
    from lawbook.notation import EDITION_FILE
    from lawbook.report.findings import check_json, check_summary

    library = library_of(arguments) or Library.shipped()
    # What is to be done in which library, and of which file alone something is to be told.
    work: dict[Library, dict[Task, None]] = {}
    files: dict[Library, set[str] | None] = {}
    if not arguments.targets:
        work[library], files[library] = dict.fromkeys(tasks_for_all(library)), None
    for target in arguments.targets:
        terminal.sources[EDITION_FILE] = target
        own = library_with(library, target)
        work.setdefault(own, {}).update(dict.fromkeys(tasks_for(own, target)))
        wanted = files.setdefault(own, set())
        if not target.endswith((".yaml", ".yml")):
            files[own] = None
        elif wanted is not None:
            wanted.add(own.shown(Path(target)))
    problems = Collector()
    done, whole = 0, sum(len(tasks) for tasks in work.values())
    for place, tasks in work.items():
        run, only = Run(place), files[place]
        for task in tasks:
            terminal.progress(done, whole, task.name)
            look_at(run, task)
            done += 1
        found = findings_of(run, tasks)
        problems.extend(d for d in found if only is None or any(concerns(d, file) for file in only))
    terminal.progress(whole, whole, "")
    checked = list(dict.fromkeys(task.name for tasks in work.values() for task in tasks))
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
