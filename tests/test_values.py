"""The values that pass across the table: their arithmetic, and text that goes both ways."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawbook.errors import LawbookError
from lawbook.values import (
    CARD_RANKS,
    DOUBLE,
    PASS,
    REDOUBLE,
    TABLE,
    Act,
    Bid,
    Call,
    Card,
    Kind,
    Seat,
    Side,
    is_act_name,
    parse_denomination,
)

LETTERS = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
BIDS = st.builds(Bid, st.integers(1, 8), LETTERS)
CALLS = st.one_of(st.sampled_from([PASS, DOUBLE, REDOUBLE]), BIDS)
CARDS = st.builds(Card, LETTERS, st.sampled_from(CARD_RANKS))


def refusal(parse: Callable[[str], object], text: str) -> str:
    """The whole message for a text that cannot be read, on one line."""
    with pytest.raises(LawbookError) as caught:
        parse(text)
    (diagnostic,) = caught.value.diagnostics
    help = f" | help: {diagnostic.help}" if diagnostic.help else ""
    meant = f" | meant: {diagnostic.suggestion}" if diagnostic.suggestion else ""
    return f"{diagnostic.code}: {diagnostic.message}{help}{meant}"


# -- seats and sides


@pytest.mark.parametrize("seat", Seat)
def test_four_seats_make_a_circle(seat: Seat) -> None:
    assert seat.left.left == seat.partner == seat.right.right
    assert seat.left.right == seat.partner.partner == seat
    assert seat.side == seat.partner.side == seat.left.side.other
    assert seat in seat.side.seats
    assert seat.partner in seat.side.seats


def test_the_turn_goes_clockwise() -> None:
    assert [str(seat) for seat in (Seat.N, Seat.N.left, Seat.N.left.left, Seat.N.right)] == ["N", "E", "S", "W"]


@pytest.mark.parametrize("value", [*Seat, *Side])
def test_seats_and_sides_are_written_as_letters_wherever_they_are_formatted(value: Seat | Side) -> None:
    assert type(value).parse(str(value)) is value
    assert f"{value}" == str(value) == value.name
    assert f"{value:>4}" == value.name.rjust(4)


@pytest.mark.parametrize("text", ["W", "w", "west", "West"])
def test_a_seat_is_read_in_any_spelling(text: str) -> None:
    assert Seat.parse(text) is Seat.W


@pytest.mark.parametrize("text", ["EW", "ew", "E-W"])
def test_a_side_is_read_in_any_spelling(text: str) -> None:
    assert Side.parse(text) is Side.EW


# -- calls


@pytest.mark.parametrize(
    "text, call",
    [
        ("P", PASS),
        ("p", PASS),
        ("Pass", PASS),
        ("X", DOUBLE),
        ("dbl", DOUBLE),
        ("double", DOUBLE),
        ("xx", REDOUBLE),
        ("rdbl", REDOUBLE),
        ("Redouble", REDOUBLE),
        ("1NT", Bid(1, "N")),
        ("1n", Bid(1, "N")),
        ("3r", Bid(3, "R")),
        ("03r", Bid(3, "R")),
        ("8H", Bid(8, "H")),
        ("9H", Bid(8, "H")),
        ("10H", Bid(8, "H")),
        ("9" * 5000 + "H", Bid(8, "H")),
    ],
)
def test_a_call_is_read_in_any_spelling(text: str, call: Call) -> None:
    assert Call.parse(text) == call


@given(CALLS)
def test_a_call_goes_to_text_and_back(call: Call) -> None:
    assert Call.parse(str(call)) == call
    assert Call.parse(str(call).lower()) == call
    assert type(call).parse(str(call)) == call


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "unknown-call: there is no call here | help: a call is P, X, XX or a bid such as 1N"),
        ("foo", "unknown-call: `foo` is no call | help: a call is P, X, XX or a bid such as 1N"),
        (
            "doubel",
            "unknown-call: `doubel` is no call | help: a call is P, X, XX or a bid such as 1N | meant: double",
        ),
        ("H3", "unknown-call: `H3` is no call | help: a call is P, X, XX or a bid such as 1N | meant: 3H"),
        ("nt2", "unknown-call: `nt2` is no call | help: a call is P, X, XX or a bid such as 1N | meant: 2N"),
        ("H0", "unknown-call: `H0` is no call | help: a call is P, X, XX or a bid such as 1N"),
        ("1♠", "unknown-call: `1♠` is no call | help: a call is P, X, XX or a bid such as 1N"),
        # A full-width digit and a long s, which Unicode counts as a digit and as a spelling of S.
        ("\uff11H", "unknown-call: `\uff11H` is no call | help: a call is P, X, XX or a bid such as 1N"),
        ("1\u017f", "unknown-call: `1\u017f` is no call | help: a call is P, X, XX or a bid such as 1N"),
        ("0H", "no-odd-trick: `0H` bids no odd trick | help: the lowest bid is of one"),
        ("000H", "no-odd-trick: `000H` bids no odd trick | help: the lowest bid is of one"),
        (
            "3",
            "bid-without-denomination: `3` bids in no denomination"
            " | help: a bid is a number and then the letter of a denomination, as in 1N",
        ),
        (
            "Z" * 99,
            "unknown-call: `ZZZZZZZZZZZZZZZZZZZZZ...` is no call | help: a call is P, X, XX or a bid such as 1N",
        ),
    ],
)
def test_what_is_no_call_is_refused(text: str, message: str) -> None:
    assert refusal(Call.parse, text) == message


def test_a_class_of_call_reads_only_its_own_kind() -> None:
    assert Bid.parse("2d") == Bid(2, "D")
    assert refusal(Bid.parse, "pass") == "wrong-kind-of-call: `pass` is no bid"


def test_calls_are_listed_by_kind_then_number_then_letter() -> None:
    calls = [Bid(2, "C"), Bid(1, "N"), REDOUBLE, Bid(1, "C"), PASS, DOUBLE]
    assert [str(call) for call in sorted(calls)] == ["P", "X", "XX", "1C", "1N", "2C"]
    assert PASS <= PASS < DOUBLE
    assert Bid(1, "N") > REDOUBLE


def test_the_kinds_of_call() -> None:
    assert [call.kind for call in (PASS, DOUBLE, REDOUBLE, Bid(1, "C"))] == list(Kind)


@pytest.mark.parametrize("level, denomination", [(0, "H"), (9, "H"), (-1, "H"), (1, "h"), (1, "NT"), (1, ""), (1, "É")])
def test_a_bid_that_cannot_be_is_refused(level: int, denomination: str) -> None:
    with pytest.raises(ValueError, match=r"a bid is of 1 to 8 odd tricks|a denomination is one capital letter"):
        Bid(level, denomination)


def test_denominations_are_letters() -> None:
    assert [parse_denomination(text) for text in ("n", "NT", "nt", "R")] == ["N", "N", "N", "R"]
    assert refusal(parse_denomination, "clubs") == (
        "unknown-denomination: `clubs` is no denomination | help: a denomination is written as one letter, as in 1N"
    )


# -- cards


@given(CARDS)
def test_a_card_goes_to_text_and_back(card: Card) -> None:
    assert Card.parse(str(card)) == card
    assert Card.parse(str(card).lower()) == card


def test_a_ten_has_two_spellings_and_one_canonical() -> None:
    assert Card.parse("S10") == Card.parse("st") == Card("S", "T")
    assert str(Card.parse("S10")) == "ST"


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "unknown-card: there is no card here | help: a card is its suit and then its rank, as in HA, ST or C2"),
        ("H1", "unknown-card: `H1` is no card | help: a card is its suit and then its rank, as in HA, ST or C2"),
        ("H", "unknown-card: `H` is no card | help: a card is its suit and then its rank, as in HA, ST or C2"),
        ("HAK", "unknown-card: `HAK` is no card | help: a card is its suit and then its rank, as in HA, ST or C2"),
        (
            "10h",
            "unknown-card: `10h` is no card"
            " | help: a card is its suit and then its rank, as in HA, ST or C2 | meant: HT",
        ),
    ],
)
def test_what_is_no_card_is_refused(text: str, message: str) -> None:
    assert refusal(Card.parse, text) == message


@pytest.mark.parametrize("denomination, rank", [("h", "A"), ("H", "a"), ("H", "10"), ("H", ""), ("H", "AK")])
def test_a_card_that_cannot_be_is_refused(denomination: str, rank: str) -> None:
    with pytest.raises(ValueError, match=r"the rank of a card is one of|a denomination is one capital letter"):
        Card(denomination, rank)


# -- seats and sides that are none


def test_what_is_no_seat_or_side_is_refused() -> None:
    assert refusal(Seat.parse, "Q") == "unknown-seat: `Q` is no seat | help: the seats are N, E, S and W"
    assert refusal(Seat.parse, "soth") == (
        "unknown-seat: `soth` is no seat | help: the seats are N, E, S and W | meant: S"
    )
    assert refusal(Side.parse, "NE") == "unknown-side: `NE` is no side | help: the sides are NS and EW"


# -- acts


@pytest.mark.parametrize(
    "act, text",
    [
        (Act.of_call(PASS), "P"),
        (Act.of_call(Bid(1, "N"), Seat.S), "S:1N"),
        (Act(Seat.S, "penalise"), "S:penalise"),
        (Act(Seat.W, "correct", argument="3D"), "W:correct=3D"),
        (Act(TABLE, "pass-over"), "TABLE:pass-over"),
    ],
)
def test_an_act_is_written_in_the_notation(act: Act, text: str) -> None:
    assert str(act) == text


@pytest.mark.parametrize(
    "build",
    [
        lambda: Act(Seat.S, "call"),
        lambda: Act(Seat.S, "penalise", PASS),
        lambda: Act(Seat.S, "call", PASS, "3D"),
        lambda: Act(TABLE, "call", PASS),
        lambda: Act(None, "penalise"),
        lambda: Act(Seat.S, "Penalise"),
        lambda: Act(Seat.S, "double"),
        lambda: Act(Seat.S, "correct", argument=""),
        lambda: Act(Seat.S, "inform", argument="a b"),
        lambda: Act(Seat.S, "inform", argument="a,b"),
        lambda: Act(Seat.S, "inform", argument="\x1b[2J"),
    ],
)
def test_an_act_that_cannot_be_written_cannot_be(build: Callable[[], Act]) -> None:
    with pytest.raises(ValueError, match=r"a call is made|cannot be the name|needs a seat|an argument is"):
        build()


@pytest.mark.parametrize(
    "name", ["", "x", "xx", "p", "ap", "call", "redouble", "New", "new_deal", "-a", "a-", "a--b", "1h"]
)
def test_names_no_act_can_have(name: str) -> None:
    assert not is_act_name(name)


@pytest.mark.parametrize("name", ["penalise", "new-deal", "point-2", "pass-over"])
def test_names_an_act_can_have(name: str) -> None:
    assert is_act_name(name)


# -- all of them


@pytest.mark.parametrize(
    "value", [Seat.E, Side.NS, TABLE, PASS, DOUBLE, Bid(3, "N"), Card("H", "A"), Act(Seat.S, "correct", argument="3D")]
)
def test_values_are_equal_after_copying_and_sending(value: object) -> None:
    for other in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert other == value
        assert hash(other) == hash(value)


@pytest.mark.parametrize("value", [PASS, Bid(3, "N"), Card("H", "A"), Act.of_call(PASS)])
def test_values_are_slotted_and_cannot_be_changed(value: object) -> None:
    assert not hasattr(value, "__dict__")
    for name in getattr(value, "__dataclass_fields__", {}):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, None)
