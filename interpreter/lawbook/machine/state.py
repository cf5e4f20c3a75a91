"""States: the registers' values, and the calls that may still be put back or are open to a remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lawbook.diagnostics import Diagnostic, Label, Severity
from lawbook.edition.model import Assign, Clause, Edition, Effect, Move, PutBack, Register
from lawbook.errors import LawbookError
from lawbook.language.types import SetOf
from lawbook.machine.evaluate import Bound, Evaluator, Values, members

# These three are named tuples because searches make, compare and hash many millions of them.


class Right(NamedTuple):
    """An open right: the offence (by number), the clause that gives the remedy, and what the right remembers."""

    offence: int
    remedy: str
    marks: tuple[int | None, ...] = ()


class HeldCall(NamedTuple):
    """A call the table still remembers: whose it was, the values before it, and the rights open against it.

    `before` is None once the call can no longer be put back; the rights that remain are bare claims, and `call` is
    kept only where they speak of it. An offence that is no call is held in the same way for the rights against it;
    it is never put back, and taking calls away leaves it where it was.
    """

    caller: int
    call: int | None
    before: Values | None
    rights: frozenset[Right]
    is_call: bool = True

    def __repr__(self) -> str:
        """Without the values before it, which are many."""
        return f"HeldCall(caller={self.caller}, call={self.call}, rights={self.rights}, is_call={self.is_call})"


class State(NamedTuple):
    """Everything the rulings to come depend on. Held calls are in the order in which they were made."""

    values: Values
    held: tuple[HeldCall, ...] = ()


class Conflict(LawbookError):
    """Two clauses write different values in one step: an error of the edition, never a silent winner.

    `acts` is the auction that led there, in notation, where it is known.
    """

    def __init__(self, message: str, first: Clause, second: Clause, acts: str | None = None) -> None:
        super().__init__(
            [
                Diagnostic(
                    "conflict",
                    Severity.ERROR,
                    message if acts is None else f"{message}, after `{acts}`",
                    second.span,
                    labels=(Label(first.span, f"`{first.id}` is here"),),
                    help="state which is the exception to the other",
                    law=second.law.number,
                    clause=second.id,
                )
            ]
        )
        self.clauses = (first, second)
        self.acts = acts
        self._message = message

    def after(self, acts: str) -> Conflict:
        """The same conflict, with the acts that led there."""
        return Conflict(self._message, *self.clauses, acts)


def start_values(edition: Edition, dealer: int) -> Values:
    """The registers at the start of an auction."""
    values: list[int | None] = []
    for register in edition.registers.values():
        if not register.per_right:
            values.extend([start_of(register, dealer)] * register.size)
    return tuple(values)


def start_of(register: Register, dealer: int) -> int | None:
    """A register's starting value; a set starts empty unless it says otherwise."""
    if register.starts_with_dealer:
        return dealer
    return 0 if register.start is None and isinstance(register.type, SetOf) else register.start


class Writes:
    """The effects of one step, gathered before any is applied, so that their order has no meaning."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._assigned: dict[int, tuple[int | None, Clause]] = {}
        self._moved: dict[tuple[int, int], tuple[bool, Clause]] = {}

    def add(self, effect: Effect, clause: Clause, values: Values, bound: Bound) -> None:
        """Gather an effect on a register. Raises Conflict where it contradicts another of this step."""
        evaluator = self._evaluator
        if isinstance(effect, Assign):
            register = evaluator.registers[effect.register]
            slot = evaluator.slot(register, evaluator.solid(effect.arguments, values, bound))
            value = evaluator.value(effect.value, values, bound)
            value = 0 if value is None and isinstance(register.type, SetOf) else value
            self._assign(slot, value, register, clause)
        elif isinstance(effect, Move):
            register = evaluator.registers[effect.register]
            member = evaluator.solid((effect.member,), values, bound)[0]
            many = isinstance(effect.member.type, SetOf)
            for one in members(member) if many else (member,):
                self._move(register, one, effect.joins, clause)

    def _assign(self, slot: int, value: int | None, register: Register, clause: Clause) -> None:
        before = self._assigned.get(slot)
        if before is not None and before[0] != value:
            raise Conflict(
                f"`{before[1].id}` and `{clause.id}` write different values to the {register.name}", before[1], clause
            )
        for (moved, _), (_, other) in self._moved.items():
            if moved == slot:
                raise Conflict(f"`{other.id}` and `{clause.id}` both change the {register.name}", other, clause)
        self._assigned[slot] = (value, clause)

    def _move(self, register: Register, member: int, joins: bool, clause: Clause) -> None:
        if register.slot in self._assigned:
            other = self._assigned[register.slot][1]
            raise Conflict(f"`{other.id}` and `{clause.id}` both change the {register.name}", other, clause)
        before = self._moved.get((register.slot, member))
        if before is not None and before[0] != joins:
            raise Conflict(
                f"`{before[1].id}` and `{clause.id}` put the same member into the {register.name} and take it out",
                before[1],
                clause,
            )
        self._moved[register.slot, member] = (joins, clause)

    def applied(self, values: Values) -> Values:
        """The values with everything written."""
        if not self._assigned and not self._moved:
            return values
        found = list(values)
        for slot, value in self.written(values).items():
            found[slot] = value
        return tuple(found)

    def written(self, values: Values) -> dict[int, int | None]:
        """What is written to each place, where the values are these."""
        found = {slot: value for slot, (value, _) in self._assigned.items()}
        for (slot, member), (joins, _) in self._moved.items():
            mask = (found[slot] if slot in found else values[slot]) or 0
            found[slot] = mask | 1 << member if joins else mask & ~(1 << member)
        return found

    @property
    def slots(self) -> frozenset[int]:
        """The places that were written."""
        return frozenset(self._assigned) | frozenset(slot for slot, _ in self._moved)


def slots_of(edition: Edition, kinds: frozenset[PutBack]) -> frozenset[int]:
    """The places of the registers that are put back in one of those ways."""
    return frozenset(
        slot
        for register in edition.registers.values()
        if register.put_back in kinds and not register.per_right
        for slot in range(register.slot, register.slot + register.size)
    )


def merged(before: Values, present: Values, from_before: frozenset[int]) -> Values:
    """The present values with those at some places as they were before."""
    return tuple(
        old if slot in from_before else new for slot, (old, new) in enumerate(zip(before, present, strict=True))
    )


def other_acts(held: Iterable[HeldCall]) -> tuple[HeldCall, ...]:
    """What stays of the acts after a call that is put back: offences that are no calls."""
    return tuple(act for act in held if not act.is_call)


def right_bound(edition: Edition, right: Right, base: Mapping[str, int | None]) -> dict[str, int | None]:
    """What is bound for a clause read for one right, what the right remembers included."""
    marks = {
        f"right:{register.name}": right.marks[register.slot]
        for register in edition.registers.values()
        if register.per_right
    }
    return {**base, "offence": right.offence, **marks}
