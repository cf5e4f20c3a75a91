"""Findings: what a check brought to light, as a dictionary and in a last line."""

from __future__ import annotations

from collections.abc import Sequence

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.report.auction import SCHEMA


def check_json(checked: Sequence[str], findings: Sequence[Diagnostic]) -> dict[str, object]:
    """What was checked and what was found, with the keys of `check.schema.json`."""
    return {
        "schema": SCHEMA,
        "checked": list(checked),
        "clean": not findings,
        "findings": [finding.as_json() for finding in findings],
    }


def check_summary(checked: Sequence[str], findings: Sequence[Diagnostic]) -> str:
    """How many editions and readings were checked, and how many findings there are."""
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
    return f"checked {', '.join(parts) or 'nothing'}: {', '.join(found) or 'no findings'}"


def counted(number: int, what: str) -> str:
    """A number of things in words: `1 edition`, `2 editions`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
