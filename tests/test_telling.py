"""What is told of a search: how far it holds, what one sentence says of several causes, and what is left of it when
somebody interrupts or time is over."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from lawbook.compare.findings import Behaviour
from lawbook.edition.model import Edition
from lawbook.explore import causes, telling
from lawbook.explore.behaviour import compare_behaviour
from lawbook.explore.conditions import Condition
from lawbook.explore.plan import ENOUGH_BIDS, Plan
from lawbook.explore.product import Divergence, Search
from lawbook.loading import load
from lawbook.report.behaviour import also_sentences, coverage_sentences, findings_sentence
from lawbook.values import Bid

BIDS = tuple(map(Bid.parse, ("1C", "7S", "8S")))
FEW = Plan(bids=BIDS, apart=False, acts=("let-stand", "penalise"))


@pytest.fixture(scope="module")
def codes() -> tuple[Edition, Edition]:
    return load("whist-club-1912"), load("whist-club-1913")


@pytest.fixture(scope="module")
def told(codes: tuple[Edition, Edition]) -> Behaviour:
    return compare_behaviour(*codes, FEW)


def auctions(behaviour: Behaviour) -> Iterator[str]:
    for finding in behaviour.findings:
        if finding.witness is not None:
            yield finding.witness.notation
        yield from (also.witness.notation for also in finding.also)


def test_a_search_of_some_acts_is_complete_for_these_alone() -> None:
    a, b = load("portland-bath-1908"), load("portland-bath-1908@both-sides-revoke=each-is-punished")
    found = compare_behaviour(a, b, Plan(most_bids=ENOUGH_BIDS, acts=(), irregularities=None))
    assert found.coverage.complete_for == ()
    assert not found.coverage.complete
    verdict = coverage_sentences(found.coverage)[0]
    assert "complete for auctions of calls:" in verdict
    assert findings_sentence(found).startswith("They rule alike in every auction of calls.")


def test_no_sentence_says_of_two_differences_when_they_are(told: Behaviour) -> None:
    sentences = [finding.when for finding in told.findings if finding.exact and not finding.kind.alike]
    assert len(sentences) == len(set(sentences)) > 3
    (one,) = (finding for finding in told.findings if finding.also)
    assert len(also_sentences(told, one)) == len(one.also)
    for also in one.also:
        assert {*also.clauses_a} <= {*one.clauses_a}
        assert {*also.clauses_b} <= {*one.clauses_b}
        assert len(also.witness.acts) >= len(one.witness.acts if one.witness is not None else ())


def test_an_act_that_is_allowed_is_not_told_of_with_one_that_is_not() -> None:
    """1908 lets nobody correct a call, 1912 lets him correct a bid: whether that is stricter depends on the call."""
    a, b = load("portland-bath-1908"), load("whist-club-1912")
    found = compare_behaviour(a, b, Plan(bids=BIDS[:2], irregularities=0, apart=False))
    corrected = [f for f in found.findings if f.witness is not None and f.witness.acts[-1].name == "correct"]
    directions = {(f.witness.a.verdict, f.witness.b.verdict) for f in corrected if f.witness is not None}
    assert len(directions) > 1
    laxer = next(f for f in corrected if f.kind.value == "laxer")
    assert "bid-may-be-corrected" in {clause.id for clause in laxer.clauses_b}


def test_a_denomination_that_one_code_lacks_is_a_difference() -> None:
    a, b = load("portland-bath-1908"), load("whist-club-1912")
    found = compare_behaviour(a, b, Plan(most_bids=1, irregularities=0, apart=False))
    assert "1R" in auctions(found)


def test_an_interrupt_loses_nothing_that_was_found(
    codes: tuple[Edition, Edition], told: Behaviour, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(group: causes.Group, search: Search) -> Condition:
        raise KeyboardInterrupt

    monkeypatch.setattr(telling, "condition_of", interrupted)
    found = compare_behaviour(*codes, FEW)
    assert set(auctions(found)) == set(auctions(told))
    assert found.coverage.ended_early
    assert found.coverage.complete_for is None
    assert all(finding.when == "" and not finding.exact for finding in found.findings)
    assert any("it was interrupted" in note for note in found.coverage.notes)


def test_an_interrupt_while_causes_are_sought_leaves_those_of_each_way(
    codes: tuple[Edition, Edition], told: Behaviour, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, at = [0], causes.Unlike.at

    def interrupted(self: causes.Unlike, pair: tuple[int, int], divergence: Divergence) -> causes.Cause:
        asked[0] += 1
        if asked[0] == 30:
            raise KeyboardInterrupt
        return at(self, pair, divergence)

    monkeypatch.setattr(causes.Unlike, "at", interrupted)
    found = compare_behaviour(*codes, FEW)
    assert found.coverage.ended_early
    assert {c.id for f in found.findings for c in f.clauses} >= {
        c.id for f in told.findings if not f.kind.alike for c in f.clauses
    }


def test_time_that_is_over_is_over_for_causes_too(codes: tuple[Edition, Edition]) -> None:
    found = compare_behaviour(*codes, Plan(bids=BIDS, seconds=0.0))
    assert found.coverage.ended_early
    assert not found.coverage.complete
    assert found.may_differ


def lawbook(*arguments: str, **closed: bool) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "lawbook", *arguments]
    shut = " ".join(f"{number}>&-" for number, name in ((1, "out"), (2, "error")) if closed.get(name))
    return subprocess.run(["sh", "-c", f'"$@" {shut}', "sh", *command], capture_output=True, check=False)


def test_a_closed_stream_is_no_error() -> None:
    assert lawbook("editions", out=True).returncode == 0
    assert lawbook("editions", "--json", out=True).returncode == 0
    assert lawbook("count", "nowhere", error=True).returncode == 2


def test_the_exit_code_of_a_search_that_found_nothing_yet() -> None:
    found = lawbook("compare", "whist-club-1912", "whist-club-1913", "--auctions-only", "--exit-code", "--states", "1")
    assert found.returncode == 1, found.stderr
