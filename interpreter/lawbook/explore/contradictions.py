"""Contradictions: the proof that no two clauses ever contradict each other, by the truth tables of what they ask.

Two clauses contradict each other where one step of an act has them write different values to one place, put different
calls in the place of one, or let different players act of themselves. Every two clauses that can share a step are held
against each other, for all values of whatever they read. Whether an auction leads there is not asked: a proof holds for
any number of acts and of open rights, and that there is no proof means nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from lawbook.edition.machines import variables_of
from lawbook.edition.model import CALL_KINDS, Assign, Clause, Edition, JudgeAgain, Kind, Move, StandAs, Step
from lawbook.explore.doings import Doing, Doings, instead_of
from lawbook.explore.proofs import Possible, is_never
from lawbook.language import core
from lawbook.language.types import SetOf
from lawbook.machine.evaluate import Bound, Evaluator, Values, members
from lawbook.machine.tables import FEW_CASES, MOST_CASES, Tables

# Stands before the name of what the second of two clauses binds for itself.
_SECOND: Final = "second:"

Pair: TypeAlias = tuple[Clause, Clause]


def unproved(edition: Edition, possible: Possible) -> tuple[Pair, ...]:
    """The pairs of clauses that may contradict each other for all that is proved, as long as registers have only the
    values that are possible; none: no auction leads to a contradiction.

    >>> from lawbook.loading import load
    >>> unproved(load("portland-bath-1908"), {})
    ()
    """
    return _Contradictions(edition, possible).unproved()


class _Contradictions:
    def __init__(self, edition: Edition, possible: Possible) -> None:
        self._edition = edition
        self._possible = possible
        self._doings = Doings(edition)
        self._reader = self._doings.reader

    def unproved(self) -> tuple[Pair, ...]:
        found: dict[Pair, None] = {}
        for one, other in self._pairs():
            pair = one.clause, other.clause
            if pair not in found and not self._is_proved(one, other):
                found[pair] = None
        for first, second in itertools.combinations(self._reader.by_kind[Kind.OF_ITSELF], 2):
            if not self._is_proved_of_actors(first, second):
                found[first, second] = None
        return tuple(found)

    # -- steps ---------------------------------------------------------------------------------------------------------

    def _pairs(self) -> Iterator[tuple[Doing, Doing]]:
        """What can be done together in one step of some act, two by two."""
        for kind in CALL_KINDS:
            yield from _together(self._doings.read(Step.MADE, kind))
            yield from _together(self._doings.read(Step.STANDS, kind))
            before = self._doings.read(Step.BEFORE, kind)
            yield from _together(before)
            yield from itertools.product(before, self._doings.taken_back("offender"))
            fated = [doing for doing in before if instead_of(doing.clause) is not None]
            # They are judged on different tables.
            yield from itertools.product(fated, [d for d in self._doings.read(Step.MADE, kind) if instead_of(d.clause)])
        yield from _together(self._doings.taken_back())
        of_itself = [Doing(clause, clause.effects) for clause in self._reader.by_kind[Kind.OF_ITSELF]]
        yield from _together(of_itself)
        yield from itertools.product(of_itself, self._doings.read(Step.STANDS, "pass"))
        for act, word in self._edition.acts.items():
            made = self._doings.read(Step.MADE, act)
            yield from _together(made)
            if word.chooses:
                yield from itertools.product(made, self._doings.taken_back())
                yield from self._chosen_together(act)
        for act in (*CALL_KINDS, *self._edition.acts):
            yield from _together(self._doings.read(Step.REFUSED, act))

    def _chosen_together(self, act: str) -> Iterator[tuple[Doing, Doing]]:
        """What can be chosen by one act, and what the calls do that stand in place of others by it."""
        chosen = [self._doings.chosen(clause, act) for clause in self._reader.choosers.get(act, [])]
        yield from _together(chosen)
        standing = self._doings.standing()
        for giving in chosen:
            for effect in giving.effects:
                if isinstance(effect, StandAs):
                    replaced = [Doing(clause, clause.effects, instead=effect.call) for clause in standing]
                    yield from itertools.product(chosen, replaced)

    # -- two clauses ---------------------------------------------------------------------------------------------------

    def _is_proved(self, one: Doing, other: Doing) -> bool:
        """Whether what two clauses do in one step is proved never to contradict."""
        a, b = one.clause.trigger, other.clause.trigger
        if a is not None and b is not None and one.asked and other.asked and a.by_table != b.by_table:
            return True
        contrary = list(self._contrary(one, other))
        return not contrary or self._never(one, other, contrary)

    def _contrary(self, one: Doing, other: Doing) -> Iterator[Callable[[_Case], bool]]:
        """What might contradict, each with what tells whether it does in a case."""
        registers = self._edition.registers
        for first in one.effects:
            for second in other.effects:
                if isinstance(first, Assign | Move) and isinstance(second, Assign | Move):
                    if first.register == second.register and not registers[first.register].per_right:
                        yield from _writing(first, second, isinstance(registers[first.register].type, SetOf))
                elif isinstance(first, StandAs | JudgeAgain) and isinstance(second, StandAs | JudgeAgain):
                    yield from _different(first.call, second.call, other.own)
        decided, later = instead_of(one.clause), instead_of(other.clause)
        if decided is not None and later is not None and one.asked and other.asked:
            yield from _different(decided, later, other.own)

    def _never(self, one: Doing, other: Doing, contrary: Iterable[Callable[[_Case], bool]]) -> bool:
        tables = self._doings.tables(one, other, possible=self._possible)
        doubled = {f"{_SECOND}{name}": of for name, of in tables.variables.items()}
        tables = replace(tables, variables={**doubled, **tables.variables})

        def first(case: _Case) -> bool:
            return self._doings.is_done(one, case.values, case.bound)

        def second(case: _Case) -> bool:
            return case.second(lambda bound: self._doings.is_done(other, case.values, bound))

        def contradict(case: _Case) -> bool:
            return any(contradictory(case) for contradictory in contrary)

        def proved(most: int, *parts: Callable[[_Case], bool]) -> bool:
            def ask(values: Values, bound: Bound) -> bool:
                case = _Case(self._doings, values, bound, other.own, other.instead)
                return all(part(case) for part in parts)

            return is_never(ask, tables, most)

        # In which order there is least to ask is not known.
        orders = ((contradict, first, second), (first, second, contradict), (second, first, contradict))
        return any(proved(most, *order) for most in (FEW_CASES, MOST_CASES) for order in orders)

    def _is_proved_of_actors(self, first: Clause, second: Clause) -> bool:
        """Whether two clauses that let somebody act of himself are proved never to let different players."""
        tables = replace(Tables.of(first, self._edition, second), possible=self._possible)

        def ask(values: Values, bound: Bound) -> bool:
            if not self._reader.holds(first, values, {}) or not self._reader.holds(second, values, {}):
                return False
            assert first.actor is not None
            assert second.actor is not None
            evaluator = tables.evaluator
            return evaluator.value(first.actor, values, {}) != evaluator.value(second.actor, values, {})

        return is_never(ask, tables)


def _together(doings: Sequence[Doing]) -> Iterator[tuple[Doing, Doing]]:
    """What is done together, two by two; a clause also with itself, and within itself."""
    yield from itertools.combinations(doings, 2)
    yield from ((doing, doing) for doing in doings if doing.several)
    for doing in doings:
        for first, second in itertools.combinations(doing.effects, 2):
            yield replace(doing, effects=(first,)), replace(doing, effects=(second,), own=frozenset())


# -- one case ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Case:
    """One case of a truth table, in which the second clause has bindings of its own."""

    doings: Doings
    values: Values
    bound: Bound
    own: frozenset[str]
    instead: core.Value | None

    @property
    def evaluator(self) -> Evaluator:
        return self.doings.reader.evaluator

    def first(self, value: core.Value) -> int | None:
        """A value as the first clause has it."""
        return self.evaluator.value(value, self.values, self.bound)

    def second(self, ask: Callable[[Bound], bool]) -> bool:
        """What is answered for the second clause."""
        return bool(self._second(ask))

    def value(self, value: core.Value) -> int | None:
        """A value as the second clause has it."""
        return self._second(lambda bound: self.evaluator.value(value, self.values, bound))

    def _second(self, ask: Callable[[Bound], int | None]) -> int | None:
        own = self.own
        if self.instead is not None:
            return self.doings.as_instead(self.instead, self.values, self.bound, ask)
        bound: Mapping[str, int | None] = {
            **{name: value for name, value in self.bound.items() if name not in own},
            **{n.removeprefix(_SECOND): value for n, value in self.bound.items() if n.startswith(_SECOND)},
        }
        try:
            return ask(bound)
        except KeyError as wanted:
            (place,) = wanted.args
            if place not in own:
                raise
            # What the first has of that name is not meant.
            raise KeyError(f"{_SECOND}{place}") from None


def _different(first: core.Value, second: core.Value, own: frozenset[str]) -> Iterator[Callable[[_Case], bool]]:
    """What tells whether two values are different; nothing if they are the same whatever is bound."""
    if first != second or variables_of(first) & own:
        yield lambda case: case.first(first) != case.value(second)


def _writing(first: Assign | Move, second: Assign | Move, is_set: bool) -> Iterator[Callable[[_Case], bool]]:
    """What tells whether two effects on one register contradict each other; nothing if they never can."""
    if isinstance(first, Assign) and isinstance(second, Assign):
        constant = isinstance(first.value, core.Constant) and isinstance(second.value, core.Constant)
        if not constant or first.value != second.value:
            yield lambda case: _assign(case, first, second, is_set)
    elif isinstance(first, Move) and isinstance(second, Move):
        if first.joins is not second.joins:
            yield lambda case: any(
                True for _ in _members(first.member, case.first) & _members(second.member, case.value)
            )
    else:
        # What replaces a whole set and what changes it in a member contradict each other whatever they write.
        yield lambda _: True


def _assign(case: _Case, first: Assign, second: Assign, is_set: bool) -> bool:
    places = [case.first(argument) for argument in first.arguments]
    if places != [case.value(argument) for argument in second.arguments]:
        return False
    one, other = case.first(first.value), case.value(second.value)
    # What has no members and no set at all are written alike.
    return (one or 0) != (other or 0) if is_set else one != other


def _members(member: core.Value, value: Callable[[core.Value], int | None]) -> frozenset[int]:
    found = value(member)
    if found is None:
        return frozenset()
    return frozenset(members(found)) if isinstance(member.type, SetOf) else frozenset({found})
