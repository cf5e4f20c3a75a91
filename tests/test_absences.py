"""Proofs that something is in no auction: held against random auctions of random and of real editions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from enumeration import random_edition
from hypothesis import given, settings
from hypothesis import strategies as st
from test_gaps import LIBRARY
from thorough import examples

from lawbook.auction import load
from lawbook.edition.model import CALL_KINDS, Clause, Edition, Kind
from lawbook.errors import LawbookError
from lawbook.explore.absences import PROVABLE, Absences
from lawbook.explore.contradictions import unproved
from lawbook.explore.doings import Doings
from lawbook.explore.gapkinds import GapKind
from lawbook.explore.occasions import read_in_auctions
from lawbook.explore.proofs import ANY, reachable
from lawbook.explore.relations import Relations
from lawbook.explore.seeing import Observer
from lawbook.explore.sightings import Sight, Subject, What
from lawbook.language import core
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event
from lawbook.machine.state import Conflict, State

CODES = ("portland-bath-1908", "whist-club-1912", "whist-club-1912-decisions", "whist-club-1913")


def events(edition: Edition, chance: random.Random, machine: Machine, state: State) -> Event:
    """A random act: a right that is open is used more often than chance would have it."""
    options = machine.options(state)
    if options and chance.random() < 0.4:
        option = chance.choice(options)
        return Event(option.seat, option.choice.act)
    turn = machine.evaluator.value(edition.interface.turn, state.values, {}) or 0
    seat = turn if chance.random() < 0.6 else chance.randrange(4)
    if chance.random() < 0.7:
        universe = edition.universe
        highest = universe.bid(universe.levels, len(universe.denominations) - 1)
        call = chance.choice([0, 0, 0, 1, 2, chance.randint(universe.first_bid, highest)])
        return Event(seat, CALL_KINDS[min(call, universe.first_bid)], call)
    act = chance.choice(list(edition.acts.values()))
    argument = None
    if act.argument == "call":
        argument = chance.choice([0, 1, 3, 7])
    return Event(seat if chance.random() < 0.7 else None, act.name, None, argument)


def states(edition: Edition, chance: random.Random, acts: int) -> Iterator[tuple[State, Event, LawbookError | None]]:
    """A random auction: each state, what is done there, and the error if there is no ruling on it."""
    machine = Machine(edition)
    state = machine.start(chance.randrange(4))
    for _ in range(acts):
        event = events(edition, chance, machine, state)
        try:
            after = machine.act(state, event)[-1].state
        except LawbookError as error:
            yield state, event, error
        except (AssertionError, TypeError, KeyError, ValueError):
            # What a random edition was never checked for.
            continue
        else:
            yield state, event, None
            state = after


# -- contradictions ----------------------------------------------------------------------------------------------------


@settings(max_examples=examples(6, 600), deadline=None)
@given(seed=st.integers(0, 1 << 30))
def test_clauses_that_contradict_each_other_are_not_proved_never_to(seed: int) -> None:
    chance = random.Random(seed)
    edition = random_edition(chance, 40, named=True)
    possible = reachable(edition, read_in_auctions(edition))
    allowed = {frozenset((one.id, other.id)) for one, other in unproved(edition, possible)}
    for _ in range(6):
        for _, _, error in states(edition, chance, 12):
            if isinstance(error, Conflict):
                assert frozenset(clause.id for clause in error.clauses) in allowed, error


def test_random_editions_do_contradict_themselves() -> None:
    """Else the test before would show nothing."""
    met = 0
    for seed in range(60):
        chance = random.Random(seed)
        edition = random_edition(chance, 40, named=True)
        met += sum(isinstance(error, Conflict) for _, _, error in states(edition, chance, 20))
    assert met > 20


@pytest.mark.parametrize("name", CODES)
def test_no_clauses_of_the_codes_contradict_each_other(name: str) -> None:
    assert unproved(load(name), ANY) == ()


def test_a_contradiction_that_there_is_is_not_proved_away() -> None:
    found = unproved(load("pedlars-1805", LIBRARY), ANY)
    assert ("shouting-is-loud", "shouting-is-soft") in [(one.id, other.id) for one, other in found]


# -- what registers hold at once ---------------------------------------------------------------------------------------


def related(edition: Edition, chance: random.Random, number: int) -> list[tuple[int, ...]]:
    """Some places whose values are told apart, at random."""
    relations = Relations(Doings(edition), ANY)
    registers = [register for register in edition.registers.values() if not register.per_right]
    slots = [register.slot + chance.randrange(register.size) for register in registers]
    told = [slot for slot in slots if relations.are_told(slot)]
    return [tuple(sorted(chance.sample(told, min(number, len(told))))) for _ in range(2)]


@settings(max_examples=examples(2, 300), deadline=None)
@given(seed=st.integers(0, 1 << 30))
def test_registers_of_a_random_edition_hold_nothing_else_at_once(seed: int) -> None:
    chance = random.Random(seed)
    edition = random_edition(chance, 30, named=True)
    relations = Relations(Doings(edition), reachable(edition, read_in_auctions(edition)))
    found = [relations.between(slots) for slots in related(edition, chance, 2)]
    for _ in range(8):
        for state, _, _ in states(edition, chance, 14):
            for told in found:
                assert told.allows(dict(enumerate(state.values))), (told.slots, told.together, state.values)


@pytest.mark.parametrize("name", CODES)
def test_registers_of_the_codes_hold_nothing_else_at_once(name: str) -> None:
    edition, chance = load(name), random.Random(name)
    relations = Relations(Doings(edition), reachable(edition, read_in_auctions(edition)))
    names = ("status", "last bid", "cards")
    slots = sorted(edition.registers[register].slot for register in names if register in edition.registers)
    found = [relations.between(two) for two in itertools.combinations(slots, 2)]
    assert any(told.says_something for told in found)
    met: set[tuple[int, ...]] = set()
    for _ in range(examples(25, 300)):
        for state, _, _ in states(edition, chance, 25):
            values = dict(enumerate(state.values))
            met.update((told.slots[0], told.told[0](values[told.slots[0]])) for told in found)
            for told in found:
                assert told.allows(values), (told.slots, told.together)
    # The auctions have been far enough to tell: calls, a final declaration, a new deal.
    assert len({kind for slot, kind in met if slot == edition.registers["status"].slot}) >= 3


# -- kinds of gap ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in CODES if name == "whist-club-1912" or examples(0, 1)])
def test_what_the_codes_have_nothing_of_is_proved(name: str) -> None:
    edition = load(name)
    absences = Absences(edition, reachable(edition, read_in_auctions(edition)))
    assert [kind for kind in PROVABLE if not absences.is_proved(kind)] == []


def test_what_there_is_is_not_proved_away() -> None:
    pedlars = load("pedlars-1805", LIBRARY)
    absences = Absences(pedlars, reachable(pedlars, read_in_auctions(pedlars)))
    for kind in (GapKind.CONFLICT, GapKind.UNDEFINED, GapKind.NOBODY_MAY, GapKind.REFUSED):
        assert not absences.is_proved(kind), kind


def test_what_never_ends_is_not_proved_to_end() -> None:
    edition = load("whist-club-1913")

    def without_end(clause: Clause) -> Clause:
        return replace(clause, effects=()) if clause.kind is Kind.OF_ITSELF else clause

    clauses = tuple(map(without_end, edition.clauses))
    endless = replace(edition, clauses=clauses, by_id={clause.id: clause for clause in clauses})
    # Whoever has passed out of turn is passed over for ever, where nobody has bid.
    never = [replace(c, condition=core.TRUE) if c.kind is Kind.OF_ITSELF else c for c in clauses]
    worse = replace(edition, clauses=tuple(never), by_id={clause.id: clause for clause in never})
    assert Absences(edition, ANY).is_proved(GapKind.ENDLESS)
    assert not Absences(endless, ANY).is_proved(GapKind.ENDLESS)
    assert not Absences(worse, ANY).is_proved(GapKind.ENDLESS)


@settings(max_examples=examples(3, 200), deadline=None)
@given(seed=st.integers(0, 1 << 30))
def test_what_a_random_auction_shows_is_not_proved_away(seed: int) -> None:
    chance = random.Random(seed)
    edition = random_edition(chance, 25, named=True)
    subject = Subject.of(edition)
    observer, absences = Observer(subject), Absences(edition, reachable(edition, subject.clauses))
    codes = {"conflict": GapKind.CONFLICT, "endless": GapKind.ENDLESS, "undefined-effect": GapKind.UNDEFINED}
    shown: set[GapKind] = set()
    free: set[str] = set()
    for _ in range(8):
        for state, event, error in states(edition, chance, 10):
            if error is not None:
                shown.add(codes[error.diagnostics[0].code])
            if observer.is_stuck(state):
                shown.add(GapKind.NOBODY_MAY)
            if any(sight.what is What.REFUSED for sight in observer.offered(state)):
                shown.add(GapKind.REFUSED)
            sights: frozenset[Sight] = observer.shown(state, event) if error is None else frozenset()
            free |= {sight.name for sight in sights if sight.what is What.UNPENALISED}
            shown |= {GapKind.UNDEFINED for sight in sights if sight.what is What.UNDEFINED}
    for kind in shown:
        assert not absences.is_proved(kind), kind
    for name in free:
        assert not absences.is_penalised(edition.by_id[name]), name


def test_the_reference_rules_where_the_proofs_do() -> None:
    """A proof asks a reader that walks trees, as the reference does."""
    assert type(Doings(load("whist-club-1912")).reader.evaluator) is Evaluator
