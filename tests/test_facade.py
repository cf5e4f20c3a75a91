"""The facade: pushed calls, undoing, copying, and what is refused."""

from __future__ import annotations

import copy
import pickle
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawbook import DOUBLE, PASS, Act, Auction, Bid, Call, LawbookError, Seat, load, spots
from lawbook import auction as auction_module
from lawbook.auction import arguments_of, call_number, calls_of
from lawbook.edition.library import Library
from lawbook.history import History
from lawbook.loading import numbers_of
from lawbook.report.auction import rulings_json

EDITIONS = tuple(sorted(Library.shipped().edition_files()))
CALLS = ["P", "X", "XX", "1C", "2H", "7N", "8S", "S:P", "W:1H"]
OTHER = ["E:penalise", "N:let-stand", "S:notice", "E:correct=3D", "S:refuse", "E:accept", "N:not-comparable=3D"]


def acts_of(name: str) -> list[str]:
    """Some acts that an edition declares, and calls in and out of turn."""
    known = arguments_of(load(name))
    return [*CALLS, *(act for act in OTHER if act[2:].partition("=")[0] in known)]


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
            act = data.draw(st.sampled_from(acts_of(name)))
            pushed.act(act)
            played.act(act)
        if data.draw(st.integers(0, 4)) == 0:
            pushed.undo()
            played.undo()
        if data.draw(st.booleans()):
            # What is asked of calls that were pushed is found without ruling on them.
            assert (pushed.declaration, pushed.contract) == (played.declaration, played.contract)
            assert pushed.debarred == played.debarred
            pushed = pushed.copy()
    assert rulings_json(pushed, explained=False) == rulings_json(played, explained=False)


@pytest.mark.parametrize("name", EDITIONS)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_what_is_made_without_reasons_is_ruled_like_anything_else(name: str, data: st.DataObject) -> None:
    made, played = Auction(name), Auction(name)
    for _ in range(data.draw(st.integers(1, 15))):
        act = data.draw(st.sampled_from([*acts_of(name), *map(str, played.legal_calls[:3]), *map(str, played.options)]))
        told, happening = made.make(act), played.act(act)
        assert told.verdict is happening.verdict
        assert told.offences == tuple(played.edition.offences[number] for number in happening.ruling.offences)
        assert made.state == played.state
        match data.draw(st.integers(0, 9)):
            case 0:
                made.undo()
                played.undo()
            case 1:
                made = pickle.loads(pickle.dumps(made))
            case 2:
                made = made.copy()
            case 3:
                assert made.happenings[-1].act == played.happenings[-1].act
            case 4 if made.legal_calls:
                assert made.push(made.legal_calls[-1]) == played.push(played.legal_calls[-1])
        if data.draw(st.booleans()):
            assert (made.turn, made.status, made.notation) == (played.turn, played.status, played.notation)
            assert made.legal_calls == played.legal_calls
            assert made.options == played.options
    assert rulings_json(made, explained=False) == rulings_json(played, explained=False)


def test_what_cannot_be_made_changes_nothing() -> None:
    auction = Auction("whist-club-1912")
    auction.push(Bid.parse("1H"))
    for wrong in ("S:no-such-act", "1H 2H", "AP", "E:correct", "E:penalise=3D"):
        with pytest.raises(LawbookError):
            auction.make(wrong)
    with pytest.raises(TypeError):
        auction.make(7)  # type: ignore[arg-type]
    assert auction.notation == "1H"


class Own(Auction):
    """A class of a user's own."""


def test_a_class_that_is_derived_knows_its_lawful_calls() -> None:
    own, auction = Own("whist-club-1912"), Auction("whist-club-1912")
    for act in ("1H", "E:X", "S:1D", "N:P", "P"):
        assert own.make(act) == auction.make(act)
        assert own.legal_calls == auction.legal_calls
        assert type(own) is Own


@pytest.mark.parametrize("name", EDITIONS)
def test_every_call_has_its_number(name: str) -> None:
    edition = load(name)
    calls = [PASS, DOUBLE, *(Bid(level, letter) for level in range(1, 9) for letter in "CDHSNRQ")]
    assert {call: numbers_of(edition).get(call) for call in calls} == {
        call: call_number(edition.universe, call) for call in calls
    }


def test_what_is_followed_is_followed_from_where_it_was_pushed() -> None:
    auction = Auction("whist-club-1912")
    for first in ("1C", "1H", "2S"):
        auction.act(first)
        for _ in range(2):
            auction.push(PASS)
        assert str(auction.declaration) == f"{first} by N"
        auction.undo()
        auction.push(Bid.parse("4N"))
        assert str(auction.declaration) == "4N by S"
        for _ in range(3):
            auction.undo()


@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_undoing_leads_back(data: st.DataObject) -> None:
    auction = Auction("whist-club-1913")
    before = []
    for act in data.draw(st.lists(st.sampled_from(acts_of("whist-club-1913")), max_size=10)):
        before.append((auction.state, auction.notation, auction.legal_calls, auction.turn))
        auction.act(act)
    for state, notation, lawful, turn in reversed(before):
        auction.undo()
        assert (auction.state, auction.notation, auction.legal_calls, auction.turn) == (state, notation, lawful, turn)
    with pytest.raises(IndexError):
        auction.undo()


@pytest.mark.parametrize("name", EDITIONS)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_call_is_judged_as_it_is_ruled_on(name: str, data: st.DataObject) -> None:
    auction = Auction(name, data.draw(st.sampled_from("NESW")))
    every = [*calls_of(auction.edition), Bid(1, "Z")]
    for _ in range(data.draw(st.integers(0, 8))):
        if data.draw(st.booleans()):
            auction.push(data.draw(st.sampled_from(auction.legal_calls or (PASS,))))
        else:
            auction.act(data.draw(st.sampled_from(acts_of(name))))
    for call in data.draw(st.lists(st.sampled_from(every), min_size=3, max_size=3)):
        seat = data.draw(st.none() | st.sampled_from(list(Seat)))
        for _ in range(2):
            judgement = auction.judge(call, seat)
            happening = auction.copy().act(Act.of_call(call, seat))
            assert judgement.verdict is happening.verdict
            assert [o.number for o in judgement.offences] == list(happening.ruling.offences)
            assert auction.is_legal(call, seat) == (judgement.verdict.value == "legal")


def test_what_was_pushed_is_taken_back_without_being_ruled_on(monkeypatch: pytest.MonkeyPatch) -> None:
    auction = Auction("whist-club-1912")
    auction.play("1C P")
    before = auction.legal_calls
    monkeypatch.setattr(History, "add", None)
    lists = [auction.push(call) for call in (Bid(1, "D"), PASS, Bid(2, "N"), DOUBLE)]
    for lawful in (*reversed(lists[:-1]), before):
        auction.undo()
        assert auction.legal_calls == lawful
    assert auction.notation == "1C P"
    auction.undo()
    assert auction.notation == "1C"


@pytest.mark.parametrize("name", ["whist-club-1912", "contract-2017"])
def test_places_are_forgotten_where_there_are_too_many(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for a handful of places everything is forgotten again and again, under auctions that go on."""
    monkeypatch.setattr(spots, "MOST_SPOTS", 6)
    edition = load(name)
    monkeypatch.setattr(spots, "_kept", {})
    monkeypatch.setattr(spots, "openings", {})
    monkeypatch.setattr(auction_module, "openings", spots.openings)
    chance = random.Random(5)
    pairs = [(Auction(edition, seat), Auction(edition, seat)) for seat in "NESW"]
    for _ in range(40):
        for pushed, played in pairs:
            if chance.randrange(4) == 0 and played.happenings:
                pushed.undo()
                played.undo()
            elif calls := pushed.legal_calls:
                call = chance.choice(calls)
                pushed.push(call)
                played.act(call)
            assert pushed.notation == played.notation
            assert pushed.legal_calls == tuple(c for c in calls_of(edition) if played.is_open and played.is_legal(c))
    assert 0 < len(spots.spots_of(edition)) <= 6
    for pushed, played in pairs:
        assert rulings_json(pushed) == rulings_json(played)


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


def own_edition(folder: Path) -> Library:
    """A library with an edition of a user's own."""
    text = "edition: house\nbased on: whist-club-1912\ntakes: {deadline-out-of-turn: no-deadline}\n"
    (folder / "house.yaml").write_text(text, encoding="utf-8")
    return Library.shipped((folder,))


COPIES: list[Callable[[Auction], Auction]] = [
    copy.copy,
    copy.deepcopy,
    Auction.copy,
    lambda auction: pickle.loads(pickle.dumps(auction)),
]


@pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "method", "pickle"])
@pytest.mark.parametrize("name", [*EDITIONS, "whist-club-1912@sufficient-denomination=offender-chooses"])
def test_copies_and_pickles_go_on_apart(name: str, copied: Callable[[Auction], Auction]) -> None:
    auction = Auction(name, "W")
    auction.play("1C S:1H")
    twin = copied(auction)
    assert twin.edition is auction.edition
    assert rulings_json(twin, explained=True) == rulings_json(auction, explained=True)
    twin.act("P")
    assert (auction.notation, twin.notation) == ("1C S:1H", "1C S:1H P")
    pushed = Auction(name)
    pushed.push(Bid(1, "C"))
    twin = copied(pushed)
    assert twin.push(PASS)
    assert (pushed.notation, twin.notation) == ("1C", "1C P")
    assert twin.happenings[0].ruling == pushed.happenings[0].ruling


def test_a_pickle_is_small_and_holds_no_ruling() -> None:
    auction = Auction("whist-club-1912")
    auction.push(Bid(1, "C"))
    auction.act("S:1H")
    assert len(pickle.dumps(auction)) < 500


def test_an_edition_of_ones_own_goes_along_in_the_pickle(tmp_path: Path) -> None:
    edition = load("house", own_edition(tmp_path))
    auction = Auction(edition)
    auction.play("2H 2D")
    pickled = pickle.dumps(auction)
    shutil.rmtree(tmp_path)
    twin = pickle.loads(pickled)
    assert (twin.edition.name, twin.edition.hash, twin.notation) == (edition.name, edition.hash, "2H 2D")
    assert [str(option) for option in twin.options] == [str(option) for option in auction.options]


def test_a_pickle_is_refused_where_the_edition_is_another() -> None:
    hash = load("whist-club-1912").hash.encode()
    pickled = pickle.dumps(Auction("whist-club-1912"))
    assert pickled.count(hash) == 1
    with pytest.raises(LawbookError) as refused:
        pickle.loads(pickled.replace(hash, b"0" * len(hash)))
    assert [diagnostic.code for diagnostic in refused.value.diagnostics] == ["edition-changed"]


def test_short_texts_for_a_passing_look() -> None:
    auction = Auction("whist-club-1912", "S")
    assert repr(auction) == "<Auction under whist-club-1912, S dealt: no act yet>"
    auction.push(Bid(2, "H"))
    auction.act("2D")
    assert repr(auction) == "<Auction under whist-club-1912, S dealt: 2H 2D>"
    auction.play("N:P " * 60)
    assert len(repr(auction)) < 160
    for shown in (auction.edition, auction.state, auction.happenings[1], auction.rulings[1], auction.options[:1]):
        assert len(repr(shown)) < 1000, repr(shown)[:300]


WRONG: list[tuple[Callable[[Auction], object], str]] = [
    (lambda a: Auction(None), "an auction is held under an Edition or the name of one, not None"),  # type: ignore[arg-type]
    (lambda a: Auction(a.edition, 1), "a seat is a Seat or its letter, not 1"),  # type: ignore[arg-type]
    (lambda a: Auction(a), "an auction is held under an Edition"),  # type: ignore[arg-type]
    (lambda a: load(None), "an edition is loaded by its name, not by None"),  # type: ignore[arg-type]
    (lambda a: load(["x"]), "an edition is loaded by its name"),  # type: ignore[arg-type]
    (lambda a: load("house", "laws"), "editions are loaded from a Library, not from 'laws'"),  # type: ignore[arg-type]
    (lambda a: a.push("3D"), r"a Call is pushed, not '3D'; for text there is `act`, or Call.parse\('3D'\)"),  # type: ignore[arg-type]
    (lambda a: a.push(None), "a Call is pushed, not None"),  # type: ignore[arg-type]
    (lambda a: a.push([]), r"a Call is pushed, not \[\]"),  # type: ignore[arg-type]
    (lambda a: a.act(7), "an act is an Act, a Call or text in notation, not 7"),  # type: ignore[arg-type]
    (lambda a: a.act(None), "an act is an Act, a Call or text in notation, not None"),  # type: ignore[arg-type]
    (lambda a: a.play(None), "an auction to play is text in notation, not None"),  # type: ignore[arg-type]
    (lambda a: a.is_legal("3D"), "a Call is judged, not '3D'"),  # type: ignore[arg-type]
    (lambda a: a.judge("3D"), "a Call is judged, not '3D'"),  # type: ignore[arg-type]
    (lambda a: a.judge(PASS, 3), "a seat is a Seat or its letter, not 3"),  # type: ignore[arg-type]
    (lambda a: Act("S", "penalise"), "an act is by a Seat, by TABLE or by nobody named, not by 'S'"),  # type: ignore[arg-type]
    (lambda a: Act.of_call("3D"), "a Call is made, not '3D'"),  # type: ignore[arg-type]
    (lambda a: Call.parse(3), "a call is read from text, not from 3"),  # type: ignore[arg-type]
    (lambda a: Seat.parse(None), "a seat is read from text, not from None"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("wrong, message", WRONG, ids=[str(at) for at in range(len(WRONG))])
def test_the_wrong_type_is_told_by_name(wrong: Callable[[Auction], object], message: str) -> None:
    auction = Auction("whist-club-1912")
    with pytest.raises(TypeError, match=message):
        wrong(auction)
    assert auction.notation == ""


@pytest.mark.parametrize(
    "act, code",
    [
        (Act(Seat.S, "frobnicate"), "unknown-act"),
        (Act(Seat.S, "penalise", argument="3D"), "argument-not-taken"),
        (Act(Seat.S, "correct"), "argument-missing"),
        (Act(Seat.S, "correct", argument="zz"), "unknown-call"),
        (Act(Seat.S, "expose", argument="zz"), "unknown-card"),
    ],
)
def test_an_act_that_the_edition_does_not_take_is_refused(act: Act, code: str) -> None:
    auction = Auction("whist-club-1912")
    with pytest.raises(LawbookError) as refused:
        auction.act(act)
    assert [diagnostic.code for diagnostic in refused.value.diagnostics] == [code]
    assert auction.happenings == ()


@pytest.mark.parametrize("text", ["1Z", "S:1Z", "W:correct=1Z", "1C 2R 1q"])
def test_a_letter_that_is_no_denomination_is_no_act(text: str) -> None:
    auction = Auction("whist-club-1912")
    with pytest.raises(LawbookError) as refused:
        auction.play(text)
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == "unknown-denomination"
    assert diagnostic.span is not None
    assert diagnostic.span.column == text.upper().rindex("1") + 1
    assert auction.notation == ""


def test_a_denomination_that_only_other_codes_have_is_refused_by_the_law() -> None:
    auction = Auction("portland-bath-1908")
    assert auction.act("1R").verdict.value == "refused"


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
