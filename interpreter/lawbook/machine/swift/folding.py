"""Partial evaluation of core trees: what is known of an act becomes constants, the rest becomes source text.

A tree is folded under what is bound. What comes out is a number (or None, or a truth), or the text of a Python
expression over `v`, the values of a state. It evaluates in the order of the tree, so what guards a value still does.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any, Final, assert_never

from lawbook.edition.machines import registers_of, variables_of
from lawbook.edition.model import Register
from lawbook.language import core
from lawbook.language.primitives import PRIMITIVES
from lawbook.language.types import CALL, Optional, Type
from lawbook.machine.compiled import INLINE, CompiledEvaluator
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.swift.text import Code, Folded, Known, as_truth, as_value, both, contrary, either, reckoned

# Quantifiers over domains no larger than this are written out member by member.
_WRITTEN_OUT: Final = 8
# Tables of one argument no larger than this are filled at once.
_FILLED: Final = 64
# Text longer than this becomes a function of its own, so that what is used often is compiled once.
_LONG: Final = 120
_PLACE: Final = re.compile(r"v\[\d+\]")
_MISSING: Final = object()


class _Lazy(dict[Any, Any]):
    """A function's values, each reckoned when it is first asked."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, key: Any) -> Any:
        value = self[key] = self._function(*key)
        return value


def _absent() -> int:
    raise AssertionError("a value that the checker showed to be present is not")


class Folder:
    """Folds the trees of one machine. `names` is what the text may speak of: give it to `exec` with the text."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.universe = evaluator.universe
        self.registers = evaluator.registers
        self.definitions = evaluator.definitions
        self.names: dict[str, Any] = {"U": self.universe, "E": {}, "absent": _absent}
        self._numbers = itertools.count()
        self._exact = CompiledEvaluator(self.universe, self.registers, self.definitions)
        self._pure: dict[str, core.Use | None] = {}
        self._used: dict[tuple[str, tuple[Folded, ...], bool], Folded] = {}
        self._variables: dict[int, tuple[str, ...]] = {}
        self._leaves: dict[tuple[object, ...], bool | Code] = {}
        # What operations and registers kept for each right ask of the binding without naming a variable.
        marks = (f"right:{register.name}" for register in self.registers.values() if register.per_right)
        self._unnamed = ("replacement", "new", *marks)
        self._tables: dict[tuple[str, tuple[Folded, ...]], Folded] = {}

    def fresh(self, letter: str) -> str:
        """A name that the text does not use yet."""
        return f"{letter}{next(self._numbers)}"

    def keep(self, letter: str, thing: object) -> str:
        """Give something a name that the text can call it by."""
        name = self.fresh(letter)
        self.names[name] = thing
        return name

    def function(self, source: str, name: str) -> Any:
        """The function of that name that some source text defines."""
        # In a place of its own: another thread may be at work on another of the same name.
        found: dict[str, Any] = {}
        exec(source, self.names, found)
        return found[name]

    def test(self, condition: bool | Code) -> Callable[[Any], Any] | None:
        """A function of the values that tells whether a condition holds; None if it never does."""
        if condition is False:
            return None
        function: Callable[[Any], Any] = eval(f"lambda v: {condition}", self.names)
        return function

    def reading(self, value: Folded) -> Callable[[Any], Any]:
        """A function of the values that tells a value."""
        function: Callable[[Any], Any] = eval(f"lambda v: {value}", self.names)
        return function

    # -- conditions ----------------------------------------------------------------------------------------

    def truth(self, node: core.Truth, known: Known) -> bool | Code:
        """Whether a condition holds, as far as is known."""
        match node:
            case core.Leaf(of):
                return self._leaf(node, of, known)
            case core.All(parts):
                found: list[bool | Code] = []
                for part in parts:
                    one = self.truth(part, known)
                    if one is False:
                        return False
                    found.append(one)
                return both(*found)
            case core.AnyOf(parts):
                found = []
                for part in parts:
                    one = self.truth(part, known)
                    found.append(one)
                    if one is True:
                        break
                return either(*found)
            case core.Not(core.Present(value)):
                one = self._present(value, known, "is None")
                return one if isinstance(one, Code) else not one
            case core.Not(core.Ordered("equal", left, right)):
                return self._ordered("!=", left, right, known)
            case core.Not(of):
                return contrary(self.truth(of, known))
            case core.Present(value):
                return self._present(value, known, "is not None")
            case core.Ordered(comparator, left, right):
                return self._ordered({"equal": "==", "at_most": "<=", "less": "<"}[comparator], left, right, known)
            case core.Among(item, group):
                return self._among(self.solid(item, known), self.solid(group, known))
            case core.Some(variable, domain, body):
                members = self.universe.members(domain)
                if len(members) <= _WRITTEN_OUT:
                    return either(*(self.truth(body, {**known, variable: m}) for m in members))
                member = self.fresh("m")
                one = self.truth(body, {**known, variable: Code(member)})
                if not isinstance(one, Code):
                    return one
                return Code(f"any({one} for {member} in range({members.start}, {members.stop}))")
            case core.Use(name, arguments):
                return as_truth(self._use(name, tuple(self.solid(a, known) for a in arguments), wants_truth=True))
            case core.Operate() | core.Constant():
                return as_truth(self.value(node, known))
            case _:
                assert_never(node)

    def _leaf(self, leaf: core.Leaf, of: core.Truth, known: Known) -> bool | Code:
        """One condition as it was written: folded once for each reading of what it mentions."""
        names = self._variables.get(id(leaf))
        if names is None:
            names = self._variables[id(leaf)] = (*sorted(variables_of(leaf)), *self._unnamed)
        key = (id(leaf), *(known.get(name, _MISSING) for name in names))
        found = self._leaves.get(key)
        if found is None:
            found = self._leaves[key] = self.truth(of, known)
        return found

    def _present(self, value: core.Value, known: Known, words: str) -> bool | Code:
        """Whether there is a value. For what is known the answer is to the plain question."""
        one = self.value(value, known)
        return Code(f"({one} {words})") if isinstance(one, Code) else one is not None

    def _ordered(self, sign: str, left: core.Value, right: core.Value, known: Known) -> bool | Code:
        one, other = self.solid(left, known), self.solid(right, known)
        if isinstance(one, Code) or isinstance(other, Code):
            return Code(f"({one} {sign} {other})")
        match sign:
            case "==":
                return one == other
            case "!=":
                return one != other
            case "<=":
                return one <= other
            case _:
                return one < other

    def _among(self, item: int | Code, group: int | Code) -> bool | Code:
        if isinstance(item, Code):
            return False if group == 0 else Code(f"({group} >> {item} & 1)")
        return Code(f"({group} & {1 << item})") if isinstance(group, Code) else bool(group >> item & 1)

    # -- values --------------------------------------------------------------------------------------------

    def value(self, node: core.Value, known: Known) -> Folded:
        """A value, as far as is known."""
        match node:
            case core.Constant(value):
                return value
            case core.Variable(name):
                return known.get(name, Code("absent()"))
            case core.Read(name, arguments):
                register = self.registers[name]
                if register.per_right:
                    return known.get(f"right:{name}", Code("absent()"))
                at = self.slot(register, tuple(self.solid(a, known) for a in arguments))
                return Code(f"v[{at}]")
            case core.Operate(primitive, arguments):
                return self._operate(primitive, tuple(self.solid(a, known) for a in arguments), known)
            case core.Use(name, arguments):
                return self._use(name, tuple(self.solid(a, known) for a in arguments), wants_truth=False)
            case core.Arithmetic(operator, left, right):
                return reckoned(operator, self.solid(left, known), self.solid(right, known))
            case core.First(variable, domain, such_that, otherwise):
                return self._first(variable, domain, such_that, otherwise, known)
            case core.Provided(condition, inner):
                holds = self.truth(condition, known)
                if not isinstance(holds, Code):
                    return self.value(inner, known) if holds else None
                return Code(f"({self.value(inner, known)} if {holds} else None)")
            case _:
                assert_never(node)

    def slot(self, register: Register, given: tuple[int | Code, ...]) -> int | Code:
        """The place of a register among the values, for the members it is asked of."""
        at: int = register.slot
        texts: list[str] = []
        stride = register.size
        for of, argument in zip(register.indices, given, strict=True):
            members = self.universe.members(of)
            stride //= len(members)
            at -= members.start * stride
            if isinstance(argument, Code):
                texts.append(argument if stride == 1 else f"{argument} * {stride}")
            else:
                at += argument * stride
        return Code(" + ".join([str(at), *texts])) if texts else at

    def solid(self, node: core.Value, known: Known) -> int | Code:
        """A value that the checker showed to be present."""
        value = self.value(node, known)
        # Nobody comes here: a guard before it says no.
        return Code("absent()") if value is None else value

    def _operate(self, primitive: str, given: tuple[int | Code, ...], known: Known) -> Folded:
        if not any(isinstance(g, Code) for g in given):
            bound = {name: known.get(name) for name in ("replacement", "new")}
            return PRIMITIVES[primitive](self.universe, bound, given)  # type: ignore[arg-type]
        if primitive in INLINE:
            return Code(INLINE[primitive].format(*given))
        if len(given) == 1:
            calls = self.universe.members(CALL)
            filled = (PRIMITIVES[primitive](self.universe, {}, (call,)) for call in calls)
            return self._table(primitive, given, lambda: tuple(filled))
        name = f"P_{primitive.replace(' ', '_')}"
        self.names.setdefault(name, PRIMITIVES[primitive])
        return Code(f"{name}(U, E, ({''.join(f'{g}, ' for g in given)}))")

    def _first(self, variable: str, domain: Type, such_that: core.Truth, otherwise: core.Value, known: Known) -> Folded:
        members = self.universe.members(domain)
        if len(members) > _WRITTEN_OUT:
            member = self.fresh("m")
            one = self.truth(such_that, {**known, variable: Code(member)})
            if one is True:
                return members.start
            rest = self.value(otherwise, known)
            if one is False:
                return rest
            found = f"({member} for {member} in range({members.start}, {members.stop}) if {one})"
            # What else it would be is asked only where no member is found, for its guard may need that.
            return (
                Code(f"next({found}, {rest})")
                if not isinstance(rest, Code)
                else Code(f"(lambda f: {rest} if f is None else f)(next({found}, None))")
            )
        texts: list[str] = []
        for m in members:
            one = self.truth(such_that, {**known, variable: m})
            if one is True:
                return Code(f"({''.join(texts)}{m})") if texts else m
            if one is not False:
                texts.append(f"{m} if {one} else ")
        rest = self.value(otherwise, known)
        return Code(f"({''.join(texts)}{rest})") if texts else rest

    # -- what laws define ----------------------------------------------------------------------------------

    def _use(self, name: str, given: tuple[int | Code, ...], *, wants_truth: bool) -> Folded:
        key = (name, given, wants_truth)
        if key in self._used:
            return self._used[key]
        definition = self.definitions[name]
        if name not in self._pure:
            reads = definition.table is None and registers_of(definition, self.definitions)
            # A use with its parameters for arguments: compiled once, it answers for any of them.
            variables = tuple(core.Variable(p, of) for p, of in definition.parameters)
            self._pure[name] = None if reads else core.Use(name, variables, CALL)
        use = self._pure[name]
        found = self._inlined(definition, given, wants_truth) if use is None else self._finite(use, definition, given)
        self._used[key] = found
        return found

    def _finite(self, use: core.Use, definition: core.Definition, given: tuple[int | Code, ...]) -> Folded:
        """A definition that reads no register: a number, or a look into a table."""
        parameters = [name for name, _ in definition.parameters]
        unknown = [at for at, g in enumerate(given) if isinstance(g, Code)]

        def answer(*members: int) -> int | None:
            bound: dict[str, int | None] = dict(zip(parameters, given, strict=True))  # type: ignore[arg-type]
            bound.update({parameters[at]: m for at, m in zip(unknown, members, strict=True)})
            return self._exact.value(use, (), bound)

        if not unknown:
            return answer()
        domains = [self.universe.members(_solid_type(definition.parameters[at][1])) for at in unknown]
        if len(domains) == 1 and domains[0].stop <= _FILLED:
            members = domains[0]
            blank = [None] * members.start
            return self._table(definition.word, given, lambda: (*blank, *(answer(m) for m in members)), members.start)
        key = (use.definition, tuple(None if isinstance(g, Code) else g for g in given))
        table = self._tables.get(key)
        if table is None:
            table = self._tables[key] = Code(self.keep("T", _Lazy(answer)))
        return Code(f"{table}[{', '.join(str(given[at]) for at in unknown)},]")

    def _table(
        self,
        name: str,
        given: tuple[int | Code, ...],
        filled: Callable[[], tuple[int | None, ...]],
        start: int = 0,
    ) -> Folded:
        """A look into a table of one argument; a number if every member has the same."""
        key = (f"{name} {len(given)}", tuple(None if isinstance(g, Code) else g for g in given))
        if key not in self._tables:
            values = filled()
            same = len(set(values[start:])) == 1
            self._tables[key] = values[start] if same else Code(self.keep("T", values))
        table = self._tables[key]
        (argument,) = (g for g in given if isinstance(g, Code))
        return Code(f"{table}[{argument}]") if isinstance(table, Code) else table

    def _inlined(self, definition: core.Definition, given: tuple[int | Code, ...], wants_truth: bool) -> Folded:
        """A definition that reads registers: its body with what is known put in."""
        passed: list[str] = []
        known: dict[str, Folded] = {}
        for (parameter, _), argument in zip(definition.parameters, given, strict=True):
            if isinstance(argument, Code) and not _PLACE.fullmatch(argument):
                known[parameter] = Code(f"p{len(passed)}")
                passed.append(argument)
            else:
                known[parameter] = argument
        found = self._body(definition, known, wants_truth)
        if not isinstance(found, Code) or (not passed and len(found) <= _LONG):
            return found
        parameters = ", ".join(["v", *(f"p{at}" for at in range(len(passed)))])
        name = self.keep("d", eval(f"lambda {parameters}: {found}", self.names))
        return Code(f"{name}({', '.join(['v', *passed])})")

    def _body(self, definition: core.Definition, known: Known, wants_truth: bool) -> Folded:
        body = definition.body
        match body:
            case core.Present() | core.Ordered() | core.Among() | core.Not() | core.All() | core.AnyOf():
                return as_value(self.truth(body, known), wants_truth)
            case core.Some() | core.Leaf():
                return as_value(self.truth(body, known), wants_truth)
            case None:
                raise AssertionError("a definition has a body or a table")
            case _:
                return self.value(body, known)


def _solid_type(of: Type) -> Type:
    return of.of if isinstance(of, Optional) else of
