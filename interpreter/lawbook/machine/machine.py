"""The machine: one act on one state gives a ruling and the next state.

An act has three steps: judge, put back (where a remedy or a correction replaces a call), stand. Within a step every
condition reads the same values and all effects are written together.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, Final

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.model import EVERY_CALL, Clause, Edition, Kind, Step
from lawbook.errors import LawbookError
from lawbook.machine.compiled import CompiledEvaluator
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.preceding import Preceded, Preceding
from lawbook.machine.reading import Changes, Instance, Reader, Report
from lawbook.machine.remedies import Remedies
from lawbook.machine.ruling import Event, Option, Outcome, Program, Ruling, Verdict
from lawbook.machine.state import Conflict, State, start_values
from lawbook.machine.steps import PASS, Steps
from lawbook.machine.talk import Talk
from lawbook.records import replace

if TYPE_CHECKING:
    from lawbook.machine.swift import Swift

# The name of an act that speaks of a denomination the edition does not have.
LACKING: Final = "lacking denomination"
# More acts that happen of themselves after one act than any table could hold: the edition would never end.
MOST_OF_THEMSELVES: Final = 64


# An act that has come up so often is worth a program, which takes as long to make as so many rulings.
PATIENCE: Final = 12


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
        self._steps = Steps(self.reader)
        self.rights = self._steps.rights
        self._preceding = Preceding(self.reader)
        self._remedies = Remedies(self._steps)
        self._talk = Talk(self._steps)
        self._times: Counter[Event] = Counter()

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

    @functools.cached_property
    def swift(self) -> Swift:
        """What rules as this machine does, much faster and without reasons; for a search, which does an act often."""
        # Imported where it is first wanted: whoever rules on one auction starts without it.
        from lawbook.machine.swift import Swift

        return Swift(self)

    def program(self, event: Event) -> Program | None:
        """What rules on one act in any state without reasons; `act` tells them when they are asked for after all.

        None until the act has come up so often that making such a program pays.
        """
        self._times[event] += 1
        return self.swift.program(event) if self._times[event] > PATIENCE else None

    def outcome(self, state: State, event: Event) -> Outcome:
        """The verdict on an act, its offences and the state at the end, without reasons; raises what `act` raises."""
        program = self.program(event)
        if program is not None:
            return program(state)
        rulings = self.act(state, event)
        return rulings[0].verdict, rulings[0].offences, rulings[-1].state

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
            return self._steps.refused(state, event, refusals)
        if event.name == LACKING:
            return self._steps.refused(state, event, [self.edition.denominations_clause])
        if event.name in EVERY_CALL:
            return self._call(state, event)
        act = self.edition.acts.get(event.name)
        if act is not None and act.chooses:
            return self._remedies.choose(state, event)
        return self._talk.rule(state, event)

    def _refusals(self, state: State, event: Event) -> list[Clause]:
        bound = self.reader.bound(event)
        return [
            clause
            for clause in self.reader.read_for(Step.MADE, event.name)
            if clause.kind is Kind.REFUSAL
            and self.reader.is_of_role(clause, state.values, bound)
            and self.reader.holds(clause, state.values, bound)
        ]

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
        closed = self._steps.close(state, refused.event, values, held, report, because=because)
        return replace(closed, verdict=Verdict.REFUSED, defeated=refused.defeated)

    def _call(self, state: State, event: Event) -> Ruling:
        """A call is made: judged, then what stands of it takes effect."""
        report = Report()
        found = self._preceding.of(state, event, report)
        judged = self._steps.judge(found.values, found.held, event, report, found.fired)
        values = self._steps.stand(judged, event, report)
        held = (*judged.held, self._steps.hold(found.values, event, judged))
        return self._steps.close(state, event, values, held, report)

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
        self._steps.stands(state.values, seat, PASS, False, changes, report)
        for clause in clauses:
            for effect in clause.effects:
                changes.do(effect, clause, state.values, Instance({}))
        values = changes.writes.applied(state.values)
        event = Event(seat, "pass", PASS)
        return self._steps.close(state, event, values, state.held, report, because=tuple(clauses), of_itself=True)


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
