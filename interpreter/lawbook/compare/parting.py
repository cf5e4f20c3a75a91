"""Parting: the clauses that make editions part in one auction, those that are not alike in all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lawbook.auction import Auction, machine_of
from lawbook.compare import bearers
from lawbook.compare.ledger import Cell, Ledger, Row
from lawbook.edition.model import Clause, Edition
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Ruling, Verdict
from lawbook.machine.state import State

# What a row can differ in, and the terms of the interface that tell it.
_TERMS: Final = {
    "status": ("status",),
    "turn": ("turn",),
    "declaration": ("contract", "doubling", "declarer"),
    "debarred": ("debarred",),
}


@dataclass(frozen=True, slots=True)
class Parting:
    """Why editions part: for each the clauses that bear on what differs and that not every other has in the same
    meaning; none where none is found. `instead`, of an edition without causes, are the clauses it has in the place of
    another's, by the same ids. `earlier`: the causes took effect before the act on which it is seen."""

    causes: tuple[tuple[Clause, ...], ...]
    instead: tuple[tuple[Clause, ...], ...]
    earlier: bool = False


def parting_of(ledger: Ledger) -> Parting:
    """Why the editions of a ledger part where they do; without causes where they never part.

    >>> from lawbook.auction import load
    >>> from lawbook.compare.ledger import ledger_of
    >>> from lawbook.values import Seat
    >>> both = [load("whist-club-1912"), load("whist-club-1912@deadline-out-of-turn=no-deadline")]
    >>> found = parting_of(ledger_of(both, "1C S:1H P", Seat.N))
    >>> [[clause.id for clause in clauses] for clauses in found.causes], found.earlier
    ([['time-to-object-to-a-bid-out-of-turn'], []], False)
    """
    at = ledger.divergence
    if at is None:
        nothing = tuple(() for _ in ledger.auctions)
        return Parting(nothing, nothing)
    unlike = bearers.unlike(ledger.editions)
    row = ledger.rows[at]
    moments = [_Moment.of(a, c, ids) for a, c, ids in zip(ledger.auctions, row.cells, unlike, strict=True)]
    found = _at_once(row, moments)
    earlier = not any(found)
    if earlier:
        found = _before(ledger, at, moments)
    every = frozenset().union(*found)
    instead = tuple(frozenset() if ids else moment.only(every) for moment, ids in zip(moments, found, strict=True))
    return Parting(_clauses(ledger, found), _clauses(ledger, instead), earlier and any(found))


def _clauses(ledger: Ledger, found: Iterable[frozenset[str]]) -> tuple[tuple[Clause, ...], ...]:
    return tuple(bearers.clauses_of(e, ids) for e, ids in zip(ledger.editions, found, strict=True))


@dataclass(frozen=True, slots=True)
class _Moment:
    """An act under one edition: its rulings (none where the edition does not take the act), the states before and
    after it, and the clauses that not all editions have."""

    edition: Edition
    machine: Machine
    rulings: tuple[Ruling, ...]
    before: State
    after: State
    unlike: frozenset[str]

    @classmethod
    def of(cls, auction: Auction, cell: Cell, unlike: frozenset[str]) -> _Moment:
        machine = machine_of(auction.edition)
        happenings, places = auction.happenings, cell.happenings
        first = places[0] if places else 0
        before = happenings[first - 1].ruling.state if first else machine.start(auction.dealer)
        rulings = tuple(happenings[at].ruling for at in places)
        return cls(auction.edition, machine, rulings, before, rulings[-1].state if rulings else before, unlike)

    def only(self, ids: Iterable[str]) -> frozenset[str]:
        """Those of these clauses that not all editions have."""
        return self.unlike.intersection(ids)

    @property
    def said(self) -> tuple[object, ...]:
        """What is said of the act itself."""
        offences = self.edition.offences
        return tuple((r.verdict, frozenset(offences[o].name for o in r.offences)) for r in self.rulings[:1])


def _at_once(row: Row, moments: list[_Moment]) -> tuple[frozenset[str], ...]:
    """The clauses that bear, in the act itself, on what differs."""
    found: list[set[str]] = [set() for _ in moments]
    if len({moment.said for moment in moments}) > 1:
        refused = any(not m.rulings or m.rulings[0].verdict is Verdict.REFUSED for m in moments)
        for ids, moment in zip(found, moments, strict=True):
            ids |= moment.only(bearers.judging(moment.rulings))
            if refused:
                ids |= moment.only(bearers.entitling(moment.edition, row.act.name))
        return tuple(map(frozenset, found))
    asked = [term for differs in row.differs for term in _TERMS.get(differs, ())]
    for ids, moment in zip(found, moments, strict=True):
        for ruling in moment.rulings[1:]:
            ids |= moment.only(bearers.judging((ruling,)))
        if "points" in row.differs:
            ids |= moment.only(bearers.scoring(moment.rulings))
        if asked:
            ids |= moment.only(bearers.writing(moment.edition, moment.rulings, asked))
    if "options" in row.differs:
        _options(row, moments, found)
    return tuple(map(frozenset, found))


def _options(row: Row, moments: list[_Moment], found: list[set[str]]) -> None:
    """Add the clauses that bear on remedies which not all editions leave open: what ended one that is open elsewhere,
    or, where nothing did, what gives it there."""
    options = [frozenset(cell.standing.options) for cell in row.cells]
    every = frozenset().union(*options)
    for here, (ids, moment) in enumerate(zip(found, moments, strict=True)):
        missing = every - options[here]
        ended = moment.only(bearers.ending(moment.machine, moment.after, moment.rulings, missing))
        ids |= ended
        for there, other in enumerate(moments if not ended else ()):
            given = bearers.choosing(other.machine, other.after, missing & options[there])
            found[there] |= other.only(given)


def _before(ledger: Ledger, at: int, moments: list[_Moment]) -> tuple[frozenset[str], ...]:
    """The clauses that wrote, in an act before, what is not alike when the editions part, and those that read it
    then."""
    registers = _unseen(moments)
    found: list[frozenset[str]] = []
    for column, moment in enumerate(moments):
        cells = [row.cells[column] for row in ledger.rows[:at]]
        happenings = ledger.auctions[column].happenings
        earlier = [happenings[place].ruling for cell in cells for place in cell.happenings]
        written = bearers.writers(earlier, registers)
        read = bearers.readers(moment.edition, moment.rulings, registers)
        found.append(moment.only((*written, *read)))
    return tuple(found)


def _unseen(moments: list[_Moment]) -> frozenset[str]:
    """The registers that are not alike under all editions, though the table looks alike."""
    values: dict[str, list[tuple[int | None, ...]]] = {}
    for moment in moments:
        for name, register in moment.edition.registers.items():
            if not register.per_right:
                kept = moment.before.values[register.slot : register.slot + register.size]
                values.setdefault(name, []).append(kept)
    return frozenset(name for name, found in values.items() if len(found) < len(moments) or len(set(found)) > 1)
