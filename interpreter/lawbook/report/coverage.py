"""Coverage as a dictionary and as text: what the examples show law by law, what they do not show, why, and an example
that would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lawbook.coverage.goals import Goal, Key, What
from lawbook.coverage.measuring import Coverage
from lawbook.coverage.offers import DealOffer, Looked, Offer
from lawbook.coverage.reasons import Reason, Why
from lawbook.edition.model import Clause, Edition, Kind, Law
from lawbook.errors import LawbookError
from lawbook.examples.drafting import Draft, draft, draft_of_deals
from lawbook.report import SCHEMA
from lawbook.report.findings import counted
from lawbook.report.layout import Page, command_lines, padded
from lawbook.sentences import law_name, order_of

# What is counted, as the head of its column.
_COUNTED: Final = ("clauses", "conditions", "exceptions", "choices")


@dataclass(frozen=True, slots=True)
class Covered:
    """The coverage of one edition, why the missing is missing, and what was found that shows it."""

    coverage: Coverage
    reasons: dict[Key, Reason]
    looked: Looked

    @property
    def can_be_shown(self) -> tuple[Goal, ...]:
        """What no example shows although an auction or a deal was found that does."""
        return tuple(goal for goal in self.coverage.missing if goal.key in self.looked.offers)


@dataclass(frozen=True, slots=True)
class Count:
    """How many of so many are shown."""

    shown: int
    whole: int

    def __str__(self) -> str:
        return f"{self.shown}/{self.whole}" if self.whole else "-"


def _column(goal: Goal) -> str:
    match goal.what:
        case What.APPLIES:
            return "exceptions" if goal.clause.kind is Kind.EXCEPTION else "clauses"
        case What.SETS_ASIDE:
            return "exceptions"
        case What.CHOSEN:
            return "choices"
        case _:
            return "conditions"


def counts(goals: Iterable[Goal], coverage: Coverage) -> dict[str, Count]:
    """How many of these goals are shown, by what they are of; a condition is two, true and false."""
    found = {column: [0, 0] for column in _COUNTED}
    for goal in goals:
        found[_column(goal)][0] += goal.key in coverage.shown
        found[_column(goal)][1] += 1
    return {column: Count(shown, whole) for column, (shown, whole) in found.items()}


def _by_law(coverage: Coverage) -> list[tuple[Law, list[Goal]]]:
    found: dict[str, tuple[Law, list[Goal]]] = {}
    for goal in coverage.goals.values():
        law = goal.clause.law
        found.setdefault(law.file, (law, []))[1].append(goal)
    return sorted(found.values(), key=lambda pair: order_of(pair[0]))


# -- for other programs ------------------------------------------------------------------------------------------------


def coverage_json(found: Sequence[Covered]) -> dict[str, object]:
    """What the examples show, with the keys of `test-coverage.schema.json`."""
    return {"schema": SCHEMA, "editions": [_edition_json(covered) for covered in found]}


def _edition_json(covered: Covered) -> dict[str, object]:
    coverage = covered.coverage
    return {
        "edition": coverage.name,
        "read_as": list(coverage.editions),
        "examples": len(coverage.traces),
        "failed": len(coverage.failed),
        "changed": coverage.changed,
        "totals": _counts_json(counts(coverage.goals.values(), coverage)),
        "laws": [
            {"law": law.number, "topic": law.topic, "file": law.file, **_counts_json(counts(goals, coverage))}
            for law, goals in _by_law(coverage)
        ],
        "missing": [_missing_json(goal, covered) for goal in coverage.missing],
        "tried": covered.looked.tried,
    }


def _counts_json(found: dict[str, Count]) -> dict[str, object]:
    return {column: {"shown": count.shown, "whole": count.whole} for column, count in found.items()}


def _missing_json(goal: Goal, covered: Covered) -> dict[str, object]:
    reason, span, offer = covered.reasons[goal.key], goal.clause.span, covered.looked.offers.get(goal.key)
    return {
        "law": goal.clause.law.number,
        "clause": goal.clause.id,
        "file": span.file,
        "line": span.line if goal.leaf is None else goal.leaf.line,
        "what": goal.what.value,
        "part": goal.part or None,
        "text": goal.text or None,
        "why": reason.why.value,
        "reason": reason.text,
        "offer": None if offer is None else offer_json(offer, covered.coverage),
    }


def offer_json(offer: Offer | DealOffer, coverage: Coverage, also: Sequence[str] = ()) -> dict[str, object]:
    """What was found, with the example it would make."""
    found = drafted(offer, coverage.editions[offer.edition], also)
    told: dict[str, object] = {"edition": offer.edition, "example": None if found is None else found.as_json()}
    if isinstance(offer, DealOffer):
        return {**told, "deals": [dict(deal) for deal in offer.deals]}
    return {**told, "auction": offer.auction, "act": offer.act}


def drafted(offer: Offer | DealOffer, edition: Edition, also: Sequence[str] = ()) -> Draft | None:
    """The example that what was found would make; None where nothing can be said of it."""
    try:
        if isinstance(offer, DealOffer):
            return draft_of_deals(edition, offer.deals, also)
        return draft(edition, offer.auction, offer.act, also=also)
    except LawbookError:
        return None


# -- for a reader ------------------------------------------------------------------------------------------------------


def coverage_text(covered: Covered, page: Page) -> Iterator[str]:
    """What the examples of one edition show: a line for each law, then what is missing."""
    coverage = covered.coverage
    others = len(coverage.editions) - 1
    yield page.paint(coverage.name, "bold")
    said = counted(len(coverage.traces), "example")
    said += f", under this and {counted(others, 'other reading')}" if others else ""
    said += f"; {len(coverage.failed)} fail" if coverage.failed else ""
    said += f"; {coverage.changed} changed as declared, which show nothing" if coverage.changed else ""
    yield from page.wrap(said, 2)
    yield ""
    rows = [(f"{law_name(law.number)}  {law.topic}", counts(goals, coverage)) for law, goals in _by_law(coverage)]
    rows.append(("all", counts(coverage.goals.values(), coverage)))
    yield from _table(rows, page)
    if coverage.missing:
        yield ""
        yield page.rule("not shown")
    last: Clause | None = None
    for goal in coverage.missing:
        if last is None or (last.span.file, last.span.line) != (goal.clause.span.file, goal.clause.span.line):
            last = goal.clause
            yield from page.wrap(f"{law_name(last.law.number)}, {last.id}  {last.span.file}:{last.span.line}", 0, 2)
        yield from _missing_lines(goal, covered, page)


def _table(rows: Sequence[tuple[str, dict[str, Count]]], page: Page) -> Iterator[str]:
    widths = [max(len(column), *(len(str(found[column])) for _, found in rows)) for column in _COUNTED]
    first = min(max(len(name) for name, _ in rows), page.width - sum(widths) - 2 * len(widths))
    heads = "  ".join(f"{column:>{width}}" for column, width in zip(_COUNTED, widths, strict=True))
    yield page.paint(f"{'':<{first}}  {heads}", "dim")
    for name, found in rows:
        cells = []
        for column, width in zip(_COUNTED, widths, strict=True):
            count = found[column]
            text = f"{count!s:>{width}}"
            cells.append(page.paint(text, "irregular") if count.shown < count.whole else text)
        shown = name if len(name) <= first else name[: first - 3] + "..."
        yield f"{padded(shown, first)}  {'  '.join(cells)}"


_LACKS: Final = {
    What.APPLIES: "it never applies",
    What.HOLDS: "never true",
    What.FAILS: "never false",
    What.SETS_ASIDE: "its `unless` never sets it aside",
    What.CHOSEN: "never chosen",
}


def _missing_lines(goal: Goal, covered: Covered, page: Page) -> Iterator[str]:
    reason = covered.reasons[goal.key]
    lacks = _LACKS[goal.what] + (f": {goal.text}" if goal.text else "")
    where = f" ({goal.part})" if goal.leaf is not None and goal.part != "if" else ""
    yield from page.wrap(f"{lacks}{where}", 2, 4)
    proved = "proved unreachable: " if reason.why is Why.UNREACHABLE else ""
    yield from page.wrap(f"{proved}{reason.text}", 4)
    offer = covered.looked.offers.get(goal.key)
    if offer is not None:
        yield from offer_lines(offer, goal.clause, covered.coverage, page)
    elif reason.why is not Why.UNREACHABLE and covered.looked.most:
        yield f"    nothing found that shows it within {covered.looked.most:,} acts"


def offer_lines(
    offer: Offer | DealOffer,
    clause: Clause,
    coverage: Coverage,
    page: Page,
    also: Sequence[str] = (),
    said: str = "shown by",
) -> Iterator[str]:
    """What was found: the command that would add it, or the lines that would."""
    found = drafted(offer, coverage.editions[offer.edition], also)
    if isinstance(offer, Offer):
        yield f"    {said}:"
        command = ["lawbook example add", offer.edition, f'"{offer.auction}"', offer.act, f"--law {clause.law.topic}"]
        command += ["--also", ",".join(also).replace(" ", "-")] if also else []
        yield from command_lines(command, page.width, 6)
    elif found is not None:
        editions = () if offer.edition == coverage.name else (offer.edition,)
        told = found.with_("editions", editions) if editions else found
        yield f"    {said}, under `deals`:"
        yield from told.lines(6)
