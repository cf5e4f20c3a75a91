"""Recorded boards ruled on: every call under an edition, then what the record says against what the edition finds.

Nothing is guessed. Where a record and the edition part, or the record marks what the edition does not see, a finding
says so, at the place in the file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lawbook import explain
from lawbook.agreement import Agreement, spelt_contract
from lawbook.auction import Auction, Happening, arguments_of, letters_of
from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.edition.model import Edition
from lawbook.errors import Collector, LawbookError
from lawbook.formats import Format, read_boards
from lawbook.formats.board import CONTRACT, DECLARER, RESULT, Board, Ending, Entry, Record, Tag, seated
from lawbook.formats.board import Contract as Written
from lawbook.formats.pbn_words import DENOMINATIONS
from lawbook.loading import signs_of
from lawbook.machine.ruling import Verdict
from lawbook.notation import unknown_denomination
from lawbook.sentences import capital, laws_named, listed, phrase
from lawbook.values import PASS, Bid, Seat

INSUFFICIENT: Final = "insufficient-declaration"
"""The offence that the mark `^I` stands for."""

OUT_OF_TURN: Final = "-out-of-turn"
"""How the names of the offences end that the mark `^S` stands for."""


@dataclass(frozen=True, slots=True)
class Told:
    """One recorded act as it was ruled on: its entry (None: a pass that `AP` stands for), and its place among the
    happenings of the auction."""

    entry: Entry | None
    at: int


@dataclass(frozen=True, slots=True)
class RuledBoard:
    """A board and what the edition says of it.

    `auction` is None where nothing could be ruled on. `contract_agrees` and `declarer_agrees` are None where there is
    nothing to compare. `findings` are in order of place, those of reading the file among them.
    """

    board: Board
    auction: Auction | None
    told: tuple[Told, ...]
    contract_agrees: bool | None
    declarer_agrees: bool | None
    findings: tuple[Diagnostic, ...]

    @property
    def happenings(self) -> tuple[Happening, ...]:
        """The rulings on all acts."""
        return () if self.auction is None else self.auction.happenings

    @property
    def is_cut(self) -> bool:
        """Whether there is more of the auction that could not be read or ruled on."""
        record = self.board.auction
        if record is None or self.auction is None:
            return False
        return record.ending is Ending.CUT or len(self.told) < len(record.entries)

    @property
    def is_ruled(self) -> bool:
        """Whether the auction was ruled on to the end of its record. Without a record there is nothing to rule on."""
        return self.board.auction is None or (self.auction is not None and not self.is_cut)


@dataclass(frozen=True, slots=True)
class RuledFile:
    """All boards of a file under one edition. `findings` are those that belong to no board; `is_whole` says whether
    everything in the file could be read, and every auction ruled on to its end."""

    edition: Edition
    file: str
    text: str
    boards: tuple[RuledBoard, ...]
    findings: tuple[Diagnostic, ...]
    is_whole: bool


def rule_file(edition: Edition, text: str, file: str, form: Format) -> RuledFile:
    """Rule on every board of a text. Nothing is raised: what is wrong is among the findings."""
    reading = read_boards(text, file, form, acts=arguments_of(edition), signs=signs_of(edition))
    starts = [_begin(board.span) for board in reading.boards]
    own: list[list[Diagnostic]] = [[] for _ in reading.boards]
    others: list[Diagnostic] = []
    for problem in reading.diagnostics:
        # Boards follow each other, so a problem can only lie in the last that begins before it.
        at = bisect_right(starts, _begin(problem.span)) - 1
        within = at >= 0 and _is_within(problem.span, reading.boards[at].span)
        (own[at] if within else others).append(problem)
    ruled = tuple(rule_board(edition, board, found) for board, found in zip(reading.boards, own, strict=True))
    if not ruled:
        others.append(no_boards(file))
    was_read = not any(problem.severity is Severity.ERROR for problem in reading.diagnostics)
    return RuledFile(edition, file, text, ruled, tuple(others), was_read and all(board.is_ruled for board in ruled))


def _begin(span: Span | None) -> tuple[int, int]:
    return (0, 0) if span is None else (span.line, span.column)


def no_boards(file: str) -> Diagnostic:
    """What is said of a file without a board."""
    message = "there is no board in this file"
    return Diagnostic("no-boards", Severity.ERROR, message, Span(file, 1, 1, 1, 1))


def _is_within(span: Span | None, whole: Span | None) -> bool:
    if span is None or whole is None:
        return False
    return (whole.line, whole.column) <= (span.line, span.column) <= (whole.end_line, whole.end_column)


def rule_board(edition: Edition, board: Board, problems: Sequence[Diagnostic] = ()) -> RuledBoard:
    """Rule on one board. `problems` are what was found when it was read. Nothing is raised."""
    findings = Collector()
    findings.extend(problems)
    record = board.auction
    if record is None or board.dealer is None:
        if record is not None:
            findings.error("dealer-unknown", "nothing says who dealt, so nothing is ruled", record.span)
        return RuledBoard(board, None, (), None, None, findings.diagnostics)
    ruling = _Ruling(edition, board, record, board.dealer, findings)
    ruling.run()
    contract, declarer = ruling.compare()
    return RuledBoard(board, ruling.auction, tuple(ruling.told), contract, declarer, findings.diagnostics)


class _Ruling:
    """One board while it is ruled on."""

    def __init__(self, edition: Edition, board: Board, record: Record, dealer: Seat, findings: Collector) -> None:
        self.auction = Auction(edition, dealer)
        self.told: list[Told] = []
        self._edition = edition
        self._board = board
        self._record = record
        self._dealer = dealer
        self._findings = findings
        self._is_whole = record.ending is not Ending.CUT

    # -- the acts

    def run(self) -> None:
        """Rule on every act in order, as far as that can be done."""
        for entry, skipped in _skips(self._record, self._dealer):
            at = len(self.auction.happenings)
            try:
                self._require_letter(entry)
                self.auction.act(entry.act)
            except LawbookError as error:
                self._stop(error, entry.span)
                return
            self.told.append(Told(entry, at))
            happening = self.auction.happenings[at]
            self._verdict(at, entry.span, entry)
            if not self._record.own:
                self._check_marks(entry, skipped, happening)
        if self._record.ending is Ending.ALL_PASS:
            self._pass_out()

    def _require_letter(self, entry: Entry) -> None:
        """Raises LawbookError for a letter that is no denomination where this edition is played, as notation does."""
        call, letters = entry.act.call, letters_of(self._edition)
        if isinstance(call, Bid) and call.denomination not in letters:
            raise LawbookError([unknown_denomination(entry.token or str(call), letters)])

    def _pass_out(self) -> None:
        for _ in range(4):
            if not self.auction.is_open:
                return
            at = len(self.auction.happenings)
            try:
                self.auction.act(PASS)
            except LawbookError as error:
                self._stop(error, self._record.ending_span)
                return
            self.told.append(Told(None, at))
            self._verdict(at, self._record.ending_span, None)
        if self.auction.is_open:
            self._findings.error(
                "all-pass-endless", "the auction is still open after four passes", self._record.ending_span
            )

    def _stop(self, error: LawbookError, span: Span | None) -> None:
        self._is_whole = False
        for problem in error.diagnostics:
            self._findings.add(replace(problem, span=span))

    def _verdict(self, at: int, span: Span | None, entry: Entry | None) -> None:
        """Tell of an act that is not legal."""
        happening = self.auction.happenings[at]
        clause = happening.because[0] if happening.because else None
        law, name = (clause.law.number, clause.id) if clause is not None else (None, None)
        what = capital(phrase(self._edition, happening.act))
        match happening.verdict:
            case Verdict.LEGAL:
                return
            case Verdict.IRREGULAR:
                offences = listed([self._edition.offences[o].phrase for o in happening.ruling.offences])
                marked = ", as it is marked" if entry is not None and entry.insufficient else ""
                self._findings.warning(
                    "irregular-act",
                    f"{what} against {laws_named(happening.because)}: {offences}{marked}",
                    span,
                    law=law,
                    clause=name,
                )
            case Verdict.REFUSED:
                self._findings.error(
                    "refused-act",
                    f"{what}, and is refused: {explain.reason(self.auction, at)}",
                    span,
                    law=law,
                    clause=name,
                )

    def _check_marks(self, entry: Entry, skipped: int, happening: Happening) -> None:
        """Whether the marks of the record are what the edition sees."""
        offences = [self._edition.offences[o].name for o in happening.ruling.offences]
        name = self._edition.name
        is_insufficient = INSUFFICIENT in offences
        if entry.insufficient and not is_insufficient:
            self._findings.error(
                "mark-not-borne-out", f"this bid is marked as insufficient, and is not under {name}", entry.span
            )
        if is_insufficient and not entry.insufficient:
            self._findings.error(
                "mark-missing",
                "this bid is insufficient, and is not marked",
                entry.span,
                suggestion=f"^I {entry.token}",
            )
        if skipped and not any(offence.endswith(OUT_OF_TURN) for offence in offences):
            self._findings.error(
                "mark-not-borne-out",
                f"a seat is marked as skipped, and this call is not out of turn under {name}",
                entry.span,
            )

    def compare(self) -> tuple[bool | None, bool | None]:
        """Whether contract and declarer are what the tags say; None where that cannot be told."""
        if not self._is_whole:
            return None, None
        entries = {told.at: told.entry for told in self.told if told.entry is not None}
        return Agreement(self.auction, self._board, self._record, entries, self._findings).compare()


def _skips(record: Record, dealer: Seat) -> Iterator[tuple[Entry, int]]:
    """The entries, each with how many seats the record marks as skipped before it."""
    if record.own:
        yield from ((entry, 0) for entry in record.entries)
    else:
        yield from ((entry, skipped) for entry, _, skipped in seated(record.entries, dealer))


# -- what an edition adds to a record ----------------------------------------------------------------------------------


def completed(edition: Edition, board: Board) -> Board:
    """The board with what the edition finds of it: insufficient bids are marked, contract and declarer are added where
    no tag says them, and where the edition has denominations that PBN has not, the auction is kept as our own.

    A board that cannot be ruled on is left as it is.
    """
    ruled = rule_board(edition, board)
    auction, record = ruled.auction, board.auction
    if auction is None or record is None:
        return board
    own = record.own or not set(edition.universe.letters) <= set(DENOMINATIONS)
    entries = list(record.entries)
    for place, told in enumerate(ruled.told[: len(entries)]):
        offences = [edition.offences[o].name for o in auction.happenings[told.at].ruling.offences]
        entries[place] = replace(entries[place], insufficient=not own and INSUFFICIENT in offences)
    found = auction.contract
    values: dict[str, str] = {}
    if found is not None:
        values = {
            DECLARER: str(found.declarer),
            CONTRACT: spelt_contract(Written(Bid(found.level, found.denomination), found.doubling)),
        }
    elif auction.status == "passed-out":
        values = {DECLARER: "", CONTRACT: "Pass"}
    missing = [Tag(name, value) for name, value in values.items() if board.value(name) is None]
    kept = [tag for tag in board.tags if not any(tag.name == new.name for new in missing)]
    # They stand after what tells of the deal, and before what tells of the play.
    place = next((n for n, tag in enumerate(kept) if tag.name == RESULT or tag.has_section), len(kept))
    return replace(
        board,
        tags=(*kept[:place], *missing, *kept[place:]),
        auction=replace(record, entries=tuple(entries), own=own),
    )
