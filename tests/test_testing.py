"""`lawbook test` and `lawbook example`: whole sessions as they are recorded, the shapes of their JSON, and what is
written into law files."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_cli import lawbook_command, validate

from lawbook.edition.library import Library
from lawbook.examples import examples_of, run
from lawbook.examples.drafting import draft
from lawbook.examples.failing import looks
from lawbook.examples.writing import law_for, with_example
from lawbook.formatting import format_text
from lawbook.loading import load
from lawbook.source.reader import plain, read

GOOD = Path(__file__).parent / "good"
SESSIONS = GOOD / "testing" / "sessions"
FOLDERS = ["--laws", "ours", "--laws", "long", "--laws", "invented"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the invented editions, to be worked in."""
    shutil.copytree(GOOD / "testing" / "folder", tmp_path, dirs_exist_ok=True)
    shutil.copytree(GOOD / "invented", tmp_path / "invented")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(line: str, *more: str) -> tuple[int, str, str]:
    return lawbook_command(*shlex.split(line), *FOLDERS, *more)


# -- whole outputs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.txt")), ids=lambda path: path.stem)
def test_session(path: Path, recorded: Callable[[Path, str], None], folder: Path) -> None:
    """A file of commands (`$`), each with what it prints; they follow one another in one folder."""
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("$ lawbook "):
            status, out, error = command(line.removeprefix("$ lawbook "))
            lines += [line, *(out + error).splitlines(), *([f"[exit status {status}]"] if status else []), ""]
    # Lines of files that are shown are as long as they are.
    printed = [line for line in lines if not line.startswith("$ ")]
    assert max(map(len, printed)) <= 80 or path.stem in ("added", "failing")
    recorded(path, "\n".join(lines))


@pytest.mark.parametrize(
    "line, schema",
    [
        ("test our-table", "test"),
        ("test failing", "test"),
        ("test long-evenings --coverage --acts 100", "test-coverage"),
        ("test long-evenings --mutants --law length --acts 100 --limit 12", "test-mutants"),
        ("example list our-table", "example"),
        ("example show failing refusal", "example"),
        ("example add our-table '2G' 3G --dry-run", "example"),
    ],
)
def test_json_fits_its_schema(line: str, schema: str, folder: Path) -> None:
    _, out, error = command(line, "--json")
    assert error == ""
    validate(json.loads(out), schema)


def test_json_of_a_failure_has_every_condition(folder: Path) -> None:
    _, out, _ = command("test failing", "--json")
    failures = {failure["example"]: failure for failure in json.loads(out)["failures"]}
    found = failures["a clause that its own condition keeps out"]["clauses"]
    assert found == [
        {
            "law": "7",
            "clause": "brass-is-loud",
            "expected": True,
            "applies": False,
            "reason": None,
            "conditions": [
                {
                    "part": "if",
                    "condition": "the bid's denomination is brass",
                    "holds": False,
                    "values": {"denomination of bid": "gold", "bid": "1G"},
                },
                {"part": "unless", "condition": "there is no last bid", "holds": False, "values": {"last bid": "1C"}},
            ],
        }
    ]


# -- examples of a base edition ----------------------------------------------------------------------------------------


def test_an_example_of_the_base_is_run_under_the_readings_of_the_edition_first(folder: Path) -> None:
    """It must hold only as the base reads the laws; where it holds as the edition does, it need not be run so too."""
    library = Library.shipped([folder / "ours", folder / "invented"])
    examples = examples_of(library, load("their-table", library))
    outcomes = [outcome for example in examples for outcome in run(example, library)]
    assert all(outcome.passed for outcome in outcomes)
    other = {outcome.edition: outcome.own for outcome in outcomes if outcome.own is not None}
    assert list(other) == ["their-table@ties=refused"]
    assert {outcome.edition for outcome in outcomes} - set(other) == {"their-table"}


def test_what_changes_by_a_reading_may_be_declared_and_need_not(folder: Path) -> None:
    declared = (
        "changed examples:\n  - {of: tinkers/metals.yaml, that: [the same bid does not beat itself], because: it may}\n"
    )
    path = folder / "ours" / "their-table.yaml"
    before = json.loads(command("test their-table --json")[1])
    path.write_text(path.read_text(encoding="utf-8") + declared, encoding="utf-8")
    status, out, _ = command("test their-table --json")
    after = json.loads(out)
    assert (status, after["stale"]) == (0, [])
    assert [one["example"] for one in after["changes"]] == ["the same bid does not beat itself"]
    assert len(after["otherwise"]) == len(before["otherwise"]) - 1


def test_a_change_that_is_declared_no_more_fails(folder: Path) -> None:
    path = folder / "ours" / "our-table.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("      - forgiven, it stands\n", ""), encoding="utf-8")
    status, out, _ = command("test our-table")
    assert status == 1
    assert "example-changed" in out
    assert "it does not hold that forgiven, it stands" in out


def test_what_changes_prints_makes_the_edition_pass(folder: Path) -> None:
    """Sentences that take more than a line, and those that need quotes, included."""
    law = folder / "invented" / "laws" / "tinkers" / "mistakes.yaml"
    text = law.read_text(encoding="utf-8")
    for old, new in (
        ("whoever passes is muted no more", "whoever passes: he is muted no more, #1 of all ways there are to that"),
        ("so is his double", "so is his double, for he who may not bid may not double either, whatever he says"),
    ):
        assert f"{{that: {old}," in text
        text = text.replace(f"{{that: {old},", f"{{that: {json.dumps(new)},")
    law.write_text(text, encoding="utf-8")
    _, out, _ = command("test undeclared --changes")
    assert [line for line in out.splitlines() if len(line) > 80] == []
    declared = out.replace("    because:\n", "    because: brass is best\n")
    path = folder / "ours" / "undeclared.yaml"
    path.write_text(path.read_text(encoding="utf-8") + declared, encoding="utf-8")
    status, out, _ = command("test undeclared")
    assert (status, "8 changed as declared" in out) == (0, True), out


def test_what_is_said_of_an_edition_itself_comes_before_what_is_said_of_its_base(folder: Path) -> None:
    path = folder / "invented" / "laws" / "tinkers" / "grumbling.yaml"
    with path.open("a", encoding="utf-8") as file:
        file.write(
            "  - that: it is told of each\n    auction: 1G\n    act: 1B\n    expect:\n"
            "      tinkers-1801: {verdict: irregular}\n      our-table: {verdict: legal}\n"
        )
    assert command("test tinkers-1801 our-table")[0] == 0


# -- failing examples --------------------------------------------------------------------------------------------------


def test_an_example_that_holds_turns_on_nothing(folder: Path) -> None:
    library = Library.shipped([folder / "ours", folder / "invented"])
    edition = load("our-table", library)
    for example in examples_of(library, edition):
        for outcome in run(example, library):
            assert bool(looks(outcome, load(outcome.edition, library))) != outcome.passed


# -- examples added ----------------------------------------------------------------------------------------------------


def test_an_example_is_added_and_nothing_else_changes(folder: Path) -> None:
    path = folder / "ours" / "brass.yaml"
    before = path.read_text(encoding="utf-8")
    status, _, error = command('example add our-table "1C 2B" P --that "after two brasses: a pass, #1"')
    assert (status, error) == (0, "")
    after = path.read_text(encoding="utf-8")
    head, tail = before.split("notes:")
    assert after.startswith(head)
    assert after.endswith(f"notes:{tail}")
    added = after[len(head) : -len(f"notes:{tail}")]
    assert yaml.safe_load(added) == [
        {
            "that": "after two brasses: a pass, #1",
            "auction": "1C 2B",
            "act": "P",
            "verdict": "legal",
            "because": ["may-pass"],
        }
    ]
    assert command("test our-table")[0] == 0
    status, _, error = command('example add our-table "1C 2B" P')
    assert (status, "example-there-already" in error) == (2, True)


def test_a_trial_writes_nothing(folder: Path) -> None:
    path = folder / "ours" / "brass.yaml"
    before = path.read_bytes()
    assert command('example add our-table "1C 2B" P --dry-run')[0] == 0
    assert path.read_bytes() == before


TEXT = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=["Cc", "Cf"]), min_size=1)


@given(that=TEXT.map(lambda text: " ".join(text.split())).filter(bool), line_end=st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_said_is_read_back(that: str, line_end: str, folder: Path) -> None:
    """The example is in the file exactly as it was meant, whatever its sentence; the rest is as it was."""
    library = Library.shipped([folder / "ours", folder / "invented"])
    lines = (GOOD / "testing" / "folder" / "ours" / "brass.yaml").read_text(encoding="utf-8").splitlines()
    (folder / "ours" / "brass.yaml").write_bytes("".join(f"{line}{line_end}" for line in lines).encode())
    edition = load("our-table", library)
    made = draft(edition, "1C", "1B", that=that, also=["options", "turn"])
    written = with_example(library, edition, law_for(edition, made, None), made)
    node = plain(read(written.text, "brass.yaml"))
    assert isinstance(node, dict)
    assert node["examples"][-1] == made.as_json()  # type: ignore[index]
    assert written.text.count("\n") == written.text.count(line_end)
    kept = written.text.splitlines()
    assert [*kept[: written.at - 1], *kept[written.at - 1 + len(written.lines) :]] == lines


@pytest.mark.parametrize("listed", ["", "examples: []\n", "examples:\n  - {that: x, auction: '', status: open}\n"])
def test_the_first_and_the_second_example_of_a_file(listed: str, folder: Path) -> None:
    path = folder / "ours" / "brass.yaml"
    head, _ = path.read_text(encoding="utf-8").split("examples:\n")
    path.write_text(head + listed, encoding="utf-8")
    assert command("example add our-table 1G 1B")[0] == 0
    assert path.read_text(encoding="utf-8").endswith(
        "  - that: East bids one brass after 1G, which is legal\n    auction: 1G\n    act: 1B\n    verdict: legal\n"
        "    because: [may-bid]\n"
    )
    assert command("example add our-table 1G 2B")[0] == 0
    assert command("test our-table")[0] == 0


def test_a_mark_at_the_start_of_the_file_is_kept(folder: Path) -> None:
    path = folder / "ours" / "brass.yaml"
    head, _ = path.read_text(encoding="utf-8").split("examples:\n")
    path.write_text(f"\ufeffexamples: []\n{head}", encoding="utf-8")
    assert command("example add our-table 1G 1B")[0] == 0
    assert path.read_text(encoding="utf-8").startswith("\ufeffexamples:\n  - that:")


def test_an_example_of_a_file_that_several_editions_share_names_those_that_rule_so(folder: Path) -> None:
    path = folder / "ours" / "brass.yaml"
    text = path.read_text(encoding="utf-8")
    places = "in: [{edition: our-table, law: none, evidence: custom}"
    path.write_text(text.replace(places, places + ", {edition: other-table, law: none}"), encoding="utf-8")
    (folder / "ours" / "other-table.yaml").write_text(
        "edition: other-table\nbased on: tinkers-1801\namends: {tinkers/metals.yaml: brass.yaml}\n"
        "takes: {ties: allowed}\n",
        encoding="utf-8",
    )
    _, out, _ = command("example add our-table 1G 1B --dry-run")
    assert "editions" not in out
    _, out, _ = command("example add our-table 1B 1B --dry-run")
    assert "    editions: [our-table]\n" in out


def test_what_is_added_is_in_canonical_form(folder: Path) -> None:
    """What `fmt` would make of it."""
    library = Library.shipped([folder / "invented"])
    edition = load("tinkers-1801", library)
    long = "a sentence of a good many words, " * 5 + "which does not stand on one line"
    made = draft(edition, "1C X P P P P", "P", "W", long, ["options", "contract", "points", "only lawful"])
    text = (
        "title: x\ntopic: x\nin:\n  - edition: x\nsummary: x\nclauses: []\nexamples:\n" + "\n".join(made.lines()) + "\n"
    )
    assert format_text(text, "x.yaml").after == text
