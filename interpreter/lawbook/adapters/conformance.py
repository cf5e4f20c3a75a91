"""The test that an adapter keeps to the edition: random auctions through it and through the facade, side by side.

Write a `Table` around your adapter, a few lines, and hand the function that makes one to `check_adapter`:

>>> from lawbook.adapters.conformance import FacadeTable, check_adapter
>>> report = check_adapter(FacadeTable, "whist-club-1912", auctions=20)
>>> report.auctions, report.acts > 100
(20, True)

It raises NotConforming at the first difference, with the auction that leads to it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from lawbook.adapters.returns import edition_score, played
from lawbook.auction import Auction, Contract, calls_of, load
from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.model import Edition, Scoring
from lawbook.errors import LawbookError
from lawbook.machine.ruling import Verdict
from lawbook.values import Act, Seat, Side

_IRREGULAR_ONE_IN: Final = 6
_MOST_ACTS: Final = 500


class Table(Protocol):
    """One auction of an adapter, as the test drives it. Everything is in canonical notation: seats `N`, calls `1N`,
    acts other than calls `S:penalise`.

    The test makes a table for each auction by calling `factory(edition, dealer, tricks)`: the edition's name, the
    dealer's letter, and the number of tricks, 0 to 13, that whoever declares is to be taken to win. Nobody is
    vulnerable.
    """

    def turn(self) -> str | None:
        """The seat in turn to call, or None when the auction is over."""

    def legal_calls(self) -> Collection[str]:
        """The calls in order for the seat in turn; none when the auction is over."""

    def act(self, text: str) -> None:
        """Make a call by the seat in turn (`1N`), a call by another seat (`S:1N`), or another act (`S:penalise`)."""

    def contract(self) -> str | None:
        """The contract once the auction has ended in one, as `3NX by S`; else None."""

    def returns(self) -> Sequence[float] | None:
        """The points of N E S W after the end; None where the adapter does not score."""


Factory = Callable[[str, str, int], Table]
"""Makes the table for an auction: edition, dealer, tricks."""


class NotConforming(LawbookError):
    """The adapter and the facade differ; the message tells where and how."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was compared: how many auctions, acts in them, how many of the acts were irregular, and how many auctions
    ended in a contract."""

    auctions: int
    acts: int
    irregular: int
    contracts: int


class FacadeTable:
    """The facade itself as a table: the least that an adapter can be."""

    def __init__(self, edition: str, dealer: str, tricks: int) -> None:
        self._auction = Auction(edition, dealer)
        self._tricks = tricks

    def turn(self) -> str | None:
        """The seat in turn."""
        return None if self._auction.turn is None else str(self._auction.turn)

    def legal_calls(self) -> Collection[str]:
        """The calls in order."""
        return [str(call) for call in self._auction.legal_calls]

    def act(self, text: str) -> None:
        """Make an act."""
        self._auction.act(text)

    def contract(self) -> str | None:
        """The contract once it is final."""
        return None if self._auction.contract is None else str(self._auction.contract)

    def returns(self) -> Sequence[float] | None:
        """The points of the seats."""
        return expected_returns(self._auction, self._tricks)


def check_adapter(
    factory: Factory, edition: str, *, auctions: int = 100, seed: int = 0, irregular: bool = False
) -> Report:
    """Play random auctions through an adapter and through the facade, and compare after every act whose turn it is,
    which calls are in order, whether the auction is over, and at its end the contract and the returns.

    Every auction has a dealer and a number of tricks of its own. With `irregular`, one act in six is a call out of turn
    or out of order, and remedies are chosen as they come. The same seed plays the same auctions.

    Raises NotConforming at the first difference, LawbookError if there is no such edition.
    """
    rules = load(edition)
    chance = random.Random(seed)
    acts = irregulars = contracts = 0
    for number in range(auctions):
        dealer, tricks = Seat(number % len(Seat)), chance.randrange(14)
        auction = Auction(rules, dealer)
        comparison = _Comparison(factory(edition, str(dealer), tricks), auction, tricks)
        comparison.compare()
        for _ in range(_MOST_ACTS):
            text = _next_act(auction, chance, irregular) if auction.is_open else None
            if text is None:
                break
            acts += 1
            irregulars += auction.act(text).verdict is Verdict.IRREGULAR
            comparison.act(text)
            comparison.compare()
        if not auction.is_open:
            comparison.compare_end()
            contracts += auction.contract is not None
    return Report(auctions, acts, irregulars, contracts)


def expected_returns(auction: Auction, tricks: int) -> tuple[float, ...] | None:
    """What an auction that is over brings N E S W if the declarer's side wins so many tricks: the edition's own score
    of the deal, nobody vulnerable, and the points of penalties, one side's less the other's.

    None where the edition does not score.
    """
    points = float(auction.points[Side.NS] - auction.points[Side.EW])
    if auction.contract is not None:
        if not _scores(auction.edition):
            return None
        points += edition_score(auction.edition, played(auction.contract, tricks, auction.dealer))
    return tuple(points if seat.side is Side.NS else -points for seat in Seat)


def _scores(edition: Edition) -> bool:
    return any(clause.scores is Scoring.DEAL for clause in edition.clauses)


def _next_act(auction: Auction, chance: random.Random, irregular: bool) -> str | None:
    """A random act: one in order, or of those that are irregular or choose a remedy. None where there is none."""
    if irregular and chance.randrange(_IRREGULAR_ONE_IN) == 0:
        seat = chance.choice(tuple(Seat))
        act = Act.of_call(chance.choice(calls_of(auction.edition)), None if seat is auction.turn else seat)
        happening = auction.act(act)
        auction.undo()
        if happening.verdict is not Verdict.REFUSED:
            return str(act)
    options = [str(option) for option in auction.options] if irregular else []
    if options and chance.randrange(2):
        return chance.choice(options)
    calls = auction.legal_calls
    if not calls:
        return chance.choice(options) if options else None
    # Passes are made more often than all the bids would let them, so that auctions are of all lengths.
    return str(calls[0] if chance.randrange(3) == 0 else chance.choice(calls))


class _Comparison:
    def __init__(self, table: Table, auction: Auction, tricks: int) -> None:
        self._table = table
        self._auction = auction
        self._tricks = tricks

    def act(self, text: str) -> None:
        try:
            self._table.act(text)
        except Exception as error:
            raise self._differs(f"the adapter does not take `{text}`: {type(error).__name__}: {error}") from error

    def compare(self) -> None:
        turn = self._auction.turn
        self._same("the seat in turn", self._table.turn(), None if turn is None else str(turn))
        found, expected = set(self._table.legal_calls()), {str(call) for call in self._auction.legal_calls}
        if found != expected:
            extra, lacking = sorted(found - expected), sorted(expected - found)
            parts = [f"it allows {', '.join(extra)}"] if extra else []
            parts += [f"it lacks {', '.join(lacking)}"] if lacking else []
            raise self._differs(f"the calls in order: {'; '.join(parts)}")

    def compare_end(self) -> None:
        contract: Contract | None = self._auction.contract
        self._same("the contract", self._table.contract(), None if contract is None else str(contract))
        found, expected = self._table.returns(), expected_returns(self._auction, self._tricks)
        if found is not None and expected is not None:
            self._same("the returns", [float(points) for points in found], list(expected))

    def _same(self, what: str, found: object, expected: object) -> None:
        if found != expected:
            raise self._differs(f"{what}: the adapter says {found}, the edition {expected}")

    def _differs(self, how: str) -> NotConforming:
        auction = self._auction
        played = auction.notation or "the start"
        message = f"{auction.edition.id}, {auction.dealer} dealt, after {played}: {how}"
        return NotConforming([Diagnostic("not-conforming", Severity.ERROR, message)])
