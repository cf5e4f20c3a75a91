"""The product search: two editions take the same acts side by side, breadth first, until they differ.

A pair of states is gone on from only while both editions have said the same all the way there and look the same from
outside. What would follow a difference is its consequence, and is not searched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lawbook.explore.space import REFUSED, Space
from lawbook.machine.ruling import Verdict

# How many pairs are gone on from between two looks at the clock.
_STRIDE: Final = 256
# In place of the offer by which the start was reached.
_START: Final = -1


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a search may take: pairs of states, and seconds; None for as much as it needs."""

    pairs: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come: irregular acts allowed, acts deep, pairs gone on from, pairs met, differing acts."""

    irregularities: int | None
    depth: int
    done: int
    met: int
    differing: int


@dataclass(frozen=True, slots=True)
class Divergence:
    """An act that two editions part on: the node it is done at, the offer's place, and the states it would leave."""

    node: int
    offer: int
    after_a: int
    after_b: int


@dataclass(slots=True)
class Search:
    """What a search has found so far.

    The first nodes are the starts, one for each dealer if seats are told apart, else one; every node is a pair of
    states, with the node and offer it was first reached by and the irregular acts on the way.
    """

    a: Space
    b: Space
    irregularities: int | None
    beyond: bool = False
    pairs: list[tuple[int, int]] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offers: list[int] = field(default_factory=list)
    irregular: list[int] = field(default_factory=list)
    divergences: list[Divergence] = field(default_factory=list)
    gone_on_from: list[int] = field(default_factory=list)
    transitions: int = 0
    depth: int = 0
    # Whether an act was left out because it would have been one irregular act too many.
    bounded: bool = False
    # Whether the frontier was emptied.
    finished: bool = False
    stopped_by: str | None = None

    @property
    def complete(self) -> bool:
        """Whether every pair that can be reached by the offers was gone on from."""
        return self.finished and not self.bounded

    def after(self, whole: Search) -> Search:
        """This search, cut short, with what a shallower one that was not has found first: its nodes and differing acts
        are those of the whole one, followed by what only this one found."""
        known = {(whole.pairs[d.node], d.offer) for d in whole.divergences}
        deeper = [d for d in self.divergences if (self.pairs[d.node], d.offer) not in known]
        shift = len(whole.pairs)
        whole.divergences += [Divergence(d.node + shift, d.offer, d.after_a, d.after_b) for d in deeper]
        whole.parents += [parent + shift for parent in self.parents]
        whole.gone_on_from += [node + shift for node in self.gone_on_from]
        whole.pairs += self.pairs
        whole.offers += self.offers
        whole.irregular += self.irregular
        whole.stopped_by = self.stopped_by
        return whole

    def path(self, node: int) -> list[int]:
        """The offers that lead to a node, by their places."""
        return [self.offers[on_the_way] for on_the_way in self.nodes_to(node)[1:]]

    def nodes_to(self, node: int) -> list[int]:
        """The nodes on the way to a node, the start first, itself last."""
        found = [node]
        while self.offers[node] != _START:
            node = self.parents[node]
            found.append(node)
        return found[::-1]


def search(
    a: Space,
    b: Space,
    irregularities: int | None = None,
    budget: Budget = Budget(),
    progress: Callable[[Progress], None] | None = None,
    beyond: bool = False,
) -> Search:
    """Search two editions side by side, from the start, with at most so many irregular acts (None: any number). With
    `beyond` it goes on after a difference in ruling where the table looks alike all the same.

    An interrupt (Ctrl-C) ends the search and keeps what it has found.
    """
    found = Search(a, b, irregularities, beyond)
    best: dict[tuple[int, int], int] = {}
    deadline = None if budget.seconds is None else time.monotonic() + budget.seconds

    def meet(pair: tuple[int, int], parent: int, offer: int, irregular: int) -> None:
        best[pair] = irregular
        found.pairs.append(pair)
        found.parents.append(parent)
        found.offers.append(offer)
        found.irregular.append(irregular)
        layer.append(len(found.pairs) - 1)

    layer: list[int] = []
    for dealer in range(1 if a.turned else 4):
        meet((a.start(dealer), b.start(dealer)), dealer, _START, 0)
    try:
        while layer:
            # Reached again in as many acts, by fewer irregular ones: that is the node to go on from. One that is only
            # reached so by more acts is gone on from a second time then, for this one has the shortest way.
            here = [node for node in layer if best[found.pairs[node]] >= found.irregular[node]]
            layer = []
            found.depth += 1
            for at, node in enumerate(here):
                if at % _STRIDE == 0:
                    if progress is not None:
                        progress(
                            Progress(
                                irregularities, found.depth, len(found.gone_on_from), len(best), len(found.divergences)
                            )
                        )
                    found.stopped_by = _exhausted(budget, deadline, len(best))
                    if found.stopped_by is not None:
                        return found
                _go_on(found, node, best, meet)
        found.finished = True
    except KeyboardInterrupt:
        found.stopped_by = "it was interrupted"
    return found


def _go_on(
    found: Search,
    node: int,
    best: dict[tuple[int, int], int],
    meet: Callable[[tuple[int, int], int, int, int], None],
) -> None:
    a, b = found.a, found.b
    first, second = pair = found.pairs[node]
    irregular = found.irregular[node]
    in_a, in_b = a.following(first), b.following(second)
    found.gone_on_from.append(node)
    for offer, (reply, after_a) in in_a.items():
        found.transitions += 1
        other, after_b = in_b.get(offer, (REFUSED, second))
        alike = a.view(after_a) is b.view(after_b)
        if reply is not other or not alike:
            found.divergences.append(Divergence(node, offer, after_a, after_b))
            if not (found.beyond and alike and reply.moved == other.moved):
                continue
        after = (after_a, after_b)
        if after == pair or reply.conflict or other.conflict:
            continue
        count = irregular + (Verdict.IRREGULAR in (reply.verdict, other.verdict))
        if _is_known(found, best.get(after), count):
            continue
        if found.irregularities is not None and count > found.irregularities:
            found.bounded = True
            continue
        meet(after, node, offer, count)
    for offer, (reply, after_b) in in_b.items():
        if offer not in in_a:
            found.transitions += 1
            if reply is not REFUSED or a.view(first) is not b.view(after_b):
                found.divergences.append(Divergence(node, offer, first, after_b))
            elif after_b != second and not _is_known(found, best.get((first, after_b)), irregular):
                meet((first, after_b), node, offer, irregular)


def _is_known(found: Search, best: int | None, count: int) -> bool:
    """Whether a pair was met by no more irregular acts; how many does not matter where there may be any number."""
    return best is not None and (found.irregularities is None or best <= count)


def _exhausted(budget: Budget, deadline: float | None, pairs: int) -> str | None:
    if budget.pairs is not None and pairs > budget.pairs:
        return f"it had met {budget.pairs:,} pairs of states"
    if deadline is not None and time.monotonic() > deadline:
        return "its time was over"
    return None


def distinct(found: Search) -> Iterator[int]:
    """The nodes that were gone on from, one for each pair of states."""
    seen: set[tuple[int, int]] = set()
    for node in found.gone_on_from:
        if found.pairs[node] not in seen:
            seen.add(found.pairs[node])
            yield node
