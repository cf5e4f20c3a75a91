"""Clauses that can never be read, and clauses that another one makes needless."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from lawbook.checks.logic import Alternatives, TooMany, alternatives_of, bare, implies
from lawbook.checks.subject import Subject, effects_of, excepted
from lawbook.diagnostics import Diagnostic, Label, Severity
from lawbook.edition.model import Clause, Kind, Score
from lawbook.language import core
from lawbook.language.check import decided


def check_conditions(subject: Subject) -> Iterator[Diagnostic]:
    """`never-true` for a clause whose conditions exclude each other, `shadowed-clause` for one that another covers."""
    groups: dict[Hashable, list[tuple[Clause, Alternatives]]] = {}
    spoken_of = excepted(subject.edition)
    for clause in subject.edition.clauses:
        if clause.kind is Kind.DEFINITION:
            continue
        alternatives = _alternatives(clause, subject)
        if alternatives is None:
            continue
        if not alternatives:
            if not _says_so_itself(clause.condition):
                yield _contradiction(clause)
            continue
        if (outcome := _outcome(clause, subject)) is not None:
            groups.setdefault(outcome, []).append((clause, alternatives))
    for group in groups.values():
        yield from _shadows(group, spoken_of, subject.edition.chain)


def _alternatives(clause: Clause, subject: Subject) -> Alternatives | None:
    """When a clause is read, in alternatives; None where there are too many to look into."""

    def found() -> Alternatives | None:
        unless = () if clause.unless is None else (core.Not(clause.unless),)
        try:
            return alternatives_of(core.All((clause.condition, *unless)), subject.edition.universe)
        except TooMany:
            return None

    return subject.memory.recall(("alternatives", id(clause), id(subject.setting)), (clause, subject.setting), found)


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


def _outcome(clause: Clause, subject: Subject) -> Hashable | None:
    """What a clause is read for and what it does; None where doing it twice is not the same as once."""
    if any(isinstance(effect, Score) for effect in effects_of(clause)):
        return None

    def found() -> Hashable:
        trigger = clause.trigger
        remedy = clause.remedy
        return (
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

    return subject.memory.recall(("outcome", id(clause)), clause, found)


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
