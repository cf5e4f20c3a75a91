"""Programs for calls: one is judged, what stands of it takes effect, and it is held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from lawbook.edition.model import FateKind, Step
from lawbook.machine.evaluate import Values
from lawbook.machine.ruling import Event, Outcome, Program, Verdict
from lawbook.machine.state import HeldCall, Right, State, other_acts
from lawbook.machine.steps import PASS
from lawbook.machine.swift.before import Before
from lawbook.machine.swift.holding import NO_RIGHTS
from lawbook.machine.swift.parts import Parts
from lawbook.machine.swift.steps import add_writes

_STANDS: Final = int(FateKind.STANDS_MEANWHILE)


class Judging:
    """What was made for a call by somebody, however it comes to be judged."""

    __slots__ = ("_declare", "_judge", "_opens", "_pass", "_seat", "_stand", "_touching", "act")

    def __init__(self, parts: Parts, event: Event) -> None:
        assert event.seat is not None
        assert event.call is not None
        self._seat = event.seat
        self.act = parts.clauses.act(event)
        self._judge = parts.acts.made(Step.MADE, self.act, fates=True)
        self._touching = parts.holding.touching(Step.MADE, self.act)
        self._stand = parts.acts.stand(event.seat, event.call, replacement=False)
        self._pass = parts.acts.stand(event.seat, PASS, replacement=False)
        self._declare = parts.acts.stand
        self._opens = parts.opening(self.act, event.seat)

    def judged(
        self, values: Values, held: Sequence[HeldCall], offended: tuple[int, ...] = (), fated: int = -1
    ) -> tuple[tuple[int, ...], Any, Sequence[HeldCall], frozenset[Right]] | None:
        """The offences, the values after the call stands, the calls held before it, and the rights it opens; where
        something came before it, with the offences and by the fate that this has brought."""
        if held:
            touched = self._touching(held, values)
            if touched is None:
                return None
            held, fired, added = touched
            found = self._judge(values, fired, added)
        else:
            found = self._judge(values)
        if found is None:
            return None
        _, offences, after, fate, instead = found
        if offended:
            offences = (*offended, *(offence for offence in offences if offence not in offended))
        fate = max(fate, fated)
        if fate <= _STANDS:
            after = self._stand(after)
        elif fate == FateKind.COUNTS_AS_A_PASS:
            after = self._pass(after)
        elif fate == FateKind.STANDS_AS and instead is not None:
            after = self._declare(self._seat, instead, replacement=True)(after)
        if after is None:
            return None
        return offences, after, held, self._opens(offences, values) if offences else NO_RIGHTS


class Calls:
    """Makes the programs for calls, and for the words by which a player replaces his."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._judging: dict[Event, Judging] = {}

    def judging(self, event: Event) -> Judging:
        """What was made for a call by somebody."""
        found = self._judging.get(event)
        if found is None:
            found = self._judging[event] = Judging(self._parts, event)
        return found

    def program(self, event: Event, refused: Program) -> Program:
        """The program for a call by somebody."""
        seat = event.seat
        assert seat is not None
        parts = self._parts
        refuses = parts.acts.refuses(event)
        judging, remember, finish = self.judging(event), parts.remember, parts.finish
        judged = judging.judged
        comes_before = parts.machine.reader.read_for(Step.BEFORE, event.name)
        before_it = Before(parts, judging.act).found if comes_before else None
        legal, irregular = Verdict.LEGAL, Verdict.IRREGULAR

        def program(state: State) -> Outcome:
            values, held = state
            if refuses is not None and refuses(values):
                return refused(state)
            if before_it is None:
                found = judged(values, held)
            else:
                table = before_it(values, held)
                found = None if table is None else judged(*table)
                values = values if table is None else table[0]
            if found is None:
                return parts.by_machine(state, event)
            offences, after, left, opened = found
            before = values if remember is None else remember(values)
            mine = HeldCall(seat, event.call, before, opened)
            verdict = irregular if offences else legal
            left = (*left, mine)
            return finish(state, verdict, offences, after, left, opened) or parts.by_machine(state, event)

        return program

    def corrected(self, state: State, values: Any, held: Sequence[HeldCall], place: int, call: int) -> Outcome | None:
        """A held call is replaced: the table is as before it, the new call judged as if it alone had been made."""
        parts = self._parts
        seat, before = held[place].caller, held[place].before
        assert before is not None
        if added := parts.taken_back(held[place + 1 :], seat, values):
            values = add_writes(values, values, added, frozenset())
            if values is None:
                return None
        back = parts.correct(before, values)
        judged = self.judging(Event(seat, parts.machine.reader.kind_of(call), call)).judged(back, held[:place])
        if judged is None:
            return None
        offences, after, left, opened = judged
        if parts.judgement:
            # A register that only the judging reads as it was keeps its present value.
            after = [*after]
            for slot in parts.judgement:
                if after[slot] == back[slot]:
                    after[slot] = values[slot]
        mine = HeldCall(seat, call, back if parts.remember is None else parts.remember(back), opened)
        again = (*left, *other_acts(held[place + 1 :]), mine)
        return parts.finish(
            state, Verdict.IRREGULAR if offences else Verdict.LEGAL, offences, after, again, opened, back
        )
