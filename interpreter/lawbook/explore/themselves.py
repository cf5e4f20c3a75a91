"""What happens of itself: the proof that it always comes to an end, followed on every table there can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from lawbook.edition.machines import registers_of
from lawbook.edition.model import Assign, Clause, Edition, Kind, Move, Register, Step
from lawbook.errors import LawbookError
from lawbook.explore.proofs import Possible, is_never
from lawbook.machine.evaluate import Bound, Values
from lawbook.machine.machine import MOST_OF_THEMSELVES
from lawbook.machine.reading import Reader
from lawbook.machine.state import Writes, start_of
from lawbook.machine.steps import PASS
from lawbook.machine.tables import Tables


def comes_to_an_end(edition: Edition, reader: Reader, possible: Possible) -> bool:
    """Whether, wherever something happens of itself, that is proved to come to an end, as long as registers have only
    the values that are possible. The reader has to walk trees."""
    by_itself = reader.by_kind[Kind.OF_ITSELF]
    return not by_itself or _OfThemselves(edition, reader).end(possible)


class _OfThemselves:
    """Acts of themselves, told by the registers that decide whether there is another."""

    def __init__(self, edition: Edition, reader: Reader) -> None:
        self._edition = edition
        self._reader = reader
        self._clauses = reader.by_kind[Kind.OF_ITSELF]
        self._passing: list[Clause] = []
        asked: list[object] = [(c.condition, c.unless, c.actor) for c in self._with_exceptions(self._clauses)]
        while True:
            read = registers_of(tuple(asked), edition.definitions)
            self._kept = [
                register for name in read if (register := edition.registers[name]).kept_while is not None
            ]
            passing = [c for c in reader.read_for(Step.STANDS, "pass") if _writes(c) & read]
            whole = [*asked, *(r.kept_while for r in self._kept), *self._with_exceptions(passing)]
            writing = [e for clause in self._clauses for e in clause.effects if isinstance(e, Assign | Move)]
            whole += [effect for effect in writing if effect.register in read]
            if registers_of(tuple(whole), edition.definitions) <= read:
                self._passing, self._told = passing, whole
                return
            asked = whole

    def _with_exceptions(self, clauses: Iterable[Clause]) -> list[Clause]:
        found: list[Clause] = []
        pending = [*clauses]
        while pending:
            clause = pending.pop()
            found.append(clause)
            pending += self._reader.exceptions_to(clause)
        return found

    def end(self, possible: Possible) -> bool:
        """Whether they come to an end on every table."""
        tables = Tables.of(self._clauses[0], self._edition, *self._told)
        return is_never(lambda values, _: self._goes_on(values), replace(tables, possible=possible))

    def _goes_on(self, values: Values) -> bool:
        """Whether more happens of itself than any table could hold."""
        now: Values = values
        for _ in range(MOST_OF_THEMSELVES + 1):
            clauses = [clause for clause in self._clauses if self._reader.holds(clause, now, {})]
            if not clauses:
                return False
            try:
                now = self._after(now, clauses)
            except LawbookError:
                # Clauses that contradict each other are another matter.
                return False
        return True

    def _after(self, now: Values, clauses: list[Clause]) -> Values:
        """The table after one act of itself."""
        reader, evaluator = self._reader, self._reader.evaluator
        actor = clauses[0].actor
        assert actor is not None
        bound: Bound = {"caller": evaluator.value(actor, now, {}), "call": PASS, "replacement": 0}
        writes = Writes(evaluator)
        doing = [(c, bound) for c in self._passing if reader.holds(c, now, bound)]
        none: Bound = {}
        for clause, binding in (*doing, *((clause, none) for clause in clauses)):
            for effect in clause.effects:
                if isinstance(effect, Assign | Move) and not self._edition.registers[effect.register].per_right:
                    writes.add(effect, clause, now, binding)
        written = writes.written(now)
        after = _after(now, written)
        for register in self._kept:
            if register.kept_while is not None and not evaluator.truth(register.kept_while, after, {}):
                written |= _fallen_back(register, now, written)
        return _after(now, written)


def _fallen_back(register: Register, before: Values, written: Mapping[int, int | None]) -> dict[int, int | None]:
    """What a register is whose time is over, where the act has not changed it."""
    slots = range(register.slot, register.slot + register.size)
    return {slot: start_of(register, 0) for slot in slots if slot not in written or written[slot] == before[slot]}


def _writes(clause: Clause) -> set[str]:
    return {effect.register for effect in clause.effects if isinstance(effect, Assign | Move)}


class _Later:
    """The values of a table with some written over; the others are asked for when they are wanted."""

    def __init__(self, values: Values, written: Mapping[int, int | None]) -> None:
        self._values = values
        self._written = written

    def __getitem__(self, slot: int) -> int | None:
        return self._written[slot] if slot in self._written else self._values[slot]


def _after(values: Values, written: Mapping[int, int | None]) -> Values:
    return cast(Values, _Later(values, written))
