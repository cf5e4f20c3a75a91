"""Reading YAML by nodes: what is kept, what is refused, and with which words."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawbook.diagnostics import render, source_lines
from lawbook.errors import Collector, LawbookError
from lawbook.source import Mapping, Node, Scalar, Sequence, plain, read, read_file, validate
from lawbook.source.reader import DEEPEST_NESTING
from lawbook.source.text import LARGEST_FILE

BAD = Path(__file__).parent / "bad" / "source"
LAW = """\
# A law with every kind of node.
title: 'The dealer''s bid'
in:
- {edition: "whist-club-1912", law: "44"}
- {edition: whist-club-1913, law: 44a,}
summary: >
  The dealer must
  bid.

on: no
time: 1:30
clauses:
  - id: bids
    when: "a player bids"   # quoted
    if all of:
      - the bid does not outrank the last bid
      - text that
        goes on
      - "an \\"escape\\""
    empty:
    none: ''
"""

# A schema with the means that schemas of laws use: alternatives, references, patterns, keys that go together or not.
TEXT = {"type": "string", "minLength": 1}
CLAUSE = {
    "title": "a clause",
    "type": "object",
    "properties": {"id": {"$ref": "#/$defs/name"}},
    "required": ["id"],
    "oneOf": [
        {
            "title": "a prohibition",
            "properties": {
                "when": {"anyOf": [TEXT, {"type": "array", "items": TEXT}]},
                "offence": TEXT,
                "the call": {"enum": ["stands", "stands meanwhile", "is ignored"]},
            },
            "required": ["when"],
            "dependentRequired": {"offence": ["the call"]},
        },
        {
            "title": "a remedy",
            "properties": {"remedy for": TEXT, "holder": {"enum": ["either adversary", "partner"]}},
            "required": ["remedy for", "holder"],
        },
    ],
    "unevaluatedProperties": False,
}
SCHEMA: dict[str, object] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "name": {
            "title": "a name",
            "description": "names are lower-case words joined by hyphens",
            "type": "string",
            "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
        },
        "clause": CLAUSE,
    },
    "type": "object",
    "properties": {
        "title": TEXT,
        "summary": TEXT,
        "kind": {"title": "a kind of law", "enum": ["procedure", "prohibition"]},
        "law": TEXT,
        "source": TEXT,
        "old": False,
        "topics": {"type": "array", "items": TEXT, "uniqueItems": True, "maxItems": 4},
        "numbers": {"type": "object", "propertyNames": {"$ref": "#/$defs/name"}, "minProperties": 3},
        "in": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"edition": {"$ref": "#/$defs/name"}, "law": TEXT},
                "required": ["edition", "law"],
                "additionalProperties": False,
            },
        },
        "clauses": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/clause"}},
    },
    "required": ["title", "clauses"],
    "dependentRequired": {"law": ["source"]},
    "additionalProperties": False,
}


def scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Sequence():
            for item in node.items:
                yield from scalars(item)
        case Mapping():
            for key, value in node.entries:
                yield key
                yield from scalars(value)


def messages(text: str | bytes) -> list[str]:
    """The codes and places of all that is wrong with a text."""
    with pytest.raises(LawbookError) as caught:
        read(text, "law.yaml")
    places = [(diagnostic.code, diagnostic.span) for diagnostic in caught.value.diagnostics]
    return [code if span is None else f"{code} {span.line}:{span.column}" for code, span in places]


def check_shape(node: Node, schema: dict[str, object] = SCHEMA) -> Collector:
    collector = Collector()
    validate(node, schema, collector, what="a law file")
    return collector


# -- what is kept ----------------------------------------------------------------------------------------------------


def test_text_stays_what_the_author_wrote() -> None:
    assert plain(read(LAW, "law.yaml")) == {
        "title": "The dealer's bid",
        "in": [{"edition": "whist-club-1912", "law": "44"}, {"edition": "whist-club-1913", "law": "44a"}],
        "summary": "The dealer must bid.\n",
        "on": "no",
        "time": "1:30",
        "clauses": [
            {
                "id": "bids",
                "when": "a player bids",
                "if all of": ["the bid does not outrank the last bid", "text that goes on", 'an "escape"'],
                "empty": "",
                "none": "",
            }
        ],
    }


@pytest.mark.parametrize(
    "text", ["on", "no", "Yes", "1:30", "017", "0x1F", "1e3", "2H", "null", "~", ".inf", "1912-11-04", "=", "TRUE"]
)
def test_no_text_is_taken_for_anything_else(text: str) -> None:
    node = read(f"{text}: [{text}]", "law.yaml")
    assert plain(node) == {text: [text]}


def test_spans_and_contents() -> None:
    root = read(LAW, "law.yaml")
    assert isinstance(root, Mapping)
    found = {
        scalar.text: (scalar.style, scalar.span.line, scalar.span.column, scalar.content and scalar.content.column)
        for scalar in scalars(root)
    }
    assert found["The dealer's bid"] == ("single", 2, 8, None)
    assert found["whist-club-1912"] == ("double", 4, 13, 14)
    assert found["a player bids"] == ("double", 14, 11, 12)
    assert found["the bid does not outrank the last bid"] == ("plain", 16, 9, 9)
    assert found["text that goes on"] == ("plain", 17, 9, None)
    assert found['an "escape"'] == ("double", 19, 9, None)
    assert found["The dealer must bid.\n"] == ("folded", 6, 10, None)
    clauses = root.get("clauses")
    assert isinstance(clauses, Sequence)
    assert (clauses.span.line, clauses.span.column, clauses.span.end_line, clauses.span.end_column) == (13, 3, 21, 13)
    summary = root.get("summary")
    assert summary is not None
    assert (summary.span.end_line, summary.span.end_column) == (8, 7)
    assert root.keys()[:2] == ("title", "in")
    assert root.get("nothing") is None


def test_a_byte_order_mark_moves_nothing() -> None:
    node = read(b"\xef\xbb\xbftitle: Rank", "law.yaml")
    assert isinstance(node, Mapping)
    assert node.entries[0][0].text == "title"
    assert node.entries[0][1].span.column == 8


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_all_line_ends_count_alike(line_end: str) -> None:
    node = read(LAW.replace("\n", line_end), "law.yaml")
    assert node == read(LAW, "law.yaml")


# -- what is refused, and with which words ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(BAD.glob("*.yaml")), ids=lambda path: path.stem)
def test_message(path: Path, recorded: Callable[[Path, str], None]) -> None:
    content = path.read_bytes()
    try:
        diagnostics = check_shape(read_file(path, path.name)).diagnostics
    except LawbookError as error:
        assert not path.stem.startswith("shape-")
        diagnostics = error.diagnostics
    assert diagnostics
    shown = render(diagnostics, source=lambda file: content.decode("utf-8", "replace") if file == path.name else None)
    recorded(path.with_suffix(".txt"), shown)


def test_every_expected_message_has_its_mistake() -> None:
    assert {path.stem for path in BAD.glob("*.txt")} == {path.stem for path in BAD.glob("*.yaml")}


def test_all_problems_are_told_at_once() -> None:
    text = "a: &x 1\nb: *x\nc:\n  - d: e: f\n  - !t g\n  - h: 1\n    h: 2\ni: [j\nk: 'l\n"
    assert messages(text) == [
        "anchor 1:4",
        "alias 2:4",
        "stray-colon 4:9",
        "tag 5:5",
        "duplicate-key 7:5",
        "never-closed 8:4",
        "never-closed 9:4",
    ]


def test_many_slips_are_not_told_without_end() -> None:
    assert len(messages("".join(f"k{n}: a: b\n" for n in range(1000)))) == 20


@pytest.mark.parametrize("name", ["missing.yaml", ".", "nul\0.yaml"])
def test_what_cannot_be_opened(tmp_path: Path, name: str) -> None:
    with pytest.raises(LawbookError) as caught:
        read_file(tmp_path / name, "shown.yaml")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "unreadable"
    assert diagnostic.message.startswith("`shown.yaml` cannot be read: ")
    assert str(tmp_path) not in diagnostic.message


def test_a_link_to_itself_cannot_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "law.yaml"
    path.symlink_to(path)
    with pytest.raises(LawbookError, match="cannot be read"):
        read_file(path)


# -- hostile files ---------------------------------------------------------------------------------------------------

LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "text, code",
    [
        (LAUGHS, "anchor"),
        ("a" * 5_000_000, "too-large"),
        ("é" * (LARGEST_FILE // 2 + 1), "too-large"),
        ("[" * 100_000, "too-deep"),
        ("{a: " * 25_000, "too-deep"),
        ("- " * 50_000, "too-deep"),
        ("? " * 50_000, "too-deep"),
        ("".join(" " * n + "a:\n" for n in range(400)), "too-deep"),
        ("%YAML 1." + "9" * 100_000 + "\n--- a", "yaml-syntax"),
    ],
    ids=["laughs", "large", "large-in-bytes", "lists", "keys", "items", "questions", "block", "digits"],
)
def test_a_hostile_file_is_refused_quickly(text: str, code: str) -> None:
    start = time.perf_counter()
    found = messages(text)
    assert time.perf_counter() - start < 1
    assert code in {message.split()[0] for message in found}


def test_nesting_up_to_the_limit_is_read() -> None:
    node = read("[" * DEEPEST_NESTING + "]" * DEEPEST_NESTING, "law.yaml")
    for _ in range(DEEPEST_NESTING - 1):
        assert isinstance(node, Sequence)
        (node,) = node.items
    assert node == Sequence((), node.span)


def test_a_large_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "law.yaml"
    with path.open("wb") as stream:
        stream.truncate(10**10)
    with pytest.raises(LawbookError, match="larger than"):
        read_file(path)


def read_or_refuse(content: str | bytes) -> Node | None:
    """The node; None if the content was refused, with messages that can be drawn."""
    try:
        return read(content, "law.yaml")
    except LawbookError as error:
        diagnostics = error.diagnostics
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    lines = source_lines(text)
    for diagnostic in diagnostics:
        assert diagnostic.span is not None
        assert 1 <= diagnostic.span.line <= len(lines)
        # The end of a text lies behind its last character.
        assert 1 <= diagnostic.span.column <= len(lines[diagnostic.span.line - 1]) + 1
    assert render(diagnostics, source=lambda _: text, colour=True)
    return None


@given(st.binary(max_size=300))
def test_bytes_are_read_or_refused(content: bytes) -> None:
    read_or_refuse(content)


STRUCTURE = [
    "\n",
    "\r\n",
    "  ",
    "- ",
    "? ",
    ": ",
    ":",
    "[",
    "]",
    "{",
    "}",
    ",",
    "'",
    '"',
    "|",
    ">",
    "#",
    "---\n",
    "...\n",
]
REFUSED = ["&a ", "*a", "!t ", "<<: ", "%YAML ", "\t", "\\", "\\x4", "\\U00110000", "@", "\x85", "\u2028", "\ufeff"]
PIECES = st.sampled_from([*STRUCTURE, *REFUSED, "key", "é"])


@given(st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=40).map("".join))
def test_pieces_of_yaml_are_read_or_refused(text: str) -> None:
    node = read_or_refuse(text)
    if node is not None:
        assert_contents(node, text)


@given(st.integers(0, 2**32), st.lists(PIECES, min_size=1, max_size=4))
def test_changed_laws_are_read_or_refused(seed: int, pieces: list[str]) -> None:
    generator = random.Random(seed)
    text = LAW
    for piece in pieces:
        at = generator.randrange(len(text))
        text = text[:at] + piece + text[at + generator.randrange(4) :]
    node = read_or_refuse(text)
    if node is not None:
        assert_contents(node, text)
        check_shape(node)


def assert_contents(node: Node, text: str) -> None:
    lines = source_lines(text)
    for scalar in scalars(node):
        assert scalar.span.line <= scalar.span.end_line <= len(lines)
        if scalar.content is not None:
            content = scalar.content
            assert content.line == content.end_line
            assert lines[content.line - 1][content.column - 1 : content.end_column - 1] == scalar.text


def test_contents_hold_exactly_the_text() -> None:
    node = read(LAW, "law.yaml")
    assert_contents(node, LAW)
    assert sum(scalar.content is not None for scalar in scalars(node)) == 26


# -- shape -----------------------------------------------------------------------------------------------------------


def test_a_well_formed_node_has_nothing_to_tell() -> None:
    text = "title: Rank\nclauses:\n  - {id: one, when: [a bid]}\n  - {id: two, remedy for: it, holder: partner}\n"
    assert check_shape(read(text, "law.yaml")).diagnostics == ()


def shape(text: str, schema: dict[str, object]) -> list[str]:
    return [diagnostic.message for diagnostic in check_shape(read(text, "law.yaml"), schema).diagnostics]


def test_one_of_several_keys() -> None:
    schema: dict[str, object] = {"anyOf": [{"required": ["if"]}, {"required": ["if all of"]}]}
    assert shape("when: a bid", schema) == ["one of the keys `if` or `if all of` is needed in a law file"]


def test_keys_that_exclude_each_other() -> None:
    schema: dict[str, object] = {"not": {"required": ["if", "if all of"]}}
    collector = check_shape(read("if all of: []\nif: it", "law.yaml"), schema)
    (diagnostic,) = collector.diagnostics
    assert diagnostic.message == "the keys `if all of` and `if` cannot be used together"
    assert diagnostic.span is not None
    assert diagnostic.span.line == 2
    assert [label.span.line for label in diagnostic.labels] == [1]


def test_alternatives_that_differ_in_kind_only() -> None:
    schema: dict[str, object] = {"anyOf": [{"type": "string"}, {"type": "array"}]}
    assert shape("when: a bid", schema) == ["expected text or a list, found keys with values"]


def test_alternatives_that_are_words() -> None:
    schema: dict[str, object] = {"oneOf": [{"const": "stands"}, {"enum": ["is ignored", "counts as a pass"]}]}
    (diagnostic,) = check_shape(read("is ingored", "law.yaml"), schema).diagnostics
    assert diagnostic.message == "`is ingored` is not known here"
    assert diagnostic.suggestion == "is ignored"
    assert diagnostic.help == "it must be `stands`, `is ignored` or `counts as a pass`"


def test_several_alternatives_at_once() -> None:
    schema: dict[str, object] = {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert shape("{a: 1, b: 2}", schema) == ["this can be read in more than one way in a law file"]
