"""Difference: what is not alike in two editions, or in two states of one: clauses, readings, examples, words, wording.

Where the structure tells how two codes stand to each other, this tells what a change of files has changed: under every
reading, and down to a summary. What an edition's hash is of is all in it, so two hashes never differ in silence.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from lawbook.compare.meanings import MeaningDifference, meaning_differences
from lawbook.compare.structure import Change, ClauseDifference, Structure, compare_structure
from lawbook.compare.wording import THE_EDITION, WordingDifference, wording_differences
from lawbook.edition.declarations import entries
from lawbook.edition.library import Library
from lawbook.edition.memory import Memory
from lawbook.edition.model import Edition, Reading
from lawbook.edition.nodes import text_of, texts_of
from lawbook.edition.resolve import Resolver
from lawbook.errors import LawbookError
from lawbook.examples.reading import law_files
from lawbook.notation import format_edition_name
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import plain


class Degree(enum.Enum):
    """How much two editions differ: in what they mean, only in what their examples show, in wording, or not at all."""

    RULES = "changed"
    EXAMPLES = "examples only"
    WORDING = "wording only"
    LAYOUT = "layout only"
    NONE = "unchanged"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: an edition, and the library it was read from."""

    edition: Edition
    library: Library


@dataclass(frozen=True, slots=True)
class ReadingDifference:
    """An open point that is not alike; None where an edition does not have it. `worded`: only its words differ."""

    a: Reading | None
    b: Reading | None

    @property
    def name(self) -> str:
        """The reading's name."""
        reading = self.b or self.a
        assert reading is not None
        return reading.name

    @property
    def worded(self) -> bool:
        """Whether only the words differ in which it is put."""
        if self.a is None or self.b is None:
            return False
        return _choices(self.a) == _choices(self.b)


@dataclass(frozen=True, slots=True)
class UnderReading:
    """A clause that is not alike under another reading than the one taken: `reading=choice`, and the clause."""

    choice: str
    topic: str
    difference: ClauseDifference


@dataclass(frozen=True, slots=True)
class ExampleDifference:
    """An example that only one side has (`added`, `removed`), or that shows something else (`changed`)."""

    file: str
    that: str
    change: str


@dataclass(frozen=True, slots=True)
class Difference:
    """All that is not alike in two editions. `files` are those of their files that do not have the same bytes."""

    a: Edition
    b: Edition
    structure: Structure
    under_readings: tuple[UnderReading, ...]
    readings: tuple[ReadingDifference, ...]
    meanings: tuple[MeaningDifference, ...]
    examples: tuple[ExampleDifference, ...]
    wording: tuple[WordingDifference, ...]
    files: frozenset[str]

    @property
    def rules_differ(self) -> bool:
        """Whether the two mean something else, under the readings taken or under others."""
        alike = (Change.EQUAL, Change.WORDING)
        return (
            any(topic.change not in alike or topic.clauses for topic in self.structure.topics)
            or bool(self.under_readings or self.meanings)
            or any(not reading.worded for reading in self.readings)
        )

    @property
    def degree(self) -> Degree:
        """How much they differ, by the weightiest of what is not alike."""
        if self.rules_differ:
            return Degree.RULES
        if self.examples:
            return Degree.EXAMPLES
        if self.readings or self.wording:
            return Degree.WORDING
        return Degree.LAYOUT if self.files else Degree.NONE

    def of_files(self, only: frozenset[str]) -> Difference:
        """The part of it that stands in some law files: their clauses, examples and words."""
        manifests = any(f"{name}.yaml" in only for edition in (self.a, self.b) for name in edition.chain)
        topics = {law.topic for edition in (self.a, self.b) for law in edition.laws if law.file in only}
        named = {f"clause {c.id}" for edition in (self.a, self.b) for c in edition.clauses if c.law.file in only} | only
        named |= {THE_EDITION} if manifests else set()
        return replace(
            self,
            structure=replace(self.structure, topics=tuple(t for t in self.structure.topics if t.topic in topics)),
            under_readings=tuple(found for found in self.under_readings if found.topic in topics),
            readings=self.readings if manifests else (),
            meanings=(),
            examples=tuple(found for found in self.examples if found.file in only),
            files=self.files & only,
            wording=tuple(found for found in self.wording if found.what in named),
        )


def difference_of(a: Side, b: Side, *, pair: tuple[str, ...] | None = None) -> Difference:
    """What is not alike in two editions. Of two that are not states of one, examples, wording and other readings are
    held against each other only where a `pair` of law files is given, one of each, that are to be compared."""
    one, other = a.edition, b.edition
    structure = compare_structure(one, other)
    files = pair if one.id != other.id else ()
    return Difference(
        one,
        other,
        structure,
        tuple(_under_readings(a, b, structure, files)) if files is not None else (),
        tuple(_readings(one, other)),
        meaning_differences(one, other),
        tuple(_examples(a, b, files)) if files is not None else (),
        wording_differences(one, other, files) if files is not None else (),
        _differing(dict(_files(one)), dict(_files(other))),
    )


# -- readings ----------------------------------------------------------------------------------------------------------


def _choices(reading: Reading) -> tuple[object, ...]:
    return reading.chosen, reading.default, tuple(reading.alternatives)


def _readings(a: Edition, b: Edition) -> Iterator[ReadingDifference]:
    one, other = ({reading.name: reading for reading in edition.readings} for edition in (a, b))
    for name in {**one, **other}:
        if one.get(name) != other.get(name):
            yield ReadingDifference(one.get(name), other.get(name))


def _under_readings(a: Side, b: Side, structure: Structure, pair: tuple[str, ...]) -> Iterator[UnderReading]:
    """Clauses that are not alike only where other readings are taken: each choice, or choices together, under which a
    clause of a changed file, or of the pair of files, stands is tried."""
    seen = {_mark(difference) for topic in structure.topics for difference in topic.clauses}
    memories = Memory(), Memory()
    for chosen in _readings_concerned(a, b, pair):
        one, other = (
            _resolved(format_edition_name(side.edition.id, dict(chosen)), side, memory)
            for side, memory in zip((a, b), memories, strict=True)
        )
        if one is None or other is None:
            continue
        for topic in compare_structure(one, other).topics:
            for difference in topic.clauses:
                if _mark(difference) not in seen:
                    seen.add(_mark(difference))
                    choice = ", ".join(f"{reading}={taken}" for reading, taken in chosen)
                    yield UnderReading(choice, topic.topic, difference)


def _resolved(name: str, side: Side, memory: Memory) -> Edition | None:
    try:
        return Resolver(side.library, memory=memory).resolve(name)
    except LawbookError:
        # A reading that one side lacks, or that cannot be resolved, which `check` tells of.
        return None


def _readings_concerned(a: Side, b: Side, pair: tuple[str, ...]) -> dict[tuple[tuple[str, str], ...], None]:
    """The choices, other than those taken, under which clauses of changed files stand."""
    found: dict[tuple[tuple[str, str], ...], None] = {}
    contents = [dict(_files(side.edition)) for side in (a, b)]
    for side in (a, b):
        taken = {reading.name: reading.chosen for reading in side.edition.readings}
        for file in law_files(side.library, side.edition):
            if file.path not in pair if pair else contents[0].get(file.path) == contents[1].get(file.path):
                continue
            for clause in entries(file.node, "clauses"):
                under = clause.get("under")
                listed = under.entries if isinstance(under, MappingNode) else ()
                named = [[(key.text, choice.text) for choice in texts_of(value)] for key, value in listed]
                for choices in product(*named):
                    if other := tuple(c for c in choices if taken.get(c[0]) != c[1]):
                        found[other] = None
    return found


def _mark(difference: ClauseDifference) -> tuple[object, ...]:
    one, other = difference.a, difference.b
    return difference.change, one and (one.id, one.normal), other and (other.id, other.normal)


def _files(edition: Edition) -> Iterator[tuple[str, bytes | None]]:
    """The files of an edition by name, with what stands in them."""
    for kind, name, path in edition.files:
        try:
            content: bytes | None = Path(path).read_bytes()
        except OSError:
            content = None
        yield f"{name}.yaml" if kind == "edition" else name, content


def _differing(one: Mapping[str, bytes | None], other: Mapping[str, bytes | None]) -> frozenset[str]:
    return frozenset(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


# -- examples ----------------------------------------------------------------------------------------------------------


def _examples(a: Side, b: Side, pair: tuple[str, ...]) -> Iterator[ExampleDifference]:
    """Those that are not alike; of a pair of files as if both went by the name of the second."""
    one, other = (_examples_of(side, dict.fromkeys(pair, pair[-1]) if pair else {}) for side in (a, b))
    for key in {**one, **other}:
        if one.get(key) != other.get(key):
            change = "added" if key not in one else "removed" if key not in other else "changed"
            yield ExampleDifference(*key, change)


def _examples_of(side: Side, names: Mapping[str, str]) -> Mapping[tuple[str, str], object]:
    # Two editions each call themselves by their own names; that is no difference.
    return {
        (names.get(file.path, file.path), text_of(item.get("that"))): (
            str(plain(item)).replace(side.edition.id, "") if names else plain(item)
        )
        for file in law_files(side.library, side.edition)
        if not names or file.path in names
        for key in ("examples", "deals")
        for item in entries(file.node, key)
    }
