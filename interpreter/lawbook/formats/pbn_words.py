"""What PBN can say: its words for calls, what can be written with them, and which acts it has no words for."""

from __future__ import annotations

import re
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


HIGHEST_GLYPH: Final = 255
"""The highest number of an annotation."""

_PIECE: Final = re.compile(
    r"(?P<call>[A-Za-z0-9-]+)|(?P<note>=[0-9]+=)|(?P<glyph>\$[0-9]+)|(?P<suffix>[!?]{1,2})|(?P<mark>\^.?)|(?P<end>[*+])",
    re.ASCII,
)
# No note has so high a number, and Python makes no numbers of thousands of digits.
_MOST_DIGITS: Final = 9
_TOO_HIGH: Final = 10**_MOST_DIGITS - 1


def pieces_of(text: str) -> list[tuple[str, int, int]]:
    """The parts of a word: kind (`call`, `note`, `glyph`, `suffix`, `mark`, `end`), start and end; none if it has any
    part that is nothing.

    >>> pieces_of("1NT=2=!")
    [('call', 0, 3), ('note', 3, 6), ('suffix', 6, 7)]
    """
    found: list[tuple[str, int, int]] = []
    at = 0
    while at < len(text):
        piece = _PIECE.match(text, at)
        if piece is None:
            return []
        assert piece.lastgroup is not None
        found.append((piece.lastgroup, at, piece.end()))
        at = piece.end()
    return found


def kind_of_piece(text: str) -> str | None:
    """The kind of a word that is one part and no more, or None."""
    found = _PIECE.fullmatch(text)
    return None if found is None else found.lastgroup


def note_number(text: str) -> int:
    """The number that a reference to a note has.

    >>> note_number("=12="), note_number("=1000000000001=")
    (12, 999999999)
    """
    return _number(text.strip("="))


def glyph_number(text: str) -> int | None:
    """The number of an annotation, by its number or as a suffix; None if there is none of that number.

    >>> glyph_number("$7"), glyph_number("!?"), glyph_number("$256"), glyph_number("$1000000001")
    (7, 5, None, None)
    """
    number = SUFFIXES[text] if text in SUFFIXES else _number(text.removeprefix("$"))
    return number if number <= HIGHEST_GLYPH else None


def _number(digits: str) -> int:
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) <= _MOST_DIGITS else _TOO_HIGH


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
