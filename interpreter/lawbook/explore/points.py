"""Points: which acts may score any, and what is read to tell how many a choice scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from lawbook.edition.machines import registers_of
from lawbook.edition.model import EVERY_CALL, Choice, Edition, Kind, Score, Step
from lawbook.explore.occasions import reads
from lawbook.machine.ruling import Ruling

Points: TypeAlias = tuple[tuple[int, str, int], ...]
"""The side (counted from the player in turn), the column and the points of each that are scored."""


def scoring(edition: Edition) -> tuple[frozenset[str], frozenset[str]]:
    """The acts that may score points, and those of them that may where they are refused."""
    found: set[str] = set()
    refused: set[str] = set()
    for clause in edition.clauses:
        if clause.trigger is not None and any(isinstance(effect, Score) for effect in clause.effects):
            acts = clause.trigger.acts
            if acts & EVERY_CALL:
                # One call may stand as another, be judged again or be taken back, by an act that is no call.
                acts = EVERY_CALL | edition.acts.keys()
            found |= acts
            if clause.trigger.step is Step.REFUSED:
                refused |= acts
        for choice in (*clause.choices, *(() if clause.remedy is None else clause.remedy.choices)):
            if any(isinstance(effect, Score) for effect in choice.effects):
                found.add(choice.act)
    return frozenset(found), frozenset(refused)


def _choices(edition: Edition, act: str) -> Iterator[Choice]:
    """The choices that are made by an act."""
    for clause in edition.clauses:
        choices = clause.choices if clause.remedy is None else clause.remedy.choices
        yield from (choice for choice in choices if choice.act == act)


def puts_back(edition: Edition, act: str) -> bool:
    """Whether an act is a choice that puts a call back."""
    return any(choice.puts_back for choice in _choices(edition, act))


def asked_to_choose(edition: Edition, act: str) -> set[str]:
    """The registers that decide what a choice is about, which clauses apply to it, and what it scores."""
    clauses = [
        clause
        for clause in edition.clauses
        if clause.remedy is not None
        or clause.kind in (Kind.WAIVER, Kind.EXCEPTION)
        or (clause.trigger is not None and act in clause.trigger.acts)
    ]
    effects = [e for clause in clauses for e in clause.effects] + [e for c in _choices(edition, act) for e in c.effects]
    return set().union(registers_of(tuple(effects), edition.definitions), *(reads(c, edition) for c in clauses))


def points_of(rulings: Sequence[Ruling]) -> Points:
    """What is scored by rulings."""
    return tuple(sorted((scored.side, scored.column, scored.points) for ruling in rulings for scored in ruling.scored))
