"""Acts at tables where nothing is open: ruled on once for all tables that have alike what the acts read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from lawbook.edition.model import Edition
from lawbook.explore.held import HeldCalls
from lawbook.explore.turning import Turning
from lawbook.machine.evaluate import Values
from lawbook.machine.ruling import Event, Verdict
from lawbook.machine.state import HeldCall, State
from lawbook.machine.swift import Swift
from lawbook.machine.swift.alone import ActsAlike, Written

R = TypeVar("R")
Replying: TypeAlias = Callable[[Verdict, tuple[int, ...], int], R]
"""Makes the reply of a verdict, the offences by number, and how far the turn moves."""


class Known(NamedTuple, Generic[R]):
    """What an act does at some tables: the place of its offer, the reply, what it writes, how far the table is turned
    then, and the call that is open then, but for the table before it, of which some places are dead; such tables as far
    as they are known. What is written is one object where it is the same."""

    place: int
    reply: R
    written: Written
    quarter: int
    call: HeldCall | None
    dead: tuple[int, ...]
    befores: dict[Values, Values]


class NothingOpen(Generic[R]):
    """What the acts of some events, by the places of their offers, do at tables where nothing is open. The table is
    turned after them if it is to be `turned`; `number` numbers what it is then."""

    def __init__(
        self,
        edition: Edition,
        swift: Swift,
        events: Mapping[int, Event],
        turning: Turning,
        turned: bool,
        held_calls: HeldCalls,
        number: Callable[[State], int],
        reply: Replying[R],
    ) -> None:
        self._swift = swift
        self._turning = turning
        self._turned = turned
        self._held_calls = held_calls
        self._number = number
        self._reply = reply
        self._acts: list[tuple[ActsAlike, dict[object, tuple[Known[R], ...]]]]
        self._acts = [(acts, {}) for acts in swift.alone(events)]
        self._left_out = frozenset(
            slot
            for register in edition.registers.values()
            if register.name in turning.left_out
            for slot in range(register.slot, register.slot + register.size)
        )
        self._written: dict[Written, Written] = {}

    def following(self, values: Values) -> dict[int, tuple[R, int]]:
        """What is said of the acts at a table, and the number of the state each leaves; without those that are not the
        same at all tables, and those after which something happens of itself."""
        tables: dict[int, tuple[Values, int] | None] = {}
        found: dict[int, tuple[R, int]] = {}
        for acts, known in self._acts:
            read = acts.read(values)
            steps = known.get(read)
            if steps is None:
                steps = known[read] = tuple(self._steps(values, acts))
            for place, reply, written, quarter, call, dead, befores in steps:
                # Many acts write the same, those that are as nothing above all.
                which = id(written)
                table = (
                    tables[which] if which in tables else tables.setdefault(which, self._left(values, written, quarter))
                )
                if table is None:
                    continue
                left, number = table
                if call is not None:
                    if call.before is not None:
                        before = befores.get(values) or self._held_calls.before(values, dead, quarter)
                        call = HeldCall(call.caller, call.call, before, call.rights, call.is_call)
                    number = self._number(State(left, (call,)))
                found[place] = reply, number
        return found

    def _steps(self, values: Values, acts: ActsAlike) -> Iterator[Known[R]]:
        """What acts do at all tables that have alike what they read."""
        turn = self._turning.turn(values)
        for place, ruling in acts.rulings(values):
            if ruling is None:
                continue
            moved = self._turning.turn(ruling.after)
            quarter = moved if self._turned else 0
            held = ruling.held
            call, dead = (None, ()) if held is None else self._held_calls.template(held, quarter)
            reply = self._reply(ruling.verdict, ruling.offences, (moved - turn) % 4)
            # What is left out of states is put to its start when the table is turned.
            written = tuple([write for write in ruling.written if write[0] not in self._left_out])
            written = self._written.setdefault(written, written)
            yield Known(place, reply, written, quarter, call, dead, self._held_calls.befores(dead, quarter))

    def _left(self, values: Values, written: Written, quarter: int) -> tuple[Values, int] | None:
        """The table that is left where this is written, and its number; None where something happens of itself."""
        found = [*values]
        for slot, value in written:
            found[slot] = value
        after = tuple(found)
        if self._swift.happens(after):
            return None
        turned = self._turning.values(after, quarter)
        return turned, self._number(State(turned))
