"""What comes before a call (`before`): an earlier call is taken back, and the new one is judged without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawbook.auction import Auction, load, machine_of
from lawbook.edition.library import Library
from lawbook.errors import LawbookError
from lawbook.explain import conditions
from lawbook.machine.lawful import Lawful, never_in_turn
from lawbook.values import Bid, Seat

EDITION = """\
edition: strict-table
title: A strict table
based on: whist-club-1912
laws: [own/turn.yaml]
"""
HEAD = """\
title: Who speaks first
topic: who-speaks-first
summary: A bid out of turn is as nothing once the player whose turn it was bids.
in: [{edition: strict-table, law: none, evidence: custom}]
"""
MISSED = """\
declares:
  registers:
    - {register: missed player, type: optional seat, starts: nothing, gloss: whose turn was passed by}
clauses:
  - id: missed
    when: a player bids
    if all of:
      - the caller is not in turn
      - there is no missed player
    effects: the missed player becomes the player in turn
  - id: bids-after-all
    before: a player bids
    for each: open right
    if all of:
      - there is a missed player
      - the caller is the missed player
      - the offence is declaration out of turn
    effects:
      - the earlier call is taken back
      - shut out the offender
"""
CHANGES = """\
clauses:
  - id: changes-his-call
    before: a player bids
    if: the caller is not in turn
    offence: late correction
    the call: counts as a pass
    effects: the own last call is taken back
"""


def library(folder: Path, law: str) -> Library:
    (folder / "own").mkdir()
    (folder / "own" / "turn.yaml").write_text(HEAD + law, encoding="utf-8")
    (folder / "strict-table.yaml").write_text(EDITION, encoding="utf-8")
    return Library.shipped([folder])


def auction(folder: Path, law: str) -> Auction:
    return Auction(load("strict-table", library(folder, law)))


def test_the_earlier_call_is_taken_back_and_the_new_one_judged_without_it(tmp_path: Path) -> None:
    played = auction(tmp_path, MISSED)
    played.play("2H S:3C")
    assert [str(o) for o in played.options] == ["E:let-stand", "E:new-deal", "W:let-stand", "W:new-deal"]
    # East's two royal spades would not do over three clubs.
    bid = played.act("E:2R")
    assert bid.verdict.value == "legal"
    assert [c.id for c in bid.because] == ["bids-after-all", "may-overbid"]
    assert [(right.remedy, by) for _, right, by in bid.ruling.lapsed] == [
        ("new-deal-for-a-bid-out-of-turn", "bids-after-all")
    ]
    assert (played.options, str(played.turn), [str(s) for s in played.debarred]) == ((), "S", ["S"])
    assert str(played.declaration) == "2R by E"
    # Each condition is explained by the table it was asked of.
    told = {(c.clause.id, c.text): c.holds for c in conditions(played, 2)}
    assert told["bids-after-all", "the caller is the missed player"] is True
    assert told["may-overbid", "the bid outranks the last bid"] is True


def test_calls_made_since_are_taken_back_with_it(tmp_path: Path) -> None:
    played = auction(tmp_path, MISSED)
    played.play("1C S:1H N:1R")
    assert played.act("E:1D").verdict.value == "legal"
    assert (str(played.declaration), str(played.turn)) == ("1D by E", "S")
    assert [h for h in played.state.held if h.rights] == []


def test_what_is_lawful_is_asked_of_the_table_the_call_would_find(tmp_path: Path) -> None:
    played = auction(tmp_path, MISSED)
    played.play("2H S:3C")
    assert played.is_legal(Bid(2, "R"), Seat.E)
    assert not played.is_legal(Bid(2, "R"), Seat.W)


def test_a_call_that_is_not_that_players_leaves_everything_as_it_is(tmp_path: Path) -> None:
    played = auction(tmp_path, MISSED)
    played.play("2H S:3C")
    assert played.act("W:3D").verdict.value == "legal"
    assert str(played.declaration) == "3D by W"


def test_a_player_may_take_back_his_own_last_call(tmp_path: Path) -> None:
    played = auction(tmp_path, CHANGES)
    played.play("1C")
    assert str(played.turn) == "E"
    changed = played.act("N:1D")
    # He is in turn again, so the bid is not out of turn; but to change it is an offence here, and it is his pass.
    assert [played.edition.offences[o].name for o in changed.ruling.offences] == ["late-correction"]
    assert [c.id for c in changed.because] == ["changes-his-call"]
    assert (played.declaration, str(played.turn), played.state.values[:2]) == (None, "E", (0, 1))


def test_where_nothing_is_held_that_could_be_taken_back_nothing_comes_before(tmp_path: Path) -> None:
    played = auction(tmp_path, CHANGES)
    played.play("1C 1D")
    # South has called nothing.
    bid = played.act("W:2C")
    assert [played.edition.offences[o].name for o in bid.ruling.offences] == ["declaration-out-of-turn"]


def test_lawful_play_knows_which_clauses_are_not_of_the_player_in_turn(tmp_path: Path) -> None:
    edition = load("strict-table", library(tmp_path, CHANGES))
    assert never_in_turn(edition.clause("changes-his-call"), edition)
    assert not never_in_turn(edition.clause("insufficient"), edition)
    assert Lawful(machine_of(edition)).ignores_held


def test_rights_by_which_calls_are_taken_back_have_a_say_in_lawful_play(tmp_path: Path) -> None:
    assert not Lawful(machine_of(load("strict-table", library(tmp_path, MISSED)))).ignores_rights
    assert Lawful(machine_of(load("whist-club-1912"))).ignores_rights


@pytest.mark.parametrize(
    ("law", "code", "message"),
    [
        (MISSED.replace("before: a player", "when: a player"), "misplaced-effect", "this effect has no meaning"),
        (CHANGES.replace("own last", "earlier"), "misplaced-effect", "this effect has no meaning"),
        (CHANGES.replace("a player bids", "a player calls attention"), "not-a-call", "only what is called"),
    ],
)
def test_mistakes(tmp_path: Path, law: str, code: str, message: str) -> None:
    with pytest.raises(LawbookError) as caught:
        load("strict-table", library(tmp_path, law))
    first = caught.value.diagnostics[0]
    assert first.code == code
    assert first.message.startswith(message)
