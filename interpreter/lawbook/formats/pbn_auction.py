"""The lines of one recorded auction in PBN: calls, marks and annotations, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from lawbook.diagnostics import Label, Span
from lawbook.errors import Collector, LawbookError
from lawbook.formats.board import Ending, Entry, Record
from lawbook.formats.pbn_words import can_say, glyph_number, note_number, pieces_of, spelt
from lawbook.formats.scanner import Scanned, Text
from lawbook.values import Act, Bid, Call, Seat, shorten

_SPELLINGS: Final = re.compile(r"pass|x|xx|[1-7](nt?|[cdhs])", re.IGNORECASE | re.ASCII)


@dataclass(slots=True)
class _Cell:
    """A call as it is read, before it is known who made the first."""

    call: Call
    skipped: int
    insufficient: bool
    span: Span
    token: str
    note: int | None = None
    note_span: Span | None = None
    glyphs: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


class CallsReader:
    """Reads the words of an Auction section one by one."""

    def __init__(self, source: Text, problems: Collector) -> None:
        self._source = source
        self._problems = problems
        self._cells: list[_Cell] = []
        self._comments: list[str] = []
        self._ending = Ending.PLAIN
        self._ending_span: Span | None = None
        self._over_noted = False
        self._cut = False
        self._skips: list[Span] = []
        self._insufficient: Span | None = None
        self._annotates: _Cell | None = None
        self.padding = 0
        """How many cells were left empty before the first call."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been recorded: no call, and no seat that was skipped."""
        return not self._cells and not self._skips and self._ending in (Ending.PLAIN, Ending.STOPPED)

    @property
    def references(self) -> list[tuple[int, Span]]:
        """The numbers of the notes that calls refer to, with their places."""
        return [(c.note, c.note_span) for c in self._cells if c.note is not None and c.note_span is not None]

    def comment(self, text: str) -> None:
        """A comment on the call before it."""
        (self._cells[-1].comments if self._cells else self._comments).append(text)

    def word(self, word: Scanned) -> None:
        """What stands between white space: a call, a mark, annotations, or several of them run together."""
        text = word.text or ""
        span = self._source.span(word.start, word.end)
        pieces = pieces_of(text)
        if not pieces:
            self._refuse(text, span)
            return
        for kind, start, end in pieces:
            part, where = text[start:end], span.within(start, end)
            match kind:
                case "call":
                    if not self._call(part, where):
                        # The rest of a corrupt word would only be reported a second time.
                        return
                case "mark":
                    self._mark(part, where)
                case "end":
                    self._end(Ending(part), where)
                case _:
                    self._annotation(kind, part, where)

    # -- calls

    def _call(self, text: str, span: Span) -> bool:
        if text.strip("-") == "":
            self._pad(text, span)
            return True
        if text.upper() == "AP":
            self._no_marks("all pass")
            self._end(Ending.ALL_PASS, span)
            return True
        call = self._read(text, span)
        if call is None:
            return False
        if self._over(span) or self._cut:
            return True
        cell = _Cell(call, len(self._skips), self._is_marked(call), span, text)
        self._skips.clear()
        self._insufficient = None
        self._cells.append(cell)
        self._annotates = cell
        return True

    def _read(self, text: str, span: Span) -> Call | None:
        try:
            call = Call.parse(text)
        except LawbookError as error:
            (found,) = error.diagnostics
            self._refuse(text, span, found.suggestion)
            return None
        if not can_say(Act.of_call(call)):
            self._problems.error(
                "not-in-format",
                f"PBN has no call `{shorten(text)}`",
                span,
                help="an auction with such a call is kept under [LawbookAuction]",
            )
            self._stop()
            return None
        if not _SPELLINGS.fullmatch(text):
            self._problems.warning(
                "call-spelling", f"`{shorten(text)}` is not how PBN spells this call", span, suggestion=spelt(call)
            )
        return call

    def _refuse(self, text: str, span: Span, suggestion: str | None = None) -> None:
        if suggestion is not None:
            suggestion = spelt(Call.parse(suggestion))
        self._problems.error(
            "unknown-call",
            f"`{shorten(text)}` is no call",
            span,
            help="a call is Pass, X, XX, AP or a bid such as 1NT",
            suggestion=suggestion,
        )
        self._stop()

    def _stop(self) -> None:
        """What follows cannot be placed any more: it is looked at for mistakes, and not recorded."""
        self._cut = True
        self._annotates = None
        self._skips.clear()
        self._insufficient = None

    def _pad(self, text: str, span: Span) -> None:
        if self._cells or self._skips or self._insufficient or self._ending is not Ending.PLAIN:
            if not self._cut:
                self._problems.error(
                    "padding-after-call",
                    f"`{shorten(text)}` stands for a seat before the dealer's, and nobody's turn is before a call",
                    span,
                    help="a seat that was skipped by a call out of turn is written ^S",
                )
                self._stop()
            return
        self.padding += len(text)
        if self.padding == 4:
            self._problems.error("padding-all-round", "these cells leave out all four seats", span)

    # -- marks

    def _mark(self, text: str, span: Span) -> None:
        if self._cut or self._over(span):
            return
        match text.upper():
            case "^I":
                if self._insufficient:
                    self._misplaced("the mark is there twice", span)
                self._insufficient = span
            case "^S":
                if self._insufficient:
                    self._misplaced("`^I` stands directly before the bid", self._insufficient)
                    self._insufficient = None
                self._skips.append(span)
                if len(self._skips) == 4:
                    self._misplaced("all four seats are skipped", span)
            case "^R" | "^L":
                self._misplaced(f"`{text}` is a mark for cards, not for calls", span)
            case _:
                self._problems.error(
                    "unknown-mark",
                    f"`{shorten(text)}` is no mark",
                    span,
                    help="the marks in an auction are ^I before an insufficient bid and ^S for a seat that was skipped",
                )
        self._annotates = None

    def _is_marked(self, call: Call) -> bool:
        if self._insufficient is None:
            return False
        if not isinstance(call, Bid):
            self._misplaced("only a bid can be marked as insufficient", self._insufficient)
            return False
        if not any(isinstance(cell.call, Bid) for cell in self._cells):
            self._misplaced("the first bid cannot be insufficient", self._insufficient)
            return False
        return True

    def _misplaced(self, message: str, span: Span) -> None:
        self._problems.error("mark-misplaced", message, span)

    def _no_marks(self, before: str) -> None:
        """Marks must be followed by the call they are for."""
        if self._insufficient is not None:
            self._misplaced(f"`^I` stands before a bid, not before {before}", self._insufficient)
        if self._skips:
            self._misplaced(f"`^S` stands before a call made out of turn, not before {before}", self._skips[-1])
        self._insufficient = None
        self._skips.clear()

    # -- the end, and annotations

    def _end(self, ending: Ending, span: Span) -> None:
        self._no_marks("the end")
        if self._over(span):
            return
        if not self._cut:
            self._ending, self._ending_span = ending, span
        self._annotates = None

    def _over(self, span: Span) -> bool:
        """Whether the auction has ended already; said once."""
        if self._ending is Ending.PLAIN:
            return False
        if not self._over_noted:
            assert self._ending_span is not None
            self._problems.error(
                "call-after-end",
                f"nothing follows `{self._ending.value}`",
                span,
                labels=[Label(self._ending_span, "the auction ends here")],
            )
            self._over_noted = True
        return True

    def _annotation(self, kind: str, text: str, span: Span) -> None:
        if self._cut:
            return
        cell = self._annotates
        if cell is None:
            self._problems.error("annotation-misplaced", f"`{shorten(text)}` follows no call", span)
            return
        if kind == "note":
            if cell.note is not None:
                self._problems.error("second-note", "a call refers to one note at most", span)
                return
            cell.note, cell.note_span = note_number(text), span
            return
        glyph = glyph_number(text)
        if glyph is None:
            self._problems.error("unknown-annotation", f"`{shorten(text)}` is no annotation: they end at $255", span)
            return
        if cell.glyphs:
            self._problems.warning("several-annotations", "a call has one suffix or annotation", span)
        if glyph not in cell.glyphs:
            cell.glyphs.append(glyph)

    # -- all of it

    def finish(self, first: Seat | None, span: Span) -> Record:
        """The auction, given the seat of the first cell that is not empty (None if that is unknown)."""
        if not self._cut:
            self._no_marks("the end")
        entries: list[Entry] = []
        due, named = first, False
        for cell in self._cells:
            if cell.skipped and due is None:
                self._cut = True
                break
            named = named or cell.skipped > 0
            seat = None if due is None else Seat((due + cell.skipped) % 4)
            entries.append(
                Entry(
                    Act.of_call(cell.call, seat if named else None),
                    cell.insufficient,
                    cell.note,
                    tuple(sorted(cell.glyphs)),
                    tuple(cell.comments),
                    cell.span,
                    cell.token,
                )
            )
            due = None if seat is None else seat.left
        ending = Ending.CUT if self._cut else self._ending
        return Record(tuple(entries), ending, False, tuple(self._comments), span, self._ending_span)
