"""What removes a difference at the table, as `good/removed.yaml` has it: readings taken otherwise, and decisions.

Every position of small searches is played again by the facade, and so is what searches of the shipped codes showed,
which is listed in `good/explore/removed.yaml`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml
from test_cli import lawbook_command, validate

from lawbook.answers import Judgement
from lawbook.auction import Auction, load
from lawbook.compare.findings import Behaviour, Finding, Removal
from lawbook.compare.instead import Instead, among, laws_added, otherwise, read_otherwise, readings_between
from lawbook.compare.matrix import Matrix, compare_many
from lawbook.compare.structure import compare_structure
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.explore import behaviour as searching
from lawbook.explore.behaviour import compare_behaviour
from lawbook.explore.otherwise import MOST_TRIED, Otherwise
from lawbook.explore.patience import Patience
from lawbook.explore.plan import Plan
from lawbook.explore.product import Bounds, Search
from lawbook.explore.scores import compare_scores
from lawbook.explore.space import Space
from lawbook.explore.telling import Told
from lawbook.explore.witnesses import auction_to
from lawbook.loading import arguments_of
from lawbook.machine.ruling import Verdict
from lawbook.notation import parse_auction
from lawbook.report.behaviour import behaviour_text
from lawbook.report.html.comparison import comparison_page
from lawbook.report.html.matrix import matrix_page
from lawbook.report.layout import Page
from lawbook.report.matrix import cause_sentences, matrix_json, matrix_text, sources_text
from lawbook.report.removals import auction, by_what
from lawbook.report.structure import structure_json
from lawbook.values import Act, Bid, Seat

GOOD = Path(__file__).parent / "good"
FOLDERS = (GOOD / "revised", GOOD / "invented")
LIBRARY = Library.shipped(FOLDERS)
LAWS = [word for folder in FOLDERS for word in ("--laws", str(folder))]
named = otherwise(LIBRARY)
CASES: list[Any] = yaml.safe_load((GOOD / "removed.yaml").read_text(encoding="utf-8"))
EVERY = pytest.mark.parametrize("case", CASES, ids=[case["that"] for case in CASES])


def two_of(case: Any) -> tuple[Edition, Edition]:
    a, b = (load(name, LIBRARY) for name in case["between"])
    return a, b


def instead_of(case: Any) -> list[Instead]:
    two = two_of(case)
    asked = case.get("read otherwise", ())
    read = [other for other in read_otherwise(two, named) if other.readings[0].partition("=")[0] in asked]
    given = case.get("instead", {})
    for place, which in enumerate(("first", "second")):
        for name in given.get(which, ()):
            edition = load(name, LIBRARY)
            readings, laws = readings_between(two[place], edition), laws_added(two[place], edition)
            read.append(Instead(place, edition, readings, laws))
    return read


def plan_of(case: Any) -> Plan:
    return Plan(
        bids=tuple(map(Bid.parse, case["bids"].split())),
        acts=tuple(case["acts"]) if "acts" in case else None,
        irregularities=1,
        apart=False,
    )


class Searched:
    """The outcome of each case, searched once, with the acts of its findings."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Behaviour, list[Told]]] = {}

    def of(self, case: Any) -> tuple[Behaviour, list[Told]]:
        if case["that"] not in self._known:
            told: list[Told] = []
            with pytest.MonkeyPatch.context() as patch:
                plain = searching.otherwise

                def listening(found: list[Told], instead: list[Instead], patience: Patience) -> Otherwise:
                    told.extend(found)
                    return plain(found, instead, patience)

                patch.setattr(searching, "otherwise", listening)
                found = compare_behaviour(*two_of(case), plan_of(case), None, instead_of(case))
            self._known[case["that"]] = found, told
        return self._known[case["that"]]


@pytest.fixture(scope="module")
def searched() -> Searched:
    return Searched()


def removals(behaviour: Behaviour) -> list[tuple[Finding, Removal]]:
    return [(finding, removal) for finding in behaviour.findings for removal in finding.removed]


def in_short(removal: Removal) -> dict[str, Any]:
    found: dict[str, Any] = {"alike": removal.alike, "of": removal.tried}
    if removal.earlier:
        found["earlier"] = removal.earlier
    if removal.still is not None:
        found["still"] = auction(removal.still)
    return found


@EVERY
def test_what_removes_a_difference_is_found(case: Any, searched: Searched) -> None:
    found: dict[str, Any] = {}
    for finding, removal in removals(searched.of(case)[0]):
        assert finding.witness is not None
        found.setdefault(auction(finding.witness), {})[by_what(removal)] = in_short(removal)
    assert found == case["removed"]


@EVERY
def test_the_facade_says_the_same_of_every_position(case: Any, searched: Searched) -> None:
    """All acts of each difference, whatever is taken instead, played by the ordinary interpreter."""
    behaviour, told = searched.of(case)
    a, b = two_of(case)
    for other in instead_of(case):
        both = (other.edition, b) if other.place == 0 else (a, other.edition)
        table = Table(*both)
        for finding, one in zip(behaviour.findings, told, strict=True):
            acts: dict[object, tuple[Seat, tuple[Act, ...]]] = {}
            for search, divergences in one.acts:
                for act in divergences:
                    key = (id(search), search.pairs[act.node], act.offer)
                    acts.setdefault(key, auction_to(act.node, act.offer, search))
            if len(acts) > MOST_TRIED:
                continue
            outcomes = [table.are_alike(dealer, auction) for dealer, auction in acts.values()]
            counted = [(outcomes.count(True), len(outcomes), outcomes.count(None))] if True in outcomes else []
            found = [r for r in finding.removed if r.through.name == other.edition.name and r.place == other.place]
            assert [(removal.alike, removal.tried, removal.earlier) for removal in found] == counted


class Table:
    """Two editions at the table: auctions played under both by the facade, each act once."""

    def __init__(self, *editions: Edition) -> None:
        self._editions = editions
        self._said: dict[tuple[Seat, tuple[Act, ...]], bool] = {}

    def are_alike(self, dealer: Seat, acts: tuple[Act, ...]) -> bool | None:
        """Whether they rule alike on the last act of an auction; None where they part before it."""
        auctions = [Auction(edition, dealer) for edition in self._editions]
        for length, act in enumerate(acts, start=1):
            said = [played.make(act) if _knows(played.edition, act) else None for played in auctions]
            key = dealer, acts[:length]
            if key not in self._said:
                first, second = map(_answer, auctions, said)
                self._said[key] = first == second
            if not self._said[key]:
                return None if length < len(acts) else False
        return True


def _knows(edition: Edition, act: Act) -> bool:
    return act.call is not None or act.name in edition.acts


def _answer(played: Auction, said: Judgement | None) -> object:
    contract: tuple[int, str, int] | None = None
    if played.declaration is not None:
        # Who plays the hand is not asked before the bidding is over.
        declared = played.declaration
        contract = declared.level, declared.denomination, declared.doubling
    return (
        Verdict.REFUSED if said is None else said.verdict,
        () if said is None else sorted(offence.name for offence in said.offences),
        {(option.seat, option.act, option.offence, option.offender) for option in played.options},
        (played.status, played.turn, played.debarred, played.points),
        contract,
    )


# -- how it is told ----------------------------------------------------------------------------------------------------

TINKERS = ("tinkers-1801", "tinkers-1801-decided", "tinkers-1806")
FEW = Plan(bids=(Bid.parse("1C"),), acts=("fine", "grumble"), irregularities=1, apart=False)


@pytest.fixture(scope="module")
def played() -> Matrix:
    """Three editions of the invented code, each two of them searched and every other reading tried."""
    editions = [load(name, LIBRARY) for name in TINKERS]
    behaviours = {}
    for one, other in combinations(range(3), 2):
        two = editions[one], editions[other]
        instead = [*among(two, editions), *read_otherwise(two, named)]
        behaviours[one, other] = compare_behaviour(*two, FEW, None, instead)
    # Of one pair the scores were compared.
    behaviours[0, 1] = replace(behaviours[0, 1], scores=compare_scores(editions[0], editions[1]))
    return compare_many(editions, LIBRARY, other_readings=True, behaviours=behaviours)


def test_text(played: Matrix, recorded: Callable[[Path, str], None]) -> None:
    pair = played.behaviours[0, 2]
    both = [*matrix_text(played, Page()), "", *behaviour_text(pair, Page())]
    assert max(map(len, both)) <= 80
    recorded(GOOD / "revised" / "removed.txt", "\n".join(both) + "\n")


@pytest.mark.parametrize("width", [40, 60, 140])
def test_text_keeps_to_the_page(width: int, played: Matrix) -> None:
    lines = [*matrix_text(played, Page(width)), *behaviour_text(played.behaviours[0, 2], Page(width))]
    assert max(map(len, lines)) <= width


def test_json_fits_its_schema(played: Matrix) -> None:
    value: Any = matrix_json(played)
    validate(value, "compare")
    assert [len(pair["removed"]) for pair in value["pairs"]] == [0, 2, 1]
    assert [pair["score_differences"] for pair in value["pairs"]] == [0, None, None]
    behaviour = played.behaviours[0, 2]
    pair: Any = structure_json(compare_structure(behaviour.a, behaviour.b), behaviour)
    validate(pair, "compare")
    by = {tuple(r["readings"] + r["laws"]): r for found in pair["differences"] for r in found["removed"]}
    assert by["ties=allowed",]["through"] == "tinkers-1801@ties=allowed"
    assert by["Decision 1",]["through"] == "tinkers-1801-decided"
    assert all(removal["removes"] for removal in by.values())


def test_pages_tell_it_too(played: Matrix) -> None:
    behaviour = played.behaviours[0, 2]
    structure = compare_structure(behaviour.a, behaviour.b)
    for page in (matrix_page(played), comparison_page(structure, behaviour)):
        assert "With ties=allowed" in page


def test_what_the_clauses_tell_is_not_told_again(played: Matrix) -> None:
    """The decision removes the difference in grumbling: that is seen at the table, and told of the topic already."""
    assert [by_what(removal) for _, removal in removals(played.behaviours[0, 2])] == ["ties=allowed", "Decision 1"]
    assert not list(played.played("grumbling"))
    without = compare_many(played.editions, LIBRARY, behaviours=played.behaviours)
    told = replace(without, topics=tuple(replace(topic, causes=()) for topic in without.topics))
    assert [by_what(seen.removal) for seen in told.played("grumbling")] == ["Decision 1"]


def test_one_sentence_for_several_editions() -> None:
    """However the clauses are numbered in each."""
    names = ("portland-bath-1908", "whist-club-1912", "whist-club-1913")
    matrix = compare_many([load(name) for name in names], other_readings=True)
    told = [sentence for topic in matrix.topics for sentence in cause_sentences(topic)]
    (one,) = (sentence for sentence in told if "two-cards-at-once" in sentence)
    assert "what 1 and 2 have in Laws 39 and 37:" in one
    assert len(told) == len(set(told))


@pytest.mark.parametrize(
    "topic, told",
    [
        ("cut", "Law 35 in 1; Law 32 in 2 and 3"),
        ("errors-in-the-score", "Laws 12 and 13"),
        ("insufficient-declaration", "Law 53 (Insufficient declarations) in 1; Law 50 in 2, 3 and 4"),
        ("correction", "Law 61 in 1; Law 52 in 2 and 4; Law 52 and Decision 2 in 3"),
    ],
)
def test_where_the_law_stands_is_told_of_each_edition(topic: str, told: str) -> None:
    names = ("portland-bath-1908", "whist-club-1912", "whist-club-1912-decisions", "whist-club-1913")
    matrix = compare_many([load(name) for name in names])
    (found,) = (each for each in matrix.topics if each.topic == topic)
    assert sources_text(found) == told


# -- how far it is looked for ------------------------------------------------------------------------------------------


def test_what_may_be_taken_instead() -> None:
    a, decided, b = (load(name, LIBRARY) for name in TINKERS)
    assert [(other.place, other.edition.name) for other in among((a, b), (a, decided, b))] == [
        (0, "tinkers-1801-decided")
    ]
    # Neither of the two themselves, nor what is the same as one of them.
    assert not list(among((a, decided), (a, decided, b)))
    allowed = load("tinkers-1801@ties=allowed", LIBRARY)
    assert [other.edition.name for other in read_otherwise((a, b), named)] == [allowed.name]
    assert not list(read_otherwise((a, allowed), named))


def test_when_time_is_over_that_is_told() -> None:
    a, _, b = (load(name, LIBRARY) for name in TINKERS)
    found = compare_behaviour(a, b, FEW, None, list(read_otherwise((a, b), named)))
    assert "1 instead of tinkers-1801" in found.coverage.notes[-1]
    assert not found.coverage.ended_early
    with pytest.MonkeyPatch.context() as patch:
        plain = searching.otherwise
        patch.setattr(searching, "otherwise", lambda told, instead, _: plain(told, instead, Patience(-1)))
        found = compare_behaviour(a, b, FEW, None, list(read_otherwise((a, b), named)))
    assert found.coverage.notes[-1] == "The search ended early: 1 more were not tried for removing them."
    assert found.coverage.ended_early
    assert not removals(found)


def test_who_dealt_is_known_of_what_a_deeper_search_found() -> None:
    """Where seats are told apart there is a start for each dealer, in either search."""
    space = Space(load(TINKERS[0], LIBRARY), (), turned=False)
    whole, deeper = (Search(space, space, Bounds(1)) for _ in range(2))
    for found, nodes in ((whole, 5), (deeper, 6)):
        found.pairs = [(0, 0)] * nodes
        found.parents = [0, 1, 2, 3, *range(nodes - 4)]
        found.offers = [-1] * 4 + [0] * (nodes - 4)
        found.irregular = [0] * nodes
    both = deeper.after(whole)
    assert [node for node in range(11) if both.is_start(node)] == [0, 1, 2, 3, 5, 6, 7, 8]
    assert both.parents == [0, 1, 2, 3, 0, 0, 1, 2, 3, 5, 6]


def test_other_readings_at_the_command_line() -> None:
    command = "compare tinkers-1801 tinkers-1806 --other-readings --bids 1C --acts fine --auctions-only"
    _, out, _ = lawbook_command(*command.split(), *LAWS)
    assert "With ties=allowed (Law 3 in tinkers-1801) they rule alike in all of them." in out
    command = f"compare {' '.join(TINKERS)} --bids 1C --acts fine,grumble --scores --json"
    _, out, _ = lawbook_command(*command.split(), *LAWS)
    value = json.loads(out)
    validate(value, "compare")
    # Without other readings decisions are tried all the same.
    (removed,) = (found["removed"] for pair in value["pairs"] for found in pair["removed"])
    assert [removal["laws"] for removal in removed] == [["Decision 1"]]
    assert [pair["score_differences"] for pair in value["pairs"]] == [0, 0, 0]


# -- the shipped codes -------------------------------------------------------------------------------------------------

LISTED: list[Any] = yaml.safe_load((GOOD / "explore" / "removed.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", LISTED, ids=[f"{entry['between'][1]}: {entry['instead']}" for entry in LISTED])
def test_what_whole_searches_showed_to_be_removed_is(entry: Any) -> None:
    a, b = (load(name) for name in entry["between"])
    other = load(entry["instead"])
    as_read, otherwise_read = Table(a, b), Table(other, b) if other.id == a.id else Table(a, other)
    for text in entry.get("removed", ()):
        auction = auction_of(text, a, b)
        assert (as_read.are_alike(*auction), otherwise_read.are_alike(*auction)) == (False, True), text
    for text in entry.get("still", ()):
        auction = auction_of(text, a, b)
        assert (as_read.are_alike(*auction), otherwise_read.are_alike(*auction)) == (False, False), text


def auction_of(text: str, a: Edition, b: Edition) -> tuple[Seat, tuple[Act, ...]]:
    acts = parse_auction(text, acts={**arguments_of(a), **arguments_of(b)}, letters={*a.letters_known.values()})
    return Seat.N, tuple(token.act for token in acts)
