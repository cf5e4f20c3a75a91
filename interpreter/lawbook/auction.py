"""The facade: load an edition, start an auction, act, ask.

>>> edition = load("whist-club-1912")
>>> auction = Auction(edition, dealer="N")
>>> auction.play("2H 2D")[-1].verdict.value
'irregular'
>>> [str(option) for option in auction.options]
['N:let-stand', 'N:penalise', 'S:let-stand', 'S:penalise']
>>> auction.act("S:penalise").verdict.value
'legal'
>>> [str(seat) for seat in auction.debarred]
['W']
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from lawbook.diagnostics import Diagnostic, Severity, Span, nearest
from lawbook.edition.library import Library
from lawbook.edition.model import Clause, Edition, Offence
from lawbook.edition.store import fetch
from lawbook.errors import LawbookError
from lawbook.language.types import Universe
from lawbook.machine.lawful import MOST_PLACES, Lawful, Place
from lawbook.machine.machine import LACKING, Machine
from lawbook.machine.ruling import Defeated, Event, Option, Ruling, Verdict
from lawbook.machine.state import Conflict, State
from lawbook.notation import ALL_PASS, AUCTION_FILE, ArgumentKind, Token, format_auction, parse_auction
from lawbook.values import DOUBLE, PASS, REDOUBLE, Act, Bid, Call, Kind, Seat, Side, Table


def load(name: str, library: Library | None = None) -> Edition:
    """The edition of that name, with readings chosen after `@`.

    Raises LawbookError if there is none, or with every problem of its files.

    >>> load("whist-club-1912").title
    'The Laws of Auction Bridge'
    """
    return _loaded(name, library)


@functools.lru_cache(maxsize=64)
def _loaded(name: str, library: Library | None) -> Edition:
    return fetch(name, library or Library.shipped())


@functools.lru_cache(maxsize=64)
def machine_of(edition: Edition) -> Machine:
    """The machine that rules by an edition; one is made for each and kept."""
    return Machine(edition)


class _Spot:
    """A place of lawful play with its calls as the facade gives them out, and the spot after each call by its number.

    Many thousands of these are visited in no order, so what is kept of each is small: that is what makes them fast.
    """

    __slots__ = ("_play", "calls", "moves", "place")
    calls: tuple[Call, ...]

    def __init__(self, play: _Play, place: Place) -> None:
        self._play = play
        self.place = place
        self.moves: list[_Spot | None] = [None] * len(play.calls)

    def __getattr__(self, name: str) -> tuple[Call, ...]:
        # The calls are found when they are first asked for, and then lie in their slot.
        if name != "calls":
            raise AttributeError(name)
        self.calls = self._play.listed(self.place.legal)
        return self.calls


class _Play:
    """Lawful play under one edition, remembered for all its auctions."""

    def __init__(self, edition: Edition) -> None:
        self.machine = machine_of(edition)
        self.calls = calls_of(edition)
        self.numbers: Mapping[Call, int] = {call: number for number, call in enumerate(self.calls)}
        self._lawful = Lawful(self.machine)
        self._lists: dict[tuple[int, ...], tuple[Call, ...]] = {}
        self._spots: dict[Place, _Spot] = {}
        self._starts = [self.machine.start(seat) for seat in Seat]
        self._openings: list[_Spot | None] = [None] * len(Seat)

    def start(self, dealer: Seat) -> State:
        return self._starts[dealer]

    def opening(self, dealer: Seat) -> _Spot | None:
        found = self._openings[dealer]
        if found is None:
            found = self._openings[dealer] = self.spot_at(self._starts[dealer])
        return found

    def spot_at(self, state: State) -> _Spot | None:
        """The spot of a state; None where open rights or held calls may have a say in what is lawful."""
        if state.held and not self._lawful.ignores_held:
            return None
        if not self._lawful.ignores_rights and any(call.rights for call in state.held):
            return None
        return self.spot_of(self._lawful.place_of(state.values))

    def listed(self, numbers: tuple[int, ...]) -> tuple[Call, ...]:
        """Calls by their numbers; places that have the same calls share one list."""
        found = self._lists.get(numbers)
        if found is None:
            found = self._lists[numbers] = tuple(self.calls[number] for number in numbers)
        return found

    def after(self, spot: _Spot, number: int) -> _Spot:
        """The spot after a lawful call."""
        found = spot.moves[number] = self.spot_of(spot.place.after(number))
        return found

    def spot_of(self, place: Place) -> _Spot:
        found = self._spots.get(place)
        if found is None:
            if len(self._spots) >= MOST_PLACES:
                self._spots.clear()
            found = self._spots[place] = _Spot(self, place)
        return found


@functools.lru_cache(maxsize=64)
def play_of(edition: Edition) -> _Play:
    """Lawful play under an edition; one is made for each and kept."""
    return _Play(edition)


@functools.lru_cache(maxsize=64)
def arguments_of(edition: Edition) -> Mapping[str, ArgumentKind]:
    """The acts an edition declares and the argument each takes, as the notation wants to know them."""
    return {name: ArgumentKind(act.argument) for name, act in edition.acts.items()}


@dataclass(frozen=True, slots=True)
class Contract:
    """What is played: level in odd tricks, denomination's letter, doubling 0 to 2, declarer and dummy."""

    level: int
    denomination: str
    doubling: int
    declarer: Seat
    dummy: Seat

    def __str__(self) -> str:
        return f"{self.level}{self.denomination}{'X' * self.doubling} by {self.declarer}"


@dataclass(frozen=True, slots=True)
class Remedy:
    """A remedy somebody may choose now."""

    seat: Seat
    act: str
    offence: Offence
    offender: Seat
    option: Option

    @property
    def law(self) -> str | None:
        """The law that gives it, or None where custom does."""
        return self.option.clause.law.number

    @property
    def clause(self) -> str:
        """The clause that gives it."""
        return self.option.clause.id

    def __str__(self) -> str:
        return f"{self.seat}:{self.act}"


@dataclass(frozen=True, slots=True)
class Happening:
    """One act of an auction and the ruling on it. `refined` narrows a refusal to the clauses that would have applied
    had their time not passed."""

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


class Auction:
    """An auction under one edition. Acts are added one at a time and can be undone."""

    def __init__(self, edition: Edition | str, dealer: Seat | str = Seat.N) -> None:
        self.edition = load(edition) if isinstance(edition, str) else edition
        self.dealer = Seat.parse(dealer) if isinstance(dealer, str) else dealer
        self._play = play_of(self.edition)
        self._machine = self._play.machine
        self._numbers = self._play.numbers
        self._ruled: list[State] = [self._play.start(self.dealer)]
        self._rulings: list[tuple[Happening, ...]] = []
        # All of them in one line, made when asked for.
        self._flat: tuple[Happening, ...] | None = None
        # Lawful calls that were pushed and are not ruled on yet, and where play stands after them, once it is known.
        self._pushed: list[Call] = []
        self._known: _Spot | None = self._play.opening(self.dealer)

    # -- acting --------------------------------------------------------------------------------------------

    def act(self, act: Act | Call | str) -> Happening:
        """Add one act: an Act, a call by the seat in turn, or notation such as `S:penalise`.

        Returns the ruling on it; what happened of itself afterwards is in `happenings`. Raises LawbookError for
        text that is no act.
        """
        if isinstance(act, str):
            tokens = parse_auction(act, acts=arguments_of(self.edition))
            if len(tokens) != 1 or tokens[0].act is ALL_PASS:
                raise _problem("one-act", f"one act is expected, not `{act}`", None)
            item = tokens[0].act
            assert isinstance(item, Act)
            return self._add(item)
        return self._add(Act.of_call(act) if isinstance(act, Call) else act)

    def push(self, call: Call) -> tuple[Call, ...]:
        """Add a call by the seat in turn without asking what is said of it, and return the calls lawful after it, none
        once the auction is over. A lawful call costs next to nothing.

        Rulings and everything else are there when they are asked for.
        """
        spot = self._known or self._spot
        number = self._numbers.get(call)
        following = None if spot is None or number is None else spot.moves[number]
        if following is None:
            if spot is None or number is None or call not in spot.calls:
                self._add(Act.of_call(call))
                return self.legal_calls
            following = self._play.after(spot, number)
        self._pushed.append(call)
        self._known = following
        return following.calls

    @property
    def _spot(self) -> _Spot | None:
        """Where lawful play stands; None where open rights may have a say in it."""
        if self._known is None:
            self._known = self._play.spot_at(self._states[-1])
        return self._known

    def _settle(self) -> None:
        """Rule on the calls that were pushed."""
        pushed, known = self._pushed, self._known
        self._pushed, self._known = [], None
        for call in pushed:
            self._add(Act.of_call(call))
        self._known = known

    @property
    def _states(self) -> list[State]:
        if self._pushed:
            self._settle()
        return self._ruled

    @property
    def _happenings(self) -> list[tuple[Happening, ...]]:
        if self._pushed:
            self._settle()
        return self._rulings

    def play(self, text: str, *, at: Span | None = None) -> tuple[Happening, ...]:
        """Add every act of an auction in notation; returns the rulings, what happened of itself included.

        Raises LawbookError for text that is no auction, and where all the passes of `AP` do not end it.
        """
        before = len(self._happenings)
        for token in parse_auction(text, acts=arguments_of(self.edition), at=at):
            if token.act is ALL_PASS:
                self._pass_out(token)
            else:
                assert isinstance(token.act, Act)
                self._add(token.act)
        return tuple(h for group in self._happenings[before:] for h in group)

    def _pass_out(self, token: Token) -> None:
        for _ in range(4):
            if not self.is_open:
                return
            self._add(Act.of_call(PASS))
        if self.is_open:
            span = Span(AUCTION_FILE, token.line, token.position, token.line, token.position + len(token.text))
            raise _problem("all-pass-endless", "the auction is still open after four passes", span)

    def _add(self, act: Act) -> Happening:
        event, seated = self._event(act)
        try:
            rulings = self._machine.act(self._states[-1], event)
        except Conflict as conflict:
            last = format_auction([self._said(seated, self._states[-1])])
            raise conflict.after(f"{self.notation} {last}".strip()) from None
        happenings = [self._happening(seated, rulings[0])]
        for ruling in rulings[1:]:
            assert ruling.event.seat is not None
            happenings.append(Happening(Act.of_call(PASS, Seat(ruling.event.seat)), ruling, ruling.because))
        self._happenings.append(tuple(happenings))
        self._flat = None
        self._states.append(rulings[-1].state)
        self._known = None
        return happenings[0]

    def _happening(self, act: Act, ruling: Ruling) -> Happening:
        if ruling.verdict is not Verdict.REFUSED or not ruling.lacking:
            return Happening(act, ruling, ruling.because)
        # A refusal rests on the remedy whose time has passed, where there was one; that is history, not state.
        lacking = {clause.id: clause for clause in ruling.lacking}
        for group in reversed(self._happenings):
            for happening in reversed(group):
                lost = {right.remedy: by for _, right, by in happening.ruling.lapsed}
                chosen = happening.ruling.chosen
                if chosen is not None:
                    lost.setdefault(chosen.remedy.id, chosen.clause.id)
                found = [clause for name, clause in lacking.items() if name in lost]
                if found:
                    return Happening(act, ruling, tuple(found), lost[found[0].id])
        return Happening(act, ruling, ruling.because)

    def _event(self, act: Act) -> tuple[Event, Act]:
        universe = self.edition.universe
        if act.call is not None:
            seat = act.seat if isinstance(act.seat, Seat) else self.turn_of_next
            call = call_number(universe, act.call)
            if call is None:
                return Event(int(seat), LACKING), Act.of_call(act.call, seat)
            return Event(int(seat), self._machine.reader.kind_of(call), call), Act.of_call(act.call, seat)
        kind = self.edition.acts.get(act.name)
        if kind is None:
            raise _problem(
                "unknown-act",
                f"{self.edition.id} has no act `{act.name}`",
                None,
                suggestion=nearest(act.name, self.edition.acts),
            )
        argument = None
        if act.argument is not None and kind.argument in ("call", "optional call"):
            argument = call_number(universe, Call.parse(act.argument))
            if argument is None:
                return Event(None, LACKING), act
        seat_number = None if act.seat is None or isinstance(act.seat, Table) else int(act.seat)
        return Event(seat_number, act.name, None, argument), act

    def undo(self) -> None:
        """Take back the last act added, with what happened of itself after it. Raises IndexError if there is none."""
        if not self._happenings:
            raise IndexError("there is no act to undo")
        self._happenings.pop()
        self._flat = None
        self._states.pop()
        self._known = None

    def copy(self) -> Auction:
        """The same auction, to be continued apart."""
        twin = Auction(self.edition, self.dealer)
        twin._ruled, twin._rulings = list(self._ruled), list(self._rulings)
        twin._pushed, twin._known = list(self._pushed), self._known
        return twin

    # -- asking --------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The machine's state after the last act."""
        return self._states[-1]

    @property
    def happenings(self) -> tuple[Happening, ...]:
        """Every act so far with its ruling, what happened of itself included."""
        made = self._happenings
        if self._flat is None:
            self._flat = tuple(h for group in made for h in group)
        return self._flat

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings so far, in order."""
        return tuple(h.ruling for h in self.happenings)

    @property
    def notation(self) -> str:
        """The acts so far in canonical notation; what happened of itself is left out."""
        made = zip(self._happenings, self._states, strict=False)
        return format_auction(self._said(group[0].act, before) for group, before in made)

    def _said(self, act: Act, before: State) -> Act:
        """An act as it is written: a call by the seat in turn is bare."""
        turn = self._machine.evaluator.value(self.edition.interface.turn, before.values, {})
        return Act.of_call(act.call) if act.call is not None and act.seat == turn else act

    @property
    def status(self) -> str:
        """`open`, `final`, `new-deal`, `passed-out`, or what else the edition declares."""
        values = self.state.values if self._known is None else self._known.place.values
        number = self._machine.evaluator.value(self.edition.interface.status, values, {})
        return self.edition.universe.enumerations["status"][number or 0].replace(" ", "-")

    @property
    def is_open(self) -> bool:
        """Whether calls are still to be made."""
        return self.status == "open" if self._known is None else self._known.place.is_open

    @property
    def turn_of_next(self) -> Seat:
        """The seat that a bare call is made by, after the end too."""
        if self._known is not None:
            return Seat(self._known.place.turn)
        return Seat(self._value(self.edition.interface.turn) or 0)

    @property
    def turn(self) -> Seat | None:
        """The seat whose turn it is to call, or None when the auction is over."""
        return self.turn_of_next if self.is_open else None

    @property
    def declaration(self) -> Contract | None:
        """What would be played if the bidding ended here; None while no bid stands."""
        interface = self.edition.interface
        bid, declarer, dummy = (self._value(v) for v in (interface.contract, interface.declarer, interface.dummy))
        if bid is None or declarer is None or dummy is None:
            return None
        universe = self.edition.universe
        letter = universe.letters[universe.denomination(bid)]
        doubling = self._value(interface.doubling) or 0
        return Contract(universe.level(bid), letter, doubling, Seat(declarer), Seat(dummy))

    @property
    def contract(self) -> Contract | None:
        """The contract, once the declaration is final."""
        return self.declaration if self.status == "final" else None

    @property
    def debarred(self) -> tuple[Seat, ...]:
        """The seats that may not declare."""
        evaluator = self._machine.evaluator
        asked = self.edition.interface.debarred
        return tuple(s for s in Seat if evaluator.truth(asked, self.state.values, {"that": int(s)}))

    @property
    def points(self) -> Mapping[Side, int]:
        """The points that penalties have brought each side so far."""
        found = dict.fromkeys(Side, 0)
        for ruling in self.rulings:
            for scored in ruling.scored:
                found[Side(scored.side)] += scored.points
        return found

    @property
    def options(self) -> tuple[Remedy, ...]:
        """The remedies that may be chosen now, by seat and act; of several rights one act uses, the newest."""
        offences = self.edition.offences
        found = [
            Remedy(Seat(o.seat), o.choice.act, offences[o.offence], Seat(o.offender), o)
            for o in self._machine.options(self.state)
        ]
        return tuple(sorted(found, key=lambda r: (r.seat, r.act)))

    @property
    def legal_calls(self) -> tuple[Call, ...]:
        """The calls in order for the seat in turn, lowest first; none when the auction is over."""
        spot = self._known or self._spot
        if spot is not None:
            return spot.calls
        turn = self.turn
        if turn is None:
            return ()
        return tuple(c for c in calls_of(self.edition) if self.is_legal(c, turn))

    def is_legal(self, call: Call, seat: Seat | None = None) -> bool:
        """Whether a call by a seat (the one in turn, if not named) would be ruled legal."""
        number = call_number(self.edition.universe, call)
        if number is None:
            return False
        who = self.turn_of_next if seat is None else seat
        return self._machine.legal(self.state, Event(int(who), self._machine.reader.kind_of(number), number))

    def _value(self, node: object) -> int | None:
        return self._machine.evaluator.value(node, self.state.values, {})  # type: ignore[arg-type]


def call_number(universe: Universe, call: Call) -> int | None:
    """The number of a call in an edition's domains, or None where the edition lacks the denomination."""
    match call:
        case Bid(level, letter):
            return universe.bid(level, universe.letters.index(letter)) if letter in universe.letters else None
        case _:
            return {Kind.PASS: 0, Kind.DOUBLE: 1, Kind.REDOUBLE: 2}[call.kind]


@functools.lru_cache(maxsize=64)
def calls_of(edition: Edition) -> tuple[Call, ...]:
    """Every call an edition's players can make, lowest first: pass, double, redouble, then bids by level."""
    bids = (
        Bid(level, letter) for level in range(1, edition.universe.levels + 1) for letter in edition.universe.letters
    )
    return (PASS, DOUBLE, REDOUBLE, *bids)


def _problem(code: str, message: str, span: Span | None, suggestion: str | None = None) -> LawbookError:
    return LawbookError([Diagnostic(code, Severity.ERROR, message, span, suggestion=suggestion)])
