"""Places in a text as an editor counts them and as this package does.

An editor counts lines from 0 and columns in code units of UTF-16 (unless it has agreed to another encoding); spans
count lines and columns from 1, columns in characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from lawbook.diagnostics import Span, source_lines

Encoding = Literal["utf-8", "utf-16", "utf-32"]
_MARK: Final = "\ufeff"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place between two characters: line and column from 0, the column in the editor's code units."""

    line: int
    character: int


@dataclass(frozen=True, slots=True)
class Range:
    """A stretch of a text, its end exclusive."""

    start: Position
    end: Position


@dataclass(frozen=True)
class Text:
    """The text of one file, and how its editor counts."""

    content: str
    encoding: Encoding = "utf-16"

    @cached_property
    def lines(self) -> list[str]:
        """The lines as spans count them: without their ends, and without a byte order mark."""
        return source_lines(self.content)

    def position(self, line: int, column: int) -> Position:
        """Where a line and column of a span (both from 1) are for the editor.

        >>> Text("a😀b").position(1, 3)
        Position(line=0, character=3)
        """
        text = self._line(line - 1)
        units = _units(text[: column - 1], self.encoding) + max(column - 1 - len(text), 0)
        return Position(line - 1, self._marks(line - 1) + units)

    def range(self, span: Span) -> Range:
        """Where a span is for the editor."""
        return Range(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    def place(self, position: Position) -> tuple[int, int]:
        """The line and column, both from 1, of a place the editor names; within the text, wherever that may point.

        >>> Text("a😀b").place(Position(0, 3)), Text("a").place(Position(7, 9))
        ((1, 3), (1, 2))
        """
        line = min(max(position.line, 0), len(self.lines) - 1)
        text = self.lines[line]
        units = position.character - self._marks(line) if line == position.line else len(text)
        column = 0
        for letter in text if line == position.line else ():
            if units <= 0:
                break
            units -= _units(letter, self.encoding)
            column += 1
        return line + 1, (column if line == position.line else len(text)) + 1

    def offset(self, line: int, column: int) -> int:
        """The offset, from 0, in `without_mark` of a line and column."""
        starts = [0]
        at = 0
        text = self.without_mark
        for content in self.lines[: line - 1]:
            at += len(content)
            at += 2 if text.startswith("\r\n", at) else 1
            starts.append(at)
        return min(starts[-1] + column - 1, len(text))

    @property
    def without_mark(self) -> str:
        """The text without a byte order mark."""
        return self.content.removeprefix(_MARK)

    def _line(self, number: int) -> str:
        return self.lines[number] if number < len(self.lines) else ""

    def _marks(self, line: int) -> int:
        return int(line == 0 and self.content.startswith(_MARK)) * _units(_MARK, self.encoding)


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(letter > "\uffff" for letter in text)
