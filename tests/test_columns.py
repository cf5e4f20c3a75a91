"""Text in scripts whose characters take two columns: what is measured, how lines break, and that tables line up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawbook.columns import columns_of, wrapped
from lawbook.diagnostics import Diagnostic, Label, Severity, Span, render
from lawbook.report.layout import Page, beside, folded, table

TITLE = "競売ブリッジの法律（一九一二年）"
TEXTS = st.text(st.sampled_from("ab-é\u0301 競売の　，x"), max_size=60)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", 0), ("Law 50", 6), ("法律", 4), ("법률", 4), ("ｎ", 2), ("ﾎ", 1), ("e\u0301", 1), ("♠ é —", 5), ("法 a", 4)],
)
def test_characters_have_their_columns(text: str, columns: int) -> None:
    assert columns_of(text) == columns


def test_the_columns_of_a_table_line_up() -> None:
    rows = [("50", TITLE, "first"), ("49", "Out of turn", "second"), ("54", "겨루기", "third")]
    lines = table(rows, ("law", "title", "place"), Page())
    words = ("place", "first", "second", "third")
    starts = [columns_of(line[: line.index(word)]) for line, word in zip(lines, words, strict=True)]
    assert len(set(starts)) == 1


def test_the_last_column_is_folded_by_its_columns() -> None:
    lines = table([("50", TITLE * 5)], ("law", "title"), Page(width=40))
    assert max(map(columns_of, lines)) <= 40
    assert "".join(line.strip() for line in lines[1:]).replace("50", "", 1).replace(" ", "") == TITLE * 5


def test_other_lines_reach_across_the_page_and_no_further() -> None:
    page = Page(width=40)
    assert columns_of(page.rule("法律")) == 40
    assert [columns_of(line) for line in page.heading(TITLE * 2)][-1] == 40
    assert max(map(columns_of, page.wrap(TITLE * 4 + " as they were", 2))) <= 40
    first, *later = page.entry("題名", TITLE * 2)
    assert columns_of(first[: first.index("競")]) == 12
    assert max(map(columns_of, [first, *later])) <= 40
    (line,) = beside([["法律"], ["x"]], [6, 1])
    assert line == "法律   x"


@pytest.mark.parametrize("width", [40, 60, 80])
def test_messages_keep_to_the_page(width: int) -> None:
    line = "- id: 題名"
    here, there = Span("own.yaml", 1, 7, 1, 9), Span("own.yaml", 1, 3, 1, 5)
    said = f"`{TITLE}` is no {TITLE * 3}"
    found = Diagnostic("no-such", Severity.ERROR, said, here, (Label(there, said), Label(here, said)), said)
    text = render([found], source=lambda _: line, width=width)
    assert max(map(columns_of, text.splitlines())) <= width
    assert "".join(text.split()).replace("|", "").count("".join(said.split())) == 4


@given(TEXTS, st.integers(10, 30))
def test_nothing_is_lost_and_no_line_is_too_wide(text: str, width: int) -> None:
    lines = wrapped(text, width, breaks=True)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(columns_of(line) <= width for line in lines)
    assert folded(text, width) == lines or not lines


def test_plain_words_are_kept_whole_among_wide_characters() -> None:
    assert wrapped("法律 of auction bridge", 9) == ["法律 of", "auction", "bridge"]
    assert wrapped("法律 of auctions-of-bridge", 10, breaks=True) == ["法律 of", "auctions-o", "f-bridge"]
