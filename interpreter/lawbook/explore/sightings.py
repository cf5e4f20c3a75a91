"""Sightings: everything that can be seen of an edition's clauses in auctions, and where each was seen first."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lawbook.edition.model import Clause, Edition, Kind, Step
from lawbook.explore.occasions import choices_of, occasions_of, read_in_auctions
from lawbook.explore.walk import Auction, Walk
from lawbook.language import core


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


class Sight(NamedTuple):
    """One thing to be seen: of a clause by its id, and beside it an act. Of an act without a ruling it is the code of
    the error, and beside it the message."""

    what: What
    name: str = ""
    beside: str = ""


class Seen(NamedTuple):
    """Where something was seen: after how many acts, on which walk, at which node, by which act there, if by one."""

    acts: int
    walk: Walk
    node: int
    place: int | None

    @property
    def auction(self) -> Auction:
        """The auction that shows it."""
        return self.walk.auction(self.node) if self.place is None else self.walk.auction(self.node, self.place)


class Book:
    """Everything that was seen, each with the shortest way there."""

    def __init__(self) -> None:
        self.seen: dict[Sight, Seen] = {}

    def __contains__(self, sight: Sight) -> bool:
        return sight in self.seen

    def wants(self, sight: Sight, acts: int) -> bool:
        """Whether it was not yet seen after so few acts."""
        before = self.seen.get(sight)
        return before is None or before.acts > acts

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
    `by_refusal` those that it can show where it is refused. What is seen by looking at what may be chosen is in
    neither, nor is what goes wrong: for these every state and every act is looked at.
    """

    edition: Edition
    clauses: tuple[Clause, ...]
    occasions: Mapping[str, frozenset[str]]
    by_act: Mapping[str, tuple[Sight, ...]]
    by_refusal: Mapping[str, tuple[Sight, ...]]

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
        return cls(edition, clauses, occasions, _tuples(by_act), _tuples(by_refusal))


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


def _is_penalised(clause: Clause, edition: Edition) -> bool:
    """Whether an act that breaks a prohibition is never without a penalty or a remedy, whatever else it breaks."""
    if clause.effects:
        return True
    if clause.trigger is None or clause.trigger.step not in (Step.MADE, Step.BEFORE):
        return False
    # No right opens by what is done in choosing under another.
    if any(act in edition.acts and edition.acts[act].chooses for act in clause.trigger.acts):
        return False
    return any(
        other.remedy is not None and clause.offence in other.remedy.offences and other.remedy.opened == core.TRUE
        for other in edition.clauses
    )
