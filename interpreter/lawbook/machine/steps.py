"""The steps that acts are made of: a call is judged, it stands, it is held, and an act ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lawbook.edition.model import Clause, FateKind, Kind, PutBack, Step
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.reading import Changes, Instance, Reader, Report
from lawbook.machine.rights import Rights
from lawbook.machine.ruling import Defeated, Event, Option, Ruling, Verdict
from lawbook.machine.state import Conflict, HeldCall, Right, State, merged, slots_of, start_of, start_values
from lawbook.records import dataclass

PASS: Final = 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judging step of a call: values after it, the rights it leaves and opens, and the call that stands."""

    values: Values
    held: tuple[HeldCall, ...]
    stands: int | None
    replacement: bool
    opened: frozenset[Right]


class Steps:
    """Takes the steps of acts under one edition."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.edition = reader.edition
        self.evaluator: Evaluator = reader.evaluator
        self.rights = Rights(reader)
        self._never = slots_of(self.edition, frozenset({PutBack.NEVER}))
        self._blank = start_values(self.edition, 0)

    def judge(
        self,
        values: Values,
        held: tuple[HeldCall, ...],
        event: Event,
        report: Report,
        preceding: tuple[tuple[Clause, Instance], ...] = (),
    ) -> Judgement:
        """A call is made. `preceding` are the clauses that fired before it."""
        bound = self.reader.bound(event)
        changes = Changes(self.reader, report)
        fate, instead, decided = FateKind.STANDS, None, None
        made = self.made(event, held, values, bound, report)
        for clause, instance in made:
            changes.fire(clause, instance, values)
        for clause, instance in (*preceding, *made):
            if clause.fate is None or clause.fate.kind < fate:
                continue
            other = clause.fate.instead
            given = None if other is None else self.evaluator.value(other, values, instance.bound)
            if decided is not None and clause.fate.kind == fate and given != instead:
                raise Conflict(different_calls(decided, clause), decided, clause)
            fate, instead, decided = clause.fate.kind, given, clause
        self.rights.end_by_act(values, held, bound, event.name, changes)
        opened = self.rights.opened(values, bound, event, report)
        match fate:
            case FateKind.IS_IGNORED:
                stands = None
            case FateKind.COUNTS_AS_A_PASS:
                stands = PASS
            case FateKind.STANDS_AS:
                stands = instead
                report.penalised = True
            case _:
                stands = event.call
        return Judgement(changes.writes.applied(values), changes.held(held), stands, fate is FateKind.STANDS_AS, opened)

    def made(
        self, event: Event, held: tuple[HeldCall, ...], values: Values, bound: Bound, report: Report
    ) -> list[tuple[Clause, Instance]]:
        """The clauses that fire because an act is made, each with what it is read for."""
        return [
            (clause, instance)
            for clause in self.reader.read_for(Step.MADE, event.name)
            if clause.kind is not Kind.REFUSAL
            for instance in self.reader.instances(clause, held, values, bound, report)
        ]

    def stand(self, judged: Judgement, event: Event, report: Report) -> Values:
        """The values once what stands of a call has taken effect."""
        if judged.stands is None:
            return judged.values
        changes = Changes(self.reader, report)
        self.stands(judged.values, event.seat, judged.stands, judged.replacement, changes, report)
        return changes.writes.applied(judged.values)

    def stands(
        self, values: Values, seat: int | None, call: int, replacement: bool, changes: Changes, report: Report
    ) -> None:
        """The standing clauses of a call, unjudged."""
        event = Event(seat, self.reader.kind_of(call), call)
        bound = {**self.reader.bound(event), "replacement": int(replacement)}
        for clause in self.reader.read_for(Step.STANDS, event.name):
            if self.reader.holds(clause, values, bound, report):
                report.stood.append(clause)
                for effect in clause.effects:
                    changes.do(effect, clause, values, Instance(bound))

    def hold(self, before: Values, event: Event, judged: Judgement) -> HeldCall:
        """A call as it is held from now on; `before` are the values it was judged by."""
        assert event.seat is not None
        # What is never put back need not be told apart in what is remembered.
        kept = merged(self._blank, before, self._never)
        return HeldCall(event.seat, event.call, kept, judged.opened)

    def refused(
        self,
        state: State,
        event: Event,
        because: Iterable[Clause],
        lacking: Iterable[Clause] = (),
        defeated: Iterable[Defeated] = (),
    ) -> Ruling:
        """The ruling on an act that nobody can do here: nothing of it happens."""
        return Ruling(
            event, Verdict.REFUSED, (), False, tuple(because), tuple(defeated), (), (), (), tuple(lacking), None, state
        )

    def close(
        self,
        state: State,
        event: Event,
        values: Values,
        held: tuple[HeldCall, ...],
        report: Report,
        *,
        chosen: Option | None = None,
        because: tuple[Clause, ...] = (),
        of_itself: bool = False,
        found: Values | None = None,
    ) -> Ruling:
        """Registers and rights that no longer matter fall away, and the ruling is made. `found` are the values that
        effects were written to, where a call was put back first: to put back a register is not to write it."""
        values = self._fall_back(state.values if found is None else found, values)
        held = self.rights.end_once(state.values, values, held, frozenset(report.opened), report)
        held = self.rights.pruned(held, values)
        return Ruling(
            event,
            Verdict.IRREGULAR if report.offences else Verdict.LEGAL,
            tuple(report.offences),
            bool(report.offences) and not report.opened and not report.penalised,
            because or reasons(report),
            tuple(dict.fromkeys(report.defeated)),
            tuple(report.opened),
            tuple(report.lapsed),
            tuple(report.scored),
            (),
            chosen,
            State(values, held),
            of_itself,
            tuple(dict.fromkeys((*report.fired, *report.stood))),
        )

    def _fall_back(self, before: Values, values: Values) -> Values:
        """Registers whose time is over fall back to their start, unless this act wrote them."""
        found = list(values)
        for register in self.edition.registers.values():
            if register.kept_while is None or register.per_right:
                continue
            if not self.evaluator.truth(register.kept_while, values, {}):
                for slot in range(register.slot, register.slot + register.size):
                    if before[slot] == values[slot]:
                        found[slot] = start_of(register, 0)
        return tuple(found)


def reasons(report: Report) -> tuple[Clause, ...]:
    """The clauses a ruling rests on: the prohibitions broken; else the right used, and what was done before the call;
    else what gives the act effect."""
    if report.offences:
        return tuple(c for c in report.fired if c.kind is Kind.PROHIBITION)
    entitlements = tuple(c for c in report.fired if c.kind is Kind.ENTITLEMENT)
    if entitlements:
        before = (c for c in report.fired if c.trigger is not None and c.trigger.step is Step.BEFORE)
        return (*before, *entitlements)
    return tuple(dict.fromkeys((*report.fired, *report.stood)))


def different_calls(first: Clause, second: Clause) -> str:
    """What a conflict says of two clauses that let different calls stand."""
    return f"`{first.id}` and `{second.id}` put different calls in the place of one"
