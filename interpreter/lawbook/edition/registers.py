"""Declared registers in, registers with their places among a machine's values out."""

from __future__ import annotations

from collections.abc import Mapping

from lawbook.diagnostics import nearest
from lawbook.edition.declarations import RegisterNode
from lawbook.edition.expressions import Expressions
from lawbook.edition.model import Register
from lawbook.edition.nodes import text_of, texts_of
from lawbook.language import core
from lawbook.language.primitives import PRIMITIVES
from lawbook.language.types import Optional, Universe

# What a register starts with where it starts with whoever deals.
THE_DEALER = "the dealer"


def build_registers(
    declared_in: Mapping[str, RegisterNode], universe: Universe, exprs: Expressions, slot: int = 0
) -> dict[str, Register]:
    """The registers of one machine, the first at place `slot`; those kept for each right have places of their own."""
    found: dict[str, Register] = {}
    right_slot = 0
    for name, declared in declared_in.items():
        exprs.law, exprs.clause, exprs.normal = None, None, []
        size = 1
        for index in declared.indices:
            size *= len(universe.members(index))
        starts_with_dealer = declared.starts.text == THE_DEALER
        start: int | None = None
        if not starts_with_dealer:
            value = exprs.value(declared.starts, {}, declared.type, f"the start of `{name}`")
            start = None if value is None else _constant(value, declared, universe, exprs)
        found[name] = Register(
            name,
            declared.type,
            declared.indices,
            start,
            starts_with_dealer,
            declared.put_back,
            exprs.block(declared.node, "kept while", {}),
            declared.together,
            declared.per_right,
            declared.totals,
            text_of(declared.node.get("key")) or None,
            right_slot if declared.per_right else slot,
            size,
            text_of(declared.node.get("gloss")),
        )
        for scalar in texts_of(declared.node.get("present with")):
            other = text_of(scalar)
            partner = declared_in.get(other)
            if partner is None or not isinstance(partner.type, Optional):
                exprs.problems.error(
                    "unknown-register",
                    f"`{name}` cannot be present with `{other}`: that is no register with an optional value",
                    scalar.span,
                    suggestion=nearest(other, declared_in),
                )
        if declared.per_right:
            right_slot += 1
        else:
            slot += size
    return found


def _constant(value: core.Value, declared: RegisterNode, universe: Universe, exprs: Expressions) -> int | None:
    """The number a starting value stands for; it may be made of constants, not looked up in what has yet to start."""
    match value:
        case core.Constant(number):
            return number
        case core.Operate(primitive, arguments) if all(isinstance(a, core.Constant) for a in arguments):
            given = tuple(a.value for a in arguments if isinstance(a, core.Constant) and a.value is not None)
            return PRIMITIVES[primitive](universe, {}, given)
        case _:
            message = f"`{declared.phrase}` must start with a value that is known before anything has happened"
            exprs.problems.error("not-known-at-the-start", message, declared.starts.span)
            return None
