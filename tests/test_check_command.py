"""`lawbook check`: as a SARIF log, with what a file silences; mended by `--fix`, with everything else as it was."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from test_cli import lawbook_command, validate

from lawbook import catalogue
from lawbook.checks.run import Run

TESTS = Path(__file__).parent
STRUCTURE = json.loads((TESTS / "good" / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))
LAW = """\
# The remark at the top stays.
titel: A law with   odd spacing   # and so does this one
topic: oddities
in: [{edition: odd, law: none, evidence: custom}]
summary: It says one thing: that grumbling mutes.\x20\x20
clauses:

  - id: grumbler-is-muted
    says: Who grumbles is muted.
    when: a player grumbels   # misspelt
    if: there is a last bid and the player is in turn # both
    effects: mute the player
    silence:
      - {check: shadowed-clause, reason: there was another}
      - check: never-true   # misjudged
        reason: there was a contradiction
examples:
  - {that: 'it is quiet', auction: 1C, turn: E}
  - {that: he is muted, auction: "1C E:grumbel", turn: E}
"""
MENDED = """\
# The remark at the top stays.
title: A law with   odd spacing   # and so does this one
topic: oddities
in: [{edition: odd, law: none, evidence: custom}]
summary: "It says one thing: that grumbling mutes."\x20\x20
clauses:

  - id: grumbler-is-muted
    says: Who grumbles is muted.
    when: a player grumbles   # misspelt
    if all of: # both
      - there is a last bid
      - the player is in turn
    effects: mute the player
examples:
  - {that: 'it is quiet', auction: 1C, turn: E}
  - {that: he is muted, auction: "1C E:grumble", turn: E}
"""


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own with an edition and a law that has mistakes; the law's path."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(TESTS / "good" / "invented", tmp_path / "invented")
    house = tmp_path / "our house"
    house.mkdir()
    (house / "odd.yaml").write_text(
        "edition: odd\nbased on: tinkers-1801\ntitle: Odd rules\nlaws: [oddities.yaml]\n", encoding="utf-8"
    )
    (house / "oddities.yaml").write_text(LAW, encoding="utf-8")
    return house / "oddities.yaml"


def check(*options: str) -> tuple[int, str, str]:
    return lawbook_command("check", "odd", "--laws", "our house", "--laws", "invented", *options)


# -- SARIF -------------------------------------------------------------------------------------------------------------


def log(*options: str) -> Any:
    status, out, error = check("--sarif", *options)
    assert error == ""
    found = json.loads(out)
    Draft202012Validator.check_schema(STRUCTURE)
    Draft202012Validator(STRUCTURE).validate(found)
    (run,) = found["runs"]
    assert status == int(any("suppressions" not in result for result in run["results"]))
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["ruleId"] in catalogue.codes()
    return run


def test_a_sarif_log_says_what_the_check_says(odd: Path) -> None:
    _, out, _ = check("--json")
    told = json.loads(out)
    validate(told, "check")
    run = log()
    assert len(run["results"]) == len(told["findings"]) > 0
    for result, finding in zip(run["results"], told["findings"], strict=True):
        assert (result["ruleId"], result["level"]) == (finding["code"], finding["severity"])
        region = result["locations"][0]["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) == (finding["span"]["line"], finding["span"]["column"])
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri == "our%20house/oddities.yaml"
        titles = [fix["title"].lower() for fix in finding.get("fixes", [])]
        assert [f["description"]["text"].lower().rstrip(".") for f in result.get("fixes", [])] == titles
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["shortDescription"]["text"] == f"{catalogue.page(rule['id']).title}."
        assert "How to mend it" in rule["help"]["markdown"]


def test_what_is_silenced_is_suppressed_in_a_sarif_log(odd: Path) -> None:
    odd.write_text(
        MENDED.replace("effects: mute the player\n", "effects: mute the player\n    unless: the player is in turn\n")
        + "silence: [{check: never-true, reason: it is a test}]\n",
        encoding="utf-8",
    )
    (result,) = [result for result in log()["results"] if result["ruleId"] != "missing-says"]
    assert result["ruleId"] == "never-true"
    assert result["suppressions"] == [{"kind": "inSource", "justification": "it is a test"}]


def test_a_log_of_nothing_but_what_is_silenced(odd: Path) -> None:
    odd.write_text(MENDED, encoding="utf-8")
    run = log()
    assert all(result["suppressions"] for result in run["results"])
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["missing-says"]


def test_a_run_that_comes_to_nothing_is_a_log_too(odd: Path) -> None:
    for argv in (["--laws", "nowhere"], ["nowhere.yaml"], ["--fixx"]):
        status, out, error = lawbook_command("check", "--sarif", *argv)
        assert (status, error) == (2, "")
        told = json.loads(out)
        Draft202012Validator(STRUCTURE).validate(told)
        (run,) = told["runs"]
        (invocation,) = run["invocations"]
        assert (invocation["executionSuccessful"], invocation["exitCode"], run["results"]) == (False, 2, [])
        (notice,) = invocation["toolExecutionNotifications"]
        assert run["tool"]["driver"]["notifications"][0]["id"] == notice["descriptor"]["id"] in catalogue.codes()


def test_two_ways_to_answer_are_one_too_many(odd: Path) -> None:
    status, out, _ = check("--sarif", "--json")
    assert status == 2
    assert "wrong-usage" in out


# -- mending -----------------------------------------------------------------------------------------------------------


def test_fix_mends_what_is_safe_and_leaves_the_rest_as_it_was(odd: Path) -> None:
    status, out, error = check("--fix")
    assert (status, error) == (0, "")
    assert odd.read_text(encoding="utf-8") == MENDED
    assert out.endswith("no findings\n")
    assert out.count("\nmended ") + out.startswith("mended ") == 7
    before = odd.read_bytes()
    status, out, _ = check("--fix", "--json")
    told = json.loads(out)
    validate(told, "check")
    assert (status, told["mended"], odd.read_bytes()) == (0, [], before)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_the_mark_at_the_start_are_kept(odd: Path, line_end: str, mark: str) -> None:
    odd.write_bytes((mark + LAW.replace("\n", line_end)).encode())
    edition = odd.with_name("odd.yaml")
    edition.write_bytes(mark.encode() + edition.read_bytes())
    assert check("--fix")[0] == 0
    assert odd.read_bytes().decode() == mark + MENDED.replace("\n", line_end)


def test_what_is_not_safe_is_mended_when_asked_for(odd: Path) -> None:
    odd.write_text(MENDED.replace("a player grumbles", "a plyr grumbles"), encoding="utf-8")
    status, out, _ = check("--fix", "--json")
    told = json.loads(out)
    assert (status, told["mended"]) == (1, [])
    assert [fix["safe"] for fix in told["findings"][0]["fixes"]] == [False]
    status, out, _ = check("--unsafe-fixes", "--json")
    told = json.loads(out)
    validate(told, "check")
    assert (status, told["mended"][0]["title"], odd.read_text(encoding="utf-8")) == (0, "write `player`", MENDED)


def test_fix_says_how_much_more_could_be_mended(odd: Path) -> None:
    odd.write_text(MENDED.replace("a player grumbles", "a plyr grumbles"), encoding="utf-8")
    status, out, _ = check("--fix")
    assert status == 1
    assert out.splitlines()[-1] == "1 more can probably be mended: `--unsafe-fixes` does; look at what it changes"
    assert "--unsafe-fixes" not in check()[1]
    status, out, _ = check("--unsafe-fixes")
    assert (status, out.splitlines()[-1]) == (0, "checked 1 edition, 1 other reading: 1 thing mended, no findings")


def test_only_what_is_asked_about_is_mended(odd: Path) -> None:
    other = odd.with_name("words.yaml")
    other.write_text("titel: Words\nwords: []\n", encoding="utf-8")
    assert check("--fix")[0] == 0
    assert other.read_text(encoding="utf-8").startswith("titel")


def test_a_file_that_cannot_be_written_is_told(odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, data: bytes) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    status, _, error = check("--fix")
    assert status == 2
    assert "cannot be written" in error


# -- what is kept ------------------------------------------------------------------------------------------------------


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What is looked at from now on; nothing has been kept so far."""
    monkeypatch.setenv("LAWBOOK_CACHE", str(tmp_path / "kept"))
    asked: list[str] = []
    real = Run.edition

    def noted(run: Run, name: str) -> object:
        asked.append(name)
        return real(run, name)

    monkeypatch.setattr(Run, "edition", noted)
    return asked


def test_nothing_is_looked_at_twice(odd: Path, looks: list[str]) -> None:
    first = check()
    assert looks
    looks.clear()
    assert check() == first
    assert looks == []
    status, out, _ = check("--json")
    assert (status, looks) == (1, [])
    assert json.loads(out)["findings"][0]["fixes"]


@pytest.mark.parametrize("name", ["our house/oddities.yaml", "invented/laws/tinkers/metals.yaml", "our house/new.yaml"])
def test_a_file_that_is_changed_or_new_is_looked_at(odd: Path, looks: list[str], name: str) -> None:
    check()
    looks.clear()
    with Path(name).open("a", encoding="utf-8") as file:
        file.write("# a remark\n")
    check()
    assert looks


def test_what_is_mended_is_looked_at(odd: Path, looks: list[str]) -> None:
    assert check()[0] == 1
    assert check("--fix")[0] == 0
    looks.clear()
    assert check()[0] == 0
    assert looks == []


# -- editions that are not found ---------------------------------------------------------------------------------------


def test_an_edition_that_lies_elsewhere(odd: Path) -> None:
    (odd.parent / "more").mkdir()
    (odd.parent / "more" / "other.yaml").write_text("edition: other\nbased on: odd\ntitle: Other\n", encoding="utf-8")
    status, _, error = lawbook_command("laws", "other", "--laws", "our house", "--laws", "invented")
    assert status == 2
    assert "our house/more/other.yaml:1:10" in error
    odd.write_text(MENDED, encoding="utf-8")
    _, out, _ = lawbook_command("check", "our house/more/other.yaml", "--laws", "our house", "--json")
    found = json.loads(out)["findings"]
    assert [(finding["code"], finding["message"]) for finding in found] == [
        ("file-not-taken", "this edition is not where editions are found")
    ]


# -- folders -----------------------------------------------------------------------------------------------------------


def test_all_that_a_folder_holds_is_checked(odd: Path) -> None:
    shutil.copy(odd, odd.with_name("stray.yaml"))
    alone = lawbook_command("check", "our house", "--laws", "invented", "--json")[1]
    with_laws = lawbook_command(
        "check", "odd", "our house/stray.yaml", "--laws", "invented", "--laws", "our house", "--json"
    )
    assert json.loads(alone) == json.loads(with_laws[1])
    assert json.loads(alone)["checked"] == ["odd", "odd@ties=allowed", "our house/stray.yaml"]


def test_a_folder_without_anything_to_check_is_told(odd: Path) -> None:
    Path("empty").mkdir()
    for argv in (["empty"], ["--laws", "empty"]):
        status, out, error = lawbook_command("check", *argv)
        assert (status, out) == (2, "")
        assert "there are no editions and no laws in empty" in error
    assert "there is no folder nowhere/" in lawbook_command("check", "nowhere/")[2]


# -- mistakes of our own -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mistake", [RuntimeError("oh"), PermissionError(13, "oh")])
def test_a_mistake_of_our_own_shows_where_it_lies_when_asked(
    odd: Path, mistake: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(run: Run, name: str) -> object:
        raise mistake

    monkeypatch.setattr(Run, "edition", fails)
    monkeypatch.delenv("LAWBOOK_TRACEBACK", raising=False)
    status, _, error = check()
    assert (status, "set LAWBOOK_TRACEBACK=1 to see where" in error) == (2, True)
    monkeypatch.setenv("LAWBOOK_TRACEBACK", "1")
    with pytest.raises(type(mistake), match="oh"):
        check()
