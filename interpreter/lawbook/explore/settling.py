"""Settling: what a choice settles where several open rights give it.

It means the newest call, or, where the remedy of that has the oldest settled first, the last that it could mean under
the rights against the oldest. Which of two that is, and what it settles then, two rights show; whatever else is open
makes no difference. So beside a right whose remedy has the oldest settled first, a choice about an older call may
settle less of it than it does by itself: that is something done about it, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lawbook.explore.grounds import Opening, Pair, Positions, Right, same_claim
from lawbook.explore.partings import Partings
from lawbook.explore.space import Reply
from lawbook.machine.ruling import Verdict


class _Way(NamedTuple):
    """How a choice looks for what it settles under one right: whether in both editions alike, whether the oldest may
    come first, and whether there is more than one thing that it could mean."""

    alike: bool
    oldest_first: bool
    several: bool


class Last(NamedTuple):
    """A choice that settles the last it could mean of an older call: the right, the offer, what is said, and what is
    left where nothing else was open."""

    opening: Opening
    offer: int
    reply: Reply
    after: Pair


class Settling:
    """Finds what choices settle beside other rights but not by themselves. `lost`: whether something was met that
    cannot be told so."""

    def __init__(self, positions: Positions, partings: Partings) -> None:
        self._positions = positions
        self._partings = partings
        self._offers = positions.sides[0].oldest_first | positions.sides[1].oldest_first
        self._ways: dict[tuple[Right, int], _Way] = {}
        self.lost = False

    def beside(self, opening: Opening) -> Iterator[Last]:
        """What choices settle of other rights on the same ground because this one is open too, and of this one because
        others are."""
        if not self._offers:
            return
        for offer in self._offers & self._positions.chosen(opening.pair):
            others = opening.ground.choosing.setdefault(offer, [])
            for other in others:
                if not same_claim(opening.right, other.right):
                    yield from self._older(other, opening, offer)
                    yield from self._older(opening, other, offer)
            others.append(opening)

    def _older(self, older: Opening, newer: Opening, offer: int) -> Iterator[Last]:
        one, other = self._way(older.right, offer), self._way(newer.right, offer)
        if not (one.alike and other.alike):
            self.lost = True
        elif other.oldest_first and one.several and offer not in older.last:
            older.last.add(offer)
            yield from self._last(older, newer, offer)

    def _last(self, older: Opening, newer: Opening, offer: int) -> Iterator[Last]:
        positions, right, table = self._positions, older.right, older.ground.tables[0]
        both = positions.beside(table, [(right, older.before), (newer.right, newer.before)])
        reply, left = positions.done(both, offer)
        if reply is None:
            self._partings.part(both, offer, left)
            return
        if reply.conflict or reply.verdict is Verdict.REFUSED:
            return
        after = positions.settled_last(table, right, older.before, offer)
        puts_back = offer in positions.concerned(right)[0]
        if after is None or puts_back or positions.writing(right, offer) is not None:
            self.lost = True
            return
        yield Last(older, offer, reply, after)

    def _way(self, right: Right, offer: int) -> _Way:
        found = self._ways.get((right, offer))
        if found is None:
            in_a, in_b = (
                () if call is None else space.settling(offer, call)
                for space, call in zip(self._positions.spaces, right, strict=True)
            )
            oldest_first = any(oldest for _, oldest, _ in (*in_a, *in_b))
            found = self._ways[right, offer] = _Way(in_a == in_b, oldest_first, len(in_a) > 1)
        return found
