"""Findings: what a search of behaviour says of two editions, in a form that can be shown.

The search itself lives elsewhere and hands over a `Behaviour`. Each `Finding` is one cause of difference with the
shortest auction that shows it; the answers of both editions to that auction are had from the ordinary facade, so that
nothing is shown which `lawbook rule` would not say as well.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lawbook.auction import Auction, Contract, Happening, Remedy
from lawbook.compare.scores import Scores
from lawbook.edition.model import Clause, Edition, Law, Offence
from lawbook.explain import reason
from lawbook.machine.ruling import Verdict
from lawbook.sentences import capital
from lawbook.values import Act, Bid, Seat, Side


class FindingKind(enum.Enum):
    """What a difference amounts to, the second edition seen from the first.

    The last three are no difference in ruling: the same is ruled by another law, only the words are others, or no
    auction reaches the clauses that differ.
    """

    STRICTER = "stricter"
    LAXER = "laxer"
    OTHER_REMEDY = "other remedy"
    OTHER_HOLDER = "other holder"
    OTHER_DEADLINE = "other deadline"
    OTHER_RESULT = "other result"
    OTHER_SCORE = "other score"
    ANOTHER_LAW = "same ruling by another law"
    WORDING = "wording only"
    UNREACHABLE = "unreachable"

    @property
    def alike(self) -> bool:
        """Whether the editions rule alike for all that."""
        return self in (FindingKind.ANOTHER_LAW, FindingKind.WORDING, FindingKind.UNREACHABLE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one edition says of an auction: the ruling on its last act, and how it then stands.

    `notation` is the auction with bare calls by the seat in turn. `happenings` is every act with its ruling, what
    happened of itself included; `last` is the place of the last act among them, None where the edition does not know
    that act, and then there is no verdict either. `options` are the remedies that may be chosen afterwards,
    `declaration` what would be played if the bidding ended there, `points` what penalties brought each side, `text` the
    reason for the ruling in sentences.
    """

    edition: Edition
    notation: str
    happenings: tuple[Happening, ...]
    last: int | None
    options: tuple[Remedy, ...]
    status: str
    turn: Seat | None
    debarred: tuple[Seat, ...]
    declaration: Contract | None
    points: Mapping[Side, int] = field(hash=False)
    text: str

    @property
    def ruled(self) -> Happening | None:
        """The last act with its ruling."""
        return None if self.last is None else self.happenings[self.last]

    @property
    def verdict(self) -> Verdict | None:
        """Legal, irregular or refused; None where the edition does not know the act."""
        return None if self.ruled is None else self.ruled.verdict

    @property
    def offences(self) -> tuple[Offence, ...]:
        """The offences in the last act."""
        return () if self.ruled is None else tuple(self.edition.offences[o] for o in self.ruled.ruling.offences)

    @property
    def unpenalised(self) -> bool:
        """Whether the last act is against a law that lays down nothing for it."""
        return self.ruled is not None and self.ruled.ruling.unpenalised

    @property
    def because(self) -> tuple[Clause, ...]:
        """The clauses that the ruling on the last act rests on."""
        return () if self.ruled is None else self.ruled.because

    @property
    def afterwards(self) -> tuple[Happening, ...]:
        """What happened of itself after the last act."""
        return () if self.last is None else self.happenings[self.last + 1 :]


@dataclass(frozen=True, slots=True)
class Witness:
    """An auction that shows a difference: its last act is the first that the editions answer differently."""

    dealer: Seat
    acts: tuple[Act, ...]
    a: Answer
    b: Answer

    @property
    def differs(self) -> bool:
        """Whether the editions answer differently."""
        return _told(self.a) != _told(self.b)

    @property
    def notation(self) -> str:
        """The auction in canonical notation."""
        return (self.b if self.a.last is None else self.a).notation


@dataclass(frozen=True, slots=True)
class Also:
    """The clauses of each edition that are at work in some of what a finding is about, and the shortest auction that
    shows these."""

    clauses_a: tuple[Clause, ...]
    clauses_b: tuple[Clause, ...]
    witness: Witness


@dataclass(frozen=True, slots=True)
class Removal:
    """What becomes of a difference when one of the two editions is taken otherwise: of the differing acts that were
    `tried`, each after the auction that leads to it, so many are then ruled `alike` by both editions, and so many come
    after an act of the auction on which they now part `earlier`; the others are ruled differently as before.

    `place` is 0 where `through` was taken instead of the first edition, 1 instead of the second. It is the same but for
    a reading (`reading=choice`) or for `laws`, such as a decision, that stand in it besides. `clauses` are those, of
    either, that rule otherwise in these acts, as far as that is told; `still` is the shortest auction that is not ruled
    alike.
    """

    place: int
    through: Edition
    readings: tuple[str, ...]
    laws: tuple[Law, ...]
    clauses: tuple[Clause, ...]
    alike: int
    tried: int
    earlier: int
    still: Witness | None

    @property
    def removes(self) -> bool:
        """Whether nothing that was tried is left of the difference."""
        return self.alike == self.tried


@dataclass(frozen=True, slots=True)
class Finding:
    """One cause of difference, or of none where one was to be looked for.

    The clauses of each edition that bring it about; when the editions differ by it, in law words to follow `They differ
    exactly when` (of what rules alike `They rule alike when` or `They would differ when`; nothing, if there is nothing
    to say); how many reachable pairs of positions it shows in; and the shortest auction that shows it, if one does.
    `exact` is false where they do not always differ then, and never otherwise; `when` is empty of a difference where
    that was not looked for, and `alone` true where other pairs of positions differ by these clauses and more of them
    together, of which `when` says nothing. `also` are narrower causes that are at work in some of these pairs of
    positions. `removed` tells of either edition taken otherwise, where that was asked and removes the difference or
    some of it.
    """

    kind: FindingKind
    clauses_a: tuple[Clause, ...]
    clauses_b: tuple[Clause, ...]
    when: str
    positions: int
    witness: Witness | None
    exact: bool = True
    also: tuple[Also, ...] = ()
    removed: tuple[Removal, ...] = ()
    alone: bool = False

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of both editions."""
        return (*self.clauses_a, *self.clauses_b)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much was searched. `complete`: every reachable pair of states, with any number of irregular acts
    (`irregularities` None), bids that suffice, and all acts that either edition knows. `complete_for`: the acts other
    than calls of which that is so, where others were searched less far; None if it is so of none. `open_at_once`: with
    more irregular acts than that too, as long as no more were open to a remedy at once. `ended_early`: it was cut
    short. `notes` say how that is known, or what was left out."""

    complete: bool
    states: int
    transitions: int
    bids: tuple[Bid, ...]
    irregularities: int | None
    notes: tuple[str, ...] = ()
    open_at_once: int | None = None
    complete_for: tuple[str, ...] | None = None
    ended_early: bool = False


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How two editions differ at the table, as far as it was searched, and in `scores` how they score deals, where that
    was asked."""

    a: Edition
    b: Edition
    findings: tuple[Finding, ...]
    coverage: Coverage
    scores: Scores | None = None

    @property
    def differ(self) -> bool:
        """Whether the editions rule differently on something that can happen, or score a deal differently."""
        ruled = any(not finding.kind.alike for finding in self.findings)
        return ruled or (self.scores is not None and self.scores.differ)

    @property
    def may_differ(self) -> bool:
        """The same, or whether a search that was cut short has found nothing of the kind yet."""
        return self.differ or self.coverage.ended_early


def answer(edition: Edition, dealer: Seat, acts: Sequence[Act]) -> Answer:
    """What an edition says of an auction. Only the last act may be one that it does not know; for another it raises
    LawbookError.

    >>> from lawbook.auction import load
    >>> from lawbook.notation import parse_auction
    >>> acts = [token.act for token in parse_auction("2H 2D", acts={})]
    >>> given = answer(load("whist-club-1912"), Seat.N, acts)
    >>> given.verdict.value, [offence.name for offence in given.offences], len(given.options)
    ('irregular', ['insufficient-declaration'], 4)
    """
    auction = Auction(edition, dealer)
    last: int | None = None
    for place, act in enumerate(acts):
        last = len(auction.happenings)
        if place == len(acts) - 1 and act.call is None and act.name not in edition.acts:
            last = None
        else:
            auction.act(act)
    return Answer(
        edition,
        auction.notation,
        auction.happenings,
        last,
        auction.options,
        auction.status,
        auction.turn,
        auction.debarred,
        auction.declaration,
        auction.points,
        _text(auction, last),
    )


def witness(a: Edition, b: Edition, dealer: Seat, acts: Sequence[Act]) -> Witness:
    """An auction with the answers of both editions to it. Raises LawbookError as `answer` does."""
    return Witness(dealer, tuple(acts), answer(a, dealer, acts), answer(b, dealer, acts))


def _told(answer: Answer) -> tuple[object, ...]:
    """All that two editions can answer differently; one that does not know an act refuses it."""
    return (
        Verdict.REFUSED if answer.verdict is None else answer.verdict,
        frozenset(offence.name for offence in answer.offences),
        frozenset((option.seat, option.act, option.offence, option.offender) for option in answer.options),
        answer.status,
        answer.turn,
        answer.debarred,
        answer.declaration,
        dict(answer.points),
    )


def _text(auction: Auction, last: int | None) -> str:
    """Why the last act is ruled on as it is, in sentences."""
    if last is None:
        return "There is no such act."
    happening = auction.happenings[last]
    if happening.verdict is Verdict.REFUSED:
        return f"{capital(reason(auction, last))}."
    return " ".join(dict.fromkeys(clause.says for clause in happening.because))
