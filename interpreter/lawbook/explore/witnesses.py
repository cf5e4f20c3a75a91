"""Witnesses: the auctions that lead to differing acts, and whether such an act is the first on which editions part.

A search compares what its registers tell. Who would play the hand it asks only where it keeps who named a denomination
first, so that it may go on where editions have parted on just that. What follows is no difference of its own.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from lawbook.compare.findings import Witness, witness
from lawbook.explore.causes import Group
from lawbook.explore.product import Divergence, Search
from lawbook.values import Act, Seat


def witness_of(divergence: Divergence, found: Search) -> Witness:
    """The auction that leads to a differing act, and the act itself, as both editions rule on it."""
    dealer, acts = auction_to(divergence.node, divergence.offer, found)
    return witness(found.a.edition, found.b.edition, dealer, acts)


def auction_to(node: int, offer: int, found: Search) -> tuple[Seat, tuple[Act, ...]]:
    """Who deals, and the acts that lead to a node of a search, and one more."""
    acts: list[Act] = []
    turn = 0
    if not found.a.turned:
        # Places are seats, whoever is in turn, and there is a start for each dealer.
        acts = [found.a.offers[place].act(0) for place in (*found.path(node), offer)]
        return Seat(found.parents[found.nodes_to(node)[0]]), tuple(acts)
    nodes = found.nodes_to(node)
    for here, following in itertools.pairwise(nodes):
        done = found.offers[following]
        acts.append(found.a.offers[done].act(turn))
        turn = (turn + found.a.reply(found.pairs[here][0], done).moved) % 4
    return Seat.N, (*acts, found.a.offers[offer].act(turn))


class Firsts:
    """Which acts of a search are the first that the facade answers differently."""

    def __init__(self, found: Search) -> None:
        self._found = found
        self._parted: dict[int, bool] = {}

    def only(self, groups: list[Group]) -> list[Group]:
        """The groups without acts that others led to. As long as the shortest auction of each group has none before
        its last, no more is looked at."""
        if not any(self._is_late(group, 0) for group in groups):
            return groups
        left = []
        for group in groups:
            first = tuple(d for at, d in enumerate(group.divergences) if not self._is_late(group, at))
            if first:
                left.append(replace(group, divergences=first))
        return left

    def _is_late(self, group: Group, at: int) -> bool:
        return self._has_parted(group.divergences[at].node)

    def _has_parted(self, node: int) -> bool:
        for here in self._found.nodes_to(node)[1:]:
            known = self._parted.get(here)
            if known is None:
                known = self._parted[here] = self._differs(self._found.parents[here], self._found.offers[here])
            if known:
                return True
        return False

    def _differs(self, node: int, offer: int) -> bool:
        found = self._found
        return witness(found.a.edition, found.b.edition, *auction_to(node, offer, found)).differs
