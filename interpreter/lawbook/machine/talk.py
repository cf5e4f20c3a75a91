"""Acts that are neither calls nor choices: talk, cards shown, and the words by which a player corrects his call."""

from __future__ import annotations

from lawbook.edition.model import Clause, JudgeAgain, Kind, PutBack, Step
from lawbook.machine.evaluate import Values
from lawbook.machine.preceding import taken_back
from lawbook.machine.reading import Changes, Report
from lawbook.machine.ruling import Event, Ruling
from lawbook.machine.state import Conflict, HeldCall, State, merged, other_acts, slots_of
from lawbook.machine.steps import Steps, different_calls, reasons


class Talk:
    """Rules on acts that are neither calls nor choices under one edition."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        kinds = frozenset({PutBack.ALWAYS, PutBack.CORRECTION, PutBack.JUDGEMENT})
        self._by_correction = slots_of(steps.edition, kinds)
        self._judgement = slots_of(steps.edition, frozenset({PutBack.JUDGEMENT}))

    def rule(self, state: State, event: Event) -> Ruling:
        """An act that is neither a call nor a remedy."""
        steps = self._steps
        report = Report()
        bound = steps.reader.bound(event)
        changes = Changes(steps.reader, report)
        again: int | None = None
        by: Clause | None = None
        for clause, instance in steps.made(event, state.held, state.values, bound, report):
            correcting = [effect for effect in clause.effects if isinstance(effect, JudgeAgain)]
            if correcting:
                call = steps.evaluator.value(correcting[0].call, state.values, instance.bound)
                if by is not None and call != again:
                    raise Conflict(different_calls(by, clause), by, clause)
                again, by = call, clause
                report.fired.append(clause)
            else:
                changes.fire(clause, instance, state.values)
        if not report.fired:
            lacking = [c for c in steps.reader.read_for(Step.MADE, event.name) if c.kind is Kind.ENTITLEMENT]
            return steps.refused(state, event, lacking, lacking, report.defeated)
        steps.rights.end_by_act(state.values, state.held, bound, event.name, changes)
        held = changes.held(state.held)
        if event.seat is not None and (opened := steps.rights.opened(state.values, bound, event, report)):
            held = (*held, HeldCall(event.seat, None, None, opened, is_call=False))
        values = changes.writes.applied(state.values)
        if again is not None and by is not None and not report.offences:
            place = max((at for at, call in enumerate(held) if call.caller == event.seat and call.before), default=None)
            if place is None:
                return steps.refused(state, event, [by], [by], report.defeated)
            return self._correct(state, event, values, held, place, again, report)
        return steps.close(state, event, values, held, report)

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
        steps = self._steps
        before = held[place].before
        assert event.seat is not None
        assert before is not None
        changes = Changes(steps.reader, report)
        for later in held[place + 1 :]:
            taken_back(steps.reader, later, event.seat, values, changes, report)
        present = changes.writes.applied(values)
        back = merged(before, present, self._by_correction)
        made = Event(event.seat, steps.reader.kind_of(call), call)
        judging = Report(scored=report.scored)
        judged = steps.judge(back, held[:place], made, judging)
        after = steps.stand(judged, made, judging)
        # A register that only the judging reads as it was keeps its present value.
        kept = tuple(
            now if slot in self._judgement and new == old else new
            for slot, (now, old, new) in enumerate(zip(present, back, after, strict=True))
        )
        again = (*judged.held, *other_acts(held[place + 1 :]), steps.hold(back, made, judged))
        entitled = tuple(c for c in report.fired if c.kind is Kind.ENTITLEMENT)
        because = reasons(judging) if judging.offences else entitled
        return steps.close(state, event, kept, again, judging, because=because, found=back)
