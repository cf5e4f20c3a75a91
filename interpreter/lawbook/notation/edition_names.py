"""The names under which editions are chosen, with the readings chosen for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lawbook.diagnostics import Label, Span
from lawbook.errors import Collector
from lawbook.notation.words import Word
from lawbook.values import shorten

EDITION_FILE: Final = "<edition>"
"""The file that the places of an edition's name are said to be in."""

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def parse_edition_name(text: str) -> tuple[str, dict[str, str]]:
    """Read the name of an edition with the readings chosen, if any: its id, and the choice for each reading.

    Whether there is such an edition or reading is not asked here. Raises `LawbookError` with all problems.

    >>> parse_edition_name("whist-club-1912@sufficient-denomination=offender-chooses")
    ('whist-club-1912', {'sufficient-denomination': 'offender-chooses'})
    """
    problems = Collector()
    whole = Word(text, Span(EDITION_FILE, 1, 1, 1, len(text) + 1))
    edition, rest = whole.split("@")
    _check_name(edition, "edition", problems)
    readings: dict[str, str] = {}
    places: dict[str, Span] = {}
    while rest is not None:
        part, rest = rest.split(",")
        name, choice = part.split("=")
        if not part.text:
            problems.error(
                "reading-missing", "a reading is missing here", part.span, help="readings are written `name=choice`"
            )
            continue
        if choice is None:
            problems.error(
                "choice-missing",
                f"`{shorten(part.text)}` does not say what is chosen",
                part.span,
                help="readings are written `name=choice`",
            )
            continue
        _check_name(name, "reading", problems)
        _check_name(choice, "choice", problems)
        if name.text in places:
            problems.error(
                "reading-twice",
                f"the reading `{shorten(name.text)}` is chosen twice",
                name.span,
                labels=[Label(places[name.text], "first chosen here")],
            )
        places.setdefault(name.text, name.span)
        readings[name.text] = choice.text
    problems.raise_if_errors()
    return edition.text, readings


def format_edition_name(edition: str, readings: Mapping[str, str]) -> str:
    """Write the name of an edition with the readings chosen, in the order of their names.

    >>> format_edition_name("whist-club-1912", {"b": "y", "a": "x"})
    'whist-club-1912@a=x,b=y'
    """
    chosen = ",".join(f"{name}={choice}" for name, choice in sorted(readings.items()))
    return f"{edition}@{chosen}" if chosen else edition


def _check_name(word: Word, what: str, problems: Collector) -> None:
    """Note a problem if the word cannot be the name of an edition, of a reading or of a choice."""
    if _NAME.fullmatch(word.text):
        return
    if not word.text:
        problems.error("name-missing", f"the name of the {what} is missing here", word.span)
        return
    likely = re.sub(r"[-\s_]+", "-", word.text.strip().lower().removesuffix(".yaml"))
    problems.error(
        "name-malformed",
        f"`{shorten(word.text)}` cannot be the name of {'an' if what == 'edition' else 'a'} {what}",
        word.span,
        help="one `@` stands before all readings, and commas between them"
        if "@" in word.text
        else "names are of small letters, digits and hyphens",
        suggestion=likely if _NAME.fullmatch(likely) else None,
    )
