"""Acts that are no calls: the table's own, and offences whose rights stay when calls are taken away."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawbook.auction import Auction, load
from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError

HERE = Path(__file__).parent / "good" / "invented"
EDITION = "edition: tinkers-1802\nbased on: tinkers-1801\nlaws: [tinkers/spilling.yaml]\n"
SPILLING = """\
title: Spilling
topic: spilling
in: [{edition: tinkers-1802, law: "9"}]
summary: Spilt ale ends the deal when the table shakes; whoever spits owes the others a fine.
declares:
  roles:
    - {role: table, article: the, is the table: yes, gloss: nobody in particular}
  acts:
    - {act: spill, says: spills the ale, gloss: the ale is spilt}
    - {act: spit, says: spits, gloss: a player spits}
  offences:
    - {offence: spilling, gloss: the ale is spilt}
    - {offence: spitting, gloss: a player spits}
clauses:
  - id: spills
    when: the table spills the ale
    offence: spilling
    effects: the status becomes passed out
  - id: spits
    when: a player spits
    offence: spitting
  - id: fine-for-spitting
    remedy for: spitting
    holder: the left neighbour of the offender
    choices:
      fine: the forfeit goes to the purse of the holder's side
"""


@pytest.fixture(scope="module")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Edition:
    return load("tinkers-1802", library(tmp_path_factory.mktemp("tinkers"), SPILLING))


def library(folder: Path, law: str) -> Library:
    (folder / "laws" / "tinkers").mkdir(parents=True)
    (folder / "editions").mkdir()
    (folder / "laws" / "tinkers" / "spilling.yaml").write_text(law)
    (folder / "editions" / "tinkers-1802.yaml").write_text(EDITION)
    return Library((folder / "laws", HERE / "laws", data_folder("laws")), (folder / "editions", HERE / "editions"))


def test_what_the_table_does_is_no_players_act(edition: Edition) -> None:
    auction = Auction(edition)
    assert auction.act("1C").verdict.value == "legal"
    assert auction.act("S:spill").verdict.value == "refused"
    assert auction.act("TABLE:spit").verdict.value == "refused"
    assert auction.is_open
    spilt = auction.act("TABLE:spill")
    assert (spilt.verdict.value, [c.id for c in spilt.because]) == ("irregular", ["spills"])
    assert auction.status == "passed-out"


def test_a_clause_about_the_table_knows_no_player(tmp_path: Path) -> None:
    law = SPILLING.replace("    offence: spilling\n", "    if: the player is in turn\n    offence: spilling\n", 1)
    with pytest.raises(LawbookError) as raised:
        load("tinkers-1802", library(tmp_path, law))
    assert [d.code for d in raised.value.diagnostics] == ["unknown-here"]


def test_an_offence_that_is_no_call_stays_when_a_call_before_it_is_taken_away(edition: Edition) -> None:
    auction = Auction(edition)
    auction.play("2G 2B E:spit N:strike")
    assert [str(o) for o in auction.options] == ["S:fine"]
    assert auction.act("S:fine").verdict.value == "legal"
    assert not auction.options


def test_a_call_may_be_corrected_after_an_offence_that_is_none() -> None:
    auction = Auction("whist-club-1912")
    auction.play("1H 2D E:expose=HA")
    corrected = auction.act("E:correct=3D")
    assert (corrected.verdict.value, [c.id for c in corrected.because]) == ("legal", ["may-correct"])
    assert [str(s) for s in auction.debarred] == ["W"]


def test_a_right_that_cannot_be_waived_does_not_hide_the_one_that_was_lost() -> None:
    auction = Auction("whist-club-1912")
    auction.play("1C S:1H E:expose=HA P")
    refused = auction.act("E:let-stand")
    assert (refused.verdict.value, [c.id for c in refused.because]) == ("refused", ["new-deal-for-a-bid-out-of-turn"])
