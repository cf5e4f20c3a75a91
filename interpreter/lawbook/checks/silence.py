"""Silences: where a file says, with a reason, that what a check would warn of is meant to be so.

A silence stands at the top of a file and holds for all of it, or in a clause and holds for that. One that silences
nothing is told, so that none outlives its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from lawbook.catalogue import codes
from lawbook.diagnostics import Diagnostic, Severity, Span, nearest
from lawbook.edition.declarations import entries
from lawbook.edition.nodes import text_of
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Scalar


@dataclass(frozen=True, slots=True)
class Silence:
    """One silence: what it silences, why, and in which lines of its file."""

    check: str
    reason: str
    span: Span
    first_line: int
    last_line: int

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Whether it silences this."""
        span = diagnostic.span
        return (
            span is not None
            and diagnostic.severity is Severity.WARNING
            and diagnostic.code == self.check
            and span.file == self.span.file
            and self.first_line <= span.line <= self.last_line
        )


@dataclass(slots=True)
class Silences:
    """The silences of all files that were looked at."""

    _by_file: dict[str, tuple[Silence, ...]] = field(default_factory=dict)
    _used: set[Silence] = field(default_factory=set)

    def add(self, file: MappingNode) -> None:
        """Add those of a file. Each file counts once, however often it is added."""
        if file.span.file not in self._by_file:
            self._by_file[file.span.file] = tuple(_silences_of(file))

    def keep(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """What is not silenced."""
        for diagnostic in diagnostics:
            file = None if diagnostic.span is None else diagnostic.span.file
            silencing = [s for s in self._by_file.get(file or "", ()) if s.covers(diagnostic)]
            self._used.update(silencing)
            if not silencing:
                yield diagnostic

    def findings(self, is_complete: Callable[[str], bool]) -> Iterator[Diagnostic]:
        """`unknown-check` and `needless-silence`; the latter in files of which every edition was looked at."""
        known = [code for code, stage in codes().items() if stage == "checks"]
        for file, silences in self._by_file.items():
            for silence in silences:
                if silence.check not in known:
                    yield _unknown(silence, known)
                elif silence not in self._used and is_complete(file):
                    message = f"nothing here gives the warning `{silence.check}`"
                    help = "take the silence away"
                    yield Diagnostic("needless-silence", Severity.WARNING, message, silence.span, help=help)


def _silences_of(file: MappingNode) -> Iterator[Silence]:
    yield from _listed(file, 1, file.span.end_line)
    for clause in entries(file, "clauses"):
        yield from _listed(clause, clause.span.line, clause.span.end_line)


def _listed(node: MappingNode, first: int, last: int) -> Iterator[Silence]:
    for item in entries(node, "silence"):
        check = item.get("check")
        if isinstance(check, Scalar):
            yield Silence(text_of(check), text_of(item.get("reason")), check.span, first, last)


def _unknown(silence: Silence, known: Collection[str]) -> Diagnostic:
    return Diagnostic(
        "unknown-check",
        Severity.ERROR,
        f"there is no check `{silence.check}` that could be silenced",
        silence.span,
        help="`lawbook explain` lists the checks under `checks beyond types`",
        suggestion=nearest(silence.check, known),
    )
