"""What an auction is worth to the players: points by a scoring function, for each seat, once it is over.

The game is zero-sum: each player of a side gets its points less the adversaries'. A `Score` tells them for a
contract that was played; the default is the edition's own score of the deal. To these come the points that penalties
brought during the auction. An auction that ends without a contract, or is broken off, scores only penalties.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from lawbook.adapters.bidding import Bidding
from lawbook.adapters.cards import Hands, Tricks
from lawbook.auction import Contract
from lawbook.deals import Deal
from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.model import Choice, Edition, Scoring
from lawbook.edition.model import Score as ScoreEffect
from lawbook.errors import LawbookError
from lawbook.language.types import Number
from lawbook.scoring import score_deal
from lawbook.values import Bid, Seat, Side

Score: TypeAlias = Callable[[Edition, Deal], float]
"""Tells the points of North-South less those of East-West for a deal: its contract, doubling, declarer, dealer, the
tricks that the declarer's side won, 0 to 13, and who is vulnerable."""


def edition_score(edition: Edition, deal: Deal) -> float:
    """The edition's own score of the deal, all columns together.

    >>> from lawbook.auction import load
    >>> edition_score(load("whist-club-1912"), Deal.of({"contract": "4HX", "declarer": "E", "tricks": 10}))
    -114.0
    """
    known = (deal.contract, deal.doubling, deal.declarer, deal.tricks, deal.dealer, deal.vulnerable)
    return _scored(edition, *known)


@functools.lru_cache(maxsize=65536)
def _scored(
    edition: Edition,
    contract: Bid,
    doubling: int,
    declarer: Seat,
    tricks: int,
    dealer: Seat,
    vulnerable: frozenset[Side],
) -> float:
    lines = score_deal(edition, Deal(contract, doubling, declarer, tricks, dealer, vulnerable=vulnerable)).lines
    return float(sum(line.points if line.side == Side.NS else -line.points for line in lines))


_named: Final[dict[str, Score]] = {"edition": edition_score}


def register_score(name: str, score: Score) -> None:
    """Give a scoring function of one's own a name, by which the parameter `score` can choose it."""
    _named[name] = score


def score_by(name: str, edition: Edition) -> Score:
    """The scoring function registered under a name.

    Raises LawbookError if there is none, or it is the edition's own and the edition does not say how to score.
    """
    if name not in _named:
        message = f"there is no scoring function `{name[:40]}`, only {', '.join(_named)}"
        raise LawbookError([Diagnostic("unknown-score", Severity.ERROR, message, suggestion=nearest(name, _named))])
    if _named[name] is edition_score and not any(clause.scores is Scoring.DEAL for clause in edition.clauses):
        message = f"{edition.id} does not say how a deal is scored"
        help = "give a scoring function of your own"
        raise LawbookError([Diagnostic("no-score", Severity.ERROR, message, help=help)])
    return _named[name]


def sides_by(text: str) -> frozenset[Side]:
    """What the parameter `vulnerable` means: `none`, `NS`, `EW` or `both`.

    Raises LawbookError for anything else.
    """
    return frozenset() if text == "none" else frozenset(Side) if text == "both" else frozenset({Side.parse(text)})


def returns_of(
    bidding: Bidding, hands: Hands, tricks: Tricks, score: Score, vulnerable: frozenset[Side] = frozenset()
) -> tuple[float, ...]:
    """The points for each seat, N E S W, of an auction that is over; all 0 while it is not."""
    if not bidding.is_over:
        return (0.0,) * len(Seat)
    auction = bidding.auction
    points = float(auction.points[Side.NS] - auction.points[Side.EW])
    contract = auction.contract
    if contract is not None:
        won = tricks(auction.edition, hands, contract)
        points += score(auction.edition, played(contract, won, auction.dealer, vulnerable))
    return tuple(points if seat.side is Side.NS else -points for seat in Seat)


def played(contract: Contract, tricks: int, dealer: Seat, vulnerable: frozenset[Side] = frozenset()) -> Deal:
    """The deal as it is scored: without honours and chicane, which depend on the cards dealt and not on the bidding."""
    bid = Bid(contract.level, contract.denomination)
    return Deal(bid, contract.doubling, contract.declarer, tricks, dealer, vulnerable=vulnerable)


def most_points(edition: Edition, irregularities: int) -> float:
    """More points than any auction brings under the edition's own score: the sum of the bounds that the law data give
    for each amount, and for each irregular act of all that can be demanded."""
    played = sum(
        _bound(effect) * {None: 1, "side": len(Side), "player": len(Seat)}[clause.each]
        for clause in edition.clauses
        if clause.scores is Scoring.DEAL
        for effect in clause.effects
        if isinstance(effect, ScoreEffect)
    )
    penalties = sum(_bound(effect) for effect in _penalties(edition))
    return float(max(1, played + irregularities * penalties))


def _penalties(edition: Edition) -> Iterator[ScoreEffect]:
    for clause in edition.clauses:
        choices: tuple[Choice, ...] = (*clause.choices, *(clause.remedy.choices if clause.remedy else ()))
        effects = [effect for choice in choices for effect in choice.effects]
        if clause.scores is None:
            effects += clause.effects
        yield from (effect for effect in effects if isinstance(effect, ScoreEffect))


def _bound(effect: ScoreEffect) -> int:
    amount = effect.amount.type
    assert isinstance(amount, Number)
    return max(abs(amount.low), abs(amount.high))
