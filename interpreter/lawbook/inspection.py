"""Inspection: one condition looked at by itself, whether it can be asked here, holds, and what it turns on."""

from __future__ import annotations

from collections.abc import Iterator

from lawbook.edition.model import Edition, Register
from lawbook.language import core
from lawbook.language.types import Enumeration, Number, Optional, Plain, SetOf, Type
from lawbook.language.words import Category, Word
from lawbook.machine.evaluate import Bound, Evaluator, Values, members
from lawbook.values import Seat, Side


def leaf_nodes(node: core.Truth) -> Iterator[core.Leaf]:
    """The conditions an author wrote, in a condition made of several."""
    match node:
        case core.Leaf():
            yield node
        case core.All(parts) | core.AnyOf(parts):
            for part in parts:
                yield from leaf_nodes(part)
        case core.Not(inner):
            yield from leaf_nodes(inner)
        case _:
            return


def truth_of(node: core.Truth, evaluator: Evaluator, values: Values, bound: Bound) -> bool | None:
    """Whether a condition holds; None where it speaks of something absent, so that it is never asked here."""
    return evaluator.truth(node, values, bound) if can_be_asked(node, evaluator, values, bound) else None


def can_be_asked(node: core.Truth, evaluator: Evaluator, values: Values, bound: Bound) -> bool:
    def there(value: core.Value) -> bool:
        return known(value) and evaluator.value(value, values, bound) is not None

    def known(value: core.Value) -> bool:
        """Whether all that a value is made of is there, the value itself perhaps not."""
        match value:
            case core.Variable(name):
                return name in bound
            case core.Read(name, arguments):
                if evaluator.registers[name].per_right and f"right:{name}" not in bound:
                    return False
                return all(there(a) for a in arguments)
            case core.Operate(_, arguments) | core.Use(_, arguments):
                return all(there(a) for a in arguments)
            case core.Arithmetic(_, left, right):
                return there(left) and there(right)
            case _:
                return True

    match node:
        case core.Leaf(inner) | core.Not(inner):
            return can_be_asked(inner, evaluator, values, bound)
        case core.All(parts):
            # Parts after one that fails are not asked, and need not be askable.
            for part in parts:
                if not can_be_asked(part, evaluator, values, bound):
                    return False
                if not evaluator.truth(part, values, bound):
                    return True
            return True
        case core.AnyOf(parts):
            for part in parts:
                if not can_be_asked(part, evaluator, values, bound):
                    return False
                if evaluator.truth(part, values, bound):
                    return True
            return True
        case core.Present(value):
            return known(value)
        case core.Ordered(_, left, right) | core.Among(left, right):
            return there(left) and there(right)
        case core.Operate(_, arguments) | core.Use(_, arguments):
            return all(there(a) for a in arguments)
        case _:
            return True


# -- values in words ---------------------------------------------------------------------------------------------------


def parts_of(
    node: core.Truth, edition: Edition, evaluator: Evaluator, values: Values, bound: Bound
) -> Iterator[tuple[str, str]]:
    """The values that a condition turns on, each with its name."""
    match node:
        case core.Not(inner):
            yield from parts_of(inner, edition, evaluator, values, bound)
        case core.Present(value):
            yield from _named(value, edition, evaluator, values, bound)
        case core.Ordered(_, left, right) | core.Among(left, right):
            yield from _named(left, edition, evaluator, values, bound)
            yield from _named(right, edition, evaluator, values, bound)
        case core.Operate(_, arguments):
            for argument in arguments:
                yield from _named(argument, edition, evaluator, values, bound)
        case core.Use(name, arguments):
            for argument in arguments:
                yield from _named(argument, edition, evaluator, values, bound)
            for register in _registers_of(edition, name):
                yield from _named(core.Read(register.name, (), register.type), edition, evaluator, values, bound)
        case _:
            return


def _registers_of(edition: Edition, definition: str) -> list[Register]:
    """The registers that a definition speaks of outright, of the auction or of the score sheet."""
    found: dict[str, Register] = {}

    def walk(node: object) -> None:
        match node:
            case core.Read(name, arguments):
                register = edition.registers.get(name) or edition.facts.get(name) or edition.sheet[name]
                if not register.indices and not register.per_right:
                    found[name] = register
                for argument in arguments:
                    walk(argument)
            case core.Leaf(inner) | core.Not(inner) | core.Present(inner):
                walk(inner)
            case core.All(parts) | core.AnyOf(parts) | core.Operate(_, parts) | core.Use(_, parts):
                for part in parts:
                    walk(part)
            case core.Ordered(_, left, right) | core.Among(left, right) | core.Arithmetic(_, left, right):
                walk(left)
                walk(right)
            case core.Provided(condition, value):
                walk(condition)
                walk(value)
            case _:
                return

    walk(edition.definitions[definition].body if definition in edition.definitions else None)
    return list(found.values())


def _named(
    node: core.Value, edition: Edition, evaluator: Evaluator, values: Values, bound: Bound
) -> Iterator[tuple[str, str]]:
    if isinstance(node, core.Constant):
        return
    yield _label(node, edition), value_text(edition, node.type, evaluator.value(node, values, bound))
    if isinstance(node, core.Use | core.Operate):
        for argument in node.arguments:
            yield from _named(argument, edition, evaluator, values, bound)


def _label(node: core.Value, edition: Edition) -> str:
    match node:
        case core.Variable(name):
            return _word_phrase(edition, "binding", name) or name
        case core.Read(name, arguments):
            return _applied(edition, "register", name, arguments)
        case core.Operate(primitive, arguments):
            return _applied(edition, "primitive", primitive, arguments)
        case core.Use(name, arguments):
            return _applied(edition, "definition", name, arguments)
        case core.Constant(value, of):
            return value_text(edition, of, value)
        case core.Arithmetic(operator, left, right):
            if operator == "lesser":
                return f"the lesser of {_label(left, edition)} and {_label(right, edition)}"
            return f"{_label(left, edition)} {operator} {_label(right, edition)}"
        case _:
            return "the value"


def _word(edition: Edition, meaning: str, target: str) -> Word | None:
    words = edition.vocabulary.canonical.values()
    return next((w for w in words if w.meaning == meaning and w.target == target), None)


def _word_phrase(edition: Edition, meaning: str, target: str) -> str | None:
    word = _word(edition, meaning, target)
    return None if word is None else word.phrase


def _applied(edition: Edition, meaning: str, target: str, arguments: tuple[core.Value, ...]) -> str:
    word = _word(edition, meaning, target)
    if word is None or word.category not in (Category.FUNCTION, Category.NOUN):
        return target
    given = zip(word.arguments, arguments, strict=False)
    return word.phrase + "".join(f" {preposition} {_label(value, edition)}" for (preposition, _), value in given)


def value_text(edition: Edition, of: Type, value: int | None) -> str:
    """A value as a reader would write it: a seat's or a call's letters, a member's name, `nothing`."""
    universe = edition.universe
    match of:
        case _ if value is None:
            return "nothing"
        case Optional(inner):
            return value_text(edition, inner, value)
        case SetOf(inner):
            return " ".join(value_text(edition, inner, m) for m in members(value)) or "nobody"
        case Number():
            return str(value)
        case Enumeration(name):
            return universe.enumerations[name][value]
        case Plain("seat"):
            return str(Seat(value))
        case Plain("side"):
            return str(Side(value))
        case Plain("denomination"):
            return universe.denominations[value]
        case Plain("offence"):
            return edition.offences[value].phrase
        case Plain("truth"):
            return "yes" if value else "no"
        case Plain("bid" | "call") if value >= universe.first_bid:
            return f"{universe.level(value)}{universe.letters[universe.denomination(value)]}"
        case Plain("bid" | "call"):
            return ("P", "X", "XX")[value]
        case _:
            return str(value)
