"""The compiled evaluator: core trees become Python expressions, functions over finite domains become tables.

It answers exactly as the tree-walking evaluator does; a property test holds the two equal. Trees are compiled when
they are first asked, so that a ruling pays only for the clauses it reads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, assert_never

from lawbook.edition.model import Register
from lawbook.language import core
from lawbook.language.primitives import PRIMITIVES
from lawbook.language.types import Universe
from lawbook.machine.evaluate import Bound, Evaluator, Values

# Operations simple enough to be written out; the others are called.
INLINE: Final[Mapping[str, str]] = {
    "left": "(({0}) + 1 & 3)",
    "partner": "(({0}) + 2 & 3)",
    "right": "(({0}) + 3 & 3)",
    "side": "(({0}) & 1)",
    "other side": "(1 - ({0}))",
    "members": "(5 << ({0}))",
    "adversaries": "(10 >> (({0}) & 1))",
    "everybody": "15",
    "is adversary": "(({0}) - ({1}) & 1)",
    "is partner": "(({0}) == (({1}) + 2 & 3))",
    "is pass": "(({0}) == 0)",
    "is double": "(({0}) == 1)",
    "is redouble": "(({0}) == 2)",
    "is bid": "(({0}) >= 3)",
    "first hand": "({0})",
    "second hand": "(({0}) + 2)",
}
# Domains whose product is no larger than this are worth a table for a function that reads no register.
_LARGEST_TABLE: Final = 20_000


class _Table(dict[Any, Any]):
    """A function's values, each reckoned when it is first asked."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, key: Any) -> Any:
        value = self._function(*key) if isinstance(key, tuple) else self._function(key)
        self[key] = value
        return value


class CompiledEvaluator(Evaluator):
    """Evaluates like `Evaluator`, by compiled functions kept for each tree."""

    _compiled: dict[int, Callable[[Values, Bound], Any]]
    _kept: list[object]
    _names: dict[str, Any]
    _numbers: Iterator[int]

    def __init__(
        self, universe: Universe, registers: Mapping[str, Register], definitions: Mapping[str, core.Definition]
    ) -> None:
        super().__init__(universe, registers, definitions)
        fresh: dict[int, Callable[[Values, Bound], Any]] = {}
        object.__setattr__(self, "_compiled", fresh)
        # A tree's identity names its function, so the tree must live as long as the function.
        object.__setattr__(self, "_kept", [])
        object.__setattr__(self, "_names", {"U": universe, "E": {}})
        object.__setattr__(self, "_numbers", itertools.count())

    def truth(self, node: core.Truth, values: Values, bound: Bound) -> bool:
        """Whether a condition holds here."""
        function = self._compiled.get(id(node))
        if function is None:
            function = self._compile(node, self._truth(node, _outside))
        return bool(function(values, bound))

    def value(self, node: core.Value, values: Values, bound: Bound) -> int | None:
        """The number that stands for a value here, or None for nothing."""
        function = self._compiled.get(id(node))
        if function is None:
            function = self._compile(node, self._value(node, _outside))
        return function(values, bound)  # type: ignore[no-any-return]

    def _compile(self, node: object, source: str) -> Callable[[Values, Bound], Any]:
        function: Callable[[Values, Bound], Any] = eval(f"lambda v, b: {source}", self._names)
        self._compiled[id(node)] = function
        self._kept.append(node)
        return function

    def _fresh(self) -> str:
        return f"m{next(self._numbers)}"

    # -- expressions ---------------------------------------------------------------------------------------

    def _value(self, node: core.Value, name_of: Callable[[str], str]) -> str:
        match node:
            case core.Constant(value):
                return repr(value)
            case core.Variable(name):
                return name_of(name)
            case core.Read(name, arguments):
                return self._read(self.registers[name], [self._value(a, name_of) for a in arguments])
            case core.Operate(primitive, arguments):
                given = [self._value(a, name_of) for a in arguments]
                if primitive in INLINE:
                    return INLINE[primitive].format(*given)
                return self._operation(primitive, given)
            case core.Use(name, arguments):
                return self._used(name, [self._value(a, name_of) for a in arguments])
            case core.Arithmetic(operator, left, right):
                one, other = self._value(left, name_of), self._value(right, name_of)
                match operator:
                    case "plus":
                        return f"({one} + {other})"
                    case "minus":
                        return f"({one} - {other})"
                    case "times":
                        return f"({one} * {other})"
                    case "lesser":
                        return f"min({one}, {other})"
                    case "greater":
                        return f"max({one}, {other})"
                    case _:
                        assert_never(operator)
            case core.First(variable, domain, such_that, otherwise):
                member = self._fresh()
                members = self.universe.members(domain)
                condition = self._truth(such_that, _with(name_of, variable, member))
                found = f"({member} for {member} in range({members.start}, {members.stop}) if {condition})"
                return f"next({found}, {self._value(otherwise, name_of)})"
            case core.Provided(condition, inner):
                return f"({self._value(inner, name_of)} if {self._truth(condition, name_of)} else None)"
            case _:
                assert_never(node)

    def _operation(self, primitive: str, given: list[str]) -> str:
        name = f"P_{primitive.replace(' ', '_')}"
        if name not in self._names:
            self._names[name] = PRIMITIVES[primitive]
        return f"{name}(U, b, ({''.join(f'{g}, ' for g in given)}))"

    def _read(self, register: Register, given: list[str]) -> str:
        if register.per_right:
            return f"b[{f'right:{register.name}'!r}]"
        if not given:
            return f"v[{register.slot}]"
        at = ""
        for of, argument in zip(register.indices, given, strict=True):
            members = self.universe.members(of)
            shifted = argument if members.start == 0 else f"{argument} - {members.start}"
            at = f"({at}) * {len(members)} + {shifted}" if at else shifted
        return f"v[{register.slot} + {at}]"

    def _used(self, name: str, given: list[str]) -> str:
        definition = self.definitions[name]
        function = f"D_{name.replace(' ', '_').replace('-', '_')}"
        if definition.table is not None:
            start = self.universe.members(definition.parameters[0][1]).start
            self._names.setdefault(function, definition.table)
            return f"{function}[{given[0]}]" if start == 0 else f"{function}[{given[0]} - {start}]"
        if function not in self._names:
            self._define(function, definition)
        if isinstance(self._names[function], _Table):
            return f"{function}[{', '.join(given)}]"
        # Inside a definition only its parameters are bound.
        return f"{function}({', '.join(['v', 'E', *given])})"

    def _define(self, function: str, definition: core.Definition) -> None:
        """Compile a definition: a table where it reads no register and its domains are small, else a function."""
        parameters = {name: f"p{at}" for at, (name, _) in enumerate(definition.parameters)}
        body = definition.body
        match body:
            case core.Present() | core.Ordered() | core.Among() | core.Not() | core.All() | core.AnyOf():
                source = f"int({self._truth(body, parameters.__getitem__)})"
            case core.Some() | core.Leaf():
                source = f"int({self._truth(body, parameters.__getitem__)})"
            case None:
                raise AssertionError("a definition has a body or a table")
            case _:
                source = self._value(body, parameters.__getitem__)
        size = 1
        for _, of in definition.parameters:
            size *= len(self.universe.members(of))
        names = ", ".join(parameters.values())
        reads = {"v", "b"} & _words(source)
        if names and not reads and size <= _LARGEST_TABLE:
            self._names[function] = _Table(eval(f"lambda {names}: {source}", self._names))
        else:
            self._names[function] = eval(f"lambda v, b, {names}: {source}", self._names)

    # -- conditions ----------------------------------------------------------------------------------------

    def _truth(self, node: core.Truth, name_of: Callable[[str], str]) -> str:
        match node:
            case core.Leaf(of):
                return self._truth(of, name_of)
            case core.All(parts):
                return f"({' and '.join(self._truth(p, name_of) for p in parts)})" if parts else "True"
            case core.AnyOf(parts):
                return f"({' or '.join(self._truth(p, name_of) for p in parts)})" if parts else "False"
            case core.Not(of):
                return f"(not {self._truth(of, name_of)})"
            case core.Present(value):
                return f"({self._value(value, name_of)} is not None)"
            case core.Ordered(comparator, left, right):
                sign = {"equal": "==", "at_most": "<=", "less": "<"}[comparator]
                return f"({self._value(left, name_of)} {sign} {self._value(right, name_of)})"
            case core.Among(item, group):
                return f"({self._value(group, name_of)} >> {self._value(item, name_of)} & 1)"
            case core.Some(variable, domain, body):
                member = self._fresh()
                members = self.universe.members(domain)
                condition = self._truth(body, _with(name_of, variable, member))
                return f"any({condition} for {member} in range({members.start}, {members.stop}))"
            case core.Operate() | core.Use() | core.Constant():
                return self._value(node, name_of)
            case _:
                assert_never(node)


def _outside(name: str) -> str:
    return f"b[{name!r}]"


def _with(name_of: Callable[[str], str], variable: str, member: str) -> Callable[[str], str]:
    return lambda name: member if name == variable else name_of(name)


def _words(source: str) -> set[str]:
    return set("".join(c if c.isalnum() or c == "_" else " " for c in source).split())
