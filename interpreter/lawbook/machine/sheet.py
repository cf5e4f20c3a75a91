"""The score sheet: the second machine of an edition. A deal's facts give lines; lines are entered between deals.

A deal is scored in two steps. Its clauses read the facts and give lines for the columns, all at once. Then the sheet's
clauses read the facts, the totals of those lines and what the sheet remembers, and write what it remembers next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lawbook.edition.model import Clause, Edition, Kind, Register, Score, Scoring
from lawbook.machine.compiled import CompiledEvaluator
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.ruling import Scored
from lawbook.machine.state import Writes, start_of

Facts = Mapping[tuple[str, tuple[int, ...]], int | None]
"""What is known of a deal: for each fact's name and indices its number. What is not told is at its start."""


@dataclass(frozen=True, slots=True)
class DealScore:
    """What a deal scores: the lines, or the clauses by which these facts are none to score."""

    lines: tuple[Scored, ...]
    refused: tuple[Clause, ...]


class Sheet:
    """Scores by one edition. It keeps no state of its own; what it remembers is handed in and out."""

    def __init__(self, edition: Edition, evaluate: type[Evaluator] = CompiledEvaluator) -> None:
        self.edition = edition
        self._registers: dict[str, Register] = {**edition.facts, **edition.sheet}
        self.evaluator = evaluate(edition.universe, self._registers, edition.definitions)
        self._exceptions: dict[str, list[Clause]] = {}
        for clause in edition.clauses:
            if clause.kind is Kind.EXCEPTION:
                for target in clause.targets:
                    self._exceptions.setdefault(target, []).append(clause)

    def start(self, dealer: int = 0) -> Values:
        """The values before the first deal."""
        return tuple(start_of(register, dealer) for register in self._registers.values() for _ in range(register.size))

    def with_facts(self, values: Values, facts: Facts, dealer: int) -> Values:
        """The values with a deal's facts in place; facts not told are at their start.

        Raises KeyError for a fact the edition does not know, ValueError for one outside its domain.
        """
        found = list(values)
        for register in self.edition.facts.values():
            for slot in range(register.slot, register.slot + register.size):
                found[slot] = start_of(register, dealer)
        for (name, indices), value in facts.items():
            register = self.edition.facts[name]
            found[self.evaluator.slot(register, indices)] = value
        return tuple(found)

    def deal(self, values: Values) -> DealScore:
        """The lines of a deal whose facts are in place."""
        refused = tuple(clause for clause, _ in self._applying(Scoring.REFUSED, values))
        if refused:
            return DealScore((), refused)
        return DealScore(tuple(self._lines(Scoring.DEAL, values)), ())

    def no_correction(self, values: Values) -> tuple[Clause, ...]:
        """The clauses by which an error whose facts are in place may not be corrected any more."""
        return tuple(clause for clause, _ in self._applying(Scoring.NO_CORRECTION, values))

    @property
    def knows_corrections(self) -> bool:
        """Whether the edition says anything of correcting errors."""
        return any(clause.scores is Scoring.NO_CORRECTION for clause in self.edition.clauses)

    def enter(self, values: Values, lines: tuple[Scored, ...]) -> tuple[Values, tuple[Scored, ...]]:
        """Enter a deal's lines: what the sheet remembers after it, and the lines that entering it adds."""
        found = list(values)
        for register in self.edition.facts.values():
            if register.totals is not None:
                for side in range(register.size):
                    mine = (n for n in lines if n.column == register.totals and n.side == side)
                    found[register.slot + side] = sum(line.points for line in mine)
        before = tuple(found)
        writes = Writes(self.evaluator)
        for clause, bound in self._applying(Scoring.SHEET, before):
            for effect in clause.effects:
                if not isinstance(effect, Score):
                    writes.add(effect, clause, before, bound)
        return writes.applied(before), tuple(self._lines(Scoring.SHEET, before))

    def _lines(self, scoring: Scoring, values: Values) -> list[Scored]:
        found = []
        for clause, bound in self._applying(scoring, values):
            for effect in clause.effects:
                if isinstance(effect, Score):
                    points, side = self.evaluator.solid((effect.amount, effect.side), values, bound)
                    if points:
                        found.append(Scored(side, effect.column, points, clause))
        return found

    def _applying(self, scoring: Scoring, values: Values) -> list[tuple[Clause, Bound]]:
        found: list[tuple[Clause, Bound]] = []
        for clause in self.edition.clauses:
            if clause.scores is not scoring:
                continue
            members = {None: (None,), "side": range(2), "player": range(4)}[clause.each]
            for member in members:
                bound: Bound = {} if member is None else {"that": member}
                if self.holds(clause, values, bound):
                    found.append((clause, bound))
        return found

    def holds(self, clause: Clause, values: Values, bound: Bound) -> bool:
        """Whether a clause applies: its condition holds and neither its `unless` nor an exception defeats it."""
        if not self.evaluator.truth(clause.condition, values, bound):
            return False
        if clause.unless is not None and self.evaluator.truth(clause.unless, values, bound):
            return False
        return not any(self.holds(e, values, bound) for e in self._exceptions.get(clause.id, ()))
