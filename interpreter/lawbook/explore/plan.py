"""Plans: how far two editions are searched, with which acts and bids, and the searches that a plan makes.

There are four, because all acts together would make far too many states. The first offers the acts that belong
together with calls, but for those that correct a call, which would have every call remembered; it goes deeper by one
irregular act at a time, on to any number of them where that comes to an end, and else, if asked to, with open rights
followed one by one (shadows.py), or as long as few are open to a remedy at once. The second offers the corrections too,
and goes one irregular act less deep, unless the first came to its end; where corrections were followed apart with all
bids and any number of irregular acts (corrections.py), it offers few bids. The third offers all acts that depend on
more than calls do (the deal, the play, who plays the hand) in auctions otherwise in order, with few bids. The fourth
offers, as deep as the first, those of them that are irregular and bear on calls (a card shown), instead of corrections.
"""

from __future__ import annotations

import enum
import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lawbook.edition.model import Edition
from lawbook.explore.bearing import bearing_on_calls, together
from lawbook.explore.bids import all_bids, sufficient_bids
from lawbook.explore.bystanders import follows_rights_apart
from lawbook.explore.carried import carried
from lawbook.explore.causes import unexplained
from lawbook.explore.forgetting import corrects_calls
from lawbook.explore.leave import Leave
from lawbook.explore.meeting import Shadows
from lawbook.explore.offers import offers_of
from lawbook.explore.product import Bounds, Budget, Progress, Search, distinct, search
from lawbook.explore.shadows import shadows
from lawbook.explore.space import Space
from lawbook.explore.turning import alike_all_round
from lawbook.values import Bid

MOST_BIDS: Final = 4
"""How many bids are offered unless more are asked for."""
ENOUGH_BIDS: Final = 1_000
"""More bids than there are: as many are offered as show all that the laws tell apart."""
_BIDS_APART: Final = 3
# Where an irregular act more multiplies the pairs by no more than this, a search with any number of them is tried, and
# given up when it has met too many.
_SLOW_GROWTH: Final = 4
_MOST_AT_ITS_END: Final = 5_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What to search: the bids to offer (None: the `most_bids` most telling), how many irregular acts deep at most
    (None: any number), which acts other than calls (None: all that belong together with calls), seconds, pairs of
    states and MiB of memory at most (None: as many as it takes), and whether to go on after a difference where the
    editions still look alike. `open_at_once`: beyond so many irregular acts, how many may be open to a remedy at once
    (None: it goes no further). `apart`: whether acts that depend on more than calls are searched too."""

    bids: tuple[Bid, ...] | None = None
    most_bids: int | None = None
    irregularities: int | None = 1
    open_at_once: int | None = None
    acts: tuple[str, ...] | None = None
    seconds: float | None = None
    pairs: int | None = None
    memory: int | None = None
    beyond: bool = False
    apart: bool = True


@dataclass(frozen=True, slots=True)
class ChosenBids:
    """The bids to offer, whether no other would show anything new, and how that is known."""

    bids: tuple[Bid, ...]
    enough: bool
    note: str


@dataclass(frozen=True, slots=True)
class Searched:
    """A search as deep as its plan and budget allowed, with whatever a deeper one that was cut short had found.

    `states` (pairs of them) and `transitions` count only what was searched to the end.
    """

    found: Search
    states: int
    transitions: int
    acts: tuple[str, ...]
    bids: ChosenBids
    # What shows that any number of irregular acts leads to no other way to part, if not the search itself.
    apart: Shadows | None = None

    @property
    def of_any_number(self) -> bool:
        """Whether every auction of the acts and bids is accounted for, however many irregular acts it has."""
        return self.found.complete or self.apart is not None

    @property
    def complete(self) -> bool:
        """Whether every auction of the acts and of any bids is accounted for."""
        return self.of_any_number and self.bids.enough and not self.found.beyond


def searches(
    a: Edition, b: Edition, plan: Plan, progress: Callable[[Progress], None] | None
) -> Iterator[tuple[Part, Searched]]:
    """The searches of a plan, one after the other; if it names the acts there is only one, and none follows one that
    was cut short."""
    everything = tuple(sorted(together(a, b))) if plan.acts is None else plan.acts
    first = everything
    if plan.acts is None:
        first = tuple(act for act in everything if not corrects_calls(a, act) and not corrects_calls(b, act))
    bids = bids_of(a, b, everything, plan)
    leaves = _leaves(a, b, first, everything)
    main = _searched(a, b, plan, first, bids, progress, leaves)
    yield Part.CALLS, main
    if main.found.stopped_by is None and first != everything:
        main = _corrected(a, b, plan, everything, main, leaves, progress)
        yield Part.CORRECTIONS, main
    if plan.apart and plan.acts is None and main.found.stopped_by is None:
        main = _searched_apart(a, b, plan, everything, progress)
        yield Part.APART, main
    others = bearing_on_calls(a, b)
    if others and plan.apart and plan.acts is None and main.found.stopped_by is None:
        acts = tuple(sorted({*first, *others}))
        deep = 1 if plan.irregularities is None else plan.irregularities
        few = replace(plan, irregularities=deep, open_at_once=None)
        yield Part.BEARING, _searched(a, b, few, acts, _bids_apart(a, b, acts, plan), progress)


class Part(enum.Enum):
    """What a search is about: calls and what belongs together with them, corrections too, what is searched apart, or
    irregular acts that bear on calls."""

    CALLS = "calls"
    CORRECTIONS = "corrections"
    APART = "apart"
    BEARING = "bearing"


def _leaves(a: Edition, b: Edition, first: Sequence[str], everything: Sequence[str]) -> tuple[Leave, Leave] | None:
    """What there is to say of players about corrections, if these can be followed with rights apart."""
    correcting = {*everything} - {*first}
    if not correcting:
        return None
    leaves = Leave(a, first, correcting), Leave(b, first, correcting)
    return leaves if all(leave.is_apart for leave in leaves) else None


def _searched(
    a: Edition,
    b: Edition,
    plan: Plan,
    acts: tuple[str, ...],
    bids: ChosenBids,
    progress: Callable[[Progress], None] | None,
    leaves: tuple[Leave, Leave] | None = None,
) -> Searched:
    offers = offers_of((a, b), bids.bids, acts)
    turned = alike_all_round(a) and alike_all_round(b)
    spaces = Space(a, offers, turned=turned), Space(b, offers, turned=turned)
    return _deepened(*spaces, plan, acts, bids, progress, carried(a, b, acts), leaves)


def _corrected(
    a: Edition,
    b: Edition,
    plan: Plan,
    acts: tuple[str, ...],
    calls: Searched,
    leaves: tuple[Leave, Leave] | None,
    progress: Callable[[Progress], None] | None,
) -> Searched:
    """The search of corrections, once one of calls alone was not cut short. What came to its end without corrections
    may do so with them, where few bids are offered. Otherwise it goes one irregular act less deep, and with few bids
    only where corrections were followed apart with all of them and any number of such acts."""
    apart, bids = calls.apart, calls.bids
    many = len(bids.bids) > MOST_BIDS
    if calls.found.complete and not (many and leaves is not None):
        return _searched(a, b, replace(plan, open_at_once=None), acts, bids, progress)
    if calls.found.complete:
        budget = Budget(plan.pairs, plan.seconds, plan.memory)
        apart = _apart(calls.found.a, calls.found.b, calls.acts, lambda: budget, progress, leaves)
    less = plan.irregularities
    if less is not None or apart is not None:
        less = max(0, (less or 0) - 1)
    is_apart = apart is not None and apart.finished and apart.corrections is not None
    if is_apart and many:
        bids = _few_bids(a, b, acts, plan, bids)
    found = _searched(a, b, replace(plan, irregularities=less, open_at_once=None), acts, bids, progress)
    if apart is None or apart.corrections is None or not is_apart or not found.found.finished:
        return found
    offers = offers_of((a, b), calls.bids.bids, acts)
    spaces = Space(a, offers, turned=found.found.a.turned), Space(b, offers, turned=found.found.b.turned)
    if unexplained((found.found, calls.found), apart.corrections.ways(*spaces), spaces):
        return found
    return replace(found, apart=apart, bids=replace(bids, enough=calls.bids.enough))


def _few_bids(a: Edition, b: Edition, acts: Sequence[str], plan: Plan, bids: ChosenBids) -> ChosenBids:
    """Some of the bids."""
    if plan.bids is not None:
        return ChosenBids(bids.bids[:MOST_BIDS], False, "")
    return bids_of(a, b, acts, replace(plan, most_bids=MOST_BIDS))


def _searched_apart(
    a: Edition, b: Edition, plan: Plan, others: Sequence[str], progress: Callable[[Progress], None] | None
) -> Searched:
    """The search of the acts that belong not with calls, with all others but corrections, and of who is to play."""
    correcting = {act for act in others if corrects_calls(a, act) or corrects_calls(b, act)}
    acts = tuple(sorted({*a.acts, *b.acts} - correcting))
    bids = _bids_apart(a, b, acts, plan)
    offers = offers_of((a, b), bids.bids, acts)
    turned = alike_all_round(a) and alike_all_round(b)
    spaces = Space(a, offers, declarer=True, turned=turned), Space(b, offers, declarer=True, turned=turned)
    return _deepened(*spaces, replace(plan, irregularities=0, open_at_once=None), acts, bids, progress, {})


def _bids_apart(a: Edition, b: Edition, acts: Sequence[str], plan: Plan) -> ChosenBids:
    """The few bids that are offered with acts other than those that belong with calls."""
    if plan.bids is not None:
        return ChosenBids(plan.bids[:_BIDS_APART], False, "")
    telling = sufficient_bids((a, b), acts, _BIDS_APART)
    return ChosenBids(telling.bids, telling.all_shown, "")


def bids_of(a: Edition, b: Edition, acts: Sequence[str], plan: Plan) -> ChosenBids:
    """The bids that a plan offers."""
    everything = all_bids(a, b)
    if plan.bids is None:
        found = sufficient_bids((a, b), acts, plan.most_bids or MOST_BIDS)
        note = (
            f"Bids: three of those offered stand to one another in {found.shown} of the {found.relations} ways that "
            "the laws tell apart."
        )
        return ChosenBids(found.bids, found.all_shown, note)
    if set(plan.bids) >= set(everything):
        return ChosenBids(everything, True, "Bids: all there are.")
    note = "Bids: those asked for; whether they show all that the laws tell apart was not asked."
    return ChosenBids(plan.bids, False, note)


def _deepened(
    a: Space,
    b: Space,
    plan: Plan,
    acts: tuple[str, ...],
    bids: ChosenBids,
    progress: Callable[[Progress], None] | None,
    registers: Mapping[str, frozenset[str]],
    leaves: tuple[Leave, Leave] | None = None,
) -> Searched:
    deadline = None if plan.seconds is None else time.monotonic() + plan.seconds

    def budget(most: int | None = None) -> Budget:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        pairs = plan.pairs if most is None else min(most, plan.pairs or most)
        return Budget(pairs, left, plan.memory)

    done: Search | None = None
    apart: Shadows | None = None
    sizes: list[int] = []
    for bounds in _depths(plan):
        found = search(a, b, bounds, budget(), progress, plan.beyond, registers)
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
            whole = search(a, b, Bounds(), budget(_MOST_AT_ITS_END), progress, plan.beyond, registers)
            if whole.finished:
                return Searched(whole, _states(whole), whole.transitions, acts, bids)
            if whole.interrupted:
                done.stopped_by = whole.stopped_by
                break
        if len(sizes) > 1 and plan.irregularities is None and not plan.beyond:
            apart = apart or _apart(a, b, acts, budget, progress, leaves)
            if apart is not None and apart.stopped_by is not None:
                done.stopped_by = apart.stopped_by
                break
            if apart is not None and apart.finished and not unexplained((done,), apart.ways):
                return Searched(done, _states(done), done.transitions, acts, bids, apart)
    assert done is not None
    return Searched(done, _states(done), done.transitions, acts, bids)


def _apart(
    a: Space,
    b: Space,
    acts: tuple[str, ...],
    budget: Callable[[], Budget],
    progress: Callable[[Progress], None] | None,
    leaves: tuple[Leave, Leave] | None,
) -> Shadows | None:
    """What is known of any number of irregular acts, where open rights can be followed one by one; with corrections if
    they can be, too."""
    if not all(follows_rights_apart(space.edition, acts) for space in (a, b)):
        return None
    registers = carried(a.edition, b.edition, acts)
    found = shadows(a, b, budget(), progress, registers, leaves)
    if found.lost and leaves is not None:
        found = shadows(a, b, budget(), progress, registers)
    return found


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
