"""The lines of one recorded auction that stands in a PBN file in Lawbook's own notation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from lawbook.diagnostics import Label, Span
from lawbook.errors import Collector, LawbookError
from lawbook.formats.board import Ending, Entry, Record
from lawbook.formats.pbn_words import glyph_number, kind_of_piece, note_number
from lawbook.formats.scanner import Scanned, Text
from lawbook.notation import ALL_PASS, ArgumentKind, parse_auction
from lawbook.values import Act, Seat, shorten


class NotationReader:
    """Reads the words of a LawbookAuction section: an auction in Lawbook's own notation."""

    def __init__(self, source: Text, acts: Mapping[str, ArgumentKind], problems: Collector) -> None:
        self._source = source
        self._acts = acts
        self._problems = problems
        self._entries: list[Entry] = []
        self._comments: list[str] = []
        self._ending = Ending.PLAIN
        self._ending_span: Span | None = None

        self.references: list[tuple[int, Span]] = []
        """The numbers of the notes that acts refer to, with their places."""

    padding: Final = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been recorded."""
        return not self._entries

    def comment(self, text: str) -> None:
        """A comment on the act before it."""
        if self._entries:
            last = self._entries[-1]
            self._entries[-1] = replace(last, comments=(*last.comments, text))
        else:
            self._comments.append(text)

    def word(self, word: Scanned) -> None:
        """One act, or how the auction ends."""
        text = word.text or ""
        span = self._source.span(word.start, word.end)
        if self._ending is Ending.CUT:
            self._parsed(text, span)
            return
        if self._ending is not Ending.PLAIN:
            assert self._ending_span is not None
            self._problems.error(
                "call-after-end",
                f"nothing follows `{self._ending.value}` in a record",
                span,
                labels=[Label(self._ending_span, "the auction ends here")],
                help="where acts follow the last pass, write the passes one by one",
            )
            self._ending = Ending.CUT
            return
        if text in ("*", "+"):
            self._ending, self._ending_span = Ending(text), span
            return
        if (kind := kind_of_piece(text)) in ("note", "glyph", "suffix"):
            self._annotation(kind, text, span)
            return
        items = self._parsed(text, span)
        if items is None:
            self._ending, self._ending_span = Ending.CUT, span
            return
        for item in items:
            self._entries.append(Entry(item, span=span, token=text))

    def _annotation(self, kind: str, text: str, span: Span) -> None:
        if not self._entries:
            self._problems.error("annotation-misplaced", f"`{shorten(text)}` follows no act", span)
            return
        last = self._entries[-1]
        if kind == "note":
            if last.note is not None:
                self._problems.error("second-note", "an act refers to one note at most", span)
                return
            number = note_number(text)
            self._entries[-1] = replace(last, note=number)
            self.references.append((number, span))
            return
        glyph = glyph_number(text)
        if glyph is None:
            self._problems.error("unknown-annotation", f"`{shorten(text)}` is no annotation: they end at $255", span)
            return
        self._entries[-1] = replace(last, glyphs=tuple(sorted({*last.glyphs, glyph})))

    def _parsed(self, text: str, span: Span) -> list[Act] | None:
        try:
            tokens = parse_auction(text, acts=self._acts, at=span)
        except LawbookError as error:
            self._problems.extend(error.diagnostics)
            return None
        if any(token.act is ALL_PASS for token in tokens):
            if self._ending is Ending.PLAIN:
                self._ending, self._ending_span = Ending.ALL_PASS, span
            return []
        return [token.act for token in tokens if isinstance(token.act, Act)]

    def finish(self, first: Seat | None, span: Span) -> Record:
        """The auction; who made its first call makes no difference to it."""
        return Record(tuple(self._entries), self._ending, True, tuple(self._comments), span, self._ending_span)
