"""Where a law comes from, and where a file lies: laws without a source, files that hide others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lawbook.checks.subject import Subject
from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.edition.declarations import entries
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.edition.nodes import text_of
from lawbook.edition.taking import Taken

_NO_TEXT: Final = "text"


def check_places(subject: Subject) -> Iterator[Diagnostic]:
    """`missing-source`: a law that does not say where it is printed, or on what it rests."""
    for taken in subject.taken:
        law = taken.law
        if law.number is not None and not law.source.source and not subject.edition.source:
            message = f"nothing says where Law {law.number} is printed"
            yield _missing(taken, message, "write `source:` here, or once for all laws in the edition")
        if law.number is None and law.source.evidence == _NO_TEXT:
            message = "this law has no number, and nothing says on what it rests"
            yield _missing(taken, message, "write `evidence: custom`, or what else it rests on")


def _missing(taken: Taken, message: str, help: str) -> Diagnostic:
    law = taken.law
    places = (item for item in entries(taken.node, "in") if text_of(item.get("edition")) == law.source.edition)
    span = next((item.span for item in places), taken.node.span)
    return Diagnostic("missing-source", Severity.WARNING, message, span, help=help, law=law.number)


def hidden_files(library: Library, edition: Edition) -> Iterator[Diagnostic]:
    """`hides-another-file`: a file in a folder of one's own that is read in the place of another of the same name."""
    for kind, name, path in edition.files:
        folders = library.editions if kind == "edition" else library.laws
        file = f"{name}.yaml" if kind == "edition" else name
        others = [folder / file for folder in folders if str((folder / file).absolute()) != path]
        hidden = [other for other in others if other.is_file() and other.resolve() != Path(path).resolve()]
        if hidden:
            what = f"the edition `{name}`" if kind == "edition" else f"the file {name}"
            yield Diagnostic(
                "hides-another-file",
                Severity.WARNING,
                f"this is read in the place of {what} in {library.shown(hidden[0].parent)}",
                Span(library.shown(Path(path)), 1, 1, 1, 1),
                help="give it another name, unless it is meant to take that place",
            )
