"""The machine: one act on one state gives a ruling and the next state.

An act has three steps: judge, put back (where a remedy or a correction replaces a call), stand. Within a step every
condition reads the same values and all effects are written together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.model import (
    EVERY_CALL,
    Clause,
    Edition,
    FateKind,
    JudgeAgain,
    Kind,
    LetStand,
    PutBack,
    StandAs,
    Step,
    TakeBack,
)
from lawbook.errors import LawbookError
from lawbook.machine.compiled import CompiledEvaluator
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.preceding import Preceded, Preceding, taken_back
from lawbook.machine.reading import Changes, Instance, Reader, Report
from lawbook.machine.rights import Rights
from lawbook.machine.ruling import Defeated, Event, Option, Ruling, Verdict
from lawbook.machine.state import (
    Conflict,
    HeldCall,
    Right,
    State,
    merged,
    other_acts,
    slots_of,
    start_of,
    start_values,
)

PASS: Final = 0
# The name of an act that speaks of a denomination the edition does not have.
LACKING: Final = "lacking denomination"
# More acts that happen of themselves after one act than any table could hold: the edition would never end.
MOST_OF_THEMSELVES: Final = 64


@dataclass(frozen=True, slots=True)
class _Judgement:
    """The judging step of a call: values after it, the rights it leaves and opens, and the call that stands."""

    values: Values
    held: tuple[HeldCall, ...]
    stands: int | None
    replacement: bool
    opened: frozenset[Right]


class Machine:
    """Rules on acts under one edition. It keeps no state of its own.

    Conditions are compiled, unless the tree-walking `Evaluator` is asked for; that one is the reference. Another
    `Reader` can be put in to look on.
    """

    def __init__(
        self, edition: Edition, evaluate: type[Evaluator] = CompiledEvaluator, read: type[Reader] = Reader
    ) -> None:
        self.edition = edition
        self.reader = read(edition, evaluate)
        self.evaluator = self.reader.evaluator
        self.rights = Rights(self.reader)
        self._preceding = Preceding(self.reader)
        self._always = slots_of(edition, frozenset({PutBack.ALWAYS}))
        self._by_correction = slots_of(edition, frozenset({PutBack.ALWAYS, PutBack.CORRECTION, PutBack.JUDGEMENT}))
        self._judgement = slots_of(edition, frozenset({PutBack.JUDGEMENT}))
        self._never = slots_of(edition, frozenset({PutBack.NEVER}))
        self._blank = start_values(edition, 0)

    # -- questions -----------------------------------------------------------------------------------------

    def start(self, dealer: int) -> State:
        """The state before the first act."""
        return State(start_values(self.edition, dealer))

    def options(self, state: State) -> tuple[Option, ...]:
        """The remedies that somebody may choose, the newest call's first."""
        return tuple(self.rights.options(state))

    def legal(self, state: State, event: Event) -> bool:
        """Whether a call would be ruled legal. Cheaper than a ruling: nothing is done."""
        if self._refusals(state, event):
            return False
        found = self.preceded(state, event)
        if any(clause.offence is not None for clause, _ in found.fired):
            return False
        bound = self.reader.bound(event)
        return not any(
            clause.offence is not None
            and any(True for _ in self.reader.instances(clause, found.held, found.values, bound))
            for clause in self.reader.read_for(Step.MADE, event.name)
        )

    def preceded(self, state: State, event: Event) -> Preceded:
        """The table as a call would find it, once what comes before it has been done."""
        return self._preceding.of(state, event, Report())

    # -- acts ----------------------------------------------------------------------------------------------

    def act(self, state: State, event: Event) -> tuple[Ruling, ...]:
        """The ruling on an act, then those on what happens of itself after it, each with the state it leaves.

        Raises Conflict where clauses contradict each other, LawbookError where acts of themselves do not end.
        """
        rulings = [self._rule(state, event)]
        if rulings[0].verdict is Verdict.REFUSED and rulings[0].state == state:
            return tuple(rulings)
        while (following := self._of_itself(rulings[-1].state)) is not None:
            rulings.append(following)
            if len(rulings) > MOST_OF_THEMSELVES:
                raise _endless(following.because[0])
        return tuple(rulings)

    def _rule(self, state: State, event: Event) -> Ruling:
        ruling = self._ruled(state, event)
        return self._attempted(ruling) if ruling.verdict is Verdict.REFUSED else ruling

    def _ruled(self, state: State, event: Event) -> Ruling:
        if refusals := self._refusals(state, event):
            return self._refused(state, event, refusals)
        if event.name == LACKING:
            return self._refused(state, event, [self.edition.denominations_clause])
        if event.name in EVERY_CALL:
            return self._call(state, event)
        act = self.edition.acts.get(event.name)
        if act is not None and act.chooses:
            return self._choose(state, event)
        return self._other(state, event)

    def _refusals(self, state: State, event: Event) -> list[Clause]:
        bound = self.reader.bound(event)
        return [
            clause
            for clause in self.reader.read_for(Step.MADE, event.name)
            if clause.kind is Kind.REFUSAL
            and self.reader.is_of_role(clause, state.values, bound)
            and self.reader.holds(clause, state.values, bound)
        ]

    def _refused(
        self,
        state: State,
        event: Event,
        because: Iterable[Clause],
        lacking: Iterable[Clause] = (),
        defeated: Iterable[Defeated] = (),
    ) -> Ruling:
        return Ruling(
            event, Verdict.REFUSED, (), False, tuple(because), tuple(defeated), (), (), (), tuple(lacking), None, state
        )

    def _attempted(self, refused: Ruling) -> Ruling:
        """A refused act does nothing of its own, but a law may attach something to the attempt."""
        report = Report()
        changes = Changes(self.reader, report)
        state, bound = refused.state, self.reader.bound(refused.event)
        for clause in self.reader.read_for(Step.REFUSED, refused.event.name):
            for instance in self.reader.instances(clause, state.held, state.values, bound):
                changes.fire(clause, instance, state.values)
        if not report.fired:
            return refused
        because = tuple(report.fired)
        values, held = changes.writes.applied(state.values), changes.held(state.held)
        closed = self._close(state, refused.event, values, held, report, because=because)
        return replace(closed, verdict=Verdict.REFUSED, defeated=refused.defeated)

    # -- calls ---------------------------------------------------------------------------------------------

    def _call(self, state: State, event: Event) -> Ruling:
        """A call is made: judged, then what stands of it takes effect."""
        report = Report()
        found = self._preceding.of(state, event, report)
        judged = self._judge(found.values, found.held, event, report, found.fired)
        values = self._stand(judged, event, report)
        held = (*judged.held, self._hold(found.values, event, judged))
        return self._close(state, event, values, held, report)

    def _judge(
        self,
        values: Values,
        held: tuple[HeldCall, ...],
        event: Event,
        report: Report,
        preceding: tuple[tuple[Clause, Instance], ...] = (),
    ) -> _Judgement:
        bound = self.reader.bound(event)
        changes = Changes(self.reader, report)
        fate, instead, decided = FateKind.STANDS, None, None
        made = self._made(event, held, values, bound, report)
        for clause, instance in made:
            changes.fire(clause, instance, values)
        for clause, instance in (*preceding, *made):
            if clause.fate is None or clause.fate.kind < fate:
                continue
            other = clause.fate.instead
            given = None if other is None else self.evaluator.value(other, values, instance.bound)
            if decided is not None and clause.fate.kind == fate and given != instead:
                raise Conflict(_different_calls(decided, clause), decided, clause)
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
        return _Judgement(
            changes.writes.applied(values), changes.held(held), stands, fate is FateKind.STANDS_AS, opened
        )

    def _made(
        self, event: Event, held: tuple[HeldCall, ...], values: Values, bound: Bound, report: Report
    ) -> list[tuple[Clause, Instance]]:
        """The clauses that fire because an act is made, each with what it is read for."""
        return [
            (clause, instance)
            for clause in self.reader.read_for(Step.MADE, event.name)
            if clause.kind is not Kind.REFUSAL
            for instance in self.reader.instances(clause, held, values, bound, report)
        ]

    def _stand(self, judged: _Judgement, event: Event, report: Report) -> Values:
        if judged.stands is None:
            return judged.values
        changes = Changes(self.reader, report)
        self._stands(judged.values, event.seat, judged.stands, judged.replacement, changes, report)
        return changes.writes.applied(judged.values)

    def _stands(
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

    def _hold(self, before: Values, event: Event, judged: _Judgement) -> HeldCall:
        assert event.seat is not None
        # What is never put back need not be told apart in what is remembered.
        kept = merged(self._blank, before, self._never)
        return HeldCall(event.seat, event.call, kept, judged.opened)

    # -- the end of an act ---------------------------------------------------------------------------------

    def _close(
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
    ) -> Ruling:
        """Registers and rights that no longer matter fall away, and the ruling is made."""
        values = self._fall_back(state.values, values)
        held = self.rights.end_once(state.values, values, held, frozenset(report.opened), report)
        held = self.rights.pruned(held, values)
        return Ruling(
            event,
            Verdict.IRREGULAR if report.offences else Verdict.LEGAL,
            tuple(report.offences),
            bool(report.offences) and not report.opened and not report.penalised,
            because or _reasons(report),
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

    # -- remedies ------------------------------------------------------------------------------------------

    def _choose(self, state: State, event: Event) -> Ruling:
        """Somebody demands a remedy, or lets a call stand."""
        options = [o for o in self.rights.options(state, event.name) if o.seat == event.seat]
        if not options:
            clauses = self.rights.open_for(state, event.name) or self.reader.choosers.get(event.name, [])
            return self._refused(state, event, clauses, clauses, self.rights.defeated(state, event))
        first = options[0]
        assert first.remedy.remedy is not None
        if first.remedy.remedy.oldest_first:
            return self._carry_out(state, event, options[-1:])
        # One act can be a choice under several rights against the same call: letting it stand, a new deal. It does
        # not touch those that outlast another choice, unless there is nothing else it could mean.
        meant = [o for o in options if o.held == first.held]
        return self._carry_out(state, event, [o for o in meant if not self.rights.outlasts_choice(o.right)] or meant)

    def _carry_out(self, state: State, event: Event, options: list[Option]) -> Ruling:
        """What is chosen under one or more rights against one call takes effect."""
        report = Report()
        option = options[0]
        puts_back = any(o.choice.puts_back for o in options)
        used = {(o.right.offence, o.right.remedy) for o in options}
        about = state.held[option.held]
        bound = {
            **self.reader.bound_of_right(about, option.right),
            "holder": event.seat,
            "caller": event.seat,
        }
        # Judge: what a demand does as an act, and the rights it ends.
        changes = Changes(self.reader, report)
        for clause, instance in self._made(event, state.held, state.values, bound, report):
            changes.fire(clause, instance, state.values)
        self.rights.end_by_act(state.values, state.held, bound, event.name, changes)
        held = changes.held(state.held)
        remaining = frozenset(
            r for r in held[option.held].rights if (r.offence, r.remedy) not in used and self.rights.outlasts_choice(r)
        )
        if puts_back:
            for later in held[option.held + 1 :]:
                taken_back(self.reader, later, about.caller, state.values, changes, report)
        values = changes.writes.applied(state.values)
        # Put back.
        if puts_back:
            assert about.before is not None
            values = merged(about.before, values, self._always)
            # A call that stands as another is held on, for an edition may have its caller say what it shall be.
            instead = any(isinstance(e, StandAs) for o in options for e in o.choice.effects)
            call_held = about._replace(rights=remaining) if instead else self.rights.bare(about, remaining)
            held = (*held[: option.held], call_held, *other_acts(held[option.held + 1 :]))
        else:
            held = tuple(c._replace(rights=remaining) if at == option.held else c for at, c in enumerate(held))
        # Stand.
        changes = Changes(self.reader, report)
        stands: dict[int, Clause] = {}
        for one in options:
            inside = {**bound, **self.reader.bound_of_right(about, one.right)}
            for effect in one.choice.effects:
                if isinstance(effect, StandAs):
                    call = self.evaluator.value(effect.call, values, inside)
                    assert call is not None
                    stands[call] = one.clause
                elif not isinstance(effect, TakeBack | LetStand):
                    changes.do(effect, one.clause, values, Instance(inside, one.held, one.right))
        if len(stands) > 1:
            first, second, *_ = stands.values()
            raise Conflict(_different_calls(first, second), first, second)
        for call in stands:
            self._stands(values, about.caller, call, True, changes, report)
        values = changes.writes.applied(values)
        because = tuple(dict.fromkeys(o.clause for o in options))
        return self._close(state, event, values, held, report, chosen=option, because=because)

    # -- other acts ----------------------------------------------------------------------------------------

    def _other(self, state: State, event: Event) -> Ruling:
        """An act that is neither a call nor a remedy."""
        report = Report()
        bound = self.reader.bound(event)
        changes = Changes(self.reader, report)
        again: int | None = None
        by: Clause | None = None
        for clause, instance in self._made(event, state.held, state.values, bound, report):
            correcting = [effect for effect in clause.effects if isinstance(effect, JudgeAgain)]
            if correcting:
                call = self.evaluator.value(correcting[0].call, state.values, instance.bound)
                if by is not None and call != again:
                    raise Conflict(_different_calls(by, clause), by, clause)
                again, by = call, clause
                report.fired.append(clause)
            else:
                changes.fire(clause, instance, state.values)
        if not report.fired:
            lacking = [c for c in self.reader.read_for(Step.MADE, event.name) if c.kind is Kind.ENTITLEMENT]
            return self._refused(state, event, lacking, lacking, report.defeated)
        self.rights.end_by_act(state.values, state.held, bound, event.name, changes)
        held = changes.held(state.held)
        if event.seat is not None and (opened := self.rights.opened(state.values, bound, event, report)):
            held = (*held, HeldCall(event.seat, None, None, opened, is_call=False))
        values = changes.writes.applied(state.values)
        if again is not None and by is not None and not report.offences:
            place = max((at for at, call in enumerate(held) if call.caller == event.seat and call.before), default=None)
            if place is None:
                return self._refused(state, event, [by], [by], report.defeated)
            return self._correct(state, event, values, held, place, again, report)
        return self._close(state, event, values, held, report)

    def _correct(
        self,
        state: State,
        event: Event,
        values: Values,
        held: tuple[HeldCall, ...],
        place: int,
        call: int,
        report: Report,
    ) -> Ruling:
        """A held call is replaced: the table is as before it, the new call judged as if it alone had been made."""
        before = held[place].before
        assert event.seat is not None
        assert before is not None
        changes = Changes(self.reader, report)
        for later in held[place + 1 :]:
            taken_back(self.reader, later, event.seat, values, changes, report)
        present = changes.writes.applied(values)
        back = merged(before, present, self._by_correction)
        made = Event(event.seat, self.reader.kind_of(call), call)
        judging = Report(scored=report.scored)
        judged = self._judge(back, held[:place], made, judging)
        after = self._stand(judged, made, judging)
        # A register that only the judging reads as it was keeps its present value.
        kept = tuple(
            now if slot in self._judgement and new == old else new
            for slot, (now, old, new) in enumerate(zip(present, back, after, strict=True))
        )
        again = (*judged.held, *other_acts(held[place + 1 :]), self._hold(back, made, judged))
        entitled = tuple(c for c in report.fired if c.kind is Kind.ENTITLEMENT)
        because = _reasons(judging) if judging.offences else entitled
        return self._close(state, event, kept, again, judging, because=because)

    def _of_itself(self, state: State) -> Ruling | None:
        """The act that happens of itself here, if any. Clauses that all say so do it together."""
        clauses = [c for c in self.reader.by_kind[Kind.OF_ITSELF] if self.reader.holds(c, state.values, {})]
        if not clauses:
            return None
        actors: dict[int | None, Clause] = {}
        for clause in clauses:
            assert clause.actor is not None
            actors.setdefault(self.evaluator.value(clause.actor, state.values, {}), clause)
        if len(actors) > 1:
            first, second, *_ = actors.values()
            raise Conflict(f"`{first.id}` and `{second.id}` let different players act of themselves", first, second)
        (seat,) = actors
        report = Report()
        changes = Changes(self.reader, report)
        self._stands(state.values, seat, PASS, False, changes, report)
        for clause in clauses:
            for effect in clause.effects:
                changes.do(effect, clause, state.values, Instance({}))
        values = changes.writes.applied(state.values)
        event = Event(seat, "pass", PASS)
        return self._close(state, event, values, state.held, report, because=tuple(clauses), of_itself=True)


def _reasons(report: Report) -> tuple[Clause, ...]:
    """The clauses a ruling rests on: the prohibitions broken; else the right used, and what was done before the call;
    else what gives the act effect."""
    if report.offences:
        return tuple(c for c in report.fired if c.kind is Kind.PROHIBITION)
    entitlements = tuple(c for c in report.fired if c.kind is Kind.ENTITLEMENT)
    if entitlements:
        before = (c for c in report.fired if c.trigger is not None and c.trigger.step is Step.BEFORE)
        return (*before, *entitlements)
    return tuple(dict.fromkeys((*report.fired, *report.stood)))


def _different_calls(first: Clause, second: Clause) -> str:
    return f"`{first.id}` and `{second.id}` put different calls in the place of one"


def _endless(clause: Clause) -> LawbookError:
    return LawbookError(
        [
            Diagnostic(
                "endless",
                Severity.ERROR,
                f"what happens of itself by `{clause.id}` never ends",
                clause.span,
                law=clause.law.number,
                clause=clause.id,
            )
        ]
    )
