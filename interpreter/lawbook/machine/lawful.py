"""Lawful play: the auctions in which every call is in order, as a graph whose places are remembered.

Whether a call is in order depends on few registers (who first named a denomination, for instance, is not among them).
Places that agree in those are one place, so that their lawful calls, and where each leads, are reckoned only once.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from lawbook.edition.machines import registers_of, variables_of
from lawbook.edition.model import (
    EVERY_CALL,
    EVERY_PROHIBITION,
    Assign,
    Clause,
    Edition,
    Kind,
    Move,
    Step,
    TakeBackEarlier,
)
from lawbook.language import core
from lawbook.machine.dependence import reading
from lawbook.machine.evaluate import Evaluator, Values
from lawbook.machine.legality import Legality
from lawbook.machine.machine import Machine
from lawbook.machine.moving import Moving
from lawbook.machine.ruling import Event
from lawbook.machine.state import State, start_of, start_values


class Place:
    """Where an auction of lawful calls can stand: the registers that legality depends on.

    `turn` is the seat to call, `is_open` whether calls are still to be made.
    """

    __slots__ = ("_graph", "_legal", "_next", "is_open", "turn", "values")

    def __init__(self, graph: Lawful, values: Values, turn: int, is_open: bool) -> None:
        self._graph = graph
        self._legal: tuple[int, ...] | None = None
        self._next: dict[int, Place] = {}
        self.values = values
        self.turn = turn
        self.is_open = is_open

    @property
    def legal(self) -> tuple[int, ...]:
        """The calls, by number, that are in order for the seat in turn; none once the auction is over."""
        if self._legal is None:
            self._legal = self._graph.legal_at(self)
        return self._legal

    def after(self, call: int) -> Place:
        """The place after a call that is in order here, and after what happens of itself then."""
        found = self._next.get(call)
        if found is None:
            found = self._next[call] = self._graph.after(self, call)
        return found


class Lawful:
    """The graph of lawful play under one edition, built as it is walked; with `bids` only these are ever bid."""

    def __init__(self, machine: Machine, bids: Iterable[int] | None = None) -> None:
        self._machine = machine
        edition = machine.edition
        kept = cone_of_legality(edition)
        self._read = reading(edition, kept)
        # In every place the other registers are at their start.
        self._others = {
            slot: start_of(register, 0)
            for register in edition.registers.values()
            if register.name not in kept and not register.per_right
            for slot in range(register.slot, register.slot + register.size)
        }
        self._places: dict[object, Place] = {}
        universe = edition.universe
        highest = universe.bid(universe.levels, len(universe.denominations) - 1)
        other = range(universe.first_bid)
        calls = tuple(range(highest + 1)) if bids is None else (*other, *sorted(set(bids)))
        self._legality = Legality(machine, calls)
        idle = frozenset(c.id for c in edition.clauses if never_in_turn(c, edition))
        self._moving = Moving(machine, kept, idle)
        # Where calls lead, by their kind, the caller and what else decides it.
        self._onward: dict[tuple[str, int, object], dict[int, Place]] = {}
        self._open = universe.enumerations["status"].index("open")
        # Whether open rights leave lawful play alone: no clause read for each of them judges or moves it.
        self.ignores_rights = not any(clause.each_right and self._has_a_say(clause, kept) for clause in edition.clauses)
        # Whether calls that are held do: none that the player in turn could take back bears on what is lawful.
        self.ignores_held = not any(
            any(isinstance(e, TakeBackEarlier) and e.own for e in clause.effects)
            for clause in edition.clauses
            if not never_in_turn(clause, edition)
        )

    def _has_a_say(self, clause: Clause, kept: frozenset[str]) -> bool:
        if not _is_read_for_calls(clause):
            return False
        if clause.kind is Kind.PROHIBITION or any(isinstance(e, TakeBackEarlier) for e in clause.effects):
            return True
        return any(isinstance(e, Assign | Move) and e.register in kept for e in clause.effects)

    def start(self, dealer: int) -> Place:
        """The place before the first call."""
        return self.place_of(self._machine.start(dealer).values)

    def place_of(self, values: Values) -> Place:
        """The place that a state's values are at."""
        found = self._places.get(self._read(values))
        return self._place(tuple(self._others.get(s, v) for s, v in enumerate(values))) if found is None else found

    def _place(self, projected: Values) -> Place:
        """The place with these values, in which every other register is at its start."""
        key = self._read(projected)
        found = self._places.get(key)
        if found is None:
            interface, evaluator = self._machine.edition.interface, self._machine.evaluator
            turn = evaluator.value(interface.turn, projected, {})
            status = evaluator.value(interface.status, projected, {})
            found = self._places[key] = Place(self, projected, turn or 0, status == self._open)
        return found

    def legal_at(self, place: Place) -> tuple[int, ...]:
        """The calls in order at a place, lowest first."""
        return self._legality.at(place.values, place.turn) if place.is_open else ()

    def offences_at(self, place: Place, call: int) -> tuple[int, ...] | None:
        """The offences, by number, that a call by the seat in turn would be; None where it would be refused, or what
        comes before it changes the table on which it is judged."""
        return self._legality.offences(place.values, place.turn, call)

    def after(self, place: Place, call: int) -> Place:
        """The place after a call in order, reckoned anew."""
        if call not in place.legal:
            raise ValueError(f"call {call} is not in order here")
        kind = self._machine.reader.kind_of(call)
        if not self._legality.doubtful(place.values, place.turn) >> call & 1:
            onward = self._onward_from(place, kind)
            found = onward.get(call)
            if found is not None:
                return found
            moved = self._moving.after(place.values, place.turn, call)
            if moved is not None:
                values, is_shared = moved
                found = self._place(values)
                if is_shared:
                    onward[call] = found
                return found
        event = Event(place.turn, kind, call)
        return self.place_of(self._machine.act(State(place.values), event)[-1].state.values)

    def _onward_from(self, place: Place, kind: str) -> dict[int, Place]:
        """Where calls of a kind lead from a place, as far as it was found there or at a place like it; some may not be
        in order here."""
        key = (kind, place.turn, self._moving.lasting[kind](place.values))
        found = self._onward.get(key)
        if found is None:
            found = self._onward[key] = {}
        return found

    def like(self, place: Place, call: int) -> Iterator[tuple[int, Place]]:
        """The calls in order at a place that are of the same kind as one of them and of which it is known where they
        lead, each with where."""
        onward = self._onward_from(place, self._machine.reader.kind_of(call))
        if len(onward) <= 1:
            return
        doubtful = self._legality.doubtful(place.values, place.turn)
        for other in place.legal:
            if other in onward and not doubtful >> other & 1:
                yield other, onward[other]

    def forget(self) -> None:
        """Begin anew, so that memory stays bounded. Places that are in use elsewhere go on working."""
        self._places.clear()
        self._onward.clear()
        self._legality.forget()
        self._moving.forget()


def cone_of_legality(edition: Edition) -> frozenset[str]:
    """The registers that lawful play depends on: those legality and the interface's turn and status read, and whatever
    decides what is written to these."""
    definitions = edition.definitions
    exceptions = [c for c in edition.clauses if c.kind is Kind.EXCEPTION]
    asked: list[object] = [edition.interface.status, edition.interface.turn]
    idle = {c.id for c in edition.clauses if never_in_turn(c, edition)}
    for clause in edition.clauses:
        if clause.id in idle:
            continue
        judges = clause.kind in (Kind.REFUSAL, Kind.PROHIBITION) and _is_read_for_calls(clause)
        if clause.kind is Kind.OF_ITSELF or judges:
            asked += [clause.condition, clause.unless, clause.actor, clause.trigger]
    ids = {c.id for c in edition.clauses if _is_read_for_calls(c)} | {EVERY_PROHIBITION}
    asked += [part for e in exceptions if ids & set(e.targets) for part in (e.condition, e.unless)]
    cone = set(registers_of(tuple(asked), definitions))
    writers = [c for c in edition.clauses if _writes_in_lawful_play(c) and c.id not in idle]
    while True:
        wider = set(cone)
        for clause in writers:
            for effect in clause.effects:
                if isinstance(effect, Assign | Move) and effect.register in cone:
                    parts = (clause.condition, clause.unless, clause.trigger, clause.actor, effect)
                    wider |= registers_of(parts, definitions)
        for register in edition.registers.values():
            if register.name in cone:
                wider |= set(register.together) | registers_of((register.kept_while,), definitions)
        if wider == cone:
            return frozenset(cone)
        cone = wider


@functools.lru_cache(maxsize=8192)
def never_in_turn(clause: Clause, edition: Edition) -> bool:
    """Whether a clause that is read when somebody calls says in so many words that it is not of the player in turn: one
    of the conditions it needs depends on nothing but the turn and the caller, and is never met where they are one."""
    turn = edition.interface.turn
    if clause.trigger is None or clause.trigger.step is Step.STANDS or not isinstance(turn, core.Read):
        return False
    register = edition.registers[turn.register]
    evaluator = Evaluator(edition.universe, edition.registers, edition.definitions)
    start = start_values(edition, 0)
    for condition in _needed(clause.condition):
        if registers_of(condition, edition.definitions) <= {register.name} and variables_of(condition) <= {"caller"}:
            seats = edition.universe.members(register.type)
            tables = ((*start[: register.slot], seat, *start[register.slot + 1 :]) for seat in seats)
            if not any(evaluator.truth(condition, t, {"caller": t[register.slot]}) for t in tables):
                return True
    return False


def _needed(condition: core.Truth) -> Iterator[core.Truth]:
    """The conditions all of which must hold for a condition to."""
    match condition:
        case core.All(parts):
            for part in parts:
                yield from _needed(part)
        case _:
            yield condition


def _writes_in_lawful_play(clause: Clause) -> bool:
    """Whether a clause can write anything while every call is in order: rights, remedies and bare words cannot."""
    if clause.kind is Kind.OF_ITSELF:
        return True
    if clause.each_right or clause.offence is not None or not _is_read_for_calls(clause):
        return False
    return clause.trigger is not None and clause.trigger.step is not Step.TAKEN_BACK


def _is_read_for_calls(clause: Clause) -> bool:
    return clause.trigger is not None and bool(clause.trigger.acts & EVERY_CALL)


def count(start: Place) -> tuple[int, int]:
    """How many auctions of lawful calls lead from a place to an end, and how many calls the longest has.

    Raises ValueError if a place can be reached from itself: there is then no number of them.
    """
    known: dict[Place, tuple[int, int]] = {}
    on_the_way: set[Place] = set()
    pending: list[Place] = [start]
    while pending:
        place = pending[-1]
        if place in known:
            pending.pop()
            continue
        following = [place.after(call) for call in place.legal]
        missing = [p for p in following if p not in known]
        if missing:
            on_the_way.add(place)
            if any(p in on_the_way for p in missing):
                raise ValueError("lawful calls can go round in a circle, so there is no number of auctions")
            pending.extend(missing)
            continue
        on_the_way.discard(place)
        pending.pop()
        if not place.is_open:
            known[place] = (1, 0)
        else:
            # Where nobody can call lawfully and the auction is open, no auction ends.
            known[place] = _joined(known[p] for p in following)
    return known[start]


def _joined(parts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    told = list(parts)
    return sum(n for n, _ in told), 1 + max((longest for n, longest in told if n), default=-1)
