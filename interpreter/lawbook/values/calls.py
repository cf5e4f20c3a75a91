"""Calls: pass, double, redouble, and bids of a number in a denomination."""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Mapping
from typing import ClassVar, Final, Self, TypeAlias, cast, final

from lawbook.diagnostics import nearest
from lawbook.records import dataclass
from lawbook.values.texts import NO_SIGNS, lettered, require_text, shorten, unreadable

HIGHEST_LEVEL: Final = 8
"""The highest number of odd tricks that is told apart: every number above it is as impossible as it is."""


class Kind(enum.IntEnum):
    """The four kinds of call."""

    PASS = 0
    DOUBLE = 1
    REDOUBLE = 2
    BID = 3


# Every call there is, by its class and what it says.
_CALLS: Final[dict[tuple[object, ...], Call]] = {}


@functools.total_ordering
class Call:
    """What a player says when he calls: always a `Pass`, `Double`, `Redouble` or `Bid`.

    There is one object for each call, so that calls can be compared and looked up by identity.

    Calls are ordered for lists (the pass, the double, the redouble, then bids by number and letter); that says
    nothing of their rank. To tell them apart, look at `kind`, or match on the four classes.

    >>> str(Call.parse("pass")), str(Call.parse("dbl")), str(Call.parse("redouble")), str(Call.parse("1nt"))
    ('P', 'X', 'XX', '1N')
    >>> Call.parse("12h")
    Bid(level=8, denomination='H')
    """

    __slots__ = ()

    kind: ClassVar[Kind]

    def __new__(cls, *told: object) -> Self:
        found = _CALLS.get((cls, *told))
        return cast(Self, object.__new__(cls) if found is None else found)

    def __post_init__(self) -> None:
        _CALLS.setdefault((type(self),), self)

    @classmethod
    def parse(cls, text: str, signs: Mapping[str, str] = NO_SIGNS) -> Self:
        """The call written so, in capitals or small letters: `P`, `X`, `XX`, `1N`, or in words, `double`, `1NT`.

        `signs` are those that may stand for the letter of a denomination, each with the letter. On one of the four
        classes, only a call of that kind is read.
        """
        require_text(text, "call")
        call = _read_call(text, signs)
        if not isinstance(call, cls):
            raise unreadable("wrong-kind-of-call", f"`{shorten(text)}` is no {cls.kind.name.lower()}")
        return call

    @property
    def _place(self) -> tuple[int, int, str]:
        return (self.kind, 0, "")

    def __lt__(self, other: object) -> bool:
        return self._place < other._place if isinstance(other, Call) else NotImplemented


@final
@dataclass(frozen=True, slots=True, eq=False)
class Pass(Call):
    """No bid, this time."""

    kind = Kind.PASS

    def __reduce__(self) -> tuple[type[Pass], tuple[()]]:
        return Pass, ()

    def __str__(self) -> str:
        return "P"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Double(Call):
    """A double."""

    kind = Kind.DOUBLE

    def __reduce__(self) -> tuple[type[Double], tuple[()]]:
        return Double, ()

    def __str__(self) -> str:
        return "X"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Redouble(Call):
    """A redouble."""

    kind = Kind.REDOUBLE

    def __reduce__(self) -> tuple[type[Redouble], tuple[()]]:
        return Redouble, ()

    def __str__(self) -> str:
        return "XX"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Bid(Call):
    """An undertaking to win `level` odd tricks (tricks beyond six) in `denomination`.

    `level` is 1 to 8, where 8 stands for every number that cannot be won; `denomination` is a capital letter.

    >>> Bid.parse("3d")
    Bid(level=3, denomination='D')
    """

    kind = Kind.BID
    level: int
    denomination: str

    def __new__(cls, level: int, denomination: str) -> Self:
        if type(level) is not int or type(denomination) is not str:
            raise TypeError("a bid is a number and a letter")
        return Call.__new__(cls, level, denomination)

    def __post_init__(self) -> None:
        if not 1 <= self.level <= HIGHEST_LEVEL:
            raise ValueError(f"a bid is of 1 to {HIGHEST_LEVEL} odd tricks, not {self.level}")
        require_denomination(self.denomination)
        _CALLS.setdefault((Bid, self.level, self.denomination), self)

    def __reduce__(self) -> tuple[type[Bid], tuple[int, str]]:
        return Bid, (self.level, self.denomination)

    @property
    def _place(self) -> tuple[int, int, str]:
        return (self.kind, self.level, self.denomination)

    def __str__(self) -> str:
        return f"{self.level}{self.denomination}"


AnyCall: TypeAlias = Pass | Double | Redouble | Bid
"""The same as `Call`, as a closed union, for a `match` that must be exhaustive."""

PASS: Final = Pass()
DOUBLE: Final = Double()
REDOUBLE: Final = Redouble()

_CALL_WORDS: Final[Mapping[str, AnyCall]] = {
    "p": PASS,
    "pass": PASS,
    "x": DOUBLE,
    "dbl": DOUBLE,
    "double": DOUBLE,
    "xx": REDOUBLE,
    "rdbl": REDOUBLE,
    "redouble": REDOUBLE,
}
# Only these are offered as what was meant: the others are one or two letters, and near to everything.
_CALL_NAMES: Final = ("pass", "double", "redouble")


def is_word_for_call(text: str) -> bool:
    """Whether a text in small letters is a word for a pass, a double or a redouble."""
    return text in _CALL_WORDS


_BID: Final = re.compile(r"([0-9]+)(NT|[A-Z])")
_DIGITS: Final = re.compile(r"[0-9]+")
_REVERSED_BID: Final = re.compile(r"(NT|[A-Z])([0-9]+)")


def parse_denomination(text: str) -> str:
    """The canonical letter of a denomination: `n`, `N` and `NT` are all `N`."""
    letter = text.upper() if text.isascii() else text
    letter = "N" if letter == "NT" else letter
    if not is_letter(letter):
        raise unreadable(
            "unknown-denomination",
            f"`{shorten(text)}` is no denomination",
            help="a denomination is written as one letter, as in 1N",
        )
    return letter


def _read_call(text: str, signs: Mapping[str, str]) -> AnyCall:
    if (plain := _CALL_WORDS.get(text.lower())) is not None:
        return plain
    capitals = lettered(text, signs)
    if found := _BID.fullmatch(capitals):
        if (level := _level(found[1])) == 0:
            raise unreadable("no-odd-trick", f"`{shorten(text)}` bids no odd trick", help="the lowest bid is of one")
        return Bid(level, parse_denomination(found[2]))
    if capitals.isascii() and capitals.isdigit():
        raise unreadable(
            "bid-without-denomination",
            f"`{shorten(text)}` bids in no denomination",
            help="a bid is a number and then the letter of a denomination, as in 1N",
        )
    reversed_bid = _REVERSED_BID.fullmatch(capitals)
    suggestion = nearest(text, _CALL_NAMES)
    if reversed_bid and _level(reversed_bid[2]) > 0:
        suggestion = str(Bid(_level(reversed_bid[2]), parse_denomination(reversed_bid[1])))
    raise unreadable(
        "unknown-call",
        f"`{shorten(text)}` is no call" if text else "there is no call here",
        help="a call is P, X, XX or a bid such as 1N",
        suggestion=suggestion,
    )


def _level(digits: str) -> int:
    # Compared by length first: a number of thousands of digits takes long to read, and Python refuses it.
    significant = digits.lstrip("0") or "0"
    return HIGHEST_LEVEL if len(significant) > 1 else min(int(significant), HIGHEST_LEVEL)


def level_said(text: str, call: Call) -> str | None:
    """The odd tricks of a bid as they are written in a text, where they are more than are told apart; else None.

    >>> level_said("12n", Call.parse("12n")), level_said("8N", Call.parse("8N"))
    ('12', None)
    """
    if not isinstance(call, Bid) or call.level != HIGHEST_LEVEL:
        return None
    digits = _DIGITS.findall(text)[0].lstrip("0")
    return None if digits == str(HIGHEST_LEVEL) else digits


def is_letter(text: str) -> bool:
    """Whether this can be the letter of a denomination: one capital."""
    return len(text) == 1 and "A" <= text <= "Z"


def require_denomination(text: str) -> None:
    """Raises ValueError for what can be no denomination."""
    if not is_letter(text):
        raise ValueError(f"a denomination is one capital letter, not {text!r}")
