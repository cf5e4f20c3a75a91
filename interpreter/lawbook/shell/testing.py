"""`test`: the examples in the law files, whether they hold, and what they leave unshown."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lawbook.diagnostics import render
from lawbook.shell.command import Arguments, Command, edition_of, library_of
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.edition.library import Library
    from lawbook.examples.changed import Sorted
    from lawbook.report.testing import Tally


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("editions", metavar="EDITION", nargs="*", help="the editions to test; all if not given")
    parser.add_argument(
        "--changes",
        action="store_true",
        help="instead of complaining, write out how an edition declares the examples of its base that it changes",
    )


def _test(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.edition.library import Library
    from lawbook.report.testing import failure_lines, test_json, test_summary

    library = library_of(arguments) or Library.shipped()
    names = arguments.editions or list(library.edition_files())
    tallies: list[Tally] = []
    changes: list[str] = []
    for done, name in enumerate(names):
        terminal.progress(done, len(names), name)
        tally, found = _tally(name, library, arguments, terminal)
        tallies.append(tally)
        changes += _declaration(name, found)
    terminal.progress(len(names), len(names), "")
    if arguments.changes:
        terminal.lines(changes or ["# nothing to declare"])
        return 0
    if arguments.json:
        terminal.json(test_json(tallies))
    else:
        page = terminal.page()
        for tally in tallies:
            for failure in tally.failed:
                text = render([failure.diagnostic], colour=page.colour, width=page.width, source=terminal.source)
                terminal.lines([*text.splitlines(), *failure_lines(failure, page), ""])
            for diagnostic in tally.stale:
                text = render([diagnostic], colour=page.colour, width=page.width, source=terminal.source)
                terminal.lines([*text.splitlines(), ""])
        terminal.lines(test_summary(tallies))
    return 0 if all(tally.is_clean for tally in tallies) else 1


def _tally(name: str, library: Library, arguments: Arguments, terminal: Terminal) -> tuple[Tally, Sorted]:
    from lawbook.examples import run, shown_by
    from lawbook.examples.changed import diagnostic_of, sort
    from lawbook.examples.failing import looks
    from lawbook.report.testing import Failure, Tally

    edition = edition_of(name, arguments, terminal)
    own = library_of(arguments)
    outcomes = [outcome for example in shown_by(library, edition) for outcome in run(example, own)]
    found = sort(outcomes, edition, library)
    failed = tuple(
        Failure(
            outcome, diagnostic_of(outcome, edition), looks(outcome, edition_of(outcome.edition, arguments, terminal))
        )
        for outcome in found.failed
    )
    return Tally(name, len(found.passed), found.changed, failed, found.stale), found


def _declaration(name: str, found: Sorted) -> list[str]:
    from lawbook.examples.changed import declaration

    lines = list(declaration(found.undeclared))
    return [f"# in {name.split('@')[0]}.yaml", *lines] if lines else []


TEST = Command(
    "test",
    "Run the examples that stand in the law files, and show each that does not hold: what was expected and found, and\n"
    "every condition it turns on. Exits with 1 if one fails.",
    ("test", "test whist-club-1912 --json", "test our-table --laws our-rules --changes"),
    _configure,
    _test,
)
