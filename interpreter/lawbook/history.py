"""The history of an auction: its acts in order, each ruled on, and the states between them."""

from __future__ import annotations

from collections.abc import Iterable

from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.model import Clause, Edition
from lawbook.errors import LawbookError
from lawbook.loading import machine_of, numbers_of
from lawbook.machine.machine import LACKING, Machine
from lawbook.machine.ruling import Defeated, Event, Ruling, Verdict
from lawbook.machine.state import Conflict, State
from lawbook.notation import ArgumentKind, format_auction
from lawbook.records import dataclass
from lawbook.values import PASS, Act, Call, Card, Seat, Table


@dataclass(frozen=True, slots=True)
class Happening:
    """One act of an auction and the ruling on it. `because` narrows a refusal to the clauses that would have applied
    had their time not passed; `lapsed_by` is then what ended it."""

    act: Act
    ruling: Ruling
    because: tuple[Clause, ...]
    lapsed_by: str | None = None

    @property
    def verdict(self) -> Verdict:
        """Legal, irregular or refused."""
        return self.ruling.verdict

    @property
    def of_itself(self) -> bool:
        """Whether the act happened of itself."""
        return self.ruling.of_itself

    @property
    def defeated(self) -> tuple[Defeated, ...]:
        """The clauses that were considered and did not rule."""
        return self.ruling.defeated


class History:
    """The acts of one auction. `states` are those before the first act and after each; `groups` the happenings of each
    act, what happened of itself after it included. `machine` is one that rules in the place of the edition's own, such
    as one that is looked at."""

    __slots__ = ("_edition", "_flat", "_machine", "groups", "states")

    def __init__(self, edition: Edition, dealer: Seat, machine: Machine | None = None) -> None:
        self._edition = edition
        self._machine = machine or machine_of(edition)
        self.states: list[State] = [self._machine.start(dealer)]
        self.groups: list[tuple[Happening, ...]] = []
        # All of them in one line, made when asked for.
        self._flat: tuple[Happening, ...] | None = ()

    def copy(self) -> History:
        """The same history, to be continued apart."""
        twin = object.__new__(History)
        twin._edition, twin._machine, twin._flat = self._edition, self._machine, self._flat
        twin.states, twin.groups = list(self.states), list(self.groups)
        return twin

    @property
    def happenings(self) -> tuple[Happening, ...]:
        """Every act with its ruling, what happened of itself included."""
        if self._flat is None:
            self._flat = tuple(happening for group in self.groups for happening in group)
        return self._flat

    @property
    def turn(self) -> Seat:
        """The seat that a bare call is made by."""
        return self._turn_at(self.states[-1])

    def _turn_at(self, state: State) -> Seat:
        return Seat(self._machine.evaluator.value(self._edition.interface.turn, state.values, {}) or 0)

    @property
    def notation(self) -> str:
        """The acts in canonical notation; what happened of itself is left out."""
        made = zip(self.groups, self.states, strict=False)
        return format_auction(self._said(group[0].act, before) for group, before in made)

    def _said(self, act: Act, before: State) -> Act:
        """An act as it is written: a call by the seat in turn is bare."""
        return (
            Act.of_call(act.call, said=act.said) if act.call is not None and act.seat == self._turn_at(before) else act
        )

    def undo(self) -> None:
        """Take back the last act. Raises IndexError if there is none."""
        self.groups.pop()
        self.states.pop()
        self._flat = None

    # -- ruling --------------------------------------------------------------------------------------------

    def add(self, act: Act) -> Happening:
        """Rule on an act. Raises LawbookError for one that the edition does not declare, Conflict where its clauses
        contradict each other; nothing is added then."""
        turn = self.turn if act.seat is None else None
        event = event_of(self._machine, act, turn)
        seated = act if turn is None else Act.of_call(_call_of(act), turn, act.said)
        try:
            rulings = self._machine.act(self.states[-1], event)
        except Conflict as conflict:
            last = format_auction([self._said(seated, self.states[-1])])
            raise conflict.after(f"{self.notation} {last}".strip()) from None
        happenings = [self._happening(seated, rulings[0])]
        for ruling in rulings[1:]:
            assert ruling.event.seat is not None
            happenings.append(Happening(Act.of_call(PASS, Seat(ruling.event.seat)), ruling, ruling.because))
        self.groups.append(tuple(happenings))
        self.states.append(rulings[-1].state)
        self._flat = None
        return happenings[0]

    def add_all(self, acts: Iterable[Act]) -> None:
        """Rule on several acts; where one cannot be, none is added."""
        before = len(self.groups)
        try:
            for act in acts:
                self.add(act)
        except LawbookError:
            while len(self.groups) > before:
                self.undo()
            raise

    def _happening(self, act: Act, ruling: Ruling) -> Happening:
        if ruling.verdict is not Verdict.REFUSED or not ruling.lacking:
            return Happening(act, ruling, ruling.because)
        # A refusal rests on the remedy whose time has passed, where there was one; that is history, not state.
        lacking = {clause.id: clause for clause in ruling.lacking}
        for group in reversed(self.groups):
            for happening in reversed(group):
                lost = {right.remedy: by for _, right, by in happening.ruling.lapsed}
                chosen = happening.ruling.chosen
                if chosen is not None:
                    lost.setdefault(chosen.remedy.id, chosen.clause.id)
                found = [clause for name, clause in lacking.items() if name in lost]
                if found:
                    return Happening(act, ruling, tuple(found), lost[found[0].id])
        return Happening(act, ruling, ruling.because)


def event_of(machine: Machine, act: Act, turn: Seat | None) -> Event:
    """An act as the machine takes it; a call that names no seat is made by the one in turn. Raises LawbookError for an
    act that the edition does not declare, or not in this way."""
    edition = machine.edition
    if act.call is not None:
        call = numbers_of(edition).get(act.call)
        seat = turn if act.seat is None else act.seat
        assert isinstance(seat, Seat)
        return Event(int(seat), LACKING) if call is None else Event(int(seat), machine.reader.kind_of(call), call)
    kind = edition.acts.get(act.name)
    if kind is None:
        meant = nearest(act.name, edition.acts)
        raise _problem("unknown-act", f"{edition.id} has no act `{act.name}`", meant)
    argument = None
    told = _argument(act, ArgumentKind(kind.argument))
    if isinstance(told, Call):
        argument = numbers_of(edition).get(told)
        if argument is None:
            return Event(None, LACKING)
    seat_number = None if act.seat is None or isinstance(act.seat, Table) else int(act.seat)
    return Event(seat_number, act.name, None, argument)


def _argument(act: Act, kind: ArgumentKind) -> Call | Card | str | None:
    """What an act is about. Raises LawbookError where that is not what the edition declares for the act."""
    if act.argument is None:
        if kind.is_required:
            raise _problem("argument-missing", f"`{act.name}` needs {kind.noun}")
        return None
    match kind:
        case ArgumentKind.NONE:
            raise _problem("argument-not-taken", f"`{act.name}` takes no argument")
        case ArgumentKind.CALL | ArgumentKind.OPTIONAL_CALL:
            return Call.parse(act.argument)
        case ArgumentKind.CARD | ArgumentKind.OPTIONAL_CARD:
            return Card.parse(act.argument)
        case _:
            return act.argument


def _call_of(act: Act) -> Call:
    """The call of an act that names no seat: no other act is without one."""
    assert act.call is not None
    return act.call


def _problem(code: str, message: str, suggestion: str | None = None) -> LawbookError:
    return LawbookError([Diagnostic(code, Severity.ERROR, message, suggestion=suggestion)])
