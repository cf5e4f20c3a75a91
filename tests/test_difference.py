"""What a change of files changes in the laws: clauses, readings, examples, words; between editions, files and
revisions. Nothing that changes an edition's hash is passed over in silence."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_cli import lawbook_command, validate

from lawbook.compare.difference import Degree, Difference, Side, difference_of
from lawbook.edition.library import Library
from lawbook.edition.resolve import resolve
from lawbook.errors import LawbookError

TESTS = Path(__file__).parent
CASES = sorted((TESTS / "good" / "difference").glob("*.txt"))
INVENTED = TESTS / "good" / "invented"
git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def tinkers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the invented edition, to be changed."""
    folder = tmp_path / "tinkers"
    shutil.copytree(INVENTED, folder)
    monkeypatch.chdir(tmp_path)
    return folder


def edition_file(folder: Path) -> Path:
    return folder / "editions" / "tinkers-1801.yaml"


def law_file(folder: Path, name: str) -> Path:
    return folder / "laws" / "tinkers" / f"{name}.yaml"


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path.name} has no {old}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def difference(folder: Path) -> Difference:
    """What is not alike in the invented edition as it was and as it stands in a folder."""
    one, other = Library.shipped([INVENTED]), Library.shipped([folder])
    return difference_of(Side(resolve("tinkers-1801", one), one), Side(resolve("tinkers-1801", other), other))


# -- what is told ------------------------------------------------------------------------------------------------------


def test_nothing_has_changed(tinkers: Path) -> None:
    found = difference(tinkers)
    assert (found.degree, found.rules_differ) == (Degree.NONE, False)


def test_the_layout_has_changed(tinkers: Path) -> None:
    for path in tinkers.rglob("*.yaml"):
        path.write_text("# a remark\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert difference(tinkers).degree is Degree.LAYOUT


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_change(path: Path, tinkers: Path, recorded: Callable[[Path, str], None]) -> None:
    """A case says which text of which file becomes which, and how that is told."""
    head, _, _ = path.read_text(encoding="utf-8").partition("\n\n")
    for line in head.splitlines():
        _, file, _, old, _, new = (word.replace("\\n", "\n") for word in shlex.split(line))
        change(tinkers / file, old, new)
    status, out, error = lawbook_command("diff", str(INVENTED), "tinkers", "--exit-code")
    assert error == ""
    recorded(path, f"{head}\n\n{out.replace(str(INVENTED), 'invented')}(exit status {status})\n")
    assert max(map(len, out.replace(str(INVENTED), "invented").splitlines())) <= 80
    _, out, _ = lawbook_command("diff", str(INVENTED), "tinkers", "--json")
    found = json.loads(out)
    validate(found, "diff")
    assert found["rules_differ"] == bool(status)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_change_of_meaning_is_silent(tinkers: Path, data: st.DataObject) -> None:
    """A file with a line left out, doubled, moved, indented otherwise or altered has the same hash, or cannot be read,
    or its change is told."""
    shutil.rmtree(tinkers)
    shutil.copytree(INVENTED, tinkers)
    path = data.draw(st.sampled_from(sorted(tinkers.rglob("*.yaml"))))
    lines = path.read_text(encoding="utf-8").splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    match data.draw(st.sampled_from(["leave out", "double", "move", "word", "letter", "indentation", "value"])):
        case "leave out":
            del lines[at]
        case "double":
            lines.insert(at, lines[at])
        case "move":
            lines.insert(data.draw(st.integers(0, len(lines) - 1)), lines.pop(at))
        case "word":
            words = lines[at].split(" ")
            words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(["not", "silver", "2", "is"]))
            lines[at] = " ".join(words)
        case "letter" if lines[at]:
            place = data.draw(st.integers(0, len(lines[at]) - 1))
            letter = data.draw(st.sampled_from([*"a1:-[]{}'\"# ", "", "\t", "\x00", "é"]))
            lines[at] = lines[at][:place] + letter + lines[at][place + 1 :]
        case "indentation":
            lines[at] = " " * data.draw(st.integers(0, 8)) + lines[at].lstrip()
        case _:
            other = data.draw(st.sampled_from([line for line in lines if ": " in line]))
            lines[at] = lines[at].partition(": ")[0] + ": " + other.partition(": ")[2]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        found = difference(tinkers)
    except LawbookError:
        return
    assert (found.a.hash == found.b.hash) or found.degree is Degree.RULES
    _, out, _ = lawbook_command("diff", str(INVENTED), "tinkers")
    assert ("There is no difference." in out) == (found.degree is Degree.NONE)
    assert "Something differs" not in out


# -- what can be held against each other -------------------------------------------------------------------------------


def test_two_editions() -> None:
    status, out, _ = lawbook_command("diff", "whist-club-1912", "whist-club-1912-decisions", "--exit-code")
    assert status == 1
    assert out.startswith("whist-club-1912 -> whist-club-1912-decisions\n")
    assert "── Case 1" in out or "Decision 1" in out
    status, out, _ = lawbook_command("diff", "whist-club-1912", "whist-club-1912", "--exit-code")
    assert (status, out) == (0, "whist-club-1912 -> whist-club-1912\n\nThere is no difference.\n")


def test_a_file_in_the_place_of_another(tinkers: Path) -> None:
    copy = tinkers.parent / "new.yaml"
    shutil.copy(law_file(tinkers, "bidding"), copy)
    change(copy, "id: ", "id: x-")
    status, out, error = lawbook_command("diff", "tinkers/laws/tinkers/bidding.yaml", "new.yaml", "--laws", "tinkers")
    assert (status, error) == (0, "")
    assert "renamed" in out
    # The other way round what came has gone.
    assert lawbook_command("diff", "new.yaml", str(law_file(tinkers, "bidding")), "--laws", "tinkers")[0] == 0


def test_files_of_two_editions(tinkers: Path) -> None:
    other = tinkers.parent / "other"
    shutil.copytree(tinkers, other)
    change(edition_file(other), "title: ", "title: New ")
    status, out, _ = lawbook_command("diff", str(edition_file(tinkers)), str(edition_file(other)))
    assert status == 0
    assert "wording" in out
    assert "the edition: title" in out


def test_law_files_of_two_editions(tinkers: Path) -> None:
    """Of two laws that are compared alone, what is worded or shown otherwise is told as well as a number."""
    other = tinkers / "editions" / "tinkers-1802.yaml"
    text = edition_file(tinkers).read_text(encoding="utf-8")
    other.write_text(
        text.replace("tinkers-1801", "tinkers-1802").replace("tinkers/grumbling", "tinkers/grumbling-1802"),
        encoding="utf-8",
    )
    for name in ("metals", "bidding", "mistakes"):
        path = law_file(tinkers, name)
        head, _, tail = path.read_text(encoding="utf-8").partition("\nin: [{")
        path.write_text(
            f"{head}\nin: [{{edition: tinkers-1802, law: none, evidence: custom}}, {{{tail}", encoding="utf-8"
        )
    old = law_file(tinkers, "grumbling")
    new = law_file(tinkers, "grumbling-1802")
    shutil.copy(old, new)
    change(new, 'tinkers-1801, law: "4"', 'tinkers-1802, law: "5"')
    change(new, "summary: ", "summary: In short, ")
    change(new, "to grumble at a bid", "to grumble at one club")
    _, out, error = lawbook_command("diff", str(old), str(new))
    assert error == ""
    assert "Grumbling: Law 4, then Law 5" in out
    assert "removed  to grumble at a bid" in out
    assert "added    to grumble at one club" in out
    assert "grumbling-1802.yaml: summary" in out
    assert out.endswith("1 law renumbered, 2 examples changed.\n")
    _, out, _ = lawbook_command("diff", str(old), str(new), "--json")
    validate(json.loads(out), "diff")
    change(new, 'law: "5"', "law: none, evidence: custom")
    assert "1 law left to custom, 2 examples changed." in lawbook_command("diff", str(old), str(new))[1]


def test_editions_that_came_and_went(tinkers: Path) -> None:
    other = tinkers.parent / "other"
    shutil.copytree(tinkers, other)
    (other / "editions" / "ours.yaml").write_text("edition: ours\nbased on: tinkers-1801\n", encoding="utf-8")
    _, out, _ = lawbook_command("diff", "tinkers", "other", "--json")
    found = json.loads(out)
    validate(found, "diff")
    assert [(one["edition"], one["change"]) for one in found["editions"]] == [
        ("tinkers-1801", "unchanged"),
        ("ours", "added"),
    ]
    assert "Unchanged: tinkers-1801." in lawbook_command("diff", "other", "tinkers")[1]


def test_what_cannot_be_read_is_told(tinkers: Path) -> None:
    change(law_file(tinkers, "bidding"), "clauses:", "clauses: [")
    status, out, error = lawbook_command("diff", str(INVENTED), "tinkers")
    assert (status, "cannot be read" in out) == (2, True)
    assert "tinkers/laws/tinkers/bidding.yaml" in error


# -- revisions ---------------------------------------------------------------------------------------------------------


def commit(folder: Path, message: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", message]):
        subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tinkers: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    commit(tinkers, "one")
    change(law_file(tinkers, "grumbling"), "summary: ", "summary: Now ")
    commit(tinkers, "two")
    change(law_file(tinkers, "metals"), "is: 5", "is: 4")
    monkeypatch.chdir(tinkers)
    return tinkers


@git
def test_revisions(repository: Path) -> None:
    status, out, error = lawbook_command("diff", "HEAD~1", "HEAD", "--exit-code")
    assert (status, error) == (0, "")
    assert out.splitlines()[0] == "HEAD~1 -> HEAD"
    assert "only the wording differs" in out
    # A revision alone is held against the files as they lie there.
    status, out, _ = lawbook_command("diff", "HEAD", "--exit-code")
    assert (status, out.splitlines()[0]) == (1, "HEAD -> the working tree")
    # Files narrow what is asked about.
    status, out, _ = lawbook_command("diff", "HEAD", "laws/tinkers/grumbling.yaml", "--exit-code")
    assert (status, "There is no difference." in out) == (0, True)
    assert lawbook_command("diff", "HEAD", "--exit-code", "--", "laws/tinkers/metals.yaml")[0] == 1


@git
def test_a_revision_that_cannot_be_read(repository: Path) -> None:
    change(law_file(repository, "metals"), "clauses:", "clauses: [")
    commit(repository, "broken")
    change(law_file(repository, "metals"), "clauses: [", "clauses:")
    status, _, error = lawbook_command("diff", "HEAD")
    assert status == 2
    assert "--> HEAD:laws/tinkers/metals.yaml:" in error


@git
@pytest.mark.parametrize("words", ["HEAD~9", "HEAD HEAD~9", "HEAD nowhere.yaml", "--exit-code"])
def test_no_revision(repository: Path, words: str) -> None:
    status, out, error = lawbook_command("diff", *shlex.split(words))
    assert (status, out) == (2, "")
    assert error.startswith("error[")
