"""The auction as a game in which one player is asked at a time, over numbered moves: what both adapters are made of.

Moves have the same numbers wherever the edition is the same. First come the edition's calls, by their numbers there.
Where irregular acts are allowed, there follow the acts that choose a remedy, the acts that put another call in the
place of one, and last the move of waiting.

*Lawful play.* The player in turn is asked, and his moves are the calls in order.

*With irregular acts.* After each act the players are asked in turn whether they will speak, from the left of the one
who has acted, and the player in turn last, who cannot wait. Moves are every act that would not be refused: any call in
or out of turn, the remedies a player may choose, the replacements of a call. As many irregular acts and replacements as
the game allows may happen in an auction; then only calls in order and remedies are left, so that the auction ends.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from lawbook.auction import Auction, calls_of, load
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.machine.ruling import Verdict
from lawbook.machine.state import State
from lawbook.values import Act, Call, Seat

WAIT: Final = "wait"
_MOVES_FOR_EACH_CALL: Final = 10
_MOST_REMEMBERED: Final = 20_000


class Moves:
    """The moves of an edition, by its name, numbered from 0.

    `irregular` says whether irregular acts are among them; `laws` is a folder of one's own, whose editions and laws
    are looked at first.

    Raises LawbookError if there is no such edition.

    >>> moves = Moves("portland-bath-1908")
    >>> len(moves), moves.text(0), moves.text(3)
    (43, 'P', '1S')
    """

    def __init__(self, name: str, laws: str = "", *, irregular: bool = False) -> None:
        self._made_of = (name, laws, irregular)
        self.edition = edition = load(name, Library.shipped((Path(laws),)) if laws else None)
        self.irregular = irregular
        self.calls: Sequence[Call] = calls_of(edition)
        self.acts: tuple[tuple[str, str | None], ...] = tuple(_acts_about_calls(edition)) if irregular else ()
        self.remedies = frozenset(
            number for number, (name, _) in enumerate(self.acts, len(self.calls)) if edition.acts[name].chooses
        )
        texts = [str(call) for call in self.calls]
        texts += [name if argument is None else f"{name}={argument}" for name, argument in self.acts]
        self._texts = (*texts, WAIT) if irregular else tuple(texts)
        self._numbers = {text: number for number, text in enumerate(self._texts)}
        # What a player may choose depends on the machine's state only: remembered for all auctions.
        self.choices: dict[tuple[State, Seat, bool], tuple[int, ...]] = {}
        self.number_of_call = {call: number for number, call in enumerate(self.calls)}

    def __len__(self) -> int:
        return len(self._texts)

    def text(self, number: int) -> str:
        """A move in the notation of auctions, without its seat. Raises IndexError."""
        return self._texts[number]

    def number(self, text: str) -> int:
        """The number of a move from its canonical text. Raises KeyError."""
        return self._numbers[text]

    @property
    def wait(self) -> int:
        """The number of the move of waiting, where there is one."""
        return len(self._texts) - 1

    @property
    def longest(self) -> int:
        """After how many moves an auction is broken off, unless another number is chosen: no lawful one of the codes
        known is so long, and with irregular acts hardly any."""
        return _MOVES_FOR_EACH_CALL * len(self.calls)

    def act(self, number: int, seat: Seat) -> Act:
        """The act of a move other than waiting."""
        if number < len(self.calls):
            return Act.of_call(self.calls[number], seat)
        name, argument = self.acts[number - len(self.calls)]
        return Act(seat, name, argument=argument)

    def __deepcopy__(self, memory: object) -> Moves:
        return self

    def __reduce__(self) -> tuple[Callable[..., Moves], tuple[str, str, bool]]:
        return moves_of, self._made_of


def moves_of(name: str, laws: str = "", irregular: bool = False) -> Moves:
    """The moves of an edition; they are numbered once and kept."""
    return _moves(name, laws, irregular, Path(laws).absolute() if laws else None)


@functools.lru_cache(maxsize=64)
def _moves(name: str, laws: str, irregular: bool, _place: Path | None) -> Moves:
    return Moves(name, laws, irregular=irregular)


def _acts_about_calls(edition: Edition) -> list[tuple[str, str | None]]:
    """The declared acts that decide about a call or replace one: talk, cards and the dealing are left out."""
    found: list[tuple[str, str | None]] = []
    for name, act in edition.acts.items():
        takes_call = act.argument in ("call", "optional call")
        if act.chooses and act.argument in ("none", "optional call", "optional card", "optional text"):
            found.append((name, None))
        if takes_call:
            found += [(name, str(call)) for call in calls_of(edition)]
    return found


class Bidding:
    """An auction in which one player is asked at a time; see the module for the order.

    `irregularities` is how many irregular acts and replacements of calls may happen, `longest` after how many moves the
    auction is broken off.
    """

    def __init__(self, moves: Moves, dealer: Seat, *, irregularities: int = 0, longest: int = 0) -> None:
        self.moves = moves
        self.auction = Auction(moves.edition, dealer)
        self.history: list[tuple[Seat, int]] = []
        self._made_of = (moves, dealer, irregularities, longest)
        self._longest = longest or moves.longest
        self._spare = irregularities if moves.irregular else 0
        self._last_to_act = dealer.right
        self._asked: list[Seat] | None = None

    def __deepcopy__(self, memory: object) -> Bidding:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., Bidding], tuple[object, ...]]:
        return _made_again, (*self._made_of, tuple(self.history))

    def copy(self) -> Bidding:
        """The same auction, to be continued apart."""
        twin = object.__new__(Bidding)
        twin.__dict__.update(self.__dict__)
        twin.auction = self.auction.copy()
        twin.history = list(self.history)
        twin._asked = None if self._asked is None else list(self._asked)
        return twin

    # -- asking --------------------------------------------------------------------------------------------

    @property
    def player(self) -> Seat | None:
        """Who is asked; None when the auction is over."""
        if len(self.history) >= self._longest:
            return None
        if not self.moves.irregular:
            return self.auction.turn if self.auction.legal_calls else None
        if self._asked is None:
            self._asked = self._order()
        # Whoever could only wait is not asked.
        while self._asked and not self._can_speak(self._asked[0]):
            self._asked.pop(0)
        return self._asked[0] if self._asked else None

    @property
    def is_over(self) -> bool:
        """Whether nobody is asked any more."""
        return self.player is None

    @property
    def is_broken_off(self) -> bool:
        """Whether the auction is still open though it is over: it was too long, or nobody has an act in order."""
        return self.is_over and self.auction.is_open

    @property
    def possible(self) -> tuple[int, ...]:
        """The moves of the player who is asked, lowest first; none when the auction is over."""
        player = self.player
        if player is None:
            return ()
        if not self.moves.irregular:
            numbers = self.moves.number_of_call
            return tuple(numbers[call] for call in self.auction.legal_calls)
        can_wait = player is not self.auction.turn
        return (*self._choices(player), self.moves.wait) if can_wait else self._choices(player)

    def _order(self) -> list[Seat]:
        turn = self.auction.turn
        around = [Seat((self._last_to_act + step) % len(Seat)) for step in range(1, len(Seat) + 1)]
        return [seat for seat in around if seat is not turn] + ([] if turn is None else [turn])

    def _choices(self, seat: Seat) -> tuple[int, ...]:
        known, key = self.moves.choices, (self.auction.state, seat, self._spare > 0)
        found = known.get(key)
        if found is None:
            if len(known) >= _MOST_REMEMBERED:
                known.clear()
            found = known[key] = tuple(n for n in range(self.moves.wait) if self._may(n, seat))
        return found

    def _can_speak(self, seat: Seat) -> bool:
        known = self.moves.choices.get((self.auction.state, seat, self._spare > 0))
        return any(self._may(n, seat) for n in range(self.moves.wait)) if known is None else bool(known)

    def _may(self, number: int, seat: Seat) -> bool:
        auction, moves = self.auction, self.moves
        if number < len(moves.calls):
            call = moves.calls[number]
            # With nothing to spare only calls in order are possible, and that is told sooner than what else one is.
            return self._allows(auction.judge(call, seat).verdict) if self._spare else auction.is_legal(call, seat)
        is_remedy = number in moves.remedies
        if not self._spare and not is_remedy:
            return False
        act = moves.act(number, seat)
        if is_remedy and not any(o.seat is seat and o.act == act.name for o in auction.options):
            return False
        verdict = auction.act(act).verdict
        auction.undo()
        return self._allows(verdict)

    def _allows(self, verdict: Verdict) -> bool:
        return verdict is Verdict.LEGAL or (verdict is Verdict.IRREGULAR and self._spare > 0)

    # -- acting --------------------------------------------------------------------------------------------

    def move(self, number: int) -> None:
        """The player who is asked makes a move. Raises ValueError for one that he may not make."""
        player = self.player
        if player is None or not self._is_possible(number, player):
            raise ValueError(f"move {number} cannot be made here")
        self._make(player, number)

    def _is_possible(self, number: int, player: Seat) -> bool:
        if not self.moves.irregular:
            return number in self.possible
        if number == self.moves.wait:
            return player is not self.auction.turn
        return 0 <= number < self.moves.wait and self._may(number, player)

    def _make(self, player: Seat, number: int) -> None:
        self.history.append((player, number))
        if not self.moves.irregular:
            self.auction.push(self.moves.calls[number])
        elif number == self.moves.wait:
            order = self._order() if self._asked is None else self._asked
            self._asked = order[order.index(player) + 1 :]
        else:
            happening = self.auction.act(self.moves.act(number, player))
            replaces = number >= len(self.moves.calls) and number not in self.moves.remedies
            self._spare -= replaces or happening.verdict is Verdict.IRREGULAR
            self._last_to_act = player
            self._asked = None

    def moves_to(self, text: str) -> Iterator[int]:
        """The moves by which an act in canonical notation comes about: those who are asked before its seat wait.

        Each is to be made before the next is asked for. Raises ValueError if the seat is not asked before the next act,
        KeyError if there is no such move.
        """
        who, _, what = text.rpartition(":")
        seat = Seat.parse(who) if who else self.auction.turn_of_next
        while self.player is not seat:
            if self.player is None or self.player is self.auction.turn:
                raise ValueError(f"{seat} is not asked now")
            yield self.moves.wait
        yield self.moves.number(what)

    @property
    def history_text(self) -> str:
        """Every move so far with its seat, waiting included."""
        return " ".join(f"{seat}:{self.moves.text(number)}" for seat, number in self.history)


def _made_again(
    moves: Moves, dealer: Seat, irregularities: int, longest: int, history: Iterable[tuple[Seat, int]]
) -> Bidding:
    """A bidding with the moves of another, which were possible then and need not be looked for again."""
    bidding = Bidding(moves, dealer, irregularities=irregularities, longest=longest)
    for player, number in history:
        bidding._make(player, number)
    return bidding
