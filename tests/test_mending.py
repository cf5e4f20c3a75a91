"""Fixes: of every mistake recorded in `bad/`, what `lawbook check --fix` makes of it; nothing else is touched."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_edition import BAD as LAWS
from test_edition import CASES, library_of
from test_schemas import departures

from lawbook.checking import findings_of, look_at, tasks_for
from lawbook.checks.run import Run
from lawbook.diagnostics import Diagnostic, Edit, Fix, Severity, Span, source_lines
from lawbook.edition.library import Library
from lawbook.errors import LawbookError
from lawbook.mending import Mended, fixes_of, mend, with_fixes
from lawbook.source import read

BAD = LAWS.parent
FILES = sorted(BAD.glob("source/*.yaml")) + sorted(BAD.glob("shape/*.yaml"))

Look = Callable[[Mapping[str, str]], tuple[Diagnostic, ...]]


def rounds(texts: dict[str, str], look: Look) -> Iterator[tuple[tuple[Mended, ...], dict[str, str]]]:
    """What is mended, and the texts after it, until nothing more can be."""
    for _ in range(10):
        changed, mended = mend(with_fixes(look(texts), texts.get), texts, unsafe=True)
        if not changed:
            return
        texts = {**texts, **changed}
        yield mended, texts
    pytest.fail("there is no end to the mending")


def told(before: Mapping[str, str], look: Look) -> str:
    """All that is mended, and the difference it makes, as it is recorded."""
    made = list(rounds(dict(before), look))
    lines: list[str] = []
    for one in (one for mended, _ in made for one in mended):
        sure = "safe" if one.safe else "unsafe"
        lines.append(f"{one.span.file}:{one.span.line}:{one.span.column}: [{one.code}] {one.title} ({sure})")
    for file, text in sorted(made[-1][1].items()) if made else ():
        if text != before[file]:
            old, new = source_lines(before[file]), source_lines(text)
            lines += [line.rstrip() for line in difflib.unified_diff(old, new, file, file, lineterm="", n=0)]
    return "".join(f"{line}\n" for line in lines)


def check(path: Path, said: str, recorded: Callable[[Path, str], None]) -> None:
    """What is said must be what the file holds; where nothing is said there is no file."""
    if said:
        recorded(path, said)
    else:
        assert not path.exists()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_mistake_is_mended(
    case: Path, recorded: Callable[[Path, str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mended = tmp_path / "case"
    mended.mkdir()
    texts = {path.name: path.read_text(encoding="utf-8") for path in case.glob("*.yaml")}
    monkeypatch.chdir(mended)

    def look(now: Mapping[str, str]) -> tuple[Diagnostic, ...]:
        for name, text in now.items():
            (mended / name).write_text(text, encoding="utf-8")
        run, tasks = Run(library), tasks_for(library, "mistaken")
        for task in tasks:
            look_at(run, task)
        return findings_of(run, tasks)

    base = library_of(case, tmp_path)
    library = Library((mended, *base.laws[1:]), (mended, *base.editions[1:]))
    check(case / "mended.diff", told(texts, look), recorded)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_file_is_mended(path: Path, recorded: Callable[[Path, str], None]) -> None:
    try:
        text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return

    def look(now: Mapping[str, str]) -> tuple[Diagnostic, ...]:
        try:
            node = read(now[path.name], path.name)
        except LawbookError as error:
            return error.diagnostics
        kind = path.stem.partition("-")[0]
        return departures(kind, node).diagnostics if path.parent.name == "shape" else ()

    check(path.with_suffix(".diff"), told({path.name: text}, look), recorded)


# -- what an edit leaves alone -----------------------------------------------------------------------------------------

TEXT = "a: b  # ä\r\n\r\n- c\r\nlast"


@given(st.integers(1, 4), st.integers(1, 8), st.integers(0, 4), st.text("xy\n", max_size=3))
def test_nothing_outside_of_an_edit_changes(line: int, column: int, length: int, new: str) -> None:
    lines = TEXT.split("\r\n")
    column = min(column, len(lines[line - 1]) + 1)
    end = min(column + length, len(lines[line - 1]) + 1)
    span = Span("a.yaml", line, column, line, end)
    problem = Diagnostic("any", Severity.ERROR, "?", span, fixes=(Fix("mend it", (Edit(span, new),), safe=True),))
    changed, mended = mend([problem], {"a.yaml": TEXT}, unsafe=False)
    at = sum(len(before) + 2 for before in lines[: line - 1]) + column - 1
    expected = TEXT[:at] + new.replace("\n", "\r\n") + TEXT[at + end - column :]
    assert changed.get("a.yaml", TEXT) == expected
    assert len(mended) == 1


def test_edits_that_meet_are_made_one_after_the_other() -> None:
    spans = [Span("a.yaml", 1, 1, 1, 3), Span("a.yaml", 1, 2, 1, 4), Span("a.yaml", 1, 6, 1, 7)]
    problems = [
        Diagnostic("any", Severity.ERROR, "?", span, fixes=(Fix("mend it", (Edit(span, "x"),), safe=True),))
        for span in spans
    ]
    changed, mended = mend(problems, {"a.yaml": "abcdefg"}, unsafe=False)
    assert (changed, [one.span.column for one in mended]) == ({"a.yaml": "xcdexg"}, [1, 6])


def test_a_fix_that_is_not_safe_is_not_made_unasked() -> None:
    span = Span("a.yaml", 1, 4, 1, 6)
    problem = Diagnostic("unknown-term", Severity.ERROR, "unknown term `bit`", span, suggestion="bid")
    (fix,) = fixes_of(problem, "a: bt")
    assert not fix.safe
    (with_fix,) = with_fixes([problem], {"a.yaml": "a: bt"}.get)
    assert mend([with_fix], {"a.yaml": "a: bt"}, unsafe=False) == ({}, ())
    assert mend([with_fix], {"a.yaml": "a: bt"}, unsafe=True)[0] == {"a.yaml": "a: bid"}


@pytest.mark.parametrize("written, meant", [("ilegal", "legal"), ("there is now", "there is no"), ("nobody", "body")])
def test_what_says_the_contrary_is_not_mended_unasked(written: str, meant: str) -> None:
    span = Span("a.yaml", 1, 4, 1, 4 + len(written))
    problem = Diagnostic("unknown-value", Severity.ERROR, "?", span, suggestion=meant)
    assert not any(fix.safe for fix in fixes_of(problem, f"a: {written}"))
