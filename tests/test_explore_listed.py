"""The differences that a reader found in the texts are found by the search: the very act listed is one that it finds
the codes to part on, the laws listed are among the causes of what it finds in as many acts, and it is of the class
listed.

Each search offers the bids and acts of the listed auction and no others, and goes as many acts and irregularities deep.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from enumeration import searched
from explored import laws
from test_differences import LISTED, entries

from lawbook.auction import load
from lawbook.compare.bearers import clauses_of
from lawbook.compare.ledger import Ledger, ledger_of
from lawbook.explore.behaviour import compare_behaviour
from lawbook.explore.causes import Cause, Group, grouped, with_reasons_of_their_own
from lawbook.explore.kinds import kind_of
from lawbook.explore.offers import Offer, offers_of
from lawbook.explore.plan import Plan
from lawbook.explore.product import Divergence, Search
from lawbook.machine.ruling import Verdict
from lawbook.values import Act, Bid, Seat

# Entries whose laws are not among the causes found, with the reason.
BY_OTHER_LAWS: dict[str, str] = yaml.safe_load(
    (Path(__file__).parent / "good" / "explore" / "by-other-laws.yaml").read_text(encoding="utf-8")
)
# Entries that the search puts in another class than the reader did, with that class and the reason.
OTHER_CLASSES: dict[str, dict[str, str]] = yaml.safe_load(
    (Path(__file__).parent / "good" / "explore" / "other-classes.yaml").read_text(encoding="utf-8")
)


@dataclass(frozen=True, slots=True)
class Looked:
    """A search for what an auction shows, and the auction in its offers."""

    ledger: Ledger
    search: Search
    places: tuple[int, ...]

    @property
    def parting(self) -> Divergence | None:
        """What the search says of the last act of the auction, if the editions part on it and not before."""
        search = self.search
        parts_on = {(search.pairs[d.node], d.offer): d for d in search.divergences}
        first, second = search.pairs[0]
        for place in self.places[:-1]:
            if ((first, second), place) in parts_on:
                return None
            first = search.a.following(first).get(place, (None, first))[1]
            second = search.b.following(second).get(place, (None, second))[1]
        return parts_on.get(((first, second), self.places[-1]))


def looked(first: str, second: str, auction: str, declarer: bool = False) -> Looked:
    """Searches two editions with what an auction offers; who is to play is a difference where that is asked."""
    a, b = load(first), load(second)
    ledger = ledger_of([a, b], auction, Seat.N)
    acts = [row.act for row in ledger.rows]
    named = [act.call for act in acts] + [None if act.argument is None else _bid(act.argument) for act in acts]
    bids = dict.fromkeys(call for call in named if isinstance(call, Bid))
    offers = offers_of((a, b), bids, dict.fromkeys(act.name for act in acts if act.call is None))
    irregular = sum(_is_irregular(ledger, row) for row in range(len(acts) - 1))
    found = searched(a, b, offers, len(acts), declarer=declarer, most=irregular)
    turns = [Seat.N, *(row.cells[0].standing.turn or Seat.N for row in ledger.rows)]
    places = tuple(_place(act, turn, offers) for act, turn in zip(acts, turns, strict=False))
    return Looked(ledger, found, places)


def _bid(text: str) -> Bid | None:
    return Bid.parse(text) if text[:1].isdigit() else None


def _is_irregular(ledger: Ledger, row: int) -> bool:
    """Whether an act is irregular in either code."""
    cells = zip(ledger.auctions, ledger.rows[row].cells, strict=True)
    return any(
        cell.happenings and auction.happenings[cell.happenings[0]].verdict is Verdict.IRREGULAR
        for auction, cell in cells
    )


def _place(act: Act, turn: Seat, offers: tuple[Offer, ...]) -> int:
    """The place of an act among the offers; a bare call is made by the player in turn."""
    told = act if act.seat is not None else replace(act, seat=turn)
    if told.argument is not None and all(offer.call is None for offer in offers if offer.name == act.name):
        # No law asks which card it is, so that a search does not name it.
        told = replace(told, argument=None)
    return next(place for place, offer in enumerate(offers) if offer.act(turn.value) == told)


def cited(group: Group, search: Search) -> tuple[set[str], set[str]]:
    cause: Cause = group.cause
    return {*laws(clauses_of(search.a.edition, cause.a))}, {*laws(clauses_of(search.b.edition, cause.b))}


def kept(entry: Any) -> bool:
    """Whether an entry is of a first difference that the texts bring about."""
    return not {"same", "beyond", "not at hand"} & {*entry.values[0]}


# Of auctions listed as alike, or for a reading, those of more acts take a search too long.
MOST_ACTS = 4
FIRST = [entry for entry in entries("auction") if kept(entry)]
OWN = {f"{' '.join(entry['between'])}: {entry['auction']}" for entry in LISTED["auction"]}


def class_of(entry: dict[str, Any]) -> str:
    """The class that the search has to give an entry: the listed one, unless there is a reason for another."""
    given: str = OTHER_CLASSES.get(entry["auction"], entry)["class"]
    return given


def _only_if_thorough(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--thorough"):
        pytest.skip("some of them stand for all, unless --thorough is given")


@pytest.mark.parametrize("entry", FIRST)
def test_the_search_finds_what_is_listed(entry: dict[str, Any], request: pytest.FixtureRequest) -> None:
    name = f"{' '.join(entry['between'])}: {entry['auction']}"
    if len(entry["auction"].split()) > 1 and (sorted(OWN).index(name) % 3 if name in OWN else True):
        _only_if_thorough(request)
    found = looked(*entry["between"], entry["auction"])
    parting = found.parting
    assert parting is not None
    assert kind_of(parting, found.search).value == class_of(entry)
    groups = with_reasons_of_their_own(grouped(found.search), found.search)
    if len(found.places) == 1:
        # No auction is shorter, so that what several laws bring about together is told of as that.
        assert any(parting in group.divergences for group in groups)
    causes = [cited(group, found.search) for group in groups]
    by_them = any(a & set(entry["laws"][0]) or b & set(entry["laws"][1]) for a, b in causes)
    assert by_them is (name not in BY_OTHER_LAWS), causes


HOLDERS = [entry for entry in entries("auction", "deal") if kept(entry) and "other holder" in entry.values[0]["class"]]


@pytest.mark.parametrize("entry", HOLDERS)
def test_what_only_other_players_may_choose_is_told_as_that(entry: dict[str, Any]) -> None:
    found = looked(*entry["between"], entry["auction"])
    parting = found.parting
    assert parting is not None
    assert kind_of(parting, found.search).value == class_of(entry)


@pytest.mark.parametrize("entry", [pytest.param(e, id=e["auction"]) for e in LISTED["alike"]])
def test_the_search_finds_nothing_in_what_is_listed_as_alike(
    entry: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    if len(entry["auction"].split()) > MOST_ACTS:
        _only_if_thorough(request)
    found = looked(*entry["between"], entry["auction"])
    search = found.search
    parts_on = {(search.pairs[d.node], d.offer) for d in search.divergences}
    first, second = search.pairs[0]
    for place in found.places:
        assert ((first, second), place) not in parts_on
        first = search.a.following(first).get(place, (None, first))[1]
        second = search.b.following(second).get(place, (None, second))[1]


READINGS = [entry for entry in LISTED["readings"] if "auction" in entry]


@pytest.mark.parametrize("entry", [pytest.param(e, id=e["reading"]) for e in READINGS])
def test_the_search_finds_what_another_reading_changes(entry: dict[str, Any], request: pytest.FixtureRequest) -> None:
    if READINGS.index(entry) % 4 or len(entry["auction"].split()) > MOST_ACTS:
        _only_if_thorough(request)
    edition = entry["reading"].partition("@")[0]
    assert looked(edition, entry["reading"], entry["auction"], declarer=True).parting is not None


def test_whether_a_double_is_a_declaration_shows() -> None:
    """The bar of Law 50 stops a wrong redouble if it is a declaration: one irregular act deep, by the acts it needs."""
    a, b = load("whist-club-1912"), load("whist-club-1912@double-is-declaration=yes")
    plan = Plan(bids=(Bid.parse("2D"), Bid.parse("2H")), irregularities=1, acts=("penalise",), apart=False)
    behaviour = compare_behaviour(a, b, plan)
    witnesses = [f.witness for f in behaviour.findings if f.witness is not None]
    assert witnesses
    barred = [w for w in witnesses if w.acts[2].name == "penalise"]
    # The double itself is stopped only where it is wrong anyway: a lawful call shows nothing.
    for seen in barred:
        assert seen.a.verdict is seen.b.verdict is Verdict.IRREGULAR
    assert any("declares-while-debarred" in {o.name for o in w.b.offences} for w in barred)
