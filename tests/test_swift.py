"""The swift machine rules as the machine does that walks trees, on every shipped edition and acts of every kind."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from lawbook.auction import load
from lawbook.edition.library import Library
from lawbook.edition.model import CALL_KINDS, Edition
from lawbook.errors import LawbookError
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.machine import LACKING, Machine
from lawbook.machine.ruling import Event
from lawbook.machine.state import State
from lawbook.machine.swift import Swift

EDITIONS = sorted(Library.shipped().edition_files())
ACTS = 1500


class Walk:
    """Random acts from one reachable state to the next, more of them irregular than not."""

    def __init__(self, edition: Edition, seed: int) -> None:
        self.machine = Machine(edition, Evaluator)
        self._chance = random.Random(seed)
        universe = edition.universe
        self._calls = range(universe.bid(universe.levels, len(universe.denominations) - 1) + 1)

    def call(self, seat: int) -> Event:
        chance = self._chance
        call = chance.choice([0, 0, 0, 1, 2, *chance.sample(self._calls[3:], 3)])
        return Event(seat, CALL_KINDS[min(call, 3)], call)

    def act(self, state: State) -> Event:
        edition, chance = self.machine.edition, self._chance
        seats = (0, 1, 2, 3)
        options = self.machine.options(state)
        draw = chance.random()
        if options and draw < 0.3:
            option = chance.choice(options)
            return Event(option.seat, option.choice.act)
        if draw < 0.55 or not edition.acts:
            turn = self.machine.evaluator.value(edition.interface.turn, state.values, {})
            return self.call(turn if turn is not None and chance.random() < 0.6 else chance.choice(seats))
        if draw < 0.56:
            return Event(chance.choice(seats), LACKING)
        act = chance.choice(list(edition.acts.values()))
        seat = chance.choice((*seats, None))
        return Event(seat, act.name, None, chance.choice(self._calls) if "call" in act.argument else None)

    def acts(self, number: int) -> Iterator[tuple[State, Event]]:
        while number > 0:
            state = self.machine.start(self._chance.randrange(4))
            for _ in range(self._chance.randint(2, 24)):
                event = self.act(state)
                number -= 1
                yield state, event
                try:
                    state = self.machine.act(state, event)[-1].state
                except LawbookError:
                    break


@pytest.mark.parametrize("name", EDITIONS)
def test_it_rules_as_the_machine_that_walks_trees(name: str) -> None:
    edition = load(name)
    walk = Walk(edition, seed=len(name))
    swift = Swift(Machine(edition))
    for state, event in walk.acts(ACTS):
        assert swift.options(state) == walk.machine.options(state)
        try:
            expected = walk.machine.act(state, event)
        except LawbookError as error:
            with pytest.raises(type(error)):
                swift.step(state, event)
        else:
            assert swift.step(state, event) == (expected[0].verdict, expected[0].offences, expected[-1].state)
