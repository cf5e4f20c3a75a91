"""What the values have in common: the error for a text that is none of them, and texts cut short for messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.errors import LawbookError

_LONGEST_SHOWN: Final = 24

NO_SIGNS: Final[Mapping[str, str]] = {}
"""No sign stands for a denomination."""

# The suits are printed full or in outline, and a selector after one says in which of its two styles it is printed.
_SAME_SIGN: Final = str.maketrans({"♤": "♠", "♡": "♥", "♢": "♦", "♧": "♣", "\ufe0e": None, "\ufe0f": None})


def shorten(text: str) -> str:
    """The text itself, or its beginning if it is too long to repeat in a message."""
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def lettered(text: str, signs: Mapping[str, str]) -> str:
    """A text in capitals, with the letter of a denomination for each sign that stands for one.

    >>> lettered("1♠", {"♠": "S"}), lettered("♡a", {"♥": "H"}), lettered("1♠", {})
    ('1S', 'HA', '1♠')
    """
    if text.isascii():
        return text.upper()
    plain = text
    for found in (text, text.translate(_SAME_SIGN)):
        plain = found
        for sign, letter in signs.items():
            # A sign that several denominations have does not say which is meant.
            plain = plain.replace(sign, letter) if len(letter) == 1 else plain
        if plain.isascii():
            return plain.upper()
    # Capitals of other letters than these would change the text's length and what is meant.
    return text


def unreadable(code: str, message: str, *, help: str | None = None, suggestion: str | None = None) -> LawbookError:
    """The error, to be raised, for a text that is no value; it has no place until a caller knows one."""
    return LawbookError([Diagnostic(code, Severity.ERROR, message, help=help, suggestion=suggestion)])


def require_text(text: object, what: str) -> None:
    """Raises TypeError where something other than text is to be read."""
    if not isinstance(text, str):
        raise TypeError(f"a {what} is read from text, not from {text!r}")
