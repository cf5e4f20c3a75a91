"""Lineage: the history of a topic across editions, in order of date: since when, changed how, repealed when.

A code is compared with the code before it; an edition based on another (a committee's decisions, a house rule) with
the one it is based on, for it changes that one, and no later code need follow it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lawbook.auction import load
from lawbook.compare.readings import alternatives, bearing, brought, form_of, laws_on
from lawbook.compare.structure import Change, ClauseDifference, compare_structure
from lawbook.edition.library import Library
from lawbook.edition.model import Clause, Edition, Law, Reading


class Turn(enum.Enum):
    """What an edition made of a topic.

    Apart: a code of another line, which does not go on from the one before it, has a law on it. Absent: it has none,
    and neither had those before it, or it is of another line, whose silence repeals nothing.
    """

    FIRST = "first law on it"
    AGAIN = "a law on it again"
    UNCHANGED = "unchanged"
    WORDING = "wording only"
    RENUMBERED = "renumbered"
    LEFT_TO_CUSTOM = "left to custom"
    MADE_LAW = "made law"
    CHANGED = "changed"
    REPEALED = "repealed"
    NOT_AT_HAND = "not at hand"
    APART = "a law of another line"
    ABSENT = "no law on it"


@dataclass(frozen=True, slots=True)
class Foreshadowing:
    """What came before a change: a committee's decisions on the topic (`laws`), or a reading of the code before it
    (`reading=choice`) by which that had what is new.

    `clauses` are those of the later edition that the earlier one has by that reading; `whole`: it has its whole law on
    the topic. Of a decision that is not the whole, clauses alone do not tell whether the later code follows it.
    """

    edition: Edition
    laws: tuple[Law, ...]
    reading: str | None
    clauses: tuple[Clause, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """A topic in one edition: its laws there; the edition it is compared with and its laws; what became of the topic
    since, clause by clause; the open points that bear on it; and what had come before a change."""

    edition: Edition
    laws: tuple[Law, ...]
    before: Edition | None
    laws_before: tuple[Law, ...]
    turn: Turn
    clauses: tuple[ClauseDifference, ...]
    readings: tuple[Reading, ...]
    foreshadowed: tuple[Foreshadowing, ...]


@dataclass(frozen=True, slots=True)
class History:
    """The history of one topic, the oldest edition first. `title` is the latest, codes of another line left out."""

    topic: str
    title: str
    stages: tuple[Stage, ...]

    @property
    def since(self) -> Stage | None:
        """The first edition with a law on it."""
        return next((stage for stage in self.stages if stage.laws), None)


def in_order(editions: Iterable[Edition]) -> tuple[Edition, ...]:
    """Editions by date, one that is based on another after it."""
    return tuple(sorted(editions, key=lambda edition: (edition.dated, len(edition.chain), edition.id)))


def topics_of(editions: Sequence[Edition]) -> dict[str, str]:
    """Every topic of some editions, given the oldest first, with its latest title; what a decision is called does not
    count where a code has the topic."""
    titles: dict[str, str] = {}
    for edition in editions:
        for law in edition.laws:
            if law.topic not in titles or law.source.evidence != _DECISION:
                titles[law.topic] = law.title
    return titles


# The evidence of a law that is a decision on a code.
_DECISION: Final = "decision"


def history_of(topic: str, editions: Sequence[Edition], library: Library | None = None) -> History:
    """The history of a topic across editions, given in order. Raises KeyError if none of them has a law on it.

    >>> from lawbook.auction import load
    >>> codes = [load("whist-club-1912"), load("whist-club-1912-decisions"), load("whist-club-1913")]
    >>> [stage.turn.value for stage in history_of("time-of-penalties", codes).stages]
    ['no law on it', 'no law on it', 'first law on it']
    """
    if topic not in topics_of(editions):
        raise KeyError(topic)
    stages: list[Stage] = []
    for edition in editions:
        stages.append(_stage(topic, edition, stages, library))
    told = [stage.edition for stage in stages if stage.turn is not Turn.APART]
    return History(topic, topics_of(told)[topic], tuple(stages))


def _stage(topic: str, edition: Edition, earlier: Sequence[Stage], library: Library | None) -> Stage:
    before = _before(edition, earlier, library)
    laws = laws_on(edition, topic)
    laws_before = () if before is None else laws_on(before, topic)
    readings = bearing(edition, library).get(topic, ()) if laws else ()
    turn, clauses = _turn(topic, edition, laws, before, laws_before, any(stage.laws for stage in earlier))
    came_before: tuple[Foreshadowing, ...] = ()
    if before is not None and turn in (Turn.CHANGED, Turn.FIRST, Turn.AGAIN):
        came_before = tuple(_foreshadowed(topic, edition, before, earlier, library))
    return Stage(edition, laws, before, laws_before, turn, clauses, readings, came_before)


def _before(edition: Edition, earlier: Sequence[Stage], library: Library | None) -> Edition | None:
    """What an edition goes on from: what it is based on; a code, from the last code whose text on the topic is at hand,
    unless most of that code's topics are none of its own."""
    if len(edition.chain) > 1:
        return load(edition.chain[1], library)
    codes = (stage for stage in reversed(earlier) if len(stage.edition.chain) == 1)
    found = next((stage.edition for stage in codes if stage.turn is not Turn.NOT_AT_HAND), None)
    if found is None:
        return None
    theirs = {law.topic for law in found.laws}
    return found if 2 * len(theirs & {law.topic for law in edition.laws}) >= len(theirs) else None


def _turn(
    topic: str,
    edition: Edition,
    laws: tuple[Law, ...],
    before: Edition | None,
    laws_before: tuple[Law, ...],
    known: bool,
) -> tuple[Turn, tuple[ClauseDifference, ...]]:
    if not laws and not laws_before:
        return Turn.ABSENT, ()
    if before is None:
        return (Turn.APART if known else Turn.FIRST), ()
    found = next(t for t in compare_structure(before, edition).topics if t.topic == topic)
    match found.change:
        case Change.EQUAL:
            return Turn.UNCHANGED, ()
        case Change.WORDING:
            return Turn.WORDING, ()
        case Change.RENUMBERED | Change.LEFT_TO_CUSTOM | Change.MADE_LAW:
            return Turn(found.change.value), ()
        case Change.CHANGED:
            return Turn.CHANGED, found.clauses
        case Change.ADDED:
            return (Turn.AGAIN if known else Turn.FIRST), found.clauses
        case Change.REPEALED:
            return Turn.REPEALED, found.clauses
        case Change.NOT_AT_HAND:
            # Where the older text is the one that is not at hand, this is the first law that is known.
            return (Turn.NOT_AT_HAND, ()) if not laws else (Turn.AGAIN if known else Turn.FIRST, ())


def _foreshadowed(
    topic: str, edition: Edition, before: Edition, earlier: Sequence[Stage], library: Library | None
) -> Iterator[Foreshadowing]:
    form = form_of(edition, topic)
    for stage in earlier:
        decisions = tuple(law for law in stage.laws if law.source.evidence == _DECISION)
        if decisions and before.id in stage.edition.chain and stage.edition.id not in edition.chain:
            yield Foreshadowing(stage.edition, decisions, None, (), form_of(stage.edition, topic) == form)
    readings = bearing(before, library).get(topic, ())
    for alternative in alternatives(before, readings, lambda name: load(name, library)):
        clauses = brought(before, alternative.edition, edition, topic)
        whole = form_of(alternative.edition, topic) == form
        if clauses or whole:
            reading = f"{alternative.reading.name}={alternative.choice}"
            yield Foreshadowing(before, (), reading, clauses, whole)
