"""Messages: how they are gathered, ordered, drawn and handed to other programs."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawbook.diagnostics import Diagnostic, Label, Severity, Span, nearest, render, source_lines
from lawbook.errors import Collector, LawbookError

TEXT = "title: Rank of bids\nclauses:\n  - id: outranks\n    whne: a player bids\n"


def span(line: int, column: int, end_column: int, file: str = "law.yaml") -> Span:
    return Span(file, line, column, line, end_column)


def error(where: Span | None, message: str = "unknown key `whne`", labels: tuple[Label, ...] = ()) -> Diagnostic:
    return Diagnostic("unknown-key", Severity.ERROR, message, where, labels)


def drawn(diagnostic: Diagnostic, text: str | None = TEXT, width: int = 80) -> list[str]:
    return render([diagnostic], source=lambda file: text if file == "law.yaml" else None, width=width).splitlines()


# -- drawing ---------------------------------------------------------------------------------------------------------


def test_everything_there_is_to_say_is_drawn() -> None:
    diagnostic = Diagnostic(
        code="unknown-key",
        severity=Severity.WARNING,
        message="unknown key `whne`",
        span=span(4, 5, 9),
        labels=(
            Label(span(1, 8, 20), "in this law"),
            Label(span(4, 5, 9), "nobody reads this"),
            Label(span(4, 11, 24), "so this is never asked"),
            Label(span(7, 3, 8, "vocabulary.yaml"), "the keys are declared here"),
        ),
        help="a trigger begins with `when`",
        suggestion="when",
        law="44",
        clause="outranks",
    )
    assert drawn(diagnostic) == [
        "warning[unknown-key]: unknown key `whne`",
        "  --> law.yaml:4:5",
        "   |",
        " 1 | title: Rank of bids",
        "   |        ------------ in this law",
        "...",
        " 4 |     whne: a player bids",
        "   |     ^^^^ nobody reads this",
        "   |           ------------- so this is never asked",
        "  ::: vocabulary.yaml:7:3",
        "   | line 7: the keys are declared here",
        "   = did you mean: `when`",
        "   = help: a trigger begins with `when`",
        "   = in: Law 44, clause outranks",
    ]


def test_a_message_without_place_is_one_line() -> None:
    assert drawn(error(None)) == ["error[unknown-key]: unknown key `whne`"]


def test_a_file_that_cannot_be_shown_is_named() -> None:
    assert drawn(error(span(4, 5, 9)), text=None) == ["error[unknown-key]: unknown key `whne`", "  --> law.yaml:4:5"]


def test_a_missing_thing_has_one_caret_after_the_line() -> None:
    assert drawn(error(span(2, 9, 9)))[-2:] == [" 2 | clauses:", "   |         ^"]


def test_several_lines_are_underlined_to_the_end_of_the_first() -> None:
    assert drawn(error(Span("law.yaml", 3, 5, 4, 9)))[-2:] == [" 3 |   - id: outranks", "   |     ^^^^^^^^^^^^"]


def test_nothing_is_drawn_of_nothing() -> None:
    assert render([]) == ""


def test_colours_only_add_colours() -> None:
    diagnostic = error(span(4, 5, 9), labels=(Label(span(1, 1, 6), "here"),))
    coloured = render([diagnostic], colour=True, source=lambda _: TEXT)
    assert "\x1b[1;31m^^^^\x1b[0m" in coloured
    bare = coloured
    for tint in ("0", "1", "34", "1;31"):
        bare = bare.replace(f"\x1b[{tint}m", "")
    assert bare == render([diagnostic], source=lambda _: TEXT)


def test_a_stranger_cannot_steer_the_terminal() -> None:
    diagnostic = error(span(1, 1, 2, "la\x1bw"), "bad \x1b[2J key \u202e", (Label(span(1, 1, 2, "la\x1bw"), "\x07"),))
    shown = render([diagnostic], source=lambda _: "a\x1b[31m\ttext")
    assert not set(shown) & {"\x1b", "\x07", "\u202e", "\t"}
    assert "a\ufffd[31m text" in shown


def test_wide_and_combining_characters_are_measured() -> None:
    lines = drawn(error(span(1, 5, 7)), text="宣言e\u0301クラブ")
    assert lines[-1] == "   |      ^^^^"


@given(st.integers(0, 300), st.integers(1, 30), st.integers(30, 120))
def test_long_lines_are_cut_around_the_caret(start: int, length: int, width: int) -> None:
    text = "".join(chr(ord("a") + number % 26) for number in range(start)) + "X" * min(length, width // 4)
    text += "z" * (330 - len(text))
    end = start + min(length, width // 4)
    line, carets = drawn(error(span(1, start + 1, end + 1)), text, width)[-2:]
    assert len(line) <= width
    assert {line[at] for at, sign in enumerate(carets) if sign == "^"} == {"X"}
    assert carets.count("^") == line.count("X") == end - start


def test_lines_are_split_as_editors_do() -> None:
    assert source_lines("\ufeffa\r\nb\rc\n\x85\u2028\x0c") == ["a", "b", "c", "\x85\u2028\x0c"]


# -- did you mean ----------------------------------------------------------------------------------------------------

OFFENCES = ["insufficient-declaration", "impossible-declaration", "declaration-out-of-turn", "double-out-of-turn"]


@pytest.mark.parametrize(
    "word, choices, expected",
    [
        ("whne", ["when", "where", "who"], "when"),
        ("When", ["when", "where"], "when"),
        ("clubz", ["clubs", "diamonds"], "clubs"),
        ("insuficient declaration", OFFENCES, "insufficient-declaration"),
        ("declaration insufficient", OFFENCES, "insufficient-declaration"),
        ("the offender partner", ["the offender's partner", "the offender"], "the offender's partner"),
        ("double out off turn", OFFENCES, "double-out-of-turn"),
        ("if", ["of", "is", "unless"], "is"),
        ("on", ["in", "unless"], "in"),
        ("a", ["b"], None),
        ("score", ["remedy", "holder"], None),
        ("remedy", ["remedy for", "holder"], None),
        ("", ["a"], None),
        ("ilegal", ["legal", "refused"], None),
        ("isnt in turn", ["is in turn"], None),
        ("not a pass", ["a pass"], None),
        ("when", [], None),
        ("when", ["when"], None),
        ("x" * 100_000, ["x" * 99_999], None),
    ],
)
def test_nearest(word: str, choices: list[str], expected: str | None) -> None:
    assert nearest(word, choices) == expected


WORDS = st.text("abcdes -'", max_size=8)


@given(WORDS, st.lists(WORDS, max_size=6))
def test_nearest_is_one_of_the_choices_in_whatever_order(word: str, choices: list[str]) -> None:
    found = nearest(word, choices)
    assert found is None or (found in choices and found != word)
    assert nearest(word, sorted(choices)) == nearest(word, set(choices)) == found


# -- gathering -------------------------------------------------------------------------------------------------------


def test_a_collector_sorts_and_says_nothing_twice() -> None:
    collector = Collector()
    collector.error("b", "second", span(2, 1, 2))
    collector.warning("c", "third", span(2, 4, 5))
    collector.error("d", "other file", span(1, 1, 2, "zeta.yaml"))
    collector.error("a", "first", span(1, 9, 10))
    collector.error("b", "second", span(2, 1, 2))
    collector.error("e", "no place", None)
    assert [diagnostic.message for diagnostic in collector.diagnostics] == [
        "no place",
        "first",
        "second",
        "third",
        "other file",
    ]


def test_warnings_alone_stop_nothing() -> None:
    collector = Collector()
    collector.warning("never-true", "this is never true here", span(1, 1, 2))
    collector.raise_if_errors()
    assert not collector.has_errors
    collector.error("unknown-key", "unknown key `whne`", span(4, 5, 9), suggestion="when", labels=[], law="44")
    with pytest.raises(LawbookError) as caught:
        collector.raise_if_errors()
    assert str(caught.value) == "this is never true here\nunknown key `whne`"
    assert caught.value.diagnostics == collector.diagnostics
    again = Collector()
    again.extend(caught.value.diagnostics)
    assert again.diagnostics == collector.diagnostics


def test_an_error_survives_the_way_to_another_process() -> None:
    original = LawbookError([error(span(4, 5, 9))])
    copy = pickle.loads(pickle.dumps(original))
    assert isinstance(copy, LawbookError)
    assert copy.diagnostics == original.diagnostics


def test_json_has_all_keys_always() -> None:
    place = {"file": "law.yaml", "line": 4, "column": 5, "end_line": 4, "end_column": 9}
    full = Diagnostic(
        "unknown-key", Severity.WARNING, "m", span(4, 5, 9), (Label(span(4, 5, 9), "t"),), "h", "s", "44", "outranks"
    )
    assert json.loads(json.dumps(full.as_json())) == {
        "code": "unknown-key",
        "severity": "warning",
        "message": "m",
        "span": place,
        "labels": [{"span": place, "text": "t"}],
        "help": "h",
        "suggestion": "s",
        "law": "44",
        "clause": "outranks",
    }
    bare = error(None).as_json()
    assert bare.keys() == full.as_json().keys()
    assert bare["span"] is bare["help"] is bare["law"] is None


def test_a_part_of_a_span() -> None:
    assert span(4, 11, 24).within(2, 8) == span(4, 13, 19)
