"""Every difference that a recorded search found is one that a reader found in the texts: the list of differences has an
auction that some of the same clauses rule, or the finding is said to be one listed under another."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest
import yaml
from explored import FOLDER, LISTED, recorded
from test_differences import LISTED as DIFFERENCES
from test_differences import the_pair

from lawbook.auction import Auction
from lawbook.compare.ledger import Ledger
from lawbook.explore import searches
from lawbook.explore.plan import Plan
from lawbook.explore.product import Bounds, Search
from lawbook.explore.space import Space
from lawbook.loading import arguments_of, load
from lawbook.notation import parse_auction
from lawbook.values import Act, Bid

AS_LISTED: dict[str, Any] = yaml.safe_load((Path(FOLDER) / "as-listed.yaml").read_text(encoding="utf-8"))
Clauses = tuple[frozenset[str], frozenset[str]]


@functools.cache
def by_reader(first: str, second: str) -> dict[str, Clauses]:
    """The auctions listed for two codes, each with the clauses of either that its end turns on."""
    found = {}
    for section in ("auction", "deal"):
        for entry in DIFFERENCES[section]:
            for pair in (entry, *entry.get("likewise", ())):
                if pair["between"] == [first, second]:
                    ledger = the_pair(first, second, entry["auction"])
                    found[entry["auction"]] = clauses_at_the_end(ledger, 0), clauses_at_the_end(ledger, 1)
    return found


def clauses_at_the_end(ledger: Ledger, at: int) -> frozenset[str]:
    """The clauses that the last act's ruling rests on, that give the rights before and after it, and that end them."""
    auction, cell = ledger.auctions[at], ledger.rows[-1].cells[at]
    before = Auction(auction.edition, ledger.dealer)
    for row in ledger.rows[:-1]:
        if row.cells[at].happenings:
            before.act(row.act)
    found = {option.option.remedy.id for each in (before, auction) for option in each.options}
    for happening in (auction.happenings[place] for place in cell.happenings):
        found |= {clause.id for clause in happening.because}
        found |= {by for _, _, by in happening.ruling.lapsed}
        if happening.lapsed_by is not None:
            found.add(happening.lapsed_by)
    return frozenset(found)


@pytest.mark.parametrize("name", list(LISTED["pairs"]))
def test_what_is_found_is_listed(name: str) -> None:
    told = recorded(name)
    listed = by_reader(*told["editions"])
    known = AS_LISTED.get(name, {})
    unlisted = []
    for finding in told["findings"]:
        if "auction" not in finding:
            continue
        a, b = map(frozenset, finding["clauses"])
        # That a code lacks a denomination is said by no clause of either.
        if finding["auction"] in listed and not (a or b):
            continue
        if not any(a & ruling[0] or b & ruling[1] for ruling in listed.values()):
            unlisted.append(finding["auction"])
    assert sorted(unlisted) == sorted(known)
    assert {said["listed"] for said in known.values()} <= listed.keys()


@pytest.mark.parametrize("name", list(LISTED["pairs"]))
def test_the_acts_of_what_is_found_are_offered_together(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the searches that are made unless other acts are asked for offers all the acts that show a finding: none
    is out of sight because one act of it belongs with calls and another not."""
    told = recorded(name)
    a, b = map(load, told["editions"])
    offered: list[frozenset[str]] = []

    def nothing_found(one: Space, other: Space, *_: object) -> Search:
        offered.append(frozenset(offer.name for offer in one.offers))
        return Search(one, other, Bounds(0), finished=True)

    monkeypatch.setattr(searches, "search", nothing_found)
    assert list(searches.searches(a, b, Plan(bids=(Bid.parse("1S"),)), None))
    known = {**arguments_of(a), **arguments_of(b)}
    letters = {*a.letters_known.values()}
    out_of_sight = []
    for auction in [finding["auction"] for finding in told["findings"] if "auction" in finding]:
        tokens = parse_auction(auction, acts=known, letters=letters)
        names = {token.act.name for token in tokens if isinstance(token.act, Act) and token.act.call is None}
        if not any(names <= acts for acts in offered):
            out_of_sight.append(auction)
    assert out_of_sight == []
