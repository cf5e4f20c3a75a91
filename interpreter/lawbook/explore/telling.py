"""Telling: findings made of what searches found, each with its cause, its condition and the shortest auction.

Causes and conditions take their time. When there is none left, or somebody interrupts, what was found is told all the
same: causes of one act for each way in which the editions part, and no conditions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from lawbook.compare.bearers import clauses_of, used_otherwise
from lawbook.compare.findings import Also, Finding, FindingKind
from lawbook.edition.model import Clause, Kind
from lawbook.explore.causes import NO_CAUSE, Cause, Group, Unlike, grouped, taking_part, with_reasons_of_their_own
from lawbook.explore.conditions import Condition, condition_of
from lawbook.explore.kinds import kind_of
from lawbook.explore.patience import Patience
from lawbook.explore.plan import Searched
from lawbook.explore.product import Divergence, Search
from lawbook.explore.space import Space
from lawbook.explore.witnesses import Firsts, witness_of

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
    parts: Iterable[tuple[Sequence[Searched], frozenset[str] | None]], unknown: Collection[str], patience: Patience
) -> list[Told]:
    """The findings of the parts of a search, each of one or more searches: of each what those before it do not show,
    the shortest auctions first, and then what makes no difference. Of a part that comes with acts, only what one of
    these leads to. What rests on nothing but topics that are `unknown` is none."""
    findings: list[Told] = []
    shown: set[_Clauses] = set()
    searches: list[Search] = []
    for part, after in parts:
        new = _Part(unknown, frozenset(shown), patience)
        for found in (found for searched in part for found in searched.all_found):
            new.add(found, after)
            searches.append(found)
        findings += sorted(new.told, key=_length)
        shown |= new.causes
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
        every = grouped(found, after, self._patience)
        # What may be no difference is no reason to leave out what it is part of.
        told = [group for group in every if self._is_known(group, found)]
        if not found.beyond:
            told = Firsts(found).only(told)
        groups = [g for g in with_reasons_of_their_own(told, found) if _clauses(g.cause, found) not in self._shown]
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
            finding = _finding(group, condition, others, found, any(group.cause < other.cause for other in every))
            self._made[_key(first)] = Told(finding, ((found, group.divergences),))

    def _is_known(self, group: Group, found: Search) -> bool:
        """Whether a cause is known to be one."""
        in_a, in_b = _clauses(group.cause, found)
        topics = _topics((*in_a, *in_b))
        return not topics or not all(topic in self._unknown for topic in topics)

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


def _finding(group: Group, condition: Condition, others: Sequence[Group], found: Search, alone: bool) -> Finding:
    first = group.divergences[0]
    cause = group.cause if group.earlier else group.cause | _written_before(group, found)
    in_a, in_b = _named(cause, found)
    return Finding(
        kind_of(first, found),
        in_a,
        in_b,
        condition.text,
        len({(found.pairs[divergence.node], divergence.offer) for divergence in group.divergences}),
        witness_of(first, found),
        condition.exact,
        tuple(Also(*_named(one.cause, found), witness_of(one.divergences[0], found)) for one in others),
        alone=alone,
    )


def _named(cause: Cause, found: Search) -> _Clauses:
    """The clauses of a cause, with those that say what words mean that make them unlike."""
    a, b = found.a.edition, found.b.edition
    return (
        clauses_of(a, cause.a | used_otherwise(a, b, cause.a)),
        clauses_of(b, cause.b | used_otherwise(b, a, cause.b)),
    )


def _written_before(group: Group, found: Search) -> Cause:
    """The clauses that wrote, on the way to some of a group's acts, what its clauses read otherwise there."""
    unlike, cause = Unlike(found.a, found.b), NO_CAUSE
    for divergence in group.divergences[:_ASKED_BEFORE]:
        _, reads = unlike.unseen(found.pairs[divergence.node], divergence)
        if reads:
            cause |= unlike.before(divergence, found)
    return cause


def _length(told: Told) -> tuple[int, str]:
    finding = told.finding
    return 0 if finding.witness is None else len(finding.witness.acts), finding.when


def _alike(searches: Sequence[Search], findings: Sequence[Finding], patience: Patience) -> Iterator[Finding]:
    """The clauses that are not alike and made no difference: by topic, those that were met and those that were not."""
    # What one edition is told to rule otherwise by, the other has something else in the place of.
    named = {clause.id for finding in findings for clause in finding.clauses}
    met_a: set[str] = set()
    met_b: set[str] = set()
    left_a: dict[str, Clause] = {}
    left_b: dict[str, Clause] = {}
    complete = True
    for found in searches:
        unlike = Unlike(found.a, found.b)
        in_a, in_b = _rules(found.a, unlike.only_a - named), _rules(found.b, unlike.only_b - named)
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
