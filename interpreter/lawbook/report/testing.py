"""What the examples showed, as a dictionary and as text: how many hold, and of each that fails, why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lawbook.diagnostics import Diagnostic
from lawbook.examples import Example, Outcome
from lawbook.examples.changed import Declared
from lawbook.examples.failing import Look
from lawbook.explain import Condition
from lawbook.report import SCHEMA
from lawbook.report.findings import counted
from lawbook.report.layout import Page
from lawbook.sentences import law_name


@dataclass(frozen=True, slots=True)
class Failure:
    """A failing example, the message about it, and the clauses it turns on."""

    outcome: Outcome
    diagnostic: Diagnostic
    looks: tuple[Look, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """What the examples of an edition showed: how many hold, which come out otherwise as the edition declares, which
    fail, and what is wrong with what it declares.

    `otherwise` are those that speak of other readings than the edition takes and hold only under those; `left_out` is
    how many were not run, for they name readings that the edition does not take.
    """

    edition: str
    passed: int
    changed: tuple[tuple[Outcome, Declared], ...]
    failed: tuple[Failure, ...]
    stale: tuple[Diagnostic, ...] = ()
    otherwise: tuple[Outcome, ...] = ()
    left_out: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether nothing fails."""
        return not self.failed and not self.stale


# -- for other programs ------------------------------------------------------------------------------------------------


def test_json(tallies: Sequence[Tally]) -> dict[str, object]:
    """What the examples showed, with the keys of `test.schema.json`."""
    return {
        "schema": SCHEMA,
        "passed": sum(t.passed for t in tallies),
        "failed": sum(len(t.failed) for t in tallies),
        "editions": [
            {
                "edition": t.edition,
                "passed": t.passed,
                "changed": len(t.changed),
                "otherwise": len(t.otherwise),
                "failed": len(t.failed),
                "left_out": t.left_out,
            }
            for t in tallies
        ],
        "failures": [_failure_json(failure) for tally in tallies for failure in tally.failed],
        "changes": [_change_json(outcome, said) for tally in tallies for outcome, said in tally.changed],
        "otherwise": [_otherwise_json(outcome) for tally in tallies for outcome in tally.otherwise],
        "stale": [diagnostic.as_json() for tally in tallies for diagnostic in tally.stale],
    }


def _failure_json(failure: Failure) -> dict[str, object]:
    return {
        **_outcome_json(failure.outcome),
        "clauses": [look_json(look) for look in failure.looks],
        "diagnostic": failure.diagnostic.as_json(),
    }


def _change_json(outcome: Outcome, said: Declared) -> dict[str, object]:
    return {**_outcome_json(outcome), "declared_by": said.by, "reason": said.because}


def _otherwise_json(outcome: Outcome) -> dict[str, object]:
    assert outcome.own is not None
    return {**_outcome_json(outcome.own), "holds_under": outcome.edition}


def _outcome_json(outcome: Outcome) -> dict[str, object]:
    return {
        "edition": outcome.edition,
        "example": outcome.example.that,
        "file": outcome.example.file,
        "mismatches": [{"key": m.key, "expected": m.expected, "found": m.found} for m in outcome.mismatches],
    }


def look_json(look: Look) -> dict[str, object]:
    """A clause as an example found it."""
    return {
        "law": None if look.clause is None else look.clause.law.number,
        "clause": look.name,
        "expected": look.expected,
        "applies": look.applies,
        "reason": look.reason,
        "conditions": [
            {"part": part, "condition": c.text, "holds": c.holds, "values": dict(c.values)}
            for part, conditions in (("if", look.conditions), ("unless", look.unless))
            for c in conditions
        ],
    }


# -- for a reader ------------------------------------------------------------------------------------------------------


def failure_lines(failure: Failure, page: Page) -> Iterator[str]:
    """What a failing example turns on, to stand below its message."""
    example = failure.outcome.example
    if isinstance(example, Example):
        yield from page.wrap(f"after  {example.notation or 'no act'}  (dealer {example.dealer})", 4, 11)
    for look in failure.looks:
        yield from look_lines(look, page)


def look_lines(look: Look, page: Page) -> Iterator[str]:
    """A clause as an example found it, and its conditions."""
    cited = look.name if look.clause is None else f"{law_name(look.clause.law.number)}, {look.name},"
    match look.expected, look.applies:
        case True, True:
            said = "applies, as it should"
        case True, False:
            said = "should apply and does not"
        case False, True:
            said = "applies and should not"
        case False, False:
            said = "does not apply"
        case _, True:
            said = "applies"
        case _:
            said = "does not apply"
    yield from page.wrap(f"{cited} {said}" + (f": {look.reason}" if look.reason else ""), 4, 6)
    for condition in look.conditions:
        yield from _condition_lines(condition, "", page)
    for condition in look.unless:
        yield from _condition_lines(condition, "unless ", page)


def _condition_lines(condition: Condition, part: str, page: Page) -> Iterator[str]:
    """A condition with whether it holds, and the value of each part of it."""
    answers = {True: "yes", False: "no ", None: "not asked"}
    values = ", ".join(f"{name} {value}" for name, value in condition.values)
    text = f"{answers[condition.holds]}  {part}{condition.text}" + (f"  [{values}]" if values else "")
    yield from page.wrap(text, 6, 11)


def otherwise_lines(tally: Tally, page: Page) -> Iterator[str]:
    """The examples of an edition that hold only as it does not read the laws."""
    if not tally.otherwise:
        return
    several = len(tally.otherwise) > 1
    said = f"{'These hold' if several else 'This holds'} only under other readings than those of {tally.edition}:"
    yield from page.wrap(said)
    under = ""
    for outcome in sorted(tally.otherwise, key=lambda outcome: (outcome.edition, outcome.example.file)):
        if outcome.edition != under:
            under = outcome.edition
            yield from page.wrap(f"under {under}", 2, 4)
        yield from page.wrap(f"{outcome.example.that} ({outcome.example.file})", 4, 6)
    yield ""


def test_summary(tallies: Sequence[Tally], page: Page) -> Iterator[str]:
    """A line for each edition, and how many examples passed and failed in all."""
    width = max((len(t.edition) for t in tallies), default=0)
    for tally in tallies:
        told = [f"{tally.passed} passed"]
        told += [f"{len(tally.changed)} changed as declared"] if tally.changed else []
        told += [f"{len(tally.otherwise)} otherwise by its readings"] if tally.otherwise else []
        told += [f"{len(tally.failed)} failed"] if tally.failed else []
        told += [counted(len(tally.stale), "wrong declaration")] if tally.stale else []
        told += [f"{tally.left_out} of other readings left out"] if tally.left_out else []
        line = f"{tally.edition:<{width}}  {', '.join(told)}"
        if len(line) <= page.width:
            yield line
        else:
            yield tally.edition
            yield from page.wrap(", ".join(told), 2, 4)
    failed = sum(len(t.failed) for t in tallies)
    whole = sum(t.passed + len(t.changed) + len(t.otherwise) + len(t.failed) for t in tallies)
    every = all(t.is_clean and not t.otherwise for t in tallies)
    found = f"{failed} failed" if failed else "all pass" if every else "none failed"
    yield f"{counted(whole, 'example')}: {found}"
