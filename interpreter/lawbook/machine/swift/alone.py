"""Acts where nothing is open, ruled on once for all tables that have alike what the acts read.

Of a table an act reads little, and a search meets it at many tables that differ in nothing else. So each program is run
on a table with marks in place of what it does not read: the marks that are left show what it leaves as it was. What
happens of itself is left out, for it reads more; whoever asks sees whether anything does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from lawbook.edition.machines import registers_of
from lawbook.edition.model import EVERY_CALL, Assign, Clause, Effect, Kind, Step
from lawbook.machine.dependence import reading
from lawbook.machine.evaluate import Values
from lawbook.machine.ruling import Event, Program, Verdict
from lawbook.machine.state import HeldCall, State
from lawbook.machine.swift.clauses import Clauses

Written: TypeAlias = tuple[tuple[int, int | None], ...]


class Unread:
    """In place of a value that nothing reads: it is equal to itself, as what is left as it was is, and whatever else is
    asked of it is a TypeError."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        raise TypeError("what is said not to be read is read")

    def __bool__(self) -> bool:
        raise TypeError("what is said not to be read is read")


class Alone(NamedTuple):
    """A ruling where nothing is open: the verdict, the offences by number, what is written, the values as far as they
    are read or written, and the act that is held then, if it is: the table before it is the one it was done at."""

    verdict: Verdict
    offences: tuple[int, ...]
    written: Written
    after: Values
    held: HeldCall | None


class ActsAlike:
    """Acts that read the same registers where nothing is open. `read` picks their values."""

    def __init__(self, read: frozenset[str], clauses: Clauses, programs: Sequence[tuple[int, Program]]) -> None:
        self._programs = programs
        self.read: Callable[[Values], object] = reading(clauses.edition, read)
        registers = clauses.edition.registers.values()
        self._marks: Final = tuple(
            (slot, Unread())
            for register in registers
            if register.name not in read and not register.per_right
            for slot in range(register.slot, register.slot + register.size)
        )

    def rulings(self, values: Values) -> Iterator[tuple[int, Alone | None]]:
        """The ruling on each of the acts, by its place, at all tables that have alike what is read here; None where
        that is no ruling for all of them."""
        marked: list[int | None] = [*values]
        for slot, mark in self._marks:
            marked[slot] = mark  # type: ignore[call-overload]
        state = State(tuple(marked))
        for place, program in self._programs:
            try:
                yield place, _alone(state.values, *program(state))
            except TypeError:
                yield place, None


def _alone(before: Values, verdict: Verdict, offences: tuple[int, ...], left: State) -> Alone | None:
    after, held = left
    pairs = enumerate(zip(before, after, strict=True))
    written = tuple([(slot, value) for slot, (was, value) in pairs if value is not was])
    is_refused = verdict is Verdict.REFUSED and (written or held)
    return None if is_refused or len(held) > 1 else Alone(verdict, offences, written, after, held[0] if held else None)


def alike(clauses: Clauses, events: Mapping[int, Event], program: Callable[[Event], Program]) -> tuple[ActsAlike, ...]:
    """Acts, by their places, put together where they read the same. None of them may be a choice. Those that something
    comes before are left out: it changes the table that they are done at."""
    found: dict[frozenset[str], list[tuple[int, Program]]] = defaultdict(list)
    for place, event in events.items():
        if not clauses.reader.read_for(Step.BEFORE, event.name):
            found[frozenset(_read_by(clauses, event.name))].append((place, program(event)))
    return tuple(ActsAlike(read, clauses, programs) for read, programs in found.items())


def _read_by(clauses: Clauses, name: str) -> set[str]:
    """The registers that are read to rule on an act where nothing is open."""
    edition, reader = clauses.edition, clauses.reader
    trees: list[object] = [edition.interface.turn, edition.held_while]
    trees += [register.kept_while for register in edition.registers.values()]
    steps = [(step, name) for step in (Step.MADE, Step.REFUSED)]
    if name in EVERY_CALL:
        # One call may stand as another.
        steps += [(Step.STANDS, kind) for kind in EVERY_CALL]
    read = [clause for step, act in steps for clause in reader.read_for(step, act)]
    read += [clause for clause in edition.clauses if clause.kind is Kind.LAPSE and clause.once is not None]
    trees += [clause.remedy.opened for clause in edition.clauses if clause.remedy is not None]
    for clause in read:
        if clause.remedy is None and not clause.each_right:
            trees += [tree for part in clauses.with_exceptions(clause) for tree in _trees(part)]
    return registers_of(tuple(trees), edition.definitions)


def _trees(clause: Clause) -> Iterator[object]:
    yield (clause.condition, clause.unless, clause.once, clause.actor, clause.fate)
    yield None if clause.trigger is None else clause.trigger.role
    yield from map(_read_to_write, clause.effects)


def _read_to_write(effect: Effect) -> object:
    # A register that takes a value is not read for that; a set that somebody joins is.
    return (*effect.arguments, effect.value) if isinstance(effect, Assign) else effect
