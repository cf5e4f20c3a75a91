"""Bytes become text that is safe to parse: within the size limit, UTF-8, and free of characters nobody can see.

What is wrong is noted, and the offending characters are replaced one for one, so that every place stays where it was
and the rest of the file can still be looked at.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from bisect import bisect_right

from lawbook.diagnostics import Span
from lawbook.errors import Collector

LARGEST_FILE = 1_000_000
"""The size in bytes beyond which a file is refused unread."""

_MOST_REPORTED = 20
_REPLACEMENT = "\ufffd"
# A text in another encoding of our letters has fewer that cannot be read.
_LETTERS_FOR_ONE_UNREADABLE = 10
_FOREIGN_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Control characters; line ends that editors do not count as such; marks that show text in another order than it is
# read in; a byte order mark anywhere but at the start; and what is not a character at all.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


class Places:
    """Where the characters of a text lie: turns offsets, counted from 0, into lines and columns."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self._starts = [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", text))]

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column, both from 1, of the character at an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span from one offset up to another."""
        starts = self._starts
        line = bisect_right(starts, start)
        column = start - starts[line - 1] + 1
        # Most spans end on the line on which they begin.
        if end >= start and (line == len(starts) or end < starts[line]):
            return Span(self.file, line, column, line, column + end - start)
        return Span(self.file, line, column, *self.position(end))

    def start_of(self, line: int) -> int:
        """The offset of the first character of a line, counted from 1."""
        return self._starts[line - 1]


def decode(content: str | bytes, file: str, collector: Collector) -> str | None:
    """The text of a file without a byte order mark; None when there is no use in reading on.

    Notes `too-large`, `not-utf8` and `control-character`.
    """
    if len(content) > LARGEST_FILE or (
        isinstance(content, str) and len(content.encode("utf-8", "surrogatepass")) > LARGEST_FILE
    ):
        collector.error(
            "too-large",
            f"the file is larger than {LARGEST_FILE:,} bytes",
            Span(file, 1, 1, 1, 1),
            help="a law or an edition has a few thousand; split the file, or check that it is the right one",
        )
        return None
    own = Collector()
    text = content if isinstance(content, str) else _decode_bytes(content, file, own)
    readable = None if text is None else without_forbidden(text.removeprefix("\ufeff"), file, own)
    if readable is not None and _is_no_text(readable):
        collector.error(
            "not-utf8",
            "the file is no text, or none in UTF-8",
            Span(file, 1, 1, 1, 1),
            help="check that it is the right file; if it is, save it again as UTF-8",
        )
        return None
    collector.extend(own.diagnostics)
    return readable


def _is_no_text(text: str) -> bool:
    """Whether so many characters had to be replaced that what is left means nothing."""
    replaced = text.count(_REPLACEMENT)
    return replaced > _MOST_REPORTED and replaced * _LETTERS_FOR_ONE_UNREADABLE > len(text)


def is_forbidden(text: str) -> bool:
    """Whether a text holds a character that may not stand in a file, however it was written."""
    return _FORBIDDEN.search(text) is not None


def _decode_bytes(content: bytes, file: str, collector: Collector) -> str | None:
    if content.startswith(_FOREIGN_MARKS):
        collector.error(
            "not-utf8",
            "the file is written in UTF-16 or UTF-32, not in UTF-8",
            Span(file, 1, 1, 1, 1),
            help="save it again as UTF-8",
        )
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8").removeprefix("\ufeff")
        line, column = Places(before, file).position(len(before))
        collector.error(
            "not-utf8",
            f"the byte 0x{content[error.start]:02x} does not belong to any character of UTF-8",
            Span(file, line, column, line, column + 1),
            help="save the file as UTF-8",
        )
        return content.decode("utf-8", "replace")


def without_forbidden(text: str, file: str, collector: Collector) -> str:
    """A text with a sign in place of each character that can stand in none; `control-character` is noted of them."""
    found = list(_FORBIDDEN.finditer(text))
    if not found:
        return text
    places = Places(text, file)
    for match in found[:_MOST_REPORTED]:
        code_point = ord(match.group())
        name = unicodedata.name(match.group(), "a control character").lower()
        collector.error(
            "control-character",
            f"the invisible character U+{code_point:04X} ({name}) cannot stand in a file",
            places.span(*match.span()),
            help=None if len(found) <= _MOST_REPORTED else f"there are {len(found):,} such characters in the file",
        )
    return _FORBIDDEN.sub(_REPLACEMENT, text)
