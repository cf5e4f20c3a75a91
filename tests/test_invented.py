"""A code that nobody ever played, written in YAML alone: the proof that no law is in the interpreter."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawbook.auction import Auction, load
from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError
from lawbook.examples import Outcome, as_diagnostic, examples_of, run
from lawbook.values import Bid, Seat, Side

HERE = Path(__file__).parent / "good" / "invented"
# Its own laws and words first; of the shipped ones it takes the words for a table of four.
LIBRARY = Library((HERE / "laws", data_folder("laws")), (HERE / "editions",))
NAME = "tinkers-1801"


@pytest.fixture(scope="module")
def edition() -> Edition:
    return load(NAME, LIBRARY)


def outcomes() -> list[Outcome]:
    return [o for example in examples_of(LIBRARY, load(NAME, LIBRARY)) for o in run(example, LIBRARY)]


@pytest.mark.parametrize("outcome", outcomes(), ids=lambda o: o.example.that)
def test_its_examples(outcome: Outcome) -> None:
    assert outcome.passed, as_diagnostic(outcome).message


def test_it_takes_nothing_from_the_shipped_laws_but_the_table(edition: Edition) -> None:
    assert {law.file.split("/")[0] for law in edition.laws} == {"tinkers"}
    assert {o.name for o in edition.offences}.isdisjoint(o.name for o in load("whist-club-1912").offences)
    assert edition.universe.denominations == ("copper", "brass", "gold")


def test_a_whole_auction(edition: Edition) -> None:
    auction = Auction(edition, dealer="W")
    auction.play("P 1C 1G 2B P P P P")
    # Even the bidder's own pass counts, and it takes one more.
    assert auction.is_open
    auction.play("P")
    assert (auction.status, str(auction.contract)) == ("final", "2B by S")
    assert {h.verdict.value for h in auction.happenings} == {"legal"}


def test_a_deal_with_every_mistake(edition: Edition) -> None:
    auction = Auction(edition, dealer="N")
    auction.play("2G")
    assert auction.act("2B").verdict.value == "irregular"
    assert [str(o) for o in auction.options] == ["N:forgive", "N:strike"]
    assert auction.act("N:strike").verdict.value == "legal"
    assert (auction.turn, auction.debarred) == (Seat.E, (Seat.E,))
    # He speaks all the same: it is his pass, and passing ends the bar.
    assert auction.act("3C").ruling.unpenalised
    assert (auction.turn, auction.debarred) == (Seat.S, ())
    # West jumps in; North, on his left, fines him while nobody has doubled.
    auction.play("W:5G")
    assert [str(o) for o in auction.options] == ["N:fine"]
    assert auction.act("N:fine").verdict.value == "legal"
    assert auction.points == {Side.NS: 7, Side.EW: 0}
    auction.play("P X P P P P P")
    assert (auction.status, str(auction.contract)) == ("final", "2GX by N")


def test_redoubles_and_royal_spades_do_not_exist(edition: Edition) -> None:
    auction = Auction(edition)
    auction.play("1C X")
    assert auction.act("XX").verdict.value == "refused"
    with pytest.raises(LawbookError, match="`2R` is in no denomination"):
        auction.act("2R")
    lacking = auction.act(Bid(2, "R"))
    assert (lacking.verdict.value, [c.id for c in lacking.because]) == ("refused", ["worth-of-metals"])
    assert [str(c) for c in auction.legal_calls][:3] == ["P", "1B", "1G"]


def test_its_own_reading(edition: Edition) -> None:
    other = load(f"{NAME}@ties=allowed", LIBRARY)
    assert other.hash != edition.hash
    for which, verdict in ((edition, "irregular"), (other, "legal")):
        auction = Auction(which)
        auction.play("1G")
        assert auction.act("1G").verdict.value == verdict
