"""What a one-line text is taken apart into, and how it is told that a part cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from lawbook.language.types import Type
from lawbook.language.words import Word

ARTICLES: Final = frozenset({"the", "a", "an", "both", "either"})
# The words for the signs that a programmer would write.
_SIGNS: Final = {
    ">=": "is at least", "<=": "is at most", "==": "is", "!=": "is not", "<>": "is not",
    "+": "plus", "-": "minus", "*": "times", "=": "is", "<": "is less than", ">": "is more than",
}  # fmt: skip

_PIECE: Final = re.compile(
    r"(?P<word>[A-Za-z][A-Za-z-]*)|(?P<number>\d+)|(?P<possessive>['’]s?)|(?P<comma>,)|(?P<space>\s+)"
)
_OPENING_QUOTE: Final = re.compile(r"[\"“”„`]|['’‘](?!s?(?:\s|$))")


@dataclass(frozen=True, slots=True)
class Variable:
    """A name bound by a clause or a definition: the caller, the bid of a function's head."""

    name: str
    type: Type


Scope = Mapping[str, Variable]
# Which terminals may follow lexemes already read; none where these cannot stand together.
Accepted = Callable[[list["Lexeme"]], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A terminal with the characters [start, end) of the text it was read from."""

    terminal: str
    text: str
    start: int
    end: int
    word: Word | None = None
    variable: Variable | None = None

    def __str__(self) -> str:
        return self.text


@dataclass
class Unreadable(Exception):
    """A place in a text that could not be read: what is wrong, where, and what was perhaps meant. `guard` is the
    condition that would have to be asked first."""

    message: str
    start: int
    end: int
    suggestion: str | None = None
    help: str | None = None
    code: str = "unknown-term"
    guard: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a number or a sign, with the characters [start, end) of the text."""

    kind: str
    text: str
    start: int
    end: int


def pieces_of(text: str) -> list[Piece]:
    """The pieces of a text. Raises Unreadable at a character that has no meaning."""
    found: list[Piece] = []
    at = 0
    while at < len(text):
        # An apostrophe that begins a word is no possessive; told here, for what stands after it may read well.
        if _OPENING_QUOTE.match(text, at) and (at == 0 or text[at - 1].isspace()):
            help = "write the name without quotes"
            raise Unreadable("nothing stands in quotes here", at, at + 1, help=help, code="unknown-character")
        match = _PIECE.match(text, at)
        if match is None:
            sign = text[at : at + 2] if text[at : at + 2] in _SIGNS else text[at]
            message = f"the {'character' if len(sign) == 1 else 'sign'} `{sign}` has no meaning here"
            meant = _SIGNS.get(sign)
            if meant is not None and text[:at].rstrip().endswith((" is", " are")):
                meant = meant.removeprefix("is ")
            raise Unreadable(message, at, at + len(sign), meant, code="unknown-character")
        kind = str(match.lastgroup)
        if kind != "space":
            found.append(Piece(kind, match[0], match.start(), match.end()))
        at = match.end()
    return found


@dataclass(frozen=True, slots=True)
class Entry:
    """What a phrase is read as: a terminal, and the word or the bound name that it means."""

    terminal: str
    word: Word | None = None
    variable: Variable | None = None


def compared(word: str) -> str:
    """A word as it is compared: in small letters, `is` for `are`."""
    word = word.lower()
    return "is" if word == "are" else word
