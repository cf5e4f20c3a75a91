"""No edition differs from itself: read twice, its clauses in another order, and searched although the hashes agree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.edition.store import fetch
from lawbook.explore.behaviour import compare_behaviour
from lawbook.explore.carried import carried
from lawbook.explore.offers import offers_of
from lawbook.explore.product import Bounds, Budget, search
from lawbook.explore.space import Space
from lawbook.explore.turning import alike_all_round
from lawbook.values import Bid

SHIPPED = sorted(Library.shipped().edition_files())
BIDS = tuple(Bid.parse(text) for text in ("1H", "2S"))
# Remedies that the codes know; others would make more states than an ordinary run has time for.
ACTS = ("accept", "let-stand", "new-deal", "penalise", "points", "refuse")
ENOUGH = 800


def twice(name: str) -> tuple[Edition, Edition]:
    """An edition, read and put together once more with its clauses the other way round."""
    a, b = (fetch(name, Library.shipped()) for _ in range(2))
    assert a is not b
    return a, replace(b, clauses=tuple(reversed(b.clauses)))


@pytest.mark.parametrize("name", SHIPPED)
def test_an_edition_read_twice_is_the_same(name: str, request: pytest.FixtureRequest) -> None:
    most = 20_000 if request.config.getoption("--thorough") else ENOUGH
    a, b = twice(name)
    assert a.hash == b.hash
    assert not compare_behaviour(a, b).differ
    acts = [act for act in ACTS if act in a.acts]
    offers, turned = offers_of((a, b), BIDS, acts), alike_all_round(a)
    one, other = Space(a, offers, declarer=True, turned=turned), Space(b, offers, declarer=True, turned=turned)
    for registers in (carried(a, b, acts), {}):
        found = search(one, other, Bounds(1), Budget(pairs=most), carried=registers)
        assert found.divergences == []
        assert not found.doubtful
        assert found.finished or len(found.pairs) > most
        assert all(one.states[first] == other.states[second] for first, second in found.pairs)
