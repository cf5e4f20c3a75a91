"""Rulings: what the machine says of one act, as data. Text and JSON are made of it elsewhere."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from lawbook.edition.model import Choice, Clause
from lawbook.machine.state import Right, State
from lawbook.records import dataclass, field


class Verdict(enum.Enum):
    """What an act was: as the law has it, against a law though it happened, or not to be done here at all."""

    LEGAL = "legal"
    IRREGULAR = "irregular"
    REFUSED = "refused"


class Event(NamedTuple):
    """An act as the machine takes it: who (None: the table), the act's name (`pass`, `bid`, ... or a declared act),
    the call's number for a call, the number of a call given as argument."""

    seat: int | None
    name: str
    call: int | None = None
    argument: int | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """A remedy that somebody may choose now."""

    seat: int
    choice: Choice
    clause: Clause
    remedy: Clause
    offence: int
    offender: int
    held: int
    right: Right


@dataclass(frozen=True, slots=True)
class Defeated:
    """A clause that was considered and did not rule: by an exception's id, its own `unless`, or a lapse."""

    clause: Clause
    by: str


@dataclass(frozen=True, slots=True)
class Scored:
    """Points in a column of a side's score, by a clause."""

    side: int
    column: str
    points: int
    clause: Clause


@dataclass(frozen=True, slots=True)
class Ruling:
    """The machine's answer to one act, and the state it leaves.

    `because` are the clauses it rests on, `opened` the rights it opened, `lapsed` those it ended, `lacking` (for a
    refusal) the clauses any of which would have made the act possible.
    """

    event: Event
    verdict: Verdict
    offences: tuple[int, ...]
    unpenalised: bool
    because: tuple[Clause, ...]
    defeated: tuple[Defeated, ...]
    opened: tuple[Right, ...]
    lapsed: tuple[tuple[int, Right, str], ...]
    scored: tuple[Scored, ...]
    lacking: tuple[Clause, ...]
    chosen: Option | None
    state: State = field(repr=False)
    of_itself: bool = False
    fired: tuple[Clause, ...] = field(default=(), repr=False)


Outcome: TypeAlias = tuple[Verdict, tuple[int, ...], State]
"""A ruling without its reasons: what the act was, the offences by number, and the state at the end, with what happens
of itself. A refused act that changes nothing leaves the very state it was done in."""
Program: TypeAlias = Callable[[State], Outcome]
"""What is said of one act in any state."""
