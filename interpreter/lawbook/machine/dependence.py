"""What decides about a clause: the registers it reads, and whether who calls and what he calls make a difference.

Where these are the same, whatever was found of the clause before holds again. That is how lawful play comes to be
cheap where it was never seen before (`legality`, `moving`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Set
from typing import Final, TypeAlias

from lawbook.edition.machines import registers_of, variables_of
from lawbook.edition.model import CALL_KINDS, Clause, Edition
from lawbook.language import core
from lawbook.machine.evaluate import Values
from lawbook.machine.reading import Reader

Key: TypeAlias = Callable[[Values, int, int], object]


class Dependence:
    """What a clause depends on, read for calls of some kinds.

    `more` are trees that count beside those that decide whether it applies, and `slots` places of values that do.
    """

    __slots__ = ("is_of_call", "is_of_caller", "key", "slots")

    def __init__(
        self,
        reader: Reader,
        clause: Clause,
        kinds: Set[str] = frozenset(CALL_KINDS),
        more: tuple[object, ...] = (),
        slots: Set[int] = frozenset(),
    ) -> None:
        trees = (*_trees(reader, clause, kinds, set()), *more)
        variables = variables_of(trees)
        self.is_of_call = bool(variables & {"call", "bid"})
        self.is_of_caller = "caller" in variables or (clause.trigger is not None and clause.trigger.role is not None)
        self.slots = slots_of(reader.edition, registers_of(trees, reader.edition.definitions)) | slots
        self.key: Key = _key(picking(self.slots), self.is_of_caller, self.is_of_call)
        """Of values, caller and call: the same for all of them that make no difference to the clause."""


def _key(read: Callable[[Values], object], is_of_caller: bool, is_of_call: bool) -> Key:
    match is_of_caller, is_of_call:
        case True, True:
            return lambda values, caller, call: (read(values), caller, call)
        case True, False:
            return lambda values, caller, call: (read(values), caller)
        case False, True:
            return lambda values, caller, call: (read(values), call)
        case _:
            return lambda values, caller, call: read(values)


def _trees(reader: Reader, clause: Clause, kinds: Set[str], seen: set[str]) -> Iterator[object]:
    """Everything that decides whether a clause applies: its conditions, and those of the exceptions to it."""
    if clause.id in seen:
        return
    seen.add(clause.id)
    yield (clause.condition, clause.unless, clause.trigger, clause.actor)
    for exception in reader.exceptions_to(clause):
        # Many are of one kind of call, and say so.
        if any(_may_be_of(exception.condition, kind) for kind in kinds):
            yield from _trees(reader, exception, kinds, seen)


def _may_be_of(condition: core.Truth, kind: str) -> bool:
    """Whether a condition can hold for calls of a kind, as far as it says in so many words that the call is one."""
    match condition:
        case core.Leaf(of):
            return _may_be_of(of, kind)
        case core.All(parts):
            return all(_may_be_of(part, kind) for part in parts)
        case core.Operate(primitive, (core.Variable("call"),)):
            return primitive not in _KINDS or _KINDS[primitive] == kind
        case _:
            return True


_KINDS: Final = {f"is {kind}": kind for kind in CALL_KINDS}


def reading(edition: Edition, names: Set[str]) -> Callable[[Values], object]:
    """A function that picks from a state's values those of some registers, by their names."""
    return picking(slots_of(edition, names))


def picking(slots: Set[int]) -> Callable[[Values], object]:
    """A function that picks from a state's values those at some places."""
    return operator.itemgetter(*sorted(slots)) if slots else lambda values: ()


def slots_of(edition: Edition, names: Set[str]) -> frozenset[int]:
    """The places of some registers, by their names, among a state's values."""
    return frozenset(
        slot
        for register in edition.registers.values()
        if register.name in names and not register.per_right
        for slot in range(register.slot, register.slot + register.size)
    )
