"""Remedies: somebody demands one, or lets a call stand, and what is chosen takes effect."""

from __future__ import annotations

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.model import Clause, LetStand, PutBack, StandAs, TakeBack
from lawbook.errors import LawbookError
from lawbook.machine.evaluate import Values
from lawbook.machine.preceding import taken_back
from lawbook.machine.reading import Changes, Instance, Report
from lawbook.machine.ruling import Event, Option, Ruling
from lawbook.machine.state import Conflict, State, merged, other_acts, slots_of
from lawbook.machine.steps import Steps, different_calls


class Remedies:
    """Carries out choices under one edition."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._always = slots_of(steps.edition, frozenset({PutBack.ALWAYS}))

    def choose(self, state: State, event: Event) -> Ruling:
        """Somebody demands a remedy, or lets a call stand. Raises LawbookError where what is chosen has no effect that
        is defined."""
        steps = self._steps
        options = [o for o in steps.rights.options(state, event.name) if o.seat == event.seat]
        if not options:
            clauses = steps.rights.open_for(state, event.name) or steps.reader.choosers.get(event.name, [])
            return steps.refused(state, event, clauses, clauses, steps.rights.defeated(state, event))
        first = options[0]
        assert first.remedy.remedy is not None
        if first.remedy.remedy.oldest_first:
            return self._carry_out(state, event, options[-1:])
        # One act can be a choice under several rights against the same call: letting it stand, a new deal. It does
        # not touch those that outlast another choice, unless there is nothing else it could mean.
        meant = [o for o in options if o.held == first.held]
        return self._carry_out(state, event, [o for o in meant if not steps.rights.outlasts_choice(o.right)] or meant)

    def _carry_out(self, state: State, event: Event, options: list[Option]) -> Ruling:
        """What is chosen under one or more rights against one call takes effect."""
        steps = self._steps
        report = Report()
        option = options[0]
        puts_back = any(o.choice.puts_back for o in options)
        used = {(o.right.offence, o.right.remedy) for o in options}
        about = state.held[option.held]
        bound = {
            **steps.reader.bound_of_right(about, option.right),
            "holder": event.seat,
            "caller": event.seat,
        }
        # Judge: what a demand does as an act, and the rights it ends.
        changes = Changes(steps.reader, report)
        for clause, instance in steps.made(event, state.held, state.values, bound, report):
            changes.fire(clause, instance, state.values)
        steps.rights.end_by_act(state.values, state.held, bound, event.name, changes)
        held = changes.held(state.held)
        remaining = frozenset(
            r for r in held[option.held].rights if (r.offence, r.remedy) not in used and steps.rights.outlasts_choice(r)
        )
        if puts_back:
            for later in held[option.held + 1 :]:
                taken_back(steps.reader, later, about.caller, state.values, changes, report)
        values = changes.writes.applied(state.values)
        # Put back.
        if puts_back:
            assert about.before is not None
            values = merged(about.before, values, self._always)
            # A call that stands as another is held on, for an edition may have its caller say what it shall be.
            instead = any(isinstance(e, StandAs) for o in options for e in o.choice.effects)
            call_held = about._replace(rights=remaining) if instead else steps.rights.bare(about, remaining)
            held = (*held[: option.held], call_held, *other_acts(held[option.held + 1 :]))
        else:
            held = tuple(c._replace(rights=remaining) if at == option.held else c for at, c in enumerate(held))
        found = values if puts_back else None
        # Stand.
        changes = Changes(steps.reader, report)
        stands: dict[int, Clause] = {}
        for one in options:
            inside = Instance({**bound, **steps.reader.bound_of_right(about, one.right)}, one.held, one.right)
            try:
                stands |= dict.fromkeys(self._take_effect(one, values, inside, changes), one.clause)
            except (AssertionError, TypeError) as missing:
                # The demand itself, or what is put back, took away what the choice was given on the strength of.
                raise _undefined(one.clause) from missing
        if len(stands) > 1:
            first, second, *_ = stands.values()
            raise Conflict(different_calls(first, second), first, second)
        for call in stands:
            steps.stands(values, about.caller, call, True, changes, report)
        values = changes.writes.applied(values)
        because = tuple(dict.fromkeys(o.clause for o in options))
        return steps.close(state, event, values, held, report, chosen=option, because=because, found=found)

    def _take_effect(self, option: Option, values: Values, inside: Instance, changes: Changes) -> list[int]:
        """Gather the effects of one choice; gives the calls that are to stand in the place of the one it is about.
        Raises AssertionError or TypeError where a value is asked for that is not there."""
        found: list[int] = []
        for effect in option.choice.effects:
            if isinstance(effect, StandAs):
                found += self._steps.evaluator.solid((effect.call,), values, inside.bound)
            elif not isinstance(effect, TakeBack | LetStand):
                changes.do(effect, option.clause, values, inside)
        return found


def _undefined(clause: Clause) -> LawbookError:
    return LawbookError(
        [
            Diagnostic(
                "undefined-effect",
                Severity.ERROR,
                f"what `{clause.id}` lets be chosen asks for a value that is not there any more",
                clause.span,
                help="what the choice needs must not be taken away by the demand for it",
                law=clause.law.number,
                clause=clause.id,
            )
        ]
    )
