"""The mutation score as a dictionary and as text: how the mutants fared, and what would kill those that survived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lawbook.coverage.measuring import Coverage
from lawbook.edition.model import Clause
from lawbook.mutants.judging import Fate, Judged, Score
from lawbook.mutants.making import Change
from lawbook.report import SCHEMA
from lawbook.report.coverage import offer_json, offer_lines
from lawbook.report.layout import Page
from lawbook.sentences import law_name

_FATES: Final = (Fate.KILLED, Fate.REFUSED, Fate.EQUIVALENT, Fate.SURVIVED)

_HEADS: Final = ("mutants", *(fate.value for fate in _FATES))


# -- for other programs ------------------------------------------------------------------------------------------------


def mutants_json(found: Sequence[tuple[Score, Coverage]], most_acts: int) -> dict[str, object]:
    """How the mutants fared, with the keys of `test-mutants.schema.json`."""
    return {
        "schema": SCHEMA,
        "acts": most_acts,
        "editions": [
            {
                "edition": score.edition,
                "mutants": score.whole,
                "judged": len(score.judged),
                "score": round(score.share, 4),
                "totals": {fate.value: score.of(fate) for fate in _FATES},
                "changes": {change.value: {fate.value: score.of(fate, change) for fate in _FATES} for change in Change},
                "results": [_judged_json(judged, coverage) for judged in score.judged],
            }
            for score, coverage in found
        ],
    }


def _judged_json(judged: Judged, coverage: Coverage) -> dict[str, object]:
    mutant, span = judged.mutant, judged.mutant.clause.span
    killer = judged.killed_by
    return {
        "law": mutant.clause.law.number,
        "clause": mutant.clause.id,
        "file": span.file,
        "line": span.line if mutant.leaf is None else mutant.leaf[0],
        "change": mutant.change.value,
        "text": mutant.text,
        "fate": judged.fate.value,
        "killed_by": None
        if killer is None
        else {"example": killer.that, "file": killer.file, "line": killer.span.line, "under": judged.under},
        "offer": None if judged.offer is None else offer_json(judged.offer, coverage, judged.also),
    }


# -- for a reader ------------------------------------------------------------------------------------------------------


def mutants_text(score: Score, coverage: Coverage, most_acts: int, page: Page) -> Iterator[str]:
    """How the mutants of an edition fared: a line for each kind of change, then those that survived."""
    yield page.paint(score.edition, "bold")
    said = (
        f"{score.whole:,} mutants"
        if len(score.judged) == score.whole
        else (f"{len(score.judged):,} of {score.whole:,} mutants")
    )
    yield from page.wrap(f"{said}, put to {len(coverage.traces)} examples", 2)
    yield ""
    width = max(len(change.value) for change in Change)
    yield page.paint(f"{'':<{width}}  {'  '.join(_HEADS)}", "dim")
    for change in Change:
        row = [score.of(fate, change) for fate in _FATES]
        if any(row):
            yield _row(change.value, row, width, page)
    yield _row("all", [score.of(fate) for fate in _FATES], width, page)
    yield ""
    yield from page.wrap(
        f"score {score.share:.1%}: so many of the mutants fail an example, those apart that the checker would refuse "
        "or that are proved to be the same law"
    )
    if score.survivors:
        yield ""
        yield page.rule("no example notices")
    last: Clause | None = None
    for judged in score.survivors:
        clause = judged.mutant.clause
        if last is not clause:
            last = clause
            yield from page.wrap(
                f"{law_name(clause.law.number)}, {clause.id}  {clause.span.file}:{clause.span.line}", 0, 2
            )
        text = judged.mutant.change.value + (f": {judged.mutant.text}" if judged.mutant.text else "")
        yield from page.wrap(text, 2, 4)
        if judged.offer is not None:
            yield from offer_lines(judged.offer, clause, coverage, page, judged.also, "told apart by")
        elif most_acts:
            yield f"    nothing found that tells it from the law within {most_acts:,} acts"


def _row(name: str, row: Sequence[int], width: int, page: Page) -> str:
    cells = [f"{number:>{len(head)},}" for number, head in zip((sum(row), *row), _HEADS, strict=True)]
    if row[-1]:
        cells[-1] = page.paint(cells[-1], "irregular")
    return f"{name:<{width}}  {'  '.join(cells)}"
