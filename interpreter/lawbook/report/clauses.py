"""Clauses laid out: their sections as JSON, as indented lines, and as phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lawbook.edition.model import Clause, Edition
from lawbook.sections import Group, Item, Section, sections_of
from lawbook.sentences import law_name

# Said where an edition has no law that the other has not.
NO_LAW: Final = "no law of its own"


def cited(clauses: Sequence[Clause]) -> list[str]:
    """The clauses of one edition that bring a difference about, each with its law: `Law 50, heard`."""
    return [f"{law_name(clause.law.number)}, {clause.id}" for clause in clauses] or [NO_LAW]


def item_json(item: Item) -> object:
    """An item for JSON: a text, or a group as `{"any of": [...]}`."""
    if isinstance(item, Group):
        return {item.which: [item_json(i) for i in item.items]}
    return item


def section_json(section: Section) -> dict[str, object]:
    """A section for JSON."""
    return {"heading": section.heading, "items": [item_json(i) for i in section.items]}


def lines_of(clause: Clause, edition: Edition) -> list[str]:
    """A clause as indented lines: headings, and what stands under each."""
    lines: list[str] = []
    for section in sections_of(clause, edition):
        lines.extend(_section_lines(section))
    return lines


def _section_lines(section: Section) -> Iterator[str]:
    heading = section.heading
    if not section.items:
        yield heading
    elif len(section.items) == 1 and isinstance(section.items[0], str):
        yield f"{heading}{'' if heading in _SENTENCES else ':'} {section.items[0]}"
    elif len(section.items) == 1 and isinstance(group := section.items[0], Group):
        yield f"{heading} {group.which}:"
        yield from _item_lines(group.items, 1)
    else:
        yield f"{heading}:"
        yield from _item_lines(section.items, 1)


_SENTENCES: Final = frozenset({"when", "the call", "if", "unless", "once", "means", "is", "provided", "until"})


def _item_lines(items: tuple[Item, ...], depth: int) -> Iterator[str]:
    for item in items:
        if isinstance(item, Group):
            yield f"{'  ' * depth}{item.which}:"
            yield from _item_lines(item.items, depth + 1)
        else:
            yield f"{'  ' * depth}{item}"


def effects_of_choice(clause: Clause, edition: Edition, act: str) -> tuple[str, ...]:
    """The canonical texts of what a choice of a remedy does."""
    for section in sections_of(clause, edition):
        if section.heading == f"choice {act}":
            return tuple(item for item in section.items if isinstance(item, str))
    return ()


def section_text(clause: Clause, edition: Edition, heading: str) -> str | None:
    """The text under a heading as one phrase, or None if the clause has no such heading."""
    for section in sections_of(clause, edition):
        if section.heading == heading:
            return _phrase(section.items)
    return None


def _phrase(items: tuple[Item, ...], which: str = "all of") -> str:
    joint = " and " if which == "all of" else " or "
    parts = [i if isinstance(i, str) else _phrase(i.items, i.which) for i in items]
    return ("not: " if which == "none of" else "") + joint.join(parts)
