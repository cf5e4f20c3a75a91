"""Structure: the laws of two editions topic by topic, clause by clause, in normal form.

This is the first rung of a comparison. What is alike here is alike in behaviour as far as the clause itself goes; what
a change does at the table is not asked.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from lawbook.compare.terms import ALIKE, TermChange, changed_terms, likeness
from lawbook.edition.model import Clause, Edition, Law, Register
from lawbook.inspection import value_text
from lawbook.language.types import type_text
from lawbook.sentences import order_of


class Change(enum.Enum):
    """What became of a topic, or of a clause, from the first edition to the second."""

    EQUAL = "equal"
    WORDING = "wording only"
    RENUMBERED = "renumbered"
    # What one edition says in a law, the other holds by custom.
    LEFT_TO_CUSTOM = "left to custom"
    MADE_LAW = "made law"
    CHANGED = "changed"
    ADDED = "added"
    REPEALED = "repealed"
    # The edition has no law on it here, but not all of its text was at hand.
    NOT_AT_HAND = "not at hand"


ELSEWHERE: Final = (Change.RENUMBERED, Change.LEFT_TO_CUSTOM, Change.MADE_LAW)
"""The changes in which the clauses are alike and stand in another law."""

ALIKE_IN_MEANING: Final = (Change.EQUAL, Change.WORDING, *ELSEWHERE)
"""The changes in which the clauses are alike."""

PART: Final = "part of the text"
"""The evidence of a law of whose text the rest was not at hand."""

NOT_WHOLE: Final = {
    PART: "only part of its text was at hand",
    "commentary": "its text was not at hand, only a commentary on it",
}
"""The evidence of a law that may say more than is known of it, and how that is told."""


class ClauseChange(enum.Enum):
    """What became of one clause. Moved: it stands under another topic now. Renamed: only its id is another."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class ClauseDifference:
    """One clause that is not alike: the clause of each edition, None where there is none; and of a changed clause the
    terms that are not alike. A changed clause may go by another id as well."""

    change: ClauseChange
    a: Clause | None
    b: Clause | None
    terms: tuple[TermChange, ...] = ()

    @property
    def id(self) -> str:
        """The clause's id, in the second edition where it has one there."""
        clause = self.b or self.a
        assert clause is not None
        return clause.id


@dataclass(frozen=True, slots=True)
class TopicComparison:
    """One topic in both editions: its laws there (none where the edition has none), and the clauses not alike."""

    topic: str
    title: str
    a: tuple[Law, ...]
    b: tuple[Law, ...]
    change: Change
    clauses: tuple[ClauseDifference, ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """Two editions topic by topic, and the registers (what the table remembers) that are not alike."""

    a: Edition
    b: Edition
    topics: tuple[TopicComparison, ...]
    registers: tuple[tuple[str, str | None, str | None], ...]

    @property
    def differ(self) -> bool:
        """Whether anything but the wording and the numbers of laws is not alike."""
        return bool(self.registers) or any(topic.change not in ALIKE_IN_MEANING for topic in self.topics)


def compare_structure(a: Edition, b: Edition) -> Structure:
    """Compare the laws of two editions by topic, in the order of their numbers in the first that has them.

    >>> from lawbook.auction import load
    >>> compare_structure(load("whist-club-1912"), load("whist-club-1912")).differ
    False
    """
    laws_a, laws_b = _by_topic(a), _by_topic(b)
    clauses_a, clauses_b = _clauses_by_topic(a), _clauses_by_topic(b)
    first = {**laws_b, **laws_a}
    order = sorted(first, key=lambda topic: order_of(first[topic][0]))
    differences = {topic: tuple(_clause_differences(topic, clauses_a, clauses_b, a, b)) for topic in order}
    topics = tuple(
        TopicComparison(
            topic,
            (laws_b.get(topic) or laws_a[topic])[0].title,
            laws_a.get(topic, ()),
            laws_b.get(topic, ()),
            _known(
                _change(laws_a.get(topic), laws_b.get(topic), differences[topic], clauses_a[topic], clauses_b[topic]),
                first[topic],
                a,
                b,
            ),
            differences[topic],
        )
        for topic in order
    )
    return Structure(a, b, topics, tuple(_register_differences(a, b)))


def _by_topic(edition: Edition) -> dict[str, tuple[Law, ...]]:
    found: dict[str, tuple[Law, ...]] = {}
    for law in edition.laws:
        found[law.topic] = (*found.get(law.topic, ()), law)
    return found


def _clauses_by_topic(edition: Edition) -> defaultdict[str, dict[str, Clause]]:
    found: defaultdict[str, dict[str, Clause]] = defaultdict(dict)
    for clause in edition.clauses:
        found[clause.law.topic][clause.id] = clause
    return found


def _clause_differences(
    topic: str,
    in_a: defaultdict[str, dict[str, Clause]],
    in_b: defaultdict[str, dict[str, Clause]],
    a: Edition,
    b: Edition,
) -> Iterator[ClauseDifference]:
    """The clauses of a topic that are not alike, in the order of the first edition, then what the second adds."""
    pairs, removed, added = _paired(in_a[topic], in_b[topic], a, b)
    for one, other in pairs:
        if one.normal != other.normal:
            yield ClauseDifference(ClauseChange.CHANGED, one, other, changed_terms(one, a, other, b))
        elif one.id != other.id:
            yield ClauseDifference(ClauseChange.RENAMED, one, other)
    for one in removed:
        yield _alone(one, b.by_id.get(one.id), topic, a, b)
    for other in added:
        yield _alone(a.by_id.get(other.id), other, topic, a, b)


def _alone(one: Clause | None, other: Clause | None, topic: str, a: Edition, b: Edition) -> ClauseDifference:
    """A clause without its like under this topic: it came or went, or stands under another topic."""
    if one is not None and other is not None and one.law.topic != other.law.topic:
        if one.normal == other.normal:
            return ClauseDifference(ClauseChange.MOVED, one, other)
        return ClauseDifference(ClauseChange.CHANGED, one, other, changed_terms(one, a, other, b))
    if one is not None and one.law.topic == topic:
        return ClauseDifference(ClauseChange.REMOVED, one, None)
    return ClauseDifference(ClauseChange.ADDED, None, other)


def _paired(
    mine: dict[str, Clause], theirs: dict[str, Clause], a: Edition, b: Edition
) -> tuple[list[tuple[Clause, Clause]], list[Clause], list[Clause]]:
    """Which clause of one edition is which of the other: by id, else by what they say, the likest first; and those
    that are left over on either side. A clause whose id stands under another topic is not paired here."""
    found: dict[str, Clause] = {name: theirs[name] for name in mine if name in theirs}
    left = [clause for name, clause in mine.items() if name not in theirs and name not in b.by_id]
    right = [clause for name, clause in theirs.items() if name not in mine and name not in a.by_id]
    likely = ((likeness(one, a, other, b), one, other) for one in left for other in right)
    for _, one, other in sorted((t for t in likely if t[0] >= ALIKE), key=lambda t: -t[0]):
        if one.id not in found and other not in found.values():
            found[one.id] = other
    taken = set(found.values())
    return (
        [(mine[name], found[name]) for name in mine if name in found],
        [clause for name, clause in mine.items() if name not in found],
        [clause for clause in theirs.values() if clause not in taken],
    )


def _known(change: Change, laws: tuple[Law, ...], a: Edition, b: Edition) -> Change:
    """A change, but nothing is called added or repealed where the other text may only not have been at hand."""
    incomplete = {Change.ADDED: a, Change.REPEALED: b}.get(change)
    if incomplete is None or not incomplete.not_at_hand or all(law.number is None for law in laws):
        return change
    return Change.NOT_AT_HAND


def unread(clauses: Iterable[Clause], other: Edition) -> dict[str, Clause]:
    """Of clauses of one edition the first on each topic that another has no law on, where it may have one in what of
    its text was not at hand; by the topic."""
    topics = {law.topic for law in other.laws}
    found: dict[str, Clause] = {}
    for clause in clauses if other.not_at_hand else ():
        if clause.law.number is not None and clause.law.topic not in topics:
            found.setdefault(clause.law.topic, clause)
    return found


def not_whole(clauses: Collection[Clause], edition: Edition) -> tuple[Law, ...]:
    """The laws of an edition on the topics of some clauses, its own or another's, of whose text not all was at hand: of
    a text that is known in part what it lacks is told of only where a clause has no like of its name in it."""
    topics = {clause.law.topic for clause in clauses}
    lacking = {clause.law.topic for clause in clauses if clause.id not in edition.by_id}
    return tuple(
        law
        for law in edition.laws
        if law.source.evidence in NOT_WHOLE and law.topic in (lacking if law.source.evidence == PART else topics)
    )


def _change(
    a: tuple[Law, ...] | None,
    b: tuple[Law, ...] | None,
    differences: tuple[ClauseDifference, ...],
    clauses_a: dict[str, Clause],
    clauses_b: dict[str, Clause],
) -> Change:
    if a is None:
        return Change.ADDED
    if b is None:
        return Change.REPEALED
    if any(difference.change is not ClauseChange.RENAMED for difference in differences):
        return Change.CHANGED
    if [law.number for law in a] != [law.number for law in b]:
        said_a, said_b = (any(law.number is not None for law in laws) for laws in (a, b))
        return Change.RENUMBERED if said_a and said_b else Change.LEFT_TO_CUSTOM if said_a else Change.MADE_LAW
    words_a = [(law.title, law.summary) for law in a], [clause.says for clause in clauses_a.values()]
    words_b = [(law.title, law.summary) for law in b], [clause.says for clause in clauses_b.values()]
    return Change.EQUAL if words_a == words_b else Change.WORDING


def _register_differences(a: Edition, b: Edition) -> Iterator[tuple[str, str | None, str | None]]:
    for name in {**a.registers, **b.registers}:
        one = _register_text(a.registers.get(name), a)
        other = _register_text(b.registers.get(name), b)
        if one != other:
            yield name, one, other


def _register_text(register: Register | None, edition: Edition) -> str | None:
    """A register in one line: its domain, its start, and how it is put back; places in the state do not count."""
    if register is None:
        return None
    each = " for each " + " and ".join(type_text(i) for i in register.indices) if register.indices else ""
    right = " for each right" if register.per_right else ""
    start = "the dealer" if register.starts_with_dealer else value_text(edition, register.type, register.start)
    return f"{type_text(register.type)}{each}{right}, from {start}, put back {register.put_back.value}"
