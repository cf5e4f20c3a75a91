"""The syntax tree: what an author wrote, with the place of every part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Literal, TypeAlias

from lawbook.language.lexemes import Variable
from lawbook.language.types import Operator
from lawbook.language.words import Word

Comparator: TypeAlias = Literal[
    "equal", "differs", "at_least", "at_most", "more_than", "less_than", "among", "not_among"
]
Quantifier: TypeAlias = Literal["some", "no", "every"]


@dataclass(frozen=True, slots=True)
class Place:
    """Characters [start, end) of the text. Two trees are equal wherever they stand: places do not compare."""

    start: int
    end: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place)

    def __hash__(self) -> int:
        return 0


@dataclass(frozen=True, slots=True)
class Name:
    """A noun of the vocabulary, or a name the clause binds."""

    place: Place
    phrase: str
    word: Word | None
    variable: Variable | None


@dataclass(frozen=True, slots=True)
class Figure:
    """A number."""

    place: Place
    value: int


@dataclass(frozen=True, slots=True)
class Literal_:
    """A declared value: a denomination, a member of an enumeration, a kind of call. Its domain comes from beside it."""

    place: Place
    phrase: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """The absent value, and the empty set."""

    place: Place


@dataclass(frozen=True, slots=True)
class Apply:
    """A function of one or two arguments."""

    place: Place
    word: Word
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """Arithmetic of two values."""

    place: Place
    operator: Operator
    left: Value
    right: Value


Value: TypeAlias = Name | Figure | Literal_ | Nothing | Apply | Sum


@dataclass(frozen=True, slots=True)
class Exists:
    """`there is X`, `there is no X`."""

    place: Place
    value: Value
    positive: bool


@dataclass(frozen=True, slots=True)
class Compare:
    """Two values and how they must stand to each other."""

    place: Place
    comparator: Comparator
    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Holds:
    """A quality of one value or a relation of two."""

    place: Place
    word: Word
    arguments: tuple[Value, ...]
    positive: bool


@dataclass(frozen=True, slots=True)
class Quantified:
    """`some player is debarred`."""

    place: Place
    quantifier: Quantifier
    over: Word
    quality: Word


Condition: TypeAlias = Exists | Compare | Holds | Quantified


@dataclass(frozen=True, slots=True)
class Becomes:
    """A register takes a value."""

    place: Place
    target: Value
    value: Value


@dataclass(frozen=True, slots=True)
class Does:
    """A declared verb: members join or leave a set."""

    place: Place
    word: Word
    value: Value


@dataclass(frozen=True, slots=True)
class Points:
    """Points (a number of them) go to a side's honour column."""

    place: Place
    amount: Value
    side: Value


@dataclass(frozen=True, slots=True)
class CallStands:
    """The call stands, or stands as another."""

    place: Place
    instead: Value | None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The table is as before the call."""

    place: Place


@dataclass(frozen=True, slots=True)
class EarlierTakenBack:
    """The table is as before an earlier call: the one a right is about, or the caller's own last."""

    place: Place
    own: bool


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """The call is replaced and the new one judged as if it alone had been made."""

    place: Place
    instead: Value


@dataclass(frozen=True, slots=True)
class RightLapses:
    """The right the clause speaks of is lost."""

    place: Place


Effect: TypeAlias = Becomes | Does | Points | CallStands | TakenBack | EarlierTakenBack | JudgedAgain | RightLapses


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of an irregular call."""

    place: Place
    kind: Literal["stands", "stands meanwhile", "stands as", "counts as a pass", "is ignored"]
    instead: Value | None = None


@dataclass(frozen=True, slots=True)
class Trigger:
    """Who does what: a role and the acts."""

    place: Place
    role: Word
    acts: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class StandsTrigger:
    """Which kinds of call stand."""

    place: Place
    kinds: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a definition: the word defined and the types of its arguments, in order."""

    place: Place
    word: Word
    arguments: tuple[Word, ...]


Tree: TypeAlias = Value | Condition | Effect | Fate | Trigger | StandsTrigger | Head


def words_of(node: object) -> Iterator[Word]:
    """The declared words that stand in a tree."""
    match node:
        case Word():
            yield node
        case tuple():
            for item in node:
                yield from words_of(item)
        case Name(_, _, word, _) if word is not None:
            yield word
        case _ if is_dataclass(node) and not isinstance(node, Variable | type):
            for field in fields(node):
                yield from words_of(getattr(node, field.name))
        case _:
            pass
