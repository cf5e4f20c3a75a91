"""The structure of two editions as a dictionary and as text: what became of each law and clause, and of which term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from lawbook.compare.findings import Behaviour
from lawbook.compare.structure import Change, ClauseChange, ClauseDifference, Structure, TopicComparison
from lawbook.compare.terms import TermChange
from lawbook.edition.model import Clause, Edition, Law
from lawbook.report import SCHEMA
from lawbook.report.behaviour import behaviour_json, behaviour_text, coverage_json
from lawbook.report.clauses import lines_of, section_json
from lawbook.report.layout import Page, Style, beside, folded, grid, name_lines
from lawbook.report.marked import Line, Pair, pairs, plain
from lawbook.sections import Section
from lawbook.sentences import date_words, law_name, listed

STYLES: Final[dict[Change, Style]] = {
    Change.EQUAL: "dim",
    Change.WORDING: "dim",
    Change.RENUMBERED: "dim",
    Change.LEFT_TO_CUSTOM: "dim",
    Change.MADE_LAW: "dim",
    Change.CHANGED: "irregular",
    Change.ADDED: "legal",
    Change.REPEALED: "refused",
    Change.NOT_AT_HAND: "dim",
}
# How a reader is told what became of a clause.
BECAME: Final[dict[ClauseChange, tuple[str, Style]]] = {
    ClauseChange.ADDED: ("added", "legal"),
    ClauseChange.REMOVED: ("gone", "refused"),
    ClauseChange.CHANGED: ("changed", "irregular"),
    ClauseChange.MOVED: ("moved", "dim"),
    ClauseChange.RENAMED: ("renamed", "dim"),
}
_LABEL: Final = 9
# The fewest columns that hold the table of topics.
_ROOM: Final = 66


# -- for other programs ------------------------------------------------------------------------------------------------


def structure_json(structure: Structure, behaviour: Behaviour | None = None) -> dict[str, object]:
    """Two editions topic by topic, and how they differ at the table where that was searched, with the keys of
    `compare.schema.json`."""
    return {
        "schema": SCHEMA,
        "editions": [structure.a.name, structure.b.name],
        "edition_hashes": [structure.a.hash, structure.b.hash],
        **({"coverage": coverage_json(None)} if behaviour is None else behaviour_json(behaviour)),
        "structure": [_topic_json(structure, topic) for topic in structure.topics],
        "registers": [{"register": name, "a": one, "b": other} for name, one, other in structure.registers],
    }


def _topic_json(structure: Structure, topic: TopicComparison) -> dict[str, object]:
    return {
        "topic": topic.topic,
        "title": topic.title,
        "laws": [law_numbers(topic.a), law_numbers(topic.b)],
        "has": [bool(topic.a), bool(topic.b)],
        "change": topic.change.value,
        "clauses": [difference_json(difference, structure.a, structure.b) for difference in topic.clauses],
    }


def difference_json(difference: ClauseDifference, a: Edition, b: Edition) -> dict[str, object]:
    """One clause that is not alike, and its changed terms."""
    return {
        "clause": difference.id,
        "change": difference.change.value,
        "terms": [_term_json(term) for term in difference.terms],
        "a": _side_json(difference.a, a),
        "b": _side_json(difference.b, b),
    }


def _term_json(term: TermChange) -> dict[str, object]:
    def shown(section: Section | None) -> object:
        return None if section is None else section_json(section)

    return {"term": term.aspect.value, "a": shown(term.a), "b": shown(term.b)}


def _side_json(clause: Clause | None, edition: Edition) -> dict[str, object] | None:
    if clause is None:
        return None
    return {
        "law": clause.law.number,
        "topic": clause.law.topic,
        "clause": clause.id,
        "kind": clause.kind.value,
        "readings": {name: list(choices) for name, choices in clause.reading},
        "says": clause.says,
        "lines": lines_of(clause, edition),
    }


def law_numbers(laws: tuple[Law, ...]) -> str | None:
    """The number of a topic's law; of several, all of them in one text; None where no law has one."""
    return ", ".join(dict.fromkeys(law.number for law in laws if law.number is not None)) or None


# -- in words ----------------------------------------------------------------------------------------------------------


def cited_laws(laws: tuple[Law, ...]) -> str:
    """The laws of a topic in one edition, a dash where it has none."""
    return listed(list(dict.fromkeys(law_name(law.number) for law in laws))) if laws else "-"


def topic_heading(topic: TopicComparison) -> str:
    """A topic with its laws, and what became of it as a whole."""
    one, other = cited_laws(topic.a), cited_laws(topic.b)
    if topic.change is Change.NOT_AT_HAND:
        return f"{topic.title}: {cited_laws(topic.a or topic.b)}; the other text is not at hand"
    if not topic.a:
        return f"{topic.title}: added, {other}"
    if not topic.b:
        return f"{topic.title}: repealed, {one}"
    return f"{topic.title}: {one if one == other else f'{one}, then {other}'}"


def terms_changed(difference: ClauseDifference) -> str:
    """The terms of a clause that are not alike, each named once: `condition and deadline`."""
    return listed(dict.fromkeys(term.aspect.value for term in difference.terms))


def became(difference: ClauseDifference, topic: str) -> str:
    """The clause by its id with what it was before, and what of it changed."""
    changed = terms_changed(difference)
    return origin(difference, topic) + (f": {changed}" if changed else "")


def origin(difference: ClauseDifference, topic: str) -> str:
    """The clause by its id, with the readings it stands under, and what it was called or where it stood before."""
    a, b = difference.a, difference.b
    readings = dict.fromkeys(name for clause in (a, b) if clause is not None for name, _ in clause.reading)
    named = f" ({'reading' if len(readings) == 1 else 'readings'} {listed(readings)})" if readings else ""
    parts = [difference.id + named]
    if a is not None and b is not None:
        if a.id != b.id:
            parts.append(f"which was {a.id}")
        if a.law.topic != b.law.topic:
            parts.append(
                f"from {law_name(a.law.number)} ({a.law.topic})"
                if b.law.topic == topic
                else f"now in {law_name(b.law.number)} ({b.law.topic})"
            )
    return ", ".join(parts)


def summary(structure: Structure) -> str:
    """How many topics there are, and what became of how many."""
    counts = {change: sum(1 for t in structure.topics if t.change is change) for change in Change}
    parts = [f"{number} {change.value}" for change, number in counts.items() if number]
    return f"{len(structure.topics)} topics: {', '.join(parts)}."


def told(structure: Structure) -> list[TopicComparison]:
    """The topics whose clauses are to be told one by one: not those of which one text is not at hand, for nothing can
    be said of what became of them."""
    return [topic for topic in structure.topics if topic.clauses and topic.change is not Change.NOT_AT_HAND]


# Said where nothing was searched, so that a list of changed clauses is not taken for more than it is.
NOT_SEARCHED: Final = (
    "Only the clauses were compared. How the two behave at the table has not been searched, so nothing is said of "
    "what a difference does, or whether any auction shows it."
)


def remembered(structure: Structure) -> Iterator[tuple[str, str]]:
    """What the table has to remember under one edition only, or otherwise, in words: whether so, and what."""
    for name, one, other in structure.registers:
        register = (structure.b if other is not None else structure.a).registers[name]
        kept = "otherwise" if one is not None and other is not None else "newly" if one is None else "no longer"
        yield kept, register.gloss


# -- for a reader ------------------------------------------------------------------------------------------------------


def structure_text(
    structure: Structure,
    page: Page,
    *,
    side_by_side: bool = False,
    registers: bool = False,
    behaviour: Behaviour | None = None,
) -> Iterator[str]:
    """Two editions for a reader: how they differ at the table where that was searched, then law by law, and for what
    changed clause by clause.

    `side_by_side`: the clauses in two columns. `registers`: what the table remembers in full, not in words.
    """
    a, b = structure.a, structure.b
    for edition in (a, b):
        yield from (page.paint(line, "bold") for line in page.wrap(edition.name))
        yield from page.wrap(", ".join(filter(None, (edition.title, edition.body, date_words(edition.date)))), 2)
    yield ""
    if behaviour is not None:
        yield from behaviour_text(behaviour, page)
        yield ""
        yield from page.heading("law by law")
    yield from page.wrap(summary(structure))
    if behaviour is None:
        yield from page.wrap(NOT_SEARCHED)
    yield ""
    yield from _topics(structure, page)
    for topic in told(structure):
        yield ""
        yield from page.heading(topic_heading(topic))
        if side_by_side:
            yield from _two_columns(structure, topic, page)
        else:
            yield from _one_column(structure, topic, page)
    if structure.registers:
        yield ""
        yield from page.heading("what the table has to remember")
        yield from _remembered(structure, page, registers)


def _topics(structure: Structure, page: Page) -> Iterator[str]:
    """Every topic with its laws and what became of it: a table, or a line each where that finds no room."""
    if page.width < _ROOM:
        for topic in structure.topics:
            yield from page.wrap(f"{topic_heading(topic)} ({topic.change.value})", 0, 2)
        return
    widths = [17, 17, 12, page.width - 52]
    heads = [name_lines(structure.a.name, 17), name_lines(structure.b.name, 17), ["change"], ["topic"]]
    yield from (page.paint(line, "dim") for line in beside(heads, widths, 2))
    for topic in structure.topics:
        change = page.paint(topic.change.value, STYLES[topic.change])
        cells = [folded(cited_laws(topic.a), 17), folded(cited_laws(topic.b), 17), [change]]
        yield from beside([*cells, folded(topic.title, widths[-1])], widths, 2)


def _one_column(structure: Structure, topic: TopicComparison, page: Page) -> Iterator[str]:
    apart = False
    for place, difference in enumerate(topic.clauses):
        longer = difference.change is ClauseChange.CHANGED
        if place and (longer or apart):
            yield ""
        yield from difference_lines(difference, structure.a, structure.b, topic.topic, page)
        apart = longer


def difference_lines(
    difference: ClauseDifference, a: Edition, b: Edition, topic: str, page: Page, *, brief: bool = False
) -> Iterator[str]:
    """One clause that is not alike: what became of it, what it says, and the lines in which it changed. `brief`: only
    those lines, not the whole clause."""
    label, style = BECAME[difference.change]
    head, *more = folded(became(difference, topic), page.width - _LABEL)
    yield page.paint(label.ljust(_LABEL), style) + page.paint(head, "bold")
    yield from (" " * _LABEL + page.paint(line, "bold") for line in more)
    for text in statements(difference):
        yield from page.wrap(text, _LABEL)
    if difference.change is ClauseChange.CHANGED:
        assert difference.a is not None
        assert difference.b is not None
        for alike, group in groupby(pairs(lines_of(difference.a, a), lines_of(difference.b, b)), lambda p: p.alike):
            if not (brief and alike):
                yield from _group_lines(list(group), page)


def statements(difference: ClauseDifference) -> list[str]:
    """What the clause says; where it says another thing than before, both."""
    said = [clause.says for clause in (difference.a, difference.b) if clause is not None and clause.says]
    if len(set(said)) < 2:
        return said[:1]
    return [f"Before: {said[0]}", f"Now: {said[1]}"]


def _group_lines(group: Sequence[Pair], page: Page) -> Iterator[str]:
    """Lines that are alike, or those of the one version and then those of the other."""
    versions: tuple[tuple[str, Style, list[Line | None]], ...] = (
        ("-", "refused", [pair.a for pair in group]),
        ("+", "legal", [pair.b for pair in group]),
    )
    if group[0].alike:
        versions = ((" ", "plain", versions[1][2]),)
    for sign, style, lines in versions:
        for line in lines:
            if line is not None:
                yield from _sentence(plain(line) or "", sign, page, style)


def _sentence(text: str, sign: str, page: Page, style: Style) -> Iterator[str]:
    """A line of a clause with a sign before it, broken where it is too long."""
    indent = len(text) - len(text.lstrip())
    for place, line in enumerate(folded(text.strip(), page.width - _LABEL - 2 - indent - 2)):
        shown = " " * (indent + (2 if place else 0)) + line
        yield " " * _LABEL + page.paint(f"{' ' if place else sign} {shown}", style).rstrip()


# -- two columns -------------------------------------------------------------------------------------------------------


def _two_columns(structure: Structure, topic: TopicComparison, page: Page) -> Iterator[str]:
    """The clauses that are not alike, each edition's in a column of its own; the sign between says which has what."""
    width = (page.width - 3) // 2
    heads = [
        [*name_lines(edition.name, width), cited_laws(laws)]
        for edition, laws in ((structure.a, topic.a), (structure.b, topic.b))
    ]
    yield from (page.paint(line, "dim") for line in beside([heads[0], [""], heads[1]], [width, 1, width]))
    for difference in topic.clauses:
        yield ""
        changed = terms_changed(difference)
        label, style = BECAME[difference.change]
        yield page.paint(f"{label}{f': {changed}' if changed else ''}", style)
        for left, right, sign in _facing(difference, structure):
            columns = [_cell(left, width), [page.paint(sign, "mark")], _cell(right, width)]
            yield from beside(columns, [width, 1, width])


def _facing(difference: ClauseDifference, structure: Structure) -> Iterator[tuple[str, str, str]]:
    """The lines of both sides, and the sign between them."""
    a, b = difference.a, difference.b
    for name in ("id", "says"):
        texts = [None if clause is None else getattr(clause, name) for clause in (a, b)]
        if any(texts):
            yield texts[0] or "", texts[1] or "", _sign(texts[0], texts[1])
    one = [] if a is None else lines_of(a, structure.a)
    other = [] if b is None else lines_of(b, structure.b)
    for pair in pairs(one, other):
        left, right = plain(pair.a), plain(pair.b)
        yield f"  {left or ''}", f"  {right or ''}", _sign(left, right)


def _sign(left: str | None, right: str | None) -> str:
    if left == right:
        return " "
    return ">" if left is None else "<" if right is None else "≠"


def _cell(text: str, width: int) -> list[str]:
    indent = len(text) - len(text.lstrip())
    lines: Sequence[str] = folded(text.strip(), width - indent - (2 if indent else 0))
    return [" " * (indent + (2 if place and indent else 0)) + line for place, line in enumerate(lines)]


def _remembered(structure: Structure, page: Page, registers: bool) -> Iterator[str]:
    if registers:
        for name, one, other in structure.registers:
            yield from page.wrap(f"{name}: {one or 'not kept'}; then {other or 'not kept'}", 0, 2)
        return
    yield from grid(remembered(structure), [9, page.width - 11])
