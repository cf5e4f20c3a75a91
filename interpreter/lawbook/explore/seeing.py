"""Seeing: what one act shows of an edition's clauses, and what a state does, asked of a machine that notes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lawbook.edition.model import Assign, Clause, Edition, Effect, Kind, Move, StandAs, Step, TakeBack
from lawbook.errors import LawbookError
from lawbook.explore.occasions import choices_of
from lawbook.explore.sightings import Sight, Subject, What
from lawbook.language.types import Optional, SetOf
from lawbook.machine.compiled import CompiledEvaluator
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.machine import Machine
from lawbook.machine.reading import Reader, Report
from lawbook.machine.ruling import Event, Ruling, Verdict
from lawbook.machine.state import State

OPEN: Final = "open"
"""How the status is called while calls are to be made."""


class Observer:
    """Looks at single acts and single states of one edition. `left_out` are registers that its states lack."""

    def __init__(self, subject: Subject, left_out: frozenset[str] = frozenset()) -> None:
        edition = subject.edition
        self._subject = subject
        self.machine = Machine(edition, read=_Noting)
        reader = self.machine.reader
        assert isinstance(reader, _Noting)
        self._reader = reader
        self._solid = _solid(edition)
        self._telling = {
            (clause.id, choice.act)
            for clause in subject.clauses
            for choice in choices_of(clause)
            if all(_shows(effect, edition, left_out) for effect in choice.effects)
        }
        universe = edition.universe
        highest = universe.bid(universe.levels, len(universe.denominations) - 1)
        self._calls = [(self._reader.kind_of(call), call) for call in range(highest + 1)]

    # -- acts ----------------------------------------------------------------------------------------------

    def shown(self, state: State, event: Event) -> frozenset[Sight]:
        """What an act shows in a state."""
        self._reader.noted.clear()
        try:
            rulings = self.machine.act(state, event)
        except LawbookError as error:
            first = error.diagnostics[0]
            return frozenset({Sight(What.NO_RULING, first.code, first.message)})
        by_id, refused = self._subject.edition.by_id, rulings[0].verdict is Verdict.REFUSED
        # What is entitled to and cannot be done (a correction where there is no call) is refused all the same.
        noted = (name for name in self._reader.noted if not refused or by_id[name].kind is not Kind.ENTITLEMENT)
        found = {Sight(What.APPLIES, name) for name in noted}
        for ruling in rulings:
            found.update(self._ruled(ruling))
        if rulings[0].chosen is not None:
            found.update(self._chosen(state, rulings[0]))
        return frozenset(found)

    def _ruled(self, ruling: Ruling) -> Iterator[Sight]:
        by_id = self._subject.edition.by_id
        applied = [clause.id for clause in ruling.fired]
        applied += [by for _, _, by in ruling.lapsed if by_id[by].kind is Kind.LAPSE]
        applied += [right.remedy for right in ruling.opened]
        # Of a refused act the other reasons are what would have made it possible.
        applied += [clause.id for clause in ruling.because if clause.kind in (Kind.OF_ITSELF, Kind.REFUSAL)]
        for name in applied:
            yield Sight(What.APPLIES, name)
        if ruling.unpenalised:
            for clause in ruling.fired:
                if clause.offence is not None:
                    yield Sight(What.UNPENALISED, clause.id)

    def _chosen(self, state: State, ruling: Ruling) -> Iterator[Sight]:
        act = ruling.event.name
        for clause in ruling.because:
            yield Sight(What.CHOSEN, clause.id, act)
            if ruling.state.values != state.values or (clause.id, act) not in self._telling:
                yield Sight(What.CHANGES, clause.id, act)
            if self.is_undefined(ruling.state):
                yield Sight(What.UNDEFINED, clause.id, act)

    # -- states --------------------------------------------------------------------------------------------

    def is_undefined(self, state: State) -> bool:
        """Whether something that always has to have a value has none."""
        return any(state.values[slot] is None for slot in self._solid)

    def offered(self, state: State) -> Iterator[Sight]:
        """What is seen of clauses by what may be chosen in a state."""
        self._reader.noted.clear()
        options = self.machine.options(state)
        for name in list(self._reader.noted):
            yield Sight(What.APPLIES, name)
        for option in options:
            yield Sight(What.OFFERED, option.clause.id, option.choice.act)
            yield Sight(What.USABLE, option.remedy.id)
            if option.clause is not option.remedy:
                yield Sight(What.APPLIES, option.clause.id)
            if self._is_refused(state, Event(option.seat, option.choice.act)):
                yield Sight(What.REFUSED, option.clause.id, option.choice.act)

    def _is_refused(self, state: State, choosing: Event) -> bool:
        """Whether a law refuses what another lets be chosen."""
        reader = self._reader
        bound = reader.bound(choosing)
        return any(
            clause.kind is Kind.REFUSAL
            and reader.is_of_role(clause, state.values, bound)
            and reader.holds(clause, state.values, bound)
            for clause in reader.read_for(Step.MADE, choosing.name)
        )

    def may_refuse(self, state: State) -> bool:
        """Whether a law may refuse a choice to anybody; its exceptions are not asked."""
        reader = self._reader
        choosing = [name for name, word in self._subject.edition.acts.items() if word.chooses]
        return any(
            clause.kind is Kind.REFUSAL
            and reader.is_of_role(clause, state.values, {"caller": seat})
            and reader.evaluator.truth(clause.condition, state.values, {"caller": seat})
            for act in choosing
            for clause in reader.read_for(Step.MADE, act)
            for seat in range(4)
        )

    def is_stuck(self, state: State) -> bool:
        """Whether calls are to be made and the player in turn may make none, and nobody may choose anything."""
        interface, evaluator = self._subject.edition.interface, self.machine.evaluator
        statuses = self._subject.edition.universe.enumerations["status"]
        if statuses[evaluator.value(interface.status, state.values, {}) or 0] != OPEN or self.machine.options(state):
            return False
        turn = evaluator.value(interface.turn, state.values, {}) or 0
        return not any(self._is_lawful(state, Event(turn, kind, call)) for kind, call in self._calls)

    def _is_lawful(self, state: State, call: Event) -> bool:
        try:
            return self.machine.legal(state, call)
        except LawbookError:
            # Of a call that has no ruling nobody can say that it is lawful.
            return False


class _Noting(Reader):
    """A reader that notes which exceptions set something aside, and what entitled to an act."""

    def __init__(self, edition: Edition, evaluate: type[Evaluator] = CompiledEvaluator) -> None:
        super().__init__(edition, evaluate)
        self.noted: set[str] = set()

    def holds(self, clause: Clause, values: Values, bound: Bound, report: Report | None = None) -> bool:
        """As ever."""
        found = super().holds(clause, values, bound, report)
        # An exception is asked for only where what it is an exception to would apply. Of what entitles to a correction
        # nothing is said where the corrected call breaks a law.
        if found and clause.kind in (Kind.EXCEPTION, Kind.ENTITLEMENT):
            self.noted.add(clause.id)
        return found


def _solid(edition: Edition) -> tuple[int, ...]:
    """The places of values where something always has to stand."""
    return tuple(
        slot
        for register in edition.registers.values()
        if not register.per_right and not isinstance(register.type, Optional | SetOf)
        for slot in range(register.slot, register.slot + register.size)
    )


def _shows(effect: Effect, edition: Edition, left_out: frozenset[str]) -> bool:
    """Whether an effect shows in a state's values, if it changes anything."""
    if isinstance(effect, Assign | Move):
        return effect.register not in left_out and not edition.registers[effect.register].per_right
    return isinstance(effect, StandAs | TakeBack)
