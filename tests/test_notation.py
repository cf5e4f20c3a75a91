"""The auction notation and the names of editions: both ways, and what is said about mistakes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lawbook.diagnostics import Diagnostic, Span
from lawbook.errors import LawbookError
from lawbook.notation import (
    ALL_PASS,
    LONGEST_AUCTION,
    ArgumentKind,
    Item,
    format_auction,
    format_edition_name,
    parse_auction,
    parse_edition_name,
)
from lawbook.values import CARD_RANKS, DOUBLE, PASS, REDOUBLE, TABLE, Act, Bid, Card, Seat, is_argument

ACTS = {
    "penalise": ArgumentKind.NONE,
    "new-deal": ArgumentKind.NONE,
    "correct": ArgumentKind.CALL,
    "raise": ArgumentKind.OPTIONAL_CALL,
    "lead": ArgumentKind.CARD,
    "expose": ArgumentKind.OPTIONAL_CARD,
    "inform": ArgumentKind.TEXT,
    "remark": ArgumentKind.OPTIONAL_TEXT,
}

LETTERS = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
CALLS = st.one_of(st.sampled_from([PASS, DOUBLE, REDOUBLE]), st.builds(Bid, st.integers(1, 8), LETTERS))
CARDS = st.builds(Card, LETTERS, st.sampled_from(CARD_RANKS))
TEXTS = st.text(min_size=1, max_size=8).filter(is_argument)
WHO = st.sampled_from([*Seat, TABLE])
ITEMS: st.SearchStrategy[Item] = st.one_of(
    st.builds(Act.of_call, CALLS, st.none() | st.sampled_from(Seat)),
    st.builds(Act, WHO, st.sampled_from(["penalise", "new-deal", "raise", "expose", "remark"])),
    st.builds(Act, WHO, st.sampled_from(["correct", "raise"]), argument=CALLS.map(str)),
    st.builds(Act, WHO, st.sampled_from(["lead", "expose"]), argument=CARDS.map(str)),
    st.builds(Act, WHO, st.sampled_from(["inform", "remark"]), argument=TEXTS),
    st.just(ALL_PASS),
)
NAMES = st.from_regex(r"[a-z0-9]{1,4}(-[a-z0-9]{1,4}){0,2}", fullmatch=True)


def told(diagnostic: Diagnostic) -> str:
    """A diagnostic whole, on one line."""
    span = diagnostic.span
    assert span is not None
    assert span.line == span.end_line
    parts = [f"{span.line}:{span.column}-{span.end_column} {diagnostic.code}: {diagnostic.message}"]
    parts += [f"{label.span.column}-{label.span.end_column} {label.text}" for label in diagnostic.labels]
    parts += [f"help: {diagnostic.help}"] if diagnostic.help else []
    parts += [f"meant: {diagnostic.suggestion}"] if diagnostic.suggestion else []
    return " | ".join(parts)


def refusal(read: Callable[[], object]) -> list[str]:
    with pytest.raises(LawbookError) as caught:
        read()
    return [told(diagnostic) for diagnostic in caught.value.diagnostics]


# -- auctions that can be read


def test_an_auction_is_read_word_by_word() -> None:
    tokens = parse_auction("1c  S:1NT\n\tE:Penalise\r\nw:correct=3d AP", acts=ACTS)
    assert [(token.act, token.text, token.line, token.position, token.index) for token in tokens] == [
        (Act.of_call(Bid(1, "C")), "1c", 1, 1, 1),
        (Act.of_call(Bid(1, "N"), Seat.S), "S:1NT", 1, 5, 2),
        (Act(Seat.E, "penalise"), "E:Penalise", 2, 2, 3),
        (Act(Seat.W, "correct", argument="3D"), "w:correct=3d", 3, 1, 4),
        (ALL_PASS, "AP", 3, 14, 5),
    ]


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("", ""),
        (" \n ", ""),
        ("\ufeff1C", "1C"),
        ("pass double redouble 1nt ap", "P X XX 1N AP"),
        ("10H 8h", "8H 8H"),
        ("north:x South:dbl", "N:X S:X"),
        ("table:new-deal", "TABLE:new-deal"),
        ("S:raise S:raise=p S:expose S:expose=h10 S:lead=ca", "S:raise S:raise=P S:expose S:expose=HT S:lead=CA"),
        ("E:inform=I-hold:x=Y", "E:inform=I-hold:x=Y"),
    ],
)
def test_every_spelling_has_one_canonical_form(text: str, canonical: str) -> None:
    tokens = parse_auction(text, acts=ACTS)
    assert format_auction(token.act for token in tokens) == canonical


@pytest.mark.parametrize(
    ("text", "canonical", "as_said"),
    [
        ("9S S:012N", "8S S:8N", "9S S:12N"),
        ("S:correct=10d S:raise=7D", "S:correct=8D S:raise=7D", "S:correct=10D S:raise=7D"),
        ("8H 08H", "8H 8H", "8H 8H"),
    ],
)
def test_a_level_above_the_highest_is_remembered_as_it_was_written(text: str, canonical: str, as_said: str) -> None:
    acts = [token.act for token in parse_auction(text, acts=ACTS)]
    assert format_auction(acts) == canonical
    assert " ".join(act.as_said for act in acts if isinstance(act, Act)) == as_said
    # Nothing turns on it.
    assert acts == [token.act for token in parse_auction(canonical, acts=ACTS)]


SIGNS = {"♠": "S", "♥": "H", "☆": "TU"}


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1♠ s:2♥ E:correct=3♥", "1S S:2H E:correct=3H"),
        # In outline, and as a picture.
        ("1♤ 2♥\ufe0f", "1S 2H"),
        ("S:lead=♥a S:expose=♠10", "S:lead=HA S:expose=ST"),
        # What is said is no bid.
        ("S:inform=1♠", "S:inform=1♠"),
    ],
)
def test_the_sign_of_a_denomination_stands_for_its_letter(text: str, canonical: str) -> None:
    tokens = parse_auction(text, acts=ACTS, letters="SHTU", signs=SIGNS)
    assert format_auction(token.act for token in tokens) == canonical
    assert [token.text for token in tokens] == text.split()


@given(st.lists(ITEMS, max_size=12))
def test_writing_and_reading_an_auction_changes_nothing(items: list[Item]) -> None:
    text = format_auction(items)
    tokens = parse_auction(text, acts=ACTS)
    assert [token.act for token in tokens] == items
    assert format_auction(token.act for token in tokens) == text


@given(st.lists(st.tuples(ITEMS, st.sampled_from([" ", "\n", "\r\n", "\r", "\t ", "\u2003"])), max_size=8))
def test_a_token_is_where_it_says(items: list[tuple[Item, str]]) -> None:
    text = "".join(f"{item}{space}" for item, space in items)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for index, token in enumerate(parse_auction(text, acts=ACTS), start=1):
        assert lines[token.line - 1][token.position - 1 :].startswith(token.text)
        assert token.index == index


# -- auctions that cannot

ACT_NAMES = "the acts are correct, expose, inform, lead, new-deal, penalise, raise, remark"
CALL_HELP = "help: a call is P, X, XX or a bid such as 1N"
RUN_HELP = "help: acts are separated by white space"
SEAT_HELP = "help: the seats are N, E, S and W, and TABLE for what no player does"


@pytest.mark.parametrize(
    "text, message",
    [
        # words without a seat
        ("foo", f"1:1-4 unknown-act: `foo` is neither a call nor an act | {CALL_HELP}"),
        ("doubel", f"1:1-7 unknown-call: `doubel` is no call | {CALL_HELP} | meant: double"),
        ("H3", f"1:1-3 unknown-call: `H3` is no call | {CALL_HELP} | meant: 3H"),
        ("1♠", f"1:1-3 unknown-act: `1♠` is neither a call nor an act | {CALL_HELP}"),
        ("PP", f"1:1-3 unknown-act: `PP` is 2 calls run together | {RUN_HELP} | meant: P P"),
        ("4Hxx", f"1:1-5 unknown-act: `4Hxx` is 2 calls run together | {RUN_HELP} | meant: 4H xx"),
        ("1ntx2D", f"1:1-7 unknown-act: `1ntx2D` is 3 calls run together | {RUN_HELP} | meant: 1nt x 2D"),
        ("4H0X", f"1:1-5 unknown-act: `4H0X` is neither a call nor an act | {CALL_HELP}"),
        ("allpass", f"1:1-8 unknown-act: `allpass` is neither a call nor an act | {CALL_HELP} | meant: AP"),
        ("0H", "1:1-3 no-odd-trick: `0H` bids no odd trick | help: the lowest bid is of one"),
        (
            "3",
            "1:1-2 bid-without-denomination: `3` bids in no denomination"
            " | help: a bid is a number and then the letter of a denomination, as in 1N",
        ),
        (
            "penalise",
            "1:1-9 act-without-seat: `penalise` does not say who acts"
            " | help: write the seat before it, as in `S:penalise`",
        ),
        (
            "Correct=3D",
            "1:1-11 act-without-seat: `Correct=3D` does not say who acts"
            " | help: write the seat before it, as in `S:Correct=3D`",
        ),
        (
            "penalize",
            "1:1-9 unknown-act: `penalize` is neither a call nor an act"
            " | help: `penalise` is an act, and needs its seat before it, as in `S:penalise`",
        ),
        (
            "S1H",
            "1:1-4 unknown-act: `S1H` is neither a call nor an act"
            " | help: a colon stands between a seat and its act | meant: S:1H",
        ),
        (
            "epenalise",
            "1:1-10 unknown-act: `epenalise` is neither a call nor an act"
            " | help: a colon stands between a seat and its act | meant: E:penalise",
        ),
        # seats
        ("Q:1H", f"1:1-2 unknown-seat: `Q` is no seat | {SEAT_HELP}"),
        ("nroth:1H", f"1:1-6 unknown-seat: `nroth` is no seat | {SEAT_HELP} | meant: N"),
        ("tabel:penalise", f"1:1-6 unknown-seat: `tabel` is no seat | {SEAT_HELP} | meant: TABLE"),
        (":1H", f"1:1-1 seat-missing: there is no seat before the colon | {SEAT_HELP}"),
        (
            "1H:S",
            "1:1-5 seat-after-act: `1H:S` is the wrong way round | help: the seat comes first | meant: S:1H",
        ),
        (
            "penalise:table",
            "1:1-15 seat-after-act: `penalise:table` is the wrong way round"
            " | help: the seat comes first | meant: TABLE:penalise",
        ),
        ("TABLE:1H", "1:7-9 call-by-table: a call is made by a player, not by the table"),
        (
            "S:AP",
            "1:3-5 all-pass-with-seat: `AP` stands for passes by every player in turn, so it has no seat"
            " | help: write `AP` alone, or `P` for a pass by this seat",
        ),
        # acts of a seat
        ("S:", "1:3-3 act-missing: there is no act after the colon"),
        ("S:=3D", "1:3-3 act-missing: there is no act after the colon"),
        (
            "S:penalize",
            f"1:3-11 unknown-act: `penalize` is neither a call nor an act | help: {ACT_NAMES} | meant: penalise",
        ),
        (
            "S:new_deal",
            f"1:3-11 unknown-act: `new_deal` is neither a call nor an act | help: {ACT_NAMES} | meant: new-deal",
        ),
        ("S:doubel", f"1:3-9 unknown-act: `doubel` is neither a call nor an act | help: {ACT_NAMES} | meant: double"),
        ("S:1HX", f"1:3-6 unknown-act: `1HX` is 2 calls run together | {RUN_HELP} | meant: 1H X"),
        ("S:call", f"1:3-7 unknown-act: `call` is neither a call nor an act | help: {ACT_NAMES}"),
        ("S:N:1H", f"1:3-7 unknown-act: `N:1H` is neither a call nor an act | help: {ACT_NAMES}"),
        ("S:0H", "1:3-5 no-odd-trick: `0H` bids no odd trick | help: the lowest bid is of one"),
        # arguments
        (
            "S:correct",
            "1:3-10 argument-missing: `correct` needs a call"
            " | help: write it after an equals sign, as in `S:correct=3D`",
        ),
        (
            "TABLE:lead",
            "1:7-11 argument-missing: `lead` needs a card | help: write it after an equals sign, as in `TABLE:lead=HA`",
        ),
        (
            "S:inform",
            "1:3-9 argument-missing: `inform` needs some text"
            " | help: write it after an equals sign, as in `S:inform=text`",
        ),
        ("S:correct=", "1:11-11 argument-missing: nothing follows the equals sign"),
        ("S:expose=", "1:10-10 argument-missing: nothing follows the equals sign"),
        ("S:penalise=3D", "1:12-14 argument-not-taken: `penalise` takes no argument, so nothing can follow it"),
        ("S:1H=3D", "1:6-8 argument-not-taken: a call takes no argument, so nothing can follow it"),
        ("S:correct=9Z9", f"1:11-14 unknown-call: `9Z9` is no call | {CALL_HELP}"),
        ("S:raise=0D", "1:9-11 no-odd-trick: `0D` bids no odd trick | help: the lowest bid is of one"),
        (
            "S:lead=AH",
            "1:8-10 unknown-card: `AH` is no card"
            " | help: a card is its suit and then its rank, as in HA, ST or C2 | meant: HA",
        ),
        ("S:remark=\x1b", "1:10-11 argument-unprintable: the argument has characters that cannot be printed"),
        # the whole
        ("1C, 2C,3C,", "1:3-4 comma-between-acts: acts are separated by white space, not by commas"),
        ("Z" * 99, f"1:1-100 unknown-act: `ZZZZZZZZZZZZZZZZZZZZZ...` is neither a call nor an act | {CALL_HELP}"),
    ],
)
def test_a_mistake_has_its_message(text: str, message: str) -> None:
    assert refusal(lambda: parse_auction(text, acts=ACTS)) == [message]


def test_all_mistakes_are_told_at_once_and_in_order() -> None:
    assert refusal(lambda: parse_auction("1C foo\n Q:penalize, 0H\n", acts=ACTS)) == [
        f"1:4-7 unknown-act: `foo` is neither a call nor an act | {CALL_HELP}",
        f"2:2-3 unknown-seat: `Q` is no seat | {SEAT_HELP}",
        f"2:4-12 unknown-act: `penalize` is neither a call nor an act | help: {ACT_NAMES} | meant: penalise",
        "2:12-13 comma-between-acts: acts are separated by white space, not by commas",
        "2:14-16 no-odd-trick: `0H` bids no odd trick | help: the lowest bid is of one",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "1♦",
            "1:1-3 unknown-denomination: `1♦` is in no denomination"
            " | help: the letters of the denominations are H, S, T, U",
        ),
        (
            "S:1♦",
            "1:3-5 unknown-denomination: `1♦` is in no denomination"
            " | help: the letters of the denominations are H, S, T, U",
        ),
        (
            "1☆",
            "1:1-3 unknown-denomination: `1☆` does not say which denomination is meant"
            " | help: several have this sign, so write the letter: T, U",
        ),
        ("1♠X", f"1:1-4 unknown-act: `1♠X` is 2 calls run together | {RUN_HELP} | meant: 1♠ X"),
        ("♠1", f"1:1-3 unknown-call: `♠1` is no call | {CALL_HELP} | meant: 1S"),
    ],
)
def test_a_sign_that_no_denomination_has_alone_is_told_of(text: str, message: str) -> None:
    assert refusal(lambda: parse_auction(text, acts=ACTS, letters="SHTU", signs=SIGNS)) == [message]


def test_where_no_act_is_declared_none_is_listed() -> None:
    assert refusal(lambda: parse_auction("S:penalise", acts={})) == [
        "1:3-11 unknown-act: `penalise` is neither a call nor an act"
    ]


def test_an_auction_inside_a_file_has_its_places_there() -> None:
    at = Span("laws/x.yaml", 7, 20, 7, 40)
    with pytest.raises(LawbookError) as caught:
        parse_auction("2H foo", acts=ACTS, at=at)
    assert [diagnostic.span for diagnostic in caught.value.diagnostics] == [Span("laws/x.yaml", 7, 23, 7, 26)]
    (token,) = parse_auction(" 2H", acts=ACTS, at=at)
    assert (token.line, token.position) == (7, 21)


def test_an_auction_on_its_own_is_named_so() -> None:
    with pytest.raises(LawbookError) as caught:
        parse_auction("foo", acts=ACTS)
    assert [diagnostic.span for diagnostic in caught.value.diagnostics] == [Span("<auction>", 1, 1, 1, 4)]


def test_an_auction_may_be_long_but_not_absurdly() -> None:
    assert len(parse_auction("P " * LONGEST_AUCTION, acts=ACTS)) == LONGEST_AUCTION
    assert refusal(lambda: parse_auction("P " * (LONGEST_AUCTION + 1), acts=ACTS)) == [
        "1:20001-20002 auction-too-long: the auction has 10,001 acts, and no more than 10,000 are read"
    ]


def test_after_fifty_mistakes_reading_stops_and_says_so() -> None:
    messages = refusal(lambda: parse_auction("Q7 " * LONGEST_AUCTION, acts=ACTS))
    assert len(messages) == 51
    assert messages[-1] == "1:151-153 too-many-problems: the rest of the auction was not read"


@given(st.text(alphabet=st.characters() | st.sampled_from(":=,@ \n123HDNSEWPXA"), max_size=40))
@example("\ud800")
@example("S:lead=")
def test_any_text_is_read_or_refused_with_places_inside_it(text: str) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    try:
        tokens = parse_auction(text, acts=ACTS)
    except LawbookError as error:
        for diagnostic in error.diagnostics:
            span = diagnostic.span
            assert span is not None
            assert span.line == span.end_line <= len(lines)
            assert 1 <= span.column <= span.end_column <= len(lines[span.line - 1]) + 1
    else:
        canonical = format_auction(token.act for token in tokens)
        assert [token.act for token in parse_auction(canonical, acts=ACTS)] == [token.act for token in tokens]


# -- names of editions


@given(NAMES, st.dictionaries(NAMES, NAMES, max_size=4))
def test_writing_and_reading_an_edition_name_changes_nothing(edition: str, readings: dict[str, str]) -> None:
    assert parse_edition_name(format_edition_name(edition, readings)) == (edition, readings)


def test_readings_are_written_in_the_order_of_their_names() -> None:
    edition, readings = parse_edition_name("whist-club-1912@b=y,a=x")
    assert list(readings) == ["b", "a"]
    assert format_edition_name(edition, readings) == "whist-club-1912@a=x,b=y"


NAME_HELP = "help: names are of small letters, digits and hyphens"
READING_HELP = "help: readings are written `name=choice`"


@pytest.mark.parametrize(
    "text, messages",
    [
        ("", ["1:1-1 name-missing: the name of the edition is missing here"]),
        ("@x=y", ["1:1-1 name-missing: the name of the edition is missing here"]),
        (
            "Whist Club_1912",
            [
                "1:1-16 name-malformed: `Whist Club_1912` cannot be the name of an edition"
                f" | {NAME_HELP} | meant: whist-club-1912"
            ],
        ),
        (
            "mine.yaml",
            [f"1:1-10 name-malformed: `mine.yaml` cannot be the name of an edition | {NAME_HELP} | meant: mine"],
        ),
        ("../mine", [f"1:1-8 name-malformed: `../mine` cannot be the name of an edition | {NAME_HELP}"]),
        ("a@", [f"1:3-3 reading-missing: a reading is missing here | {READING_HELP}"]),
        ("a@x=y,", [f"1:7-7 reading-missing: a reading is missing here | {READING_HELP}"]),
        ("a@x=y,,z=w", [f"1:7-7 reading-missing: a reading is missing here | {READING_HELP}"]),
        ("a@x", [f"1:3-4 choice-missing: `x` does not say what is chosen | {READING_HELP}"]),
        ("a@x=", ["1:5-5 name-missing: the name of the choice is missing here"]),
        ("a@=y", ["1:3-3 name-missing: the name of the reading is missing here"]),
        ("a@x=Y", [f"1:5-6 name-malformed: `Y` cannot be the name of a choice | {NAME_HELP} | meant: y"]),
        ("a@x=y=z", [f"1:5-8 name-malformed: `y=z` cannot be the name of a choice | {NAME_HELP}"]),
        (
            "a@x=y, z=w",
            [f"1:7-9 name-malformed: ` z` cannot be the name of a reading | {NAME_HELP} | meant: z"],
        ),
        (
            "a@x=y@z=w",
            [
                "1:5-10 name-malformed: `y@z=w` cannot be the name of a choice"
                " | help: one `@` stands before all readings, and commas between them"
            ],
        ),
        ("a@x=y,x=z", ["1:7-8 reading-twice: the reading `x` is chosen twice | 3-4 first chosen here"]),
        (
            "A@x,y=z,y=z",
            [
                f"1:1-2 name-malformed: `A` cannot be the name of an edition | {NAME_HELP} | meant: a",
                f"1:3-4 choice-missing: `x` does not say what is chosen | {READING_HELP}",
                "1:9-10 reading-twice: the reading `y` is chosen twice | 5-6 first chosen here",
            ],
        ),
    ],
)
def test_a_mistaken_edition_name_has_its_messages(text: str, messages: list[str]) -> None:
    assert refusal(lambda: parse_edition_name(text)) == messages


def test_an_edition_name_is_said_to_be_in_its_own_place() -> None:
    with pytest.raises(LawbookError) as caught:
        parse_edition_name("A")
    assert [diagnostic.span for diagnostic in caught.value.diagnostics] == [Span("<edition>", 1, 1, 1, 2)]
