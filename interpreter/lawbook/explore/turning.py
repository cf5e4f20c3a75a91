"""Turned states: positions that differ only in where the table stands are one.

A state is turned so that the player in turn is North. Whoever dealt is then only where an auction began, and a search
needs a quarter of the states.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Final, TypeAlias

from lawbook.edition.machines import definitions_of, parts_of
from lawbook.edition.model import Edition, PutBack, Register
from lawbook.language import core
from lawbook.language.types import SEAT, SIDE, Optional, SetOf, Type
from lawbook.machine.evaluate import Evaluator, Values
from lawbook.machine.state import HeldCall, Right


class Turning:
    """Turns the states of one edition. `blank` names registers that are left out: they are put to their start."""

    def __init__(self, edition: Edition, evaluator: Evaluator, blank: frozenset[str] = frozenset()) -> None:
        self.left_out = blank
        self._evaluator = evaluator
        self._turn = edition.interface.turn
        registers = [r for r in edition.registers.values() if not r.per_right]
        self._marks = tuple(_turned_value(r.type) for r in edition.registers.values() if r.per_right)
        self._plans = [_plan(registers, edition, quarter, blank) for quarter in range(4)]
        # The table before a call holds nothing in what is never put back: no seat that could be turned.
        never = frozenset(r.name for r in registers if r.put_back is PutBack.NEVER)
        self._plans_before = [_plan(registers, edition, quarter, blank | never) for quarter in range(4)]
        self._known: tuple[dict[Values, Values], ...] = ({}, {}, {}, {})
        self._known_before: tuple[dict[Values, Values], ...] = ({}, {}, {}, {})
        # A turn that is a register of its own is read without the evaluator.
        found = edition.registers.get(self._turn.register) if isinstance(self._turn, core.Read) else None
        self._slot = found.slot if found is not None and not found.indices else None

    def turn(self, values: Values) -> int:
        """The seat whose turn it is; North where there is no turn."""
        if self._slot is not None:
            return values[self._slot] or 0
        return self._evaluator.value(self._turn, values, {}) or 0

    def values(self, values: Values, quarter: int) -> Values:
        """A state's values as they are when the table is turned so that the seat of that number is North."""
        known = self._known[quarter]
        found = known.get(values)
        if found is None:
            found = known[values] = _by_plan(self._plans[quarter], values, quarter)
        return found

    def before(self, values: Values, quarter: int) -> Values:
        """The values before a call that is still held, turned."""
        known = self._known_before[quarter]
        found = known.get(values)
        if found is None:
            found = known[values] = _by_plan(self._plans_before[quarter], values, quarter)
        return found

    def held(self, call: HeldCall, quarter: int) -> HeldCall:
        """A call that is held, turned likewise; the table before it as it is."""
        rights = call.rights
        if self._marks and quarter:
            rights = frozenset(self._right(right, quarter) for right in rights)
        return call._replace(caller=(call.caller - quarter) % 4, rights=rights)

    def _right(self, right: Right, quarter: int) -> Right:
        marks = tuple(turned(mark, quarter) for turned, mark in zip(self._marks, right.marks, strict=True))
        return Right(right.offence, right.remedy, marks)


def alike_all_round(edition: Edition) -> bool:
    """Whether the laws of the auction are the same wherever the table stands: none of them names a seat or a side."""
    clauses = [clause for clause in edition.clauses if clause.scores is None]
    used = definitions_of(tuple(clauses), edition.definitions)
    trees: list[object] = [*clauses, *(edition.definitions[name].body for name in used)]
    named = any(
        (isinstance(part, core.Constant) and part.value is not None and part.type in _PLACES)
        or (isinstance(part, core.Operate) and part.primitive in _OF_PLACES)
        or (isinstance(part, core.First) and part.domain in _PLACES)
        for tree in trees
        for part in parts_of(tree)
    )
    return not named and not any(_starts_somewhere(register) for register in edition.registers.values())


# What a seat or a side is told by is where it sits.
_PLACES: Final = (SEAT, SIDE)
_OF_PLACES: Final = ("first hand", "second hand")


def _starts_somewhere(register: Register) -> bool:
    """Whether a register starts with a seat or a side that is not the dealer's, or with some of them."""
    if isinstance(register.type, SetOf):
        return register.type.of in _PLACES and register.start not in (None, 0)
    of = register.type.of if isinstance(register.type, Optional) else register.type
    return of in _PLACES and register.start is not None and not register.starts_with_dealer


Plan: TypeAlias = list[tuple[int, Callable[[int | None, int], int | None] | None, int | None]]


def _by_plan(plan: Plan, values: Values, quarter: int) -> Values:
    return tuple([start if take is None else take(values[slot], quarter) for slot, take, start in plan])


def _plan(registers: list[Register], edition: Edition, quarter: int, blank: frozenset[str]) -> Plan:
    """For each place of the turned values: the place it comes from, how the value turns (None: it is left out), and
    the start it is then put to."""
    plan: dict[int, tuple[int, Callable[[int | None, int], int | None] | None, int | None]] = {}
    for register in registers:
        domains = [edition.universe.members(of) for of in register.indices]
        take = _turned_value(register.type)
        start = 0 if isinstance(register.type, SetOf) and register.start is None else register.start
        for place in itertools.product(*domains):
            source = _flat(place, domains)
            target = _flat(
                tuple(_index(of, i, quarter) for of, i in zip(register.indices, place, strict=True)), domains
            )
            left_out = register.name in blank
            plan[register.slot + target] = (register.slot + source, None if left_out else take, start)
    return [plan[slot] for slot in sorted(plan)]


def _flat(place: tuple[int, ...], domains: list[range]) -> int:
    at = 0
    for member, domain in zip(place, domains, strict=True):
        at = at * len(domain) + member - domain.start
    return at


def _index(of: Type, member: int, quarter: int) -> int:
    if of == SEAT:
        return (member - quarter) % 4
    return (member - quarter) % 2 if of == SIDE else member


def _turned_value(of: Type) -> Callable[[int | None, int], int | None]:
    """How a value of that type turns."""
    if of == SetOf(SEAT):
        return _set_of_seats
    if of == SetOf(SIDE):
        return _set_of_sides
    inner = of.of if isinstance(of, Optional) else of
    if inner == SEAT:
        return _seat
    return _side if inner == SIDE else _as_it_is


def _as_it_is(value: int | None, quarter: int) -> int | None:
    return value


def _seat(value: int | None, quarter: int) -> int | None:
    return None if value is None else (value - quarter) % 4


def _side(value: int | None, quarter: int) -> int | None:
    return None if value is None else (value - quarter) % 2


def _set_of_seats(value: int | None, quarter: int) -> int | None:
    mask = value or 0
    return (mask >> quarter | mask << 4 - quarter) & 15


def _set_of_sides(value: int | None, quarter: int) -> int | None:
    mask = value or 0
    return (mask >> 1 | mask << 1) & 3 if quarter % 2 else mask
