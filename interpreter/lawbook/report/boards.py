"""A file of recorded boards with the rulings on it, as a dictionary and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from lawbook.boards import RuledBoard, RuledFile
from lawbook.diagnostics import Diagnostic, Severity, Span, render, source_lines
from lawbook.formats.board import CONTRACT, DECLARER
from lawbook.machine.ruling import Verdict
from lawbook.report import SCHEMA
from lawbook.report.auction import rulings_json, rulings_text
from lawbook.report.layout import Page, Style, table

_NOTHING: Final = "-"


# -- for other programs ------------------------------------------------------------------------------------------------


def file_json(ruled: RuledFile, *, explained: bool = False) -> dict[str, object]:
    """All boards of a file and what was found, with the keys of `rule-file.schema.json`."""
    lines = source_lines(ruled.text)
    return {
        "schema": SCHEMA,
        "edition": ruled.edition.name,
        "edition_hash": ruled.edition.hash,
        "file": ruled.file,
        "boards": [_board_json(board, lines, explained) for board in ruled.boards],
        "findings": [_finding_json(finding, lines) for finding in ruled.findings],
        "summary": _summary_json(ruled),
    }


def _board_json(ruled: RuledBoard, lines: list[str], explained: bool) -> dict[str, object]:
    board, auction = ruled.board, ruled.auction
    found = None if auction is None else auction.contract
    contract = None if found is None else f"{found.level}{found.denomination}{'X' * found.doubling}"
    written, declarer = board.contract, board.declarer
    return {
        "board": board.number,
        "span": None if board.span is None else board.span.as_json(),
        "dealer": None if board.dealer is None else str(board.dealer),
        "contract": {
            "tag": None if written is None else str(written),
            "auction": "Pass" if auction is not None and auction.status == "passed-out" else contract,
            "agrees": ruled.contract_agrees,
        },
        "declarer": {
            "tag": None if declarer is None else str(declarer),
            "auction": None if found is None else str(found.declarer),
            "agrees": ruled.declarer_agrees,
        },
        "calls": [
            {
                "event": told.at,
                "token": "AP" if told.entry is None else told.entry.token,
                "span": _span_json(_place(ruled, told.entry.span if told.entry is not None else None)),
                "insufficient": told.entry is not None and told.entry.insufficient,
                "note": None if told.entry is None else told.entry.note,
            }
            for told in ruled.told
        ],
        "ruling": None if auction is None else rulings_json(auction, explained=explained),
        "findings": [_finding_json(finding, lines) for finding in ruled.findings],
    }


def _place(ruled: RuledBoard, span: Span | None) -> Span | None:
    """A place, or that of the `AP` that stands for a pass."""
    record = ruled.board.auction
    return span if span is not None or record is None else record.ending_span


def _span_json(span: Span | None) -> dict[str, object] | None:
    return None if span is None else span.as_json()


def _finding_json(finding: Diagnostic, lines: list[str]) -> dict[str, object]:
    return {**finding.as_json(), "token": _token(finding.span, lines)}


def _token(span: Span | None, lines: list[str]) -> str | None:
    """What stands at a place of the file, to the end of its first line."""
    if span is None or span.line > len(lines):
        return None
    line = lines[span.line - 1]
    return line[span.column - 1 : span.end_column - 1 if span.end_line == span.line else len(line)]


def _verdicts(ruled: RuledBoard) -> Counter[str]:
    return Counter(happening.verdict.value for happening in ruled.happenings)


def _summary_json(ruled: RuledFile) -> dict[str, int]:
    verdicts: Counter[str] = Counter()
    for board in ruled.boards:
        verdicts.update(_verdicts(board))
    findings = [*ruled.findings, *(finding for board in ruled.boards for finding in board.findings)]
    return {
        "boards": len(ruled.boards),
        "without_findings": sum(1 for board in ruled.boards if not board.findings),
        "without_an_auction": sum(1 for board in ruled.boards if board.auction is None),
        **{verdict.value: verdicts[verdict.value] for verdict in Verdict},
        "errors": sum(1 for finding in findings if finding.severity is Severity.ERROR),
        "warnings": sum(1 for finding in findings if finding.severity is Severity.WARNING),
    }


# -- for a reader ------------------------------------------------------------------------------------------------------


def file_text(ruled: RuledFile, page: Page, *, explained: bool = False) -> Iterator[str]:
    """A row for each board, then the findings with their places, then all of it in a line.

    `explained`: before the findings, each board with the ruling on every act.
    """
    edition = ruled.edition
    yield page.paint(edition.name, "bold")
    yield from page.wrap(f"{edition.heading}; {ruled.file}", 2)
    yield ""
    if ruled.boards:
        yield from table([_row(board, page) for board in ruled.boards], _HEADS, page)
        yield ""
    if explained:
        for board in ruled.boards:
            if board.auction is not None:
                yield page.rule(f"board {board.board.number or _NOTHING}")
                yield from rulings_text(board.auction, page, explained=True)
                yield ""
    findings = [*ruled.findings, *(finding for board in ruled.boards for finding in board.findings)]
    findings.sort(key=lambda finding: (0, 0) if finding.span is None else (finding.span.line, finding.span.column))
    shown = render(findings, colour=page.colour, width=page.width, source=lambda _: ruled.text)
    if shown:
        yield from shown.splitlines()
        yield ""
    yield from page.wrap(summary_line(ruled))


_HEADS: Final = ("board", "line", "dealer", "the auction", "contract", "declarer", "verdicts")


def _row(ruled: RuledBoard, page: Page) -> tuple[str, ...]:
    board = ruled.board
    return (
        board.number or _NOTHING,
        _NOTHING if board.span is None else str(board.span.line),
        _NOTHING if board.dealer is None else str(board.dealer),
        _outcome(ruled),
        _agreement(ruled.contract_agrees, board.value(CONTRACT), page),
        _agreement(ruled.declarer_agrees, board.value(DECLARER), page),
        ", ".join(f"{number} {name}" for name, number in _verdicts(ruled).items()) or _NOTHING,
    )


def _outcome(ruled: RuledBoard) -> str:
    """How the auction ends."""
    auction = ruled.auction
    if auction is None:
        return "none" if ruled.board.auction is None else "not ruled"
    status = auction.status.replace("-", " ") if auction.contract is None else str(auction.contract)
    return f"{status}, cut short" if ruled.is_cut else status


def _agreement(agrees: bool | None, value: str | None, page: Page) -> str:
    """A tag's value, and whether it is what the auction makes it."""
    if not value and agrees is None:
        return _NOTHING
    style: Style = "plain" if agrees is None else "legal" if agrees else "refused"
    text = f"{value or 'nobody'}{'' if agrees is None else ' agrees' if agrees else ' differs'}"
    return page.paint(text, style)


def summary_line(ruled: RuledFile) -> str:
    """How many boards and findings there are, in one sentence."""
    found = _summary_json(ruled)
    calls = ", ".join(f"{found[verdict.value]} {verdict.value}" for verdict in Verdict if found[verdict.value])
    problems = ", ".join(_count(found[key], key.removesuffix("s")) for key in ("errors", "warnings") if found[key])
    parts = [
        f"{_count(found['boards'], 'board')}: {found['without_findings']} without findings",
        *([f"{found['without_an_auction']} without an auction"] if found["without_an_auction"] else []),
    ]
    return f"{', '.join(parts)}; acts: {calls or 'none'}; {problems or 'no findings'}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
