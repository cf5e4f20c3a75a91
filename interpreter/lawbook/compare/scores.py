"""Scores: what a search of deals says of two editions, in a form that can be shown.

Each `ScoreFinding` is one cause why deals score differently, with the plainest deal that shows it, scored by the
ordinary facade, so that nothing is shown which `lawbook score` would not say as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lawbook.deals import Deal
from lawbook.edition.model import Clause, Edition
from lawbook.errors import LawbookError
from lawbook.machine.ruling import Scored
from lawbook.scoring import NotScored, score_deal
from lawbook.values import Side


@dataclass(frozen=True, slots=True)
class DealAnswer:
    """What one edition says of a deal: its lines, or the clauses by which it is none to score. `points` are each
    side's in each column, by the column's key; `text` says why it is not scored, empty where it is."""

    edition: Edition
    lines: tuple[Scored, ...]
    refused: tuple[Clause, ...]
    points: Mapping[str, Mapping[Side, int]] = field(hash=False)
    text: str

    @property
    def is_scored(self) -> bool:
        """Whether the deal is one to score."""
        return not self.text


@dataclass(frozen=True, slots=True)
class ScoreFinding:
    """One cause of a difference in the score: the clauses of each edition that bring it about, when deals differ by it
    in law words (`exact`: then and never otherwise, among the deals tried), how many of the deals tried show it, and
    the plainest of them with both answers."""

    clauses_a: tuple[Clause, ...]
    clauses_b: tuple[Clause, ...]
    when: str
    exact: bool
    deals: int
    deal: Deal
    a: DealAnswer
    b: DealAnswer

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of both editions."""
        return (*self.clauses_a, *self.clauses_b)


@dataclass(frozen=True, slots=True)
class Asked:
    """A thing told of a deal that the clauses not alike ask for: its key, and over which values it was varied, in
    words."""

    key: str
    values: str


@dataclass(frozen=True, slots=True)
class ScoreCoverage:
    """Which deals were tried. `complete`: within these values no deal scores differently but by a cause that was
    found. `asked` is what was varied, `together` which of it at once, each set by the keys; `notes` say what was left
    out."""

    complete: bool
    deals: int
    asked: tuple[Asked, ...]
    together: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """How two editions score deals differently, as far as deals were tried."""

    a: Edition
    b: Edition
    findings: tuple[ScoreFinding, ...]
    coverage: ScoreCoverage

    @property
    def differ(self) -> bool:
        """Whether any deal scores differently."""
        return bool(self.findings)


def deal_answer(edition: Edition, deal: Deal) -> DealAnswer:
    """What an edition says of a deal.

    >>> from lawbook.loading import load
    >>> told = Deal.of({"contract": "4H", "declarer": "N", "tricks": 10})
    >>> deal_answer(load("whist-club-1912"), told).points["tricks"][Side.NS]
    32
    """
    columns = {column.key: dict.fromkeys(Side, 0) for column in edition.columns.values()}
    try:
        score = score_deal(edition, deal)
    except NotScored as error:
        return DealAnswer(edition, (), error.clauses, columns, " ".join(clause.says for clause in error.clauses))
    except LawbookError as error:
        text = " ".join(f"{found.message[:1].upper()}{found.message[1:]}." for found in error.diagnostics)
        return DealAnswer(edition, (), (), columns, text)
    return DealAnswer(edition, score.lines, (), {key: score.column(key) for key in columns}, "")
