"""Editions that are not there: the message, with the file that was probably meant to be the edition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lawbook.diagnostics import Diagnostic, Label, Severity, Span, nearest
from lawbook.edition.library import Library, beginning_of

WHERE_EDITIONS_LIE: Final = "editions lie in the folder that `--laws` names, or in `editions` there"
_SAYS: Final = re.compile(r"^edition:[ \t]*[\"']?([a-z0-9-]+)", re.MULTILINE)


def no_edition(library: Library, identifier: str, span: Span | None = None) -> Diagnostic:
    """That there is no edition of that name; `span` is where it is named in a file."""
    message = f"there is no edition `{identifier}`"
    for label, to_do in _meant_to_be(library, identifier):
        return Diagnostic("unknown-edition", Severity.ERROR, message, span, (label,), to_do)
    files = library.edition_files()
    help = f"the editions are: {', '.join(files)}" if span is None else None
    suggestion = nearest(identifier, files)
    return Diagnostic("unknown-edition", Severity.ERROR, message, span, help=help, suggestion=suggestion)


def _meant_to_be(library: Library, identifier: str) -> Iterator[tuple[Label, str]]:
    """The files that are not read as the edition and were perhaps meant to be, the likeliest first; and what to do."""
    file = f"{identifier}.yaml"
    listed = [path for folder in library.editions for ending in ("yaml", "yml") for path in folder.glob(f"*.{ending}")]
    texts = {path: text for path in sorted(listed) if (text := beginning_of(path)) is not None}
    for path, text in texts.items():
        if (said := _SAYS.search(text)) is not None and said[1] == identifier:
            where = _place(library, path, text, *said.span(1))
            yield Label(where, "this file calls itself so"), f"an edition is known by its file: name it {file}"
    for path, text in texts.items():
        if path.stem == identifier and (not text.strip() or library.kind(path) == "edition"):
            where = Span(library.shown(path), 1, 1, 1, 1)
            yield Label(where, "this file has its name, and does not say so"), f"write `edition: {identifier}` in it"
    for path in (path for folder in (*library.editions, *library.laws) for path in sorted(folder.rglob(file))):
        text = beginning_of(path) or ""
        if (said := _SAYS.search(text)) is not None:
            where = _place(library, path, text, *said.span(1))
            yield Label(where, "this one lies elsewhere"), WHERE_EDITIONS_LIE


def _place(library: Library, path: Path, text: str, start: int, end: int) -> Span:
    line, column = text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1
    return Span(library.shown(path), line, column, line, column + end - start)
