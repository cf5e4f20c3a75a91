"""Offers: the acts a search lets anybody do, counted from the player in turn."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lawbook.edition.model import EVERY_CALL, Edition, Kind
from lawbook.loading import call_number
from lawbook.machine.ruling import Event
from lawbook.values import DOUBLE, PASS, REDOUBLE, TABLE, Act, Bid, Call, Seat

PLACES = range(4)


@dataclass(frozen=True, slots=True)
class Offer:
    """One act. `place` counts players to the left of the one in turn; None is the table. `call` is the call made or,
    of another act, the call it names."""

    place: int | None
    name: str
    call: Call | None = None

    @property
    def is_call(self) -> bool:
        """Whether the act is itself a call."""
        return self.name in EVERY_CALL

    def act(self, turn: int) -> Act:
        """The act as it is written, with the seat in turn known."""
        if self.is_call:
            assert self.call is not None
            assert self.place is not None
            return Act.of_call(self.call, Seat((turn + self.place) % 4))
        seat = TABLE if self.place is None else Seat((turn + self.place) % 4)
        return Act(seat, self.name, argument=None if self.call is None else str(self.call))

    def event(self, edition: Edition) -> Event | None:
        """The act as an edition's machine takes it with North in turn; None where the edition does not know it."""
        number = None if self.call is None else call_number(edition.universe, self.call)
        if self.call is not None and number is None:
            return None
        if self.is_call:
            return Event(self.place, self.name, number)
        return Event(self.place, self.name, None, number) if self.name in edition.acts else None


def offers_of(editions: Sequence[Edition], bids: Iterable[Bid], acts: Iterable[str]) -> tuple[Offer, ...]:
    """Every act to be offered: the four kinds of call with these bids, and the other acts of these names that any of
    the editions knows, by every player or by the table, with every call they can name."""
    offered = tuple(bids)
    calls: tuple[Call, ...] = (PASS, DOUBLE, REDOUBLE, *offered)
    return tuple(_offers(editions, calls, acts))


def _offers(editions: Sequence[Edition], calls: Sequence[Call], acts: Iterable[str]) -> Iterator[Offer]:
    for place in PLACES:
        for call in calls:
            yield Offer(place, call.kind.name.lower(), call)
    for name in acts:
        known = [edition.acts[name] for edition in editions if name in edition.acts]
        named: Sequence[Call | None] = calls if any(word.argument == "call" for word in known) else (None,)
        for seat, about in itertools.product(_places(editions, name), named):
            yield Offer(seat, name, about)


# Clauses that give no act a meaning: what cannot be done, and when rights end.
_SILENT = (Kind.REFUSAL, Kind.LAPSE, Kind.REMEDY)


def _places(editions: Sequence[Edition], act: str) -> Sequence[int | None]:
    """Who can do an act as far as any of the editions tells: the players, the table, or both."""
    by_table = {
        clause.trigger.by_table
        for edition in editions
        for clause in edition.clauses
        if clause.trigger is not None and act in clause.trigger.acts and clause.kind not in _SILENT
    }
    return (*PLACES, None) if len(by_table) > 1 else (None,) if True in by_table else PLACES
