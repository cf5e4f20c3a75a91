"""Truth tables: what a condition can come to, over every value of whatever it reads.

Registers take any value of their domains, whether or not an auction leads there; so what holds of the whole table
holds of every auction, and what is in it nowhere is nowhere at all. The table is never written out: a value is parted
into cases only when it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar, cast

from lawbook.edition.machines import parts_of, primitives_of, registers_of
from lawbook.edition.model import CALL_KINDS, EVERY_CALL, Clause, Edition, Kind, Register
from lawbook.language import core
from lawbook.language.types import BID, CALL, SEAT, Optional, SetOf, Type, Universe
from lawbook.machine.evaluate import Bound, Evaluator, Values

T = TypeVar("T")

MOST_CASES: Final = 20_000
"""More cases than this are not looked at."""

FEW_CASES: Final = 2_000
"""Enough for what shows soon, if at all."""

# Bound besides what the act binds, while rights are ended or a replaced call stands, by the primitives that ask for it
# without its being declared.
_MARKS: Final = {"is new": "new", "is replacement": "replacement"}


class TooMany(Exception):
    """There are more cases than are looked at."""


class Unguarded(Exception):
    """A value was asked for where there is none: a condition that the checker would refuse."""


@dataclass(frozen=True, slots=True)
class Related:
    """What some places of a state's values can hold at once: `told` says of what kind the value of each is, `together`
    are the kinds that there are at once."""

    slots: tuple[int, ...]
    told: tuple[Callable[[int | None], int], ...]
    together: frozenset[tuple[int, ...]]

    def allows(self, values: Mapping[int, int | None]) -> bool:
        """Whether these values can be there at once; one that is not known may be anything."""
        known = {place: told(values[s]) for place, (s, told) in enumerate(self._places) if s in values}
        return any(all(kinds[place] == kind for place, kind in known.items()) for kinds in self.together)

    def kinds(self, slot: int, values: Mapping[int, int | None]) -> set[int]:
        """The kinds of value that one of the places can hold beside what is known of the others."""
        here = self.slots.index(slot)
        known = {p: told(values[s]) for p, (s, told) in enumerate(self._places) if s in values and s != slot}
        return {kinds[here] for kinds in self.together if all(kinds[place] == kind for place, kind in known.items())}

    @property
    def says_something(self) -> bool:
        """Whether not every kind of value goes with every other."""
        places = range(len(self.told))
        return len(self.together) < math.prod(len({kinds[place] for kinds in self.together}) for place in places)

    @property
    def _places(self) -> Iterator[tuple[int, Callable[[int | None], int]]]:
        return zip(self.slots, self.told, strict=True)


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one clause: what its conditions can read, and with what."""

    evaluator: Evaluator
    universe: Universe
    registers: Mapping[str, Register]
    variables: Mapping[str, Type]
    acts: frozenset[str]
    marks: tuple[str, ...]
    # The values that registers can have, of those of which it is known.
    possible: Mapping[str, frozenset[int | None]] = field(default_factory=dict)
    # What is known of values that are there at once.
    related: tuple[Related, ...] = ()

    @classmethod
    def of(cls, clause: Clause, edition: Edition, *also: object, acts: frozenset[str] | None = None) -> Tables:
        """Those of a clause under an edition. `also` are other trees that will be asked, such as an altered one; `acts`
        those by which a call comes to be made, where it is not the clause's own trigger that says."""
        scored = is_of_sheet(clause, edition)
        registers = {**edition.facts, **edition.sheet} if scored else edition.registers
        evaluator = Evaluator(edition.universe, registers, edition.definitions)
        body = [d.body for d in edition.definitions.values() if d.clause == clause.id]
        variables: dict[str, Type] = {}
        for node in (clause, *body, *also):
            variables.update((part.name, part.type) for part in parts_of(node) if isinstance(part, core.Variable))
        for definition in edition.definitions.values():
            if definition.clause == clause.id:
                variables.update(definition.parameters)
        if acts is None:
            acts = frozenset() if clause.trigger is None else clause.trigger.acts
        used = primitives_of((clause, *body, *also), edition.definitions)
        marks = tuple(mark for primitive, mark in _MARKS.items() if primitive in used)
        return cls(evaluator, edition.universe, registers, variables, acts, marks)

    def cases(self, ask: Callable[[Values, Bound], T], most: int = MOST_CASES) -> Iterator[T]:
        """What is answered in every case. Raises TooMany, or Unguarded where what is asked cannot be answered."""
        values: dict[int, int | None] = {}
        bound: dict[str, int | None] = {}
        seen = 0
        # Each open place, with the values it still has to take.
        trail: list[tuple[int | str, Iterator[int | None]]] = []
        for mark in self.marks:
            trail.append((mark, iter((0, 1))))
            bound[mark] = next(trail[-1][1])
        while True:
            seen += 1
            if seen > most:
                raise TooMany
            try:
                answer = ask(cast(Values, values), bound)
            except KeyError as wanted:
                (place,) = wanted.args
                if place in values or place in bound:
                    raise
                members = iter(self._members(place, values, bound))
                trail.append((place, members))
            except (AssertionError, TypeError) as missing:
                raise Unguarded from missing
            else:
                yield answer
            while trail:
                place, members = trail[-1]
                try:
                    value = next(members)
                except StopIteration:
                    trail.pop()
                    if isinstance(place, int):
                        values.pop(place, None)
                    else:
                        bound.pop(place, None)
                    continue
                if isinstance(place, int):
                    values[place] = value
                else:
                    bound[place] = value
                break
            else:
                return

    def always(self, ask: Callable[[Values, Bound], bool], most: int = MOST_CASES) -> bool:
        """Whether the answer is yes in every case. Raises TooMany, Unguarded."""
        return all(self.cases(ask, most))

    # -- domains -------------------------------------------------------------------------------------------

    def _members(
        self, place: int | str, values: Mapping[int, int | None], bound: Mapping[str, int | None]
    ) -> Iterable[int | None]:
        if isinstance(place, str):
            return self._bound_members(place, bound)
        register = next(r for r in self.registers.values() if not r.per_right and 0 <= place - r.slot < r.size)
        # The checker made sure that these are there or missing together.
        others = (self.registers[name] for name in register.together)
        slots = [other.slot + place - register.slot for other in others if other.size == register.size]
        known = {values[slot] is not None for slot in slots if slot in values}
        domain = self.possible.get(register.name) or self._domain(register.type)
        related = [
            (two.told[two.slots.index(place)], two.kinds(place, values)) for two in self.related if place in two.slots
        ]
        return (
            value
            for value in domain
            if not known - {value is not None} and all(told(value) in kinds for told, kinds in related)
        )

    def _bound_members(self, name: str, bound: Mapping[str, int | None]) -> Iterable[int | None]:
        if name.startswith("right:"):
            return self._domain(self.registers[name.removeprefix("right:")].type)
        of = self.variables.get(name, SEAT)
        found = self._domain(of)
        if of in (CALL, BID) and name in ("call", "bid"):
            other = bound.get({"call": "bid", "bid": "call"}[name])
            return [n for n in found if n is not None and self._is_made(n) and other in (None, n)]
        return found

    def _is_made(self, number: int) -> bool:
        """Whether a call is of a kind that the clause is read for, where it is read for calls only."""
        if not self.acts or not self.acts <= EVERY_CALL:
            return True
        return CALL_KINDS[min(number, self.universe.first_bid)] in self.acts

    def _domain(self, of: Type) -> Iterable[int | None]:
        match of:
            case Optional(inner):
                return [None, *self.universe.members(inner)]
            case SetOf(inner):
                # More sets than can be counted, perhaps; they are made one by one.
                return range(1 << len(self.universe.members(inner)))
            case _:
                return self.universe.members(of)


def is_of_sheet(clause: Clause, edition: Edition) -> bool:
    """Whether a clause is of the score sheet: it scores, or reads what only the sheet knows."""
    if clause.scores is not None:
        return True
    if clause.kind is Kind.EXCEPTION:
        return any(t in edition.by_id and edition.by_id[t].scores is not None for t in clause.targets)
    if clause.kind is not Kind.DEFINITION:
        return False
    bodies = tuple(d.body for d in edition.definitions.values() if d.clause == clause.id)
    read = registers_of(bodies, edition.definitions)
    return bool(read) and not read <= set(edition.registers)
