"""Scores as JSON and as text: a deal's lines with the law of each, a rubber's sheet with its running net."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawbook.deals import Deal
from lawbook.machine.ruling import Scored
from lawbook.report.layout import Page, table
from lawbook.scoring import Entered, Rubber, Score
from lawbook.sentences import law_name
from lawbook.values import Side

# The columns every deal reports by the keys of the JSON; any other column a line may have is in `lines`.
_TRICKS, _HONOURS, _RUBBER = "tricks", "honours", "rubber"


def score_json(deal: Deal, score: Score) -> dict[str, Any]:
    """What a deal scores."""
    return {
        "schema": 1,
        "edition": score.edition.name,
        "edition_hash": score.edition.hash,
        "deal": deal_json(deal),
        **_points(score),
        "lines": [line_json(score, line) for line in score.lines],
    }


def deal_json(deal: Deal) -> dict[str, Any]:
    """A deal, by the names of the command's options."""
    return {
        "contract": f"{deal.contract}{'X' * deal.doubling}",
        "declarer": str(deal.declarer),
        "dealer": str(deal.dealer),
        "tricks": deal.tricks,
        "honours": {str(seat): number for seat, number in deal.honours.items()},
        "chicane": sorted(str(seat) for seat in deal.chicane),
        "revokes": [str(seat) for seat in deal.revokes],
        "takes": "tricks" if deal.takes_tricks else "points",
        "vulnerable": sorted(str(side) for side in deal.vulnerable),
    }


def line_json(score: Score, line: Scored) -> dict[str, Any]:
    """One line of a score."""
    return {
        "side": str(Side(line.side)),
        "column": score.edition.columns[line.column].key,
        "points": line.points,
        "law": line.clause.law.number,
        "clause": line.clause.id,
        "text": line.clause.says,
    }


def _points(score: Score) -> dict[str, Any]:
    return {
        "trick_points": _sides(score.column(_TRICKS)),
        "honour_points": _sides(score.column(_HONOURS)),
    }


def _sides(points: Mapping[Side, int]) -> dict[str, int]:
    return {str(side): points[side] for side in Side}


def rubber_json(rubber: Rubber) -> dict[str, Any]:
    """A rubber: its deals in order, then where it stands."""
    net = 0
    deals = []
    for entered in rubber.deals:
        both = _whole(rubber, entered)
        net += _net(both)
        deals.append(
            {
                "deal": deal_json(entered.deal),
                **_points(entered.score),
                "rubber_points": _sides(both.column(_RUBBER)),
                "lines": [line_json(both, line) for line in both.lines],
                "net": net,
            }
        )
    return {
        "schema": 1,
        "edition": rubber.edition.name,
        "edition_hash": rubber.edition.hash,
        "deals": deals,
        "trick_points": _sides(rubber.column(_TRICKS)),
        "honour_points": _sides(rubber.column(_HONOURS)),
        "rubber_points": _sides(rubber.column(_RUBBER)),
        "games": _sides(rubber.games),
        "below": _sides(rubber.below),
        "over": rubber.is_over,
        "winner": None if rubber.winner is None else str(rubber.winner),
        "totals": _sides(rubber.totals),
        "difference": rubber.difference,
    }


def _whole(rubber: Rubber, entered: Entered) -> Score:
    return Score(rubber.edition, (*entered.score.lines, *entered.added))


def _net(score: Score) -> int:
    return sum(line.points if line.side == Side.NS else -line.points for line in score.lines)


def _law(line: Scored) -> str:
    law = line.clause.law
    return law_name(law.number) if law.number else law.source.evidence


def score_text(deal: Deal, score: Score, page: Page) -> list[str]:
    """What a deal scores, as a table."""
    columns = score.edition.columns
    won = "trick" if deal.tricks == 1 else "tricks"
    head = f"{deal.contract}{'X' * deal.doubling} by {deal.declarer}, {deal.tricks} {won} won"
    lines = [*page.wrap(f"{score.edition.name}  {head}"), ""]
    if not score.lines:
        return [*lines, "Nothing is scored."]
    rows = [
        (str(Side(n.side)), str(n.points), columns[n.column].name, f"{_law(n)}, {n.clause.id}") for n in score.lines
    ]
    lines += table(rows, ("side", "points", "column", "by"), page)
    lines.append("")
    for column in columns.values():
        if column.key in (_TRICKS, _HONOURS):
            points = score.column(column.key)
            lines += page.entry(column.name, "  ".join(f"{side} {points[side]}" for side in Side), column=15)
    return lines


def rubber_text(rubber: Rubber, page: Page) -> list[str]:
    """A rubber's sheet: a row for each deal, then the totals and the difference."""
    net = 0
    rows = []
    for number, entered in enumerate(rubber.deals, 1):
        both = _whole(rubber, entered)
        net += _net(both)
        deal = entered.deal
        cells = [str(number), f"{deal.contract}{'X' * deal.doubling} {deal.declarer}", str(deal.tricks)]
        for key in (_TRICKS, _HONOURS, _RUBBER):
            points = both.column(key)
            cells.append("/".join(str(points[side]) for side in Side) if any(points.values()) else "-")
        rows.append((*cells, f"{net:+d}"))
    heads = ("deal", "contract", "won", "tricks NS/EW", "honours NS/EW", "rubber NS/EW", "net NS")
    lines = [*page.wrap(rubber.edition.name), "", *table(rows, heads, page), ""]
    for name, points in (
        ("games", rubber.games),
        ("below", rubber.below),
        ("tricks", rubber.column(_TRICKS)),
        ("honours", rubber.column(_HONOURS)),
        ("rubber", rubber.column(_RUBBER)),
        ("total", rubber.totals),
    ):
        lines += page.entry(name, "  ".join(f"{side} {points[side]}" for side in Side))
    ahead = Side.NS if rubber.difference >= 0 else Side.EW
    state = f"the rubber is won by {rubber.winner}" if rubber.is_over else "the rubber is in progress"
    lines += page.entry("difference", f"{abs(rubber.difference)} to {ahead}; {state}")
    return lines
