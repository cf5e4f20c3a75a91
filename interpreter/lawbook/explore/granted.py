"""What is granted: all that can come to be said of a player about correcting his calls, in two editions side by side.

Nothing that is said of one player depends on what is said of another (see leave.py), so the players are followed one by
one: by all that was met of tables, rights and what is done about them.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lawbook.edition.model import Kind, Step
from lawbook.explore.bystanders import Open
from lawbook.explore.grounds import NO_TABLE, NOTHING, Deed, Ground, Positions, Right, Table
from lawbook.explore.leave import Leave, Status
from lawbook.explore.offers import PLACES
from lawbook.loading import call_number
from lawbook.machine.evaluate import Values
from lawbook.machine.preceding import taken_back
from lawbook.machine.reading import Changes, Report
from lawbook.machine.ruling import Event
from lawbook.machine.state import HeldCall, State
from lawbook.values import Call

Statuses: TypeAlias = tuple[Status, Status]
"""What each edition says of one player."""


@dataclass(frozen=True, slots=True)
class _Occasion:
    """Something done that may change what is said of players: the offer, at which table, about which right, and beside
    which other."""

    offer: int
    table: Table
    about: Right
    before: int
    besides: Right
    besides_before: int


class Granted:
    """What two editions say of players, and when both let one correct his call."""

    def __init__(self, positions: Positions, leaves: tuple[Leave, Leave]) -> None:
        self._positions = positions
        self._spaces = positions.spaces
        self._leaves = leaves
        self._calls = tuple(dict.fromkeys(o.call for o in self._spaces[0].offers if o.is_call and o.call))
        self._known: dict[object, tuple[frozenset[Statuses], ...]] = {}
        self._may_known: dict[tuple[int, Status], bool] = {}
        self._held_known: dict[tuple[int, Status], bool] = {}
        self._occasions: dict[object, _Occasion] = {}
        self._signs: dict[int, object] = {}
        # Whether each edition holds a call for the rights against it, as far as any was met.
        self._held_for_rights = {(False, False)}
        self.acts = leaves[0].correcting | leaves[1].correcting
        """The acts by which calls are corrected."""
        self.tables: dict[object, Table] = {}
        """One table of each kind that makes a difference to corrections."""
        self.reached: frozenset[Statuses] = frozenset()
        """All that may be said of a player."""
        self.open: frozenset[Statuses] = frozenset()
        """What is said of a player whom both editions let correct his call."""
        self.calls: frozenset[Call] = frozenset()
        """What both let him correct it to."""
        self.lost = False
        """Whether something was met that cannot be followed in this way."""

    # -- what becomes of leave to correct ------------------------------------------------------------------

    def gather(self, grounds: Iterable[Ground]) -> None:
        """Take account of all that was met so far: what can be said of a player, and what leave he may have."""
        touching = self._positions.sides[0].touching | self._positions.sides[1].touching
        kinds = len(self.tables), len(self._held_for_rights)
        for ground in grounds:
            for table in ground.tables:
                self.tables.setdefault(self.signs(table), table)
            for right, _ in ground.rights:
                # What is open against an act that is no call outlasts corrections of calls made before it.
                self.lost = self.lost or any(c and not c.is_call for c in right)
                self._held_for_rights.add((_is_held(right.calls[0]), _is_held(right.calls[1])))
            for deed in ground.deeds.values():
                self._note(deed, NOTHING, NO_TABLE)
                if deed.offer in touching:
                    # What is done then to one player may be for the sake of any right that is open.
                    self.lost = self.lost or deed.about != NOTHING
                    for opening in ground.begun:
                        self._note(deed, opening.right, opening.before)
        if (len(self.tables), len(self._held_for_rights)) != kinds:
            # What was looked at was asked of the tables and rights met until then.
            self._known.clear()
            self._may_known.clear()
        self._reach()
        accepted = [
            (said, call)
            for said in self.reached
            for table, seat, act, call in self._asked()
            if self.both_let(table, seat, said, act, call)
        ]
        self.open = frozenset(said for said, _ in accepted)
        self.calls = frozenset(call for _, call in accepted)

    def _note(self, deed: Deed, besides: Right, before: int) -> None:
        key = deed.offer, self.signs(deed.at), self._reduced(deed.about), self._reduced(besides)
        if key not in self._occasions:
            self._occasions[key] = _Occasion(deed.offer, deed.at, deed.about, deed.before, besides, before)

    def _reach(self) -> None:
        """All that can come to be said of a player, whoever he is."""
        start = self._of(self._spaces[0].start(), self._spaces[1].start(), 0)
        reached = {start}
        pending = [start]
        while pending:
            said = pending.pop()
            found: set[Statuses] = set()
            for seat in PLACES:
                for occasion in self._occasions.values():
                    found |= self._after(occasion, seat, said)
                found.update(self._taken_back(seat, said))
            pending += found - reached
            reached |= found
        self.reached = frozenset(reached)

    def _of(self, first: int, second: int, seat: int) -> Statuses:
        a, b = self._leaves
        return a.of(self._spaces[0].states[first].values, seat), b.of(self._spaces[1].states[second].values, seat)

    def after_call(self, deed: Deed, seat: int, said: Statuses) -> frozenset[Statuses]:
        """What may be said of a player once a call is made."""
        nothing = self._reduced(NOTHING)
        occasion = self._occasions[deed.offer, self.signs(deed.at), nothing, nothing]
        return self._after(occasion, seat, said)

    def _after(self, occasion: _Occasion, seat: int, said: Statuses) -> frozenset[Statuses]:
        """What may be said of a player once something is done. That is looked at once for all of them, for what is said
        of one makes no difference to the others."""
        key = id(occasion), said
        found = self._known.get(key)
        if found is None:
            each = [self._done(occasion, said, (False, False), 0)]
            if occasion.about is not NOTHING:
                # Calls of theirs may be held too, made after the one that is settled or before it.
                each = [self._done(occasion, said, own, order) for own in self._own(said) for order in (1, -1)]
            found = self._known[key] = tuple(map(frozenset, zip(*each, strict=True)))
        return found[seat]

    def _own(self, said: Statuses) -> Iterator[tuple[bool, bool]]:
        """Whether each edition holds the last call of a player of whom that is said. One that cannot be corrected may
        be held for the rights against it."""
        by_leave = self.is_held(0, said[0]), self.is_held(1, said[1])
        yield from {(by_leave[0] or held[0], by_leave[1] or held[1]) for held in self._held_for_rights}

    def _done(self, occasion: _Occasion, said: Statuses, own: tuple[bool, bool], order: int) -> tuple[Statuses, ...]:
        """What is said of each player once something is done, if that was said of all of them; with their own calls
        held besides, in each edition or not, after the call that is settled (1) or before it (-1), if one is."""
        about = self._positions.calls(occasion.about, occasion.before)
        besides = self._positions.calls(occasion.besides, occasion.besides_before)
        offer = self._spaces[0].offers[occasion.offer]
        after: list[list[Status]] = []
        for i, space in enumerate(self._spaces):
            leave = self._leaves[i]
            values = space.states[occasion.table.pair[i]].values
            for seat in PLACES:
                values = leave.put(values, seat, said[i])
            held = tuple(call for call in (about[i], besides[i]) if call is not None)
            if order and own[i]:
                held = (*held, *(self.held(i, seat, values) for seat in PLACES))[::order]
            _, done = space.done(State(values, held), occasion.offer)
            after.append([leave.of(values if done is None else done.values, seat) for seat in PLACES])
            call = about[i]
            puts_back = occasion.offer in self._positions.sides[i].concerned(occasion.about.calls[i])[0]
            for seat, status in enumerate(after[i]):
                is_gone = puts_back and call is not None and (call.caller == seat or (order == 1 and own[i]))
                self._check(i, said[i], status, anew=offer.is_call and offer.place == seat, is_gone=is_gone)
        return tuple(zip(*after, strict=True))

    def _taken_back(self, seat: int, said: Statuses) -> Iterator[Statuses]:
        """What is said of a player whose call is taken back with an earlier one of another's."""
        for table, offender, own in itertools.product(list(self.tables.values()), PLACES, self._own(said)):
            if offender == seat:
                continue
            for call in self._kinds:
                after: list[Status] = []
                for i, space in enumerate(self._spaces):
                    values = self._leaves[i].put(space.states[table.pair[i]].values, seat, said[i])
                    if own[i]:
                        changes = Changes(space.machine.reader, Report())
                        held = self.held(i, seat, values)._replace(call=call[i])
                        taken_back(space.machine.reader, held, offender, values, changes, Report())
                        values = changes.writes.applied(values)
                    status = self._leaves[i].of(values, seat)
                    after.append(status)
                    self._check(i, said[i], status, anew=False, is_gone=True)
                yield after[0], after[1]

    def _check(self, i: int, before: Status, after: Status, *, anew: bool, is_gone: bool) -> None:
        """What must be so for a player who may correct a call to have one that is held: leave comes with the call, and
        goes where the call is put back."""
        comes = not anew and not self.is_held(i, before) and self.is_held(i, after)
        stays = is_gone and self._may(i, after)
        self.lost = self.lost or comes or stays or (self._may(i, after) and not self.is_held(i, after))

    def _may(self, i: int, status: Status) -> bool:
        """Whether an edition may let a player of whom that is said correct his call."""
        key = i, status
        if key not in self._may_known:
            self._may_known[key] = any(
                self._lets(i, table, seat, status, act, call) for table, seat, act, call in self._asked()
            )
        return self._may_known[key]

    def is_held(self, i: int, status: Status) -> bool:
        """Whether an edition holds the call of a player of whom that is said, for a correction."""
        key = i, status
        found = self._held_known.get(key)
        if found is None:
            space = self._spaces[i]
            values = self._leaves[i].put(space.states[space.start()].values, 0, status)
            held_while = space.edition.held_while
            found = self._held_known[key] = space.machine.evaluator.truth(held_while, values, {"caller": 0})
        return found

    def _lets(self, i: int, table: Table, seat: int, status: Status, act: str, call: Call) -> bool:
        """Whether an edition lets a player of whom that is said correct his call to this one at a table."""
        space, leave = self._spaces[i], self._leaves[i]
        reader = space.machine.reader
        values = leave.put(space.states[table.pair[i]].values, seat, status)
        number = call_number(space.edition.universe, call)
        if number is None:
            return False
        bound = reader.bound(Event(seat, act, None, number))
        fired = [
            clause
            for clause in reader.read_for(Step.MADE, act)
            if reader.is_of_role(clause, values, bound) and reader.holds(clause, values, bound)
        ]
        if any(clause.kind is Kind.REFUSAL or clause.offence is not None for clause in fired):
            return False
        return any(clause in leave.judging for clause in fired)

    def both_let(self, table: Table, seat: int, said: Statuses, act: str, call: Call) -> bool:
        """Whether both do."""
        return all(self._lets(i, table, seat, said[i], act, call) for i in (0, 1))

    def _asked(self) -> Iterator[tuple[Table, int, str, Call]]:
        """At which tables, of whom, by which acts and to which calls corrections can be."""
        return itertools.product(list(self.tables.values()), PLACES, sorted(self.acts), self._calls)

    # -- small things --------------------------------------------------------------------------------------

    def held(self, i: int, seat: int, values: Values) -> HeldCall:
        """A player's call as it is held for a correction, whatever it was, with a table before it."""
        return HeldCall(seat, self._kinds[0][i], values, frozenset())

    @functools.cached_property
    def _kinds(self) -> list[tuple[int, int]]:
        """A call of each kind, by its number in each edition."""
        universes = [space.edition.universe for space in self._spaces]
        numbers = [[call_number(universe, call) for universe in universes] for call in self._calls]
        known: dict[tuple[int, ...], tuple[int, int]] = {}
        for first, second in numbers:
            if first is not None and second is not None:
                kinds = tuple(min(n, u.first_bid) for n, u in zip((first, second), universes, strict=True))
                known.setdefault(kinds, (first, second))
        return list(known.values())

    def signs(self, table: Table) -> object:
        """What decides, in both editions, what becomes of leave to correct at a table."""
        found = self._signs.get(id(table.ground))
        if found is None:
            numbers = zip(self._spaces, self._leaves, table.pair, strict=True)
            found = tuple(leave.sign(space.states[number].values) for space, leave, number in numbers)
            self._signs[id(table.ground)] = found
        return found

    def _reduced(self, right: Right) -> object:
        """What a right is told by where it bears on leave to correct: whose call it is about and what for, and which
        call that is if a law asks."""
        asks = any(leave.asks_for_calls for leave in self._leaves)
        return tuple(c and (c.caller, c.is_call, c.rights, c.call if asks else None) for c in right)


def _is_held(call: Open) -> bool:
    """Whether a call open to a remedy can still be put back."""
    return call is not None and call.before is not None
