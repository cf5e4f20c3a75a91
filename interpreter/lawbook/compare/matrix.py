"""The matrix: several editions topic by topic, which have the same law and which differ, and what makes the difference.

Where two editions differ in a topic and one of them, read otherwise or with a committee's decisions, does not, the
reading or the decision removes the difference. That is told from the clauses alone; what the editions do at the table
a search tells, pair by pair, and what was seen there to remove a difference finds its place beside it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from lawbook.compare.findings import Behaviour, Finding, Removal
from lawbook.compare.instead import is_from, laws_added, otherwise, readings_between
from lawbook.compare.readings import Alternative, alternatives, bearing, brought, form_of, laws_on
from lawbook.edition.library import Library
from lawbook.edition.model import Clause, Edition, Law
from lawbook.sentences import order_of


class Bearing(enum.Enum):
    """What a reading or a decision does to a difference: it makes it, it removes the whole of it, or it narrows it, for
    it brings clauses in that the other edition has."""

    MAKES = "makes"
    REMOVES = "removes"
    NARROWS = "narrows"


@dataclass(frozen=True, slots=True)
class Cause:
    """What makes, removes or narrows the difference between two editions (by their places) in a topic: readings taken
    otherwise (`reading=choice`) and laws, such as a decision, that stand in one edition and not in the one it is based
    on.

    `through` is the edition that has them: of a difference made, the second of the two; else an edition that is the
    first but for them, and agrees with the second, of a difference narrowed in the `clauses` of the second.
    """

    bearing: Bearing
    between: tuple[int, int]
    through: Edition
    readings: tuple[str, ...]
    laws: tuple[Law, ...] = ()
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """What was seen, by playing the auctions of a difference at the table, to remove it or some of it: one of two
    editions, by their places the first, taken otherwise."""

    between: tuple[int, int]
    finding: Finding
    removal: Removal


@dataclass(frozen=True, slots=True)
class MatrixTopic:
    """One topic under each edition: its laws, and a number that is the same for editions that have the same law; None
    where an edition has none. `at_hand` says of those whether that is known."""

    topic: str
    title: str
    laws: tuple[tuple[Law, ...], ...]
    forms: tuple[int | None, ...]
    at_hand: tuple[bool, ...]
    causes: tuple[Cause, ...]

    @property
    def differs(self) -> bool:
        """Whether not all editions have the same law on it, as far as their texts are at hand."""
        return len({form for form, known in zip(self.forms, self.at_hand, strict=True) if known}) > 1

    def differ(self, one: int, other: int) -> bool:
        """Whether two of the editions, by their places, are known to differ in it."""
        return self.forms[one] != self.forms[other] and self.at_hand[one] and self.at_hand[other]

    def titles(self, place: int) -> tuple[str, ...]:
        """What its laws are called in an edition; a decision on a law is not asked where there is the law."""
        laws = [law for law in self.laws[place] if law.source.evidence != "decision"] or self.laws[place]
        return tuple(dict.fromkeys(law.title for law in laws))

    def is_removed(self, between: tuple[int, int], through: Edition) -> bool:
        """Whether the clauses tell that the whole difference between two editions is removed by taking another for
        the first."""
        return any(
            cause.bearing is Bearing.REMOVES and cause.between == between and cause.through.hash == through.hash
            for cause in self.causes
        )


@dataclass(frozen=True, slots=True)
class Matrix:
    """Several editions topic by topic; and, for the pairs that were searched, how they differ at the table."""

    editions: tuple[Edition, ...]
    topics: tuple[MatrixTopic, ...]
    behaviours: Mapping[tuple[int, int], Behaviour] = field(default_factory=dict, hash=False)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every two editions, by their places."""
        return tuple(combinations(range(len(self.editions)), 2))

    def topics_of(self, pair: tuple[int, int]) -> tuple[MatrixTopic, ...]:
        """The topics in which two editions are known to differ."""
        return tuple(topic for topic in self.topics if topic.differ(*pair))

    def found(self, pair: tuple[int, int], topic: str | None = None) -> int | None:
        """How many differences a search found between two editions, or of those how many a law on the topic brings
        about; None where the pair was not searched."""
        behaviour = self.behaviours.get(pair)
        if behaviour is None:
            return None
        findings = [finding for finding in behaviour.findings if not finding.kind.alike]
        return sum(1 for f in findings if topic is None or any(c.law.topic == topic for c in f.clauses))

    def scored(self, pair: tuple[int, int]) -> int | None:
        """How many causes were found by which two editions score deals differently; None where none was looked for."""
        behaviour = self.behaviours.get(pair)
        return None if behaviour is None or behaviour.scores is None else len(behaviour.scores.findings)

    @property
    def has_played(self) -> bool:
        """Whether anything was seen at the table to remove a difference or some of it."""
        return any(finding.removed for behaviour in self.behaviours.values() for finding in behaviour.findings)

    def played(self, topic: str | None) -> Iterator[Played]:
        """What was seen at the table to remove differences by a law on a topic (None: by laws on none in which the
        editions differ), without what the clauses tell already. Each is told of once."""
        for pair, behaviour in self.behaviours.items():
            differing = {known.topic: known for known in self.topics_of(pair)}
            for finding in behaviour.findings:
                behind = [differing[name] for name in _topics(finding.clauses) if name in differing]
                for removal in finding.removed:
                    between = pair if removal.place == 0 else pair[::-1]
                    told = behind and all(each.is_removed(between, removal.through) for each in behind)
                    # The law that was read otherwise is more to the point than others at work.
                    first = (name for name in _topics((*removal.clauses, *finding.clauses)) if name in differing)
                    if next(first, None) == topic and not (told and removal.removes):
                        yield Played(between, finding, removal)

    @property
    def differ(self) -> bool:
        """Whether the editions differ in some topic or, where that was searched, at the table."""
        searched = any(behaviour.differ for behaviour in self.behaviours.values())
        return searched or any(topic.differs for topic in self.topics)


def _topics(clauses: Sequence[Clause]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clause.law.topic for clause in clauses))


def compare_many(
    editions: Sequence[Edition],
    library: Library | None = None,
    *,
    other_readings: bool = False,
    behaviours: Mapping[tuple[int, int], Behaviour] | None = None,
) -> Matrix:
    """Compare editions topic by topic, in the order of their numbers in the first that has them.

    `other_readings`: every edition is also read otherwise, in one point at a time, to find the readings that remove or
    narrow a difference; that makes as many editions as there are such readings.

    >>> from lawbook.auction import load
    >>> pair = [load("whist-club-1912"), load("whist-club-1912@correction-after-notice=literal-52")]
    >>> [(topic.topic, topic.causes[0].readings) for topic in compare_many(pair).topics if topic.differs]
    [('correction', ('correction-after-notice=literal-52',))]
    """
    first: dict[str, Law] = {}
    titles: dict[str, str] = {}
    for edition in editions:
        for law in edition.laws:
            first.setdefault(law.topic, law)
            if law.source.evidence != "decision" or law.topic not in titles:
                titles[law.topic] = law.title
    bearings = [bearing(edition, library) for edition in editions]
    named = otherwise(library) if other_readings else None
    topics = []
    for topic in sorted(first, key=lambda name: order_of(first[name])):
        found = _topic(topic, titles[topic], editions)
        readings = [known.get(topic, ()) for known in bearings]
        causes = list(_among_themselves(found, editions, [tuple(r.name for r in each) for each in readings]))
        if named is not None and found.differs:
            for place, edition in enumerate(editions):
                others = alternatives(edition, readings[place], named)
                causes.extend(_read_otherwise(found, editions, place, others))
        topics.append(_with_causes(found, causes))
    return Matrix(tuple(editions), tuple(topics), behaviours or {})


def _topic(topic: str, title: str, editions: Sequence[Edition]) -> MatrixTopic:
    numbers: dict[object, int] = {}
    forms: list[int | None] = []
    laws = tuple(laws_on(edition, topic) for edition in editions)
    for edition, here in zip(editions, laws, strict=True):
        forms.append(numbers.setdefault(form_of(edition, topic), len(numbers)) if here else None)
    # What no code of them numbers is custom, and its absence is no gap in a text.
    numbered = any(law.number is not None for here in laws for law in here)
    at_hand = tuple(
        bool(here) or not (numbered and edition.not_at_hand) for edition, here in zip(editions, laws, strict=True)
    )
    return MatrixTopic(topic, title, laws, tuple(forms), at_hand, ())


def _with_causes(topic: MatrixTopic, causes: Sequence[Cause]) -> MatrixTopic:
    return MatrixTopic(topic.topic, topic.title, topic.laws, topic.forms, topic.at_hand, tuple(causes))


# -- causes ------------------------------------------------------------------------------------------------------------


def _among_themselves(
    topic: MatrixTopic, editions: Sequence[Edition], readings: Sequence[tuple[str, ...]]
) -> Iterator[Cause]:
    """What can be told from the editions given: one is another read otherwise, or with laws added to it."""
    for plain, base in enumerate(editions):
        for changed, through in enumerate(editions):
            if plain == changed or not is_from(through, base) or not topic.differ(plain, changed):
                continue
            taken = readings_between(base, through, {*readings[plain], *readings[changed]})
            added = laws_added(base, through, topic.topic)
            if not taken and not added:
                continue
            # Of two readings of one edition neither is the plain one; it is told once.
            if base.id != through.id or plain < changed:
                yield Cause(Bearing.MAKES, (plain, changed), through, taken, added)
            for other in range(len(editions)):
                if topic.differ(plain, other) and topic.forms[other] == topic.forms[changed] and other != changed:
                    yield Cause(Bearing.REMOVES, (plain, other), through, taken, added)


def _read_otherwise(
    topic: MatrixTopic, editions: Sequence[Edition], place: int, others: Iterator[Alternative]
) -> Iterator[Cause]:
    """Which single readings of one of the editions would give it the law of another, or clauses of it."""
    given = {edition.name for edition in editions}
    for alternative in others:
        if alternative.edition.name in given:
            continue
        taken = (f"{alternative.reading.name}={alternative.choice}",)
        for other, edition in enumerate(editions):
            if topic.differ(place, other) and topic.laws[other]:
                shared = brought(editions[place], alternative.edition, edition, topic.topic)
                if form_of(alternative.edition, topic.topic) == form_of(edition, topic.topic):
                    yield Cause(Bearing.REMOVES, (place, other), alternative.edition, taken)
                elif shared:
                    yield Cause(Bearing.NARROWS, (place, other), alternative.edition, taken, (), shared)
