"""Amiss: what a book of sightings tells of an edition: what is wrong somewhere, and what never comes to be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from lawbook.edition.model import Clause, Edition, FateKind, Kind
from lawbook.errors import LawbookError
from lawbook.examples.running import Trial
from lawbook.explore.gapkinds import Gap, GapKind, Proof, Witness
from lawbook.explore.occasions import choices_of
from lawbook.explore.proofs import never_applies, never_usable, reachable
from lawbook.explore.seeing import Observer
from lawbook.explore.sightings import Book, Known, Met, Seen, Sight, Subject, What
from lawbook.history import History
from lawbook.machine.ruling import Event
from lawbook.machine.state import State
from lawbook.values import Seat

_WITHOUT_RULING = {"conflict": GapKind.CONFLICT, "endless": GapKind.ENDLESS, "undefined-effect": GapKind.UNDEFINED}
_NEVER_APPLIES = {Kind.REMEDY: GapKind.NEVER_OPENS, Kind.EXCEPTION: GapKind.NEVER_DEFEATS}


def look_through(subject: Subject, book: Book, auctions: Iterable[tuple[Seat, str]]) -> int:
    """Note what auctions in notation show, and count them; one that the edition cannot play is passed over."""
    observer = Observer(subject)
    done: dict[tuple[State, Event], State] = {}
    played = 0
    for dealer, notation in auctions:
        trial = Trial(subject.edition, str(dealer))
        try:
            trial.play(notation)
        except LawbookError:
            continue
        played += 1
        state, acts = observer.machine.start(int(dealer)), tuple(happening.act for happening in trial.acts)
        for at, happening in enumerate(trial.acts, 1):
            event = happening.ruling.event
            before, known = state, Known(at, (dealer, acts[:at]))
            if (before, event) not in done:
                state = done[before, event] = observer.machine.act(before, event)[-1].state
                for sight in (*observer.shown(before, event), *observer.offered(state)):
                    book.note(sight, known)
            state = done[before, event]
    return played


# -- what is wrong somewhere -------------------------------------------------------------------------------------------


def wrong(subject: Subject, book: Book) -> Iterator[Gap]:
    """What is wrong in some auction, each with one that shows it, replayed by the ordinary interpreter."""
    edition, observer = subject.edition, Observer(subject)
    for sight, seen in book.seen.items():
        if sight.what is What.NO_RULING:
            yield _without_ruling(edition, seen)
            continue
        kind = _wrong(sight, subject, book)
        if kind is not None:
            clause = edition.by_id.get(sight.name)
            offence = None
            if sight.what is What.UNPENALISED and clause is not None and clause.offence is not None:
                offence = edition.offences[clause.offence].name
            clauses = () if clause is None else (clause,)
            yield Gap(kind, clauses, offence, sight.beside or None, _witness(observer, sight, seen))


def _wrong(sight: Sight, subject: Subject, book: Book) -> GapKind | None:
    """What is wrong because something was seen; None: nothing."""
    match sight.what:
        case What.NOBODY_MAY:
            return GapKind.NOBODY_MAY
        case What.UNDEFINED:
            return GapKind.UNDEFINED
        case What.REFUSED:
            return GapKind.REFUSED
        case What.CHOSEN if Sight(What.CHANGES, sight.name, sight.beside) not in book:
            return GapKind.NO_EFFECT
        case What.UNPENALISED:
            return GapKind.GOES_FREE if _is_elsewhere_penalised(sight.name, subject) else GapKind.UNPENALISED
    return None


def _is_elsewhere_penalised(prohibition: str, subject: Subject) -> bool:
    """Whether the laws lay down anything at all for what a prohibition makes an offence."""
    offence = subject.edition.by_id[prohibition].offence
    return any(
        offence in clause.remedy.offences if clause.remedy is not None else clause.offence == offence and _costs(clause)
        for clause in subject.clauses
    )


def _costs(prohibition: Clause) -> bool:
    """Whether a prohibition itself lays something down: it does something, or has the call stand as another."""
    return bool(prohibition.effects) or (prohibition.fate is not None and prohibition.fate.kind is FateKind.STANDS_AS)


def _witness(observer: Observer, sight: Sight, seen: Seen) -> Witness:
    """The auction that shows something, played once more from the start on the whole table."""
    dealer, acts = seen.auction
    history = History(observer.machine.edition, dealer, observer.machine)
    history.add_all(acts)
    after = history.states[-1]
    if sight.what is What.NOBODY_MAY:
        shows = observer.is_stuck(after)
    elif sight.what is What.REFUSED:
        shows = sight in observer.offered(after)
    else:
        shows = sight in observer.shown(history.states[-2], history.groups[-1][0].ruling.event)
    assert shows, f"{history.notation} does not show {sight}"
    return Witness(dealer, history.notation, isinstance(seen, Met))


def _without_ruling(edition: Edition, seen: Seen) -> Gap:
    """An act that the interpreter cannot rule on either, and its error."""
    dealer, acts = seen.auction
    history = History(edition, dealer)
    history.add_all(acts[:-1])
    before = history.notation
    try:
        history.add(acts[-1])
    except LawbookError as error:
        problem = error.diagnostics[0]
        ids = getattr(error, "clauses", None) or ((edition.by_id[problem.clause],) if problem.clause else ())
        witness = Witness(dealer, f"{before} {acts[-1]}".strip(), isinstance(seen, Met))
        return Gap(_WITHOUT_RULING[problem.code], tuple(ids), witness=witness, problem=problem)
    raise AssertionError("the interpreter rules on what the search could not")


# -- what never is so --------------------------------------------------------------------------------------------------


class Proofs:
    """How it is known that something never is so: what was not met, where a search is complete. `blind` has for each
    complete search the clauses, by id, of which it could tell nothing."""

    def __init__(self, subject: Subject, blind: Sequence[frozenset[str]]) -> None:
        self._edition = subject.edition
        self._possible = reachable(subject.edition, subject.clauses)
        self._blind = blind

    def never_applies(self, clause: Clause) -> Proof | None:
        """That a clause never applies, of a remedy that no right opens by it."""
        by_conditions = never_applies(clause, self._edition, self._possible)
        return Proof.CONDITIONS if by_conditions else self.never_seen(clause)

    def never_usable(self, remedy: Clause) -> Proof | None:
        """That nobody can use a right under a remedy."""
        by_conditions = never_usable(remedy, self._edition, self._possible)
        return Proof.CONDITIONS if by_conditions else self.never_seen(remedy)

    def never_seen(self, clause: Clause) -> Proof | None:
        """That what was not seen of a clause never is so."""
        return Proof.SEARCH if any(clause.id not in blind for blind in self._blind) else None


def never(subject: Subject, book: Book, searched: Collection[str], proofs: Proofs) -> Iterator[Gap]:
    """What never was met: of the clauses, by id, that were `searched`, and of others where there is a proof."""
    edition = subject.edition
    known = {c.id: proofs.never_applies(c) for c in subject.clauses if Sight(What.APPLIES, c.id) not in book}
    unmet = [c for c in subject.clauses if c.id in known and (c.id in searched or known[c.id] is not None)]
    missing = {clause.id for clause in unmet}
    told: set[str] = set()
    for offence in edition.offences:
        makers = [clause for clause in subject.clauses if clause.offence == offence.number]
        if makers and all(maker.id in missing for maker in makers):
            told |= {maker.id for maker in makers}
            found = [known[maker.id] for maker in makers]
            proof = None if None in found else found[0]
            yield Gap(GapKind.NEVER_COMMITTED, tuple(makers), offence=offence.name, proof=proof)
    for clause in unmet:
        if clause.id not in told:
            yield Gap(_NEVER_APPLIES.get(clause.kind, GapKind.DEAD), (clause,), proof=known[clause.id])
    for clause in subject.clauses:
        if clause.id not in known and clause.id in searched:
            yield from _never_used(clause, book, proofs)


def _never_used(clause: Clause, book: Book, proofs: Proofs) -> Iterator[Gap]:
    """What of a right that does open, or of a choice, was not met."""
    if clause.remedy is not None and Sight(What.USABLE, clause.id) not in book:
        yield Gap(GapKind.UNUSABLE, (clause,), proof=proofs.never_usable(clause))
        return
    for choice in choices_of(clause):
        if Sight(What.OFFERED, clause.id, choice.act) not in book:
            yield Gap(GapKind.NEVER_OFFERED, (clause,), act=choice.act, proof=proofs.never_seen(clause))


# -- of what there is nothing ------------------------------------------------------------------------------------------

_SEEN: Final = {
    GapKind.NEVER_COMMITTED: What.APPLIES,
    GapKind.NEVER_OPENS: What.APPLIES,
    GapKind.UNUSABLE: What.USABLE,
    GapKind.NEVER_OFFERED: What.OFFERED,
    GapKind.NO_EFFECT: What.CHANGES,
    GapKind.NEVER_DEFEATS: What.APPLIES,
    GapKind.DEAD: What.APPLIES,
}


def seen_of_all(subject: Subject, book: Book, kind: GapKind) -> bool:
    """Whether the contrary of a kind of gap was seen of every clause or choice it could be about."""
    what = _SEEN.get(kind)
    if what is None:
        return False
    if what in (What.OFFERED, What.CHANGES):
        choices = ((clause.id, choice.act) for clause in subject.clauses for choice in choices_of(clause))
        return all(Sight(what, *choice) in book for choice in choices)
    clauses = [clause for clause in subject.clauses if _could_be(clause, kind)]
    return all(Sight(what, clause.id) in book for clause in clauses)


def _could_be(clause: Clause, kind: GapKind) -> bool:
    """Whether a kind of gap could be about a clause."""
    if kind is GapKind.NEVER_COMMITTED:
        return clause.offence is not None
    if kind is GapKind.UNUSABLE:
        return clause.remedy is not None
    return clause.offence is None and _NEVER_APPLIES.get(clause.kind, GapKind.DEAD) is kind


def not_proved_penalised(subject: Subject, book: Book) -> tuple[Clause, ...]:
    """The clauses of which no breach went without penalty and remedy, though it is not proved that none can."""
    shown = {sight for sights in subject.by_act.values() for sight in sights if sight.what is What.UNPENALISED}
    return tuple(c for c in subject.clauses if Sight(What.UNPENALISED, c.id) in shown - book.seen.keys())
