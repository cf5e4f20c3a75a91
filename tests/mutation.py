"""Mutants of an edition: each with one clause left out, or one condition turned into its contrary.

What no example notices is either not shown by any example or has no effect; see `tests/test_laws.py`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from lawbook.auction import load
from lawbook.edition.library import Library
from lawbook.edition.model import Clause, Edition, Kind
from lawbook.examples import Outcome, Shown, run_under, shown_by
from lawbook.language import core
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.machine import Machine
from lawbook.machine.sheet import Sheet

@dataclass(frozen=True, slots=True)
class Mutant:
    """A change to an edition: the clause it changes, what it is called, and the condition (by its place) it turns."""

    clause: str
    name: str
    turn: tuple[str, int, int] | None

    def __str__(self) -> str:
        return f"{self.clause}: {self.name}"


CONDITIONS = ("condition", "unless", "once", "opened")


def conditions_of(clause: Clause, edition: Edition) -> dict[str, Any]:
    """The trees of a clause that hold conditions, by the name of the field they are in."""
    found: dict[str, Any] = {"condition": clause.condition, "unless": clause.unless, "once": clause.once}
    if clause.remedy is not None:
        found["opened"] = clause.remedy.opened
    if clause.kind is Kind.DEFINITION:
        found["body"] = next((d.body for d in edition.definitions.values() if d.clause == clause.id), None)
    return found


def leaves(node: Any) -> Iterator[core.Leaf]:
    """The conditions an author wrote, in a tree."""
    if isinstance(node, core.Leaf):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from leaves(item)
    elif dataclasses.is_dataclass(node) and not isinstance(node, type):
        for part in dataclasses.fields(node):
            yield from leaves(getattr(node, part.name))


def mutants_of(edition: Edition) -> Iterator[Mutant]:
    """Every clause left out, every condition turned, every block of several conditions turned."""
    for clause in edition.clauses:
        yield Mutant(clause.id, "left out", None)
        for where, node in conditions_of(clause, edition).items():
            found = list(leaves(node))
            for leaf in found:
                yield Mutant(clause.id, f"not ({leaf.text})", (where, leaf.line, leaf.column))
            if len(found) > 1:
                yield Mutant(clause.id, f"not ({where})", (where, 0, 0))


def _turned(node: Any, line: int, column: int) -> Any:
    if isinstance(node, core.Leaf):
        return replace(node, of=core.Not(node.of)) if (node.line, node.column) == (line, column) else node
    if isinstance(node, tuple):
        return tuple(_turned(item, line, column) for item in node)
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        parts = {p.name: _turned(getattr(node, p.name), line, column) for p in dataclasses.fields(node)}
        return replace(node, **parts)
    return node


def mutate(edition: Edition, mutant: Mutant) -> Edition | None:
    """The edition with the change; None where it could not be resolved, as a word would be left undefined."""
    clause = edition.by_id.get(mutant.clause)
    if clause is None:
        return edition
    if mutant.turn is None:
        if clause.kind is Kind.DEFINITION:
            return None
        return _with(edition, [c for c in edition.clauses if c is not clause])
    where, line, column = mutant.turn

    def turn(node: Any) -> Any:
        whole = (
            core.Provided(core.Not(node.condition), node.value, node.type) if isinstance(node, core.Provided) else None
        )
        return _turned(node, line, column) if line else whole or core.Not(node)

    if where == "body":
        definitions = {
            word: replace(d, body=turn(d.body)) if d.clause == clause.id else d
            for word, d in edition.definitions.items()
        }
        return replace(edition, definitions=definitions)
    if where == "opened":
        assert clause.remedy is not None
        changed = replace(clause, remedy=replace(clause.remedy, opened=turn(clause.remedy.opened)))
    else:
        changed = replace(clause, **{where: turn(getattr(clause, where))})
    return _with(edition, [changed if c is clause else c for c in edition.clauses])


def _with(edition: Edition, clauses: list[Clause]) -> Edition:
    return replace(edition, clauses=tuple(clauses), by_id={c.id: c for c in clauses})


class Examples:
    """The examples of an edition, each with what it looked at when it was run under the edition as it is."""

    def __init__(self, library: Library, name: str) -> None:
        edition = load(name, library)
        shown = shown_by(library, edition)
        self.editions: dict[str, Edition] = {name: edition}
        self.cases: list[tuple[Shown, str]] = [(example, under) for example in shown for under in example.editions]
        for _, under in self.cases:
            if under not in self.editions:
                self.editions[under] = load(under, library)
        self._seen: list[frozenset[tuple[str, int, int]]] = []
        for example, under in self.cases:
            seen, outcome = self._watched(example, under)
            assert outcome.passed, f"{example.file}: {example.that}"
            self._seen.append(seen)

    def _watched(self, example: Shown, under: str) -> tuple[frozenset[tuple[str, int, int]], Outcome]:
        seen: set[tuple[str, int, int]] = set()
        truth: Callable[..., bool] = Evaluator.truth

        def watched(self: Evaluator, node: core.Truth, *rest: Any) -> bool:
            if isinstance(node, core.Leaf):
                seen.add((node.text, node.line, node.column))
            return truth(self, node, *rest)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Evaluator, "truth", watched)
            outcome = run_one(example, under, self.editions[under])
        return frozenset(seen), outcome

    def notice(self, mutant: Mutant) -> bool:
        """Whether some example fails, or cannot even be run, under the mutant."""
        made: dict[str, Edition | None] = {}
        for at in self._worth_running(mutant):
            example, under = self.cases[at]
            if under not in made:
                made[under] = mutate(self.editions[under], mutant)
            edition = made[under]
            if edition is None:
                return True
            if edition is self.editions[under]:
                continue
            try:
                if not run_one(example, under, edition).passed:
                    return True
            except Exception:
                # Without its guard a condition meets a value that is missing: such an edition is never resolved.
                return True
        return False

    def _worth_running(self, mutant: Mutant) -> list[int]:
        """Examples that could notice, the likeliest first: a condition never looked at cannot change an outcome."""
        clause = next(e.by_id[mutant.clause] for e in self.editions.values() if mutant.clause in e.by_id)
        found: Iterable[int] = range(len(self.cases))
        if mutant.turn is not None:
            _, line, column = mutant.turn
            wanted = {
                (leaf.text, leaf.line, leaf.column)
                for edition in self.editions.values()
                if mutant.clause in edition.by_id
                for node in conditions_of(edition.by_id[mutant.clause], edition).values()
                for leaf in leaves(node)
                if not line or (leaf.line, leaf.column) == (line, column)
            }
            found = [at for at in found if self._seen[at] & wanted]

        return sorted(found, key=lambda at: self.cases[at][0].file != clause.law.file)


def run_one(example: Shown, under: str, edition: Edition) -> Outcome:
    """Run an example of either kind under an edition, by the evaluator that walks: a mutant is not worth compiling."""
    return run_under(example, under, edition, Machine(edition, Evaluator), Sheet(edition, Evaluator))


def survivors(library: Library, name: str) -> set[str]:
    """The mutants of an edition, its readings' clauses included, that no example notices."""
    examples = Examples(library, name)
    mutants = {str(m): m for edition in examples.editions.values() for m in mutants_of(edition)}
    return {text for text, mutant in mutants.items() if not examples.notice(mutant)}
