"""The canonical form of files: how it looks, that it says the same, and that no remark is lost from its place."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from test_cli import validate

from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.edition.memory import Memory
from lawbook.edition.resolve import Resolver, resolve
from lawbook.formatting import format_file, format_files, format_text
from lawbook.formatting.formatter import kind_of
from lawbook.formatting.scalars import can_be_plain, is_ambiguous, written
from lawbook.formatting.style import PLAIN, STYLES, Style
from lawbook.loading import load
from lawbook.shell.application import run
from lawbook.shell.terminal import Terminal
from lawbook.source.reader import Mapping, Node, Scalar, plain, read
from lawbook.source.text import is_forbidden

GOOD = Path(__file__).parent / "good" / "formatting"
CASES = sorted(path for path in GOOD.glob("*.yaml") if not path.stem.endswith("-canonical"))
SHIPPED = sorted([*data_folder("laws").rglob("*.yaml"), *data_folder("editions").glob("*.yaml")])


def canonical(text: str | bytes) -> str:
    found = format_text(text, "law.yaml")
    assert found.after is not None, [d.message for d in found.problems]
    return found.after


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_file(case: Path, recorded: Callable[[Path, str], None]) -> None:
    text = canonical(case.read_text(encoding="utf-8"))
    recorded(case.with_stem(f"{case.stem}-canonical"), text)
    assert canonical(text) == text
    # No word of a remark is lost, and none is said twice.
    words = sorted(re.findall(r"# [^#\n\"]*[^#\n\" ]", text))
    assert words == sorted(re.findall(r"# [^#\n\"]*[^#\n\" ]", case.read_text(encoding="utf-8")))


def test_the_laws_are_in_their_canonical_form() -> None:
    found = [format_file(path, path.name) for path in SHIPPED]
    assert [one.file for one in found if one.changed or one.problems] == [], "run `lawbook fmt laws editions`"


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends(ending: str) -> None:
    text = (GOOD / "comments.yaml").read_text(encoding="utf-8")
    assert canonical(b"\xef\xbb\xbf" + text.replace("\n", ending).encode()) == canonical(text)


@pytest.mark.parametrize("text", ["clauses: [", "clauses: {}", "- a list", "edition: &a b", "\x00", ""])
def test_what_cannot_be_read_is_left_alone(text: str) -> None:
    found = format_text(text, "law.yaml")
    assert (found.after, found.changed) == (None, False)
    assert found.problems


def test_every_key_has_its_place() -> None:
    """A key that the schemas know and no style does would be written wherever its author put it."""
    known = {key for style in STYLES.values() for key in style.ranks} | {"all of", "any of", "none of"}
    # `while` heads the only condition of its mapping.
    known |= {"while", "while all of", "while any of", "while none of", "NS", "EW", "N", "E", "S", "W"}
    for path in (*data_folder("laws").glob("*.json"), *data_folder("editions").glob("*.json")):
        assert set(_properties(json.loads(path.read_text(encoding="utf-8")))) <= known, path.name


def _properties(schema: object) -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from _properties(item)
    elif isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        for value in schema.values():
            yield from _properties(value)


# -- texts -------------------------------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@example("<<")
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x85\ufeff\ufffe\uffff"), max_size=30))
def test_a_text_is_read_as_it_was_written(text: str) -> None:
    assume(not is_forbidden(text))
    assert plain(read(f"key: {written(text)}\n", "f")) == {"key": text}
    in_brackets = written(text, in_brackets=True)
    assert plain(read(f"key: [{in_brackets}, {in_brackets}]\nother: {{{in_brackets}: x}}\n", "f")) == {
        "key": [text, text],
        "other": {text: "x"},
    }


# -- layouts -----------------------------------------------------------------------------------------------------------


class Scribe:
    """Writes a document in a layout of its own, with remarks that say where they stand."""

    def __init__(self, seed: int, *, remarks: bool) -> None:
        self._random = random.Random(seed)
        self._remarks = remarks
        self.above: list[str] = []
        self.beside: list[str] = []

    def document(self, node: Mapping, style: Style) -> str:
        return "\n".join(self._mapping(node, style, 0)) + "\n"

    def _likely(self, chance: float) -> bool:
        return self._random.random() < chance

    def _mapping(self, node: Mapping, style: Style, indent: int, within: str = "") -> list[str]:
        lines: list[str] = []
        entries = list(node.entries)
        ranks = [style.rank(key.text) for key, _ in entries]
        if len(set(ranks)) == len(ranks):
            self._random.shuffle(entries)
        for key, value in entries:
            margin = " " * indent
            lines += self._above(margin, f"key {key.text}")
            inner = STYLES.get(style.kind_within(key.text), PLAIN)
            head = f"{margin}{self._text(key, False)}:"
            lines += self._value(head, value, inner, indent, f"key {key.text}", style.is_prose(key.text))
        return lines

    def _value(self, head: str, value: Node, style: Style, indent: int, name: str, prose: bool) -> list[str]:
        if isinstance(value, Scalar):
            beside = self._beside(name)
            if prose and value.text and "\n" not in value.text and self._likely(0.3):
                words = value.text.split()
                middle = self._random.randint(0, len(words) - 1)
                parts = [" ".join(words[:middle]), " ".join(words[middle:])]
                return [f"{head} >-{beside}", *(" " * (indent + 3) + part for part in parts if part)]
            return [f"{head} {self._text(value, False)}{beside}"]
        empty = not (value.entries if isinstance(value, Mapping) else value.items)
        if empty or self._likely(0.15):
            return [f"{head} {self._flow(value)}{self._beside(name)}"]
        beside = self._beside(name)
        deeper = indent + self._random.choice((1, 2, 4))
        if isinstance(value, Mapping):
            return [f"{head}{beside}", *self._mapping(value, style, deeper)]
        if not head.strip().startswith("-") and self._likely(0.5):
            deeper = indent
        lines = [f"{head}{beside}"]
        for item in value.items:
            margin = " " * deeper
            lines += self._above(margin, "item")
            if isinstance(item, Mapping) and item.entries and not self._likely(0.1):
                inner = self._mapping(item, style, deeper + 2)
                first = next(n for n, line in enumerate(inner) if line.strip() and not line.strip().startswith("#"))
                lines += [f"{margin}{line.strip()}".rstrip() for line in inner[:first]]
                lines += [f"{margin}- {inner[first].lstrip()}", *inner[first + 1 :]]
            else:
                lines += self._value(f"{margin}-", item, style, deeper + 2, "item", prose)
        return lines

    def _flow(self, node: Node) -> str:
        gap = self._random.choice(("", " "))
        if isinstance(node, Scalar):
            return self._text(node, True)
        if isinstance(node, Mapping):
            items = [f"{self._text(key, True)}: {self._flow(value)}" for key, value in node.entries]
            return "{" + gap + f",{gap or ' '}".join(items) + gap + "}"
        return "[" + gap + ", ".join(self._flow(item) for item in node.items) + gap + "]"

    def _text(self, scalar: Scalar, in_brackets: bool) -> str:
        text = scalar.text
        if is_ambiguous(text):
            # Whether a figure stands in quotes is its author's choice where figures can be meant.
            return written(text, in_brackets=in_brackets, quoted=scalar.style != "plain")
        if can_be_plain(text, in_brackets=in_brackets) and self._likely(0.6):
            return text
        # An expression is written without escapes, so what has an apostrophe stands in the other quotes.
        if "\n" not in text and "'" not in text and self._likely(0.5):
            return f"'{text}'"
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

    def _above(self, margin: str, name: str) -> list[str]:
        if not self._remarks or not self._likely(0.1):
            return []
        remark = f"# {len(self.above)} above {name}"
        self.above.append(remark)
        return [f"{margin}{remark}"] if self._likely(0.7) else ["", f"{margin}{remark}", ""]

    def _beside(self, name: str) -> str:
        if not self._remarks or not self._likely(0.1):
            return ""
        remark = f"# {len(self.beside)} beside {name}"
        self.beside.append(remark)
        return f"  {remark}"


# Texts in which a line has a meaning of its own would be another text if they were parted elsewhere.
LAID_OUT = [path for path in SHIPPED if path.stat().st_size < 6000 and "|" not in path.read_text(encoding="utf-8")]


def test_laws_in_another_layout_mean_the_same_and_come_back(tmp_path: Path) -> None:
    """All files laid out at random: each edition has the hash it had, and formatting gives the files back."""
    for at, path in enumerate(SHIPPED):
        node = read(path.read_bytes(), path.name)
        assert isinstance(node, Mapping)
        file = tmp_path / path.relative_to(data_folder("laws").parent)
        file.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        # That a file is an edition is told by a line of its own.
        if (kind := kind_of(node) or "") != "edition":
            text = Scribe(at, remarks=False).document(node, STYLES[kind])
        file.write_text(text, encoding="utf-8")
    library, memory = Library((tmp_path / "laws",), (tmp_path / "editions",)), Memory()
    for name in library.edition_files():
        assert Resolver(library, memory=memory).resolve(name).hash == load(name).hash
    files = [tmp_path / path.relative_to(data_folder("laws").parent) for path in SHIPPED]
    for path, found in zip(SHIPPED, format_files(library, files), strict=True):
        assert found.after is not None
        assert _bare(found.after) == _bare(path.read_text(encoding="utf-8")), path.name


def _bare(text: str) -> str:
    return re.sub(r"(?m)^#.*\n|^\n", "", text)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(LAID_OUT), st.integers(0, 10**6))
def test_every_layout_has_one_canonical_form(path: Path, seed: int) -> None:
    node = read(path.read_bytes(), "f")
    assert isinstance(node, Mapping)
    style = STYLES[kind_of(node) or ""]
    bare = _bare(path.read_text(encoding="utf-8"))
    text = Scribe(seed, remarks=False).document(node, style)
    assert canonical(text) == canonical(bare)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(LAID_OUT), st.integers(0, 10**6))
def test_remarks_stay_where_they_are(path: Path, seed: int) -> None:
    node = read(path.read_bytes(), "f")
    assert isinstance(node, Mapping)
    scribe = Scribe(seed, remarks=True)
    text = scribe.document(node, STYLES[kind_of(node) or ""])
    after = canonical(text)
    assert canonical(after) == after
    lines = after.splitlines()
    heads = set(re.match(r"(\s*#.*\n|\s*\n)*", text)[0].split("\n"))  # type: ignore[index]
    for remark in scribe.beside:
        (at,) = [n for n, line in enumerate(lines) if line.endswith(remark)]
        name = remark.split(" beside ")[1]
        if name == "item":
            # An item of many lines has it above.
            at = next(n for n in range(at, len(lines)) if lines[n].strip()[:1] not in ("", "#"))
            assert lines[at].strip().startswith("- "), lines[at]
        else:
            assert _has_key(lines[at], name), lines[at]
    for remark in scribe.above:
        (at,) = [n for n, line in enumerate(lines) if line.strip() == remark]
        if remark in heads:
            continue
        below = next(line for line in lines[at:] if line.strip() and not line.strip().startswith("#"))
        name = remark.split(" above ")[1]
        # What is said of the first key of an item stands above the item.
        assert below.strip().startswith("- ") or _has_key(below, name), below


def _has_key(line: str, name: str) -> bool:
    key = name.removeprefix("key ")
    return re.match(rf"\s*(- )*['\"]?{re.escape(key)}['\"]?:", line) is not None


# -- the command -------------------------------------------------------------------------------------------------------

RULES = """\
based on: whist-club-1912
edition: our-table
title: "The rules of our table"
amends: {values/tricks/whist-club-1912.yaml: values.yaml}
"""
VALUES = """\
topic: trick-values
title: What each odd trick is worth at our table
in: [{edition: our-table, law: none, evidence: custom}]
summary: As in the code, but royal spades count five.
clauses:
- id: value-of-tricks
  table: the value of denomination
  names the denominations: yes
  rows: {spades: 2, clubs: 6, diamonds: 7, hearts: 8, royal spades: 5, no trump: 10}
- {term: most odd tricks, id: seven-odd-tricks, is: 7}
"""


def command(*argv: str) -> tuple[int, str, str]:
    out, error = io.StringIO(), io.StringIO()
    return run(["fmt", *argv], Terminal(out, error)), out.getvalue(), error.getvalue()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "our-table.yaml").write_text(RULES, encoding="utf-8")
    (folder / "values.yaml").write_text(VALUES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def test_a_folder_is_formatted_and_means_the_same(house: Path) -> None:
    before = resolve("our-table", Library.shipped([house])).hash
    assert command("--check", "house")[:2] == (
        1,
        "would be formatted: house/our-table.yaml\nwould be formatted: house/values.yaml\n2 files would be formatted\n",
    )
    assert (house / "values.yaml").read_text(encoding="utf-8") == VALUES
    assert command("house")[:2] == (
        0,
        "formatted: house/our-table.yaml\nformatted: house/values.yaml\n2 files formatted\n",
    )
    assert command("--check", "house") == (0, "2 files unchanged\n", "")
    # Words left out and articles are put right.
    text = (house / "values.yaml").read_text(encoding="utf-8")
    assert "    table: the value of a denomination\n" in text
    assert "    term: the most odd tricks\n" in text
    assert resolve("our-table", Library.shipped([house])).hash == before


def test_files_of_other_programs_are_left_alone(house: Path) -> None:
    (house / ".hidden").mkdir()
    for path in (house / "compose.yaml", house / ".hidden" / "our-table.yaml"):
        path.write_text("services: {web:   {}}\nversion:  '3'\n", encoding="utf-8")
    assert command("house")[1].splitlines()[-1] == "2 files formatted"
    assert "web:   {}" in (house / "compose.yaml").read_text(encoding="utf-8")


def test_the_folders_of_the_laws_are_formatted_if_none_is_named(house: Path) -> None:
    assert command("--laws", "house", "--check", "--json")[0] == 1
    assert command()[0] == 2


def test_a_difference_is_shown(house: Path) -> None:
    status, out, _ = command("house/our-table.yaml", "--diff")
    assert status == 0
    assert '-title: "The rules of our table"\n' in out
    assert "+edition: our-table\n" in out
    assert (house / "our-table.yaml").read_text(encoding="utf-8") == RULES


@pytest.mark.parametrize(
    "wrong", ["clauses: [", VALUES.replace("is: 7", "is: seven"), VALUES.replace("id: v", "ide: v")]
)
def test_what_cannot_be_read_is_told_and_left(house: Path, wrong: str) -> None:
    (house / "values.yaml").write_text(wrong, encoding="utf-8")
    status, out, error = command("house")
    assert status == 2
    assert "error[" in error
    assert "house/values.yaml:" in error
    assert out.endswith("1 file formatted, 1 file cannot be read\n")
    assert (house / "values.yaml").read_text(encoding="utf-8") == wrong


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RULES.encode()), encoding="utf-8"))
    assert command("-")[:2] == (0, canonical(RULES))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"edition: \xff"), encoding="utf-8"))
    status, out, error = command("-")
    assert (status, out) == (2, "")
    assert "not-utf8" in error


@pytest.mark.parametrize("argv", [("--check",), ("--diff",), ()])
def test_the_answer_in_json(house: Path, argv: tuple[str, ...]) -> None:
    (house / "broken.yaml").write_text("edition: [", encoding="utf-8")
    status, out, error = command("house", "--json", *argv)
    found = json.loads(out)
    validate(found, "fmt")
    assert (status, error, found["written"]) == (2, "", not argv)
    assert [(file["file"], file["readable"], file["changed"]) for file in found["files"]] == [
        ("house/broken.yaml", False, False),
        ("house/our-table.yaml", True, True),
        ("house/values.yaml", True, True),
    ]
    assert [file.get("text") == canonical(RULES) for file in found["files"]] == [False, argv == ("--diff",), False]


@pytest.mark.parametrize("argv", [("nowhere",), ("house/nothing.yaml",), ("-", "house"), ("empty",)])
def test_wrong_usage(house: Path, argv: tuple[str, ...]) -> None:
    (house.parent / "empty").mkdir()
    status, out, error = command(*argv)
    assert (status, out) == (2, "")
    assert error.startswith("error[wrong-usage]")
