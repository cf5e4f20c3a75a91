"""The ledger of one auction under several editions: which options part them, and that it keeps to the page."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from test_cli import lawbook_command

from lawbook.auction import load
from lawbook.compare.ledger import ledger_of
from lawbook.report.layout import Page
from lawbook.report.ledger import ledger_json, ledger_text
from lawbook.values import Seat

LONG = "whist-club-1912@correction-after-notice=literal-52,deadline-out-of-turn=no-deadline"
NAMES = ["whist-club-1912", "whist-club-1913", "portland-bath-1908", LONG, "contract-2017"]
WORDS = ["P", "X", "1C", "2H", "2D", "8N", "S:1H", "W:P", "S:penalise", "N:new-deal", "W:let-stand", "E:consult"]
WORDS += ["E:deal-with-the-wrong-pack", "TABLE:unequal-hands"]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), max_size=6),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4),
    st.sampled_from([60, 80, 100]),
)
def test_ledger_keeps_to_the_page(words: list[str], names: list[str], width: int) -> None:
    ledger = ledger_of([load(name) for name in (NAMES[0], *names)], " ".join(words), Seat.N)
    assert max(len(line) for line in ledger_text(ledger, Page(width))) <= width


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=6), st.lists(st.sampled_from(NAMES), min_size=1, max_size=3))
def test_options_apart_are_those_that_not_all_have(words: list[str], names: list[str]) -> None:
    ledger = ledger_of([load(name) for name in (NAMES[0], *names)], " ".join(words), Seat.N)
    for row in ledger.rows:
        open_under = [set(cell.standing.options) for cell in row.cells]
        apart = [set(options) for options in row.options_apart]
        shared = [mine - theirs for mine, theirs in zip(open_under, apart, strict=True)]
        assert all(each == shared[0] for each in shared)
        assert not set.intersection(*apart)
        assert any(apart) == ("options" in row.differs)


def test_options_that_part_them_are_told_where_they_part() -> None:
    editions = [load("portland-bath-1908"), load("whist-club-1912")]
    ledger = ledger_of(editions, "1C S:1H P", Seat.N)
    text = " ".join("\n".join(ledger_text(ledger, Page())).split())
    assert "They part at act 2, South bids one heart: the options differ." in text
    assert "Open only here: East may choose let-stand or new-deal (South: declaration out of turn)." in text
    acts: object = ledger_json(ledger)["acts"]
    assert isinstance(acts, list)
    assert [len(apart) for apart in acts[1]["options_apart"]] == [0, 2]


def test_more_than_two_editions_in_one_auction() -> None:
    status, out, _ = lawbook_command("compare", *NAMES[:3], "--auction", "2H 2D S:penalise", "--exit-code")
    assert status == 1
    assert "here they part" in out
