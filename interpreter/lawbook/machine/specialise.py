"""One edition's clauses specialised: what is known of an act or a right is folded in, the rest becomes functions.

The functions read a state's values. What an act does to the table, to an open right, and what a right offers are
asked apart, because acts are few and rights are few but both together are many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from lawbook.edition.machines import variables_of
from lawbook.edition.model import (
    Choice,
    Clause,
    JudgeAgain,
    Kind,
    Step,
    TakeBackEarlier,
)
from lawbook.language.types import SetOf
from lawbook.machine.evaluate import Values
from lawbook.machine.folding import Code, Folder, Known, both, contrary, either
from lawbook.machine.reading import Reader
from lawbook.machine.rights import Rights
from lawbook.machine.ruling import Event
from lawbook.machine.state import Right, right_bound, start_of
from lawbook.machine.steps import StepWriter, disagree

Test: TypeAlias = Callable[[Values], Any]
"""A condition that some values meet; None in its place is one that never holds."""

_UNSET: Final = object()


@dataclass(frozen=True, slots=True)
class Offer:
    """A choice that a right offers to a seat: whether the seat holds the right, by the values at hand, and whether the
    choice is to be had, by those before the call if it puts the call back. None is always."""

    seat: int
    choice: Choice
    clause: Clause
    holds: Test | None
    may: Test | None


class Specialiser:
    """Makes the functions of one edition, each when it is first asked for."""

    def __init__(self, reader: Reader, rights: Rights) -> None:
        self._reader = reader
        self._rights = rights
        self.folder = Folder(reader.evaluator)
        self.folder.names.update({"unset": _UNSET, "disagree": disagree, "only": _only})
        self._mentioned: dict[str, bool] = {}

    # -- clauses -------------------------------------------------------------------------------------------

    def holds(self, clause: Clause, known: Known) -> bool | Code:
        """Whether a clause applies: its condition holds and neither its `unless` nor an exception defeats it."""
        condition = self.folder.truth(clause.condition, known)
        if condition is False:
            return False
        parts: list[bool | Code] = [condition]
        if clause.unless is not None:
            parts.append(contrary(self.folder.truth(clause.unless, known)))
        for exception in self._reader.exceptions_to(clause):
            if parts[-1] is False:
                return False
            parts.append(contrary(self.holds(exception, known)))
        return both(*parts)

    def is_of_role(self, clause: Clause, known: Known) -> bool | Code:
        """Whether the actor has the role that a clause's trigger speaks of."""
        trigger = clause.trigger
        if trigger is None:
            return True
        seat = known.get("caller")
        if trigger.by_table:
            return seat is None
        if seat is None or trigger.role is None:
            return seat is not None
        assert isinstance(seat, int)
        who = self.folder.value(trigger.role, known)
        if not isinstance(trigger.role.type, SetOf):
            return Code(f"({who} == {seat})") if isinstance(who, Code) else who == seat
        return Code(f"(({who} or 0) & {1 << seat})") if isinstance(who, Code) else bool((who or 0) >> seat & 1)

    def applies(self, clause: Clause, known: Known) -> bool | Code:
        """Whether a clause is of this act and holds."""
        role = self.is_of_role(clause, known)
        return False if role is False else both(role, self.holds(clause, known))

    # -- acts ----------------------------------------------------------------------------------------------

    def refuses(self, event: Event) -> Test | None:
        """Whether a refusal keeps an act from being done at all."""
        known = self._reader.bound(event)
        clauses = (c for c in self._reader.read_for(Step.MADE, event.name) if c.kind is Kind.REFUSAL)
        return self.folder.test(either(*(self.applies(c, known) for c in clauses)))

    def judge(self, event: Event) -> Any:
        """What a call does when it is made, by the clauses that are not read for each right.

        Gives the offences, the values, the fate and the call that stands as its fate says; None to decline.
        """
        known = self._reader.bound(event)
        clauses = [c for c in self._plain(Step.MADE, event.name) if c.kind is not Kind.REFUSAL]
        writer = StepWriter(self.folder)
        conditions = [self.applies(clause, known) for clause in clauses]
        fates = sum(1 for c, on in zip(clauses, conditions, strict=True) if c.fate is not None and on is not False)
        for clause, condition in zip(clauses, conditions, strict=True):
            also = self._offends(clause)
            if clause.fate is not None:
                instead = "None" if clause.fate.instead is None else self.folder.value(clause.fate.instead, known)
                kind = int(clause.fate.kind)
                if fates == 1:
                    also.append(f"f, i = {kind}, {instead}")
                else:
                    also += [
                        f"if {kind} >= f:",
                        f" k = {instead}",
                        f" if f == {kind} and i != k: return None",
                        f" f, i = {kind}, k",
                    ]
            writer.fire(condition, clause.effects, known, also)
        lines = ["o = ()", "f, i = -1, None", *writer.lines(), "return o, w, f, i"]
        return self._function("judge", "v", lines)

    def talk(self, event: Event) -> Any:
        """What an act does that is neither a call nor a remedy, by the clauses that are not read for each right.

        Gives whether any fired, the offences, the values, whether a call is judged again and which; None to decline.
        """
        known = self._reader.bound(event)
        writer = StepWriter(self.folder)
        for clause in self._plain(Step.MADE, event.name):
            if clause.kind is Kind.REFUSAL:
                continue
            again = next((e for e in clause.effects if isinstance(e, JudgeAgain)), None)
            condition = self.applies(clause, known)
            if again is not None:
                call = self.folder.value(again.call, known)
                also = ["t = True", f"k = {call}", "if j and k != i: return None", "j, i = True, k"]
                writer.fire(condition, (), known, also)
            else:
                writer.fire(condition, clause.effects, known, ["t = True", *self._offends(clause)])
        lines = ["t = j = False", "o = ()", "i = None", *writer.lines(), "return t, o, w, j, i"]
        return self._function("talk", "v", lines)

    def stand(self, seat: int | None, call: int, replacement: bool) -> Any:
        """The values after a call stands; None to decline."""
        event = Event(seat, self._reader.kind_of(call), call)
        known: Known = {**self._reader.bound(event), "replacement": int(replacement)}
        writer = StepWriter(self.folder)
        for clause in self._reader.read_for(Step.STANDS, event.name):
            writer.fire(self.holds(clause, known), clause.effects, known)
        return self._function("stand", "v", [*writer.lines(), "return w"])

    def fall(self) -> Any:
        """The values with registers whose time is over back at their start, unless this act wrote them.

        Takes the values before the act, and those after it as a tuple or a list; gives a tuple.
        """
        by_condition: dict[bool | Code, list[tuple[int, int | None]]] = {}
        for register in self._reader.edition.registers.values():
            if register.kept_while is None or register.per_right:
                continue
            over = contrary(self.folder.truth(register.kept_while, {}))
            start = start_of(register, 0)
            places = range(register.slot, register.slot + register.size)
            by_condition.setdefault(over, []).extend((slot, start) for slot in places)
        lines = ["w = v"]
        for over, slots in by_condition.items():
            if over is False:
                continue
            away = " or ".join(f"v[{s}] is not None" if start is None else f"v[{s}] != {start}" for s, start in slots)
            lines.append(f"if ({away}) and {over}:" if len(slots) <= 4 else f"if {over}:")
            lines.append(" if w is v: w = [*v]")
            lines += [f" if b[{slot}] == v[{slot}]: w[{slot}] = {start}" for slot, start in slots]
        lines.append("return w if w.__class__ is tuple else tuple(w)")
        return self._function("fall", "b, v", lines)

    def attempted(self, event: Event) -> Test | None:
        """Whether a law attaches something to the attempt at a refused act, each right apart."""
        known = self._reader.bound(event)
        return self.folder.test(either(*(self.applies(c, known) for c in self._plain(Step.REFUSED, event.name))))

    def comes_before(self, event: Event) -> list[tuple[Test, bool]]:
        """What is done before a call is judged: on what condition, and whether only for an own call that is held."""
        known = self._reader.bound(event)
        found = []
        for clause in self._plain(Step.BEFORE, event.name):
            test = self.folder.test(self.applies(clause, known))
            if test is not None:
                found.append((test, any(isinstance(e, TakeBackEarlier) for e in clause.effects)))
        return found

    def of_itself(self) -> Test | None:
        """Whether anything happens of itself."""
        return self.folder.test(either(*(self.holds(c, {}) for c in self._reader.by_kind[Kind.OF_ITSELF])))

    def opened(self, event: Event, offences: tuple[int, ...]) -> list[tuple[Right, Test | None]]:
        """The rights that offences open, each with the condition it opens on if that is not known."""
        found: list[tuple[Right, Test | None]] = []
        for offence in offences:
            known = {**self._reader.bound(event), "offender": event.seat, "offence": offence}
            for clause in self._rights.remedies_of(offence):
                assert clause.remedy is not None
                condition = self.folder.truth(clause.remedy.opened, known)
                if condition is not False:
                    right = Right(offence, clause.id, self._rights.unmarked)
                    found.append((right, None if condition is True else self.folder.test(condition)))
        return found

    def held_while(self, caller: int) -> Test | None:
        """Whether a call of somebody's may be put back."""
        return self.folder.test(self.folder.truth(self._reader.edition.held_while, {"caller": caller}))

    def _plain(self, step: Step, act: str) -> Iterable[Clause]:
        return (c for c in self._reader.read_for(step, act) if not c.each_right)

    def _offends(self, clause: Clause) -> list[str]:
        if clause.offence is None:
            return []
        return [f"if {clause.offence} not in o: o = (*o, {clause.offence})"]

    def _function(self, name: str, parameters: str, lines: list[str]) -> Any:
        body = "\n ".join(lines)
        return self.folder.function(f"def {name}({parameters}):\n {body}", name)

    # -- rights --------------------------------------------------------------------------------------------

    def mentions_call(self, right: Right) -> bool:
        """Whether anything that is read for a right speaks of the call it is about."""
        found = self._mentioned.get(right.remedy)
        if found is None:
            clause, _ = self._reader.remedy_of(right)
            trees = [clause, *self._rights.lapses_of(clause), *self._rights.waivers_of(clause), *self._each_right()]
            found = self._mentioned[right.remedy] = any(
                variables_of(tuple(self._with_exceptions(tree))) & {"call", "bid"} for tree in trees
            )
        return found

    def _each_right(self) -> list[Clause]:
        return [clause for clause in self._reader.edition.clauses if clause.each_right]

    def _with_exceptions(self, clause: Clause) -> Iterable[Clause]:
        yield clause
        for exception in self._reader.exceptions_to(clause):
            yield from self._with_exceptions(exception)

    def bound_of_right(self, caller: int, call: int | None, right: Right) -> dict[str, int | None]:
        """What an open right binds."""
        base: dict[str, int | None] = {"offender": caller, "call": call}
        if call is not None and call >= self._reader.edition.universe.first_bid:
            base["bid"] = call
        return right_bound(self._reader.edition, right, base)

    def ends(self, event: Event, caller: int, call: int | None, right: Right) -> Test | None:
        """Whether an act ends a right."""
        act = {k: v for k, v in self._reader.bound(event).items() if k in ("caller", "call", "bid", "argument")}
        known: Known = {**self.bound_of_right(caller, call, right), **act}
        clause, _ = self._reader.remedy_of(right)
        found: list[bool | Code] = []
        if clause.trigger is not None and event.name in clause.trigger.acts:
            found.append(self.is_of_role(clause, known))
        for lapse in self._rights.lapses_of(clause):
            if lapse.trigger is not None and event.name in lapse.trigger.acts:
                found.append(self.applies(lapse, known))
        return self.folder.test(either(*found))

    def ends_once(self, caller: int, call: int | None, right: Right, new: bool) -> Any:
        """Whether a right ends because something has come to be so: asked of the values before and after the act."""
        known: Known = {**self.bound_of_right(caller, call, right), "new": int(new)}
        found: list[bool | Code] = []
        for lapse in self._rights.lapses_of(self._reader.remedy_of(right)[0]):
            if lapse.once is None:
                continue
            once = self.folder.truth(lapse.once, known)
            if isinstance(once, Code):
                name = self.folder.keep("c", self.folder.test(once))
                found.append(both(once, Code(f"(not {name}(b))"), self.holds(lapse, known)))
        condition = either(*found)
        if condition is False:
            return None
        return eval(f"lambda b, v: {condition}", self.folder.names)

    def fires_for(self, step: Step, event: Event, caller: int, call: int | None, right: Right) -> Test | None:
        """Whether any clause that is read for each right fires for this one."""
        own = self.bound_of_right(caller, call, right)
        about = {"offender": caller, "offence": right.offence}
        act = self._reader.bound(event)
        found: list[bool | Code] = []
        for clause in self._reader.read_for(step, event.name):
            if clause.each_right and not (step is Step.MADE and clause.kind is Kind.REFUSAL):
                role = self.is_of_role(clause, act)
                if role is not False:
                    known: Known = {**own, **act, **about, "holders": self.holders(right, own)}
                    found.append(both(role, self.holds(clause, known)))
        return self.folder.test(either(*found))

    def holders(self, right: Right, known: Known) -> int | Code:
        """The set of seats that hold a right."""
        _, remedy = self._reader.remedy_of(right)
        holder = self.folder.value(remedy.holder, known)
        if isinstance(remedy.holder.type, SetOf):
            return Code(f"({holder} or 0)") if isinstance(holder, Code) else holder or 0
        if isinstance(holder, Code):
            return Code(f"only({holder})")
        return _only(holder)

    def offers(self, caller: int, call: int | None, right: Right) -> list[Offer]:
        """What a right offers to whom, in the order in which options are listed."""
        clause, remedy = self._reader.remedy_of(right)
        own = self.bound_of_right(caller, call, right)
        holders = self.holders(right, own)
        named = {choice.act for choice in remedy.choices}
        offered = [(choice, clause) for choice in remedy.choices]
        offered += [(c, w) for w in self._rights.waivers_of(clause) for c in w.choices if c.act not in named]
        found: list[Offer] = []
        for seat in range(4):
            is_holder = Code(f"({holders} & {1 << seat})") if isinstance(holders, Code) else bool(holders >> seat & 1)
            if is_holder is False:
                continue
            known: Known = {**own, "holder": seat}
            for choice, by in offered:
                may = both(self.holds(clause, known), True if by is clause else self.holds(by, known))
                if may is not False:
                    tests = (None if test is True else self.folder.test(test) for test in (is_holder, may))
                    found.append(Offer(seat, choice, by, *tests))
        return found


def _only(seat: int | None) -> int:
    return 0 if seat is None else 1 << seat
