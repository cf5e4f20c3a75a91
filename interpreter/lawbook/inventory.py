"""The inventory: which editions there are, those that can be read and those that cannot."""

from __future__ import annotations

from lawbook.auction import load
from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError


def inventory(library: Library | None = None) -> tuple[list[Edition], dict[str, Diagnostic]]:
    """Every edition of a library (the shipped one, if none is given), the oldest first; and the ids of those that
    cannot be read, each with the first of what is wrong.

    >>> found, broken = inventory()
    >>> found[0].date <= found[-1].date, broken
    (True, {})
    """
    found: list[Edition] = []
    broken: dict[str, Diagnostic] = {}
    for name in (library or Library.shipped()).edition_files():
        try:
            found.append(load(name, library))
        except LawbookError as error:
            broken[name] = next(found for found in error.diagnostics if found.severity is Severity.ERROR)
    return sorted(found, key=lambda edition: (edition.dated, edition.id)), broken
