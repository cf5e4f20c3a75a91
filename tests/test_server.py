"""What the language server tells of a file, part by part, however far it is written."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from editor import TABLE, VALUES, write_house
from hypothesis import given, settings
from hypothesis import strategies as st

from lawbook.checking import findings_of, look_at, tasks_of
from lawbook.checks.run import Run
from lawbook.data import data_folder
from lawbook.diagnostics import Diagnostic, Span
from lawbook.edition import clauses as building
from lawbook.edition import resolve as resolving
from lawbook.edition.library import Library, schema
from lawbook.errors import Collector, LawbookError
from lawbook.server.completion import Proposal, complete
from lawbook.server.hover import definitions, hover
from lawbook.server.symbols import outline
from lawbook.server.texts import Encoding, Position, Text
from lawbook.server.workbench import Workbench
from lawbook.source import Mapping, Node, Scalar, Sequence, plain, read, validate
from lawbook.source import again as reading
from lawbook.source.again import Again
from lawbook.source.tolerant import read_tolerantly

LAWS, EDITIONS = data_folder("laws"), data_folder("editions")
FILES = sorted([*LAWS.rglob("*.yaml"), *EDITIONS.glob("*.yaml")])
SHORT = [path for path in FILES if path.stat().st_size < 9000]
# A folder that is not there: all its files lie open, and none was ever saved.
HOUSE = Path("/nowhere/house").absolute()
# What was written before must not matter, so one bench serves all.
HALF_WRITTEN = Workbench([HOUSE])
SIZES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder with an edition of one's own and its law."""
    return write_house(tmp_path)


# -- what can be written ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bench() -> Workbench:
    return Workbench([HOUSE])


def proposals(bench: Workbench, before: str, after: str = "\n", name: str = "values.yaml") -> list[Proposal]:
    """What is proposed between two texts, the edition in the folder being that above."""
    bench.open(HOUSE / "our-table.yaml", TABLE)
    path = HOUSE / name
    bench.open(path, before + after)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return complete(bench.room(path).desk, bench.outlook(path), path, line, column)


def law(clause: str) -> str:
    """A law whose last clause is being written."""
    return VALUES[: VALUES.index("  - id: low-bids")] + clause


CLAUSE = "  - id: mine\n    when: a player bids\n"
REMEDY = "  - id: mine\n    remedy for: insufficient declaration\n    holder: either adversary\n"
# What stands before the cursor; some of what must be proposed, the first first; some of what must not be.
WRITTEN = [
    ("a kind of clause", "  - id: mine\n    ", ["when", "remedy for", "lapse of"], ["id", "edition"]),
    ("a clause's first key", "  - ", ["id"], ["edition"]),
    ("a key of that kind", CLAUSE + "    un", ["unless", "unless all of", "effects", "offence"], ["holder", "when"]),
    ("a trigger's role", "  - id: mine\n    when: a pl", ["player"], ["partner of"]),
    ("a trigger's act", "  - id: mine\n    when: a player ", ["bids", "calls attention"], ["a bid"]),
    ("kinds of call", "  - id: mine\n    when stands: ", ["a bid", "a double"], ["bids"]),
    ("a noun at the beginning", CLAUSE + "    if: the ca", ["caller"], ["the caller", "calls"]),
    ("what may be missing", CLAUSE + "    if: there is ", ["a last bid", "a last bidder"], ["the caller", "spades"]),
    ("a quality of a player", CLAUSE + "    if: the caller is deb", ["is debarred"], ["can be raised over"]),
    ("a relation of a bid", CLAUSE + "    if: the bid ", ["does not outrank", "outranks", "is"], ["is debarred"]),
    ("more is for numbers", CLAUSE + "    if: the bid's tricks ", ["is at least"], ["outranks"]),
    ("not for players", CLAUSE + "    if: the caller ", ["is", "is in turn"], ["is at least", "outranks"]),
    ("of what type it is asked", CLAUSE + "    if: the tricks of ", ["the bid", "the last bid"], ["spades", "hearts"]),
    ("with what it is compared", CLAUSE + "    if: the bid's denomination is ", ["spades"], ["final", "open"]),
    ("what is asked of a bid", CLAUSE + "    if: the bid's ", ["denomination", "tricks"], ["partner"]),
    ("a set to be among", CLAUSE + "    if: the caller is among ", ["the debarred players"], ["spades"]),
    ("in a list of conditions", CLAUSE + "    if all of:\n      - the caller is in t", ["is in turn"], ["when"]),
    ("an effect's verb", CLAUSE + "    effects: deb", ["debar"], ["when"]),
    ("to whom it is done", CLAUSE + "    effects: debar ", ["the caller", "the partner of"], ["spades"]),
    ("what a register becomes", CLAUSE + "    effects: the last bid becomes ", ["the bid", "nothing"], ["spades"]),
    ("what becomes of a call", CLAUSE + "    the call: ", ["stands meanwhile", "counts as a pass"], ["the caller"]),
    ("what it stands as", REMEDY + "    choices:\n      penalise: the call stands as ", ["a pass"], ["spades"]),
    ("a definition's head", "  - id: mine\n    relation: one bid ", ["outranks"], ["the bid"]),
    ("its value", "  - id: mine\n    term: the most odd tricks\n    is: ", ["the book"], ["spades", "nothing"]),
    ("an offence", CLAUSE + "    offence: insuf", ["insufficient declaration"], ["insufficient-declaration"]),
    ("one of several", "  - id: mine\n    remedy for: [pass out of turn, ", ["insufficient declaration"], ["the bid"]),
    (
        "who holds a remedy",
        "  - id: mine\n    remedy for: pass out of turn\n    holder: ",
        ["either adversary"],
        ["bids"],
    ),
    ("a choice", REMEDY + "    choices:\n      ", ["penalise", "let stand"], ["bids", "when"]),
    ("a reading", CLAUSE + "    under: {", ["deadline-out-of-turn"], ["when"]),
    ("a choice of it", CLAUSE + "    under: {deadline-out-of-turn: ", ["no-deadline"], ["deadline-out-of-turn"]),
    ("a remedy", "  - id: mine\n    lapse of: ", ["every remedy", "penalise-insufficient"], ["insufficient"]),
    ("a clause", "  - id: mine\n    exception to: ", ["every prohibition of a call", "insufficient"], ["outranks"]),
    ("a register", "  - id: mine\n    status: ", ["debarred players"], ["last bid"]),
    ("a type", "  - id: mine\n    is the first: ", ["bid", "denomination"], ["spades"]),
    ("how often", CLAUSE + "    for each: ", ["open right"], ["the caller"]),
    (
        "reasons",
        "examples:\n  - that: x\n    because: [",
        ["value-of-tricks", "insufficient"],
        ["insufficient-declaration"],
    ),
    ("offences in rulings", "examples:\n  - that: x\n    offences: [", ["insufficient-declaration"], ["insufficient"]),
    ("a verdict", "examples:\n  - that: x\n    verdict: ", ["irregular"], ["open"]),
    ("a status", "examples:\n  - that: x\n    status: ", ["new-deal"], ["new deal"]),
    ("what can be chosen", "examples:\n  - that: x\n    options: [N:", ["N:penalise", "S:let-stand"], ["N:consult"]),
    ("what can be done", "examples:\n  - that: x\n    may:\n      - S:", ["S:consult", "S:penalise"], ["penalise"]),
    ("what is refused", "examples:\n  - that: x\n    may not: [E:p", ["E:penalise"], ["penalise"]),
    ("an act", "examples:\n  - that: x\n    act: S:", ["S:correct=", "S:penalise"], ["S:debar"]),
    (
        "what can be chosen under one edition",
        "examples:\n  - that: x\n    expect:\n      our-table:\n        options: [W:",
        ["W:penalise"],
        ["W:consult"],
    ),
    ("an edition", "examples:\n  - that: x\n    editions: [", ["our-table", "whist-club-1913"], ["x"]),
    ("an example's keys", "examples:\n  - that: x\n    ", ["auction", "verdict", "expect"], ["that", "when"]),
    ("words of one's own", "declares:\n  words:\n    - noun: x\n      ", ["gives", "gloss"], ["noun", "between"]),
    ("their types", "declares:\n  words:\n    - noun: x\n      gives: ", ["seat", "status"], ["open"]),
    ("their operations", "declares:\n  words:\n    - noun: x\n      primitive: ", ["left", "partner"], ["bids"]),
    ("a register's start", "declares:\n  registers:\n    - register: x\n      starts: the d", ["dealer"], ["when"]),
]


@pytest.mark.parametrize(("what", "clause", "must", "must_not"), WRITTEN, ids=[row[0] for row in WRITTEN])
def test_what_can_be_written(bench: Workbench, what: str, clause: str, must: list[str], must_not: list[str]) -> None:
    text = law(clause) if not clause.startswith(("examples", "declares")) else law("") + clause
    found = [proposal.label for proposal in proposals(bench, text)]
    assert [label for label in must if label not in found] == []
    assert [label for label in must_not if label in found] == []
    assert len(found) == len(set(found))


def test_what_can_be_written_in_an_edition(bench: Workbench) -> None:
    def labels(text: str) -> list[str]:
        return [proposal.label for proposal in proposals(bench, text, "\n", "another.yaml")]

    start = "edition: another\nbased on: whist-club-1912\n"
    assert {"our-table", "whist-club-1912"} <= set(labels("edition: another\nbased on: "))
    assert "declaration/rotation/whist-club-1912.yaml" in labels(start + "laws:\n  - ")
    amended = labels(start + "amends: {")
    assert "declaration/rotation/whist-club-1912.yaml" in amended
    assert "contract/rotation/contract-2017.yaml" not in amended
    assert "contract/rotation/contract-2017.yaml" in labels(start + "amends: {declaration/dealer/x.yaml: ")
    assert "deadline-out-of-turn" in labels(start + "takes: {")
    assert labels(start + "takes: {deadline-out-of-turn: ") == ["adversary-calls", "no-deadline"]
    assert {"title", "repeals", "takes"} <= set(labels(start))
    assert "edition" not in labels(start)


@pytest.mark.parametrize("written", ["if: there is ", "if: the caller is d", "if: the tricks of ", "effects: debar "])
def test_what_is_proposed_can_be_read(bench: Workbench, written: str) -> None:
    """A proposal that is taken puts words there which the language knows, in the place of what was begun."""
    text = law(f"{CLAUSE}    {written}")
    taken = proposals(bench, text)
    assert taken
    for proposal in taken[:15]:
        lines = text.splitlines()
        lines[proposal.span.line - 1] = lines[proposal.span.line - 1][: proposal.span.column - 1] + proposal.text
        bench.open(HOUSE / "values.yaml", "\n".join(lines) + "\n")
        codes = {problem.code for problem in bench.quick(HOUSE / "values.yaml")}
        assert codes.isdisjoint({"unknown-term", "unknown-character", "misplaced-word"}), proposal.label


def test_a_key_brings_its_list(bench: Workbench) -> None:
    texts = {proposal.label: proposal.text for proposal in proposals(bench, law(CLAUSE + "    "))}
    assert texts["if"] == "if: "
    assert texts["if all of"] == "if all of:\n      - "
    in_brackets = {proposal.label: proposal.text for proposal in proposals(bench, law("  - {id: x, "), "}\n")}
    assert in_brackets["means all of"] == "means all of: "


# -- what is shown ---------------------------------------------------------------------------------------------------

SHOWN = [
    ("when: a player", 2, ["**when**", "Who does what"], None),
    ("a player bids", 3, ["**a player**", "anybody at the table"], "vocabulary/table.yaml"),
    ("is no last bid", 8, ["**the last bid**", "optional bid", "remembered"], "vocabulary/auction-bridge.yaml"),
    ("bid's denomination", 8, ["denomination", "told by the table itself"], "vocabulary/"),
    ("offence: late", 12, ["**late correction**", "offence"], "vocabulary/auction-bridge.yaml"),
    ("seven-too-low", 3, ["**seven-too-low**", "reading"], "whist-club-1912.yaml"),
    ("seven-stands", 3, ["**seven-stands**", "choice"], "whist-club-1912.yaml"),
    ("[may-overbid]", 4, ["**may-overbid**", "Law 43"], "declaration/rotation/whist-club-1912.yaml"),
    ("[low-bids]", 4, ["**low-bids**", "laughed at"], "values.yaml"),
    ("[late-corr", 4, ["**late-correction**"], "vocabulary/auction-bridge.yaml"),
    ("edition: our-table", 12, ["**our-table**", "The rules of our table"], "our-table.yaml"),
    ("royal spades: 5", 3, ["**royal spades**"], None),
    ("summary: As", 12, [], None),
]


@pytest.mark.parametrize(("needle", "further", "words", "file"), SHOWN, ids=[row[0] for row in SHOWN])
def test_what_is_shown(bench: Workbench, needle: str, further: int, words: list[str], file: str | None) -> None:
    bench.open(HOUSE / "our-table.yaml", TABLE)
    path = HOUSE / "values.yaml"
    bench.open(path, VALUES)
    at = VALUES.index(needle) + further
    line, column = VALUES.count("\n", 0, at) + 1, at - VALUES.rfind("\n", 0, at)
    desk, outlook = bench.room(path).desk, bench.outlook(path)
    shown = hover(desk, outlook, path, line, column)
    assert (shown is None) == (words == [])
    for word in words:
        assert shown is not None
        assert word in shown[0]
    places = definitions(desk, outlook, path, line, column)
    if file is None:
        assert all(span.file for span in places)
    else:
        assert [file in Path(span.file).as_posix() for span in places] == [True]


# -- half-written files ----------------------------------------------------------------------------------------------

EDITS = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 12),
        st.sampled_from(
            ["", "\n", "x", " ", '"', "'", "{", "]", "- ", ":", ": ", "#", "\t", "|\n", "é😀", "\ufeff", "\r\n"]
        ),
    ),
    min_size=1,
    max_size=4,
)


def edited(text: str, edits: list[tuple[float, int, str]]) -> str:
    for where, gone, put in edits:
        at = int(where * len(text))
        text = text[:at] + put + text[at + gone :]
    return text


@settings(max_examples=40, deadline=None)
@given(EDITS, st.floats(0, 1))
def test_a_half_written_file_ends_nothing(edits: list[tuple[float, int, str]], where: float) -> None:
    bench, path = HALF_WRITTEN, HOUSE / "values.yaml"
    text = edited(VALUES, edits)
    bench.open(HOUSE / "our-table.yaml", TABLE)
    bench.open(path, text)
    lines = Text(text).lines
    line = int(where * (len(lines) - 1)) + 1
    desk, outlook = bench.room(path).desk, bench.outlook(path)
    assert all(problem.span is None or problem.span.line <= len(lines) + 1 for problem in bench.quick(path))
    for column in (1, len(lines[line - 1]) // 2 + 1, len(lines[line - 1]) + 1):
        complete(desk, outlook, path, line, column)
        hover(desk, outlook, path, line, column)
    outline(desk, path)


def told(node: Node) -> Iterator[tuple[object, ...]]:
    """What a node says and where, the text of block scalars apart."""
    match node:
        case Scalar():
            block = node.style in ("literal", "folded")
            yield node.span, "" if block else " ".join(node.text.split()), None if block else node.content
        case Sequence():
            yield node.span, len(node.items)
            for item in node.items:
                yield from told(item)
        case Mapping():
            yield node.span, len(node.entries)
            for key, value in node.entries:
                yield from told(key)
                yield from told(value)


@pytest.mark.parametrize("path", FILES[::3], ids=[path.stem for path in FILES[::3]])
def test_what_is_in_order_is_read_alike(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    whole = read(text, "file")
    assert list(told(read_tolerantly(text, "file"))) == list(told(whole))
    assert Again("file").read(text) == (whole, ())


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SHORT), st.lists(EDITS, min_size=1, max_size=4))
def test_a_file_read_again_is_read_as_at_first(path: Path, rounds: list[list[tuple[float, int, str]]]) -> None:
    text = path.read_text(encoding="utf-8")
    again = Again("file")
    for edits in ([], *rounds):
        text = edited(text, edits)
        try:
            expected: tuple[Node | None, tuple[Diagnostic, ...]] = (read(text, "file"), ())
        except LawbookError as error:
            expected = (None, error.diagnostics)
        assert again.read(text) == expected


@given(st.text("aé😀\u0301 \t\n\r", max_size=30), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_places_go_back_and_forth(content: str, encoding: Encoding) -> None:
    text = Text(content, encoding)
    for line, letters in enumerate(text.lines, start=1):
        for column in range(1, len(letters) + 2):
            position = text.position(line, column)
            assert text.place(position) == (line, column)
            name, size = SIZES[encoding]
            assert position.character == len(letters[: column - 1].encode(name)) // size


def test_a_byte_order_mark_is_a_letter_to_an_editor() -> None:
    assert Text("\ufeffab\nc").position(1, 2) == Position(0, 2)
    assert Text("\ufeffab\nc").place(Position(0, 2)) == (1, 2)
    assert Text("\ufeffab\nc").position(2, 2) == Position(1, 1)


# -- the same as lawbook check ---------------------------------------------------------------------------------------

MISTAKES = [
    ("hearts: 8", "hearts: eight"),
    ("the call: stands", "the call: stnds"),
    ("id: low-bids", "id: value-of-tricks"),
    ("under: {seven-too-low: [seven-stands, raise-over]}", "under: {seven-too-low: raise-ovr}"),
    ("royal spades: 5, ", ""),
    ("because: [low-bids]", "because: [lowbids]"),
    ("  - id: low-bids", "  - id low-bids"),
    ("topic: trick-values", "topic: [trick-values"),
]


def shown(diagnostic: Diagnostic, span: Span | None) -> tuple[object, ...]:
    place = None if span is None else (Path(span.file).name, span.line, span.column, span.end_line, span.end_column)
    return diagnostic.code, diagnostic.message, place, diagnostic.suggestion, diagnostic.help


def test_thorough_is_what_check_says(house: Path) -> None:
    """File by file, mistake by mistake, with one bench that has seen all those before."""
    bench = Workbench([house])
    values = house / "values.yaml"
    for before, after in (("", ""), *MISTAKES):
        text = VALUES.replace(before, after, 1) if before else VALUES
        assert (text != VALUES) == bool(before)
        values.write_text(VALUES, encoding="utf-8")
        bench.open(values, text)
        quick = {shown(found, found.span) for found in bench.quick(values)}
        findings = list(bench.thorough(values))[-1]
        values.write_text(text, encoding="utf-8")
        library = Library.shipped([house])
        run, tasks = Run(library), tasks_of(library, "our-table")
        for task in tasks:
            look_at(run, task)
        checked = findings_of(run, tasks)
        expected = {
            shown(found, found.span) for found in checked if found.span and found.span.file.endswith(values.name)
        }
        assert {shown(found, found.span) for found in findings.get(values, ())} == expected, after
        errors = {found for found in expected if found[0] not in ("example-missing",)}
        # At a keystroke nothing is told that is not so.
        assert quick - expected == set(), after
        assert bool(errors) == bool(expected)


# -- the schemas' hover texts ----------------------------------------------------------------------------------------


def subschemas(shape: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    if isinstance(shape, dict):
        yield path, shape
        for key, below in shape.items():
            yield from subschemas(below, (*path, key))


def fits(value: Node, shape: dict[str, Any]) -> list[str]:
    collector = Collector()
    validate(value, shape, collector, what="an example")
    return [diagnostic.message for diagnostic in collector.diagnostics]


@pytest.mark.parametrize("kind", ["law", "vocabulary", "edition"])
def test_examples_in_the_schemas_fit_them(kind: Any) -> None:
    whole = schema(kind)
    explained = 0
    for path, shape in subschemas(whole):
        within = {"$defs": whole.get("$defs", {})}
        for example in shape.get("examples", ()) if isinstance(shape.get("examples"), list) else ():
            assert fits(read(json.dumps(example), "example"), {**shape, **within}) == [], path
        text = shape.get("markdownDescription")
        if not isinstance(text, str):
            continue
        assert isinstance(shape.get("description"), str), path
        explained += 1
        _, opening, block = text.partition("```yaml\n")
        if not opening:
            continue
        value = read(block.removesuffix("\n```"), "example")
        if isinstance(value, Sequence):
            assert fits(value, {**shape, **within}) == [], path
        elif "clause" in path or path[-1] in ("effects", "choices"):
            named = Mapping(
                ((Scalar("id", value.span, None, "plain"), Scalar("x", value.span, None, "plain")), *_entries(value)),
                value.span,
            )
            assert fits(named, {"$ref": "#/$defs/clause", **within}) == [], path
        elif "example" in path:
            assert fits(value, {"$ref": "#/$defs/example", **within}) == [], path
        else:
            keys = dict(whole["properties"])
            assert fits(value, {"properties": keys, "additionalProperties": False, **within}) == [], path
    assert explained > {"law": 50, "vocabulary": 5, "edition": 5}[kind]


def _entries(node: Node) -> tuple[tuple[Scalar, Node], ...]:
    return node.entries if isinstance(node, Mapping) else ()


def test_every_shipped_file_names_its_schema() -> None:
    for path in FILES:
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        opening = "# yaml-language-server: $schema="
        assert first.startswith(opening), path
        named = (path.parent / first.removeprefix(opening)).resolve()
        assert named.name == f"{Library.shipped().kind(path)}.schema.json"
        assert json.loads(named.read_text(encoding="utf-8"))["$id"] == named.name


# -- speed -----------------------------------------------------------------------------------------------------------


def test_only_what_changed_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A keystroke in the largest law parses one clause and builds one clause, whatever else there is."""
    largest = max(LAWS.rglob("*.yaml"), key=lambda path: path.stat().st_size)
    text = largest.read_text(encoding="utf-8")
    # In a clause that stands in every reading, in a sentence that stands on one line.
    clauses = plain(read(text, "law").get("clauses"))  # type: ignore[arg-type, union-attr]
    said = [c["says"] for c in clauses if "under" not in c]  # type: ignore[call-overload, union-attr]
    written = next(sentence for sentence in said if f"says: {sentence}\n" in text)
    bench = Workbench()
    bench.open(largest, text)
    bench.quick(largest)
    parsed: list[int] = []
    built: list[str] = []

    class Counting(reading.Building):
        def build(self) -> Node | None:
            parsed.append(len(self._stretch))
            return super().build()

    original = building.Clauses.build_apart

    def counting(self: Any, node: Any, law: Any) -> Any:
        built.append(plain(node)["id"])  # type: ignore[call-overload, index]
        return original(self, node, law)

    monkeypatch.setattr(reading, "Building", Counting)
    monkeypatch.setattr(building.Clauses, "build_apart", counting)
    bench.open(largest, text.replace(written, written[1:]))
    bench.quick(largest)
    assert len(parsed) == 1
    assert parsed[0] < 2000
    assert len(set(built)) == 1


def test_other_words_wait_for_the_thorough_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """A keystroke in a vocabulary does not read whole editions again; what that would find comes a moment later."""
    bench, vocabulary = Workbench([HOUSE]), HOUSE / "words.yaml"
    bench.open(HOUSE / "values.yaml", VALUES)
    table = f"{TABLE}vocabulary: [words.yaml]\n"
    bench.open(HOUSE / "our-table.yaml", table)
    text = "title: Our words\nwords:\n  - {noun: house bid, gives: optional bid, gloss: a bid}\n"
    bench.open(vocabulary, text)
    list(bench.thorough(vocabulary))
    made: list[object] = []
    original = resolving.setting_of
    monkeypatch.setattr(resolving, "setting_of", lambda *given: made.append(given) or original(*given))
    misspelt = text.replace("optional bid", "optional bd")
    bench.open(vocabulary, misspelt)
    assert bench.quick(vocabulary) == ()
    assert made == []
    found = list(bench.thorough(vocabulary))[-1][vocabulary]
    assert [problem.code for problem in found if problem.code == "unknown-type"] == ["unknown-type"]
    # What was found stays as long as its line does.
    bench.open(vocabulary, misspelt.replace("Our words", "Our own words"))
    assert "unknown-type" in [problem.code for problem in bench.quick(vocabulary)]
    # What the file alone tells is told at once.
    bench.open(vocabulary, text.replace("gloss", "glos"))
    assert [problem.code for problem in bench.quick(vocabulary)] == ["unknown-key"]


TEA = """\
title: Tea
topic: tea
in: [{edition: our-table, law: none, evidence: custom}]
summary: Who bids low pours the tea.
clauses:
  - id: no-tea
    says: Nobody pours tea at the first bid.
    exception to: low-bids
    if: the caller is in trn
"""


@pytest.mark.parametrize("was_in_order", [True, False])
def test_a_file_that_cannot_be_read_hides_nothing_of_others(was_in_order: bool) -> None:
    bench, values, tea = Workbench([HOUSE]), HOUSE / "values.yaml", HOUSE / "tea.yaml"
    bench.open(HOUSE / "our-table.yaml", f"{TABLE}laws: [tea.yaml]\n")
    bench.open(tea, TEA)
    if was_in_order:
        bench.open(values, VALUES)
        list(bench.thorough(values))
    bench.open(values, VALUES.replace("    when: a player bids", "    when a plyer bids"))
    found = list(bench.thorough(values))[-1]
    assert [problem.code for problem in found[values]] == ["missing-colon"]
    assert [problem.code for problem in found[tea]] == ["unknown-term"]
    assert [problem.code for problem in bench.quick(tea)] == ["unknown-term"]
    if was_in_order:
        line = TEA[: TEA.index("low-bids")].count("\n") + 1
        (place,) = definitions(bench.room(tea).desk, bench.outlook(tea), tea, line, 21)
        assert (place.file, place.line) == (str(values), VALUES[: VALUES.index("low-bids")].count("\n") + 1)


def test_a_keystroke_in_a_file_that_cannot_be_read_builds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    bench, values = Workbench([HOUSE]), HOUSE / "values.yaml"
    bench.open(HOUSE / "our-table.yaml", TABLE)
    bench.open(values, VALUES)
    bench.quick(values)
    bench.open(values, VALUES.replace("summary: As", "summary: As: "))
    bench.quick(values)
    monkeypatch.setattr(building.Clauses, "build_apart", lambda *given: pytest.fail("a clause was built"))
    bench.open(values, VALUES.replace("summary: As", "summary: Az: "))
    assert [problem.code for problem in bench.quick(values)] == ["stray-colon"]


def test_other_yaml_is_nobodys_business() -> None:
    bench, path = Workbench([HOUSE]), HOUSE / "compose.yaml"
    bench.open(path, "services:\n  web: {image: nginx, ports: [80]}\n")
    assert bench.quick(path) == ()
    assert list(bench.thorough(path))[-1].get(path, ()) == ()
    bench.open(path, "topic: services\n")
    assert "missing-key" in [problem.code for problem in bench.quick(path)]


def test_the_benchmark_runs() -> None:
    file = Path(__file__).parent / "benchmarks" / "bench_lsp.py"
    specification = importlib.util.spec_from_file_location("bench_lsp", file)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    lines: list[str] = []
    assert module.main(1, lines.append) > 0
    assert len(lines) == 9
