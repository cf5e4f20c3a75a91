"""Goals: what examples can show of a clause.

That it applies at all, each of its conditions true and false, its `unless` setting it aside, each choice it gives.
A clause that several editions or readings take stands in one place of one file, and so is one clause.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lawbook.edition.model import Choice, Clause, Edition, Kind
from lawbook.inspection import leaf_nodes
from lawbook.language import core

Key: TypeAlias = tuple[str, int, int, str, str]
"""A goal's place (file, line, column), what is to be shown, and of a choice its act."""


class What(enum.Enum):
    """What is to be shown of a clause or of a condition."""

    APPLIES = "applies"
    HOLDS = "holds"
    FAILS = "fails"
    SETS_ASIDE = "sets aside"
    CHOSEN = "chosen"


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing to be shown. `text` is the condition or the choice, `part` the heading it stands under; `tree` is the
    whole condition it is part of, `leaf` the condition itself."""

    clause: Clause
    what: What
    text: str = ""
    part: str = ""
    tree: core.Truth | None = None
    leaf: core.Leaf | None = None

    @property
    def key(self) -> Key:
        """What tells it from every other goal, whatever edition takes the clause."""
        span = self.clause.span
        if self.leaf is not None:
            return (span.file, self.leaf.line, self.leaf.column, self.what.value, "")
        return (span.file, span.line, span.column, self.what.value, self.text)


def place_of(clause: Clause) -> tuple[str, int]:
    """What tells a clause from every other, whatever edition takes it."""
    # The file as laws name it: as messages name it, it depends on where the process was when it was read.
    return clause.law.file, clause.span.line


def goals_of(clause: Clause, edition: Edition) -> Iterator[Goal]:
    """What can be shown of a clause, in the order in which it is read."""
    yield Goal(clause, What.APPLIES)
    for part, tree in trees_of(clause, edition):
        for leaf in leaf_nodes(tree):
            for what in (What.HOLDS, What.FAILS):
                yield Goal(clause, what, leaf.text, part, tree, leaf)
        if part == "unless":
            yield Goal(clause, What.SETS_ASIDE, part=part, tree=tree)
    for choice in choices_of(clause):
        yield Goal(clause, What.CHOSEN, choice.act, "choices")


def choices_of(clause: Clause) -> tuple[Choice, ...]:
    """What a clause gives to choose from."""
    return clause.choices if clause.remedy is None else clause.remedy.choices


def trees_of(clause: Clause, edition: Edition) -> Iterator[tuple[str, core.Truth]]:
    """The conditions of a clause, each with the heading it stands under."""
    if clause.kind is Kind.DEFINITION:
        for definition in edition.definitions.values():
            if definition.clause == clause.id:
                yield from _of_body(definition.body)
        return
    if clause.remedy is not None:
        yield "opened if", clause.remedy.opened
    if clause.once is not None:
        yield "once", clause.once
    yield "if", clause.condition
    if clause.unless is not None:
        yield "unless", clause.unless


def _of_body(body: core.Value | core.Truth | None) -> Iterator[tuple[str, core.Truth]]:
    match body:
        case core.Leaf() | core.All() | core.AnyOf() | core.Not():
            yield "means", body
        case core.Provided(condition, value):
            yield "provided", condition
            yield from _of_body(value)
        case core.First(_, _, such_that, otherwise):
            yield "such that", such_that
            yield from _of_body(otherwise)
        case _:
            return


def before(tree: core.Truth, leaf: core.Leaf) -> tuple[tuple[core.Truth, bool], ...] | None:
    """What is asked before a condition of a tree, each with the answer without which the condition is not asked; None
    where the condition is no part of the tree."""
    match tree:
        case core.Leaf():
            return () if tree is leaf else None
        case core.Not(inner):
            return before(inner, leaf)
        case core.All(parts) | core.AnyOf(parts):
            goes_on = isinstance(tree, core.All)
            for at, part in enumerate(parts):
                inside = before(part, leaf)
                if inside is not None:
                    return (*((earlier, goes_on) for earlier in parts[:at]), *inside)
            return None
        case _:
            return None


def replaced(tree: core.Truth, part: core.Truth, by: core.Truth) -> core.Truth:
    """A condition with one part of it, known by its identity, in the place of another."""
    if tree is part:
        return by
    match tree:
        case core.Not(inner):
            return core.Not(replaced(inner, part, by))
        case core.All(parts):
            return core.All(tuple(replaced(p, part, by) for p in parts))
        case core.AnyOf(parts):
            return core.AnyOf(tuple(replaced(p, part, by) for p in parts))
        case _:
            return tree
