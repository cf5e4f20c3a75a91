"""Lawful play as a graph: it says what the machine says, and its counts equal enumeration and closed formulas."""

from __future__ import annotations

import functools
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cli import lawbook_command, validate

from lawbook.auction import Auction, call_number, calls_of, load, machine_of
from lawbook.edition.library import Library
from lawbook.machine.lawful import Lawful, Place, count
from lawbook.machine.machine import Machine
from lawbook.machine.moving import Moving
from lawbook.machine.ruling import Event
from lawbook.machine.state import State
from lawbook.values import Bid

EDITIONS = tuple(sorted(Library.shipped().edition_files()))


def numbers(name: str, *bids: str) -> list[int]:
    found = [call_number(load(name).universe, Bid.parse(bid)) for bid in bids]
    return [number for number in found if number is not None]


def enumerated(auction: Auction, bids: set[str]) -> tuple[int, int]:
    """Every lawful auction one by one, by the facade."""
    if not auction.is_open:
        return 1, 0
    total, longest = 0, 0
    for call in auction.legal_calls:
        if isinstance(call, Bid) and str(call) not in bids:
            continue
        auction.act(call)
        below, deep = enumerated(auction, bids)
        auction.undo()
        total, longest = total + below, max(longest, deep + 1)
    return total, longest


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("bids", [("7N",), ("1C", "1H"), ("3S", "1C")])
def test_a_count_of_few_bids_equals_enumeration(name: str, bids: tuple[str, ...]) -> None:
    graph = Lawful(machine_of(load(name)), numbers(name, *bids))
    assert count(graph.start(0)) == enumerated(Auction(name), set(bids))


@pytest.mark.parametrize(("name", "denominations"), [("portland-bath-1908", 5), ("whist-club-1912", 6)])
def test_the_count_of_all_bids_equals_the_formula(name: str, denominations: int) -> None:
    """Each set of bids is made in one order; twenty-one ways lead from a bid to the next, seven from the last to the
    end. The dealer must bid, so there is no opening pass."""
    bids = 7 * denominations
    assert count(Lawful(machine_of(load(name))).start(0)) == ((22**bids - 1) // 3, 9 * bids + 1)


@pytest.mark.parametrize("name", EDITIONS)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_places_know_the_calls_that_the_machine_rules_legal(name: str, data: st.DataObject) -> None:
    auction = Auction(name, data.draw(st.sampled_from("NESW")))
    place = Lawful(machine_of(auction.edition)).start(int(auction.dealer))
    for _ in range(12):
        assert [call_number(auction.edition.universe, c) for c in auction.legal_calls] == list(place.legal)
        if not auction.is_open:
            assert not place.is_open
            break
        assert int(auction.turn_of_next) == place.turn
        call = data.draw(st.sampled_from(auction.legal_calls))
        auction.act(call)
        number = call_number(auction.edition.universe, call)
        assert number is not None
        place = place.after(number)


@pytest.mark.parametrize("name", EDITIONS)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_places_lead_where_the_machine_leads(name: str, data: st.DataObject) -> None:
    """What is found clause by clause is what a trial of every call and a ruling on each says."""
    machine = machine_of(load(name))
    graph = graph_of(name)
    every = range(len(calls_of(load(name))))
    place = graph.start(data.draw(st.integers(0, 3)))
    for _ in range(12):
        state = State(place.values)
        tried = [call for call in every if machine.legal(state, event_of(machine, place, call))]
        assert list(place.legal) == (tried if place.is_open else [])
        if not place.is_open:
            break
        call = data.draw(st.sampled_from(place.legal))
        rulings = machine.act(state, event_of(machine, place, call))
        assert rulings[0].verdict.value == "legal"
        assert graph.after(place, call) is graph.place_of(rulings[-1].state.values)
        for other in data.draw(st.lists(st.sampled_from(every), max_size=3)):
            ruling = machine.act(state, event_of(machine, place, other))[0]
            assert graph.offences_at(place, other) in (None, ruling.offences)
        place = place.after(call)


@functools.cache
def graph_of(name: str) -> Lawful:
    return Lawful(machine_of(load(name)))


def event_of(machine: Machine, place: Place, call: int) -> Event:
    return Event(place.turn, machine.reader.kind_of(call), call)


@pytest.mark.parametrize("name", EDITIONS)
def test_the_machine_is_hardly_ever_asked_where_a_call_leads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done clause by clause must not decline for no reason: it would be right and slow."""
    found: list[bool] = []
    after = Moving.after

    def noted(self: Moving, *told: Any) -> Any:
        moved = after(self, *told)
        found.append(moved is not None)
        return moved

    monkeypatch.setattr(Moving, "after", noted)
    chance = random.Random(3)
    graph = Lawful(machine_of(load(name)))
    for number in range(20):
        place = graph.start(number % 4)
        while place.is_open:
            place = place.after(chance.choice(place.legal))
    assert len(found) > 50
    assert all(found)


def test_the_command() -> None:
    status, out, error = lawbook_command("count", "whist-club-1912", "--bids", "1C,1D", "--json")
    assert (status, error) == (0, "")
    told = json.loads(out)
    validate(told, "count")
    assert told["auctions"] == str((22**2 - 1) // 3)
