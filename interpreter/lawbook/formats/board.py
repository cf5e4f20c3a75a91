"""A board as records of play keep it: its tags, who dealt, the acts of its auction and the remarks on them.

One form for every format that is read or written. A board remembers where each of its parts was written, and two
boards are equal when they say the same, wherever they say it.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lawbook.diagnostics import Diagnostic, Span
from lawbook.notation import ALL_PASS, Item
from lawbook.values import Act, Bid, Seat, Side

BOARD: Final = "Board"
DEALER: Final = "Dealer"
VULNERABLE: Final = "Vulnerable"
DEAL: Final = "Deal"
DECLARER: Final = "Declarer"
CONTRACT: Final = "Contract"
RESULT: Final = "Result"
PLAY: Final = "Play"

UNKNOWN: Final = "?"
"""The value of a tag that nobody knows."""


class Ending(enum.Enum):
    """How a recorded auction ends. The value is what stands for it in PBN, if anything does.

    ALL_PASS: passes by everybody, not written out. STOPPED: no further calls are given. UNFINISHED: the next call is
    still to come. CUT: what follows could not be read.
    """

    PLAIN = ""
    ALL_PASS = "AP"
    STOPPED = "*"
    UNFINISHED = "+"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Note:
    """A remark that calls or cards refer to by its number."""

    number: int
    text: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Tag:
    """A name and a value. `section` is the text of the lines that belong to it, as written; `notes` are theirs."""

    name: str
    value: str
    comments: tuple[str, ...] = ()
    section: str = ""
    notes: tuple[Note, ...] = ()
    span: Span | None = field(default=None, compare=False)
    value_span: Span | None = field(default=None, compare=False)

    @property
    def has_section(self) -> bool:
        """Whether lines of their own follow it, so that it is written after the auction."""
        return bool(self.section or self.notes) or self.name == PLAY or self.name.endswith("Table")


@dataclass(frozen=True, slots=True)
class Entry:
    """One recorded act.

    `insufficient` says that it is marked as an insufficient bid that was accepted; `note` is the number of the remark
    on it, `glyphs` are the numbers of its annotations. A call in the order of the seats is bare; once a seat has been
    skipped every later call names its seat, since who is in turn is then for the laws to say.
    """

    act: Act
    insufficient: bool = False
    note: int | None = None
    glyphs: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False)
    token: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded auction. `own` says that it is kept in Lawbook's notation, because the format has no words for it."""

    entries: tuple[Entry, ...] = ()
    ending: Ending = Ending.PLAIN
    own: bool = False
    comments: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False)
    ending_span: Span | None = field(default=None, compare=False)

    @property
    def items(self) -> tuple[Item, ...]:
        """What the auction notation writes of it: the acts, and `AP` where it ends so."""
        last: tuple[Item, ...] = (ALL_PASS,) if self.ending is Ending.ALL_PASS else ()
        return (*(entry.act for entry in self.entries), *last)


@dataclass(frozen=True, slots=True)
class Contract:
    """What a Contract tag says: a bid and its doubling, 0 to 2; `bid` is None where the board was passed out."""

    bid: Bid | None
    doubling: int = 0

    def __str__(self) -> str:
        return "Pass" if self.bid is None else f"{self.bid}{'X' * self.doubling}"


@dataclass(frozen=True, slots=True)
class Declarer:
    """What a Declarer tag says: who played the hand; `swapped` where by mistake it was the declarer's partner.
    `seat` is None where the board was passed out."""

    seat: Seat | None
    swapped: bool = False

    @property
    def by_the_auction(self) -> Seat | None:
        """Who should have played it, by what the tag says."""
        return self.seat.partner if self.seat is not None and self.swapped else self.seat

    def __str__(self) -> str:
        return "" if self.seat is None else f"{'^' if self.swapped else ''}{self.seat}"


@dataclass(frozen=True, slots=True)
class Result:
    """What a Result tag says: the tricks won by the declarer or, where it says that, by sides. `differs` where the
    players agreed on another number than was won."""

    declarer: int | None = None
    sides: tuple[tuple[Side, int], ...] = ()
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """One board of a file.

    `dealer` is None where nothing tells it. `tags` are all but the dealer's and the auction's, those with a section
    of their own last. `auction` is None where none was recorded; `notes` are those of the auction, `comments` stand
    before everything else.
    """

    dealer: Seat | None = None
    tags: tuple[Tag, ...] = ()
    auction: Record | None = None
    notes: tuple[Note, ...] = ()
    comments: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False)

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts of the auction in order, without the passes that `AP` stands for."""
        return () if self.auction is None else tuple(entry.act for entry in self.auction.entries)

    def tag(self, name: str) -> Tag | None:
        """The tag of that name, or None."""
        return next((tag for tag in self.tags if tag.name == name), None)

    def value(self, name: str) -> str | None:
        """The value of a tag; None where there is none or nobody knows it."""
        tag = self.tag(name)
        return None if tag is None or tag.value == UNKNOWN else tag.value

    @property
    def number(self) -> str | None:
        """The number of the board, as written."""
        return self.value(BOARD) or None

    @property
    def vulnerable(self) -> frozenset[Side] | None:
        """The sides that are vulnerable, or None where that is not known."""
        value = self.value(VULNERABLE)
        return None if value is None else VULNERABILITIES.get(value.lower())

    @property
    def contract(self) -> Contract | None:
        """What the Contract tag says, or None."""
        value = self.value(CONTRACT)
        return None if value is None else parse_contract(value)

    @property
    def declarer(self) -> Declarer | None:
        """What the Declarer tag says, or None."""
        value = self.value(DECLARER)
        return None if value is None else parse_declarer(value)

    @property
    def result(self) -> Result | None:
        """What the Result tag says, or None."""
        value = self.value(RESULT)
        return None if value is None else parse_result(value)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the boards, as far as each could be made out, and all that is wrong, in order of place."""

    boards: tuple[Board, ...]
    diagnostics: tuple[Diagnostic, ...]


# -- values of tags ----------------------------------------------------------------------------------------------------

_NOBODY: Final = frozenset[Side]()
_EVERYBODY: Final = frozenset(Side)
VULNERABILITIES: Final = {
    "none": _NOBODY,
    "love": _NOBODY,
    "-": _NOBODY,
    "ns": frozenset({Side.NS}),
    "ew": frozenset({Side.EW}),
    "all": _EVERYBODY,
    "both": _EVERYBODY,
}
"""What a Vulnerable tag can say, in small letters, and which sides are then vulnerable."""

_CONTRACT: Final = re.compile(r"([1-8])(NT|[A-Z])(X{0,2})", re.IGNORECASE | re.ASCII)
_TRICKS: Final = re.compile(r"([0-9]|1[0-3])", re.ASCII)
_BY_SIDES: Final = re.compile(r"(NS|EW) ([0-9]|1[0-3])(?: (NS|EW) ([0-9]|1[0-3]))?", re.IGNORECASE | re.ASCII)


def parse_contract(value: str) -> Contract | None:
    """What a Contract tag says; None where it says nothing, or nothing that can be read.

    >>> str(parse_contract("3NTX")), str(parse_contract("pass"))
    ('3NX', 'Pass')
    """
    if value.lower() == "pass":
        return Contract(None)
    found = _CONTRACT.fullmatch(value)
    return Contract(Bid.parse(found[1] + found[2]), len(found[3])) if found else None


def parse_declarer(value: str) -> Declarer | None:
    """What a Declarer tag says; empty: the board was passed out. None where it cannot be read.

    >>> parse_declarer("^S")
    Declarer(seat=<Seat.S: 2>, swapped=True)
    """
    if not value:
        return Declarer(None)
    seat = parse_seat(value.removeprefix("^"))
    return None if seat is None else Declarer(seat, value.startswith("^"))


def parse_result(value: str) -> Result | None:
    """What a Result tag says; None where it says nothing, or nothing that can be read.

    >>> parse_result("^EW 9")
    Result(declarer=None, sides=((<Side.EW: 1>, 9),), differs=True)
    """
    text, differs = value.removeprefix("^"), value.startswith("^")
    if _TRICKS.fullmatch(text):
        return Result(int(text), (), differs)
    if found := _BY_SIDES.fullmatch(text):
        sides = [(Side.parse(found[1]), int(found[2]))]
        if found[3]:
            sides.append((Side.parse(found[3]), int(found[4])))
        return Result(None, tuple(sides), differs)
    return None


def parse_seat(value: str) -> Seat | None:
    """The seat of one letter, or None."""
    return Seat[value.upper()] if len(value) == 1 and value.upper() in Seat.__members__ else None


# -- seats of recorded calls -------------------------------------------------------------------------------------------


def seated(entries: Iterable[Entry], dealer: Seat) -> Iterator[tuple[Entry, Seat, int]]:
    """Calls in the order of the seats: each with its seat, and how many seats were skipped before it.

    Only for entries that are calls: of other acts no order of seats is known.
    """
    due = dealer
    for entry in entries:
        seat = entry.act.seat if isinstance(entry.act.seat, Seat) else due
        yield entry, seat, (seat - due) % 4
        due = seat.left
