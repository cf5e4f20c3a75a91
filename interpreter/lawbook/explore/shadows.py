"""Shadows: whether two editions part in any way not found yet, with any number of rights open at once.

A pair of positions in which many calls are open to a remedy is told by its shadows: the table, and each open right by
itself. What an act does to one right depends on no other, but for the one that a choice is about, and of the table on
little (see bystanders.py); what it does to the table depends on no right, but for that one. So the shadows of what is
left can be told from those of what was there, and tables and rights add up where positions would multiply.

Each right is taken to be open at every table that it cannot tell from the one it was met at, each together with each.
That may be more than any auction leads to: where editions part on no shadow they part nowhere, but a way to part that
is met here is only supposed to be one. A search of pairs (product.py) has the auctions that show it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lawbook.explore.bystanders import NotApart
from lawbook.explore.carried import Before, Key, Sameness
from lawbook.explore.grounds import NOTHING, Deed, Ground, Left, Pair, Positions, Right, Table, at, same_claim
from lawbook.explore.product import INTERRUPTED, Bounds, Budget, Divergence, Progress, Way, way_to_part
from lawbook.explore.space import REFUSED, Reply, Space
from lawbook.machine.ruling import Verdict

# How much is gone on from between two looks at the clock.
_STRIDE: Final = 256


@dataclass(slots=True)
class Shadows:
    """What was found: the ways to part, each with a pair of positions that shows it and what the act leaves there; how
    many tables and rights there are; whether something was met that cannot be followed in this way; and whether, or
    why not, it came to its end."""

    ways: dict[Way, tuple[Pair, Divergence]] = field(default_factory=dict)
    tables: int = 0
    rights: int = 0
    lost: bool = False
    finished: bool = False
    stopped_by: str | None = None


def shadows(
    a: Space,
    b: Space,
    budget: Budget,
    progress: Callable[[Progress], None] | None = None,
    carried: Mapping[str, frozenset[str]] | None = None,
) -> Shadows:
    """Follow two editions side by side with any number of irregular acts and of rights open. The offers must be such
    that rights can be followed apart (see `follows_rights_apart`).

    An interrupt (Ctrl-C) ends it.
    """
    return _Following(a, b, budget, progress, carried or {}).run()


class _Following:
    """A search of shadows while it goes on."""

    def __init__(
        self,
        a: Space,
        b: Space,
        budget: Budget,
        progress: Callable[[Progress], None] | None,
        carried: Mapping[str, frozenset[str]],
    ) -> None:
        self._spaces = a, b
        self._budget = budget
        self._deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        self._progress = progress
        self._sameness = Sameness(a, b, carried)
        self._positions = Positions(a, b, carried.keys(), self._sameness)
        self._sides = self._positions.sides
        self._attempts = self._sides[0].attempts | self._sides[1].attempts
        self._touching = self._sides[0].touching | self._sides[1].touching
        self._found = Shadows()
        self._tables: dict[Key, Table] = {}
        self._grounds: dict[object, Ground] = {}
        self._tables_to_do: deque[Table] = deque()
        self._rights_to_do: dict[tuple[int, Right], tuple[Ground, Right, list[Before]]] = {}
        # What choices that put a call back do, wherever they are made.
        self._put_back: dict[object, tuple[Deed, Right] | None] = {}
        # One pair for each way in which carried values get to where laws ask about them.
        self._releases: dict[Key, Pair] = {}

    def run(self) -> Shadows:
        """What is found, as far as it comes."""
        found, (a, b) = self._found, self._spaces
        try:
            for dealer in range(1 if a.turned else 4):
                self._table((a.start(dealer), b.start(dealer)))
            done = 0
            # Once lost, whatever else there is would show nothing.
            while not found.lost and (self._tables_to_do or self._rights_to_do or self._release()):
                if done % _STRIDE == 0:
                    found.stopped_by = self._look_up(done)
                    if found.stopped_by is not None:
                        return found
                done += 1
                if self._rights_to_do:
                    _, (ground, right, befores) = self._rights_to_do.popitem()
                    self._go_on_with(ground, right, befores)
                else:
                    self._go_on(self._tables_to_do.popleft())
            found.lost = found.lost or any(map(self._may_hide, self._grounds.values()))
            found.finished = not found.lost
        except KeyboardInterrupt:
            found.stopped_by = INTERRUPTED
        return found

    def _may_hide(self, ground: Ground) -> bool:
        """Whether a right that the editions part on may be hidden by another that gives the same choices."""
        a, b = self._spaces
        alike = [
            (right, a.view(pair[0]).choosable)
            for right, befores in ground.rights.items()
            for pair in [next((pair for pair, alike in befores.values() if alike), None)]
            if pair is not None
        ]
        for right, befores in ground.rights.items():
            for pair, is_alike in befores.values():
                if not is_alike:
                    unlike = a.view(pair[0]).choosable ^ b.view(pair[1]).choosable
                    if any(unlike & choices and not same_claim(right, other) for other, choices in alike):
                        return True
        return False

    def _look_up(self, done: int) -> str | None:
        found = self._found
        met = found.tables + found.rights
        if self._progress is not None:
            self._progress(Progress(Bounds(), 0, done, met, len(found.ways)))
        return self._budget.spent(self._deadline, met, "tables and rights")

    # -- meeting -------------------------------------------------------------------------------------------

    def _table(self, pair: Pair) -> Table:
        """The table of a pair of positions, which is met by that."""
        bare = self._spaces[0].bare(pair[0]), self._spaces[1].bare(pair[1])
        key = self._sameness.key(bare)
        found = self._tables.get(key)
        if found is None:
            if self._sameness.carries and not self._sameness.is_alike(bare):
                self._found.lost = True
            signs = tuple(side.ground(number) for side, number in zip(self._sides, bare, strict=True))
            ground = self._grounds.setdefault(signs, Ground())
            found = self._tables[key] = Table(bare, ground)
            ground.tables.append(found)
            self._tables_to_do.append(found)
            self._found.tables += 1
        return found

    def _meet(self, ground: Ground, right: Right, before: Before) -> tuple[Pair, bool]:
        """Meet a right; gives an example of positions it is open in, and whether the editions look alike there."""
        known = ground.rights.setdefault(right, {})
        found = known.get(before)
        if found is None:
            pair = self._positions.pair(ground.tables[0], right, before)
            alike = self._spaces[0].view(pair[0]) is self._spaces[1].view(pair[1])
            found = known[before] = pair, alike
            if alike:
                self._found.rights += 1
                self._rights_to_do.setdefault((id(ground), right), (ground, right, []))[2].append(before)
        return found

    def _part(self, pair: Pair, offer: int, after: Pair) -> Way:
        """The editions part on an act."""
        parting = Divergence(0, offer, *after)
        way = way_to_part(*self._spaces, pair, parting)
        self._found.ways.setdefault(way, (pair, parting))
        return way

    # -- tables --------------------------------------------------------------------------------------------

    def _go_on(self, table: Table) -> None:
        """Go on from a table: all that can be done where nothing is open, and choices that change it."""
        in_a, in_b = (space.following(n) for space, n in zip(self._spaces, table.pair, strict=True))
        for offer in {**in_a, **in_b}:
            reply, after = self._positions.done(table.pair, offer)
            if reply is None:
                self._part_at(table, offer, after)
            elif not reply.conflict:
                self._step(table, offer, reply, after)
        for right in list(table.ground.left):
            self._choose(table, right)

    def _part_at(self, table: Table, offer: int, after: Pair) -> None:
        """The editions part where nothing is open, and where any right is: they may part on that as well."""
        way = self._part(table.pair, offer, after)
        signs = tuple(side.ground(number) for side, number in zip(self._sides, after, strict=True))
        if (way, signs) not in table.ground.partings:
            table.ground.partings[way, signs] = offer, table
            for right in list(table.ground.left):
                self._part_with(table, right, offer)

    def _part_with(self, table: Table, right: Right, offer: int) -> None:
        pair = self._positions.pair(table, right, self._example(table.ground, right)[0])
        reply, after = self._positions.done(pair, offer)
        in_a, in_b = (self._positions.left_to_choose(side, table.pair[side], pair[side], offer) for side in (0, 1))
        if reply is None and in_a != in_b:
            self._part(pair, offer, after)

    def _step(self, table: Table, offer: int, reply: Reply, after: Pair) -> None:
        try:
            opened, before = self._positions.opened(after)
        except NotApart:
            self._found.lost = True
            return
        if offer in self._sameness.releasing:
            # What is released here would have to be put together with every right.
            self._found.lost = True
        to = self._table(after).ground
        if opened != NOTHING and not self._meet(to, opened, before)[1]:
            self._part(table.pair, offer, after)
        self._add(table.ground, Deed(offer, self._positions.quarter(reply), table, after, to), opened)

    def _add(self, ground: Ground, deed: Deed, besides: Right) -> None:
        """Note a deed, beside which a right is open then, with what it does to the rights it is not about."""
        key = deed.offer, deed.quarter, id(deed.to), deed.about, besides
        if key not in ground.deeds:
            ground.deeds[key] = deed
            for right in list(ground.left):
                self._stand_by(ground, deed, right)

    # -- rights --------------------------------------------------------------------------------------------

    def _go_on_with(self, ground: Ground, right: Right, befores: Sequence[Before]) -> None:
        """Go on with a right on some ground, met with these tables before the call."""
        if right not in ground.left:
            ground.left[right] = {}
            ground.chosen[right] = set()
            for deed in list(ground.deeds.values()):
                self._stand_by(ground, deed, right)
            for offer, table in list(ground.partings.values()):
                self._part_with(table, right, offer)
            for table in list(ground.tables):
                self._choose(table, right)
            self._attempt(ground, right)
        for left, deeds in list(ground.left[right].items()):
            self._keep(ground, right, befores, left, list(deeds.values()))
        back, table = self._positions.concerned(right)[0], ground.tables[0]
        behind = tuple(side.behind(number) for side, number in zip(self._sides, table.pair, strict=True))
        for before in befores:
            for offer in back & self._positions.chosen(ground.rights[right][before][0]):
                key = offer, right, before, behind
                if key not in self._put_back:
                    self._put_back[key] = self._do(table, right, before, offer)
                elif (done := self._put_back[key]) is not None:
                    self._add(ground, *done)

    def _choose(self, table: Table, right: Right) -> None:
        """The choices about a right that leave the table as it is, or change it from what it is."""
        ground = table.ground
        plain = self._positions.concerned(right)[1]
        if not plain:
            return
        before, pair = self._example(ground, right)
        for offer in plain & self._positions.chosen(pair):
            writing = tuple(side.writing(call, offer) for side, call in zip(self._sides, right, strict=True))
            if writing != (None, None):
                # Where the same was done about another right, it is known what is left of the table.
                to = table.choices.get((offer, writing))
                if to is None or (offer, to) not in ground.chosen[right]:
                    done = self._do(table, right, before, offer)
                    to = table.choices[offer, writing] = None if done is None else done[0].to
                    ground.chosen[right].add((offer, to))
            elif table is ground.tables[0]:
                self._do(table, right, before, offer)

    def _example(self, ground: Ground, right: Right) -> tuple[Before, Pair]:
        """A table before a call that a right was met with, and positions it is open in, which look alike."""
        return next((before, pair) for before, (pair, alike) in ground.rights[right].items() if alike)

    def _do(self, table: Table, right: Right, before: Before, offer: int) -> tuple[Deed, Right] | None:
        """Something is done about a right. Gives the deed and what is left of the right, unless the editions part or it
        is refused."""
        ground = table.ground
        pair = self._positions.pair(table, right, before)
        reply, after = self._positions.done(pair, offer)
        if reply is None:
            self._part(pair, offer, after)
            return None
        if reply.conflict or (reply is REFUSED and after == pair):
            return None
        try:
            left, found = self._positions.opened(after)
        except NotApart:
            self._found.lost = True
            return None
        to = self._table(after).ground
        deed = Deed(offer, self._positions.quarter(reply), table, after, to, right, before)
        if left != NOTHING:
            self._meet(to, left, found)
            if reply.verdict is Verdict.REFUSED or offer not in self._positions.concerned(right)[0]:
                self._leave(ground, right, Left(deed.quarter, to, left), deed)
        if offer in self._sameness.releasing:
            self._releases.setdefault(self._sameness.released(after), after)
        if reply.verdict is Verdict.REFUSED:
            self._found.lost = self._found.lost or to is not ground
            return None
        self._add(ground, deed, left)
        return deed, left

    def _attempt(self, ground: Ground, right: Right) -> None:
        """What is attempted about a right in vain, to which a law attaches something."""
        table = ground.tables[0]
        before, pair = self._example(ground, right)
        for offer in self._attempts - self._positions.chosen(pair):
            self._do(table, right, before, offer)
        for offer in self._touching - self._attempts:
            # Only because a right is open can something be done that depends on every one of them.
            refused = self._positions.done(table.pair, offer)[0] is REFUSED
            self._found.lost = self._found.lost or (refused and self._positions.done(pair, offer)[0] is not REFUSED)

    def _leave(self, ground: Ground, right: Right, left: Left, deed: Deed) -> None:
        """Note what is left of a right, and meet it for every table before the call that was met so far."""
        deeds = ground.left[right].setdefault(left, {})
        if deed.offer not in deeds:
            deeds[deed.offer] = deed
            befores = ground.rights[right].items()
            self._keep(ground, right, [before for before, (_, alike) in befores if alike], left, (deed,))

    def _keep(self, ground: Ground, right: Right, befores: Iterable[Before], left: Left, deeds: Sequence[Deed]) -> None:
        """Meet what is left of a right, for some tables before the call."""
        known = left.to.rights.setdefault(left.right, {})
        for before in befores:
            after = self._positions.turned(before, left.right, left.quarter)
            found = known.get(after) or self._meet(left.to, left.right, after)
            if not found[1]:
                for deed in deeds:
                    self._part_beside(deed, right, before)

    def _part_beside(self, deed: Deed, right: Right, before: Before) -> None:
        """The editions part on a right once something is done that may be about another."""
        held = [
            tuple(
                call
                for call in (
                    at(right[i], before[i]),
                    None if right == deed.about else at(deed.about[i], deed.before[i]),
                )
                if call is not None
            )
            for i in (0, 1)
        ]
        for order in (1, -1):
            first, second = (
                space.beside(number, *calls[::order])
                for space, number, calls in zip(self._spaces, deed.at.pair, held, strict=True)
            )
            reply, after = self._positions.done((first, second), deed.offer)
            if reply is None:
                self._part((first, second), deed.offer, after)

    def _stand_by(self, ground: Ground, deed: Deed, right: Right) -> None:
        """Something is done that is not about a right."""
        if same_claim(deed.about, right):
            return
        before, _ = self._example(ground, right)
        left = self._positions.left(deed, right, before)
        if left is None:
            self._found.lost = True
            return
        if deed.about == NOTHING and deed.offer in self._touching:
            pair = self._positions.pair(deed.at, right, before)
            reply, after = self._positions.done(pair, deed.offer)
            if reply is None:
                self._part(pair, deed.offer, after)
                return
        if left != NOTHING:
            self._leave(ground, right, Left(deed.quarter, deed.to, left), deed)

    def _release(self) -> bool:
        """Meet what the releases so far would have left had any other values been carried; whether that is anything
        new."""
        for after in list(self._releases.values()):
            others = self._sameness.others(after)
            if others is None:
                self._found.lost = True
            for other in others or ():
                to = self._table(other).ground
                left, before = self._positions.opened(other)
                if left != NOTHING:
                    self._meet(to, left, before)
        return bool(self._tables_to_do or self._rights_to_do)
