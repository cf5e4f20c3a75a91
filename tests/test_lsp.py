"""Whole sessions with the language server, over standard input and output."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from editor import TABLE, VALUES, Editor, line_of, write_house

from lawbook.data import data_folder
from lawbook.formatting import format_text

PROVIDED = ("completion", "hover", "definition", "declaration", "documentSymbol", "codeAction", "documentFormatting")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an edition of one's own and its law."""
    return write_house(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def session(house: Path) -> Iterator[Editor]:
    """A session in that folder, which ends as it should."""
    found = Editor()
    found.initialise(house)
    yield found
    assert found.stop() == 0


@pytest.fixture
def editor(session: Editor) -> Iterator[Editor]:
    """The same session for all, with no file open."""
    yield session
    session.close_all()


def test_a_session(house: Path) -> None:
    editor = Editor()
    capabilities = editor.initialise(house)
    assert capabilities["textDocumentSync"]["change"] == 1
    for name in (
        "completion",
        "hover",
        "definition",
        "declaration",
        "documentSymbol",
        "codeAction",
        "documentFormatting",
    ):
        assert capabilities[f"{name}Provider"], name
    values = house / "values.yaml"
    editor.open(values)
    assert [problem["code"] for problem in editor.problems(values) if problem["severity"] == 1] == []

    # A keystroke's problems, in the editor's own units: behind two signs of which the second takes two.
    editor.change(values, VALUES.replace("the most odd tricks, is", "the most odd trick, is"))
    (problem,) = [problem for problem in editor.problems(values) if problem["code"] == "unknown-term"]
    line, column = line_of(VALUES, "most odd tricks, is")
    start, end = {"line": line, "character": column}, {"line": line, "character": column + len("most odd trick")}
    assert problem["range"] == {"start": start, "end": end}
    assert problem["message"] == "unknown term `most odd trick`\ndid you mean `most odd tricks`?"
    assert (problem["severity"], problem["source"]) == (1, "lawbook")

    # What was meant is offered, and mends it.
    here = {"textDocument": {"uri": values.as_uri()}, "range": problem["range"], "context": {"diagnostics": [problem]}}
    (action,) = editor.request("textDocument/codeAction", here)
    assert (action["title"], action["kind"]) == ("write `most odd tricks`", "quickfix")
    assert action["edit"]["changes"] == {values.as_uri(): [{"range": problem["range"], "newText": "most odd tricks"}]}
    editor.change(values, VALUES)
    assert "unknown-term" not in [problem["code"] for problem in editor.problems(values)]

    # Thorough checking goes through every reading: this clause stands only in one that is not the default.
    in_a_reading = VALUES.replace("[seven-stands, raise-over]", "raise-over").replace("is no last bid", "is no lst bid")
    editor.change(values, in_a_reading)
    assert editor.until(values, "unknown-term")["message"].startswith("unknown term `lst bid`")

    editor.notify("textDocument/didSave", {"textDocument": {"uri": values.as_uri()}})
    editor.close_all()
    assert editor.stop() == 0


def test_completion_over_stdio(editor: Editor, house: Path) -> None:
    values = house / "values.yaml"
    text = VALUES.replace("there is no last bid", "there is no last b")
    editor.open(values, text)
    line, column = line_of(text, "there is no last b")
    answer = editor.request("textDocument/completion", editor.at(values, line, column + len("there is no last b")))
    assert answer["isIncomplete"]
    best = min(answer["items"], key=lambda item: item["sortText"])
    assert (best["label"], best["detail"]) == ("last bid", "noun, optional bid")
    assert best["textEdit"] == {
        "range": {
            "start": {"line": line, "character": column + len("there is no ")},
            "end": {"line": line, "character": column + len("there is no last b")},
        },
        "newText": "last bid",
    }


def test_hover_definition_and_outline_over_stdio(editor: Editor, house: Path) -> None:
    values = house / "values.yaml"
    editor.open(values)
    line, column = line_of(VALUES, "the most odd tricks, is")
    shown = editor.request("textDocument/hover", editor.at(values, line, column + 6))
    assert shown["range"]["start"] == {"line": line, "character": column + 4}
    assert shown["contents"]["kind"] == "markdown"
    assert "number from 1 to 8" in shown["contents"]["value"]
    assert "`seven-odd-tricks`" in shown["contents"]["value"]

    # A word's meaning is the clause that defines it, here; its declaration stands in the shipped vocabulary.
    (meaning,) = editor.request("textDocument/definition", editor.at(values, line, column + 6))
    assert meaning["uri"] == values.as_uri()
    assert meaning["range"]["start"] == dict(
        zip(("line", "character"), line_of(VALUES, "seven-odd-tricks"), strict=True)
    )
    line, column = line_of(VALUES, "the most odd tricks, is")
    (declared,) = editor.request("textDocument/declaration", editor.at(values, line, column + 6))
    assert declared["uri"] == (data_folder("laws") / "vocabulary" / "auction-bridge.yaml").as_uri()

    symbols = editor.request("textDocument/documentSymbol", {"textDocument": {"uri": values.as_uri()}})
    sections = {symbol["name"]: [inside["name"] for inside in symbol["children"]] for symbol in symbols}
    assert sections["clauses"] == ["value-of-tricks", "seven-odd-tricks", "low-bids"]
    assert sections["examples"] == ["one club beats one royal spade", "one spade is laughed at"]


def test_formatting_over_stdio(editor: Editor, house: Path) -> None:
    table = house / "our-table.yaml"
    untidy = "title:   The rules of our table\n\n\nedition: our-table\nbased on: 'whist-club-1912'\n"
    editor.open(table, untidy)
    options = {"textDocument": {"uri": table.as_uri()}, "options": {"tabSize": 2, "insertSpaces": True}}
    (edit,) = editor.request("textDocument/formatting", options)
    assert edit["newText"] == format_text(untidy, "our-table.yaml").after
    assert edit["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 5, "character": 0}}
    editor.change(table, edit["newText"])
    assert editor.request("textDocument/formatting", options) == []
    # A file that is not in order stays as it is.
    editor.change(table, "edition: [our-table\n")
    assert editor.request("textDocument/formatting", options) == []


def test_what_is_not_saved_counts(editor: Editor, house: Path) -> None:
    values, table = house / "values.yaml", house / "our-table.yaml"
    editor.open(values)
    editor.problems(values)
    editor.open(table, TABLE.replace("amends: {values/tricks/whist-club-1912.yaml: values.yaml}\n", ""))
    # The edition in the editor does not take the law any more, whatever the one on the disk does.
    assert editor.problems(table) is not None
    editor.change(values, VALUES + "notes: [a remark]\n")
    assert editor.until(values, "file-not-taken")["range"]["start"] == {"line": 0, "character": 0}


def test_nonsense_ends_nothing(editor: Editor, house: Path) -> None:
    values = house / "values.yaml"
    editor.open(values)
    editor.send_bytes(b"{this is no JSON")
    editor.send_bytes(b"[]")
    editor.send_bytes(b"\xff\xfe")
    editor.send_bytes(b'{"jsonrpc": "1.0", "method": "exit"}')
    editor.send_bytes(b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"contentChanges": 7}}')
    editor.notify("textDocument/didOpen", {"textDocument": {"uri": 5}})
    editor.notify("no/such/thing", {})
    editor.notify("$/cancelRequest", {"id": 77})
    assert editor.ask("no/such/thing", {})["error"]["code"] == -32601
    assert editor.ask("textDocument/hover", {"textDocument": 7})["error"]["code"] == -32602
    far = editor.at(values, 99_999, 99_999)
    assert editor.request("textDocument/hover", far) is None
    assert editor.request("textDocument/definition", far) == []
    for uri in ("untitled:Untitled-1", "file:///no/such/folder/law.yaml", "https://example.org/law.yaml", ""):
        document = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        assert editor.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}}) == []
        assert editor.request("textDocument/hover", document) is None
    line, column = line_of(VALUES, "the most odd")
    assert editor.request("textDocument/hover", editor.at(values, line, column + 5)) is not None


def test_a_message_too_long_to_be_one(house: Path) -> None:
    editor = Editor()
    editor.initialise(house)
    # Nobody has that much to send; what follows is part of it, and the server waits until the stream ends.
    editor.send_bytes(b"{}", length=10**15)
    assert editor.end()[0] == 1


def test_an_editor_that_goes_away(house: Path) -> None:
    editor = Editor()
    editor.initialise(house)
    editor.notify("exit", None)
    # The protocol wants to know of an exit that was not announced.
    assert editor.end()[0] == 1


def test_folders_can_be_named_at_the_start(house: Path) -> None:
    editor = Editor("--laws", str(house))
    editor.initialise()
    editor.open(house / "values.yaml", VALUES.replace("hearts: 8", "hearts: eight"))
    assert "unknown-term" in [problem["code"] for problem in editor.problems(house / "values.yaml")]
    assert editor.stop() == 0


def test_without_the_extra_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ImportError('not here')")
    status, complaints = Editor(PYTHONPATH=str(tmp_path)).end()
    assert status == 2
    assert 'pygls is not installed: pip install "lawbook[lsp]"' in complaints
