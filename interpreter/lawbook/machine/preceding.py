"""What comes before a call: an earlier call may be taken back first, and the new one is judged without it."""

from __future__ import annotations

from lawbook.edition.model import Clause, PutBack, Step, TakeBackEarlier
from lawbook.machine.evaluate import Values
from lawbook.machine.reading import Changes, Instance, Reader, Report
from lawbook.machine.ruling import Event
from lawbook.machine.state import HeldCall, State, merged, other_acts, slots_of
from lawbook.records import dataclass


@dataclass(frozen=True, slots=True)
class Preceded:
    """The table as a call finds it: values, held calls, and the clauses that made it so."""

    values: Values
    held: tuple[HeldCall, ...]
    fired: tuple[tuple[Clause, Instance], ...] = ()


class Preceding:
    """Reads the clauses of one edition that come before calls."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._always = slots_of(reader.edition, frozenset({PutBack.ALWAYS}))

    def of(self, state: State, event: Event, report: Report) -> Preceded:
        """The table as a call finds it. Conditions read it as it was; what is written is written once an earlier call
        has been taken back."""
        clauses = self._reader.read_for(Step.BEFORE, event.name)
        if not clauses:
            return Preceded(state.values, state.held)
        changes = Changes(self._reader, report)
        fired: list[tuple[Clause, Instance]] = []
        back: list[int] = []
        for clause in clauses:
            takes = next((e for e in clause.effects if isinstance(e, TakeBackEarlier)), None)
            for instance in self._reader.instances(clause, state.held, state.values, self._reader.bound(event)):
                place = None if takes is None else _place(takes, instance, state.held, event)
                if takes is not None and place is None:
                    continue
                fired.append((clause, instance))
                changes.fire(clause, instance, state.values)
                back += [] if place is None else [place]
        values, held = state.values, state.held
        if back:
            first = min(back)
            about = held[first]
            assert about.before is not None
            for at in range(first, len(held)):
                if held[at].is_call:
                    for right in sorted(held[at].rights):
                        changes.lose(at, right, next(c.id for c, _ in fired))
            for later in held[first + 1 :]:
                taken_back(self._reader, later, about.caller, values, changes, report)
            values = merged(about.before, values, self._always)
        held = changes.held(held)
        if back:
            held = (*held[: min(back)], *other_acts(held[min(back) + 1 :]))
        return Preceded(changes.writes.applied(values), held, tuple(fired))


def _place(takes: TakeBackEarlier, instance: Instance, held: tuple[HeldCall, ...], event: Event) -> int | None:
    """Where the call is held that is to be taken back; None where there is none that can be."""
    if not takes.own:
        assert instance.at is not None
        return instance.at if held[instance.at].before is not None else None
    mine = (at for at, call in enumerate(held) if call.is_call and call.caller == event.seat and call.before)
    return max(mine, default=None)


def taken_back(reader: Reader, call: HeldCall, offender: int, values: Values, changes: Changes, report: Report) -> None:
    """What happens because a held call is taken back, for the sake of the offender's."""
    if call.call is None or call.before is None:
        return
    event = Event(call.caller, reader.kind_of(call.call), call.call)
    bound = {**reader.bound(event), "offender": offender}
    for clause in reader.read_for(Step.TAKEN_BACK, event.name):
        if reader.holds(clause, values, bound, report):
            changes.fire(clause, Instance(bound), values)
