"""The search for auctions, and the truth tables of conditions."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from lawbook.auction import Auction
from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.language import core
from lawbook.loading import load, machine_of
from lawbook.machine.evaluate import Bound, Values
from lawbook.machine.ruling import Ruling
from lawbook.machine.tables import Tables, TooMany, Unguarded
from lawbook.search import Root, Walk, few_bids, notation, shortened, shortest

FILES = Path(__file__).parent / "good" / "invented"
LIBRARY = Library((FILES / "laws", data_folder("laws")), (FILES / "editions",))
TINKERS = load("tinkers-1801", LIBRARY)


def _offences(rulings: tuple[Ruling, ...]) -> set[str]:
    return {TINKERS.offences[offence].name for offence in rulings[0].offences}


@pytest.mark.parametrize(
    "offence, acts",
    [("jumping-in", 1), ("underbid", 2), ("overreach", 1), ("grumbles", 2), ("speaks-while-muted", 3)],
)
def test_a_shortest_auction(offence: str, acts: int) -> None:
    found = shortest(TINKERS, lambda rulings: offence in _offences(rulings), most_acts=50_000)
    assert found is not None
    assert len(found) == acts
    auction = Auction(TINKERS)
    auction.play(notation(TINKERS, found))
    assert offence in [TINKERS.offences[o].name for o in auction.happenings[-1].ruling.offences]


def test_nothing_is_found_within_too_few_acts() -> None:
    assert shortest(TINKERS, lambda rulings: "underbid" in _offences(rulings), most_acts=3) is None


def test_a_walk_without_bids_sees_all_there_is() -> None:
    """Five passes end it; nobody is ever muted, and no bid stands."""
    walk = Walk(TINKERS, bids=[], most_acts=50_000)
    rulings = [step.rulings for step in walk]
    assert walk.is_whole
    assert walk.tried == len(rulings)
    status = TINKERS.registers["status"].slot
    assert {r[-1].state.values[status] for r in rulings} == {0, 2}
    assert not any(r[0].verdict.value == "legal" and r[0].event.name == "double" for r in rulings)
    cut_short = Walk(TINKERS, bids=[], most_acts=10)
    assert len(list(cut_short)) == cut_short.tried == 10
    assert not cut_short.is_whole


def test_a_walk_from_elsewhere_tells_the_whole_auction() -> None:
    machine = machine_of(TINKERS)
    first = next(iter(Walk(TINKERS)))
    root = Root(first.rulings[-1].state, first.acts)
    step = next(iter(Walk(TINKERS, [root], machine=machine)))
    assert step.acts[:1] == first.acts
    assert len(step.acts) == 2


def test_what_is_not_needed_is_left_out() -> None:
    acts = tuple(range(8))
    assert shortened(acts, lambda kept: {2, 7} <= set(kept)) == (2, 7)  # type: ignore[arg-type]


def test_the_bids_that_are_offered_are_bids() -> None:
    for edition in (TINKERS, load("whist-club-1912")):
        bids = few_bids(edition)
        assert len(set(bids)) == len(bids)
        assert {edition.universe.level(bid) for bid in bids} >= {1, 7, 8}


# -- truth tables ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bidding-ends", "nothing-to-double", "own-side", "too-high", "jumps-in"])
def test_a_table_has_just_the_answers_of_the_whole_product(name: str) -> None:
    """Every value of every register that is read, with everything that is bound: the same two answers, or the one."""
    clause = TINKERS.by_id[name]
    tables = Tables.of(clause, TINKERS)
    evaluator = tables.evaluator
    found = {bool(answer) for answer in tables.cases(lambda v, b: evaluator.truth(clause.condition, v, b))}
    slots = ("last bid", "last bidder", "doubling", "passes", "player in turn")
    domains: dict[str, list[int | None]] = {
        "last bid": [None, 3, 17],
        "last bidder": [None, 0, 1, 2, 3],
        "doubling": [0, 1],
        "passes": [*range(6)],
        "player in turn": [0, 1, 2, 3],
    }
    start = list(machine_of(TINKERS).start(0).values)
    every = set()
    for values in itertools.product(*(domains[slot] for slot in slots)):
        if (values[0] is None) != (values[1] is None):
            continue
        for slot, value in zip(slots, values, strict=True):
            start[TINKERS.registers[slot].slot] = value
        for caller, bid in itertools.product(range(4), (3, 17, 26)):
            bound = {"caller": caller, "call": bid, "bid": bid}
            every.add(evaluator.truth(clause.condition, tuple(start), bound))
    assert found == every


def test_a_table_that_is_too_large_or_asks_for_what_is_missing_says_so() -> None:
    clause = TINKERS.by_id["too-low"]
    tables = Tables.of(clause, TINKERS)

    def asked(values: Values, bound: Bound) -> bool:
        return tables.evaluator.truth(clause.condition, values, bound)

    with pytest.raises(TooMany):
        list(tables.cases(asked, 50))
    assert {True, False} == set(tables.cases(asked))
    assert isinstance(clause.condition, core.All)
    without_guard = core.All(clause.condition.parts[1:])
    with pytest.raises(Unguarded):
        list(tables.cases(lambda values, bound: tables.evaluator.truth(without_guard, values, bound)))
