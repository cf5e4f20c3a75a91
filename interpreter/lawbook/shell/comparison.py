"""`compare`: two editions or more side by side."""

from __future__ import annotations

import argparse

from lawbook.shell.command import Arguments, Command, auction_text, edition_of, seat_of, wrong_usage
from lawbook.shell.terminal import Terminal


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="an edition, with readings after `@` if others are wanted")
    parser.add_argument("b", metavar="B", help="another, or the same read otherwise")
    parser.add_argument("more", metavar="C", nargs="*", help="more of them: which differ from which, topic by topic")
    parser.add_argument("--auction", metavar="AUCTION", help="compare how they rule on this auction, not their laws")
    parser.add_argument(
        "--dealer", default="N", metavar="SEAT", help="who deals the auction: N, E, S or W (default: N)"
    )
    parser.add_argument("--side-by-side", action="store_true", help="show the clauses of two editions in two columns")
    parser.add_argument(
        "--registers", action="store_true", help="show in full what the table has to remember, not in words"
    )
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 if they differ")


def _compare(arguments: Arguments, terminal: Terminal) -> int:
    names = [arguments.a, arguments.b, *arguments.more]
    if len(names) > 2 or arguments.auction is not None:
        for option in ("side_by_side", "registers"):
            if getattr(arguments, option):
                raise wrong_usage(
                    f"--{option.replace('_', '-')} shows the clauses of two editions",
                    help="name two editions and no auction",
                )
    editions = [edition_of(name, arguments, terminal) for name in names]
    if arguments.auction is not None:
        from lawbook.compare.ledger import ledger_of
        from lawbook.report.ledger import ledger_json, ledger_text

        ledger = ledger_of(editions, auction_text(arguments.auction, terminal), seat_of(arguments.dealer))
        if arguments.json:
            terminal.json(ledger_json(ledger))
        else:
            terminal.lines(ledger_text(ledger, terminal.page()))
        differ = ledger.divergence is not None
    else:
        from lawbook.compare.structure import compare_structure
        from lawbook.report.structure import structure_json, structure_text

        structure = compare_structure(editions[0], editions[1])
        if arguments.json:
            terminal.json(structure_json(structure))
        else:
            text = structure_text(
                structure, terminal.page(), side_by_side=arguments.side_by_side, registers=arguments.registers
            )
            terminal.lines(text)
        differ = structure.differ
    return int(differ and arguments.exit_code)


COMPARE = Command(
    "compare",
    "Compare two editions: with --auction how each rules on it, act by act, and where they part;\n"
    "without it their laws, topic by topic.",
    (
        'compare whist-club-1912 whist-club-1913 --auction "2H 2D S:penalise P 3N"',
        "compare whist-club-1912 whist-club-1913 --side-by-side",
        "compare whist-club-1912 whist-club-1912@deadline-out-of-turn=no-deadline --exit-code",
    ),
    _configure,
    _compare,
)
