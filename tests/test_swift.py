"""The swift machine rules as the machine does that walks trees: in shipped editions and in random ones, on acts of
every kind, from reachable states, most of them irregular."""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from random_editions import RandomEdition
from thorough import examples

from lawbook.auction import load
from lawbook.edition.library import Library
from lawbook.edition.model import (
    CALL_KINDS,
    Assign,
    Edition,
    FateKind,
    JudgeAgain,
    Kind,
    LapseRight,
    LetStand,
    Move,
    PutBack,
    Score,
    StandAs,
    Step,
    TakeBack,
    TakeBackEarlier,
)
from lawbook.errors import LawbookError
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.machine import LACKING, PATIENCE, Machine
from lawbook.machine.ruling import Event, Ruling, Verdict
from lawbook.machine.state import Conflict, State, slots_of
from lawbook.machine.swift import Swift
from lawbook.machine.swift.alone import ActsAlike, Alone

EDITIONS = sorted(Library.shipped().edition_files())
SHIPPED_ACTS, RANDOM_ACTS, RANDOM_EDITIONS = examples(1700, 5000), 100, examples(28, 100)


class Watched(Machine):
    """A machine that tells whether it was asked."""

    asked = False

    def act(self, state: State, event: Event) -> tuple[Ruling, ...]:
        self.asked = True
        return super().act(state, event)


@dataclass
class Seen:
    """What happened on walks: verdicts by kind of act, and how often an act was handed over to the machine."""

    acts: Counter[tuple[str, Verdict]] = field(default_factory=Counter)
    parts: Counter[object] = field(default_factory=Counter)
    names: set[tuple[str, int | None]] = field(default_factory=set)
    of_itself: int = 0
    conflicts: int = 0
    handed_over: int = 0
    done: int = 0


class Walk:
    """Random acts from one reachable state to the next, each ruled on twice."""

    def __init__(self, edition: Edition, seed: int) -> None:
        self.machine = Machine(edition, Evaluator)
        self.watched = Watched(edition)
        self.swift = Swift(self.watched)
        self._chance = random.Random(seed)
        universe = edition.universe
        self._calls = range(universe.bid(universe.levels, len(universe.denominations) - 1) + 1)

    def _call(self, seat: int) -> Event:
        chance = self._chance
        call = chance.choice([0, 0, 0, 1, 2, *chance.sample(self._calls[3:], 4)])
        return Event(seat, CALL_KINDS[min(call, 3)], call)

    def _act(self, state: State) -> Event:
        """Some act: often a remedy that is open, or a call out of turn; every act of the edition comes up."""
        edition, chance = self.machine.edition, self._chance
        options = self.machine.options(state)
        assert self.swift.options(state) == options
        seats, draw = (0, 1, 2, 3), chance.random()
        if options and draw < 0.25:
            option = chance.choice(options)
            return Event(option.seat, option.choice.act)
        if draw < 0.6:
            turn = self.machine.evaluator.value(edition.interface.turn, state.values, {}) or 0
            return self._call(turn if chance.random() < 0.6 else chance.choice(seats))
        if draw < 0.61:
            return Event(chance.choice(seats), LACKING)
        seat, acts = chance.choice((*seats, None)), list(edition.acts.values())
        callers = [call.caller for call in state.held if call.before is not None]
        if callers and draw < 0.7:
            # Who has called may put it right.
            seat = chance.choice(callers)
            acts = [act for act in acts if "call" in act.argument] or acts
        act = chance.choice(acts)
        takes = act.argument == "call" or (act.argument == "optional call" and chance.random() < 0.5)
        return Event(seat, act.name, None, chance.choice(self._calls) if takes else None)

    def go(self, number: int, seen: Seen) -> None:
        for state, event in self._acts(number):
            self.watched.asked = False
            expected = _answer(functools.partial(self.machine.act, state, event))
            answer = _answer(functools.partial(self.swift.step, state, event))
            if isinstance(expected, LawbookError):
                assert (type(answer), str(answer)) == (type(expected), str(expected)), event
                seen.conflicts += isinstance(expected, Conflict)
                continue
            assert answer == (expected[0].verdict, expected[0].offences, expected[-1].state), event
            self._note(event, expected, seen)
            self._state = expected[-1].state

    def _acts(self, number: int) -> Iterator[tuple[State, Event]]:
        for at in range(number):
            if at % 20 == 0:
                self._state = self.machine.start(self._chance.randrange(4))
            yield self._state, self._act(self._state)

    def _note(self, event: Event, rulings: tuple[Ruling, ...], seen: Seen) -> None:
        act = self.machine.edition.acts.get(event.name)
        kind = "call" if act is None else "choice" if act.chooses else "talk"
        seen.acts[kind, rulings[0].verdict] += 1
        seen.names.add((event.name, event.seat))
        seen.of_itself += len(rulings) > 1
        seen.handed_over += self.watched.asked
        seen.done += 1
        for clause in (c for ruling in rulings for c in ruling.fired):
            seen.parts.update(type(effect) for effect in clause.effects)
            seen.parts.update(
                [clause.kind, (clause.each_right, None if clause.trigger is None else clause.trigger.step)]
            )
            if clause.fate is not None:
                seen.parts[clause.fate.kind] += 1
        chosen = rulings[0].chosen
        if chosen is not None:
            seen.parts.update(type(effect) for effect in chosen.choice.effects)
            seen.parts.update([Kind.REMEDY, chosen.clause.kind])


def _answer(asked: Callable[[], Any]) -> Any:
    """An answer, or why there is none."""
    try:
        return asked()
    except LawbookError as error:
        return error


@pytest.mark.parametrize("name", EDITIONS)
def test_shipped_editions(name: str) -> None:
    seen = Seen()
    walk = Walk(load(name), seed=len(name))
    walk.go(SHIPPED_ACTS, seen)
    assert {act for act, _ in seen.names} >= {*walk.machine.edition.acts, *CALL_KINDS}
    assert {seat for _, seat in seen.names} == {0, 1, 2, 3, None}
    for kind in ("call", "choice", "talk"):
        assert seen.acts[kind, Verdict.LEGAL] > 10
    for kind in ("call", "talk"):
        assert seen.acts[kind, Verdict.IRREGULAR] > 10
    # Hardly anything is left to the machine.
    assert seen.handed_over <= seen.done * 0.01


def test_random_editions() -> None:
    seen = Seen()
    puts_back: set[PutBack] = set()
    for seed in range(RANDOM_EDITIONS):
        edition = RandomEdition(seed).make()
        puts_back |= {register.put_back for register in edition.registers.values()}
        Walk(edition, seed).go(RANDOM_ACTS, seen)
    # Every kind of clause fired, in every step of an act, for each right where that can be, with every effect and fate.
    kinds = {Kind.PROCEDURE, Kind.PROHIBITION, Kind.ENTITLEMENT, Kind.REMEDY, Kind.WAIVER}
    steps = {(False, step) for step in (Step.BEFORE, Step.MADE, Step.STANDS, Step.TAKEN_BACK, Step.REFUSED)}
    steps |= {(True, step) for step in (Step.BEFORE, Step.MADE, Step.REFUSED)}
    effects = {Assign, Move, Score, StandAs, TakeBack, TakeBackEarlier, LetStand, JudgeAgain, LapseRight}
    assert seen.parts.keys() >= kinds | steps | effects | set(FateKind)
    assert puts_back == set(PutBack)
    assert seen.of_itself > 5
    assert seen.conflicts > 50
    for kind in ("call", "choice", "talk"):
        assert seen.acts[kind, Verdict.LEGAL] > 50
        assert seen.acts[kind, Verdict.IRREGULAR] > 30
        assert seen.acts[kind, Verdict.REFUSED] > 30
    assert seen.handed_over < seen.done * 0.1


class Tables:
    """The tables of a walk with nothing open, and what is said there of acts by what was found at others."""

    def __init__(self, edition: Edition, seed: int) -> None:
        self._walk = Walk(edition, seed)
        self._swift = self._walk.swift
        calls = [Event(seat, CALL_KINDS[min(call, 3)], call) for seat in range(4) for call in (0, 1, 2, 6, 20)]
        talk = [act.name for act in edition.acts.values() if not act.chooses and act.argument != "call"]
        said = [Event(seat, name) for name in talk for seat in (0, 1, 2, 3, None)]
        self._events = dict(enumerate([*calls, *said]))
        self._known: list[tuple[ActsAlike, dict[object, dict[int, Alone | None]]]]
        self._known = [(acts, {}) for acts in self._swift.alone(self._events)]
        self.found_elsewhere = self.alike = self.open = 0

    def go(self, number: int) -> None:
        """Compare, at each table, what was found at the first that the acts read alike with what is so."""
        for state, event in self._walk._acts(number):
            for acts, known in self._known:
                read = acts.read(state.values)
                self.found_elsewhere += read in known
                if read not in known:
                    known[read] = dict(acts.rulings(state.values))
                for place, ruling in known[read].items():
                    if ruling is not None:
                        self._compare(ruling, State(state.values), self._events[place])
            answer = _answer(functools.partial(self._swift.step, state, event))
            self._walk._state = state if isinstance(answer, LawbookError) else answer[2]

    def _compare(self, ruling: Alone, before: State, event: Event) -> None:
        left = list(before.values)
        for slot, value in ruling.written:
            left[slot] = value
        if self._swift.happens(tuple(left)):
            return
        verdict, offences, after = self._swift.step(before, event)
        assert (ruling.verdict, ruling.offences, tuple(left)) == (verdict, offences, after.values), event
        held = () if ruling.held is None else (ruling.held,)
        assert [call._replace(before=None) for call in held] == [call._replace(before=None) for call in after.held]
        for one, other in zip(held, after.held, strict=True):
            # It was made at this very table.
            assert (one.before is None) == (other.before is None)
            if other.before is not None:
                stays = slots_of(self._walk.machine.edition, frozenset(PutBack) - {PutBack.NEVER})
                assert [other.before[slot] for slot in stays] == [before.values[slot] for slot in stays]
        self.alike += 1
        self.open += bool(held)


@pytest.mark.parametrize("name", EDITIONS)
def test_where_nothing_is_open_one_table_tells_for_all_that_are_read_alike(name: str) -> None:
    tables = Tables(load(name), seed=len(name))
    tables.go(120)
    assert tables.found_elsewhere > 20
    assert tables.alike > 1000


def test_one_table_tells_for_others_in_random_editions() -> None:
    alike = found_elsewhere = opened = 0
    for seed in range(RANDOM_EDITIONS):
        tables = Tables(RandomEdition(seed).make(), seed)
        tables.go(RANDOM_ACTS)
        alike += tables.alike
        found_elsewhere += tables.found_elsewhere
        opened += tables.open
    assert alike > 1000
    assert found_elsewhere > 50
    assert opened > 50


def test_an_act_that_comes_up_often_has_a_program() -> None:
    machine = Machine(load("whist-club-1912"))
    state, event = machine.start(0), Event(0, "pass", 0)
    programs = [machine.program(event) for _ in range(PATIENCE + 2)]
    assert programs[:PATIENCE] == [None] * PATIENCE
    assert programs[-2] is programs[-1] is not None
    (ruling,) = machine.act(state, event)
    assert programs[-1](state) == (ruling.verdict, ruling.offences, ruling.state)


def test_a_refused_act_that_changes_nothing_leaves_the_very_state() -> None:
    swift = Swift(Machine(load("whist-club-1912")))
    state = swift.machine.start(0)
    assert swift.step(state, Event(1, "penalise"))[2] is state
