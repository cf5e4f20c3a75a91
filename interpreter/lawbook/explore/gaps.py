"""Gaps: what an edition leaves open or says in vain, each with a shortest auction or the proof that there is none.

Several searches are made, one after the other (see `apart`), and all write into one book. What nothing in it shows is
proved never to be so, or was not met as far as the searches went; these two are kept apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from lawbook.edition.model import EVERY_CALL, Clause, Edition
from lawbook.explore.absences import PROVABLE, Absences
from lawbook.explore.amiss import Proofs, look_through, never, not_proved_penalised, seen_of_all, wrong
from lawbook.explore.apart import Apart
from lawbook.explore.bids import all_bids
from lawbook.explore.forgetting import corrects_calls
from lawbook.explore.gapkinds import Gap, GapKind, Proof
from lawbook.explore.offers import offers_of
from lawbook.explore.plan import ChosenBids, Plan, bids_of
from lawbook.explore.product import INTERRUPTED, Budget, Progress
from lawbook.explore.proofs import reachable
from lawbook.explore.sightings import Book, Sight, Subject, What
from lawbook.explore.space import Space
from lawbook.explore.turning import alike_all_round
from lawbook.explore.walk import Walk, walk
from lawbook.explore.watching import Watcher
from lawbook.values import Seat

MOST_BIDS: Final = 3
"""How many bids are offered unless more are asked for."""

# In searches other than the first: bids offered, irregular acts on the way, and positions of a group of acts apart.
_FEW_BIDS: Final = 2
_ONE_BID: Final = 1
_FEW_IRREGULAR: Final = 1
_POSITIONS: Final = 8_000
_POSITIONS_FEWER: Final = 3_000
_POSITIONS_APART: Final = 800


@dataclass(frozen=True, slots=True)
class Searched:
    """One search: what was offered besides calls, the bids, irregular acts at most before the last (None: any number),
    positions gone on from and acts looked at.

    `complete`: it came to its end with every bid and every act that a law speaks of. `blind` are the clauses, by id, of
    which it could tell nothing.
    """

    acts: tuple[str, ...]
    bids: ChosenBids
    irregularities: int | None
    states: int
    transitions: int
    complete: bool
    stopped_by: str | None
    blind: frozenset[str]


@dataclass(frozen=True, slots=True)
class Gaps:
    """What was found of an edition, what was searched, and what was not.

    `known` counts auctions that were looked through besides. `not_searched` are clauses that were neither met nor could
    have been, `not_offered` the acts that no search offered, and `unspoken` those of them that no law speaks of.
    `absent` are the kinds of gap of which it is known that there is none, and how; `not_proved` the clauses of which no
    breach was met for which nothing is laid down, though there may be one.
    """

    edition: Edition
    gaps: tuple[Gap, ...]
    searches: tuple[Searched, ...]
    known: int
    not_searched: tuple[Clause, ...]
    not_offered: tuple[str, ...]
    unspoken: tuple[str, ...]
    absent: Mapping[GapKind, Proof]
    not_proved: tuple[Clause, ...]

    @property
    def findings(self) -> tuple[Gap, ...]:
        """What is known to be amiss."""
        return tuple(gap for gap in self.gaps if gap.is_known)

    @property
    def not_met(self) -> tuple[Gap, ...]:
        """What was not met as far as was searched."""
        return tuple(gap for gap in self.gaps if not gap.is_known)

    @property
    def complete(self) -> bool:
        """Whether one search accounts for every auction there is."""
        return any(search.complete for search in self.searches)


def find_gaps(
    edition: Edition,
    plan: Plan | None = None,
    progress: Callable[[Progress], None] | None = None,
    known: Iterable[tuple[Seat, str]] = (),
    *,
    prove: bool = True,
) -> Gaps:
    """The gaps of an edition, as far as the plan goes. `known` are auctions, each with who deals and its notation, that
    are looked through besides, since they may be longer than a search goes. `prove`: that there are no gaps of other
    kinds is proved where it can be, which may take as long as the searches.

    >>> from lawbook.loading import load
    >>> found = find_gaps(load("portland-bath-1908"), Plan(most_bids=2, irregularities=0, acts=()), prove=False)
    >>> sorted({gap.offence for gap in found.findings if gap.kind is GapKind.UNPENALISED})[0]
    'calls-after-final'
    """
    plan = plan or Plan()
    plan = replace(plan, most_bids=plan.most_bids or MOST_BIDS)
    subject, book, apart = Subject.of(edition), Book(), Apart(edition)
    deadline = None if plan.seconds is None else time.monotonic() + plan.seconds
    searches = tuple(_searches(subject, book, apart, plan, deadline, progress))
    played = look_through(subject, book, known)
    covered = {c.id for c in subject.clauses if any(_covers(search, c, subject) for search in searches)}
    proofs = Proofs(subject, [search.blind for search in searches if search.complete])
    gaps = [*wrong(subject, book), *never(subject, book, covered, proofs)]
    kinds, places = list(GapKind), {clause.id: place for place, clause in enumerate(edition.clauses)}

    def order(gap: Gap) -> tuple[object, ...]:
        return kinds.index(gap.kind), [places[clause.id] for clause in gap.clauses], gap.act or ""

    not_offered = tuple(sorted(set(edition.acts).difference(*(search.acts for search in searches))))
    told = covered.union(clause.id for gap in gaps for clause in gap.clauses)
    return Gaps(
        edition,
        tuple(sorted(gaps, key=order)),
        searches,
        played,
        tuple(
            clause for clause in subject.clauses if clause.id not in told and Sight(What.APPLIES, clause.id) not in book
        ),
        not_offered,
        tuple(act for act in not_offered if not apart.is_spoken_of(act)),
        *_proved(subject, book, searches, {gap.kind for gap in gaps}, deadline, prove),
    )


def _proved(
    subject: Subject,
    book: Book,
    searches: Sequence[Searched],
    found: Set[GapKind],
    deadline: float | None,
    prove: bool,
) -> tuple[Mapping[GapKind, Proof], tuple[Clause, ...]]:
    """Of which kinds of gap that were not found it is known that there is none, and how; and the clauses of which it is
    not proved that no breach goes without penalty and remedy, though none was found that does."""
    missing = [kind for kind in GapKind if kind not in found]
    if any(search.complete and not search.blind for search in searches):
        return dict.fromkeys(missing, Proof.SEARCH), ()
    known = {kind: Proof.SEEN for kind in missing if seen_of_all(subject, book, kind)}
    free = [*not_proved_penalised(subject, book)]
    try:
        absences = Absences(subject.edition, reachable(subject.edition, subject.clauses))
        over = not prove or any(search.stopped_by == INTERRUPTED for search in searches)
        for kind in PROVABLE:
            over = over or (deadline is not None and time.monotonic() > deadline)
            if not over and kind in missing and absences.is_proved(kind):
                known[kind] = Proof.CONDITIONS
        for clause in () if over else tuple(free):
            if absences.is_penalised(clause):
                free.remove(clause)
    except KeyboardInterrupt:
        pass
    return known, tuple(free)


# -- searches ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Task:
    """What a search offers, how many irregular acts deep it goes, and how many positions it meets at most."""

    acts: frozenset[str]
    bids: ChosenBids
    irregularities: int | None
    positions: int


def _searches(
    subject: Subject,
    book: Book,
    apart: Apart,
    plan: Plan,
    deadline: float | None,
    progress: Callable[[Progress], None] | None,
) -> Iterator[Searched]:
    """The searches of a plan, until its time is over."""
    for task in _planned(subject.edition, apart, plan):
        if deadline is not None and time.monotonic() > deadline:
            return
        searched = _searched(subject, book, apart, task, plan.memory, deadline, progress)
        yield searched
        if searched.stopped_by == INTERRUPTED:
            return


def _planned(edition: Edition, apart: Apart, plan: Plan) -> Iterator[_Task]:
    most = plan.irregularities
    if plan.acts is not None:
        yield _Task(frozenset(plan.acts), bids_of(edition, edition, plan.acts, plan), most, plan.pairs or _POSITIONS)
        return
    bids = bids_of(edition, edition, sorted(apart.core), plan)
    plain = frozenset(act for act in apart.core if not corrects_calls(edition, act))
    yield _Task(plain, bids, most, plan.pairs or _POSITIONS)
    # With fewer bids and irregular acts, unless as many as there are were asked for.
    fewer = most if most is None else min(most, _FEW_IRREGULAR)
    if plain != apart.core:
        yield _Task(apart.core, _first(bids, _FEW_BIDS, plan), fewer, plan.pairs or _POSITIONS_FEWER)
    for group in apart.groups():
        yield _Task(group, _first(bids, _ONE_BID, plan), fewer, plan.pairs or _POSITIONS_APART)


def _first(bids: ChosenBids, number: int, plan: Plan) -> ChosenBids:
    """The first few of the bids; all of them where they were named, or suffice."""
    if plan.bids is not None or bids.enough:
        return bids
    return ChosenBids(bids.bids[:number], False, bids.note)


def _searched(
    subject: Subject,
    book: Book,
    apart: Apart,
    task: _Task,
    memory: int | None,
    deadline: float | None,
    progress: Callable[[Progress], None] | None,
) -> Searched:
    """One search, deeper by one irregular act at a time as long as time and positions last."""
    edition, bids, most = subject.edition, task.bids, task.irregularities
    space = Space(edition, offers_of((edition,), bids.bids, sorted(task.acts)), turned=alike_all_round(edition))
    watcher = Watcher(subject, space, book)
    bounds: Sequence[int | None] = (0, 1, None) if most is None else range(most + 1)
    whole: Walk | None = None
    for bound in bounds:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        found = walk(space, watcher.look, bound, Budget(task.positions, left, memory), progress)
        if found.stopped_by is None:
            whole = found
        if found.stopped_by is not None or not found.bounded:
            break
    # How far it went is told of the deepest walk that was not cut short.
    told = whole or found
    every_act = all(act in task.acts or not apart.is_spoken_of(act) for act in edition.acts)
    return Searched(
        tuple(sorted(task.acts)),
        bids,
        None if told.complete else told.irregularities,
        told.gone_on_from,
        told.transitions,
        found.complete and every_act and set(bids.bids) >= set(all_bids(edition)),
        found.stopped_by,
        watcher.blind,
    )


def _covers(search: Searched, clause: Clause, subject: Subject) -> bool:
    """Whether a search could come to see a clause at all."""
    return clause.id not in search.blind and bool(subject.occasions[clause.id] & EVERY_CALL.union(search.acts))
