"""The facade: pushed calls, undoing, copying, and what is refused."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawbook import PASS, Auction, Bid, Call, LawbookError, load
from lawbook.report.auction import rulings_json

EDITIONS = ("portland-bath-1908", "whist-club-1912", "whist-club-1913")
ACTS = ["P", "X", "XX", "1C", "2H", "7N", "8S", "S:P", "W:1H", "E:penalise", "N:let-stand", "S:notice", "E:correct=3D"]


@pytest.mark.parametrize("name", EDITIONS)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_pushed_calls_are_ruled_like_any_others(name: str, data: st.DataObject) -> None:
    pushed, played = Auction(name), Auction(name)
    for _ in range(data.draw(st.integers(1, 15))):
        if data.draw(st.booleans()):
            call = data.draw(st.sampled_from(pushed.legal_calls or (PASS,)))
            after = pushed.push(call)
            played.act(call)
            assert after == pushed.legal_calls == played.legal_calls
            assert pushed.turn == played.turn
            assert pushed.is_open == played.is_open
        else:
            act = data.draw(st.sampled_from(ACTS))
            pushed.act(act)
            played.act(act)
        if data.draw(st.integers(0, 4)) == 0:
            pushed.undo()
            played.undo()
    assert rulings_json(pushed, explained=False) == rulings_json(played, explained=False)


@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_undoing_leads_back(data: st.DataObject) -> None:
    auction = Auction("whist-club-1913")
    before = []
    for act in data.draw(st.lists(st.sampled_from(ACTS), max_size=10)):
        before.append((auction.state, auction.notation, auction.legal_calls, auction.turn))
        auction.act(act)
    for state, notation, lawful, turn in reversed(before):
        auction.undo()
        assert (auction.state, auction.notation, auction.legal_calls, auction.turn) == (state, notation, lawful, turn)
    with pytest.raises(IndexError):
        auction.undo()


def test_what_was_pushed_is_there_when_it_is_asked_for() -> None:
    auction = Auction("whist-club-1912")
    assert auction.happenings == ()
    for call in ("1C", "P", "P", "P"):
        auction.push(Call.parse(call))
    assert auction.status == "final"
    assert len(auction.happenings) == 4


def test_a_copy_goes_its_own_way() -> None:
    auction = Auction("whist-club-1912")
    auction.push(Bid(1, "C"))
    twin = auction.copy()
    twin.push(PASS)
    auction.push(Bid(1, "D"))
    assert (auction.notation, twin.notation) == ("1C 1D", "1C P")


def test_an_unlawful_call_can_be_pushed_and_is_ruled_on() -> None:
    auction = Auction("whist-club-1912")
    auction.push(Bid(2, "H"))
    auction.push(Bid(2, "D"))
    assert [h.verdict.value for h in auction.happenings] == ["legal", "irregular"]


def test_there_is_one_object_for_each_call() -> None:
    for text in ("P", "X", "XX", "1C", "8N"):
        call = Call.parse(text)
        assert pickle.loads(pickle.dumps(call)) is call
        assert Call.parse(text.lower()) is call
    assert Bid(level=3, denomination="D") is Bid(3, "D")
    with pytest.raises(TypeError):
        Bid(True, "D")


def test_text_that_is_no_act_is_refused_and_changes_nothing() -> None:
    auction = Auction(load("whist-club-1912"))
    for text in ("", "1C P", "hello", "S:penalize", "AP"):
        with pytest.raises(LawbookError):
            auction.act(text)
    assert auction.notation == ""
