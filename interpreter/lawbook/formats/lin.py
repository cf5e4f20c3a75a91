"""LIN, the notation of Bridge Base Online, read: boards with the place of every call, and all that is wrong.

A file is `key|value|` again and again: `md|3S...|` the dealer (1 South, 2 West, 3 North, 4 East) and the hands,
`mb|1H|` a call, `an|text|` what it means, `sv|n|` the vulnerability, `ah|Board 7|` or `qx|o7|` the number, `pn|` the
players from South on, `nt|` a comment. A `!` after a call is an alert. Play and what is for drawing are not read.

Written for Lawbook because the readers on the Python package index give no places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lawbook.diagnostics import Span
from lawbook.errors import Collector, LawbookError
from lawbook.formats.board import BOARD, DEAL, RESULT, VULNERABLE, Board, Ending, Entry, Note, Reading, Record, Tag
from lawbook.formats.pbn_games import MOST_NOTES
from lawbook.formats.pbn_words import can_say
from lawbook.formats.scanner import Text
from lawbook.values import CARD_RANKS, Act, Call, Seat, shorten

ALERT: Final = "alert"
"""The remark on a call that was alerted without saying why."""

# What is read; where the bars have fallen out of step, one of these shows where they are in step again.
_KEYS: Final = frozenset({"pn", "st", "md", "rh", "ah", "sv", "mb", "an", "nt", "pc", "pg", "mc", "qx", "vg", "rs"})
_KEY: Final = re.compile(r"\s*([A-Za-z][A-Za-z0-9])\|")
_SOMETHING: Final = re.compile(r"\S")
_RESUMES: Final = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(sorted(_KEYS))})\|")
_DEALERS: Final = {"1": Seat.S, "2": Seat.W, "3": Seat.N, "4": Seat.E}
_VULNERABLE: Final = {"o": "None", "0": "None", "-": "None", "n": "NS", "e": "EW", "b": "All"}
# The order in which hands and players are named.
_ORDER: Final = ("South", "West", "North", "East")
_SUITS: Final = "SHDC"
_CALLS: Final = {"p": "P", "pass": "P", "d": "X", "x": "X", "dbl": "X", "r": "XX", "xx": "XX", "rdbl": "XX"}
_SYMBOL: Final = re.compile(r"!([SHDCshdc])")
_NUMBER: Final = re.compile(r"[0-9]{1,6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A key with its value, and where each stands in the text."""

    key: str
    value: str
    at: int
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.value)


def read_lin(text: str, file: str) -> Reading:
    """Every board of a text. Nothing is raised: what is wrong is in the diagnostics.

    >>> board = read_lin("md|4|mb|p|mb|1N!|an|15 to 17|mb|d|mb|ap|", "a.lin").boards[0]
    >>> str(board.dealer), [str(act) for act in board.acts], board.notes[0].text
    ('E', ['P', '1N', 'X'], '15 to 17')
    """
    source, problems = Text(text, file), Collector()
    boards: list[Board] = []
    reader = _BoardReader(source, problems, ())
    for pair in _pairs(source, problems):
        if reader.is_ended_by(pair.key):
            boards.append(reader.board())
            # The players are named once for all boards of a match.
            reader = _BoardReader(source, problems, reader.players)
        reader.read(pair)
    if reader.has_begun:
        boards.append(reader.board())
    return Reading(tuple(boards), problems.diagnostics)


def _pairs(source: Text, problems: Collector) -> Iterator[_Pair]:
    text, at = source.text, 0
    while at < len(text):
        found = _KEY.match(text, at)
        if found is None:
            begun = _SOMETHING.search(text, at)
            if begun is None:
                return
            at = begun.start()
            resumed = _RESUMES.search(text, at)
            end = resumed.start() if resumed else len(text)
            shown = text[at:end].partition("\n")[0].rstrip()
            problems.error(
                "key-missing",
                f"`{shorten(shown)}` is no key with a value",
                source.span(at, at + len(shown)),
                help="a file is keys of two letters and values, each closed by a bar, as in mb|1H|",
            )
            at = end
            continue
        key, start = found[1].lower(), found.end()
        bar = text.find("|", start)
        line = text.find("\n", start)
        # Only remarks go on over the end of a line; elsewhere the bar was forgotten.
        if key not in ("an", "nt") and line >= 0 and not 0 <= bar < line:
            bar = -1
        if bar < 0:
            end = line if line >= 0 and key not in ("an", "nt") else len(text)
            if key in _KEYS:
                problems.error("bar-missing", f"no bar closes the value of `{key}`", source.span(start, end))
            yield _Pair(key, text[start:end], found.start(1), start)
            at = end
            continue
        yield _Pair(key, text[start:bar], found.start(1), start)
        at = bar + 1


@dataclass(slots=True)
class _Heard:
    """A call as it is read, and what was said of it."""

    call: Call
    span: Span
    token: str
    is_alerted: bool
    meaning: str | None = None
    comments: list[str] = field(default_factory=list)


class _BoardReader:
    """Gathers what is said of one board."""

    def __init__(self, source: Text, problems: Collector, players: tuple[str, ...]) -> None:
        self._source = source
        self._problems = problems
        self.players = players
        """The names of the players in the order in which they were given, of two tables if there are eight."""
        self._has_players = False
        self._closed_room = False
        self._dealer: Seat | None = None
        self._tags: dict[str, Tag] = {}
        self._calls: list[_Heard] = []
        self._comments: list[str] = []
        self._ending = Ending.PLAIN
        self._has_deal = False
        self._span: tuple[int, int] | None = None
        self._auction_span: Span | None = None

    @property
    def has_begun(self) -> bool:
        """Whether anything has been told of a board: a deal or a call."""
        return self._has_deal or self._auction_span is not None

    def is_ended_by(self, key: str) -> bool:
        """Whether this key begins another board."""
        match key:
            case "qx" | "md":
                return self.has_begun
            case "pn":
                # The players may be named after the deal, but then only once.
                return self._auction_span is not None or (self.has_begun and self._has_players)
            case _:
                return False

    def read(self, pair: _Pair) -> None:
        """Take one key and its value."""
        self._span = (pair.at, pair.end) if self._span is None else (self._span[0], pair.end)
        value = pair.value.strip()
        match pair.key:
            case "pn":
                self._has_players = True
                self.players = tuple(name.strip() for name in value.split(","))
            case "qx":
                self._closed_room = value[:1].lower() == "c"
                if (number := _NUMBER.search(value)) and BOARD not in self._tags:
                    self._add(BOARD, number[0], pair)
            case "ah":
                if number := _NUMBER.search(value):
                    self._add(BOARD, number[0], pair)
            case "sv":
                self._vulnerability(value, pair)
            case "md":
                self._deal(value, pair)
            case "mb":
                self._call(value, pair)
            case "an":
                self._meaning(value, pair)
            case "nt":
                if value:
                    (self._calls[-1].comments if self._calls else self._comments).append(_remark(value))
            case "mc":
                if _NUMBER.fullmatch(value) and int(value) <= 13:
                    self._add(RESULT, value, pair)
            case _:
                pass

    def _add(self, name: str, value: str, pair: _Pair) -> None:
        span = self._place(pair)
        self._tags[name] = Tag(name, value, span=span, value_span=span)

    def _place(self, pair: _Pair) -> Span:
        lead = len(pair.value) - len(pair.value.lstrip())
        return self._source.span(pair.start + lead, pair.start + lead + len(pair.value.strip()))

    def _vulnerability(self, value: str, pair: _Pair) -> None:
        if not value:
            return
        meant = _VULNERABLE.get(value.lower())
        if meant is None:
            self._problems.error(
                "value-unreadable",
                f"`{shorten(value)}` is no vulnerability",
                self._place(pair),
                help="it is o for none, n, e or b for both",
            )
            return
        self._add(VULNERABLE, meant, pair)

    def _deal(self, value: str, pair: _Pair) -> None:
        self._has_deal = True
        self._dealer = _DEALERS.get(value[:1])
        if self._dealer is None:
            self._problems.error(
                "dealer-unknown",
                "the deal does not say who dealt",
                self._place(pair),
                help="before the hands stands 1 for South, 2 for West, 3 for North or 4 for East",
            )
        hands = value[1:] if value[:1].isdigit() else value
        if hands.strip(","):
            written = _hands(hands)
            if written is None:
                self._problems.error("deal-unreadable", "these are no hands of cards", self._place(pair))
            else:
                self._add(DEAL, written, pair)

    def _call(self, value: str, pair: _Pair) -> None:
        span = self._place(pair)
        self._auction_span = self._auction_span or span
        if self._ending is not Ending.PLAIN:
            if self._ending is Ending.ALL_PASS:
                self._problems.error("call-after-end", f"nothing follows `{self._ending.value}`", span)
                self._ending = Ending.CUT
            else:
                self._parsed(value, span)
            return
        if value.lower() == "ap":
            self._ending = Ending.ALL_PASS
            return
        call = self._parsed(value, span)
        if call is None:
            self._ending = Ending.CUT
            return
        self._calls.append(_Heard(call, span, value, value.endswith("!")))

    def _parsed(self, value: str, span: Span) -> Call | None:
        text = value.rstrip("!").strip()
        try:
            call = Call.parse(_CALLS.get(text.lower(), text))
        except LawbookError:
            call = None
        if call is None or not can_say(Act.of_call(call)):
            self._problems.error(
                "unknown-call",
                f"`{shorten(value)}` is no call" if value else "there is no call here",
                span,
                help="a call is p, d, r or a bid such as 1N, with ! after it where it was alerted",
            )
            return None
        return call

    def _meaning(self, value: str, pair: _Pair) -> None:
        if self._ending is Ending.CUT or not value:
            return
        if not self._calls:
            self._problems.warning("remark-before-call", "what a call means stands after the call", self._place(pair))
            self._comments.append(_remark(value))
        elif self._calls[-1].meaning is not None:
            self._calls[-1].comments.append(_remark(value))
        else:
            self._calls[-1].meaning = " ".join(_remark(value).split())

    def board(self) -> Board:
        """The board that was gathered."""
        for seat, name in self._seated():
            self._tags.setdefault(seat, Tag(seat, name))
        order = [BOARD, "West", "North", "East", "South", VULNERABLE, DEAL, RESULT]
        tags = tuple(self._tags[name] for name in order if name in self._tags)
        notes: dict[str, int] = {}
        entries = tuple(self._entry(heard, notes) for heard in self._calls)
        record = None
        if self._auction_span is not None:
            record = Record(entries, self._ending, False, (), self._auction_span)
        span = None if self._span is None else self._source.span(*self._span)
        numbered = tuple(Note(number, text) for text, number in notes.items())
        return Board(self._dealer, tags, record, numbered, tuple(self._comments), span)

    def _seated(self) -> Iterator[tuple[str, str]]:
        here = self.players[4:] if self._closed_room and len(self.players) == 8 else self.players
        for seat, name in zip(_ORDER, here, strict=False):
            if name:
                yield seat, name

    def _entry(self, heard: _Heard, notes: dict[str, int]) -> Entry:
        meaning = heard.meaning or (ALERT if heard.is_alerted else None)
        comments = tuple(heard.comments)
        number = None
        if meaning is not None:
            if meaning in notes or len(notes) < MOST_NOTES:
                number = notes.setdefault(meaning, len(notes) + 1)
            else:
                # There are no more numbers for notes: what it means is kept as a comment.
                comments = (meaning, *comments)
        return Entry(Act.of_call(heard.call), False, number, (), comments, heard.span, heard.token)


def _remark(text: str) -> str:
    """A remark with the suits as PBN writes them, and in one form of braces that no comment ends by."""
    return _SYMBOL.sub(lambda found: f"\\{found[1].upper()}", text).replace("}", ")")


def _hands(text: str) -> str | None:
    """The four hands as a Deal tag has them, the one left out found from the others; None if they are no hands."""
    hands: list[dict[str, str] | None] = []
    for written in text.split(",")[:4]:
        hands.append(_hand(written.strip().upper()) if written.strip() else None)
        if written.strip() and hands[-1] is None:
            return None
    hands.extend([None] * (4 - len(hands)))
    known = [hand for hand in hands if hand is not None]
    if len(known) == 3 and all(sum(map(len, hand.values())) == 13 for hand in known):
        left = {s: "".join(r for r in CARD_RANKS if all(r not in hand[s] for hand in known)) for s in _SUITS}
        hands[hands.index(None)] = left
    shown = ["-" if hand is None else ".".join(hand[suit] for suit in _SUITS) for hand in hands]
    return f"S:{' '.join(shown)}"


def _hand(text: str) -> dict[str, str] | None:
    hand = dict.fromkeys(_SUITS, "")
    suit = ""
    for letter in text.replace("10", "T"):
        if letter in _SUITS:
            suit = letter
        elif letter in CARD_RANKS and suit and letter not in hand[suit]:
            hand[suit] += letter
        else:
            return None
    return {suit: "".join(rank for rank in CARD_RANKS if rank in ranks) for suit, ranks in hand.items()}
