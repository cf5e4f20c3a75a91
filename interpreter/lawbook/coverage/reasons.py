"""Reasons: why no example shows something. Only a truth table says that none could."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from lawbook.coverage.context import applies, context_of
from lawbook.coverage.goals import Goal, What, before, place_of, replaced
from lawbook.coverage.measuring import Coverage
from lawbook.edition.model import Clause, Edition, Kind
from lawbook.inspection import leaf_nodes
from lawbook.language import core
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.tables import FEW_CASES, Tables, TooMany, Unguarded
from lawbook.sentences import listed


class Why(enum.Enum):
    """Why something is not shown."""

    UNREACHABLE = "unreachable"
    NEVER_READ = "never asked"
    MASKED = "masked"
    ONE_WAY = "one way only"
    NEVER_MET = "never met"
    NOT_CHOSEN = "not chosen"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is not shown, and that in words."""

    why: Why
    text: str


def reason_for(goal: Goal, coverage: Coverage) -> Reason:
    """Why no example shows this. UNREACHABLE is proved: no values of whatever the condition reads show it."""
    edition = coverage.edition_of(goal.clause)
    if (proof := _proof(goal, edition)) is not None:
        return Reason(Why.UNREACHABLE, proof)
    if place_of(goal.clause) not in coverage.read:
        return Reason(Why.NEVER_READ, "no example reads the clause")
    if goal.what is What.CHOSEN:
        return Reason(Why.NOT_CHOSEN, "no example chooses it")
    if goal.leaf is None:
        return Reason(Why.NEVER_MET, "an example reads it, and what it asks is never all so")
    other = {What.HOLDS: What.FAILS, What.FAILS: What.HOLDS}[goal.what]
    if Goal(goal.clause, other, leaf=goal.leaf).key in coverage.shown:
        found = "true" if other is What.HOLDS else "false"
        guards = "; it makes sure that what follows can be asked" if _is_guard(goal, edition) else ""
        return Reason(Why.ONE_WAY, f"it is {found} whenever an example asks it{guards}")
    return _masked(goal, coverage)


def _masked(goal: Goal, coverage: Coverage) -> Reason:
    """A condition that is never asked although its clause is read: what decides before it."""
    assert goal.tree is not None
    assert goal.leaf is not None
    deciding = []
    for part, goes_on in before(goal.tree, goal.leaf) or ():
        stops = What.FAILS if goes_on else What.HOLDS
        for leaf in leaf_nodes(part):
            if Goal(goal.clause, stops, leaf=leaf).key in coverage.shown:
                deciding.append(f"`{leaf.text}` is {'false' if goes_on else 'true'}")
    if not deciding:
        return Reason(Why.NEVER_READ, "no example comes to ask it")
    return Reason(
        Why.MASKED, f"whenever an example reads the clause, {listed(deciding, 'or')}, which decides before it"
    )


def _is_guard(goal: Goal, edition: Edition) -> bool:
    """Whether without a condition another would be asked of what is not there."""
    assert goal.tree is not None
    assert goal.leaf is not None
    without = replaced(goal.tree, goal.leaf, core.TRUE)
    tables = Tables.of(goal.clause, edition, without)
    try:
        for _ in tables.cases(lambda values, bound: tables.evaluator.truth(without, values, bound), FEW_CASES):
            pass
    except Unguarded:
        return True
    except TooMany:
        return False
    return False


# -- proofs ------------------------------------------------------------------------------------------------------------


def _proof(goal: Goal, edition: Edition) -> str | None:
    """Why nothing can show this; None where that is not proved."""
    clause = goal.clause
    if clause.remedy is not None and goal.what is What.APPLIES:
        named = {c.offence for c in edition.clauses if c.offence is not None}
        return None if clause.remedy.offences & named else "no clause makes anything the offence"
    if goal.what is What.CHOSEN or (clause.kind is Kind.DEFINITION and goal.leaf is None):
        return None
    context = context_of(clause, edition, opens=goal.part == "opened if")
    tables = Tables.of(clause, edition, *context.trees, acts=context.acts)
    evaluator = tables.evaluator

    def is_shown(values: Values, bound: Bound) -> bool:
        # What is asked last tells most cases apart, so it is looked at first.
        if goal.leaf is not None and not _can_be(goal, evaluator, values, bound):
            return False
        return _shows(goal, evaluator, values, bound) and context.holds(evaluator, values, bound)

    try:
        if any(tables.cases(is_shown)):
            return None
    except (TooMany, Unguarded):
        return None
    if goal.leaf is None:
        return "what it asks is never all so"
    return f"it can never be {'true' if goal.what is What.HOLDS else 'false'} where it is asked"


def _can_be(goal: Goal, evaluator: Evaluator, values: Values, bound: Bound) -> bool:
    assert goal.leaf is not None
    try:
        return evaluator.truth(goal.leaf, values, bound) == (goal.what is What.HOLDS)
    except AssertionError:
        # It speaks of what another condition makes sure of, so it is never asked here.
        return False


def _shows(goal: Goal, evaluator: Evaluator, values: Values, bound: Bound) -> bool:
    if goal.leaf is None:
        return (
            applies(goal.clause, evaluator, values, bound)
            if goal.what is What.APPLIES
            else _asides(goal.clause, evaluator, values, bound)
        )
    assert goal.tree is not None
    if goal.part == "unless" and not evaluator.truth(goal.clause.condition, values, bound):
        return False
    for part, goes_on in before(goal.tree, goal.leaf) or ():
        if evaluator.truth(part, values, bound) != goes_on:
            return False
    return evaluator.truth(goal.leaf, values, bound) == (goal.what is What.HOLDS)


def _asides(clause: Clause, evaluator: Evaluator, values: Values, bound: Bound) -> bool:
    assert clause.unless is not None
    return evaluator.truth(clause.condition, values, bound) and evaluator.truth(clause.unless, values, bound)
