"""Offers: the acts a search lets anybody do, counted from the player in turn."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lawbook.edition.model import EVERY_CALL, Edition
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
        by_table = all(_by_table(edition, name) for edition in editions)
        places: Sequence[int | None] = (None,) if by_table else PLACES
        for seat, about in itertools.product(places, named):
            yield Offer(seat, name, about)


def _by_table(edition: Edition, act: str) -> bool:
    """Whether only the table does an act."""
    triggers = [c.trigger for c in edition.clauses if c.trigger is not None and act in c.trigger.acts]
    return all(trigger.by_table for trigger in triggers) and bool(triggers)
