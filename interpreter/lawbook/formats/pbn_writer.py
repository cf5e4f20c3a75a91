"""Boards written as PBN. What `pbn` reads of it is the same boards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.errors import LawbookError
from lawbook.formats.board import (
    CONTRACT,
    DEAL,
    DEALER,
    DECLARER,
    RESULT,
    UNKNOWN,
    VULNERABLE,
    Board,
    Ending,
    Entry,
    Record,
    Tag,
    seated,
)
from lawbook.formats.pbn_games import AUCTION, NOTE, OWN_AUCTION, OWN_VALUES
from lawbook.formats.pbn_words import can_say_all, spelt
from lawbook.formats.scanner import holds_comment, holds_section
from lawbook.values import Seat, shorten

HEAD: Final = "% PBN 2.1"

_AFTER_DEALER: Final = (VULNERABLE, DEAL, "Scoring", DECLARER, CONTRACT, RESULT)
_NAME: Final = re.compile(r"[A-Za-z0-9_]+", re.ASCII)
# What would begin something else in the lines of a section.
_NOT_IN_NOTATION: Final = re.compile(r'["\[\]{};]')
_ROW: Final = 4
_LONGEST_LINE: Final = 100


def write_pbn(boards: Iterable[Board]) -> str:
    """The text of a PBN file with these boards, `\\n` at the end of each line.

    An auction that PBN has no words for is written under a tag of our own, in Lawbook's notation. Raises LawbookError
    where a board holds text that no tag, comment or section can hold.

    >>> from lawbook.formats.board import Board
    >>> print(write_pbn([Board(Seat.S)]), end="")
    % PBN 2.1
    [Dealer "S"]
    """
    games = ["\n".join(_lines(board)) for board in boards]
    return "\n".join([HEAD, "\n\n".join(games), ""]) if games else f"{HEAD}\n"


def _lines(board: Board) -> Iterator[str]:
    for comment in board.comments:
        yield _comment(comment)
    # The tag is always there: a second one in a file also tells that another game has begun.
    dealer = _tag(DEALER, UNKNOWN if board.dealer is None else str(board.dealer))
    before = [tag for tag in board.tags if not tag.has_section]
    place = next((n for n, tag in enumerate(before) if tag.name in _AFTER_DEALER), len(before))
    for tag in before[:place]:
        yield from _tag_lines(tag)
    yield dealer
    for tag in before[place:]:
        yield from _tag_lines(tag)
    if board.auction is not None:
        yield from _auction_lines(board, board.auction)
    for note in board.notes:
        yield _tag(NOTE, f"{note.number}:{note.text}")
    for tag in board.tags:
        if tag.has_section:
            yield from _tag_lines(tag)


def _tag_lines(tag: Tag) -> Iterator[str]:
    yield _tag(tag.name, tag.value)
    for comment in tag.comments:
        yield _comment(comment)
    if tag.section:
        if not holds_section(tag.section):
            raise _unwritable(f"the section of [{shorten(tag.name)}] has lines that no section can hold")
        yield tag.section
    for note in tag.notes:
        yield _tag(NOTE, f"{note.number}:{note.text}")


def _tag(name: str, value: str) -> str:
    if not _NAME.fullmatch(name):
        raise _unwritable(f"`{shorten(name)}` cannot be the name of a tag")
    if "\n" in value or "\r" in value:
        raise _unwritable(f"the value of [{shorten(name)}] has more than one line")
    if name not in OWN_VALUES and (value == "#" or value.startswith("##")):
        raise _unwritable(f"the value of [{shorten(name)}] would stand for that of another game")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _comment(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not holds_comment(text):
        raise _unwritable("a comment has lines that no comment can hold")
    return f";{text}" if "}" in text else f"{{{text}}}"


# -- auctions ----------------------------------------------------------------------------------------------------------


def _auction_lines(board: Board, record: Record) -> Iterator[str]:
    dealer = board.dealer
    own = record.own or not can_say_all(record.entries, dealer)
    # Where nobody knows who dealt, there is no column for a call that names its seat.
    own = own or (dealer is None and any(entry.act.seat is not None for entry in record.entries))
    yield _tag(OWN_AUCTION if own else AUCTION, UNKNOWN if dealer is None else str(dealer))
    if own:
        cells = [([_word(entry), *_annotations(entry)], entry.comments) for entry in record.entries]
    else:
        cells = list(_cells(record.entries, dealer if dealer is not None else Seat.N))
    for comment in record.comments:
        yield _comment(comment)
    ending = Ending.STOPPED if record.ending is Ending.CUT else record.ending
    if ending is not Ending.PLAIN:
        cells.append(([ending.value], ()))
    row: list[str] = []
    seats = 0
    for words, comments in cells:
        row.extend(words)
        seats += sum(1 for word in words if word[0] not in "=$" and word != "^I")
        # A comment begins nothing and ends the line, since one after a semicolon does.
        if comments or seats >= _ROW or sum(map(len, row)) > _LONGEST_LINE:
            yield " ".join(row)
            row, seats = [], 0
            for comment in comments:
                yield _comment(comment)
    if row:
        yield " ".join(row)


def _cells(entries: Iterable[Entry], dealer: Seat) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    for entry, _, skipped in seated(entries, dealer):
        assert entry.act.call is not None
        words = ["^S"] * skipped
        if entry.insufficient:
            words.append("^I")
        words.append(spelt(entry.act.call))
        yield [*words, *_annotations(entry)], entry.comments


def _annotations(entry: Entry) -> list[str]:
    return [*([] if entry.note is None else [f"={entry.note}="]), *(f"${glyph}" for glyph in entry.glyphs)]


def _word(entry: Entry) -> str:
    text = str(entry.act)
    if _NOT_IN_NOTATION.search(text) or text.startswith("%"):
        raise _unwritable(f"`{shorten(text)}` has characters that a section cannot hold")
    return text


def _unwritable(message: str) -> LawbookError:
    return LawbookError([Diagnostic("not-in-format", Severity.ERROR, message)])
