"""Telling: findings made of what searches found, each with its cause, its condition and the shortest auction.

Causes and conditions take their time. When there is none left, or somebody interrupts, what was found is told all the
same: causes of one act for each way in which the editions part, and no conditions.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from lawbook.compare.bearers import clauses_of
from lawbook.compare.findings import Also, Finding, FindingKind, Witness, witness
from lawbook.edition.model import Clause, Kind
from lawbook.explore.causes import NO_CAUSE, Cause, Group, Unlike, grouped, taking_part
from lawbook.explore.conditions import Condition, condition_of
from lawbook.explore.kinds import kind_of
from lawbook.explore.patience import Patience
from lawbook.explore.plan import Searched
from lawbook.explore.product import Divergence, Search
from lawbook.explore.space import Space
from lawbook.values import Act, Seat

# So many rulings of each edition are looked through, at most, for clauses that made no difference.
_MOST_RULINGS: Final = 20_000
# So many acts of a group are asked for what had been written before them.
_ASKED_BEFORE: Final = 20

_Clauses: TypeAlias = tuple[tuple[Clause, ...], tuple[Clause, ...]]


@dataclass(frozen=True, slots=True)
class Told:
    """A finding, and the differing acts that it tells of, as each search met them; none where it tells of no
    difference."""

    finding: Finding
    acts: tuple[tuple[Search, tuple[Divergence, ...]], ...] = ()


def told(
    parts: Iterable[tuple[Searched, frozenset[str] | None]], unknown: Collection[str], patience: Patience
) -> list[Told]:
    """The findings of the parts of a search: of each what those before it do not show, the shortest auctions first,
    and then what makes no difference. Of a part that comes with acts, only what one of these leads to. What rests on
    nothing but topics that are `unknown` is none."""
    findings: list[Told] = []
    shown: set[_Clauses] = set()
    searches: list[Search] = []
    for part, after in parts:
        new = _Part(unknown, frozenset(shown), patience)
        for found in part.all_found:
            new.add(found, after)
        findings += sorted(new.told, key=_length)
        shown |= new.causes
        searches += part.all_found
    if not patience.over:
        alike = _alike(searches, [one.finding for one in findings], patience)
        findings += [Told(f) for f in alike if not _topics(f.clauses) <= {*unknown}]
    return findings


class _Part:
    """The findings of one part."""

    def __init__(self, unknown: Collection[str], shown: frozenset[_Clauses], patience: Patience) -> None:
        self._unknown, self._shown, self._patience = unknown, shown, patience
        self._made: dict[tuple[Cause, bool, int], Told] = {}
        # The clauses of the causes that were told of.
        self.causes: set[_Clauses] = set()

    @property
    def told(self) -> list[Told]:
        return list(self._made.values())

    def add(self, found: Search, after: frozenset[str] | None) -> None:
        """Tell of what a search found: of a cause that one before it found too, only a shorter auction."""
        groups = [group for group in grouped(found, after, self._patience) if self._is_new(group, found)]
        new: list[tuple[Group, Condition]] = []
        for group in groups:
            self.causes.add(_clauses(group.cause, found))
            known = self._made.get(_key(group))
            if known is None:
                new.append((group, self._condition(group, found)))
                continue
            finding, shorter = known.finding, witness_of(group.divergences[0], found)
            if finding.witness is not None and len(shorter.acts) < len(finding.witness.acts):
                finding = replace(finding, kind=kind_of(group.divergences[0], found), witness=shorter)
            self._made[_key(group)] = Told(finding, (*known.acts, (found, group.divergences)))
        for alike in _said_alike(new):
            group, condition = alike[0]
            first, others = group, [one for one, _ in alike[1:]]
            # Each of several was said to be so not counting the others: together they are, of themselves.
            if others:
                group = _together([first, *others], found)
                condition = self._condition(group, found)
            self._made[_key(first)] = Told(_finding(group, condition, others, found), ((found, group.divergences),))

    def _is_new(self, group: Group, found: Search) -> bool:
        """Whether a cause was not shown already, and is known to be one."""
        clauses = _clauses(group.cause, found)
        topics = _topics((*clauses[0], *clauses[1]))
        return clauses not in self._shown and (not topics or not all(topic in self._unknown for topic in topics))

    def _condition(self, group: Group, found: Search) -> Condition:
        if not self._patience.over:
            try:
                return condition_of(group, found)
            except KeyboardInterrupt:
                self._patience.interrupted = True
        return Condition("", False)


def _key(group: Group) -> tuple[Cause, bool, int]:
    return group.cause, group.earlier, group.direction


def _clauses(cause: Cause, found: Search) -> _Clauses:
    return clauses_of(found.a.edition, cause.a), clauses_of(found.b.edition, cause.b)


def _topics(clauses: Iterable[Clause]) -> set[str]:
    return {clause.law.topic for clause in clauses}


def _said_alike(groups: Sequence[tuple[Group, Condition]]) -> list[list[tuple[Group, Condition]]]:
    """Groups put together where one sentence is what can be said of each only because the others are not counted."""
    found: dict[object, list[tuple[Group, Condition]]] = {}
    for place, (group, condition) in enumerate(groups):
        key = (condition.text, group.earlier) if condition.shared and condition.exact else place
        found.setdefault(key, []).append((group, condition))
    return list(found.values())


def _together(groups: Sequence[Group], found: Search) -> Group:
    cause, acts = groups[0].cause, {d for group in groups for d in group.divergences}
    for group in groups[1:]:
        cause |= group.cause
    return replace(groups[0], cause=cause, divergences=tuple(d for d in found.divergences if d in acts))


def _finding(group: Group, condition: Condition, others: Sequence[Group], found: Search) -> Finding:
    first = group.divergences[0]
    cause = group.cause if group.earlier else group.cause | _written_before(group, found)
    in_a, in_b = _clauses(cause, found)
    return Finding(
        kind_of(first, found),
        in_a,
        in_b,
        condition.text,
        len({(found.pairs[divergence.node], divergence.offer) for divergence in group.divergences}),
        witness_of(first, found),
        condition.exact,
        tuple(Also(*_clauses(one.cause, found), witness_of(one.divergences[0], found)) for one in others),
    )


def _written_before(group: Group, found: Search) -> Cause:
    """The clauses that wrote, on the way to some of a group's acts, what its clauses read otherwise there."""
    unlike, cause = Unlike(found.a, found.b), NO_CAUSE
    for divergence in group.divergences[:_ASKED_BEFORE]:
        _, reads = unlike.unseen(found.pairs[divergence.node], divergence)
        if reads:
            cause |= unlike.before(divergence, found)
    return cause


def witness_of(divergence: Divergence, found: Search) -> Witness:
    """The auction that leads to a differing act, and the act itself, as both editions rule on it."""
    dealer, acts = auction_to(divergence.node, divergence.offer, found)
    return witness(found.a.edition, found.b.edition, dealer, acts)


def auction_to(node: int, offer: int, found: Search) -> tuple[Seat, tuple[Act, ...]]:
    """Who deals, and the acts that lead to a node of a search, and one more."""
    acts: list[Act] = []
    turn = 0
    if not found.a.turned:
        # Places are seats, whoever is in turn, and there is a start for each dealer.
        acts = [found.a.offers[place].act(0) for place in (*found.path(node), offer)]
        return Seat(found.parents[found.nodes_to(node)[0]]), tuple(acts)
    nodes = found.nodes_to(node)
    for here, following in itertools.pairwise(nodes):
        done = found.offers[following]
        acts.append(found.a.offers[done].act(turn))
        turn = (turn + found.a.reply(found.pairs[here][0], done).moved) % 4
    return Seat.N, (*acts, found.a.offers[offer].act(turn))


def _length(told: Told) -> tuple[int, str]:
    finding = told.finding
    return 0 if finding.witness is None else len(finding.witness.acts), finding.when


def _alike(searches: Sequence[Search], findings: Sequence[Finding], patience: Patience) -> Iterator[Finding]:
    """The clauses that are not alike and made no difference: by topic, those that were met and those that were not."""
    named_a = {clause.id for finding in findings for clause in finding.clauses_a}
    named_b = {clause.id for finding in findings for clause in finding.clauses_b}
    met_a: set[str] = set()
    met_b: set[str] = set()
    left_a: dict[str, Clause] = {}
    left_b: dict[str, Clause] = {}
    complete = True
    for found in searches:
        unlike = Unlike(found.a, found.b)
        in_a, in_b = _rules(found.a, unlike.only_a - named_a), _rules(found.b, unlike.only_b - named_b)
        try:
            seen = taking_part(found, in_a, in_b, _MOST_RULINGS)
        except KeyboardInterrupt:
            # What is not looked for to the end is not told of.
            patience.interrupted = True
            return
        met_a |= seen.a
        met_b |= seen.b
        complete = complete and found.complete and seen.all_seen
        left_a |= {clause.id: clause for clause in in_a}
        left_b |= {clause.id: clause for clause in in_b}
    for topic in dict.fromkeys(clause.law.topic for clause in (*left_a.values(), *left_b.values())):
        of_a = tuple(clause for clause in left_a.values() if clause.law.topic == topic)
        of_b = tuple(clause for clause in left_b.values() if clause.law.topic == topic)
        if any(clause.id in met_a for clause in of_a) or any(clause.id in met_b for clause in of_b):
            yield Finding(FindingKind.ANOTHER_LAW, of_a, of_b, "", 0, None)
        elif complete:
            yield Finding(FindingKind.UNREACHABLE, of_a, of_b, "", 0, None)


def _rules(space: Space, ids: frozenset[str]) -> tuple[Clause, ...]:
    """Those of the clauses that rule on the acts offered."""
    names = {offer.name for offer in space.offers}
    return tuple(
        clause
        for clause in clauses_of(space.edition, ids)
        if clause.scores is None
        and clause.kind is not Kind.DEFINITION
        and clause.trigger is not None
        and clause.trigger.acts & names
    )
