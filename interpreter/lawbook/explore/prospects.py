"""Prospects: whether an act can show something at all, asked at little cost before it is ruled on.

An answer may be yes where nothing comes of it, but never no where something would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from lawbook.coverage.context import applies
from lawbook.edition.model import EVERY_REMEDY, Clause, Kind, Step
from lawbook.explore.occasions import is_about
from lawbook.explore.proofs import never_applies, written
from lawbook.explore.sightings import Sight, Subject, What
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event
from lawbook.machine.state import State

Test: TypeAlias = Callable[[State], bool]

# A truth table that is no larger is made for each clause that was not seen soon.
_CASES: Final = 4_000


class Prospects:
    """Tells what acts can show in one space, where these are offered."""

    def __init__(self, subject: Subject, machine: Machine, offered: frozenset[str]) -> None:
        self._subject = subject
        self._machine = machine
        self._offered = offered
        self._remedies = frozenset(c.id for c in subject.clauses if c.remedy is not None and self._is_read(c))
        self._possible = written(subject.edition, filter(self._is_read, subject.clauses))
        self._known: dict[str, bool] = {}

    def are_there(self, sight: Sight) -> bool:
        """Whether a clause can apply here, as far as can be told without walking: some act offered makes the machine
        read it, a right that it is about can open, and what the acts write does not keep it from applying."""
        found = self._known.get(sight.name)
        if found is None:
            found = self._known[sight.name] = self._can_apply(self._subject.edition.by_id[sight.name])
        return found

    def _is_read(self, clause: Clause) -> bool:
        return bool(self._subject.occasions[clause.id] & self._offered)

    def _can_apply(self, clause: Clause) -> bool:
        if not self._is_read(clause) or (clause.kind is Kind.LAPSE and not self._rights_of(clause)):
            return False
        return not never_applies(clause, self._subject.edition, self._possible, _CASES)

    def _rights_of(self, clause: Clause) -> frozenset[str]:
        """The remedies that can open here and that a clause is or, of a lapse or a waiver, is about."""
        if clause.remedy is not None:
            return frozenset({clause.id})
        return self._remedies if EVERY_REMEDY in clause.targets else self._remedies.intersection(clause.targets)

    # -- one act -------------------------------------------------------------------------------------------

    def test(self, sight: Sight, event: Event) -> Test:
        """Whether an act can show something in a state, for an act whose ruling depends on the present values and the
        open rights alone."""
        clause = self._subject.edition.by_id[sight.name]
        if sight.what is What.UNPENALISED:
            return self._without_remedy(clause, event)
        if sight.what in (What.CHOSEN, What.CHANGES):
            return self._is_open(clause)
        return self._applies(clause, event)

    def _applies(self, clause: Clause, event: Event) -> Test:
        if clause.kind is Kind.EXCEPTION:
            others = (other for other in self._subject.clauses if is_about(clause, other))
            tests = [self._sets_aside(clause, other, event) for other in others]
            return lambda state: any(test(state) for test in tests)
        if clause.kind is Kind.LAPSE:
            return self._is_open(clause)
        if clause.remedy is not None:
            return self._opens(clause, event)
        if clause.trigger is None or clause.trigger.step is not Step.MADE:
            return _always
        if event.name not in clause.trigger.acts:
            return _never
        reader = self._machine.reader
        bound = reader.bound(event)
        if clause.each_right:
            return lambda state: any(True for _ in reader.instances(clause, state.held, state.values, bound))
        return lambda state: (
            reader.is_of_role(clause, state.values, bound) and reader.holds(clause, state.values, bound)
        )

    def _is_open(self, clause: Clause) -> Test:
        """Whether a right is open that a clause gives, or is about."""
        rights = self._rights_of(clause)
        return lambda state: any(right.remedy in rights for call in state.held for right in call.rights)

    def _sets_aside(self, exception: Clause, other: Clause, event: Event) -> Test:
        """Whether an exception can set another clause aside."""
        if other.remedy is not None or other.kind is Kind.WAIVER:
            # That shows in what may be chosen.
            return _never
        if other.kind is Kind.LAPSE:
            return self._applies(other, event)
        if other.kind is Kind.EXCEPTION or other.trigger is None or other.trigger.step is not Step.MADE:
            return _always
        if event.name not in other.trigger.acts:
            return _never
        if other.each_right:
            return lambda state: any(call.rights for call in state.held)
        reader = self._machine.reader
        bound = reader.bound(event)
        return lambda state: (
            reader.is_of_role(other, state.values, bound)
            and applies(other, reader.evaluator, state.values, bound)
            and reader.holds(exception, state.values, bound)
        )

    def _opens(self, remedy: Clause, event: Event) -> Test:
        """Whether a right can open by a remedy."""
        assert remedy.remedy is not None
        evaluator, opened = self._machine.evaluator, remedy.remedy.opened
        makers = [c for c in self._subject.clauses if c.offence is not None and c.offence in remedy.remedy.offences]
        tests = [(maker.offence, self._applies(maker, event)) for maker in makers]
        bound = {**self._machine.reader.bound(event), "offender": event.seat}

        def test(state: State) -> bool:
            return any(
                broken(state) and evaluator.truth(opened, state.values, {**bound, "offence": offence})
                for offence, broken in tests
            )

        return test

    def _without_remedy(self, clause: Clause, event: Event) -> Test:
        """Whether an act can be an offence by a clause, and no right opens because of that."""
        broken, evaluator = self._applies(clause, event), self._machine.evaluator
        remedies = [
            other.remedy.opened
            for other in self._subject.clauses
            if other.remedy is not None and clause.offence in other.remedy.offences
        ]
        bound = {**self._machine.reader.bound(event), "offender": event.seat, "offence": clause.offence}
        return lambda state: (
            broken(state) and not any(evaluator.truth(opened, state.values, bound) for opened in remedies)
        )


def _always(_state: State) -> bool:
    return True


def _never(_state: State) -> bool:
    return False
