"""Clauses as sections: what a clause asks and does, in canonical English, under its headings.

A clause's normal form is one flat list of texts; here it is given back its headings and nesting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from lawbook.edition.model import Clause, Edition, Kind
from lawbook.language.words import Category
from lawbook.records import dataclass

_OPENING: Final = re.compile(r"(all of|any of|none of)\(")
_HEADING: Final = re.compile(r"\[([^\]]+)\] ?(.*)")
# Headings of the normal form that an author writes otherwise in some kinds of clause.
_WRITTEN: Final = {
    (Kind.LAPSE, "of"): "lapse of",
    (Kind.EXCEPTION, "of"): "exception to",
    (Kind.WAIVER, "of"): "choice in",
    (Kind.REMEDY, "offence"): "remedy for",
    (Kind.STATUS, "effects"): "for",
}
# Sections that say what a clause is about, and so come first.
_FIRST: Final = frozenset({"status"})


@dataclass(frozen=True, slots=True)
class Group:
    """Conditions under `all of`, `any of` or `none of`."""

    which: str
    items: tuple[Item, ...]


Item: TypeAlias = "str | Group"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading such as `when`, `if` or `choice penalise`, and what stands under it."""

    heading: str
    items: tuple[Item, ...]


def sections_of(clause: Clause, edition: Edition) -> tuple[Section, ...]:
    """What a clause asks and does, section by section, in the order in which it is written and read."""
    if clause.kind is Kind.DEFINITION:
        return _of_definition(clause, edition)
    found = list(_sections(clause.normal[1:]))
    if clause.kind is Kind.OF_ITSELF:
        at = next((i for i, s in enumerate(found) if s.heading == "effects"), None)
        if at is not None:
            found[at : at + 1] = [Section("by", found[at].items[:1]), Section("effects", found[at].items[1:])]
    written = [_written(section, clause, edition) for section in found]
    return tuple(sorted(written, key=lambda s: s.heading not in _FIRST))


def _written(section: Section, clause: Clause, edition: Edition) -> Section:
    """A section under the heading and in the words that its author would use."""
    items = section.items
    if section.heading == "holder" and len(items) == 1 and isinstance(name := items[0], str):
        role = edition.vocabulary.find(Category.ROLE, name)
        items = (name if role is None else f"{role.article} {role.phrase}".strip(),)
    return Section(_WRITTEN.get((clause.kind, section.heading), section.heading), items)


def _sections(normal: tuple[str, ...]) -> Iterator[Section]:
    heading, after_trigger = "", False
    here: list[str] = []
    for text in normal:
        found = _HEADING.fullmatch(text)
        if found is None:
            # Effects follow whatever stands before them without a heading of their own.
            if after_trigger and _OPENING.fullmatch(text) is None:
                yield Section(heading, _nested(here))
                heading, here, after_trigger = "effects", [], False
            here.append(text)
            after_trigger = heading in _BEFORE_EFFECTS and not _is_open(here)
            continue
        if here or heading == "for each open right":
            yield Section(heading, _nested(here))
        heading, here, after_trigger = found[1], [], False
        if heading == "settles":
            yield from _split("settles", found[2], "outlasts")
            heading = ""
        elif heading == "score":
            yield from _split("score", found[2], "for each")
            heading = "effects"
        elif found[2]:
            yield Section(heading, (found[2],))
            heading, after_trigger = "effects", False
        elif text.endswith("] "):
            heading = ""
    if here:
        yield Section(heading, _nested(here))


_BEFORE_EFFECTS: Final = frozenset(
    {"before", "when", "when stands", "when taken back", "entitled when", "ends when", "ends when stands"}
    | {"refused when", "if", "unless", "once", "provided", "such that"}
)


def _is_open(texts: list[str]) -> bool:
    """Whether a group has been opened and not closed again."""
    return sum(1 for t in texts if _OPENING.fullmatch(t)) > texts.count(")")


def _split(heading: str, text: str, other: str) -> Iterator[Section]:
    """Two headings that the normal form writes on one line; what is empty or `None` there was not written."""
    one, _, two = text.partition(f"[{other}]")
    for name, value in ((heading, one.strip()), (other, two.strip())):
        if value not in ("", "None"):
            yield Section(name, (value,))


def _nested(texts: list[str]) -> tuple[Item, ...]:
    stack: list[tuple[str, list[Item]]] = [("", [])]
    for text in texts:
        opening = _OPENING.fullmatch(text)
        if opening is not None:
            stack.append((opening[1], []))
        elif text == ")" and len(stack) > 1:
            which, items = stack.pop()
            stack[-1][1].append(Group(which, tuple(items)))
        else:
            stack[-1][1].append(text)
    (_, items), *_ = stack
    return tuple(_plain(item) for item in items)


def _plain(item: Item) -> Item:
    """A group of one condition that must hold is that condition."""
    match item:
        case Group("all of", (single,)):
            return _plain(single)
        case Group(which, items):
            return Group(which, tuple(_plain(i) for i in items))
        case _:
            return item


def _of_definition(clause: Clause, edition: Edition) -> tuple[Section, ...]:
    head, *rest = clause.normal[1:] or ("",)
    definition = next((d for d in edition.definitions.values() if d.clause == clause.id), None)
    if definition is not None and definition.table is not None:
        rows = tuple(text for text in rest if ": " in text)
        return (Section(head, ()), Section("rows", rows))
    found = [Section(head, ())]
    found.extend(Section("is" if s.heading in ("", "effects") else s.heading, s.items) for s in _sections(tuple(rest)))
    return tuple(found)
