"""Behaviour: what the product search found of two editions, as findings that can be shown.

Searches go deeper by one irregular act at a time, as far as the budget lasts. Every witness is replayed by the ordinary
facade, which gives the answers that are shown.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lawbook.compare.findings import Behaviour, Coverage, Finding, FindingKind, Witness, witness
from lawbook.edition.model import Clause, Edition, Kind
from lawbook.explore.bearing import together
from lawbook.explore.bids import all_bids, sufficient_bids
from lawbook.explore.causes import Group, Unlike, clauses_of, grouped, taking_part
from lawbook.explore.conditions import condition_of
from lawbook.explore.kinds import kind_of
from lawbook.explore.offers import offers_of
from lawbook.explore.product import Budget, Divergence, Progress, Search, search
from lawbook.explore.space import Space
from lawbook.explore.turning import alike_all_round
from lawbook.sentences import listed
from lawbook.values import Act, Bid, Seat

MOST_BIDS: Final = 5
"""How many bids are offered unless more are asked for."""

_SECONDS_FOR_CLAUSES: Final = 10.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What to search: the bids to offer (None: the `most_bids` most telling), how many irregular acts deep at most
    (None: any number), which acts other than calls (None: all that belong together with calls), seconds and pairs of
    states at most (None: as many as it takes), and whether to go on after a difference where the editions still look
    alike."""

    bids: tuple[Bid, ...] | None = None
    most_bids: int | None = None
    irregularities: int | None = 1
    acts: tuple[str, ...] | None = None
    seconds: float | None = None
    pairs: int | None = None
    beyond: bool = False


def compare_behaviour(
    a: Edition, b: Edition, plan: Plan = Plan(), progress: Callable[[Progress], None] | None = None
) -> Behaviour:
    """How two editions differ at the table, as far as the plan goes.

    >>> from lawbook.loading import load
    >>> compare_behaviour(load("whist-club-1912"), load("whist-club-1912")).differ
    False
    """
    acts = tuple(sorted(together(a, b))) if plan.acts is None else plan.acts
    chosen = _bids(a, b, acts, plan)
    if a.hash == b.hash:
        return Behaviour(a, b, (), Coverage(True, 0, 0, chosen.bids, None, (_ONE_EDITION,)))
    whole, found = _deepened(a, b, chosen.bids, acts, plan, progress)
    findings = [_finding(group, found) for group in grouped(found)]
    findings += _alike(found, findings)
    notes = tuple(_notes(found, chosen, acts, plan))
    complete = found.complete and chosen.enough and not plan.beyond
    coverage = Coverage(complete, *whole, chosen.bids, None if found.complete else found.irregularities, notes)
    return Behaviour(a, b, tuple(sorted(findings, key=_order)), coverage)


_ONE_EDITION: Final = "Their clauses mean the same, one and all, so there is nothing to search."


@dataclass(frozen=True, slots=True)
class _Bids:
    bids: tuple[Bid, ...]
    enough: bool
    note: str


def _bids(a: Edition, b: Edition, acts: Sequence[str], plan: Plan) -> _Bids:
    everything = all_bids(a, b)
    if plan.bids is None:
        found = sufficient_bids((a, b), acts, plan.most_bids or MOST_BIDS)
        enough = found.all_shown
        note = (
            f"Bids: three of those offered stand to one another in {found.shown} of the {found.relations} ways that "
            "the laws tell apart."
        )
        return _Bids(found.bids, enough, note)
    if set(plan.bids) >= set(everything):
        return _Bids(everything, True, "Bids: all there are.")
    return _Bids(
        plan.bids, False, "Bids: those asked for; whether they show all that the laws tell apart was not asked."
    )


def _deepened(
    a: Edition,
    b: Edition,
    bids: Sequence[Bid],
    acts: Sequence[str],
    plan: Plan,
    progress: Callable[[Progress], None] | None,
) -> tuple[tuple[int, int], Search]:
    """The deepest search that the budget allows, with what a deeper one had found when it ended; before it, how many
    pairs of states and transitions the search that was not cut short went through."""
    offers = offers_of((a, b), bids, acts)
    turned = alike_all_round(a) and alike_all_round(b)
    spaces = Space(a, offers, turned=turned), Space(b, offers, turned=turned)
    deadline = None if plan.seconds is None else time.monotonic() + plan.seconds
    depth = 0
    done: Search | None = None
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        found = search(*spaces, depth, Budget(plan.pairs, left), progress, plan.beyond)
        if not found.finished:
            # What a search that was cut short has found is so, but it is no account of everything so deep.
            return _size(done or found), found if done is None else found.after(done)
        done = found
        if not found.bounded or depth == plan.irregularities:
            return _size(found), found
        depth += 1


def _size(found: Search) -> tuple[int, int]:
    return len({found.pairs[node] for node in found.gone_on_from}), found.transitions


# -- findings ----------------------------------------------------------------------------------------------------------


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


def _order(finding: Finding) -> tuple[bool, int, str]:
    acts = () if finding.witness is None else finding.witness.acts
    return finding.kind.alike, len(acts), finding.when


def _alike(found: Search, findings: Sequence[Finding]) -> Iterator[Finding]:
    """The clauses that are not alike and made no difference: by topic, those that were met and those that were not."""
    named_a = {clause.id for finding in findings for clause in finding.clauses_a}
    named_b = {clause.id for finding in findings for clause in finding.clauses_b}
    unlike = Unlike(found.a, found.b)
    left_a = _rules(found.a, unlike.only_a - named_a)
    left_b = _rules(found.b, unlike.only_b - named_b)
    met_a, met_b = taking_part(found, left_a, left_b, _SECONDS_FOR_CLAUSES)
    topics = dict.fromkeys(clause.law.topic for clause in (*left_a, *left_b))
    for topic in topics:
        of_a = tuple(clause for clause in left_a if clause.law.topic == topic)
        of_b = tuple(clause for clause in left_b if clause.law.topic == topic)
        seen = [clause for clause in (*of_a, *of_b) if clause.id in met_a | met_b]
        if seen:
            yield Finding(FindingKind.ANOTHER_LAW, of_a, of_b, "", 0, None)
        elif found.complete:
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


def _notes(found: Search, chosen: _Bids, acts: Sequence[str], plan: Plan) -> Iterator[str]:
    a, b = found.a.edition, found.b.edition
    yield chosen.note
    apart = sorted({*a.acts, *b.acts} - {*acts})
    if plan.beyond:
        yield "It went on after differences in ruling where the table looked alike; what follows others was left out."
    if found.stopped_by is not None:
        yield f"The search ended early: {found.stopped_by}."
    if apart:
        yield f"Acts not offered, which depend on more than calls do: {listed(apart)}."
    left_out = sorted(found.a.left_out & found.b.left_out)
    if left_out:
        yield f"Left out, for no ruling on these acts depends on it: {listed(left_out)}."
