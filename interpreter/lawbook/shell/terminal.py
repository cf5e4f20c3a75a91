"""The terminal: where everything that is printed goes."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Final

from lawbook.records import dataclass, field
from lawbook.report.layout import Page

# What is drawn with, and what stands for it where the encoding of the output has no such characters.
_PLAIN: Final = str.maketrans({"─": "-", "│": "|", "▶": ">", "≠": "!", "·": "-", "…": "."})
_NARROWEST, _WIDEST = 40, 100


@dataclass(frozen=True, slots=True)
class Terminal:
    """Standard output and standard error; and what was read that is no file, for messages to show, by its name."""

    out: IO[str]
    error: IO[str]
    sources: dict[str, str] = field(default_factory=dict)

    @classmethod
    def standard(cls) -> Terminal:
        """Those of this process; where one was closed before it began, nothing is written there."""
        return cls(sys.stdout or io.StringIO(), sys.stderr or io.StringIO())

    def page(self) -> Page:
        """The page to write reports on: as wide as the terminal; in a pipe as wide as `COLUMNS` says, or 80 columns."""
        return _page(self.out)

    def error_page(self) -> Page:
        """The same for standard error."""
        return _page(self.error)

    def lines(self, lines: Iterable[str]) -> None:
        """Print lines of a report."""
        for line in lines:
            self.out.write(_encodable(line.rstrip(), self.out) + "\n")

    def text(self, text: str) -> None:
        """Print text that another program may read: it is written as it is."""
        self.out.write(_encodable(text, self.out))

    def json(self, value: object) -> None:
        """Print a JSON value, readable and with a stable order of keys."""
        import json

        self.out.write(json.dumps(value, indent=2, ensure_ascii=True) + "\n")

    def progress(self, done: int, whole: int, what: str) -> None:
        """Show how far long work has come; only on a terminal. When all is done the bar is taken away again."""
        if not self.error.isatty():
            return
        bar = "#" * (20 * done // max(whole, 1))
        text = f"\r[{bar:<20}] {done}/{whole} {what}"[: _NARROWEST + 1]
        self.error.write(f"\r{' ' * _NARROWEST}\r" if done >= whole else f"{text:<{_NARROWEST}}")
        self.error.flush()

    def working(self, text: str) -> None:
        """Show what long work of unknown length is at, in one line, only on a terminal; no text takes it away again."""
        if self.error.isatty():
            width = self.error_page().width - 1
            self.error.write(f"\r{text[:width]:<{width}}\r")
            self.error.flush()

    def source(self, file: str) -> str | None:
        """The text of what a diagnostic speaks of: an argument of the command, or a file; None if it has none."""
        if file in self.sources or file.startswith("<"):
            return self.sources.get(file)
        try:
            return Path(file).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    def complain(self, text: str) -> None:
        """Print text on standard error."""
        self.error.write(_encodable(text, self.error))


def columns_told() -> int:
    """How wide the environment says that the terminal is; 0 where it does not say."""
    try:
        return max(int(os.environ.get("COLUMNS", "")), 0)
    except ValueError:
        return 0


def columns_shown() -> int:
    """How wide the terminal is, as `shutil.get_terminal_size` tells; that module brings every kind of archive along."""
    told = columns_told()
    if told <= 0 and sys.__stdout__ is not None:
        # What is no terminal has no width.
        with contextlib.suppress(OSError, ValueError):
            told = os.get_terminal_size(sys.__stdout__.fileno()).columns
    return told if told > 0 else 80


def _page(stream: IO[str]) -> Page:
    is_terminal = stream.isatty()
    columns = columns_shown() if is_terminal else columns_told()
    width = min(max(columns, _NARROWEST), _WIDEST) if columns else Page().width
    # https://no-color.org: any value that is not empty means no colours.
    colour = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Page(width, colour)


def _encodable(text: str, stream: IO[str]) -> str:
    encoding: str = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
    return text
