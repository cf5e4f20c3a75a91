"""The ledger: one auction under several editions, act by act, and where they first part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lawbook.auction import Auction, arguments_of, letters_of
from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError
from lawbook.loading import signs_of
from lawbook.machine.ruling import Verdict
from lawbook.notation import ALL_PASS, AUCTION_FILE, ArgumentKind, Token, parse_auction
from lawbook.values import PASS, Act, Call, Seat, Side

# Passes that end any auction, if it ends by passes at all.
_MOST_PASSES = 4


class Choosable(NamedTuple):
    """A remedy that may be chosen: who may, by which act, for which offence (by name) of whom."""

    holder: Seat
    act: str
    offence: str
    offender: Seat


@dataclass(frozen=True, slots=True)
class Standing:
    """What can be seen of an auction at one moment, in a form that two editions can be compared by.

    `declaration` is the bid that would be played if the bidding ended here, with its doubling and its declarer.
    """

    status: str
    turn: Seat | None
    declaration: str | None
    debarred: tuple[Seat, ...]
    points: tuple[int, int]
    options: tuple[Choosable, ...]
    legal_calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One act under one edition: the happenings it made (by their places in the auction: the act, and what happened of
    itself after it; none where the edition does not know the act), and how the auction then stands."""

    happenings: tuple[int, ...]
    standing: Standing


@dataclass(frozen=True, slots=True)
class Row:
    """One act of the ledger as written, under each edition; `differs` names what is not alike in all."""

    act: Act
    cells: tuple[Cell, ...]
    differs: tuple[str, ...]

    @property
    def options_apart(self) -> tuple[tuple[Choosable, ...], ...]:
        """For each edition the remedies open after the act that are not open under all of them."""
        shared = frozenset.intersection(*(frozenset(cell.standing.options) for cell in self.cells))
        return tuple(tuple(o for o in cell.standing.options if o not in shared) for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Ledger:
    """One auction under several editions. `divergence` is the place (from 0) of the first row that differs."""

    dealer: Seat
    auctions: tuple[Auction, ...]
    rows: tuple[Row, ...]

    @property
    def editions(self) -> tuple[Edition, ...]:
        """The editions, a column each."""
        return tuple(auction.edition for auction in self.auctions)

    @property
    def divergence(self) -> int | None:
        """The place of the first row in which the editions differ, or None."""
        return next((at for at, row in enumerate(self.rows) if row.differs), None)


def ledger_of(editions: Sequence[Edition], text: str, dealer: Seat, *, at: Span | None = None) -> Ledger:
    """Play an auction under each of the editions. Raises LawbookError for text that is no auction.

    An act that only some of the editions declare is read; under the others it is shown as unknown. A denomination must
    be known to one of them.

    >>> from lawbook.auction import load
    >>> both = [load("whist-club-1912"), load("whist-club-1913")]
    >>> ledger_of(both, "2H 2D S:penalise P 3N", Seat.N).divergence
    4
    """
    declared: dict[str, ArgumentKind] = {}
    for edition in reversed(editions):
        declared.update(arguments_of(edition))
    letters = frozenset().union(*map(letters_of, editions))
    auctions = tuple(Auction(edition, dealer) for edition in editions)
    rows: list[Row] = []
    for token in parse_auction(text, acts=declared, letters=letters, signs=signs_of(*editions), at=at):
        if isinstance(token.act, Act):
            rows.append(_row(token.act, auctions))
        else:
            rows.extend(_passes(token, auctions))
    return Ledger(dealer, auctions, tuple(rows))


def _passes(token: Token, auctions: tuple[Auction, ...]) -> Iterator[Row]:
    """Passes until every edition's auction is over; those that are over already are left as they are."""
    assert token.act is ALL_PASS
    for _ in range(_MOST_PASSES):
        still = tuple(auction for auction in auctions if auction.is_open)
        if not still:
            return
        yield _row(Act.of_call(PASS), auctions, only=still)
    names = [auction.edition.name for auction in auctions if auction.is_open]
    if names:
        span = Span(AUCTION_FILE, token.line, token.position, token.line, token.position + len(token.text))
        message = f"the auction is still open after four passes under {', '.join(names)}"
        raise LawbookError([Diagnostic("all-pass-endless", Severity.ERROR, message, span)])


def _row(act: Act, auctions: tuple[Auction, ...], only: tuple[Auction, ...] | None = None) -> Row:
    cells = tuple(_cell(act, auction, only is None or auction in only) for auction in auctions)
    return Row(act, cells, tuple(_differing(cells, auctions)))


def _cell(act: Act, auction: Auction, takes_part: bool) -> Cell:
    before = len(auction.happenings)
    if takes_part and (act.call is not None or act.name in auction.edition.acts):
        auction.act(act)
    return Cell(tuple(range(before, len(auction.happenings))), standing_of(auction))


def standing_of(auction: Auction) -> Standing:
    """How an auction stands, in comparable form."""
    points = auction.points
    return Standing(
        auction.status,
        auction.turn,
        None if auction.declaration is None else str(auction.declaration),
        auction.debarred,
        (points[Side.NS], points[Side.EW]),
        # Two rights about one offence may each let it be waived; whoever waives it need not care by which.
        tuple(dict.fromkeys(Choosable(o.seat, o.act, o.offence.name, o.offender) for o in auction.options)),
        auction.legal_calls,
    )


_ASKED: Mapping[str, str] = {
    "status": "status",
    "turn": "turn",
    "declaration": "declaration",
    "debarred": "debarred",
    "points": "points",
    "options": "options",
}


def _differing(cells: tuple[Cell, ...], auctions: tuple[Auction, ...]) -> Iterator[str]:
    """What is not alike under all editions: the ruling on the act, and how the auction then stands.

    Which calls would be lawful next is left out: codes with other denominations or ranks would never be alike.
    """
    if len({_ruled(cell, auction) for cell, auction in zip(cells, auctions, strict=True)}) > 1:
        yield "ruling"
    yield from differing([cell.standing for cell in cells])


def differing(standings: Sequence[Standing]) -> Iterator[str]:
    """What is not alike in several standings, by name."""
    for field, name in _ASKED.items():
        if len({getattr(standing, field) for standing in standings}) > 1:
            yield name


def _ruled(cell: Cell, auction: Auction) -> tuple[object, ...]:
    """A cell's rulings without the laws they rest on: a like ruling by another law is no divergence, nor is it one that
    an act is refused which another code does not know."""
    done = [auction.happenings[at] for at in cell.happenings]
    happenings = [h for h in done if h.verdict is not Verdict.REFUSED or h.ruling.offences]
    return tuple(
        (
            happening.act,
            happening.verdict.value,
            tuple(sorted(auction.edition.offences[o].name for o in happening.ruling.offences)),
            happening.ruling.unpenalised,
        )
        for happening in happenings
    )
