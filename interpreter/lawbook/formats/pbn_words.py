"""What PBN can say: its words for calls, and which acts it has none for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lawbook.formats.board import Entry
from lawbook.values import Act, Bid, Call, Seat

DENOMINATIONS: Final = ("C", "D", "H", "S", "N")
"""The letters of the bids that this format has, as Lawbook writes them."""

HIGHEST: Final = 7
"""The highest level of a bid that this format has."""

SUFFIXES: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""The suffixes of a call, and the annotation that each is another spelling of."""


def spelt(call: Call) -> str:
    """A call as PBN spells it.

    >>> [spelt(Call.parse(call)) for call in ("P", "XX", "1N", "7S")]
    ['Pass', 'XX', '1NT', '7S']
    """
    text = str(call)
    if isinstance(call, Bid):
        return f"{text}T" if call.denomination == "N" else text
    return "Pass" if text == "P" else text


def can_say(act: Act) -> bool:
    """Whether PBN has a word for an act."""
    match act.call:
        case None:
            return False
        case Bid(level, denomination):
            return level <= HIGHEST and denomination in DENOMINATIONS
        case _:
            return True


def can_say_all(entries: Iterable[Entry], dealer: Seat | None) -> bool:
    """Whether PBN has a word for every act, and a place for it that says who did it.

    Once a call was made out of turn, its cells go on from that seat; who makes a bare call then, the laws say.
    """
    due = dealer
    skipped = False
    for entry in entries:
        seat = entry.act.seat
        if not can_say(entry.act) or (skipped and seat is None):
            return False
        # Where nobody knows who dealt, a first call that names its seat may skip others.
        skipped = skipped or (seat is not None and seat is not due)
        due = seat.left if isinstance(seat, Seat) else None if due is None else due.left
    return True
