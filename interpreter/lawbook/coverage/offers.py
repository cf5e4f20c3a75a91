"""Offers: for what no example shows, an auction that does, looked for with a budget of acts.

The walk begins where the examples that read the clause have been, and at the start. What it finds is made shorter as
long as it still shows what it should; what it does not find may yet be there.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lawbook.coverage.goals import Goal, Key, place_of, trees_of
from lawbook.coverage.measuring import Coverage, Onlooker
from lawbook.dealing import Told, rubbers
from lawbook.edition.machines import mentions_of, parts_of
from lawbook.edition.model import Clause, Edition
from lawbook.errors import LawbookError
from lawbook.examples import Example, ScoredExample
from lawbook.examples.running import scored
from lawbook.history import History
from lawbook.language import core
from lawbook.loading import read_auction
from lawbook.machine.machine import Machine
from lawbook.machine.tables import is_of_sheet
from lawbook.notation import ALL_PASS
from lawbook.search import Acts, Root, Walk, notation, shortened
from lawbook.values import Act, Seat


@dataclass(frozen=True, slots=True)
class Offer:
    """An auction under an edition whose last act shows something."""

    edition: str
    auction: str
    act: str


@dataclass(frozen=True, slots=True)
class DealOffer:
    """Deals under an edition whose last shows something."""

    edition: str
    deals: tuple[Told, ...]


Found: TypeAlias = dict[Key, Offer | DealOffer]


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found for some goals, how many acts and deals were tried, and how many at most for each clause."""

    offers: Found
    tried: int
    most: int


def offers_for(
    goals: Sequence[Goal],
    coverage: Coverage,
    most_acts: int,
    progress: Callable[[int, int, str], None] = lambda _done, _whole, _what: None,
) -> Looked:
    """Look for auctions and deals that show these goals, trying so many acts for each clause, and so many deals."""
    found: Found = {}
    tried = 0
    wanted: dict[str, list[Goal]] = {}
    for goal in goals:
        if not is_of_sheet(goal.clause, coverage.edition_of(goal.clause)):
            wanted.setdefault(coverage.clauses[place_of(goal.clause)][1], []).append(goal)
    clauses = [
        (under, c) for under, mine in wanted.items() for c in {place_of(g.clause): g.clause for g in mine}.values()
    ]
    for done, (under, clause) in enumerate(clauses):
        progress(done, len(clauses), clause.id)
        missing = [goal for goal in wanted[under] if goal.key not in found]
        if any(goal.clause is clause for goal in missing):
            tried += _look(clause, missing, coverage, under, most_acts, found)
    tried += _look_for_deals(goals, coverage, most_acts, found)
    progress(len(clauses), len(clauses), "")
    return Looked(found, tried, most_acts)


def _look(clause: Clause, goals: Sequence[Goal], coverage: Coverage, under: str, most_acts: int, found: Found) -> int:
    """Walk until every goal of a clause is shown; what else is shown on the way is taken along."""
    edition = coverage.editions[under]
    onlooker = Onlooker(edition, _asked_for(goals, edition))
    machine, watch = onlooker.watched.machine, onlooker.watched.watch
    missing = {goal.key for goal in goals}
    own = {goal.key for goal in goals if goal.clause is clause}
    walk = Walk(edition, roots_for(clause, coverage, under, machine), machine=machine, most_acts=most_acts)
    watch.forget()
    for step in walk:
        shown = missing.intersection(onlooker.shows(step.rulings))
        watch.forget()
        for key in shown:
            *before, last = notation(edition, _shortened(onlooker, step.acts, key)).split()
            found[key] = Offer(under, " ".join(before), last)
        missing -= shown
        if not own & missing:
            break
    return walk.tried


def _shortened(onlooker: Onlooker, acts: Acts, key: Key) -> Acts:
    return shortened(acts, lambda fewer: _shows(onlooker, fewer, key))


def _shows(onlooker: Onlooker, acts: Acts, key: Key) -> bool:
    """Whether the last of some acts shows a goal."""
    machine, watch = onlooker.watched.machine, onlooker.watched.watch
    state = machine.start(0)
    try:
        for event in acts[:-1]:
            state = machine.act(state, event)[-1].state
        watch.forget()
        rulings = machine.act(state, acts[-1])
    except LawbookError:
        return False
    finally_shown = key in set(onlooker.shows(rulings))
    watch.forget()
    return finally_shown


def _asked_for(goals: Iterable[Goal], edition: Edition) -> frozenset[int]:
    """The identities of the conditions in which these goals are asked, be it by way of a word that a law defines."""
    leaves = {id(goal.leaf) for goal in goals if goal.leaf is not None}
    asides = {id(goal.tree) for goal in goals if goal.leaf is None and goal.tree is not None}
    words = {
        definition.word
        for definition in edition.definitions.values()
        if any(goal.clause.id == definition.clause for goal in goals)
    }
    users = {word: mentions_of(definition).definitions for word, definition in edition.definitions.items()}
    while wider := {word for word, used in users.items() if used & words} - words:
        words |= wider

    def speaks(tree: core.Truth) -> bool:
        if id(tree) in asides or mentions_of(tree).definitions & words:
            return True
        return any(id(part) in leaves for part in parts_of(tree))

    return frozenset(id(tree) for clause in edition.clauses for _, tree in trees_of(clause, edition) if speaks(tree))


def roots_for(clause: Clause, coverage: Coverage, under: str, machine: Machine) -> list[Root]:
    """Where to begin: at the start, and where the examples that read a clause have been, the shortest way first.

    Where none reads it, those of its law file are taken, else all.
    """
    place = place_of(clause)
    reading = [t for t in coverage.traces if place in t.read]
    beside = [t for t in coverage.traces if t.example.file == clause.law.file]
    roots = [Root(machine.start(0))]
    edition = coverage.editions[under]
    notations = dict.fromkeys(
        trace.example.notation
        for trace in reading or beside or coverage.traces
        if isinstance(trace.example, Example) and trace.example.dealer == "N"
    )
    for auction in notations:
        roots += _prefixes(auction, edition, machine)
    unique = {root.state: root for root in sorted(roots, key=lambda root: -len(root.acts))}
    return sorted(unique.values(), key=lambda root: len(root.acts))


def _prefixes(auction: str, edition: Edition, machine: Machine) -> Iterator[Root]:
    """The states along an auction, each with the acts that lead there."""
    history = History(edition, Seat.N, machine)
    acts: Acts = ()
    try:
        for token in read_auction(edition, auction):
            if token.act is ALL_PASS or not isinstance(token.act, Act):
                return
            history.add(token.act)
            acts = (*acts, history.groups[-1][0].ruling.event)
            yield Root(history.states[-1], acts)
    except LawbookError:
        return


# -- of deals ----------------------------------------------------------------------------------------------------------


def _look_for_deals(goals: Sequence[Goal], coverage: Coverage, most_deals: int, found: Found) -> int:
    """Try deals for those of the goals that are of the score sheet: plain ones, and a few behind those of examples."""
    tried = 0
    wanted: dict[str, set[Key]] = {}
    for goal in goals:
        if is_of_sheet(goal.clause, coverage.edition_of(goal.clause)):
            wanted.setdefault(coverage.clauses[place_of(goal.clause)][1], set()).add(goal.key)
    shown = [trace.example.deals for trace in coverage.traces if isinstance(trace.example, ScoredExample)]
    for under, missing in wanted.items():
        edition = coverage.editions[under]
        onlooker = Onlooker(edition, _asked_for([goal for goal in goals if goal.key in missing], edition))
        for deals in itertools.islice(rubbers(edition, shown), most_deals):
            tried += 1
            onlooker.watched.watch.forget()
            with contextlib.suppress(LawbookError):
                scored(edition, deals, onlooker.watched.sheet)
            for key in missing.intersection(onlooker.shows(())):
                found[key] = DealOffer(under, deals)
                missing.discard(key)
            if not missing:
                break
    return tried
