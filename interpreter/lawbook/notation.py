"""The auction notation, in which players' acts are written, and the names under which editions are chosen.

An auction is acts separated by white space. A bare call is by the player in turn, `S:1H` by another seat; an act
other than a call always names its seat and may have an argument: `1C 2R S:penalise S:correct=3D TABLE:deal`. `AP`
stands for passes until the auction is over. Names may be written in capitals or small letters.

`parse_auction` reads it and `format_auction` writes the canonical form. What the acts do is for the laws; here only
their names are known, and what argument each takes.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never, final

from lawbook.diagnostics import Label, Span, nearest
from lawbook.errors import Collector, LawbookError
from lawbook.values import TABLE, Act, Call, Card, Seat, Table, is_argument, shorten

AUCTION_FILE: Final = "<auction>"
"""The file that the places of an auction given on its own are said to be in."""

EDITION_FILE: Final = "<edition>"
"""The same for the name of an edition."""

LONGEST_AUCTION: Final = 10_000
"""How many acts are read at most; no auction at a table comes near it."""

# An auction with more mistakes than anyone will read must not take long to refuse.
_MOST_PROBLEMS: Final = 50


@final
class ArgumentKind(enum.Enum):
    """What is written after the `=` of an act: nothing, or something that must or may be there."""

    NONE = "none"
    CALL = "call"
    CARD = "card"
    TEXT = "text"
    OPTIONAL_CALL = "optional call"
    OPTIONAL_CARD = "optional card"
    OPTIONAL_TEXT = "optional text"

    @property
    def is_required(self) -> bool:
        """Whether the act is incomplete without it."""
        return self in (ArgumentKind.CALL, ArgumentKind.CARD, ArgumentKind.TEXT)

    @property
    def noun(self) -> str:
        """What the argument is, as a message says it."""
        plain = self.value.removeprefix("optional ")
        return {"text": "some text", "none": "nothing"}.get(plain, f"a {plain}")


@final
class AllPass(enum.Enum):
    """The marker `AP`, which stands for as many passes as end the auction; its one member is `ALL_PASS`."""

    ALL_PASS = "AP"

    def __str__(self) -> str:
        return self.value


ALL_PASS: Final = AllPass.ALL_PASS

Item: TypeAlias = Act | AllPass
"""What one word of the notation stands for."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word of an auction: what it stands for, its text as written, and where it was.

    `line` and `position` (the column) count from 1, and so does `index`, its place among the words.
    """

    act: Item
    text: str
    line: int
    position: int
    index: int


# -- auctions --------------------------------------------------------------------------------------------------------


def parse_auction(text: str, *, acts: Mapping[str, ArgumentKind], at: Span | None = None) -> tuple[Token, ...]:
    """Read an auction, given the declared acts other than calls and what argument each takes.

    `at` is where the text lies, if it is one line of a file. Raises `LawbookError` with all problems, each with
    its place and where possible with what was meant, from the names that are declared.

    >>> declared = {"penalise": ArgumentKind.NONE, "correct": ArgumentKind.CALL}
    >>> [str(token.act) for token in parse_auction("2h 2d s:penalise AP", acts=declared)]
    ['2H', '2D', 'S:penalise', 'AP']
    """
    # A byte order mark at the start of a file is no part of its first line.
    lines = list(_lines(text.removeprefix("\ufeff"), at or Span(AUCTION_FILE, 1, 1, 1, 1)))
    words = list(_words(lines))
    problems = Collector()
    if len(words) > LONGEST_AUCTION:
        first_too_many = words[LONGEST_AUCTION]
        problems.error(
            "auction-too-long",
            f"the auction has {len(words):,} acts, and no more than {LONGEST_AUCTION:,} are read",
            first_too_many.span,
        )
        problems.raise_if_errors()
    if (comma := _first_comma(lines)) is not None:
        problems.error("comma-between-acts", "acts are separated by white space, not by commas", comma)
    reader = _Reader(acts, problems)
    tokens: list[Token] = []
    for index, word in enumerate(words, start=1):
        if len(problems.diagnostics) >= _MOST_PROBLEMS:
            problems.error("too-many-problems", "the rest of the auction was not read", word.span)
            break
        if (act := reader.read(word)) is not None:
            tokens.append(Token(act, word.text, word.span.line, word.span.column, index))
    problems.raise_if_errors()
    return tuple(tokens)


def format_auction(acts: Iterable[Item]) -> str:
    """Write an auction in its canonical form, one space between acts; the inverse of `parse_auction`.

    >>> format_auction([Act.of_call(Call.parse("1nt")), Act(Seat.S, "correct", argument="3D"), ALL_PASS])
    '1N S:correct=3D AP'
    """
    return " ".join(str(act) for act in acts)


@dataclass(frozen=True, slots=True)
class _Word:
    """A stretch of the text and its place, so that a part of it still knows its place."""

    text: str
    span: Span

    def split(self, separator: str) -> tuple[_Word, _Word | None]:
        """What stands before the separator, and after it; None if it is not there."""
        start = self.text.find(separator)
        if start < 0:
            return self, None
        return self._part(0, start), self._part(start + len(separator), len(self.text))

    def _part(self, start: int, end: int) -> _Word:
        return _Word(self.text[start:end], self.span.within(start, end))


_LINE: Final = re.compile(r"[^\r\n]+|\r\n|[\r\n]")


def _lines(text: str, at: Span) -> Iterator[tuple[str, Span]]:
    """The lines that are not empty, with the place where each begins."""
    line, column = at.line, at.column
    for found in _LINE.finditer(text):
        if found[0][0] in "\r\n":
            line, column = line + 1, 1
        else:
            yield found[0], Span(at.file, line, column, line, column)


def _words(lines: Iterable[tuple[str, Span]]) -> Iterator[_Word]:
    for line, start in lines:
        for found in re.finditer(r"[^\s,]+", line):
            yield _Word(found[0], start.within(*found.span()))


def _first_comma(lines: Iterable[tuple[str, Span]]) -> Span | None:
    for line, start in lines:
        if (column := line.find(",")) >= 0:
            return start.within(column, column + 1)
    return None


class _Reader:
    """Reads one word at a time, and notes what is wrong with it."""

    def __init__(self, acts: Mapping[str, ArgumentKind], problems: Collector) -> None:
        self._acts = acts
        self._problems = problems

    def read(self, word: _Word) -> Item | None:
        """What the word stands for, or None if that cannot be told; then a problem has been noted."""
        before, after = word.split(":")
        if after is None:
            return self._bare(word)
        if self._is_reversed(before, after):
            self._problems.error(
                "seat-after-act",
                f"`{shorten(word.text)}` is the wrong way round",
                word.span,
                help="the seat comes first",
                suggestion=f"{_seat(after.text)}:{before.text}",
            )
            return None
        seat = self._seat(before)
        act = self._act(seat if seat is not None else Seat.N, after)
        return None if seat is None else act

    # -- without a seat

    def _bare(self, word: _Word) -> Item | None:
        if word.text.lower() == "ap":
            return ALL_PASS
        try:
            return Act.of_call(Call.parse(word.text))
        except LawbookError as error:
            self._refuse_bare(word, error)
            return None

    def _refuse_bare(self, word: _Word, error: LawbookError) -> None:
        name = word.split("=")[0].text.lower()
        if name in self._acts:
            self._problems.error(
                "act-without-seat",
                f"`{shorten(word.text)}` does not say who acts",
                word.span,
                help=f"write the seat before it, as in `S:{word.text}`" if len(word.text) < 40 else None,
            )
            return
        (diagnostic,) = error.diagnostics
        if diagnostic.code != "unknown-call" or diagnostic.suggestion is not None:
            self._problems.add(replace(diagnostic, span=word.span))
            return
        suggestion = str(ALL_PASS) if nearest(word.text, ("all pass",)) else None
        help = "a call is P, X, XX or a bid such as 1N"
        if word.text[:1].upper() in Seat.__members__ and self._is_call_or_act(word.text[1:]):
            suggestion, help = f"{word.text[0].upper()}:{word.text[1:]}", "a colon stands between a seat and its act"
        elif (act := nearest(name, self._acts)) is not None:
            help = f"`{act}` is an act, and needs its seat before it, as in `S:{act}`"
        self._problems.error(
            "unknown-act",
            f"`{shorten(word.text)}` is neither a call nor an act",
            word.span,
            help=help,
            suggestion=suggestion,
        )

    # -- with a seat

    def _seat(self, word: _Word) -> Seat | Table | None:
        if not word.text:
            self._problems.error(
                "seat-missing",
                "there is no seat before the colon",
                word.span,
                help="the seats are N, E, S and W, and TABLE for what no player does",
            )
            return None
        if word.text.lower() == "table":
            return TABLE
        try:
            return Seat.parse(word.text)
        except LawbookError as error:
            (diagnostic,) = error.diagnostics
            self._problems.add(
                replace(
                    diagnostic,
                    span=word.span,
                    help="the seats are N, E, S and W, and TABLE for what no player does",
                    suggestion=diagnostic.suggestion or nearest(word.text, ("TABLE",)),
                )
            )
            return None

    def _act(self, seat: Seat | Table, word: _Word) -> Act | None:
        name, argument = word.split("=")
        if not name.text:
            self._problems.error("act-missing", "there is no act after the colon", name.span)
            return None
        if name.text.lower() == "ap":
            self._problems.error(
                "all-pass-with-seat",
                "`AP` stands for passes by every player in turn, so it has no seat",
                name.span,
                help="write `AP` alone, or `P` for a pass by this seat",
            )
            return None
        kind = self._acts.get(name.text.lower())
        if kind is not None:
            return self._named(seat, name, argument, kind)
        try:
            call = Call.parse(name.text)
        except LawbookError as error:
            self._refuse_act(name, error)
            return None
        if argument is not None:
            self._refuse_argument("a call", argument)
            return None
        if seat is TABLE:
            self._problems.error("call-by-table", "a call is made by a player, not by the table", word.span)
            return None
        return Act.of_call(call, seat)

    def _refuse_act(self, word: _Word, error: LawbookError) -> None:
        (diagnostic,) = error.diagnostics
        if diagnostic.code != "unknown-call":
            self._problems.add(replace(diagnostic, span=word.span))
            return
        self._problems.error(
            "unknown-act",
            f"`{shorten(word.text)}` is neither a call nor an act",
            word.span,
            help=None if not self._acts else f"the acts are {', '.join(sorted(self._acts))}",
            suggestion=diagnostic.suggestion or nearest(word.text, self._acts),
        )

    def _named(self, seat: Seat | Table, word: _Word, argument: _Word | None, kind: ArgumentKind) -> Act | None:
        name = word.text.lower()
        if argument is None:
            if kind.is_required:
                self._problems.error(
                    "argument-missing",
                    f"`{name}` needs {kind.noun}",
                    word.span,
                    help=f"write it after an equals sign, as in `{seat}:{name}={_example(kind)}`",
                )
                return None
            return Act(seat, name)
        if kind is ArgumentKind.NONE:
            self._refuse_argument(f"`{name}`", argument)
            return None
        if not argument.text:
            self._problems.error("argument-missing", "nothing follows the equals sign", argument.span)
            return None
        value = self._argument(argument, kind)
        return None if value is None else Act(seat, name, argument=value)

    def _argument(self, word: _Word, kind: ArgumentKind) -> str | None:
        try:
            match kind:
                case ArgumentKind.CALL | ArgumentKind.OPTIONAL_CALL:
                    return str(Call.parse(word.text))
                case ArgumentKind.CARD | ArgumentKind.OPTIONAL_CARD:
                    return str(Card.parse(word.text))
                case ArgumentKind.TEXT | ArgumentKind.OPTIONAL_TEXT:
                    if is_argument(word.text):
                        return word.text
                    self._problems.error(
                        "argument-unprintable", "the argument has characters that cannot be printed", word.span
                    )
                    return None
                case ArgumentKind.NONE:
                    raise ValueError("an act without an argument has none to read")
                case _:
                    assert_never(kind)
        except LawbookError as error:
            self._problems.extend(replace(diagnostic, span=word.span) for diagnostic in error.diagnostics)
            return None

    def _refuse_argument(self, what: str, argument: _Word) -> None:
        self._problems.error("argument-not-taken", f"{what} takes no argument, so nothing can follow it", argument.span)

    # -- what was meant

    def _is_reversed(self, before: _Word, after: _Word) -> bool:
        return _seat(after.text) is not None and _seat(before.text) is None and self._is_call_or_act(before.text)

    def _is_call_or_act(self, text: str) -> bool:
        if text.partition("=")[0].lower() in self._acts:
            return True
        try:
            Call.parse(text)
        except LawbookError:
            return False
        return True


def _seat(text: str) -> Seat | Table | None:
    """The seat of that name, or None, for guesses."""
    if text.lower() == "table":
        return TABLE
    try:
        return Seat.parse(text)
    except LawbookError:
        return None


def _example(kind: ArgumentKind) -> str:
    return {"call": "3D", "card": "HA"}.get(kind.value.removeprefix("optional "), "text")


# -- names of editions -----------------------------------------------------------------------------------------------

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def parse_edition_name(text: str) -> tuple[str, dict[str, str]]:
    """Read the name of an edition with the readings chosen, if any: its id, and the choice for each reading.

    Whether there is such an edition or reading is not asked here. Raises `LawbookError` with all problems.

    >>> parse_edition_name("whist-club-1912@sufficient-denomination=offender-chooses")
    ('whist-club-1912', {'sufficient-denomination': 'offender-chooses'})
    """
    problems = Collector()
    whole = _Word(text, Span(EDITION_FILE, 1, 1, 1, len(text) + 1))
    edition, rest = whole.split("@")
    _check_name(edition, "edition", problems)
    readings: dict[str, str] = {}
    places: dict[str, Span] = {}
    while rest is not None:
        part, rest = rest.split(",")
        name, choice = part.split("=")
        if not part.text:
            problems.error(
                "reading-missing", "a reading is missing here", part.span, help="readings are written `name=choice`"
            )
            continue
        if choice is None:
            problems.error(
                "choice-missing",
                f"`{shorten(part.text)}` does not say what is chosen",
                part.span,
                help="readings are written `name=choice`",
            )
            continue
        _check_name(name, "reading", problems)
        _check_name(choice, "choice", problems)
        if name.text in places:
            problems.error(
                "reading-twice",
                f"the reading `{shorten(name.text)}` is chosen twice",
                name.span,
                labels=[Label(places[name.text], "first chosen here")],
            )
        places.setdefault(name.text, name.span)
        readings[name.text] = choice.text
    problems.raise_if_errors()
    return edition.text, readings


def format_edition_name(edition: str, readings: Mapping[str, str]) -> str:
    """Write the name of an edition with the readings chosen, in the order of their names.

    >>> format_edition_name("whist-club-1912", {"b": "y", "a": "x"})
    'whist-club-1912@a=x,b=y'
    """
    chosen = ",".join(f"{name}={choice}" for name, choice in sorted(readings.items()))
    return f"{edition}@{chosen}" if chosen else edition


def _check_name(word: _Word, what: str, problems: Collector) -> None:
    """Note a problem if the word cannot be the name of an edition, of a reading or of a choice."""
    if _NAME.fullmatch(word.text):
        return
    if not word.text:
        problems.error("name-missing", f"the name of the {what} is missing here", word.span)
        return
    likely = re.sub(r"[-\s_]+", "-", word.text.strip().lower().removesuffix(".yaml"))
    problems.error(
        "name-malformed",
        f"`{shorten(word.text)}` cannot be the name of {'an' if what == 'edition' else 'a'} {what}",
        word.span,
        help="one `@` stands before all readings, and commas between them"
        if "@" in word.text
        else "names are of small letters, digits and hyphens",
        suggestion=likely if _NAME.fullmatch(likely) else None,
    )
