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
from typing import Final, TypeAlias

from lawbook.explore.bystanders import Bystanders, NotApart, Open, apart_from_the_table, claims, with_table
from lawbook.explore.carried import Before, Key, Sameness
from lawbook.explore.product import INTERRUPTED, Bounds, Budget, Divergence, Progress, Way, way_to_part
from lawbook.explore.space import REFUSED, Choosable, Reply, Space, View
from lawbook.machine.evaluate import Values
from lawbook.machine.ruling import Verdict

# How much is gone on from between two looks at the clock.
_STRIDE: Final = 256

_Pair: TypeAlias = tuple[int, int]
_Right: TypeAlias = tuple[Open, Open]
"""A call open to a remedy as each edition holds it, whatever the table was before it."""
_NOTHING: Final[_Right] = (None, None)


@dataclass(slots=True, eq=False)
class _Table:
    """A pair of positions with nothing open."""

    pair: _Pair
    ground: _Ground
    # The grounds that choices lead to from here, by the offer and what they write.
    choices: dict[object, _Ground | None] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Ground:
    """Tables that no right can tell apart: those that were met, the rights open there (by the table before the call,
    the pair of positions, and whether the editions look alike in it), and what is done there."""

    tables: list[_Table] = field(default_factory=list)
    rights: dict[_Right, dict[Before, tuple[_Pair, bool]]] = field(default_factory=dict)
    deeds: dict[object, _Deed] = field(default_factory=dict)
    # What the editions part on here where nothing is open: the offer, and a table that shows it.
    partings: dict[object, tuple[int, _Table]] = field(default_factory=dict)
    # What is left of each right, by all that is done here but choices that put its call back; with what is done.
    left: dict[_Right, dict[_Left, dict[int, _Deed]]] = field(default_factory=dict)
    # Where choices that write to registers lead to, about each right.
    chosen: dict[_Right, set[tuple[int, _Ground | None]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Deed:
    """Something done on one ground that leads to another: the offer, how far the turn moves, the table it was done at
    and what it left there, and the right it was about, if about one, with the table before that call."""

    offer: int
    quarter: int
    at: _Table
    after: _Pair
    to: _Ground
    about: _Right = _NOTHING
    before: Before = (None, None)


@dataclass(frozen=True, slots=True)
class _Left:
    """What is left of a right, on which ground, and how far the turn has moved, whatever the table was before the
    call."""

    quarter: int
    to: _Ground
    right: _Right


@dataclass(slots=True)
class Shadows:
    """What was found: the ways to part, each with a pair of positions that shows it and what the act leaves there; how
    many tables and rights there are; whether something was met that cannot be followed in this way; and whether, or
    why not, it came to its end."""

    ways: dict[Way, tuple[_Pair, Divergence]] = field(default_factory=dict)
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
        self._sides = Bystanders(a, carried.keys()), Bystanders(b, carried.keys())
        self._attempts = self._sides[0].attempts | self._sides[1].attempts
        self._touching = self._sides[0].touching | self._sides[1].touching
        self._budget = budget
        self._deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        self._progress = progress
        self._sameness = Sameness(a, b, carried)
        self._found = Shadows()
        self._tables: dict[Key, _Table] = {}
        self._grounds: dict[object, _Ground] = {}
        self._tables_to_do: deque[_Table] = deque()
        self._rights_to_do: dict[tuple[int, _Right], tuple[_Ground, _Right, list[Before]]] = {}
        self._chosen_by_view: dict[View, frozenset[int]] = {}
        self._before_by_key: dict[object, Before] = {}
        self._befores: dict[Before, Before] = {}
        # What choices that put a call back do, wherever they are made.
        self._put_back: dict[object, tuple[_Deed, _Right] | None] = {}
        # One pair for each way in which carried values get to where laws ask about them.
        self._releases: dict[Key, _Pair] = {}
        self._turned: dict[tuple[Before, _Right, int], Before] = {}

    def run(self) -> Shadows:
        """What is found, as far as it comes."""
        found, (a, b) = self._found, self._spaces
        try:
            for dealer in range(1 if a.turned else 4):
                self._table((a.start(dealer), b.start(dealer)))
            done = 0
            while self._tables_to_do or self._rights_to_do or self._release():
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

    def _may_hide(self, ground: _Ground) -> bool:
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
                    if any(unlike & choices and not _same_claim(right, other) for other, choices in alike):
                        return True
        return False

    def _look_up(self, done: int) -> str | None:
        found = self._found
        met = found.tables + found.rights
        if self._progress is not None:
            self._progress(Progress(Bounds(), 0, done, met, len(found.ways)))
        return self._budget.spent(self._deadline, met, "tables and rights")

    # -- meeting -------------------------------------------------------------------------------------------

    def _table(self, pair: _Pair) -> _Table:
        """The table of a pair of positions, which is met by that."""
        bare = self._spaces[0].bare(pair[0]), self._spaces[1].bare(pair[1])
        key = self._sameness.key(bare)
        found = self._tables.get(key)
        if found is None:
            if self._sameness.carries and not self._sameness.is_alike(bare):
                self._found.lost = True
            signs = tuple(side.ground(number) for side, number in zip(self._sides, bare, strict=True))
            ground = self._grounds.setdefault(signs, _Ground())
            found = self._tables[key] = _Table(bare, ground)
            ground.tables.append(found)
            self._tables_to_do.append(found)
            self._found.tables += 1
        return found

    def _meet(self, ground: _Ground, right: _Right, before: Before) -> tuple[_Pair, bool]:
        """Meet a right; gives an example of positions it is open in, and whether the editions look alike there."""
        known = ground.rights.setdefault(right, {})
        found = known.get(before)
        if found is None:
            pair = self._pair(ground.tables[0], right, before)
            alike = self._spaces[0].view(pair[0]) is self._spaces[1].view(pair[1])
            found = known[before] = pair, alike
            if alike:
                self._found.rights += 1
                self._rights_to_do.setdefault((id(ground), right), (ground, right, []))[2].append(before)
        return found

    def _pair(self, table: _Table, right: _Right, before: Before) -> _Pair:
        """The pair of positions with one right open at a table."""
        first, second = (
            number if call is None else space.beside(number, with_table(call, values))
            for space, number, call, values in zip(self._spaces, table.pair, right, before, strict=True)
        )
        return first, second

    def _opened(self, pair: _Pair) -> tuple[_Right, Before]:
        """The right that is open in a pair of positions, and the table before it. Raises NotApart if there are more."""
        held = [space.states[number].held for space, number in zip(self._spaces, pair, strict=True)]
        if any(len(calls) > 1 for calls in held):
            raise NotApart
        first, second = (calls[0] if calls else None for calls in held)
        before = (first and first.before, second and second.before)
        return (apart_from_the_table(first), apart_from_the_table(second)), self._same(before)

    def _same(self, before: Before) -> Before:
        """The table before a call that stands for all that are the same but for what is carried."""
        found = self._befores.get(before)
        if found is None:
            found = self._before_by_key.setdefault(self._sameness.key_before(before), before)
            self._befores[before] = found
        return found

    def _turn(self, before: Before, right: _Right, quarter: int) -> Before:
        """The table before a call once the turn has moved on, as far as it still matters for what is left of it."""
        key = before, right, quarter
        found = self._turned.get(key)
        if found is None:
            first, second = (
                None if call is None or call.before is None else space.turned_before(call, values or (), quarter)
                for space, call, values in zip(self._spaces, right, before, strict=True)
            )
            found = self._turned[key] = self._same((first, second))
        return found

    def _part(self, pair: _Pair, offer: int, after: _Pair) -> Way:
        """The editions part on an act."""
        parting = Divergence(0, offer, *after)
        way = way_to_part(*self._spaces, pair, parting)
        self._found.ways.setdefault(way, (pair, parting))
        return way

    def _done(self, pair: _Pair, offer: int) -> tuple[Reply | None, _Pair]:
        """What both editions say of an offer, None where they part, and what it leaves."""
        a, b = self._spaces
        (reply, after_a), (other, after_b) = a.outcome(pair[0], offer), b.outcome(pair[1], offer)
        agreed = reply is other and a.view(after_a) is b.view(after_b)
        return reply if agreed else None, (after_a, after_b)

    # -- tables --------------------------------------------------------------------------------------------

    def _go_on(self, table: _Table) -> None:
        """Go on from a table: all that can be done where nothing is open, and choices that change it."""
        in_a, in_b = (space.following(n) for space, n in zip(self._spaces, table.pair, strict=True))
        for offer in {**in_a, **in_b}:
            reply, after = self._done(table.pair, offer)
            if reply is None:
                self._part_at(table, offer, after)
            elif not reply.conflict:
                self._step(table, offer, reply, after)
        for right in list(table.ground.left):
            self._choose(table, right)

    def _quarter(self, reply: Reply) -> int:
        """How far the table is turned after an act."""
        return reply.moved if self._spaces[0].turned else 0

    def _part_at(self, table: _Table, offer: int, after: _Pair) -> None:
        """The editions part where nothing is open, and where any right is: they may part on that as well."""
        way = self._part(table.pair, offer, after)
        signs = tuple(side.ground(number) for side, number in zip(self._sides, after, strict=True))
        if (way, signs) not in table.ground.partings:
            table.ground.partings[way, signs] = offer, table
            for right in list(table.ground.left):
                self._part_with(table, right, offer)

    def _part_with(self, table: _Table, right: _Right, offer: int) -> None:
        pair = self._pair(table, right, self._example(table.ground, right)[0])
        reply, after = self._done(pair, offer)
        in_a, in_b = (self._left_to_choose(side, table.pair[side], pair[side], offer) for side in (0, 1))
        if reply is None and in_a != in_b:
            self._part(pair, offer, after)

    def _left_to_choose(self, side: int, bare: int, number: int, offer: int) -> frozenset[Choosable]:
        """What can be chosen after an act only because a right was open before, seats counted from who was in turn."""
        space = self._spaces[side]
        found: list[frozenset[Choosable]] = []
        for before in (bare, number):
            reply, after = space.outcome(before, offer)
            found.append(space.seen(after, reply).choosable)
        return found[1] - found[0]

    def _step(self, table: _Table, offer: int, reply: Reply, after: _Pair) -> None:
        try:
            opened, before = self._opened(after)
        except NotApart:
            self._found.lost = True
            return
        if offer in self._sameness.releasing:
            # What is released here would have to be put together with every right.
            self._found.lost = True
        to = self._table(after).ground
        if opened != _NOTHING and not self._meet(to, opened, before)[1]:
            self._part(table.pair, offer, after)
        self._add(table.ground, _Deed(offer, self._quarter(reply), table, after, to), opened)

    def _add(self, ground: _Ground, deed: _Deed, besides: _Right) -> None:
        """Note a deed, beside which a right is open then, with what it does to the rights it is not about."""
        key = deed.offer, deed.quarter, id(deed.to), deed.about, besides
        if key not in ground.deeds:
            ground.deeds[key] = deed
            for right in list(ground.left):
                self._stand_by(ground, deed, right)

    # -- rights --------------------------------------------------------------------------------------------

    def _go_on_with(self, ground: _Ground, right: _Right, befores: Sequence[Before]) -> None:
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
        back, table = self._concerned(right)[0], ground.tables[0]
        behind = tuple(side.behind(number) for side, number in zip(self._sides, table.pair, strict=True))
        for before in befores:
            for offer in back & self._chosen(ground.rights[right][before][0]):
                key = offer, right, before, behind
                if key not in self._put_back:
                    self._put_back[key] = self._do(table, right, before, offer)
                elif (done := self._put_back[key]) is not None:
                    self._add(ground, *done)

    def _concerned(self, right: _Right) -> tuple[frozenset[int], frozenset[int]]:
        """The offers of choices about a right that put the call back, and of those that do not."""
        (back, plain), (also_back, also_plain) = (
            side.concerned(call) for side, call in zip(self._sides, right, strict=True)
        )
        return back | also_back, (plain | also_plain) - (back | also_back)

    def _chosen(self, pair: _Pair) -> frozenset[int]:
        """The offers by which a remedy can be chosen in a pair of positions that look alike."""
        view = self._spaces[0].view(pair[0])
        found = self._chosen_by_view.get(view)
        if found is None:
            acts = {(choice.holder, choice.act) for choice in view.choosable}
            offers = enumerate(self._spaces[0].offers)
            found = frozenset(place for place, offer in offers if (offer.place, offer.name) in acts)
            self._chosen_by_view[view] = found
        return found

    def _choose(self, table: _Table, right: _Right) -> None:
        """The choices about a right that leave the table as it is, or change it from what it is."""
        ground = table.ground
        plain = self._concerned(right)[1]
        if not plain:
            return
        before, pair = self._example(ground, right)
        for offer in plain & self._chosen(pair):
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

    def _example(self, ground: _Ground, right: _Right) -> tuple[Before, _Pair]:
        """A table before a call that a right was met with, and positions it is open in, which look alike."""
        return next((before, pair) for before, (pair, alike) in ground.rights[right].items() if alike)

    def _do(self, table: _Table, right: _Right, before: Before, offer: int) -> tuple[_Deed, _Right] | None:
        """Something is done about a right. Gives the deed and what is left of the right, unless the editions part or it
        is refused."""
        ground = table.ground
        pair = self._pair(table, right, before)
        reply, after = self._done(pair, offer)
        if reply is None:
            self._part(pair, offer, after)
            return None
        if reply is REFUSED or reply.conflict:
            return None
        try:
            left, found = self._opened(after)
        except NotApart:
            self._found.lost = True
            return None
        to = self._table(after).ground
        deed = _Deed(offer, self._quarter(reply), table, after, to, right, before)
        if left != _NOTHING:
            self._meet(to, left, found)
            if reply.verdict is Verdict.REFUSED or offer not in self._concerned(right)[0]:
                self._leave(ground, right, _Left(deed.quarter, to, left), deed)
        if offer in self._sameness.releasing:
            self._releases.setdefault(self._sameness.released(after), after)
        if reply.verdict is Verdict.REFUSED:
            self._found.lost = self._found.lost or to is not ground
            return None
        self._add(ground, deed, left)
        return deed, left

    def _attempt(self, ground: _Ground, right: _Right) -> None:
        """What is attempted about a right in vain, to which a law attaches something."""
        table = ground.tables[0]
        before, pair = self._example(ground, right)
        for offer in self._attempts - self._chosen(pair):
            self._do(table, right, before, offer)
        for offer in self._touching - self._attempts:
            # Only because a right is open can something be done that depends on every one of them.
            refused = self._done(table.pair, offer)[0] is REFUSED
            self._found.lost = self._found.lost or (refused and self._done(pair, offer)[0] is not REFUSED)

    def _leave(self, ground: _Ground, right: _Right, left: _Left, deed: _Deed) -> None:
        """Note what is left of a right, and meet it for every table before the call that was met so far."""
        deeds = ground.left[right].setdefault(left, {})
        if deed.offer not in deeds:
            deeds[deed.offer] = deed
            befores = ground.rights[right].items()
            self._keep(ground, right, [before for before, (_, alike) in befores if alike], left, (deed,))

    def _keep(
        self, ground: _Ground, right: _Right, befores: Iterable[Before], left: _Left, deeds: Sequence[_Deed]
    ) -> None:
        """Meet what is left of a right, for some tables before the call."""
        known = left.to.rights.setdefault(left.right, {})
        for before in befores:
            after = self._turn(before, left.right, left.quarter)
            found = known.get(after) or self._meet(left.to, left.right, after)
            if not found[1]:
                for deed in deeds:
                    self._part_beside(deed, right, before)

    def _part_beside(self, deed: _Deed, right: _Right, before: Before) -> None:
        """The editions part on a right once something is done that may be about another."""
        held = [
            tuple(
                call
                for call in (
                    _at(right[i], before[i]),
                    None if right == deed.about else _at(deed.about[i], deed.before[i]),
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
            reply, after = self._done((first, second), deed.offer)
            if reply is None:
                self._part((first, second), deed.offer, after)

    def _stand_by(self, ground: _Ground, deed: _Deed, right: _Right) -> None:
        """Something is done that is not about a right."""
        if _same_claim(deed.about, right):
            return
        before, _ = self._example(ground, right)
        left = self._left(deed, right, before)
        if left is None:
            return
        if deed.about == _NOTHING and deed.offer in self._touching:
            pair = self._pair(deed.at, right, before)
            reply, after = self._done(pair, deed.offer)
            if reply is None:
                self._part(pair, deed.offer, after)
                return
        if left != _NOTHING:
            self._leave(ground, right, _Left(deed.quarter, deed.to, left), deed)

    def _left(self, deed: _Deed, right: _Right, before: Before) -> _Right | None:
        """What is left of a right after a deed that is not about it; None if that cannot be told."""
        found: list[Open] = []
        try:
            for i, side in enumerate(self._sides):
                call = _at(right[i], before[i])
                if call is not None:
                    about = _at(deed.about[i], deed.before[i])
                    call = side.after(deed.offer, deed.at.pair[i], deed.after[i], deed.quarter, call, about)
                found.append(call)
        except NotApart:
            self._found.lost = True
            return None
        first, second = found
        return first, second

    def _release(self) -> bool:
        """Meet what the releases so far would have left had any other values been carried; whether that is anything
        new."""
        for after in list(self._releases.values()):
            others = self._sameness.others(after)
            if others is None:
                self._found.lost = True
            for other in others or ():
                to = self._table(other).ground
                left, before = self._opened(other)
                if left != _NOTHING:
                    self._meet(to, left, before)
        return bool(self._tables_to_do or self._rights_to_do)


def _at(call: Open, before: Values | None) -> Open:
    return None if call is None else with_table(call, before)


def _same_claim(one: _Right, other: _Right) -> bool:
    """Whether two rights cannot be open at once, for the later would have ended the earlier."""
    return any(
        first is not None and second is not None and bool(claims(first) & claims(second))
        for first, second in zip(one, other, strict=True)
    )
