"""What an expression at a place in a file is read as: the grammar's start rule, what it may speak of, its type."""

from __future__ import annotations

from dataclasses import dataclass

from lawbook.diagnostics import Span
from lawbook.edition.clauses import Clauses
from lawbook.edition.definitions import read_definition
from lawbook.edition.kinds import kind_of
from lawbook.edition.library import schema
from lawbook.edition.model import Kind, Law, Source
from lawbook.errors import Collector
from lawbook.language import types
from lawbook.language.lexemes import Scope, Variable
from lawbook.language.types import Type
from lawbook.server.cursor import Spot, node_at
from lawbook.server.outlook import Outlook
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar
from lawbook.source.shape import validate


@dataclass(frozen=True, slots=True)
class Asked:
    """How an expression is read. `expected` is the type that its value must have, None where any will do or where it is
    no value."""

    start: str
    scope: Scope
    expected: Type | None = None


def asked_at(outlook: Outlook, root: Node, spot: Spot) -> Asked | None:
    """How the text at a spot is read; None if it is no expression."""
    if spot.is_key or not spot.steps:
        return None
    if spot.steps[0] == "clauses" and len(spot.steps) > 2:
        clause = node_at(root, spot.steps[:2])
        return _in_clause(outlook, clause, spot.scalar) if isinstance(clause, MappingNode) else None
    keys = [step for step in spot.steps if isinstance(step, str) and step not in ("declares", "score sheet")]
    return _in_vocabulary(outlook, keys, spot)


def _in_vocabulary(outlook: Outlook, keys: list[str], spot: Spot) -> Asked | None:
    caller = {p: Variable("caller", types.SEAT) for p in outlook.setting.declarations.bindings.get("caller", ())}
    match keys:
        case ["registers" | "facts", "starts"]:
            return Asked("sum", {})
        case ["registers" | "facts", key, *_] if key.startswith("kept while"):
            return Asked("condition", {})
        case ["roles", "means"]:
            return Asked("sum", outlook.builder.scope({"offender": types.SEAT, "offence": types.OFFENCE}))
        case ["interface", "debarred"]:
            return Asked("condition", {"player": Variable("that", types.SEAT)})
        case ["interface", _]:
            return Asked("sum", {})
        case ["a call may be put back", key, *_] if key.startswith("while"):
            return Asked("condition", caller)
        case _:
            return None


def _in_clause(outlook: Outlook, clause: MappingNode, scalar: Scalar) -> Asked | None:
    """How a clause asks for an expression in it, found by reading the clause as far as it is in order."""
    found: dict[Span, Asked] = {}

    def listen(node: Scalar, start: str, scope: Scope, expected: Type | None) -> None:
        found.setdefault(node.span, Asked(start, scope, expected))

    node = _as_far_as_in_order(clause)
    kind = kind_of(node)
    exprs = outlook.setting.expressions.apart()
    exprs.listener = listen
    if kind is Kind.DEFINITION:
        read_definition(exprs, _LAW, node)
    elif kind is not None:
        builder = outlook.builder
        apart = Clauses(exprs, builder.declarations, builder.offence_acts, builder.offence_facts)
        apart.scopes, apart.names = dict(builder.scopes), builder.names
        apart.build(node, _LAW)
    return found.get(scalar.span)


def _as_far_as_in_order(clause: MappingNode) -> MappingNode:
    """The keys of a clause that have what the schema asks of them, each by itself; the clause's name always."""
    shape = {"$ref": "#/$defs/clause", "$defs": schema("law")["$defs"]}
    name = (Scalar("id", clause.span, clause.span, "plain"), Scalar("this-one", clause.span, clause.span, "plain"))
    entries: list[tuple[Scalar, Node]] = [name]
    for key, value in clause.entries:
        if key.text != "id":
            problems = Collector()
            validate(MappingNode((name, (key, value)), clause.span), shape, problems, what="a clause")
            if not problems.has_errors:
                entries.append((key, value))
    return MappingNode(tuple(entries), clause.span)


_NOWHERE = Span("", 1, 1, 1, 1)
# The clause is read for what it may speak of; of which law it is makes no difference.
_LAW = Law("", "", "", None, Source("", None, "", ""), "", "", _NOWHERE)
