"""Boards in forms of our own: JSON lines, which keep all of a board, and auctions in notation, a line each.

A line of notation is an auction as the command line takes it. `dealer=E` before it says who dealt; without that it is
who the caller says. Empty lines and lines that begin with `#` are passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lawbook.diagnostics import Span, source_lines
from lawbook.errors import Collector, LawbookError
from lawbook.formats.acts import AnyActs
from lawbook.formats.board import BOARD, Board, Ending, Entry, Note, Reading, Record, Tag, parse_seat
from lawbook.formats.pbn_words import can_say_all
from lawbook.keys import KeyTwice, keys_once
from lawbook.notation import ALL_PASS, ArgumentKind, Token, format_auction, parse_auction
from lawbook.values import NO_SIGNS, Act, Bid, Seat, shorten

SCHEMA: Final = 1
_DEALT: Final = re.compile(r"\s*dealer=(\S*)", re.IGNORECASE)
_LAST_WORD: Final = re.compile(r"\S*\Z")
_TAG_NAME: Final = re.compile(r"[A-Za-z0-9_]+", re.ASCII)


# -- a line of notation for each board ---------------------------------------------------------------------------------


def write_notation(boards: Iterable[Board]) -> str:
    """The auctions, a line each, with their dealers. Tags, notes and marks have no place in this form.

    >>> write_notation([Board(Seat.E, auction=Record((), Ending.ALL_PASS))])
    'dealer=E AP\\n'
    """
    lines = []
    for board in boards:
        items = () if board.auction is None else board.auction.items
        dealt = () if board.dealer is None else (f"dealer={board.dealer}",)
        lines.append(" ".join([*dealt, *([format_auction(items)] if items else [])]) or "#")
    return "".join(f"{line}\n" for line in lines)


def read_notation(
    text: str,
    file: str,
    acts: Mapping[str, ArgumentKind] | None = None,
    dealer: Seat = Seat.N,
    signs: Mapping[str, str] = NO_SIGNS,
) -> Reading:
    """Every auction of a text. Nothing is raised: what is wrong is in the diagnostics."""
    problems = Collector()
    boards = []
    for number, line in enumerate(source_lines(text), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        seat, start = dealer, 0
        if found := _DEALT.match(line):
            named = parse_seat(found[1])
            if named is None:
                _no_seat(found[1], Span(file, number, found.start(1) + 1, number, found.end(1) + 1), problems)
            seat, start = named or dealer, found.end()
        span = Span(file, number, start + 1, number, len(line) + 1)
        known = _Known(acts if acts is not None else AnyActs(), signs)
        record = _record(line[start:], span, known, seat, problems)
        boards.append(Board(seat, auction=record, span=Span(file, number, 1, number, len(line) + 1)))
    return Reading(tuple(boards), problems.diagnostics)


def _no_seat(text: str, span: Span, problems: Collector) -> None:
    problems.error("unknown-seat", f"`{shorten(text)}` is no seat", span, help="the seats are N, E, S and W")


@dataclass(frozen=True, slots=True)
class _Known:
    """What an auction is read by: the acts there are, and the signs for the letters of denominations."""

    acts: Mapping[str, ArgumentKind]
    signs: Mapping[str, str]

    def read(self, text: str, span: Span) -> tuple[Token, ...]:
        return parse_auction(text, acts=self.acts, signs=self.signs, at=span)


def _record(text: str, span: Span, known: _Known, dealer: Seat | None, problems: Collector) -> Record:
    """An auction in notation as a record; where a word cannot be read, it is cut there."""
    ending = Ending.PLAIN
    try:
        tokens = known.read(text, span)
    except LawbookError as error:
        problems.extend(error.diagnostics)
        tokens, ending = _before(text, error, span, known), Ending.CUT
    ending_span = None
    if ending is Ending.PLAIN and tokens and tokens[-1].act is ALL_PASS:
        ending, ending_span = Ending.ALL_PASS, _place(tokens[-1], span)
        tokens = tokens[:-1]
    entries = []
    for token in tokens:
        if not isinstance(token.act, Act):
            problems.error(
                "call-after-end",
                f"nothing follows `{ALL_PASS}` in a record",
                _place(token, span),
                help="where acts follow the last pass, write the passes one by one",
            )
            ending = Ending.CUT
            break
        entries.append(Entry(token.act, span=_place(token, span), token=token.text))
    own = not can_say_all(entries, dealer)
    return Record(tuple(entries), ending, own, span=span, ending_span=ending_span)


def _before(text: str, error: LawbookError, span: Span, known: _Known) -> tuple[Token, ...]:
    """The words before the first that cannot be read."""
    columns = [problem.span.column for problem in error.diagnostics if problem.span is not None]
    read = text[: min(columns, default=span.column) - span.column]
    # The place may lie inside of the word.
    whole = read[: len(read) - len(_LAST_WORD.findall(read)[0])]
    try:
        return known.read(whole, span)
    except LawbookError:
        return ()


def _place(token: Token, span: Span) -> Span:
    return Span(span.file, token.line, token.position, token.line, token.position + len(token.text))


# -- a line of JSON for each board -------------------------------------------------------------------------------------


def write_records(boards: Iterable[Board]) -> str:
    """The boards as JSON lines, each as `record.schema.json` describes it."""
    return "".join(json.dumps(board_json(board), ensure_ascii=False) + "\n" for board in boards)


def board_json(board: Board) -> dict[str, object]:
    """A board with all that it holds. Keys that would say nothing are left out, but for the first five."""
    record = board.auction
    found: dict[str, object] = {
        "schema": SCHEMA,
        "board": board.number,
        "dealer": None if board.dealer is None else str(board.dealer),
        "auction": None if record is None else format_auction(entry.act for entry in record.entries),
        "ending": None if record is None else _ENDINGS[record.ending],
    }
    if record is not None:
        remarks = [r for n, e in enumerate(record.entries, start=1) if len(r := _remarks_json(n, e)) > 1]
        more = {"own": record.own, "remarks": remarks, "auction_comments": list(record.comments)}
        found.update((key, value) for key, value in more.items() if value)
    more = {
        "tags": [_tag_json(tag) for tag in board.tags],
        "notes": [_note_json(note) for note in board.notes],
        "comments": list(board.comments),
    }
    found.update((key, value) for key, value in more.items() if value)
    return found


_ENDINGS: Final = {
    Ending.PLAIN: "plain",
    Ending.ALL_PASS: "all-pass",
    Ending.STOPPED: "stopped",
    Ending.UNFINISHED: "unfinished",
    Ending.CUT: "cut",
}
_NAMED_ENDINGS: Final = {name: ending for ending, name in _ENDINGS.items()}


def _remarks_json(number: int, entry: Entry) -> dict[str, object]:
    more = {
        "insufficient": entry.insufficient,
        "note": entry.note,
        "glyphs": list(entry.glyphs),
        "comments": list(entry.comments),
    }
    return {"act": number, **{key: value for key, value in more.items() if value not in (False, None, [])}}


def _note_json(note: Note) -> dict[str, object]:
    return {"number": note.number, "text": note.text}


def _tag_json(tag: Tag) -> dict[str, object]:
    more: dict[str, object] = {
        "comments": list(tag.comments),
        "section": tag.section,
        "notes": [_note_json(note) for note in tag.notes],
    }
    return {"name": tag.name, "value": tag.value, **{key: value for key, value in more.items() if value}}


def read_records(
    text: str, file: str, acts: Mapping[str, ArgumentKind] | None = None, signs: Mapping[str, str] = NO_SIGNS
) -> Reading:
    """Every board of JSON lines. Nothing is raised: what is wrong with a line is in the diagnostics, and the line is
    left out. `board` and `auction` are enough; a key that is not known is an error."""
    problems = Collector()
    boards = []
    for number, line in enumerate(source_lines(text), start=1):
        if not line.strip():
            continue
        span = Span(file, number, 1, number, len(line) + 1)
        try:
            value = json.loads(line, object_pairs_hook=keys_once)
        except KeyTwice as twice:
            problems.error("duplicate-key", f"the key `{shorten(twice.key)}` is given twice", span)
            continue
        except (ValueError, RecursionError) as error:
            message, at = "it cannot be read", 1
            if isinstance(error, json.JSONDecodeError):
                message, at = f"{error.msg[:1].lower()}{error.msg[1:]}", error.colno
            problems.error("not-json", f"this is no JSON: {message}", Span(file, number, at, number, at))
            continue
        own = Collector()
        board = _Line(span, _Known(acts if acts is not None else AnyActs(), signs), own).board(value)
        problems.extend(own.diagnostics)
        if not own.diagnostics:
            boards.append(board)
    return Reading(tuple(boards), problems.diagnostics)


_KEYS: Final = frozenset(
    {
        "schema",
        "board",
        "dealer",
        "auction",
        "ending",
        "own",
        "remarks",
        "auction_comments",
        "tags",
        "notes",
        "comments",
    }
)


class _Line:
    """Reads the value of one line. JSON keeps no places, so all mistakes are at the line."""

    def __init__(self, span: Span, known: _Known, problems: Collector) -> None:
        self._span = span
        self._known = known
        self._problems = problems

    def board(self, value: object) -> Board:
        """The board, as far as the line can be understood; all that cannot be has been noted."""
        if not isinstance(value, dict):
            self._wrong("a board is a JSON object")
            return Board()
        for key in sorted(set(value) - _KEYS):
            self._wrong(f"there is no key `{shorten(key)}`")
        if value.get("schema", SCHEMA) != SCHEMA:
            self._wrong(f"only version {SCHEMA} of these lines is known")
        dealer = self._text(value, "dealer")
        seat = None if dealer is None else parse_seat(dealer)
        if dealer is not None and seat is None:
            _no_seat(dealer, self._span, self._problems)
        tags = tuple(tag for item in self._list(value, "tags") if (tag := self._tag(item)) is not None)
        number = self._text(value, "board")
        if number is not None and not any(tag.name == BOARD for tag in tags):
            tags = (Tag(BOARD, number), *tags)
        return Board(
            seat,
            tuple(sorted(tags, key=lambda tag: tag.has_section)),
            self._record(value, seat),
            self._notes(value),
            self._texts(value, "comments"),
            self._span,
        )

    def _wrong(self, message: str) -> None:
        self._problems.error("record-malformed", message, self._span)

    def _record(self, value: Mapping[str, Any], dealer: Seat | None) -> Record | None:
        auction = self._text(value, "auction")
        if auction is None:
            return None
        problems = Collector()
        record = _record(auction, self._span, self._known, dealer, problems)
        for problem in problems.diagnostics:
            # The place inside of the text is not the place in the line, where characters may be escaped.
            self._problems.error(problem.code, problem.message, self._span, help=problem.help)
        named = self._text(value, "ending")
        ending = record.ending
        if named is not None:
            if named not in _NAMED_ENDINGS:
                self._wrong(f"`{shorten(named)}` is no ending: they are {', '.join(_NAMED_ENDINGS)}")
            elif ending is Ending.PLAIN:
                ending = _NAMED_ENDINGS[named]
        entries = [Entry(entry.act, span=self._span, token=entry.token) for entry in record.entries]
        for item in self._list(value, "remarks"):
            self._remark(item, entries)
        own = value.get("own", False)
        if not isinstance(own, bool):
            self._wrong("`own` is true or false")
        comments = self._texts(value, "auction_comments")
        return Record(tuple(entries), ending, own is True or record.own, comments, self._span, self._span)

    def _remark(self, item: object, entries: list[Entry]) -> None:
        if not isinstance(item, dict):
            self._wrong("a remark is a JSON object")
            return
        number: Any = item.get("act")
        note, glyphs = item.get("note"), item.get("glyphs", [])
        insufficient = item.get("insufficient", False)
        if not _is_number(number) or not 1 <= number <= len(entries):
            self._wrong("a remark says by `act` which act it is on, from 1")
            return
        if note is not None and not _is_number(note):
            self._wrong("`note` is a number")
            return
        if not isinstance(glyphs, list) or not all(_is_number(g) and 0 <= g <= 255 for g in glyphs):
            self._wrong("`glyphs` are numbers from 0 to 255")
            return
        if insufficient is not False and not (insufficient is True and isinstance(entries[number - 1].act.call, Bid)):
            self._wrong("`insufficient` is true or false, and true only of a bid")
            return
        act = entries[number - 1].act
        comments = self._texts(item, "comments")
        entries[number - 1] = Entry(act, insufficient, note, tuple(sorted(set(glyphs))), comments, self._span)

    def _tag(self, item: object) -> Tag | None:
        if not isinstance(item, dict):
            self._wrong("a tag is a JSON object")
            return None
        name, value, section = (self._text(item, key) or "" for key in ("name", "value", "section"))
        if not _TAG_NAME.fullmatch(name):
            self._wrong(f"`{shorten(name)}` cannot be the name of a tag")
            return None
        return Tag(name, value, self._texts(item, "comments"), section, self._notes(item))

    def _notes(self, value: Mapping[str, Any]) -> tuple[Note, ...]:
        found = []
        for item in self._list(value, "notes"):
            if isinstance(item, dict) and _is_number(item.get("number")) and _is_text(item.get("text")):
                found.append(Note(item["number"], item["text"], self._span))
            else:
                self._wrong("a note is an object with a `number` and a `text`")
        return tuple(found)

    def _text(self, value: Mapping[str, Any], key: str) -> str | None:
        found: str | None = value.get(key)
        if found is None or _is_text(found):
            return found
        self._wrong(f"`{key}` is a text")
        return None

    def _list(self, value: Mapping[str, Any], key: str) -> Iterator[object]:
        found = value.get(key, [])
        if isinstance(found, list):
            yield from found
        else:
            self._wrong(f"`{key}` is a list")

    def _texts(self, value: Mapping[str, Any], key: str) -> tuple[str, ...]:
        found = tuple(self._list(value, key))
        if all(_is_text(item) for item in found):
            return tuple(str(item) for item in found)
        self._wrong(f"`{key}` are texts")
        return ()


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9


def _is_text(value: object) -> bool:
    """Whether a value is a text that can be written: JSON can also spell halves of characters."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)
