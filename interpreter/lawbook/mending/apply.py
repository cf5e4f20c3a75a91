"""Fixes carried out: the text of a file in, the mended text out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lawbook.diagnostics import Diagnostic, Edit, Span
from lawbook.source.text import Places


@dataclass(frozen=True, slots=True)
class Mended:
    """One thing that was mended: of which code, where it lay, and what was done."""

    code: str
    span: Span
    title: str
    safe: bool

    def as_json(self) -> dict[str, object]:
        """It as a dictionary with the keys code, span, title and safe."""
        return {"code": self.code, "span": self.span.as_json(), "title": self.title, "safe": self.safe}


def mend(
    diagnostics: Iterable[Diagnostic], texts: Mapping[str, str], *, unsafe: bool
) -> tuple[dict[str, str], tuple[Mended, ...]]:
    """The files that change, each with its new text, and what was mended in them.

    Of each diagnostic the first fix is carried out that is allowed, in the files whose `texts` are given; one that
    meets an edit made already is left for the next time. Everything outside of the edits stays as it was.
    """
    edits: dict[str, list[tuple[int, int, str]]] = {}
    places = {file: Places(text, file) for file, text in texts.items()}
    mended: list[Mended] = []
    for diagnostic in diagnostics:
        fix = next((f for f in diagnostic.fixes if (f.safe or unsafe) and f.edits[0].span.file in texts), None)
        if fix is None or diagnostic.span is None:
            continue
        file = fix.edits[0].span.file
        wanted = [_offsets(edit, places[file], texts[file]) for edit in fix.edits]
        taken = edits.setdefault(file, [])
        if any(_meet(one, other) for one in wanted for other in taken):
            continue
        taken.extend(wanted)
        mended.append(Mended(diagnostic.code, diagnostic.span, fix.title, fix.safe))
    changed = {file: _edited(texts[file], made) for file, made in edits.items() if made}
    return {file: text for file, text in changed.items() if text != texts[file]}, tuple(mended)


def _offsets(edit: Edit, places: Places, text: str) -> tuple[int, int, str]:
    span = edit.span
    start = places.start_of(span.line) + span.column - 1
    end = places.start_of(span.end_line) + span.end_column - 1
    line_end = "\r\n" if "\r\n" in text else "\n"
    return start, end, edit.text.replace("\n", line_end)


def _meet(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    """Whether two edits touch the same characters or are made in the same place."""
    return one[0] <= other[1] and other[0] <= one[1]


def _edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
