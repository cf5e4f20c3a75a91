"""Changes: the editions of two sides held against each other, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lawbook.compare.difference import Degree, Difference, Side, difference_of
from lawbook.compare.sides import Chosen
from lawbook.diagnostics import Diagnostic
from lawbook.edition.library import Library
from lawbook.edition.manifest import read_manifest
from lawbook.edition.resolve import Resolver
from lawbook.errors import Collector, LawbookError


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of one edition from the first side to the second.

    `change` is a degree of difference by its name, or `added`, `removed`, or `unreadable`; then `problems` say why.
    """

    edition: str
    change: str
    difference: Difference | None = None
    problems: tuple[Diagnostic, ...] = ()

    @property
    def rules_differ(self) -> bool:
        """Whether something else is ruled by now, as far as it can be read."""
        return self.change in (Degree.RULES.value, "added", "removed")


def changes_of(a: Chosen, b: Chosen) -> Iterator[Compared]:
    """What became of each edition: of the only one on each side, or of those of one name."""
    if len(a.editions) == 1 and len(b.editions) == 1:
        yield _compared(a, a.editions[0], b, b.editions[0])
        return
    for name in dict.fromkeys((*a.editions, *b.editions)):
        if name not in b.editions:
            yield Compared(name, "removed")
        elif name not in a.editions:
            yield Compared(name, "added")
        elif (files := _files(a.library, name)) is not None and files == _files(b.library, name):
            yield Compared(name, Degree.NONE.value)
        else:
            yield _compared(a, name, b, name)


def _compared(a: Chosen, one: str, b: Chosen, other: str) -> Compared:
    sides = []
    problems = Collector()
    for chosen, name in ((a, one), (b, other)):
        try:
            sides.append(Side(Resolver(chosen.library).resolve(name), chosen.library))
        except LawbookError as error:
            problems.extend(error.diagnostics)
    name = one if one == other else f"{one} and {other}"
    if len(sides) < 2:
        return Compared(name, "unreadable", problems=problems.diagnostics)
    only = a.only | b.only
    pair = (*a.only, *b.only) if len(a.only) == len(b.only) == 1 and one != other else None
    found = difference_of(*sides, pair=pair)
    if only:
        found = found.of_files(only)
    return Compared(name, found.degree.value, found)


def _files(library: Library, name: str) -> dict[str, bytes] | None:
    """The files of an edition and what stands in them; None where not all can be found."""
    try:
        manifest = read_manifest(library, name, {}, Collector())
        if manifest is None:
            return None
        places: dict[str, Path | None] = {f"{base}.yaml": library.edition_file(base) for base in manifest.chain}
        places.update((path, library.law(path)) for path in (*manifest.vocabulary, *manifest.laws))
        return {path: place.read_bytes() for path, place in places.items() if place is not None}
    except (LawbookError, OSError):
        return None
