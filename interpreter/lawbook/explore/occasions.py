"""Occasions: by which acts a clause can come to be read, whatever the table is like.

What is told here is never too little: an act that is not among a clause's occasions cannot make it apply.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lawbook.edition.machines import registers_of
from lawbook.edition.model import (
    EVERY_CALL,
    EVERY_PROHIBITION,
    EVERY_REMEDY,
    Choice,
    Clause,
    Edition,
    JudgeAgain,
    Kind,
    StandAs,
    Step,
    TakeBackEarlier,
)
from lawbook.machine.tables import is_of_sheet


def choices_of(clause: Clause) -> tuple[Choice, ...]:
    """What a remedy or a waiver gives to choose from; of other clauses nothing."""
    return clause.choices if clause.remedy is None else clause.remedy.choices


def read_in_auctions(edition: Edition) -> tuple[Clause, ...]:
    """The clauses that can apply in an auction: not definitions, which only say what a word means, nor those of the
    score sheet."""
    return tuple(
        clause for clause in edition.clauses if clause.kind is not Kind.DEFINITION and not is_of_sheet(clause, edition)
    )


def is_about(clause: Clause, other: Clause) -> bool:
    """Whether an exception, a waiver or a lapse is about another clause."""
    if other.id in clause.targets or other.id in clause.spared:
        return other.id in clause.targets
    if EVERY_REMEDY in clause.targets and other.remedy is not None:
        return True
    of_a_call = other.trigger is not None and other.trigger.acts <= EVERY_CALL
    return EVERY_PROHIBITION in clause.targets and other.kind is Kind.PROHIBITION and of_a_call


def occasions_of(edition: Edition) -> Mapping[str, frozenset[str]]:
    """For each clause that can apply in an auction, by id, the acts by which it can come to be read."""
    return _Occasions(edition).found


class _Occasions:
    def __init__(self, edition: Edition) -> None:
        self._edition = edition
        self._clauses = read_in_auctions(edition)
        self._every = EVERY_CALL | frozenset(edition.acts)
        # By these acts calls come to stand or to be judged, or are taken back, that are not made there and then.
        self._again = self._acts_with(JudgeAgain)
        self._replaces = self._again | self._choosing(StandAs)
        back = frozenset(choice.act for c in self._clauses for choice in choices_of(c) if choice.puts_back)
        self._takes_back = self._again | back | self._acts_with(TakeBackEarlier)
        self.found: dict[str, frozenset[str]] = {}
        for clause in self._clauses:
            self.found[clause.id] = self._of(clause, frozenset())

    def _acts_with(self, effect: type) -> frozenset[str]:
        """The acts of clauses with such an effect."""
        acts = (
            clause.trigger.acts
            for clause in self._clauses
            if clause.trigger is not None and any(isinstance(e, effect) for e in clause.effects)
        )
        return frozenset().union(*acts)

    def _choosing(self, effect: type) -> frozenset[str]:
        """The acts that choose something with such an effect."""
        return frozenset(
            choice.act
            for clause in self._clauses
            for choice in choices_of(clause)
            if any(isinstance(e, effect) for e in choice.effects)
        )

    def _of(self, clause: Clause, asking: frozenset[str]) -> frozenset[str]:
        if clause.kind is Kind.EXCEPTION:
            return self._of_all(self._about(clause, asking), asking | {clause.id})
        if clause.remedy is not None:
            makers = (c for c in self._clauses if c.offence is not None and c.offence in clause.remedy.offences)
            return self._of_all(makers, asking)
        if clause.kind is Kind.WAIVER:
            return self._of_all(self._about(clause, asking), asking)
        if clause.trigger is None:
            # It happens of itself, or ends a right once something has come to be so: after any act.
            return self._every
        acts = clause.trigger.acts
        match clause.trigger.step:
            case Step.STANDS:
                # A law can let any call stand as another, and a pass can stand that nobody made.
                by_itself = any(c.kind is Kind.OF_ITSELF for c in self._clauses)
                return self._every if by_itself else EVERY_CALL | self._replaces
            case Step.TAKEN_BACK:
                return self._takes_back
            case Step.MADE if acts & EVERY_CALL:
                return acts | self._again
            case _:
                return acts

    def _of_all(self, clauses: Iterator[Clause], asking: frozenset[str]) -> frozenset[str]:
        return frozenset().union(*(self._of(clause, asking) for clause in clauses))

    def _about(self, clause: Clause, asking: frozenset[str]) -> Iterator[Clause]:
        """The clauses that an exception or a waiver is about; exceptions can be about each other."""
        return (other for other in self._clauses if is_about(clause, other) and other.id not in asking)


def reads(clause: Clause, edition: Edition) -> set[str]:
    """The registers that decide whether a clause applies."""
    trees: list[object] = [clause.condition, clause.unless, clause.once, clause.actor, clause.fate]
    if clause.trigger is not None:
        trees.append(clause.trigger.role)
    if clause.remedy is not None:
        trees += [clause.remedy.holder, clause.remedy.opened]
    return registers_of(tuple(trees), edition.definitions)
