"""The inventory: which editions there are, those that can be read and those that cannot."""

from __future__ import annotations

from lawbook.auction import load
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError


def inventory(library: Library | None = None) -> tuple[list[Edition], list[str]]:
    """Every edition of a library (the shipped one, if none is given), the oldest first; and the ids of those whose
    files have mistakes.

    >>> found, broken = inventory()
    >>> found[0].date <= found[-1].date, broken
    (True, [])
    """
    found: list[Edition] = []
    broken: list[str] = []
    for name in (library or Library.shipped()).edition_files():
        try:
            found.append(load(name, library))
        except LawbookError:
            broken.append(name)
    return sorted(found, key=lambda edition: (edition.dated, edition.id)), broken
