"""From files to an edition: every mistake an editor can make, with the whole message; what an edition's hash is of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lawbook.data import data_folder
from lawbook.diagnostics import render
from lawbook.edition.library import Library
from lawbook.edition.resolve import resolve
from lawbook.errors import LawbookError

TESTS = Path(__file__).parent
BAD, INVENTED = TESTS / "bad" / "laws", TESTS / "good" / "invented"
BASE = BAD / "base"
CASES = sorted(path for path in BAD.iterdir() if path.is_dir() and path != BASE)


def library_of(case: Path) -> Library:
    """A case's own files before those that every case shares."""
    return Library((case, BASE, INVENTED / "laws", data_folder("laws")), (case, BASE, INVENTED / "editions"))


def text_of(name: str) -> str | None:
    path = Path(name)
    return path.read_text(encoding="utf-8") if path.is_file() else None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_mistake(case: Path, recorded: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    # Messages name files below the working folder from there.
    monkeypatch.chdir(TESTS)
    with pytest.raises(LawbookError) as raised:
        resolve("mistaken", library_of(case))
    found = raised.value.diagnostics
    assert all(d.span is None or d.span.line >= 1 for d in found)
    said = render(found, source=text_of, width=110).replace(str(data_folder("laws")), "laws")
    recorded(case / "expected.txt", said)


def test_what_the_cases_are_based_on_is_in_order() -> None:
    assert resolve("mistaken", library_of(BASE)).chain == ("mistaken", "tinkers-1801")
