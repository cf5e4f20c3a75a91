"""Programs: for each act a function from a state to what the machine would say of the act there.

A program puts together what was made for its act, for what is open and for what is chosen. Where one of these declines,
or what is met is rare (an earlier call is taken back before a new one is judged), the machine is asked, which stays the
reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from lawbook.edition.model import EVERY_CALL, FateKind, PutBack, Step, TakeBackEarlier
from lawbook.machine.evaluate import Values
from lawbook.machine.machine import LACKING, MOST_OF_THEMSELVES, PASS, Machine
from lawbook.machine.ruling import Event, Option, Verdict
from lawbook.machine.state import HeldCall, Right, State, other_acts, slots_of
from lawbook.machine.swift.acts import ActFunctions, Changed, Test
from lawbook.machine.swift.choices import Chosen
from lawbook.machine.swift.clauses import Act, Clauses
from lawbook.machine.swift.holding import Holding
from lawbook.machine.swift.open_rights import Offer, RightFunctions
from lawbook.machine.swift.steps import Added, add_writes

Outcome: TypeAlias = tuple[Verdict, tuple[int, ...], State]
"""What an act was, which offences by number, and the state it leaves with what happens of itself. A refused act that
changes nothing leaves the very state it was done in."""
Program: TypeAlias = Callable[[State], Outcome]

_STANDS: Final = int(FateKind.STANDS_MEANWHILE)
_NO_RIGHTS: Final[frozenset[Right]] = frozenset()


class CallParts:
    """What was made for a call by somebody, however it comes to be judged."""

    __slots__ = ("_declare", "_judge", "_opens", "_pass", "_seat", "_stand", "_touching", "act")

    def __init__(self, swift: Swift, event: Event) -> None:
        assert event.seat is not None
        assert event.call is not None
        self._seat = event.seat
        self.act = swift.clauses.act(event)
        self._judge = swift.acts.made(Step.MADE, self.act, fates=True)
        self._touching = swift.holding.touching(Step.MADE, self.act)
        self._stand = swift.acts.stand(event.seat, event.call, replacement=False)
        self._pass = swift.acts.stand(event.seat, PASS, replacement=False)
        self._declare = swift.acts.stand
        self._opens = swift.opening(self.act, event.seat)

    def judged(
        self, values: Values, held: Sequence[HeldCall]
    ) -> tuple[tuple[int, ...], Any, Sequence[HeldCall], frozenset[Right]] | None:
        """The offences, the values after the call stands, the calls held before it, and the rights it opens."""
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
        if fate <= _STANDS:
            after = self._stand(after)
        elif fate == FateKind.COUNTS_AS_A_PASS:
            after = self._pass(after)
        elif fate == FateKind.STANDS_AS and instead is not None:
            after = self._declare(self._seat, instead, replacement=True)(after)
        if after is None:
            return None
        return offences, after, held, self._opens(offences, values) if offences else _NO_RIGHTS


class Swift:
    """Rules on acts under one edition as its machine does, but faster and without reasons. What it makes it keeps.

    An act is specialised for when it has been done `patience` times; until then the machine is asked, which is faster
    where an act is done only once or twice.
    """

    def __init__(self, machine: Machine, patience: int = 0) -> None:
        self.machine = machine
        self.clauses = Clauses(machine.reader, machine.rights)
        self.acts = ActFunctions(self.clauses)
        self.rights = RightFunctions(self.clauses)
        self.holding = Holding(self.clauses, self.rights)
        self.put_back = self.acts.put_back(frozenset({PutBack.ALWAYS}))
        self.fall = self.acts.fall()
        self._patience = patience
        self._programs: dict[Event, Program] = {}
        self._parts: dict[Event, CallParts] = {}
        self._acts_of: dict[frozenset[Right], frozenset[str]] = {}
        self._of_itself = self.acts.of_itself()
        self._happening: dict[tuple[str, int | None], Changed] = {}
        kinds = frozenset({PutBack.ALWAYS, PutBack.CORRECTION, PutBack.JUDGEMENT})
        self.correct = self.acts.put_back(kinds)
        self.remember = self.acts.remember()
        self._judgement = sorted(slots_of(machine.edition, frozenset({PutBack.JUDGEMENT})))
        # Whether taking a call back is itself an offence of somebody's under this edition.
        self.taking_back_offends = any(
            clause.offence is not None and clause.trigger is not None and clause.trigger.step is Step.TAKEN_BACK
            for clause in machine.edition.clauses
        )

    def step(self, state: State, event: Event) -> Outcome:
        """What `Machine.act` gives of an act: verdict, offences and the state at the end. Raises what that raises."""
        program = self._programs.get(event)
        return (program or self.program(event))(state)

    def program(self, event: Event) -> Program:
        """The function that rules on one act in any state; to keep it saves looking it up."""
        found = self._programs.get(event)
        if found is None:
            found = self._programs[event] = self._waiting(event) if self._patience else self._made(event)
        return found

    def _waiting(self, event: Event) -> Program:
        """The machine, until the act has been done so often that a program for it pays."""
        done = 0

        def program(state: State) -> Outcome:
            nonlocal done
            done += 1
            if done >= self._patience:
                self._programs[event] = self._made(event)
            return self.declined(state, event)

        return program

    def declined(self, state: State, event: Event) -> Outcome:
        """What the machine says."""
        rulings = self.machine.act(state, event)
        return rulings[0].verdict, rulings[0].offences, rulings[-1].state

    def _made(self, event: Event) -> Program:
        if event.name == LACKING:
            return self._refused(event)
        if event.name in EVERY_CALL:
            return self._call(event) if event.seat is not None else lambda state: self.declined(state, event)
        act = self.machine.edition.acts.get(event.name)
        return self._choice(event) if act is not None and act.chooses else self._talk(event)

    def parts(self, event: Event) -> CallParts:
        """What was made for a call by somebody."""
        found = self._parts.get(event)
        if found is None:
            found = self._parts[event] = CallParts(self, event)
        return found

    # -- acts ----------------------------------------------------------------------------------------------

    def _call(self, event: Event) -> Program:
        seat = event.seat
        assert seat is not None
        parts, refused = self.parts(event), self._refused(event)
        refuses, comes_before = self.acts.refuses(event), self._comes_before(event)
        judged, remember, finish = parts.judged, self.remember, self.finish
        legal, irregular = Verdict.LEGAL, Verdict.IRREGULAR

        def program(state: State) -> Outcome:
            values, held = state
            if refuses is not None and refuses(values):
                return refused(state)
            if comes_before is not None and comes_before(values, held):
                return self.declined(state, event)
            found = judged(values, held)
            if found is None:
                return self.declined(state, event)
            offences, after, left, opened = found
            before = values if remember is None else remember(values)
            mine = HeldCall(seat, event.call, before, opened)
            verdict = irregular if offences else legal
            return finish(state, verdict, offences, after, (*left, mine), opened) or self.declined(state, event)

        return program

    def _comes_before(self, event: Event) -> Callable[[Values, Sequence[HeldCall]], bool] | None:
        """Whether anything is done before a call is judged."""
        if not self.machine.reader.read_for(Step.BEFORE, event.name):
            return None
        act = self.clauses.act(event)
        touching = self.holding.touching(Step.BEFORE, act)
        plain: list[tuple[Test, bool]] = []
        for clause in self.clauses.read_for(Step.BEFORE, event.name):
            if not clause.each_right:
                test = self.clauses.folder.test(self.clauses.applies(clause, act.known))
                if test is not None:
                    plain.append((test, any(isinstance(e, TakeBackEarlier) for e in clause.effects)))

        def comes_before(values: Values, held: Sequence[HeldCall]) -> bool:
            for test, takes_own in plain:
                if test(values) and (not takes_own or any(c.caller == event.seat and c.before for c in held)):
                    return True
            touched = touching(held, values) if held else (held, 0, ())
            return touched is None or touched[1] != 0

        return comes_before

    def _choice(self, event: Event) -> Program:
        refuses, refused = self.acts.refuses(event), self._refused(event)
        name, acts, put_back = event.name, self._acts_of, self.put_back
        known: dict[tuple[int, int | None, frozenset[Right]], tuple[Offer, ...]] = {}
        chosen: dict[tuple[Offer, ...], Chosen] = {}

        def offered(caller: int, call: int | None, rights: frozenset[Right]) -> tuple[Offer, ...]:
            found = known[caller, call, rights] = tuple(
                offer
                for right in sorted(rights)
                for offer in self.rights.offers(caller, call, right)
                if offer.seat == event.seat and offer.choice.act == name
            )
            return found

        def program(state: State) -> Outcome:
            values, held = state
            if refuses is not None and refuses(values):
                return refused(state)
            options: list[tuple[int, Offer]] = []
            for at in range(len(held) - 1, -1, -1):
                caller, call, before, rights, _ = held[at]
                if not rights or name not in (acts.get(rights) or self._acts_for(rights)):
                    continue
                offers = known.get((caller, call, rights))
                for offer in offered(caller, call, rights) if offers is None else offers:
                    if offer.holds is None or offer.holds(values):
                        asked = values
                        if offer.choice.puts_back:
                            if before is None:
                                continue
                            asked = put_back(before, values)
                        if offer.may is None or offer.may(asked):
                            options.append((at, offer))
            if not options:
                return refused(state)
            at, meant = self._meant(options)
            one = chosen.get(meant)
            if one is None:
                one = chosen[meant] = Chosen(self, event, held[at], meant)
            return one.outcome(state, at) or self.declined(state, event)

        return program

    def _meant(self, options: list[tuple[int, Offer]]) -> tuple[int, tuple[Offer, ...]]:
        """The options that one act means, all against one call: see `Machine`."""
        at, first = options[0]
        if len(options) == 1:
            return at, (first,)
        _, remedy = self.machine.reader.remedy_of(first.right)
        if remedy.oldest_first:
            at, last = options[-1]
            return at, (last,)
        meant = [offer for place, offer in options if place == at]
        outlasts = self.machine.rights.outlasts_choice
        return at, tuple(offer for offer in meant if not outlasts(offer.right)) or tuple(meant)

    def _talk(self, event: Event) -> Program:
        seat, act = event.seat, self.clauses.act(event)
        refuses, refused = self.acts.refuses(event), self._refused(event)
        made = self.acts.made(Step.MADE, act, fires=True, corrects=True)
        touching = self.holding.touching(Step.MADE, act)
        opens = None if seat is None else self.opening(act, seat)

        def outcome(state: State) -> Outcome | None:
            values, held = state
            touched = touching(held, values) if held else (held, 0, ())
            found = None if touched is None else made(values, *touched[1:])
            if touched is None or found is None:
                return None
            fired, offences, after, again, call = found
            if not fired:
                return refused(state)
            left, opened = touched[0], _NO_RIGHTS
            if seat is not None and opens is not None and offences and (opened := opens(offences, values)):
                left = (*left, HeldCall(seat, None, None, opened, is_call=False))
            if again and not offences:
                place = max((at for at, c in enumerate(left) if c.caller == seat and c.before), default=None)
                return refused(state) if place is None else self._corrected(state, after, left, place, call)
            return self.finish(state, Verdict.IRREGULAR if offences else Verdict.LEGAL, offences, after, left, opened)

        def program(state: State) -> Outcome:
            if refuses is not None and refuses(state.values):
                return refused(state)
            return outcome(state) or self.declined(state, event)

        return program

    def _corrected(self, state: State, values: Any, held: Sequence[HeldCall], place: int, call: int) -> Outcome | None:
        """A held call is replaced: the table is as before it, the new call judged as if it alone had been made."""
        seat, before = held[place].caller, held[place].before
        assert before is not None
        if added := self.taken_back(held[place + 1 :], seat, values):
            values = add_writes(values, values, added, frozenset())
            if values is None:
                return None
        back = self.correct(before, values)
        judged = self.parts(Event(seat, self.machine.reader.kind_of(call), call)).judged(back, held[:place])
        if judged is None:
            return None
        offences, after, left, opened = judged
        if self._judgement:
            # A register that only the judging reads as it was keeps its present value.
            after = [*after]
            for slot in self._judgement:
                if after[slot] == back[slot]:
                    after[slot] = values[slot]
        mine = HeldCall(seat, call, back if self.remember is None else self.remember(back), opened)
        again = (*left, *other_acts(held[place + 1 :]), mine)
        return self.finish(state, Verdict.IRREGULAR if offences else Verdict.LEGAL, offences, after, again, opened)

    def _refused(self, event: Event) -> Program:
        """What becomes of a refused act: nothing, unless a law attaches something to the attempt."""
        refused = Verdict.REFUSED
        clauses = self.machine.reader.read_for(Step.REFUSED, event.name)
        if not clauses:
            return lambda state: (refused, (), state)
        act = self.clauses.act(event)
        made, touching = self.acts.made(Step.REFUSED, act, fires=True), self.holding.touching(Step.REFUSED, act)
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
                self.finish(state, refused, offences, after, touched[0], _NO_RIGHTS) if fired else (refused, (), state)
            )

        def program(state: State) -> Outcome:
            return outcome(state) or self.declined(state, event)

        return program

    # -- parts of acts -------------------------------------------------------------------------------------

    def finish(
        self,
        state: State,
        verdict: Verdict,
        offences: tuple[int, ...],
        after: Any,
        held: Sequence[HeldCall],
        opened: frozenset[Right],
    ) -> Outcome | None:
        """The end of an act: registers and rights that no longer matter fall away, and things happen of themselves."""
        values = self.fall(state.values, after)
        left = State(values, self.holding.settled(state.values, values, held, opened) if held else ())
        if verdict is Verdict.REFUSED and left == state:
            return verdict, offences, state
        if self._of_itself:
            settled = self._by_itself(left)
            return None if settled is None else (verdict, offences, settled)
        return verdict, offences, left

    def _by_itself(self, state: State) -> State | None:
        """The state after what happens of itself."""
        for _ in range(MOST_OF_THEMSELVES // 2):
            values, held = state
            acting = [(clause, actor(values)) for clause, test, actor in self._of_itself if test(values)]
            if not acting:
                return state
            if len(acting) > 1:
                return None
            ((clause, seat),) = acting
            happens = self._happening.get((clause.id, seat))
            if happens is None:
                happens = self._happening[clause.id, seat] = self.acts.happening(clause, seat, PASS)
            after = happens(values)
            if after is None:
                return None
            fallen = self.fall(values, after)
            state = State(fallen, self.holding.settled(values, fallen, held, _NO_RIGHTS) if held else ())
        return None

    def opening(self, act: Act, seat: int) -> Callable[[tuple[int, ...], Values], frozenset[Right]]:
        """A function that tells the rights which offences of an act open."""
        known: dict[tuple[int, ...], Callable[[Values], frozenset[Right]]] = {}

        def opens(offences: tuple[int, ...], values: Values) -> frozenset[Right]:
            found = known.get(offences)
            if found is None:
                found = known[offences] = self.rights.opened(act, seat, offences)
            return found(values)

        return opens

    def taken_back(self, later: Sequence[HeldCall], offender: int, values: Values) -> tuple[Added, ...]:
        """What is written because calls are taken back, for the sake of the offender's."""
        added: tuple[Added, ...] = ()
        for call in later:
            if call.call is not None and call.before is not None:
                taken = self.acts.taken_back(call.caller, call.call, offender)
                if taken is not None:
                    added += taken(values)
        return added

    def _acts_for(self, rights: frozenset[Right]) -> frozenset[str]:
        """The acts that some rights could be used by, whoever holds them."""
        found: set[str] = set()
        for right in rights:
            clause, remedy = self.machine.reader.remedy_of(right)
            waivers = self.machine.rights.waivers_of(clause)
            found.update(
                choice.act for choices in (remedy.choices, *(w.choices for w in waivers)) for choice in choices
            )
        self._acts_of[rights] = frozenset(found)
        return self._acts_of[rights]

    # -- questions -----------------------------------------------------------------------------------------

    def options(self, state: State) -> tuple[Option, ...]:
        """The remedies that somebody may choose, the newest call's first, as the machine lists them."""
        values, held = state
        found: list[Option] = []
        for at in range(len(held) - 1, -1, -1):
            call = held[at]
            for right in sorted(call.rights):
                clause, _ = self.machine.reader.remedy_of(right)
                for offer in self.rights.offers(call.caller, call.call, right):
                    if offer.holds is None or offer.holds(values):
                        asked = values
                        if offer.choice.puts_back:
                            if call.before is None:
                                continue
                            asked = self.put_back(call.before, values)
                        if offer.may is None or offer.may(asked):
                            found.append(
                                Option(
                                    offer.seat,
                                    offer.choice,
                                    offer.clause,
                                    clause,
                                    right.offence,
                                    call.caller,
                                    at,
                                    right,
                                )
                            )
        return tuple(found)
