"""What a lawful call does to the registers that lawful play depends on, clause by clause.

A clause that writes reads few registers; what it writes for each reading of these, each caller and each call that make
a difference is found once and kept. A call that was never made at a place then costs a look into a table for each
clause, where the machine would go through all its steps.

Only what is plain is done here: where anything else happens (a call counts as another, something happens of itself,
two clauses write to one place), this declines, and the machine is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lawbook.edition.machines import registers_of
from lawbook.edition.model import CALL_KINDS, Assign, Clause, Effect, Kind, Move, Register, Step
from lawbook.machine.dependence import Dependence, picking, reading, slots_of
from lawbook.machine.evaluate import Bound, Values
from lawbook.machine.machine import Machine
from lawbook.machine.reading import Reader
from lawbook.machine.ruling import Event
from lawbook.machine.state import Conflict, Writes, start_of, start_values

_Written = tuple[tuple[int, int | None], ...]
"""Places of values, and what comes to stand there."""

_NOTHING: Final[_Written] = ()
# Stands for what was never looked for; no clause writes to such a place.
_UNKNOWN: Final[_Written] = ((-1, None),)


class Moving:
    """Moves an auction of lawful calls on, for one edition; `kept` are the registers that matter. The clauses in `idle`
    are never of the player in turn."""

    def __init__(self, machine: Machine, kept: frozenset[str], idle: frozenset[str]) -> None:
        reader = machine.reader
        self._reader = reader
        self._idle = idle
        self._made = {kind: self._writers(Step.MADE, kind, kept) for kind in CALL_KINDS}
        self._standing = {kind: self._writers(Step.STANDS, kind, kept) for kind in CALL_KINDS}
        self._falling = _Falling(reader, kept)
        self._of_itself = [_OfItself(reader, clause) for clause in reader.by_kind[Kind.OF_ITSELF]]
        self.lasting = {kind: picking(self._lasting(kind, slots_of(reader.edition, kept))) for kind in CALL_KINDS}
        """For each kind of call, what it picks from the values decides, with the caller and the call, where it leads by
        `after` with nothing falling back: all but what every call of the kind writes anew without having read it."""

    def _lasting(self, kind: str, kept: frozenset[int]) -> frozenset[int]:
        writers = (*self._made[kind], *self._standing[kind])
        read = {slot for writer in writers for slot in writer.slots}
        start = start_values(self._reader.edition, 0)
        number = self._reader.edition.universe.first_bid if kind == "bid" else CALL_KINDS.index(kind)
        anew = {slot for writer in self._standing[kind] for slot in writer.always_written(start, number)}
        return (kept - anew) | read

    def _writers(self, step: Step, kind: str, kept: frozenset[str]) -> list[_Writer]:
        clauses = self._reader.read_for(step, kind)
        if step is Step.MADE:
            # A lawful call breaks no prohibition, and is not refused; no right is open for which a clause is read.
            clauses = [c for c in clauses if c.kind is not Kind.REFUSAL and c.offence is None and not c.each_right]
        clauses = [clause for clause in clauses if clause.id not in self._idle]
        writers = (_Writer(self._reader, clause, step, kind, kept) for clause in clauses)
        return [writer for writer in writers if writer.has_a_say]

    def after(self, values: Values, caller: int, call: int) -> tuple[Values, bool] | None:
        """The values after a call that is lawful and before which nothing is done, and whether only what is lasting
        decides about them; None to decline."""
        kind = self._reader.kind_of(call)
        made = _together(self._made[kind], values, caller, call)
        if made is None:
            return None
        after = _applied(values, made)
        stands = _together(self._standing[kind], after, caller, call)
        if stands is None:
            return None
        after = _applied(after, stands)
        back = {
            slot: start
            for slot, start in self._falling.back(after)
            if after[slot] != start and values[slot] == after[slot]
        }
        after = _applied(after, back)
        if any(happening.happens(after) for happening in self._of_itself):
            return None
        return after, not back

    def forget(self) -> None:
        """Give back the memory of everything that was found."""
        for writers in (*self._made.values(), *self._standing.values()):
            for writer in writers:
                writer.known.clear()
        self._falling.known.clear()
        for happening in self._of_itself:
            happening.known.clear()


def _together(writers: Iterable[_Writer], values: Values, caller: int, call: int) -> dict[int, int | None] | None:
    """What several clauses write in one step; None to decline."""
    found: dict[int, int | None] = {}
    for writer in writers:
        key = writer.key(values, caller, call)
        written = writer.known.get(key, _UNKNOWN)
        if written is _UNKNOWN:
            written = writer.known[key] = writer.find(values, caller, call)
        if written is None:
            return None
        for slot, value in written:
            if found.setdefault(slot, value) != value:
                return None
    return found


def _applied(values: Values, written: dict[int, int | None]) -> Values:
    if not written:
        return values
    found = list(values)
    for slot, value in written.items():
        found[slot] = value
    return tuple(found)


class _Writer:
    """A clause read for calls of one kind, and what it writes to the registers that matter, by what it depends on."""

    def __init__(self, reader: Reader, clause: Clause, step: Step, kind: str, kept: frozenset[str]) -> None:
        self._reader = reader
        self._clause = clause
        self._kind = kind
        self._stands = step is Step.STANDS
        self._effects = [e for e in clause.effects if isinstance(e, Assign | Move) and _register(reader, e, kept)]
        # To join a set or leave it makes of what stands there something else.
        moved = [register for e in self._effects if isinstance(e, Move) and (register := _register(reader, e, kept))]
        slots = {slot for register in moved for slot in range(register.slot, register.slot + register.size)}
        read = tuple((e.arguments, e.value) if isinstance(e, Assign) else e.member for e in self._effects)
        on = Dependence(reader, clause, frozenset({kind}), read, slots)
        self.key, self.slots = on.key, on.slots
        alone = Dependence(reader, clause, frozenset({kind}))
        self._is_constant = not (alone.slots or alone.is_of_call or alone.is_of_caller)
        self.known: dict[object, _Written | None] = {}

    @property
    def has_a_say(self) -> bool:
        """Whether it makes any difference to what matters whether the clause fires."""
        return bool(self._effects) or (self._clause.fate is not None and not self._stands)

    def always_written(self, values: Values, call: int) -> frozenset[int]:
        """The places that it writes whatever stands at the table, told by one call of the kind. It moves no member of a
        set, for that reads the set."""
        if not self._is_constant or not all(isinstance(e, Assign) and not e.arguments for e in self._effects):
            return frozenset()
        return frozenset(slot for slot, _ in self.find(values, 0, call) or ())

    def find(self, values: Values, caller: int, call: int) -> _Written | None:
        """What the clause writes for a call; None to decline."""
        event = Event(caller, self._kind, call)
        bound: Bound = {**self._reader.bound(event), "replacement": 0}
        if not self._stands and not self._reader.is_of_role(self._clause, values, bound):
            return _NOTHING
        if not self._reader.holds(self._clause, values, bound):
            return _NOTHING
        if self._clause.fate is not None and not self._stands:
            return None
        writes = Writes(self._reader.evaluator)
        try:
            for effect in self._effects:
                writes.add(effect, self._clause, values, bound)
        except Conflict:
            return None
        after = writes.applied(values)
        return tuple((slot, after[slot]) for slot in sorted(writes.slots))


class _Falling:
    """The registers that fall back to their start when their time is over."""

    def __init__(self, reader: Reader, kept: frozenset[str]) -> None:
        self._evaluator = reader.evaluator
        self._registers = [
            register
            for register in reader.edition.registers.values()
            if register.name in kept and register.kept_while is not None and not register.per_right
        ]
        conditions = tuple(register.kept_while for register in self._registers)
        self._read = reading(reader.edition, registers_of(conditions, reader.edition.definitions))
        self.known: dict[object, _Written] = {}

    def back(self, values: Values) -> _Written:
        """The places of those whose time is over, each with its start."""
        key = self._read(values)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = tuple(
                (slot, start_of(register, 0))
                for register in self._registers
                if register.kept_while is not None and not self._evaluator.truth(register.kept_while, values, {})
                for slot in range(register.slot, register.slot + register.size)
            )
        return found


class _OfItself:
    """Whether something happens of itself by a clause."""

    def __init__(self, reader: Reader, clause: Clause) -> None:
        self._reader = reader
        self._clause = clause
        self._key = Dependence(reader, clause).key
        self.known: dict[object, bool] = {}

    def happens(self, values: Values) -> bool:
        """Whether it happens here."""
        key = self._key(values, -1, -1)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._reader.holds(self._clause, values, {})
        return found


def _register(reader: Reader, effect: Effect, kept: frozenset[str]) -> Register | None:
    """The register an effect writes to, if it matters."""
    if not isinstance(effect, Assign | Move) or effect.register not in kept:
        return None
    register = reader.edition.registers[effect.register]
    return None if register.per_right else register
