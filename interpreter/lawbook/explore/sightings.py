"""Sightings: everything that can be seen of an edition's clauses in auctions, and where each was seen first."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from lawbook.edition.model import Clause, Edition, Kind, Step
from lawbook.explore.occasions import choices_of, is_about, occasions_of, read_in_auctions
from lawbook.explore.proofs import always_penalised, never_applies
from lawbook.explore.walk import Auction, Walk
from lawbook.language import core
from lawbook.machine.tables import FEW_CASES


class What(enum.Enum):
    """What is seen.

    Of a clause: that it applies (a right opens by it, it ends one, sets something aside, is offered); of what it makes
    an offence, that nothing was laid down for it. Of a remedy: that somebody may use it. Of a choice: that it may be
    chosen, that it was, that this changed anything; that it was refused all the same, or has no effect that is defined.
    Of no clause in particular: that an act has no ruling, or that the player in turn may do nothing and nobody can help
    him.
    """

    APPLIES = "applies"
    UNPENALISED = "unpenalised"
    USABLE = "usable"
    OFFERED = "offered"
    CHOSEN = "chosen"
    CHANGES = "changes"
    REFUSED = "refused"
    UNDEFINED = "undefined"
    NO_RULING = "no ruling"
    NOBODY_MAY = "nobody may"


# Of these an auction is told, so a shorter one is wanted; of the others it is enough that they are seen at all.
_TOLD: Final = (What.UNPENALISED, What.CHOSEN, What.REFUSED, What.UNDEFINED, What.NO_RULING, What.NOBODY_MAY)


class Sight(NamedTuple):
    """One thing to be seen: of a clause by its id, and beside it an act. Of an act without a ruling it is the code of
    the error, and beside it the message."""

    what: What
    name: str = ""
    beside: str = ""


class Met(NamedTuple):
    """Where something was seen on a walk: after how many acts, at which node, by which act there, if by one."""

    acts: int
    walk: Walk
    node: int
    place: int | None

    @property
    def auction(self) -> Auction:
        """The auction that shows it."""
        return self.walk.auction(self.node) if self.place is None else self.walk.auction(self.node, self.place)


class Known(NamedTuple):
    """Where something was seen in an auction that was known before, and after how many acts."""

    acts: int
    auction: Auction


Seen: TypeAlias = Met | Known
"""Where something was seen."""


class Book:
    """Everything that was seen, and where; what an auction is told of with the shortest way there."""

    def __init__(self) -> None:
        self.seen: dict[Sight, Seen] = {}

    def __contains__(self, sight: Sight) -> bool:
        return sight in self.seen

    def wants(self, sight: Sight, acts: int) -> bool:
        """Whether it is still wanted after so many acts."""
        before = self.seen.get(sight)
        return before is None or (before.acts > acts and sight.what in _TOLD)

    def note(self, sight: Sight, seen: Seen) -> bool:
        """Note what was seen; whether it was wanted."""
        if not self.wants(sight, seen.acts):
            return False
        self.seen[sight] = seen
        return True


@dataclass(frozen=True, slots=True)
class Subject:
    """One edition with what there is to see of it.

    `occasions` tells by which acts each clause can come to be read. `by_act` are the sights that an act can show,
    `by_refusal` those that it can show where it is refused, `by_right` those that a right can show where it is open, by
    its remedy. What goes wrong is in none of them: for that every state and every act is looked at.
    """

    edition: Edition
    clauses: tuple[Clause, ...]
    occasions: Mapping[str, frozenset[str]]
    by_act: Mapping[str, tuple[Sight, ...]]
    by_refusal: Mapping[str, tuple[Sight, ...]]
    by_right: Mapping[str, tuple[Sight, ...]]

    @classmethod
    def of(cls, edition: Edition) -> Subject:
        """That of an edition."""
        clauses, occasions = read_in_auctions(edition), occasions_of(edition)
        by_act: dict[str, list[Sight]] = {}
        by_refusal: dict[str, list[Sight]] = {}
        refusing = {clause.id for clause in clauses if _on_refusal(clause)}
        for clause in clauses:
            for act in occasions[clause.id]:
                for sight in _shown(clause, edition):
                    by_act.setdefault(act, []).append(sight)
                    if clause.id in refusing or refusing.intersection(clause.targets):
                        by_refusal.setdefault(act, []).append(sight)
            for choice in choices_of(clause):
                for what in (What.CHOSEN, What.CHANGES):
                    by_act.setdefault(choice.act, []).append(Sight(what, clause.id, choice.act))
        by_right = {
            clause.id: tuple(_offered(clause, edition, clauses)) for clause in clauses if clause.remedy is not None
        }
        return cls(edition, clauses, occasions, _tuples(by_act), _tuples(by_refusal), by_right)


def _tuples(found: dict[str, list[Sight]]) -> dict[str, tuple[Sight, ...]]:
    return {act: tuple(sights) for act, sights in found.items()}


def _on_refusal(clause: Clause) -> bool:
    """Whether a clause is read for acts that are refused."""
    return clause.kind is Kind.REFUSAL or (clause.trigger is not None and clause.trigger.step is Step.REFUSED)


def _shown(clause: Clause, edition: Edition) -> Iterator[Sight]:
    """What acts can show of a clause; a waiver and what sets a remedy aside show in what may be chosen."""
    if clause.kind is not Kind.WAIVER:
        yield Sight(What.APPLIES, clause.id)
    if clause.offence is not None and not _is_penalised(clause, edition):
        yield Sight(What.UNPENALISED, clause.id)


def _offered(remedy: Clause, edition: Edition, clauses: Sequence[Clause]) -> Iterator[Sight]:
    """What is seen by looking at what may be chosen under a remedy."""
    assert remedy.remedy is not None
    yield Sight(What.USABLE, remedy.id)
    waivers = [clause for clause in clauses if clause.kind is Kind.WAIVER and is_about(clause, remedy)]
    for clause in (remedy, *waivers):
        for choice in choices_of(clause):
            yield Sight(What.OFFERED, clause.id, choice.act)
    about = [remedy, *waivers]
    for clause in about:
        exceptions = [other for other in clauses if other.kind is Kind.EXCEPTION and is_about(other, clause)]
        # Exceptions have exceptions.
        about += [other for other in exceptions if other not in about]
    for clause in about[1:]:
        # An exception can be for rights about other offences only.
        if not never_applies(clause, edition, most=FEW_CASES, offences=remedy.remedy.offences):
            yield Sight(What.APPLIES, clause.id)


def _is_penalised(clause: Clause, edition: Edition) -> bool:
    """Whether an act that breaks a prohibition is never without a penalty or a remedy, whatever else it breaks."""
    if clause.effects:
        return True
    if clause.trigger is None or clause.trigger.by_table or clause.trigger.step not in (Step.MADE, Step.BEFORE):
        return False
    # No right opens by what is done in choosing under another.
    if any(act in edition.acts and edition.acts[act].chooses for act in clause.trigger.acts):
        return False
    offence = clause.offence
    remedies = [other for other in edition.clauses if other.remedy is not None and offence in other.remedy.offences]
    if any(remedy.remedy is not None and remedy.remedy.opened == core.TRUE for remedy in remedies):
        return True
    # Of what is done before a call the table is another than that on which a right opens.
    return clause.trigger.step is Step.MADE and bool(remedies) and always_penalised(clause, edition, remedies)
