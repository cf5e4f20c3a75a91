"""Searching: the arguments that say how far to search, for every command that does."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lawbook.shell.command import Arguments, number, wrong_usage
from lawbook.shell.terminal import Terminal
from lawbook.values import shorten

if TYPE_CHECKING:
    from lawbook.edition.model import Edition
    from lawbook.explore.plan import Plan
    from lawbook.explore.product import Progress
    from lawbook.values import Bid

ALL: Final = "all"
ENOUGH: Final = "enough"
_IRREGULARITIES: Final = "1"
_OPTIONS: Final = ("irregularities", "bids", "all_bids", "acts", "seconds", "states", "memory", "beyond", "open")
_COUNT: Final = re.compile(r"[+-]?[0-9]{1,3}")


def add_search_arguments(parser: argparse.ArgumentParser, bids: int = 4) -> None:
    """The arguments of a search; `bids` is how many bids it offers unless told otherwise."""
    group = parser.add_argument_group("how far to search")
    group.add_argument(
        "--irregularities",
        metavar="N",
        help=f"auctions with at most so many irregular acts; `all` for any number (default: {_IRREGULARITIES})",
    )
    group.add_argument(
        "--bids",
        metavar="BIDS",
        help="offer only these bids, such as 1S,1C,7N; or so many of the most telling; or as many as show all that the "
        f"laws tell apart: `{ENOUGH}` (default: {bids})",
    )
    group.add_argument("--all-bids", action="store_true", help="offer every bid; this takes far longer")
    group.add_argument("--acts", metavar="ACTS", help="offer only these acts other than calls, such as penalise,notice")
    group.add_argument(
        "--seconds",
        type=number("seconds", 0, float),
        metavar="N",
        help="stop after so many seconds and show what was found",
    )
    group.add_argument(
        "--states",
        type=number("positions", 1),
        metavar="N",
        help="stop after so many positions and show what was found",
    )
    group.add_argument(
        "--memory",
        type=number("MiB", 1),
        metavar="MIB",
        help="stop when so much memory is taken and show what was found",
    )


def search_options(arguments: Arguments) -> tuple[str, ...]:
    """The options given that say how far to search, as they are written."""
    given = [name for name in _OPTIONS if getattr(arguments, name, None) not in (None, False)]
    return tuple(f"--{name.replace('_', '-')}" for name in given)


def plan_of(arguments: Arguments, editions: Sequence[Edition]) -> Plan:
    """The search asked for. Raises LawbookError for numbers, bids or acts that cannot be."""
    from lawbook.explore.plan import Plan

    if arguments.all_bids and arguments.bids is not None:
        raise wrong_usage("--all-bids and --bids exclude each other")
    if arguments.irregularities == ALL and getattr(arguments, "open", None) is not None:
        raise wrong_usage(f"--open goes on from so many irregular acts, and --irregularities {ALL} leaves none out")
    bids, most = _bids(arguments, editions)
    return Plan(
        bids=bids,
        most_bids=most,
        irregularities=_irregularities(arguments.irregularities or _IRREGULARITIES),
        open_at_once=getattr(arguments, "open", None),
        acts=_acts(arguments, editions),
        seconds=arguments.seconds,
        pairs=arguments.states,
        memory=arguments.memory,
        beyond=getattr(arguments, "beyond", False),
    )


def _irregularities(text: str) -> int | None:
    if text == ALL:
        return None
    if not text.isascii() or not text.isdigit():
        raise wrong_usage(f"--irregularities takes a number or `{ALL}`, not `{text}`")
    return int(text)


def _bids(arguments: Arguments, editions: Sequence[Edition]) -> tuple[tuple[Bid, ...] | None, int | None]:
    from lawbook.explore.bids import all_bids
    from lawbook.explore.plan import ENOUGH_BIDS
    from lawbook.loading import signs_of
    from lawbook.values import Bid

    if arguments.all_bids:
        return all_bids(*editions), None
    if arguments.bids is None:
        return None, None
    text = arguments.bids.strip()
    if text == ENOUGH:
        return None, ENOUGH_BIDS
    if _COUNT.fullmatch(text):
        if int(text) < 1:
            raise wrong_usage(f"--bids takes bids, such as 1S,1C,7N, or how many, at least 1, not `{text}`")
        return None, int(text)
    known = all_bids(*editions)
    bids = {word: Bid.parse(word, signs_of(*editions)) for word in text.replace(",", " ").split()}
    if not bids:
        raise wrong_usage("--bids takes bids, such as 1S,1C,7N, or how many")
    for word, bid in bids.items():
        if bid not in known:
            raise wrong_usage(f"{word} is no bid that all these editions know")
        require_level_told(word, bid)
    return tuple(dict.fromkeys(bids.values())), None


def require_level_told(word: str, bid: Bid) -> None:
    """Raises LawbookError where an option names a bid of more odd tricks than are told apart: in an auction it is read
    as the lowest that cannot be won, but whoever names it here means to have it apart from that."""
    from lawbook.values import level_said

    if (level := level_said(word, bid)) is not None:
        raise wrong_usage(
            f"`{shorten(word)}` is of {shorten(level)} odd tricks, and no level above {bid.level} is told apart",
            help=f"a bid of {bid.level} stands for all that cannot be won",
            suggestion=str(bid),
        )


def _acts(arguments: Arguments, editions: Sequence[Edition]) -> tuple[str, ...] | None:
    from lawbook.diagnostics import nearest

    if arguments.acts is None:
        return None
    names = tuple(dict.fromkeys(arguments.acts.replace(",", " ").split()))
    known = dict.fromkeys(act for edition in editions for act in edition.acts)
    for name in names:
        if name not in known:
            raise wrong_usage(f"no edition here knows the act `{name}`", suggestion=nearest(name, known))
    return names


class ProgressShown:
    """Called with the progress of a search; `done` takes away what is shown."""

    def __init__(self, terminal: Terminal, what: str) -> None:
        self._terminal = terminal
        self._what = what

    def __call__(self, progress: Progress) -> None:
        """Show it."""
        most, at_once = progress.bounds.irregularities, progress.bounds.open_at_once
        deep = "" if most is None else f"{most} irregular, " if at_once is None else "any number irregular, "
        self._terminal.working(f"{self._what}: {deep}depth {progress.depth}, positions {progress.met:,}")

    def done(self) -> None:
        """Take it away."""
        self._terminal.working("")
