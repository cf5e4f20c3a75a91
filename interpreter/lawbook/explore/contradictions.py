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

from lawbook.edition.machines import registers_of, variables_of
from lawbook.edition.model import (
    CALL_KINDS,
    EVERY_CALL,
    Assign,
    Clause,
    Edition,
    Effect,
    FateKind,
    JudgeAgain,
    Kind,
    Move,
    PutBack,
    StandAs,
    Step,
)
from lawbook.explore.occasions import choices_of
from lawbook.explore.proofs import Possible, is_never
from lawbook.language import core
from lawbook.language.types import SetOf
from lawbook.machine.evaluate import Bound, Evaluator, Values, members
from lawbook.machine.reading import Reader
from lawbook.machine.tables import FEW_CASES, MOST_CASES, Tables

# What a right binds, and what an act binds.
_OF_A_RIGHT: Final = frozenset({"offender", "offence", "holders"})
_OF_A_CALL: Final = frozenset({"caller", "call", "bid"})
# Stands before the name of what the second of two clauses binds for itself.
_SECOND: Final = "second:"


@dataclass(frozen=True, slots=True)
class Doing:
    """What a clause does in one step of an act. `own` are the names it binds for itself there, which another may bind
    otherwise, `several` says that one act can have it do so more than once.

    `asked`: it does so only where it is read and its conditions hold, on the table that its effects read. `makers` are
    the prohibitions one of which held on that table, if that is known. With `instead` it is what a call does that
    stands in the place of the offender's.
    """

    clause: Clause
    effects: tuple[Effect, ...]
    own: frozenset[str] = frozenset()
    several: bool = False
    asked: bool = True
    makers: tuple[Clause, ...] = ()
    instead: core.Value | None = None


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
        self._reader = Reader(edition, Evaluator)
        marks = {f"right:{register.name}" for register in edition.registers.values() if register.per_right}
        self._of_a_right = _OF_A_RIGHT | marks
        self._always = {r.name for r in edition.registers.values() if r.put_back is PutBack.ALWAYS and not r.per_right}

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
            yield from _together(self._read(Step.MADE, kind))
            yield from _together(self._read(Step.STANDS, kind))
            before = self._read(Step.BEFORE, kind)
            yield from _together(before)
            yield from itertools.product(before, self._taken_back({"offender"}))
            fated = [doing for doing in before if _instead(doing.clause) is not None]
            # They are judged on different tables.
            yield from itertools.product(fated, [d for d in self._read(Step.MADE, kind) if _instead(d.clause)])
        yield from _together(self._taken_back(set()))
        of_itself = [Doing(clause, clause.effects) for clause in self._reader.by_kind[Kind.OF_ITSELF]]
        yield from _together(of_itself)
        yield from itertools.product(of_itself, self._read(Step.STANDS, "pass"))
        for act, word in self._edition.acts.items():
            made = self._read(Step.MADE, act)
            yield from _together(made)
            if word.chooses:
                yield from itertools.product(made, self._taken_back(set()))
                yield from self._chosen_together(act)
        for act in (*CALL_KINDS, *self._edition.acts):
            yield from _together(self._read(Step.REFUSED, act))

    def _read(self, step: Step, act: str) -> list[Doing]:
        """What clauses do that are read in a step of an act."""
        bound = frozenset({"caller", "argument"}) | (_OF_A_CALL if act in EVERY_CALL else frozenset())
        own = (self._of_a_right | _OF_A_CALL) - bound
        return [
            Doing(clause, clause.effects, own if clause.each_right else frozenset(), clause.each_right)
            for clause in self._reader.read_for(step, act)
            if clause.kind is not Kind.REFUSAL
        ]

    def _taken_back(self, own: set[str]) -> list[Doing]:
        """What clauses do because calls are taken back, of which there may be several."""
        read = {c: None for kind in CALL_KINDS for c in self._reader.read_for(Step.TAKEN_BACK, kind)}
        return [Doing(clause, clause.effects, _OF_A_CALL | own, several=True) for clause in read]

    def _chosen_together(self, act: str) -> Iterator[tuple[Doing, Doing]]:
        """What can be chosen by one act, and what the calls do that stand in place of others by it."""
        chosen = [self._chosen(clause, act) for clause in self._reader.choosers.get(act, [])]
        yield from _together(chosen)
        standing = {c: None for kind in CALL_KINDS for c in self._reader.read_for(Step.STANDS, kind)}
        for giving in chosen:
            for effect in giving.effects:
                if isinstance(effect, StandAs):
                    replaced = [Doing(clause, clause.effects, instead=effect.call) for clause in standing]
                    yield from itertools.product(chosen, replaced)

    def _chosen(self, clause: Clause, act: str) -> Doing:
        """What a clause lets be chosen by an act, under one right among others against the same call."""
        own = self._of_a_right - {"offender", "holders"}
        effects = tuple(e for choice in choices_of(clause) if choice.act == act for e in choice.effects)
        # A call that is put back broke a law on the table that the effects read, if what both read is put back.
        offences = frozenset() if clause.remedy is None else clause.remedy.offences
        makers = tuple(c for c in self._edition.clauses if c.offence is not None and c.offence in offences)
        when_made = all(maker.trigger is not None and maker.trigger.step is Step.MADE for maker in makers)
        puts_back = any(isinstance(effect, StandAs) for effect in effects)
        read = registers_of((*map(_asked, makers), effects), self._edition.definitions)
        known = makers if puts_back and when_made and read <= self._always else ()
        several = clause.remedy is None or len(offences) > 1
        return Doing(clause, effects, own, several, asked=False, makers=known)

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
        decided, later = _instead(one.clause), _instead(other.clause)
        if decided is not None and later is not None and one.asked and other.asked:
            yield from _different(decided, later, other.own)

    def _never(self, one: Doing, other: Doing, contrary: Iterable[Callable[[_Case], bool]]) -> bool:
        clauses = (one.clause, other.clause, *one.makers, *other.makers)
        also = [*clauses, other.instead, *(e for clause in clauses for e in self._exceptions(clause))]
        # What is chosen is chosen under a right about a call, whatever the call is.
        acts = [EVERY_CALL if not doing.asked else _acts(doing.clause) for doing in (one, other)]
        tables = Tables.of(one.clause, self._edition, *also, acts=acts[0] | acts[1])
        doubled = {f"{_SECOND}{name}": of for name, of in tables.variables.items()}
        tables = replace(tables, variables={**doubled, **tables.variables}, possible=self._possible)

        def first(case: _Case) -> bool:
            return self._applies(one, case.values, case.bound)

        def second(case: _Case) -> bool:
            return case.second(lambda bound: self._applies(other, case.values, bound))

        def contradict(case: _Case) -> bool:
            return any(contradictory(case) for contradictory in contrary)

        def proved(most: int, *parts: Callable[[_Case], bool]) -> bool:
            def ask(values: Values, bound: Bound) -> bool:
                case = _Case(tables.evaluator, values, bound, other.own, other.instead)
                return all(part(case) for part in parts)

            return is_never(ask, tables, most)

        # In which order there is least to ask is not known.
        orders = ((contradict, first, second), (first, second, contradict), (second, first, contradict))
        return any(proved(most, *order) for most in (FEW_CASES, MOST_CASES) for order in orders)

    def _exceptions(self, clause: Clause) -> Iterator[Clause]:
        for exception in self._reader.exceptions_to(clause):
            yield exception
            yield from self._exceptions(exception)

    def _applies(self, doing: Doing, values: Values, bound: Bound) -> bool:
        reader = self._reader
        if doing.instead is not None and reader.kind_of(bound["call"] or 0) not in _acts(doing.clause):
            return False
        if doing.asked:
            return reader.holds(doing.clause, values, bound) and in_role(reader, doing.clause, values, bound)
        if not doing.makers:
            return True
        # The offender is who called, and the call is the one that the right is about.
        made = {**bound, "caller": bound["offender"]}
        return any(reader.holds(maker, values, made) and in_role(reader, maker, values, made) for maker in doing.makers)

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


def in_role(reader: Reader, clause: Clause, values: Values, bound: Bound) -> bool:
    """Whether whoever acts has the role a clause speaks of; asks for him where he is not settled yet."""
    if clause.trigger is None or clause.trigger.by_table or clause.trigger.role is None:
        return True
    seat = bound["caller"]
    return seat is not None and reader.in_role(clause.trigger.role, values, bound, seat)


def _together(doings: Sequence[Doing]) -> Iterator[tuple[Doing, Doing]]:
    yield from itertools.combinations(doings, 2)
    yield from ((doing, doing) for doing in doings if doing.several)


def _instead(clause: Clause) -> core.Value | None:
    """The call as which a clause lets a call stand that is made, if it does so."""
    return clause.fate.instead if clause.fate is not None and clause.fate.kind is FateKind.STANDS_AS else None


def _acts(clause: Clause) -> frozenset[str]:
    return frozenset() if clause.trigger is None else clause.trigger.acts


def _asked(clause: Clause) -> tuple[object, ...]:
    role = None if clause.trigger is None else clause.trigger.role
    return clause.condition, clause.unless, role


# -- one case ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Case:
    """One case of a truth table, in which the second clause has bindings of its own."""

    evaluator: Evaluator
    values: Values
    bound: Bound
    own: frozenset[str]
    instead: core.Value | None

    def first(self, value: core.Value) -> int | None:
        return self.evaluator.value(value, self.values, self.bound)

    def second(self, ask: Callable[[Bound], bool]) -> bool:
        return bool(self._second(ask))

    def value(self, value: core.Value) -> int | None:
        """A value as the second clause has it."""
        return self._second(lambda bound: self.evaluator.value(value, self.values, bound))

    def _second(self, ask: Callable[[Bound], int | None]) -> int | None:
        own = self.own
        if self.instead is not None:
            # It is the offender who called, and what stands is what was chosen; which it is may make no difference.
            known = {"caller": self.bound["offender"], "replacement": 1}
            try:
                return ask(known)
            except KeyError as wanted:
                if wanted.args[0] not in _OF_A_CALL:
                    raise
            call = self.first(self.instead)
            return ask({**known, "call": call, "bid": call})
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
