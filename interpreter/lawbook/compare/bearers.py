"""Bearers: the clauses of an edition that bear on one thing about an act, by id: on the ruling, on points, on what may
be chosen, on how the table looks; and which clauses of several editions are not alike, so that they can be a cause."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol

from lawbook.edition.machines import definitions_of, effects_of, mentions_of, registers_of
from lawbook.edition.model import EVERY_CALL, Assign, Clause, Edition, Kind, Move
from lawbook.language import core
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event, Ruling
from lawbook.machine.state import State


class Choosable(Protocol):
    """A remedy that may be chosen: who may (a seat's number), by which act, for which offence (by name) of whom."""

    @property
    def holder(self) -> int: ...
    @property
    def act(self) -> str: ...
    @property
    def offence(self) -> str: ...
    @property
    def offender(self) -> int: ...


# -- what differs ------------------------------------------------------------------------------------------------------


def judging(rulings: Sequence[Ruling]) -> Iterator[str]:
    """The clauses that a verdict rests on."""
    for ruling in rulings[:1]:
        yield from (clause.id for clause in (*ruling.because, *ruling.lacking))
        for defeated in ruling.defeated:
            yield from (defeated.clause.id, defeated.by)


def entitling(edition: Edition, act: str) -> Iterator[str]:
    """The clauses that entitle to an act other than a call."""
    for clause in edition.clauses:
        if clause.kind is Kind.ENTITLEMENT and clause.trigger is not None and act in clause.trigger.acts - EVERY_CALL:
            yield clause.id


def scoring(rulings: Sequence[Ruling]) -> Iterator[str]:
    """The clauses that scored points."""
    for ruling in rulings:
        yield from (scored.clause.id for scored in ruling.scored)


def ending(machine: Machine, state: State, rulings: Sequence[Ruling], kept: Collection[Choosable]) -> Iterator[str]:
    """The clauses that ended, made a note on, or keep from a player the rights to what may still be chosen in another
    edition."""
    if not kept:
        return
    offences = {choosable.offence for choosable in kept}
    for choosable in sorted(kept, key=lambda choice: (choice.holder, choice.act)):
        event = Event(choosable.holder, choosable.act)
        yield from (defeated.by for defeated in machine.rights.defeated(state, event))
    edition = machine.edition
    for ruling in rulings:
        yield from (by for _, right, by in ruling.lapsed if edition.offences[right.offence].name in offences)
        yield from (defeated.by for defeated in ruling.defeated)
        for clause in ruling.fired:
            if any(isinstance(e, Assign) and edition.registers[e.register].per_right for e in clause.effects):
                yield clause.id


def choosing(machine: Machine, state: State, choosable: Collection[Choosable]) -> Iterator[str]:
    """The clauses by which these remedies may be chosen in a state."""
    wanted = {(c.holder, c.act, c.offence, c.offender) for c in choosable}
    offences = machine.edition.offences
    for option in machine.swift.options(state) if wanted else ():
        if (option.seat, option.choice.act, offences[option.offence].name, option.offender) in wanted:
            yield from (option.clause.id, option.remedy.id)


def writing(edition: Edition, rulings: Sequence[Ruling], asked: Sequence[str]) -> Iterator[str]:
    """The clauses that write what these terms of the interface depend on, or say what becomes of a call."""
    registers = _registers_behind(edition, tuple(asked))
    for ruling in rulings:
        chosen = () if ruling.chosen is None else (ruling.chosen.clause, ruling.chosen.remedy)
        for clause in (*ruling.because, *ruling.fired, *chosen):
            writes = any(not isinstance(e, Assign | Move) or e.register in registers for e in effects_of(clause))
            if clause.fate is not None or writes:
                yield clause.id
        yield from (defeated.by for defeated in ruling.defeated)


@functools.lru_cache(maxsize=64)
def _registers_behind(edition: Edition, asked: tuple[str, ...]) -> frozenset[str]:
    """The registers that terms of the interface depend on."""
    terms = tuple(getattr(edition.interface, term) for term in asked)
    return frozenset(registers_of(terms, edition.definitions))


# -- what is not seen at once ------------------------------------------------------------------------------------------


def writers(rulings: Sequence[Ruling], registers: Collection[str]) -> Iterator[str]:
    """The clauses that took part in a ruling and write to one of these registers."""
    for clause in taking_part(rulings):
        if any(isinstance(effect, Assign | Move) and effect.register in registers for effect in effects_of(clause)):
            yield clause.id


def readers(edition: Edition, rulings: Sequence[Ruling], registers: frozenset[str]) -> Iterator[str]:
    """The clauses that took part in a ruling and ask for one of these registers."""
    for clause in taking_part(rulings):
        asked = (clause.condition, clause.unless, clause.actor, clause.fate)
        if registers & registers_of(asked, edition.definitions):
            yield clause.id


def taking_part(rulings: Sequence[Ruling]) -> Iterator[Clause]:
    """The clauses that took part in a ruling in any way."""
    for ruling in rulings:
        yield from (*ruling.because, *ruling.fired, *ruling.lacking)
        yield from (defeated.clause for defeated in ruling.defeated)
        if ruling.chosen is not None:
            yield from (ruling.chosen.clause, ruling.chosen.remedy)


# -- what is not alike -------------------------------------------------------------------------------------------------


def unlike(editions: Sequence[Edition]) -> tuple[frozenset[str], ...]:
    """For each edition its clauses, by id, that not every other has in the same meaning."""
    meanings = [_meanings(edition) for edition in editions]
    shared: list[set[object]] = [set(found.values()) for found in meanings]
    return tuple(
        frozenset(name for name, meaning in found.items() if any(meaning not in others for others in shared))
        for found in meanings
    )


def _meanings(edition: Edition) -> dict[str, object]:
    """What each clause means: its normal form, and that of everything it uses by name."""
    bodies = {name: _bare(definition) for name, definition in edition.definitions.items()}
    uses = {name: mentions_of(definition).definitions for name, definition in edition.definitions.items()}
    found: dict[str, object] = {}
    for clause in edition.clauses:
        used: set[str] = set()
        pending = list(mentions_of(clause).definitions)
        while pending:
            name = pending.pop()
            if name not in used and name in bodies:
                used.add(name)
                pending.extend(uses[name])
        found[clause.id] = (clause.normal, tuple((name, bodies[name]) for name in sorted(used)))
    return found


def _bare(node: object) -> object:
    """A tree without the places where it was written."""
    if isinstance(node, core.Leaf):
        return _bare(node.of)
    if isinstance(node, tuple):
        return tuple(_bare(part) for part in node)
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        return (type(node).__name__, *(_bare(getattr(node, field.name)) for field in dataclasses.fields(node)))
    return node


def used_otherwise(edition: Edition, other: Edition, ids: Iterable[str]) -> frozenset[str]:
    """The clauses, by id, that say what the words mean by which alone some clauses of an edition are unlike those of
    another: what the clauses themselves say, the other says too."""
    said = {clause.normal for clause in other.clauses}
    alike = [clause for clause in clauses_of(edition, ids) if clause.normal in said]
    own, others = edition.definitions, other.definitions
    used = definitions_of(tuple(alike), own)
    return frozenset(own[n].clause for n in used if n not in others or _bare(own[n]) != _bare(others[n]))


def clauses_of(edition: Edition, ids: Iterable[str]) -> tuple[Clause, ...]:
    """The clauses with these ids, in the order of the edition."""
    wanted = frozenset(ids)
    return tuple(clause for clause in edition.clauses if clause.id in wanted)
