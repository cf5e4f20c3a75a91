"""What is refused does not happen; but a law may attach something to the attempt (`when refused`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawbook.auction import Auction, load
from lawbook.edition.library import Library
from lawbook.errors import LawbookError

EDITION = """\
edition: strict-table
title: A strict table
based on: whist-club-1912
laws: [own/meddling.yaml]
"""
LAW = """\
title: Meddling
topic: meddling
summary: Whoever demands what is not his to demand settles the matter against his side's wishes.
in: [{edition: strict-table, law: none, evidence: custom}]
clauses:
  - id: meddling-loses-the-right
    when refused: a player chooses a remedy
    for each: open right
    if: the player is not among the holders
    effects: the right lapses
  - id: meddling-debars
    when refused: a player demands a new deal
    if: there is a last bid
    effects: debar the player
"""
MEDDLED = ("meddling-loses-the-right", "meddling-debars")


def library(folder: Path, law: str) -> Library:
    (folder / "own").mkdir()
    (folder / "own" / "meddling.yaml").write_text(law, encoding="utf-8")
    (folder / "strict-table.yaml").write_text(EDITION, encoding="utf-8")
    return Library.shipped([folder])


def test_the_attempt_is_refused_and_has_its_consequences(tmp_path: Path) -> None:
    auction = Auction(load("strict-table", library(tmp_path, LAW)))
    auction.play("1C S:1H")
    assert [str(o) for o in auction.options] == ["E:let-stand", "E:new-deal", "W:let-stand", "W:new-deal"]
    meddling = auction.act("N:new-deal")
    assert meddling.verdict.value == "refused"
    assert tuple(c.id for c in meddling.because) == MEDDLED
    assert (auction.options, [str(s) for s in auction.debarred], auction.status) == ((), ["N"], "open")
    # The right is gone; the refusal of the one who had it names the law that gave it.
    late = auction.act("E:new-deal")
    assert (late.verdict.value, [c.id for c in late.because][-1]) == ("refused", "meddling-debars")
    assert late.lapsed_by is None


def test_what_is_granted_is_no_attempt(tmp_path: Path) -> None:
    auction = Auction(load("strict-table", library(tmp_path, LAW)))
    auction.play("1C S:1H")
    granted = auction.act("E:new-deal")
    assert (granted.verdict.value, auction.status) == ("legal", "new-deal")


def test_a_refusal_that_no_law_speaks_of_changes_nothing(tmp_path: Path) -> None:
    auction = Auction(load("strict-table", library(tmp_path, LAW)))
    auction.play("1C S:1H")
    before = auction.state
    assert auction.act("E:correct=2D").verdict.value == "refused"
    assert auction.state == before


def test_an_attempt_is_no_offence(tmp_path: Path) -> None:
    law = LAW.replace("    effects: debar the player\n", "    effects: debar the player\n    offence: dealer passes\n")
    with pytest.raises(LawbookError) as caught:
        load("strict-table", library(tmp_path, law))
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.clause) == ("misplaced-key", "meddling-debars")
    assert diagnostic.message == "`when refused` has no place in a prohibition"
