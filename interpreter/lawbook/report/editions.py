"""Editions as dictionaries and as text: the list of them, their laws, the whole text or a part, and their readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.model import Clause, Edition, Law, Register
from lawbook.errors import LawbookError
from lawbook.language.types import type_text
from lawbook.report import SCHEMA
from lawbook.report.clauses import lines_of, section_json
from lawbook.report.layout import Page, table
from lawbook.report.texts import column_width, passage_json, with_text
from lawbook.sections import sections_of
from lawbook.sentences import capital, law_name, order_of
from lawbook.texts import Passage

_HASH_SHOWN = 12

Words: TypeAlias = Callable[[Law], tuple[Passage, ...]]
"""A user's transcription: the passages of a law, none where there is no text of it."""


def no_words(_: Law) -> tuple[Passage, ...]:
    """Nobody's transcription."""
    return ()


# -- the list of editions ----------------------------------------------------------------------------------------------


def editions_json(editions: Iterable[Edition], broken: Iterable[str] = ()) -> dict[str, object]:
    """Every edition in short, with the keys of `editions.schema.json`; `broken` are those that cannot be read."""
    return {"schema": SCHEMA, "editions": [_head_json(edition) for edition in editions], "broken": list(broken)}


def _head_json(edition: Edition) -> dict[str, object]:
    return {
        "edition": edition.name,
        "edition_hash": edition.hash,
        "title": edition.title,
        "body": edition.body,
        "date": edition.date,
        "source": edition.source,
        "based_on": list(edition.chain[1:]),
        "laws": len(edition.laws),
        "clauses": len(edition.clauses),
    }


def editions_text(editions: Iterable[Edition], broken: Mapping[str, Diagnostic], page: Page) -> Iterator[str]:
    """Every edition in two lines, the oldest first; of those that cannot be read, the first of what is wrong."""
    for edition in editions:
        laws = f"{len(edition.laws)} laws, {len(edition.clauses)} clauses"
        yield page.paint(edition.name, "bold") + page.paint(f"  {edition.hash[:_HASH_SHOWN]}", "dim")
        yield from page.wrap(f"{edition.heading}: {laws}", 2)
    for name, wrong in broken.items():
        yield page.paint(name, "bold")
        yield from page.wrap(unreadable(name, wrong), 2)


def unreadable(name: str, wrong: Diagnostic) -> str:
    """That an edition cannot be read, and the first of what is wrong with it."""
    where = "" if wrong.span is None else f" ({wrong.span.file}:{wrong.span.line}:{wrong.span.column})"
    return f"cannot be read: {wrong.message}{where}; `lawbook check {name}` says more"


# -- the laws of one ---------------------------------------------------------------------------------------------------


def laws_json(edition: Edition) -> dict[str, object]:
    """An edition's laws in the order of their numbers, with the keys of `laws.schema.json`."""
    return {
        "schema": SCHEMA,
        **_head_json(edition),
        "laws": [{**_law_json(law), "clauses": _ids(edition, law)} for law in sorted(edition.laws, key=order_of)],
        "not_at_hand": list(edition.not_at_hand),
    }


def _law_json(law: Law) -> dict[str, object]:
    return {
        "law": law.number,
        "title": law.title,
        "topic": law.topic,
        "chapter": law.chapter,
        "edition": law.source.edition,
        "source": law.source.source,
        "evidence": law.source.evidence,
        "summary": law.summary,
        "file": law.file,
    }


def _ids(edition: Edition, law: Law) -> list[str]:
    return [clause.id for clause in edition.clauses if clause.law == law]


def laws_text(edition: Edition, page: Page) -> Iterator[str]:
    """An edition's laws, a line each, and what is not at hand."""
    yield from _heading(edition, page)
    yield ""
    rows = []
    for law in sorted(edition.laws, key=order_of):
        evidence = "" if law.source.evidence in ("text", "custom") else f" ({law.source.evidence})"
        rows.append((law_name(law.number), str(len(_ids(edition, law))), law.topic, law.title + evidence))
    yield from table(rows, ("law", "clauses", "topic", "title"), page)
    if edition.not_at_hand:
        yield ""
        yield page.rule("not at hand")
        for text in edition.not_at_hand:
            yield from page.wrap(text)


def _heading(edition: Edition, page: Page) -> Iterator[str]:
    yield page.paint(edition.name, "bold")
    yield from page.wrap(edition.heading + (f"; from {edition.source}" if edition.source else ""), 2)


# -- the text ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Selection:
    """What of an edition is shown: laws in order with the clauses of each; `whole` if that is all of it."""

    laws: tuple[tuple[Law, tuple[Clause, ...]], ...]
    whole: bool


def select(edition: Edition, asked: str | None) -> Selection:
    """The law of that number, the topic, or the clause; everything where nothing is asked for.

    Raises LawbookError where there is none.
    """
    laws = sorted(edition.laws, key=order_of)
    every = tuple((law, tuple(c for c in edition.clauses if c.law == law)) for law in laws)
    if asked is None:
        return Selection(every, True)
    wanted = asked.strip().lower()
    number = wanted.removeprefix("laws ").removeprefix("law ")
    for law_is_meant in (
        lambda law: law.number is not None and number in (law.number.lower(), *law.number.lower().split(", ")),
        lambda law: law.number is None and wanted == "custom",
        lambda law: law.topic == wanted or law.chapter == wanted,
        lambda law: law.title.lower() == wanted,
    ):
        found = tuple((law, clauses) for law, clauses in every if law_is_meant(law))
        if found:
            return Selection(found, False)
    clause = edition.by_id.get(wanted)
    if clause is not None:
        return Selection(((clause.law, (clause,)),), False)
    names = [
        *(law.topic for law in laws),
        *edition.by_id,
        *(law_name(law.number) for law in laws if law.number is not None),
    ]
    raise LawbookError(
        [
            Diagnostic(
                "unknown-law",
                Severity.ERROR,
                f"{edition.id} has no law, topic or clause `{asked}`",
                help=f"`lawbook laws {edition.name}` lists its laws",
                suggestion=nearest(asked, names),
            )
        ]
    )


def show_json(edition: Edition, selection: Selection, words: Words = no_words) -> dict[str, object]:
    """The laws selected with their clauses, with the keys of `show.schema.json`; `words` has a user's text of them."""
    found: dict[str, object] = {
        "schema": SCHEMA,
        **_head_json(edition),
        "laws": [
            {**_law_json(law), **_words_json(words(law)), "clauses": [_clause_json(c, edition) for c in clauses]}
            for law, clauses in selection.laws
        ],
    }
    if selection.whole:
        found["readings"] = [_reading_json(r) for r in readings_rows(edition)]
        found["offences"] = [{"offence": o.name, "gloss": o.gloss} for o in edition.offences]
        found["acts"] = [
            {"act": a.name, "says": a.says, "argument": a.argument, "chooses": a.chooses, "gloss": a.gloss}
            for a in edition.acts.values()
        ]
        found["registers"] = [
            {"register": r.name, "domain": _domain(r), "gloss": r.gloss} for r in edition.registers.values()
        ]
        found["denominations"] = [
            {"denomination": name, "letter": letter}
            for name, letter in zip(edition.universe.denominations, edition.universe.letters, strict=True)
        ]
        found["not_at_hand"] = list(edition.not_at_hand)
    return found


def _words_json(passages: tuple[Passage, ...]) -> dict[str, object]:
    return {"words": [passage_json(passage) for passage in passages]} if passages else {}


def _clause_json(clause: Clause, edition: Edition) -> dict[str, object]:
    found: dict[str, object] = {
        "clause": clause.id,
        "kind": clause.kind.value,
        "says": clause.says,
        "sections": [section_json(section) for section in sections_of(clause, edition)],
        "file": clause.span.file,
        "line": clause.span.line,
    }
    if clause.reading:
        found["under"] = {name: list(choices) for name, choices in clause.reading}
    return found


def _domain(register: Register) -> str:
    each = " for each right" if register.per_right else ""
    if register.indices:
        each = " for each " + " and ".join(type_text(i) for i in register.indices)
    return type_text(register.type) + each


def show_text(edition: Edition, selection: Selection, page: Page, words: Words = no_words) -> Iterator[str]:
    """The laws selected as readable text, beside a user's text of them; of a whole edition also what it declares."""
    yield from _heading(edition, page)
    told: set[Passage] = set()
    for law, clauses in selection.laws:
        # A law that several files are about has its words beside the first of them.
        passages = tuple(passage for passage in words(law) if passage not in told)
        told.update(passages)
        column = replace(page, width=column_width(page)) if passages else page
        yield ""
        yield from _law_lines(law, edition, page)
        lines = [line for clause in clauses for line in ("", *_clause_lines(clause, edition, column))]
        if lines or passages:
            yield ""
        yield from with_text(passages, lines[1:], page)
    if selection.whole:
        yield from _declared_lines(edition, page)


def _law_lines(law: Law, edition: Edition, page: Page) -> Iterator[str]:
    yield from page.heading(f"{capital(law_name(law.number))}: {law.title}")
    source = law.source
    parts = [] if source.edition == edition.id else [f"of {source.edition}"]
    if source.source and source.source != edition.source:
        parts.append(f"in {source.source}")
    if source.evidence != "text":
        parts.append(f"evidence: {source.evidence}")
    parts += [f"topic {law.topic}", law.file]
    for line in page.wrap("; ".join(parts)):
        yield page.paint(line, "dim")
    yield from page.wrap(law.summary)


def _clause_lines(clause: Clause, edition: Edition, page: Page) -> Iterator[str]:
    under = "; ".join(f"{name}: {', '.join(choices)}" for name, choices in clause.reading)
    tail = f"  {clause.kind.value}" + (f", under the reading {under}" if under else "")
    first, *more = page.wrap(clause.id + tail, 0, 4)
    yield page.paint(clause.id, "bold") + page.paint(first.removeprefix(clause.id), "dim")
    for line in more:
        yield page.paint(line, "dim")
    yield from page.wrap(clause.says, 2)
    for line in lines_of(clause, edition):
        depth = len(line) - len(line.lstrip())
        yield from page.wrap(line.strip(), 4 + depth, 8 + depth)


def _declared_lines(edition: Edition, page: Page) -> Iterator[str]:
    readings = readings_rows(edition)
    if readings:
        yield ""
        yield page.rule("Readings")
        for reading in readings:
            yield from page.wrap(f"{reading.name}: {reading.chosen}. {reading.question}", 0, 2)
    yield ""
    yield page.rule("Denominations, the lowest value first as the law lists them")
    named = zip(edition.universe.denominations, edition.universe.letters, strict=True)
    yield from page.wrap(", ".join(f"{name} {letter}" for name, letter in named))
    yield ""
    yield page.rule("Offences")
    yield from table([(o.name, o.gloss) for o in edition.offences], ("offence", "meaning"), page)
    yield ""
    yield page.rule("Acts other than calls")
    yield from table([(a.name, a.gloss) for a in edition.acts.values()], ("act", "meaning"), page)
    yield ""
    yield page.rule("What the table remembers")
    yield from table([(r.name, r.gloss) for r in edition.registers.values()], ("register", "meaning"), page)
    if edition.not_at_hand:
        yield ""
        yield page.rule("Not at hand")
        for text in edition.not_at_hand:
            yield from page.wrap(text)


# -- readings ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One open point: its question, the choice in force, the default and its reason, and what each choice means."""

    name: str
    question: str
    chosen: str
    default: str
    reason: str
    choices: tuple[tuple[str, str], ...]


def readings_rows(edition: Edition) -> tuple[ReadingRow, ...]:
    """An edition's open points in the order in which it names them."""
    return tuple(
        ReadingRow(r.name, r.question, r.chosen, r.default, r.reason, tuple(r.alternatives.items()))
        for r in edition.readings
    )


def readings_json(edition: Edition) -> dict[str, object]:
    """An edition's open points, with the keys of `readings.schema.json`."""
    return {"schema": SCHEMA, **_head_json(edition), "readings": [_reading_json(r) for r in readings_rows(edition)]}


def _reading_json(reading: ReadingRow) -> dict[str, object]:
    return {
        "reading": reading.name,
        "question": reading.question,
        "chosen": reading.chosen,
        "default": reading.default,
        "reason": reading.reason,
        "choices": [{"choice": name, "meaning": meaning} for name, meaning in reading.choices],
    }


def readings_text(edition: Edition, page: Page) -> Iterator[str]:
    """An edition's open points: the question, every choice, which is the default and why."""
    yield from _heading(edition, page)
    if not edition.readings:
        yield ""
        yield "It has no readings: nothing in it is marked as open."
        return
    for reading in readings_rows(edition):
        yield ""
        yield page.paint(reading.name, "bold")
        yield from page.wrap(reading.question, 2)
        width = max(len(name) for name, _ in reading.choices) + 2
        for name, meaning in reading.choices:
            sign = "*" if name == reading.chosen else " "
            note = " (default)" if name == reading.default else ""
            yield from page.entry(f"{sign} {name}", meaning + note, 2, width + 2)
        yield from page.wrap(f"Why: {reading.reason}", 2, 7)
    first = edition.readings[0]
    other = next((name for name in first.alternatives if name != first.default), first.default)
    yield ""
    yield from page.wrap(f"Choose another by its name: {edition.id}@{first.name}={other}")
