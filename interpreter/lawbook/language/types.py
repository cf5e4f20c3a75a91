"""The static types of the condition language: every one a finite domain.

There are no strings, floats or unbounded numbers, which is what makes an edition total and two editions
comparable exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias, assert_never

from lawbook.records import dataclass


@dataclass(frozen=True, slots=True)
class Plain:
    """A built-in domain: `truth`, `seat`, `side`, `denomination`, `bid`, `call`, `card` or `offence`."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """Whole numbers from `low` to `high`, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A list of named values declared in the vocabulary."""

    name: str


@dataclass(frozen=True, slots=True)
class Optional:
    """A value of `of`, or nothing."""

    of: Plain | Number | Enumeration


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set of members of `of`."""

    of: Plain | Number | Enumeration


Operator: TypeAlias = Literal["plus", "minus", "times", "lesser", "greater"]
Type: TypeAlias = Plain | Number | Enumeration | Optional | SetOf

TRUTH: Final = Plain("truth")
SEAT: Final = Plain("seat")
SIDE: Final = Plain("side")
DENOMINATION: Final = Plain("denomination")
BID: Final = Plain("bid")
CALL: Final = Plain("call")
CARD: Final = Plain("card")
OFFENCE: Final = Plain("offence")
COLUMN: Final = Plain("column")
# What the word `nothing` (or `nobody`) has: it fits every optional value and every set.
NOTHING: Final = Optional(Plain("nothing"))

PLAIN: Final = {t.name: t for t in (SEAT, SIDE, DENOMINATION, BID, CALL, CARD, OFFENCE)}
# The table's own word for a seat.
PLAIN["player"] = SEAT
_NUMBER: Final = re.compile(r"number from (\d{1,7}) to (\d{1,7})")
# How many members a domain can have that something is kept for, or that a table lists.
MOST_MEMBERS: Final = 1000


def type_names(enumerations: Iterable[str]) -> list[str]:
    """Every name a type can have, for suggestions."""
    return [*PLAIN, "number from 0 to 3", *enumerations, "optional seat", "set of seat"]


def parse_type(text: str, enumerations: Iterable[str]) -> Type | None:
    """The type a text such as `optional bid` or `number from 0 to 3` names, or None."""
    words = " ".join(text.split())
    for prefix, wrapper in (("optional ", Optional), ("set of ", SetOf)):
        if words.startswith(prefix):
            inner = parse_type(words.removeprefix(prefix), enumerations)
            return None if inner is None or isinstance(inner, Optional | SetOf) else wrapper(inner)
    if words in PLAIN:
        return PLAIN[words]
    if found := _NUMBER.fullmatch(words):
        low, high = int(found[1]), int(found[2])
        return Number(low, high) if low <= high else None
    return Enumeration(words) if words in set(enumerations) else None


def has_members(of: Type) -> bool:
    """Whether something can be kept for each member of a type: it is neither optional nor a set, and not too large."""
    return not isinstance(of, Optional | SetOf) and not (isinstance(of, Number) and of.high - of.low >= MOST_MEMBERS)


def type_text(of: Type) -> str:
    """The name of a type as an author writes it; the inverse of `parse_type`."""
    match of:
        case Plain(name) | Enumeration(name):
            return name
        case Number(low, high):
            return f"number from {low} to {high}"
        case Optional(inner):
            return f"optional {type_text(inner)}"
        case SetOf(inner):
            return f"set of {type_text(inner)}"
        case _:
            assert_never(of)


def described(of: Type) -> str:
    """A type with its article, for messages; of a number that is known nothing more is said."""
    if of == NOTHING:
        return "nothing"
    text = "number" if isinstance(of, Number) and of.low == of.high else type_text(of)
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"


def fits(target: Type, given: Type) -> bool:
    """Whether every value of `given` is a value of `target`. A bid is a call; nothing is an optional value."""
    if target == given:
        return True
    if given == NOTHING:
        return isinstance(target, Optional | SetOf)
    match target, given:
        case Number(), Number():
            return target.low <= given.low and given.high <= target.high
        case Optional(inner), Optional(other):
            return fits(inner, other)
        case Optional(inner), _:
            return fits(inner, given)
        case _:
            return target == CALL and given == BID


def comparable(left: Type, right: Type) -> bool:
    """Whether `is` between the two can be asked at all."""
    if isinstance(left, Number) and isinstance(right, Number):
        return True
    return fits(left, right) or fits(right, left)


@dataclass(frozen=True, slots=True)
class Universe:
    """The members of every domain in one edition, and the whole numbers that stand for them.

    A pass, double and redouble are 0, 1 and 2; a bid is 3 plus its place, levels first, then denominations in
    the order the edition declares them. Seats, sides and members of enumerations are their place in the list.
    """

    denominations: tuple[str, ...]
    letters: tuple[str, ...]
    enumerations: Mapping[str, tuple[str, ...]]
    offences: tuple[str, ...]
    levels: int = 8

    @property
    def first_bid(self) -> int:
        """The number that stands for the lowest level in the first denomination."""
        return 3

    def bid(self, level: int, denomination: int) -> int:
        """The number of a bid; levels above eight are read as eight."""
        return 3 + (min(level, self.levels) - 1) * len(self.denominations) + denomination

    def level(self, bid: int) -> int:
        """The odd tricks of a bid, 1 to 8."""
        return (bid - 3) // len(self.denominations) + 1

    def denomination(self, bid: int) -> int:
        """The place of a bid's denomination."""
        return (bid - 3) % len(self.denominations)

    def members(self, of: Type) -> range:
        """The numbers of a type's members, in order. Optional values and sets have none of their own."""
        match of:
            case Number(low, high):
                return range(low, high + 1)
            case Enumeration(name):
                return range(len(self.enumerations[name]))
            case Optional() | SetOf():
                raise ValueError(f"{type_text(of)} is not a plain domain")
            case Plain(name):
                calls = 3 + self.levels * len(self.denominations)
                sizes = {
                    "truth": range(2),
                    "seat": range(4),
                    "side": range(2),
                    "denomination": range(len(self.denominations)),
                    "bid": range(3, calls),
                    "call": range(calls),
                    "offence": range(len(self.offences)),
                    "card": range(0),
                    "column": range(0),
                }
                return sizes[name]
            case _:
                assert_never(of)
