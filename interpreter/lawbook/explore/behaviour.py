"""Behaviour: what the product search found of two editions, as findings that can be shown.

Searches go deeper by one irregular act at a time, as far as the budget lasts. Every witness is replayed by the ordinary
facade, which gives the answers that are shown.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from lawbook.compare.bearers import clauses_of
from lawbook.compare.findings import Behaviour, Coverage, Finding, FindingKind, Witness, witness
from lawbook.compare.structure import Change, TopicComparison, compare_structure
from lawbook.edition.model import Clause, Edition, Kind
from lawbook.explore.bearing import bearing_on_calls, together
from lawbook.explore.causes import Cause, Group, Unlike, grouped, taking_part
from lawbook.explore.conditions import condition_of
from lawbook.explore.kinds import kind_of
from lawbook.explore.plan import Part, Plan, Searched, bids_of
from lawbook.explore.product import Divergence, Progress, Search
from lawbook.explore.searches import searches
from lawbook.explore.space import Space
from lawbook.sentences import listed
from lawbook.values import Act, Seat

# So many rulings of each edition are looked through, at most, for clauses that made no difference.
_MOST_RULINGS: Final = 20_000


def compare_behaviour(
    a: Edition, b: Edition, plan: Plan | None = None, progress: Callable[[Progress], None] | None = None
) -> Behaviour:
    """How two editions differ at the table, as far as the plan goes; without one, as far as a plan goes unless told
    otherwise.

    >>> from lawbook.loading import load
    >>> compare_behaviour(load("whist-club-1912"), load("whist-club-1912")).differ
    False
    """
    plan = plan or Plan()
    if a.hash == b.hash:
        bids = bids_of(a, b, tuple(sorted(together(a, b))), plan)
        return Behaviour(a, b, (), Coverage(True, 0, 0, bids.bids, None, (_ONE_EDITION,)))
    # What is only found in one text may stand in the other's part that was not at hand: that is no difference.
    unknown = {topic.topic: topic for topic in compare_structure(a, b).topics if topic.change is Change.NOT_AT_HAND}
    parts = dict(searches(a, b, plan, progress))
    findings: list[Finding] = []
    for name, part in parts.items():
        shown = {(finding.clauses_a, finding.clauses_b) for finding in findings}
        # What calls alone lead to is shown already.
        after = bearing_on_calls(a, b) if name is Part.BEARING else None
        findings += sorted(_findings(part, after, shown, unknown), key=_length)
    searched = [found for part in parts.values() for found in part.all_found]
    findings += [f for f in _alike(searched, findings) if not _topics(f.clauses) <= {*unknown}]
    main = parts[Part.CALLS]
    coverage = Coverage(
        all(part.complete for name, part in parts.items() if name not in _APART),
        sum(part.states for part in parts.values()),
        sum(part.transitions for part in parts.values()),
        main.accounted_for.bids,
        None if main.of_any_number else main.found.bounds.irregularities,
        (*_notes(parts), *_not_at_hand(unknown.values())),
        None if main.of_any_number else main.found.bounds.open_at_once,
    )
    return Behaviour(a, b, tuple(findings), coverage)


# The parts about acts that depend on more than calls do.
_APART: Final = (Part.BEARING, Part.APART)
_ONE_EDITION: Final = "Their clauses mean the same, one and all, so there is nothing to search."


def _is_new(
    group: Group, found: Search, shown: set[tuple[tuple[Clause, ...], tuple[Clause, ...]]], unknown: Container[str]
) -> bool:
    """Whether a cause was not shown already, and is known to be one."""
    clauses = clauses_of(found.a.edition, group.cause.a), clauses_of(found.b.edition, group.cause.b)
    topics = _topics((*clauses[0], *clauses[1]))
    return clauses not in shown and (not topics or not all(topic in unknown for topic in topics))


def _topics(clauses: Iterable[Clause]) -> set[str]:
    return {clause.law.topic for clause in clauses}


def _not_at_hand(topics: Iterable[TopicComparison]) -> Iterator[str]:
    titles = [topic.title for topic in topics]
    if titles:
        yield f"Not compared, because not all of the text was at hand: {listed(titles)}."


# -- findings ----------------------------------------------------------------------------------------------------------


def _findings(
    part: Searched,
    after: frozenset[str] | None,
    shown: set[tuple[tuple[Clause, ...], tuple[Clause, ...]]],
    unknown: Container[str],
) -> Iterable[Finding]:
    """What one part found that is not shown yet: a cause as the search that goes deepest has it, with the shortest
    auction of any."""
    made: dict[tuple[Cause, bool], Finding] = {}
    for found in part.all_found:
        for group in grouped(found, after):
            if not _is_new(group, found, shown, unknown):
                continue
            known = made.get((group.cause, group.earlier))
            if known is None:
                made[group.cause, group.earlier] = _finding(group, found)
                continue
            first = group.divergences[0]
            shorter = witness_of(first, found)
            if known.witness is not None and len(shorter.acts) < len(known.witness.acts):
                made[group.cause, group.earlier] = replace(known, kind=kind_of(first, found), witness=shorter)
    return made.values()


def _finding(group: Group, found: Search) -> Finding:
    first = group.divergences[0]
    condition = condition_of(group, found)
    return Finding(
        kind_of(first, found),
        clauses_of(found.a.edition, group.cause.a),
        clauses_of(found.b.edition, group.cause.b),
        condition.text,
        len({(found.pairs[divergence.node], divergence.offer) for divergence in group.divergences}),
        witness_of(first, found),
        condition.exact,
    )


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
        return Seat(found.parents[found.nodes_to(node)[0]] % 4), tuple(acts)
    nodes = found.nodes_to(node)
    for here, following in itertools.pairwise(nodes):
        done = found.offers[following]
        acts.append(found.a.offers[done].act(turn))
        turn = (turn + found.a.reply(found.pairs[here][0], done).moved) % 4
    return Seat.N, (*acts, found.a.offers[offer].act(turn))


def _length(finding: Finding) -> tuple[int, str]:
    return 0 if finding.witness is None else len(finding.witness.acts), finding.when


def _alike(searches: Sequence[Search], findings: Sequence[Finding]) -> Iterator[Finding]:
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
        seen = taking_part(found, in_a, in_b, _MOST_RULINGS)
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


def _notes(parts: Mapping[Part, Searched]) -> Iterator[str]:
    main = parts[Part.CALLS]
    yield main.accounted_for.note
    if main.found.beyond:
        yield "It went on after differences in ruling where the table looked alike; what follows others was left out."
    if main.apart is not None:
        few = "" if main.in_order is None else f", and of bids after one only {_bids(main)}"
        yield (
            f"The findings are of auctions with {_depth(main)}{few}. With any number of irregular acts each open right "
            f"was followed by itself ({main.apart.tables:,} tables, {main.apart.rights:,} rights): the editions part "
            "through no clause but those named."
        )
    if any(found.doubtful for found in main.all_found):
        yield "Some positions were lost sight of: what was left of their auctions may differ in ways not listed."
    for part in parts.values():
        if part.found.stopped_by is not None:
            yield f"The search ended early: {part.found.stopped_by}."
    if Part.CORRECTIONS in parts:
        corrections = parts[Part.CORRECTIONS]
        if not corrections.found.complete:
            few = "" if corrections.bids.bids == main.accounted_for.bids else f" and no bids but {_bids(corrections)}"
            yield f"Corrections of calls were searched in auctions with {_depth(corrections)}{few}."
        if corrections.apart is not None:
            yield (
                "With any number of irregular acts, and all bids offered, whether each player may correct his call was "
                "followed by itself: on that the editions part through no clause but those named, and on a corrected "
                "call as on the call itself."
            )
    left_out = sorted(main.found.a.left_out & main.found.b.left_out)
    if left_out:
        yield f"Left out, for no ruling on the acts offered first depends on it: {listed(left_out)}."
    offered = {act for name, part in parts.items() if name not in _APART for act in part.acts}
    if Part.BEARING in parts:
        part = parts[Part.BEARING]
        acts = listed(sorted({*part.acts} - offered))
        yield (
            f"Searched with calls, because it bears on them: {acts}; with no bids but "
            f"{_bids(part)}, in auctions with {_depth(part)}."
        )
    others = listed(sorted({*main.found.a.edition.acts, *main.found.b.edition.acts} - offered))
    if Part.APART in parts:
        yield (
            "Searched apart, in auctions otherwise in order and with no bids but "
            f"{_bids(parts[Part.APART])}: who plays the hand, and acts that depend on more than calls do ({others})."
        )
    elif others:
        yield f"Acts not offered: {others}."


def _bids(part: Searched) -> str:
    """The bids that were searched."""
    return listed([str(bid) for bid in part.bids.bids])


def _depth(part: Searched) -> str:
    """How irregular the auctions are that were searched."""
    match part.found.bounds.irregularities:
        case None:
            return "any number of irregular acts"
        case 0:
            return "no irregular act before the one that differs"
        case 1:
            return "at most 1 irregular act before the one that differs"
        case most:
            return f"at most {most} irregular acts before the one that differs"
