"""What passes across the table: seats, sides, calls, bids, cards and acts.

These values know the shape of the game and nothing of its laws: four seats in a circle, two sides, four kinds of
call, and that a bid is a number and a denomination. Which denominations there are, what outranks what and who may
call are for the law data to say, so a denomination is here any capital letter.

Every value is immutable, can be a key, and goes both ways between text and value: `X.parse(text)` and `str(x)`.
`parse` takes what a player would write; `str` gives the one canonical spelling. Text that cannot be read is a
`LawbookError`; a value that cannot be (a bid of no odd trick) is a `ValueError`.
"""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Self, TypeAlias, cast, final

from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.errors import LawbookError

HIGHEST_LEVEL: Final = 8
"""The highest number of odd tricks that is told apart: every number above it is as impossible as it is."""

CARD_RANKS: Final = "AKQJT98765432"
"""The letters for the ranks of cards, as written; what they are worth is for the laws."""

CALL: Final = "call"
"""The name of the act that is a call."""

_LONGEST_SHOWN: Final = 24


def shorten(text: str) -> str:
    """The text itself, or its beginning if it is too long to repeat in a message."""
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def unreadable(code: str, message: str, *, help: str | None = None, suggestion: str | None = None) -> LawbookError:
    """The error, to be raised, for a text that is no value; it has no place until a caller knows one."""
    return LawbookError([Diagnostic(code, Severity.ERROR, message, help=help, suggestion=suggestion)])


# -- seats and sides -------------------------------------------------------------------------------------------------


class Seat(enum.IntEnum):
    """One of the four places at the table, in the order of play.

    >>> Seat.parse("n").left, str(Seat.N.partner), Seat.W.side
    (<Seat.E: 1>, 'S', <Side.EW: 1>)
    """

    N = 0
    E = 1
    S = 2
    W = 3

    @property
    def left(self) -> Seat:
        """The next player clockwise."""
        return Seat((self + 1) % 4)

    @property
    def partner(self) -> Seat:
        """The player opposite."""
        return Seat((self + 2) % 4)

    @property
    def right(self) -> Seat:
        """The player before this one."""
        return Seat((self + 3) % 4)

    @property
    def side(self) -> Side:
        """The partnership of this player."""
        return Side(self % 2)

    @classmethod
    def parse(cls, text: str) -> Seat:
        """The seat called `N`, `n` or `north`, and so on."""
        seat = _SEATS.get(text.lower())
        if seat is None:
            meant = nearest(text, _SEAT_NAMES)
            raise unreadable(
                "unknown-seat",
                f"`{shorten(text)}` is no seat",
                help="the seats are N, E, S and W",
                suggestion=str(_SEAT_NAMES[meant]) if meant else None,
            )
        return seat

    def __str__(self) -> str:
        return self.name

    # A formatted member of an IntEnum would be its number.
    def __format__(self, specification: str) -> str:
        return format(self.name, specification)


class Side(enum.IntEnum):
    """One of the two partnerships.

    >>> Side.parse("ew").other, [str(seat) for seat in Side.EW.seats]
    (<Side.NS: 0>, ['E', 'W'])
    """

    NS = 0
    EW = 1

    @property
    def other(self) -> Side:
        """The adversaries."""
        return Side(1 - self)

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The two players."""
        return Seat(self), Seat(self + 2)

    @classmethod
    def parse(cls, text: str) -> Side:
        """The side called `NS`, `ns` or `N-S`, and so on."""
        side = _SIDES.get(text.lower())
        if side is None:
            raise unreadable("unknown-side", f"`{shorten(text)}` is no side", help="the sides are NS and EW")
        return side

    def __str__(self) -> str:
        return self.name

    def __format__(self, specification: str) -> str:
        return format(self.name, specification)


_SEAT_NAMES: Final[Mapping[str, Seat]] = {"north": Seat.N, "east": Seat.E, "south": Seat.S, "west": Seat.W}
_SEATS: Final[Mapping[str, Seat]] = {**_SEAT_NAMES, **{seat.name.lower(): seat for seat in Seat}}
_SIDES: Final[Mapping[str, Side]] = {"ns": Side.NS, "n-s": Side.NS, "ew": Side.EW, "e-w": Side.EW}


@final
class Table(enum.Enum):
    """The table itself, for what happens there by no player's doing; its one member is `TABLE`."""

    TABLE = "TABLE"

    def __str__(self) -> str:
        return self.value


TABLE: Final = Table.TABLE


# -- calls -----------------------------------------------------------------------------------------------------------


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
    def parse(cls, text: str) -> Self:
        """The call written so, in capitals or small letters: `P`, `X`, `XX`, `1N`, or in words, `double`, `1NT`.

        On one of the four classes, only a call of that kind is read.
        """
        call = _read_call(text)
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
        return super(Bid, cls).__new__(cls, level, denomination)

    def __post_init__(self) -> None:
        if not 1 <= self.level <= HIGHEST_LEVEL:
            raise ValueError(f"a bid is of 1 to {HIGHEST_LEVEL} odd tricks, not {self.level}")
        _require_denomination(self.denomination)
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
_BID: Final = re.compile(r"([0-9]+)(NT|[A-Z])")
_REVERSED_BID: Final = re.compile(r"(NT|[A-Z])([0-9]+)")


def parse_denomination(text: str) -> str:
    """The canonical letter of a denomination: `n`, `N` and `NT` are all `N`."""
    letter = text.upper() if text.isascii() else text
    letter = "N" if letter == "NT" else letter
    if not _is_letter(letter):
        raise unreadable(
            "unknown-denomination",
            f"`{shorten(text)}` is no denomination",
            help="a denomination is written as one letter, as in 1N",
        )
    return letter


def _read_call(text: str) -> AnyCall:
    if (plain := _CALL_WORDS.get(text.lower())) is not None:
        return plain
    # Capitals of other letters than these would change the text's length and what is meant.
    capitals = text.upper() if text.isascii() else text
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


def _is_letter(text: str) -> bool:
    return len(text) == 1 and "A" <= text <= "Z"


def _require_denomination(text: str) -> None:
    if not _is_letter(text):
        raise ValueError(f"a denomination is one capital letter, not {text!r}")


# -- cards -----------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Card:
    """One card: the letter of its suit and the letter of its rank (`CARD_RANKS`), as written.

    Cards are not ordered: which ranks above which is for the laws.

    >>> Card.parse("ha"), str(Card.parse("S10"))
    (Card(denomination='H', rank='A'), 'ST')
    """

    denomination: str
    rank: str

    def __post_init__(self) -> None:
        _require_denomination(self.denomination)
        if len(self.rank) != 1 or self.rank not in CARD_RANKS:
            raise ValueError(f"the rank of a card is one of {CARD_RANKS}, not {self.rank!r}")

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card written so, suit first, in capitals or small letters; the ten is `T` or `10`."""
        capitals = text.upper() if text.isascii() else text
        suit, rank = capitals[:1], _rank(capitals[1:])
        if _is_letter(suit) and rank is not None:
            return cls(suit, rank)
        suit, rank = capitals[-1:], _rank(capitals[:-1])
        raise unreadable(
            "unknown-card",
            f"`{shorten(text)}` is no card" if text else "there is no card here",
            help="a card is its suit and then its rank, as in HA, ST or C2",
            suggestion=str(cls(suit, rank)) if _is_letter(suit) and rank is not None else None,
        )

    def __str__(self) -> str:
        return f"{self.denomination}{self.rank}"


def _rank(text: str) -> str | None:
    if text == "10":
        return "T"
    return text if len(text) == 1 and text in CARD_RANKS else None


# -- acts ------------------------------------------------------------------------------------------------------------

_ACT_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_SEPARATORS: Final = re.compile(r"[\s,]")


def is_act_name(text: str) -> bool:
    """Whether an act can be declared under this name: small letters, digits and hyphens, and no word for a call.

    >>> is_act_name("new-deal"), is_act_name("New deal"), is_act_name("double"), is_act_name("call")
    (True, False, False, False)
    """
    return _ACT_NAME.fullmatch(text) is not None and text not in _CALL_WORDS and text not in (CALL, "ap")


def is_argument(text: str) -> bool:
    """Whether an act can have this argument: printable text, not empty, without white space or commas."""
    return bool(text) and text.isprintable() and _SEPARATORS.search(text) is None


@final
@dataclass(frozen=True, slots=True)
class Act:
    """One event at the table: a call, or another act by its declared name (`penalise`, `new-deal`, `correct`).

    `seat` is who acts, `TABLE` for what no player does, or None for a call by whoever is in turn. A call has the
    name `call` and its `call`, no other act has either. `argument` is what an act other than a call is about, in
    canonical text without white space or commas: the `3D` of `correct`, the `HA` of `expose`.

    `str` gives the auction notation; `lawbook.notation.parse_auction` is its inverse, since only the declared acts
    tell what an argument is.

    >>> print(Act.of_call(Bid(1, "N")), Act.of_call(PASS, Seat.S), Act(Seat.S, "correct", argument="3D"))
    1N S:P S:correct=3D
    """

    seat: Seat | Table | None
    name: str
    call: Call | None = None
    argument: str | None = None

    def __post_init__(self) -> None:
        if self.call is not None:
            if self.name != CALL or self.argument is not None or self.seat is TABLE:
                raise ValueError(f"a call is made by a seat, is named {CALL!r} and has no argument")
        elif not is_act_name(self.name):
            raise ValueError(f"{self.name!r} cannot be the name of an act other than a call")
        elif self.seat is None:
            raise ValueError(f"the act {self.name!r} needs a seat: only a call can be by whoever is in turn")
        elif self.argument is not None and not is_argument(self.argument):
            raise ValueError(f"an argument is printable text without white space or commas, not {self.argument!r}")

    @classmethod
    def of_call(cls, call: Call, seat: Seat | None = None) -> Act:
        """The act of making a call, by a seat or by whoever is in turn."""
        return cls(seat, CALL, call)

    def __str__(self) -> str:
        what = self.name if self.call is None else str(self.call)
        who = "" if self.seat is None else f"{self.seat}:"
        return f"{who}{what}" if self.argument is None else f"{who}{what}={self.argument}"
