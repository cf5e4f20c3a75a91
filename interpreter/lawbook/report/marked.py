"""Two versions of a clause line by line: which lines answer each other, and which words in them are not alike."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a line; `marked` where the other version has other words."""

    text: str
    marked: bool = False


Line: TypeAlias = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A line of each version; None where the other version has no line that answers it."""

    a: Line | None
    b: Line | None

    @property
    def alike(self) -> bool:
        """Whether it is the same line in both."""
        return self.a == self.b


# From how much in common two lines are one line changed.
_ALIKE: Final = 0.5
# What it counts that two lines stand under one heading.
_HEADING: Final = 0.25
_WORDS: Final = re.compile(r"\s+|[^\s]+")


def pairs(one: Sequence[str], other: Sequence[str]) -> Iterator[Pair]:
    """The lines of two versions side by side, in order.

    >>> [(plain(p.a), plain(p.b), p.alike) for p in pairs(["when a player bids", "if so"], ["when a player doubles"])]
    [('when a player bids', 'when a player doubles', False), ('if so', None, False)]
    """
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        if tag == "equal":
            for line in one[a_from:a_to]:
                yield Pair((Run(line),), (Run(line),))
        else:
            yield from _changed(one[a_from:a_to], other[b_from:b_to])


def plain(line: Line | None) -> str | None:
    """A line without its marks."""
    return None if line is None else "".join(run.text for run in line)


def _changed(one: Sequence[str], other: Sequence[str]) -> Iterator[Pair]:
    """Lines of which none is alike: the two likest are set side by side, then those before and those after them."""
    scored = ((_likeness(x, y), -i, -j) for i, x in enumerate(one) for j, y in enumerate(other))
    likeness, i, j = max(scored, default=(0.0, 0, 0))
    if likeness < _ALIKE:
        yield from (Pair((Run(line, True),), None) for line in one)
        yield from (Pair(None, (Run(line, True),)) for line in other)
        return
    yield from _changed(one[:-i], other[:-j])
    yield Pair(*_marked(one[-i], other[-j]))
    yield from _changed(one[-i + 1 :], other[-j + 1 :])


def _likeness(one: str, other: str) -> float:
    """How much two lines have in common. A line that is not indented begins with its heading, and lines under one
    heading answer each other although they say different things."""
    mine, theirs = one.split(), other.split()
    found = difflib.SequenceMatcher(None, mine, theirs, autojunk=False).ratio()
    same_heading = mine[:1] == theirs[:1] and not one.startswith(" ") and not other.startswith(" ")
    return found + _HEADING if same_heading else found


def _marked(one: str, other: str) -> tuple[Line, Line]:
    mine, theirs = _WORDS.findall(one), _WORDS.findall(other)
    a: list[Run] = []
    b: list[Run] = []
    matcher = difflib.SequenceMatcher(None, mine, theirs, autojunk=False)
    for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        for runs, words in ((a, mine[a_from:a_to]), (b, theirs[b_from:b_to])):
            if words:
                runs.append(Run("".join(words), tag != "equal"))
    return tuple(a), tuple(b)
