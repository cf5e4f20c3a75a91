"""Amending one clause: a law sets clauses of the edition it is based on aside, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawbook.auction import Auction
from lawbook.compare.structure import Change, ClauseChange, compare_structure
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.edition.resolve import resolve
from lawbook.errors import LawbookError

BASE = "whist-club-1912"
EDITION = """\
edition: {name}
based on: {base}
laws: [{file}]
"""
LAW = """\
title: {title}
topic: {topic}
in: [{{edition: {edition}, law: none, evidence: custom}}]
summary: A rule of the house.
sets aside: [{aside}]
clauses: {clauses}
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    return tmp_path


def amend(
    house: Path, edition: str, aside: str, clauses: str, base: str = BASE, topic: str = "insufficient-declaration"
) -> Edition:
    """An edition of one law file that sets clauses aside."""
    (house / f"{edition}.yaml").write_text(EDITION.format(name=edition, base=base, file=f"{edition}-law.yaml"))
    law = LAW.format(title="Ours", topic=topic, edition=edition, aside=aside, clauses=clauses)
    (house / f"{edition}-law.yaml").write_text(law)
    return resolve(edition, Library.shipped([house]))


# The penalty of 1912 without the bar on the offender's partner.
NO_BAR = """
  - id: penalise-insufficient
    says: Either adversary may have the bid made sufficient.
    remedy for: insufficient declaration
    holder: either adversary
    choices:
      penalise: the call stands as the lowest sufficient bid in the bid's denomination over the last bid
"""


def test_one_clause_is_changed_and_no_other(house: Path) -> None:
    ours, base = amend(house, "our-table", "penalise-insufficient", NO_BAR), resolve(BASE)
    assert {clause.id for clause in base.clauses} == set(ours.by_id)
    alike = [c for c in base.clauses if ours.by_id[c.id].normal == c.normal]
    assert [c.id for c in base.clauses if c not in alike] == ["penalise-insufficient"]
    structure = compare_structure(base, ours)
    (topic,) = [t for t in structure.topics if t.change is not Change.EQUAL]
    assert (topic.topic, [(d.change, d.id) for d in topic.clauses]) == (
        "insufficient-declaration",
        [(ClauseChange.CHANGED, "penalise-insufficient")],
    )
    auction = Auction(ours)
    auction.play("2H 2D S:penalise")
    assert auction.debarred == ()
    assert auction.happenings[-1].because[0].law.source.evidence == "custom"


def test_a_clause_set_aside_under_every_reading(house: Path) -> None:
    """A clause may stand in several forms, each under a reading: all are set aside."""
    amend(house, "our-table", "penalise-insufficient", NO_BAR)
    library = Library.shipped([house])
    for reading in resolve(BASE).readings:
        for choice in reading.alternatives:
            ours = resolve(f"our-table@{reading.name}={choice}", library)
            assert ours.by_id["penalise-insufficient"].law.title == "Ours"


def test_a_clause_may_go_and_leave_nothing(house: Path) -> None:
    base, ours = resolve(BASE), amend(house, "our-table", "make-own-bid-final, time-of-the-other-remedies", "[]")
    assert set(base.by_id) - set(ours.by_id) == {"make-own-bid-final", "time-of-the-other-remedies"}
    auctions = [Auction(base), Auction(ours)]
    for auction in auctions:
        auction.play("1C 8H")
    options = [{str(option) for option in auction.options} for auction in auctions]
    assert options[0] - options[1] == {"N:make-final", "S:make-final"}


def test_an_edition_sets_aside_what_the_one_it_is_based_on_has_put_there(house: Path) -> None:
    amend(house, "our-table", "penalise-insufficient", NO_BAR)
    again = NO_BAR.replace("either adversary", "the offender's left neighbour")
    ours = amend(house, "our-other-table", "penalise-insufficient", again, base="our-table")
    assert ours.by_id["penalise-insufficient"].law.source.edition == "our-other-table"
    assert ours.chain == ("our-other-table", "our-table", BASE)


def test_the_table_that_names_the_denominations(house: Path) -> None:
    table = """
  - id: value-of-tricks
    says: Royal spades count five.
    table: the value of a denomination
    names the denominations: yes
    rows: {spades: 2, clubs: 6, diamonds: 7, hearts: 8, royal spades: 5, no trump: 10}
"""
    ours = amend(house, "our-table", "value-of-tricks", table, topic="trick-values")
    auction = Auction(ours)
    assert auction.act("1R").verdict.value == "legal"
    assert auction.act("1C").verdict.value == "legal"
    assert "value-of-tricks" not in {c.id for c in ours.clauses if c.law.source.edition == BASE}


@pytest.mark.parametrize(
    ("aside", "clauses", "code", "suggestion"),
    [
        ("penalize-insufficient", NO_BAR, "unknown-clause", "penalise-insufficient"),
        ("own-last-bid", NO_BAR, "duplicate-clause", None),
    ],
)
def test_mistakes(house: Path, aside: str, clauses: str, code: str, suggestion: str | None) -> None:
    with pytest.raises(LawbookError) as raised:
        amend(house, "our-table", aside, clauses)
    found = raised.value.diagnostics
    assert code in [d.code for d in found], [(d.code, d.message) for d in found]
    assert next(d.suggestion for d in found if d.code == code) == suggestion


def test_what_still_speaks_of_a_clause_that_is_set_aside_is_told(house: Path) -> None:
    with pytest.raises(LawbookError) as raised:
        amend(house, "our-table", "may-let-stand", "[]")
    (first, *_) = [d for d in raised.value.diagnostics if d.code == "unknown-clause"]
    assert first.clause == "no-call-in-the-dealing"
    assert [(Path(label.span.file).name, label.text) for label in first.labels] == [
        ("our-table-law.yaml", "it is set aside here")
    ]
