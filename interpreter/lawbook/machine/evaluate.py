"""The evaluator: walks core trees over a state's values. It is the reference that any faster machine must equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias, assert_never

from lawbook.edition.model import Register
from lawbook.language import core
from lawbook.language.primitives import PRIMITIVES
from lawbook.language.types import SetOf, Type, Universe
from lawbook.records import dataclass

Values: TypeAlias = tuple[int | None, ...]
Bound: TypeAlias = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Evaluates conditions and values over one machine's registers. A tree that was checked cannot fail here."""

    universe: Universe
    registers: Mapping[str, Register]
    definitions: Mapping[str, core.Definition]

    def slot(self, register: Register, arguments: tuple[int, ...]) -> int:
        """The place of a register among a state's values, for the members it is asked of."""
        at = 0
        for of, argument in zip(register.indices, arguments, strict=True):
            members = self.universe.members(of)
            at = at * len(members) + argument - members.start
        return register.slot + at

    def value(self, node: core.Value, values: Values, bound: Bound) -> int | None:
        """The number that stands for a value here, or None for nothing."""
        match node:
            case core.Constant(value):
                return value
            case core.Variable(name):
                return bound[name]
            case core.Read(name, arguments):
                register = self.registers[name]
                if register.per_right:
                    return bound[f"right:{name}"]
                return values[self.slot(register, self.solid(arguments, values, bound))]
            case core.Operate(primitive, arguments):
                given = self.solid(arguments, values, bound)
                return PRIMITIVES[primitive](self.universe, bound, given)
            case core.Use(name, arguments):
                return self._use(name, arguments, values, bound)
            case core.Arithmetic(operator, left, right):
                one, other = self.solid((left, right), values, bound)
                match operator:
                    case "plus":
                        return one + other
                    case "minus":
                        return one - other
                    case "times":
                        return one * other
                    case "lesser":
                        return min(one, other)
                    case "greater":
                        return max(one, other)
                    case _:
                        assert_never(operator)
            case core.First(variable, domain, such_that, otherwise):
                for member in self.universe.members(domain):
                    if self.truth(such_that, values, {**bound, variable: member}):
                        return member
                return self.value(otherwise, values, bound)
            case core.Provided(condition, inner):
                return self.value(inner, values, bound) if self.truth(condition, values, bound) else None
            case _:
                assert_never(node)

    def solid(self, nodes: tuple[core.Value, ...], values: Values, bound: Bound) -> tuple[int, ...]:
        """Values that the checker showed to be present."""
        found = tuple(self.value(node, values, bound) for node in nodes)
        assert all(value is not None for value in found)
        return found  # type: ignore[return-value]

    def _use(self, name: str, arguments: tuple[core.Value, ...], values: Values, bound: Bound) -> int | None:
        definition = self.definitions[name]
        given = self.solid(arguments, values, bound)
        if definition.table is not None:
            return definition.table[given[0] - self.universe.members(definition.parameters[0][1]).start]
        inside = {name: value for (name, _), value in zip(definition.parameters, given, strict=True)}
        body = definition.body
        match body:
            case core.Present() | core.Ordered() | core.Among() | core.Not() | core.All() | core.AnyOf():
                return int(self.truth(body, values, inside))
            case core.Some() | core.Leaf():
                return int(self.truth(body, values, inside))
            case None:
                raise AssertionError("a definition has a body or a table")
            case _:
                return self.value(body, values, inside)

    def truth(self, node: core.Truth, values: Values, bound: Bound) -> bool:
        """Whether a condition holds here."""
        match node:
            case core.Leaf(of):
                return self.truth(of, values, bound)
            case core.All(parts):
                return all(self.truth(part, values, bound) for part in parts)
            case core.AnyOf(parts):
                return any(self.truth(part, values, bound) for part in parts)
            case core.Not(of):
                return not self.truth(of, values, bound)
            case core.Present(value):
                return self.value(value, values, bound) is not None
            case core.Ordered(comparator, left, right):
                one, other = self.solid((left, right), values, bound)
                match comparator:
                    case "equal":
                        return one == other
                    case "at_most":
                        return one <= other
                    case "less":
                        return one < other
                    case _:
                        assert_never(comparator)
            case core.Among(item, group):
                one, members = self.solid((item, group), values, bound)
                return bool(members >> one & 1)
            case core.Some(variable, domain, body):
                return any(
                    self.truth(body, values, {**bound, variable: member}) for member in self.universe.members(domain)
                )
            case core.Operate() | core.Use() | core.Constant():
                return bool(self.value(node, values, bound))
            case _:
                assert_never(node)


def members(mask: int) -> Iterator[int]:
    """The members of a set, in order."""
    at = 0
    while mask >> at:
        if mask >> at & 1:
            yield at
        at += 1


def is_set(of: Type) -> bool:
    """Whether values of a type are sets."""
    return isinstance(of, SetOf)
