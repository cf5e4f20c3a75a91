"""Instead: what may be taken instead of an edition, to see what becomes of its differences from another: itself read
otherwise in one point, or with laws added to it, such as a committee's decisions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from lawbook.compare.readings import alternatives
from lawbook.edition.library import Library
from lawbook.edition.model import Edition, Law


@dataclass(frozen=True, slots=True)
class Instead:
    """An edition to be taken instead of one of two, by its place among them: the same but for `readings`
    (`reading=choice`), or for `laws` that it has besides."""

    place: int
    edition: Edition
    readings: tuple[str, ...]
    laws: tuple[Law, ...] = ()


def otherwise(library: Library | None = None) -> Callable[[str], Edition]:
    """Editions by their names, each made once. They are many and share nearly all their clauses: made together they
    take less time than read one by one from what is kept of them."""
    from lawbook.edition.memory import Memory
    from lawbook.edition.resolve import Resolver

    memory, shelves = Memory(), library or Library.shipped()
    return functools.cache(lambda name: Resolver(shelves, memory=memory).resolve(name))


def read_otherwise(two: Sequence[Edition], named: Callable[[str], Edition]) -> Iterator[Instead]:
    """Each of two editions read otherwise, in one point at a time; `named` gives an edition by its name. What would
    make them one edition is left out."""
    hashes = {edition.hash for edition in two}
    for place, edition in enumerate(two):
        for other in alternatives(edition, edition.readings, named):
            if other.edition.hash not in hashes:
                yield Instead(place, other.edition, (f"{other.reading.name}={other.choice}",))


def among(two: Sequence[Edition], editions: Sequence[Edition]) -> Iterator[Instead]:
    """Those of several editions that are one of two but for readings or laws added to it."""
    hashes = {edition.hash for edition in two}
    for place, base in enumerate(two):
        for edition in editions:
            if edition.hash not in hashes and is_from(edition, base):
                readings, laws = readings_between(base, edition), laws_added(base, edition)
                if readings or laws:
                    yield Instead(place, edition, readings, laws)


def is_from(edition: Edition, base: Edition) -> bool:
    """Whether an edition is the other read otherwise, or based on it."""
    return base.id in edition.chain and edition.name != base.name


def readings_between(base: Edition, edition: Edition, names: Collection[str] | None = None) -> tuple[str, ...]:
    """The readings (of these names, if any are given) in which an edition is not read as the one it is from."""
    before = {reading.name: reading.chosen for reading in base.readings}
    return tuple(
        f"{reading.name}={reading.chosen}"
        for reading in edition.readings
        if (names is None or reading.name in names) and before.get(reading.name, reading.default) != reading.chosen
    )


def laws_added(base: Edition, edition: Edition, topic: str | None = None) -> tuple[Law, ...]:
    """The laws of an edition (on a topic, if one is given) that the one it is from has not."""
    known = {law.file for law in base.laws}
    return tuple(law for law in edition.laws if law.file not in known and topic in (None, law.topic))
