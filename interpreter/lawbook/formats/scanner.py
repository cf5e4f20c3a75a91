"""PBN text cut into tags, comments, words and empty lines, each with its place. What they mean is for `pbn`.

Nothing is raised: what is broken is noted and scanning goes on, at the latest after the line, so that one bad game
never takes the next with it.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lawbook.diagnostics import Span
from lawbook.errors import Collector
from lawbook.values import shorten


class TokenKind(enum.Enum):
    """What a stretch of PBN is. A word is what stands between white space outside of tags and comments."""

    TAG = enum.auto()
    COMMENT = enum.auto()
    WORD = enum.auto()
    EMPTY_LINE = enum.auto()


@dataclass(frozen=True, slots=True)
class Scanned:
    """One token: its text and place. `name` is the name of a tag and `text` its value, None where that is unreadable;
    of a comment, `text` is what it says."""

    kind: TokenKind
    start: int
    end: int
    text: str | None = None
    name: str = ""
    value_start: int = 0
    value_end: int = 0


class Text:
    """A text with its lines, so that a stretch of characters has a place.

    >>> Text("[Event]\\r\\n1C 2X", "a.pbn").span(11, 13)
    Span(file='a.pbn', line=2, column=4, end_line=2, end_column=6)
    """

    def __init__(self, text: str, file: str) -> None:
        # Line ends are made one character each: that changes no line and no column.
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.file = file
        self._starts = [0, *(found.end() for found in re.finditer("\n", self.text))]

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of a character, from 1."""
        line = bisect_right(self._starts, at)
        return line, at - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The place of a stretch of characters."""
        return Span(self.file, *self.place(start), *self.place(end))


_SPACE: Final = re.compile(r"[ \t\f\v]*\n|[ \t\f\v\xa0]+")
_TAG: Final = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\\n]|\\.)*)"\s*\]')
# A value with quotes or a last backslash that should have been escaped.
_LOOSE_TAG: Final = re.compile(r'\[[ \t]*([A-Za-z0-9_]+)[ \t]*"(.*?)"[ \t]*\](?=[ \t]*(?:[\[{;]|$))', re.MULTILINE)
_TAG_NAME: Final = re.compile(r"\[[ \t]*([A-Za-z0-9_]+)")
_ESCAPED: Final = re.compile(r'\\(["\\])')
_WORD: Final = re.compile(r'"[^"\n]*"|[^\s\[{;]+')
_REST: Final = re.compile(r"[^\n]*")
# Where a comment that is never closed most probably should have ended: before the game that follows.
_NEXT_GAME: Final = re.compile(r'\n[ \t]*\n(?=[ \t]*\[[ \t]*[A-Za-z0-9_]+[ \t]*")')


def scan(source: Text, problems: Collector) -> Iterator[Scanned]:
    """The tokens of a text in order. Escape lines (`%` in the first column) are left out."""
    text = source.text
    at, size = 0, len(text)
    fresh = True  # nothing but white space on this line so far
    while at < size:
        first_column = at == 0 or text[at - 1] == "\n"
        if first_column and text[at] == "%":
            at = text.find("\n", at) + 1 or size
            continue
        if found := _SPACE.match(text, at):
            if found[0].endswith("\n"):
                if fresh:
                    yield Scanned(TokenKind.EMPTY_LINE, at, found.end())
                fresh = True
            at = found.end()
            continue
        fresh = False
        match text[at]:
            case "[":
                token = _tag(source, at, problems)
            case "{":
                token = _comment(source, at, problems)
            case ";":
                end = _rest(text, at)
                token = Scanned(TokenKind.COMMENT, at, end, text[at + 1 : end])
            case _:
                token = _word(text, at)
        yield token
        at = token.end


def _rest(text: str, at: int) -> int:
    found = _REST.match(text, at)
    assert found is not None
    return found.end()


def _word(text: str, at: int) -> Scanned:
    found = _WORD.match(text, at)
    # White space of other alphabets is no space in this format, and no part of a word either.
    end = found.end() if found else at + 1
    return Scanned(TokenKind.WORD, at, end, text[at:end])


def _tag(source: Text, at: int, problems: Collector) -> Scanned:
    text = source.text
    if found := _TAG.match(text, at):
        value = _ESCAPED.sub(r"\1", found[2])
        return Scanned(TokenKind.TAG, at, found.end(), value, found[1], found.start(2), found.end(2))
    if found := _LOOSE_TAG.match(text, at):
        problems.warning(
            "quote-not-escaped",
            "the value has a quotation mark or a backslash that should be written with a backslash before it",
            source.span(found.start(2), found.end(2)),
        )
        return Scanned(TokenKind.TAG, at, found.end(), found[2], found[1], found.start(2), found.end(2))
    end = _rest(text, at)
    written = text[at:end].rstrip()
    named = _TAG_NAME.match(text, at)
    problems.error(
        "tag-malformed",
        f"`{shorten(written)}` is no tag",
        source.span(at, at + len(written)),
        help='a tag is a name and a value in brackets, as in [Dealer "N"]',
    )
    return Scanned(TokenKind.TAG, at, end, None, named[1] if named else "", at, at + len(written))


def _comment(source: Text, at: int, problems: Collector) -> Scanned:
    text = source.text
    close = text.find("}", at)
    torn = _NEXT_GAME.search(text, at, close if close >= 0 else len(text))
    if close >= 0 and torn is None:
        return Scanned(TokenKind.COMMENT, at, close + 1, text[at + 1 : close])
    end = torn.start() if torn else len(text)
    problems.error(
        "comment-not-closed",
        "this comment is never closed, and is taken to end with the game",
        source.span(at, at + 1),
        help="a comment that begins with { ends with }",
    )
    return Scanned(TokenKind.COMMENT, at, end, text[at + 1 : end].rstrip())


def holds_comment(text: str) -> bool:
    """Whether a text can stand in a comment and be read as it is.

    >>> holds_comment("a {nested} comment"), holds_comment("two\\n{lines}"), holds_comment("one; line")
    (True, False, True)
    """
    return ("}" not in text or "\n" not in text) and _NEXT_GAME.search(text) is None


def holds_section(text: str) -> bool:
    """Whether lines can stand in a section and be read as they are: no tag, and no empty line outside of comments."""
    problems = Collector()
    kinds = [token.kind for token in scan(Text(f'[Section ""]\n{text}\n', ""), problems)]
    return TokenKind.EMPTY_LINE not in kinds and kinds.count(TokenKind.TAG) == 1 and not problems.diagnostics
