"""Causes: the clauses, not alike in two editions, that made them part.

The differing acts of a search are grouped by the clauses that took part in the ruling of one edition and that the other
does not have in the same meaning. Where none took part in the act itself, the cause is in what such clauses did
before, unseen, on the way there.
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lawbook.edition.machines import mentions_of, registers_of
from lawbook.edition.model import EVERY_CALL, Assign, Clause, Edition, Kind, Move
from lawbook.explore.bearing import effects_of
from lawbook.explore.product import Divergence, Search
from lawbook.explore.space import Choosable, Space, View
from lawbook.language import core
from lawbook.machine.ruling import Event, Ruling, Verdict


@dataclass(frozen=True, slots=True)
class Cause:
    """Clauses of each edition, by id, that the other edition does not have in the same meaning."""

    a: frozenset[str]
    b: frozenset[str]

    def __or__(self, other: Cause) -> Cause:
        return Cause(self.a | other.a, self.b | other.b)

    def __le__(self, other: Cause) -> bool:
        return self.a <= other.a and self.b <= other.b

    @property
    def size(self) -> int:
        """How many clauses it is."""
        return len(self.a) + len(self.b)


NO_CAUSE = Cause(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Group:
    """The differing acts of one cause, those with the shortest way there first.

    `earlier`: the clauses did nothing in the act itself, they had done before.
    """

    cause: Cause
    earlier: bool
    divergences: tuple[Divergence, ...]


def grouped(search: Search) -> tuple[Group, ...]:
    """The differing acts by cause, the one met first in the search first. A group whose cause is that of smaller ones
    together is left out: each of its acts differs for reasons already shown."""
    unlike = Unlike(search.a, search.b)
    found: dict[tuple[Cause, bool], list[Divergence]] = defaultdict(list)
    for divergence in search.divergences:
        cause, earlier = unlike.at(divergence, search), False
        if cause == NO_CAUSE:
            cause, earlier = unlike.before(divergence, search), True
        found[cause, earlier].append(divergence)
    groups = [Group(cause, earlier, tuple(acts)) for (cause, earlier), acts in found.items()]
    return tuple(group for group in groups if not _is_union(group, groups))


def _is_union(group: Group, groups: list[Group]) -> bool:
    """Whether a group's cause is made up of those of smaller groups of its kind."""
    smaller = [
        g.cause for g in groups if g.earlier == group.earlier and g.cause <= group.cause and g.cause != group.cause
    ]
    made = NO_CAUSE
    for cause in smaller:
        made |= cause
    return made == group.cause != NO_CAUSE


class Unlike:
    """Which clauses of two editions are not alike, and which of them take part in an act."""

    def __init__(self, a: Space, b: Space) -> None:
        self._a, self._b = a, b
        in_a, in_b = _meanings(a.edition), _meanings(b.edition)
        self.only_a = frozenset(name for name, meaning in in_a.items() if meaning not in set(in_b.values()))
        self.only_b = frozenset(name for name, meaning in in_b.items() if meaning not in set(in_a.values()))

    def at(self, divergence: Divergence, search: Search) -> Cause:
        """The unlike clauses that bear on what differs: in the ruling on the act, or in how the table looks then."""
        first, second = search.pairs[divergence.node]
        reply_a = self._a.reply(first, divergence.offer)
        reply_b = self._b.reply(second, divergence.offer)
        in_a, in_b = self._a.rulings(first, divergence.offer), self._b.rulings(second, divergence.offer)
        if (reply_a.verdict, reply_a.offences, reply_a.conflict) != (
            reply_b.verdict,
            reply_b.offences,
            reply_b.conflict,
        ):
            act = search.a.offers[divergence.offer].name
            refused = Verdict.REFUSED in (reply_a.verdict, reply_b.verdict)
            return self._cause(
                (*_judging(in_a), *(_entitling(self._a, act) if refused else ())),
                (*_judging(in_b), *(_entitling(self._b, act) if refused else ())),
            )
        view_a, view_b = self._a.view(divergence.after_a), self._b.view(divergence.after_b)
        cause = NO_CAUSE
        if reply_a.points != reply_b.points:
            cause |= self._cause(_scoring(in_a), _scoring(in_b))
        only_a, only_b = view_a.choosable - view_b.choosable, view_b.choosable - view_a.choosable
        # A right that one edition has ended is missed because of what ended it, not of what gave it in the other.
        if only_a:
            ended = self._cause((), _ending(self._b, divergence.after_b, in_b, only_a))
            cause |= ended if ended != NO_CAUSE else self._cause(_choices(self._a, divergence.after_a, only_a), ())
        if only_b:
            ended = self._cause(_ending(self._a, divergence.after_a, in_a, only_b), ())
            cause |= ended if ended != NO_CAUSE else self._cause((), _choices(self._b, divergence.after_b, only_b))
        asked = _differing(view_a, view_b, reply_a.moved != reply_b.moved)
        if asked:
            cause |= self._cause(_writing(self._a, in_a, asked), _writing(self._b, in_b, asked))
        return cause

    def before(self, divergence: Divergence, search: Search) -> Cause:
        """The unlike clauses that wrote, on the way to a differing act, what is not alike there, and those that read it
        in the act."""
        first, second = search.pairs[divergence.node]
        unseen = _unseen(self._a, self._b, first, second)
        nodes = search.nodes_to(divergence.node)
        cause = NO_CAUSE
        for node, following in itertools.pairwise(nodes):
            in_a, in_b = search.pairs[node]
            offer = search.offers[following]
            cause |= self._cause(_writers(self._a, in_a, offer, unseen), _writers(self._b, in_b, offer, unseen))
        return cause | self._cause(
            _readers(self._a, first, divergence.offer, unseen), _readers(self._b, second, divergence.offer, unseen)
        )

    def _cause(self, in_a: Iterable[str], in_b: Iterable[str]) -> Cause:
        return Cause(self.only_a.intersection(in_a), self.only_b.intersection(in_b))


def _judging(rulings: Sequence[Ruling]) -> Iterator[str]:
    """The clauses that a verdict rests on, by id."""
    for ruling in rulings[:1]:
        yield from (clause.id for clause in (*ruling.because, *ruling.lacking))
        for defeated in ruling.defeated:
            yield from (defeated.clause.id, defeated.by)


def _entitling(space: Space, act: str) -> Iterator[str]:
    """The clauses that entitle to an act other than a call."""
    for clause in space.edition.clauses:
        if clause.kind is Kind.ENTITLEMENT and clause.trigger is not None and act in clause.trigger.acts - EVERY_CALL:
            yield clause.id


def _scoring(rulings: Sequence[Ruling]) -> Iterator[str]:
    for ruling in rulings:
        yield from (scored.clause.id for scored in ruling.scored)


def _ending(space: Space, state: int, rulings: Sequence[Ruling], kept: frozenset[Choosable]) -> Iterator[str]:
    """The clauses that ended, made a note on, or keep from a player the rights to what may still be chosen in the other
    edition."""
    if not kept:
        return
    offences = {choosable.offence for choosable in kept}
    for choosable in sorted(kept, key=lambda choice: (choice.holder, choice.act)):
        event = Event(choosable.holder, choosable.act)
        yield from (defeated.by for defeated in space.machine.rights.defeated(space.states[state], event))
    registers = space.edition.registers
    for ruling in rulings:
        yield from (by for _, right, by in ruling.lapsed if space.edition.offences[right.offence].name in offences)
        yield from (defeated.by for defeated in ruling.defeated)
        for clause in ruling.fired:
            if any(isinstance(e, Assign) and registers[e.register].per_right for e in clause.effects):
                yield clause.id


def _writing(space: Space, rulings: Sequence[Ruling], asked: Sequence[str]) -> Iterator[str]:
    """The clauses that write what these terms of the interface depend on, or say what becomes of a call."""
    edition = space.edition
    terms = tuple(getattr(edition.interface, term) for term in asked)
    registers = registers_of(terms, edition.definitions)
    for ruling in rulings:
        chosen = () if ruling.chosen is None else (ruling.chosen.clause, ruling.chosen.remedy)
        for clause in (*ruling.because, *ruling.fired, *chosen):
            writes = any(not isinstance(e, Assign | Move) or e.register in registers for e in effects_of(clause))
            if clause.fate is not None or writes:
                yield clause.id
        yield from (defeated.by for defeated in ruling.defeated)


def _unseen(a: Space, b: Space, first: int, second: int) -> frozenset[str]:
    """The registers that two states which look alike do not have alike."""
    in_a, in_b = a.registers(first), b.registers(second)
    start_a, start_b = a.registers(a.start()), b.registers(b.start())
    return frozenset(
        name for name in {*in_a, *in_b} if in_a.get(name, start_b.get(name)) != in_b.get(name, start_a.get(name))
    )


def _writers(space: Space, state: int, offer: int, registers: frozenset[str]) -> Iterator[str]:
    for clause in _taking_part(space.rulings(state, offer)):
        if any(isinstance(effect, Assign | Move) and effect.register in registers for effect in effects_of(clause)):
            yield clause.id


def _readers(space: Space, state: int, offer: int, registers: frozenset[str]) -> Iterator[str]:
    definitions = space.edition.definitions
    for clause in _taking_part(space.rulings(state, offer)):
        if registers & registers_of((clause.condition, clause.unless, clause.actor, clause.fate), definitions):
            yield clause.id


def taking_part(
    search: Search, in_a: Sequence[Clause], in_b: Sequence[Clause], seconds: float
) -> tuple[frozenset[str], frozenset[str]]:
    """Which of these clauses of each edition take part in any ruling of a search, as far as the time allows to look."""
    deadline = time.monotonic() + seconds
    found: list[frozenset[str]] = []
    for space, clauses, which in ((search.a, in_a, 0), (search.b, in_b, 1)):
        wanted = {clause.id for clause in clauses}
        met: set[str] = set()
        states = dict.fromkeys(search.pairs[node][which] for node in search.gone_on_from)
        for state in states:
            left = [clause for clause in clauses if clause.id not in met]
            if not left or time.monotonic() > deadline:
                break
            names = {act for clause in left if clause.trigger is not None for act in clause.trigger.acts}
            for place, offer in enumerate(space.offers):
                if offer.name in names:
                    met |= wanted.intersection(clause.id for clause in _taking_part(space.rulings(state, place)))
        found.append(frozenset(met))
    return found[0], found[1]


def _taking_part(rulings: Sequence[Ruling]) -> Iterator[Clause]:
    """The clauses that took part in a ruling in any way."""
    for ruling in rulings:
        yield from (*ruling.because, *ruling.fired, *ruling.lacking)
        yield from (defeated.clause for defeated in ruling.defeated)
        if ruling.chosen is not None:
            yield from (ruling.chosen.clause, ruling.chosen.remedy)


def _differing(a: View, b: View, moved: bool) -> tuple[str, ...]:
    """The terms of the interface that two views differ in."""
    return (
        *(
            term
            for term in ("status", "contract", "doubling", "declarer", "debarred")
            if getattr(a, term) != getattr(b, term)
        ),
        *(("turn",) if moved else ()),
    )


def _choices(space: Space, state: int, choosable: frozenset[Choosable]) -> Iterator[str]:
    """The clauses by which these remedies may be chosen in a state."""
    if choosable:
        names = [offence.name for offence in space.edition.offences]
        for option in space.machine.options(space.states[state]):
            if Choosable(option.seat, option.choice.act, names[option.offence], option.offender) in choosable:
                yield from (option.clause.id, option.remedy.id)


# -- meaning -----------------------------------------------------------------------------------------------------------


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


def clauses_of(edition: Edition, ids: frozenset[str]) -> tuple[Clause, ...]:
    """The clauses with these ids, in the order of the edition."""
    return tuple(clause for clause in edition.clauses if clause.id in ids)
