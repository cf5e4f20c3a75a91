"""Examples as a dictionary and as text: what was added, which there are, and what some of them turn on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lawbook.edition.model import Edition, Law
from lawbook.examples import Example, Outcome, Shown
from lawbook.examples.drafting import Draft
from lawbook.examples.failing import Look
from lawbook.examples.writing import Written
from lawbook.report import SCHEMA
from lawbook.report.layout import Page
from lawbook.report.testing import look_json, look_lines
from lawbook.sentences import law_name, order_of


@dataclass(frozen=True, slots=True)
class Seen:
    """An example run under one edition, and what it turns on."""

    outcome: Outcome
    looks: tuple[Look, ...]


# -- added -------------------------------------------------------------------------------------------------------------


def added_json(
    edition: Edition, law: Law, shown: str, written: Written, draft: Draft, *, added: bool
) -> dict[str, object]:
    """What was or would be added, with the keys of `example.schema.json`."""
    return {
        "schema": SCHEMA,
        "edition": edition.name,
        "added": added,
        "law": law.number,
        "topic": law.topic,
        "file": shown,
        "line": written.at,
        "lines": list(written.lines),
        "example": draft.as_json(),
    }


def added_text(shown: str, written: Written, *, added: bool) -> Iterator[str]:
    """The same for a reader: where, and the lines."""
    yield f"{'added' if added else 'would be added'} at {shown}:{written.at}"
    yield from written.lines


# -- listed ------------------------------------------------------------------------------------------------------------


def list_json(edition: Edition, examples: Sequence[Shown]) -> dict[str, object]:
    """The examples of an edition, with the keys of `example.schema.json`."""
    return {"schema": SCHEMA, "edition": edition.name, "examples": [_example_json(e) for e in examples]}


def _example_json(example: Shown) -> dict[str, object]:
    found: dict[str, object] = {
        "that": example.that,
        "editions": list(example.editions),
        "file": example.file,
        "line": example.span.line,
        "expected": {key: list(texts) for key, texts in example.expected.items()},
    }
    if isinstance(example, Example):
        return {**found, "dealer": example.dealer, "auction": example.auction, "act": example.act or None}
    return {**found, "deals": [dict(deal) for deal in example.deals]}


def list_text(edition: Edition, examples: Sequence[Shown], page: Page) -> Iterator[str]:
    """The same for a reader, law by law."""
    by_file: dict[str, list[Shown]] = {}
    for example in examples:
        by_file.setdefault(example.file, []).append(example)
    laws = {law.file: law for law in edition.laws}
    first = True
    for file in sorted(by_file, key=lambda file: order_of(laws[file])):
        law = laws[file]
        if not first:
            yield ""
        first = False
        yield page.paint(f"{law_name(law.number)}  {law.topic}", "bold")
        for example in by_file[file]:
            yield from _example_lines(example, page)


def _example_lines(example: Shown, page: Page) -> Iterator[str]:
    yield from page.wrap(example.that, 2, 4)
    if isinstance(example, Example):
        told = example.notation or "no act"
        expected = "; ".join(f"{key} {', '.join(texts) or 'none'}" for key, texts in example.expected.items())
        yield from page.wrap(f"{told}: {expected}", 6, 8)
    else:
        expected = "; ".join(f"{key} {' '.join(texts) or 'none'}" for key, texts in example.expected.items())
        for deal in example.deals:
            yield from page.wrap(", ".join(f"{key} {_told(value)}" for key, value in deal.items()), 6, 8)
        yield from page.wrap(expected, 8, 10)


def _told(value: object) -> str:
    match value:
        case dict():
            return " ".join(f"{key}={inner}" for key, inner in value.items())
        case list():
            return " ".join(map(str, value))
        case _:
            return str(value)


# -- shown -------------------------------------------------------------------------------------------------------------


def show_json(edition: Edition, seen: Sequence[Seen]) -> dict[str, object]:
    """Some examples and what they turn on, with the keys of `example.schema.json`."""
    return {
        "schema": SCHEMA,
        "edition": edition.name,
        "shown": [
            {
                **_example_json(one.outcome.example),
                "under": one.outcome.edition,
                "passed": one.outcome.passed,
                "clauses": [look_json(look) for look in one.looks],
            }
            for one in seen
        ],
    }


def show_text(seen: Sequence[Seen], page: Page) -> Iterator[str]:
    """The same for a reader."""
    for at, one in enumerate(seen):
        if at:
            yield ""
        outcome = one.outcome
        verdict = "holds" if outcome.passed else "does not hold"
        yield from page.wrap(f"{outcome.edition}: that {outcome.example.that}: {verdict}", 0, 2)
        place = outcome.example.span
        yield f"  {place.file}:{place.line}"
        if outcome.error is not None:
            yield from page.wrap(str(outcome.error), 2)
        yield from _example_lines(outcome.example, page)
        for look in one.looks:
            yield from look_lines(look, page)
