"""What formatting did or would do, as a dictionary and as lines."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from lawbook.formatting import Formatted
from lawbook.report import SCHEMA
from lawbook.report.layout import Page, Style


def fmt_json(results: Sequence[Formatted], *, written: bool, with_diff: bool) -> dict[str, object]:
    """What became of each file, with the keys of `fmt.schema.json`."""
    return {
        "schema": SCHEMA,
        "written": written,
        "files": [_file_json(result, with_diff) for result in results],
        "errors": [problem.as_json() for result in results for problem in result.problems],
    }


def _file_json(result: Formatted, with_diff: bool) -> dict[str, object]:
    found: dict[str, object] = {
        "file": result.file,
        "readable": result.after is not None,
        "changed": result.changed,
    }
    if with_diff:
        found["text"] = result.after
    return found


def diff_lines(result: Formatted, page: Page) -> Iterator[str]:
    """What would be changed in a file, as a unified difference."""
    if not result.changed or result.after is None:
        return
    lines = difflib.unified_diff(
        result.before.splitlines(), result.after.splitlines(), result.file, result.file, lineterm=""
    )
    for line in lines:
        style: Style = "bold" if line.startswith(("---", "+++")) else "plain"
        if style == "plain":
            style = {"-": "refused", "+": "legal", "@": "dim"}.get(line[:1], "plain")  # type: ignore[assignment]
        yield page.paint(line, style)


def fmt_summary(results: Sequence[Formatted], *, written: bool, named: bool) -> Iterator[str]:
    """A line for each file that is not as it was or should be, and how many there are."""
    changed = [result.file for result in results if result.changed]
    verb = "formatted" if written else "would be formatted"
    if named:
        yield from (f"{verb}: {file}" for file in changed)
    unread = sum(result.after is None for result in results)
    counts = [(len(changed), verb), (len(results) - len(changed) - unread, "unchanged"), (unread, "cannot be read")]
    parts = [f"{_files(number)} {what}" for number, what in counts if number]
    yield ", ".join(parts) if parts else "no files"


def _files(number: int) -> str:
    return f"{number} file{'' if number == 1 else 's'}"
