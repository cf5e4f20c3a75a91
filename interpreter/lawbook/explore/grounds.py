"""Grounds: tables that open rights cannot tell apart, what is open and what is done there, and the positions they make.

The parts that `shadows.py` is made of, for two editions side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from lawbook.explore.bystanders import Bystanders, Claims, NotApart, Open, claims, with_table
from lawbook.explore.carried import Before, Sameness
from lawbook.explore.space import Reply, Space, View
from lawbook.machine.evaluate import Values
from lawbook.machine.state import State

Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Right:
    """A call open to a remedy as each edition holds it, whatever the table was before it, and what it claims: one
    object wherever it is the same (see `Positions.right`), for it is looked up far more often than met."""

    calls: tuple[Open, Open]
    claims: tuple[Claims, Claims]

    def __iter__(self) -> Iterator[Open]:
        return iter(self.calls)


NOTHING: Final = Right((None, None), (frozenset(), frozenset()))
NO_TABLE: Final = 0
"""The number of the table before a call that can no longer be put back."""


@dataclass(slots=True, eq=False)
class Table:
    """A pair of positions with nothing open."""

    pair: Pair
    ground: Ground
    # The grounds that choices lead to from here, by the offer and what they write.
    choices: dict[tuple[int, int], Ground | None] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Ground:
    """Tables that no right can tell apart: those that were met, the rights open there, those of them that were gone on
    with, and what is done there."""

    tables: list[Table] = field(default_factory=list)
    # By what is asked of the table before the call, too.
    rights: dict[tuple[Right, int], Opening] = field(default_factory=dict)
    begun: list[Opening] = field(default_factory=list)
    deeds: dict[object, Deed] = field(default_factory=dict)
    manners: dict[object, Manner] = field(default_factory=dict)
    # What the editions part on here where nothing is open: the offer, and a table that shows it.
    partings: dict[object, tuple[int, Table]] = field(default_factory=dict)
    # Rights that are open here where a player corrects a call that he made here, by who he is, too.
    returned: dict[tuple[Right, int, int], Opening] = field(default_factory=dict)
    # Where a choice may settle the oldest right: those that give it, by the offer.
    choosing: dict[int, list[Opening]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Opening:
    """A right as it is open on some ground: positions that it is open in, with the table before the call there, and
    whether the editions look alike in them; all tables before the call that it was met with there and that give the
    same choices, and those of them that are still to be gone on with."""

    ground: Ground
    right: Right
    pair: Pair
    before: int
    alike: bool
    befores: set[int] = field(default_factory=set)
    fresh: list[int] = field(default_factory=list)
    # What is left of it, by all that is done here but choices that put its call back; with what is done.
    left: dict[Left, dict[int, Deed]] = field(default_factory=dict)
    # The choices about it that leave the table as it is, or write to it: what they write, by number.
    plain: list[tuple[int, int | None]] = field(default_factory=list)
    # Where those that write lead to, and what those lead to that put its call back.
    chosen: set[tuple[int, Ground | None]] = field(default_factory=set)
    settled: set[tuple[Deed, Right]] = field(default_factory=set)
    # The choices that were seen to settle the last they could mean of it.
    last: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True, eq=False)
class Deed:
    """Something done on one ground that leads to another: the offer, how far the turn moves, the table it was done at
    and what it left there, and the right it was about, if about one, with the table before that call; `last` if it
    settles the last that it could mean."""

    offer: int
    quarter: int
    at: Table
    after: Pair
    to: Ground
    about: Right = NOTHING
    before: int = NO_TABLE
    last: bool = False


@dataclass(slots=True, eq=False)
class Manner:
    """Deeds that do the same to rights that they are not about, for they differ in that alone: enough of them for each
    right to have one that is not about it; and what is left of each right then, None where that cannot be told."""

    deeds: list[Deed] = field(default_factory=list)
    lefts: dict[Right, Right | None] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether no right there may be is of the same claim as what every one of them is about."""
        return any(deed.about == NOTHING for deed in self.deeds) or len({offender(d.about) for d in self.deeds}) > 1


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a right, on which ground, and how far the turn has moved, whatever the table was before the
    call."""

    quarter: int
    to: Ground
    right: Right


class Positions:
    """The positions of two editions side by side, with nothing or one right open, and what is done in them.

    Tables before calls are numbered in the order in which they are met.
    """

    def __init__(
        self, a: Space, b: Space, carried: Set[str], sameness: Sameness, told: tuple[Set[str], Set[str]]
    ) -> None:
        self.spaces = a, b
        self.sides = Bystanders(a, carried, told[0]), Bystanders(b, carried, told[1])
        self._sameness = sameness
        self._chosen_by_view: dict[View, frozenset[int]] = {}
        self._befores: list[Before] = [(None, None)]
        # What is asked of each table before a call to tell which choices there are, by number.
        self.asked: list[int] = [0]
        self._asked: dict[object, int] = {(None, None): 0}
        self._by_key: dict[object, int] = {sameness.key_before((None, None)): NO_TABLE}
        self._numbers: dict[Before, int] = {(None, None): NO_TABLE}
        self._turned: dict[tuple[Right, int], dict[int, int]] = {}
        self._rights: dict[tuple[int, int], Right] = {(id(None), id(None)): NOTHING}
        self._concerned: dict[Right, tuple[frozenset[int], frozenset[int]]] = {}
        self._opened: dict[Pair, tuple[Right, int]] = {}
        self._written: dict[object, int] = {}
        # What choices that put a call back do in each edition by itself, by the offer, the call and what is behind it,
        # and then by the table before the call.
        self._put_back: tuple[dict[object, PutBack], ...] = ({}, {})

    def pair(self, table: Table, right: Right, before: int) -> Pair:
        """The pair of positions with one right open at a table."""
        return self.beside(table, [(right, before)])

    def beside(self, table: Table, rights: Sequence[tuple[Right, int]]) -> Pair:
        """The pair of positions with these rights open at a table, each with the table before its call, the oldest
        first."""
        calls = [self.calls(right, before) for right, before in rights]
        first, second = (
            space.beside(number, *(call for both in calls if (call := both[i]) is not None))
            for i, (space, number) in enumerate(zip(self.spaces, table.pair, strict=True))
        )
        return first, second

    def settled_last(self, table: Table, right: Right, before: int, offer: int) -> Pair | None:
        """The pair of positions that a choice about a right leaves where it settles the last that it could mean; None
        where that cannot be told, or the editions do not look alike then."""
        found: list[int] = []
        for space, number, call in zip(self.spaces, table.pair, self.calls(right, before), strict=True):
            if call is None:
                return None
            left = space.settled(State(space.states[number].values, (call,)), offer, 0, True)
            if left is None:
                return None
            found.append(space.number(left))
        first, second = found
        return (first, second) if self.spaces[0].view(first) is self.spaces[1].view(second) else None

    def right(self, first: Open, second: Open) -> Right:
        """A call open to a remedy as each edition holds it, whatever the table was before it."""
        calls = self.sides[0].one(first), self.sides[1].one(second)
        key = id(calls[0]), id(calls[1])
        found = self._rights.get(key)
        if found is None:
            found = self._rights[key] = Right(calls, (claims(first), claims(second)))
        return found

    def calls(self, right: Right, before: int) -> tuple[Open, Open]:
        """The call as each edition holds it, with the table as it was before it."""
        first, second = map(with_table, right.calls, self._befores[before])
        return first, second

    def opened(self, pair: Pair) -> tuple[Right, int]:
        """The right that is open in a pair of positions, and the table before it. Raises NotApart if there are more."""
        found = self._opened.get(pair)
        if found is None:
            held = [space.states[number].held for space, number in zip(self.spaces, pair, strict=True)]
            if any(len(calls) > 1 for calls in held):
                raise NotApart
            first, second = (calls[0] if calls else None for calls in held)
            before = (first and first.before, second and second.before)
            found = self._opened[pair] = self.right(first, second), self._number(before)
        return found

    def _number(self, before: Before) -> int:
        """The number of a table before a call: one for all that are the same but for what is carried."""
        found = self._numbers.get(before)
        if found is None:
            found = self._by_key.setdefault(self._sameness.key_before(before), len(self._befores))
            if found == len(self._befores):
                self._befores.append(before)
                asked = tuple(side.asked(values) for side, values in zip(self.sides, before, strict=True))
                self.asked.append(self._asked.setdefault(asked, len(self._asked)))
            self._numbers[before] = found
        return found

    def turned(self, befores: Iterable[int], right: Right, quarter: int) -> Iterator[int]:
        """Tables before a call once the turn has moved on, as far as they still matter for what is left of it."""
        known = self._turned.setdefault((right, quarter), {})
        for before in befores:
            found = known.get(before)
            if found is None:
                first, second = (
                    None
                    if call is None or call.before is None
                    else space.held_calls.turned_before(call, values or (), quarter)
                    for space, call, values in zip(self.spaces, right, self._befores[before], strict=True)
                )
                found = known[before] = self._number((first, second))
            yield found

    def turned_right(self, right: Right, quarter: int) -> Right:
        """A right once the turn has moved on."""
        first, second = (
            None if call is None else space.turning.held(call, quarter)
            for space, call in zip(self.spaces, right, strict=True)
        )
        return self.right(first, second)

    def done(self, pair: Pair, offer: int) -> tuple[Reply | None, Pair]:
        """What both editions say of an offer, None where they part, and what it leaves."""
        a, b = self.spaces
        (reply, after_a), (other, after_b) = a.outcome(pair[0], offer), b.outcome(pair[1], offer)
        agreed = reply is other and a.view(after_a) is b.view(after_b)
        return reply if agreed else None, (after_a, after_b)

    def put_back(self, table: Table, right: Right, offer: int) -> Callable[[int], tuple[tuple[Reply, int], ...]]:
        """What each edition by itself says of a choice that puts the call of a right back, and the position it leaves,
        by the table before the call."""
        known: list[PutBack] = []
        for i, side in enumerate(self.sides):
            call = right.calls[i]
            key = offer, call, side.behind(table.pair[i])
            if key not in self._put_back[i]:
                self._put_back[i][key] = PutBack(self.spaces[i], table.pair[i], call, offer)
            known.append(self._put_back[i][key])
        first, second = known

        def after(before: int) -> tuple[tuple[Reply, int], ...]:
            in_a, in_b = self._befores[before]
            return first.after(in_a), second.after(in_b)

        return after

    def quarter(self, reply: Reply) -> int:
        """How far the table is turned after an act."""
        return reply.moved if self.spaces[0].turned else 0

    def concerned(self, right: Right) -> tuple[frozenset[int], frozenset[int]]:
        """The offers of choices about a right that put the call back, and of those that do not."""
        found = self._concerned.get(right)
        if found is None:
            (back, plain), (also_back, also_plain) = (
                side.concerned(call) for side, call in zip(self.sides, right, strict=True)
            )
            found = self._concerned[right] = back | also_back, (plain | also_plain) - (back | also_back)
        return found

    def writing(self, right: Right, offer: int) -> int | None:
        """The number of what a choice about a right writes to registers; None if nothing is written."""
        writing = tuple(side.writing(call, offer) for side, call in zip(self.sides, right, strict=True))
        return None if writing == (None, None) else self._written.setdefault(writing, len(self._written))

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

    def chooses_alike(self, table: Table, opening: Opening, offer: int) -> bool:
        """Whether both editions leave alike what can be chosen after something is done at a table only because a right
        was open before; False where that cannot be told."""
        (a, b), (first, second) = self.sides, table.pair
        (in_a, in_b), (before_a, before_b) = opening.right.calls, self._befores[opening.before]
        asked = self.asked[opening.before]
        try:
            left_in_a = a.left_to_choose(offer, first, in_a, before_a, asked)
            return left_in_a == b.left_to_choose(offer, second, in_b, before_b, asked)
        except NotApart:
            return False

    def left(self, deed: Deed, opening: Opening) -> Right | None:
        """What is left of a right after a deed that is not about it; None if that cannot be told."""
        found: list[Open] = []
        right, about, before, before_that = opening.right, deed.about, opening.before, deed.before
        try:
            for i, side in enumerate(self.sides):
                call = right.calls[i]
                if call is not None:
                    befores = self._befores[before][i], self._befores[before_that][i]
                    tables = deed.at.pair[i], deed.after[i]
                    call = side.after(deed.offer, *tables, deed.quarter, (call, about.calls[i]), befores, deed.last)
                found.append(call)
        except NotApart:
            return None
        first, second = found
        return self.right(first, second)


class PutBack:
    """What one edition says of a choice that puts a call back, and the position it leaves.

    Both depend on the call, on the table before it, and on no more of the present table than what is `behind` it.
    """

    def __init__(self, space: Space, table: int, call: Open, offer: int) -> None:
        self._space, self._table, self._call, self._offer = space, table, call, offer
        self._known: dict[Values | None, tuple[Reply, int]] = {}

    def after(self, before: Values | None) -> tuple[Reply, int]:
        """With this table before the call."""
        found = self._known.get(before)
        if found is None:
            call, space = with_table(self._call, before), self._space
            state = State(space.states[self._table].values, () if call is None else (call,))
            reply, after = space.done(state, self._offer)
            found = self._known[before] = reply, space.number(state if after is None else after)
        return found


def offender(right: Right) -> int | None:
    """Whose call or act is open to a remedy."""
    return next((call.caller for call in right if call is not None), None)


def same_claim(one: Right, other: Right) -> bool:
    """Whether two rights cannot be open at once, for the later would have ended the earlier."""
    (one_a, one_b), (other_a, other_b) = one.claims, other.claims
    return not (one_a.isdisjoint(other_a) and one_b.isdisjoint(other_b))
