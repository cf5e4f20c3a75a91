"""Partings: how two editions part on what is done beside open rights that are followed one by one."""

from __future__ import annotations

from lawbook.explore.grounds import NOTHING, Deed, Ground, Opening, Pair, Positions, Table, same_claim
from lawbook.explore.product import Divergence, Way, way_to_part


class Partings:
    """The ways in which two editions part, each with a pair of positions that shows it and what the act leaves."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._spaces = positions.spaces
        self._sides = positions.sides
        self.ways: dict[Way, tuple[Pair, Divergence]] = {}
        self._known: dict[tuple[int, ...], Way] = {}
        # Ways that are equal are one object.
        self._one: dict[Way, Way] = {}

    def part(self, pair: Pair, offer: int, after: Pair) -> Way:
        """The editions part on an act."""
        said = tuple(space.outcome(number, offer)[0] for space, number in zip(self._spaces, pair, strict=True))
        looks = tuple(space.view(number) for space, number in zip(self._spaces, after, strict=True))
        # Replies and views are one object where they are equal.
        key = offer, *map(id, said), *map(id, looks)
        way = self._known.get(key)
        if way is None:
            parting = Divergence(0, offer, *after)
            way = way_to_part(*self._spaces, pair, parting)
            way = self._known[key] = self._one.setdefault(way, way)
            self.ways.setdefault(way, (pair, parting))
        return way

    def at_table(self, table: Table, offer: int, after: Pair) -> None:
        """The editions part where nothing is open, and where any right is: they may part on that as well."""
        way = self.part(table.pair, offer, after)
        key = id(way), *(side.ground(number) for side, number in zip(self._sides, after, strict=True))
        if key not in table.ground.partings:
            table.ground.partings[key] = offer, table
            for opening in list(table.ground.begun):
                self.beside_right(table, opening, offer)

    def beside_right(self, table: Table, opening: Opening, offer: int) -> None:
        """They part where nothing is open, and it may be otherwise where this right is."""
        if self._positions.chooses_alike(table, opening, offer):
            return
        pair = self._positions.pair(table, opening.right, opening.before)
        reply, after = self._positions.done(pair, offer)
        if reply is None:
            self.part(pair, offer, after)

    def beside_deed(self, deed: Deed, opening: Opening) -> bool:
        """The editions part on a right once something is done that may be about another. Gives whether they are seen
        to: it may be about that other only where a third is open, too."""
        calls = self._positions.calls(opening.right, opening.before)
        concerned = self._positions.calls(NOTHING if opening.right == deed.about else deed.about, deed.before)
        held = [tuple(call for call in both if call is not None) for both in zip(calls, concerned, strict=True)]
        is_seen = deed.offer not in self._sides[0].oldest_first | self._sides[1].oldest_first
        for order in (1, -1):
            first, second = (
                space.beside(number, *open_calls[::order])
                for space, number, open_calls in zip(self._spaces, deed.at.pair, held, strict=True)
            )
            reply, after = self._positions.done((first, second), deed.offer)
            if reply is None:
                self.part((first, second), deed.offer, after)
                is_seen = True
        return is_seen

    def may_hide(self, ground: Ground) -> bool:
        """Whether a right that the editions part on may be hidden by another that gives the same choices."""
        a, b = self._spaces
        for one in ground.rights.values():
            if not one.alike:
                unlike = a.view(one.pair[0]).choosable ^ b.view(one.pair[1]).choosable
                for other in ground.rights.values():
                    hidden = other.alike and unlike & a.view(other.pair[0]).choosable
                    if hidden and not same_claim(one.right, other.right):
                        return True
        return False
