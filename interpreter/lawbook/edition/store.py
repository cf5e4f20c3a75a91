"""The store: an edition resolved once is kept on disk, so that a second start reads no grammar and no YAML.

What is kept is only used while every file it was made from has the same bytes, in the same place; `lawbook.keeping`
says what else it takes.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import Final, cast

from lawbook import keeping
from lawbook.edition.library import Library
from lawbook.edition.model import Edition

MOST_KEPT: Final = 100
"""How many editions are kept; each file changed makes another, and the oldest go first."""


def fetch(name: str, library: Library) -> Edition:
    """The edition of that name, kept or resolved anew. Raises LawbookError with every problem of its files."""
    place = keeping.place_for("edition", [name, *map(str, library.places)])
    if place is not None:
        kept = keeping.read(place, lambda files: _unchanged(files, library))
        if kept is not None:
            return cast(Edition, kept)
    from lawbook.edition.resolve import resolve

    edition = resolve(name, library)
    if place is not None:
        # A file that is gone meanwhile is no reason to fail.
        with contextlib.suppress(OSError):
            files = [(kind, name, path, _digest(Path(path))) for kind, name, path in edition.files]
            keeping.write(place, files, edition, most=MOST_KEPT)
    return edition


def _unchanged(files: list[tuple[str, str, str, str]], library: Library) -> bool:
    for kind, name, path, digest in files:
        found = library.edition_file(name) if kind == "edition" else library.law(name)
        if found is None or str(found.absolute()) != path or _digest(found) != digest:
            return False
    return True


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
