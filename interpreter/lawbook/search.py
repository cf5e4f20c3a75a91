"""Search: auctions walked breadth first until something wanted happens.

It proves nothing by not finding: it says how many acts it tried, and only a walk that came to its end with every act
that can be done has seen every auction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from lawbook.edition.model import CALL_KINDS, Edition
from lawbook.errors import LawbookError
from lawbook.loading import calls_of, machine_of
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event, Ruling
from lawbook.machine.state import State
from lawbook.notation import ArgumentKind, format_auction
from lawbook.values import TABLE, Act, Seat

Acts: TypeAlias = tuple[Event, ...]

MOST_ACTS: Final = 20_000
"""How many acts are tried unless more are asked for."""


def shortest(
    edition: Edition,
    wanted: Callable[[tuple[Ruling, ...]], bool],
    bids: Iterable[int] | None = None,
    most_acts: int = MOST_ACTS,
) -> Acts | None:
    """A shortest auction whose last act is ruled on as wanted, with North dealing; None if there is none within so many
    acts tried.

    `bids` are the bids that are offered, by their numbers. `wanted` is given the ruling on an act and those on what
    happened of itself after it.
    """
    for step in Walk(edition, bids=bids, most_acts=most_acts):
        if wanted(step.rulings):
            return step.acts
    return None


def few_bids(edition: Edition) -> tuple[int, ...]:
    """Enough bids for most purposes: low ones of a few denominations, a high one, and impossible ones."""
    universe = edition.universe
    last = len(universe.denominations) - 1
    low = [universe.bid(1, at) for at in range(min(last + 1, 3))]
    high = [universe.bid(2, 0), universe.bid(universe.levels - 1, last)]
    return tuple(dict.fromkeys([*low, *high, universe.bid(universe.levels, 0), universe.bid(universe.levels, last)]))


def notation(edition: Edition, acts: Acts, dealer: Seat = Seat.N) -> str:
    """Acts as they are written."""
    machine = machine_of(edition)
    state = machine.start(int(dealer))
    written = []
    for event in acts:
        turn = machine.evaluator.value(edition.interface.turn, state.values, {})
        written.append(_act(edition, event, turn))
        state = machine.act(state, event)[-1].state
    return format_auction(written)


def _act(edition: Edition, event: Event, turn: int | None) -> Act:
    if event.call is not None:
        call = calls_of(edition)[event.call]
        return Act.of_call(call) if event.seat == turn else Act.of_call(call, Seat(event.seat or 0))
    seat = TABLE if event.seat is None else Seat(event.seat)
    argument = None if event.argument is None else str(calls_of(edition)[event.argument])
    return Act(seat, event.name, argument=argument)


@dataclass(frozen=True, slots=True)
class Step:
    """One act tried: the state before it, the rulings on it, and the acts that led there, itself included."""

    before: State
    event: Event
    rulings: tuple[Ruling, ...]
    _way: _Way | None

    @property
    def acts(self) -> Acts:
        """The whole auction."""
        return (*_acts(self._way), self.event)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a state was reached: the act, and the way before it."""

    event: Event
    before: _Way | None


def _acts(way: _Way | None) -> Acts:
    found: list[Event] = []
    while way is not None:
        found.append(way.event)
        way = way.before
    return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class Root:
    """A state to walk from, and the acts that led there."""

    state: State
    acts: Acts = ()


class Walk:
    """Every act that can be tried, from the start or from other roots, those near to them first.

    `tried` is how many there were so far. `is_whole` is true once every state that the acts offered lead to was gone
    on from.
    """

    def __init__(
        self,
        edition: Edition,
        roots: Iterable[Root] | None = None,
        *,
        machine: Machine | None = None,
        bids: Iterable[int] | None = None,
        most_acts: int = MOST_ACTS,
    ) -> None:
        self._edition = edition
        self._machine = machine or machine_of(edition)
        self._roots = [Root(self._machine.start(0))] if roots is None else list(roots)
        self._events = events_of(edition, few_bids(edition) if bids is None else sorted(set(bids)))
        self._most = most_acts
        self.tried = 0
        self.is_whole = False

    def __iter__(self) -> Iterator[Step]:
        met: set[State] = set()
        waiting: deque[tuple[State, _Way | None]] = deque()
        for root in self._roots:
            if root.state not in met:
                met.add(root.state)
                waiting.append((root.state, _way(root.acts)))
        while waiting:
            state, way = waiting.popleft()
            for event in self._offered(state):
                if self.tried >= self._most:
                    return
                self.tried += 1
                try:
                    rulings = self._machine.act(state, event)
                except LawbookError:
                    # Clauses that contradict each other rule nothing; the checker tells of them.
                    continue
                yield Step(state, event, rulings, way)
                after = rulings[-1].state
                if after not in met:
                    met.add(after)
                    waiting.append((after, _Way(event, way)))
        self.is_whole = True

    def _offered(self, state: State) -> Iterator[Event]:
        """The acts to try in a state: first the calls of the player in turn, then those of whoever sits next."""
        turn = self._machine.evaluator.value(self._edition.interface.turn, state.values, {}) or 0
        for place in range(4):
            yield from self._events[(turn + place) % 4]
        yield from self._events[len(Seat)]


def _way(acts: Acts) -> _Way | None:
    way: _Way | None = None
    for event in acts:
        way = _Way(event, way)
    return way


def events_of(edition: Edition, bids: Iterable[int]) -> list[list[Event]]:
    """The acts of each seat with these bids, and last those of the table."""
    offered = list(bids)
    universe = edition.universe
    calls = [*range(universe.first_bid), *offered]
    found: list[list[Event]] = []
    for seat in (*map(int, Seat), None):
        mine: list[Event] = []
        if seat is not None:
            mine += [Event(seat, CALL_KINDS[min(call, universe.first_bid)], call) for call in calls]
        for name, word in edition.acts.items():
            kind = ArgumentKind(word.argument)
            named: list[int | None] = list(calls) if kind is ArgumentKind.CALL else [None]
            if kind is ArgumentKind.OPTIONAL_CALL:
                named += calls
            mine += [Event(seat, name, None, argument) for argument in named]
        found.append(mine)
    return found


def shortened(acts: Acts, wanted: Callable[[Acts], bool]) -> Acts:
    """The acts without those that can be left out, as long as what is wanted still comes of them."""
    kept = acts
    at = len(kept) - 2
    while at >= 0:
        fewer = (*kept[:at], *kept[at + 1 :])
        if wanted(fewer):
            kept = fewer
        at -= 1
    return kept
