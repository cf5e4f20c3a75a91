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

from collections.abc import Callable, Mapping
from typing import Final

from lawbook.answers import Contract, Judgement, Remedy
from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError
from lawbook.history import Happening, History, event_of
from lawbook.loading import (
    Kept,
    act_meant,
    arguments_of,
    call_number,
    calls_of,
    kept,
    letters_of,
    load,
    machine_of,
    numbers_of,
    read_auction,
    restored,
)
from lawbook.machine.ruling import Event, Ruling, Verdict
from lawbook.machine.state import State
from lawbook.notation import ALL_PASS, AUCTION_FILE, Token
from lawbook.spots import NOWHERE, UNKNOWN, Spot, openings, spots_at_hand, spots_of
from lawbook.values import PASS, Act, Call, Seat, Side

__all__ = [
    "Auction",
    "Contract",
    "Happening",
    "Judgement",
    "Remedy",
    "arguments_of",
    "call_number",
    "calls_of",
    "letters_of",
    "load",
    "machine_of",
]

# How many acts a passing look at an auction shows.
_ACTS_SHOWN: Final = 12


class Auction:
    """An auction under one edition. Acts are added one at a time and can be undone.

    It can be copied and pickled. A pickle holds the acts and the edition's name, and is read back only where the
    edition of that name is still the same.
    """

    # What was ruled on is in the history, which is made when a ruling is first asked for. Lawful calls that were pushed
    # since, and other acts that were made without reasons, wait in `_pushed`; `_base` is where play stood before them,
    # where they are all lawful, `_spot` where it stands. `_followed` is where they lead, as far as anybody asked: how
    # many of them, and the state after these.
    __slots__ = ("_base", "_followed", "_history", "_pushed", "_spot", "dealer", "edition", "legal_calls")

    # Asked for at every call, so it lies in a slot, where `push` leaves it. Where nobody has looked for it yet, the
    # auction is an `_Unsettled` one, which looks when it is asked.
    legal_calls: tuple[Call, ...]
    """The calls in order for the seat in turn, lowest first; none when the auction is over. Not to be assigned."""

    def __init__(self, edition: Edition | str, dealer: Seat | str = Seat.N) -> None:
        if type(edition) is not Edition:
            edition = _edition(edition)
        if type(dealer) is not Seat:
            dealer = _seat(dealer)
        self.edition: Edition = edition
        self.dealer: Seat = dealer
        self._history: History | None = None
        self._pushed: list[Call | Act] = []
        self._followed: tuple[int, State] | None = None
        try:
            self._spot: Spot = openings[edition][dealer]
        except KeyError:
            self._base: Spot = UNKNOWN
            self._stand_at(UNKNOWN)
        else:
            self._base = self._spot
            self.legal_calls = self._spot.legal

    def _stand_at(self, spot: Spot) -> None:
        """Note where play stands, and which calls are lawful there, if that is known."""
        self._spot = spot
        if spot is not UNKNOWN and spot is not NOWHERE:
            if type(self) is _Unsettled:
                self.__class__ = Auction  # type: ignore[assignment]
            self.legal_calls = spot.legal
        elif type(self) is Auction:
            self.__class__ = _Unsettled
        elif type(self) is not _Unsettled:
            # A class of somebody else's, which has nothing but the slot.
            self.legal_calls = self._lawful_calls()

    # -- acting --------------------------------------------------------------------------------------------

    def act(self, act: Act | Call | str) -> Happening:
        """Add one act: an Act, a call by the seat in turn, or notation such as `S:penalise`.

        Returns the ruling on it; what happened of itself afterwards is in `happenings`. Raises LawbookError for
        text that is no act.
        """
        return self._add(act_meant(self.edition, act))

    def make(self, act: Act | Call | str) -> Judgement:
        """Add one act, as `act` does, without asking for reasons: told are the verdict and the offences. Where such an
        act was often made before, that takes a small part of the time.

        Rulings and everything else are there when they are asked for.

        >>> auction = Auction("whist-club-1912")
        >>> [str(auction.make(act)) for act in ("2H", "2D", "S:penalise")]
        ['legal', 'irregular: insufficient-declaration', 'legal']
        """
        made = act_meant(self.edition, act)
        spot, machine = self._spot, machine_of(self.edition)
        is_known = spot is not UNKNOWN and spot is not NOWHERE
        turn = spot.turn if is_known else self._turn_at(self._stands())
        if made.call is not None and (made.seat is None or made.seat is turn):
            if is_known and made.call in spot.legal and made.said is None:
                self.push(made.call)
                return _LEGAL
            # Written as it would be in notation.
            made = made if made.seat is None else Act.of_call(made.call, None, made.said)
        try:
            verdict, offences, after = machine.outcome(self._stands(), event_of(machine, made, turn))
        except LawbookError:
            # The same is said with its reasons, and after which acts.
            ruling = self._add(made).ruling
            verdict, offences = ruling.verdict, ruling.offences
        else:
            self._pushed.append(made)
            self._followed = len(self._pushed), after
            self._base = UNKNOWN
            self._stand_at(UNKNOWN)
        declared = self.edition.offences
        return Judgement(verdict, tuple([declared[number] for number in offences]))

    def push(self, call: Call) -> tuple[Call, ...]:
        """Add a call by the seat in turn without asking what is said of it, and return the calls lawful after it, none
        once the auction is over. A lawful call costs next to nothing.

        Rulings and everything else are there when they are asked for.
        """
        try:
            spot = self._spot.after[call]
        except (KeyError, TypeError):
            return self._push_anew(call)
        self._spot = spot
        self._pushed.append(call)
        self.legal_calls = legal = spot.legal
        return legal

    def _push_anew(self, call: Call) -> tuple[Call, ...]:
        """Push a call that was not made here before, or none that is lawful."""
        if not isinstance(call, Call):
            meant = f"; for text there is `act`, or Call.parse({call!r})" if isinstance(call, str) else ""
            raise TypeError(f"a Call is pushed, not {call!r}{meant}")
        spots = spots_of(self.edition)
        here = self._here()
        following = None if here is None else spots.after(here, call)
        if following is None:
            self.make(call)
            return self.legal_calls
        self._stand_at(following)
        self._pushed.append(call)
        return following.legal

    def play(self, text: str, *, at: Span | None = None) -> tuple[Happening, ...]:
        """Add every act of an auction in notation; returns the rulings, what happened of itself included.

        Raises LawbookError for text that is no auction, and where all the passes of `AP` do not end it.
        """
        if not isinstance(text, str):
            raise TypeError(f"an auction to play is text in notation, not {text!r}")
        before = len(self._ruled().groups)
        for token in read_auction(self.edition, text, at):
            if token.act is ALL_PASS:
                self._pass_out(token)
            else:
                assert isinstance(token.act, Act)
                self._add(token.act)
        return tuple(happening for group in self._ruled().groups[before:] for happening in group)

    def _pass_out(self, token: Token) -> None:
        for _ in range(4):
            if not self.is_open:
                return
            self._add(Act.of_call(PASS))
        if self.is_open:
            span = Span(AUCTION_FILE, token.line, token.position, token.line, token.position + len(token.text))
            raise _problem("all-pass-endless", "the auction is still open after four passes", span)

    def _add(self, act: Act) -> Happening:
        happening = self._ruled().add(act)
        self._base = UNKNOWN
        self._stand_at(UNKNOWN)
        return happening

    def undo(self) -> None:
        """Take back the last act added, with what happened of itself after it. Raises IndexError if there is none."""
        if self._pushed:
            self._pushed.pop()
            if self._followed is not None and self._followed[0] > len(self._pushed):
                self._followed = None
            known = self._base is not UNKNOWN and self._base is not NOWHERE
            calls = (call for call in self._pushed if isinstance(call, Call))
            self._stand_at(spots_of(self.edition).walked(self._base, calls) if known else UNKNOWN)
        elif self._history is not None and self._history.groups:
            self._history.undo()
            self._base = UNKNOWN
            self._stand_at(UNKNOWN)
        else:
            raise IndexError("there is no act to undo")

    # -- where it stands -----------------------------------------------------------------------------------

    def _ruled(self) -> History:
        """The history, once every call that was pushed is ruled on."""
        if self._history is None:
            self._history = History(self.edition, self.dealer)
        if self._pushed:
            self._history.add_all(made if isinstance(made, Act) else Act.of_call(made) for made in self._pushed)
            self._pushed, self._base, self._followed = [], self._spot, None
        return self._history

    def _stands(self) -> State:
        """The machine's state after the last act. Calls that were pushed are followed without asking for reasons, which
        takes a fraction of the time."""
        if not self._pushed:
            return self._ruled().states[-1]
        machine = machine_of(self.edition)
        if self._followed is not None:
            count, state = self._followed
        else:
            count, state = 0, machine.start(int(self.dealer)) if self._history is None else self._history.states[-1]
        if count < len(self._pushed):
            for made in self._pushed[count:]:
                act = made if isinstance(made, Act) else Act.of_call(made)
                state = machine.outcome(state, event_of(machine, act, self._turn_at(state)))[2]
            self._followed = len(self._pushed), state
        return state

    def _turn_at(self, state: State) -> Seat:
        edition = self.edition
        return _SEATS[machine_of(edition).evaluator.value(edition.interface.turn, state.values, {}) or 0]

    def _here(self) -> Spot | None:
        """Where lawful play stands; None where open rights may have a say in it, or spots are not at hand."""
        if self._spot is UNKNOWN:
            spots = spots_at_hand(self.edition)
            if spots is None:
                return None
            spot = spots.at(self._stands())
            if not self._pushed:
                self._base = spot
            self._stand_at(spot)
        return None if self._spot is NOWHERE else self._spot

    # -- copies --------------------------------------------------------------------------------------------

    def copy(self) -> Auction:
        """The same auction, to be continued apart."""
        twin = object.__new__(Auction)
        twin.edition, twin.dealer = self.edition, self.dealer
        twin._history = None if self._history is None else self._history.copy()
        twin._base, twin._pushed = self._base, list(self._pushed)
        twin._stand_at(self._spot)
        twin._followed = self._followed
        return twin

    __copy__ = copy

    def __deepcopy__(self, memory: object) -> Auction:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., Auction], tuple[object, ...]]:
        ruled = () if self._history is None else tuple(group[0].act for group in self._history.groups)
        return _made_again, (kept(self.edition), self.dealer, ruled, tuple(self._pushed))

    def __repr__(self) -> str:
        acts = self.notation.split()
        shown = acts if len(acts) <= _ACTS_SHOWN else ["...", *acts[-_ACTS_SHOWN:]]
        return f"<Auction under {self.edition.name}, {self.dealer} dealt: {' '.join(shown) or 'no act yet'}>"

    # -- asking --------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The machine's state after the last act."""
        return self._stands()

    @property
    def happenings(self) -> tuple[Happening, ...]:
        """Every act so far with its ruling, what happened of itself included."""
        return self._ruled().happenings

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings so far, in order."""
        return tuple(h.ruling for h in self.happenings)

    @property
    def notation(self) -> str:
        """The acts so far in canonical notation; what happened of itself is left out."""
        ruled = [] if self._history is None else [self._history.notation]
        return " ".join(filter(None, [*ruled, *map(str, self._pushed)]))

    @property
    def status(self) -> str:
        """`open`, `final`, `new-deal`, `passed-out`, or what else the edition declares."""
        here = self._spot
        values = self.state.values if here is UNKNOWN or here is NOWHERE else here.place.values
        number = machine_of(self.edition).evaluator.value(self.edition.interface.status, values, {})
        return self.edition.universe.enumerations["status"][number or 0].replace(" ", "-")

    @property
    def is_open(self) -> bool:
        """Whether calls are still to be made."""
        try:
            return self._spot.is_open
        except AttributeError:
            return self.status == "open"

    @property
    def turn_of_next(self) -> Seat:
        """The seat that a bare call is made by, after the end too."""
        try:
            return self._spot.turn
        except AttributeError:
            return self._turn_at(self._stands())

    @property
    def turn(self) -> Seat | None:
        """The seat whose turn it is to call, or None when the auction is over."""
        return self.turn_of_next if self.is_open else None

    @property
    def declaration(self) -> Contract | None:
        """What would be played if the bidding ended here; None while no bid stands."""
        interface, values, evaluator = self.edition.interface, self._stands().values, machine_of(self.edition).evaluator
        bid, declarer, dummy = (
            evaluator.value(v, values, {}) for v in (interface.contract, interface.declarer, interface.dummy)
        )
        if bid is None or declarer is None or dummy is None:
            return None
        universe = self.edition.universe
        letter = universe.letters[universe.denomination(bid)]
        doubling = evaluator.value(interface.doubling, values, {}) or 0
        return Contract(universe.level(bid), letter, doubling, Seat(declarer), Seat(dummy))

    @property
    def contract(self) -> Contract | None:
        """The contract, once the declaration is final."""
        return self.declaration if self.status == "final" else None

    @property
    def debarred(self) -> tuple[Seat, ...]:
        """The seats that may not declare."""
        evaluator, values = machine_of(self.edition).evaluator, self._stands().values
        asked = self.edition.interface.debarred
        return tuple(s for s in Seat if evaluator.truth(asked, values, {"that": int(s)}))

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
            for o in machine_of(self.edition).options(self.state)
        ]
        return tuple(sorted(found, key=lambda r: (r.seat, r.act)))

    def _lawful_calls(self) -> tuple[Call, ...]:
        here = self._here()
        if here is not None:
            return here.legal
        turn = self.turn
        if turn is None:
            return ()
        machine, state = machine_of(self.edition), self.state
        kind_of, seat = machine.reader.kind_of, int(turn)
        return tuple(
            call
            for number, call in enumerate(calls_of(self.edition))
            if machine.legal(state, Event(seat, kind_of(number), number))
        )

    def is_legal(self, call: Call, seat: Seat | str | None = None) -> bool:
        """Whether a call by a seat (the one in turn, if not named) would be ruled legal."""
        event = self._event(call, seat)
        if event is None:
            return False
        if event.seat == self.turn_of_next and (here := self._here()) is not None:
            return call in here.legal
        return machine_of(self.edition).legal(self.state, event)

    def judge(self, call: Call, seat: Seat | str | None = None) -> Judgement:
        """What a call by a seat (the one in turn, if not named) would be ruled, without making it. What was asked at a
        place of lawful play before costs next to nothing."""
        if seat is None or _seat(seat) is self.turn_of_next:
            try:
                return self._spot.judged[call]
            except (KeyError, TypeError):
                here = self._here()
            judgement = None if here is None else spots_of(self.edition).judged(here, call)
            if judgement is not None:
                return judgement
        event = self._event(call, seat)
        if event is None:
            return Judgement(Verdict.REFUSED)
        verdict, offences, _ = machine_of(self.edition).outcome(self.state, event)
        return Judgement(verdict, tuple(self.edition.offences[number] for number in offences))

    def _event(self, call: Call, seat: Seat | str | None) -> Event | None:
        """A call as the machine takes it; None where the edition lacks the denomination."""
        if not isinstance(call, Call):
            raise TypeError(f"a Call is judged, not {call!r}")
        number = numbers_of(self.edition).get(call)
        if number is None:
            return None
        who = self.turn_of_next if seat is None else _seat(seat)
        return Event(int(who), machine_of(self.edition).reader.kind_of(number), number)


class _Unsettled(Auction):
    """An auction in which nobody has looked yet which calls are lawful: after an act that is no lawful call, to look
    takes much longer than to rule, and most never ask."""

    __slots__ = ()

    @property
    def legal_calls(self) -> tuple[Call, ...]:  # type: ignore[override]
        return self._lawful_calls()


_SEATS: Final = tuple(Seat)
_LEGAL: Final = Judgement(Verdict.LEGAL)


def _edition(given: object) -> Edition:
    if isinstance(given, Edition | str):
        return given if isinstance(given, Edition) else load(given)
    raise TypeError(f"an auction is held under an Edition or the name of one, not {given!r}")


def _seat(given: object) -> Seat:
    if isinstance(given, Seat | str):
        return given if isinstance(given, Seat) else Seat.parse(given)
    raise TypeError(f"a seat is a Seat or its letter, not {given!r}")


def _made_again(edition: Kept, dealer: Seat, ruled: tuple[Act, ...], pushed: tuple[Call | Act, ...]) -> Auction:
    auction = Auction(restored(edition), dealer)
    for act in ruled:
        auction.act(act)
    for made in pushed:
        if isinstance(made, Call):
            auction.push(made)
        else:
            auction.make(made)
    return auction


def _problem(code: str, message: str, span: Span | None = None) -> LawbookError:
    return LawbookError([Diagnostic(code, Severity.ERROR, message, span)])
