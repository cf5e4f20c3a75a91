"""Rights without a beginning or an end: remedies for what is never committed, remedies without a deadline, bars that
nothing lifts."""

from __future__ import annotations

from collections.abc import Iterator

from lawbook.checks.subject import Subject
from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.machines import effects_of, registers_of
from lawbook.edition.model import EVERY_REMEDY, Assign, Clause, Edition, Kind, LapseRight, Move
from lawbook.language.types import SetOf


def check_rights(subject: Subject) -> Iterator[Diagnostic]:
    """`offence-without-prohibition`, `remedy-without-window` and `bar-without-end`."""
    edition = subject.edition
    committed = {clause.offence for clause in edition.clauses}
    for clause in edition.clauses:
        if clause.remedy is None:
            continue
        for offence in sorted(clause.remedy.offences - committed):
            name = edition.offences[offence].phrase
            yield _of(
                clause,
                "offence-without-prohibition",
                f"no clause of {edition.id} makes anything the offence `{name}`, so this remedy never opens",
                f"a clause with `offence: {name}` says what it is",
            )
        if not _ends(clause, edition):
            yield _of(
                clause,
                "remedy-without-window",
                f"nothing says until when the remedy `{clause.id}` can be chosen",
                "write `until:` in it, or a clause with `lapse of:`",
            )
    yield from _bars(subject)


def _of(clause: Clause, code: str, message: str, help: str) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, clause.span, help=help, law=clause.law.number, clause=clause.id)


def _ends(clause: Clause, edition: Edition) -> bool:
    """Whether a remedy has a deadline of its own, or one that some lapse sets."""
    assert clause.remedy is not None
    if clause.trigger is not None:
        return True
    for other in edition.clauses:
        lapses = other.kind is Kind.LAPSE and (clause.id in other.targets or EVERY_REMEDY in other.targets)
        lapses = lapses or any(isinstance(effect, LapseRight) for effect in other.effects)
        if lapses and other.id not in clause.remedy.outlasts:
            return True
    return False


def _bars(subject: Subject) -> Iterator[Diagnostic]:
    edition, declared = subject.edition, subject.setting.declarations.registers
    read = registers_of(edition.interface.debarred, edition.definitions)
    bars = {name for name in read if isinstance(edition.registers[name].type, SetOf)}
    joined: set[str] = set()
    ended = {name for name in bars if edition.registers[name].kept_while is not None}
    for clause in edition.clauses:
        for effect in effects_of(clause):
            match effect:
                case Move(register, _, True):
                    joined.add(register)
                case Move(register) | Assign(register):
                    ended.add(register)
                case _:
                    pass
    for name in sorted(bars & joined - ended):
        yield Diagnostic(
            "bar-without-end",
            Severity.WARNING,
            f"whoever is among the {name} stays debarred for ever: nothing ends it",
            declared[name].node.span,
            help="a clause with `status:` says what ends a bar",
        )
