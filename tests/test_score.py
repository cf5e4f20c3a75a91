"""Scores: the given answers, what must hold of every deal and rubber, and what is refused."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from published import validator
from test_cli import lawbook_command

from lawbook.auction import load
from lawbook.deals import Deal
from lawbook.diagnostics import Diagnostic
from lawbook.errors import LawbookError
from lawbook.report.score import rubber_json, score_json
from lawbook.scoring import NotCorrected, NotScored, Rubber, deal_under, read_rubber, score_deal
from lawbook.values import Seat, Side

EDITIONS = ("portland-bath-1908", "whist-club-1912", "whist-club-1913")
SCHEMA = validator("score.schema.json")


def deal(**told: object) -> Deal:
    return Deal.of(told)


@st.composite
def deals(draw: st.DrawFn, letters: str = "SCDHN") -> Deal:
    letter = draw(st.sampled_from(letters))
    most = 4 if letter == "N" else 5
    honours: dict[str, int] = {}
    for seat in "NESW":
        honours[seat] = draw(st.integers(0, most - sum(honours.values())))
    void = [s for s in "NESW" if letter != "N" and not honours[s]]
    chicane = draw(st.lists(st.sampled_from(void), unique=True, max_size=2)) if void else []
    declarer = draw(st.sampled_from("NESW"))
    # Dummy is not liable for a revoke, so none of his is scored.
    liable = [seat for seat in "NESW" if Seat.parse(seat) is not Seat.parse(declarer).partner]
    revokes = draw(st.lists(st.sampled_from(liable), max_size=3))
    mine = {Seat.parse(declarer).side}
    may_take = bool(revokes) and not {Seat.parse(r).side for r in revokes} & mine
    return deal(
        contract=f"{draw(st.integers(1, 8))}{letter}{'X' * draw(st.integers(0, 2))}",
        declarer=declarer,
        dealer=draw(st.sampled_from("NESW")),
        tricks=draw(st.integers(0, 13)),
        honours=honours,
        chicane=chicane,
        revokes=revokes,
        takes="tricks" if may_take and draw(st.booleans()) else "points",
    )


def redealt(old: Deal, **changes: Any) -> Deal:
    return replace(old, **changes)


@pytest.mark.parametrize("name", EDITIONS)
@given(old=deals(), doubling=st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_doubling_never_changes_honours(name: str, old: Deal, doubling: int) -> None:
    topics = {"honours", "honours-without-trumps", "slam", "chicane"}
    edition = load(name)

    def of_honours(d: Deal) -> list[tuple[int, int, str]]:
        return [(n.side, n.points, n.clause.id) for n in score_deal(edition, d).lines if n.clause.law.topic in topics]

    assert of_honours(redealt(old, doubling=doubling)) == of_honours(old)


@pytest.mark.parametrize("name", EDITIONS)
@given(old=deals())
@settings(max_examples=60, deadline=None)
def test_who_dealt_matters_only_for_one_spade(name: str, old: Deal) -> None:
    assume((old.contract.level, old.contract.denomination) != (1, "S"))
    scores = {score_deal(load(name), redealt(old, dealer=seat)).lines for seat in Seat}
    assert len({tuple((n.side, n.column, n.points, n.clause.id) for n in lines) for lines in scores}) == 1


@pytest.mark.parametrize("name", EDITIONS)
@given(old=deals())
@settings(max_examples=60, deadline=None)
def test_turning_the_table_turns_the_score(name: str, old: Deal) -> None:
    turned = redealt(
        old,
        declarer=old.declarer.left,
        dealer=old.dealer.left,
        honours={s.left: n for s, n in old.honours.items()},
        chicane=frozenset(s.left for s in old.chicane),
        revokes=tuple(s.left for s in old.revokes),
    )
    before, after = (score_deal(load(name), d) for d in (old, turned))
    for key in ("tricks", "honours"):
        assert before.column(key)[Side.NS] == after.column(key)[Side.EW]
        assert before.column(key)[Side.EW] == after.column(key)[Side.NS]


@pytest.mark.parametrize("name", EDITIONS)
@given(several=st.lists(deals(), max_size=8))
@settings(max_examples=40, deadline=None)
def test_the_columns_add_up_to_the_difference(name: str, several: list[Deal]) -> None:
    rubber = Rubber(load(name))
    for one in several:
        if rubber.is_over:
            with pytest.raises(NotScored):
                rubber.enter(one)
            break
        rubber.enter(one)
    told = rubber_json(rubber)
    SCHEMA.validate(told)
    columns = [told["trick_points"], told["honour_points"], told["rubber_points"]]
    assert told["difference"] == sum(c["NS"] - c["EW"] for c in columns)
    assert told["totals"]["NS"] - told["totals"]["EW"] == told["difference"]
    assert not told["deals"] or told["deals"][-1]["net"] == told["difference"]
    assert max(told["games"].values()) == (2 if told["over"] else min(max(told["games"].values()), 1))
    assert all(below < 30 for below in told["below"].values())


@pytest.mark.parametrize("name", EDITIONS)
def test_a_deal_is_told_by_its_schema(name: str) -> None:
    one = deal(contract="4HX", declarer="N", tricks="11", honours="N=4,S=1", chicane="E", revokes="")
    told = score_json(one, score_deal(load(name), one))
    SCHEMA.validate(told)
    assert told["trick_points"] == {"NS": 80, "EW": 0}


WRONG = [
    ({"contract": "4H", "declarer": "N", "tricks": 9, "vulnerable": "SN"}, "who is vulnerable: `SN` is no side"),
    ({"contract": "4H", "declarer": "N", "tricks": 9, "vulnerable": 1}, "who is vulnerable: expected sides, found 1"),
    ({"contract": "4H", "declarer": "N", "tricks": 14}, "tricks won: 14 cannot be; there are 0 to 13"),
    ({"contract": "4H", "declarer": "N", "tricks": -1}, "tricks won: -1 cannot be; there are 0 to 13"),
    ({"contract": "4H", "declarer": "N", "tricks": "--5"}, "tricks won: `--5` is not a number"),
    ({"contract": "4H", "declarer": "N", "tricks": "ten"}, "tricks won: `ten` is not a number"),
    ({"contract": "4HXXX", "declarer": "N", "tricks": 7}, "`4HXXX` is doubled more than twice"),
    ({"contract": "9HX", "declarer": "N", "tricks": 7}, "`9H` is of 9 odd tricks, and the levels are 1 to 7"),
    ({"contract": "4H", "declarer": "N"}, "the deal lacks its tricks"),
    ({"contract": "4H", "declarer": "N", "tricks": 7, "honors": "N=4"}, "a deal has no `honors`"),
    ({"contract": "4H", "declarer": "N", "tricks": 7, "honours": "N4"}, "`N4` does not say how many honours"),
    ({"contract": "4H", "declarer": "N", "tricks": 7, "honours": "N=4,E=2"}, "There are five honours"),
    ({"contract": "4N", "declarer": "N", "tricks": 7, "honours": "N=3,E=2"}, "There are four aces"),
    ({"contract": "4H", "declarer": "N", "tricks": 7, "takes": "tricks"}, "Tricks can be taken only"),
    (
        {"contract": "4H", "declarer": "N", "tricks": 7, "takes": "cash"},
        "the declarer takes points or tricks, not cash",
    ),
]


@pytest.mark.parametrize(("told", "message"), WRONG)
def test_what_cannot_be_is_refused(told: dict[str, object], message: str) -> None:
    with pytest.raises(LawbookError, match=re.escape(message)):
        score_deal(load("whist-club-1912"), Deal.of(told))


def test_a_denomination_the_edition_lacks_is_refused() -> None:
    with pytest.raises(LawbookError, match="portland-bath-1908 has no denomination R"):
        score_deal(load("portland-bath-1908"), deal(contract="2R", declarer="N", tricks=8))


UNSCORED = [
    ("contract-2017", {"honours": "N=4"}, ["honours"]),
    ("contract-2017", {"honours": {"N": 4}, "chicane": "E", "revokes": ["E"]}, ["honours", "chicane", "revokes"]),
    ("contract-2017", {"takes": "points"}, ["takes"]),
    ("contract-2017", {"vulnerable": "NS", "dealer": "E", "honours": {}, "chicane": []}, []),
    ("whist-club-1912", {"vulnerable": "both"}, ["vulnerable"]),
    (
        "whist-club-1912",
        {"vulnerable": "none", "honours": "N=4", "chicane": "E", "revokes": "E", "takes": "tricks"},
        [],
    ),
]


@pytest.mark.parametrize(("name", "told", "refused"), UNSCORED)
def test_what_the_score_does_not_turn_on_is_refused_where_a_deal_is_told(
    name: str, told: dict[str, object], refused: list[str]
) -> None:
    whole = {"contract": "4H", "declarer": "N", "tricks": 10, **told}
    problems: tuple[Diagnostic, ...] = ()
    try:
        deal_under(load(name), whole)
    except LawbookError as error:
        problems = error.diagnostics
    messages = [f"nothing in the score of {name} turns on `{key}`" for key in refused]
    assert [found.message for found in problems] == messages
    # The same deal can still be scored under several editions by a program that knows what it does.
    assert score_deal(load(name), Deal.of(whole)).lines
    line = json.dumps(whole).encode()
    if refused:
        with pytest.raises(LawbookError, match=f"line 1: nothing in the score of {name}"):
            read_rubber(load(name), line, "rubber.jsonl")
    else:
        read_rubber(load(name), line, "rubber.jsonl")


def test_the_command_refuses_what_the_score_does_not_turn_on() -> None:
    told = ("--contract", "4H", "--declarer", "N", "--tricks", "10", "--honours", "N=4")
    status, out, error = lawbook_command("score", "contract-2017", *told)
    assert (status, out) == (2, "")
    assert "error[not-in-the-score]: nothing in the score of contract-2017 turns on\n    `honours`" in error
    assert "the score turns on contract, declarer, tricks and\n           vulnerable" in error


def test_a_rubber_file_with_bad_lines_names_them_all_and_scores_nothing() -> None:
    lines = [b'{"contract": "4H", "declarer": "N", "tricks": 10}', b"{", b"[1]", b'{"contract": "4H", "declarer": "Q"}']
    with pytest.raises(LawbookError) as caught:
        read_rubber(load("whist-club-1912"), b"\n".join(lines), "rubber.jsonl")
    assert [d.span.line for d in caught.value.diagnostics if d.span is not None] == [2, 3, 4, 4]


@given(content=st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_a_rubber_or_an_error(content: bytes) -> None:
    with contextlib.suppress(LawbookError):
        assert read_rubber(load("whist-club-1912"), content, "rubber.jsonl").difference == 0


def test_a_correction_refused_leaves_the_sheet_as_it_was() -> None:
    rubber = Rubber(load("whist-club-1912"))
    rubber.enter(deal(contract="4H", declarer="N", tricks=10))
    rubber.enter(deal(contract="1H", declarer="N", tricks=7))
    before = rubber_json(rubber)
    with pytest.raises(NotCorrected):
        rubber.correct(1, deal(contract="4H", declarer="N", tricks=11))
    assert rubber_json(rubber) == before
    with pytest.raises(LawbookError, match="there is no deal 3"):
        rubber.correct(3, deal(contract="4H", declarer="N", tricks=11))


def test_a_law_that_is_not_at_hand_corrects_nothing() -> None:
    rubber = Rubber(load("whist-club-1913"))
    rubber.enter(deal(contract="4H", declarer="N", tricks=10))
    with pytest.raises(LawbookError, match="no law of whist-club-1913 that is at hand"):
        rubber.correct(1, deal(contract="4H", declarer="N", tricks=11))


@pytest.mark.parametrize(
    ("told", "sides"),
    [
        ("NS", ["NS"]),
        ("ew", ["EW"]),
        ("both", ["EW", "NS"]),
        ("all", ["EW", "NS"]),
        ("none", []),
        ("", []),
        ("NS,EW", ["EW", "NS"]),
        (["EW"], ["EW"]),
        ([], []),
        (None, []),
    ],
)
def test_who_is_vulnerable(told: object, sides: list[str]) -> None:
    one = deal(contract="4H", declarer="N", tricks=10, vulnerable=told)
    assert sorted(str(side) for side in one.vulnerable) == sides
    told_again = score_json(one, score_deal(load("whist-club-1912"), one))
    SCHEMA.validate(told_again)
    assert told_again["deal"]["vulnerable"] == sides


HASHES = Path(__file__).parent / "good" / "hashes.json"


def test_the_meaning_of_an_edition_changes_only_on_purpose(request: pytest.FixtureRequest) -> None:
    """A change of a hash here is a line in the changelog of law data; `pytest --record` takes the new ones."""
    from lawbook.edition.library import Library

    found = {name: load(name).hash for name in sorted(Library.shipped().edition_files())}
    if request.config.getoption("--record"):
        HASHES.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    assert found == json.loads(HASHES.read_text(encoding="utf-8"))
