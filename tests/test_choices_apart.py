"""What clauses about choices and open rights may speak of: roles of a right, and refusals of what would be chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawbook.auction import Auction, load
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event
from lawbook.machine.swift import Swift

EDITION = "edition: our-table\nbased on: whist-club-1912\nlaws: [own/rights.yaml]\n"
HEAD = """\
title: Rights
topic: rights
summary: Rights end when an adversary shows a card.
in: [{edition: our-table, law: none, evidence: custom}]
clauses:
"""


def load_with(folder: Path, clauses: str, head: str = HEAD) -> Edition:
    (folder / "own").mkdir()
    (folder / "own" / "rights.yaml").write_text(head + clauses, encoding="utf-8")
    (folder / "our-table.yaml").write_text(EDITION, encoding="utf-8")
    return load("our-table", Library.shipped([folder]))


def test_a_role_in_a_clause_read_for_each_right_is_of_its_offender(tmp_path: Path) -> None:
    clause = "  - {id: ends, when: an adversary exposes a card, for each: open right, effects: the right lapses}\n"
    edition = load_with(tmp_path, clause)
    by_whom = {}
    for seat in "NESW":
        auction = Auction(edition)
        auction.play(f"2H 2D {seat}:expose=HA")
        by_whom[seat] = any(option.clause == "penalise-insufficient" for option in auction.options)
    assert by_whom == {"N": False, "E": True, "S": False, "W": True}


def test_a_refused_choice_is_about_no_offender(tmp_path: Path) -> None:
    clause = "  - {id: never, refused when: a player demands the penalty, if: the offender is debarred}\n"
    with pytest.raises(LawbookError) as raised:
        load_with(tmp_path, clause)
    assert [d.code for d in raised.value.diagnostics] == ["unknown-here"]


def test_a_call_that_was_taken_back_cannot_be_taken_back_again(tmp_path: Path) -> None:
    clause = (
        "  - id: {}\n    remedy for: insufficient declaration\n    holder: either adversary\n"
        "    choices: {{{}: the call is taken back}}\n{}"
    )
    clauses = clause.format("cancels", "refuse", "") + clause.format(
        "cancels-again", "points", "    outlasts: another choice\n"
    )
    auction = Auction(load_with(tmp_path, clauses))
    auction.play("2H 2D")
    assert {"cancels", "cancels-again"} <= {option.clause for option in auction.options}
    auction.play("S:refuse")
    assert [right.remedy for call in auction.state.held for right in call.rights] == ["cancels-again"]
    assert {option.act for option in auction.options} == {"let-stand"}
    assert auction.act("S:points").verdict.value == "refused"


def test_a_right_that_ends_by_whom_the_call_decides_remembers_the_call(tmp_path: Path) -> None:
    head = HEAD.replace(
        "clauses:\n",
        "declares:\n"
        "  roles:\n"
        "    - role: namer\n"
        "      article: the\n"
        "      means: the first namer of the bid's denomination for the offender's side\n"
        "      gloss: who first named on his side what was bid\n"
        "clauses:\n",
    )
    clauses = (
        "  - id: fine\n    remedy for: insufficient declaration\n    holder: either adversary\n"
        "    until: the namer exposes a card\n    choices: {call a lead: the call stands}\n"
    )
    edition = load_with(tmp_path, clauses, head)
    auction = Auction(edition)
    auction.play("1D 1R 2H 1R P")
    # Only the claim is left, and the call it is about.
    assert [(call.before, [right.remedy for right in call.rights]) for call in auction.state.held] == [(None, ["fine"])]
    auction.play("W:expose=HA")
    assert "fine" in {option.clause for option in auction.options}
    auction.play("E:expose=HA")
    assert "fine" not in {option.clause for option in auction.options}
    # One right against two calls of a player: it is the call that decides.
    machine = Machine(edition)
    swift = Swift(machine)
    for call in ("1R", "1D"):
        auction = Auction(edition)
        auction.play(f"1D 1R 2H {call}")
        event = Event(1, "expose")
        (ruling,) = machine.act(auction.state, event)
        assert swift.step(auction.state, event) == (ruling.verdict, ruling.offences, ruling.state)
        assert ("fine" in {right.remedy for c in ruling.state.held for right in c.rights}) is (call == "1D")
