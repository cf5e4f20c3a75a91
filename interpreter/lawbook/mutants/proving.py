"""Proving: whether a mutant is the same law after all, by the truth table of what is altered.

A proof holds for every value of every register, reached or not. That nothing is proved means nothing.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, TypeAlias

from lawbook.coverage.context import applies, context_of
from lawbook.edition.model import Assign, Clause, Edition, JudgeAgain, Kind, Move, StandAs, Step
from lawbook.language import core
from lawbook.language.types import SetOf
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.reading import Reader
from lawbook.machine.tables import FEW_CASES, MOST_CASES, Tables, TooMany, Unguarded
from lawbook.mutants.making import Change, Mutant, made

_OPENED: Final = ("remedy", "opened")
# Clauses that are named as what is lacking even where they never apply.
_NAMED_ANYWAY: Final = frozenset({Kind.ENTITLEMENT, Kind.REMEDY, Kind.WAIVER})


def is_equivalent(mutant: Mutant, edition: Edition) -> bool | None:
    """True where the mutant is proved to be the same law, False where it could never be resolved, for it asks for a
    value that may be missing; None where neither is proved."""
    altered = made(mutant, edition)
    if altered is None:
        return None
    asked = _question(mutant, edition, altered)
    if asked is None:
        return None
    clause, ask = asked
    context = context_of(clause, edition, opens=mutant.path[:2] == _OPENED)
    other = altered.by_id.get(clause.id, clause)
    bodies = tuple(d.body for d in altered.definitions.values() if d.clause == clause.id)
    judges = _judges(clause, edition)
    tables = Tables.of(clause, edition, other, *bodies, *context.trees, *(j for j, _ in judges), acts=context.acts)
    # What the words mean in the altered edition differs only where the mutant is a definition.
    one = tables.evaluator
    two = Evaluator(one.universe, one.registers, altered.definitions)

    def alike(first: Judge | None, values: Values, bound: Bound) -> bool:
        if first is not None and _is_irregular(first, one, values, bound):
            return True
        if ask(one, two, values, bound) or not context.holds(one, values, bound):
            return True
        return any(_is_irregular(judge, one, values, bound) for judge in judges)

    # What is looked at first parts the cases; one order can come to an end where another has too many.
    for most, first in itertools.product((FEW_CASES, MOST_CASES), (*judges, None)):
        try:
            if tables.always(partial(alike, first), most):
                return True
            return False if _does_with_what_is_missing(other, clause, tables) else None
        except Unguarded:
            return None if _is_unguarded(clause, edition, tables) else False
        except TooMany:
            continue
    return None


def _is_irregular(judge: Judge, evaluator: Evaluator, values: Values, bound: Bound) -> bool:
    clause, exceptions = judge
    if not applies(clause, evaluator, values, bound):
        return False
    return not any(applies(exception, evaluator, values, bound) for exception in exceptions)


def _is_unguarded(clause: Clause, edition: Edition, tables: Tables) -> bool:
    """Whether the law itself asks for what may be missing, as far as a table can tell; then it says nothing of a mutant
    that it does so too."""
    evaluator = tables.evaluator
    words = [definition for definition in edition.definitions.values() if definition.clause == clause.id]

    def asked(values: Values, bound: Bound) -> object:
        _truth(clause.once, evaluator, values, bound)
        if clause.remedy is not None:
            evaluator.truth(clause.remedy.opened, values, bound)
        return _both(clause, evaluator, values, bound), [_meaning(d.body, evaluator, values, bound) for d in words]

    try:
        for _ in tables.cases(asked):
            pass
    except (Unguarded, TooMany):
        return True
    return False


def _does_with_what_is_missing(other: Clause, clause: Clause, tables: Tables) -> bool:
    """Whether what an altered law does needs a value that may be missing, as what the law itself does never does."""
    evaluator = tables.evaluator

    def done(by: Clause, values: Values, bound: Bound) -> bool:
        if _applies(by, evaluator, values, bound):
            for value in _needed(by):
                evaluator.value(value, values, bound)
        return True

    try:
        tables.always(partial(done, other))
    except TooMany:
        return False
    except Unguarded:
        with contextlib.suppress(TooMany, Unguarded):
            return tables.always(partial(done, clause))
    return False


def _needed(clause: Clause) -> Iterator[core.Value]:
    """What a clause's effects, and what it makes of the call, are worked out from."""
    if clause.fate is not None and clause.fate.instead is not None:
        yield clause.fate.instead
    for effect in clause.effects:
        match effect:
            case Assign(_, arguments, value):
                yield from (*arguments, value)
            case Move(_, member, _):
                yield member
            case StandAs(call) | JudgeAgain(call):
                yield call


Judge: TypeAlias = tuple[Clause, list[Clause]]
"""A clause that makes an act irregular, and the exceptions to it."""


def _judges(clause: Clause, edition: Edition) -> list[Judge]:
    """For what entitles to an act and does nothing besides: the clauses that make the very act irregular, where they
    apply and none of their exceptions does. An act that is irregular is so whoever else was entitled to it."""
    if clause.kind is not Kind.ENTITLEMENT or clause.effects or clause.trigger is None:
        return []
    if any(act in edition.acts and edition.acts[act].chooses for act in clause.trigger.acts):
        return []
    reader = Reader(edition, Evaluator)
    return [
        (judge, reader.exceptions_to(judge))
        for judge in edition.clauses
        if judge.offence is not None
        and not judge.each_right
        and judge.trigger is not None
        and judge.trigger.step is Step.MADE
        and judge.trigger.role is None
        and not judge.trigger.by_table
        and clause.trigger.acts <= judge.trigger.acts
    ]


Ask = Callable[[Evaluator, Evaluator, Values, Bound], bool]


def _question(mutant: Mutant, edition: Edition, altered: Edition) -> tuple[Clause, Ask] | None:
    """What must be so in every case for the mutant to be the same law; None where no table tells."""
    clause = edition.by_id[mutant.clause.id]
    path = mutant.path
    if mutant.change is Change.LEFT_OUT:
        if clause.kind in _NAMED_ANYWAY:
            return None
        return clause, lambda one, _two, v, b: not _applies(clause, one, v, b)
    other = altered.by_id[clause.id]
    match path[:1]:
        case ("condition",) | ("unless",):
            return clause, lambda one, two, v, b: _both(clause, one, v, b) == _both(other, two, v, b)
        case ("once",):
            return clause, lambda one, two, v, b: _truth(clause.once, one, v, b) == _truth(other.once, two, v, b)
        case ("remedy",) if path[1] == "opened":
            assert clause.remedy is not None
            assert other.remedy is not None
            before, after = clause.remedy.opened, other.remedy.opened
            return clause, lambda one, two, v, b: one.truth(before, v, b) == two.truth(after, v, b)
        case ("body",):
            return clause, _same_meaning(clause, edition, altered)
        case ("effects",):
            return _effect(mutant, clause, other)
        case _:
            return None


def _applies(clause: Clause, evaluator: Evaluator, values: Values, bound: Bound) -> bool:
    return _both(clause, evaluator, values, bound) == (True, False)


def _both(clause: Clause, evaluator: Evaluator, values: Values, bound: Bound) -> tuple[bool, bool]:
    """Whether what a clause asks is so, and whether its `unless` then sets it aside."""
    asked = evaluator.truth(clause.condition, values, bound)
    return asked, asked and clause.unless is not None and evaluator.truth(clause.unless, values, bound)


def _truth(node: core.Truth | None, evaluator: Evaluator, values: Values, bound: Bound) -> bool:
    return node is not None and evaluator.truth(node, values, bound)


def _same_meaning(clause: Clause, edition: Edition, altered: Edition) -> Ask:
    words = [definition.word for definition in edition.definitions.values() if definition.clause == clause.id]

    def ask(one: Evaluator, two: Evaluator, values: Values, bound: Bound) -> bool:
        return all(
            _meaning(edition.definitions[word].body, one, values, bound)
            == _meaning(altered.definitions[word].body, two, values, bound)
            for word in words
        )

    return ask


def _meaning(body: Any, evaluator: Evaluator, values: Values, bound: Bound) -> int | None:
    match body:
        case None:
            return None
        case core.Leaf() | core.All() | core.AnyOf() | core.Not() | core.Present() | core.Ordered() | core.Among():
            return int(evaluator.truth(body, values, bound))
        case core.Some():
            return int(evaluator.truth(body, values, bound))
        case _:
            return evaluator.value(body, values, bound)


def _effect(mutant: Mutant, clause: Clause, other: Clause) -> tuple[Clause, Ask] | None:
    """One removed is the same law where what it writes is there already; one altered, where it comes to the same."""
    at = mutant.path[1]
    assert isinstance(at, int)
    effect = clause.effects[at]
    if mutant.change is Change.EFFECT:

        def is_there(one: Evaluator, _two: Evaluator, v: Values, b: Bound) -> bool:
            return not _applies(clause, one, v, b) or _is_written(effect, one, v, b)

        return (clause, is_there) if isinstance(effect, Assign | Move) else None
    changed = other.effects[at]
    if isinstance(effect, Assign) and isinstance(changed, Assign) and effect.arguments == changed.arguments:
        written, instead = effect.value, changed.value

        def same(one: Evaluator, two: Evaluator, v: Values, b: Bound) -> bool:
            return not _applies(clause, one, v, b) or one.value(written, v, b) == two.value(instead, v, b)

        return clause, same
    return None


def _is_written(effect: object, evaluator: Evaluator, values: Values, bound: Bound) -> bool:
    """Whether an effect would change nothing."""
    match effect:
        case Assign(register, arguments, value):
            there = evaluator.value(core.Read(register, arguments, value.type), values, bound)
            new = evaluator.value(value, values, bound)
            return there == (0 if new is None and isinstance(evaluator.registers[register].type, SetOf) else new)
        case Move(register, member, joins):
            mask = evaluator.value(core.Read(register, (), evaluator.registers[register].type), values, bound) or 0
            moved = evaluator.value(member, values, bound) or 0
            group = moved if isinstance(member.type, SetOf) else 1 << moved
            return (mask & group == group) if joins else not mask & group
        case _:
            return False
