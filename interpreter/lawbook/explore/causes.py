"""Causes: the clauses, not alike in two editions, that made them part.

The differing acts of a search are grouped by the clauses that took part in the ruling of one edition and that the other
does not have in the same meaning. Where none took part in the act itself, the cause is in what such clauses did
before, unseen, on the way there.
"""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lawbook.compare import bearers
from lawbook.edition.model import Clause
from lawbook.explore.product import Divergence, Search
from lawbook.explore.space import Space, View
from lawbook.machine.ruling import Verdict


@dataclass(frozen=True, slots=True)
class Cause:
    """Clauses of each edition, by id, that the other edition does not have in the same meaning."""

    a: frozenset[str]
    b: frozenset[str]

    def __or__(self, other: Cause) -> Cause:
        return Cause(self.a | other.a, self.b | other.b)

    def __le__(self, other: Cause) -> bool:
        return self.a <= other.a and self.b <= other.b

    def __bool__(self) -> bool:
        return bool(self.a or self.b)

    @property
    def size(self) -> int:
        """How many clauses it is."""
        return len(self.a) + len(self.b)


NO_CAUSE = Cause(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Group:
    """The differing acts of one cause, those with the shortest way there first.

    `earlier`: the clauses did nothing in the act itself, they had done before.
    """

    cause: Cause
    earlier: bool
    divergences: tuple[Divergence, ...]


def grouped(search: Search) -> tuple[Group, ...]:
    """The differing acts by cause, the one met first in the search first. A group whose cause is that of smaller ones
    together is left out: each of its acts differs for reasons already shown."""
    unlike = Unlike(search.a, search.b)
    found: dict[tuple[Cause, bool], list[Divergence]] = defaultdict(list)
    for divergence in search.divergences:
        cause, earlier = unlike.at(divergence, search), False
        if cause == NO_CAUSE:
            cause, earlier = unlike.before(divergence, search), True
        found[cause, earlier].append(divergence)
    groups = [Group(cause, earlier, tuple(acts)) for (cause, earlier), acts in found.items()]
    return tuple(group for group in groups if not _is_union(group, groups))


def _is_union(group: Group, groups: list[Group]) -> bool:
    """Whether a group's cause is made up of those of smaller groups of its kind."""
    smaller = [
        g.cause for g in groups if g.earlier == group.earlier and g.cause <= group.cause and g.cause != group.cause
    ]
    made = NO_CAUSE
    for cause in smaller:
        made |= cause
    return made == group.cause != NO_CAUSE


class Unlike:
    """Which clauses of two editions are not alike, and which of them take part in an act."""

    def __init__(self, a: Space, b: Space) -> None:
        self._a, self._b = a, b
        self.only_a, self.only_b = bearers.unlike((a.edition, b.edition))

    def at(self, divergence: Divergence, search: Search) -> Cause:
        """The unlike clauses that bear on what differs: in the ruling on the act, or in how the table looks then."""
        first, second = search.pairs[divergence.node]
        reply_a = self._a.reply(first, divergence.offer)
        reply_b = self._b.reply(second, divergence.offer)
        in_a, in_b = self._a.rulings(first, divergence.offer), self._b.rulings(second, divergence.offer)
        if (reply_a.verdict, reply_a.offences, reply_a.conflict) != (
            reply_b.verdict,
            reply_b.offences,
            reply_b.conflict,
        ):
            act = search.a.offers[divergence.offer].name
            refused = Verdict.REFUSED in (reply_a.verdict, reply_b.verdict)
            return self._cause(
                (*bearers.judging(in_a), *(bearers.entitling(self._a.edition, act) if refused else ())),
                (*bearers.judging(in_b), *(bearers.entitling(self._b.edition, act) if refused else ())),
            )
        view_a, view_b = self._a.view(divergence.after_a), self._b.view(divergence.after_b)
        cause = NO_CAUSE
        if reply_a.points != reply_b.points:
            cause |= self._cause(bearers.scoring(in_a), bearers.scoring(in_b))
        only_a, only_b = view_a.choosable - view_b.choosable, view_b.choosable - view_a.choosable
        after_a, after_b = self._a.states[divergence.after_a], self._b.states[divergence.after_b]
        # A right that one edition has ended is missed because of what ended it, not of what gave it in the other.
        if only_a:
            ended = self._cause((), bearers.ending(self._b.machine, after_b, in_b, only_a))
            cause |= ended or self._cause(bearers.choosing(self._a.machine, after_a, only_a), ())
        if only_b:
            ended = self._cause(bearers.ending(self._a.machine, after_a, in_a, only_b), ())
            cause |= ended or self._cause((), bearers.choosing(self._b.machine, after_b, only_b))
        asked = _differing(view_a, view_b, reply_a.moved != reply_b.moved)
        if asked:
            cause |= self._cause(
                bearers.writing(self._a.edition, in_a, asked), bearers.writing(self._b.edition, in_b, asked)
            )
        return cause

    def before(self, divergence: Divergence, search: Search) -> Cause:
        """The unlike clauses that wrote, on the way to a differing act, what is not alike there, and those that read it
        in the act."""
        first, second = search.pairs[divergence.node]
        unseen = _unseen(self._a, self._b, first, second)
        nodes = search.nodes_to(divergence.node)
        cause = NO_CAUSE
        for node, following in itertools.pairwise(nodes):
            (in_a, in_b), offer = search.pairs[node], search.offers[following]
            cause |= self._cause(
                bearers.writers(self._a.rulings(in_a, offer), unseen),
                bearers.writers(self._b.rulings(in_b, offer), unseen),
            )
        return cause | self._cause(
            bearers.readers(self._a.edition, self._a.rulings(first, divergence.offer), unseen),
            bearers.readers(self._b.edition, self._b.rulings(second, divergence.offer), unseen),
        )

    def _cause(self, in_a: Iterable[str], in_b: Iterable[str]) -> Cause:
        return Cause(self.only_a.intersection(in_a), self.only_b.intersection(in_b))


def _unseen(a: Space, b: Space, first: int, second: int) -> frozenset[str]:
    """The registers that two states which look alike do not have alike."""
    in_a, in_b = a.registers(first), b.registers(second)
    start_a, start_b = a.registers(a.start()), b.registers(b.start())
    return frozenset(
        name for name in {*in_a, *in_b} if in_a.get(name, start_b.get(name)) != in_b.get(name, start_a.get(name))
    )


def taking_part(
    search: Search, in_a: Sequence[Clause], in_b: Sequence[Clause], seconds: float
) -> tuple[frozenset[str], frozenset[str]]:
    """Which of these clauses of each edition take part in any ruling of a search, as far as the time allows to look."""
    deadline = time.monotonic() + seconds
    found: list[frozenset[str]] = []
    for space, clauses, which in ((search.a, in_a, 0), (search.b, in_b, 1)):
        wanted = {clause.id for clause in clauses}
        met: set[str] = set()
        states = dict.fromkeys(search.pairs[node][which] for node in search.gone_on_from)
        for state in states:
            left = [clause for clause in clauses if clause.id not in met]
            if not left or time.monotonic() > deadline:
                break
            names = {act for clause in left if clause.trigger is not None for act in clause.trigger.acts}
            for place, offer in enumerate(space.offers):
                if offer.name in names:
                    met |= wanted.intersection(clause.id for clause in bearers.taking_part(space.rulings(state, place)))
        found.append(frozenset(met))
    return found[0], found[1]


def _differing(a: View, b: View, moved: bool) -> tuple[str, ...]:
    """The terms of the interface that two views differ in."""
    return (
        *(
            term
            for term in ("status", "contract", "doubling", "declarer", "debarred")
            if getattr(a, term) != getattr(b, term)
        ),
        *(("turn",) if moved else ()),
    )
