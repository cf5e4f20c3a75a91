"""What the values have in common: the error for a text that is none of them, and texts cut short for messages."""

from __future__ import annotations

from typing import Final

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.errors import LawbookError

_LONGEST_SHOWN: Final = 24


def shorten(text: str) -> str:
    """The text itself, or its beginning if it is too long to repeat in a message."""
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def unreadable(code: str, message: str, *, help: str | None = None, suggestion: str | None = None) -> LawbookError:
    """The error, to be raised, for a text that is no value; it has no place until a caller knows one."""
    return LawbookError([Diagnostic(code, Severity.ERROR, message, help=help, suggestion=suggestion)])


def require_text(text: object, what: str) -> None:
    """Raises TypeError where something other than text is to be read."""
    if not isinstance(text, str):
        raise TypeError(f"a {what} is read from text, not from {text!r}")
