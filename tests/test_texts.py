"""A user's own text of the laws: where each law begins, what is matched, and how it stands beside the clauses.

The texts here are invented; the project has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cli import lawbook_command, validate

from lawbook.loading import load
from lawbook.report.editions import select, show_text
from lawbook.report.layout import Page
from lawbook.texts import read_text, words_of

TEXT = """\
THE RULES OF AN IMAGINARY CLUB
copied by hand

                     THE BIDDING

42. Whoever has dealt speaks first, and has to say something
better than nothing.

43. After him the others, to the left:
   1. each says more than was said,
   2. or holds his tongue.

50. Too little is too little. In
1912. no more was said of it.
Law 43 has nothing to do with it.

50a. This law is invented.
58. And so is this.
"""


def numbers_of(text: str, *known: str) -> list[str]:
    return [passage.number for passage in read_text(text, known).passages]


# -- where laws begin --------------------------------------------------------------------------------------------------


def test_a_text() -> None:
    found = read_text(TEXT, ["42", "43, 44", "50", None])
    assert [(p.number, p.line, p.end_line) for p in found.passages] == [
        ("42", 6, 7),
        ("43", 9, 11),
        ("50", 13, 15),
        ("50a", 17, 17),
        ("58", 18, 18),
    ]
    assert (
        found.passages[0].text == "42. Whoever has dealt speaks first, and has to say something\nbetter than nothing."
    )
    assert len(found.before) == 5
    assert found.unmatched(["42", "43, 44", "50", None]) == (["50a", "58"], ["44"])
    assert [passage.number for passage in found.of("43, 44")] == ["43"]
    assert found.of(None) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LAW 1\nx\nLAW 2.\ny\nLaw 10a - z", ["1", "2", "10a"]),
        ("Law 1: x\n1. first\n2. second\n3. third\nLaw 2: y", ["1", "2"]),
        ("1) x\n2) y", ["1", "2"]),
        ("1\nx\n2\ny", ["1", "2"]),
        ("47a. x\n47b y\n48. z", ["47a", "47b", "48"]),
        ("1. x\n13 tricks are won\n2. y\n2.5 points\n3. z", ["1", "2", "3"]),
        ("nothing\nbegins here", []),
        ("", []),
        ("Law 50 A player\nLaw 51 a trump", ["50", "51"]),
        ("§ 1 x\n§ 2 y", ["1", "2"]),
    ],
)
def test_beginnings(text: str, expected: list[str]) -> None:
    assert numbers_of(text) == expected


def test_other_words_than_law_are_those_of_the_edition() -> None:
    assert numbers_of("Decision 1\nx\nDECISION 2.\ny", "Decision 1", "Decision 2") == ["Decision 1", "Decision 2"]
    assert numbers_of("Decision 1\nx") == []


@given(st.text(alphabet="1250a. \nLlawW§:x", max_size=120))
def test_nothing_is_lost(text: str) -> None:
    """Every line that is not empty is of one law, or before the first."""
    found = read_text(text, ["1", "2", "50", "50a"])
    lines = [line.rstrip() for line in text.splitlines()]
    told = [line.rstrip() for line in found.before]
    for passage in found.passages:
        assert passage.text.split("\n") == lines[passage.line - 1 : passage.end_line]
        told += passage.text.split("\n")
    assert [line for line in told if line] == [line for line in lines if line]
    assert [p.line for p in found.passages] == sorted(p.line for p in found.passages)


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAWBOOK_TEXTS", str(tmp_path / "kept"))
    (tmp_path / "mine.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path / "kept"


def test_a_text_is_added_listed_and_removed(shelf: Path) -> None:
    status, out, error = lawbook_command("text", "add", "whist-club-1912", "mine.txt")
    assert (status, error) == (0, "")
    assert "matched     42, 43, 50, 58: shown beside their clauses" in out
    assert "no clauses  50a: in the text" in out
    assert "before      5 lines" in out
    assert (shelf / "whist-club-1912.txt").read_text(encoding="utf-8") == TEXT
    assert (
        lawbook_command("text", "list")[1]
        == (f"whist-club-1912\n  5 laws, 18 lines: {shelf / 'whist-club-1912.txt'}\n")
        or "5 laws, 18 lines" in lawbook_command("text", "list")[1]
    )
    # What is kept is not overwritten unless that is asked for.
    assert lawbook_command("text", "add", "whist-club-1912", "mine.txt")[0] == 2
    assert lawbook_command("text", "add", "whist-club-1912", "mine.txt", "--replace")[0] == 0
    assert lawbook_command("text", "remove", "whist-club-1912")[0] == 0
    assert not (shelf / "whist-club-1912.txt").exists()
    assert lawbook_command("text", "list")[1].startswith("No text is kept.")


def test_the_folder_of_the_users_own_laws_comes_first(shelf: Path, tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    assert lawbook_command("text", "add", "whist-club-1912", "mine.txt", "--laws", "house")[0] == 0
    assert (tmp_path / "house" / "texts" / "whist-club-1912.txt").exists()
    assert "Whoever has dealt" in lawbook_command("show", "whist-club-1912", "42", "--laws", "house")[1]
    assert "Whoever has dealt" not in lawbook_command("show", "whist-club-1912", "42")[1]


def test_the_answers_in_json(shelf: Path) -> None:
    answers = [
        lawbook_command("text", "add", "whist-club-1912", "mine.txt", "--json"),
        lawbook_command("text", "list", "--json"),
        lawbook_command("text", "remove", "whist-club-1912", "--json"),
    ]
    for status, out, error in answers:
        validate(json.loads(out), "text")
        assert (status, error) == (0, "")
    assert json.loads(answers[0][1])["added"]["laws"][2] == {"law": "50", "line": 13, "end_line": 15}


@pytest.mark.parametrize(
    "argv",
    [
        ("add", "whist-club-1912"),
        ("add", "whist-club-1912", "nowhere.txt"),
        ("add", "whist-club-1931", "mine.txt"),
        ("list", "whist-club-1912"),
        ("remove",),
        ("remove", "whist-club-1912"),
        ("lose", "whist-club-1912"),
        (),
    ],
)
def test_wrong_usage(shelf: Path, argv: tuple[str, ...]) -> None:
    status, out, error = lawbook_command("text", *argv)
    assert (status, out) == (2, "")
    assert error.startswith("error[")
    assert not shelf.exists()


def test_a_text_that_a_terminal_would_obey_is_not_kept_or_shown(shelf: Path, tmp_path: Path) -> None:
    (tmp_path / "escapes.txt").write_bytes(b"42. \x1b[2Jx\n43. y\r\n")
    status, out, error = lawbook_command("text", "add", "whist-club-1912", "escapes.txt")
    assert (status, out, shelf.exists()) == (2, "", False)
    assert error.startswith("error[control-character]")
    assert "escapes.txt:1:5" in error
    assert "\x1b" not in error
    # Nor where it was put on the shelf by hand.
    shelf.mkdir()
    (shelf / "whist-club-1912.txt").write_bytes(b"42. \x1b[2Jx\n")
    for argv in (("show", "whist-club-1912", "42"), ("text", "list")):
        status, out, error = lawbook_command(*argv)
        assert (status, out) == (2, "")
        assert error.startswith("error[control-character]")
        assert "\x1b" not in error
    # Ends of lines and tabs are of every text, and so may be a byte order mark.
    (shelf / "whist-club-1912.txt").write_bytes(b"\xef\xbb\xbf42.\tWhoever has dealt\r\nspeaks first.\r\n")
    assert "Whoever has dealt" in lawbook_command("show", "whist-club-1912", "42")[1]


# -- beside the clauses ------------------------------------------------------------------------------------------------


def test_the_words_of_a_law_are_shown(shelf: Path) -> None:
    plain = lawbook_command("show", "whist-club-1912", "50")[1]
    lawbook_command("text", "add", "whist-club-1912", "mine.txt")
    status, out, _ = lawbook_command("show", "whist-club-1912", "50")
    assert status == 0
    # Once, though two files are about that law; and nothing else has changed.
    assert out.count("Too little is too little.") == 1
    assert [line for line in out.splitlines() if "│" not in line and line] == [p for p in plain.splitlines() if p]
    assert max(len(line) for line in out.splitlines() if "│" in line) <= 80
    # An edition based on it has them too: they are the words of the code the law is of.
    assert "Too little is too little." in lawbook_command("show", "whist-club-1912-decisions", "50")[1]
    found = json.loads(lawbook_command("show", "whist-club-1912", "42", "--json")[1])
    validate(found, "show")
    assert found["laws"][0]["words"][0]["line"] == 6


def test_on_a_wide_page_the_words_stand_beside_the_clauses(shelf: Path) -> None:
    lawbook_command("text", "add", "whist-club-1912", "mine.txt")
    edition = load("whist-club-1912")
    lines = list(show_text(edition, select(edition, "43"), Page(100), words_of(edition)))
    (first,) = [line for line in lines if "43. After him the others" in line]
    assert first.index("43.") == 0
    assert len(first) > 52
    assert any(line.startswith("   1. each says") or line.startswith("1. each says") for line in lines)
    assert max(map(len, lines)) <= 100
