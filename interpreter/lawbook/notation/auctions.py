"""Auctions read from notation, and written in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final, assert_never

from lawbook.diagnostics import Diagnostic, Severity, Span, nearest
from lawbook.errors import Collector, LawbookError
from lawbook.notation.tokens import ALL_PASS, ArgumentKind, Item, Token
from lawbook.notation.words import Word, first_comma, lines_of, words_of
from lawbook.records import replace
from lawbook.values import (
    NO_SIGNS,
    TABLE,
    Act,
    Bid,
    Call,
    Card,
    Seat,
    Table,
    is_argument,
    level_said,
    shorten,
)

AUCTION_FILE: Final = "<auction>"
"""The file that the places of an auction given on its own are said to be in."""

LONGEST_AUCTION: Final = 10_000
"""How many acts are read at most; no auction at a table comes near it."""

# An auction with more mistakes than anyone will read must not take long to refuse.
_MOST_PROBLEMS: Final = 50


def parse_auction(
    text: str,
    *,
    acts: Mapping[str, ArgumentKind],
    letters: Collection[str] | None = None,
    signs: Mapping[str, str] = NO_SIGNS,
    at: Span | None = None,
) -> tuple[Token, ...]:
    """Read an auction, given the declared acts other than calls and what argument each takes.

    `letters` are those of the denominations that can be bid; without them any capital letter can. `signs` are
    those that may be written for a letter, each with the letter. `at` is where the text lies, if it is one line of a
    file. Raises `LawbookError` with all problems, each with its place and where possible with what was meant, from the
    names that are declared.

    >>> declared = {"penalise": ArgumentKind.NONE, "correct": ArgumentKind.CALL}
    >>> [str(token.act) for token in parse_auction("2h 2d s:penalise AP", acts=declared)]
    ['2H', '2D', 'S:penalise', 'AP']
    """
    # A byte order mark at the start of a file is no part of its first line.
    lines = list(lines_of(text.removeprefix("\ufeff"), at or Span(AUCTION_FILE, 1, 1, 1, 1)))
    words = list(words_of(lines))
    problems = Collector()
    if len(words) > LONGEST_AUCTION:
        first_too_many = words[LONGEST_AUCTION]
        problems.error(
            "auction-too-long",
            f"the auction has {len(words):,} acts, and no more than {LONGEST_AUCTION:,} are read",
            first_too_many.span,
        )
        problems.raise_if_errors()
    if (comma := first_comma(lines)) is not None:
        problems.error("comma-between-acts", "acts are separated by white space, not by commas", comma)
    reader = _Reader(acts, letters, signs, problems)
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


# A bid in which a sign stands for the letter.
_SIGNED: Final = re.compile(r"([0-9]+)([^\s\x00-\x7f]+)")
# Calls without a space between them, where each is written in short.
_RUN: Final = re.compile(r"[0-9]+(?:NT|[A-Z]|[^\s\x00-\x7f]+)|XX?|P", re.IGNORECASE)
_LONGEST_RUN: Final = 40


def unknown_denomination(text: str, letters: Iterable[str], span: Span | None = None) -> Diagnostic:
    """The problem with a bid, as it is written, in a letter that is not among those of the denominations."""
    return Diagnostic(
        "unknown-denomination",
        Severity.ERROR,
        f"`{shorten(text)}` is in no denomination",
        span,
        help=f"the letters of the denominations are {', '.join(sorted(letters))}",
    )


class _Reader:
    """Reads one word at a time, and notes what is wrong with it."""

    def __init__(
        self,
        acts: Mapping[str, ArgumentKind],
        letters: Collection[str] | None,
        signs: Mapping[str, str],
        problems: Collector,
    ) -> None:
        self._acts = acts
        self._letters = letters
        self._signs = signs
        self._problems = problems

    def read(self, word: Word) -> Item | None:
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

    def _bare(self, word: Word) -> Item | None:
        if word.text.lower() == "ap":
            return ALL_PASS
        try:
            call = Call.parse(word.text, self._signs)
        except LawbookError as error:
            self._refuse_bare(word, error)
            return None
        return Act.of_call(call, said=level_said(word.text, call)) if self._is_known(call, word) else None

    def _is_known(self, call: Call, word: Word) -> bool:
        """Whether a call is in a denomination that can be bid; if not, a problem has been noted."""
        if self._letters is None or not isinstance(call, Bid) or call.denomination in self._letters:
            return True
        self._problems.add(unknown_denomination(word.text, self._letters, word.span))
        return False

    def _is_signed(self, word: Word) -> bool:
        """Whether a word is a bid with a sign that stands for no one letter; if it is, a problem has been noted."""
        found = _SIGNED.fullmatch(word.text)
        if self._letters is None or found is None:
            return False
        if choices := self._signs.get(found[2]):
            self._problems.error(
                "unknown-denomination",
                f"`{shorten(word.text)}` does not say which denomination is meant",
                word.span,
                help=f"several have this sign, so write the letter: {', '.join(sorted(choices))}",
            )
        else:
            self._problems.add(unknown_denomination(word.text, self._letters, word.span))
        return True

    def _is_run_together(self, word: Word) -> bool:
        """Whether a word is several calls without a space between them; if it is, a problem has been noted."""
        calls = _RUN.findall(word.text) if len(word.text) <= _LONGEST_RUN else []
        if not calls or "".join(calls) != word.text or not all(self._is_call_or_act(call) for call in calls):
            return False
        self._problems.error(
            "unknown-act",
            f"`{shorten(word.text)}` is {len(calls)} calls run together",
            word.span,
            help="acts are separated by white space",
            suggestion=" ".join(calls),
        )
        return True

    def _refuse_bare(self, word: Word, error: LawbookError) -> None:
        name = word.split("=")[0].text.lower()
        if name in self._acts:
            self._problems.error(
                "act-without-seat",
                f"`{shorten(word.text)}` does not say who acts",
                word.span,
                help=f"write the seat before it, as in `S:{word.text}`" if len(word.text) < 40 else None,
            )
            return
        if self._is_signed(word):
            return
        if self._is_run_together(word):
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

    def _seat(self, word: Word) -> Seat | Table | None:
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

    def _act(self, seat: Seat | Table, word: Word) -> Act | None:
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
            call = Call.parse(name.text, self._signs)
        except LawbookError as error:
            self._refuse_act(name, error)
            return None
        if argument is not None:
            self._refuse_argument("a call", argument)
            return None
        if seat is TABLE:
            self._problems.error("call-by-table", "a call is made by a player, not by the table", word.span)
            return None
        return Act.of_call(call, seat, level_said(name.text, call)) if self._is_known(call, name) else None

    def _refuse_act(self, word: Word, error: LawbookError) -> None:
        if self._is_signed(word) or self._is_run_together(word):
            return
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

    def _named(self, seat: Seat | Table, word: Word, argument: Word | None, kind: ArgumentKind) -> Act | None:
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
        if value is None:
            return None
        is_call = kind in (ArgumentKind.CALL, ArgumentKind.OPTIONAL_CALL)
        said = level_said(argument.text, Call.parse(value)) if is_call else None
        return Act(seat, name, argument=value, said=said)

    def _argument(self, word: Word, kind: ArgumentKind) -> str | None:
        try:
            match kind:
                case ArgumentKind.CALL | ArgumentKind.OPTIONAL_CALL:
                    call = Call.parse(word.text, self._signs)
                    return str(call) if self._is_known(call, word) else None
                case ArgumentKind.CARD | ArgumentKind.OPTIONAL_CARD:
                    return str(Card.parse(word.text, self._signs))
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

    def _refuse_argument(self, what: str, argument: Word) -> None:
        self._problems.error("argument-not-taken", f"{what} takes no argument, so nothing can follow it", argument.span)

    # -- what was meant

    def _is_reversed(self, before: Word, after: Word) -> bool:
        return _seat(after.text) is not None and _seat(before.text) is None and self._is_call_or_act(before.text)

    def _is_call_or_act(self, text: str) -> bool:
        if text.partition("=")[0].lower() in self._acts:
            return True
        try:
            Call.parse(text, self._signs)
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
