"""When exactly editions differ: what is told only with facts that are neither of the act alone nor of the table as it
looks from outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawbook.data import data_folder
from lawbook.edition.library import Library
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
        ("whist-club-1912", "whist-club-1913@referrer=either"),
        ("new-deal", "refer"),
        1,
        "second-reference",
        "a player refers the choice to his partner and for some open right the player is among the holders and the "
        "player is an adversary of the offender and there is a referrer",
    ),
    "an offence, which is said as a thing": (
        ("whist-club-1912", "whist-club-1913"),
        ("inform", "lead"),
        0,
        "declarer-calls-a-suit",
        "a player informs his partner and that is a remark to the partner about an earlier declaration and the cards "
        "are not dealt",
    ),
    "what there are several of": (
        ("whist-club-1912", "whist-club-1913"),
        ("card-faced", "complete-the-deal"),
        0,
        "card-faced-in-the-pack",
        "a player finds a card faced in the pack and the cards are not being dealt",
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


# A correction is too late once the next player has called, not once he has done anything.
AFTER_A_CALL = """\
title: Correcting a declaration, by the rules of the house
topic: correction
in: [{edition: house, law: none, evidence: custom}]
summary: It is too late once the next player has bid or doubled.
sets aside: [next-player-has-acted]
clauses:
  - id: next-player-has-acted
    says: Once the next player has bid or doubled, it is too late.
    when: a player bids, doubles or redoubles
    if all of:
      - the status is open
      - the correction of the caller's right neighbour is open
    effects: the correction of the caller's right neighbour becomes late
"""
HOUSE = """\
edition: house
title: House
based on: whist-club-1912
laws: [correction.yaml]
"""


def test_what_editions_remember_otherwise_is_said_with_their_names(tmp_path: Path) -> None:
    (tmp_path / "correction.yaml").write_text(AFTER_A_CALL, encoding="utf-8")
    (tmp_path / "house.yaml").write_text(HOUSE, encoding="utf-8")
    library = Library((tmp_path, data_folder("laws")), (tmp_path, data_folder("editions")))
    a, b = load("whist-club-1912"), load("house", library)
    plan = Plan(bids=(Bid.parse("1S"),), acts=("correct",), irregularities=0, apart=False)
    told = {finding.when for finding in compare_behaviour(a, b, plan).findings if not finding.kind.alike}
    assert told == {
        "a player corrects his call and the call he names is a bid, under whist-club-1912 the player's correction is "
        "late and under house the player's correction is open"
    }
