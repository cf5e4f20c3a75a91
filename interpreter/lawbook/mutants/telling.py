"""Telling apart: an auction, or deals, that a mutant rules on otherwise than the law.

Law and mutant take the same acts side by side, from where the examples that read the clause have been; the first act on
which they differ, in the ruling or in how the auction then stands, tells them apart.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

from lawbook.coverage.measuring import Coverage
from lawbook.coverage.offers import DealOffer, Offer, roots_for
from lawbook.dealing import rubbers
from lawbook.edition.machines import mentions_of
from lawbook.edition.model import CALL_KINDS, Clause, Edition, Kind, Step
from lawbook.errors import LawbookError
from lawbook.examples import Example, ScoredExample, run_under
from lawbook.examples.drafting import FURTHER, Draft, draft
from lawbook.examples.running import scored
from lawbook.loading import machine_of
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event, Ruling
from lawbook.machine.sheet import Sheet
from lawbook.machine.state import State
from lawbook.machine.tables import is_of_sheet
from lawbook.mutants.making import Mutant, made
from lawbook.search import Acts, events_of, few_bids, notation, shortened

# What is raised where a mutant meets a value that is missing, without its guard, or outside its domain. The checker
# would have refused such a law; the machine counts on that.
UNRESOLVABLE: Final = (AssertionError, IndexError, TypeError)
# Passes that bring any auction to its end.
_MOST_PASSES: Final = 5


@dataclass(frozen=True, slots=True)
class Told:
    """What tells a mutant from the law, and what an example of it has to say besides the ruling."""

    offer: Offer | DealOffer
    also: tuple[str, ...] = ()


def tell_apart(mutant: Mutant, coverage: Coverage, under: str, most_acts: int) -> Told | None:
    """What tells a mutant from the law under an edition, within so many acts or deals; None if nothing was found.

    Raises what UNRESOLVABLE lists where the mutant could not be resolved.
    """
    edition = coverage.editions[under]
    altered = made(mutant, edition)
    if altered is None:
        return None
    calls, scores = _machines_of(mutant.clause, edition)
    told = _by_acts(mutant, edition, altered, coverage, under, most_acts) if calls else None
    return told or (_by_deals(edition, altered, coverage, under, most_acts) if scores else None)


def _machines_of(clause: Clause, edition: Edition) -> tuple[bool, bool]:
    """Whether a clause has a part in auctions, and in the score."""
    if clause.kind is not Kind.DEFINITION:
        scores = is_of_sheet(clause, edition)
        return not scores, scores
    words = {definition.word for definition in edition.definitions.values() if definition.clause == clause.id}
    users = {word: mentions_of(definition).definitions for word, definition in edition.definitions.items()}
    while wider := {word for word, used in users.items() if used & words} - words:
        words |= wider
    using = [c for c in edition.clauses if mentions_of(c).definitions & words]
    in_scores = any(is_of_sheet(c, edition) for c in using)
    return not in_scores or any(not is_of_sheet(c, edition) for c in using), in_scores


def _by_acts(
    mutant: Mutant, edition: Edition, altered: Edition, coverage: Coverage, under: str, most_acts: int
) -> Told | None:
    pair = _Pair(edition, altered, acts_bearing_on(mutant.clause, edition))
    roots = [root.acts for root in roots_for(mutant.clause, coverage, under, pair.law)]
    found = pair.walk(roots, most_acts)
    if found is None:
        return None
    *before, last = notation(edition, shortened(found, pair.differs)).split()
    offer = Offer(under, " ".join(before), last)
    also = _needed(edition, altered, offer)
    return None if also is None else Told(offer, also)


def _needed(edition: Edition, altered: Edition, offer: Offer) -> tuple[str, ...] | None:
    """What an example has to say for the mutant to fail it: nothing more than the ruling, or the first thing more that
    does; None if there is none."""
    for also in ((), *((key,) for key in FURTHER)):
        try:
            example = as_example(draft(edition, offer.auction, offer.act, also=also), edition)
        except LawbookError:
            return None
        if not run_under(example, edition.name, altered, Machine(altered)).passed:
            return also
    return None


def as_example(made_of: Draft, edition: Edition) -> Example:
    """A draft as the example it would be."""
    told = {key: _texts(value) for key, value in made_of.says}
    expected = {key: texts for key, texts in told.items() if key not in ("that", "dealer", "auction", "act")}
    span = edition.denominations_clause.span
    auction, act = told["auction"][0], told["act"][0]
    return Example("", (edition.name,), edition.id, "N", auction, act, expected, "", span, {})


def _texts(value: object) -> tuple[str, ...]:
    match value:
        case str():
            return (value,)
        case dict():
            return tuple(f"{key}={text}" for key, text in value.items())
        case tuple() | list():
            return tuple(str(item) for item in value)
        case _:
            return ()


def acts_bearing_on(clause: Clause, edition: Edition) -> frozenset[str] | None:
    """The acts on which a clause can have a say; None for any act."""
    chosen = frozenset(name for name, word in edition.acts.items() if word.chooses)
    named = frozenset(name for name, word in edition.acts.items() if "call" in word.argument)
    if clause.remedy is not None:
        offences = clause.remedy.offences
        makers = [c.trigger for c in edition.clauses if c.offence in offences and c.trigger is not None]
        ends = frozenset[str]() if clause.trigger is None else clause.trigger.acts
        return frozenset[str]().union(*(m.acts for m in makers), ends, chosen, named)
    if clause.kind is Kind.WAIVER:
        return chosen
    if clause.kind is Kind.EXCEPTION:
        found: set[str] = set()
        for target in clause.targets:
            bearing = None if target not in edition.by_id else acts_bearing_on(edition.by_id[target], edition)
            if bearing is None:
                return None
            found |= bearing
        return frozenset(found)
    if clause.trigger is None or clause.kind is Kind.DEFINITION:
        return None
    if clause.trigger.step in (Step.MADE, Step.BEFORE, Step.REFUSED):
        return clause.trigger.acts | named
    # A call stands, or is taken back, by what is chosen too.
    return clause.trigger.acts | chosen | named


# -- auctions ----------------------------------------------------------------------------------------------------------


class _Spent(Exception):
    """As many acts as may be tried have been."""


@dataclass(slots=True)
class _Budget:
    """How many acts may still be tried."""

    left: int

    def spend(self) -> None:
        """One act less."""
        if self.left <= 0:
            raise _Spent
        self.left -= 1


@dataclass(frozen=True, slots=True)
class _Node:
    """The states of law and mutant after the same acts."""

    one: State
    other: State
    acts: Acts


class _Pair:
    """The machines of the law and of a mutant, side by side."""

    def __init__(self, edition: Edition, altered: Edition, bearing: frozenset[str] | None) -> None:
        self.law = machine_of(edition)
        self.mutant = Machine(altered)
        self._edition = edition
        self._altered = altered
        self._events = events_of(edition, few_bids(edition))
        # The acts on which the altered clause can have a say while the two states are still the same.
        self._bearing = bearing
        # Where only what is written differs, two states that are equal look alike.
        self._asks = edition.definitions is not altered.definitions or any(
            clause.kind in (Kind.REMEDY, Kind.WAIVER, Kind.EXCEPTION)
            for clause in {*edition.clauses} ^ {*altered.clauses}
        )

    def walk(self, roots: Iterable[Acts], most_acts: int) -> Acts | None:
        """The acts, from the start, after the last of which the two differ.

        Once their states differ that has been got so far, and is gone on from first: by plain endings of the auction,
        then by every act.
        """
        budget = _Budget(most_acts)
        plain: deque[_Node] = deque()
        met: set[tuple[State, State]] = set()
        for acts in roots:
            both = self._after(acts)
            if both is not None and both not in met:
                met.add(both)
                plain.append(_Node(*both, acts))
        try:
            later = list(plain)
            for node in plain:
                if found := self._expanded(node, self._bearing, met, later, budget):
                    return found
            waiting = deque(later)
            while waiting:
                following: list[_Node] = []
                if found := self._expanded(waiting.popleft(), None, met, following, budget):
                    return found
                waiting.extend(following)
        except _Spent:
            pass
        return None

    def _expanded(
        self,
        node: _Node,
        bearing: frozenset[str] | None,
        met: set[tuple[State, State]],
        following: list[_Node],
        budget: _Budget,
    ) -> Acts | None:
        """Try these acts (all, if None) in a pair of states; what they lead to is to be gone on from."""
        for event in self._offered(node.one):
            if bearing is not None and event.name not in bearing:
                continue
            budget.spend()
            after = self._both(node.one, node.other, event)
            if after is None:
                return (*node.acts, event)
            if after in met:
                continue
            met.add(after)
            reached = _Node(*after, (*node.acts, event))
            if reached.one != reached.other and (found := self._ended(reached, budget)):
                return found
            following.append(reached)
        return None

    def _ended(self, node: _Node, budget: _Budget) -> Acts | None:
        """Bring the auction to an end in several plain ways, to see a difference that is only in what is remembered."""
        for first in (None, *self._events[self._turn(node.one)]):
            here = node
            for event in (first, *repeat(None, _MOST_PASSES)):
                act = event or Event(self._turn(here.one), CALL_KINDS[0], 0)
                if act.name not in CALL_KINDS:
                    break
                budget.spend()
                after = self._both(here.one, here.other, act)
                if after is None:
                    return (*here.acts, act)
                here = _Node(*after, (*here.acts, act))
                if here.one == here.other:
                    break
        return None

    def _turn(self, state: State) -> int:
        return self.law.evaluator.value(self._edition.interface.turn, state.values, {}) or 0

    def differs(self, acts: Acts) -> bool:
        """Whether the two differ on the last of some acts, and not before."""
        both = self._after(acts[:-1])
        return both is not None and self._both(*both, acts[-1]) is None

    def _offered(self, state: State) -> Iterator[Event]:
        turn = self._turn(state)
        for place in range(4):
            yield from self._events[(turn + place) % 4]
        yield from self._events[4]

    def _after(self, acts: Acts) -> tuple[State, State] | None:
        """The two states after some acts; None where the two differ on the way."""
        one, other = self.law.start(0), self.mutant.start(0)
        for event in acts:
            after = self._both(one, other, event)
            if after is None:
                return None
            one, other = after
        return one, other

    def _both(self, one: State, other: State, event: Event) -> tuple[State, State] | None:
        """The two states after an act; None where the two differ on it."""
        said = told = None
        with contextlib.suppress(LawbookError):
            said = self.law.act(one, event)
        with contextlib.suppress(LawbookError):
            told = self.mutant.act(other, event)
        if said is None or told is None:
            # Clauses that contradict each other rule nothing.
            return (one, other) if said is told else None
        if _answer(said) != _answer(told):
            return None
        after, then = said[-1].state, told[-1].state
        if (after != then or self._asks) and self._view(self.law, after) != self._view(self.mutant, then):
            return None
        return after, then

    def _view(self, machine: Machine, state: State) -> object:
        """What can be seen of a state from outside."""
        interface, evaluator, values = self._edition.interface, machine.evaluator, state.values
        asked = (interface.status, interface.turn, interface.contract, interface.doubling)
        declared = evaluator.value(interface.contract, values, {}) is not None
        return (
            tuple(evaluator.value(term, values, {}) for term in asked),
            tuple(evaluator.value(t, values, {}) for t in (interface.declarer, interface.dummy)) if declared else (),
            tuple(evaluator.truth(interface.debarred, values, {"that": seat}) for seat in range(4)),
            frozenset((o.seat, o.choice.act) for o in machine.options(state)) if state.held else (),
        )


def _answer(rulings: tuple[Ruling, ...]) -> object:
    """What is said of an act, and of what happened of itself after it."""
    return tuple(
        (
            ruling.verdict,
            ruling.offences,
            ruling.unpenalised,
            frozenset(clause.id for clause in ruling.because),
            tuple((s.side, s.column, s.points) for s in ruling.scored),
        )
        for ruling in rulings
    )


# -- deals -------------------------------------------------------------------------------------------------------------


def _by_deals(edition: Edition, altered: Edition, coverage: Coverage, under: str, most: int) -> Told | None:
    law, mutant = Sheet(edition), Sheet(altered)
    shown = [trace.example.deals for trace in coverage.traces if isinstance(trace.example, ScoredExample)]
    for deals in itertools.islice(rubbers(edition, shown), most):
        said, told = _score(edition, deals, law), _score(altered, deals, mutant)
        if said != told:
            differ = tuple(key for key in said if said[key] != told.get(key))
            return Told(DealOffer(under, deals), differ)
    return None


def _score(edition: Edition, deals: Sequence[Mapping[str, object]], sheet: Sheet) -> Mapping[str, object]:
    """What deals come to under each key; nothing where they cannot be entered."""
    try:
        return scored(edition, deals, sheet)
    except LawbookError:
        return {}
