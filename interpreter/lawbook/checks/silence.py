"""Silences: where a file says, with a reason, that what a check would warn of is meant to be so.

A silence stands at the top of a file and holds for all of it, or in a clause and holds for that. In an edition it holds
for whatever is found in the edition, so that one can speak of laws that it has from another. One that silences nothing
is told, so that none outlives its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from lawbook.catalogue import codes
from lawbook.diagnostics import Diagnostic, Severity, Span, nearest
from lawbook.edition.declarations import entries
from lawbook.edition.memory import Memory
from lawbook.edition.nodes import text_of
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Scalar


@dataclass(frozen=True, slots=True)
class Silence:
    """One silence: what it silences, of which clause (None for any) and where that is named, why, and in which lines of
    its file; or in all files of an edition, if it stands in one."""

    check: str
    clause: str | None
    clause_span: Span | None
    reason: str
    span: Span
    first_line: int
    last_line: int
    edition: str | None

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Whether it silences this, which was found in a place for which it holds."""
        return (
            diagnostic.severity is Severity.WARNING
            and diagnostic.code == self.check
            and self.clause in (None, diagnostic.clause)
        )

    def holds_at(self, span: Span) -> bool:
        """Whether a place lies in its lines."""
        return span.file == self.span.file and self.first_line <= span.line <= self.last_line


@dataclass(slots=True)
class Silences:
    """The silences of all files that were looked at."""

    _by_file: dict[str, tuple[Silence, ...]] = field(default_factory=dict)
    _used: set[Silence] = field(default_factory=set)
    # The ids of the clauses in all files.
    _clauses: set[str] = field(default_factory=set)
    silenced: dict[Diagnostic, str] = field(default_factory=dict)
    """What was kept back so far, with the reason."""

    def add(self, file: MappingNode, memory: Memory) -> None:
        """Add those of a file. Each file counts once, however often it is added."""
        if file.span.file not in self._by_file:
            found = memory.recall(("silences", id(file)), file, lambda: tuple(_silences_of(file)))
            self._by_file[file.span.file] = found
            self._clauses.update(text_of(clause.get("id")) for clause in entries(file, "clauses"))

    def keep(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """What is not silenced in the file where it lies."""
        for diagnostic in diagnostics:
            span = diagnostic.span
            here = () if span is None else self._by_file.get(span.file, ())
            if not self._silence(diagnostic, (s for s in here if span is not None and s.holds_at(span))):
                yield diagnostic

    def keep_in(self, chain: tuple[str, ...], diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """What is not silenced in the edition in which it was found, or in one that this is based on."""
        here = [s for silences in self._by_file.values() for s in silences if s.edition in chain]
        for diagnostic in diagnostics:
            if not self._silence(diagnostic, here):
                yield diagnostic

    def _silence(self, diagnostic: Diagnostic, silences: Iterable[Silence]) -> bool:
        silencing = [silence for silence in silences if silence.covers(diagnostic)]
        self._used.update(silencing)
        for silence in silencing[:1]:
            self.silenced.setdefault(diagnostic, silence.reason)
        return bool(silencing)

    def findings(self, is_complete: Callable[[str], bool]) -> Iterator[Diagnostic]:
        """`unknown-check`; `unknown-clause` and `needless-silence` in files of which every edition was looked at."""
        known = [code for code, stage in codes().items() if stage == "checks"]
        for file, silences in self._by_file.items():
            for silence in silences:
                if silence.check not in known:
                    yield _unknown(silence, known)
                elif silence in self._used or not is_complete(file):
                    continue
                elif silence.clause is not None and silence.clause not in self._clauses:
                    message = f"there is no clause `{silence.clause}` here that could be silenced"
                    meant = nearest(silence.clause, self._clauses)
                    yield Diagnostic("unknown-clause", Severity.ERROR, message, silence.clause_span, suggestion=meant)
                else:
                    message = f"nothing here gives the warning `{silence.check}`"
                    help = "take the silence away"
                    yield Diagnostic("needless-silence", Severity.WARNING, message, silence.span, help=help)


def _silences_of(file: MappingNode) -> Iterator[Silence]:
    edition = text_of(file.get("edition")) or None
    yield from _listed(file, 1, file.span.end_line, edition)
    for clause in entries(file, "clauses"):
        yield from _listed(clause, clause.span.line, clause.span.end_line, None)


def _listed(node: MappingNode, first: int, last: int, edition: str | None) -> Iterator[Silence]:
    for item in entries(node, "silence"):
        check = item.get("check")
        if isinstance(check, Scalar):
            named = item.get("clause")
            clause, where = text_of(named) or None, None if named is None else named.span
            yield Silence(text_of(check), clause, where, text_of(item.get("reason")), check.span, first, last, edition)


def _unknown(silence: Silence, known: Collection[str]) -> Diagnostic:
    return Diagnostic(
        "unknown-check",
        Severity.ERROR,
        f"there is no check `{silence.check}` that could be silenced",
        silence.span,
        help="`lawbook explain` lists the checks under `checks beyond types`",
        suggestion=nearest(silence.check, known),
    )
