"""The one error of this package, and the collector that raises it.

Every stage gathers its problems in a `Collector` and raises them together, so that an editor sees all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from lawbook.diagnostics import Diagnostic, Label, Severity, Span


class LawbookError(Exception):
    """What was read or asked cannot be worked with; `diagnostics` says why, with places and help.

    Its text is the messages, one a line.
    """

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        # The argument is handed on so that the error can be pickled to another process.
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(diagnostic.message for diagnostic in self.diagnostics)


class Collector:
    """Gathers the diagnostics of one stage."""

    def __init__(self) -> None:
        # A dictionary keeps the order of arrival and drops what is said twice.
        self._gathered: dict[Diagnostic, None] = {}

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        labels: Iterable[Label] = (),
        help: str | None = None,
        suggestion: str | None = None,
        law: str | None = None,
        clause: str | None = None,
    ) -> None:
        """Note an error; the arguments are the fields of `Diagnostic`."""
        self.add(Diagnostic(code, Severity.ERROR, message, span, tuple(labels), help, suggestion, law, clause))

    def warning(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        labels: Iterable[Label] = (),
        help: str | None = None,
        suggestion: str | None = None,
        law: str | None = None,
        clause: str | None = None,
    ) -> None:
        """Note a warning; the arguments are the fields of `Diagnostic`."""
        self.add(Diagnostic(code, Severity.WARNING, message, span, tuple(labels), help, suggestion, law, clause))

    def add(self, diagnostic: Diagnostic) -> None:
        """Note a diagnostic made elsewhere."""
        self._gathered.setdefault(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Note diagnostics made elsewhere, for instance those of a caught `LawbookError`."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that was noted, each once, by file, line and column; what has no place comes first."""
        return tuple(sorted(self._gathered, key=_place))

    @property
    def is_empty(self) -> bool:
        """Whether nothing was noted."""
        return not self._gathered

    @property
    def has_errors(self) -> bool:
        """Whether an error, and not only warnings, was noted."""
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self._gathered)

    def raise_if_errors(self) -> None:
        """Raise a `LawbookError` with all diagnostics, the warnings too, if there is an error among them."""
        if self.has_errors:
            raise LawbookError(self.diagnostics)


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    span = diagnostic.span
    return ("", 0, 0) if span is None else (span.file, span.line, span.column)
