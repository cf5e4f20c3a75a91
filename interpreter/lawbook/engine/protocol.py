"""The protocol: one line in, one reply out, whatever the line is.

>>> engine = Engine()
>>> engine.reply(b'{"id": 1, "do": "new", "edition": "whist-club-1912", "auction": "a"}')["answer"]["turn"]
'N'
>>> engine.reply(b'{"id": 2, "do": "act", "auction": "a", "act": "2H"}')
{'id': 2, 'ok': True, 'answer': {'verdict': 'legal', 'offences': [], 'status': 'open', 'turn': 'E'}}
>>> reply = engine.reply(b'{"id": 3, "do": "act", "auction": "b", "act": "2D"}')
>>> reply["ok"], reply["errors"][0]["code"]
(False, 'unknown-auction')
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.library import Library
from lawbook.engine.requests import ID, fits, misfits
from lawbook.engine.session import Limits, Session
from lawbook.engine.wire import place_of, read_request, whole
from lawbook.errors import LawbookError

Reply = dict[str, Any]


class Engine:
    """Answers the lines of one client, each with one reply: `{"id", "ok": true, "answer"}`, or `{"id", "ok": false,
    "errors": [diagnostic...]}` where it cannot be answered. Nothing is raised, and no line harms those after it."""

    def __init__(self, library: Library | None = None, limits: Limits | None = None) -> None:
        self.session = Session(library, limits)
        self.lines = 0

    @property
    def ended(self) -> bool:
        """Whether the client has said goodbye."""
        return self.session.ended

    def reply(self, line: bytes) -> Reply:
        """The reply to one line; its line end may be there or not."""
        self.lines += 1
        identifier: object = None
        try:
            request = read_request(line, self.lines)
            identifier = _identifier(request)
            if fits(request):
                return {"id": identifier, "ok": True, "answer": self.session.answer(request)}
            return refusal(identifier, _described(request, line, self.lines))
        except LawbookError as error:
            return refusal(identifier, error.diagnostics)
        except Exception as error:
            if os.environ.get("LAWBOOK_TRACEBACK"):
                raise
            return refusal(identifier, [_internal(error)])


def refusal(identifier: object, diagnostics: Iterable[Diagnostic]) -> Reply:
    """The reply that something could not be answered, and why."""
    return {"id": identifier, "ok": False, "errors": [diagnostic.as_json() for diagnostic in diagnostics]}


def _identifier(request: Mapping[str, Any]) -> object:
    """What tells this request from others, or None where that is nothing that can."""
    identifier = request.get("id")
    return identifier if ID.is_held(identifier) else None


def _described(request: Mapping[str, Any], line: bytes, number: int) -> Iterable[Diagnostic]:
    for misfit in misfits(request):
        span = whole(line, number) if misfit.key is None else place_of(line, misfit.key, number)
        yield Diagnostic(
            misfit.code, Severity.ERROR, misfit.message, span, help=misfit.help, suggestion=misfit.suggestion
        )


def _internal(error: Exception) -> Diagnostic:
    return Diagnostic(
        "internal-error",
        Severity.ERROR,
        f"Lawbook has a mistake of its own: {type(error).__name__}: {error}",
        help="set LAWBOOK_TRACEBACK=1 to see where, and report it",
    )
