"""Two editions side by side: the shadows of what they do, random auctions under both, and what the shadows must show.

A position with several rights open parts where the table parts or one of the rights does, so what it shows is made up
of what shadows show: the same said of the act, or, where both say the same, each remedy that only one edition lets be
chosen after it. What they both say then is that of one of the tables that the right cannot tell apart.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from lawbook.edition.model import Edition
from lawbook.explore.bearing import together
from lawbook.explore.bystanders import follows_rights_apart
from lawbook.explore.carried import carried
from lawbook.explore.forgetting import corrects_calls
from lawbook.explore.leave import Leave
from lawbook.explore.meeting import Shadows
from lawbook.explore.offers import offers_of
from lawbook.explore.product import Bounds, Budget, Divergence, Search, Way, search, way_to_part
from lawbook.explore.shadows import shadows
from lawbook.explore.space import REFUSED, Space
from lawbook.explore.turning import alike_all_round
from lawbook.machine.ruling import Verdict
from lawbook.values import Bid

# So long is a random auction at most.
_ACTS_LONG: Final = 15
_IRREGULAR_MORE_OFTEN: Final = 3


@dataclass
class Both:
    """Two editions, the spaces of some offers, and what is found of their shadows."""

    a: Space
    b: Space
    carried: dict[str, frozenset[str]]
    found: Shadows = field(default_factory=Shadows)

    def search(self, bounds: Bounds, pairs: int | None = None) -> Search:
        return search(self.a, self.b, bounds, Budget(pairs), carried=self.carried)


def first_acts(a: Edition, b: Edition) -> tuple[str, ...]:
    """The acts that a plan offers first."""
    return tuple(act for act in sorted(together(a, b)) if not corrects_calls(a, act) and not corrects_calls(b, act))


def both(
    a: Edition,
    b: Edition,
    bids: str,
    acts: tuple[str, ...] | None = None,
    most: int | None = None,
    leaves: tuple[Leave, Leave] | None = None,
) -> Both:
    """The shadows of two editions, with the acts that a plan offers first unless others are named."""
    acts = first_acts(a, b) if acts is None else acts
    assert follows_rights_apart(a, acts)
    assert follows_rights_apart(b, acts)
    offers = offers_of((a, b), [Bid.parse(bid) for bid in bids.split()], acts)
    turned = alike_all_round(a) and alike_all_round(b)
    made_of = Both(Space(a, offers, turned=turned), Space(b, offers, turned=turned), carried(a, b, acts))
    made_of.found = shadows(made_of.a, made_of.b, Budget(most), None, made_of.carried, leaves)
    return made_of


class Covered:
    """Which ways to part are made up of those that shadows show."""

    def __init__(self, ways: Iterable[Way]) -> None:
        self._said: set[object] = set()
        self._only: tuple[set[object], set[object]] = (set(), set())
        for offer, reply, other, only_a, only_b, unlike, contract in ways:
            self._said.add((offer, reply, other, unlike, contract))
            for known, only in zip(self._only, (only_a, only_b), strict=True):
                known.update((offer, choosable) for choosable in only)  # type: ignore[attr-defined]

    def __contains__(self, way: Way) -> bool:
        offer, reply, other, only_a, only_b, unlike, contract = way
        if reply is not other or unlike or contract:
            return (offer, reply, other, unlike, contract) in self._said
        return all(
            (offer, choosable) in known
            for known, only in zip(self._only, (only_a, only_b), strict=True)
            for choosable in only  # type: ignore[attr-defined]
        )


@dataclass
class Walks:
    """Random auctions: how they part, each way with the shortest auction that was met, and how many calls were open."""

    ways: dict[Way, list[int]] = field(default_factory=dict)
    shown: dict[Way, tuple[tuple[int, int], Divergence]] = field(default_factory=dict)
    opened: Counter[int] = field(default_factory=Counter)


def walked(here: Both, number: int) -> Walks:
    """Random auctions, seeded: both editions take the same acts until they part, irregular ones more often; at each
    position every offer is looked at."""
    found = Walks()
    looked: dict[tuple[int, int], tuple[list[tuple[int, tuple[int, int]]], list[float]]] = {}
    for seed in range(number):
        chance = random.Random(seed)
        dealer = 0 if here.a.turned else seed % 4
        pair, path = (here.a.start(dealer), here.b.start(dealer)), []
        for _ in range(_ACTS_LONG):
            found.opened[max(here.a.open(pair[0]), here.b.open(pair[1]))] += 1
            if pair not in looked:
                looked[pair] = _looked_at(here, pair, path, found)
            going_on, weights = looked[pair]
            if not going_on:
                break
            offer, pair = chance.choices(going_on, weights)[0]
            path = [*path, offer]
    return found


def _looked_at(
    here: Both, pair: tuple[int, int], path: list[int], found: Walks
) -> tuple[list[tuple[int, tuple[int, int]]], list[float]]:
    """What the editions agree on, and how often it is to be gone on with."""
    in_a, in_b = here.a.following(pair[0]), here.b.following(pair[1])
    going_on: list[tuple[int, tuple[int, int]]] = []
    weights: list[float] = []
    for offer in {**in_a, **in_b}:
        reply, after_a = in_a.get(offer, (REFUSED, pair[0]))
        other, after_b = in_b.get(offer, (REFUSED, pair[1]))
        if reply is not other or here.a.view(after_a) is not here.b.view(after_b):
            parting = Divergence(0, offer, after_a, after_b)
            way = way_to_part(here.a, here.b, pair, parting)
            if way not in found.ways or len(found.ways[way]) > len(path):
                found.ways[way] = [*path, offer]
                found.shown[way] = pair, parting
        elif not reply.conflict and (after_a, after_b) != pair:
            going_on.append((offer, (after_a, after_b)))
            ends = here.a.view(after_a).status != here.a.view(pair[0]).status
            irregular = reply.verdict is Verdict.IRREGULAR
            weights.append(_IRREGULAR_MORE_OFTEN if irregular else 1 / _IRREGULAR_MORE_OFTEN if ends else 1)
    return going_on, weights


def missed(here: Both, ways: dict[Way, list[int]]) -> list[tuple[list[str], Way]]:
    """The auctions that part in a way that no shadows make up."""
    covered = Covered(here.found.ways)
    found = [([str(here.a.offers[at]) for at in path], way) for way, path in ways.items() if way not in covered]
    return sorted(found, key=lambda one: len(one[0]))


def searched_ways(found: Search) -> dict[Way, list[int]]:
    return {
        way_to_part(found.a, found.b, found.pairs[d.node], d): [*found.path(d.node), d.offer] for d in found.divergences
    }
