"""`rule` and `replay`: what the law says of an auction, or of every board of a file."""

from __future__ import annotations

import argparse
from typing import Final

from lawbook.shell.command import Arguments, Command, auction_text, edition_of, seat_of, wrong_usage
from lawbook.shell.files import read_file
from lawbook.shell.terminal import Terminal

# No auction ends like the name of such a file.
_FILES: Final = (".pbn", ".lin")


def add_auction(parser: argparse.ArgumentParser) -> None:
    """The options of every command that takes an auction."""
    parser.add_argument("--dealer", metavar="SEAT", help="who deals and so calls first: N, E, S or W (default: N)")


def _configure_rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help="an edition, with readings after `@` if others are wanted")
    parser.add_argument(
        "auction",
        metavar="AUCTION",
        nargs="*",
        help="acts separated by spaces: calls `1C 2R 3N P X XX`, by another seat `S:1H`, other acts `S:penalise`, "
        "`E:correct=3D`; `AP` is all pass; `-` reads it from standard input. Or a file of boards, FILE.pbn or FILE.lin",
    )
    add_auction(parser)
    parser.add_argument(
        "--file",
        metavar="FILE",
        help="rule on every board of a file, whatever its name: PBN, LIN, JSON lines, notation",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="say of every act which conditions held, which clauses were set aside, and what a refused act would need",
    )


def _rule(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.auction import Auction
    from lawbook.report.auction import rulings_json, rulings_text

    file = _file(arguments)
    if file is not None:
        return _rule_file(file, arguments, terminal)
    auction = Auction(edition_of(arguments.edition, arguments, terminal), seat_of(arguments.dealer or "N"))
    auction.play(auction_text(arguments.auction, terminal))
    if arguments.json:
        terminal.json(rulings_json(auction, explained=arguments.explain))
    else:
        terminal.lines(rulings_text(auction, terminal.page(), explained=arguments.explain))
    return 0


def _file(arguments: Arguments) -> str | None:
    """The file of boards that is to be ruled on, or None where an auction is."""
    given: list[str] = arguments.auction
    file: str | None = arguments.file
    if file is None and len(given) == 1 and given[0].lower().endswith(_FILES):
        file, given = given[0], []
    if file is not None and given:
        raise wrong_usage("either an auction is given or a file, not both")
    if file is not None and arguments.dealer is not None:
        raise wrong_usage("--dealer is for an auction; a file says who dealt each board")
    return file


def _rule_file(file: str, arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.boards import rule_file
    from lawbook.formats import format_of_name, format_of_text
    from lawbook.report.boards import file_json, file_text

    name, text = read_file(file)
    edition = edition_of(arguments.edition, arguments, terminal)
    ruled = rule_file(edition, text, name, format_of_name(name) or format_of_text(text))
    if arguments.json:
        terminal.json(file_json(ruled, explained=arguments.explain))
    else:
        terminal.lines(file_text(ruled, terminal.page(), explained=arguments.explain))
    if not ruled.boards:
        return 2
    return 0 if ruled.is_whole else 1


RULE = Command(
    "rule",
    "Rule on an auction under an edition: every act with its verdict and its law, then how the auction stands,\n"
    "who may choose which remedy, and which calls are lawful for the player in turn.\n"
    "Or on every board of a file: the verdicts, contract and declarer against the tags, and what is wrong and where.\n"
    "Where something in a file cannot be read, or an auction not ruled on to its end, the rest is shown all the same,\n"
    "and the exit status is 1; it is 2 where a file has no board.",
    (
        'rule whist-club-1912 "2H 2D S:penalise P"',
        'rule whist-club-1912 "1H P X" --dealer S --explain',
        'rule whist-club-1912@correction-after-notice=literal-52 "2H 2D S:notice E:correct=3D" --json',
        "rule contract-2017 boards.pbn",
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
    text = auction_text(arguments.auction, terminal)
    ledger = ledger_of(editions, text, seat_of(arguments.dealer or "N"))
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
