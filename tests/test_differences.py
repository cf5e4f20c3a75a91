"""The differences between the codes that their texts contain, as a reader listed them: each shows, and no sooner."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from lawbook.auction import Auction, load
from lawbook.compare.ledger import Ledger, ledger_of
from lawbook.deals import Deal
from lawbook.errors import LawbookError
from lawbook.scoring import score_deal
from lawbook.values import Seat, Side

LISTED: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "good" / "differences.yaml").read_text(encoding="utf-8")
)
EDITIONS = ("portland-bath-1908", "whist-club-1912", "whist-club-1912-decisions", "whist-club-1913")
CLASSES = {
    "stricter",
    "laxer",
    "other remedy",
    "other holder",
    "other deadline",
    "other result",
    "other score",
    "same ruling by another law",
}
# The laws of each text that was read, the decisions with the code they are about.
LAWS_READ = {
    "portland-bath-1908": [str(n) for n in range(1, 109)],
    "whist-club-1912": [*(str(n) for n in range(1, 98)), *(f"Decision {n}" for n in range(1, 13))],
    "whist-club-1913": [
        *("3", "37", "38", "39", *(str(n) for n in range(42, 58)), "47a", "50a", "50b", "50c"),
        *("59", "60", "61", "62", "65", "84", "97", *(f"Note {n}" for n in (*range(1, 17), 24))),
    ],
}


def entries(*sections: str) -> list[Any]:
    """Each entry once for its own pair of editions and once for each pair of which the same holds."""
    found = []
    for section in sections:
        for entry in LISTED[section]:
            for pair in (entry, *entry.get("likewise", ())):
                name = f"{' '.join(pair['between'])}: {entry.get('auction') or entry['deal']}"
                found.append(pytest.param({**entry, **pair}, id=name))
    return found


@functools.cache
def the_pair(first: str, second: str, auction: str) -> Ledger:
    return ledger_of([load(first), load(second)], auction, Seat.N)


def options_of(auction: Auction) -> dict[str, list[str]]:
    found = defaultdict(set)
    for option in auction.options:
        found[str(option.seat)].add(option.act)
    return {seat: sorted(acts) for seat, acts in found.items()}


def said_at_the_end(ledger: Ledger, at: int) -> dict[str, Any]:
    """What one edition says of the last act and of how the auction then stands."""
    auction, cell = ledger.auctions[at], ledger.rows[-1].cells[at]
    standing = cell.standing
    said: dict[str, Any] = {"verdict": "unknown", "offences": [], "unpenalised": False}
    if cell.happenings:
        ruling = auction.happenings[cell.happenings[0]].ruling
        said["verdict"] = ruling.verdict.value
        said["offences"] = sorted(auction.edition.offences[o].name for o in ruling.offences)
        said["unpenalised"] = ruling.unpenalised
    return {
        **said,
        "status": standing.status,
        "turn": "none" if standing.turn is None else str(standing.turn),
        "declaration": standing.declaration or "none",
        "debarred": [str(seat) for seat in standing.debarred],
        "options": options_of(auction),
    }


def stated(said: dict[str, Any]) -> dict[str, Any]:
    """An entry's words in the form of `said_at_the_end`; what is told of several seats is told of each."""
    plain = dict(said)
    if "options" in plain:
        plain["options"] = {seat: sorted(acts) for seats, acts in plain["options"].items() for seat in seats.split()}
    if "offences" in plain:
        plain["offences"] = sorted(plain["offences"])
    return plain


def laws_at_the_end(ledger: Ledger, at: int) -> set[str]:
    """The laws that the last act's ruling rests on, that give the rights before and after it, and that end them."""
    auction, cell = ledger.auctions[at], ledger.rows[-1].cells[at]
    before = Auction(auction.edition, ledger.dealer)
    for row in ledger.rows[:-1]:
        if row.cells[at].happenings:
            before.act(row.act)
    found = {option.law for each in (before, auction) for option in each.options}
    clauses = {clause.id: clause for clause in auction.edition.clauses}
    for happening in (auction.happenings[place] for place in cell.happenings):
        found |= {clause.law.number for clause in happening.because}
        found |= {clauses[by].law.number for _, _, by in happening.ruling.lapsed if by in clauses}
        if happening.lapsed_by is not None:
            found.add(clauses[happening.lapsed_by].law.number)
    return {number for law in found if law is not None for number in law.split(", ")}


@pytest.mark.parametrize("entry", entries("auction", "deal"))
def test_each_code_says_what_its_text_says(entry: dict[str, Any]) -> None:
    ledger = the_pair(*entry["between"], entry["auction"])
    for at, side in enumerate("ab"):
        told = stated(entry[side])
        found = said_at_the_end(ledger, at)
        assert {key: found[key] for key in told} == told, entry["between"][at]
        assert set(entry["laws"][at]) <= laws_at_the_end(ledger, at), entry["between"][at]


@pytest.mark.parametrize("entry", entries("auction", "deal"))
def test_the_codes_part_there_and_not_before(entry: dict[str, Any]) -> None:
    ledger = the_pair(*entry["between"], entry["auction"])
    last = len(ledger.rows) - 1
    if entry.get("same"):
        assert entry["class"] == "same ruling by another law"
        assert ledger.divergence is None
        assert laws_at_the_end(ledger, 0) != laws_at_the_end(ledger, 1)
    elif "beyond" in entry:
        assert ledger.divergence is not None
        assert ledger.divergence < last
        assert ledger.rows[last].differs
    else:
        assert ledger.divergence == last
        if entry["a"] == entry["b"]:
            pytest.fail("the entry tells the two sides alike")


@pytest.mark.parametrize("entry", [pytest.param(e, id=e["auction"]) for e in LISTED["alike"]])
def test_what_is_alike_is_ruled_alike(entry: dict[str, Any]) -> None:
    ledger = the_pair(*entry["between"], entry["auction"])
    rows = [(at, row.differs) for at, row in enumerate(ledger.rows) if row.differs]
    assert not rows


def scored(edition: str, given: dict[str, Any]) -> dict[str, Any]:
    """A deal's points in both columns, or that it cannot be scored."""
    try:
        score = score_deal(load(edition), Deal.of(given))
    except LawbookError:
        return {"refused": True}
    columns = {name: score.column(name) for name in ("tricks", "honours")}
    return {name: [column[Side.NS], column[Side.EW]] for name, column in columns.items()}


@pytest.mark.parametrize("entry", entries("scores"))
def test_each_code_scores_what_its_text_says(entry: dict[str, Any]) -> None:
    for edition, side in zip(entry["between"], "ab", strict=True):
        assert scored(edition, entry["deal"]) == entry[side], edition
    assert entry["a"] != entry["b"]


@pytest.mark.parametrize("entry", [pytest.param(e, id=e["reading"]) for e in LISTED["readings"]])
def test_each_other_reading_shows(entry: dict[str, Any]) -> None:
    edition = entry["reading"].partition("@")[0]
    if "deal" in entry:
        assert scored(edition, entry["deal"]) == entry["default"]
        assert scored(entry["reading"], entry["deal"]) == entry["other"]
        assert entry["default"] != entry["other"]
        return
    ledger = the_pair(edition, entry["reading"], entry["auction"])
    for at, side in enumerate(("default", "other")):
        told = stated(entry[side])
        found = said_at_the_end(ledger, at)
        assert {key: found[key] for key in told} == told, side
    assert ledger.divergence == len(ledger.rows) - 1


@pytest.mark.parametrize("edition", [name for name in EDITIONS if name != "whist-club-1912-decisions"])
def test_no_reading_is_left_out(edition: str) -> None:
    """Those that the edition with the decisions leaves open are the readings of the code they are about."""
    listed = {entry["reading"] for entry in LISTED["readings"] if entry["reading"].startswith(f"{edition}@")}
    others = {
        f"{edition}@{reading.name}={choice}"
        for reading in load(edition).readings
        for choice in reading.alternatives
        if choice != reading.default
    }
    assert listed == others


def expanded(key: str) -> Iterator[str]:
    """The laws that a key of the coverage names: `7, 8`, `14-33`, `Decision 8-Decision 11`."""
    for part in key.split(", "):
        first, dash, last = part.partition("-")
        if not dash:
            yield part
            continue
        word, start = _numbered(first)
        yield from (f"{word}{n}" for n in range(start, _numbered(last)[1] + 1))


def _numbered(law: str) -> tuple[str, int]:
    word, _, number = law.rpartition(" ")
    return (f"{word} " if word else "", int(number))


@pytest.mark.parametrize("text", list(LAWS_READ))
def test_every_law_of_a_text_is_considered_once(text: str) -> None:
    considered = [law for key in LISTED["coverage"][text] for law in expanded(key)]
    assert sorted(considered) == sorted(LAWS_READ[text])
    kinds = [list(said) for said in LISTED["coverage"][text].values()]
    assert all(kind in (["differs"], ["same"], ["outside"]) for kind in kinds)


def test_a_law_that_is_said_to_differ_is_cited_where_it_can_show_and_no_other_is() -> None:
    cited = defaultdict(set)
    for section in ("auction", "deal", "scores"):
        for entry in LISTED[section]:
            for pair in (entry, *entry.get("likewise", ())):
                for edition, laws in zip(pair["between"], pair["laws"], strict=True):
                    # Laws cited for what is ruled alike, or only because the other text is missing, need not differ.
                    if "same" not in entry and "not at hand" not in entry:
                        cited[edition.removesuffix("-decisions")] |= set(laws)
    for text, laws in cited.items():
        kinds = {law: kind for key, said in LISTED["coverage"][text].items() for law in expanded(key) for kind in said}
        assert laws <= set(kinds)
        unlisted = {law for law, kind in kinds.items() if kind == "differs"} - laws
        assert {law for law in unlisted if not re.fullmatch(r"Note \d+|Decision \d+", law)} <= NOT_TO_BE_SHOWN[text]


# Laws whose difference no act or deal can show, or shows under the law it works through (the coverage says which).
NOT_TO_BE_SHOWN = {
    "portland-bath-1908": {"12"},
    "whist-club-1912": {"13", "44", "48"},
    "whist-club-1913": {"38"},
}


def test_classes_and_editions_are_spelt_as_the_search_spells_them() -> None:
    for section in ("auction", "deal", "scores"):
        for entry in LISTED[section]:
            assert entry["class"] in CLASSES
            for pair in (entry, *entry.get("likewise", ())):
                assert set(pair["between"]) <= set(EDITIONS)


def test_every_pair_of_codes_is_there() -> None:
    pairs = {
        frozenset(pair["between"])
        for section in ("auction", "deal", "scores")
        for entry in LISTED[section]
        for pair in (entry, *entry.get("likewise", ()))
    }
    assert pairs == {frozenset({a, b}) for a in EDITIONS for b in EDITIONS if a < b}
