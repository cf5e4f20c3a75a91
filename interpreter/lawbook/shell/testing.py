"""`test`: the examples in the law files, whether they hold, and what of the laws they leave unshown."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from lawbook.diagnostics import render
from lawbook.shell.command import Arguments, Command, edition_of, library_of, number, wrong_usage
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.edition.library import Library
    from lawbook.examples.changed import Sorted
    from lawbook.report.testing import Tally

_ACTS: Final = 4_000


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("editions", metavar="EDITION", nargs="*", help="the editions to test; all if not given")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--coverage",
        action="store_true",
        help="tell what of each clause the examples show, why they do not show the rest, and an example that would",
    )
    what.add_argument(
        "--mutants",
        action="store_true",
        help="alter the laws, one thing at a time, and tell which alterations no example notices",
    )
    what.add_argument(
        "--changes",
        action="store_true",
        help="instead of complaining, write out how an edition declares the examples of its base that it changes",
    )
    parser.add_argument(
        "--acts",
        metavar="N",
        type=number("acts", 0),
        help=f"how many acts are tried for each clause or mutant to find what is missing; {_ACTS:,} if not given, "
        "0 for none",
    )
    parser.add_argument("--law", metavar="LAW", help="with --mutants: only of this law, by its number, topic or file")
    parser.add_argument(
        "--limit", metavar="N", type=number("mutants", 1), help="with --mutants: so many, spread over all"
    )


def _run(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.edition.library import Library

    library = library_of(arguments) or Library.shipped()
    names = arguments.editions or list(library.edition_files())
    if arguments.acts is not None and not (arguments.coverage or arguments.mutants):
        raise wrong_usage(
            "--acts says how far to look for what is missing", help="give it with --coverage or --mutants"
        )
    for option in ("law", "limit"):
        if getattr(arguments, option) is not None and not arguments.mutants:
            raise wrong_usage(f"--{option} says which mutants are meant", help="it goes with --mutants")
    if arguments.coverage:
        return _coverage(names, library, arguments, terminal)
    if arguments.mutants:
        return _mutants(names, library, arguments, terminal)
    return _test(names, library, arguments, terminal)


def _test(names: list[str], library: Library, arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.report.testing import failure_lines, otherwise_lines, test_json, test_summary

    tallies: list[Tally] = []
    changes: list[str] = []
    for done, name in enumerate(names):
        terminal.progress(done, len(names), name)
        tally, found = _tally(name, library, arguments, terminal)
        tallies.append(tally)
        changes += _declaration(name, found, terminal.page().width)
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
            terminal.lines(otherwise_lines(tally, page))
        terminal.lines(test_summary(tallies, page))
    return 0 if all(tally.is_clean for tally in tallies) else 1


def _tally(name: str, library: Library, arguments: Arguments, terminal: Terminal) -> tuple[Tally, Sorted]:
    from lawbook.examples import run, shown_by
    from lawbook.examples.changed import diagnostic_of, sort
    from lawbook.examples.failing import looks
    from lawbook.examples.reading import left_out
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
    missing = left_out(library, edition)
    return Tally(name, len(found.passed), found.changed, failed, found.stale, found.otherwise, missing), found


def _declaration(name: str, found: Sorted, width: int) -> list[str]:
    from lawbook.examples.changed import declaration

    lines = list(declaration(found.undeclared, width))
    return [f"# in {name.split('@')[0]}.yaml", *lines] if lines else []


def _coverage(names: list[str], library: Library, arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.coverage.measuring import measure
    from lawbook.coverage.offers import Looked, offers_for
    from lawbook.coverage.reasons import Why, reason_for
    from lawbook.report.coverage import Covered, coverage_json, coverage_text

    acts = _ACTS if arguments.acts is None else arguments.acts
    found: list[Covered] = []
    for name in names:
        edition_of(name, arguments, terminal)
        coverage = measure(library, name, terminal.progress)
        reasons = {}
        for done, goal in enumerate(coverage.missing):
            terminal.progress(done, len(coverage.missing), goal.clause.id)
            reasons[goal.key] = reason_for(goal, coverage)
        open_still = [goal for goal in coverage.missing if reasons[goal.key].why is not Why.UNREACHABLE]
        looked = offers_for(open_still, coverage, acts, terminal.progress) if acts else Looked({}, 0, 0)
        found.append(Covered(coverage, reasons, looked))
    if arguments.json:
        terminal.json(coverage_json(found))
    else:
        for at, covered in enumerate(found):
            terminal.lines([*([""] if at else []), *coverage_text(covered, terminal.page())])
    return 1 if any(covered.coverage.failed or covered.can_be_shown for covered in found) else 0


def _mutants(names: list[str], library: Library, arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.coverage.measuring import Coverage, measure
    from lawbook.examples.writing import laws_called
    from lawbook.mutants.judging import Score, judge, mutants_in, spread
    from lawbook.report.mutants import mutants_json, mutants_text

    acts = _ACTS if arguments.acts is None else arguments.acts
    found: list[tuple[Score, Coverage]] = []
    for name in names:
        edition = edition_of(name, arguments, terminal)
        files = None if arguments.law is None else {law.file for law in laws_called(edition, arguments.law)}
        coverage = measure(library, name, terminal.progress)
        if coverage.failed:
            raise wrong_usage(
                f"{len(coverage.failed)} examples of {name} fail, so they cannot tell its mutants from it",
                help=f"`lawbook test {name}` shows them",
            )
        every = [m for m in mutants_in(coverage) if files is None or m.clause.law.file in files]
        judged = judge(coverage, spread(every, arguments.limit), acts, terminal.progress)
        found.append((Score(coverage.name, tuple(judged), len(every)), coverage))
    if arguments.json:
        terminal.json(mutants_json(found, acts))
    else:
        for at, (score, coverage) in enumerate(found):
            terminal.lines([*([""] if at else []), *mutants_text(score, coverage, acts, terminal.page())])
    return 1 if any(score.survivors for score, _ in found) else 0


TEST = Command(
    "test",
    "Run the examples that stand in the law files, and show each that does not hold: what was expected and found, and\n"
    "every condition it turns on. Exits with 1 if one fails, with --coverage if one is found to be missing, and with\n"
    "--mutants if there are alterations of the laws that no example notices.",
    (
        "test",
        "test whist-club-1912 --json",
        "test whist-club-1912 --coverage",
        "test whist-club-1912 --mutants --law 50",
        "test our-table --laws our-rules --changes",
    ),
    _configure,
    _run,
)
