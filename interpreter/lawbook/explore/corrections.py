"""Corrections, where open rights are followed one by one.

A correction is the corrected call made at the table as it was before the call, and that table has been met and gone on
from. What it leaves new are rights that were open before the call, as they have become since, beside that table. And
the editions may part on whether a call may be corrected at all, for which what is said of each player is followed by
itself (see leave.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lawbook.explore.granted import Granted
from lawbook.explore.grounds import NOTHING, Deed, Ground, Left, Opening, Pair, Positions, Right, Table
from lawbook.explore.leave import Leave, Status
from lawbook.explore.product import Divergence, Way, way_to_part
from lawbook.explore.space import Space
from lawbook.machine.state import State


class Origin(NamedTuple):
    """A call that may still be corrected: the ground it was made on, by whom (counted from the player in turn there),
    and how far the turn has moved since."""

    ground: Ground
    caller: int
    quarter: int

    @property
    def place(self) -> int:
        """Where the caller sits now, counted from the player in turn."""
        return (self.caller - self.quarter) % 4


@dataclass(slots=True)
class _Node:
    """A right on some ground, or where a player corrects his call there: how it is open, and the calls that were made
    after the one it is about and may still be corrected."""

    right: Right
    openings: list[Opening] = field(default_factory=list)
    origins: set[Origin] = field(default_factory=set)

    def edges(self) -> Iterator[tuple[Opening, Left, Deed]]:
        """What is left of it by all that is done."""
        for opening in self.openings:
            for left, deeds in opening.left.items():
                for deed in deeds.values():
                    yield opening, left, deed


class Returned(NamedTuple):
    """A right that a correction leaves beside an earlier table: the ground and who corrects his call there, the right
    as it was then and has become, turned as the table was, and the tables before its call."""

    ground: Ground
    caller: int
    right: Right
    befores: frozenset[int]


class Corrections:
    """What corrections do in two spaces, of which none offers them; `leaves` are their editions'."""

    def __init__(self, positions: Positions, leaves: tuple[Leave, Leave]) -> None:
        self._positions = positions
        self._spaces = positions.spaces
        self._leaves = leaves
        self._granted = Granted(positions, leaves)

    @property
    def lost(self) -> bool:
        """Whether something was met that cannot be followed in this way."""
        return self._granted.lost

    def gather(self, grounds: Iterable[Ground]) -> None:
        """Take account of all that was met so far."""
        self._granted.gather(grounds)

    def is_correction(self, deed: Deed, caller: int) -> bool:
        """Whether a call can also be what a player corrects his call to."""
        offer = self._spaces[0].offers[deed.offer]
        return deed.about == NOTHING and offer.is_call and offer.place == caller and offer.call in self._granted.calls

    def may_end_rights(self, deed: Deed) -> bool:
        """Whether rights may end because something has come to be so by a correction to that call. It may have been so
        before, with other tables than the one that the call was made at."""
        return any(
            space.machine.evaluator.truth(once, space.states[after].values, {})
            for space, leave, after in zip(self._spaces, self._leaves, deed.after, strict=True)
            for once in leave.once
        )

    def returned(self, grounds: Iterable[Ground]) -> Iterator[Returned]:
        """The rights that corrections leave beside earlier tables, with all that was met so far."""
        nodes: dict[object, _Node] = {}
        for ground in grounds:
            for opening in ground.begun:
                nodes.setdefault((id(ground), opening.right, None), _Node(opening.right)).openings.append(opening)
            for (right, _, caller), opening in ground.returned.items():
                nodes.setdefault((id(ground), right, caller), _Node(right)).openings.append(opening)
        pending: list[tuple[_Node, Origin]] = []

        def reach(key: object, origin: Origin) -> None:
            node = nodes.get(key)
            if node is not None and origin not in node.origins:
                node.origins.add(origin)
                pending.append((node, origin))

        for node in nodes.values():
            for opening, left, deed in node.edges():
                offer = self._spaces[0].offers[deed.offer]
                if offer.is_call and self._opens(deed):
                    assert offer.place is not None
                    reach((id(left.to), left.right, None), Origin(opening.ground, offer.place, left.quarter))
        while pending:
            node, origin = pending.pop()
            for _, left, deed in node.edges():
                if self._stays(deed, origin.place):
                    on = origin._replace(quarter=(origin.quarter + left.quarter) % 4)
                    reach((id(left.to), left.right, None), on)
            # Where one player corrects his call, those who called before him may still correct theirs.
            for one, other in ((origin, o) for o in tuple(node.origins)):
                for first, second in ((one, other), (other, one)):
                    if first.place != second.place:
                        back = self._positions.turned_right(node.right, -first.quarter % 4)
                        on = second._replace(quarter=(second.quarter - first.quarter) % 4)
                        reach((id(first.ground), back, first.caller), on)
        for node in nodes.values():
            for origin in node.origins:
                quarter = -origin.quarter % 4
                right = self._positions.turned_right(node.right, quarter)
                befores = {before for opening in node.openings for before in opening.befores}
                turned = frozenset(self._positions.turned(befores, right, quarter))
                yield Returned(origin.ground, origin.caller, right, turned)

    def _opens(self, deed: Deed) -> bool:
        """Whether a call is one that may then be corrected in both editions."""
        granted, caller = self._granted, self._spaces[0].offers[deed.offer].place
        assert caller is not None
        return any(granted.after_call(deed, caller, said) & granted.open for said in granted.reached)

    def _stays(self, deed: Deed, place: int) -> bool:
        """Whether a player's call may still be corrected in both editions after something else was done."""
        granted, offer = self._granted, self._spaces[0].offers[deed.offer]
        if not offer.is_call:
            return True
        if offer.place == place:
            return False
        return any(granted.after_call(deed, place, said) & granted.open for said in granted.open)

    def ways(self, a: Space, b: Space) -> dict[Way, tuple[Pair, Divergence]]:
        """How the editions part on corrections that not both let a player make, in two spaces that offer them."""
        found: dict[Way, tuple[Pair, Divergence]] = {}
        granted = self._granted
        correcting = [(at, offer) for at, offer in enumerate(a.offers) if offer.name in granted.acts]
        for table, said, (offer, correction) in itertools.product(granted.tables.values(), granted.reached, correcting):
            seat, call = correction.place, correction.call
            assert seat is not None
            assert call is not None
            if granted.both_let(table, seat, said, correction.name, call):
                continue
            pair = self._told(a, 0, table, seat, said[0]), self._told(b, 1, table, seat, said[1])
            (reply, after_a), (other, after_b) = a.outcome(pair[0], offer), b.outcome(pair[1], offer)
            if reply is not other or a.view(after_a) is not b.view(after_b):
                parting = Divergence(0, offer, after_a, after_b)
                found.setdefault(way_to_part(a, b, pair, parting), (pair, parting))
        return found

    def _told(self, space: Space, i: int, table: Table, seat: int, status: Status) -> int:
        """The position of a table where that is said of a player, and his call is held if it may be corrected."""
        values = self._leaves[i].put(self._spaces[i].states[table.pair[i]].values, seat, status)
        held = (self._granted.held(i, seat, values),) if self._granted.is_held(i, status) else ()
        return space.number(State(values, held))
