"""Random auctions with all acts there are, in any order: where they part two codes, it is by clauses that the recorded
search names, whichever acts it offered together."""

from __future__ import annotations

import functools

import pytest
from explored import LISTED, recorded
from hypothesis import event, given, settings
from hypothesis import strategies as st
from thorough import examples

from lawbook.auction import load
from lawbook.compare.ledger import ledger_of
from lawbook.compare.parting import parting_of
from lawbook.compare.structure import Change, compare_structure
from lawbook.edition.model import Edition
from lawbook.values import Seat

CALLS = ["P", "P", "P", "X", "XX", "1S", "2H", "1N", "3C", "7S", "8S"]
SEATS = [str(seat) for seat in Seat]
Clauses = tuple[frozenset[str], frozenset[str]]


@functools.cache
def named(name: str) -> Clauses:
    """The clauses of each code that are named with a difference."""
    shown = [finding["clauses"] for finding in recorded(name)["findings"] if "auction" in finding]
    first, second = (frozenset(i for clauses in shown for i in clauses[place]) for place in (0, 1))
    return first, second


@functools.cache
def editions(name: str) -> tuple[Edition, Edition]:
    first, second = map(load, recorded(name)["editions"])
    return first, second


@functools.cache
def words(name: str) -> list[str]:
    """Every act of either code, of every player."""
    acts = {word.name: word.argument for edition in editions(name) for word in edition.acts.values()}
    return [
        f"{seat}:{act}{argument}"
        for act, asked in sorted(acts.items())
        for seat in SEATS
        for argument in (["=P", "=X", "=2H", "=8S"] if asked == "call" else [""])
    ]


@pytest.mark.parametrize("name", list(LISTED["pairs"]))
@settings(max_examples=examples(150, 3_000), deadline=None)
@given(data=st.data())
def test_what_parts_codes_is_named(name: str, data: st.DataObject) -> None:
    a, b = editions(name)
    unknown = {topic.topic for topic in compare_structure(a, b).topics if topic.change is Change.NOT_AT_HAND}
    calls = CALLS + [f"{seat}:{call}" for seat in SEATS for call in CALLS]
    text: list[str] = []
    for _ in range(data.draw(st.integers(1, 8))):
        here = ledger_of([a, b], " ".join(text), Seat.N)
        chosen = [f"{option.seat}:{option.act}" for option in here.auctions[0].options]
        kinds = [CALLS, calls, words(name), *([chosen] * 2 if chosen else [])]
        text.append(data.draw(st.sampled_from(data.draw(st.sampled_from(kinds)))))
        ledger = ledger_of([a, b], " ".join(text), Seat.N)
        if ledger.divergence is not None:
            break
    else:
        return
    differs = ledger.rows[-1].differs
    causes = parting_of(ledger).causes
    known = [clause.id in ids for of, ids in zip(causes, named(name), strict=True) for clause in of]
    if differs == ("ruling",) and not known:
        # Only whether the law lays something down, of which a search does not ask.
        return
    event(", ".join(differs))
    if all(clause.law.topic in unknown for of in causes for clause in of):
        return
    # A deal that one of them annuls takes with it what may be chosen under the other.
    assert all(known) or ("status" in differs and any(known)), text
