"""`gaps`: what an edition leaves open, contradicts, or says in vain."""

from __future__ import annotations

import argparse

from lawbook.shell.command import Arguments, Command, edition_of, library_of
from lawbook.shell.searching import ProgressShown, add_search_arguments, plan_of
from lawbook.shell.terminal import Terminal


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help="an edition, with readings after `@` if others are wanted")
    add_search_arguments(parser, bids=3)


def _run(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.edition.library import Library
    from lawbook.examples import examples_of
    from lawbook.explore.gaps import find_gaps
    from lawbook.report.gaps import gaps_json, gaps_text
    from lawbook.values import Seat

    edition = edition_of(arguments.edition, arguments, terminal)
    examples = examples_of(library_of(arguments) or Library.shipped(), edition)
    known = [(Seat.parse(example.dealer), example.notation) for example in examples]
    progress = ProgressShown(terminal, "searching")
    try:
        found = find_gaps(edition, plan_of(arguments, (edition,)), progress, known)
    finally:
        progress.done()
    if arguments.json:
        terminal.json(gaps_json(found))
    else:
        terminal.lines(gaps_text(found, terminal.page()))
    return int(bool(found.findings))


GAPS = Command(
    "gaps",
    "What an edition leaves open or contradicts: offences without a remedy, auctions in which nobody may act, clauses\n"
    "that contradict each other, rights and clauses that come to nothing; each with a shortest auction of those that\n"
    "were searched, or with the proof that there is none. The auctions of its examples are looked through as well.\n"
    "Exits with 1 if there is any such thing, not for what was only not met.",
    (
        "gaps portland-bath-1908 --seconds 2",
        "gaps portland-bath-1908 --bids 1S,7N --acts penalise,let-stand",
        "gaps portland-bath-1908 --bids 1S --acts penalise,let-stand --irregularities 2 --json",
    ),
    _configure,
    _run,
)
