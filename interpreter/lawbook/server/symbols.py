"""The outline of a file: its sections, and in them clauses, examples, words and whatever else has a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lawbook.diagnostics import Span
from lawbook.edition.kinds import kind_of
from lawbook.server.desk import Desk
from lawbook.source.reader import Mapping, Node, Scalar, Sequence
from lawbook.source.tolerant import read_tolerantly

# The keys whose values name what they stand in, the first that is there.
_NAMING: Final = ("id", "that", "name", "edition", "check")


@dataclass(frozen=True, slots=True)
class Symbol:
    """One line of the outline: a section, a clause or an item, all of its text, and the part that names it."""

    name: str
    what: str
    detail: str
    span: Span
    naming: Span
    inside: tuple[Symbol, ...] = ()


def outline(desk: Desk, path: Path) -> list[Symbol]:
    """The outline of a file, however far it is written."""
    root = read_tolerantly((desk.text(path) or "").removeprefix("\ufeff"), desk.shown(path))
    return list(_sections(root)) if isinstance(root, Mapping) else []


def _sections(node: Mapping) -> Iterator[Symbol]:
    for key, value in node.entries:
        inside: tuple[Symbol, ...] = ()
        if isinstance(value, Sequence):
            inside = tuple(_items(value, key.text))
        elif isinstance(value, Mapping) and any(isinstance(below, Sequence | Mapping) for _, below in value.entries):
            inside = tuple(_sections(value))
        detail = " ".join(value.text.split()) if isinstance(value, Scalar) else ""
        yield Symbol(key.text or "(nothing)", "section", detail, _around(key, value), key.span, inside)


def _items(listed: Sequence, section: str) -> Iterator[Symbol]:
    for item in listed.items:
        if isinstance(item, Mapping) and item.entries:
            naming = next((value for key in _NAMING if isinstance(value := item.get(key), Scalar)), None)
            first = item.entries[0][1]
            named = naming or (first if isinstance(first, Scalar) else item.entries[0][0])
            kind = kind_of(item) if section == "clauses" else None
            detail = kind.value if kind is not None else "" if naming is not None else item.entries[0][0].text
            what = "clause" if section == "clauses" else "item"
            yield Symbol(" ".join(named.text.split()) or "(unnamed)", what, detail, item.span, named.span)


def _around(key: Scalar, value: Node) -> Span:
    end = max((key.span.end_line, key.span.end_column), (value.span.end_line, value.span.end_column))
    return Span(key.span.file, key.span.line, key.span.column, *end)
