"""Bidding tables: an auction in four columns, a column for each seat, as diagrams of bridge show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from lawbook.auction import Happening
from lawbook.edition.model import Edition
from lawbook.report.html.document import hidden
from lawbook.report.html.elements import Content, Markup, joined, tag
from lawbook.sentences import SEATS, does, listed, seat_name
from lawbook.values import Bid, Seat

# The signs that are printed in red.
_RED: Final = frozenset("♥♦")


def bidding_table(edition: Edition, dealer: Seat, happenings: Sequence[Happening], last: int | None) -> Markup:
    """The auction as it went under an edition. Each act is numbered, for acts may come out of turn; `last` is the place
    of the act that the table is shown for."""
    rows = _rows(happenings)
    heads = [
        tag("th", SEATS[seat], tag("span", " dealer", class_="note") if seat is dealer else None, scope="col")
        for seat in Seat
    ]
    body = [_row(edition, row, happenings, last) for row in rows]
    return tag(
        "table",
        tag("caption", "The auction, its acts numbered in order"),
        tag("thead", tag("tr", heads)),
        tag("tbody", body),
        class_="bidding",
    )


# A row holds, for each seat that acts in it, the place of its act; what the table does has a row to itself.
Row: TypeAlias = "dict[Seat, int] | int"


def _rows(happenings: Sequence[Happening]) -> list[Row]:
    """Which act stands in which row: one is begun when the seat, or one after it, has acted in the last."""
    rows: list[Row] = []
    for place, happening in enumerate(happenings):
        seat = happening.act.seat
        last = rows[-1] if rows else None
        if not isinstance(seat, Seat):
            rows.append(place)
        elif isinstance(last, dict) and max(last) < seat:
            last[seat] = place
        else:
            rows.append({seat: place})
    return rows


def _row(edition: Edition, row: Row, happenings: Sequence[Happening], last: int | None) -> Markup:
    def cell(place: int, columns: int | None = None) -> Markup:
        return tag("td", _act(edition, place, happenings[place]), colspan=columns, class_=_class(place, last))

    if isinstance(row, int):
        return tag("tr", cell(row, len(Seat)))
    return tag("tr", [cell(row[seat]) if seat in row else tag("td") for seat in Seat])


def _class(place: int, last: int | None) -> str | None:
    return "last" if place == last else None


def _act(edition: Edition, place: int, happening: Happening) -> Markup:
    """An act with its number, and a sign for what was ruled on it."""
    number = tag("span", f"{place + 1}", class_="number")
    offences = [edition.offences[o].phrase for o in happening.ruling.offences]
    ruled: Content = None
    if offences:
        ruled = (
            tag("abbr", "!", title=listed(offences), aria_hidden="true"),
            hidden(f" irregular: {listed(offences)}"),
        )
    elif happening.verdict.value == "refused":
        ruled = (tag("abbr", "✗", title="refused", aria_hidden="true"), hidden(" refused"))
    of_itself = tag("span", " of itself", class_="note") if happening.of_itself else None
    return joined(number, " ", _said(edition, happening), ruled, of_itself)


def _said(edition: Edition, happening: Happening) -> Content:
    act = happening.act
    match act.call:
        case None if isinstance(act.seat, Seat):
            return tag("em", does(edition, act))
        case None:
            return tag("em", f"{seat_name(act.seat)} {does(edition, act)}")
        case Bid() as bid:
            return _bid(edition, bid)
        case call:
            return call.kind.name.lower()


def _bid(edition: Edition, bid: Bid) -> Content:
    name = next((n for n, letter in edition.letters_known.items() if letter == bid.denomination), bid.denomination)
    sign = edition.signs.get(name)
    if sign is None:
        return f"{bid.level} {name.removesuffix('s') if bid.level == 1 else name}"
    coloured = tag("span", sign, class_="red") if sign in _RED else sign
    return joined(str(bid.level), coloured)
