"""What a search hands over, and how it is told: `good/behaviour/` holds findings with the text that tells them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cli import validate

from lawbook.auction import Auction, arguments_of, load
from lawbook.compare.findings import Behaviour, Coverage, Finding, FindingKind, Witness, answer, witness
from lawbook.compare.matrix import compare_many
from lawbook.compare.structure import compare_structure
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError
from lawbook.notation import parse_auction
from lawbook.report.auction import rulings_json
from lawbook.report.behaviour import behaviour_json, behaviour_text, unread_sentences
from lawbook.report.html.comparison import comparison_page
from lawbook.report.html.matrix import matrix_page
from lawbook.report.layout import Page
from lawbook.report.matrix import matrix_json, matrix_text
from lawbook.report.structure import structure_json, structure_text
from lawbook.values import Act, Bid, Seat

GOOD = Path(__file__).parent / "good" / "behaviour"
BEHAVIOURS: dict[str, Any] = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(GOOD.glob("*.yaml"))
}
EVERY = pytest.mark.parametrize("name", BEHAVIOURS)


def acts_of(auction: str, *editions: Edition) -> list[Act]:
    declared = {name: kind for edition in editions for name, kind in arguments_of(edition).items()}
    acts = [token.act for token in parse_auction(auction, acts=declared)]
    assert all(isinstance(act, Act) for act in acts)
    return [act for act in acts if isinstance(act, Act)]


def behaviour_of(case: Any) -> Behaviour:
    a, b = (load(name) for name in case["between"])
    coverage = case["coverage"]
    return Behaviour(
        a,
        b,
        tuple(_finding(a, b, finding) for finding in case["findings"]),
        Coverage(
            coverage["complete"],
            coverage["states"],
            coverage["transitions"],
            tuple(Bid.parse(bid) for bid in coverage["bids"].split()),
            coverage.get("irregularities"),
            tuple(coverage.get("notes", ())),
        ),
    )


def _finding(a: Edition, b: Edition, case: Any) -> Finding:
    shown: Witness | None = None
    if "auction" in case:
        shown = witness(a, b, Seat.parse(case.get("dealer", "N")), acts_of(case["auction"], a, b))
    in_a, in_b = case["clauses"]
    return Finding(
        FindingKind(case["kind"]),
        tuple(a.by_id[clause] for clause in in_a),
        tuple(b.by_id[clause] for clause in in_b),
        case["when"],
        case["positions"],
        shown,
        case.get("exact", True),
    )


@EVERY
def test_text(name: str, recorded: Callable[[Path, str], None]) -> None:
    lines = list(behaviour_text(behaviour_of(BEHAVIOURS[name]), Page(80)))
    assert max(len(line) for line in lines) <= 80
    recorded(GOOD / f"{name}.txt", "\n".join(lines) + "\n")


@EVERY
@pytest.mark.parametrize("width", [40, 60, 100])
def test_text_keeps_to_the_page(name: str, width: int) -> None:
    lines = list(behaviour_text(behaviour_of(BEHAVIOURS[name]), Page(width)))
    assert max(len(line) for line in lines) <= width


@EVERY
def test_json_fits_its_schema(name: str) -> None:
    behaviour = behaviour_of(BEHAVIOURS[name])
    value = structure_json(compare_structure(behaviour.a, behaviour.b), behaviour)
    validate(value, "compare")
    assert value["differences"] == behaviour_json(behaviour)["differences"]


@EVERY
def test_every_witness_is_written_so_that_it_can_be_played(name: str) -> None:
    behaviour = behaviour_of(BEHAVIOURS[name])
    for finding in behaviour.findings:
        if (shown := finding.witness) is not None:
            again = acts_of(shown.notation, behaviour.a, behaviour.b)
            assert witness(behaviour.a, behaviour.b, shown.dealer, again).notation == shown.notation


def test_differences_come_before_the_laws() -> None:
    behaviour = behaviour_of(BEHAVIOURS["1912-1913"])
    text = "\n".join(structure_text(compare_structure(behaviour.a, behaviour.b), Page(), behaviour=behaviour))
    assert "\n".join(behaviour_text(behaviour, Page())) in text
    assert text.index("They differ exactly when") < text.index("law by law")
    assert "has not been searched" not in text


def test_findings_have_their_place_in_the_matrix() -> None:
    behaviour = behaviour_of(BEHAVIOURS["1912-1913"])
    cut_short = Behaviour(behaviour.a, behaviour.b, behaviour.findings[:1], Coverage(False, 1, 1, (), 0))
    editions = [behaviour.a, behaviour.b, load("portland-bath-1908")]
    matrix = compare_many(editions, behaviours={(0, 1): behaviour, (0, 2): cut_short})
    assert [matrix.found(pair) for pair in matrix.pairs] == [4, 1, None]
    assert matrix.found((0, 1), "debarred-player-declares") == 1
    assert matrix.found((0, 1), "finality") == 0
    value: Any = matrix_json(matrix)
    validate(value, "compare")
    assert [pair["differences"] for pair in value["pairs"]] == [4, 1, None]
    assert value["pairs"][0]["by_topic"]["consultation"] == 1
    assert value["pairs"][2]["coverage"] is None
    text = "\n".join(matrix_text(matrix, Page()))
    assert "differences found at the table" in text
    # Of the two searched with 1912 the first is told in full, of the second there may be more.
    assert "   2    4\n   3   1+    .\n" in text
    assert "1+" in matrix_page(matrix)


def test_whether_they_differ() -> None:
    found = {name: behaviour_of(case).differ for name, case in BEHAVIOURS.items()}
    assert found == {"1912-1913": True, "1908-1912-unfinished": True, "alike": False}
    whole = behaviour_of(BEHAVIOURS["1912-1913"])
    alike = tuple(finding for finding in whole.findings if finding.kind.alike)
    assert len(alike) == 3
    assert not Behaviour(whole.a, whole.b, alike, whole.coverage).differ


CALLS = ["P", "X", "XX", "1C", "1S", "2H", "2D", "8N", "S:1H", "W:P"]
OTHERS = ["E:penalise", "S:penalise", "N:new-deal", "W:let-stand", "S:notice", "E:correct=3D", "N:expose"]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from([*CALLS, *OTHERS]), max_size=7),
    st.sampled_from(list(Seat)),
    st.sampled_from(["whist-club-1912", "whist-club-1913"]),
)
def test_an_answer_is_what_rule_says(words: list[str], dealer: Seat, name: str) -> None:
    edition = load(name)
    auction = Auction(edition, dealer)
    auction.play(" ".join(words))
    ruled: Any = rulings_json(auction)
    given_answer = answer(edition, dealer, acts_of(" ".join(words), edition))
    assert given_answer.notation == ruled["auction"]
    assert given_answer.status == ruled["status"]
    assert [str(seat) for seat in given_answer.debarred] == ruled["debarred"]
    assert {str(side): points for side, points in given_answer.points.items()} == ruled["points"]
    assert {(str(o.seat), o.act, o.clause) for o in given_answer.options} == {
        (o["seat"], o["act"], o["clause"]) for o in ruled["options"]
    }
    if words:
        last = ruled["events"][given_answer.last]
        assert given_answer.verdict is not None
        assert given_answer.verdict.value == last["verdict"]
        assert [offence.name for offence in given_answer.offences] == last["offences"]
        assert given_answer.unpenalised == last.get("unpenalised", False)
        assert [clause.id for clause in given_answer.because] == [c["clause"] for c in last["because"]]
        assert all(event.get("of_itself") for event in ruled["events"][given_answer.last + 1 :])


def test_an_act_that_an_edition_does_not_know() -> None:
    old, new = load("whist-club-1912"), load("whist-club-1913")
    acts = acts_of("TABLE:find-a-missing-card 1C", old, new)
    assert answer(old, Seat.N, acts[:1]).verdict is None
    assert answer(new, Seat.N, acts[:1]).verdict is not None
    with pytest.raises(LawbookError):
        answer(old, Seat.N, acts)


def test_a_law_whose_like_was_not_at_hand_is_told_of_as_such() -> None:
    a, b = load("whist-club-1912"), load("whist-club-1913")
    suit, lead = a.by_id["declarer-calls-a-suit"], b.by_id["declarer-calls-a-lead-in-the-play"]
    finding = Finding(FindingKind.OTHER_REMEDY, (suit,), (lead,), "a player informs his partner", 1, None)
    coverage = Coverage(False, 1, 1, (), 1)
    said = (
        "Law 93 of whist-club-1912, Speaking of the bidding during the play (information-in-play): what "
        "whist-club-1913 has on that was not at hand."
    )
    for one, other, clauses in ((a, b, ((suit,), (lead,))), (b, a, ((lead,), (suit,)))):
        behaviour = Behaviour(
            one, other, (dataclasses.replace(finding, clauses_a=clauses[0], clauses_b=clauses[1]),), coverage
        )
        assert said in " ".join(" ".join(behaviour_text(behaviour, Page())).split())
        assert said in comparison_page(compare_structure(one, other), behaviour)
    # Of a law both have, and of an edition that is whole, there is nothing to say.
    whole = dataclasses.replace(finding, clauses_a=(a.by_id["declarer-calls-a-lead"],))
    for behaviour in (Behaviour(a, b, (whole,), coverage), Behaviour(a, load("contract-2017"), (finding,), coverage)):
        assert "was not at hand" not in "".join(behaviour_text(behaviour, Page()))


@pytest.mark.parametrize(
    ("clauses", "other", "said"),
    [
        # The law of 1913 has lost what voided such a deal, or it stood in what is not at hand.
        ("unequal-hands", "", "Law 39 of whist-club-1913, An incorrect pack (incorrect-pack): only part of its text"),
        # The commentary on it speaks of cards shown, and not of cards led.
        ("exposes-a-card", "", "Law 65 of whist-club-1913, Cards exposed before the declaration is final"),
        # This stands in the part that is at hand, and so does the law of doubling, whole.
        ("", "incorrect-pack-after-the-play", ""),
        ("doubles-twice", "", ""),
    ],
)
def test_a_law_that_is_not_known_whole_is_told_of(clauses: str, other: str, said: str) -> None:
    a, b = load("whist-club-1912"), load("whist-club-1913")
    of_a, of_b = (tuple(e.by_id[name] for name in names.split()) for e, names in ((a, clauses), (b, other)))
    for one, another, in_one, in_other in ((a, b, of_a, of_b), (b, a, of_b, of_a)):
        finding = Finding(FindingKind.OTHER_RESULT, in_one, in_other, "something is so", 1, None)
        told = " ".join(unread_sentences(Behaviour(one, another, (finding,), Coverage(False, 1, 1, (), 1)), finding))
        assert told.startswith(said)
        assert bool(told) is bool(said)
