"""Functions for what acts do to open rights, and for what rights offer. A right's own are made for whom it is against.

Acts are few and rights are few, but both together are many: what nothing read for a right speaks of is no part of what
a function is kept by.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from lawbook.edition.machines import variables_of
from lawbook.edition.model import Assign, Choice, Clause, JudgeAgain, LapseRight, Step, TakeBackEarlier
from lawbook.machine.evaluate import Values
from lawbook.machine.state import Right
from lawbook.machine.swift.acts import Test
from lawbook.machine.swift.clauses import Act, Clauses
from lawbook.machine.swift.steps import Added, StepWriter
from lawbook.machine.swift.text import Code, Known, both, either

Touched: TypeAlias = tuple[int, Right | None, tuple[Added, ...]]
"""What an act does to a right: which of the clauses read for each right fire (a bit for each), the right as it is then
(None: it has ended), and what those clauses write."""
Touch: TypeAlias = "Callable[[Values], Touched | None]"

DECLINE: Final = -1
"""In the place of the clauses that fire: they do what is left to the machine."""


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """A choice that a right offers to a seat: whether the seat holds the right, by the values at hand, and whether the
    choice is to be had, by those before the call if it `puts_back` the call. None is always."""

    right: Right
    seat: int
    choice: Choice
    clause: Clause
    puts_back: bool
    holds: Test | None
    may: Test | None


class RightFunctions:
    """Makes and keeps the functions of one edition's rights."""

    def __init__(self, clauses: Clauses) -> None:
        self._clauses = clauses
        self._folder = clauses.folder
        self._writer = StepWriter(clauses.folder)
        self._folder.names["Right"] = Right
        self._spoken_of: dict[tuple[Step | None, str, str], frozenset[str]] = {}
        self._touches: dict[tuple[object, ...], Touch | None] = {}
        self._ends_once: dict[tuple[object, ...], Callable[[Values, Values], Any] | None] = {}
        self._offers: dict[tuple[int, int | None, Right], tuple[Offer, ...]] = {}

    # -- what acts do to rights ----------------------------------------------------------------------------

    def touch(
        self, step: Step, act: Act, caller: int, call: int | None, right: Right, gone: bool = False
    ) -> Touch | None:
        """What an act does to a right; None if nothing whatever the values are. `gone` says that the call it is about
        cannot be taken back any more."""
        names = self._names(step, act.name, right)
        about = call if names & {"call", "bid"} else None
        bound = tuple((name, act.known[name]) for name in sorted(names & act.known.keys()))
        key = (step, act.name, act.known.get("caller"), bound, caller, about, right, gone)
        if key not in self._touches:
            self._touches[key] = self._touch(step, act, caller, call, right, gone)
        return self._touches[key]

    def _touch(self, step: Step, act: Act, caller: int, call: int | None, right: Right, gone: bool) -> Touch | None:
        lines: list[str] = []
        ended = self._ended(act, caller, call, right) if step is Step.MADE else False
        if ended is not False:
            lines.append(f"if {ended}: l = True")
        bit = 1
        for clause in self._clauses.read_for(step, act.name):
            if clause.each_right:
                condition, known = self._clauses.for_right(clause, act, caller, call, right)
                if gone and any(isinstance(e, TakeBackEarlier) for e in clause.effects):
                    condition = False
                if condition is not False:
                    lines.append(f"if {condition}:")
                    lines += [f" {line}" for line in self._effects(clause, known, bit)]
                bit <<= 1
        if not lines:
            return None
        left = "R"
        if right.marks:
            lines.insert(0, f"{''.join(f'n{at}, ' for at in range(len(right.marks)))} = R.marks")
            left = (
                f"Right({right.offence}, {right.remedy!r}, ({''.join(f'n{at}, ' for at in range(len(right.marks)))}))"
            )
        lines = ["r, l, x = 0, False, ()", *lines]
        lines += ["if l or r: return r, None if l else " + left + ", x"]
        body = "\n ".join(lines)
        name = self._folder.keep("R", right)
        found: Touch = self._folder.function(f"def touch(v, R={name}):\n {body}", "touch")
        return found

    def _effects(self, clause: Clause, known: Known, bit: int) -> list[str]:
        """Lines for a clause that fires for a right."""
        stands_as = clause.fate is not None and clause.fate.instead is not None
        if stands_as or any(isinstance(e, JudgeAgain) for e in clause.effects):
            return [f"return {DECLINE}, None, ()"]
        lines = [f"r |= {bit}"]
        if any(isinstance(e, LapseRight) for e in clause.effects):
            lines.append("l = True")
        for effect in clause.effects:
            if isinstance(effect, Assign) and self._folder.registers[effect.register].per_right:
                mark = self._folder.value(effect.value, known)
                lines.append(f"n{self._folder.registers[effect.register].slot} = {mark}")
        if told := self._writer.told(clause.effects, known):
            lines.append(f"x = (*x, {', '.join(told)})")
        return lines

    def _ended(self, act: Act, caller: int, call: int | None, right: Right) -> bool | Code:
        """Whether an act ends a right."""
        clauses = self._clauses
        # What ends a right speaks of the new call, not of the one the right is about.
        new = {name: act.known[name] for name in ("caller", "call", "bid", "argument") if name in act.known}
        known: Known = {**clauses.bound_of_right(caller, call, right), **new}
        remedy, _ = clauses.reader.remedy_of(right)
        found: list[bool | Code] = []
        if remedy.trigger is not None and act.name in remedy.trigger.acts:
            found.append(clauses.is_of_role(remedy, known))
        for lapse in clauses.rights.lapses_of(remedy):
            if lapse.trigger is not None and act.name in lapse.trigger.acts:
                found.append(clauses.applies(lapse, known))
        return either(*found)

    def ends_once(
        self, caller: int, call: int | None, right: Right, new: bool
    ) -> Callable[[Values, Values], Any] | None:
        """Whether a right ends because something has come to be so: asked of the values before an act and after it."""
        about = call if self._names(None, "", right) & {"call", "bid"} else None
        key = (caller, about, right, new)
        if key not in self._ends_once:
            condition = self._ended_once({**self._clauses.bound_of_right(caller, call, right), "new": int(new)}, right)
            made = None if condition is False else eval(f"lambda b, v: {condition}", self._folder.names)
            self._ends_once[key] = made
        return self._ends_once[key]

    def _ended_once(self, known: Known, right: Right) -> bool | Code:
        found: list[bool | Code] = []
        for lapse in self._clauses.rights.lapses_of(self._clauses.reader.remedy_of(right)[0]):
            once = False if lapse.once is None else self._folder.truth(lapse.once, known)
            # What is always so cannot come to be so.
            if isinstance(once, Code):
                before = self._folder.keep("c", self._folder.test(once))
                found.append(both(once, Code(f"(not {before}(b))"), self._clauses.holds(lapse, known)))
        return either(*found)

    def _names(self, step: Step | None, act: str, right: Right) -> frozenset[str]:
        """What is spoken of by anything read of an act for a right; with no step, by what ends a right of itself."""
        key = (step, act, right.remedy)
        found = self._spoken_of.get(key)
        if found is None:
            clauses = self._clauses
            remedy, _ = clauses.reader.remedy_of(right)
            read = [remedy, *clauses.rights.lapses_of(remedy)]
            read += [c for c in clauses.read_for(step, act) if c.each_right] if step is not None else []
            trees = tuple(tree for clause in read for tree in clauses.with_exceptions(clause))
            marks = (f"right:{r.name}" for r in clauses.edition.registers.values() if r.per_right)
            found = self._spoken_of[key] = frozenset(variables_of(trees)).union(marks)
        return found

    # -- what opens and is offered -------------------------------------------------------------------------

    def opened(self, act: Act, seat: int, offences: tuple[int, ...]) -> Callable[[Values], frozenset[Right]]:
        """The rights that offences of an act open."""
        always: list[Right] = []
        perhaps: list[tuple[Right, Test]] = []
        for offence in offences:
            known: Known = {**act.known, "offender": seat, "offence": offence}
            for clause in self._clauses.rights.remedies_of(offence):
                assert clause.remedy is not None
                condition = self._folder.truth(clause.remedy.opened, known)
                right = Right(offence, clause.id, self._clauses.rights.unmarked)
                if condition is True:
                    always.append(right)
                elif (test := self._folder.test(condition)) is not None:
                    perhaps.append((right, test))
        constant = frozenset(always)
        if not perhaps:
            return lambda values: constant
        return lambda values: constant.union([right for right, test in perhaps if test(values)])

    def offers(self, caller: int, call: int | None, right: Right) -> tuple[Offer, ...]:
        """What a right offers to whom, in the order in which options are listed."""
        key = (caller, call, right)
        found = self._offers.get(key)
        if found is None:
            found = self._offers[key] = tuple(self._offered(caller, call, right))
        return found

    def _offered(self, caller: int, call: int | None, right: Right) -> list[Offer]:
        clauses = self._clauses
        clause, remedy = clauses.reader.remedy_of(right)
        own = clauses.bound_of_right(caller, call, right)
        holders = clauses.holders(right, own)
        named = {choice.act for choice in remedy.choices}
        offered = [(choice, clause) for choice in remedy.choices]
        offered += [(c, w) for w in clauses.rights.waivers_of(clause) for c in w.choices if c.act not in named]
        found: list[Offer] = []
        for seat in range(4):
            is_holder = Code(f"({holders} & {1 << seat})") if isinstance(holders, Code) else bool(holders >> seat & 1)
            if is_holder is False:
                continue
            known: Known = {**own, "holder": seat}
            for choice, by in offered:
                may = both(clauses.holds(clause, known), True if by is clause else clauses.holds(by, known))
                if may is not False:
                    tests = (None if test is True else self._folder.test(test) for test in (is_holder, may))
                    found.append(Offer(right, seat, choice, by, choice.puts_back, *tests))
        return found

    def held_while(self, caller: int) -> Test | None:
        """Whether a call of somebody's may be put back."""
        return self._folder.test(self._folder.truth(self._clauses.edition.held_while, {"caller": caller}))
