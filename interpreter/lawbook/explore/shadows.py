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
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from lawbook.explore.carried import Key, Sameness
from lawbook.explore.corrections import Corrections
from lawbook.explore.grounds import (
    NOTHING,
    Deed,
    Ground,
    Left,
    Manner,
    Opening,
    Pair,
    Positions,
    Right,
    Table,
    same_claim,
)
from lawbook.explore.leave import Leave
from lawbook.explore.meeting import Meeting, Shadows
from lawbook.explore.partings import Partings
from lawbook.explore.product import INTERRUPTED, Bounds, Budget, Progress
from lawbook.explore.settling import Settling
from lawbook.explore.space import REFUSED, Reply, Space
from lawbook.explore.uncollected import uncollected
from lawbook.machine.ruling import Verdict

# How much is gone on from between two looks at the clock.
_STRIDE: Final = 256
_NONE: Final = frozenset[int]()


def shadows(
    a: Space,
    b: Space,
    budget: Budget,
    progress: Callable[[Progress], None] | None = None,
    carried: Mapping[str, frozenset[str]] | None = None,
    leaves: tuple[Leave, Leave] | None = None,
) -> Shadows:
    """Follow two editions side by side with any number of irregular acts and of rights open. The offers must be such
    that rights can be followed apart (see `follows_rights_apart`). With `leaves` of both, which must be apart, players
    correct calls besides.

    An interrupt (Ctrl-C) ends it.
    """
    with uncollected():
        return _Following(a, b, budget, progress, carried or {}, leaves).run()


class _Following:
    """A search of shadows while it goes on."""

    def __init__(
        self,
        a: Space,
        b: Space,
        budget: Budget,
        progress: Callable[[Progress], None] | None,
        carried: Mapping[str, frozenset[str]],
        leaves: tuple[Leave, Leave] | None,
    ) -> None:
        self._spaces = a, b
        self._budget = budget
        self._deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        self._progress = progress
        self._sameness = Sameness(a, b, carried)
        told = (frozenset[str](), frozenset[str]()) if leaves is None else (leaves[0].told, leaves[1].told)
        self._positions = Positions(a, b, carried.keys(), self._sameness, told)
        self._sides = self._positions.sides
        self._attempts = self._sides[0].attempts | self._sides[1].attempts
        self._touching = self._sides[0].touching | self._sides[1].touching
        self._partings = Partings(self._positions)
        self._settling = Settling(self._positions, self._partings)
        corrections = None if leaves is None else Corrections(self._positions, leaves)
        self._found = Shadows(self._partings.ways, corrections)
        self._meeting = Meeting(self._found, self._positions, self._sameness)
        # What choices that put a call back do, by the offer, the right and what is behind it, and then by the table
        # before the call; and how the editions were seen to part on them.
        self._settled: dict[object, dict[int, tuple[Deed, Right] | None]] = {}
        self._deeds: dict[object, tuple[Deed, Right]] = {}
        self._parted: set[object] = set()
        # One pair for each way in which carried values get to where laws ask about them.
        self._releases: dict[Key, Pair] = {}

    def run(self) -> Shadows:
        """What is found, as far as it comes."""
        found, (a, b) = self._found, self._spaces
        try:
            for dealer in range(1 if a.turned else 4):
                self._meeting.table((a.start(dealer), b.start(dealer)))
            done = 0
            # Once lost, whatever else there is would show nothing.
            while not found.lost and (self._meeting.is_anything_to_do or self._release() or self._come_back()):
                if done % _STRIDE == 0:
                    found.stopped_by = self._look_up(done)
                    if found.stopped_by is not None:
                        return found
                done += 1
                if self._meeting.rights_to_do:
                    self._go_on_with(self._meeting.rights_to_do.pop())
                else:
                    self._go_on(self._meeting.tables_to_do.popleft())
            found.lost = found.lost or any(map(self._partings.may_hide, self._meeting.grounds))
            found.finished = not found.lost
        except KeyboardInterrupt:
            found.stopped_by = INTERRUPTED
        return found

    def _look_up(self, done: int) -> str | None:
        found = self._found
        met = found.tables + found.rights
        if self._progress is not None:
            self._progress(Progress(Bounds(), 0, done, met, len(found.ways)))
        return self._budget.spent(self._deadline, met, "tables and rights")

    # -- tables --------------------------------------------------------------------------------------------

    def _go_on(self, table: Table) -> None:
        """Go on from a table: all that can be done where nothing is open, and choices that change it."""
        (a, b), (first, second) = self._spaces, table.pair
        in_a, in_b = a.following(first), b.following(second)
        for offer in {**in_a, **in_b}:
            reply, after_a = in_a.get(offer, (REFUSED, first))
            other, after_b = in_b.get(offer, (REFUSED, second))
            if reply is not other or a.view(after_a) is not b.view(after_b):
                self._partings.at_table(table, offer, (after_a, after_b))
            elif not reply.conflict:
                self._step(table, offer, reply, (after_a, after_b))
        for opening in list(table.ground.begun):
            self._choose(table, opening)

    def _step(self, table: Table, offer: int, reply: Reply, after: Pair) -> None:
        open_then = self._meeting.opened(after)
        if open_then is None:
            return
        opened, before = open_then
        if offer in self._sameness.releasing:
            # What is released here would have to be put together with every right.
            self._found.lost = True
        to = self._meeting.table(after).ground
        if opened != NOTHING and not self._meeting.meet(to, opened, (before,)):
            self._partings.part(table.pair, offer, after)
        quarter = self._positions.quarter(reply)
        if (offer, quarter, id(to), NOTHING, opened) not in table.ground.deeds:
            self._add(table.ground, Deed(offer, quarter, table, after, to), opened)

    def _add(self, ground: Ground, deed: Deed, besides: Right) -> None:
        """Note a deed, beside which a right is open then, with what it does to the rights it is not about."""
        key = deed.offer, deed.quarter, id(deed.to), deed.about, besides
        if key in ground.deeds:
            return
        ground.deeds[key] = deed
        # What is left of a right that something was done about ends no other, so that it makes no difference to them.
        about = tuple(side.spoken_of(call) for side, call in zip(self._sides, deed.about, strict=True))
        alike = *key[:3], besides if deed.about == NOTHING else about
        manner = ground.manners.setdefault(alike, Manner())
        if not manner.is_whole:
            manner.deeds.append(deed)
            for opening in list(ground.begun):
                self._stand_by(manner, deed, opening)

    # -- rights --------------------------------------------------------------------------------------------

    def _go_on_with(self, opening: Opening) -> None:
        """Go on with a right on some ground, with the tables before the call that it was met with since last time."""
        ground = opening.ground
        befores, opening.fresh = opening.fresh, []
        if opening not in ground.begun:
            ground.begun.append(opening)
            self._begin(opening)
        for left in list(opening.left):
            self._meeting.meet(left.to, left.right, self._positions.turned(befores, left.right, left.quarter))
        for offer in self._positions.concerned(opening.right)[0] & self._positions.chosen(opening.pair):
            self._put_back(opening, offer, befores)

    def _begin(self, opening: Opening) -> None:
        ground, positions = opening.ground, self._positions
        for manner in list(ground.manners.values()):
            for deed in manner.deeds:
                self._stand_by(manner, deed, opening)
        for offer, table in list(ground.partings.values()):
            self._partings.beside_right(table, opening, offer)
        for offer in positions.concerned(opening.right)[1] & positions.chosen(opening.pair):
            opening.plain.append((offer, positions.writing(opening.right, offer)))
        for table in list(ground.tables):
            self._choose(table, opening)
        self._attempt(opening)
        for one, offer, reply, after in self._settling.beside(opening):
            self._done(ground.tables[0], one, one.before, offer, reply, after, last=True)
        self._found.lost = self._found.lost or self._settling.lost

    def _choose(self, table: Table, opening: Opening) -> None:
        """The choices about a right that leave the table as it is, or change it from what it is."""
        for offer, writing in opening.plain:
            if writing is not None:
                # Where the same was done about another right, it is known what is left of the table.
                to = table.choices.get((offer, writing))
                if to is None or (offer, to) not in opening.chosen:
                    done = self._do(table, opening, opening.before, offer)
                    to = table.choices[offer, writing] = None if done is None else done[0].to
                    opening.chosen.add((offer, to))
            elif table is opening.ground.tables[0]:
                self._do(table, opening, opening.before, offer)

    def _put_back(self, opening: Opening, offer: int, befores: Iterable[int]) -> None:
        """The choices about a right that put its call back, with these tables before it."""
        ground = opening.ground
        table = ground.tables[0]
        behind = tuple(side.behind(number) for side, number in zip(self._sides, table.pair, strict=True))
        known = self._settled.setdefault((offer, opening.right, behind), {})
        in_both = self._positions.put_back(table, opening.right, offer)
        for before in befores:
            if before not in known:
                known[before] = self._settle(opening, before, offer, *in_both(before))
            found = known[before]
            if found is not None and found not in opening.settled:
                opening.settled.add(found)
                self._add(ground, *found)

    def _settle(
        self, opening: Opening, before: int, offer: int, in_a: tuple[Reply, int], in_b: tuple[Reply, int]
    ) -> tuple[Deed, Right] | None:
        """What a choice that puts a call back leads to, and what is left of the right then."""
        (reply, after_a), (other, after_b) = in_a, in_b
        first, second = self._spaces[0].view(after_a), self._spaces[1].view(after_b)
        table = opening.ground.tables[0]
        if reply is not other or first is not second:
            parted = offer, reply, other, first, second
            if parted not in self._parted:
                self._parted.add(parted)
                self._do(table, opening, before, offer)
            return None
        after = after_a, after_b
        if reply.conflict:
            return None
        if reply.verdict is Verdict.REFUSED:
            # What is attached to the attempt would have to be looked at on every other ground as well.
            self._found.lost = self._found.lost or after != self._positions.pair(table, opening.right, before)
            return None
        landed = self._land(offer, after)
        if landed is None:
            return None
        to, left = landed
        key = offer, opening.right, reply.moved, id(to), left
        if key not in self._deeds:
            deed = Deed(offer, self._positions.quarter(reply), table, after, to, opening.right, before)
            self._deeds[key] = deed, left
        return self._deeds[key]

    def _land(self, offer: int, after: Pair) -> tuple[Ground, Right] | None:
        """Meet what is left where something was done about a right: the table, and what is open still."""
        open_then = self._meeting.opened(after)
        if open_then is None:
            return None
        left, found = open_then
        to = self._meeting.table(after).ground
        if left != NOTHING:
            self._meeting.meet(to, left, (found,))
        if offer in self._sameness.releasing:
            self._releases.setdefault(self._sameness.released(after), after)
        return to, left

    def _do(self, table: Table, opening: Opening, before: int, offer: int) -> tuple[Deed, Right] | None:
        """Something is done about a right. Gives the deed and what is left of the right, unless the editions part or it
        is refused."""
        pair = self._positions.pair(table, opening.right, before)
        reply, after = self._positions.done(pair, offer)
        if reply is None:
            self._partings.part(pair, offer, after)
            return None
        if reply.conflict or (reply is REFUSED and after == pair):
            return None
        return self._done(table, opening, before, offer, reply, after)

    def _done(
        self,
        table: Table,
        opening: Opening,
        before: int,
        offer: int,
        reply: Reply,
        after: Pair,
        last: bool = False,
    ) -> tuple[Deed, Right] | None:
        """Something has been done about a right: as if nothing else were open, or to the `last` it could mean."""
        ground, right = opening.ground, opening.right
        landed = self._land(offer, after)
        if landed is None:
            return None
        to, left = landed
        deed = Deed(offer, self._positions.quarter(reply), table, after, to, right, before, last)
        stays = reply.verdict is Verdict.REFUSED or offer not in self._positions.concerned(right)[0]
        if left != NOTHING and stays:
            self._leave(opening, Left(deed.quarter, to, left), deed)
        if reply.verdict is Verdict.REFUSED:
            self._found.lost = self._found.lost or to is not ground
            return None
        self._add(ground, deed, left)
        return deed, left

    def _attempt(self, opening: Opening) -> None:
        """What is attempted about a right in vain, to which a law attaches something."""
        table = opening.ground.tables[0]
        for offer in self._attempts - self._positions.chosen(opening.pair):
            self._do(table, opening, opening.before, offer)
        for offer in self._touching - self._attempts:
            # Only because a right is open can something be done that depends on every one of them.
            refused = self._positions.done(table.pair, offer)[0] is REFUSED
            done = self._positions.done(opening.pair, offer)[0]
            self._found.lost = self._found.lost or (refused and done is not REFUSED)

    def _leave(self, opening: Opening, left: Left, deed: Deed) -> None:
        """Note what is left of a right, and meet it for every table before the call that was met so far."""
        deeds = opening.left.setdefault(left, {})
        if deed.offer not in deeds:
            deeds[deed.offer] = deed
            befores = list(opening.befores)
            if not self._meeting.meet(left.to, left.right, self._positions.turned(befores, left.right, left.quarter)):
                self._found.lost = self._found.lost or not self._partings.beside_deed(deed, opening)

    def _stand_by(self, manner: Manner, deed: Deed, opening: Opening) -> None:
        """Something is done that is not about a right, in some manner."""
        if same_claim(deed.about, opening.right):
            return
        if opening.right not in manner.lefts:
            manner.lefts[opening.right] = self._positions.left(deed, opening)
        left = manner.lefts[opening.right]
        if left is None:
            self._found.lost = True
            return
        if deed.about == NOTHING and deed.offer in self._touching:
            pair = self._positions.pair(deed.at, opening.right, opening.before)
            reply, after = self._positions.done(pair, deed.offer)
            if reply is None:
                self._partings.part(pair, deed.offer, after)
                return
        if left != NOTHING:
            self._leave(opening, Left(deed.quarter, deed.to, left), deed)

    def _release(self) -> bool:
        """Meet what the releases so far would have left had any other values been carried; whether that is anything
        new."""
        for after in list(self._releases.values()):
            others = self._sameness.others(after)
            if others is None:
                self._found.lost = True
            for other in others or ():
                to = self._meeting.table(other).ground
                left, before = self._positions.opened(other)
                if left != NOTHING:
                    self._meeting.meet(to, left, (before,))
        return self._meeting.is_anything_to_do

    # -- corrections ---------------------------------------------------------------------------------------

    def _come_back(self) -> bool:
        """Meet what is left of rights where a player corrects a call that was made after theirs, with all that was met
        so far; whether that is anything new."""
        corrections = self._found.corrections
        if corrections is None:
            return False
        corrections.gather(self._meeting.grounds)
        met: dict[object, set[int]] = {}
        for ground in self._meeting.grounds:
            for (right, _), opening in ground.rights.items():
                met.setdefault((id(ground), right), set()).update(opening.befores)
        looked_at: set[tuple[int, int, int]] = set()
        for back in list(corrections.returned(self._meeting.grounds)):
            for before in back.befores - met.get((id(back.ground), back.right), _NONE):
                self._return(back.ground, back.caller, back.right, before)
            between = id(back.now), id(back.ground), back.caller
            if between not in looked_at:
                looked_at.add(between)
                if corrections.ends_otherwise(back.now, back.ground, back.caller):
                    self._found.lost = True
        self._found.lost = self._found.lost or corrections.lost
        return self._meeting.is_anything_to_do

    def _return(self, ground: Ground, caller: int, right: Right, before: int) -> None:
        """A right is open, on some ground, where a player corrects the call that he made there."""
        corrections, positions = self._found.corrections, self._positions
        assert corrections is not None
        key = right, positions.asked[before], caller
        opening = ground.returned.get(key)
        if opening is None:
            pair = positions.pair(ground.tables[0], right, before)
            opening = ground.returned[key] = Opening(ground, right, pair, before, alike=True)
        if before not in opening.befores:
            opening.befores.add(before)
            for left in list(opening.left):
                self._meeting.meet(left.to, left.right, positions.turned((before,), left.right, left.quarter))
        for manner in list(ground.manners.values()):
            for deed in manner.deeds:
                if corrections.is_correction(deed, caller):
                    self._stand_by(manner, deed, opening)
        for offer, table in list(ground.partings.values()):
            if self._spaces[0].offers[offer].place == caller:
                self._partings.beside_right(table, opening, offer)
