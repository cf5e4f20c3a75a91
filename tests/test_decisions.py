"""The Card Committee's decisions: they rule as the 1912 code does by its default readings, and cite the case too."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawbook.auction import Auction, load
from lawbook.edition.library import Library
from lawbook.examples import Example, examples_of, run_under

CODE, DECISIONS, LATER = "whist-club-1912", "whist-club-1912-decisions", "whist-club-1913"
CALLS = ("P", "P", "P", "X", "XX", "1C", "2D", "2H", "3C", "7N", "8N")
ACTS = (
    "penalise",
    "new-deal",
    "let-stand",
    "make-final",
    "notice",
    "refer",
    "consult",
    "correct=3D",
    "expose",
    "inform",
)
SEATS = st.sampled_from("NESW")
WORDS = (
    st.sampled_from(CALLS)
    | st.builds("{}:{}".format, SEATS, st.sampled_from(CALLS))
    | st.builds("{}:{}".format, SEATS, st.sampled_from((*ACTS, "lead", "look", "omit-the-cut", "redeal")))
    | st.sampled_from(("TABLE:complete-the-deal", "TABLE:play-out", "TABLE:incorrect-pack"))
)


@given(st.lists(WORDS, max_size=12))
@settings(max_examples=150, deadline=None)
def test_the_decisions_rule_as_the_code_does(words: list[str]) -> None:
    code, decided = Auction(CODE), Auction(DECISIONS)
    for word in words:
        code.act(word)
        decided.act(word)
        one, other = code.happenings[-1].ruling, decided.happenings[-1].ruling
        assert (one.verdict, one.offences, one.unpenalised) == (other.verdict, other.offences, other.unpenalised)
        assert {c.id for c in one.because} <= {c.id for c in other.because}
        assert [str(o) for o in code.options] == [str(o) for o in decided.options]
        assert (code.status, code.turn, code.debarred) == (decided.status, decided.turn, decided.debarred)


def cited(edition: str, auction: str) -> list[str | None]:
    played = Auction(edition)
    played.play(auction)
    return [clause.law.number for clause in played.happenings[-1].because]


@pytest.mark.parametrize(
    "auction, laws",
    [
        ("1C S:1H E:consult", [None, "Decision 1"]),
        ("2H 2D S:penalise E:correct=3D P 3N", ["50", "Decision 2"]),
        ("1C P P P E:lead TABLE:play-out TABLE:incorrect-pack", ["39", "Decision 3"]),
        ("3R P 4H X XX P P 6C X P X", ["54", None, "Decision 6"]),
        ("1C 1D P P 1H P P 2D 2H X 3C P P P", ["43", "Decision 7"]),
    ],
)
def test_each_case_is_cited_beside_the_law(auction: str, laws: list[str | None]) -> None:
    assert cited(DECISIONS, auction) == laws
    assert cited(CODE, auction) == laws[:-1]


def verdict(edition: str, auction: str) -> str:
    played = Auction(edition)
    played.play(auction)
    return played.happenings[-1].verdict.value


def test_what_was_settled_shows_against_the_other_reading_and_the_later_code() -> None:
    corrected = "2H 2D S:notice E:correct=3D"
    assert verdict(DECISIONS, corrected) == verdict(LATER, corrected) == "irregular"
    assert verdict(f"{CODE}@correction-after-notice=literal-52", corrected) == "legal"
    # The code of 1913 took the other view of a pack found incorrect before the next cut.
    pack = "1C P P P E:lead TABLE:play-out TABLE:incorrect-pack"
    assert verdict(DECISIONS, pack) == "legal"
    assert verdict(f"{CODE}@pack-proved-incorrect=deal-void", pack) == verdict(LATER, pack) == "irregular"


def inherited(name: str, that: str) -> Example:
    """An example of the code's own, as the edition based on it runs it."""
    return next(e for e in examples_of(Library.shipped(), load(name)) if e.that == that)


def test_an_inherited_example_knows_nothing_of_the_clauses_that_were_added() -> None:
    example = inherited(DECISIONS, "the debarred partner bids; it counts as a pass, and no penalty is laid down")
    assert example.expected["because"] == ("bids-while-debarred",)
    assert run_under(example, DECISIONS, load(DECISIONS)).passed
    other = replace(example, expected={**example.expected, "because": ("insufficient",)})
    assert [m.key for m in run_under(other, DECISIONS, load(DECISIONS)).mismatches] == ["because"]
