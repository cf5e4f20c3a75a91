"""Clauses that can never be read, and clauses that another one makes needless."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from lawbook.checks.logic import Alternatives, TooMany, alternatives_of, bare, implies
from lawbook.checks.subject import Subject, excepted
from lawbook.diagnostics import Diagnostic, Label, Severity
from lawbook.edition.machines import effects_of
from lawbook.edition.model import Clause, Kind, Score
from lawbook.language import core
from lawbook.language.check import decided

# When a clause is read, and what it does then.
Studied: TypeAlias = "tuple[Alternatives | None, _Outcome | None]"


def check_conditions(subject: Subject) -> Iterator[Diagnostic]:
    """`never-true` for a clause whose conditions exclude each other, `shadowed-clause` for one that another covers."""
    groups: dict[Hashable, list[tuple[Clause, Alternatives]]] = {}
    setting, recall = subject.setting, subject.memory.recall
    for clause in subject.edition.clauses:
        if clause.kind is Kind.DEFINITION:
            continue
        studied: Studied = recall(
            ("studied", id(clause), id(setting)), (clause, setting), partial(_study, clause, subject)
        )
        alternatives, outcome = studied
        if alternatives is None:
            continue
        if not alternatives:
            if not _says_so_itself(clause.condition):
                yield _contradiction(clause)
        elif outcome is not None:
            groups.setdefault(outcome, []).append((clause, alternatives))
    several = [group for group in groups.values() if len(group) > 1]
    spoken_of = excepted(subject.edition) if several else {}
    for group in several:
        yield from _shadows(group, spoken_of, subject.edition.chain)


def _study(clause: Clause, subject: Subject) -> Studied:
    """When a clause is read, in alternatives, and what it does then; None for either where it is not looked into."""
    unless = () if clause.unless is None else (core.Not(clause.unless),)
    try:
        alternatives = alternatives_of(core.All((clause.condition, *unless)), subject.edition.universe)
    except TooMany:
        return None, None
    return alternatives, _outcome(clause)


def _says_so_itself(truth: core.Truth) -> bool:
    """Whether one of the conditions is told to be never true already."""
    match truth:
        case core.Leaf(inner):
            return decided(inner) is False
        case core.All(parts) | core.AnyOf(parts):
            return any(_says_so_itself(part) for part in parts)
        case core.Not(inner):
            return _says_so_itself(inner)
        case _:
            return False


def _contradiction(clause: Clause) -> Diagnostic:
    message = f"the conditions of `{clause.id}` exclude each other, so it is never read"
    return Diagnostic("never-true", Severity.WARNING, message, clause.span, law=clause.law.number, clause=clause.id)


def _outcome(clause: Clause) -> _Outcome | None:
    """What a clause is read for and what it does; None where doing it twice is not the same as once."""
    if any(isinstance(effect, Score) for effect in effects_of(clause)):
        return None
    trigger, remedy = clause.trigger, clause.remedy
    return _Outcome(
        (
            clause.kind,
            None if trigger is None else (trigger.step, trigger.acts, bare(trigger.role), trigger.by_table),
            clause.each_right,
            clause.offence,
            bare(clause.fate),
            bare(clause.effects),
            bare(clause.choices),
            clause.targets,
            clause.spared,
            bare(clause.once),
            bare(clause.actor),
            clause.scores,
            clause.each,
            None if remedy is None else bare(remedy),
        )
    )


class _Outcome:
    """An outcome that is asked for its hash many times, and so keeps it."""

    __slots__ = ("_hash", "_parts")

    def __init__(self, parts: tuple[Hashable, ...]) -> None:
        self._parts = parts
        self._hash = hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Outcome) and (self is other or self._parts == other._parts)


def _shadows(
    group: list[tuple[Clause, Alternatives]], spoken_of: Mapping[str, frozenset[str]], chain: tuple[str, ...]
) -> Iterator[Diagnostic]:
    hidden: set[str] = set()
    for clause, when in group:
        for other, when_other in group:
            if other is clause or other.id in hidden or not implies(when, when_other):
                continue
            # What is an exception to the one alone leaves the other something to say.
            if not spoken_of.get(other.id, frozenset()) <= spoken_of.get(clause.id, frozenset()):
                continue
            hidden.add(clause.id)
            yield _shadow(clause, other, chain, equal=implies(when_other, when))
            break


def _shadow(clause: Clause, other: Clause, chain: tuple[str, ...], *, equal: bool) -> Diagnostic:
    """That a clause says nothing new beside another; told where it can be changed, in the edition's own law and not in
    one of an edition it is based on."""
    at, beside = clause, other
    message = f"`{clause.id}` says nothing that `{other.id}` does not say already"
    label = "this one holds in the same cases" if equal else "this one holds in more cases"
    if chain.index(other.law.source.edition) < chain.index(clause.law.source.edition):
        at, beside = other, clause
        message = f"`{other.id}` leaves `{clause.id}` nothing to say"
        label = "this one holds in the same cases" if equal else "this one holds in fewer cases"
    return Diagnostic(
        "shadowed-clause",
        Severity.WARNING,
        message,
        at.span,
        (Label(beside.span, label),),
        "take one of them away, or look at its conditions again",
        law=at.law.number,
        clause=at.id,
    )
