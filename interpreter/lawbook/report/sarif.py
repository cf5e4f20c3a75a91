"""Findings as a SARIF log (version 2.1.0), for the programs that show or gather what checkers find.

A finding is a result; its code is a rule, explained by its page of the catalogue; its fixes are fixes; what a file
silences is a result that is suppressed, with the reason. Columns count characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final
from urllib.parse import quote

from lawbook import __version__
from lawbook.catalogue import Page, page
from lawbook.diagnostics import Diagnostic, Edit, Fix, Span

VERSION: Final = "2.1.0"
SCHEMA_URI: Final = "https://json.schemastore.org/sarif-2.1.0.json"

_Object = dict[str, object]


def sarif(
    findings: Sequence[Diagnostic], silenced: Sequence[tuple[Diagnostic, str]], *, folder: Path | None = None
) -> _Object:
    """The log of one run: what was found, and what was silenced, each with its reason.

    Files below `folder`, the working folder if it is not given, are named from there, others by their whole path.
    """
    codes = list(dict.fromkeys(d.code for d in (*findings, *(one for one, _ in silenced))))
    numbers = {code: number for number, code in enumerate(codes)}
    results = [_result(finding, numbers) for finding in findings]
    for finding, reason in silenced:
        results.append({**_result(finding, numbers), "suppressions": [{"kind": "inSource", "justification": reason}]})
    return _log({"rules": [_rule(page(code)) for code in codes]}, {"results": results}, folder)


def failed(problems: Sequence[Diagnostic], status: int, *, folder: Path | None = None) -> _Object:
    """The log of a run that came to nothing: why, and the exit status."""
    codes = list(dict.fromkeys(problem.code for problem in problems))
    told = [
        {
            "descriptor": {"id": problem.code, "index": codes.index(problem.code)},
            "level": problem.severity.value,
            "message": {"text": _text(problem)},
            **({} if problem.span is None else {"locations": [{"physicalLocation": _physical(problem.span)}]}),
        }
        for problem in problems
    ]
    invocation = {"executionSuccessful": False, "exitCode": status, "toolExecutionNotifications": told}
    driver: _Object = {"notifications": [_rule(page(code)) for code in codes]}
    return _log(driver, {"invocations": [invocation], "results": []}, folder)


def _log(driver: _Object, run: _Object, folder: Path | None) -> _Object:
    whole = {
        "tool": {"driver": {"name": "lawbook", "version": __version__, **driver}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"uri": (folder or Path.cwd()).absolute().as_uri() + "/"}},
        **run,
    }
    return {"$schema": SCHEMA_URI, "version": VERSION, "runs": [whole]}


def _rule(found: Page) -> _Object:
    return {
        "id": found.code,
        "shortDescription": {"text": f"{found.title}."},
        "fullDescription": {"text": " ".join(found.meaning.split())},
        "help": {"text": f"{found.meaning}\n\n{found.mending}", "markdown": found.markdown},
        "defaultConfiguration": {"level": "warning" if found.severity == "warning" else "error"},
        "properties": {"tags": [found.stage]},
    }


def _result(finding: Diagnostic, numbers: Mapping[str, int]) -> _Object:
    result: _Object = {
        "ruleId": finding.code,
        "ruleIndex": numbers[finding.code],
        "level": finding.severity.value,
        "message": {"text": _text(finding)},
    }
    if finding.span is not None:
        location: _Object = {"physicalLocation": _physical(finding.span)}
        if finding.clause is not None:
            name = finding.clause if finding.law is None else f"{finding.law}/{finding.clause}"
            location["logicalLocations"] = [{"name": finding.clause, "fullyQualifiedName": name}]
        result["locations"] = [location]
    if finding.labels:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": label.text}, "physicalLocation": _physical(label.span)}
            for number, label in enumerate(finding.labels, start=1)
        ]
    if finding.fixes:
        result["fixes"] = [_fix(fix) for fix in finding.fixes]
    return result


def _fix(fix: Fix) -> _Object:
    by_file: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        by_file.setdefault(edit.span.file, []).append(edit)
    return {
        "description": {"text": _sentence(fix.title)},
        "artifactChanges": [
            {"artifactLocation": _artifact(file), "replacements": [_replacement(edit) for edit in edits]}
            for file, edits in by_file.items()
        ],
        "properties": {"safe": fix.safe},
    }


def _replacement(edit: Edit) -> _Object:
    return {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}


def _physical(span: Span) -> _Object:
    return {"artifactLocation": _artifact(span.file), "region": _region(span)}


def _artifact(file: str) -> _Object:
    path = PurePath(file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix()), "uriBaseId": "ROOT"}


def _region(span: Span) -> _Object:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _text(finding: Diagnostic) -> str:
    return _sentence(finding.message) + (f" {_sentence(finding.help)}" if finding.help else "")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
