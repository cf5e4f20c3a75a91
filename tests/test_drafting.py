"""Files to begin with: each is in order as it stands, changes nothing, and takes the place of nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from test_cli import lawbook_command, validate

from lawbook import loading
from lawbook.drafting import Folder, draft_amendment, draft_edition, with_law
from lawbook.edition.library import Library
from lawbook.edition.memory import Memory
from lawbook.edition.resolve import Resolver, resolve
from lawbook.examples import run_under, shown_by
from lawbook.formatting import format_file
from lawbook.loading import load

BASE = "whist-club-1912"
# A clause of every kind.
CLAUSES = {clause.kind: clause.id for clause in load(BASE).clauses}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*argv: str) -> tuple[int, str, str]:
    """A command as a process of its own would run it, which knows nothing of files as they were before."""
    loading._loaded.cache_clear()
    return lawbook_command(*argv)


def new(*argv: str) -> str:
    status, out, error = command("new", *argv)
    assert (status, error) == (0, "")
    return out


def in_order(edition: str, folder: str = "house", *, unwritten: tuple[str, ...] = ()) -> None:
    """Nothing is found in the edition but what is still to be written, by the codes of it, and its files are as they
    are to be written."""
    _, out, _ = command("check", edition, "--laws", folder, "--json")
    assert sorted(finding["code"] for finding in json.loads(out)["findings"]) == sorted(unwritten), out
    for path in Path(folder).rglob("*.yaml"):
        assert not format_file(path, path.name).changed, path.read_text(encoding="utf-8")


def test_an_edition(here: Path) -> None:
    out = new("edition", "our-table", "--based-on", BASE, "--laws", "house")
    assert out.splitlines()[0] == "written: house/our-table.yaml"
    in_order("our-table")
    base, ours = load(BASE), resolve("our-table", Library.shipped([here / "house"]))
    assert (ours.hash, ours.title) == (base.hash, "Our table")


@pytest.mark.parametrize("clause", ["bar-ends", "penalise-insufficient"])
def test_a_house_rule(here: Path, clause: str) -> None:
    new("house-rule", "our-table", "--based-on", BASE, "--law", clause, "--laws", "house")
    in_order("our-table", unwritten=("reminder-left",))
    base, ours = load(BASE), resolve("our-table", Library.shipped([here / "house"]))
    assert ours.by_id[clause].normal == base.by_id[clause].normal
    assert ours.by_id[clause].law.source.edition == "our-table"
    own = [e for e in shown_by(Library.shipped([here / "house"]), ours) if e.of == "our-table"]
    assert len(own) == 1
    assert run_under(own[0], "our-table", ours).passed


def test_the_examples_of_a_house_rule_hold_as_it_is_drafted(here: Path) -> None:
    new("house-rule", "our-table", "--based-on", BASE, "--law", "bar-ends", "--laws", "house")
    status, out, _ = command("test", "our-table", "--laws", "house")
    assert (status, "all pass" in out) == (0, True)


def test_a_clause_of_every_kind_can_be_changed(here: Path) -> None:
    base, folder, library = load(BASE), Folder(here), Library.shipped([here])
    memory = Memory()
    for kind, clause in CLAUSES.items():
        name = f"our-{kind.value.replace(' ', '-')}"
        law = draft_amendment(folder, name, base, library, clause)
        for draft in (law, draft_edition(folder, name, base, [law.path.name])):
            draft.path.write_text(draft.text, encoding="utf-8")
        ours = Resolver(library, memory=memory).resolve(name)
        assert ours.by_id[clause].normal == base.by_id[clause].normal
        assert ours.by_id[clause].law.source.edition == ours.id


def test_a_topic_is_drafted_without_clauses(here: Path) -> None:
    new("house-rule", "our-table", "--based-on", BASE, "--law", "trick-values", "--laws", "house")
    text = (here / "house" / "trick-values.yaml").read_text(encoding="utf-8")
    assert "#   - value-of-tricks\n" in text
    in_order("our-table", unwritten=("no-clauses", "reminder-left"))


def test_laws_are_added_to_an_edition(here: Path) -> None:
    new("edition", "our-table", "--based-on", BASE, "--laws", "house")
    for topic in ("slow-play", "tea"):
        out = new("law", topic, "--edition", "our-table", "--laws", "house")
        assert out.splitlines()[:2] == [f"written: house/{topic}.yaml", "changed: house/our-table.yaml"]
    in_order("our-table", unwritten=("no-clauses", "reminder-left") * 2)
    assert [law.topic for law in resolve("our-table", Library.shipped([here / "house"])).laws][-2:] == [
        "slow-play",
        "tea",
    ]


def test_folders_of_laws_and_editions_are_kept_to(here: Path) -> None:
    for folder in ("laws", "editions"):
        (here / "house" / folder).mkdir(parents=True)
    new("house-rule", "our-table", "--based-on", BASE, "--law", "bar-ends", "--laws", "house")
    new("law", "tea", "--edition", "our-table", "--laws", "house")
    assert sorted(path.relative_to(here).as_posix() for path in here.rglob("*.yaml")) == [
        "house/editions/our-table.yaml",
        "house/laws/bar-ends/our-table.yaml",
        "house/laws/tea/our-table.yaml",
    ]
    in_order("our-table", unwritten=("no-clauses", "reminder-left", "reminder-left"))


@pytest.mark.parametrize(
    ("laws", "expected"),
    [
        ("laws:\n  - one.yaml  # the first\n# then\n", "laws:\n  - one.yaml  # the first\n  - new.yaml\n# then\n"),
        ("laws: [one.yaml, two.yaml]  # both\n", "laws: [one.yaml, two.yaml, new.yaml]  # both\n"),
        ("laws: [one.yaml,\n  two.yaml]\n", "laws: [one.yaml,\n  two.yaml, new.yaml]\n"),
        ("laws: []\n", "laws: [new.yaml]\n"),
        ("laws:\n- one.yaml", "laws:\n- one.yaml\n- new.yaml\n"),
        ("# no laws", "# no laws\nlaws:\n  - new.yaml\n"),
    ],
)
def test_a_law_is_named_where_the_others_are(tmp_path: Path, laws: str, expected: str) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(f"edition: ours\n{laws}", encoding="utf-8")
    assert with_law(path, "new.yaml").text == f"edition: ours\n{expected}"


def test_a_mark_at_the_start_is_kept_where_a_law_is_added(tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text("\ufefflaws: [one.yaml]\nedition: ours\n", encoding="utf-8")
    assert with_law(path, "new.yaml").text == "\ufefflaws: [one.yaml, new.yaml]\nedition: ours\n"


@pytest.mark.parametrize(
    ("argv", "what"),
    [
        ("edition our-table", "needs --based-on"),
        ("edition our-table --based-on whist-club-1931", "unknown-edition"),
        ("edition whist-club-1913 --based-on whist-club-1912", "there is an edition"),
        ("edition Our_Table --based-on whist-club-1912", "is no name for an edition"),
        ("edition our-table --based-on whist-club-1912 --edition x", "no use for --edition"),
        ("law tea", "needs --edition"),
        ("law tea --edition whist-club-1912", "not in ."),
        ("law tea --edition our-table --law x", "no use for --law"),
        ("house-rule our-table --based-on whist-club-1912", "needs --law"),
        ("house-rule our-table --based-on whist-club-1912 --law bar-end", "did you mean"),
        ("house-rule our-table --based-on whist-club-1912 --law 50", "of several topics"),
        ("poem our-table --based-on whist-club-1912", "cannot stand here"),
        ("", "are missing"),
    ],
)
def test_wrong_usage(here: Path, argv: str, what: str) -> None:
    status, out, error = command("new", *argv.split())
    assert (status, out) == (2, "")
    assert what in error
    assert list(here.iterdir()) == []


def test_another_clause_is_changed_in_the_same_edition(here: Path) -> None:
    new("house-rule", "our-table", "--based-on", BASE, "--law", "bar-ends", "--laws", "house")
    out = new("house-rule", "our-table", "--law", "may-double", "--laws", "house")
    assert out.splitlines()[:2] == ["written: house/may-double.yaml", "changed: house/our-table.yaml"]
    new("house-rule", "our-table", "--based-on", BASE, "--law", "declarer", "--laws", "house")
    in_order("our-table", unwritten=("reminder-left",) * 3)
    ours = resolve("our-table", Library.shipped([here / "house"]))
    own = {clause.id for clause in ours.clauses if clause.law.source.edition == "our-table"}
    assert own == {"bar-ends", "may-double", "declarer"}
    for argv, what in (
        (["--law", "declarer"], "in declarer.yaml already"),
        (["--law", "may-pass", "--based-on", "whist-club-1913"], "our-table is there already"),
    ):
        status, _, error = command("new", "house-rule", "our-table", *argv, "--laws", "house")
        assert (status, what in error) == (2, True), error


@pytest.mark.parametrize("folders", [[], ["laws", "editions"]])
def test_files_name_their_schema_and_it_is_there(here: Path, folders: list[str]) -> None:
    house = here / "house"
    for folder in folders:
        (house / folder).mkdir(parents=True)
    new("house-rule", "our-table", "--based-on", BASE, "--law", "bar-ends", "--laws", "house")
    new("law", "slow-play", "--edition", "our-table", "--laws", "house")
    files = list(house.rglob("*.yaml"))
    assert len(files) == 3
    for file in files:
        first, _ = file.read_text(encoding="utf-8").split("\n", 1)
        named = file.parent / first.removeprefix("# yaml-language-server: $schema=")
        schema = json.loads(named.read_text(encoding="utf-8"))
        assert list(Draft202012Validator(schema).iter_errors(yaml.safe_load(file.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize("what", [("edition",), ("house-rule", "--law", "50c")])
def test_the_readings_chosen_are_taken(here: Path, what: tuple[str, ...]) -> None:
    kind, *rest = what
    new(kind, "our-table", "--based-on", "whist-club-1913@referrer=either", *rest, "--laws", "house")
    _, out, _ = command("check", "our-table", "--laws", "house", "--json")
    assert {finding["code"] for finding in json.loads(out)["findings"]} <= {"no-clauses", "reminder-left"}
    text = (here / "house" / "our-table.yaml").read_text(encoding="utf-8")
    assert (yaml.safe_load(text)["based on"], yaml.safe_load(text)["takes"]) == (
        "whist-club-1913",
        {"referrer": "either"},
    )
    assert not format_file(here / "house" / "our-table.yaml", "our-table.yaml").changed, text
    ours = resolve("our-table", Library.shipped([here / "house"]))
    assert {reading.name: reading.chosen for reading in ours.readings}["referrer"] == "either"


@pytest.mark.parametrize(
    ("place", "what"),
    [
        ("mine.txt", "mine.txt is no folder"),
        ("mine.txt/inner", "mine.txt/inner cannot be made"),
        ("\0", "cannot be made"),
    ],
)
@pytest.mark.parametrize("argv", ["edition our-table", "house-rule our-table --law bar-ends"])
def test_where_no_folder_can_be_made(here: Path, argv: str, place: str, what: str) -> None:
    (here / "mine.txt").write_text("mine", encoding="utf-8")
    status, out, error = command("new", *argv.split(), "--based-on", BASE, "--laws", place)
    assert (status, out) == (2, "")
    assert error.startswith("error[wrong-usage]")
    assert what in " ".join(error.split())
    assert [path.name for path in here.iterdir()] == ["mine.txt"]


def test_an_example_goes_to_the_law_that_the_edition_has_of_its_own(here: Path) -> None:
    """A house rule is of the topic of the law that it changes."""
    new("house-rule", "our-table", "--based-on", BASE, "--law", "bar-ends", "--laws", "house")
    topic = load(BASE).by_id["bar-ends"].law.topic
    argv = ("example", "add", "our-table", "1D 3R P 4C", "P", "--law", topic, "--laws", "house")
    status, out, error = command(*argv, "--dry-run")
    assert (status, error, "house/bar-ends.yaml" in out) == (0, "", True)
    # Of several of its own the file tells which.
    new("law", topic, "--edition", "our-table", "--laws", "house")
    status, _, error = command(*argv)
    assert (status, f"name one by its file: bar-ends.yaml, {topic}.yaml" in " ".join(error.split())) == (2, True), error
    status, out, error = command(*argv[:-3], f"{topic}.yaml", "--laws", "house")
    assert (status, error, f"house/{topic}.yaml" in out) == (0, "", True)


def test_nothing_is_written_over(here: Path) -> None:
    (here / "bar-ends.yaml").write_text("mine", encoding="utf-8")
    status, _, error = command("new", "house-rule", "our-table", "--based-on", BASE, "--law", "bar-ends")
    assert (status, "is there already" in error) == (2, True)
    assert [path.name for path in here.iterdir()] == ["bar-ends.yaml"]
    assert (here / "bar-ends.yaml").read_text(encoding="utf-8") == "mine"


def test_the_answer_in_json(here: Path) -> None:
    found = json.loads(new("edition", "our-table", "--based-on", BASE, "--json"))
    validate(found, "new")
    found = json.loads(new("law", "tea", "--edition", "our-table", "--json"))
    validate(found, "new")
    assert (found["written"], found["changed"]) == (["tea.yaml"], ["our-table.yaml"])


def test_a_file_is_checked_with_the_folders_it_lies_in(here: Path) -> None:
    """A file alone tells where the edition and the other laws lie."""
    for folder in ("laws", "editions"):
        (here / "house" / folder).mkdir(parents=True)
    new("edition", "our-table", "--based-on", BASE, "--laws", "house")
    new("law", "tea", "--edition", "our-table", "--laws", "house")
    _, out, _ = command("check", "house/laws/tea/our-table.yaml", "house/editions/our-table.yaml", "--json")
    assert {finding["code"] for finding in json.loads(out)["findings"]} == {"no-clauses", "reminder-left"}
