"""What a new file says until its author has written it: the texts that a draft is made with, and what is still to be
written where one was left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.declarations import entries
from lawbook.edition.nodes import text_of
from lawbook.edition.taking import Taken
from lawbook.source.reader import Mapping, Scalar

SUMMARY: Final = "As in the code."
CLAUSE: Final = "a-name-for-the-clause"
SAYS: Final = "What it says, in a sentence."
THAT: Final = "what it shows, in half a sentence"

_TO_WRITE: Final = {
    ("summary", SUMMARY): "say in a sentence or two what the rule is",
    ("id", CLAUSE): "give the clause a name of its own, in small letters with hyphens",
    ("says", SAYS): "say in a sentence what the clause says",
    ("that", THAT): "say in half a sentence what the example shows",
}


def check_reminders(taken: Taken) -> Iterator[Diagnostic]:
    """`reminder-left`: what stands in a law as `lawbook new` wrote it, only to say what is to be written there."""
    parts = (taken.node, *entries(taken.node, "clauses"), *entries(taken.node, "examples"))
    for scalar, help in (found for part in parts for found in _left(part)):
        message = f"this is still what a new file says: `{text_of(scalar)}`"
        yield Diagnostic("reminder-left", Severity.WARNING, message, scalar.span, help=help, law=taken.law.number)


def _left(part: Mapping) -> Iterator[tuple[Scalar, str]]:
    for (key, text), help in _TO_WRITE.items():
        value = part.get(key)
        if isinstance(value, Scalar) and text_of(value) == text:
            yield value, help
