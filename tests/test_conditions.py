"""When exactly editions differ: what is told only with facts that are neither of the act alone nor of the table as it
looks from outside."""

from __future__ import annotations

import pytest

from lawbook.explore.behaviour import compare_behaviour
from lawbook.explore.plan import Plan
from lawbook.loading import load
from lawbook.values import Bid

# The editions, the acts offered, how many of them may be irregular, the clause that is the cause, and when they differ.
CASES = {
    "what a remedy asks of its holder, and whoever it is": (
        ("portland-bath-1908", "whist-club-1912"),
        ("deal-out-of-turn", "deal-with-the-wrong-pack", "look", "stop-the-deal"),
        0,
        "may-stop-a-wrong-deal",
        "a player deals out of turn and there has been no bid and somebody is among the players who have looked; or a "
        "player deals with the wrong pack and the player is dealing and somebody is among the players who have looked",
    ),
    "what a law asks of each open right": (
        ("portland-bath-1908", "whist-club-1912"),
        ("call-the-card", "consult", "expose", "refer"),
        1,
        "partner-suggests",
        "a player consults his partner or refers the choice to his partner, and for some open right the player's "
        "partner is among the holders and the player is not among the holders",
    ),
    "the same of acts that are refused": (
        ("portland-bath-1908", "whist-club-1912"),
        ("call-the-card", "expose", "let-stand", "penalise"),
        1,
        "partner-demands",
        "a player calls the card, lets the call stand or demands the penalty, and for some open right the player's "
        "partner is among the holders and the player is not among the holders",
    ),
    "what is remembered with a right": (
        ("whist-club-1912", "whist-club-1913"),
        ("call-the-card", "expose", "refer"),
        1,
        "second-reference",
        "a player refers the choice to his partner and for some open right the player is among the holders and there "
        "is a referrer",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_when_exactly_editions_differ(case: str) -> None:
    (first, second), acts, irregularities, cause, when = CASES[case]
    plan = Plan(bids=(Bid.parse("1S"),), acts=acts, irregularities=irregularities, apart=False)
    findings = compare_behaviour(load(first), load(second), plan).findings
    told = [(f.exact, f.when) for f in findings if cause in {c.id for c in f.clauses} and not f.kind.alike]
    assert told == [(True, when)]


def test_what_is_so_of_several_acts_is_said_once() -> None:
    plan = Plan(bids=(Bid.parse("1S"),), acts=("penalise",), irregularities=1, apart=False)
    findings = compare_behaviour(load("whist-club-1912"), load("whist-club-1913"), plan).findings
    assert "a player doubles or redoubles, and he is debarred" in [finding.when for finding in findings]
