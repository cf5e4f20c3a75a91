"""Grounds: tables that open rights cannot tell apart, what is open and what is done there, and the positions they make.

The parts that `shadows.py` is made of, for two editions side by side.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from lawbook.explore.bystanders import Bystanders, NotApart, Open, apart_from_the_table, claims, with_table
from lawbook.explore.carried import Before, Sameness
from lawbook.explore.space import Choosable, Reply, Space, View
from lawbook.machine.evaluate import Values

Pair: TypeAlias = tuple[int, int]
Right: TypeAlias = tuple[Open, Open]
"""A call open to a remedy as each edition holds it, whatever the table was before it."""
NOTHING: Final[Right] = (None, None)


@dataclass(slots=True, eq=False)
class Table:
    """A pair of positions with nothing open."""

    pair: Pair
    ground: Ground
    # The grounds that choices lead to from here, by the offer and what they write.
    choices: dict[object, Ground | None] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Ground:
    """Tables that no right can tell apart: those that were met, the rights open there (by the table before the call,
    the pair of positions, and whether the editions look alike in it), and what is done there."""

    tables: list[Table] = field(default_factory=list)
    rights: dict[Right, dict[Before, tuple[Pair, bool]]] = field(default_factory=dict)
    deeds: dict[object, Deed] = field(default_factory=dict)
    # What the editions part on here where nothing is open: the offer, and a table that shows it.
    partings: dict[object, tuple[int, Table]] = field(default_factory=dict)
    # What is left of each right, by all that is done here but choices that put its call back; with what is done.
    left: dict[Right, dict[Left, dict[int, Deed]]] = field(default_factory=dict)
    # Where choices that write to registers lead to, about each right.
    chosen: dict[Right, set[tuple[int, Ground | None]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Deed:
    """Something done on one ground that leads to another: the offer, how far the turn moves, the table it was done at
    and what it left there, and the right it was about, if about one, with the table before that call."""

    offer: int
    quarter: int
    at: Table
    after: Pair
    to: Ground
    about: Right = NOTHING
    before: Before = (None, None)


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a right, on which ground, and how far the turn has moved, whatever the table was before the
    call."""

    quarter: int
    to: Ground
    right: Right


class Positions:
    """The positions of two editions side by side, with nothing or one right open, and what is done in them."""

    def __init__(self, a: Space, b: Space, carried: Set[str], sameness: Sameness) -> None:
        self.spaces = a, b
        self.sides = Bystanders(a, carried), Bystanders(b, carried)
        self._sameness = sameness
        self._chosen_by_view: dict[View, frozenset[int]] = {}
        self._before_by_key: dict[object, Before] = {}
        self._befores: dict[Before, Before] = {}
        self._turned: dict[tuple[Before, Right, int], Before] = {}

    def pair(self, table: Table, right: Right, before: Before) -> Pair:
        """The pair of positions with one right open at a table."""
        first, second = (
            number if call is None else space.beside(number, with_table(call, values))
            for space, number, call, values in zip(self.spaces, table.pair, right, before, strict=True)
        )
        return first, second

    def opened(self, pair: Pair) -> tuple[Right, Before]:
        """The right that is open in a pair of positions, and the table before it. Raises NotApart if there are more."""
        held = [space.states[number].held for space, number in zip(self.spaces, pair, strict=True)]
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

    def turned(self, before: Before, right: Right, quarter: int) -> Before:
        """The table before a call once the turn has moved on, as far as it still matters for what is left of it."""
        key = before, right, quarter
        found = self._turned.get(key)
        if found is None:
            first, second = (
                None if call is None or call.before is None else space.turned_before(call, values or (), quarter)
                for space, call, values in zip(self.spaces, right, before, strict=True)
            )
            found = self._turned[key] = self._same((first, second))
        return found

    def done(self, pair: Pair, offer: int) -> tuple[Reply | None, Pair]:
        """What both editions say of an offer, None where they part, and what it leaves."""
        a, b = self.spaces
        (reply, after_a), (other, after_b) = a.outcome(pair[0], offer), b.outcome(pair[1], offer)
        agreed = reply is other and a.view(after_a) is b.view(after_b)
        return reply if agreed else None, (after_a, after_b)

    def quarter(self, reply: Reply) -> int:
        """How far the table is turned after an act."""
        return reply.moved if self.spaces[0].turned else 0

    def concerned(self, right: Right) -> tuple[frozenset[int], frozenset[int]]:
        """The offers of choices about a right that put the call back, and of those that do not."""
        (back, plain), (also_back, also_plain) = (
            side.concerned(call) for side, call in zip(self.sides, right, strict=True)
        )
        return back | also_back, (plain | also_plain) - (back | also_back)

    def chosen(self, pair: Pair) -> frozenset[int]:
        """The offers by which a remedy can be chosen in a pair of positions that look alike."""
        view = self.spaces[0].view(pair[0])
        found = self._chosen_by_view.get(view)
        if found is None:
            acts = {(choice.holder, choice.act) for choice in view.choosable}
            offers = enumerate(self.spaces[0].offers)
            found = frozenset(place for place, offer in offers if (offer.place, offer.name) in acts)
            self._chosen_by_view[view] = found
        return found

    def left_to_choose(self, side: int, bare: int, number: int, offer: int) -> frozenset[Choosable]:
        """What can be chosen after an act only because a right was open before, seats counted from who was in turn."""
        space = self.spaces[side]
        found: list[frozenset[Choosable]] = []
        for before in (bare, number):
            reply, after = space.outcome(before, offer)
            found.append(space.seen(after, reply).choosable)
        return found[1] - found[0]

    def left(self, deed: Deed, right: Right, before: Before) -> Right | None:
        """What is left of a right after a deed that is not about it; None if that cannot be told."""
        found: list[Open] = []
        try:
            for i, side in enumerate(self.sides):
                call = at(right[i], before[i])
                if call is not None:
                    about = at(deed.about[i], deed.before[i])
                    call = side.after(deed.offer, deed.at.pair[i], deed.after[i], deed.quarter, call, about)
                found.append(call)
        except NotApart:
            return None
        first, second = found
        return first, second


def at(call: Open, before: Values | None) -> Open:
    """A call open to a remedy, if there is one, with the table as it was before it."""
    return None if call is None else with_table(call, before)


def same_claim(one: Right, other: Right) -> bool:
    """Whether two rights cannot be open at once, for the later would have ended the earlier."""
    return any(
        first is not None and second is not None and bool(claims(first) & claims(second))
        for first, second in zip(one, other, strict=True)
    )
