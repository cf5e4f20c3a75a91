"""Passages: a transcription in plain text in, its laws out, each with its number and its lines.

A law begins on a new line with its number: all of them with `LAW 50` or all with `50.`, `50a`. What else begins with a
number, such as the points of a list inside a law, or a year, is told apart by the order, since the laws of a code are
numbered upwards: those beginnings are taken that make the longest ascending row, those of laws the edition has weighing
most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.errors import Collector, LawbookError
from lawbook.source.text import without_forbidden

_WORD: Final = re.compile(r"\s*(?:law|§)\s*([0-9]+)([a-z]?)(?![0-9a-z])", re.IGNORECASE)
# Without the word a number needs a sign behind it, a letter, or the line for itself.
_BARE: Final = re.compile(r"\s*([0-9]+)(?:([a-z])(?=[.:)\s]|$)[.:)]?|[.:)](?![0-9])|\s*$)()", re.IGNORECASE)
_NUMBER: Final = re.compile(r"([0-9]+)([a-z]?)", re.IGNORECASE)
_NAMED: Final = re.compile(r"([a-z][a-z ]*?)\s+([0-9]+)([a-z]?)", re.IGNORECASE)

# What a beginning weighs whose law the edition does not have.
_UNKNOWN: Final = 0.1
# More beginnings than any code has laws; beyond this the order is not worth its time.
_MOST: Final = 2000

Key = tuple[str, int, str]
"""A law's number as it is ordered: the word before it (none for laws), the figure and the letter."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One law of a transcription: its number as an edition writes it, its words, and its first and last line from 1."""

    number: str
    text: str
    line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Transcription:
    """A text with its laws. `before` are the lines before the first of them."""

    text: str
    passages: tuple[Passage, ...]
    before: tuple[str, ...]

    def of(self, number: str | None) -> tuple[Passage, ...]:
        """The passages of a law, or of several where an edition's file holds several (`65, 66`)."""
        wanted = [] if number is None else [part.strip().lower() for part in number.split(",")]
        return tuple(passage for passage in self.passages if passage.number.lower() in wanted)

    def unmatched(self, numbers: Iterable[str | None]) -> tuple[list[str], list[str]]:
        """The laws of the text that are not among those numbers, and the numbers of which the text has no law."""
        known = [part.strip() for number in numbers if number is not None for part in number.split(",")]
        folded = {number.lower() for number in known}
        here = {passage.number.lower() for passage in self.passages}
        strange = [passage.number for passage in self.passages if passage.number.lower() not in folded]
        missing = [number for number in dict.fromkeys(known) if number.lower() not in here]
        return strange, sorted(missing, key=_key_of)


@dataclass(frozen=True, slots=True)
class _Beginning:
    line: int
    key: Key
    number: str


def read_text(text: str, numbers: Iterable[str | None] = ()) -> Transcription:
    """Find the laws in a text; `numbers` are those of the laws that an edition has.

    >>> found = read_text("Preface.\\n42. He declares.\\n1. First.\\n2. Second.\\n43. He may pass.", ["42", "43"])
    >>> [(passage.number, passage.line, passage.end_line) for passage in found.passages]
    [('42', 2, 4), ('43', 5, 5)]
    """
    lines = text.splitlines()
    known = {_key_of(part.strip()) for number in numbers if number is not None for part in number.split(",")}
    chosen = _ascending(_beginnings(lines, known), known)
    passages = []
    for at, beginning in enumerate(chosen):
        end = chosen[at + 1].line if at + 1 < len(chosen) else len(lines)
        while end > beginning.line + 1 and not lines[end - 1].strip():
            end -= 1
        words = "\n".join(line.rstrip() for line in lines[beginning.line : end])
        passages.append(Passage(beginning.number, words, beginning.line + 1, end))
    before = lines[: chosen[0].line] if chosen else lines
    return Transcription(text, tuple(passages), tuple(before))


def _beginnings(lines: Sequence[str], known: set[Key]) -> list[_Beginning]:
    """Every line that a law may begin with: those that say `Law`, or those with a bare number, whichever tell more laws
    that the edition has. A text is written in one of the two ways, and in either a line may begin like the other."""
    names = {word for word, _, _ in known} - {""}
    called = [b for at, line in enumerate(lines) if (b := _called(at, line, names)) is not None]
    bare = []
    for at, line in enumerate(lines):
        if (match := _BARE.match(line)) is not None:
            number = match[1] + (match[2] or "").lower()
            bare.append(_Beginning(at, _key_of(number), number))

    def told(found: list[_Beginning]) -> tuple[int, bool, int]:
        keys = {beginning.key for beginning in found}
        # A single `Law 50` may begin a line by chance; two or more do not where none is written so.
        return len(keys & known), found is called and len(keys) > 1, len(keys)

    chosen = called if told(called) >= told(bare) else bare
    return chosen if len(chosen) <= _MOST else [b for b in chosen if b.key in known][:_MOST]


def _called(at: int, line: str, names: set[str]) -> _Beginning | None:
    """A line that begins with `Law` and a number, or with another word that the edition numbers by, such as a case."""
    if (match := _WORD.match(line)) is not None:
        number = match[1] + match[2].lower()
        return _Beginning(at, _key_of(number), number)
    for name in names:
        match = re.match(rf"\s*({re.escape(name)})\s+([0-9]+)([a-z]?)(?![0-9a-z])", line, re.IGNORECASE)
        if match is not None:
            number = f"{name[:1].upper()}{name[1:]} {match[2]}{match[3].lower()}"
            return _Beginning(at, _key_of(number), number)
    return None


def _key_of(number: str) -> Key:
    if (match := _NUMBER.fullmatch(number)) is not None:
        return "", int(match[1]), match[2].lower()
    if (match := _NAMED.fullmatch(number)) is not None:
        return match[1].lower(), int(match[2]), match[3].lower()
    return number.lower(), 0, ""


def _ascending(found: Sequence[_Beginning], known: set[Key]) -> list[_Beginning]:
    """The row of beginnings in ascending order that weighs most; of equals the one that begins first."""
    best: list[tuple[float, int | None]] = []
    for at, beginning in enumerate(found):
        weight, before = 0.0, None
        for earlier in range(at):
            if found[earlier].key < beginning.key and best[earlier][0] > weight:
                weight, before = best[earlier][0], earlier
        best.append((weight + (1 if beginning.key in known else _UNKNOWN), before))
    place = max(range(len(best)), key=lambda at: (best[at][0], -at), default=None)
    row: list[_Beginning] = []
    while place is not None:
        row.append(found[place])
        place = best[place][1]
    return row[::-1]


def check_characters(text: str, file: str) -> None:
    """Raises LawbookError where a text holds control characters, which a terminal would obey, and not show."""
    problems = Collector()
    without_forbidden(text, file, problems)
    problems.raise_if_errors()


def no_laws(file: str) -> LawbookError:
    """The error, to be raised, for a text in which no law begins."""
    return LawbookError(
        [
            Diagnostic(
                "no-laws-in-text",
                Severity.ERROR,
                f"no law begins anywhere in {file}",
                help="each law begins on a new line with its number: `7.`, `7a`, or `LAW` before it",
            )
        ]
    )
