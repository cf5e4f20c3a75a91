"""The stretches of a file that can be read alone: what stands under one top-level key, or one item of a list there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from lawbook.source.text import Places

_TOP_LEVEL_KEY = re.compile(r"^[A-Za-z][\w' ,-]*:(?=\s|$)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level key with what stands under it, as offsets in the text; and the items, where that is a list.

    The list's own line, from `start` up to the first item, says nothing but the key.
    """

    start: int
    end: int
    items: tuple[tuple[int, int], ...]


def blocks(text: str, places: Places) -> Iterator[Block]:
    """The top-level keys of a file, as far as they can be told from the beginnings of its lines."""
    lines = _LINE.findall(text)

    def begin(line: int) -> int:
        return len(text) if line > len(lines) else places.start_of(line)

    tops = [number for number, line in enumerate(lines, start=1) if _TOP_LEVEL_KEY.match(line)]
    for top, following in pairwise([*tops, len(lines) + 1]):
        body = lines[top : following - 1]
        first = next((line for line in body if line.strip()), "")
        items: list[int] = []
        if lines[top - 1].rstrip().endswith(":") and first.lstrip(" ").startswith("- "):
            marker = first[: len(first) - len(first.lstrip(" "))] + "- "
            items = [top + 1 + number for number, line in enumerate(body) if line.startswith(marker)]
        bounds = [begin(line) for line in (*items, following)]
        yield Block(begin(top), begin(following), tuple(pairwise(bounds)) if items else ())


def segments(text: str, places: Places) -> Iterator[tuple[int, int]]:
    """The smallest stretches that can be read alone, in order."""
    for block in blocks(text, places):
        yield from block.items or ((block.start, block.end),)
