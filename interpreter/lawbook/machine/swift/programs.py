"""The swift machine: for each act a program, a function from a state to what the machine would say of the act there.

A program puts together what was made for its act, for what is open and for what is chosen. Where one of these declines,
because clauses contradict each other or what is met is rare, the machine is asked, which stays the reference.
"""

from __future__ import annotations

from collections.abc import Mapping

from lawbook.edition.model import EVERY_CALL, Step
from lawbook.machine.evaluate import Values
from lawbook.machine.machine import LACKING, Machine
from lawbook.machine.ruling import Event, Option, Outcome, Program, Verdict
from lawbook.machine.state import HeldCall, State
from lawbook.machine.swift.alone import ActsAlike, alike
from lawbook.machine.swift.calls import Calls
from lawbook.machine.swift.choices import Choices, Settling
from lawbook.machine.swift.holding import NO_RIGHTS
from lawbook.machine.swift.parts import Parts


class Swift:
    """Rules on acts under one edition as its machine does, but faster and without reasons. What it makes it keeps."""

    def __init__(self, machine: Machine, parts: Parts | None = None) -> None:
        self.machine = machine
        self._parts = parts or Parts(machine)
        self._calls = Calls(self._parts)
        self._choices = Choices(self._parts)
        self._programs: dict[Event, Program] = {}

    def step(self, state: State, event: Event) -> Outcome:
        """What `Machine.act` gives of an act: verdict, offences and the state at the end. Raises what that raises."""
        program = self._programs.get(event)
        return (program or self.program(event))(state)

    def program(self, event: Event) -> Program:
        """The function that rules on one act in any state; to keep it saves looking it up."""
        found = self._programs.get(event)
        if found is None:
            found = self._programs[event] = self._made(event)
        return found

    def options(self, state: State) -> tuple[Option, ...]:
        """The remedies that somebody may choose, the newest call's first, as the machine lists them."""
        return self._choices.options(state)

    def alone(self, events: Mapping[int, Event]) -> tuple[ActsAlike, ...]:
        """Acts, by their places, where nothing is open, but for what happens of itself then. None may be a choice."""
        return alike(self._parts.clauses, events, Swift(self.machine, self._parts.without_more()).program)

    def happens(self, values: Values) -> bool:
        """Whether anything happens of itself at a table."""
        return self._parts.happens(values)

    def about(self, state: State, event: Event) -> int | None:
        """Where the call is held that a choice would be about, unless something refuses it; None if there is none."""
        found = self._choices.meaning(event)(state)
        return None if found is None else found[0]

    def settling(self, event: Event, about: HeldCall) -> tuple[Settling, ...]:
        """What is settled by a choice under the rights against one call, in the order it is listed in."""
        return self._choices.settling(event, about)

    def settled(self, event: Event, state: State, at: int, last: bool) -> State | None:
        """What a choice leaves if it is about the call held at a place, as it would be if nothing else were open; if it
        is to be the `last` that it could mean, that alone. None where it cannot be told, or it is no choice."""
        found = self._choices.settled(event, state, at, last)
        return None if found is None else found[2]

    def _made(self, event: Event) -> Program:
        refused = self._refused(event)
        if event.name == LACKING:
            return refused
        if event.name in EVERY_CALL:
            return self._calls.program(event, refused)
        act = self.machine.edition.acts.get(event.name)
        return self._choices.program(event, refused) if act is not None and act.chooses else self._talk(event, refused)

    def _talk(self, event: Event, refused: Program) -> Program:
        """The program for an act that is neither a call nor a choice."""
        parts = self._parts
        seat, act = event.seat, parts.clauses.act(event)
        refuses = parts.acts.refuses(event)
        made = parts.acts.made(Step.MADE, act, fires=True, corrects=True)
        touching = parts.holding.touching(Step.MADE, act)
        opens = None if seat is None else parts.opening(act, seat)

        def outcome(state: State) -> Outcome | None:
            values, held = state
            touched = touching(held, values) if held else (held, 0, ())
            found = None if touched is None else made(values, *touched[1:])
            if touched is None or found is None:
                return None
            fired, offences, after, again, call = found
            if not fired:
                return refused(state)
            left, opened = touched[0], NO_RIGHTS
            if seat is not None and opens is not None and offences and (opened := opens(offences, values)):
                left = (*left, HeldCall(seat, None, None, opened, is_call=False))
            if again and not offences:
                place = max((at for at, c in enumerate(left) if c.caller == seat and c.before), default=None)
                return refused(state) if place is None else self._calls.corrected(state, after, left, place, call)
            return parts.finish(state, Verdict.IRREGULAR if offences else Verdict.LEGAL, offences, after, left, opened)

        def program(state: State) -> Outcome:
            if refuses is not None and refuses(state.values):
                return refused(state)
            return outcome(state) or parts.by_machine(state, event)

        return program

    def _refused(self, event: Event) -> Program:
        """What becomes of a refused act: nothing, unless a law attaches something to the attempt."""
        refused = Verdict.REFUSED
        parts = self._parts
        clauses = self.machine.reader.read_for(Step.REFUSED, event.name)
        if not clauses:
            return lambda state: (refused, (), state)
        act = parts.clauses.act(event)
        made, touching = parts.acts.made(Step.REFUSED, act, fires=True), parts.holding.touching(Step.REFUSED, act)
        only_rights = all(clause.each_right for clause in clauses)

        def outcome(state: State) -> Outcome | None:
            values, held = state
            touched = touching(held, values) if held else (held, 0, ())
            if touched is None:
                return None
            if only_rights and not touched[1]:
                return refused, (), state
            found = made(values, *touched[1:])
            if found is None:
                return None
            fired, offences, after, _, _ = found
            return (
                parts.finish(state, refused, offences, after, touched[0], NO_RIGHTS) if fired else (refused, (), state)
            )

        def program(state: State) -> Outcome:
            return outcome(state) or parts.by_machine(state, event)

        return program
