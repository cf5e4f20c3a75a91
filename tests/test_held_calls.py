"""A call that a remedy makes stand as another is held on while the edition lets its caller put it back."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawbook.auction import Auction, load
from lawbook.edition.library import Library

EDITION = """\
edition: lenient-table
title: A lenient table
based on: whist-club-1912
laws: [own/second-thoughts.yaml]
"""
LAW = """\
title: Second thoughts
topic: second-thoughts
summary: Whoever is penalised may say once what his bid shall be.
in: [{edition: lenient-table, law: none, evidence: custom}]
declares:
  registers:
    - register: player with second thoughts
      type: optional seat
      starts: nothing
      put back: never
      kept while: the status is open
      gloss: who has been penalised and may still say what his bid shall be
  a call may be put back:
    while all of:
      - there is a player with second thoughts
      - the caller is the player with second thoughts
clauses:
  - id: may-think-again
    when: a player demands the penalty
    effects: the player with second thoughts becomes the offender
  - id: thinks-again
    entitled when: a player raises his bid
    if all of:
      - there is a player with second thoughts
      - the player is the player with second thoughts
    effects: the call is judged again as the call named
  - id: has-thought-again
    when: a player calls
    if: there is a player with second thoughts
    effects: the player with second thoughts becomes nothing
"""


@pytest.fixture
def auction(tmp_path: Path) -> Auction:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "second-thoughts.yaml").write_text(LAW, encoding="utf-8")
    (tmp_path / "lenient-table.yaml").write_text(EDITION, encoding="utf-8")
    return Auction(load("lenient-table", Library.shipped([tmp_path])))


def test_what_stands_as_another_can_be_replaced_again(auction: Auction) -> None:
    auction.play("2H 2D S:penalise")
    assert (str(auction.declaration), auction.turn) == ("3D by E", auction.turn_of_next)
    held = auction.act("E:raise=2R")
    assert (held.verdict.value, str(auction.declaration)) == ("legal", "2R by E")
    assert auction.act("E:raise=4D").verdict.value == "refused"
    # Nothing is left of the bid as it was spoken, nor of what it stood as.
    auction.play("P P P")
    assert str(auction.contract) == "2R by E"


def test_it_is_held_no_longer_than_the_edition_says(auction: Auction) -> None:
    auction.play("2H 2D S:penalise P")
    assert auction.act("E:raise=4D").verdict.value == "refused"
    assert auction.state.held == ()
    assert str(auction.declaration) == "3D by E"


def test_what_is_taken_back_is_gone(auction: Auction) -> None:
    auction.play("1R 8H N:make-final")
    assert (auction.status, auction.state.held) == ("final", ())


def test_an_edition_that_lets_nobody_put_it_back_holds_nothing() -> None:
    auction = Auction("whist-club-1912")
    auction.play("2H 2D S:penalise")
    assert auction.state.held == ()


def test_a_register_that_is_put_back_is_not_written() -> None:
    """How many have passed counts only while the auction is open. Made final with a bid put back, it is over: the one
    pass of before the bid, which comes back with it, falls away as any other number would."""
    auction = Auction("whist-club-1912")
    auction.play("E:2S S:P S:8S W:make-final")
    passes = auction.edition.registers["passes"]
    assert (auction.status, auction.state.values[passes.slot]) == ("final", passes.start)
