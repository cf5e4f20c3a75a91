"""Context: what is known to be so wherever a condition of a clause is asked, though the condition does not say it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lawbook.edition.machines import variables_of
from lawbook.edition.model import Clause, Edition, Kind, Step
from lawbook.machine.evaluate import Bound, Evaluator, Values


@dataclass(frozen=True, slots=True)
class Context:
    """What holds besides; the trees that say so, and the acts by which a call comes to be made there (None: those of
    the clause itself)."""

    holds: Callable[[Evaluator, Values, Bound], bool]
    trees: tuple[object, ...] = ()
    acts: frozenset[str] | None = None


ANYWHERE = Context(lambda _evaluator, _values, _bound: True)


def context_of(clause: Clause, edition: Edition, *, opens: bool = False) -> Context:
    """Where a clause's conditions are asked; with `opens` those on which its right opens.

    A right opens on the very table on which a clause made the act an offence, and an exception is asked for only where
    what it is an exception to would apply.
    """
    if opens and clause.remedy is not None:
        offences = clause.remedy.offences
        makers = [c for c in edition.clauses if c.offence is not None and c.offence in offences]
        if makers and all(c.trigger is not None and c.trigger.step is Step.MADE for c in makers):
            return _where_one_applies(makers, "offender" in variables_of(clause.remedy.opened))
    if clause.kind is Kind.EXCEPTION:
        about = [edition.by_id[target] for target in clause.targets if target in edition.by_id]
        if len(about) == len(clause.targets):
            return _where_one_applies(about, False)
    return ANYWHERE


def _where_one_applies(clauses: list[Clause], offender_calls: bool) -> Context:
    acts = frozenset[str]().union(*(c.trigger.acts for c in clauses if c.trigger is not None))
    trees = (*(c.condition for c in clauses), *(c.unless for c in clauses))

    def holds(evaluator: Evaluator, values: Values, bound: Bound) -> bool:
        if offender_calls and bound["offender"] != bound["caller"]:
            return False
        return any(applies(clause, evaluator, values, bound) for clause in clauses)

    return Context(holds, trees, acts)


def applies(clause: Clause, evaluator: Evaluator, values: Values, bound: Bound) -> bool:
    """Whether what a clause asks is so and its `unless` does not set it aside; exceptions are not asked for."""
    if not evaluator.truth(clause.condition, values, bound):
        return False
    return clause.unless is None or not evaluator.truth(clause.unless, values, bound)
