"""Layout: text for a terminal of some width, with colours or without."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from lawbook.columns import columns_of, wrapped
from lawbook.records import dataclass

Style: TypeAlias = Literal["bold", "dim", "legal", "irregular", "refused", "mark", "plain"]

_CODES: Final[dict[str, str]] = {
    "bold": "1",
    "dim": "2",
    "legal": "32",
    "irregular": "33",
    "refused": "31",
    "mark": "1;35",
}
_ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class Page:
    """What is written on: how many columns wide, and whether in colour."""

    width: int = 80
    colour: bool = False

    def paint(self, text: str, style: Style) -> str:
        """The text in a style, unchanged on a page without colour."""
        if not self.colour or style == "plain" or not text:
            return text
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m"

    def verdict(self, verdict: str, width: int = 0) -> str:
        """A verdict in its colour, padded to a width."""
        style: Style = "plain"
        if verdict in ("legal", "irregular", "refused"):
            style = verdict  # type: ignore[assignment]
        return self.paint(verdict, style) + " " * max(width - len(verdict), 0)

    def rule(self, title: str = "") -> str:
        """A line across the page, with a title in it if there is one."""
        head = f"── {title} " if title else ""
        return self.paint(head + "─" * (self.width - visible(head)), "dim")

    def heading(self, title: str) -> list[str]:
        """A title with a line after it across the page; one that is too long is broken."""
        lines = [f"{'   ' if place else '── '}{line}" for place, line in enumerate(folded(title, self.width - 6))]
        lines[-1] += " " + "─" * (self.width - visible(lines[-1]) - 1)
        return [self.paint(line, "dim") for line in lines]

    def wrap(self, text: str, indent: int = 0, hanging: int | None = None) -> list[str]:
        """A paragraph as lines, indented; lines after the first by `hanging` where it is given."""
        later = indent if hanging is None else hanging
        breaks = _has_wider(text, self.width - max(indent, later))
        return wrapped(text, self.width, " " * indent, " " * later, breaks=breaks)

    def entry(self, name: str, text: str, indent: int = 0, column: int = 12) -> list[str]:
        """A name and what is said of it, the text in a column of its own."""
        lines = folded(text, self.width - indent - column)
        shown = name + " " * max(column - visible(name), 1)
        first = " " * indent + self.paint(shown, "dim") + lines[0]
        return [first.rstrip(), *(" " * (indent + column) + line for line in lines[1:])]


def visible(text: str) -> int:
    """How many columns a text takes, colours not counted."""
    return columns_of(_ESCAPE.sub("", text))


def padded(text: str, width: int) -> str:
    """The text filled up with spaces to a width."""
    return text + " " * max(width - visible(text), 0)


def command_lines(words: Sequence[str], width: int, indent: int) -> Iterator[str]:
    """A command that can be copied, on as many lines as it needs.

    >>> list(command_lines(["lawbook", "show", "whist-club-1912"], 20, 2))
    ['  lawbook show \\\\', '    whist-club-1912']
    """
    line = " " * indent + words[0]
    for word in words[1:]:
        if len(line) + len(word) + 3 > width:
            yield f"{line} \\"
            line = " " * (indent + 2) + word
        else:
            line += f" {word}"
    yield line


def beside(columns: Sequence[Sequence[str]], widths: Sequence[int], gap: int = 1) -> Iterator[str]:
    """Blocks of lines side by side, each in a column of its width."""
    height = max((len(column) for column in columns), default=0)
    for row in range(height):
        cells = [
            padded(column[row] if row < len(column) else "", width)
            for column, width in zip(columns, widths, strict=True)
        ]
        yield (" " * gap).join(cells).rstrip()


def _has_wider(text: str, width: int) -> bool:
    """Whether a word of the text is wider than the column, and so must be broken."""
    return any(visible(word) > width for word in text.split())


def folded(text: str, width: int) -> list[str]:
    """A text as lines of at most a width; nothing is one empty line. Only a word that is wider is broken."""
    width = max(width, 10)
    breaks = _has_wider(text, width)
    return wrapped(text, width, breaks=breaks) or [""]


def name_lines(name: str, width: int) -> list[str]:
    """An edition's name in a column, broken before its readings, at hyphens, and where it must be.

    >>> name_lines("whist-club-1912@correction-after-notice=literal-52", 22)
    ['whist-club-1912', '@correction-after-', 'notice=literal-52']
    """
    parts = re.split(r"(?=@)|(?<=,)", name)
    return [line for part in parts for line in textwrap.wrap(part, width)]


def grid(rows: Iterable[Sequence[str]], widths: Sequence[int], gap: int = 2) -> Iterator[str]:
    """Rows of cells in columns of given widths, every cell folded to its column."""
    for row in rows:
        yield from beside([folded(cell, width) for cell, width in zip(row, widths, strict=True)], widths, gap)


def table(rows: Iterable[Sequence[str]], heads: Sequence[str], page: Page) -> list[str]:
    """A plain table: the columns as wide as they need to be, the last one folded to the page."""
    body = [list(row) for row in rows]
    widths = [max([visible(r[c]) for r in [*body, list(heads)]]) for c in range(len(heads))]
    last = max(page.width - sum(widths[:-1]) - 2 * (len(widths) - 1), 20)
    widths[-1] = min(widths[-1], last)
    lines = [page.paint(line, "dim") for line in beside([[h] for h in heads], widths, 2)]
    for row in body:
        cells = [[cell] for cell in row[:-1]] + [folded(row[-1], widths[-1])]
        lines.extend(beside(cells, widths, 2))
    return lines
