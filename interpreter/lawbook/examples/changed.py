"""Examples that an edition changes: those of a code it is based on which come out otherwise under it, and say so.

An edition based on another runs the other's examples too. Where its own laws change what one of them shows, its file
declares that, with the reason, under `changed examples`; a change that is not declared is a failure, and so is a
declaration of what has not changed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lawbook.diagnostics import Diagnostic, Severity, Span, nearest
from lawbook.edition.declarations import entries
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.edition.nodes import text_of, texts_of
from lawbook.errors import Collector
from lawbook.examples.reading import Shown
from lawbook.examples.running import Outcome, as_diagnostic
from lawbook.formatting.scalars import written
from lawbook.source.reader import Scalar

KEY: Final = "changed examples"


@dataclass(frozen=True, slots=True)
class Declared:
    """One declaration: examples of a law file (all of it, if none is named) come out otherwise, and why."""

    by: str
    file: str
    that: Mapping[str, Span]
    because: str
    span: Span

    def covers(self, example: Shown) -> bool:
        """Whether it speaks of an example."""
        return example.file == self.file and (not self.that or example.that in self.that)


@dataclass(frozen=True, slots=True)
class Sorted:
    """Outcomes sorted: those that hold, those that hold only as a code is read that the edition reads otherwise, those
    that come out otherwise as declared, those that fail, and what is wrong with the declarations."""

    passed: tuple[Outcome, ...]
    otherwise: tuple[Outcome, ...]
    changed: tuple[tuple[Outcome, Declared], ...]
    failed: tuple[Outcome, ...]
    stale: tuple[Diagnostic, ...]

    @property
    def undeclared(self) -> tuple[Outcome, ...]:
        """The failing examples of a code the edition is based on."""
        return tuple(outcome for outcome in self.failed if outcome.error is None and outcome.inherited)


def declared_by(library: Library, edition: Edition) -> tuple[Declared, ...]:
    """What an edition, and those it is based on, declare to have changed."""
    found: list[Declared] = []
    problems = Collector()
    for name in edition.chain:
        node = library.load(library.edition(name), "edition", problems)
        for item in entries(node, KEY):
            of, that = item.get("of"), {s.text: s.span for s in texts_of(item.get("that"))}
            span = of.span if isinstance(of, Scalar) else item.span
            found.append(Declared(name, text_of(of), that, text_of(item.get("because")), span))
    problems.raise_if_errors()
    return tuple(found)


def sort(outcomes: Iterable[Outcome], edition: Edition, library: Library) -> Sorted:
    """Sort the outcomes of an edition's examples by what it declares to have changed."""
    declared = declared_by(library, edition) if len(edition.chain) > 1 else ()
    passed, otherwise, failed = [], [], []
    changed: list[tuple[Outcome, Declared]] = []
    run: list[Outcome] = []
    for outcome in outcomes:
        run.append(outcome)
        said = None
        if outcome.inherited and outcome.error is None:
            said = next((d for d in declared if d.covers(outcome.example)), None)
        if outcome.passed and outcome.own is None:
            passed.append(outcome)
        elif outcome.passed and said is None:
            otherwise.append(outcome)
        elif said is not None:
            changed.append((outcome, said))
        else:
            failed.append(outcome)
    stale = tuple(_stale([d for d in declared if d.by == edition.id], run, edition))
    return Sorted(tuple(passed), tuple(otherwise), tuple(changed), tuple(failed), stale)


def _stale(declared: Iterable[Declared], run: Sequence[Outcome], edition: Edition) -> Iterator[Diagnostic]:
    """Declarations of examples that there are not, or that have not changed."""
    for one in declared:
        there = [outcome for outcome in run if outcome.inherited and outcome.example.file == one.file]
        if not there:
            inherited = {outcome.example.file for outcome in run if outcome.inherited}
            message = f"no example of {one.file} is inherited by {edition.id}"
            yield _error("unknown-example", message, one.span, nearest(one.file, inherited))
        elif not one.that and all(map(_holds, there)):
            yield _error("example-not-changed", f"every example of {one.file} still holds under {edition.id}", one.span)
        for that, span in one.that.items() if there else ():
            mine = [outcome for outcome in there if outcome.example.that == that]
            if not mine:
                known = {outcome.example.that for outcome in there}
                yield _error("unknown-example", f"no example of {one.file} is called so", span, nearest(that, known))
            elif all(map(_holds, mine)):
                yield _error("example-not-changed", f"the example still holds under {edition.id}", span)


def _holds(outcome: Outcome) -> bool:
    return outcome.passed and outcome.own is None


def _error(code: str, message: str, span: Span, suggestion: str | None = None) -> Diagnostic:
    help = "take it out of the list" if code == "example-not-changed" else None
    return Diagnostic(code, Severity.ERROR, message, span, help=help, suggestion=suggestion)


def diagnostic_of(outcome: Outcome, edition: Edition) -> Diagnostic:
    """A failing example as a diagnostic; one that the edition changes without saying so tells how to say so."""
    if not outcome.inherited or outcome.error is not None:
        return as_diagnostic(outcome)
    failed = as_diagnostic(outcome)
    return Diagnostic(
        "example-changed",
        Severity.ERROR,
        failed.message,
        failed.span,
        failed.labels,
        help=f"if that is meant, declare it under `{KEY}` in {edition.id}.yaml; "
        f"`lawbook test {edition.id} --changes` writes out how",
    )


def declaration(outcomes: Iterable[Outcome], width: int) -> Iterator[str]:
    """Lines for an edition's file that declare these outcomes, file by file, with the reasons left to be written; none
    is longer than the width where its words are not."""
    by_file: dict[str, list[str]] = {}
    for outcome in outcomes:
        told = by_file.setdefault(outcome.example.file, [])
        if outcome.example.that not in told:
            told.append(outcome.example.that)
    if by_file:
        yield f"{KEY}:"
    for file, thats in by_file.items():
        yield f"  - of: {file}"
        yield "    that:"
        for that in thats:
            yield from textwrap.wrap(
                f"- {written(that)}",
                width,
                initial_indent=" " * 6,
                subsequent_indent=" " * 8,
                break_on_hyphens=False,
                break_long_words=False,
            )
        yield "    because: "
