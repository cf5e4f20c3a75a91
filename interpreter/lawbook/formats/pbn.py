"""PBN, the portable bridge notation, read: boards with the place of every part, and all that is wrong with them.

Written for Lawbook because the readers on the Python package index (endplay, bridgebots, bridgeobjects, bridge-utils)
give no line and column of a token, and do not know the marks `^I` and `^S`.

A game ends at an empty line. One that is broken is told of and takes no other with it. The writer is `pbn_writer`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from lawbook.diagnostics import Label, Span, nearest
from lawbook.errors import Collector, LawbookError
from lawbook.formats.acts import AnyActs
from lawbook.formats.board import (
    PLAY,
    UNKNOWN,
    VULNERABILITIES,
    Board,
    Note,
    Reading,
    Record,
    Tag,
    parse_contract,
    parse_declarer,
    parse_result,
    parse_seat,
)
from lawbook.formats.pbn_auction import CallsReader
from lawbook.formats.pbn_games import (
    AUCTION,
    IDENTIFYING,
    MOST_NOTES,
    NOTE,
    OWN_AUCTION,
    OWN_VALUES,
    games,
)
from lawbook.formats.pbn_own_auction import NotationReader
from lawbook.formats.scanner import Scanned, Text, TokenKind
from lawbook.notation import ArgumentKind
from lawbook.values import Seat, shorten

_KNOWN: Final = (*IDENTIFYING, AUCTION, OWN_AUCTION, PLAY, NOTE)
_NOTE: Final = re.compile(r"([0-9]{1,9}):(.*)", re.DOTALL | re.ASCII)


def read_pbn(text: str, file: str, acts: Mapping[str, ArgumentKind] | None = None) -> Reading:
    """Every game of a text. Nothing is raised: what is wrong is in the diagnostics.

    `acts` are the acts that may stand in auctions in Lawbook's notation; any may if it is not given.

    >>> board = read_pbn('[Dealer "E"]\\n[Auction "N"]\\n- 1C ^S ^S 1NT AP', "a.pbn").boards[0]
    >>> [str(act) for act in board.acts], board.auction.entries[1].span.column
    (['1C', 'N:1N'], 12)
    """
    source, problems = Text(text, file), Collector()
    boards: list[Board] = []
    inherited: dict[str, Tag] = {}
    previous: dict[str, str] = {}
    for tokens in games(source, problems):
        game = _Game(source, acts if acts is not None else AnyActs(), problems, inherited, previous)
        board = game.read(tokens)
        if board is not None:
            boards.append(board)
    return Reading(tuple(boards), problems.diagnostics)


# -- one game ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _OpenTag:
    """A tag while its section is being read; `section` is where that begins and ends."""

    name: str
    value: str | None
    span: Span
    value_span: Span
    comments: list[str] = field(default_factory=list)
    section: tuple[int, int] | None = None
    notes: list[Note] = field(default_factory=list)

    def close(self, source: Text) -> Tag:
        start, end = self.section or (0, 0)
        return Tag(
            self.name,
            self.value or "",
            tuple(self.comments),
            source.text[start:end],
            tuple(self.notes),
            self.span,
            self.value_span,
        )


class _Game:
    """Reads the tokens of one game. `inherited` are the tags that every later game has, `previous` the values of the
    game before; both are brought up to date."""

    def __init__(
        self,
        source: Text,
        acts: Mapping[str, ArgumentKind],
        problems: Collector,
        inherited: dict[str, Tag],
        previous: dict[str, str],
    ) -> None:
        self._source = source
        self._acts = acts
        self._problems = problems
        self._inherited = inherited
        self._previous = previous
        self._tags: list[_OpenTag] = []
        self._seen: dict[str, Span] = {}
        self._current: _OpenTag | None = None
        self._comments: list[str] = []
        self._calls: CallsReader | NotationReader | None = None
        self._first: Seat | None = None
        self._auction_span: Span | None = None
        self._in_auction = False
        self._notes: list[Note] = []
        self._dealer: Seat | None = None
        self._dealer_span: Span | None = None
        self._after_note = False
        self._stray = False
        self._only_header = True

    def read(self, tokens: list[Scanned]) -> Board | None:
        """The board; None where there is none: only text that belongs to no game, or only values for later games."""
        for token in tokens:
            match token.kind:
                case TokenKind.TAG:
                    self._tag(token)
                case TokenKind.COMMENT:
                    self._comment(token)
                case TokenKind.WORD:
                    self._word(token)
                case TokenKind.EMPTY_LINE:
                    raise AssertionError("groups hold no empty lines")
        # Without the name of any tag nothing tells that there is a game at all.
        if not any(self._seen) or self._only_header:
            return None
        record = self._record()
        tags = [tag.close(self._source) for tag in self._tags]
        tags.extend(tag for name, tag in self._inherited.items() if name not in self._seen)
        self._check_references(record)
        self._previous.clear()
        self._previous.update((tag.name, tag.value) for tag in tags)
        return Board(
            self._dealer,
            tuple(sorted(tags, key=lambda tag: tag.has_section)),
            record,
            tuple(self._notes),
            tuple(self._comments),
            self._source.span(tokens[0].start, tokens[-1].end),
        )

    # -- tags

    def _tag(self, token: Scanned) -> None:
        self._stray = False
        span = self._source.span(token.start, token.end)
        value_span = self._source.span(token.value_start, token.value_end)
        tag = _OpenTag(token.name, token.text, span, value_span)
        if token.name == NOTE:
            self._note(tag)
            return
        self._current, self._in_auction, self._after_note = tag, False, False
        first = self._seen.setdefault(token.name, span)
        if first is not span:
            self._problems.warning(
                "tag-repeated",
                f"[{shorten(token.name)}] is there already, and is not read a second time",
                span,
                labels=[Label(first, "first written here")],
            )
            return
        if token.text is None or not token.text.startswith("##") or token.name in OWN_VALUES:
            self._only_header = False
        match token.name:
            case "Auction" | "LawbookAuction":
                self._begin_auction(tag)
            case "Dealer":
                self._dealer = self._seat(tag, unknown_is_right=True)
                self._dealer_span = value_span
            case _:
                if token.text is not None:
                    self._check_name(tag)
                    self._inherit(tag)
                    self._check_value(tag)
                    self._tags.append(tag)

    def _seat(self, tag: _OpenTag, *, unknown_is_right: bool = False) -> Seat | None:
        """The seat that a tag names, or None: then that has been noted."""
        if tag.value is None or (unknown_is_right and tag.value == UNKNOWN):
            return None
        seat = parse_seat(tag.value)
        if seat is None:
            meant = None
            try:
                meant = str(Seat.parse(tag.value))
            except LawbookError as error:
                meant = error.diagnostics[0].suggestion
            self._problems.error(
                "unknown-seat",
                f"`{shorten(tag.value)}` is no seat" if tag.value else f"[{tag.name}] names no seat",
                tag.value_span,
                help="the seats are N, E, S and W",
                suggestion=meant,
            )
        return seat

    def _check_name(self, tag: _OpenTag) -> None:
        """Names are told apart by capitals and small letters, and a slip would make a tag go unread."""
        if tag.name in _KNOWN:
            return
        meant = next((known for known in _KNOWN if known.lower() == tag.name.lower()), None)
        if meant is not None:
            self._problems.warning(
                "tag-spelling", f"[{shorten(tag.name)}] is not how this tag is written", tag.span, suggestion=meant
            )

    def _inherit(self, tag: _OpenTag) -> None:
        """`#` stands for the value in the game before; `##` begins one that all later games have."""
        if tag.name in OWN_VALUES or tag.value is None or not tag.value.startswith("#"):
            if tag.name in self._inherited:
                self._inherited[tag.name] = Tag(tag.name, tag.value or "", span=tag.span, value_span=tag.value_span)
            return
        if tag.value.startswith("##"):
            tag.value = tag.value[2:]
            self._inherited[tag.name] = Tag(tag.name, tag.value, span=tag.span, value_span=tag.value_span)
        elif tag.value == "#":
            tag.value = self._previous.get(tag.name, "")

    def _check_value(self, tag: _OpenTag) -> None:
        value = tag.value
        if not value or value == UNKNOWN:
            return
        match tag.name:
            case "Contract":
                if parse_contract(value) is None:
                    self._unreadable(tag, "contract", "it is written as in 4S, 3NTX or Pass")
            case "Declarer":
                if parse_declarer(value) is None:
                    self._unreadable(
                        tag, "declarer", "it is a seat, with ^ before it where declarer and dummy were swapped"
                    )
            case "Result":
                if parse_result(value) is None:
                    self._unreadable(tag, "result", "it is a number of tricks, as in 9, NS 9 or EW 4 NS 9")
            case "Vulnerable":
                if value.lower() not in VULNERABILITIES:
                    self._unreadable(
                        tag,
                        "vulnerability",
                        "it is None, NS, EW or All",
                        nearest(value, ("None", "NS", "EW", "All", "Both", "Love")),
                    )
            case _:
                pass

    def _unreadable(self, tag: _OpenTag, what: str, help: str, suggestion: str | None = None) -> None:
        self._problems.error(
            "value-unreadable",
            f"`{shorten(tag.value or '')}` is no {what}",
            tag.value_span,
            help=help,
            suggestion=suggestion,
        )

    # -- notes, comments, words

    def _note(self, tag: _OpenTag) -> None:
        self._only_header = False
        found = _NOTE.fullmatch(tag.value) if tag.value is not None else None
        if found is None:
            if tag.value is not None:
                self._problems.error(
                    "note-unreadable",
                    f"`{shorten(tag.value)}` is no note",
                    tag.value_span,
                    help='a note is its number and its text, as in [Note "1:forcing"]',
                )
            return
        note = Note(int(found[1]), found[2], tag.value_span)
        self._after_note = True
        section = self._current
        if section is not None and section in self._tags and (section.section is not None or section.name == PLAY):
            notes = section.notes
        else:
            notes = self._notes
            if self._calls is None:
                self._problems.warning(
                    "note-misplaced", "a note stands after the auction or the play it is for", tag.span
                )
        first = next((other for other in notes if other.number == note.number), None)
        if first is not None:
            assert first.span is not None
            self._problems.error(
                "note-twice",
                f"there are two notes {note.number}",
                tag.value_span,
                labels=[Label(first.span, "the first is here")],
            )
            return
        if not 1 <= note.number <= MOST_NOTES:
            self._problems.warning(
                "note-number", f"notes have the numbers 1 to {MOST_NOTES}, not {note.number}", tag.value_span
            )
        notes.append(note)

    def _comment(self, token: Scanned) -> None:
        text = token.text or ""
        if self._in_auction and self._calls is not None:
            self._calls.comment(text)
        elif self._current is not None and self._current.section is not None and not self._after_note:
            self._current.section = (self._current.section[0], token.end)
        elif self._current is not None and self._current in self._tags:
            self._current.comments.append(text)
        elif self._tags:
            self._tags[-1].comments.append(text)
        else:
            self._comments.append(text)

    def _word(self, token: Scanned) -> None:
        tag = self._current
        if self._in_auction and self._calls is not None and not self._after_note:
            self._calls.word(token)
        elif tag is None or tag.name in IDENTIFYING or self._after_note:
            if not self._stray:
                self._problems.error(
                    "stray-text",
                    f"`{shorten(token.text or '')}` belongs to no section",
                    self._source.span(token.start, token.end),
                    help="calls stand after [Auction], and a comment stands in braces or after a semicolon",
                )
                self._stray = True
        else:
            start = tag.section[0] if tag.section else token.start
            tag.section = (start, token.end)

    # -- the auction

    def _begin_auction(self, tag: _OpenTag) -> None:
        if self._calls is not None:
            assert self._auction_span is not None
            self._problems.error(
                "two-auctions",
                "this game has two auctions, and only the first is read",
                tag.span,
                labels=[Label(self._auction_span, "the first is here")],
            )
            return
        self._auction_span = tag.span
        self._in_auction = True
        self._first = self._seat(tag, unknown_is_right=True)
        if tag.name == OWN_AUCTION:
            self._calls = NotationReader(self._source, self._acts, self._problems)
        else:
            self._calls = CallsReader(self._source, self._problems)

    def _record(self) -> Record | None:
        """The auction, and who dealt by it."""
        calls = self._calls
        if calls is None:
            return None
        assert self._auction_span is not None
        first = None if self._first is None else Seat((self._first + calls.padding) % 4)
        if first is None:
            first = self._dealer
        elif self._dealer is None:
            self._dealer = first
        elif first is not self._dealer and not calls.is_empty:
            assert self._dealer_span is not None
            self._problems.error(
                "dealer-disagrees",
                f"the first call stands where {first} calls, but {self._dealer} deals",
                self._auction_span,
                labels=[Label(self._dealer_span, "the dealer")],
                help="the seat in the tag is that of the first column; `-` fills the cells before the dealer's. "
                f"The auction is read as begun by {first}",
            )
            self._dealer = first
        return calls.finish(first, self._auction_span)

    def _check_references(self, record: Record | None) -> None:
        if record is None or self._calls is None:
            return
        numbers = {note.number for note in self._notes}
        for number, span in self._calls.references:
            if number not in numbers:
                self._problems.error("note-missing", f"there is no note {number}", span)
