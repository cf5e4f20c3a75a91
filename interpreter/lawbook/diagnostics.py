"""What is wrong, where, and what was probably meant: the one form of every message.

A stage that finds a problem makes a `Diagnostic`; `lawbook.errors.Collector` gathers them;
`render` draws them for a terminal, and `Diagnostic.as_json` gives them to other programs.
Nothing here prints, reads a file or knows a law.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

from lawbook.columns import columns_of, wrapped
from lawbook.contrary import drops_negation, folded
from lawbook.records import dataclass

_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_ELLIPSIS = "..."
_LONGEST_COMPARED = 120


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file: lines and columns count characters from 1, and the end column is exclusive.

    An empty stretch (start and end alike) marks the place where something is missing.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def within(self, start: int, end: int) -> Span:
        """The part from character `start` up to `end`, counted from 0 in a stretch that lies on one line."""
        return Span(self.file, self.line, self.column + start, self.line, self.column + end)

    def as_json(self) -> dict[str, object]:
        """The span as a dictionary with the keys file, line, column, end_line and end_column."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
        }


@dataclass(frozen=True, slots=True)
class Label:
    """A remark on a second place that a message speaks of."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of a file and the text that is to stand in its place; an empty stretch is where something is added."""

    span: Span
    text: str

    def as_json(self) -> dict[str, object]:
        """The edit as a dictionary with the keys span and text."""
        return {"span": self.span.as_json(), "text": self.text}


@dataclass(frozen=True, slots=True)
class Fix:
    """A way to mend a problem: what it does, in words, and the edits that do it, all in one file.

    It is safe if what the file means afterwards is beyond doubt what its author meant.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool

    def as_json(self) -> dict[str, object]:
        """The fix as a dictionary with the keys title, safe and edits."""
        return {"title": self.title, "safe": self.safe, "edits": [edit.as_json() for edit in self.edits]}


class Severity(enum.Enum):
    """An error stops the stage that found it; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem with one cause.

    `code` is a stable kebab-case name, explained in `lawbook.catalogue`; `message` one sentence without a full stop;
    `suggestion` the text that was probably meant in the place of what the span covers; `law` and `clause` say where in
    an edition the problem lies, when that is known; `fixes` are ways to mend it.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    labels: tuple[Label, ...] = ()
    help: str | None = None
    suggestion: str | None = None
    law: str | None = None
    clause: str | None = None
    fixes: tuple[Fix, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The diagnostic as a dictionary; every key is always there, None where nothing is known, but for `fixes`,
        which is there where there are any."""
        told: dict[str, object] = {
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "span": None if self.span is None else self.span.as_json(),
            "labels": [{"span": label.span.as_json(), "text": label.text} for label in self.labels],
            "help": self.help,
            "suggestion": self.suggestion,
            "law": self.law,
            "clause": self.clause,
        }
        return {**told, "fixes": [fix.as_json() for fix in self.fixes]} if self.fixes else told


def source_lines(text: str) -> list[str]:
    """The lines of a text as spans count them, without their line ends and without a byte order mark."""
    return _LINE_BREAK.split(text.removeprefix("\ufeff"))


# -- did you mean ----------------------------------------------------------------------------------------------------


def nearest(word: str, choices: Iterable[str], *, one_in: int = 3) -> str | None:
    """The choice that `word` was most probably meant to be, or None when nothing is near enough.

    Letters' case, and whether words are joined by spaces, hyphens or underscores, do not count; two neighbouring
    letters exchanged count as one slip; the words of a phrase may stand in another order. About one letter in
    `one_in` may be wrong. What denies something is never taken for what does not. The order of the choices has no
    influence.

    >>> nearest("whne", ["when", "where", "unless"])
    'when'
    >>> nearest("declaration insufficient", ["insufficient-declaration", "impossible-declaration"])
    'insufficient-declaration'
    >>> nearest("score", ["remedy", "holder"]) is None
    True
    """
    wanted = folded(word)
    if not wanted or len(wanted) > _LONGEST_COMPARED:
        return None
    best: tuple[int, bool, str] | None = None
    for choice in choices:
        if choice == word:
            continue
        candidate = folded(choice)
        allowed = max(max(len(wanted), len(candidate)) // one_in, 1) if len(wanted) > 2 else int(len(wanted) == 2)
        distance = _slips(wanted, candidate, allowed)
        if distance is None and " " in wanted:
            in_order = _slips(" ".join(sorted(wanted.split())), " ".join(sorted(candidate.split())), allowed - 1)
            distance = None if in_order is None else in_order + 1
        if distance is None or drops_negation(word, choice):
            continue
        found = (distance, wanted[:1] != candidate[:1], choice)
        if best is None or found < best:
            best = found
    return None if best is None else best[2]


def is_slip(written: str, meant: str) -> bool:
    """Whether a text is another but for one letter, its letters' case, or how its words are joined; and denies as much.

    >>> is_slip("whne", "when"), is_slip("Last-Bid", "last bid"), is_slip("beets", "beats"), is_slip("bit", "bid")
    (True, True, True, False)
    """
    if drops_negation(written, meant) or drops_negation(meant, written):
        return False
    one, other = folded(written), folded(meant)
    return one == other or (min(len(one), len(other)) > 3 and _slips(one, other, 1) is not None)


def _slips(first: str, second: str, allowed: int) -> int | None:
    """How many letters must be put in, left out, replaced or exchanged with a neighbour; None if more than allowed."""
    if abs(len(first) - len(second)) > allowed:
        return None
    # Only what lies near the diagonal can be within the bounds; all else counts as too far.
    far = allowed + 1
    before_last: list[int] = []
    last = [min(column, far) for column in range(len(second) + 1)]
    for row, letter in enumerate(first, start=1):
        current = [min(row, far)] + [far] * len(second)
        for column in range(max(row - allowed, 1), min(row + allowed, len(second)) + 1):
            other = second[column - 1]
            cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == second[column - 2] and first[row - 2] == other:
                cost = min(cost, before_last[column - 2] + 1)
            current[column] = min(cost, far)
        # Every way to the end leads through this row or, by an exchange, through the one before.
        if min(current) > allowed and min(last) > allowed:
            return None
        before_last, last = last, current
    return last[-1] if last[-1] <= allowed else None


# -- for the terminal ------------------------------------------------------------------------------------------------


def render(
    diagnostics: Iterable[Diagnostic],
    *,
    colour: bool = False,
    source: Callable[[str], str | None] | None = None,
    width: int = 80,
) -> str:
    """Draw diagnostics for a terminal, in the order given, a blank line between two; "" when there are none.

    `source` gives the text of a file by the name its spans carry (None where there is none to show), so that the
    lines can be shown with carets under them; lines that would be wider than `width` columns are cut around the
    carets. Characters that could steer a terminal are replaced.
    """
    drawing = _Drawing(colour, source, width)
    blocks = ["\n".join(drawing.block(diagnostic)) for diagnostic in diagnostics]
    return "\n\n".join(blocks) + "\n" if blocks else ""


@dataclass(frozen=True, slots=True)
class _Mark:
    """Something to be underlined: the primary span with `^`, the others with `-`."""

    span: Span
    text: str
    primary: bool


class _Drawing:
    """One call of `render`: its settings, and the lines of the files read so far."""

    def __init__(self, colour: bool, source: Callable[[str], str | None] | None, width: int) -> None:
        self._colour = colour
        self._source = source
        self._width = width
        self._files: dict[str, list[str]] = {}

    def block(self, diagnostic: Diagnostic) -> Iterator[str]:
        tint = "31" if diagnostic.severity is Severity.ERROR else "33"
        name = f"{diagnostic.severity.value}[{diagnostic.code}]"
        first, *others = self._wrapped(f"{name}: {_harmless(diagnostic.message)}", 4)
        yield self._paint(name, f"1;{tint}") + self._paint(first[len(name) :], "1")
        yield from (self._paint(line, "1") for line in others)
        marks = _marks(diagnostic)
        gutter = max((len(str(mark.span.line)) for mark in marks), default=1) + 1
        previous: str | None = None
        for file, group in _by_file(marks):
            arrow = "-->" if previous is None else ":::"
            place = group[0].span
            for mark in group:
                if mark.primary:
                    place = mark.span
            where = f"{_harmless(file)}:{place.line}:{place.column}"
            yield " " * gutter + self._paint(arrow, "34") + " " + where
            yield from self._excerpt(group, gutter, tint)
            previous = file
        for name, text in _footnotes(diagnostic):
            lead = " " * gutter + f" = {name}:"
            first, *others = self._wrapped(_harmless(text), len(lead) + 1, f"{lead} ")
            yield " " * gutter + self._paint(" = ", "34") + self._paint(f"{name}:", "1") + first[len(lead) :]
            yield from others

    def _excerpt(self, marks: list[_Mark], gutter: int, tint: str) -> Iterator[str]:
        lines = self._lines(marks[0].span.file)
        shown = [mark for mark in marks if mark.span.line <= len(lines)]
        bar = " " * gutter + self._paint(" |", "34")
        if shown:
            yield bar
        previous: int | None = None
        for number in sorted({mark.span.line for mark in shown}):
            if previous is not None and number > previous + 1:
                yield self._paint(_ELLIPSIS, "34")
            here = [mark for mark in shown if mark.span.line == number]
            line, shift = _window(lines[number - 1], here, self._width - gutter - 3)
            yield self._paint(f"{number:>{gutter}} |", "34") + f" {line}".rstrip()
            for mark in here:
                yield from (
                    f"{bar} {text}" for text in self._underline(mark, lines[number - 1], line, shift, tint, gutter)
                )
            previous = number
        # A remark whose line cannot be shown must not be lost.
        for mark in marks:
            if mark.text and mark not in shown:
                yield f"{bar} line {mark.span.line}: {_harmless(mark.text)}"

    def _underline(self, mark: _Mark, full: str, line: str, shift: int, tint: str, gutter: int) -> Iterator[str]:
        start = mark.span.column - 1 + shift
        end = mark.span.end_column - 1 if mark.span.end_line == mark.span.line else len(full.rstrip())
        before = columns_of(line[: max(start, 0)])
        # A span may begin after the line's last character: the place where something is missing.
        before += max(start - len(line), 0)
        under = max(columns_of(line[max(start, 0) : max(end + shift, 0)]), 1)
        sign = ("^" if mark.primary else "-") * under
        text = f" {_harmless(mark.text)}" if mark.text else ""
        room, colour = self._width - gutter - 3, f"1;{tint}" if mark.primary else "34"
        if before + columns_of(sign + text) <= room:
            yield " " * before + self._paint(sign + text, colour)
            return
        yield " " * before + self._paint(sign, colour)
        # What does not fit beside the signs stands below them, as far to the right as it can.
        start = max(min(before, room - columns_of(text) + 1), 0)
        width = max(room - start, 20)
        breaks = any(columns_of(word) > width for word in text.split())
        lines = wrapped(text.strip(), width, breaks=breaks)
        yield from (" " * start + self._paint(part, colour) for part in lines)

    def _wrapped(self, text: str, hanging: int, lead: str = "") -> list[str]:
        """A text as lines within the width, the first after a lead; what has no spaces is not broken."""
        later = " " * min(hanging, self._width // 3)
        return wrapped(text, self._width, lead, later) or [lead + text]

    def _lines(self, file: str) -> list[str]:
        if file not in self._files:
            text = None if self._source is None else self._source(file)
            self._files[file] = [] if text is None else [_harmless(line) for line in source_lines(text)]
        return self._files[file]

    def _paint(self, text: str, tint: str) -> str:
        return f"\x1b[{tint}m{text}\x1b[0m" if self._colour else text


def _marks(diagnostic: Diagnostic) -> list[_Mark]:
    """The primary span first; a label on the very same stretch becomes its text."""
    if diagnostic.span is None:
        return [_Mark(label.span, label.text, primary=False) for label in diagnostic.labels]
    own = "; ".join(label.text for label in diagnostic.labels if label.span == diagnostic.span)
    others = [_Mark(label.span, label.text, False) for label in diagnostic.labels if label.span != diagnostic.span]
    return [_Mark(diagnostic.span, own, primary=True), *others]


def _by_file(marks: list[_Mark]) -> Iterator[tuple[str, list[_Mark]]]:
    for file in dict.fromkeys(mark.span.file for mark in marks):
        yield file, [mark for mark in marks if mark.span.file == file]


def _footnotes(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    if diagnostic.suggestion is not None:
        yield "did you mean", f"`{diagnostic.suggestion}`"
    if diagnostic.help is not None:
        yield "help", diagnostic.help
    place = [f"Law {diagnostic.law}" if diagnostic.law[:1].isdigit() else diagnostic.law] if diagnostic.law else []
    if diagnostic.clause:
        place.append(f"clause {diagnostic.clause}")
    if place:
        yield "in", ", ".join(place)


def _window(line: str, marks: list[_Mark], room: int) -> tuple[str, int]:
    """The part of a long line around its marks, and by how many columns that moved every character."""
    room = max(room, 20)
    if columns_of(line) <= room:
        return line, 0
    start = marks[0].span.column - 1
    end = marks[0].span.end_column - 1 if marks[0].span.end_line == marks[0].span.line else len(line)
    middle = (start + min(end, start + room // 2)) // 2
    # Wide characters take two columns, so a line of them is cut to half as many characters.
    kept = max((room - 2 * len(_ELLIPSIS)) // (2 if columns_of(line) > len(line) else 1), 1)
    first = max(min(middle - kept // 2, len(line) - kept), 0)
    last = min(first + kept, len(line))
    head = _ELLIPSIS if first > 0 else ""
    tail = _ELLIPSIS if last < len(line) else ""
    return head + line[first:last] + tail, len(head) - first


def _harmless(text: str) -> str:
    """The text with each invisible or steering character replaced by one visible one, so that carets still fit."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " " if letter == "\t" else "\ufffd" if unicodedata.category(letter) in _UNSEEN else letter for letter in text
    )


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
