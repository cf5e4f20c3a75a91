"""Mutants of the laws: those that no example notices are recorded, what is proved of others holds, and what is offered
tells a mutant from the law."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from lawbook.coverage.goals import place_of
from lawbook.coverage.measuring import Coverage, measure
from lawbook.coverage.offers import DealOffer
from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.examples import run_under, shown_by
from lawbook.examples.drafting import draft, draft_of_deals
from lawbook.examples.running import scored
from lawbook.loading import load, machine_of
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.machine import Machine
from lawbook.machine.sheet import Sheet
from lawbook.mutants.judging import Bench, Fate, judge, mutants_in, spread
from lawbook.mutants.making import Change, Mutant, made, mutants_of
from lawbook.mutants.proving import is_equivalent
from lawbook.mutants.telling import as_example, tell_apart
from lawbook.search import Walk

GOOD = Path(__file__).parent / "good"
SHIPPED = Library.shipped()
INVENTED = Library((GOOD / "invented" / "laws", data_folder("laws")), (GOOD / "invented" / "editions",))
LONG = Library.shipped([GOOD / "testing" / "folder" / "long", GOOD / "invented"])
# Left out or turned into its contrary, every clause and every condition is noticed.
ALWAYS_NOTICED = (Change.LEFT_OUT, Change.NEGATED)


@pytest.mark.parametrize(
    "name, library", [*((name, SHIPPED) for name in sorted(SHIPPED.edition_files())), ("tinkers-1801", INVENTED)]
)
def test_what_no_example_notices(
    name: str, library: Library, recorded: Callable[[Path, str], None], request: pytest.FixtureRequest
) -> None:
    """The alterations of an edition's own laws that leave every example as it is. Most are no other law, though a truth
    table does not show it; `lawbook test EDITION --mutants` says more of each."""
    if library is SHIPPED and not request.config.getoption("--thorough"):
        pytest.skip("takes half a minute for a code; --thorough makes it")
    coverage = measure(library, name)
    assert not coverage.failed
    own = [clause for clause, _ in coverage.clauses.values() if clause.law.source.edition == name]
    bench = Bench(coverage)
    left = [mutant for mutant in mutants_in(coverage, own) if bench.noticed(mutant) is None]
    assert [str(mutant) for mutant in left if mutant.change in ALWAYS_NOTICED] == []
    lines = sorted(f"{mutant.clause.law.file}: {mutant}" for mutant in left)
    recorded(GOOD / "mutants" / f"{name}.txt", "".join(f"{line}\n" for line in lines))


@pytest.fixture(scope="module")
def long_evenings() -> Coverage:
    return measure(LONG, "long-evenings")


def test_a_clause_that_no_example_shows_is_found(long_evenings: Coverage) -> None:
    own = [c for c, _ in long_evenings.clauses.values() if c.law.topic == "length"]
    found = {str(j.mutant): j for j in judge(long_evenings, mutants_in(long_evenings, own), 300)}
    left_out = {text: judged.fate for text, judged in found.items() if text.endswith("clause left out")}
    assert left_out == {
        "grumbles-at-length: clause left out": Fate.KILLED,
        "pays-for-it: clause left out": Fate.KILLED,
        "late-grumbles-count-double: clause left out": Fate.SURVIVED,
        "nobody-grumbles-twice: clause left out": Fate.SURVIVED,
    }
    killer = found["pays-for-it: choice removed: fine"].killed_by
    assert killer is not None
    assert killer.that in ("late in a doubled auction it is at length", "it is paid for")
    assert found["pays-for-it: effect removed: the passes become 0"].fate is Fate.SURVIVED


def test_every_kind_of_change_is_made(long_evenings: Coverage) -> None:
    changes = {mutant.change for mutant in mutants_in(long_evenings)}
    assert changes == {*Change}


def test_so_many_mutants_are_spread_over_all_and_always_the_same(long_evenings: Coverage) -> None:
    every = mutants_in(long_evenings)
    some = spread(every, 20)
    assert some == spread(mutants_in(long_evenings), 20)
    assert len(some) == 20
    assert len({place_of(mutant.clause) for mutant in some}) > 10
    assert spread(every, None) == spread(every, len(every) + 1) == every


def test_an_edition_that_does_not_take_the_clause_has_no_such_mutant() -> None:
    one, other = load("whist-club-1912"), load("tinkers-1801", INVENTED)
    mutant = next(mutants_of(one.clauses[-1], one))
    assert made(mutant, one) is not None
    assert made(mutant, other) is None
    # The edition itself stays as it was.
    assert made(mutant, one) is not one
    assert load("whist-club-1912") is one


# -- proofs ------------------------------------------------------------------------------------------------------------


def _random_play(edition: Edition, altered: Edition, seed: int) -> Iterator[tuple[object, object]]:
    """What law and mutant say of the same acts, taken at random, as long as they agree."""
    chance = random.Random(seed)
    law, mutant = machine_of(edition), Machine(altered, Evaluator)
    one, other = law.start(0), mutant.start(0)
    steps = [step.event for step in islice(Walk(edition), 240)]
    for _ in range(14):
        event = chance.choice(steps)
        said, told = law.act(one, event), mutant.act(other, event)
        one, other = said[-1].state, told[-1].state
        yield (
            [(r.verdict, r.offences, {c.id for c in r.because}) for r in said],
            [(r.verdict, r.offences, {c.id for c in r.because}) for r in told],
        )
        yield one, other


@pytest.mark.parametrize("name, library", [("tinkers-1801", INVENTED), ("long-evenings", LONG)])
def test_what_is_proved_to_be_the_same_law_rules_alike(name: str, library: Library) -> None:
    edition = load(name, library)
    proved = [m for c in edition.clauses for m in mutants_of(c, edition) if is_equivalent(m, edition)]
    assert proved
    for mutant in proved:
        altered = made(mutant, edition)
        assert altered is not None
        for seed in range(12):
            assert all(one == other for one, other in _random_play(edition, altered, seed)), str(mutant)
        for example in shown_by(library, edition):
            for under in example.editions:
                variant = made(mutant, load(under, library))
                assert variant is None or run_under(example, under, variant, Machine(variant, Evaluator)).passed


def _mutant(edition: Edition, text: str) -> Mutant:
    return next(m for clause in edition.clauses for m in mutants_of(clause, edition) if str(m) == text)


@pytest.mark.parametrize(
    "text, proved",
    [
        # What is taken away is implied by what is left.
        ("late-grumbles-count-double: condition dropped: the passes are at least 4", True),
        # It writes what is there already.
        ("late-grumbles-count-double: effect removed: the passes become the lesser of the passes plus 0 and 5", True),
        # Whoever grumbles at a bid breaks a law, entitled or not; unless an exception lets him.
        ("grumbles-at-nothing: condition dropped: there is no last bid", None),
        # A bid would be compared with one that is not there.
        ("too-low: condition dropped: there is a last bid", False),
        ("too-low: condition dropped: the bid does not beat the last bid", None),
        ("bid-counts: effect removed: the doubling becomes 0", None),
        ("five-odd-tricks: number changed by one: 5 becomes 6 in: most odd tricks", None),
        ("strike-it: choice removed: strike", None),
    ],
)
def test_what_a_truth_table_shows(text: str, proved: bool | None) -> None:
    edition = load("long-evenings", LONG)
    assert is_equivalent(_mutant(edition, text), edition) is proved


def test_what_would_make_a_call_out_of_a_bid_that_is_not_there_is_no_law() -> None:
    edition = load("portland-bath-1908")
    # Over no bid there is no lowest sufficient one; what is asked can be answered, but not what is then done.
    mutant = _mutant(edition, "insufficient: condition negated: all that is asked together")
    assert is_equivalent(mutant, edition) is False


def test_what_entitles_to_an_irregular_act_is_as_nothing() -> None:
    edition = load("tinkers-1801", INVENTED)
    mutant = _mutant(edition, "grumbles-at-nothing: condition dropped: there is no last bid")
    assert is_equivalent(mutant, edition) is True


# -- telling apart -----------------------------------------------------------------------------------------------------


def test_what_is_offered_is_an_example_that_the_mutant_fails(long_evenings: Coverage) -> None:
    edition = load("long-evenings", LONG)
    texts = [
        "grumbles-at-length: condition dropped: the passes are at least 2",
        "pays-for-it: deadline dropped: a player bids",
        "pays-for-it: effect removed: the passes become 0",
        "pays-for-it: holder changed: the adversaries of the offender becomes the offender's left neighbour",
    ]
    for text in texts:
        mutant = _mutant(edition, text)
        told = tell_apart(mutant, long_evenings, "long-evenings", 1500)
        assert told is not None, text
        altered = made(mutant, edition)
        assert altered is not None
        offer = told.offer
        example = as_example(draft(edition, offer.auction, offer.act, also=told.also), edition)  # type: ignore[union-attr]
        assert run_under(example, edition.name, edition).passed
        assert not run_under(example, edition.name, altered, Machine(altered, Evaluator)).passed


def test_a_mutant_of_the_score_is_told_apart_by_deals() -> None:
    coverage = measure(SHIPPED, "whist-club-1912")
    edition = load("whist-club-1912")
    mutant = next(
        m
        for m in mutants_of(edition.by_id["points-for-a-trick-short"], edition)
        if m.change is Change.NUMBER and m.text.startswith("50 becomes 51")
    )
    altered = made(mutant, edition)
    assert altered is not None
    told = tell_apart(mutant, coverage, "whist-club-1912", 400)
    assert told is not None
    assert isinstance(told.offer, DealOffer)
    assert "honour points" in told.also
    says = dict(draft_of_deals(edition, told.offer.deals, told.also).says)
    assert says["honour points"] == {"NS": "0", "EW": "50"}
    assert scored(altered, told.offer.deals, Sheet(altered))["honour points"] == ("NS=0", "EW=51")


def test_deals_are_told_as_texts() -> None:
    edition = load("whist-club-1912")
    deals = ({"contract": "4H", "declarer": "N", "tricks": 10, "honours": {"N": 4, "S": 1}, "revokes": ["E"]},)
    made_of = draft_of_deals(edition, deals)
    assert made_of.lines()[1:2] == [
        "    deal: {contract: 4H, declarer: N, tricks: 10, honours: {N: 4, S: 1}, revokes: [E]}"
    ]


def test_a_clause_is_the_same_wherever_the_process_was_when_it_was_read() -> None:
    """Messages name a file as it lies from there; an edition read elsewhere has the same clauses."""
    edition = load("whist-club-1912")
    clause = edition.by_id["points-for-a-trick-short"]
    elsewhere = replace(clause, span=replace(clause.span, file=f"../{clause.span.file}"))
    assert place_of(elsewhere) == place_of(clause)
    mutant = next(m for m in mutants_of(elsewhere, edition) if m.change is Change.NUMBER)
    assert made(mutant, edition) is not None
