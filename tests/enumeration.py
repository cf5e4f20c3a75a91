"""Plain enumeration: what two editions say of the same acts, by the machine that walks trees and nothing else.

Nothing is turned, left out, forgotten or ruled on by a program, so that a search which does all that can be held
against it. Also what random editions need to be searched: what the outside asks of them, alterations, and laws that
name nobody.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from random_editions import RandomEdition
from random_trees import STATUS

from lawbook.edition.model import CALL_KINDS, Clause, Edition, Fate, FateKind, Interface
from lawbook.explore.offers import Offer
from lawbook.explore.product import Bounds, Progress, Search, search
from lawbook.explore.space import Space
from lawbook.explore.turning import alike_all_round
from lawbook.language import core
from lawbook.language.types import BID, DENOMINATION, SEAT, SIDE, Number, Optional, SetOf
from lawbook.loading import calls_of
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event, Verdict
from lawbook.machine.state import Conflict, State

Said = tuple[object, ...]
Look = tuple[object, ...]


class Plain:
    """One edition by its tree-walking machine: what it says of an act in words, and how the table looks afterwards."""

    def __init__(self, edition: Edition, declarer: bool = False) -> None:
        self.edition = edition
        self.machine = Machine(edition, Evaluator)
        self._declarer = declarer

    def turn(self, state: State) -> int:
        """The seat in turn; North if nobody is."""
        return self.machine.evaluator.value(self.edition.interface.turn, state.values, {}) or 0

    def act(self, state: State, event: Event | None) -> tuple[Said, State, bool]:
        """What is said of an act, the state it leaves, and whether the auction can go on from there."""
        if event is None:
            return (Verdict.REFUSED, (), ()), state, True
        try:
            rulings = self.machine.act(state, event)
        except Conflict:
            return ("conflict",), state, False
        ruling, after = rulings[0], rulings[-1].state
        points = tuple(sorted((line.side, line.column, line.points) for each in rulings for line in each.scored))
        offences = tuple(sorted(self.edition.offences[offence].name for offence in ruling.offences))
        return (ruling.verdict, offences, points), after, True

    def look(self, state: State) -> Look:
        """How the table looks from outside."""
        interface, ask = self.edition.interface, self.machine.evaluator
        values = state.values
        contract = ask.value(interface.contract, values, {})
        options = frozenset(
            (option.seat, option.choice.act, self.edition.offences[option.offence].name, option.offender)
            for option in self.machine.options(state)
        )
        return (
            self.turn(state),
            self.edition.universe.enumerations["status"][ask.value(interface.status, values, {}) or 0],
            None if contract is None else calls_of(self.edition)[contract],
            ask.value(interface.doubling, values, {}) or 0,
            ask.value(interface.declarer, values, {}) if self._declarer and contract is not None else None,
            frozenset(seat for seat in range(4) if ask.truth(interface.debarred, values, {"that": seat})),
            options,
        )


@dataclass(frozen=True, slots=True)
class Met:
    """A pair of states that enumeration met: how many acts deep first, the states, the offers (by their places) that
    the two editions part on there, and the irregular acts on the way."""

    depth: int
    a: State
    b: State
    parts_on: frozenset[int]
    irregular: int


def enumerated(
    a: Plain,
    b: Plain,
    offers: Sequence[Offer],
    depth: int,
    dealers: Sequence[int],
    turned: bool,
    most: int | None = None,
) -> Iterator[Met]:
    """Every auction of fewer acts than that on which both editions agree, shortest first, and where they part next;
    with `most`, of so many irregular acts. Auctions that leave the very same states go on alike, so one is enough.
    """
    layer: dict[tuple[State, State, int], None] = {
        (a.machine.start(dealer), b.machine.start(dealer), 0): None for dealer in dealers
    }
    seen: set[tuple[State, State, int]] = set(layer)
    looks: list[dict[State, Look]] = [{}, {}]

    def look(plain: Plain, state: State, known: dict[State, Look]) -> Look:
        if state not in known:
            known[state] = plain.look(state)
        return known[state]

    for at in range(depth):
        following: dict[tuple[State, State, int], None] = {}
        for first, second, irregular in layer:
            turn = a.turn(first) if turned else 0
            parts_on: set[int] = set()
            for place, offer in enumerate(offers):
                said_a, after_a, goes_on = a.act(first, event_of(offer, a.edition, turn))
                said_b, after_b, goes_on_too = b.act(second, event_of(offer, b.edition, turn))
                if said_a != said_b or look(a, after_a, looks[0]) != look(b, after_b, looks[1]):
                    parts_on.add(place)
                elif goes_on and goes_on_too:
                    count = irregular + (Verdict.IRREGULAR in (said_a[0], said_b[0]))
                    after = (after_a, after_b, 0 if most is None else count)
                    if after not in seen and (most is None or count <= most):
                        seen.add(after)
                        following[after] = None
            yield Met(at, first, second, frozenset(parts_on), irregular)
        layer = following


def event_of(offer: Offer, edition: Edition, turn: int) -> Event | None:
    """An offer as an edition's machine takes it when that seat is in turn."""
    event = offer.event(edition)
    return event if event is None or event.seat is None else event._replace(seat=(event.seat + turn) % 4)


def as_deep(depth: int) -> Callable[[Progress], None]:
    """Ends a search, as an interrupt does, once every auction of fewer acts has been gone on from."""

    def look(progress: Progress) -> None:
        if progress.depth > depth:
            raise KeyboardInterrupt

    return look


def searched(a: Edition, b: Edition, offers: Sequence[Offer], depth: int, declarer: bool, most: int | None) -> Search:
    turned = alike_all_round(a) and alike_all_round(b)
    spaces = Space(a, offers, declarer, turned=turned), Space(b, offers, declarer, turned=turned)
    return search(*spaces, Bounds(most), progress=as_deep(depth))


# -- random editions ---------------------------------------------------------------------------------------------------


def random_edition(chance: random.Random, clauses: int, named: bool) -> Edition:
    """A random edition of so many clauses that can be searched; unless `named`, no law of it names a seat or a side."""
    edition = RandomEdition(chance.randrange(1 << 30)).make()
    kept = chance.sample(edition.clauses[:-1], min(clauses, len(edition.clauses) - 1))
    kept = [c for c in edition.clauses if c in kept or c.id == "turns"]
    edition = _with(replace(edition, interface=_interface(edition)), kept)
    return edition if named else nameless(edition)


def _interface(edition: Edition) -> Interface:
    """What is asked of a random edition, in its own registers."""
    last_bidder = core.Read("last bidder", (), Optional(SEAT))
    return replace(
        edition.interface,
        status=core.Read("status", (), STATUS),
        contract=core.Read("last bid", (), Optional(BID)),
        doubling=core.Read("passes", (), Number(0, 3)),
        declarer=core.Read(
            "namer",
            (
                core.Operate("side", (core.Read("turn", (), SEAT),), SIDE),
                core.Operate("denomination", (core.Read("last bid", (), Optional(BID)),), DENOMINATION),
            ),
            Optional(SEAT),
        ),
        dummy=last_bidder,
        debarred=core.Among(core.Variable("that", SEAT), core.Read("barred", (), SetOf(SEAT))),
    )


def nameless(edition: Edition) -> Edition:
    """An edition with every seat and side that its laws name by where it sits put by another one, who is told by whose
    turn it is."""
    clauses = [_mapped(clause, _nameless) for clause in edition.clauses]
    definitions = {name: _mapped(definition, _nameless) for name, definition in edition.definitions.items()}
    registers = {name: _mapped(register, _nameless) for name, register in edition.registers.items()}
    held_while = _mapped(edition.held_while, _nameless)
    return _with(replace(edition, definitions=definitions, registers=registers, held_while=held_while), clauses)


def _nameless(node: Any) -> Any:
    turn = core.Read("turn", (), SEAT)
    match node:
        case core.Constant(value, of) if value is not None and of == SEAT:
            return turn
        case core.Constant(value, of) if value is not None and of == SIDE:
            return core.Operate("side", (turn,), SIDE)
        case core.Constant(value, SetOf(of)) if value and of in (SEAT, SIDE):
            return core.Operate("everybody", (), SetOf(SEAT)) if of == SEAT else core.Constant(0, SetOf(SIDE))
        case core.First(_, of, _, otherwise) if of in (SEAT, SIDE):
            return otherwise
        case _:
            return node


def _mapped(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with every part of it changed, what is within first."""
    if isinstance(node, tuple):
        return tuple(_mapped(part, change) for part in node)
    if not dataclasses.is_dataclass(node) or isinstance(node, type):
        return node
    fields = [field for field in dataclasses.fields(node) if field.name not in ("law", "span", "at")]
    parts = {field.name: _mapped(getattr(node, field.name), change) for field in fields if field.init}
    if any(part is not getattr(node, name) for name, part in parts.items() if part != getattr(node, name)):
        node = replace(node, **parts)
    return change(node)


def _with(edition: Edition, clauses: Sequence[Clause]) -> Edition:
    return replace(edition, clauses=tuple(clauses), by_id={clause.id: clause for clause in clauses})


def altered(edition: Edition, chance: random.Random) -> Edition:
    """The edition with one clause of it left out or altered."""
    alterations = [_alteration(clause, chance) for clause in edition.clauses if clause.id != "turns"]
    at = chance.randrange(len(alterations))
    clauses = [clause for clause in edition.clauses if clause.id != "turns"]
    changed = alterations[at]
    middle = [] if changed is None else [changed]
    turns = [clause for clause in edition.clauses if clause.id == "turns"]
    return _with(edition, [*clauses[:at], *middle, *clauses[at + 1 :], *turns])


_ALTERED_BY_LEAVING_OUT: Final = 0.3


def _alteration(clause: Clause, chance: random.Random) -> Clause | None:
    """A clause otherwise, or none in its place."""
    ways: list[Clause] = [replace(clause, condition=core.Not(clause.condition))]
    if clause.unless is not None:
        ways.append(replace(clause, unless=None))
    if clause.effects:
        ways.append(replace(clause, effects=clause.effects[1:]))
    if clause.fate is not None:
        kind = chance.choice([kind for kind in FateKind if kind is not FateKind.STANDS_AS])
        ways.append(replace(clause, fate=Fate(kind)))
    if clause.offence is not None and clause.trigger is not None and clause.trigger.acts <= {*CALL_KINDS}:
        ways.append(replace(clause, offence=chance.choice((2, 3))))
    if clause.remedy is not None:
        holder = core.Operate("everybody", (), SetOf(SEAT))
        ways.append(replace(clause, remedy=replace(clause.remedy, holder=holder)))
        ways.append(replace(clause, trigger=None))
        ways.append(replace(clause, remedy=replace(clause.remedy, choices=clause.remedy.choices[1:])))
    if chance.random() < _ALTERED_BY_LEAVING_OUT:
        return None
    return chance.choice(ways)
