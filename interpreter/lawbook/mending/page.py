"""A file as lines, for those who look for what to change in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lawbook.diagnostics import Edit, Span, source_lines
from lawbook.source.reader import Mapping, Node, Scalar, Sequence, read

# A line of its own for each key or item: what stands before the value, the key if there is one, the value, a remark.
_LINE: Final = re.compile(r"(?P<lead> *(?:- )*)(?:(?P<key>[A-Za-z][\w '-]*): +)?(?P<value>.*?)(?P<remark> +#.*)?$")
_HEADING: Final = re.compile(r" *(?:- )*(?P<key>[A-Za-z][\w '-]*):(?: +#.*)?$")
_PLAIN: Final = re.compile(r"[A-Za-z0-9](?:[^:#]|:(?! )|(?<! )#)*")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number, the columns before its text, its key and value, each with the column where it begins."""

    number: int
    lead: str
    key: str | None
    value: str
    column: int
    remark: str

    @property
    def is_item(self) -> bool:
        """Whether it begins an item of a list."""
        return self.lead.endswith("- ")


class Page:
    """A file's text. Lines and columns count from 1."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.text = text
        self.lines = source_lines(text)

    def line(self, number: int) -> Line | None:
        """A line taken apart; None where it is not there or holds a list or keys in brackets."""
        if not 1 <= number <= len(self.lines):
            return None
        found = _LINE.match(self.lines[number - 1])
        if found is None or found["value"][:1] in ("[", "{", "|", ">"):
            return None
        return Line(
            number, found["lead"], found["key"], found["value"], found.start("value") + 1, found["remark"] or ""
        )

    def indent(self, number: int) -> int:
        """How many spaces a line begins with."""
        line = self.lines[number - 1]
        return len(line) - len(line.lstrip(" "))

    def heading(self, number: int) -> tuple[int, str] | None:
        """The line that heads the list in which an item stands, and its key; None if it cannot be told."""
        own = self.indent(number)
        for above in range(number - 1, 0, -1):
            line = self.lines[above - 1]
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            indent = self.indent(above)
            # An item of the same list stands in the same column.
            if indent > own or (indent == own and line.lstrip().startswith("- ")):
                continue
            found = _HEADING.match(line)
            return None if found is None else (above, found["key"])
        return None

    def items(self, heading: int) -> list[int]:
        """The lines on which the items of the list under a heading begin."""
        found: list[int] = []
        column: int | None = None
        for number in range(heading + 1, len(self.lines) + 1):
            line = self.lines[number - 1]
            if not line.strip():
                continue
            indent = self.indent(number)
            column = indent if column is None else column
            if indent < column or (indent == column and not line.lstrip().startswith("- ")):
                break
            if indent == column:
                found.append(number)
        return found

    def end_of_item(self, number: int) -> int:
        """The last line of the item that begins on a line."""
        own, last = self.indent(number), number
        for below in range(number + 1, len(self.lines) + 1):
            if self.lines[below - 1].strip():
                if self.indent(below) <= own:
                    break
                last = below
        return last

    # -- edits -----------------------------------------------------------------------------------------------------

    def text_at(self, span: Span) -> str:
        """What a span on one line covers."""
        if span.line != span.end_line or span.line > len(self.lines):
            return ""
        return self.lines[span.line - 1][span.column - 1 : span.end_column - 1]

    def span(self, line: int, start: int, end: int) -> Span:
        """A stretch of a line, by its columns."""
        return Span(self.file, line, start, line, end)

    def replaced(self, line: int, start: int, end: int, text: str) -> Edit:
        """The edit that puts a text in the place of a stretch of a line."""
        return Edit(self.span(line, start, end), text)

    def without(self, first: int, last: int) -> Edit:
        """The edit that takes whole lines away."""
        if last < len(self.lines):
            return Edit(Span(self.file, first, 1, last + 1, 1), "")
        end = len(self.lines[last - 1]) + 1
        start = (first, 1) if first == 1 else (first - 1, len(self.lines[first - 2]) + 1)
        return Edit(Span(self.file, *start, last, end), "")


def is_plain(text: str) -> bool:
    """Whether a text can stand in a file without quotes, and be read as it is."""
    return _PLAIN.fullmatch(text) is not None and text == text.strip()


def quoted(text: str) -> str:
    """A text in quotes that say exactly it."""
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def scalar_at(page: Page, span: Span) -> Scalar | None:
    """The text that a file has at a span, as it is read; None if the file cannot be read or has no such text."""
    from lawbook.errors import LawbookError

    try:
        node = read(page.text, page.file)
    except LawbookError:
        return None
    return next((scalar for scalar in _scalars(node) if scalar.span == span), None)


def _scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Sequence(items):
            for item in items:
                yield from _scalars(item)
        case Mapping(entries):
            for _, value in entries:
                yield from _scalars(value)
