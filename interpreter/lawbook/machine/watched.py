"""Watched: a machine and a score sheet that rule as ever and note what they read on the way.

Conditions that are watched are walked and not compiled, so that every part of them is seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lawbook.edition.model import Clause, Edition
from lawbook.language import core
from lawbook.machine.compiled import CompiledEvaluator
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.machine import Machine
from lawbook.machine.reading import Reader, Report
from lawbook.machine.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Reading:
    """One time that a clause was read: the values, what was bound, and whether it applied."""

    clause: Clause
    values: Values
    bound: Bound
    applied: bool


@dataclass(slots=True)
class Watch:
    """What was read since it last forgot.

    `readings` are in order. `answers` has, by its identity, each condition that was asked and each part of one: 1 if
    it was seen false, 2 if true, 3 if both. `used` are the words whose definitions were looked up.
    """

    readings: list[Reading] = field(default_factory=list)
    answers: dict[int, int] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def forget(self) -> None:
        """Begin anew."""
        self.readings.clear()
        self.answers.clear()
        self.used.clear()

    @property
    def read(self) -> frozenset[Clause]:
        """The clauses that were read."""
        return frozenset(reading.clause for reading in self.readings)

    @property
    def applied(self) -> frozenset[Clause]:
        """The clauses that applied at least once."""
        return frozenset(reading.clause for reading in self.readings if reading.applied)


@dataclass(frozen=True, slots=True)
class Watched:
    """One edition's machine and score sheet under watch."""

    machine: Machine
    sheet: Sheet
    watch: Watch

    @classmethod
    def of(cls, edition: Edition, only: frozenset[int] | None = None) -> Watched:
        """Those of an edition. With `only`, just the conditions of these identities are noted, which is faster."""
        watch = Watch()
        evaluate = _walking(watch) if only is None else _compiling(watch, only)
        return cls(Machine(edition, evaluate, _reader(watch)), _sheet(watch)(edition, evaluate), watch)


def _walking(watch: Watch) -> type[Evaluator]:
    class Watching(Evaluator):
        def truth(self, node: core.Truth, values: Values, bound: Bound) -> bool:
            found = super().truth(node, values, bound)
            watch.answers[id(node)] = watch.answers.get(id(node), 0) | (2 if found else 1)
            return found

        def value(self, node: core.Value, values: Values, bound: Bound) -> int | None:
            if isinstance(node, core.Use):
                watch.used.add(node.definition)
            return super().value(node, values, bound)

    return Watching


def _compiling(watch: Watch, only: frozenset[int]) -> type[Evaluator]:
    walking = _walking(watch)

    class Watching(CompiledEvaluator):
        def truth(self, node: core.Truth, values: Values, bound: Bound) -> bool:
            if id(node) in only:
                return walking(self.universe, self.registers, self.definitions).truth(node, values, bound)
            return super().truth(node, values, bound)

    return Watching


def _reader(watch: Watch) -> type[Reader]:
    class Watching(Reader):
        def holds(self, clause: Clause, values: Values, bound: Bound, report: Report | None = None) -> bool:
            found = super().holds(clause, values, bound, report)
            watch.readings.append(Reading(clause, values, bound, found))
            return found

    return Watching


def _sheet(watch: Watch) -> type[Sheet]:
    class Watching(Sheet):
        def holds(self, clause: Clause, values: Values, bound: Bound) -> bool:
            found = super().holds(clause, values, bound)
            watch.readings.append(Reading(clause, values, bound, found))
            return found

    return Watching
