"""Readings seen from a topic: which open points bear on it, and what the edition would be, read otherwise there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lawbook.edition.library import Library
from lawbook.edition.model import Clause, Edition, Law, Reading
from lawbook.errors import Collector


@dataclass(frozen=True, slots=True)
class Alternative:
    """An edition read otherwise in one point: the reading, the choice taken instead, and the edition so read."""

    reading: Reading
    choice: str
    edition: Edition


def bearing(edition: Edition, library: Library | None = None) -> Mapping[str, tuple[Reading, ...]]:
    """For each topic the open points that its clauses turn on, those not in force under the present readings included.

    >>> from lawbook.auction import load
    >>> [reading.name for reading in bearing(load("whist-club-1912"))["exposed-card"]]
    ['debarred-bid', 'exposed-card']
    """
    shelves = library or Library.shipped()
    named: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for law in edition.laws:
        named[law.topic].update(dict.fromkeys(_named_by(law, shelves)))
    known = {reading.name: reading for reading in edition.readings}
    return {topic: tuple(known[name] for name in names if name in known) for topic, names in named.items()}


def _named_by(law: Law, library: Library) -> Iterator[str]:
    """The readings that the clauses of a law file stand under; an edition does not keep those it has not taken."""
    from lawbook.source.reader import Mapping as MappingNode
    from lawbook.source.reader import Sequence

    path = library.law(law.file)
    node = None if path is None else library.load(path, "law", Collector())
    clauses = None if node is None else node.get("clauses")
    for clause in clauses.items if isinstance(clauses, Sequence) else ():
        under = clause.get("under") if isinstance(clause, MappingNode) else None
        for key, _ in under.entries if isinstance(under, MappingNode) else ():
            yield key.text


def alternatives(
    edition: Edition, readings: tuple[Reading, ...], named: Callable[[str], Edition]
) -> Iterator[Alternative]:
    """The edition with one of the readings taken otherwise, one at a time; `named` gives an edition by its name."""
    for reading in readings:
        for choice in reading.alternatives:
            if choice != reading.chosen:
                yield Alternative(reading, choice, named(_name(edition, reading, choice)))


def _name(edition: Edition, reading: Reading, choice: str) -> str:
    """The name of the edition with that choice beside those its name has already."""
    named = edition.name.partition("@")[2]
    chosen = dict(pair.split("=") for pair in named.split(",") if pair) | {reading.name: choice}
    return f"{edition.id}@{','.join(f'{name}={taken}' for name, taken in chosen.items())}"


def form_of(edition: Edition, topic: str) -> tuple[tuple[str, ...], ...]:
    """What an edition's clauses on a topic say, in normal form and whatever they are called: two editions have the same
    law on the topic if and only if their forms are equal."""
    return tuple(sorted(clause.normal for clause in clauses_on(edition, topic)))


def brought(plain: Edition, read: Edition, other: Edition, topic: str) -> tuple[Clause, ...]:
    """The clauses of another edition on a topic that an edition has when it is read otherwise, and else has not."""
    before = {clause.normal for clause in clauses_on(plain, topic)}
    after = {clause.normal for clause in clauses_on(read, topic)}
    return tuple(clause for clause in clauses_on(other, topic) if clause.normal in after - before)


def clauses_on(edition: Edition, topic: str) -> tuple[Clause, ...]:
    """The clauses of an edition that stand in a law on a topic."""
    return tuple(clause for clause in edition.clauses if clause.law.topic == topic)


def laws_on(edition: Edition, topic: str) -> tuple[Law, ...]:
    """The laws of an edition on a topic."""
    return tuple(law for law in edition.laws if law.topic == topic)
