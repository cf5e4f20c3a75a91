"""What searches found and was recorded: each witness, replayed by the facade, shows what it is said to show, and
nothing before its last act; so does each of a short search.

`python tests/explored.py` searches anew and records; with `--thorough` every search is made anew and compared.
"""

from __future__ import annotations

from typing import Any

import pytest
from explored import LISTED, differs_in, names, recorded, replayed, search_anew
from test_differences import EDITIONS
from test_differences import LISTED as DIFFERENCES

from lawbook.auction import load
from lawbook.compare.findings import FindingKind
from lawbook.explore.behaviour import compare_behaviour
from lawbook.explore.plan import Plan

PAIRS = list(LISTED["pairs"])
READINGS = list(LISTED["readings"])
BY_READER = {entry["reading"]: entry for entry in DIFFERENCES["readings"]}
ALIKE = {kind.value for kind in FindingKind if kind.alike}


@pytest.mark.parametrize("name", PAIRS)
def test_every_witness_shows_what_it_is_said_to_show(name: str) -> None:
    told: dict[str, Any] = recorded(name)
    a, b = (load(edition) for edition in told["editions"])
    for finding in told["findings"]:
        if finding["kind"] in ALIKE:
            assert "auction" not in finding
            continue
        found, before = replayed(a, b, finding["dealer"], finding["auction"])
        assert found == finding["differs in"]
        assert found, finding["auction"]
        assert not before, finding["auction"]


@pytest.mark.parametrize("name", READINGS)
def test_a_reading_shows_where_it_is_said_to(name: str) -> None:
    found = recorded(name)
    if "auction" not in found:
        assert found["differs"] == "nowhere that was searched"
        return
    differs, before = replayed(load(name.partition("@")[0]), load(name), found["dealer"], found["auction"])
    assert differs == found["differs in"]
    assert differs
    assert not before


@pytest.mark.parametrize("name", READINGS)
def test_a_reading_that_a_reader_found_to_show_is_found_as_early(name: str) -> None:
    """What is told apart by an auction in the list of differences is found, in no more acts; what is told apart by a
    score is found nowhere."""
    # The edition with the decisions is listed with the code they are about.
    listed = BY_READER[name.replace("-decisions", "")]
    found = recorded(name)
    assert ("auction" in found) is ("auction" in listed)
    if "auction" in found:
        assert len(found["auction"].split()) <= len(listed["auction"].split())


def test_no_reading_is_left_out() -> None:
    others = [
        f"{edition}@{reading.name}={choice}"
        for edition in EDITIONS
        for reading in load(edition).readings
        for choice in reading.alternatives
        if choice != reading.default
    ]
    assert sorted(others) == sorted(READINGS)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("whist-club-1912", "whist-club-1913"),
        ("portland-bath-1908", "whist-club-1912"),
    ],
)
def test_every_witness_of_a_short_search_shows(first: str, second: str) -> None:
    behaviour = compare_behaviour(load(first), load(second), Plan(most_bids=2, irregularities=0, apart=False))
    seen = [finding.witness for finding in behaviour.findings if not finding.kind.alike]
    assert seen
    for witness in seen:
        assert witness is not None
        assert differs_in(witness.a, witness.b), witness.notation


@pytest.mark.parametrize("name", names())
def test_a_search_made_anew_finds_the_same(name: str, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--thorough"):
        pytest.skip("takes seconds or a minute; --thorough makes it")
    assert search_anew(name)[0] == recorded(name)
