"""Carried registers: those whose values the laws only copy, and ask for nothing but whether there is one.

What a side last bid itself is such a register: no condition asks which bid that was, until a remedy makes it the last
bid again. Two positions that hold other values there, but alike ones in the same places, go on alike, so a search
needs only one of them. What a copy then makes of the others is put together at the end, from every value that was met.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from lawbook.edition.machines import definitions_of, effects_of
from lawbook.edition.model import Assign, Clause, Edition, Effect
from lawbook.explore.bearing import bearing, bearing_clauses
from lawbook.explore.space import Space
from lawbook.language import core
from lawbook.language.types import SetOf
from lawbook.machine.evaluate import Values
from lawbook.machine.state import State

Key: TypeAlias = tuple[int, ...]
"""What a pair of positions is told apart by."""
Carried: TypeAlias = tuple[int, int]
"""A carried value and, before it, the number of its type."""
Before: TypeAlias = tuple[Values | None, Values | None]
"""The table before a call, for each edition that can still put it back."""
Told: TypeAlias = tuple[int, tuple[Carried, ...]]
"""A position without what it carries, by number, and what it carries."""
# In place of a value that is there, whatever it is.
_THERE: Final = -1
# In place of the number of a table that is not there.
_NO_TABLE: Final = -1


def carried(a: Edition, b: Edition, acts: Iterable[str]) -> dict[str, frozenset[str]]:
    """The registers that both editions only carry, each with those that its values are at last copied to; of a search
    in which these acts are offered beside calls."""
    offered = tuple(acts)
    in_a, in_b = _carried(a, offered), _carried(b, offered)
    alike = {name for name in in_a.keys() & in_b.keys() if _is_kept_alike(name, a, b)}
    # What a value is copied to is put together for every value: it must be one place.
    alike = {name for name in alike if all(_is_one_place(target, a, b) for target in in_a[name] | in_b[name])}
    # A value that leaves the registers of which so much is known must leave them in both editions by the same acts.
    while out := {name for name in alike if _copies(a, name, alike) != _copies(b, name, alike)}:
        alike -= out
    return {name: frozenset(in_a[name] | in_b[name]) - alike for name in sorted(alike)}


def _is_kept_alike(name: str, a: Edition, b: Edition) -> bool:
    one, other = a.registers[name], b.registers[name]
    return one.type == other.type and one.indices == other.indices and one.put_back == other.put_back


def _is_one_place(name: str, a: Edition, b: Edition) -> bool:
    registers = [edition.registers[name] for edition in (a, b) if name in edition.registers]
    return not any(register.indices or register.per_right for register in registers)


def _carried(edition: Edition, acts: tuple[str, ...]) -> dict[str, set[str]]:
    """The registers of one edition that are only carried, with the registers they are copied to."""
    clauses = bearing_clauses(edition, acts)
    registers = bearing(edition, acts)
    found: dict[str, set[str]] = {
        register.name: set()
        for register in edition.registers.values()
        if register.name in registers and not register.per_right and not isinstance(register.type, SetOf)
    }
    interface = edition.interface
    asked: list[object] = [interface.status, interface.turn, interface.contract, interface.doubling]
    asked += [interface.debarred, interface.declarer, interface.dummy, edition.held_while]
    asked += [register.kept_while for register in edition.registers.values()]
    asked += [edition.definitions[word].body for word in definitions_of((*clauses, *asked), edition.definitions)]
    for clause in clauses:
        effects = tuple(effects_of(clause))
        asked += _parts_but_effects(clause)
        for effect in effects:
            if isinstance(effect, Assign) and isinstance(effect.value, core.Read) and effect.value.register in found:
                found[effect.value.register].add(effect.register)
                asked += [*effect.arguments, *effect.value.arguments]
            else:
                asked.append(effect)
    for name in _asked_for(asked):
        found.pop(name, None)
    return found


def _parts_but_effects(clause: Clause) -> Iterator[object]:
    yield from (clause.condition, clause.unless, clause.once, clause.actor, clause.fate, clause.trigger)
    if clause.remedy is not None:
        yield from (clause.remedy.holder, clause.remedy.opened)


def _asked_for(trees: Iterable[object]) -> Iterator[str]:
    """The registers whose values the trees ask for, not only whether they have one."""
    pending = list(trees)
    while pending:
        tree = pending.pop()
        if isinstance(tree, core.Present) and isinstance(tree.value, core.Read):
            pending.extend(tree.value.arguments)
            continue
        if isinstance(tree, core.Read):
            yield tree.register
        # The parts one below: each is looked at in its turn, so that a question of presence is met whole.
        pending.extend(_below(tree))


def _below(tree: object) -> list[object]:
    if isinstance(tree, tuple | frozenset):
        return [*tree]
    names = getattr(type(tree), "__dataclass_fields__", {})
    return [getattr(tree, name) for name in names if name not in ("law", "span", "type")]


def _copies(edition: Edition, name: str, within: set[str]) -> set[tuple[str, str]]:
    """By which acts a register's values are copied to registers other than these."""
    found: set[tuple[str, str]] = set()
    for clause in edition.clauses:
        choices = [*clause.choices, *(() if clause.remedy is None else clause.remedy.choices)]
        by: list[tuple[str, Effect]] = [(choice.act, effect) for choice in choices for effect in choice.effects]
        if clause.trigger is not None:
            by += [(act, effect) for act in clause.trigger.acts for effect in clause.effects]
        for act, effect in by:
            if isinstance(effect, Assign) and isinstance(effect.value, core.Read) and effect.value.register == name:
                found.add((act, effect.register))
    return {(act, target) for act, target in found if target not in within}


class Sameness:
    """Tells which pairs of positions of two spaces are the same but for what is carried, and remembers what was met.

    `registers` is what `carried` gives. `releasing` are the offers, by their places, that copy a carried value to a
    register that laws ask about, `carries` whether there is anything to carry.
    """

    def __init__(self, a: Space, b: Space, registers: Mapping[str, frozenset[str]]) -> None:
        names = set(registers)
        self.carries = bool(names)
        acts = {act for space in (a, b) for name in names for act, _ in _copies(space.edition, name, names)}
        self.releasing = frozenset(place for place, offer in enumerate(a.offers) if offer.name in acts)
        sources: dict[str, set[str]] = {}
        for name, targets in registers.items():
            for target in targets - a.left_out - b.left_out:
                sources.setdefault(target, set()).add(name)
        self._sources = sources
        self._sides = _Side(a, names, sources), _Side(b, names, sources)

    def key(self, pair: tuple[int, int]) -> Key:
        """What tells a pair from others: all but the carried values, and which of these are the same."""
        return _joined(*(side.told(number) for side, number in zip(self._sides, pair, strict=True)))

    def key_before(self, before: Before) -> Key:
        """What tells the table before a call from others."""
        return _joined(*(side.told_before(values) for side, values in zip(self._sides, before, strict=True)))

    def released(self, pair: tuple[int, int]) -> Key:
        """What a pair has in common with those that the same act leaves where another value was carried."""
        return _joined(*(side.released(number) for side, number in zip(self._sides, pair, strict=True)))

    def is_alike(self, pair: tuple[int, int]) -> bool:
        """Whether both editions carry the same values at present."""
        first, second = (side.present(number) for side, number in zip(self._sides, pair, strict=True))
        return first == second

    def others(self, pair: tuple[int, int]) -> list[tuple[int, int]] | None:
        """The pairs that a release would have left, had any other values that were met been carried; None where the
        editions have released different ones."""
        first, second = self._sides
        if first.targets_of(pair[0]) != second.targets_of(pair[1]):
            return None
        met = [
            sorted({value for side in self._sides for name in names for value in side.met[name]})
            for names in self._sources.values()
        ]
        return [
            (first.with_targets(pair[0], values), second.with_targets(pair[1], values))
            for values in itertools.product(*met)
        ]


class _Side:
    """One of the two spaces: where it carries values, and where they are released to."""

    def __init__(self, space: Space, names: Iterable[str], targets: Iterable[str]) -> None:
        self._space = space
        registers = [space.edition.registers[name] for name in sorted(names)]
        # Values of one type only can be the same.
        kinds = {of: kind for kind, of in enumerate(dict.fromkeys(str(r.type) for r in registers))}
        self._places = [
            (slot, r.name, kinds[str(r.type)]) for r in registers for slot in range(r.slot, r.slot + r.size)
        ]
        self._targets = [space.edition.registers[name].slot for name in targets]
        self.met: dict[str, set[int]] = {register.name: set() for register in registers}
        self._numbers: dict[object, int] = {}
        self._told: dict[int, Told] = {}

    def told(self, number: int) -> Told:
        """A position without what it carries, by a number of its own, and the values carried."""
        found = self._told.get(number)
        if found is None:
            found = self._told[number] = self._erased(self._space.states[number])
        return found

    def told_before(self, before: Values | None) -> Told:
        """The table before a call without what it carries, likewise."""
        return (_NO_TABLE, ()) if before is None else self._erased(State(before))

    def released(self, number: int) -> Told:
        """The same, without what may have been released either."""
        values, held = self._space.states[number]
        blank = list(values)
        for slot in self._targets:
            blank[slot] = _THERE
        return self._erased(State(tuple(blank), held))

    def present(self, number: int) -> list[int | None]:
        """What is carried now."""
        values = self._space.states[number].values
        return [values[slot] for slot, _, _ in self._places]

    def targets_of(self, number: int) -> list[int | None]:
        """What stands where carried values are released to."""
        values = self._space.states[number].values
        return [values[slot] for slot in self._targets]

    def with_targets(self, number: int, told: Sequence[int]) -> int:
        """The position with other values there."""
        values, held = self._space.states[number]
        other = list(values)
        for slot, value in zip(self._targets, told, strict=True):
            other[slot] = value
        return self._space.number(State(tuple(other), held))

    def _erased(self, state: State) -> Told:
        carried: list[Carried] = []
        bare = self._bare(state.values, carried)
        held = [
            call if call.before is None else call._replace(before=self._bare(call.before, carried))
            for call in state.held
        ]
        return self._numbers.setdefault((bare, *held), len(self._numbers)), tuple(carried)

    def _bare(self, values: Values, carried: list[Carried]) -> Values:
        found = list(values)
        for slot, name, kind in self._places:
            value = values[slot]
            if value is not None:
                found[slot] = _THERE
                carried.append((kind, value))
                self.met[name].add(value)
        return tuple(found)


def _joined(first: Told, second: Told) -> Key:
    """The key of a pair: its positions, and which of the values they carry are the same."""
    carried = (*first[1], *second[1])
    if not carried:
        return first[0], second[0]
    numbers: dict[Carried, int] = {}
    return (first[0], second[0], *[numbers.setdefault(value, len(numbers)) for value in carried])
