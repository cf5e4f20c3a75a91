"""Editions on a page: what they are, and how each reads what its text leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lawbook.edition.model import Edition, Reading
from lawbook.report.html.document import Part
from lawbook.report.html.elements import Content, Markup, joined, tag
from lawbook.sentences import date_words, listed

# Said where a row of the table has nothing to say of an edition; a row that has nothing to say of any is left out.
NOTHING: Final = "nothing"


def named(edition: Edition) -> Markup:
    """An edition's name, as commands take it."""
    return tag("code", edition.name)


def titled(edition: Edition) -> str:
    """An edition's title with its date: `The Laws of Auction (November 1913)`."""
    return f"{edition.title} ({date_words(edition.date)})"


def editions_part(editions: Sequence[Edition]) -> Part:
    """What the editions are, a column each: title, body, date, source, hash, and what was not at hand."""
    rows: list[tuple[str, list[Content]]] = [
        ("name", [named(edition) for edition in editions]),
        ("title", [edition.title for edition in editions]),
        ("issued by", [edition.body for edition in editions]),
        ("date", [date_words(edition.date) for edition in editions]),
        ("source", [edition.source for edition in editions]),
        ("based on", [listed(edition.chain[1:]) or NOTHING for edition in editions]),
        ("holds", [f"{len(edition.laws)} laws, {len(edition.clauses)} clauses" for edition in editions]),
        ("read otherwise", [_otherwise(edition) for edition in editions]),
        ("not at hand", [_sentences(edition.not_at_hand) for edition in editions]),
        ("hash", [tag("code", edition.hash) for edition in editions]),
    ]
    rows = [(name, cells) for name, cells in rows if any(cell != NOTHING for cell in cells)]
    heads = [tag("th", f"{place}", scope="col") for place in range(1, len(editions) + 1)]
    body = [tag("tr", tag("th", name, scope="row"), [tag("td", cell) for cell in cells]) for name, cells in rows]
    content = tag(
        "div",
        tag(
            "table",
            tag("caption", "The hash is of what an edition means: it stays as it is when only the wording changes."),
            tag("thead", tag("tr", tag("td", class_="question"), heads)),
            tag("tbody", body),
            class_="sides" if len(editions) < 4 else None,
        ),
        class_="wide",
    )
    return Part("editions", "The editions", content)


def _otherwise(edition: Edition) -> Content:
    taken = [f"{r.name}={r.chosen}" for r in edition.readings if r.chosen != r.default]
    return [tag("p", tag("code", each)) for each in taken] or NOTHING


def _sentences(texts: Sequence[str]) -> Content:
    return [tag("p", each) for each in texts] or NOTHING


def readings_part(editions: Sequence[Edition]) -> Part:
    """What the texts leave open: the question, and how each edition reads it; what they read differently is marked."""
    known = [{reading.name: reading for reading in edition.readings} for edition in editions]
    names = dict.fromkeys(name for each in known for name in each)
    rows = [_reading_row([each.get(name) for each in known]) for name in names]
    content: Content = tag("p", "These editions leave nothing open.")
    if rows:
        heads = [tag("th", edition.name, scope="col") for edition in editions]
        table = tag(
            "table",
            tag(
                "caption",
                "Points that a text leaves open, and how they are read here; any can be read otherwise.",
            ),
            tag("thead", tag("tr", tag("th", "open point", scope="col"), heads)),
            tag("tbody", rows),
            class_="sides two",
        )
        content = tag("div", table, class_="wide")
    return Part("readings", "What the texts leave open", content)


def _reading_row(readings: Sequence[Reading | None]) -> Markup:
    first = next(reading for reading in readings if reading is not None)
    chosen = {reading.chosen for reading in readings if reading is not None}
    return tag(
        "tr",
        tag("th", tag("code", first.name), tag("p", first.question), scope="row"),
        [tag("td", _choice(reading)) for reading in readings],
        class_="unlike" if len(chosen) > 1 else None,
    )


def _choice(reading: Reading | None) -> Content:
    if reading is None:
        return "does not arise"
    reason = tag("p", f"Default, for {reading.reason}.", class_="note") if reading.chosen == reading.default else None
    return joined(tag("code", reading.chosen), tag("p", reading.alternatives[reading.chosen]), reason)
