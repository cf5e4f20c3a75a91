"""Carried registers: one position of those that differ in nothing else is enough, and nothing is lost by it."""

from __future__ import annotations

import pytest

from lawbook.edition.model import Edition
from lawbook.explore.carried import carried
from lawbook.explore.offers import offers_of
from lawbook.explore.product import Bounds, Search, search
from lawbook.explore.space import Space, View
from lawbook.loading import load
from lawbook.machine.ruling import Verdict
from lawbook.values import Bid

BIDS = [Bid.parse(text) for text in ("1S", "8S")]
ACTS = ("make-final", "penalise")
EDITIONS = [
    ("whist-club-1912", "whist-club-1913"),
    ("whist-club-1912@make-final=as-doubled", "whist-club-1913@make-final=as-doubled"),
]


def _searched(a: Edition, b: Edition, registers: dict[str, frozenset[str]]) -> Search:
    offers = offers_of((a, b), BIDS, ACTS)
    return search(Space(a, offers), Space(b, offers), Bounds(1), carried=registers)


def _seen(found: Search) -> set[View]:
    """How the positions look that were gone on from."""
    return {found.a.view(found.pairs[node][0]) for node in found.gone_on_from}


def _parted(found: Search, left_out: frozenset[str]) -> set[object]:
    """Where the editions part, by the act and the registers, without some of them."""
    told: set[object] = set()
    for divergence in found.divergences:
        in_a, in_b = found.pairs[divergence.node]
        registers = {**found.a.registers(in_a)}, {**found.b.registers(in_b)}
        kept = tuple(tuple((k, v) for k, v in each.items() if k not in left_out) for each in registers)
        told.add((divergence.offer, kept))
    return told


def test_what_a_side_last_bid_itself_is_carried() -> None:
    a, b = load("whist-club-1912"), load("whist-club-1913")
    assert carried(a, b, ACTS) == {
        "last own bid": frozenset({"last bid"}),
        "last own bidder": frozenset({"last bidder"}),
    }
    # The laws ask which the last bid is, how often it is doubled, and who is in turn.
    assert not {"last bid", "doubling", "player in turn"} & carried(a, b, ACTS).keys()


def test_doubling_that_is_brought_back_is_carried_too() -> None:
    a, b = (load(f"{name}@make-final=as-doubled") for name in ("whist-club-1912", "whist-club-1913"))
    assert carried(a, b, ACTS)["last own doubling"] == frozenset({"doubling"})


@pytest.mark.parametrize("names", EDITIONS, ids=" ".join)
def test_fewer_positions_show_the_same(names: tuple[str, str]) -> None:
    a, b = map(load, names)
    registers = carried(a, b, ACTS)
    few, all_of_them = _searched(a, b, registers), _searched(a, b, {})
    assert few.finished
    assert all_of_them.finished
    assert not few.doubtful
    assert _parted(few, frozenset(registers)) == _parted(all_of_them, frozenset(registers))
    # What is made final may be any bid that it could be without, which is put together at the end.
    assert _seen(few) >= _seen(all_of_them)
    if registers:
        assert len(few.gone_on_from) < len(all_of_them.gone_on_from)
        assert few.supposed


def test_any_number_of_irregular_acts_with_one_open_at_once() -> None:
    a, b = load("whist-club-1912"), load("whist-club-1913")
    offers = offers_of((a, b), [Bid.parse("1S")], ("let-stand",))
    spaces = Space(a, offers), Space(b, offers)
    one, many = search(*spaces, Bounds(1)), search(*spaces, Bounds(1, 1))
    assert many.finished
    assert {(one.pairs[d.node], d.offer) for d in one.divergences} <= {
        (many.pairs[d.node], d.offer) for d in many.divergences
    }
    beyond = [node for node in many.gone_on_from if many.irregular[node] > 1]
    assert beyond
    assert all(many.a.open(many.pairs[n][0]) <= 1 and many.b.open(many.pairs[n][1]) <= 1 for n in beyond)
    # The auctions told of them are as irregular as is said.
    for node in beyond[:: len(beyond) // 20 or 1]:
        irregular = 0
        for here, offer in zip(many.nodes_to(node), many.path(node), strict=False):
            replies = (
                space.reply(state, offer) for space, state in zip((many.a, many.b), many.pairs[here], strict=True)
            )
            irregular += any(reply.verdict is Verdict.IRREGULAR for reply in replies)
        assert irregular > 1
