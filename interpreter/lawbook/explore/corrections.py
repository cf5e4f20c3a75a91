"""Corrections, where open rights are followed one by one.

A correction is the corrected call made at the table as it was before the call, and that table has been met and gone on
from. What it leaves new are rights that were open before the call, as they have become since, beside that table. And
the editions may part on whether a call may be corrected at all, for which what is said of each player is followed by
itself (see leave.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lawbook.explore.granted import Granted
from lawbook.explore.grounds import NOTHING, Deed, Ground, Left, Opening, Pair, Positions, Right, Table
from lawbook.explore.leave import Leave, Status
from lawbook.explore.offers import PLACES
from lawbook.explore.product import Divergence, Way, way_to_part
from lawbook.explore.space import Space
from lawbook.machine.state import State


@dataclass(slots=True)
class _Node:
    """A right on some ground, or where a player corrects his call there: how it is open, what becomes of it, and the
    calls that were made after the one it is about and may still be corrected."""

    ground: Ground
    right: Right
    openings: list[Opening] = field(default_factory=list)
    # What is left of it, how far the turn moves to that, and the places (counted from the player in turn) of those who
    # may still correct their calls then.
    edges: dict[tuple[object, int, tuple[int, ...]], None] = field(default_factory=dict)
    # The calls, a bit for each, by where their callers sit now.
    calls: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    def reach(self, calls: Iterable[tuple[int, int]]) -> bool:
        """Meet calls, each by where its caller sits; whether any of them is new."""
        is_new = False
        for place, bits in calls:
            is_new = is_new or bool(bits & ~self.calls[place % 4])
            self.calls[place % 4] |= bits
        return is_new


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
        places = [(ground, caller) for ground in grounds for caller in PLACES]
        bits = {(id(ground), caller): 1 << bit for bit, (ground, caller) in enumerate(places)}
        nodes = self._nodes(ground for ground, caller in places if caller == 0)
        corrected = {(id(ground), caller) for ground, _ in places for _, _, caller in ground.returned}
        returnable = sum(bits[place] for place in corrected)
        pending: list[_Node] = []
        for node in nodes.values():
            for opening in node.openings:
                for left, deeds in opening.left.items():
                    for deed in deeds.values():
                        self._note(node, left, deed)
                        caller = self._spaces[0].offers[deed.offer].place
                        if caller is not None and self._opens(deed):
                            to = nodes.get((id(left.to), left.right, None))
                            call = bits[id(node.ground), caller]
                            if to is not None and to.reach([(caller - left.quarter, call)]):
                                pending.append(to)
        while pending:
            node = pending.pop()
            for key, quarter, stays in node.edges:
                to = nodes.get(key)
                if to is not None and to.reach((place - quarter, node.calls[place]) for place in stays):
                    pending.append(to)
            # Where one player corrects his call, those who called before him may still correct theirs.
            for back, place, quarter in self._back(node, places, returnable):
                to = nodes.get((id(back.ground), back.right, back.caller))
                others = [other for other in PLACES if other != place]
                if to is not None and to.reach((at + quarter, node.calls[at]) for at in others):
                    pending.append(to)
        for node in nodes.values():
            yield from (back for back, _, _ in self._back(node, places, -1))

    def _nodes(self, grounds: Iterable[Ground]) -> dict[object, _Node]:
        """Each right as it is open on some ground, and as it is where a player corrects a call that he made there."""
        nodes: dict[object, _Node] = {}
        for ground in grounds:
            openings: list[tuple[Right, int | None, Opening]] = [(o.right, None, o) for o in ground.begun]
            openings += [(right, caller, opening) for (right, _, caller), opening in ground.returned.items()]
            for right, caller, opening in openings:
                node = nodes.setdefault((id(ground), right, caller), _Node(ground, right))
                node.openings.append(opening)
        return nodes

    def _note(self, node: _Node, left: Left, deed: Deed) -> None:
        stays = tuple(place for place in PLACES if self._stays(deed, place))
        node.edges[(id(left.to), left.right, None), left.quarter, stays] = None

    def _back(
        self, node: _Node, places: Sequence[tuple[Ground, int]], among: int
    ) -> Iterator[tuple[Returned, int, int]]:
        """The right beside the tables at which those of the calls were made that may be corrected; with where the
        caller sits now, and how far the turn has moved since."""
        befores = {before for opening in node.openings for before in opening.befores}
        turned: dict[int, tuple[Right, frozenset[int]]] = {}
        for place, calls in enumerate(node.calls):
            calls &= among
            while calls:
                bit = calls.bit_length() - 1
                calls ^= 1 << bit
                ground, caller = places[bit]
                quarter = (caller - place) % 4
                if quarter not in turned:
                    right = self._positions.turned_right(node.right, -quarter % 4)
                    turned[quarter] = right, frozenset(self._positions.turned(befores, right, -quarter % 4))
                yield Returned(node.ground, ground, caller, *turned[quarter]), place, quarter

    def _opens(self, deed: Deed) -> bool:
        """Whether a call is one that may then be corrected in both editions."""
        granted, offer = self._granted, self._spaces[0].offers[deed.offer]
        if not offer.is_call:
            return False
        assert offer.place is not None
        return any(granted.after_call(deed, offer.place, said) & granted.open for said in granted.reached)

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
        """The position of a table where that is said of a player, and his call is held if it may be corrected, as one
        that was made at the start: what a corrected call would be is nothing that keeps it from being one."""
        of_calls = self._spaces[i]
        values = self._leaves[i].put(of_calls.states[table.pair[i]].values, seat, status)
        held = self._granted.held(i, seat, of_calls.states[of_calls.start()].values)
        return space.number(State(values, (held,) if self._granted.is_held(i, status) else ()))
