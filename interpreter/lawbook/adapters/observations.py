"""What a player sees, as text and as numbers from 0 to 1: his own hand and everything that was done at the table.

A *view* is a list of named pieces of fixed length, of ones and zeros but where told otherwise:

- `player` (4): whose view it is, N E S W.
- `hand` (52): the cards he holds, by their numbers in the pack.
- `asked` (4): who is asked now.
- `dealer` (4): who dealt.
- `made` (4 for each move): whether each seat has made the move in this auction.
- `contract` (a place for each call, 3 for the doubling, 4 for the declarer): what would be played if bidding ended.
- `debarred` (4): who may not declare.
- `history` (about ten for each move that can be): in order, that a move was made, its seat as two bits and its number
  in as many bits as the numbers need, the highest first. Only this piece has perfect recall; it stands in the place of
  `made` and what follows that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lawbook.adapters.bidding import Bidding, Moves
from lawbook.adapters.cards import PACK, Hands, hand_text
from lawbook.values import Bid, Seat

_SEAT_BITS: Final = 2
_DOUBLINGS: Final = 3

Shape = tuple[tuple[str, int], ...]
"""The names and lengths of pieces, in order."""

Ones = dict[str, list[int]]
"""The places in each piece that hold a one."""


def move_bits(moves: Moves) -> int:
    """How many places of `history` a move takes."""
    return 1 + _SEAT_BITS + max(1, (len(moves) - 1).bit_length())


def shape_of(moves: Moves, longest: int, *, private: bool, public: bool, recall: bool) -> Shape:
    """The pieces of a view: `private` with the hand, `public` with what was done, `recall` with its whole history."""
    pieces = [("player", len(Seat))]
    if private:
        pieces.append(("hand", len(PACK)))
    if public:
        pieces += [("asked", len(Seat)), ("dealer", len(Seat))]
        if recall:
            pieces.append(("history", longest * move_bits(moves)))
        else:
            pieces += [
                ("made", len(Seat) * len(moves)),
                ("contract", len(moves.calls) + _DOUBLINGS + len(Seat)),
                ("debarred", len(Seat)),
            ]
    return tuple(pieces)


def ones_of(bidding: Bidding, hands: Hands, seat: Seat, *, private: bool, public: bool, recall: bool) -> Ones:
    """Where the view of a seat holds ones; `hands` may be empty or incomplete while the cards are dealt."""
    found: Ones = {"player": [seat]}
    if private:
        found["hand"] = list(hands[seat]) if hands else []
    if not public:
        return found
    asked = bidding.player
    found["asked"] = [] if asked is None else [asked]
    found["dealer"] = [bidding.auction.dealer]
    if recall:
        found["history"] = _history(bidding)
        return found
    found["made"] = sorted({number * len(Seat) + by for by, number in bidding.history})
    found["contract"] = _contract(bidding)
    found["debarred"] = [int(debarred) for debarred in bidding.auction.debarred]
    return found


def _history(bidding: Bidding) -> list[int]:
    width = move_bits(bidding.moves)
    number_bits = width - 1 - _SEAT_BITS
    found = []
    for at, (seat, number) in enumerate(bidding.history):
        word = (1 << _SEAT_BITS | seat) << number_bits | number
        found += [at * width + place for place in range(width) if word >> (width - 1 - place) & 1]
    return found


def _contract(bidding: Bidding) -> list[int]:
    declaration = bidding.auction.declaration
    if declaration is None:
        return []
    calls = len(bidding.moves.calls)
    bid = bidding.moves.number_of_call[Bid(declaration.level, declaration.denomination)]
    return [bid, calls + declaration.doubling, calls + _DOUBLINGS + declaration.declarer]


def numbers_of(shape: Shape, ones: Ones) -> list[float]:
    """A view as one flat list."""
    found: list[float] = []
    for name, length in shape:
        piece = [0.0] * length
        for place in ones[name]:
            piece[place] = 1.0
        found += piece
    return found


def text_of(bidding: Bidding, hands: Hands, seat: Seat, *, private: bool, public: bool, recall: bool) -> str:
    """The same view in words; with `recall` every move with its seat, waiting included, else the auction as written."""
    parts = [f"you are {seat}"]
    if private and hands:
        parts.append(f"you hold {hand_text(hands[seat])}")
    if public:
        parts.append(f"{bidding.auction.dealer} dealt")
        if recall:
            parts.append(f"moves: {bidding.history_text}".rstrip())
        else:
            parts.append(f"the auction: {bidding.auction.notation}".rstrip())
            if (asked := bidding.player) is not None:
                parts.append(f"{asked} is asked")
    return "; ".join(parts)


def mask_of(bidding: Bidding) -> Sequence[int]:
    """A one for each move that the player who is asked may make, a zero for the others."""
    mask = [0] * len(bidding.moves)
    for number in bidding.possible:
        mask[number] = 1
    return mask
