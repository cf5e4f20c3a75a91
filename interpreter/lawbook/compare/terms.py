"""Terms: what of a clause is not alike in two editions: its occasion, a condition, the holder, the deadline, ..."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lawbook.edition.model import Clause, Edition, Kind
from lawbook.sections import Group, Item, Section, sections_of


class Aspect(enum.Enum):
    """What a term of a clause is about; the value is how a reader names it.

    The occasion is the act it is read for; the fate, what becomes of the call; the scope, which other clauses or which
    scores it bears on; the meaning, what a definition says; the figures, the rows of a table.
    """

    KIND = "kind"
    OCCASION = "occasion"
    OFFENCE = "offence"
    CONDITION = "condition"
    HOLDER = "holder"
    DEADLINE = "deadline"
    CHOICE = "choice"
    EFFECT = "effect"
    FATE = "fate of the call"
    SCOPE = "scope"
    MEANING = "meaning"
    FIGURES = "figures"


@dataclass(frozen=True, slots=True)
class TermChange:
    """One section that is not alike: what it is about, and how it stands in each edition (None: not at all)."""

    aspect: Aspect
    a: Section | None
    b: Section | None


_ASPECTS: Final = {
    "offence": Aspect.OFFENCE,
    "remedy for": Aspect.OFFENCE,
    "if": Aspect.CONDITION,
    "unless": Aspect.CONDITION,
    "opened if": Aspect.CONDITION,
    "opened unless": Aspect.CONDITION,
    "provided": Aspect.CONDITION,
    "such that": Aspect.CONDITION,
    "holder": Aspect.HOLDER,
    "until": Aspect.DEADLINE,
    "once": Aspect.DEADLINE,
    "ends when": Aspect.DEADLINE,
    "ends when stands": Aspect.DEADLINE,
    "effects": Aspect.EFFECT,
    "by": Aspect.EFFECT,
    "the call": Aspect.FATE,
    "lapse of": Aspect.SCOPE,
    "exception to": Aspect.SCOPE,
    "choice in": Aspect.SCOPE,
    "except": Aspect.SCOPE,
    "settles": Aspect.SCOPE,
    "outlasts": Aspect.SCOPE,
    "status": Aspect.SCOPE,
    "for": Aspect.SCOPE,
    "score": Aspect.SCOPE,
    "for each": Aspect.SCOPE,
    "rows": Aspect.FIGURES,
}
_CHOICE: Final = "choice "
# Conditions that say the same thing to a reader when one takes the place of the other.
_STAND_IN: Final = {"if": "unless", "unless": "if", "opened if": "opened unless", "opened unless": "opened if"}


def changed_terms(a: Clause, in_a: Edition, b: Clause, in_b: Edition) -> tuple[TermChange, ...]:
    """The sections of two clauses that are not alike, ordered by what they are about.

    >>> from lawbook.auction import load
    >>> one, other = load("whist-club-1912"), load("whist-club-1913")
    >>> changes = changed_terms(one.by_id["penalise-insufficient"], one, other.by_id["penalise-insufficient"], other)
    >>> [change.aspect.value for change in changes]
    ['condition', 'deadline']
    """
    mine, theirs = _by_heading(a, in_a), _by_heading(b, in_b)
    found: list[TermChange] = []
    if a.kind is not b.kind:
        found.append(TermChange(Aspect.KIND, Section("kind", (a.kind.value,)), Section("kind", (b.kind.value,))))
    for heading, section in mine.items():
        other = theirs.pop(heading, None)
        if other is None and (stand_in := _STAND_IN.get(heading)) is not None and stand_in not in mine:
            other = theirs.pop(stand_in, None)
        if other != section:
            found.append(TermChange(_aspect(section, other, a), section, other))
    found.extend(TermChange(_aspect(section, None, b), None, section) for section in theirs.values())
    return tuple(sorted(found, key=lambda change: _ORDER[change.aspect]))


def _by_heading(clause: Clause, edition: Edition) -> dict[str, Section]:
    """The sections by heading; what stands under one heading twice, such as several offences, is one section."""
    found: dict[str, Section] = {}
    for section in sections_of(clause, edition):
        before = found.get(section.heading)
        items = section.items if before is None else (*before.items, *section.items)
        found[section.heading] = Section(section.heading, items)
    return found


_ORDER: Final = {aspect: place for place, aspect in enumerate(Aspect)}


def _aspect(section: Section, other: Section | None, clause: Clause) -> Aspect:
    heading = section.heading
    if heading.startswith(_CHOICE):
        # What a choice does is its effect; a choice that only one edition has is another matter.
        return Aspect.CHOICE if other is None else Aspect.EFFECT
    if clause.kind is Kind.DEFINITION and heading != "rows":
        return Aspect.MEANING
    return _ASPECTS.get(heading, Aspect.OCCASION)


# -- likeness ----------------------------------------------------------------------------------------------------------

# From how much in common two clauses of different names are one clause changed.
ALIKE: Final = 0.5


def likeness(a: Clause, in_a: Edition, b: Clause, in_b: Edition) -> float:
    """How much of what two clauses say is in both, from 0 to 1; clauses of different kinds have nothing in common."""
    if a.kind is not b.kind:
        return 0.0
    one, other = Counter(_said(a, in_a)), Counter(_said(b, in_b))
    whole = (one | other).total()
    return (one & other).total() / whole if whole else 1.0


def _said(clause: Clause, edition: Edition) -> Iterator[tuple[str, str]]:
    for section in sections_of(clause, edition):
        if not section.items:
            yield section.heading, ""
        for text in _texts(section.items):
            yield section.heading, text


def _texts(items: tuple[Item, ...]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Group):
            yield from _texts(item.items)
        else:
            yield item
