"""Functions for what acts do to the table. Each is made once for an act; it reads the values and gives new ones.

Every one of them may give None, which is to decline: clauses contradict each other there, or something is met that is
left to the machine.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from lawbook.edition.model import Choice, Clause, JudgeAgain, Kind, PutBack, StandAs, Step, TakeBackEarlier
from lawbook.machine.evaluate import Values
from lawbook.machine.ruling import Event
from lawbook.machine.state import slots_of, start_of, start_values
from lawbook.machine.swift.clauses import Act, Clauses, only
from lawbook.machine.swift.steps import Added, StepWriter, add_writes, disagree
from lawbook.machine.swift.text import Code, Known, both, either

Test: TypeAlias = Callable[[Values], Any]
"""A condition that some values meet; None in its place is one that never holds."""
Changed: TypeAlias = "Callable[[Values], Values | list[int | None] | None]"
Made: TypeAlias = Callable[..., Any]
"""What making an act does, of the values, the clauses read for each right that fire (a bit for each) and what these
write: whether any clause fires, the offences, the values, and two that depend on the act. For a call these are its fate
and, where it stands as another, that one; for talk whether a call is judged again, and which.

What is done before a call wants two things more: the values that are written to, which are those of a call put back,
and whether the caller has a call held that could be."""

_UNSET: Final = object()


class ActFunctions:
    """Makes and keeps the functions of one edition's acts."""

    def __init__(self, clauses: Clauses) -> None:
        self._clauses = clauses
        self._folder = clauses.folder
        self._reader = clauses.reader
        self._folder.names.update({"unset": _UNSET, "disagree": disagree, "add_writes": add_writes, "only": only})
        self._stands: dict[tuple[int | None, int, bool], Changed] = {}
        self._taken_back: dict[tuple[int, int, int], Callable[[Values], tuple[Added, ...]] | None] = {}

    def refuses(self, event: Event) -> Test | None:
        """Whether a refusal keeps an act from being done at all."""
        known = self._reader.bound(event)
        clauses = (c for c in self._reader.read_for(Step.MADE, event.name) if c.kind is Kind.REFUSAL)
        return self._folder.test(either(*(self._clauses.applies(c, known) for c in clauses)))

    # -- an act is made ------------------------------------------------------------------------------------

    def made(self, step: Step, act: Act, *, fates: bool = False, fires: bool = False, corrects: bool = False) -> Made:
        """What an act does when it is made, or when it is refused. What is not asked for is not told: whether anything
        fires, what becomes of a call, which call is judged again."""
        known = act.known
        # Effects of clauses read for each right are found right by right; here counts that one fires, and its place.
        bits = (Code(f"r & {1 << at}") for at in itertools.count())
        firing: list[tuple[Clause, bool | Code]] = []
        for clause in self._clauses.read_for(step, act.name):
            condition = next(bits) if clause.each_right else self._clauses.applies(clause, known)
            if not clause.each_right and any(isinstance(e, TakeBackEarlier) for e in clause.effects):
                condition = both(Code("g"), condition)
            if condition is not False:
                firing.append((clause, condition))
        offences = Counter(clause.offence for clause, _ in firing)
        writer = StepWriter(self._folder)
        for clause, condition in firing:
            also = ["t = True"] if fires else []
            again = next((e for e in clause.effects if isinstance(e, JudgeAgain)), None) if corrects else None
            if again is not None and not clause.each_right:
                call = self._folder.value(again.call, known)
                writer.fire(condition, (), known, [*also, f"k = {call}", "if f and i != k: return None", "f, i = 1, k"])
                continue
            if clause.offence is not None:
                once = offences[clause.offence] == 1
                also.append(f"{'' if once else f'if {clause.offence} not in o: '}o += ({clause.offence},)")
            if fates and not (clause.each_right and clause.fate is not None and clause.fate.instead is not None):
                also += self._fate(clause, known)
            writer.fire(condition, () if clause.each_right else clause.effects, known, also)
        base = "b" if step is Step.BEFORE else "v"
        lines = [f"t, o, f, i = False, (), {-1 if fates else 0}, None", *writer.lines(base)]
        added = self._folder.keep("S", writer.slots())
        lines += ["if x:", f" w = add_writes({base}, w, x, {added})", " if w is None: return None"]
        parameters = "v, r=0, x=()" if step is not Step.BEFORE else "v, r, x, b, g"
        found: Made = self._function("made", parameters, [*lines, "return t, o, w, f, i"])
        return found

    def _fate(self, clause: Clause, known: Known) -> list[str]:
        """Lines for the strongest fate of the call so far."""
        if clause.fate is None:
            return []
        kind = int(clause.fate.kind)
        if clause.fate.instead is None:
            return [f"if f < {kind}: f = {kind}"]
        return [
            f"k = {self._folder.value(clause.fate.instead, known)}",
            f"if f == {kind} and i != k: return None",
            f"if f < {kind}: f, i = {kind}, k",
        ]

    def takes_back_own(self, act: Act) -> Test | None:
        """Whether the caller's last call is taken back before an act, if it is held."""
        return self._folder.test(
            either(
                *(
                    self._clauses.applies(clause, act.known)
                    for clause in self._clauses.read_for(Step.BEFORE, act.name)
                    if not clause.each_right and any(isinstance(e, TakeBackEarlier) for e in clause.effects)
                )
            )
        )

    def taken_back(self, caller: int, call: int, offender: int) -> Callable[[Values], tuple[Added, ...]] | None:
        """What is written because a held call is taken back, for an offender's sake; None if nothing ever is."""
        key = (caller, call, offender)
        if key not in self._taken_back:
            event = Event(caller, self._reader.kind_of(call), call)
            known: Known = {**self._reader.bound(event), "offender": offender}
            writer = StepWriter(self._folder)
            lines = ["x = ()"]
            for clause in self._reader.read_for(Step.TAKEN_BACK, event.name):
                holds = self._clauses.holds(clause, known)
                if holds is not False and clause.effects:
                    lines.append(f"if {holds}: x = (*x, {', '.join(writer.told(clause.effects, known))})")
            made = self._function("taken", "v", [*lines, "return x"]) if len(lines) > 1 else None
            self._taken_back[key] = made
        return self._taken_back[key]

    # -- a call stands -------------------------------------------------------------------------------------

    def stand(self, seat: int | None, call: int, replacement: bool) -> Changed:
        """The values after a call stands."""
        key = (seat, call, replacement)
        found = self._stands.get(key)
        if found is None:
            writer = StepWriter(self._folder)
            self._standing(writer, seat, call, replacement)
            found = self._stands[key] = self._function("stand", "v", [*writer.lines(), "return w"])
        return found

    def _standing(self, writer: StepWriter, seat: int | None, call: int, replacement: bool) -> None:
        event = Event(seat, self._reader.kind_of(call), call)
        known: Known = {**self._reader.bound(event), "replacement": int(replacement)}
        for clause in self._reader.read_for(Step.STANDS, event.name):
            writer.fire(self._clauses.holds(clause, known), clause.effects, known)

    def chosen(self, choices: Sequence[tuple[Choice, Known]], caller: int, call: int | None) -> Changed:
        """The values after what is chosen has taken effect, and another call stands if one does."""
        writer = StepWriter(self._folder)
        for choice, known in choices:
            writer.fire(True, choice.effects, known)
        if call is not None:
            self._standing(writer, caller, call, replacement=True)
        found: Changed = self._function("chosen", "v", [*writer.lines(), "return w"])
        return found

    def instead(self, choices: Sequence[tuple[Choice, Known]]) -> Callable[[Values], set[int | None]] | None:
        """The calls that choices let stand in the place of one, read on the table as it was before it; None among them
        where there is no such call."""
        calls = [
            self._folder.solid(effect.call, known)
            for choice, known in choices
            for effect in choice.effects
            if isinstance(effect, StandAs)
        ]
        found: Callable[[Values], set[int | None]] | None = None
        if calls:
            found = self._function("instead", "v", [f"return {{{', '.join(map(str, calls))}}}"])
        return found

    def happening(self, clause: Clause, seat: int | None, call: int) -> Changed:
        """The values after a call that a clause lets happen of itself."""
        writer = StepWriter(self._folder)
        self._standing(writer, seat, call, replacement=False)
        writer.fire(True, clause.effects, {})
        found: Changed = self._function("happening", "v", [*writer.lines(), "return w"])
        return found

    # -- the end of an act ---------------------------------------------------------------------------------

    def fall(self) -> Callable[[Values, Any], Values]:
        """The values with registers whose time is over back at their start, unless this act wrote them.

        Takes the values before the act, and those after it as a tuple or a list; gives a tuple.
        """
        by_condition: dict[bool | Code, list[tuple[int, int | None]]] = {}
        for register in self._clauses.edition.registers.values():
            if register.kept_while is None or register.per_right:
                continue
            start = start_of(register, 0)
            places = range(register.slot, register.slot + register.size)
            kept = self._folder.truth(register.kept_while, {})
            by_condition.setdefault(kept, []).extend((slot, start) for slot in places)
        lines = ["w = v"]
        for kept, slots in by_condition.items():
            if kept is not True:
                lines.append(f"if not {kept}:")
                lines.append(" if w is v: w = [*v]")
                lines += [f" if b[{slot}] == v[{slot}]: w[{slot}] = {start}" for slot, start in slots]
        found: Callable[[Values, Any], Values] = self._function(
            "fall", "b, v", [*lines, "return w if w.__class__ is tuple else tuple(w)"]
        )
        return found

    def remember(self) -> Callable[[Values], Values] | None:
        """The values before a call as they are held: what is never put back is not told apart. None if all are."""
        never = slots_of(self._clauses.edition, frozenset({PutBack.NEVER}))
        blank = start_values(self._clauses.edition, 0)
        found: Callable[[Values], Values] | None = None
        if never:
            lines = [f"w[{slot}] = {blank[slot]}" for slot in sorted(never)]
            found = self._function("remember", "v", ["w = [*v]", *lines, "return tuple(w)"])
        return found

    def put_back(self, kinds: frozenset[PutBack]) -> Callable[[Values, Any], Values]:
        """Of the values before and after a call, those at the table when it is put back."""
        slots = slots_of(self._clauses.edition, kinds)
        stay = (slot for slot in range(len(start_values(self._clauses.edition, 0))) if slot not in slots)
        lines = [f"w[{slot}] = v[{slot}]" for slot in stay]
        found: Callable[[Values, Any], Values] = self._function(
            "put_back", "b, v", ["w = [*b]", *lines, "return tuple(w)"]
        )
        return found

    def of_itself(self) -> list[tuple[Clause, Test, Callable[[Values], int | None]]]:
        """The clauses that let something happen of itself: when, and who is then the actor."""
        found = []
        for clause in self._reader.by_kind[Kind.OF_ITSELF]:
            test = self._folder.test(self._clauses.holds(clause, {}))
            if test is not None:
                assert clause.actor is not None
                found.append((clause, test, self._folder.reading(self._folder.value(clause.actor, {}))))
        return found

    def _function(self, name: str, parameters: str, lines: Iterable[str]) -> Any:
        body = "\n ".join(lines)
        return self._folder.function(f"def {name}({parameters}):\n {body}", name)
