"""The checker: a syntax tree in, a core tree out, with every type settled and every optional value guarded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never

from lawbook.diagnostics import nearest
from lawbook.language import core, tree, types
from lawbook.language.lexemes import Unreadable
from lawbook.language.printing import canonical
from lawbook.language.types import Number, Optional, SetOf, Type, comparable, described, fits, type_text
from lawbook.language.words import Category, Vocabulary, Word

# What is known to be present: registers (with their arguments) and bound names.
Facts: TypeAlias = frozenset[tuple[str, tuple[core.Value, ...]]]
NO_FACTS: Final[Facts] = frozenset()


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks trees against one edition's vocabulary and domains.

    `together` names, for a register, those that are present exactly when it is. `used` gathers the phrases of the words
    that were met.
    """

    vocabulary: Vocabulary
    universe: types.Universe
    together: Mapping[str, frozenset[str]]
    used: set[str] = field(default_factory=set)

    # -- values --------------------------------------------------------------------------------------------

    def value(self, node: tree.Value, facts: Facts, expected: Type | None = None) -> core.Value:
        """The meaning of a value; literals are looked up in the domain that is expected beside them."""
        match node:
            case tree.Figure(_, value):
                return core.Constant(value, Number(value, value))
            case tree.Nothing():
                return core.Constant(0 if isinstance(expected, SetOf) else None, types.NOTHING)
            case tree.Literal_():
                return self._literal(node, expected)
            case tree.Name():
                return self._name(node, facts)
            case tree.Apply(_, word, arguments):
                return self._apply(word, arguments, facts)
            case tree.Sum():
                return self._sum(node, facts)
            case _:
                assert_never(node)

    def solid(self, node: tree.Value, facts: Facts, expected: Type | None = None) -> core.Value:
        """A value that must be present here: an optional one needs a guard before it."""
        value = self.value(node, facts, expected)
        if isinstance(value.type, Optional):
            if value.type == types.NOTHING:
                raise Unreadable(
                    f"{described(expected)} was expected here, not nothing" if expected else "nothing is no value here",
                    node.place.start,
                    node.place.end,
                    code="wrong-type",
                )
            guard = canonical(tree.Exists(node.place, node, True))
            raise Unreadable(
                f"{canonical(node)} may be missing here",
                node.place.start,
                node.place.end,
                code="missing-guard",
                help=f"a condition must ask for it first: `{guard}`",
                guard=guard,
            )
        return value

    def wanted(self, node: tree.Value, expected: Type, facts: Facts, what: str) -> core.Value:
        """A value that must have a given type."""
        optional = isinstance(expected, Optional | SetOf)
        value = self.value(node, facts, expected) if optional else self.solid(node, facts, expected)
        if not fits(expected, value.type):
            message = f"{what} must be {described(expected)}, but {canonical(node)} is {described(value.type)}"
            code = "wrong-type"
            if isinstance(expected, Number) and isinstance(value.type, Number):
                can = "is not" if value.type.low == value.type.high else f"can be {value.type.low} to {value.type.high}"
                message = f"{what} must be {expected.low} to {expected.high}, but {canonical(node)} {can}"
                code = "outside-domain"
            raise Unreadable(message, node.place.start, node.place.end, code=code)
        return value

    def _literal(self, node: tree.Literal_, expected: Type | None) -> core.Value:
        inner = expected.of if isinstance(expected, Optional | SetOf) else expected
        words = [w for w in self.vocabulary.words.get(node.phrase, []) if w.category is Category.VALUE]
        for word in words:
            if word.gives is not None and (
                (inner is None and len(words) == 1) or (inner is not None and fits(inner, word.gives))
            ):
                return core.Constant(int(word.target), word.gives)
        if inner is None:
            domains = " or ".join(type_text(w.gives) for w in words if w.gives is not None)
            raise Unreadable(
                f"`{node.phrase}` could be a value of {domains}",
                node.place.start,
                node.place.end,
                code="ambiguous-value",
            )
        legal = [w.phrase for w in self.vocabulary.values_of(inner)]
        raise Unreadable(
            f"`{node.phrase}` is not {described(inner)}",
            node.place.start,
            node.place.end,
            nearest(node.phrase, legal),
            help=f"{type_text(inner)} is one of: {', '.join(legal)}" if legal else None,
            code="outside-domain",
        )

    def _name(self, node: tree.Name, facts: Facts) -> core.Value:
        if node.variable is not None:
            return core.Variable(node.variable.name, node.variable.type)
        word = node.word
        assert word is not None
        if word.meaning == "binding":
            raise Unreadable(
                f"{canonical(node)} is not known in this place", node.place.start, node.place.end, code="unknown-here"
            )
        return self._made(word, (), facts)

    def _made(self, word: Word, arguments: tuple[core.Value, ...], facts: Facts) -> core.Value:
        assert word.gives is not None
        self.used.add(word.phrase)
        gives: Type = word.gives
        if isinstance(gives, Optional) and (word.phrase, arguments) in facts:
            gives = gives.of
        match word.meaning:
            case "register":
                return core.Read(word.target, arguments, gives)
            case "primitive":
                return core.Operate(word.target, arguments, gives)
            case "definition":
                return core.Use(word.target, arguments, gives)
            case other:
                raise AssertionError(f"a {other} is not a value")

    def _apply(self, word: Word, arguments: tuple[tree.Value, ...], facts: Facts) -> core.Value:
        return self._made(word, self._arguments(word, arguments, facts), facts)

    def _arguments(self, word: Word, arguments: tuple[tree.Value, ...], facts: Facts) -> tuple[core.Value, ...]:
        return tuple(
            self.wanted(argument, of, facts, f"what `{word.phrase}` is asked of")
            for (_, of), argument in zip(word.arguments, arguments, strict=True)
        )

    def _sum(self, node: tree.Sum, facts: Facts) -> core.Value:
        parts = []
        for side in (node.left, node.right):
            value = self.solid(side, facts)
            if not isinstance(value.type, Number):
                raise Unreadable(
                    f"{canonical(side)} is {described(value.type)}, and only numbers can be reckoned with",
                    side.place.start,
                    side.place.end,
                    code="not-a-number",
                )
            parts.append((value, value.type))
        (left, one), (right, other) = parts
        match node.operator:
            case "plus":
                bounds = Number(one.low + other.low, one.high + other.high)
            case "minus":
                bounds = Number(one.low - other.high, one.high - other.low)
            case "times":
                ends = [a * b for a in (one.low, one.high) for b in (other.low, other.high)]
                bounds = Number(min(ends), max(ends))
            case "lesser":
                bounds = Number(min(one.low, other.low), min(one.high, other.high))
            case "greater":
                bounds = Number(max(one.low, other.low), max(one.high, other.high))
            case _:
                assert_never(node.operator)
        return core.Arithmetic(node.operator, left, right, bounds)

    # -- conditions ----------------------------------------------------------------------------------------

    def condition(self, node: tree.Condition, facts: Facts) -> core.Truth:
        """The meaning of one condition, where `facts` are known to be present."""
        match node:
            case tree.Exists(place, value, positive):
                asked = self.value(value, facts)
                if not isinstance(asked.type, Optional) or asked.type == types.NOTHING:
                    always = "never" if asked.type == types.NOTHING else "always"
                    raise Unreadable(
                        f"{canonical(value)} is {always} there, so asking for it says nothing",
                        place.start,
                        place.end,
                        code="needless-guard",
                    )
                return core.Present(asked) if positive else core.Not(core.Present(asked))
            case tree.Compare():
                return self._compare(node, facts)
            case tree.Holds(_, word, arguments, positive):
                self.used.add(word.phrase)
                values = self._arguments(word, arguments, facts)
                truth: core.Truth = (
                    core.Operate(word.target, values, types.TRUTH)
                    if word.meaning == "primitive"
                    else core.Use(word.target, values, types.TRUTH)
                )
                return truth if positive else core.Not(truth)
            case tree.Quantified(place, quantifier, over, quality):
                self.used.add(quality.phrase)
                domain = over.gives
                if domain is None:
                    raise Unreadable(
                        f"`{over.phrase}` is too many to go through", place.start, place.end, code="too-many-members"
                    )
                wanted = quality.arguments[0][1]
                if not fits(wanted, domain):
                    raise Unreadable(
                        f"`{quality.phrase}` is said of {described(wanted)}, not of {described(domain)}",
                        place.start,
                        place.end,
                        code="wrong-type",
                    )
                variable = core.Variable("that", domain)
                body: core.Truth = (
                    core.Operate(quality.target, (variable,), types.TRUTH)
                    if quality.meaning == "primitive"
                    else core.Use(quality.target, (variable,), types.TRUTH)
                )
                match quantifier:
                    case "some":
                        return core.Some("that", domain, body)
                    case "no":
                        return core.Not(core.Some("that", domain, body))
                    case "every":
                        return core.Not(core.Some("that", domain, core.Not(body)))
                    case _:
                        assert_never(quantifier)
            case _:
                assert_never(node)

    def _compare(self, node: tree.Compare, facts: Facts) -> core.Truth:
        if node.comparator in ("among", "not_among"):
            group = self.value(node.right, facts)
            if not isinstance(group.type, SetOf):
                raise Unreadable(
                    f"{canonical(node.right)} is {described(group.type)}, not a set",
                    node.right.place.start,
                    node.right.place.end,
                    code="not-a-set",
                )
            item = self.wanted(node.left, group.type.of, facts, f"a member of {canonical(node.right)}")
            found: core.Truth = core.Among(item, group)
            return found if node.comparator == "among" else core.Not(found)
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, tree.Nothing):
                raise self._compared_with_nothing(side, other, facts)
        literal_first = isinstance(node.left, tree.Literal_) and not isinstance(node.right, tree.Literal_)
        if literal_first:
            right = self.solid(node.right, facts)
            left = self.solid(node.left, facts, right.type)
        else:
            left = self.solid(node.left, facts)
            right = self.solid(node.right, facts, left.type)
        if not comparable(left.type, right.type):
            one, other_one = (
                f"{canonical(n)} is {described(v.type)}" for n, v in ((node.left, left), (node.right, right))
            )
            raise Unreadable(
                f"{one} and {other_one}: they cannot be compared",
                node.place.start,
                node.place.end,
                code="not-comparable",
            )
        if node.comparator not in ("equal", "differs") and not isinstance(left.type, Number):
            raise Unreadable(
                f"{canonical(node.left)} is {described(left.type)}: more and less are for numbers",
                node.place.start,
                node.place.end,
                code="not-a-number",
                help="a relation such as `outranks` compares bids",
            )
        match node.comparator:
            case "equal":
                return core.Ordered("equal", left, right)
            case "differs":
                return core.Not(core.Ordered("equal", left, right))
            case "at_most":
                return core.Ordered("at_most", left, right)
            case "at_least":
                return core.Ordered("at_most", right, left)
            case "less_than":
                return core.Ordered("less", left, right)
            case "more_than":
                return core.Ordered("less", right, left)
            case _:
                raise AssertionError(node.comparator)

    def _compared_with_nothing(self, node: tree.Nothing, other: tree.Value, facts: Facts) -> Unreadable:
        if isinstance(other, tree.Nothing):
            help = None
        elif isinstance(self.value(other, facts).type, SetOf):
            help = f"ask it of a member: `... is among {canonical(other)}`"
        else:
            help = f"write `{canonical(tree.Exists(other.place, other, False))}`"
        message = "nothing can be compared with `nothing`"
        return Unreadable(message, node.place.start, node.place.end, None, help, "compared-with-nothing")

    def learned(self, truth: core.Truth) -> Facts:
        """What is known to be present once a condition holds."""
        match truth:
            case core.Leaf(of):
                return self.learned(of)
            case core.Present(core.Read(register, arguments)):
                names = {register, *self.together.get(register, ())}
                return frozenset((name, arguments) for name in names)
            case core.Present(core.Use(name, arguments)) | core.Present(core.Operate(name, arguments)):
                return frozenset({(name, arguments)})
            case core.All(parts):
                return frozenset().union(*(self.learned(p) for p in parts))
            case core.AnyOf(parts) if parts:
                known = [self.learned(p) for p in parts]
                return known[0].intersection(*known[1:])
            case core.Not(inner):
                return self.learned_if_false(inner)
            case _:
                return NO_FACTS

    def learned_if_false(self, truth: core.Truth) -> Facts:
        """What is known to be present once a condition fails."""
        match truth:
            case core.Leaf(of):
                return self.learned_if_false(of)
            case core.Not(inner):
                return self.learned(inner)
            case core.AnyOf(parts):
                return frozenset().union(*(self.learned_if_false(p) for p in parts))
            case _:
                return NO_FACTS


def decided(truth: core.Truth) -> bool | None:
    """Whether a condition is always true (True) or never (False) for the types of what it compares; None if it is
    neither."""
    match truth:
        case core.Not(inner):
            found = decided(inner)
            return None if found is None else not found
        case core.Ordered("equal", core.Constant(first), core.Constant(second)):
            return first == second
        case core.Ordered(comparator, left, right):
            if left == right:
                return comparator != "less"
            if not isinstance(left.type, Number) or not isinstance(right.type, Number):
                return None
            one, other = left.type, right.type
            match comparator:
                case "equal":
                    return False if one.high < other.low or other.high < one.low else None
                case "at_most":
                    return True if one.high <= other.low else False if one.low > other.high else None
                case "less":
                    return True if one.high < other.low else False if one.low >= other.high else None
                case _:
                    assert_never(comparator)
        case _:
            return None
