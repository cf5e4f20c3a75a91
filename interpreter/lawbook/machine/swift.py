"""The swift machine: rules on acts without saying why, by functions specialised for each act.

It answers exactly as the machine does. What is unusual (contradicting clauses, acts that happen of themselves, clauses
read before a call) it hands to the machine, which stays the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from lawbook.edition.model import EVERY_CALL, FateKind, PutBack, Step
from lawbook.machine.evaluate import Values
from lawbook.machine.machine import LACKING, PASS, Machine
from lawbook.machine.ruling import Event, Option, Verdict
from lawbook.machine.specialise import Offer, Specialiser, Test
from lawbook.machine.state import HeldCall, Right, State, merged, slots_of, start_values

Outcome: TypeAlias = tuple[Verdict, tuple[int, ...], State]
"""What an act was, which offences by number, and the state it leaves with what happens of itself."""
Program: TypeAlias = Callable[[State], Outcome]

_STANDS: Final = int(FateKind.STANDS_MEANWHILE)
_NO_RIGHTS: Final[frozenset[Right]] = frozenset()
_About: TypeAlias = tuple[int, int | None, frozenset[Right]]


class Swift:
    """Rules on acts under one edition as its machine does, but faster. What it makes for an act it keeps."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._special = Specialiser(machine.reader, machine.rights)
        self._programs: dict[Event, Program] = {}
        edition = machine.edition
        self._always = slots_of(edition, frozenset({PutBack.ALWAYS}))
        never = slots_of(edition, frozenset({PutBack.NEVER}))
        blank = start_values(edition, 0)
        self._blanked = tuple((slot, blank[slot]) for slot in sorted(never))
        self._fall = self._special.fall()
        self._of_itself = self._special.of_itself()
        self._may_be_put_back = tuple(self._special.held_while(seat) for seat in range(4))
        self._puts_back = frozenset(machine.rights.puts_back)
        self._stands: dict[tuple[int | None, int, bool], Callable[[Values], Values | None]] = {}
        self._opens: dict[tuple[Event, tuple[int, ...]], Callable[[Values], frozenset[Right]]] = {}
        self._ends: dict[tuple[object, ...], Test | None] = {}
        self._once: dict[tuple[object, ...], tuple[tuple[Right, Callable[[Values, Values], object]], ...]] = {}
        self._offers: dict[tuple[int, int | None, Right], tuple[Offer, ...]] = {}
        self._acts: dict[frozenset[Right], frozenset[str]] = {}

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

    def _made(self, event: Event) -> Program:
        if event.name == LACKING or (event.name in EVERY_CALL and (event.seat is None or event.call is None)):
            return lambda state: self._declined(state, event)
        if event.name in EVERY_CALL:
            return self._call(event)
        act = self.machine.edition.acts.get(event.name)
        return self._choice(event) if act is not None and act.chooses else self._talk(event)

    def _declined(self, state: State, event: Event) -> Outcome:
        rulings = self.machine.act(state, event)
        return rulings[0].verdict, rulings[0].offences, rulings[-1].state

    # -- acts ----------------------------------------------------------------------------------------------

    def _call(self, event: Event) -> Program:
        seat, call = event.seat, event.call
        assert seat is not None
        assert call is not None
        special = self._special
        refuses, judge = special.refuses(event), special.judge(event)
        refused = self._refused(event)
        plain_before = special.comes_before(event)
        right_before = self._fires(Step.BEFORE, event)
        right_made = self._fires(Step.MADE, event)
        stand = self._standing(seat, call, replacement=False)
        as_pass = self._standing(seat, PASS, replacement=False)
        fall, of_itself, blanked = self._fall, self._of_itself, self._blanked
        ended = self._ended(event)
        legal, irregular = Verdict.LEGAL, Verdict.IRREGULAR
        declined = self._declined

        def program(state: State) -> Outcome:
            values, held = state.values, state.held
            if refuses is not None and refuses(values):
                return refused(state)
            if held and ((right_before and right_before(held, values)) or (right_made and right_made(held, values))):
                return declined(state, event)
            for test, own in plain_before:
                if (not own or any(c.caller == seat and c.before for c in held)) and test(values):
                    return declined(state, event)
            found = judge(values)
            if found is None:
                return declined(state, event)
            offences, after, fate, instead = found
            if fate <= _STANDS:
                after = stand(after)
            elif fate == FateKind.COUNTS_AS_A_PASS:
                after = as_pass(after)
            elif fate == FateKind.STANDS_AS and instead is not None:
                after = self._standing(seat, instead, replacement=True)(after)
            if after is None:
                return declined(state, event)
            after = fall(values, after)
            if of_itself is not None and of_itself(after):
                return declined(state, event)
            before = values
            if blanked:
                remembered = [*values]
                for slot, blank in blanked:
                    remembered[slot] = blank
                before = tuple(remembered)
            opened = self._opened(event, offences)(values) if offences else _NO_RIGHTS
            left = (
                [*ended(held, values), HeldCall(seat, call, before, opened)]
                if held
                else [HeldCall(seat, call, before, opened)]
            )
            return (
                irregular if offences else legal,
                offences,
                State(after, self._settled(values, after, left, opened)),
            )

        return program

    def _choice(self, event: Event) -> Program:
        refuses, refused = self._special.refuses(event), self._refused(event)
        acts, always, declined = self._acts, self._always, self._declined
        known: dict[_About, tuple[Offer, ...]] = {}

        def offered(about: _About) -> tuple[Offer, ...]:
            found = known[about] = tuple(
                offer
                for right in sorted(about[2])
                for offer in self._offered(about[0], about[1], right)
                if offer.seat == event.seat and offer.choice.act == event.name
            )
            return found

        def program(state: State) -> Outcome:
            values = state.values
            if refuses is not None and refuses(values):
                return refused(state)
            for call in state.held:
                rights = call.rights
                if not rights or event.name not in (acts.get(rights) or self._acts_of(rights)):
                    continue
                about = (call.caller, call.call, rights)
                offers = known.get(about)
                for offer in offered(about) if offers is None else offers:
                    if offer.holds is not None and not offer.holds(values):
                        continue
                    if offer.may is not None:
                        asked = values
                        if offer.choice.puts_back and call.before is not None:
                            asked = merged(call.before, values, always)
                        if not offer.may(asked):
                            continue
                    return declined(state, event)
            return refused(state)

        return program

    def _talk(self, event: Event) -> Program:
        refuses, refused, talk = self._special.refuses(event), self._refused(event), self._special.talk(event)
        right_made = self._fires(Step.MADE, event)

        def program(state: State) -> Outcome:
            values, held = state.values, state.held
            if refuses is not None and refuses(values):
                return refused(state)
            if held and right_made and right_made(held, values):
                return self._declined(state, event)
            found = talk(values)
            if found is not None:
                fired, offences, _, again, _ = found
                if not fired:
                    return refused(state)
                if again and not offences and not any(c.caller == event.seat and c.before for c in held):
                    return refused(state)
            return self._declined(state, event)

        return program

    def _refused(self, event: Event) -> Program:
        """What becomes of a refused act: nothing, unless a law attaches something to the attempt."""
        attempted = self._special.attempted(event)
        right_attempted = self._fires(Step.REFUSED, event)
        verdict, declined = Verdict.REFUSED, self._declined

        def program(state: State) -> Outcome:
            if attempted is not None and attempted(state.values):
                return declined(state, event)
            if right_attempted and state.held and right_attempted(state.held, state.values):
                return declined(state, event)
            return verdict, (), state

        return program

    # -- parts ---------------------------------------------------------------------------------------------

    def _standing(self, seat: int | None, call: int, *, replacement: bool) -> Callable[[Values], Values | None]:
        key = (seat, call, replacement)
        found = self._stands.get(key)
        if found is None:
            found = self._stands[key] = self._special.stand(seat, call, replacement)
        return found

    def _opened(self, event: Event, offences: tuple[int, ...]) -> Callable[[Values], frozenset[Right]]:
        """The rights that offences of an act open."""
        found = self._opens.get((event, offences))
        if found is None:
            rights = self._special.opened(event, offences)
            if all(test is None for _, test in rights):
                constant = frozenset(right for right, _ in rights)
                found = lambda _: constant  # noqa: E731
            else:
                found = lambda v: frozenset(right for right, test in rights if test is None or test(v))  # noqa: E731
            self._opens[event, offences] = found
        return found

    def _fires(self, step: Step, event: Event) -> Callable[[tuple[HeldCall, ...], Values], bool] | None:
        """Whether a clause that is read for each right fires for any that is open; None if there is no such clause."""
        if not any(clause.each_right for clause in self.machine.reader.read_for(step, event.name)):
            return None
        known: dict[_About, tuple[Test, ...]] = {}

        def made(about: _About) -> tuple[Test, ...]:
            tests = (self._special.fires_for(step, event, about[0], about[1], right) for right in sorted(about[2]))
            found = known[about] = tuple(test for test in tests if test is not None)
            return found

        def fires(held: tuple[HeldCall, ...], values: Values) -> bool:
            for call in held:
                if call.rights:
                    about = (call.caller, call.call, call.rights)
                    tests = known.get(about)
                    for test in made(about) if tests is None else tests:
                        if test(values):
                            return True
            return False

        return fires

    def _ended(self, event: Event) -> Callable[[Sequence[HeldCall], Values], list[HeldCall]]:
        """The held calls without the rights that an act ends."""
        known: dict[_About, tuple[tuple[Right, Test], ...]] = {}

        def made(about: _About) -> tuple[tuple[Right, Test], ...]:
            caller, call, rights = about
            tests = ((right, self._special.ends(event, caller, call, right)) for right in rights)
            found = known[about] = tuple((right, test) for right, test in tests if test is not None)
            return found

        def ended(held: Sequence[HeldCall], values: Values) -> list[HeldCall]:
            left: list[HeldCall] = []
            for call in held:
                if call.rights:
                    about = (call.caller, call.call, call.rights)
                    tests = known.get(about)
                    if tests is None:
                        tests = made(about)
                    lost = [right for right, test in tests if test(values)]
                    if lost:
                        call = HeldCall(call.caller, call.call, call.before, call.rights.difference(lost), call.is_call)
                left.append(call)
            return left

        return ended

    def _settled(
        self, before: Values, values: Values, held: list[HeldCall], opened: frozenset[Right]
    ) -> tuple[HeldCall, ...]:
        """The held calls after an act: without the rights that end because something has come to be so, and of them
        what can still matter."""
        last = len(held) - 1
        newest: set[int] = set()
        seen: set[tuple[int, int, str]] = set()
        kept: list[HeldCall] = []
        several = sum(1 for call in held if call.rights) > 1
        for at in range(last, -1, -1):
            call = held[at]
            rights = call.rights
            if rights:
                rights = self._without_ended(before, values, call, opened if at == last else _NO_RIGHTS)
                if several:
                    rights = frozenset(r for r in rights if (call.caller, r.offence, r.remedy) not in seen)
                    seen.update((call.caller, r.offence, r.remedy) for r in rights)
            correctable = False
            if call.is_call and call.caller not in newest:
                newest.add(call.caller)
                if call.before is not None:
                    test = self._may_be_put_back[call.caller]
                    correctable = test is not None and bool(test(values))
            if call.before is not None and (correctable or any(r.remedy in self._puts_back for r in rights)):
                same = rights is call.rights
                kept.append(call if same else HeldCall(call.caller, call.call, call.before, rights, call.is_call))
            elif rights:
                kept.append(self.machine.rights.bare(call, rights))
        kept.reverse()
        return tuple(kept)

    def _without_ended(
        self, before: Values, values: Values, call: HeldCall, opened: frozenset[Right]
    ) -> frozenset[Right]:
        key = (call.caller, call.call, call.rights, opened)
        tests = self._once.get(key)
        if tests is None:
            asked = (
                (right, self._special.ends_once(call.caller, call.call, right, right in opened))
                for right in call.rights
            )
            tests = self._once[key] = tuple((right, test) for right, test in asked if test is not None)
        if not tests or before == values:
            return call.rights
        lost = [right for right, test in tests if test(before, values)]
        return call.rights.difference(lost) if lost else call.rights

    def _acts_of(self, rights: frozenset[Right]) -> frozenset[str]:
        """The acts that some rights could be used by, whoever holds them."""
        found: set[str] = set()
        for right in rights:
            clause, remedy = self.machine.reader.remedy_of(right)
            waivers = self.machine.rights.waivers_of(clause)
            found.update(
                choice.act for choices in (remedy.choices, *(w.choices for w in waivers)) for choice in choices
            )
        self._acts[rights] = frozenset(found)
        return self._acts[rights]

    def _offered(self, caller: int, call: int | None, right: Right) -> tuple[Offer, ...]:
        key = (caller, call, right)
        found = self._offers.get(key)
        if found is None:
            found = self._offers[key] = tuple(self._special.offers(caller, call, right))
        return found

    # -- questions -----------------------------------------------------------------------------------------

    def options(self, state: State) -> tuple[Option, ...]:
        """The remedies that somebody may choose, the newest call's first, as the machine lists them."""
        found: list[Option] = []
        for at in range(len(state.held) - 1, -1, -1):
            call = state.held[at]
            for right in sorted(call.rights):
                clause, _ = self.machine.reader.remedy_of(right)
                for offer in self._offered(call.caller, call.call, right):
                    if offer.holds is not None and not offer.holds(state.values):
                        continue
                    if offer.may is not None:
                        values = state.values
                        if offer.choice.puts_back and call.before is not None:
                            values = merged(call.before, values, self._always)
                        if not offer.may(values):
                            continue
                    found.append(
                        Option(offer.seat, offer.choice, offer.clause, clause, right.offence, call.caller, at, right)
                    )
        return tuple(found)
