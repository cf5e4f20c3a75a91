"""`rule` and `replay`: what the law says of an auction."""

from __future__ import annotations

import argparse

from lawbook.shell.command import Arguments, Command, auction_text, edition_of, seat_of
from lawbook.shell.terminal import Terminal


def add_auction(parser: argparse.ArgumentParser) -> None:
    """The options of every command that takes an auction."""
    parser.add_argument(
        "--dealer", default="N", metavar="SEAT", help="who deals and so calls first: N, E, S or W (default: N)"
    )


def _configure_rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help="an edition, with readings after `@` if others are wanted")
    parser.add_argument(
        "auction",
        metavar="AUCTION",
        nargs="*",
        help="acts separated by spaces: calls `1C 2R 3N P X XX`, by another seat `S:1H`, other acts `S:penalise`, "
        "`E:correct=3D`; `AP` is all pass; `-` reads it from standard input",
    )
    add_auction(parser)
    parser.add_argument(
        "--explain",
        action="store_true",
        help="say of every act which conditions held, which clauses were set aside, and what a refused act would need",
    )


def _rule(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.auction import Auction
    from lawbook.report.auction import rulings_json, rulings_text

    auction = Auction(edition_of(arguments.edition, arguments, terminal), seat_of(arguments.dealer))
    auction.play(auction_text(arguments.auction, terminal))
    if arguments.json:
        terminal.json(rulings_json(auction, explained=arguments.explain))
    else:
        terminal.lines(rulings_text(auction, terminal.page(), explained=arguments.explain))
    return 0


RULE = Command(
    "rule",
    "Rule on an auction under an edition: every act with its verdict and its law, then how the auction stands,\n"
    "who may choose which remedy, and which calls are lawful for the player in turn.",
    (
        'rule whist-club-1912 "2H 2D S:penalise P"',
        'rule whist-club-1912 "1H P X" --dealer S --explain',
        'rule whist-club-1912@correction-after-notice=literal-52 "2H 2D S:notice E:correct=3D" --json',
    ),
    _configure_rule,
    _rule,
)


def _configure_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("auction", metavar="AUCTION", help="the acts, in one argument; `-` reads standard input")
    parser.add_argument("editions", metavar="EDITION", nargs="+", help="the editions to play it under")
    add_auction(parser)


def _replay(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.compare.ledger import ledger_of
    from lawbook.report.ledger import ledger_json, ledger_text

    editions = [edition_of(name, arguments, terminal) for name in arguments.editions]
    ledger = ledger_of(editions, auction_text(arguments.auction, terminal), seat_of(arguments.dealer))
    if arguments.json:
        terminal.json(ledger_json(ledger))
    else:
        terminal.lines(ledger_text(ledger, terminal.page()))
    return 0


REPLAY = Command(
    "replay",
    "Play one auction under several editions: a row for each act, a column for each edition,\n"
    "and where they first part.",
    (
        'replay "2H 2D S:penalise P 3N" whist-club-1912 whist-club-1913',
        'replay "1C S:P P" whist-club-1912 whist-club-1913 --json',
    ),
    _configure_replay,
    _replay,
)
