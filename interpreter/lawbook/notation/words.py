"""Words: stretches of a text that know their place, so that a part of one knows its place too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from lawbook.diagnostics import Span
from lawbook.records import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A stretch of the text and its place, so that a part of it still knows its place."""

    text: str
    span: Span

    def split(self, separator: str) -> tuple[Word, Word | None]:
        """What stands before the separator, and after it; None if it is not there."""
        start = self.text.find(separator)
        if start < 0:
            return self, None
        return self._part(0, start), self._part(start + len(separator), len(self.text))

    def _part(self, start: int, end: int) -> Word:
        return Word(self.text[start:end], self.span.within(start, end))


_LINE: Final = re.compile(r"[^\r\n]+|\r\n|[\r\n]")


def lines_of(text: str, at: Span) -> Iterator[tuple[str, Span]]:
    """The lines that are not empty, with the place where each begins."""
    line, column = at.line, at.column
    for found in _LINE.finditer(text):
        if found[0][0] in "\r\n":
            line, column = line + 1, 1
        else:
            yield found[0], Span(at.file, line, column, line, column)


def words_of(lines: Iterable[tuple[str, Span]]) -> Iterator[Word]:
    """The words, which white space and commas part."""
    for line, start in lines:
        for found in re.finditer(r"[^\s,]+", line):
            yield Word(found[0], start.within(*found.span()))


def first_comma(lines: Iterable[tuple[str, Span]]) -> Span | None:
    """Where the first comma stands, if there is one."""
    for line, start in lines:
        if (column := line.find(",")) >= 0:
            return start.within(column, column + 1)
    return None
