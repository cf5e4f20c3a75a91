"""The effects of one step of an act as straight-line source text.

All conditions and values of a step read `v`; what is written goes to `w`, a copy made when something is first written,
so their order has no meaning. Where two clauses could contradict each other the text looks whether they do, and then
declines (`return None`): whoever called then asks the machine, which names the conflict.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from lawbook.edition.model import Assign, Effect, Move
from lawbook.language.types import SetOf
from lawbook.machine.evaluate import Values
from lawbook.machine.swift.folding import Folder
from lawbook.machine.swift.text import Code, Folded, Known

Added: TypeAlias = tuple[int, bool | None, int | None]
"""Something that is written beside what a step writes: the place, whether members join (or leave) the set there (None:
it takes a value), and the value or the members."""


@dataclass(frozen=True, slots=True)
class Write:
    """One effect on registers: a place takes a value, or (`joins` is told) members join or leave a set."""

    register: str
    at: int | Code
    value: Folded
    joins: bool | None = None


@dataclass(slots=True)
class Firing:
    """A clause that can fire in a step: on what condition, what it writes, and lines for whatever else it does."""

    condition: bool | Code
    writes: list[Write]
    also: list[str]


class StepWriter:
    """Writes the lines of one step of one act."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._firings: list[Firing] = []

    def fire(self, condition: bool | Code, effects: Iterable[Effect], known: Known, also: Iterable[str] = ()) -> None:
        """Add a clause with its effects on registers; other effects are the caller's to add."""
        if condition is not False:
            self._firings.append(Firing(condition, [w for e in effects for w in self._write(e, known)], [*also]))

    def told(self, effects: Iterable[Effect], known: Known) -> list[str]:
        """What effects write, each as the text of an `Added`, for another step to write it."""
        return [f"({w.at}, {w.joins}, {w.value})" for e in effects for w in self._write(e, known)]

    def slots(self) -> frozenset[int]:
        """Every place that the step could write."""
        found: set[int] = set()
        for write in (w for firing in self._firings for w in firing.writes):
            register = self._folder.registers[write.register]
            places = range(register.slot, register.slot + register.size)
            found.update(places if isinstance(write.at, Code) else (write.at,))
        return frozenset(found)

    def _write(self, effect: Effect, known: Known) -> Iterator[Write]:
        folder = self._folder
        if isinstance(effect, Assign):
            register = folder.registers[effect.register]
            if register.per_right:
                return
            value = folder.value(effect.value, known)
            if isinstance(register.type, SetOf):
                value = Code(f"({value} or 0)") if isinstance(value, Code) else value or 0
            at = folder.slot(register, tuple(folder.solid(a, known) for a in effect.arguments))
            yield Write(register.name, at, value)
        elif isinstance(effect, Move):
            register = folder.registers[effect.register]
            member = folder.solid(effect.member, known)
            if not isinstance(effect.member.type, SetOf):
                member = Code(f"(1 << {member})") if isinstance(member, Code) else 1 << member
            yield Write(register.name, register.slot, member, effect.joins)

    def lines(self, base: str = "v") -> list[str]:
        """The step as lines of text that leave in `w` the values after it; `w` is `v` if nothing was written. Where
        `base` is told, those are what is written to, though it is `v` that is read."""
        self._settle()
        copy = f"w = [*{base}]"
        lines = [f"w = {base}"]
        if any(f.condition is True and f.writes for f in self._firings):
            lines = [copy]
        lines += [f"{name} = {start}" for name, start in self._trackers.items()]
        copied = lines[0] == copy
        writing = sum(1 for f in self._firings if f.writes)
        condition: bool | Code = True
        for firing in self._firings:
            body = list(firing.also)
            if firing.writes and not copied:
                body.append(copy if writing == 1 else f"if w is {base}: {copy}")
            for write in firing.writes:
                body += self._written(write)
            if body and firing.condition is not True:
                # Clauses on one condition that follow each other share the question.
                if firing.condition != condition:
                    lines.append(f"if {firing.condition}:")
                body = [f" {line}" for line in body]
            if body:
                lines += body
                condition = firing.condition
        return lines

    def _settle(self) -> None:
        """Find the places that several effects could write, and how to notice that they contradict each other."""
        by_register: dict[str, list[Write]] = defaultdict(list)
        for firing in self._firings:
            for write in firing.writes:
                by_register[write.register].append(write)
        self._trackers: dict[str, str] = {}
        self._tracked: dict[tuple[str, int | Code], str] = {}
        for register, writes in by_register.items():
            if len(writes) == 1:
                continue
            moves = {w.joins for w in writes if w.joins is not None}
            if any(isinstance(w.at, Code) for w in writes):
                name = self._track("s", "{}")
                self._tracked.update({(register, w.at): name for w in writes})
                if moves:
                    self._tracked.update({(register, w.at): "" for w in writes})
                continue
            for at in {w.at for w in writes}:
                there = [w for w in writes if w.at == at]
                if moves and len(there) > 1 and (len(moves) > 1 or any(w.joins is None for w in there)):
                    self._tracked[register, at] = self._track("s", "[]")
                elif not moves and len(there) > 1 and _may_differ(there):
                    self._tracked[register, at] = self._track("s", "unset")

    def _track(self, letter: str, start: str) -> str:
        name = f"{letter}{len(self._trackers)}"
        self._trackers[name] = start
        return name

    def _written(self, write: Write) -> list[str]:
        name = self._tracked.get((write.register, write.at))
        if name is None:
            if write.joins is None:
                return [f"w[{write.at}] = {write.value}"]
            return [_moved(write)]
        start = self._trackers.get(name)
        if start == "unset":
            return [
                f"k = {write.value}",
                f"if {name} is not unset and {name} != k: return None",
                f"w[{write.at}] = {name} = k",
            ]
        if start == "{}":
            return [
                f"k, a = {write.value}, {write.at}",
                f"if {name}.setdefault(a, k) != k: return None",
                "w[a] = k",
            ]
        if start == "[]":
            # Values and members of one set at once: each is put beside those before it.
            told = f"({write.joins}, {write.value})"
            line = f"w[{write.at}] = {write.value}" if write.joins is None else _moved(write)
            return [f"if disagree({name}, {told}): return None", line]
        return ["return None"]


def _may_differ(writes: list[Write]) -> bool:
    return len({w.value for w in writes}) > 1 or any(isinstance(w.value, Code) for w in writes)


def _moved(write: Write) -> str:
    sign = f"| {write.value}" if write.joins else f"& ~{write.value}"
    return f"w[{write.at}] = (w[{write.at}] or 0) {sign}"


def disagree(before: list[tuple[bool | None, int | None]], told: tuple[bool | None, int | None]) -> bool:
    """Whether what is written to a set contradicts something written before; it is noted for the next."""
    joins, value = told
    for other, there in before:
        if joins is None or other is None:
            if joins is not other or value != there:
                return True
        elif joins is not other and (value or 0) & (there or 0):
            return True
    before.append(told)
    return False


def add_writes(
    values: Values, written: Values | list[int | None], added: Sequence[Added], own: Set[int]
) -> list[int | None] | None:
    """What a step has written with something added; None where that could contradict the step, or does itself."""
    found = list(values) if written is values else written
    assert isinstance(found, list)
    told: dict[int, list[tuple[bool | None, int | None]]] = {}
    for slot, joins, value in added:
        if slot in own or disagree(told.setdefault(slot, []), (joins, value)):
            return None
        if joins is None:
            found[slot] = value
        else:
            before, mask = found[slot] or 0, value or 0
            found[slot] = before | mask if joins else before & ~mask
    return found
