"""A space: the states that one edition can reach, each made once, with what every offered act does there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from lawbook.edition.model import EVERY_CALL, Edition, Step
from lawbook.errors import LawbookError
from lawbook.explore.bearing import bearing
from lawbook.explore.forgetting import Forgetting, corrects
from lawbook.explore.held import HeldCalls
from lawbook.explore.nothing_open import NothingOpen
from lawbook.explore.offers import Offer
from lawbook.explore.points import Points, asked_to_choose, points_of, puts_back, scoring
from lawbook.explore.turning import Turning
from lawbook.loading import calls_of, machine_of
from lawbook.machine.dependence import reading
from lawbook.machine.evaluate import Values
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event, Option, Program, Ruling, Verdict
from lawbook.machine.state import HeldCall, State
from lawbook.values import Call

Following: TypeAlias = "dict[int, tuple[Reply, int]]"


@dataclass(frozen=True, slots=True)
class Reply:
    """What an edition says of one act: the verdict, the offences by name, points scored (side counted from the player
    in turn, column, points), and how many seats the turn has moved. `conflict` where it gives no ruling: its clauses
    contradict each other, never end, or ask for what is not there."""

    verdict: Verdict
    offences: tuple[str, ...] = ()
    points: Points = ()
    moved: int = 0
    conflict: bool = False


@dataclass(frozen=True, slots=True)
class Choosable:
    """A remedy that may be chosen: who may, by which act, for which offence of whom (seats counted from the player in
    turn)."""

    holder: int
    act: str
    offence: str
    offender: int

    def counted_on(self, seats: int) -> Choosable:
        """The same with the seats counted so many further to the left."""
        return Choosable((self.holder + seats) % 4, self.act, self.offence, (self.offender + seats) % 4)


@dataclass(frozen=True, slots=True)
class View:
    """How a state looks from outside: remedies that may be chosen, who is debarred (seats from the player in turn), how
    the auction stands, and what would be played: the call, the doubling, and, if it is asked for, by whom."""

    choosable: frozenset[Choosable]
    debarred: frozenset[int]
    status: str
    contract: Call | None
    doubling: int
    declarer: int | None

    def counted_on(self, seats: int) -> View:
        """The same with every seat counted so many further to the left."""
        return replace(
            self,
            choosable=frozenset(choice.counted_on(seats) for choice in self.choosable),
            debarred=frozenset((seat + seats) % 4 for seat in self.debarred),
            declarer=None if self.declarer is None else (self.declarer + seats) % 4,
        )


REFUSED: Final = Reply(Verdict.REFUSED)
"""What is said of an act that nobody can do, though a law may attach something to the attempt, and of one that the
edition does not know."""

# Equal replies and views are one object, whichever edition gives them, so that a search compares them by identity.
_REPLIES: Final[dict[Reply, Reply]] = {REFUSED: REFUSED}
_VIEWS: Final[dict[View, View]] = {}


class Space:
    """The states of one edition under some offers. States are numbered in the order in which they are met.

    They are turned so that North is in turn, unless the edition is one that tells seats apart; then the places of the
    offers are the seats themselves. Registers that no ruling on the offers depends on are left out of them, unless
    they are to be `whole`.
    """

    def __init__(
        self,
        edition: Edition,
        offers: Sequence[Offer],
        declarer: bool = False,
        *,
        turned: bool = True,
        whole: bool = False,
    ) -> None:
        self.edition = edition
        self.turned = turned
        self.offers = tuple(offers)
        self.machine: Machine = machine_of(edition)
        kept = frozenset(edition.registers)
        if not whole:
            kept = bearing(edition, (offer.name for offer in offers), declarer)
        self.left_out = frozenset(r.name for r in edition.registers.values() if r.name not in kept and not r.per_right)
        self.turning = Turning(edition, self.machine.evaluator, self.left_out)
        forgetting = None
        if not corrects(edition, (offer.name for offer in offers)):
            starts = [self.machine.start(dealer).values for dealer in range(4)]
            forgetting = Forgetting(edition, self.machine.rights, kept, starts)
        self.held_calls = HeldCalls(self.turning, forgetting)
        self.states: list[State] = []
        self._asks_declarer = declarer
        self._numbers: dict[State, int] = {}
        self._following: list[Following | None] = []
        self._views: list[View | None] = []
        self._standings: dict[Values, View] = {}
        self._looks: dict[tuple[int, ...], View] = {}
        self._counted: dict[tuple[int, int], View] = {}
        self._events = tuple(offer.event(edition) for offer in offers)
        self._swift = self.machine.swift
        self._scoring, scoring_refused = scoring(edition)
        self._points: dict[object, Points] = {}
        self._asked_to_score = {
            name: reading(edition, asked_to_choose(edition, name))
            for name in self._scoring - scoring_refused
            # Where calls score, what happens of itself may score as well.
            if not self._scoring & EVERY_CALL and edition.acts[name].chooses and not puts_back(edition, name)
        }
        self._programs = {
            place: (event, None if event.name in scoring_refused else self._swift.program(event))
            for place, event in enumerate(self._events)
            if event is not None
        }
        # Where nothing is open nothing can be chosen, and all that is left is what a law attaches to the attempt.
        attempts = {
            act
            for clause in edition.clauses
            if clause.trigger is not None and clause.trigger.step is Step.REFUSED
            for act in clause.trigger.acts
        }
        chosen = {name for name, word in edition.acts.items() if word.chooses} - attempts
        self._without_choices = {place for place, (event, _) in self._programs.items() if event.name not in chosen}
        # What scores is asked of the machine.
        plain = {
            place: event
            for place, (event, program) in self._programs.items()
            if program is not None and event.name not in self._scoring and not _is_choice(edition, event.name)
        }
        self._nothing_open = NothingOpen(
            edition, self._swift, plain, self.turning, turned, self.held_calls, self._of, self._plain_reply
        )
        self._outcomes: dict[tuple[int, int], tuple[Reply, int]] = {}
        self._replies: dict[object, Reply] = {}

    def under(self, edition: Edition) -> Space:
        """The states of another edition under the same offers, told apart and turned as those of this one are."""
        return Space(edition, self.offers, self._asks_declarer, turned=self.turned)

    def start(self, dealer: int = 0) -> int:
        """The number of the state before the first act."""
        return self.number(self.machine.start(dealer))

    def number(self, state: State) -> int:
        """The number of a state, turned so that North is in turn, if states are turned at all."""
        quarter = self.turning.turn(state.values) if self.turned else 0
        values = self.turning.values(state.values, quarter)
        return self._of(State(values, self.held_calls.turned(state.held, quarter) if state.held else ()))

    def _of(self, turned: State) -> int:
        found = self._numbers.get(turned)
        if found is None:
            found = self._numbers[turned] = len(self.states)
            self.states.append(turned)
            self._following.append(None)
            self._views.append(None)
        return found

    def bare(self, number: int) -> int:
        """The same table with nothing open."""
        values, held = self.states[number]
        return self._of(State(values)) if held else number

    def beside(self, number: int, *held: HeldCall) -> int:
        """The same table with these calls open to a remedy, each as some state of this space has it."""
        return self._of(State(self.states[number].values, held))

    def following(self, number: int) -> Following:
        """What the edition says of the offers in a state, and the state each leaves, by the offer's place in the list;
        those that are refused and change nothing are left out."""
        found = self._following[number]
        if found is None:
            before = self.states[number]
            places = self._programs.keys() if before.held else self._without_choices
            found = {} if before.held else self._nothing_open.following(before.values)
            for place in places - found.keys():
                reply, after = self.done(before, place)
                if reply is not REFUSED or after is not None:
                    found[place] = reply, number if after is None else self.number(after)
            said = [(place, *found[place]) for place in sorted(found)]
            found = {place: (reply, left) for place, reply, left in said if reply is not REFUSED or left != number}
            self._following[number] = found
        return found

    def outcome(self, number: int, offer: int) -> tuple[Reply, int]:
        """What the edition says of one offer in a state, and the state it leaves."""
        following = self._following[number]
        if following is not None:
            return following.get(offer, (REFUSED, number))
        found = self._outcomes.get((number, offer))
        if found is None:
            reply, after = self.done(self.states[number], offer)
            found = self._outcomes[number, offer] = reply, number if after is None else self.number(after)
        return found

    def done(self, before: State, offer: int) -> tuple[Reply, State | None]:
        """What the edition says of an offer in a state that need not be one of the space, and what it leaves; None
        where that is the state itself."""
        known = self._programs.get(offer)
        if known is None:
            return REFUSED, None
        reply, after = self._ruled(before, self.turning.turn(before.values), *known)
        return reply, None if after is before else after

    def about(self, state: State, offer: int) -> HeldCall | None:
        """The open call that an offer would be a choice about in a state, unless something refuses it; None if it would
        be about none."""
        event = self._events[offer]
        if event is None or not _is_choice(self.edition, event.name):
            return None
        at = self._swift.about(state, event)
        return None if at is None else state.held[at]

    def settling(self, offer: int, about: HeldCall) -> tuple[tuple[str, bool, bool], ...]:
        """What is settled by an offer under the rights against one call, in the order in which it is looked for: the
        offence, whether the oldest that is open comes first, and whether it outlasts the choice of something else."""
        event = self._events[offer]
        if event is None or not _is_choice(self.edition, event.name):
            return ()
        offences = self.edition.offences
        return tuple((offences[one.offence].name, *one[1:]) for one in self._swift.settling(event, about))

    def settled(self, state: State, offer: int, at: int, last: bool) -> State | None:
        """What an offer leaves if it is a choice about the call held at a place, as it would be if nothing else were
        open; if it is to be the `last` that it could mean, that alone. None where it cannot be told."""
        event = self._events[offer]
        return None if event is None else self._swift.settled(event, state, at, last)

    def _ruled(self, before: State, turn: int, event: Event, program: Program | None) -> tuple[Reply, State]:
        points: Points = ()
        try:
            # Points are no part of a state, so only the machine tells them.
            told = program is None
            if program is not None:
                verdict, offences, after = program(before)
                told = verdict is not Verdict.REFUSED and event.name in self._scoring
            if told and program is not None and event.name in self._asked_to_score:
                points = self._scored(before, event)
            elif told:
                rulings = self.machine.act(before, event)
                verdict, offences, after = rulings[0].verdict, rulings[0].offences, rulings[-1].state
                points = points_of(rulings)
        except LawbookError:
            return _one(Reply(Verdict.REFUSED, conflict=True)), before
        if verdict is Verdict.REFUSED and not offences and (after is before or after == before):
            return REFUSED, before
        return self._reply(verdict, offences, points, (self.turning.turn(after.values) - turn) % 4), after

    def _scored(self, before: State, event: Event) -> Points:
        """What is scored by a choice that puts nothing back: asked once for all states that have alike what it asks."""
        rights = tuple((call.caller, call.call, call.rights) for call in before.held)
        key = event, self._asked_to_score[event.name](before.values), rights
        found = self._points.get(key)
        if found is None:
            found = self._points[key] = points_of(self.machine.act(before, event))
        return found

    def _plain_reply(self, verdict: Verdict, offences: tuple[int, ...], moved: int) -> Reply:
        return self._reply(verdict, offences, (), moved)

    def _reply(self, verdict: Verdict, offences: tuple[int, ...], points: Points, moved: int) -> Reply:
        key = (verdict, offences, points, moved)
        found = self._replies.get(key)
        if found is None:
            # The order in which an edition has its clauses is nothing that it says.
            names = tuple(sorted(self.edition.offences[offence].name for offence in offences))
            found = self._replies[key] = _one(Reply(verdict, names, points, moved))
        return found

    def open(self, number: int) -> int:
        """How many acts are open to a remedy in a state."""
        return sum(1 for call in self.states[number].held if call.rights)

    def reply(self, number: int, offer: int) -> Reply:
        """What the edition says of an offer in a state."""
        return self.following(number).get(offer, (REFUSED, number))[0]

    def rulings(self, number: int, offer: int) -> tuple[Ruling, ...]:
        """The rulings on an offer in a state, with all that is to be said of them; none where the edition does not know
        the act or gives no ruling."""
        event = self._events[offer]
        try:
            return () if event is None else self.machine.act(self.states[number], event)
        except LawbookError:
            return ()

    def registers(self, number: int) -> dict[str, tuple[int | None, ...]]:
        """The values of the registers in a state, each with one for every member it is kept for; without those that are
        left out."""
        values = self.states[number].values
        return {
            name: values[register.slot : register.slot + register.size]
            for name, register in self.edition.registers.items()
            if not register.per_right and name not in self.left_out
        }

    def view(self, number: int) -> View:
        """How a state looks from outside."""
        found = self._views[number]
        if found is None:
            found = self._views[number] = self._view(self.states[number])
        return found

    def seen(self, after: int, reply: Reply) -> View:
        """How a state that an act with this reply has left looks, seats counted from the player who was in turn before
        the act."""
        view = self.view(after)
        if not self.turned or reply.moved == 0:
            return view
        # Views are never given up, so that one can be told by where it is.
        key = id(view), reply.moved
        found = self._counted.get(key)
        if found is None:
            found = self._counted[key] = view.counted_on(reply.moved)
        return found

    def _view(self, state: State) -> View:
        standing = self._standings.get(state.values)
        if standing is None:
            made = self._standing(state.values)
            standing = self._standings[state.values] = _VIEWS.setdefault(made, made)
        options = self._swift.options(state) if state.held else ()
        if not options:
            return standing
        # Neither views nor options are ever given up, so that they can be told by where they are.
        key = id(standing), *map(id, options)
        found = self._looks.get(key)
        if found is None:
            made = replace(standing, choosable=frozenset(map(self._choosable, options)))
            found = self._looks[key] = _VIEWS.setdefault(made, made)
        return found

    def _standing(self, values: Values) -> View:
        """How a state looks but for the remedies that may be chosen."""
        interface, evaluator = self.edition.interface, self.machine.evaluator
        contract = evaluator.value(interface.contract, values, {})
        declarer = None
        if self._asks_declarer and contract is not None:
            declarer = evaluator.value(interface.declarer, values, {})
        return View(
            frozenset(),
            frozenset(seat for seat in range(4) if evaluator.truth(interface.debarred, values, {"that": seat})),
            self.edition.universe.enumerations["status"][evaluator.value(interface.status, values, {}) or 0],
            None if contract is None else calls_of(self.edition)[contract],
            evaluator.value(interface.doubling, values, {}) or 0,
            declarer,
        )

    def _choosable(self, option: Option) -> Choosable:
        return Choosable(option.seat, option.choice.act, self.edition.offences[option.offence].name, option.offender)


def _one(reply: Reply) -> Reply:
    return _REPLIES.setdefault(reply, reply)


def _is_choice(edition: Edition, act: str) -> bool:
    return act in edition.acts and edition.acts[act].chooses
