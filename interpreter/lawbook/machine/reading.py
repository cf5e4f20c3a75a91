"""Reading clauses: which apply to an act on a state, and to which open rights."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from lawbook.edition.model import (
    EVERY_CALL,
    EVERY_PROHIBITION,
    EVERY_REMEDY,
    Assign,
    Clause,
    Edition,
    Effect,
    Kind,
    LapseRight,
    Remedy,
    Score,
    Step,
    TakeBackEarlier,
)
from lawbook.language import core
from lawbook.language.types import SetOf
from lawbook.machine.compiled import CompiledEvaluator
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.ruling import Defeated, Event, Scored
from lawbook.machine.state import HeldCall, Right, Writes, right_bound
from lawbook.records import dataclass, field


@dataclass(slots=True)
class Report:
    """What is gathered for a ruling while an act goes through its steps."""

    fired: list[Clause] = field(default_factory=list)
    stood: list[Clause] = field(default_factory=list)
    defeated: list[Defeated] = field(default_factory=list)
    offences: list[int] = field(default_factory=list)
    opened: list[Right] = field(default_factory=list)
    lapsed: list[tuple[int, Right, str]] = field(default_factory=list)
    scored: list[Scored] = field(default_factory=list)
    penalised: bool = False


@dataclass(frozen=True, slots=True)
class Instance:
    """One reading of a clause: what is bound, and the held call and right it is read for, if for one."""

    bound: Bound
    at: int | None = None
    right: Right | None = None


class Changes:
    """What one step does: writes to registers, rights lost, and what rights are to remember."""

    def __init__(self, reader: Reader, report: Report) -> None:
        self._reader = reader
        self._report = report
        self.writes = Writes(reader.evaluator)
        self._lost: set[tuple[int, Right]] = set()
        self._marked: dict[tuple[int, Right], dict[int, int | None]] = {}

    def lose(self, at: int, right: Right, by: str) -> None:
        """A right ends, by the clause of that id."""
        self._lost.add((at, right))
        self._report.lapsed.append((at, right, by))

    def fire(self, clause: Clause, instance: Instance, values: Values) -> None:
        """Note a clause as fired and gather its effects."""
        report = self._report
        if clause not in report.fired:
            report.fired.append(clause)
        if clause.offence is not None and clause.offence not in report.offences:
            report.offences.append(clause.offence)
        if clause.kind is Kind.PROHIBITION and clause.effects:
            report.penalised = True
        for effect in clause.effects:
            self.do(effect, clause, values, instance)

    def do(self, effect: Effect, clause: Clause, values: Values, instance: Instance) -> None:
        """Gather one effect."""
        evaluator = self._reader.evaluator
        registers = self._reader.edition.registers
        if isinstance(effect, Score):
            points, side = evaluator.solid((effect.amount, effect.side), values, instance.bound)
            self._report.scored.append(Scored(side, effect.column, points, clause))
        elif isinstance(effect, LapseRight):
            assert instance.at is not None
            assert instance.right is not None
            self.lose(instance.at, instance.right, clause.id)
        elif isinstance(effect, Assign) and registers[effect.register].per_right:
            assert instance.at is not None
            assert instance.right is not None
            mark = evaluator.value(effect.value, values, instance.bound)
            marks = self._marked.setdefault((instance.at, instance.right), {})
            marks[registers[effect.register].slot] = mark
        elif not isinstance(effect, TakeBackEarlier):
            self.writes.add(effect, clause, values, instance.bound)

    def held(self, held: tuple[HeldCall, ...]) -> tuple[HeldCall, ...]:
        """The held calls with the rights as this step leaves them."""
        if not self._lost and not self._marked:
            return held
        return tuple(
            HeldCall(
                call.caller,
                call.call,
                call.before,
                frozenset(self._kept(at, right) for right in call.rights if (at, right) not in self._lost),
                call.is_call,
            )
            for at, call in enumerate(held)
        )

    def _kept(self, at: int, right: Right) -> Right:
        marks = self._marked.get((at, right))
        if marks is None:
            return right
        return Right(right.offence, right.remedy, tuple(marks.get(slot, old) for slot, old in enumerate(right.marks)))


class Reader:
    """One edition's clauses, indexed by the acts they are read for."""

    def __init__(self, edition: Edition, evaluate: type[Evaluator] = CompiledEvaluator) -> None:
        self.edition = edition
        self.evaluator = evaluate(edition.universe, edition.registers, edition.definitions)
        self.by_kind: dict[Kind, list[Clause]] = defaultdict(list)
        # Clauses that offer a choice, by the act that chooses it.
        self.choosers: dict[str, list[Clause]] = defaultdict(list)
        self._by_trigger: dict[tuple[Step, str], list[Clause]] = defaultdict(list)
        self._exceptions: dict[str, list[Clause]] = defaultdict(list)
        for clause in edition.clauses:
            self._index(clause)

    def _index(self, clause: Clause) -> None:
        self.by_kind[clause.kind].append(clause)
        if clause.kind is Kind.EXCEPTION:
            for target in clause.targets:
                self._exceptions[target].append(clause)
        elif clause.remedy is not None:
            for choice in clause.remedy.choices:
                self.choosers[choice.act].append(clause)
        elif clause.kind is Kind.WAIVER:
            for choice in clause.choices:
                self.choosers[choice.act].append(clause)
        elif clause.trigger is not None and clause.kind is not Kind.LAPSE:
            for act in clause.trigger.acts:
                self._by_trigger[clause.trigger.step, act].append(clause)

    def read_for(self, step: Step, act: str) -> list[Clause]:
        """The clauses read in a step of an act."""
        return self._by_trigger.get((step, act), [])

    def kind_of(self, call: int) -> str:
        """The kind of a call by its number."""
        return ("pass", "double", "redouble", "bid")[min(call, self.edition.universe.first_bid)]

    def bound(self, event: Event) -> dict[str, int | None]:
        """What an act binds: the caller, the call, the bid, the argument."""
        bound: dict[str, int | None] = {"caller": event.seat}
        if event.call is not None:
            bound["call"] = event.call
            if event.name == "bid":
                bound["bid"] = event.call
        if event.argument is not None:
            bound["argument"] = event.argument
        return bound

    def bound_of_right(self, held: HeldCall, right: Right) -> dict[str, int | None]:
        """What an open right binds: the offender, the offence, the call it is about, what it remembers."""
        base: dict[str, int | None] = {"offender": held.caller, "call": held.call}
        if held.call is not None and held.call >= self.edition.universe.first_bid:
            base["bid"] = held.call
        return right_bound(self.edition, right, base)

    def remedy_of(self, right: Right) -> tuple[Clause, Remedy]:
        """The clause that gives a right's remedy, and the remedy."""
        clause = self.edition.by_id[right.remedy]
        assert clause.remedy is not None
        return clause, clause.remedy

    def holders(self, right: Right, values: Values, bound: Bound) -> int:
        """The set of seats that hold a right."""
        _, remedy = self.remedy_of(right)
        holder = self.evaluator.value(remedy.holder, values, bound)
        if holder is None:
            return 0
        return holder if isinstance(remedy.holder.type, SetOf) else 1 << holder

    def holds(self, clause: Clause, values: Values, bound: Bound, report: Report | None = None) -> bool:
        """Whether a clause applies: its condition holds and neither its `unless` nor an exception defeats it."""
        if not self.evaluator.truth(clause.condition, values, bound):
            return False
        if clause.unless is not None and self.evaluator.truth(clause.unless, values, bound):
            if report is not None:
                report.defeated.append(Defeated(clause, clause.id))
            return False
        for exception in self.exceptions_to(clause):
            if self.holds(exception, values, bound):
                if report is not None:
                    report.defeated.append(Defeated(clause, exception.id))
                return False
        return True

    def exceptions_to(self, clause: Clause) -> list[Clause]:
        """The exceptions stated to a clause, by its id or by its kind."""
        general = EVERY_REMEDY if clause.remedy is not None else EVERY_PROHIBITION
        found = self._exceptions.get(clause.id, [])
        if clause.remedy is None and not _is_of_call(clause):
            return found
        return [*found, *(e for e in self._exceptions.get(general, []) if clause.id not in e.spared)]

    def instances(
        self,
        clause: Clause,
        held: tuple[HeldCall, ...],
        values: Values,
        bound: Bound,
        report: Report | None = None,
    ) -> Iterator[Instance]:
        """How a clause applies to an act: once, or once for each open right it is read for; or not at all."""
        if not clause.each_right:
            if self.is_of_role(clause, values, bound) and self.holds(clause, values, bound, report):
                yield Instance(bound)
            return
        for at, call in enumerate(held):
            for right in sorted(call.rights):
                own = self.bound_of_right(call, right)
                about = {"offender": own["offender"], "offence": own["offence"]}
                inside = {**own, **bound, **about, "holders": self.holders(right, values, own)}
                # A role can depend on the right: an adversary is one of the offender's.
                if self.is_of_role(clause, values, inside) and self.holds(clause, values, inside, report):
                    yield Instance(inside, at, right)

    def is_of_role(self, clause: Clause, values: Values, bound: Bound) -> bool:
        """Whether the actor has the role a clause's trigger speaks of; the table itself is no player."""
        if clause.trigger is None:
            return True
        seat = bound.get("caller")
        if clause.trigger.by_table:
            return seat is None
        if clause.trigger.role is None:
            return seat is not None
        return seat is not None and self.in_role(clause.trigger.role, values, bound, seat)

    def in_role(self, role: core.Value, values: Values, bound: Bound, seat: int) -> bool:
        """Whether a seat is the one, or one of those, that a role means."""
        who = self.evaluator.value(role, values, bound)
        if who is None:
            return False
        return bool(who >> seat & 1) if isinstance(role.type, SetOf) else who == seat


def _is_of_call(clause: Clause) -> bool:
    return clause.kind is Kind.PROHIBITION and clause.trigger is not None and clause.trigger.acts <= EVERY_CALL
