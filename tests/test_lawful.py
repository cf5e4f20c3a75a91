"""Lawful play as a graph: it says what the machine says, and its counts equal enumeration and closed formulas."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import resources

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawbook.auction import Auction, call_number, load, machine_of
from lawbook.machine.lawful import Lawful, count
from lawbook.values import Bid

EDITIONS = ("portland-bath-1908", "whist-club-1912", "whist-club-1913")


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


def test_the_command() -> None:
    command = [sys.executable, "-m", "lawbook", "count", "whist-club-1912", "--bids", "1C,1D", "--json"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    schema = json.loads(resources.files("lawbook").joinpath("schemas/count.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(told, schema)
    assert told["auctions"] == str((22**2 - 1) // 3)
