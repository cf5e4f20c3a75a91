"""From files to an edition: every mistake an editor can make, with the whole message; what an edition's hash is of."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lawbook.checking import findings_of, look_at, tasks_for
from lawbook.checks.run import Run
from lawbook.data import data_folder
from lawbook.diagnostics import render
from lawbook.edition.library import Library
from lawbook.edition.resolve import resolve

TESTS = Path(__file__).parent
BAD, INVENTED = TESTS / "bad" / "laws", TESTS / "good" / "invented"
BASE = BAD / "base"
CASES = sorted(path for path in BAD.iterdir() if path.is_dir() and path != BASE)


def library_of(case: Path, folder: Path) -> Library:
    """A case's own files, and those of the base in whose place it has none, in a folder of their own."""
    base = folder / "base"
    base.mkdir()
    for path in BASE.iterdir():
        if not (case / path.name).exists():
            shutil.copy(path, base)
    return Library((case, base, INVENTED / "laws", data_folder("laws")), (case, base, INVENTED / "editions"))


def text_of(name: str) -> str | None:
    path = Path(name)
    return path.read_text(encoding="utf-8") if path.is_file() else None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_mistake(
    case: Path, recorded: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Messages name files below the working folder from there.
    monkeypatch.chdir(TESTS)
    library = library_of(case, tmp_path)
    run, tasks = Run(library), tasks_for(library, "mistaken")
    for task in tasks:
        look_at(run, task)
    found = findings_of(run, tasks)
    assert found
    assert all(d.span is None or d.span.line >= 1 for d in found)
    said = render(found, source=text_of, width=110)
    for path, name in ((data_folder("laws"), "laws"), (tmp_path, "bad/laws")):
        said = said.replace(str(path), name)
    recorded(case / "expected.txt", said)


def test_what_the_cases_are_based_on_is_in_order(tmp_path: Path) -> None:
    library = library_of(BASE, tmp_path)
    assert resolve("mistaken", library).chain == ("mistaken", "tinkers-1801")
    run, tasks = Run(library), tasks_for(library, "mistaken")
    for task in tasks:
        look_at(run, task)
    assert findings_of(run, tasks) == ()


def test_a_reading_of_the_base_is_declared_anew_with_all_its_choices(tmp_path: Path) -> None:
    edition = (BASE / "mistaken.yaml").read_text(encoding="utf-8") + (
        "readings:\n"
        "  - name: ties\n"
        "    question: May a bid be made again?\n"
        "    default: allowed\n"
        "    reason: we like it so\n"
        "    choices: {refused: it is too low, allowed: it takes over, unheard: nobody listens}\n"
    )
    case = tmp_path / "case"
    case.mkdir()
    (case / "mistaken.yaml").write_text(edition, encoding="utf-8")
    (reading,) = resolve("mistaken", library_of(case, tmp_path)).readings
    assert (reading.chosen, list(reading.alternatives)) == ("allowed", ["refused", "allowed", "unheard"])
