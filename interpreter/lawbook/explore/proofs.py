"""Proofs: that a clause can never apply, by the truth table of what it asks.

A proof holds for all values that the registers can come to have: what they start with, and what clauses that can apply
write. That an auction leads to them is not asked, and that nothing is proved means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, cast

from lawbook.coverage.context import applies, context_of
from lawbook.edition.model import Assign, Clause, Edition, Move
from lawbook.explore.occasions import choices_of
from lawbook.language import core
from lawbook.machine.evaluate import Bound, Values
from lawbook.machine.state import start_of
from lawbook.machine.tables import FEW_CASES, MOST_CASES, Tables, TooMany, Unguarded

Possible: TypeAlias = Mapping[str, frozenset[int | None]]
"""The values that registers can come to have, of those that cannot have all of their type."""

ANY: Final[Possible] = {}


def never_applies(
    clause: Clause,
    edition: Edition,
    possible: Possible = ANY,
    most: int = MOST_CASES,
    offences: frozenset[int] | None = None,
) -> bool:
    """Whether a clause is proved never to apply, of a remedy that no right opens by it, of a lapse that it ends none;
    as long as registers have only the values that are possible, and of rights about these offences only if any are
    named."""
    context = context_of(clause, edition, opens=clause.remedy is not None)
    tables = replace(Tables.of(clause, edition, *context.trees, acts=context.acts), possible=possible)
    evaluator = tables.evaluator

    def ask(values: Values, bound: Bound) -> bool:
        if offences is not None and bound.get("offence", next(iter(offences))) not in offences:
            return False
        if clause.remedy is not None:
            return evaluator.truth(clause.remedy.opened, values, bound) and context.holds(evaluator, values, bound)
        if clause.once is not None and not evaluator.truth(clause.once, values, bound):
            return False
        return applies(clause, evaluator, values, bound) and context.holds(evaluator, values, bound)

    return is_never(ask, tables, most)


def never_usable(remedy: Clause, edition: Edition, possible: Possible = ANY) -> bool:
    """Whether it is proved that nobody can ever use a right under a remedy, as long as registers have only the values
    that are possible."""
    tables = replace(Tables.of(remedy, edition), possible=possible)
    return is_never(lambda values, bound: applies(remedy, tables.evaluator, values, bound), tables)


def is_never(ask: Callable[[Values, Bound], bool], tables: Tables, most: int = MOST_CASES) -> bool:
    """Whether the answer is no in every case of a table; if there are too many, nothing is proved."""
    try:
        return not any(tables.cases(ask, most))
    except (TooMany, Unguarded):
        return False


@dataclass(frozen=True, slots=True)
class Case:
    """The values, by their places, of one case of a table; `against`: the answer is yes in it, else there were too many
    cases when it was come to."""

    values: Mapping[int, int | None]
    against: bool


def first_case(ask: Callable[[Values, Bound], bool], tables: Tables, most: int = MOST_CASES) -> Case | None:
    """The first case in which the answer is yes; where a value is asked for that is not there it counts as yes. None:
    the answer is no in every case."""
    last: dict[int, int | None] = {}

    def seen(values: Values, bound: Bound) -> bool:
        nonlocal last
        last = cast(dict[int, int | None], values)
        try:
            return ask(values, bound)
        except (AssertionError, TypeError):
            return True

    try:
        # The table goes on with the same values, case by case.
        return Case(dict(last), True) if any(tables.cases(seen, most)) else None
    except TooMany:
        return Case(dict(last), False)


def always_penalised(clause: Clause, edition: Edition, remedies: Iterable[Clause]) -> bool:
    """Whether, wherever a prohibition applies to an act, a right is proved to open by one of the remedies."""
    opened = [remedy.remedy.opened for remedy in remedies if remedy.remedy is not None]
    tables = Tables.of(clause, edition, *opened)
    evaluator = tables.evaluator

    def ask(values: Values, bound: Bound) -> bool:
        if not applies(clause, evaluator, values, bound):
            return True
        inside = {**bound, "offender": bound["caller"], "offence": clause.offence}
        return any(evaluator.truth(condition, values, inside) for condition in opened)

    try:
        return tables.always(ask, FEW_CASES)
    except (TooMany, Unguarded):
        return False


def written(edition: Edition, clauses: Iterable[Clause]) -> Possible:
    """The values that registers can have where only these clauses write to them."""
    found: dict[str, set[int | None] | None] = {
        register.name: None if register.starts_with_dealer else {start_of(register, 0)}
        for register in edition.registers.values()
        if not register.per_right
    }
    for clause in clauses:
        for effect in _writes(clause):
            _add(found, effect)
    return {name: frozenset(values) for name, values in found.items() if values is not None}


def _writes(clause: Clause) -> Iterator[Assign | Move]:
    """What a clause writes, by itself or by what it lets somebody choose."""
    for effect in (*clause.effects, *(e for choice in choices_of(clause) for e in choice.effects)):
        if isinstance(effect, Assign | Move):
            yield effect


def _add(found: dict[str, set[int | None] | None], effect: Assign | Move) -> None:
    values = found.get(effect.register)
    if isinstance(effect, Assign) and isinstance(effect.value, core.Constant):
        if values is not None:
            values.add(effect.value.value)
    elif effect.register in found:
        found[effect.register] = None


def reachable(edition: Edition, clauses: Iterable[Clause]) -> Possible:
    """The values that registers can have where only those of these clauses write to them that can come to apply."""
    idle = [clause for clause in clauses if any(_writes(clause))]
    live: list[Clause] = []
    while True:
        possible = written(edition, live)
        woken = [clause for clause in idle if not never_applies(clause, edition, possible, FEW_CASES)]
        if not woken:
            return possible
        live += woken
        idle = [clause for clause in idle if clause not in woken]
