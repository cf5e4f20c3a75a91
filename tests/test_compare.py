"""Comparison of laws: two editions clause by clause, several as a matrix, and the history of a topic.

`good/revised/` holds later editions of the invented code, in which everything happens that can become of a law, and the
reports on them.
"""

from __future__ import annotations

import dataclasses
import json
import shlex
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cli import lawbook_command, validate

from lawbook import loading
from lawbook.auction import load
from lawbook.compare.lineage import History, history_of, in_order, topics_of
from lawbook.compare.matrix import Bearing, compare_many
from lawbook.compare.readings import alternatives, bearing, form_of
from lawbook.compare.structure import ALIKE_IN_MEANING, Change, ClauseChange, Structure, compare_structure
from lawbook.compare.terms import Aspect
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.report.history import histories_json, histories_text
from lawbook.report.layout import Page
from lawbook.report.marked import pairs, plain
from lawbook.report.matrix import matrix_json, matrix_text
from lawbook.report.structure import structure_json, structure_text

GOOD = Path(__file__).parent / "good"
REVISED = GOOD / "revised"
LIBRARY = Library.shipped([REVISED, GOOD / "invented"])
NAMES = ["tinkers-1801", "tinkers-1801-decided", "tinkers-1806", "tinkers-1815", "tinkers-1820", "tinkers-1830"]
SHIPPED = ["portland-bath-1908", "whist-club-1912", "whist-club-1912-decisions", "whist-club-1913", "contract-2017"]


def tinkers(name: str) -> Edition:
    return load(name, LIBRARY)


@pytest.fixture(scope="module")
def revised() -> tuple[Edition, ...]:
    return in_order(tinkers(name) for name in reversed(NAMES))


@pytest.fixture(scope="module")
def shipped() -> list[Edition]:
    return [load(name) for name in SHIPPED]


def structure() -> Structure:
    return compare_structure(tinkers("tinkers-1801"), tinkers("tinkers-1806"))


def histories(editions: tuple[Edition, ...]) -> list[History]:
    return [history_of(topic, editions, LIBRARY) for topic in topics_of(editions)]


# -- whole reports -----------------------------------------------------------------------------------------------------


def written(lines: Iterable[str], *, width: int = 80) -> str:
    found = list(lines)
    assert max(len(line) for line in found) <= width
    return "\n".join(found) + "\n"


@pytest.mark.parametrize("name", ["structure", "side-by-side"])
def test_structure_text(name: str, recorded: Callable[[Path, str], None]) -> None:
    text = structure_text(structure(), Page(), side_by_side=name == "side-by-side")
    recorded(REVISED / f"{name}.txt", written(text))


def test_what_the_table_remembers(shipped: list[Edition], recorded: Callable[[Path, str], None]) -> None:
    shown = dataclasses.replace(compare_structure(shipped[1], shipped[3]), topics=())
    both = (written(structure_text(shown, Page(), registers=full)) for full in (False, True))
    # What stands above, the two editions and their topics, is shown elsewhere.
    parts = [text[text.index("── what the table") :] for text in both]
    recorded(REVISED / "registers.txt", "\n".join(parts))


def test_matrix_text(revised: tuple[Edition, ...], recorded: Callable[[Path, str], None]) -> None:
    matrix = compare_many(revised, LIBRARY, other_readings=True)
    recorded(REVISED / "matrix.txt", written(matrix_text(matrix, Page())))


def test_history_text(revised: tuple[Edition, ...], recorded: Callable[[Path, str], None]) -> None:
    recorded(REVISED / "history.txt", written(histories_text(histories(revised), Page(), {})))


@pytest.mark.parametrize("width", [40, 60, 100, 140])
def test_reports_keep_to_the_page(width: int, revised: tuple[Edition, ...], shipped: list[Edition]) -> None:
    page = Page(width)
    two = compare_structure(shipped[1], shipped[3])
    written(structure_text(two, page, side_by_side=True), width=width)
    written(structure_text(two, page, registers=True), width=width)
    written(matrix_text(compare_many([*shipped, *revised] * 2, LIBRARY), page), width=width)
    written(histories_text(histories(revised), page, {}), width=width)


def test_json_of_all_that_can_happen(revised: tuple[Edition, ...], shipped: list[Edition]) -> None:
    validate(structure_json(compare_structure(shipped[1], shipped[3])), "compare")
    validate(structure_json(structure()), "compare")
    validate(matrix_json(compare_many(revised, LIBRARY, other_readings=True)), "compare")
    validate(histories_json(histories(revised)), "history")


# -- structure ---------------------------------------------------------------------------------------------------------


def test_everything_happens_in_the_invented_code() -> None:
    found = [structure(), compare_structure(tinkers("tinkers-1806"), tinkers("tinkers-1815"))]
    found.append(compare_structure(tinkers("tinkers-1820"), tinkers("tinkers-1830")))
    found.append(compare_structure(tinkers("tinkers-1830"), tinkers("tinkers-1820")))
    assert {topic.change for each in found for topic in each.topics} == set(Change)
    differences = [difference for each in found for topic in each.topics for difference in topic.clauses]
    assert {difference.change for difference in differences} == set(ClauseChange)
    told = {term.aspect for difference in differences for term in difference.terms}
    assert told == set(Aspect) - {Aspect.KIND, Aspect.SCOPE, Aspect.FIGURES}


@pytest.mark.parametrize("name", [*NAMES, *SHIPPED])
def test_an_edition_differs_in_nothing_from_itself(name: str) -> None:
    edition = tinkers(name)
    same = compare_structure(edition, edition)
    assert not same.differ
    assert {topic.change for topic in same.topics} == {Change.EQUAL}
    assert not any(topic.differs for topic in compare_many([edition, edition], LIBRARY).topics)


TURNED = {
    Change.ADDED: Change.REPEALED,
    Change.REPEALED: Change.ADDED,
    Change.LEFT_TO_CUSTOM: Change.MADE_LAW,
    Change.MADE_LAW: Change.LEFT_TO_CUSTOM,
    **{change: change for change in (Change.EQUAL, Change.WORDING, Change.RENUMBERED, Change.CHANGED)},
}


@pytest.mark.parametrize("a, b", list(combinations(["tinkers-1801", "tinkers-1806", "tinkers-1820"], 2)))
def test_turned_round_it_is_the_same_comparison(a: str, b: str) -> None:
    there = {t.topic: t for t in compare_structure(tinkers(a), tinkers(b)).topics}
    back = {t.topic: t for t in compare_structure(tinkers(b), tinkers(a)).topics}
    assert {name: TURNED[topic.change] for name, topic in there.items()} == {n: t.change for n, t in back.items()}
    for name, topic in there.items():
        mine = {(d.a, d.b) for d in topic.clauses}
        assert {(d.b, d.a) for d in back[name].clauses} == mine


def test_every_changed_term_is_a_section_that_is_not_alike(shipped: list[Edition]) -> None:
    for a, b in combinations(shipped[:4], 2):
        for topic in compare_structure(a, b).topics:
            for difference in topic.clauses:
                assert (difference.change is ClauseChange.CHANGED) == bool(difference.terms)
                assert all(term.a != term.b for term in difference.terms)


@given(st.lists(st.sampled_from("abcdef"), max_size=8), st.lists(st.sampled_from("abcdef"), max_size=8))
def test_lines_side_by_side_are_the_lines_of_both(one: list[str], other: list[str]) -> None:
    mine, theirs = ([f"{letter} is a line {letter}" for letter in letters] for letters in (one, other))
    found = list(pairs(mine, theirs))
    assert [plain(pair.a) for pair in found if pair.a is not None] == mine
    assert [plain(pair.b) for pair in found if pair.b is not None] == theirs
    for pair in found:
        assert pair.alike == (plain(pair.a) == plain(pair.b))
        for line in (pair.a, pair.b):
            assert line is None or pair.alike != any(run.marked for run in line)


# -- several -----------------------------------------------------------------------------------------------------------


def test_same_letter_means_that_two_editions_compare_alike(
    shipped: list[Edition], revised: tuple[Edition, ...]
) -> None:
    for editions in (shipped, list(revised)):
        matrix = compare_many(editions, LIBRARY)
        for one, other in matrix.pairs:
            changes = {t.topic: t for t in compare_structure(editions[one], editions[other]).topics}
            for topic in matrix.topics:
                if topic.laws[one] and topic.laws[other]:
                    same = changes[topic.topic].change in ALIKE_IN_MEANING
                    assert same == (topic.forms[one] == topic.forms[other]), topic.topic
                else:
                    assert topic.forms[one] is None or topic.forms[other] is None


def test_what_makes_removes_and_narrows_a_difference(revised: tuple[Edition, ...]) -> None:
    matrix = compare_many(revised[:3], LIBRARY, other_readings=True)
    causes = {
        (topic.topic, cause.bearing, cause.between, cause.readings, tuple(law.number for law in cause.laws))
        for topic in matrix.topics
        for cause in topic.causes
    }
    assert causes == {
        ("grumbling", Bearing.MAKES, (0, 1), (), ("Decision 1",)),
        ("grumbling", Bearing.REMOVES, (0, 2), (), ("Decision 1",)),
        ("rank", Bearing.REMOVES, (0, 2), ("ties=allowed",), ()),
        ("rank", Bearing.REMOVES, (1, 2), ("ties=allowed",), ()),
    }
    # Every cause holds good: the edition that is named has the law of the other.
    for topic in matrix.topics:
        for cause in topic.causes:
            if cause.bearing is Bearing.REMOVES:
                other = revised[cause.between[1]]
                assert form_of(cause.through, topic.topic) == form_of(other, topic.topic)


def test_readings_given_are_causes_too() -> None:
    editions = [tinkers(name) for name in ("tinkers-1801", "tinkers-1801@ties=allowed", "tinkers-1806")]
    matrix = compare_many(editions, LIBRARY, other_readings=True)
    [topic] = [topic for topic in matrix.topics if topic.topic == "rank"]
    assert {(cause.bearing, cause.between, cause.readings) for cause in topic.causes} == {
        (Bearing.MAKES, (0, 1), ("ties=allowed",)),
        (Bearing.REMOVES, (0, 2), ("ties=allowed",)),
    }


def test_other_readings_are_made_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not each by itself, which would take many times as long."""
    editions = [tinkers("tinkers-1801"), tinkers("tinkers-1806")]
    monkeypatch.setattr(loading, "fetch", lambda name, library: pytest.fail(f"{name} is loaded by itself"))
    loading._loaded.cache_clear()
    assert compare_many(editions, LIBRARY, other_readings=True).topics


def test_readings_bear_on_the_topics_whose_clauses_they_change() -> None:
    for name in ("whist-club-1912", "whist-club-1913", "tinkers-1801"):
        edition = tinkers(name)
        known = bearing(edition, LIBRARY)
        for alternative in alternatives(edition, edition.readings[:4], tinkers):
            for topic in {law.topic for law in edition.laws}:
                if form_of(alternative.edition, topic) != form_of(edition, topic):
                    assert alternative.reading in known[topic]


# -- JSON and errors ---------------------------------------------------------------------------------------------------

ANSWERS = [
    ("compare", "compare whist-club-1912 whist-club-1912"),
    ("compare", "compare portland-bath-1908 whist-club-1912 whist-club-1912-decisions whist-club-1913 --laws-only"),
    (
        "compare",
        "compare whist-club-1912 whist-club-1912@correction-after-notice=literal-52 whist-club-1912-decisions "
        "--laws-only",
    ),
    ("history", "history correction"),
    ("history", "history 50 --edition whist-club-1912"),
    ("history", "history 'Correcting a declaration'"),
    ("error", "history corection"),
    ("error", "history 50"),
    ("error", "history 99 --edition whist-club-1912"),
    ("error", "compare whist-club-1912 whist-club-1913 --other-readings --laws-only"),
    ("error", "compare whist-club-1912 whist-club-1913 --other-readings --auction 1C"),
    ("error", "compare whist-club-1912 whist-club-1913 whist-club-1912 --side-by-side"),
    ("error", "compare whist-club-1912 whist-club-1913 --auction 1C --registers"),
    ("error", "compare whist-club-1912 whist-club-1913 --auction 1C --html page.html"),
]


@pytest.mark.parametrize("name, command", ANSWERS, ids=[command for _, command in ANSWERS])
def test_json_fits_its_schema(name: str, command: str) -> None:
    status, out, error = lawbook_command(*shlex.split(command), "--json")
    validate(json.loads(out), name)
    assert error == ""
    assert (status == 2) == (name == "error")


def test_a_topic_misspelt_is_suggested() -> None:
    _, _, error = lawbook_command("history", "corection")
    assert "did you mean: `correction`" in error
    _, _, error = lawbook_command("history", "law 50")
    assert "--edition" in error


def test_history_reads_the_editions_of_the_user() -> None:
    status, out, _ = lawbook_command(
        "history", "grumbling", "--laws", str(REVISED), "--laws", str(GOOD / "invented"), "--json"
    )
    assert status == 0
    stages = {stage["edition"]: stage["turn"] for stage in json.loads(out)["topics"][0]["history"]}
    assert stages["tinkers-1820"] == "repealed"
    assert stages["tinkers-1830"] == "a law on it again"
    assert stages["whist-club-1912"] == "no law on it"


def test_history_tells_of_an_edition_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_text("edition: house\nbased on: nowhere\n", encoding="utf-8")
    _, out, _ = lawbook_command("history", "finality", "--laws", str(tmp_path), "--json")
    validate(json.loads(out), "history")
    assert json.loads(out)["broken"] == ["house"]
    _, out, _ = lawbook_command("history", "finality", "--laws", str(tmp_path))
    told = " ".join(out.split())
    assert "Left out: house, which cannot be read: there is no edition `nowhere` (" in told
    assert "house.yaml:2:11); `lawbook check house` says more." in told
    status, _, error = lawbook_command("history", "fnality", "--laws", str(tmp_path))
    assert status == 2
    assert "house cannot be read: `lawbook editions` says why" in " ".join(error.split())


@pytest.mark.parametrize("words", [b"words:\n  - {verb: [\n", b"title: \xe9\n", b"", b"\0" * 2_000_000])
def test_a_vocabulary_that_cannot_be_read_stops_only_what_needs_it(tmp_path: Path, words: bytes) -> None:
    (tmp_path / "words.yaml").write_bytes(words)
    for name, more in (("with-words", "vocabulary: [words.yaml]\n"), ("without", "")):
        text = f"edition: {name}\ntitle: Ours\nbased on: whist-club-1912\n{more}"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    laws = ("--laws", str(tmp_path))
    for name in ("without", "whist-club-1912"):
        assert lawbook_command("rule", name, "1C", *laws)[0] == 0
    status, _, error = lawbook_command("rule", "with-words", "1C", *laws)
    assert (status, "words.yaml:" in error) == (2, True)
    status, out, _ = lawbook_command("editions", *laws)
    assert (status, out.count("cannot be read")) == (0, 1)
    told = "".join(out.partition("with-words\n")[2].split())
    assert told.startswith("cannotberead:")
    assert "words.yaml:" in told


def test_history_finds_a_topic_by_the_title_of_any_law_on_it() -> None:
    by_topic = lawbook_command("history", "correction")
    assert by_topic[0] == 0
    for title in ("Correcting a declaration", "changes  of call"):
        assert lawbook_command("history", title) == by_topic
    _, _, error = lawbook_command("history", "change-of-call")
    assert "did you mean: `Changes of call`" in error


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_an_edition_in_another_encoding_is_one_that_cannot_be_read(tmp_path: Path, encoding: str) -> None:
    text = "\ufeff" if encoding.endswith("be") else ""
    text += "title: Our rules\nedition: ours\nbased on: whist-club-1912\n"
    (tmp_path / "ours.yaml").write_bytes(text.encode(encoding))
    laws = ("--laws", str(tmp_path))
    said = "the file is written in UTF-16 or UTF-32, not in UTF-8"
    status, _, error = lawbook_command("laws", "ours", *laws)
    assert (status, error.splitlines()[0]) == (2, f"error[not-utf8]: {said}")
    for command in (("editions",), ("history", "finality")):
        status, out, _ = lawbook_command(*command, *laws)
        assert (status, f"cannot be read: {said}" in " ".join(out.split())) == (0, True)


@pytest.mark.parametrize(
    "command, status", [("compare whist-club-1912 whist-club-1912", 0), ("compare --laws-only " + " ".join(SHIPPED), 1)]
)
def test_exit_code(command: str, status: int) -> None:
    assert lawbook_command(*shlex.split(command), "--exit-code", "--json")[0] == status
