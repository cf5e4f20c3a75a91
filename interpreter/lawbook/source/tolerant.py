"""Half-written YAML in, nodes out: whatever can be read of a file that its author has not finished.

The reader of `source` refuses a file with a mistake; an editor is asked for help in the very line that has one. Here
nothing is ever refused: a key without its colon is a key, a list that is not closed ends with its line. Of a file
without mistakes both make the same nodes in the same places (but for the text of block scalars, which nobody here
asks for).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lawbook.diagnostics import Span, source_lines
from lawbook.source.reader import Mapping, Node, Scalar, Sequence

DEEPEST: Final = 60

_QUOTED: Final = r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^']|'')*'"
_KEY: Final = re.compile(rf"(?:{_QUOTED}|[^\s#\[\]{{}},\"'](?:[^#:]|:(?!\s|$)|(?<!\s)#)*?)\s*:(?=\s|$)")
_DASH: Final = re.compile(r"-(?=\s|$)")
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))#")
_FLOW_PLAIN: Final = re.compile(r"(?:[^,\[\]{}:#\r\n]|:(?![\s,\[\]{}]|$)|(?<!\s)#)+", re.MULTILINE)


def read_tolerantly(text: str, file: str) -> Node:
    """The node of a text without a byte order mark."""
    return _Reading(source_lines(text), file).document()


@dataclass(frozen=True, slots=True)
class _Place:
    """A line and a column, both from 0."""

    line: int
    column: int


class _Reading:
    def __init__(self, lines: list[str], file: str) -> None:
        self._lines = lines
        self._file = file
        self._depth = 0

    def document(self) -> Node:
        entries: list[tuple[Scalar, Node]] = []
        whole: Node | None = None
        line = self._next(0)
        while line < len(self._lines):
            node, after = self._block(_Place(line, self._indent(line)), -1)
            if isinstance(node, Mapping):
                entries.extend(node.entries)
            elif isinstance(node, Scalar) and node.content is not None:
                # At the top of a file there are only keys, so this is one whose colon is still to come.
                end = node.span
                entries.append((node, self._empty(_Place(end.end_line - 1, end.end_column - 1))))
            whole = whole or node
            line = self._next(max(after, line + 1))
        if entries:
            last = entries[-1][1].span
            first = entries[0][0].span
            return Mapping(tuple(entries), Span(self._file, first.line, first.column, last.end_line, last.end_column))
        return whole or self._empty(_Place(0, 0))

    # -- blocks ----------------------------------------------------------------------------------------------------

    def _block(self, at: _Place, parent: int) -> tuple[Node, int]:
        """The node that begins at a place, and the line after it; `parent` is the column it must be right of."""
        if self._depth >= DEEPEST:
            return self._empty(at), at.line + 1
        self._depth += 1
        try:
            rest = self._lines[at.line][at.column :]
            if _DASH.match(rest):
                return self._sequence(at)
            if _KEY.match(rest):
                return self._mapping(at)
            return self._value(at, parent)
        finally:
            self._depth -= 1

    def _sequence(self, at: _Place) -> tuple[Node, int]:
        items: list[Node] = []
        line = at.line
        while True:
            here = self._lines[line]
            start = at.column + 1
            while start < len(here) and here[start] in " \t":
                start += 1
            if self._is_over(line, start):
                item, line = self._below(line, at.column, _Place(line, at.column + 1))
            else:
                item, line = self._block(_Place(line, start), at.column)
            items.append(item)
            line = self._next(line)
            # What is indented deeper, and belongs to no item, is passed over.
            while line < len(self._lines) and self._indent(line) > at.column:
                line = self._next(line + 1)
            if not (line < len(self._lines) and self._indent(line) == at.column):
                break
            if not _DASH.match(self._lines[line][at.column :]):
                break
        end = items[-1].span
        return Sequence(tuple(items), Span(self._file, at.line + 1, at.column + 1, end.end_line, end.end_column)), line

    def _mapping(self, at: _Place) -> tuple[Node, int]:
        entries: list[tuple[Scalar, Node]] = []
        place = at
        while True:
            here = self._lines[place.line]
            found = _KEY.match(here, place.column)
            if found is None:
                key, value, line = self._unfinished_key(place)
            else:
                written = found.group()[:-1].rstrip()
                key = self._scalar_of(written, place.line, place.column)
                start = found.end()
                while start < len(here) and here[start] in " \t":
                    start += 1
                if self._is_over(place.line, start):
                    value, line = self._below(place.line, at.column, _Place(place.line, found.end()), in_mapping=True)
                else:
                    value, line = self._value(_Place(place.line, start), at.column)
            entries.append((key, value))
            line = self._next(line)
            if line >= len(self._lines) or self._indent(line) < at.column:
                break
            # A line that is indented deeper than the keys before it is most probably one of them.
            place = _Place(line, self._indent(line))
            if _DASH.match(self._lines[line][place.column :]):
                if place.column == at.column:
                    break
                line = self._skip(line, at.column)
                if line >= len(self._lines) or self._indent(line) < at.column:
                    break
                place = _Place(line, self._indent(line))
        last = entries[-1][1].span
        span = Span(self._file, at.line + 1, at.column + 1, last.end_line, last.end_column)
        return Mapping(tuple(entries), span), line

    def _skip(self, line: int, column: int) -> int:
        line = self._next(line + 1)
        while line < len(self._lines) and (
            self._indent(line) > column or (self._indent(line) == column and _DASH.match(self._lines[line][column:]))
        ):
            line = self._next(line + 1)
        return line

    def _unfinished_key(self, place: _Place) -> tuple[Scalar, Node, int]:
        end = self._end_of_plain(place.line, place.column)
        key = self._scalar_of(self._lines[place.line][place.column : end], place.line, place.column)
        return key, self._empty(_Place(place.line, end)), place.line + 1

    def _below(self, line: int, column: int, empty: _Place, *, in_mapping: bool = False) -> tuple[Node, int]:
        """What stands under a key or dash that says nothing itself."""
        below = self._next(line + 1)
        if below < len(self._lines):
            indent = self._indent(below)
            listed = in_mapping and indent == column and _DASH.match(self._lines[below][indent:])
            if indent > column or listed:
                return self._block(_Place(below, indent), column)
        return self._empty(empty), line + 1

    def _value(self, at: _Place, parent: int) -> tuple[Node, int]:
        """The value that begins at a place of a line, and the line after it."""
        here = self._lines[at.line]
        match here[at.column]:
            case "|" | ">":
                return self._block_scalar(at, parent)
            case "[" | "{":
                node, end = _Flow(self._lines, self._file, parent).node(at)
                return node, end.line + 1
            case '"' | "'":
                return self._quoted(at, parent)
            case _:
                return self._plain(at, parent)

    def _block_scalar(self, at: _Place, parent: int) -> tuple[Node, int]:
        line = at.line + 1
        last = at.line
        while line < len(self._lines) and (not self._lines[line].strip() or self._indent(line) > parent):
            if self._lines[line].strip():
                last = line
            line += 1
        text = "\n".join(content.strip() for content in self._lines[at.line + 1 : last + 1])
        style = "literal" if self._lines[at.line][at.column] == "|" else "folded"
        end = len(self._lines[last].rstrip())
        return Scalar(text, Span(self._file, at.line + 1, at.column + 1, last + 1, end + 1), None, style), line

    def _quoted(self, at: _Place, parent: int) -> tuple[Node, int]:
        scalar, end = quoted(self._lines, self._file, at, parent)
        return scalar, end.line + 1

    def _plain(self, at: _Place, parent: int) -> tuple[Node, int]:
        end = self._end_of_plain(at.line, at.column)
        parts = [self._lines[at.line][at.column : end]]
        last = at.line
        line = self._next(at.line + 1)
        commented = end < len(self._lines[at.line].rstrip())
        while line < len(self._lines) and self._indent(line) > parent and not commented:
            content = self._lines[line][self._indent(line) :]
            if _KEY.match(content) or _DASH.match(content):
                break
            end = self._end_of_plain(line, self._indent(line))
            parts.append(self._lines[line][self._indent(line) : end])
            commented = end < len(self._lines[line].rstrip())
            last = line
            line = self._next(line + 1)
        span = Span(self._file, at.line + 1, at.column + 1, last + 1, end + 1)
        return Scalar(" ".join(parts), span, span if last == at.line else None, "plain"), last + 1

    # -- lines -----------------------------------------------------------------------------------------------------

    def _indent(self, line: int) -> int:
        here = self._lines[line]
        return len(here) - len(here.lstrip(" "))

    def _next(self, line: int) -> int:
        """The first line from this one on that says something."""
        while line < len(self._lines) and self._is_over(line, self._indent(line)):
            line += 1
        return line

    def _is_over(self, line: int, column: int) -> bool:
        rest = self._lines[line][column:].lstrip()
        return not rest or rest.startswith("#")

    def _end_of_plain(self, line: int, column: int) -> int:
        here = self._lines[line]
        comment = _COMMENT.search(here, column)
        return len(here[: len(here) if comment is None else comment.start()].rstrip())

    def _scalar_of(self, written: str, line: int, column: int) -> Scalar:
        span = Span(self._file, line + 1, column + 1, line + 1, column + len(written) + 1)
        if written[:1] in ("'", '"') and len(written) > 1 and written.endswith(written[0]):
            text, verbatim = _unquoted(written[1:-1], written[0])
            style = "single" if written[0] == "'" else "double"
            return Scalar(text, span, span.within(1, len(written) - 1) if verbatim else None, style)
        return Scalar(written, span, span, "plain")

    def _empty(self, at: _Place) -> Scalar:
        span = Span(self._file, at.line + 1, at.column + 1, at.line + 1, at.column + 1)
        return Scalar("", span, span, "plain")


def quoted(lines: list[str], file: str, at: _Place, parent: int) -> tuple[Scalar, _Place]:
    """The text in quotes that begins at a place, and the place after it.

    Quotes that are not closed before a line that stands outside of them end with their own line.
    """
    mark = lines[at.line][at.column]
    ends = re.compile(r'"|\\.' if mark == '"' else r"''|'")
    parts: list[str] = []
    line, column = at.line, at.column + 1
    while line < len(lines):
        here = lines[line]
        if line > at.line and here.strip() and len(here) - len(here.lstrip(" ")) <= parent:
            break
        found = next((m for m in ends.finditer(here, column) if m.group() == mark), None)
        parts.append(here[column : len(here) if found is None else found.start()])
        if found is not None:
            span = Span(file, at.line + 1, at.column + 1, line + 1, found.end() + 1)
            text, verbatim = _unquoted(" ".join(p.strip() for p in parts) if len(parts) > 1 else parts[0], mark)
            content = span.within(1, found.end() - at.column - 1) if verbatim and line == at.line else None
            return Scalar(text, span, content, "single" if mark == "'" else "double"), _Place(line, found.end())
        line, column = line + 1, 0
    here = lines[at.line].rstrip()
    span = Span(file, at.line + 1, at.column + 1, at.line + 1, len(here) + 1)
    inside = here[at.column + 1 :]
    return Scalar(inside, span, span.within(1, len(inside) + 1), "plain"), _Place(at.line, len(here))


def _unquoted(inside: str, mark: str) -> tuple[str, bool]:
    """What text in quotes says, and whether it says it as it is written."""
    if mark == "'":
        return inside.replace("''", "'"), "''" not in inside
    text = re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), inside)
    return text, "\\" not in inside


class _Flow:
    """Lists and keys in brackets; they may go on in the next line as long as it is indented right of `parent`."""

    def __init__(self, lines: list[str], file: str, parent: int) -> None:
        self._lines = lines
        self._file = file
        self._parent = parent
        self._depth = 0

    def node(self, at: _Place) -> tuple[Node, _Place]:
        """The node that begins at a place, and the place after it."""
        letter = self._letter(at)
        if letter in "[{" and letter and self._depth < DEEPEST:
            self._depth += 1
            try:
                return self._mapping(at) if letter == "{" else self._sequence(at)
            finally:
                self._depth -= 1
        return self._scalar(at)

    def _sequence(self, at: _Place) -> tuple[Node, _Place]:
        items: list[Node] = []
        place = self._skip(_Place(at.line, at.column + 1))
        while (letter := self._letter(place)) not in ("", "]"):
            if letter in ",}:":
                place = self._skip(_Place(place.line, place.column + 1))
                continue
            item, place = self.node(place)
            place = self._skip(place)
            items.append(item)
        end = self._after(place, "]", at, items)
        return Sequence(tuple(items), self._span(at, end)), end

    def _mapping(self, at: _Place) -> tuple[Node, _Place]:
        entries: list[tuple[Scalar, Node]] = []
        place = self._skip(_Place(at.line, at.column + 1))
        while (letter := self._letter(place)) not in ("", "}"):
            if letter in ",]:":
                place = self._skip(_Place(place.line, place.column + 1))
                continue
            key, after = self.node(place)
            place = self._skip(after)
            value: Node = self._empty(after)
            if self._letter(place) == ":":
                colon = place
                place = self._skip(_Place(place.line, place.column + 1))
                value = self._empty(_Place(colon.line, colon.column + 1))
                if self._letter(place) not in ("", ",", "}", "]"):
                    value, after = self.node(place)
                    place = self._skip(after)
            if isinstance(key, Scalar):
                entries.append((key, value))
        end = self._after(place, "}", at, [value for _, value in entries])
        return Mapping(tuple(entries), self._span(at, end)), end

    def _scalar(self, at: _Place) -> tuple[Node, _Place]:
        here = self._lines[at.line]
        if here[at.column] in "\"'":
            return quoted(self._lines, self._file, at, self._parent)
        parts: list[str] = []
        place = end = at
        while True:
            found = _FLOW_PLAIN.match(self._lines[place.line], place.column)
            if found is None:
                break
            written = found.group().rstrip()
            parts.append(written)
            end = _Place(place.line, place.column + len(written))
            following = self._skip(_Place(place.line, found.end()))
            # Plain text may go on in the next line.
            if following.line == place.line or self._letter(following) in ("", ",", "]", "}", ":", "[", "{", '"', "'"):
                break
            place = following
        if not parts:
            return self._empty(at), _Place(at.line, at.column + 1)
        span = self._span(at, end)
        return Scalar(" ".join(parts), span, span if end.line == at.line else None, "plain"), end

    def _after(self, place: _Place, closing: str, at: _Place, inside: list[Node]) -> _Place:
        """The place after the closing bracket, or, where there is none, after the last thing inside."""
        if self._letter(place) == closing:
            return _Place(place.line, place.column + 1)
        if inside:
            last = max(inside, key=lambda node: (node.span.end_line, node.span.end_column)).span
            return _Place(last.end_line - 1, last.end_column - 1)
        return _Place(at.line, at.column + 1)

    def _letter(self, at: _Place) -> str:
        """The letter at a place; nothing where what is in brackets must have ended."""
        return self._lines[at.line][at.column : at.column + 1] if at.line < len(self._lines) else ""

    def _skip(self, at: _Place) -> _Place:
        """The next place that says something; past the last line, where the brackets cannot reach further."""
        line, column = at.line, at.column
        while line < len(self._lines):
            here = self._lines[line]
            while column < len(here) and here[column] in " \t":
                column += 1
            comment = column < len(here) and here[column] == "#" and (column == 0 or here[column - 1] in " \t")
            if column < len(here) and not comment:
                return _Place(line, column)
            line, column = line + 1, 0
            if line < len(self._lines):
                following = self._lines[line]
                if following.strip() and len(following) - len(following.lstrip(" ")) <= self._parent:
                    break
        return _Place(len(self._lines), 0)

    def _span(self, start: _Place, end: _Place) -> Span:
        return Span(self._file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _empty(self, at: _Place) -> Scalar:
        span = self._span(at, at)
        return Scalar("", span, span, "plain")
