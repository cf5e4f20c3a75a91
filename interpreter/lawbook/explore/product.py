"""The product search: two editions take the same acts side by side, breadth first, until they differ.

A pair of states is gone on from only while both editions have said the same all the way there and look the same from
outside. What would follow a difference is its consequence, and is not searched. Of pairs that are the same but for
registers that the laws only carry (see carried.py), one is gone on from.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from lawbook.explore.carried import Key, Sameness
from lawbook.explore.space import REFUSED, Space
from lawbook.explore.uncollected import uncollected
from lawbook.machine.ruling import Verdict

Way: TypeAlias = tuple[object, ...]
"""How two editions part on an act."""

# How many pairs are gone on from between two looks at the clock.
_STRIDE: Final = 256
# Why a search ends before its end.
INTERRUPTED: Final = "it was interrupted"
OUT_OF_TIME: Final = "its time was over"
# In place of the offer by which the start was reached.
_START: Final = -1


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a search may take: pairs of states, seconds, and memory of the whole process in MiB, as far as the
    system tells it; None for as much as it needs."""

    pairs: int | None = None
    seconds: float | None = None
    memory: int | None = None

    def spent(self, deadline: float | None, met: int, what: str) -> str | None:
        """Why a search ends that has met so many of what it counts, and has until then; None if it may go on."""
        if self.pairs is not None and met > self.pairs:
            return f"it had met more {what} than {self.pairs:,}"
        if deadline is not None and time.monotonic() > deadline:
            return OUT_OF_TIME
        if self.memory is not None and memory_in_use() > self.memory:
            return f"it had taken {self.memory:,} MiB of memory"
        return None


@dataclass(frozen=True, slots=True)
class Bounds:
    """How irregular the auctions may be: with at most so many irregular acts, or else with any number of them as long
    as no more than so many are open to a remedy at once. None for `irregularities` is any number and nothing else; None
    for `open_at_once` adds no other auctions."""

    irregularities: int | None = None
    open_at_once: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come: how irregular it may be, acts deep, pairs gone on from, pairs met, differing acts."""

    bounds: Bounds
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
    bounds: Bounds
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
    # Nodes that stand for positions which, as far as is known, some auction leads to, though not the one told of them.
    supposed: set[int] = field(default_factory=set)
    # Whether some positions were lost sight of: a supposed one differs as no other does, or the editions carry
    # different values.
    doubtful: bool = False
    # Whether the frontier was emptied.
    finished: bool = False
    stopped_by: str | None = None

    @property
    def interrupted(self) -> bool:
        """Whether it was ended from outside: by an interrupt, or because its time was over."""
        return self.stopped_by in (INTERRUPTED, OUT_OF_TIME)

    @property
    def complete(self) -> bool:
        """Whether every pair that can be reached by the offers was gone on from, or one that is the same."""
        return self.finished and not self.bounded and not self.doubtful

    def after(self, whole: Search) -> Search:
        """This search, cut short, with what a shallower one that was not has found first: its nodes and differing acts
        are those of the whole one, followed by what only this one found."""
        known = {(whole.pairs[d.node], d.offer) for d in whole.divergences}
        deeper = [d for d in self.divergences if (self.pairs[d.node], d.offer) not in known]
        shift = len(whole.pairs)
        whole.divergences += [Divergence(d.node + shift, d.offer, d.after_a, d.after_b) for d in deeper]
        # A start comes from no node: what stands there is who deals.
        whole.parents += [p if self.is_start(node) else p + shift for node, p in enumerate(self.parents)]
        whole.gone_on_from += [node + shift for node in self.gone_on_from]
        whole.supposed |= {node + shift for node in self.supposed}
        whole.pairs += self.pairs
        whole.offers += self.offers
        whole.irregular += self.irregular
        whole.stopped_by = self.stopped_by
        return whole

    def ways(self) -> dict[Way, tuple[tuple[int, int], Divergence]]:
        """The ways in which the editions part, each with the first pair of states that shows it."""
        found: dict[Way, tuple[tuple[int, int], Divergence]] = {}
        for divergence in self.divergences:
            pair = self.pairs[divergence.node]
            found.setdefault(way_to_part(self.a, self.b, pair, divergence), (pair, divergence))
        return found

    def path(self, node: int) -> list[int]:
        """The offers that lead to a node, by their places."""
        return [self.offers[on_the_way] for on_the_way in self.nodes_to(node)[1:]]

    def is_start(self, node: int) -> bool:
        """Whether a node is where an auction begins; its parent is then no node but the number of the dealer."""
        return self.offers[node] == _START

    def nodes_to(self, node: int) -> list[int]:
        """The nodes on the way to a node, the start first, itself last."""
        found = [node]
        while not self.is_start(node):
            node = self.parents[node]
            found.append(node)
        return found[::-1]


def search(
    a: Space,
    b: Space,
    bounds: Bounds = Bounds(),
    budget: Budget = Budget(),
    progress: Callable[[Progress], None] | None = None,
    beyond: bool = False,
    carried: Mapping[str, frozenset[str]] | None = None,
) -> Search:
    """Search two editions side by side, from the start, as far as the bounds allow. With `beyond` it goes on after a
    difference in ruling where the table looks alike all the same. `carried` are registers whose values need not be
    told apart.

    An interrupt (Ctrl-C) ends the search and keeps what it has found.
    """
    with uncollected():
        return _Searching(a, b, bounds, budget, progress, beyond, carried or {}).run()


class _Searching:
    """A search while it goes on."""

    def __init__(
        self,
        a: Space,
        b: Space,
        bounds: Bounds,
        budget: Budget,
        progress: Callable[[Progress], None] | None,
        beyond: bool,
        carried: Mapping[str, frozenset[str]],
    ) -> None:
        self._found = Search(a, b, bounds, beyond)
        self._budget = budget
        self._deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        self._progress = progress
        self._sameness = Sameness(a, b, carried)
        self._keys: list[Key] = []
        # The fewest irregular acts by which each pair was met.
        self._best: dict[Key, int] = {}
        self._layer: list[int] = []
        # One pair for each way in which carried values get to where laws ask about them, and the node it came from.
        self._releases: dict[Key, tuple[tuple[int, int], int, int]] = {}
        # How the editions part in positions that are only supposed to be reached.
        self._unsure: set[Way] = set()
        self._most = bounds.irregularities

    def run(self) -> Search:
        """The search, as far as it comes."""
        found = self._found
        for dealer in range(1 if found.a.turned else 4):
            self._meet((found.a.start(dealer), found.b.start(dealer)), dealer, _START, 0)
        try:
            while self._layer or self._release():
                # Reached again in as many acts, by fewer irregular ones: that is the node to go on from. One that is
                # only reached so by more acts is gone on from a second time then, for this one has the shortest way.
                here = [node for node in self._layer if self._best[self._keys[node]] >= found.irregular[node]]
                self._layer = []
                found.depth += 1
                for at, node in enumerate(here):
                    if at % _STRIDE == 0:
                        self._tell()
                        found.stopped_by = self._budget.spent(self._deadline, len(self._best), "pairs of states")
                        if found.stopped_by is not None:
                            return found
                    self._go_on(node)
            found.finished = True
            found.doubtful = found.doubtful or self._is_doubtful()
        except KeyboardInterrupt:
            found.stopped_by = INTERRUPTED
        return found

    def _tell(self) -> None:
        found = self._found
        if self._progress is not None:
            self._progress(
                Progress(found.bounds, found.depth, len(found.gone_on_from), len(self._best), len(found.divergences))
            )

    def _meet(self, pair: tuple[int, int], parent: int, offer: int, irregular: int, supposed: bool = False) -> None:
        """Meet a pair, unless one that is the same was met by no more irregular acts."""
        found = self._found
        key = self._sameness.key(pair)
        best = self._best.get(key)
        # How many irregular acts there were does not matter where there may be any number.
        if best is not None and (self._most is None or best <= irregular):
            return
        if self._most is not None and irregular > self._most and not self._may_be_open(pair):
            found.bounded = True
            return
        self._best[key] = irregular
        self._keys.append(key)
        if supposed:
            found.supposed.add(len(found.pairs))
        self._layer.append(len(found.pairs))
        found.pairs.append(pair)
        found.parents.append(parent)
        found.offers.append(offer)
        found.irregular.append(irregular)

    def _may_be_open(self, pair: tuple[int, int]) -> bool:
        most, found = self._found.bounds.open_at_once, self._found
        return most is not None and found.a.open(pair[0]) <= most and found.b.open(pair[1]) <= most

    def _go_on(self, node: int) -> None:
        found = self._found
        a, b = found.a, found.b
        first, second = pair = found.pairs[node]
        supposed = node in found.supposed
        in_a, in_b = a.following(first), b.following(second)
        found.gone_on_from.append(node)
        for offer in {**in_a, **in_b}:
            found.transitions += 1
            reply, after_a = in_a.get(offer, (REFUSED, first))
            other, after_b = in_b.get(offer, (REFUSED, second))
            alike = a.view(after_a) is b.view(after_b)
            if reply is not other or not alike:
                self._part(node, offer, after_a, after_b)
                if not (found.beyond and alike and reply.moved == other.moved):
                    continue
            after = (after_a, after_b)
            if after != pair and not reply.conflict and not other.conflict:
                count = found.irregular[node] + (Verdict.IRREGULAR in (reply.verdict, other.verdict))
                if self._most is not None:
                    # All that go further are bounded alike.
                    count = min(count, self._most + 1)
                self._meet(after, node, offer, count, supposed)
                self._remember(pair, after, node, offer)

    def _part(self, node: int, offer: int, after_a: int, after_b: int) -> None:
        """The editions part on an act; of a position only supposed to be reached that is no finding."""
        parting = Divergence(node, offer, after_a, after_b)
        if node in self._found.supposed:
            self._unsure.add(self._way(parting))
        else:
            self._found.divergences.append(parting)

    def _is_doubtful(self) -> bool:
        """Whether a position only supposed to be reached differs as no other does."""
        return bool(self._unsure) and not self._unsure <= set(map(self._way, self._found.divergences))

    def _way(self, parting: Divergence) -> Way:
        return way_to_part(self._found.a, self._found.b, self._found.pairs[parting.node], parting)

    # -- carried values ------------------------------------------------------------------------------------

    def _remember(self, before: tuple[int, int], after: tuple[int, int], node: int, offer: int) -> None:
        """Remember what is carried, where an act may get it to where laws ask about it."""
        sameness = self._sameness
        if not sameness.carries:
            return
        if not sameness.is_alike(after) and sameness.is_alike(before):
            self._found.doubtful = True
        if offer in sameness.releasing:
            self._releases.setdefault(sameness.released(after), (after, node, offer))

    def _release(self) -> bool:
        """Meet what the releases so far would have left had any other values been carried; whether that is anything
        new."""
        for pair, node, offer in self._releases.values():
            others = self._sameness.others(pair)
            if others is None:
                self._found.doubtful = True
                continue
            for other in others:
                self._meet(other, node, offer, self._found.irregular[node], supposed=True)
        return bool(self._layer)


def way_to_part(a: Space, b: Space, pair: tuple[int, int], parting: Divergence) -> Way:
    """How two editions part on an act at a pair of states: what they say of it, and what they have not alike after it.
    Which bid would be played makes no difference."""
    reply_a, reply_b = a.outcome(pair[0], parting.offer)[0], b.outcome(pair[1], parting.offer)[0]
    first, second = a.seen(parting.after_a, reply_a), b.seen(parting.after_b, reply_b)
    unlike = tuple(
        (name, getattr(first, name), getattr(second, name))
        for name in ("debarred", "status", "doubling", "declarer")
        if getattr(first, name) != getattr(second, name)
    )
    contract = (first.contract is None, second.contract is None) if first.contract != second.contract else None
    return (
        parting.offer,
        reply_a,
        reply_b,
        first.choosable - second.choosable,
        second.choosable - first.choosable,
        unlike,
        contract,
    )


def memory_in_use() -> int:
    """The most memory that this process has held so far, in MiB; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # It is told in bytes on macOS and in KiB elsewhere.
    return most >> (20 if sys.platform == "darwin" else 10)


def distinct(found: Search) -> Iterator[int]:
    """The nodes that were gone on from, one for each pair of states, without those only supposed to be reached."""
    seen: set[tuple[int, int]] = set()
    for node in found.gone_on_from:
        if node not in found.supposed and found.pairs[node] not in seen:
            seen.add(found.pairs[node])
            yield node
