"""Findings: what a check brought to light and what it mended, as a dictionary and in lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.report import SCHEMA

if TYPE_CHECKING:
    from lawbook.mending import Mended
    from lawbook.report.layout import Page


def check_json(
    checked: Sequence[str], findings: Sequence[Diagnostic], mended: Sequence[Mended] = ()
) -> dict[str, object]:
    """What was checked, what was mended and what was found, with the keys of `check.schema.json`."""
    return {
        "schema": SCHEMA,
        "checked": list(checked),
        "clean": not findings,
        "mended": [one.as_json() for one in mended],
        "findings": [finding.as_json() for finding in findings],
    }


def mended_lines(mended: Sequence[Mended], page: Page) -> Iterator[str]:
    """A line for each thing that was mended, and an empty one after them."""
    for one in mended:
        where = f"{one.span.file}:{one.span.line}:{one.span.column}"
        yield from page.wrap(f"mended {where}: {one.title} [{one.code}]", 0, 2)
    if mended:
        yield ""


def left_lines(findings: Sequence[Diagnostic], is_writable: Callable[[str], bool], page: Page) -> Iterator[str]:
    """After mending what is safe to mend: a line that says how much more could be mended, if anything could."""
    files = [fix.edits[0].span.file for finding in findings for fix in finding.fixes[:1]]
    left = sum(1 for file in files if is_writable(file))
    if left:
        told = f"{left} more can probably be mended: `--unsafe-fixes` does; look at what it changes"
        yield from page.wrap(told, 0, 2)


def check_summary(checked: Sequence[str], findings: Sequence[Diagnostic], mended: Sequence[Mended] = ()) -> str:
    """How many editions and readings were checked, how much was mended, and how many findings there are."""
    editions = sum(1 for name in checked if "@" not in name and not name.endswith(".yaml"))
    readings = sum(1 for name in checked if "@" in name)
    parts = [counted(editions, "edition")] if editions else []
    if readings:
        parts.append(counted(readings, "other reading"))
    files = len(checked) - editions - readings
    if files:
        parts.append(f"{counted(files, 'file')} that no edition takes")
    errors = sum(1 for finding in findings if finding.severity is Severity.ERROR)
    found = [counted(n, w) for n, w in ((errors, "error"), (len(findings) - errors, "warning")) if n]
    done = f"{counted(len(mended), 'thing')} mended, " if mended else ""
    return f"checked {', '.join(parts) or 'nothing'}: {done}{', '.join(found) or 'no findings'}"


def counted(number: int, what: str) -> str:
    """A number of things in words: `1 edition`, `2 editions`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
