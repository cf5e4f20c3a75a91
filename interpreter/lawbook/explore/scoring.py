"""Scoring, clause by clause: what a clause of one edition gives in a deal, and which clauses another has not alike.

A deal's score is a sum over the clauses that score. A clause that both editions have in the same meaning, with all it
uses by name and with its exceptions, gives the same in both, so that the difference of two scores is a sum over the
clauses not alike.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from lawbook.edition.machines import mentions_of, registers_of, variables_of
from lawbook.edition.model import Clause, Edition, Kind, Register, Score, Scoring
from lawbook.explore.told import Filling, children
from lawbook.language import core
from lawbook.machine.evaluate import Bound, Values

Place: TypeAlias = tuple[str, int]
"""A column, by its key, of a side."""
_BOUNDS: Final[dict[str | None, list[Bound]]] = {
    None: [{}],
    "side": [{"that": side} for side in range(2)],
    "player": [{"that": seat} for seat in range(4)],
}


@dataclass(frozen=True)
class Scorer:
    """What the clauses of one edition give in a deal."""

    filled: Filling

    @property
    def edition(self) -> Edition:
        """The edition."""
        return self.filled.edition

    def _reads(self, clause: Clause) -> Callable[[Values], object]:
        """How to pick the facts that a clause asks."""
        found = self._read.get(clause.id)
        if found is None:
            names = registers_of(self.trees(clause), self.edition.definitions)
            slots = sorted(s for n in names for f in (self.registers[n],) for s in range(f.slot, f.slot + f.size))
            found = self._read[clause.id] = operator.itemgetter(*slots) if slots else lambda values: ()
        return found

    @functools.cached_property
    def _read(self) -> dict[str, Callable[[Values], object]]:
        return {}

    @functools.cached_property
    def _given(self) -> dict[object, dict[Place, int]]:
        return {}

    @functools.cached_property
    def _applied(self) -> dict[object, bool]:
        return {}

    @functools.cached_property
    def exceptions(self) -> dict[str, list[Clause]]:
        """The exceptions to each clause, by its id."""
        found: dict[str, list[Clause]] = {}
        for clause in self.edition.clauses:
            for target in clause.targets if clause.kind is Kind.EXCEPTION else ():
                found.setdefault(target, []).append(clause)
        return found

    @functools.cached_property
    def registers(self) -> dict[str, Register]:
        """The facts of a deal and what the sheet remembers."""
        return {**self.edition.facts, **self.edition.sheet}

    def of(self, scoring: Scoring) -> list[Clause]:
        """The clauses that are read for that."""
        return [clause for clause in self.edition.clauses if clause.scores is scoring]

    def bounds(self, clause: Clause) -> list[Bound]:
        """What a clause is read for: each side or player it is read of."""
        return _BOUNDS[clause.each]

    def gives(self, clause: Clause, values: Values) -> dict[Place, int]:
        """The points that a clause gives, wherever it does."""
        read = self._reads(clause)
        key = clause.id, read(values)
        found = self._given.get(key)
        if found is None:
            found = self._given[key] = self._gives(clause, values)
        return found

    def _gives(self, clause: Clause, values: Values) -> dict[Place, int]:
        found: dict[Place, int] = {}
        for bound in self.bounds(clause):
            for place, points in self.gives_to(clause, values, bound).items():
                found[place] = found.get(place, 0) + points
        return found

    def gives_to(self, clause: Clause, values: Values, bound: Bound) -> dict[Place, int]:
        """The points that a clause gives where it is read of one side or player."""
        found: dict[Place, int] = {}
        if self.filled.sheet.holds(clause, values, bound):
            for effect in clause.effects:
                if isinstance(effect, Score):
                    points, side = self.filled.evaluator.solid((effect.amount, effect.side), values, bound)
                    if points:
                        place = self.edition.columns[effect.column].key, side
                        found[place] = found.get(place, 0) + points
        return found

    def applies(self, clause: Clause, values: Values) -> bool:
        """Whether a clause applies to anybody."""
        read = self._reads(clause)
        key = clause.id, read(values)
        found = self._applied.get(key)
        if found is None:
            holds = self.filled.sheet.holds
            found = self._applied[key] = any(holds(clause, values, bound) for bound in self.bounds(clause))
        return found

    def refusing(self, values: Values) -> list[Clause]:
        """The clauses by which a deal is none to score."""
        return [clause for clause in self._refusals if self.applies(clause, values)]

    @functools.cached_property
    def _refusals(self) -> list[Clause]:
        return self.of(Scoring.REFUSED)

    # -- what a clause is made of --------------------------------------------------------------------------------------

    def with_exceptions(self, clause: Clause) -> Iterator[Clause]:
        """A clause and the exceptions to it, and to these."""
        yield clause
        for exception in self.exceptions.get(clause.id, ()):
            yield from self.with_exceptions(exception)

    def trees(self, clause: Clause) -> tuple[object, ...]:
        """Everything that decides what a clause gives."""
        found = self._trees.get(clause.id)
        if found is None:
            each = self.with_exceptions(clause)
            found = self._trees[clause.id] = tuple((c.condition, c.unless, c.effects) for c in each)
        return found

    @functools.cached_property
    def _trees(self) -> dict[str, tuple[object, ...]]:
        return {}

    def things_of(self, clause: Clause) -> frozenset[str]:
        """The things told of a deal that a clause asks for."""
        return self.filled.things_of(self.trees(clause))

    def untold(self, clause: Clause) -> frozenset[str]:
        """The facts that a clause asks for and that a deal does not tell."""
        told = frozenset[str]().union(*self.filled.told.values())
        return frozenset(registers_of(self.trees(clause), self.edition.definitions)) - told

    def definitions(self, clause: Clause) -> frozenset[str]:
        """The definitions that a clause uses, its exceptions included, by the word."""
        found: set[str] = set()
        pending = list(mentions_of(tuple(self.with_exceptions(clause))).definitions)
        while pending:
            name = pending.pop()
            if name not in found and name in self.edition.definitions:
                found.add(name)
                pending.extend(mentions_of(self.edition.definitions[name]).definitions)
        return frozenset(found)

    def defined_by(self, name: str) -> Clause:
        """The clause that defines a word."""
        return self.edition.by_id[self.edition.definitions[name].clause]

    def meaning(self, clause: Clause) -> object:
        """What a clause means: its normal form, those of its exceptions and of the definitions used, and its facts."""
        facts = registers_of(self.trees(clause), self.edition.definitions)
        return (
            tuple(each.normal for each in self.with_exceptions(clause)),
            frozenset((name, self.defined_by(name).normal) for name in self.definitions(clause)),
            frozenset((name, self.registers[name].key, self.registers[name].type) for name in facts),
        )


def unlike(a: Scorer, b: Scorer, scoring: Scoring) -> tuple[list[Clause], list[Clause]]:
    """The clauses read for that which each edition has and the other has not alike."""
    of = a.of(scoring), b.of(scoring)
    meanings = [{clause.id: scorer.meaning(clause) for clause in c} for scorer, c in zip((a, b), of, strict=True)]
    others = (set(meanings[1].values()), set(meanings[0].values()))
    first, second = (
        [clause for clause in clauses if known[clause.id] not in other]
        for clauses, known, other in zip(of, meanings, others, strict=True)
    )
    return first, second


# -- where a definition is used ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Site:
    """A definition used in a clause, with what it is asked of in terms of what the clause is read for."""

    name: str
    node: core.Use
    variables: frozenset[str]


def sites(scorer: Scorer, clause: Clause, names: frozenset[str], amounts: bool) -> tuple[Site, ...]:
    """Where a clause or its exceptions use definitions of these names, through other definitions too; if `amounts`,
    not in their conditions alone."""
    found: dict[core.Use, Site] = {}
    trees: list[object] = [(each.condition, each.unless) for each in scorer.with_exceptions(clause)]
    for tree in (*trees, clause.effects) if amounts else trees:
        _gather(scorer, tree, {}, names, found)
    return tuple(found.values())


def _gather(
    scorer: Scorer, node: object, inside: dict[str, core.Value], names: frozenset[str], found: dict[core.Use, Site]
) -> None:
    if isinstance(node, core.Use):
        arguments = tuple(_put_in(argument, inside) for argument in node.arguments)
        definition = scorer.edition.definitions[node.definition]
        if node.definition in names:
            use = core.Use(node.definition, arguments, node.type)
            found.setdefault(use, Site(node.definition, use, frozenset(variables_of(use))))
        if definition.table is None:
            given = dict(zip((name for name, _ in definition.parameters), arguments, strict=True))
            _gather(scorer, definition.body, given, names, found)
    for child in children(node):
        _gather(scorer, child, inside, names, found)


def _put_in(node: core.Value, inside: dict[str, core.Value]) -> core.Value:
    """A value with what a definition is asked of in the place of its parameters."""
    match node:
        case core.Variable(name):
            return inside.get(name, node)
        case core.Read(name, arguments, of):
            return core.Read(name, tuple(_put_in(each, inside) for each in arguments), of)
        case core.Operate(name, arguments, of):
            return core.Operate(name, tuple(_put_in(each, inside) for each in arguments), of)
        case core.Use(name, arguments, of):
            return core.Use(name, tuple(_put_in(each, inside) for each in arguments), of)
        case core.Arithmetic(sign, left, right, of):
            return core.Arithmetic(sign, _put_in(left, inside), _put_in(right, inside), of)
        case _:
            return node
