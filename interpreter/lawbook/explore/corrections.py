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

    ground: Ground
    right: Right
    openings: list[Opening] = field(default_factory=list)
    origins: set[Origin] = field(default_factory=set)
    turned: dict[int, Right] = field(default_factory=dict)
    # The calls after it by whose correction it is open beside an earlier table, and where that is.
    corrected: list[tuple[Origin, object]] = field(default_factory=list)

    def edges(self) -> Iterator[tuple[Opening, Left, Deed]]:
        """What is left of it by all that is done."""
        for opening in self.openings:
            for left, deeds in opening.left.items():
                for deed in deeds.values():
                    yield opening, left, deed


class Returned(NamedTuple):
    """A right that a correction leaves beside an earlier table: the ground it is open on now, the earlier one and who
    corrects the call that he made there, the right as it has become, turned as the table was then, and the tables
    before its call."""

    now: Ground
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
        self._stays_known: dict[tuple[object, int, int], bool] = {}

    @property
    def lost(self) -> bool:
        """Whether something was met that cannot be followed in this way."""
        return self._granted.lost

    def gather(self, grounds: Iterable[Ground]) -> None:
        """Take account of all that was met so far."""
        self._stays_known.clear()
        self._granted.gather(grounds)

    def is_correction(self, deed: Deed, caller: int) -> bool:
        """Whether a call can also be what a player corrects his call to."""
        offer = self._spaces[0].offers[deed.offer]
        return deed.about == NOTHING and offer.is_call and offer.place == caller and offer.call in self._granted.calls

    def ends_otherwise(self, now: Ground, then: Ground, caller: int) -> bool:
        """Whether rights may end, because something has come to be so, otherwise by a correction than by the call made
        at the earlier ground: there it was so already, or was not yet, as it is not or is at present."""
        for i, (space, leave) in enumerate(zip(self._spaces, self._leaves, strict=True)):
            truth = space.machine.evaluator.truth
            present, earlier = (space.states[ground.tables[0].pair[i]].values for ground in (now, then))
            unlike = [once for once in leave.once if truth(once, present, {}) != truth(once, earlier, {})]
            for deed in then.deeds.values() if unlike else ():
                after = space.states[deed.after[i]].values
                if self.is_correction(deed, caller) and any(truth(once, after, {}) for once in unlike):
                    return True
        return False

    def returned(self, grounds: Iterable[Ground]) -> Iterator[Returned]:
        """The rights that corrections leave beside earlier tables, with all that was met so far."""
        nodes: dict[object, _Node] = {}
        for ground in grounds:
            openings: list[tuple[Right, int | None, Opening]] = [(o.right, None, o) for o in ground.begun]
            openings += [(right, caller, opening) for (right, _, caller), opening in ground.returned.items()]
            for right, caller, opening in openings:
                node = nodes.setdefault((id(ground), right, caller), _Node(ground, right))
                node.openings.append(opening)
        pending: list[tuple[_Node, Origin]] = []

        def turned(node: _Node, origin: Origin) -> Right:
            """A right turned as the table was when a call was made."""
            quarter = -origin.quarter % 4
            if quarter not in node.turned:
                node.turned[quarter] = self._positions.turned_right(node.right, quarter)
            return node.turned[quarter]

        def follow(to: object, corrected: Origin, other: Origin) -> None:
            if corrected.place != other.place:
                reach(to, other._replace(quarter=(other.quarter - corrected.quarter) % 4))

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
            to = (id(origin.ground), turned(node, origin), origin.caller)
            if to in nodes:
                node.corrected.append((origin, to))
                for other in tuple(node.origins):
                    follow(to, origin, other)
            for first, there in node.corrected:
                follow(there, first, origin)
        for node in nodes.values():
            for origin in node.origins:
                right = turned(node, origin)
                befores = {before for opening in node.openings for before in opening.befores}
                then = frozenset(self._positions.turned(befores, right, -origin.quarter % 4))
                yield Returned(node.ground, origin.ground, origin.caller, right, then)

    def _opens(self, deed: Deed) -> bool:
        """Whether a call is one that may then be corrected in both editions."""
        granted, caller = self._granted, self._spaces[0].offers[deed.offer].place
        assert caller is not None
        return any(granted.after_call(deed, caller, said) & granted.open for said in granted.reached)

    def _stays(self, deed: Deed, place: int) -> bool:
        """Whether a player's call may still be corrected in both editions after something else was done."""
        granted, offer = self._granted, self._spaces[0].offers[deed.offer]
        if not offer.is_call or offer.place == place:
            return not offer.is_call
        key = granted.signs(deed.at), deed.offer, place
        if key not in self._stays_known:
            said_then = (granted.after_call(deed, place, said) for said in granted.open)
            self._stays_known[key] = any(then & granted.open for then in said_then)
        return self._stays_known[key]

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
