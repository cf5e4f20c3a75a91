"""`lawbook gaps`: an invented edition in which every kind of gap is found; walks and what they see against plain
enumeration; the command."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from enumeration import event_of, random_edition
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cli import lawbook_command, validate

from lawbook.auction import Auction, load
from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.edition.model import Edition, Kind
from lawbook.errors import LawbookError
from lawbook.explore.gapkinds import Gap, GapKind, Proof
from lawbook.explore.gaps import Gaps, find_gaps
from lawbook.explore.offers import Offer, offers_of
from lawbook.explore.plan import Plan
from lawbook.explore.product import Progress
from lawbook.explore.sightings import Book, Subject, What
from lawbook.explore.space import Space
from lawbook.explore.turning import alike_all_round
from lawbook.explore.walk import Walk, shortest, walk
from lawbook.explore.watching import Watcher
from lawbook.machine.evaluate import Evaluator
from lawbook.machine.machine import Machine
from lawbook.machine.state import State
from lawbook.values import Bid

HERE = Path(__file__).parent / "good" / "gaps"
LIBRARY = Library((HERE / "laws", data_folder("laws")), (HERE / "editions",))


@pytest.fixture(scope="module")
def pedlars() -> Edition:
    return load("pedlars-1805", LIBRARY)


@pytest.fixture(scope="module")
def found(pedlars: Edition) -> Gaps:
    return find_gaps(pedlars, Plan(irregularities=None, bids=(Bid(1, "T"),), acts=tuple(pedlars.acts)))


def gap(found: Gaps, kind: GapKind, *clauses: str) -> Gap:
    (one,) = [g for g in found.gaps if g.kind is kind and tuple(c.id for c in g.clauses) == clauses]
    return one


# -- every kind --------------------------------------------------------------------------------------------------------

SHOWN = [
    (GapKind.CONFLICT, ("shouting-is-loud", "shouting-is-soft"), "1T E:shout"),
    (GapKind.UNDEFINED, ("swap-it",), "1T 1T N:swap"),
    (GapKind.NOBODY_MAY, (), "N:shout"),
    (GapKind.REFUSED, ("swap-it",), "1T 1T"),
    (GapKind.NO_EFFECT, ("swap-it",), "1T 1T N:tut"),
    (GapKind.UNPENALISED, ("shouts-out",), "N:shout"),
]


@pytest.mark.parametrize("kind, clauses, auction", SHOWN, ids=lambda value: str(value))
def test_what_is_wrong_is_shown_by_a_shortest_auction(
    found: Gaps, kind: GapKind, clauses: tuple[str, ...], auction: str
) -> None:
    shown = gap(found, kind, *clauses).witness
    assert shown is not None
    assert shown.auction == auction


NEVER = [
    (GapKind.NEVER_COMMITTED, ("sulks-at-the-end",)),
    (GapKind.NEVER_COMMITTED, ("whispers-twice",)),
    (GapKind.NEVER_OPENS, ("comfort",)),
    (GapKind.UNUSABLE, ("beg-for-it",)),
    (GapKind.NEVER_DEFEATS, ("not-when-final",)),
]


@pytest.mark.parametrize("kind, clauses", NEVER, ids=lambda value: str(value))
def test_what_never_is_so_has_no_auction(found: Gaps, kind: GapKind, clauses: tuple[str, ...]) -> None:
    assert gap(found, kind, *clauses).witness is None


def test_a_contradiction_within_a_clause_is_proved_without_a_search(pedlars: Edition) -> None:
    shallow = find_gaps(pedlars, Plan(irregularities=0, bids=(Bid(1, "T"),), acts=("whisper",)))
    assert gap(shallow, GapKind.NEVER_COMMITTED, "whispers-twice").proof is Proof.CONDITIONS


def test_a_search_that_was_cut_short_proves_nothing(pedlars: Edition) -> None:
    cut = find_gaps(pedlars, Plan(irregularities=0, bids=(Bid(1, "T"),), acts=("shout",)))
    assert not cut.complete
    assert {g.proof for g in cut.gaps if g.witness is None} <= {None, Proof.CONDITIONS}


def test_every_auction_that_is_shown_can_be_played(pedlars: Edition, found: Gaps) -> None:
    for one in found.findings:
        if one.witness is not None and one.problem is None:
            Auction(pedlars, one.witness.dealer).play(one.witness.auction)


# -- against plain enumeration -----------------------------------------------------------------------------------------


def _as_deep(depth: int) -> object:
    def look(progress: Progress) -> None:
        if progress.depth > depth:
            raise KeyboardInterrupt

    return look


def _offers(edition: Edition) -> tuple[Offer, ...]:
    return offers_of((edition,), (Bid(1, edition.universe.letters[0]),), sorted(edition.acts))


def _enumerated(space: Space, edition: Edition, depth: int) -> tuple[dict[int, int], dict[str, int]]:
    """After how many acts each state is met first, and each clause applies first, by the machine that walks trees."""
    machine = Machine(edition, Evaluator)
    kinds = (Kind.LAPSE,)
    layer: dict[State, None] = {machine.start(d): None for d in range(1 if space.turned else 4)}
    seen = set(layer)
    states = {space.number(state): 0 for state in layer}
    applied: dict[str, int] = {}
    for acts in range(1, depth + 1):
        following: dict[State, None] = {}
        for state in layer:
            turn = machine.evaluator.value(edition.interface.turn, state.values, {}) or 0
            for offer in space.offers:
                event = event_of(offer, edition, turn if space.turned else 0)
                if event is None:
                    continue
                try:
                    rulings = machine.act(state, event)
                except LawbookError:
                    continue
                for ruling in rulings:
                    ended = [by for _, _, by in ruling.lapsed if edition.by_id[by].kind in kinds]
                    opened = [right.remedy for right in ruling.opened]
                    for name in (*(c.id for c in ruling.fired), *ended, *opened):
                        applied.setdefault(name, acts)
                after = rulings[-1].state
                if after not in seen:
                    seen.add(after)
                    following[after] = None
                    states.setdefault(space.number(after), acts)
        layer = following
    return states, applied


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_a_walk_meets_what_enumeration_meets(seed: int, named: bool) -> None:
    edition = random_edition(random.Random(seed), 8, named)
    space = Space(edition, _offers(edition), turned=alike_all_round(edition), whole=True)
    subject, book = Subject.of(edition), Book()
    watcher = Watcher(subject, space, book)
    depths: dict[int, int] = {}

    def look(walked: Walk, node: int) -> bool:
        depths.setdefault(walked.states[node], walked.depth)
        return watcher.look(walked, node)

    walked = walk(space, look, progress=_as_deep(2))  # type: ignore[arg-type]
    met = set(walked.states)
    states, applied = _enumerated(space, edition, 2)
    assert met == set(states)
    assert depths == {state: acts for state, acts in states.items() if acts < 2}
    seen = {sight.name: where.acts for sight, where in book.seen.items() if sight.what is What.APPLIES}
    assert {name: seen.get(name) for name in applied} == applied


def test_enumeration_meets_enough() -> None:
    applied = 0
    for seed in range(20):
        edition = random_edition(random.Random(seed), 8, named=False)
        space = Space(edition, _offers(edition), turned=alike_all_round(edition), whole=True)
        applied += len(_enumerated(space, edition, 2)[1])
    assert applied > 40


# -- a shortest auction ------------------------------------------------------------------------------------------------


def test_shortest(pedlars: Edition) -> None:
    auction = shortest(pedlars, lambda rulings: rulings[0].chosen is not None, bids=[Bid(1, "T")])
    assert auction is not None
    assert [str(act) for act in auction[1]] == ["N:1T", "E:1T", "N:tut"]
    assert shortest(pedlars, lambda rulings: rulings[0].event.name == "beg", bids=[Bid(1, "T")]) is None


def test_shortest_allows_only_so_many_irregular_acts_on_the_way(pedlars: Edition) -> None:
    chosen = shortest(pedlars, lambda rulings: rulings[0].chosen is not None, bids=[Bid(1, "T")], irregularities=0)
    assert chosen is None


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command() -> None:
    laws = ("--laws", str(HERE / "laws"), "--laws", str(HERE / "editions"))
    status, out, error = lawbook_command(
        "gaps", "pedlars-1805", *laws, "--acts", "shout", "--bids", "1T", "--irregularities", "all"
    )
    assert (status, error) == (1, "")
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "1T E:shout" in out


@pytest.mark.parametrize("name", ["portland-bath-1908", "whist-club-1913"])
def test_json_fits_its_schema(name: str) -> None:
    status, out, _ = lawbook_command("gaps", name, "--bids", "1", "--irregularities", "0", "--acts", "notice", "--json")
    told = json.loads(out)
    validate(told, "gaps")
    assert status == int(bool(told["findings"]))
    assert not told["coverage"]["complete"]
