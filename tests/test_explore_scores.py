"""Deals that two editions score differently: what a reader listed is found, by the laws he names; what random deals
show is made up of what was found, and so where it is said to be exactly so; what was found of shipped codes is
recorded."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cli import lawbook_command, validate
from test_differences import EDITIONS, LISTED, entries
from thorough import examples

from lawbook.auction import load
from lawbook.compare.findings import Behaviour, Coverage
from lawbook.compare.scores import Scores, deal_answer
from lawbook.compare.structure import compare_structure
from lawbook.deals import Deal
from lawbook.edition.model import Clause
from lawbook.explore.causes import Cause
from lawbook.explore.scorefacts import NOBODY, Unit
from lawbook.explore.scores import ScoreSearch, compare_scores, made_of, scores_of
from lawbook.explore.scorewhen import When, when_of
from lawbook.explore.told import MOST_REVOKES
from lawbook.report.html.comparison import comparison_page
from lawbook.report.layout import Page
from lawbook.report.scores import deal_command, scores_text
from lawbook.report.structure import structure_json
from lawbook.values import Bid, Seat, Side

GOOD = Path(__file__).parent / "good" / "scores"
# The decisions are not about the score, so that the edition with them scores as the code does.
SCORED = examples([name for name in EDITIONS if name != "whist-club-1912-decisions"], EDITIONS)
PAIRS = list(itertools.combinations(SCORED, 2))
OTHER_WORDS = ("whist-club-1912", "contract-2017")
RECORDED = {
    "1908-1912": ("portland-bath-1908", "whist-club-1912"),
    "1908-1913": ("portland-bath-1908", "whist-club-1913"),
    "1912-1913": ("whist-club-1912", "whist-club-1913"),
    "1912-decisions": ("whist-club-1912", "whist-club-1912-decisions"),
    "1912-contract": ("whist-club-1912", "contract-2017"),
}
READINGS = [entry for entry in LISTED["readings"] if "deal" in entry]


@functools.cache
def search_of(first: str, second: str) -> ScoreSearch:
    return ScoreSearch(load(first), load(second))


@functools.cache
def found_between(first: str, second: str) -> Scores:
    return scores_of(search_of(first, second))


@functools.cache
def whens_of(first: str, second: str) -> dict[Cause, When]:
    search = search_of(first, second)
    return {cause: when_of(search, cause) for cause in search.groups()}


def laws(clauses: Iterator[Clause]) -> set[str]:
    return {number for clause in clauses if clause.law.number for number in clause.law.number.split(", ")}


@pytest.mark.parametrize("entry", [e for e in entries("scores") if {*e.values[0]["between"]} <= {*SCORED}])
def test_what_a_reader_listed_is_found(entry: dict[str, Any]) -> None:
    first, second = entry["between"]
    search, scores = search_of(first, second), found_between(first, second)
    deal = Deal.of(entry["deal"])
    if {"refused": True} in (entry["a"], entry["b"]):
        found = [finding for finding in scores.findings if "royal spades" in finding.when]
        assert deal.contract.denomination == "R"
    else:
        causes = search.causes_in(deal)
        assert all(made_of(cause, search.groups()) for cause in causes)
        shown = {(frozenset(c.id for c in f.clauses_a), frozenset(c.id for c in f.clauses_b)) for f in scores.findings}
        assert {(cause.a, cause.b) for cause in search.groups()} >= shown - {(frozenset({"value-of-tricks"}),) * 2}
        found = [
            finding
            for finding in scores.findings
            for own in (Cause(*(frozenset(c.id for c in of) for of in (finding.clauses_a, finding.clauses_b))),)
            if any(own <= cause for cause in causes)
        ]
    assert found
    assert set(entry["laws"][0]) <= laws(c for finding in found for c in finding.clauses_a)
    assert set(entry["laws"][1]) <= laws(c for finding in found for c in finding.clauses_b)


@pytest.mark.parametrize("entry", READINGS, ids=lambda entry: str(entry["reading"]))
def test_a_reading_that_shows_in_a_score_is_found(entry: dict[str, Any]) -> None:
    first, second = entry["reading"].partition("@")[0], entry["reading"]
    search = search_of(first, second)
    causes = search.causes_in(Deal.of(entry["deal"]))
    assert causes
    assert all(made_of(cause, search.groups()) for cause in causes)
    assert found_between(first, second).findings


# -- against random deals ----------------------------------------------------------------------------------------------


def seats(most: int) -> st.SearchStrategy[list[Seat]]:
    return st.lists(st.sampled_from(list(Seat)), max_size=most)


@st.composite
def deals(draw: Callable[..., Any], letters: tuple[str, ...]) -> Deal:
    """A deal of any kind; odd things are told of it one time in two each."""

    def perhaps(strategy: st.SearchStrategy[Any], otherwise: Any) -> Any:
        return draw(strategy) if draw(st.booleans()) else otherwise

    held = perhaps(st.permutations([5, 0, 0, 0]) | st.lists(st.integers(0, 4), min_size=4, max_size=4), [0] * 4)
    revokes = perhaps(seats(2 * MOST_REVOKES), [])
    revokes = [s for n, s in enumerate(revokes) if sum(t.side is s.side for t in revokes[:n]) < MOST_REVOKES]
    level = draw(st.integers(1, 7))
    return Deal(
        Bid(level, draw(st.sampled_from(letters))),
        perhaps(st.integers(0, 2), 0),
        draw(st.sampled_from(list(Seat))),
        perhaps(st.integers(0, 13), level + 6),
        draw(st.sampled_from(list(Seat))),
        {seat: number for seat, number in zip(Seat, held, strict=True) if number},
        frozenset(perhaps(seats(2), [])),
        tuple(revokes),
        perhaps(st.booleans(), False),
        frozenset(perhaps(st.lists(st.sampled_from(list(Side))), [])),
    )


@pytest.mark.parametrize(
    ("first", "second"), [*PAIRS, OTHER_WORDS, *((e["reading"].partition("@")[0], e["reading"]) for e in READINGS)]
)
@settings(max_examples=examples(60, 1_000), deadline=None)
@given(data=st.data())
def test_random_deals_differ_only_as_was_found(first: str, second: str, data: st.DataObject) -> None:
    search = search_of(first, second)
    assert all(gone.complete for gone in search.gone)
    deal = data.draw(deals(search.ledgers.letters))
    a, b = deal_answer(search.a, deal), deal_answer(search.b, deal)
    alike = a.is_scored == b.is_scored and a.points == b.points
    causes = search.causes_in(deal)
    groups = search.groups()
    if not alike:
        assert causes
    assert all(made_of(cause, groups) for cause in causes), causes
    if a.is_scored and b.is_scored:
        said_exactly(search, whens_of(first, second), deal)
    elif a.is_scored or b.is_scored:
        for cause, when in whens_of(first, second).items():
            if when.exact and cause in causes:
                pair = search.ledgers.a.filled.values(deal), search.ledgers.b.filled.values(deal)
                assert when.holds(Unit(pair, NOBODY)), (when.text, deal)


def said_exactly(search: ScoreSearch, whens: dict[Cause, When], deal: Deal) -> None:
    """What is said to be exactly so holds of a side just where it scores otherwise by that."""
    ledgers = search.ledgers
    pair = ledgers.a.filled.values(deal), ledgers.b.filled.values(deal)
    for cause, when in whens.items():
        refuses = any(gone.account.refuses for gone in search.gone_for(cause))
        if refuses and when.exact:
            assert not when.holds(Unit(pair, NOBODY)), (when.text, deal)
        if refuses or not when.exact:
            continue
        for gone in search.gone_for(cause):
            own = {side for _, side in ledgers.difference(pair, gone.account.ids)}
            causes = ledgers.causes(pair, gone.account.ids)
            for side in own:
                if causes[side] == cause:
                    assert when.holds(Unit(pair, side)), (when.text, deal)
        for side in range(2):
            if when.holds(Unit(pair, side)):
                assert any(
                    side in {s for _, s in ledgers.difference(pair, gone.account.ids)}
                    for gone in search.gone_for(cause)
                ), (when.text, deal)


@pytest.mark.parametrize("name", [*EDITIONS, "contract-2017"])
def test_no_edition_scores_otherwise_than_itself(name: str) -> None:
    assert not ScoreSearch(load(name), load(name)).gone
    assert not compare_scores(load(name), load(name)).differ


def test_editions_that_score_by_other_words_are_compared_as_far_as_can_be() -> None:
    scores = found_between(*OTHER_WORDS)
    assert scores.findings
    assert scores.coverage.complete
    assert {"vulnerable", "honours", "revokes"} <= {asked.key for asked in scores.coverage.asked}
    assert any("Not tried" in note and "Game and rubber" in note for note in scores.coverage.notes)


# -- what is shown -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", RECORDED.values(), ids=RECORDED)
def test_every_deal_shown_is_scored_differently(pair: tuple[str, str]) -> None:
    for finding in found_between(*pair).findings:
        assert finding.a.is_scored != finding.b.is_scored or finding.a.points != finding.b.points
        scored = finding.a if finding.a.is_scored else finding.b
        status, _, _ = lawbook_command(*deal_command(finding, scored.edition.name)[1:3], *told(finding, scored.edition))
        assert status == 0


def told(finding: Any, edition: Any) -> list[str]:
    """The options of the command, but for what the edition does not ask for, which it would refuse."""
    known = {fact.key for fact in edition.facts.values()}
    words = deal_command(finding, edition.name)[3:]
    return [w for option in zip(words[::2], words[1::2], strict=True) if option[0][2:] in known for w in option]


@pytest.mark.parametrize("name", RECORDED)
def test_text(name: str, recorded: Callable[[Path, str], None]) -> None:
    lines = list(scores_text(found_between(*RECORDED[name]), Page(80)))
    assert max(len(line) for line in lines) <= 80
    recorded(GOOD / f"{name}.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("width", [40, 60, 100])
def test_text_keeps_to_the_page(width: int) -> None:
    lines = list(scores_text(found_between(*RECORDED["1908-1912"]), Page(width)))
    assert max(len(line) for line in lines) <= width


@pytest.mark.parametrize("pair", RECORDED.values(), ids=RECORDED)
def test_json_fits_its_schema_and_the_page_shows_it(pair: tuple[str, str]) -> None:
    scores = found_between(*pair)
    a, b = scores.a, scores.b
    behaviour = Behaviour(a, b, (), Coverage(False, 0, 0, (), 0), scores)
    value: Any = structure_json(compare_structure(a, b), behaviour)
    validate(value, "compare")
    assert len(value["scores"]["differences"]) == len(scores.findings)
    page = comparison_page(compare_structure(a, b), behaviour)
    assert page.count('id="score-') == 2 * len(scores.findings)
    assert behaviour.differ is scores.differ


def test_scores_are_compared_where_they_are_asked_for() -> None:
    pair = ["compare", "whist-club-1912", "whist-club-1912-decisions", "--irregularities", "0", "--auctions-only"]
    status, out, _ = lawbook_command(*pair, "--bids", "1S", "--acts", "notice", "--scores")
    assert status == 0
    assert "They score every deal alike." in out
    _, out, _ = lawbook_command(*pair, "--bids", "1S", "--acts", "notice")
    assert "score" not in out
    status, _, error = lawbook_command(*pair[:3], "--laws-only", "--scores")
    assert status == 2
    assert "--scores" in error
