"""The structure of two editions as a dictionary and as text: what became of each law and clause."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Final

from lawbook.compare.structure import Change, ClauseChange, ClauseDifference, Structure, TopicComparison
from lawbook.edition.model import Clause, Edition, Law
from lawbook.report.auction import SCHEMA
from lawbook.report.clauses import lines_of
from lawbook.report.layout import Page, Style, table
from lawbook.sentences import law_name, listed

_STYLES: Final[dict[Change, Style]] = {
    Change.EQUAL: "dim",
    Change.WORDING: "dim",
    Change.RENUMBERED: "dim",
    Change.CHANGED: "irregular",
    Change.ADDED: "legal",
    Change.REPEALED: "refused",
    Change.NOT_AT_HAND: "dim",
}


# -- for other programs ------------------------------------------------------------------------------------------------


def structure_json(structure: Structure) -> dict[str, object]:
    """Two editions topic by topic, with the keys of `compare.schema.json`."""
    return {
        "schema": SCHEMA,
        "editions": [structure.a.name, structure.b.name],
        "edition_hashes": [structure.a.hash, structure.b.hash],
        "coverage": {"complete": False, "states": 0, "transitions": 0, "bids": [], "irregularities": 0},
        "structure": [_topic_json(structure, topic) for topic in structure.topics],
        "registers": [{"register": name, "a": one, "b": other} for name, one, other in structure.registers],
    }


def _topic_json(structure: Structure, topic: TopicComparison) -> dict[str, object]:
    return {
        "topic": topic.topic,
        "title": topic.title,
        "laws": [_number(topic.a), _number(topic.b)],
        "has": [bool(topic.a), bool(topic.b)],
        "change": topic.change.value,
        "clauses": [_clause_json(structure, difference) for difference in topic.clauses],
    }


def _clause_json(structure: Structure, difference: ClauseDifference) -> dict[str, object]:
    return {
        "clause": difference.id,
        "change": difference.change.value,
        "a": _side_json(difference.a, structure.a),
        "b": _side_json(difference.b, structure.b),
    }


def _side_json(clause: Clause | None, edition: Edition) -> dict[str, object] | None:
    if clause is None:
        return None
    return {
        "law": clause.law.number,
        "topic": clause.law.topic,
        "clause": clause.id,
        "kind": clause.kind.value,
        "says": clause.says,
        "lines": lines_of(clause, edition),
    }


def _number(laws: tuple[Law, ...]) -> str | None:
    """The number of a topic's law; of several, all of them in one text; None where no law has one."""
    return ", ".join(dict.fromkeys(law.number for law in laws if law.number is not None)) or None


# -- for a reader ------------------------------------------------------------------------------------------------------


def structure_text(structure: Structure, page: Page) -> Iterator[str]:
    """Two editions law by law for a reader; then, for what changed, clause by clause."""
    a, b = structure.a, structure.b
    for edition in (a, b):
        yield page.paint(edition.name, "bold")
        yield from page.wrap(f"{edition.title}, {edition.body}, {edition.date}", 2)
    yield ""
    rows = [
        (_cited(t.a), _cited(t.b), page.paint(t.change.value, _STYLES[t.change]), t.title) for t in structure.topics
    ]
    yield from table(rows, (_column_head(a), _column_head(b), "change", "topic"), page)
    for topic in structure.topics:
        if topic.clauses:
            yield ""
            yield page.rule(f"{topic.title}: {_numbers(topic)}")
            for difference in topic.clauses:
                yield from _difference_lines(structure, topic, difference, page)
    if structure.registers:
        yield ""
        yield page.rule("what the table remembers")
        for name, one, other in structure.registers:
            yield from page.wrap(f"{name}: {one or 'not kept'}; then {other or 'not kept'}", 0, 2)
    yield ""
    yield from page.wrap(_conclusion(structure))
    yield from page.wrap(
        "Only the clauses were compared. How the two behave at the table has not been searched, so nothing is said of "
        "what a difference does, or whether any auction shows it."
    )


def _column_head(edition: Edition) -> str:
    return edition.name if len(edition.name) <= 20 else edition.name.partition("@")[0] + "@..."


def _cited(laws: tuple[Law, ...]) -> str:
    return listed(list(dict.fromkeys(law_name(law.number) for law in laws))) if laws else "-"


def _numbers(topic: TopicComparison) -> str:
    if topic.change is Change.NOT_AT_HAND:
        return f"{_cited(topic.a or topic.b)}; the other text is not at hand"
    if not topic.a:
        return f"added, {_cited(topic.b)}"
    if not topic.b:
        return f"repealed, {_cited(topic.a)}"
    return _cited(topic.a) if _cited(topic.a) == _cited(topic.b) else f"{_cited(topic.a)}, then {_cited(topic.b)}"


def _difference_lines(
    structure: Structure, topic: TopicComparison, difference: ClauseDifference, page: Page
) -> Iterator[str]:
    a, b = difference.a, difference.b
    match difference.change:
        case ClauseChange.ADDED:
            assert b is not None
            yield from page.wrap(f"+ {b.id}: {b.says}", 0, 2)
        case ClauseChange.REMOVED:
            assert a is not None
            yield from page.wrap(f"- {a.id}: {a.says}", 0, 2)
        case ClauseChange.RENAMED:
            assert a is not None
            assert b is not None
            yield from page.wrap(f"= {b.id}, which was {a.id}: {b.says}", 0, 2)
        case ClauseChange.MOVED:
            assert a is not None
            assert b is not None
            yield from page.wrap(f"= {b.id}, {_whither(topic, a, b)}: {b.says}", 0, 2)
        case ClauseChange.CHANGED:
            assert a is not None
            assert b is not None
            where = f", {_whither(topic, a, b)}" if a.law.topic != b.law.topic else ""
            yield from page.wrap(f"~ {b.id}{where}: {b.says}", 0, 2)
            yield from _changed_lines(lines_of(a, structure.a), lines_of(b, structure.b), page)


def _whither(topic: TopicComparison, a: Clause, b: Clause) -> str:
    if b.law.topic == topic.topic:
        return f"from {law_name(a.law.number)} ({a.law.topic})"
    return f"now in {law_name(b.law.number)} ({b.law.topic})"


def _changed_lines(one: list[str], other: list[str], page: Page) -> Iterator[str]:
    for line in difflib.ndiff(one, other):
        sign, text = line[:1], line[2:]
        match sign:
            case "-":
                yield page.paint(f"    - {text}", "refused")
            case "+":
                yield page.paint(f"    + {text}", "legal")
            case " ":
                yield f"      {text}"
            case _:
                continue


def _conclusion(structure: Structure) -> str:
    counts = {change: sum(1 for t in structure.topics if t.change is change) for change in Change}
    parts = [f"{number} {change.value}" for change, number in counts.items() if number]
    return f"{len(structure.topics)} topics: {', '.join(parts)}."
