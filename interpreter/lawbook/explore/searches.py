"""The searches that a plan makes of two editions.

There are several, because all acts together would make far too many states. The first offers the acts that belong
together with calls, but for those that correct a call, which would have every call remembered; it goes deeper by one
irregular act at a time, on to any number of them where that comes to an end, and else, if asked to, with open rights
followed one by one (shadows.py), or as long as few are open to a remedy at once. The second offers the corrections too,
and goes one irregular act less deep, unless the first came to its end. The third asks who would play the hand, with
few bids. The fourth asks that too, and offers all acts that depend on more than calls do (the deal, the play) in
auctions otherwise in order. The fifth offers, as deep as the first, those of them that are irregular and bear on calls
(a card shown) with what may be chosen against them, instead of corrections. Each of the others offers one group of acts
of the deal or the play, with one bid and with all that their rulings depend on (apart.py).

What rights followed apart show of all bids and of any number of irregular acts need not be shown again by pairs: where
they are followed, the first two go on after an irregular act with few bids.

Bids in a denomination that one edition does not know are a small search of their own: they part at once.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from lawbook.edition.model import Edition
from lawbook.explore.apart import Apart
from lawbook.explore.bearing import bearing_on_calls, chosen_against, together
from lawbook.explore.bids import bids_known_to_some
from lawbook.explore.bystanders import follows_rights_apart
from lawbook.explore.carried import carried
from lawbook.explore.causes import unexplained
from lawbook.explore.forgetting import corrects_calls
from lawbook.explore.leave import Leave
from lawbook.explore.meeting import Shadows
from lawbook.explore.offers import offers_of
from lawbook.explore.plan import (
    MOST_BIDS,
    ChosenBids,
    Part,
    Plan,
    Searched,
    bids_apart,
    bids_of,
    few_bids,
)
from lawbook.explore.product import INTERRUPTED, Bounds, Budget, Progress, Search, distinct, search
from lawbook.explore.shadows import shadows
from lawbook.explore.space import Space
from lawbook.explore.turning import alike_all_round
from lawbook.values import Bid

# Where an irregular act more multiplies the pairs by no more than this, a search with any number of them is tried, and
# given up when it has met too many.
_SLOW_GROWTH: Final = 4
_MOST_AT_ITS_END: Final = 5_000
# Of a group of acts, pairs are searched so deep at most where any number of irregular acts is asked for.
_MOST_IRREGULAR_IN_A_GROUP: Final = 2


def searches(
    a: Edition, b: Edition, plan: Plan, progress: Callable[[Progress], None] | None
) -> Iterator[tuple[Part, Searched]]:
    """The searches of a plan, one after the other; if it names the acts there is only one, or one of corrections
    besides, and none follows one that was cut short."""
    return _Searches(a, b, plan, progress).all()


class _Searches:
    """The searches of one plan, which share its time."""

    def __init__(self, a: Edition, b: Edition, plan: Plan, progress: Callable[[Progress], None] | None) -> None:
        self._a, self._b, self._plan, self._progress = a, b, plan, progress
        self._deadline = None if plan.seconds is None else time.monotonic() + plan.seconds
        self._turned = alike_all_round(a) and alike_all_round(b)
        self._together = tuple(sorted(together(a, b))) if plan.acts is None else plan.acts
        self._correcting = {act for act in (*a.acts, *b.acts) if corrects_calls(a, act) or corrects_calls(b, act)}
        # Of acts that are named all are searched at once, unless that would hardly come to an end.
        at_once = plan.acts is not None and plan.irregularities is not None
        self._calls = tuple(act for act in self._together if at_once or act not in self._correcting)
        self._leaves = self._leaves_of_players()
        self._spaces_made: dict[tuple[tuple[str, ...], tuple[Bid, ...], bool], tuple[Space, Space]] = {}
        self._followed: dict[tuple[Space, Space], Shadows | None] = {}

    def all(self) -> Iterator[tuple[Part, Searched]]:
        """The searches, one after the other."""
        plan = self._plan
        last = calls = self._of_calls()
        yield Part.CALLS, calls
        unknown = bids_known_to_some(self._a, self._b)
        if unknown and plan.acts is None and (plan.bids is None or calls.accounted_for.enough):
            # Whoever makes one is refused by one of the editions, wherever that is: that is seen at the start.
            yield Part.DENOMINATIONS, self._deepened(Plan(irregularities=0), (), ChosenBids(unknown, True, ""))
        if last.found.stopped_by is None and self._calls != self._together:
            last = self._of_corrections(calls)
            yield Part.CORRECTIONS, last
        if plan.acts is not None or not plan.apart:
            return
        deepest = 1 if plan.irregularities is None else plan.irregularities
        deep = replace(plan, irregularities=deepest, open_at_once=None)
        if last.found.stopped_by is None and deepest:
            bids = bids_apart(self._a, self._b, self._together, plan)
            last = self._deepened(deep, self._calls, bids, declarer=True)
            yield Part.PLAYER, last
        if last.found.stopped_by is None:
            acts = tuple(sorted({*self._a.acts, *self._b.acts} - self._correcting))
            bids = bids_apart(self._a, self._b, acts, plan)
            last = self._deepened(replace(plan, irregularities=0, open_at_once=None), acts, bids, declarer=True)
            yield Part.APART, last
        others = bearing_on_calls(self._a, self._b)
        if others and last.found.stopped_by is None:
            acts = tuple(sorted({*self._calls, *others, *chosen_against(others, self._a, self._b)}))
            last = self._deepened(deep, acts, bids_apart(self._a, self._b, acts, plan))
            yield Part.BEARING, last
        for group in Apart(self._a, self._b, core=frozenset(self._together)).groups():
            if last.found.stopped_by is not None:
                return
            # The most telling bid is the first.
            bids = ChosenBids(calls.bids.bids[:1], False, "")
            last = self._of_group(tuple(sorted(group - self._correcting)), bids)
            yield Part.GROUP, last

    # -- calls and their corrections -----------------------------------------------------------------------------------

    def _of_calls(self) -> Searched:
        """The search of calls."""
        plan, acts = self._plan, self._calls
        bids = bids_of(self._a, self._b, self._together, plan)
        if plan.irregularities is None and not plan.beyond and len(bids.bids) > MOST_BIDS:
            found = self._of_many_calls(acts, bids)
            if found is not None:
                return found
        return self._deepened(plan, acts, bids)

    def _of_many_calls(self, acts: tuple[str, ...], bids: ChosenBids) -> Searched | None:
        """The search of calls with any number of irregular acts and more bids than a few, where it need not go on after
        irregular acts with all of them: rights followed apart with all bids show no clause at work but those that are
        found with few, or else in order. None if it has to, or where pairs come to their end."""
        few = few_bids(self._a, self._b, self._together, self._plan)
        deep = self._deepened(replace(self._plan, irregularities=1), acts, few)
        if deep.found.complete:
            return self._with_all(deep, bids)
        if deep.found.stopped_by is None:
            first = self._deepened(replace(self._plan, irregularities=0), acts, bids)
            deep = replace(
                deep,
                states=deep.states + first.states,
                transitions=deep.transitions + first.transitions,
                more_bids=bids,
                in_order=first.found,
            )
            deep.found.stopped_by = first.found.stopped_by
        if deep.found.stopped_by is not None:
            return deep
        apart = self._apart(acts, bids)
        if apart is None:
            return None
        deep.found.stopped_by = apart.stopped_by
        if apart.stopped_by is not None:
            return deep
        try:
            if not apart.finished or unexplained(deep.all_found, apart.ways, self._spaces(acts, bids)):
                return None
        except KeyboardInterrupt:
            deep.found.stopped_by = INTERRUPTED
            return deep
        return replace(deep, apart=apart)

    def _with_all(self, few: Searched, bids: ChosenBids) -> Searched:
        """The search with all bids of what comes to its end with few: findings are of those few as long as no clause is
        at work with all of them but those that these show, for each of so many acts has to be asked for its causes."""
        whole = self._deepened(self._plan, few.acts, bids)
        if not whole.found.complete:
            return whole
        try:
            if unexplained((few.found,), whole.found.ways(), self._spaces(few.acts, bids)):
                return whole
        except KeyboardInterrupt:
            whole.found.stopped_by = INTERRUPTED
            return whole
        return replace(whole, found=few.found, bids=few.bids, more_bids=bids)

    def _of_corrections(self, calls: Searched) -> Searched:
        """The search of corrections, once one of calls alone was not cut short. What came to its end without
        corrections may do so with them, where few bids are offered. Otherwise it goes one irregular act less deep, and
        with few bids only where corrections were followed apart with all of them and any number of such acts."""
        plan, acts, bids = replace(self._plan, open_at_once=None), self._together, calls.accounted_for
        many = len(bids.bids) > MOST_BIDS
        apart = calls.apart
        if calls.found.complete:
            if not many or self._leaves is None:
                return self._deepened(plan, acts, bids)
            apart = self._apart(calls.acts, bids)
        less = plan.irregularities
        if less is not None or apart is not None:
            less = max(0, (less or 0) - 1)
        is_apart = apart is not None and apart.finished and apart.corrections is not None
        if is_apart and many:
            bids = few_bids(self._a, self._b, acts, plan)
        found = self._deepened(replace(plan, irregularities=less), acts, bids)
        if apart is None or apart.corrections is None or not is_apart or not found.found.finished:
            return found
        spaces = self._spaces(acts, calls.accounted_for)
        try:
            if unexplained((found.found, *calls.all_found), apart.corrections.ways(*spaces), spaces):
                return found
        except KeyboardInterrupt:
            found.found.stopped_by = INTERRUPTED
            return found
        return replace(found, apart=apart, more_bids=calls.accounted_for)

    def _of_group(self, acts: tuple[str, ...], bids: ChosenBids) -> Searched:
        """The search of a group of acts. If any number of irregular acts is asked for, it is made of pairs of a few
        such acts, and the rest is left to rights followed apart, where they can be."""
        plan = replace(self._plan, open_at_once=None)
        if plan.irregularities is not None or plan.beyond:
            return self._deepened(plan, acts, bids)
        apart = None
        for deep in range(1, _MOST_IRREGULAR_IN_A_GROUP + 1):
            found = self._deepened(replace(plan, irregularities=deep), acts, bids)
            if found.found.complete or found.found.stopped_by is not None:
                break
            apart = apart or self._apart(acts, bids)
            if apart is None or not apart.finished:
                break
            try:
                if not unexplained((found.found,), apart.ways):
                    return replace(found, apart=apart)
            except KeyboardInterrupt:
                found.found.stopped_by = INTERRUPTED
                break
        if apart is not None and apart.stopped_by is not None:
            found.found.stopped_by = apart.stopped_by
        return found

    def _leaves_of_players(self) -> tuple[Leave, Leave] | None:
        """What there is to say of players about corrections, if these can be followed with rights apart."""
        correcting = {*self._together} - {*self._calls}
        if not correcting:
            return None
        leaves = Leave(self._a, self._calls, correcting), Leave(self._b, self._calls, correcting)
        return leaves if all(leave.is_apart for leave in leaves) else None

    # -- searching -----------------------------------------------------------------------------------------------------

    def _deepened(self, plan: Plan, acts: tuple[str, ...], bids: ChosenBids, declarer: bool = False) -> Searched:
        """The search with these acts and bids as deep as a plan goes, deeper each time, and as far as the budget
        lasts."""
        a, b = self._spaces(acts, bids, declarer)
        registers = {} if declarer else carried(self._a, self._b, acts)
        done: Search | None = None
        sizes: list[int] = []

        def searched(bounds: Bounds, most: int | None = None) -> Search:
            return search(a, b, bounds, self._budget(most), self._progress, plan.beyond, registers)

        for bounds in _depths(plan):
            found = searched(bounds)
            if not found.finished:
                # What a search that was cut short has found is so, but it is no account of everything so deep.
                whole = done or found
                size = _states(whole), whole.transitions
                return Searched(found if done is None else found.after(done), *size, acts, bids)
            sizes.append(len(found.gone_on_from))
            done = found
            if not found.bounded:
                break
            if len(sizes) == 2 and plan.open_at_once is None and _may_end(sizes):
                whole = searched(Bounds(), _MOST_AT_ITS_END)
                if whole.finished:
                    done = whole
                    break
                if whole.interrupted:
                    done.stopped_by = whole.stopped_by
                    break
            if len(sizes) > 1 and plan.irregularities is None and not plan.beyond:
                apart = self._apart(acts, bids)
                if apart is not None and apart.stopped_by is not None:
                    done.stopped_by = apart.stopped_by
                    break
                try:
                    if apart is not None and apart.finished and not unexplained((done,), apart.ways):
                        return Searched(done, _states(done), done.transitions, acts, bids, apart)
                except KeyboardInterrupt:
                    done.stopped_by = INTERRUPTED
                    break
        assert done is not None
        return Searched(done, _states(done), done.transitions, acts, bids)

    def _apart(self, acts: tuple[str, ...], bids: ChosenBids) -> Shadows | None:
        """What is known of any number of irregular acts, where open rights can be followed one by one; with corrections
        if they can be, too."""
        spaces = self._spaces(acts, bids)
        if spaces not in self._followed:
            self._followed[spaces] = self._follow(*spaces, acts)
        return self._followed[spaces]

    def _follow(self, a: Space, b: Space, acts: tuple[str, ...]) -> Shadows | None:
        if not all(follows_rights_apart(space.edition, acts) for space in (a, b)):
            return None
        registers = carried(a.edition, b.edition, acts)
        leaves = self._leaves if acts == self._calls else None
        found = shadows(a, b, self._budget(), self._progress, registers, leaves)
        if found.lost and leaves is not None:
            found = shadows(a, b, self._budget(), self._progress, registers)
        return found

    def _spaces(self, acts: tuple[str, ...], bids: ChosenBids, declarer: bool = False) -> tuple[Space, Space]:
        """The states of each edition under these acts and bids, the same whenever they are asked for."""
        key = acts, bids.bids, declarer
        if key not in self._spaces_made:
            offers = offers_of((self._a, self._b), bids.bids, acts)
            first, second = (
                Space(edition, offers, declarer=declarer, turned=self._turned) for edition in (self._a, self._b)
            )
            self._spaces_made[key] = first, second
        return self._spaces_made[key]

    def _budget(self, most: int | None = None) -> Budget:
        """What is left of what the searches may take, with so many pairs at most."""
        plan = self._plan
        left = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        return Budget(plan.pairs if most is None else min(most, plan.pairs or most), left, plan.memory)


def _may_end(sizes: Sequence[int]) -> bool:
    """Whether one irregular act more makes so few pairs more that any number of them may come to an end."""
    return len(sizes) > 1 and sizes[-1] <= _SLOW_GROWTH * sizes[-2]


def _depths(plan: Plan) -> Iterator[Bounds]:
    """How deep a plan goes, deeper each time."""
    depths = itertools.count() if plan.irregularities is None else range(plan.irregularities + 1)
    yield from map(Bounds, depths)
    if plan.open_at_once is not None:
        yield Bounds(plan.irregularities, plan.open_at_once)


def _states(found: Search) -> int:
    return sum(1 for _ in distinct(found))
