"""Which calls are in order at a place of lawful play, reckoned clause by clause and not call by call.

A clause that judges calls reads few registers. For each reading of these it forbids one set of calls to the player in
turn; the set is found once and kept, so that a place seen for the first time costs a look into a table for each clause
and not a trial of each call. Nothing is taken for granted of the set: every call is put to the clause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from operator import itemgetter
from typing import Final

from lawbook.edition.machines import registers_of, variables_of
from lawbook.edition.model import CALL_KINDS, Clause, Edition, Kind, Step, TakeBackEarlier
from lawbook.machine.evaluate import Values
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event
from lawbook.machine.state import State

_OF_ONE_CALL: Final = frozenset({"call", "bid"})


class Legality:
    """Knows for one edition which of some calls, by number, are in order where no call is held."""

    def __init__(self, machine: Machine, calls: tuple[int, ...]) -> None:
        self._machine = machine
        self._calls = calls
        judging: dict[str, Clause] = {}
        before: dict[str, Clause] = {}
        for kind in CALL_KINDS:
            for clause in machine.reader.read_for(Step.MADE, kind):
                if clause.kind is Kind.REFUSAL or clause.offence is not None:
                    judging[clause.id] = clause
            for clause in machine.reader.read_for(Step.BEFORE, kind):
                # No call is held that could be taken back.
                if not any(isinstance(effect, TakeBackEarlier) for effect in clause.effects):
                    before[clause.id] = clause
        self._judging = [_Sieve(machine, clause, calls) for clause in judging.values()]
        self._before = [_Sieve(machine, clause, calls) for clause in before.values()]
        self._lists: dict[tuple[int, int], tuple[int, ...]] = {}

    def at(self, values: Values, turn: int) -> tuple[int, ...]:
        """The calls in order for the seat in turn, lowest first."""
        caught, doubtful = 0, 0
        for sieve in self._judging:
            caught |= sieve.caught(values, turn)
        for sieve in self._before:
            doubtful |= sieve.caught(values, turn)
        if doubtful:
            # What comes before a call changes the table on which it is judged.
            return tuple(call for call in self._calls if self._is_legal(values, turn, call, caught, doubtful))
        found = self._lists.get((caught, doubtful))
        if found is None:
            found = tuple(call for call in self._calls if not caught >> call & 1)
            self._lists[caught, doubtful] = found
        return found

    def _is_legal(self, values: Values, turn: int, call: int, caught: int, doubtful: int) -> bool:
        if not doubtful >> call & 1:
            return not caught >> call & 1
        return self._machine.legal(State(values), Event(turn, self._machine.reader.kind_of(call), call))

    def forget(self) -> None:
        """Give back the memory of everything that was found."""
        self._lists.clear()
        for sieve in (*self._judging, *self._before):
            sieve.forget()


class _Sieve:
    """One clause, and the set of calls (a bit for each number) that it fires for, by what it reads and who calls."""

    def __init__(self, machine: Machine, clause: Clause, calls: tuple[int, ...]) -> None:
        assert clause.trigger is not None
        self._reader = machine.reader
        self._clause = clause
        self._kinds = {
            kind: [call for call in calls if self._reader.kind_of(call) == kind]
            for kind in CALL_KINDS
            if kind in clause.trigger.acts
        }
        trees = tuple(self._trees(clause, set()))
        variables = variables_of(trees)
        self._is_of_one_call = bool(variables & _OF_ONE_CALL)
        self._is_of_one_caller = "caller" in variables or clause.trigger.role is not None
        self._reads = reading(machine.edition, registers_of(trees, machine.edition.definitions))
        self._known: dict[object, int] = {}

    def _trees(self, clause: Clause, seen: set[str]) -> Iterator[object]:
        """Everything that decides whether a clause fires: its conditions, and those of the exceptions to it."""
        if clause.id in seen:
            return
        seen.add(clause.id)
        yield (clause.condition, clause.unless, clause.trigger)
        for exception in self._reader.exceptions_to(clause):
            yield from self._trees(exception, seen)

    def caught(self, values: Values, turn: int) -> int:
        """The calls for which the clause fires, made by the seat in turn."""
        key = (turn if self._is_of_one_caller else None, self._reads(values))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._sifted(values, turn)
        return found

    def _sifted(self, values: Values, turn: int) -> int:
        found = 0
        for kind, calls in self._kinds.items():
            if self._is_of_one_call:
                caught = [call for call in calls if self._fires(values, Event(turn, kind, call))]
            else:
                caught = calls if calls and self._fires(values, Event(turn, kind, calls[0])) else []
            found |= sum(1 << call for call in caught)
        return found

    def _fires(self, values: Values, event: Event) -> bool:
        bound = self._reader.bound(event)
        if self._clause.kind is Kind.REFUSAL:
            return self._reader.is_of_role(self._clause, values, bound) and self._reader.holds(
                self._clause, values, bound
            )
        return any(True for _ in self._reader.instances(self._clause, (), values, bound))

    def forget(self) -> None:
        self._known.clear()


def reading(edition: Edition, names: Set[str]) -> Callable[[Values], object]:
    """A function that picks from a state's values those of some registers, by their names."""
    slots = [
        slot
        for register in edition.registers.values()
        if register.name in names and not register.per_right
        for slot in range(register.slot, register.slot + register.size)
    ]
    return itemgetter(*slots) if slots else lambda values: ()
