"""Walks: one edition's space gone through breadth first, so that what is met is met by a shortest auction.

A state is gone on from once, or again where it is reached by fewer irregular acts than before. Whoever walks looks at
every state that is gone on from, and at every act that can be done there, also one that would be an irregular act too
many: such an act ends an auction, and the walk does not follow it.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from lawbook.explore.product import INTERRUPTED, Bounds, Budget, Progress
from lawbook.explore.space import Space
from lawbook.machine.ruling import Verdict
from lawbook.values import Act, Seat

Auction: TypeAlias = tuple[Seat, tuple[Act, ...]]
"""Who deals, and what is done."""

UNLIMITED: Final = Budget()

# How many states are gone on from between two looks at the clock.
_STRIDE: Final = 64
# In place of the offer by which a start was reached.
_START: Final = -1


@dataclass(slots=True)
class Walk:
    """How far a walk has come.

    Every node is a state with the node and the offer it was first reached by; the first nodes are the starts, one for
    each dealer if the edition tells seats apart, else one. `depth` is how many acts lead to the node that is being gone
    on from.
    """

    space: Space
    irregularities: int | None
    states: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offers: list[int] = field(default_factory=list)
    irregular: list[int] = field(default_factory=list)
    depth: int = 0
    gone_on_from: int = 0
    transitions: int = 0
    # Whether an act was not followed because it would have been one irregular act too many.
    bounded: bool = False
    # Whether the frontier was emptied.
    finished: bool = False
    stopped_by: str | None = None

    @property
    def complete(self) -> bool:
        """Whether every state that the offers lead to was gone on from."""
        return self.finished and not self.bounded

    def auction(self, node: int, *last: int) -> Auction:
        """The auction that leads to a node, and what is offered there at last, if it is told."""
        nodes = [node]
        while self.offers[nodes[-1]] != _START:
            nodes.append(self.parents[nodes[-1]])
        nodes.reverse()
        space = self.space
        done = [*(self.offers[here] for here in nodes[1:]), *last]
        if not space.turned:
            # Places are seats, whoever is in turn, and there is a start for each dealer.
            return Seat(self.parents[nodes[0]]), tuple(space.offers[place].act(0) for place in done)
        acts: list[Act] = []
        turn = 0
        for here, place in itertools.zip_longest(nodes, done):
            if place is not None:
                acts.append(space.offers[place].act(turn))
                turn = (turn + space.reply(self.states[here], place).moved) % 4
        return Seat.N, tuple(acts)


Look: TypeAlias = Callable[[Walk, int], None]
"""Looks at a node that is gone on from."""


def walk(
    space: Space,
    look: Look,
    irregularities: int | None = None,
    budget: Budget = UNLIMITED,
    progress: Callable[[Progress], None] | None = None,
) -> Walk:
    """Go through a space from the start, with at most so many irregular acts on the way (None: any number).

    An interrupt (Ctrl-C) ends the walk and keeps what it has come to.
    """
    found = Walk(space, irregularities)
    deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
    fewest: dict[int, int] = {}
    layer: list[int] = []

    def meet(state: int, parent: int, offer: int, irregular: int) -> None:
        fewest[state] = irregular
        found.states.append(state)
        found.parents.append(parent)
        found.offers.append(offer)
        found.irregular.append(irregular)
        layer.append(len(found.states) - 1)

    for dealer in range(1 if space.turned else 4):
        meet(space.start(dealer), dealer, _START, 0)
    try:
        while layer:
            # Reached again in as many acts, by fewer irregular ones: that is the node to go on from. One that is only
            # reached so by more acts is gone on from a second time then, for this one has the shortest way.
            here = [node for node in layer if fewest[found.states[node]] >= found.irregular[node]]
            layer = []
            for at, node in enumerate(here):
                if at % _STRIDE == 0:
                    if progress is not None:
                        progress(Progress(Bounds(irregularities), found.depth + 1, found.gone_on_from, len(fewest), 0))
                    found.stopped_by = budget.spent(deadline, len(fewest), "positions")
                    if found.stopped_by is not None:
                        return found
                found.gone_on_from += 1
                _go_on(found, node, fewest, meet)
                look(found, node)
            found.depth += 1
        found.finished = True
    except KeyboardInterrupt:
        found.stopped_by = INTERRUPTED
    return found


def _go_on(found: Walk, node: int, fewest: dict[int, int], meet: Callable[[int, int, int, int], None]) -> None:
    here, so_far, most = found.states[node], found.irregular[node], found.irregularities
    following = found.space.following(here)
    found.transitions += len(following)
    for offer, (reply, after) in following.items():
        if after == here or reply.conflict:
            continue
        # Where any number is allowed, how many there were makes no difference.
        count = 0 if most is None else so_far + (reply.verdict is Verdict.IRREGULAR)
        if fewest.get(after, count + 1) <= count:
            continue
        if most is not None and count > most:
            found.bounded = True
            continue
        meet(after, node, offer, count)
