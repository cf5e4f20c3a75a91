"""Bids that suffice: by brute force, no further bid shows a law anything that those chosen do not."""

from __future__ import annotations

import functools
import itertools

import pytest

from lawbook.auction import load
from lawbook.edition.model import Edition
from lawbook.explore.bids import Sufficient, all_bids, sufficient_bids
from lawbook.loading import call_number
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event, Ruling
from lawbook.machine.state import State
from lawbook.values import Bid

Acts = tuple[tuple[str, ...], ...]
ACTS = ("let-stand", "penalise")


def answers(edition: Edition, bids: tuple[Bid, ...]) -> set[Acts]:
    """Everything that three bids, each by the player in turn, are answered with: the verdict, the offences, the
    remedies then open, and what the next player may do of pass, double and redouble."""
    machine = Machine(edition, Evaluator)
    found: set[Acts] = set()
    known: dict[tuple[Bid, ...], tuple[State, Acts]] = {(): (machine.start(0), ())}
    for length in range(1, 4):
        for path in itertools.product(bids, repeat=length):
            state, told = known[path[:-1]]
            number = call_number(edition.universe, path[-1])
            turn = machine.evaluator.value(edition.interface.turn, state.values, {}) or 0
            ruling = machine.act(state, Event(turn, "bid", number))[-1]
            known[path] = ruling.state, (*told, _told(machine, ruling))
            if length == 3:
                found.add(known[path][1])
    return found


def _told(machine: Machine, ruling: Ruling) -> tuple[str, ...]:
    offences = [machine.edition.offences[offence].name for offence in ruling.offences]
    options = sorted(f"{option.seat} {option.choice.act}" for option in machine.options(ruling.state))
    return (ruling.verdict.value, *offences, *options)


@functools.cache
def sufficient(name: str) -> Sufficient:
    return sufficient_bids((load(name),), ACTS)


@pytest.mark.parametrize("name", ["whist-club-1912", "portland-bath-1908", "whist-club-1913"])
def test_no_other_bid_is_answered_otherwise(name: str, request: pytest.FixtureRequest) -> None:
    if name != "whist-club-1912" and not request.config.getoption("--thorough"):
        pytest.skip("one of the codes stands for all, unless --thorough is given")
    edition, found = load(name), sufficient(name)
    assert found.all_shown
    assert len(found.bids) < len(all_bids(edition)) // 2
    # One level of every denomination more than is chosen, and what cannot be bid: brute force over all takes too long.
    others = [bid for bid in all_bids(edition) if bid.level in (1, 8)]
    more = tuple(dict.fromkeys((*found.bids, *others)))
    assert answers(edition, tuple(found.bids)) == answers(edition, more)


def test_fewer_show_less_and_what_they_show_is_told() -> None:
    """None of those chosen can be left out: one fewer, the most telling ones, do not show everything."""
    edition = load("whist-club-1912")
    found = sufficient("whist-club-1912")
    fewer = sufficient_bids((edition,), ACTS, len(found.bids) - 1)
    assert len(fewer.bids) < len(found.bids)
    assert fewer.shown < fewer.relations == found.relations
    assert not fewer.all_shown
