"""Checks beyond types: what one condition says of another, what nothing speaks of, and silences. The whole message of
each is among the mistakes in `bad/laws`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from test_edition import BAD, BASE, INVENTED

from lawbook import catalogue
from lawbook.checking import findings_of, look_at, tasks_for, tasks_for_all
from lawbook.checks.logic import Alternatives, alternatives_of, implies
from lawbook.checks.run import Run
from lawbook.data import data_folder
from lawbook.diagnostics import Diagnostic
from lawbook.edition.library import Library
from lawbook.language import core, types
from lawbook.language.types import Universe

# -- one condition and another -----------------------------------------------------------------------------------------

UNIVERSE = Universe(("copper", "gold"), ("C", "G"), {"status": ("open", "final", "passed out")}, ())
PASSES = core.Read("passes", (), types.Number(0, 5))
STATUS = core.Read("status", (), types.Enumeration("status"))
MUTED = core.Use("is muted", (core.Variable("caller", types.SEAT),), types.TRUTH)


def number(value: int) -> core.Value:
    return core.Constant(value, types.Number(value, value))


def at_most(value: int) -> core.Truth:
    return core.Ordered("at_most", PASSES, number(value))


def status(value: int) -> core.Truth:
    return core.Leaf(core.Ordered("equal", STATUS, core.Constant(value, STATUS.type)), "the status", 1, 1)


def when(*parts: core.Truth) -> Alternatives:
    return alternatives_of(core.All(parts), UNIVERSE)


@pytest.mark.parametrize(
    "stronger, weaker, expected",
    [
        ((at_most(2),), (at_most(3),), True),
        ((at_most(3),), (at_most(2),), False),
        ((core.Ordered("less", number(3), PASSES),), (core.Not(at_most(2)),), True),
        ((status(0),), (core.Not(status(1)),), True),
        ((core.Not(status(1)),), (status(0),), False),
        ((core.Not(status(1)), core.Not(status(2))), (status(0),), True),
        ((status(0), MUTED), (MUTED,), True),
        ((MUTED,), (core.AnyOf((status(0), MUTED)),), True),
        ((core.AnyOf((status(0), MUTED)),), (MUTED,), False),
        ((core.AnyOf((at_most(1), at_most(2))),), (at_most(2),), True),
        ((), (at_most(5),), True),
        ((MUTED,), (), True),
    ],
)
def test_one_condition_follows_from_another(
    stronger: tuple[core.Truth, ...], weaker: tuple[core.Truth, ...], expected: bool
) -> None:
    assert implies(when(*stronger), when(*weaker)) is expected


@pytest.mark.parametrize(
    "parts",
    [
        (status(0), status(1)),
        (MUTED, core.Not(MUTED)),
        (at_most(1), core.Not(at_most(3))),
        (core.Not(core.AnyOf((status(0), status(1), status(2)))),),
        (core.AnyOf(()),),
    ],
)
def test_conditions_that_exclude_each_other(parts: tuple[core.Truth, ...]) -> None:
    assert when(*parts) == ()


# -- silences ----------------------------------------------------------------------------------------------------------

CHECKS = [code for code, stage in catalogue.codes().items() if stage == "checks"]
# Where the mistake is shown of each check whose case is not called as it is.
CASES = {"always-true": "always-and-never-true", "never-true": "contradiction"}


def findings(folder: Path) -> tuple[Diagnostic, ...]:
    library = Library((folder, INVENTED / "laws", data_folder("laws")), (folder, INVENTED / "editions"))
    run, tasks = Run(library), tasks_for(library, "mistaken")
    for task in tasks:
        look_at(run, task)
    return findings_of(run, tasks)


@pytest.mark.parametrize("code", [code for code in CHECKS if code not in ("file-not-taken", "needless-silence")])
def test_a_check_is_silenced_with_a_reason(code: str, tmp_path: Path) -> None:
    shutil.copytree(BASE, tmp_path, dirs_exist_ok=True)
    shutil.copytree(BAD / CASES.get(code, code), tmp_path, dirs_exist_ok=True)
    if code == "always-true":
        law = tmp_path / "mistake.yaml"
        law.write_text(law.read_text(encoding="utf-8").replace("last bit", "last bid"), encoding="utf-8")
    before = [d for d in findings(tmp_path) if d.code == code]
    assert before
    for file in {d.span.file for d in before if d.span is not None}:
        path = Path(file)
        text = path.read_text(encoding="utf-8")
        path.write_text(f"{text}silence: [{{check: {code}, reason: it is a test}}]\n", encoding="utf-8")
    after = findings(tmp_path)
    assert [d for d in after if d.code in (code, "needless-silence")] == []


def test_an_edition_silences_what_is_found_in_laws_it_has_from_another(tmp_path: Path) -> None:
    (tmp_path / "mistaken.yaml").write_text(
        "edition: mistaken\nbased on: tinkers-1801\ntitle: Grumbling for ever\nsource: a test\nlaws: [mistake.yaml]\n",
        encoding="utf-8",
    )
    shutil.copy(BAD / "remedy-without-window" / "mistake.yaml", tmp_path)
    assert {d.code for d in findings(tmp_path)} == {"remedy-without-window", "shadowed-clause"}
    with (tmp_path / "mistaken.yaml").open("a", encoding="utf-8") as edition:
        edition.write(
            "silence:\n  - {check: shadowed-clause, reason: said twice}\n"
            "  - {check: remedy-without-window, clause: fine-for-grumbling, reason: it never lapses}\n"
        )
    assert findings(tmp_path) == ()


# -- several editions --------------------------------------------------------------------------------------------------


def test_what_another_edition_uses_is_not_unused(tmp_path: Path) -> None:
    shutil.copytree(BAD / "unused-word", tmp_path, dirs_exist_ok=True)
    (tmp_path / "mistaken.yaml").write_text(
        "edition: mistaken\nbased on: tinkers-1801\ntitle: One\nsource: a test\nvocabulary: [words.yaml]\n"
        "laws: [mistake.yaml]\n",
        encoding="utf-8",
    )
    assert [d.code for d in findings(tmp_path)] == ["unused-word"]
    (tmp_path / "other.yaml").write_text(
        "edition: other\nbased on: tinkers-1801\ntitle: Two\nvocabulary: [words.yaml]\nlaws: [other-law.yaml]\n",
        encoding="utf-8",
    )
    (tmp_path / "other-law.yaml").write_text(
        "title: Loads\ntopic: loads\nin: [{edition: other, law: none, evidence: custom}]\nsummary: A load is three.\n"
        "clauses:\n  - {id: load-of-a-tinker, says: A load is three, term: the load, is: 3}\n"
        "  - {id: grumbler-pays, says: He pays, when: a player grumbles, effects: the load goes to the purse of the "
        "player's side}\n"
        "examples:\n  - {that: it is quiet, auction: 1C, turn: E}\n",
        encoding="utf-8",
    )
    # With only one of them looked at nobody knows, with both it is used.
    assert findings(tmp_path) == ()
    library = Library((tmp_path, INVENTED / "laws", data_folder("laws")), (tmp_path, INVENTED / "editions"))
    run, tasks = Run(library), tasks_for_all(library)
    for task in tasks:
        look_at(run, task)
    assert [d for d in findings_of(run, tasks) if d.code != "file-not-taken"] == []


def test_of_two_topics_that_are_nearly_the_same_one_is_in_doubt(tmp_path: Path) -> None:
    shutil.copytree(BASE, tmp_path, dirs_exist_ok=True)
    law = (BASE / "mistake.yaml").read_text(encoding="utf-8")
    for name, topic in (("mistake", "slow-play"), ("other", "slowplay"), ("third", "slow-plays-of-cards")):
        (tmp_path / f"{name}.yaml").write_text(law.replace("topic: oddity", f"topic: {topic}"), encoding="utf-8")
    edition = tmp_path / "mistaken.yaml"
    text = edition.read_text(encoding="utf-8")
    edition.write_text(text.replace("[mistake.yaml]", "[mistake.yaml, other.yaml, third.yaml]"), encoding="utf-8")
    assert [(d.code, d.suggestion) for d in findings(tmp_path)] == [("unlikely-topic", "slowplay")]
    (tmp_path / "fourth.yaml").write_text((tmp_path / "mistake.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    # Now two laws have the one, and the other is in doubt.
    assert [(d.code, d.suggestion) for d in findings(tmp_path)] == [("unlikely-topic", "slow-play")]


def test_a_numbered_law_has_a_source(tmp_path: Path) -> None:
    shutil.copytree(INVENTED, tmp_path, dirs_exist_ok=True)
    edition = tmp_path / "editions" / "tinkers-1801.yaml"
    text = edition.read_text(encoding="utf-8").replace("source: invented for the tests\n", "")
    edition.write_text(text, encoding="utf-8")
    library = Library((tmp_path / "laws", data_folder("laws")), (tmp_path / "editions",))
    run, tasks = Run(library), tasks_for(library, "tinkers-1801")
    for task in tasks:
        look_at(run, task)
    found = findings_of(run, tasks)
    assert {d.code for d in found} == {"missing-source"}
    assert {d.message for d in found} == {f"nothing says where Law {n} is printed" for n in (1, 2, 3, 4)}
