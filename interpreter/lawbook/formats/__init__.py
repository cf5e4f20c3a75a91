"""Records of play in the formats of other programs: text in, boards and what is wrong with them out, and back.

`pbn` and `lin` read, `pbn_writer` writes; `records` has two forms of our own. Nothing here opens a file, prints, or
knows a law: whether a call was lawful is asked of an edition by `lawbook.boards`.
"""

from __future__ import annotations

import codecs
import enum
import re
from collections.abc import Mapping
from typing import Final, assert_never

from lawbook.formats.board import Board as Board
from lawbook.formats.board import Reading as Reading
from lawbook.formats.lin import read_lin
from lawbook.formats.pbn import read_pbn
from lawbook.formats.pbn_writer import write_pbn
from lawbook.formats.records import read_notation, read_records, write_notation, write_records
from lawbook.notation import ArgumentKind
from lawbook.values import NO_SIGNS, Seat

__all__ = ["Board", "Format", "Reading", "decode", "format_of_name", "format_of_text", "read_boards", "write_boards"]


class Format(enum.Enum):
    """The forms in which boards are kept. NOTATION is a line of Lawbook's auction notation for each."""

    PBN = "pbn"
    LIN = "lin"
    NOTATION = "notation"
    RECORDS = "jsonl"


WRITABLE: Final = (Format.PBN, Format.NOTATION, Format.RECORDS)
"""The forms that boards can be written in."""

_ENDINGS: Final = {
    ".pbn": Format.PBN,
    ".lin": Format.LIN,
    ".jsonl": Format.RECORDS,
    ".ndjson": Format.RECORDS,
    ".txt": Format.NOTATION,
    ".auction": Format.NOTATION,
}
_PBN: Final = re.compile(r'^%|\[[ \t]*[A-Za-z0-9_]+[ \t]*"', re.MULTILINE)
_LIN: Final = re.compile(r"(?:^|\||\s)(?:md|mb|pn|qx|st|vg)\|")


def format_of_name(name: str) -> Format | None:
    """The form that a file's name tells, or None.

    >>> format_of_name("boards.PBN"), format_of_name("boards")
    (<Format.PBN: 'pbn'>, None)
    """
    return next((form for ending, form in _ENDINGS.items() if name.lower().endswith(ending)), None)


def format_of_text(text: str) -> Format:
    """The form that a text seems to be in.

    >>> [format_of_text(t).value for t in ('[Dealer "N"]', "md|1|mb|p|", '{"auction": "AP"}', "1C AP")]
    ['pbn', 'lin', 'jsonl', 'notation']
    """
    if text.lstrip("\ufeff \t\r\n").startswith("{") and '"auction"' in text:
        return Format.RECORDS
    if _PBN.search(text):
        return Format.PBN
    return Format.LIN if _LIN.search(text) else Format.NOTATION


def decode(data: bytes) -> str:
    """The text of a file: UTF-8, else what the standards of these formats say, Latin-1. No bytes are refused."""
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_boards(
    text: str,
    file: str,
    form: Format,
    *,
    acts: Mapping[str, ArgumentKind] | None = None,
    dealer: Seat = Seat.N,
    signs: Mapping[str, str] = NO_SIGNS,
) -> Reading:
    """The boards of a text. Nothing is raised: what is wrong is in the diagnostics.

    `acts` are the acts that an edition declares; without them every act is taken for one. `dealer` dealt where a line
    of notation does not say who did. `signs` may be written for the letters of denominations where an auction stands in
    notation; PBN and LIN have none.
    """
    match form:
        case Format.PBN:
            return read_pbn(text, file, acts)
        case Format.LIN:
            return read_lin(text, file)
        case Format.NOTATION:
            return read_notation(text, file, acts, dealer, signs)
        case Format.RECORDS:
            return read_records(text, file, acts, signs)
        case _:
            assert_never(form)


def write_boards(boards: tuple[Board, ...], form: Format) -> str:
    """The boards as text. Raises LawbookError where the form cannot hold them, ValueError for one not in WRITABLE."""
    match form:
        case Format.PBN:
            return write_pbn(boards)
        case Format.NOTATION:
            return write_notation(boards)
        case Format.RECORDS:
            return write_records(boards)
        case Format.LIN:
            raise ValueError("LIN is read, and not written")
        case _:
            assert_never(form)
