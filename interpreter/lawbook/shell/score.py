"""`score`: what a deal or a rubber is worth under an edition."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lawbook.shell.command import Arguments, Command, edition_of, wrong_usage
from lawbook.shell.files import STANDARD_INPUT
from lawbook.shell.terminal import Terminal

if TYPE_CHECKING:
    from lawbook.edition.model import Edition
    from lawbook.scoring import Rubber

_DEAL = ("contract", "declarer", "dealer", "tricks", "honours", "chicane", "revokes", "takes", "vulnerable")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("edition", metavar="EDITION", help="an edition, with readings after `@` if others are wanted")
    parser.add_argument("--contract", metavar="CONTRACT", help="the final declaration and its doubling: 3N, 4HX, 2RXX")
    parser.add_argument("--declarer", metavar="SEAT", help="who played the hands")
    parser.add_argument("--dealer", metavar="SEAT", help="who dealt (default: N)")
    parser.add_argument("--tricks", metavar="N", help="all the tricks the declarer's side won in play, 0 to 13")
    parser.add_argument("--honours", metavar="N=4,S=1", help="honours dealt, by seat; without a trump suit the aces")
    parser.add_argument("--chicane", metavar="SEATS", help="players dealt no trump: N or N,S")
    parser.add_argument("--revokes", metavar="SEATS", help="a seat for each established revoke: E or E,E")
    parser.add_argument("--takes", metavar="points|tricks", help="what the declarer takes for an adversary's revoke")
    parser.add_argument("--vulnerable", metavar="NS|EW|both", help="which sides are vulnerable (default: neither)")
    parser.add_argument(
        "--rubber",
        metavar="FILE",
        help="a rubber instead: JSON lines with the names of these options as keys, a deal a line; a line with "
        '`"corrects": 2` corrects the second deal; `-` reads standard input',
    )


def _run(arguments: Arguments, terminal: Terminal) -> int:
    from lawbook.report.score import rubber_json, rubber_text, score_json, score_text
    from lawbook.scoring import deal_under, score_deal

    edition = edition_of(arguments.edition, arguments, terminal)
    given = {key: value for key in _DEAL if (value := getattr(arguments, key)) is not None}
    if arguments.rubber is not None:
        if given:
            raise wrong_usage("--rubber takes the deals from its file; the other options are for one deal")
        rubber = _rubber(edition, arguments.rubber)
        if arguments.json:
            terminal.json(rubber_json(rubber))
        else:
            terminal.lines(rubber_text(rubber, terminal.page()))
        return 0
    if not given:
        raise wrong_usage(
            "which deal is to be scored is not said",
            help="tell it with --contract, --declarer and --tricks, such as: --contract 4HX --declarer N --tricks 11; "
            "or give a file of deals with --rubber",
        )
    deal = deal_under(edition, given)
    score = score_deal(edition, deal)
    if arguments.json:
        terminal.json(score_json(deal, score))
    else:
        terminal.lines(score_text(deal, score, terminal.page()))
    return 0


def _rubber(edition: Edition, path: str) -> Rubber:
    from lawbook.scoring import read_rubber

    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise wrong_usage(f"{path} cannot be read: {error.strerror or error}") from None
    name = STANDARD_INPUT if path == "-" else path
    if not content.strip():
        raise wrong_usage(
            f"{name} holds no deal", help='a deal a line: {"contract": "4H", "declarer": "N", "tricks": 10}'
        )
    return read_rubber(edition, content, name)


SCORE = Command(
    "score",
    "What a deal is worth under an edition, line by line with the law of each; or a rubber, from a file of deals.",
    (
        "score whist-club-1912 --contract 4HX --declarer N --tricks 11 --honours N=4,S=1",
        "score whist-club-1912 --contract 1S --declarer N --dealer N --tricks 3",
        "score whist-club-1912 --rubber rubber.jsonl --json",
    ),
    _configure,
    _run,
)
