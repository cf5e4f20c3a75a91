"""Gaps: what an edition leaves open or says in vain, each with a shortest auction or the proof that there is none.

Several searches are made, one after the other (see `apart`), and all write into one book. What nothing in it shows is
proved never to be so, or was not met as far as the searches went; these two are kept apart.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lawbook.auction import Auction
from lawbook.diagnostics import Diagnostic
from lawbook.edition.model import EVERY_CALL, Clause, Edition, Kind
from lawbook.errors import LawbookError
from lawbook.explore.apart import Apart
from lawbook.explore.forgetting import corrects_calls
from lawbook.explore.occasions import choices_of
from lawbook.explore.offers import offers_of
from lawbook.explore.plan import ChosenBids, Plan, bids_of
from lawbook.explore.product import Budget, Progress
from lawbook.explore.proofs import never_applies, unwritten
from lawbook.explore.sightings import Book, Seen, Sight, Subject, What
from lawbook.explore.space import Space
from lawbook.explore.turning import alike_all_round
from lawbook.explore.walk import Walk, walk
from lawbook.explore.watching import Watcher
from lawbook.history import History
from lawbook.values import Seat

MOST_BIDS: Final = 3
"""How many bids are offered unless more are asked for."""

# In searches other than the first: bids offered, irregular acts on the way, and positions of a group of acts apart.
_FEW_BIDS: Final = 2
_ONE_BID: Final = 1
_FEW_IRREGULAR: Final = 1
_POSITIONS: Final = 20_000
_POSITIONS_APART: Final = 800


class GapKind(enum.Enum):
    """What is amiss, the gravest first; from `never committed` on, that something never comes to be."""

    CONFLICT = "conflict"
    ENDLESS = "endless"
    UNDEFINED = "undefined effect"
    NOBODY_MAY = "nobody may act"
    REFUSED = "option refused"
    NO_EFFECT = "choice without effect"
    UNPENALISED = "offence without remedy"
    NEVER_COMMITTED = "offence never committed"
    NEVER_OPENS = "remedy never opens"
    UNUSABLE = "right never usable"
    NEVER_OFFERED = "choice never available"
    NEVER_DEFEATS = "exception without effect"
    DEAD = "clause never applies"


_CODES: Final = {"conflict": GapKind.CONFLICT, "endless": GapKind.ENDLESS, "undefined-effect": GapKind.UNDEFINED}


class Proof(enum.Enum):
    """How it is known that something never is so: by a truth table of its conditions, or by a search that came to its
    end with all that bears on it."""

    CONDITIONS = "conditions"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Witness:
    """A shortest auction, in notation with bare calls by the seat in turn, and who deals."""

    dealer: Seat
    auction: str
    acts: int


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that is amiss: the clauses it is about, the offence's name or the act where it is about one, and an
    auction that shows it. Of what never is so there is no auction, and `proof` says how it is known; None: it was only
    not met. `problem` is the error where an act has no ruling."""

    kind: GapKind
    clauses: tuple[Clause, ...] = ()
    offence: str | None = None
    act: str | None = None
    witness: Witness | None = None
    proof: Proof | None = None
    problem: Diagnostic | None = None

    @property
    def is_known(self) -> bool:
        """Whether it is so, not only as far as was searched."""
        return self.witness is not None or self.proof is not None


@dataclass(frozen=True, slots=True)
class Searched:
    """One search: what was offered besides calls, the bids, irregular acts at most before the last (None: any number),
    positions gone on from and acts looked at. `closed`: no act left out bears on it."""

    acts: tuple[str, ...]
    bids: ChosenBids
    irregularities: int | None
    states: int
    transitions: int
    ended: bool
    closed: bool
    stopped_by: str | None
    blind: frozenset[str]

    @property
    def complete(self) -> bool:
        """Whether every auction of the acts and of any bids is accounted for."""
        return self.ended and self.bids.enough


@dataclass(frozen=True, slots=True)
class Gaps:
    """What was found of an edition, what was searched, and what was not."""

    edition: Edition
    gaps: tuple[Gap, ...]
    searches: tuple[Searched, ...]
    not_searched: tuple[Clause, ...]
    unspoken: tuple[str, ...]

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
        """Whether every search was complete."""
        return all(search.complete for search in self.searches)


def find_gaps(edition: Edition, plan: Plan | None = None, progress: Callable[[Progress], None] | None = None) -> Gaps:
    """The gaps of an edition, as far as the plan goes.

    >>> from lawbook.loading import load
    >>> found = find_gaps(load("portland-bath-1908"), Plan(most_bids=2, irregularities=0, acts=()))
    >>> sorted({gap.offence for gap in found.findings if gap.kind is GapKind.UNPENALISED})[0]
    'calls-after-final'
    """
    plan = plan or Plan()
    plan = replace(plan, most_bids=plan.most_bids or MOST_BIDS)
    subject, book = Subject.of(edition), Book()
    apart = Apart(edition)
    searches: list[Searched] = []
    deadline = None if plan.seconds is None else time.monotonic() + plan.seconds
    for acts, bids, most, positions in _planned(edition, apart, plan):
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        budget = Budget(plan.pairs or positions, left)
        searches.append(_searched(subject, book, apart, acts, bids, most, budget, progress))
        if searches[-1].stopped_by is not None and not searches[-1].stopped_by.startswith("it had met"):
            break
    offered = EVERY_CALL.union(*(search.acts for search in searches))
    unsearched = tuple(c for c in subject.clauses if not any(_covers(s, c, subject) for s in searches))
    left_out = {clause.id for clause in unsearched}
    known = unwritten(edition, subject.clauses)

    def proof(clause: Clause) -> Proof | None:
        if never_applies(clause, edition, known):
            return Proof.CONDITIONS
        return Proof.SEARCH if any(_proves(search, clause, subject) for search in searches) else None

    gaps = [*_wrong(subject, book), *_never(subject, book, left_out, proof)]
    order = list(GapKind)
    unspoken = tuple(act for act in sorted(set(edition.acts) - offered) if not apart.is_spoken_of(act))
    return Gaps(
        edition,
        tuple(sorted(gaps, key=lambda gap: order.index(gap.kind))),
        tuple(searches),
        tuple(clause for clause in unsearched if Sight(What.APPLIES, clause.id) not in book),
        unspoken,
    )


# -- searches ----------------------------------------------------------------------------------------------------------


def _planned(
    edition: Edition, apart: Apart, plan: Plan
) -> Iterator[tuple[frozenset[str], ChosenBids, int | None, int]]:
    """What each search offers, how many irregular acts deep it goes, and how many positions it meets at most."""
    most = plan.irregularities
    if plan.acts is not None:
        yield frozenset(plan.acts), bids_of(edition, edition, plan.acts, plan), most, _POSITIONS
        return
    bids = bids_of(edition, edition, sorted(apart.core), plan)
    plain = frozenset(act for act in apart.core if not corrects_calls(edition, act))
    yield plain, bids, most, _POSITIONS
    # With fewer bids and irregular acts, unless as many as there are were asked for.
    fewer = most if most is None else min(most, _FEW_IRREGULAR)
    if plain != apart.core:
        yield apart.core, _first(bids, _FEW_BIDS, plan), fewer, _POSITIONS
    for group in apart.groups():
        yield group, _first(bids, _ONE_BID, plan), fewer, _POSITIONS_APART


def _first(bids: ChosenBids, number: int, plan: Plan) -> ChosenBids:
    """The first few of the bids; all of them where they were named, or suffice."""
    if plan.bids is not None or bids.enough:
        return bids
    return ChosenBids(bids.bids[:number], False, bids.note)


def _searched(
    subject: Subject,
    book: Book,
    apart: Apart,
    acts: frozenset[str],
    bids: ChosenBids,
    most: int | None,
    budget: Budget,
    progress: Callable[[Progress], None] | None,
) -> Searched:
    """One search, deeper by one irregular act at a time as long as the budget lasts."""
    edition = subject.edition
    space = Space(edition, offers_of((edition,), bids.bids, sorted(acts)), turned=alike_all_round(edition))
    watcher = Watcher(subject, space, book)
    bounds: Sequence[int | None] = (0, 1, None) if most is None else range(most + 1)
    deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
    whole: Walk | None = None
    for bound in bounds:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        found = walk(space, watcher.look, bound, Budget(budget.pairs, left), progress)
        if found.stopped_by is None:
            whole = found
        if found.stopped_by is not None or not found.bounded:
            break
    # How far it went is told of the deepest walk that was not cut short.
    told = whole or found
    return Searched(
        tuple(sorted(acts)),
        bids,
        None if told.complete else told.irregularities,
        told.gone_on_from,
        told.transitions,
        found.complete,
        not apart.outside(acts),
        found.stopped_by,
        watcher.blind,
    )


def _covers(search: Searched, clause: Clause, subject: Subject) -> bool:
    """Whether a search could come to see a clause at all."""
    return clause.id not in search.blind and bool(subject.occasions[clause.id] & EVERY_CALL.union(search.acts))


def _proves(search: Searched, clause: Clause, subject: Subject) -> bool:
    """Whether what a search did not see of a clause is never so."""
    offered = EVERY_CALL.union(search.acts)
    whole = search.complete and search.closed and clause.id not in search.blind
    return whole and subject.occasions[clause.id] <= offered


# -- what is wrong somewhere -------------------------------------------------------------------------------------------


def _wrong(subject: Subject, book: Book) -> Iterator[Gap]:
    edition = subject.edition
    for sight, seen in book.seen.items():
        clauses = (edition.by_id[sight.name],) if sight.name in edition.by_id else ()
        match sight.what:
            case What.NO_RULING:
                yield _without_ruling(edition, seen)
            case What.NOBODY_MAY:
                yield Gap(GapKind.NOBODY_MAY, witness=_witness(edition, seen))
            case What.UNDEFINED:
                yield Gap(GapKind.UNDEFINED, clauses, act=sight.beside, witness=_witness(edition, seen))
            case What.REFUSED:
                yield Gap(GapKind.REFUSED, clauses, act=sight.beside, witness=_witness(edition, seen))
            case What.CHOSEN if Sight(What.CHANGES, sight.name, sight.beside) not in book:
                yield Gap(GapKind.NO_EFFECT, clauses, act=sight.beside, witness=_witness(edition, seen))
            case What.UNPENALISED:
                number = edition.by_id[sight.name].offence
                assert number is not None
                offence = edition.offences[number].name
                yield Gap(GapKind.UNPENALISED, clauses, offence=offence, witness=_witness(edition, seen))


def _witness(edition: Edition, seen: Seen) -> Witness:
    """The auction that shows it, replayed by the ordinary facade."""
    dealer, acts = seen.auction
    auction = Auction(edition, dealer)
    for act in acts:
        auction.act(act)
    return Witness(dealer, auction.notation, len(acts))


def _without_ruling(edition: Edition, seen: Seen) -> Gap:
    """An act that the facade cannot rule on either, and its error."""
    dealer, acts = seen.auction
    history = History(edition, dealer)
    for act in acts[:-1]:
        history.add(act)
    before = history.notation
    try:
        history.add(acts[-1])
    except LawbookError as error:
        problem = error.diagnostics[0]
        ids = getattr(error, "clauses", None) or ((edition.by_id[problem.clause],) if problem.clause else ())
        last = acts[-1]
        witness = Witness(dealer, f"{before} {last}".strip(), len(acts))
        return Gap(_CODES[problem.code], tuple(ids), witness=witness, problem=problem)
    raise AssertionError("the facade rules on what the search could not")


# -- what never is so --------------------------------------------------------------------------------------------------


def _never(subject: Subject, book: Book, left_out: set[str], proof: Callable[[Clause], Proof | None]) -> Iterator[Gap]:
    edition = subject.edition
    unmet = [c for c in subject.clauses if Sight(What.APPLIES, c.id) not in book and c.id not in left_out]
    missing = {clause.id for clause in unmet}
    told: set[str] = set()
    for offence in edition.offences:
        makers = [clause for clause in subject.clauses if clause.offence == offence.number]
        if makers and all(maker.id in missing for maker in makers):
            told |= {maker.id for maker in makers}
            proofs = [proof(maker) for maker in makers]
            known = None if None in proofs else proofs[0]
            yield Gap(GapKind.NEVER_COMMITTED, tuple(makers), offence=offence.name, proof=known)
    for clause in unmet:
        if clause.id not in told:
            kind = {Kind.REMEDY: GapKind.NEVER_OPENS, Kind.EXCEPTION: GapKind.NEVER_DEFEATS}.get(
                clause.kind, GapKind.DEAD
            )
            yield Gap(kind, (clause,), proof=proof(clause))
    for clause in subject.clauses:
        if clause.id in missing or clause.id in left_out:
            continue
        if clause.remedy is not None and Sight(What.USABLE, clause.id) not in book:
            yield Gap(GapKind.UNUSABLE, (clause,), proof=_by_search(proof(clause)))
            continue
        for choice in choices_of(clause):
            if Sight(What.OFFERED, clause.id, choice.act) not in book:
                yield Gap(GapKind.NEVER_OFFERED, (clause,), act=choice.act, proof=_by_search(proof(clause)))


def _by_search(proof: Proof | None) -> Proof | None:
    """The proof that a right which does open is never used: only a search can tell."""
    return proof if proof is Proof.SEARCH else None
