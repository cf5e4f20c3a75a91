"""What is left of a file that cannot be read, or whose shape is wrong: enough to go on looking for what else is.

A misspelt key counts as what was meant, and a part that does not fit is left out, the smallest first; what is missing
at the top is missing. What comes of it is never worked with, only looked at, so that one slip does not hide all others.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, replace
from typing import Final

from lawbook.diagnostics import Diagnostic, Span
from lawbook.source.reader import Mapping, Node, Scalar, Sequence
from lawbook.source.shape import departures
from lawbook.source.tolerant import read_tolerantly

_MOST_ROUNDS: Final = 8

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Torn(Mapping):
    """What is left of a file that cannot be read. What else is wrong in it is not told: it may be none of its author's
    doing. Other files can be looked at beside it."""


def torn(text: str, file: str, schema: AnyMapping[str, object], problems: Iterable[Diagnostic]) -> Torn | None:
    """The parts of a file that can be read and fit a schema; None if nothing of use is left, or if what is wrong lies
    among the words it declares, without which others would seem to be wrong.

    `problems` are what the reader found in it.
    """
    whole = read_tolerantly(text.removeprefix("\ufeff"), file)
    lines = frozenset(d.span.line for d in problems if d.span is not None)
    if not isinstance(whole, Mapping) or _covers(whole.get("declares"), lines):
        return None
    left = salvage(whole, schema, ())
    return None if left is None else Torn(left.entries, left.span)


def _covers(node: Node | None, lines: frozenset[int]) -> bool:
    return node is not None and any(node.span.line <= line <= node.span.end_line for line in lines)


def salvage(node: Mapping, schema: AnyMapping[str, object], problems: Iterable[Diagnostic]) -> Mapping | None:
    """The parts of a file that fit a schema; None if nothing of use is left.

    `problems` are what `validate` found in it.
    """
    meant = {d.span: d.suggestion for d in problems if d.code == "unknown-key" and d.suggestion is not None}
    left: Node | None = _respelt(node, meant)
    for _ in range(_MOST_ROUNDS):
        if not isinstance(left, Mapping):
            return None
        wrong = departures(left, schema)
        if not wrong:
            return left
        # What else is wrong at the top itself cannot be left out.
        if any(not path and not keys for path, keys in wrong):
            return None
        for path, keys in sorted(wrong, key=lambda found: len(found[0]), reverse=True):
            left = _without(left, path, keys) if isinstance(left, Mapping) else None
    return None


def _respelt(node: Node, meant: AnyMapping[Span | None, str]) -> Node:
    """The node with the keys that were meant, where they are not there already."""
    match node:
        case Scalar():
            return node
        case Sequence(items):
            new_items = tuple(_respelt(item, meant) for item in items)
            return (
                node if all(a is b for a, b in zip(items, new_items, strict=True)) else replace(node, items=new_items)
            )
        case Mapping(entries):
            taken = set(node.keys())
            found = []
            for key, value in entries:
                name = meant.get(key.span)
                if name is not None and name not in taken:
                    taken.add(name)
                    key = replace(key, text=name)
                found.append((key, _respelt(value, meant)))
            same = all(a is c and b is d for (a, b), (c, d) in zip(entries, found, strict=True))
            return node if same else replace(node, entries=tuple(found))


def _without(node: Node, path: Path, keys: frozenset[str]) -> Node | None:
    """A node without some keys of what a path leads to, or without that itself if there are none."""
    if not path:
        if not keys or not isinstance(node, Mapping):
            return None
        return replace(node, entries=tuple(entry for entry in node.entries if entry[0].text not in keys))
    step, rest = path[0], path[1:]
    if isinstance(node, Mapping):
        entries = []
        for key, value in node.entries:
            left = _without(value, rest, keys) if key.text == step else value
            if left is not None:
                entries.append((key, left))
        return replace(node, entries=tuple(entries))
    if isinstance(node, Sequence):
        listed = (_without(item, rest, keys) if at == step else item for at, item in enumerate(node.items))
        return replace(node, items=tuple(item for item in listed if item is not None))
    return None
