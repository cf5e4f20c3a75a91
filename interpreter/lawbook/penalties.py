"""Penalties: what an edition lays down for each offence, read off its clauses alone.

A code's own table of penalties is a summary that somebody wrote; this one follows from what the clauses do.

>>> from lawbook.auction import load
>>> rows = {row.offence.name: row for row in penalties_of(load("whist-club-1912"))}
>>> [demand.choice.act for demand in rows["impossible-declaration"].demands]
['penalise', 'new-deal', 'make-final']
>>> rows["pass-out-of-turn"].unpenalised
True
"""

from __future__ import annotations

from dataclasses import dataclass

from lawbook.edition.model import EVERY_REMEDY, Choice, Clause, Edition, FateKind, Kind, LetStand, Offence
from lawbook.sentences import order_of


@dataclass(frozen=True, slots=True)
class Demand:
    """A penalty that somebody may demand: the remedy that gives it, the choice, and the clauses that end the right."""

    remedy: Clause
    choice: Choice
    ended_by: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """An offence, the clauses that forbid it, what follows at once, and what may be demanded.

    `at_once` are prohibitions that do something by themselves, and other clauses that say they are a penalty for the
    offence (the score for a revoke). What a prohibition makes of the call (it stands, counts as a pass, is ignored) is
    no penalty, unless it makes another call of it.
    """

    offence: Offence
    prohibitions: tuple[Clause, ...]
    at_once: tuple[Clause, ...]
    demands: tuple[Demand, ...]

    @property
    def unpenalised(self) -> bool:
        """Whether the edition lays down nothing for the offence."""
        return not self.at_once and not self.demands

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses the row rests on: those that give the penalty, or, where there is none, the prohibitions."""
        penalising = (*self.at_once, *(demand.remedy for demand in self.demands))
        return tuple(dict.fromkeys(penalising or self.prohibitions))


def penalties_of(edition: Edition) -> tuple[Row, ...]:
    """A row for each offence that the edition's laws know, in the order of the laws that name it."""
    rows = [row for offence in edition.offences if (row := _row(edition, offence)) is not None]
    return tuple(sorted(rows, key=lambda row: min(order_of(c.law) for c in (*row.prohibitions, *row.at_once))))


def _row(edition: Edition, offence: Offence) -> Row | None:
    prohibitions = tuple(c for c in edition.clauses if c.offence == offence.number)
    stated = tuple(c for c in edition.clauses if c.penalty_for == offence.number)
    if not prohibitions and not stated:
        return None
    at_once = tuple(c for c in prohibitions if c.effects or (c.fate and c.fate.kind is FateKind.STANDS_AS))
    demands = tuple(
        Demand(clause, choice, _ended_by(edition, clause))
        for clause in edition.clauses
        if clause.remedy is not None and offence.number in clause.remedy.offences
        for choice in clause.remedy.choices
        if not _waives(edition, choice)
    )
    return Row(offence, prohibitions, (*at_once, *stated), demands)


def _waives(edition: Edition, choice: Choice) -> bool:
    """Whether a choice only forgives: it does nothing, and a waiver offers the same act under other remedies."""
    waivers = {c.act for clause in edition.clauses if clause.kind is Kind.WAIVER for c in clause.choices}
    return choice.act in waivers and all(isinstance(effect, LetStand) for effect in choice.effects)


def _ended_by(edition: Edition, remedy: Clause) -> tuple[Clause, ...]:
    """The clauses by which a right is lost: the remedy itself, where it says until when, and the lapses of it."""
    assert remedy.remedy is not None
    lapses = tuple(
        clause
        for clause in edition.clauses
        if clause.kind is Kind.LAPSE
        and clause.id not in remedy.remedy.outlasts
        and (remedy.id in clause.targets or EVERY_REMEDY in clause.targets)
    )
    return (remedy, *lapses) if remedy.trigger is not None else lapses
