"""The table of penalties: what the clauses of 1912 give against the book's own summary, and how it is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from published import validator

from lawbook.auction import Auction, load
from lawbook.edition.model import Edition
from lawbook.language.words import Category
from lawbook.penalties import penalties_of
from lawbook.report.layout import Page
from lawbook.report.penalties import penalties_json, penalties_text

BOOK = Path(__file__).parent / "good" / "penalties" / "whist-club-1912.yaml"
ROWS: list[dict[str, Any]] = yaml.safe_load(BOOK.read_text(encoding="utf-8"))
EDITIONS = ("portland-bath-1908", "whist-club-1912", "whist-club-1912-decisions", "whist-club-1913", "contract-2017")


def table(name: str) -> dict[str, dict[str, Any]]:
    rows: Any = penalties_json(load(name))["penalties"]
    return {row["offence"]: row for row in rows}


def numbers(laws: str) -> set[str]:
    """The numbers of laws in a text, without their paragraphs."""
    return set(re.findall(r"\d+", laws))


@pytest.mark.parametrize("book", ROWS, ids=lambda row: row["row"])
def test_the_clauses_of_1912_give_the_rows_of_its_summary(book: dict[str, Any]) -> None:
    rows = table("whist-club-1912")
    for offence in book["offences"]:
        row = rows[offence]
        assert numbers(book["book"]) <= numbers(" ".join(row["laws"]))
        assert row.get("unpenalised", False) == book.get("none", False)
        stated = [one["text"] for one in row["at_once"] if not one["effects"] or one["law"] == "84, 89"]
        assert stated == book.get("stated", [])
        at_once = {tuple(one["effects"]) for one in row["at_once"] if one["text"] not in stated}
        assert at_once == ({tuple(book["at once"])} if "at once" in book else set())
        demands = {f"{one['act']} by {one['holder']}": one["effects"] for one in row["demands"]}
        assert demands == book.get("demands", {})


def test_where_the_summary_says_none_nothing_can_be_demanded() -> None:
    auction = Auction("whist-club-1912")
    auction.play("1C S:P")
    assert auction.rulings[-1].unpenalised
    assert not auction.options


@pytest.mark.parametrize("name", EDITIONS)
def test_every_offence_has_a_row_and_every_remedy_is_in_one(name: str) -> None:
    edition = load(name)
    rows = penalties_of(edition)
    assert {r.offence.number for r in rows} >= {c.offence for c in edition.clauses if c.offence is not None}
    given = {demand.remedy.id for row in rows for demand in row.demands}
    assert given == {c.id for c in edition.clauses if c.remedy is not None}


@pytest.mark.parametrize("name", EDITIONS)
def test_its_json_has_the_published_shape(name: str) -> None:
    validator("penalties.schema.json").validate(penalties_json(load(name)))


@pytest.mark.parametrize("name", EDITIONS)
def test_it_fits_eighty_columns(name: str) -> None:
    lines = list(penalties_text(load(name), Page()))
    assert max(map(len, lines)) <= 80


def test_a_law_that_raises_the_bid_by_itself() -> None:
    (row,) = (row for row in penalties_of(load("portland-bath-1908")) if row.offence.name == "insufficient-declaration")
    assert not row.demands
    words = table("portland-bath-1908")["insufficient-declaration"]["text"]
    assert "stands as the lowest sufficient bid" in words
    assert "debar" in words


def test_points_for_a_wrong_double() -> None:
    row = table("whist-club-1913")["redoubles-twice"]
    assert [one["act"] for one in row["demands"]] == ["points", "new-deal"]
    assert row["laws"] == ["54"]


@pytest.mark.parametrize("name", EDITIONS)
def test_the_verbs_of_the_laws_own_are_explained_beneath_the_table(name: str) -> None:
    told: Any = penalties_json(load(name))
    words = {word["word"]: word["meaning"] for word in told["words"]}
    # Whatever begins with a verb to be looked up is an effect that no reader could know.
    parts = [part for row in told["penalties"] for part in (*row["at_once"], *row["demands"])]
    effects = [text for part in parts for text in part["effects"]]
    declared = {w.phrase for w in load(name).vocabulary.canonical.values() if w.category is Category.VERB}
    used = {verb for verb in declared for text in effects if text.startswith(f"{verb} ")}
    assert used == set(words)
    shown = list(penalties_text(load(name), Page()))
    head = next(place for place, line in enumerate(shown) if line.startswith("word "))
    assert [line.split("  ")[0] for line in shown[head + 1 :]] == list(words)


def test_the_modern_terms_are_explained() -> None:
    told: Any = penalties_json(load("contract-2017"))
    assert {"word": "bind", "meaning": "require to repeat the call in turn"} in told["words"]
    rows = {row["offence"]: row for row in told["penalties"]}
    assert {demand["holder"] for demand in rows["doubles-partner"]["demands"]} == {"any player"}


def ended_by(edition: Edition, offence: str) -> list[list[str]]:
    rows = {row.offence.name: row for row in penalties_of(edition)}
    return [[clause.id for clause in demand.ended_by] for demand in rows[offence].demands]


def test_by_what_a_right_is_lost() -> None:
    edition = load("whist-club-1912")
    assert ended_by(edition, "declaration-out-of-turn") == [
        ["time-to-object-to-a-bid-out-of-turn", "rights-end-with-the-bidding"]
    ]
    # The remedy says until when itself, and the claim on a card outlasts the bidding, but not the hand.
    assert ended_by(edition, "insufficient-declaration")[0][0] == "penalise-insufficient"
    assert ended_by(edition, "exposes-card") == [
        ["no-card-to-call-after-the-hand"],
        ["suit-of-the-first-lead-only"],
        ["no-card-to-call-after-the-hand"],
        ["its-suit-in-the-first-lead-only"],
    ]
