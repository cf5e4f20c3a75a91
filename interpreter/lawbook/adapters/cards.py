"""Cards dealt: the pack, the hands, and how many tricks a declarer is taken to win with them.

An adapter plays the auction only. What the contract is worth depends on the tricks, and these are told by a
`Tricks`: a plain estimate, a double-dummy solver, a table that is given, or a function of the caller's own.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from lawbook.adapters import missing_extra
from lawbook.auction import Contract
from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError
from lawbook.values import CARD_RANKS, Card, Seat

SUITS: Final = "CDHS"
"""The letters of the suits of a pack."""

PACK: Final = tuple(Card(suit, rank) for rank in reversed(CARD_RANKS) for suit in SUITS)
"""The fifty-two cards by number, from 0: four of a rank after one another, the deuces first."""

HAND_SIZE: Final = len(PACK) // len(Seat)
ODD_TRICKS_START: Final = 6
"""The book: the first odd trick is the seventh."""

Hands: TypeAlias = tuple[tuple[int, ...], ...]
"""The numbers of the cards that each seat holds, N E S W, lowest first."""

Tricks: TypeAlias = Callable[[Edition, Hands, Contract], int]
"""Tells how many tricks, 0 to 13, the declarer's side wins in a contract with these hands."""


def dealt(order: Iterable[int]) -> Hands:
    """The hands when cards are dealt in an order, one at a time, the first to North.

    >>> [len(hand) for hand in dealt(range(52))]
    [13, 13, 13, 13]
    """
    cards = tuple(order)
    return tuple(tuple(sorted(cards[seat :: len(Seat)])) for seat in Seat)


def shuffled(chance: random.Random) -> Hands:
    """The hands of a deal drawn at random."""
    return dealt(chance.sample(range(len(PACK)), len(PACK)))


def hand_text(hand: Iterable[int]) -> str:
    """A hand as it is written in records of play: its suits from the highest, a dot between, ranks from the highest.

    >>> hand_text(dealt(range(52))[0]), hand_text(dealt(reversed(range(52)))[0])
    ('...AKQJT98765432', 'AKQJT98765432...')
    """
    held = [PACK[card] for card in sorted(hand, reverse=True)]
    return ".".join("".join(card.rank for card in held if card.denomination == suit) for suit in reversed(SUITS))


def deal_text(hands: Hands) -> str:
    """All four hands, from North."""
    return f"{Seat.N}:" + " ".join(hand_text(hand) for hand in hands)


def trump_suit(edition: Edition, denomination: str) -> str | None:
    """The letter of the suit that is trumps in a denomination; None where none is.

    A denomination is played in the suit of its letter, or else in the suit whose name its own name ends with, as a
    second name for the same suit does.

    >>> from lawbook.auction import load
    >>> [trump_suit(load("whist-club-1912"), letter) for letter in "SCDHRN"]
    ['S', 'C', 'D', 'H', 'S', None]
    """
    if denomination in SUITS:
        return denomination
    names = dict(zip(edition.universe.letters, edition.universe.denominations, strict=True))
    last_word = names[denomination].split()[-1]
    return next((letter for letter, name in names.items() if letter in SUITS and name == last_word), None)


# -- tricks ----------------------------------------------------------------------------------------------------------

_WORTH: Final = dict(zip(CARD_RANKS, (4, 3, 2, 1), strict=False))


def estimate(edition: Edition, hands: Hands, contract: Contract) -> int:
    """A plain guess: half the tricks with half the honour strength, one more for three points, and for every two
    trumps beyond half of them. It is quick and always the same; it knows nothing of play.
    """
    trump = trump_suit(edition, contract.denomination)
    cards = [PACK[card] for seat in (contract.declarer, contract.dummy) for card in hands[seat]]
    strength = sum(_WORTH.get(card.rank, 0) for card in cards)
    trumps = 0 if trump is None else sum(card.denomination == trump for card in cards)
    sixths = 39 + 2 * (strength - 20) + (0 if trump is None else 3 * trumps - 18)
    return max(0, min(HAND_SIZE, sixths // 6))


def double_dummy(edition: Edition, hands: Hands, contract: Contract) -> int:
    """The tricks won when all four play as well as they can with all cards in sight.

    Raises MissingExtra where no solver is installed.
    """
    return _solved(hands)[contract.declarer, trump_suit(edition, contract.denomination)]


@functools.lru_cache(maxsize=1024)
def _solved(hands: Hands) -> dict[tuple[Seat, str | None], int]:
    try:
        from endplay.dds import calc_dd_table
        from endplay.types import Deal, Denom, Player
    except ImportError as error:
        raise missing_extra("endplay", "dds") from error
    table = calc_dd_table(Deal(deal_text(hands)))
    trumps: tuple[str | None, ...] = (*SUITS, None)
    return {
        (seat, trump): int(table[Denom.nt if trump is None else Denom.find(trump), Player.find(str(seat))])
        for seat in Seat
        for trump in trumps
    }


def always(tricks: int) -> Tricks:
    """The same number of tricks in every contract."""
    if not 0 <= tricks <= HAND_SIZE:
        raise ValueError(f"a side wins 0 to {HAND_SIZE} tricks, not {tricks}")
    return lambda edition, hands, contract: tricks


def from_table(text: str) -> Tricks:
    """The tricks that a table gives: a hexadecimal digit for each seat, N E S W, and for each of a seat's the
    denominations in the edition's own order.

    >>> from lawbook.auction import load
    >>> edition = load("portland-bath-1908")
    >>> edition.universe.letters
    ('S', 'C', 'D', 'H', 'N')
    >>> given = from_table("78989" "54644" "78989" "5464d")
    >>> given(edition, (), Contract(1, "N", 0, Seat.W, Seat.E))
    13
    """
    digits = [int(digit, 16) for digit in text]

    def told(edition: Edition, hands: Hands, contract: Contract) -> int:
        letters = edition.universe.letters
        if len(digits) != len(Seat) * len(letters) or max(digits) > HAND_SIZE:
            raise _bad_tricks(f"a table of tricks for {edition.id} has {len(Seat) * len(letters)} digits, 0 to d")
        return digits[contract.declarer * len(letters) + letters.index(contract.denomination)]

    return told


_named: Final[dict[str, Tricks]] = {"estimate": estimate, "double-dummy": double_dummy}


def register_tricks(name: str, tricks: Tricks) -> None:
    """Give a function of one's own a name, by which the parameter `tricks` can choose it."""
    _named[name] = tricks


def tricks_by(text: str) -> Tricks:
    """What the parameter `tricks` means: a registered name, `always:` and a number, or `table:` and a table's digits.

    >>> tricks_by("always:9")(None, (), None)
    9

    Raises LawbookError for anything else.
    """
    kind, _, told = text.partition(":")
    if text in _named:
        return _named[text]
    if kind == "always" and told.isascii() and told.isdigit() and len(told) <= 2 and int(told) <= HAND_SIZE:
        return always(int(told))
    if kind == "table" and told and all(digit in "0123456789abcdefABCDEF" for digit in told):
        return from_table(told)
    names = (*_named, "always:9", "table:...")
    raise _bad_tricks(f"`{text[:40]}` does not tell tricks; this does: {', '.join(names)}", nearest(text, names))


def _bad_tricks(message: str, suggestion: str | None = None) -> LawbookError:
    return LawbookError([Diagnostic("bad-tricks", Severity.ERROR, message, suggestion=suggestion)])
