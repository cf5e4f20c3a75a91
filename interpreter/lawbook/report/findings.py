"""Findings: what a check or the examples brought to light, as a dictionary and in a last line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.examples import Outcome, as_diagnostic
from lawbook.report.auction import SCHEMA


@dataclass(frozen=True, slots=True)
class Tally:
    """How many examples of an edition were run, and which failed."""

    edition: str
    run: int
    failed: tuple[Outcome, ...]


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
    parts = [_count(editions, "edition")] if editions else []
    if readings:
        parts.append(_count(readings, "other reading"))
    files = len(checked) - editions - readings
    if files:
        parts.append(f"{_count(files, 'file')} that no edition takes")
    errors = sum(1 for finding in findings if finding.severity is Severity.ERROR)
    found = [_count(n, w) for n, w in ((errors, "error"), (len(findings) - errors, "warning")) if n]
    return f"checked {', '.join(parts) or 'nothing'}: {', '.join(found) or 'no findings'}"


def test_json(tallies: Sequence[Tally]) -> dict[str, object]:
    """What the examples showed, with the keys of `test.schema.json`."""
    return {
        "schema": SCHEMA,
        "passed": sum(t.run - len(t.failed) for t in tallies),
        "failed": sum(len(t.failed) for t in tallies),
        "editions": [{"edition": t.edition, "passed": t.run - len(t.failed), "failed": len(t.failed)} for t in tallies],
        "failures": [_failure_json(outcome) for tally in tallies for outcome in tally.failed],
    }


def _failure_json(outcome: Outcome) -> dict[str, object]:
    return {
        "edition": outcome.edition,
        "example": outcome.example.that,
        "mismatches": [{"key": m.key, "expected": m.expected, "found": m.found} for m in outcome.mismatches],
        "diagnostic": as_diagnostic(outcome).as_json(),
    }


def test_summary(tallies: Sequence[Tally]) -> list[str]:
    """A line for each edition, and how many examples passed and failed in all."""
    width = max((len(t.edition) for t in tallies), default=0)
    lines = [
        f"{t.edition:<{width}}  {t.run - len(t.failed)} passed" + (f", {len(t.failed)} failed" if t.failed else "")
        for t in tallies
    ]
    failed = sum(len(t.failed) for t in tallies)
    whole = sum(t.run for t in tallies)
    return [*lines, f"{_count(whole, 'example')}: " + (f"{failed} failed" if failed else "all pass")]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
