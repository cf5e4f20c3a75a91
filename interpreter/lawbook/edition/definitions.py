"""Definition clauses in, definitions out: terms, functions, relations, qualities and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lawbook.diagnostics import Label, Span, nearest
from lawbook.edition.expressions import Expressions
from lawbook.edition.model import Law
from lawbook.edition.nodes import text_of
from lawbook.language import core, tree, types
from lawbook.language.check import NO_FACTS
from lawbook.language.lexemes import Scope, Unreadable, Variable
from lawbook.language.types import Number, Optional, Type, fits, has_members, type_text
from lawbook.language.words import Category
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Scalar

_HEADS = ("term", "function", "relation", "quality", "table")


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition clause as it was read: the phrase it is for, and where; what it says, if that could be read; its
    normal form; the definitions it uses; and what was found on the way."""

    phrase: str
    head: Scalar
    definition: core.Definition | None
    normal: tuple[str, ...]
    uses: frozenset[str]
    expressions: Expressions


def read_definition(exprs: Expressions, law: Law, node: MappingNode) -> Defined | Expressions:
    """One definition clause, read apart from all others; only what was found on the way, where its head is in doubt."""
    exprs = exprs.apart()
    identifier = text_of(node.get("id"))
    exprs.law, exprs.clause = law.number, identifier
    key = next(k for k in _HEADS if node.get(k) is not None)
    head_node = node.get(key)
    head = exprs.tree(head_node, "head", {})
    if not isinstance(head, tree.Head) or not isinstance(head_node, Scalar):
        return exprs
    if head.word.meaning != "definition":
        message = f"`{head.word.phrase}` is not for a law to define"
        exprs.report(head_node, Unreadable(message, 0, len(head_node.text), code="not-definable"))
        return exprs
    if not _heads_fit(exprs, head, head_node):
        return exprs
    definition = _table(exprs, node, head, identifier) if key == "table" else _body(exprs, node, head, identifier)
    uses = frozenset() if definition is None else frozenset(_uses(definition.body))
    return Defined(head.word.phrase, head_node, definition, ("definition", *exprs.normal), uses, exprs)


def build_definitions(
    exprs: Expressions, read: Iterable[tuple[Law, str, Defined | Expressions]]
) -> tuple[dict[str, core.Definition], dict[str, tuple[str, ...]]]:
    """The definitions by the phrase they define, and the normal form of each clause by its id.

    `read` are the definition clauses, each with its law and id; what was found in them is added to `exprs`.
    """
    found: dict[str, core.Definition] = {}
    normal: dict[str, tuple[str, ...]] = {}
    places: dict[str, Scalar] = {}
    uses: dict[str, frozenset[str]] = {}
    for law, identifier, defined in read:
        if not isinstance(defined, Defined):
            exprs.take(defined)
            continue
        if defined.phrase in found:
            exprs.problems.error(
                "defined-twice",
                f"`{defined.phrase}` is defined twice in this edition",
                defined.head.span,
                labels=(Label(places[defined.phrase].span, "the other definition"),),
                law=law.number,
                clause=identifier,
            )
            continue
        exprs.take(defined.expressions)
        if defined.definition is not None:
            found[defined.phrase] = defined.definition
            places[defined.phrase] = defined.head
            uses[defined.phrase] = defined.uses
        normal[identifier] = defined.normal
    _check_circles(exprs, uses, places)
    return found, normal


def _heads_fit(exprs: Expressions, head: tree.Head, node: Scalar) -> bool:
    for (_, declared), given in zip(head.word.arguments, head.arguments, strict=False):
        if given.gives != declared and not (given.gives is None and isinstance(declared, Number)):
            exprs.report(
                node,
                Unreadable(
                    f"`{head.word.phrase}` is declared of a {type_text(declared)}, not of a {given.phrase}",
                    head.place.start,
                    head.place.end,
                    code="wrong-head",
                ),
            )
            return False
    return True


def _parameters(head: tree.Head) -> tuple[tuple[tuple[str, Type], ...], dict[str, Variable]]:
    """The parameters' names and types, and the phrases that speak of them in the body."""
    if head.word.category is Category.RELATION:
        names = ["one", "other"]
    else:
        names = [word.phrase for word in head.arguments]
    parameters = tuple((name, of) for name, (_, of) in zip(names, head.word.arguments, strict=True))
    return parameters, {name: Variable(name, of) for name, of in parameters}


def _body(exprs: Expressions, node: MappingNode, head: tree.Head, identifier: str) -> core.Definition | None:
    parameters, scope = _parameters(head)
    gives = head.word.gives
    assert gives is not None
    if gives == types.TRUTH:
        truth = exprs.block(node, "means", scope)
        if truth is None:
            help = "write `means:`, `means all of:` or `means any of:`"
            _problem(exprs, "missing-key", f"`{identifier}` does not say what it means", node.span, help)
            return None
        return core.Definition(head.word.phrase, identifier, parameters, truth)
    if (first := node.get("is the first")) is not None:
        return _first(exprs, node, head, identifier, first, parameters, scope)
    provided = exprs.block(node, "provided", scope)
    known = exprs.checker.learned(provided) if provided is not None else NO_FACTS
    value = exprs.value(node.get("is"), scope, gives, f"the {head.word.phrase}", known)
    if value is None:
        if node.get("is") is None:
            _problem(exprs, "missing-key", f"`{identifier}` does not say what it is", node.span, "write `is:`")
        return None
    if provided is not None:
        if not isinstance(gives, Optional):
            message = f"`{head.word.phrase}` is always there, so it cannot be provided that something holds"
            _problem(
                exprs, "needless-provided", message, node.span, f"declare it to give an optional {type_text(gives)}"
            )
        value = core.Provided(provided, value, gives)
    return core.Definition(head.word.phrase, identifier, parameters, value)


def _first(
    exprs: Expressions,
    node: MappingNode,
    head: tree.Head,
    identifier: str,
    first: object,
    parameters: tuple[tuple[str, Type], ...],
    scope: Scope,
) -> core.Definition | None:
    assert isinstance(first, Scalar)
    assert head.word.gives is not None
    word = exprs.lexer.vocabulary.find(Category.TYPE, first.text)
    if word is None or word.gives is None:
        known = [phrase for phrase, _, _ in exprs.lexer.vocabulary.phrases(frozenset({Category.TYPE}))]
        exprs.unknown("unknown-type", first, "type", known)
        return None
    exprs.normal.append(f"[is the first] {word.phrase}")
    inside = {**scope, f"that {word.phrase}": Variable("that", word.gives)}
    such_that = exprs.block(node, "such that", inside)
    exprs.normal.append("[or else]")
    otherwise = exprs.value(node.get("or else"), scope, head.word.gives, f"the {head.word.phrase}")
    if such_that is None or otherwise is None:
        for key, value in (("such that", such_that), ("or else", otherwise)):
            if value is None and not any(k.text.startswith(key) for k, _ in node.entries):
                exprs.problems.error(
                    "missing-key", f"`{identifier}` needs `{key}`", node.span, law=exprs.law, clause=identifier
                )
        return None
    body = core.First("that", word.gives, such_that, otherwise, head.word.gives)
    return core.Definition(head.word.phrase, identifier, parameters, body)


def _table(exprs: Expressions, node: MappingNode, head: tree.Head, identifier: str) -> core.Definition | None:
    """A table over one finite domain: every member has a row, every row is a member."""
    rows = node.get("rows")
    gives = head.word.gives
    if not isinstance(rows, MappingNode) or gives is None or len(head.word.arguments) != 1:
        exprs.problems.error(
            "missing-key", f"the table `{identifier}` needs `rows`", node.span, law=exprs.law, clause=identifier
        )
        return None
    domain = head.word.arguments[0][1]
    if not has_members(domain):
        message = f"a table cannot have a row for each {type_text(domain)}"
        _problem(
            exprs,
            "not-a-domain",
            message,
            node.span,
            "a table is of the members of a list, of players, numbers or the like",
        )
        return None
    members = exprs.checker.universe.members(domain)
    names = {w.phrase: int(w.target) for w in exprs.lexer.vocabulary.values_of(domain)}
    if isinstance(domain, Number):
        names = {str(number): number for number in members}
    values: dict[int, int] = {}
    # A row whose name is misspelt is not missing besides.
    meant: set[str | None] = set()
    for key, value in rows.entries:
        if key.text not in names:
            meant.add(nearest(key.text, names))
            exprs.problems.error(
                "unknown-row",
                f"there is no {type_text(domain)} `{key.text}`",
                key.span,
                suggestion=nearest(key.text, names),
                law=exprs.law,
                clause=identifier,
            )
            continue
        given = exprs.value(value, {}, gives, f"the {head.word.phrase}")
        if isinstance(given, core.Constant) and given.value is not None and fits(gives, given.type):
            values[names[key.text]] = given.value
            exprs.normal.append(f"{key.text}: {given.value}")
    missing = [name for name, number in names.items() if number not in values and number in members]
    absent = [name for name in missing if name not in meant and name not in [k.text for k, _ in rows.entries]]
    if absent:
        exprs.problems.error(
            "missing-row",
            f"the table `{identifier}` has no row for {', '.join(absent)}",
            rows.span,
            law=exprs.law,
            clause=identifier,
        )
    if missing:
        return None
    exprs.checker.used.add(head.word.phrase)
    return core.Definition(
        head.word.phrase,
        identifier,
        ((type_text(domain), domain),),
        None,
        tuple(values.get(n, 0) for n in range(members.start, members.stop)),
    )


def _problem(exprs: Expressions, code: str, message: str, span: Span, help: str | None = None) -> None:
    exprs.problems.error(code, message, span, help=help, law=exprs.law, clause=exprs.clause)


def _check_circles(exprs: Expressions, uses: Mapping[str, frozenset[str]], places: Mapping[str, Scalar]) -> None:
    """Definitions may use one another, never themselves: there is no recursion."""
    left = {name: {used for used in direct if used in uses} for name, direct in uses.items()}
    while free := {name for name, direct in left.items() if not direct}:
        left = {name: direct - free for name, direct in left.items() if name not in free}
    # What is left is defined by itself, or uses what is.
    for name in left:
        reached: set[str] = set()
        pending = [name]
        while pending:
            further = left[pending.pop()] - reached
            reached |= further
            pending.extend(further)
        if name in reached:
            exprs.problems.error("circular-definition", f"`{name}` is defined by itself", places[name].span)


def _uses(node: object) -> set[str]:
    match node:
        case core.Use(definition, arguments):
            return {definition}.union(*(_uses(a) for a in arguments))
        case core.Read(_, arguments) | core.Operate(_, arguments):
            return set().union(*(_uses(a) for a in arguments))
        case core.Arithmetic(_, left, right) | core.Ordered(_, left, right) | core.Among(left, right):
            return _uses(left) | _uses(right)
        case core.Provided(condition, value):
            return _uses(condition) | _uses(value)
        case core.First(_, _, such_that, otherwise):
            return _uses(such_that) | _uses(otherwise)
        case core.Present(inner) | core.Not(inner) | core.Leaf(inner):
            return _uses(inner)
        case core.All(parts) | core.AnyOf(parts):
            return set().union(*(_uses(p) for p in parts))
        case core.Some(_, _, body):
            return _uses(body)
        case _:
            return set()
