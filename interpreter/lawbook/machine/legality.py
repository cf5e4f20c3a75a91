"""Which calls are in order at a place of lawful play, reckoned clause by clause and not call by call.

A clause that judges calls reads few registers. For each reading of these it forbids one set of calls to the player in
turn; the set is found once and kept, so that a place seen for the first time costs a look into a table for each clause
and not a trial of each call. Nothing is taken for granted of the set: every call is put to the clause.
"""

from __future__ import annotations

from lawbook.edition.model import CALL_KINDS, Clause, Kind, Step, TakeBackEarlier
from lawbook.machine.dependence import Dependence
from lawbook.machine.evaluate import Values
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event
from lawbook.machine.state import State


class Legality:
    """Knows for one edition which of some calls, by number, are in order where no call is held."""

    def __init__(self, machine: Machine, calls: tuple[int, ...]) -> None:
        self._machine = machine
        self._calls = calls
        made = [_Sieve(machine, clause, calls) for clause in _read_for_calls(machine, Step.MADE)]
        self._refusing = [sieve for sieve in made if sieve.clause.kind is Kind.REFUSAL]
        self._forbidding = [
            (sieve.clause.offence, sieve)
            for sieve in made
            if sieve.clause.offence is not None and sieve.clause.kind is not Kind.REFUSAL
        ]
        # No call is held that could be taken back; what else comes before a call changes the table it is judged on.
        self._before = [
            _Sieve(machine, clause, calls)
            for clause in _read_for_calls(machine, Step.BEFORE)
            if not any(isinstance(effect, TakeBackEarlier) for effect in clause.effects)
        ]
        self._lists: dict[tuple[int, int], tuple[int, ...]] = {}

    def at(self, values: Values, turn: int) -> tuple[int, ...]:
        """The calls in order for the seat in turn, lowest first."""
        caught, doubtful = self._refused(values, turn), self.doubtful(values, turn)
        # Written out, as this is asked of every clause at every new place.
        for _, sieve in self._forbidding:
            calls = sieve.known.get(sieve.key(values, turn, -1))
            caught |= sieve.caught(values, turn) if calls is None else calls
        found = self._lists.get((caught, doubtful))
        if found is None:
            found = tuple(call for call in self._calls if not (caught | doubtful) >> call & 1)
            self._lists[caught, doubtful] = found
        if not doubtful:
            return found
        tried = [call for call in self._calls if doubtful >> call & 1 and self._is_legal(values, turn, call)]
        return tuple(sorted((*found, *tried)))

    def offences(self, values: Values, turn: int, call: int) -> tuple[int, ...] | None:
        """The offences that a call by the seat in turn would be; None where it is refused, or not known from here."""
        if (self._refused(values, turn) | self.doubtful(values, turn)) >> call & 1:
            return None
        fired = (offence for offence, sieve in self._forbidding if sieve.caught(values, turn) >> call & 1)
        return tuple(dict.fromkeys(fired))

    def _refused(self, values: Values, turn: int) -> int:
        found = 0
        for sieve in self._refusing:
            found |= sieve.caught(values, turn)
        return found

    def doubtful(self, values: Values, turn: int) -> int:
        """The calls, a bit for each number, before which something is done when they are judged."""
        found = 0
        for sieve in self._before:
            found |= sieve.caught(values, turn)
        return found

    def _is_legal(self, values: Values, turn: int, call: int) -> bool:
        return self._machine.legal(State(values), Event(turn, self._machine.reader.kind_of(call), call))

    def forget(self) -> None:
        """Give back the memory of everything that was found."""
        self._lists.clear()
        for sieve in (*self._refusing, *(sieve for _, sieve in self._forbidding), *self._before):
            sieve.forget()


def _read_for_calls(machine: Machine, step: Step) -> list[Clause]:
    """The clauses read in a step of any call, in the edition's order."""
    found = {clause.id for kind in CALL_KINDS for clause in machine.reader.read_for(step, kind)}
    return [clause for clause in machine.edition.clauses if clause.id in found]


class _Sieve:
    """One clause, and the set of calls (a bit for each number) that it fires for, by what it reads and who calls."""

    def __init__(self, machine: Machine, clause: Clause, calls: tuple[int, ...]) -> None:
        assert clause.trigger is not None
        self._reader = machine.reader
        self.clause = clause
        self._kinds = {
            kind: [call for call in calls if self._reader.kind_of(call) == kind]
            for kind in CALL_KINDS
            if kind in clause.trigger.acts
        }
        on = Dependence(machine.reader, clause, frozenset(self._kinds))
        self.key, self._is_of_call = on.key, on.is_of_call
        self.known: dict[object, int] = {}

    def caught(self, values: Values, turn: int) -> int:
        """The calls for which the clause fires, made by the seat in turn."""
        key = self.key(values, turn, -1)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._sifted(values, turn)
        return found

    def _sifted(self, values: Values, turn: int) -> int:
        reader, clause = self._reader, self.clause
        # Nothing is held, so no right is open for which a clause could be read.
        if clause.each_right and clause.kind is not Kind.REFUSAL:
            return 0
        found = 0
        for kind, calls in self._kinds.items():
            bound = reader.bound(Event(turn, kind, calls[0])) if calls else {}
            for call in calls if self._is_of_call else calls[:1]:
                bound["call"] = call
                if "bid" in bound:
                    bound["bid"] = call
                if reader.is_of_role(clause, values, bound) and reader.holds(clause, values, bound):
                    found |= 1 << call if self._is_of_call else sum(1 << other for other in calls)
        return found

    def forget(self) -> None:
        self.known.clear()
