"""Proofs: that a clause can never apply, by the truth table of what it asks.

A proof holds for every value of every register, whether an auction leads there or not; that nothing is proved means
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from lawbook.coverage.context import applies, context_of
from lawbook.edition.model import Assign, Clause, Edition, Move
from lawbook.explore.occasions import choices_of
from lawbook.machine.evaluate import Bound, Values
from lawbook.machine.state import start_of
from lawbook.machine.tables import MOST_CASES, Tables, TooMany, Unguarded


def never_applies(
    clause: Clause, edition: Edition, fixed: Mapping[int, int | None] | None = None, most: int = MOST_CASES
) -> bool:
    """Whether a clause is proved never to apply, of a remedy that no right opens by it; with some places of the values
    `fixed`, as long as these stand there."""
    context = context_of(clause, edition, opens=clause.remedy is not None)
    tables = Tables.of(clause, edition, *context.trees, acts=context.acts)
    evaluator = tables.evaluator
    known = fixed or {}

    def ask(values: Values, bound: Bound) -> bool:
        values = cast(Values, _Fixed(values, known)) if known else values
        if clause.remedy is not None:
            return evaluator.truth(clause.remedy.opened, values, bound) and context.holds(evaluator, values, bound)
        return applies(clause, evaluator, values, bound) and context.holds(evaluator, values, bound)

    try:
        return not any(tables.cases(ask, most))
    except (TooMany, Unguarded):
        return False


class _Fixed:
    """Values of which some are known."""

    def __init__(self, values: Values, known: Mapping[int, int | None]) -> None:
        self._values = values
        self._known = known

    def __getitem__(self, slot: int) -> int | None:
        return self._known[slot] if slot in self._known else self._values[slot]


def unwritten(edition: Edition, clauses: Iterable[Clause]) -> dict[int, int | None]:
    """The places of values that none of these clauses writes to, each with what always stands there."""
    written: set[str] = set()
    for clause in clauses:
        for effect in (*clause.effects, *(e for choice in choices_of(clause) for e in choice.effects)):
            if isinstance(effect, Assign | Move):
                written.add(effect.register)
    return {
        slot: start_of(register, 0)
        for register in edition.registers.values()
        if not register.per_right and not register.starts_with_dealer and register.name not in written
        for slot in range(register.slot, register.slot + register.size)
    }
