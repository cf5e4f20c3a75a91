"""Comments: nodes and a text in, the nodes with the remarks that stand before, beside and after each.

The reader drops comments, for they mean nothing; whoever writes a file again must put each back where it was. A
comment on a line of its own belongs to what follows it, unless it is indented further: then it closes the list or the
keys it stands under. A comment at the end of a line belongs to what ends, or begins, on that line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from lawbook.diagnostics import Span
from lawbook.source.reader import Mapping, Node, Scalar
from lawbook.source.text import Places

BLANK: Final = ""
"""The remark that stands for an empty line."""

_HASH: Final = re.compile(r"(?:(?<=\s)|^)#[^\n]*", re.MULTILINE)
_BLOCK_HEADER: Final = re.compile(r"[|>][-+0-9]*[ \t]+(#[^\n]*)")


@dataclass(slots=True)
class Piece:
    """One entry of a mapping, one item of a list, or the whole document (which has neither key nor neighbours).

    `before` are the lines of remarks above it, `beside` the remark at the end of its first or only line.
    """

    key: Scalar | None
    value: Content
    start: int
    end: int
    before: list[str] = field(default_factory=list)
    beside: str | None = None


@dataclass(slots=True)
class Branch:
    """A list or a mapping with its pieces; `after` are the remarks that follow the last of them.

    `column` is where its pieces begin (from 1); `is_flow` says that it was written between brackets.
    """

    node: Node
    pieces: list[Piece]
    is_flow: bool
    column: int
    after: list[str] = field(default_factory=list)

    @property
    def is_mapping(self) -> bool:
        """Whether its pieces have keys."""
        return isinstance(self.node, Mapping)

    @property
    def has_remarks(self) -> bool:
        """Whether a comment stands anywhere inside it."""
        return bool(self.after) or any(
            piece.beside is not None
            or any(line != BLANK for line in piece.before)
            or (isinstance(piece.value, Branch) and piece.value.has_remarks)
            for piece in self.pieces
        )


Content: TypeAlias = "Branch | Scalar"


@dataclass(frozen=True, slots=True)
class _Comment:
    text: str
    at: int
    column: int
    # Whether nothing stands before it on its line; and whether the line above is empty.
    alone: bool
    after_blank: bool


def remarks_of(text: str, node: Node) -> list[str]:
    """Every comment of a text, in the order in which they stand. `text` is what `node` was read from."""
    return [comment.text for comment in _Reading(text, node).comments]


def annotate(text: str, node: Node) -> Piece:
    """The document with its remarks. `text` is what `node` was read from, with `\\n` at the end of lines."""
    reading = _Reading(text, node)
    root = reading.piece(None, node, 0)
    reading.share(root)
    return root


class _Reading:
    """One text with its comments, and which of them has been given to which piece."""

    def __init__(self, text: str, node: Node) -> None:
        self._text = text
        self._places = Places(text, "")
        self.comments = list(self._found(node))

    def _found(self, node: Node) -> Iterator[_Comment]:
        scalars = sorted(self._offsets(span) for span in _scalars(node))
        starts = [start for start, _ in scalars]
        for found in _HASH.finditer(self._text):
            place = bisect_left(starts, found.start() + 1) - 1
            if place >= 0 and found.start() < scalars[place][1]:
                # Inside a text it is part of it, unless it stands in the first line of a block.
                header = _BLOCK_HEADER.match(self._text, scalars[place][0])
                if header is None or header.start(1) != found.start():
                    continue
            line, column = self._places.position(found.start())
            before = self._text[self._places.start_of(line) : found.start()]
            yield _Comment(found.group().rstrip(), found.start(), column, not before.strip(), self._blank_above(line))

    def _blank_above(self, line: int) -> bool:
        if line <= 1:
            return False
        return not self._text[self._places.start_of(line - 1) : self._places.start_of(line)].strip()

    def _offsets(self, span: Span) -> tuple[int, int]:
        return (
            self._places.start_of(span.line) + span.column - 1,
            self._places.start_of(span.end_line) + span.end_column - 1,
        )

    # -- pieces --------------------------------------------------------------------------------------------------------

    def piece(self, key: Scalar | None, node: Node, since: int, dash: int | None = None) -> Piece:
        """The piece for a node, without remarks; `since` is where the piece before it ended."""
        start, end = self._offsets(node.span)
        if key is not None:
            start = self._offsets(key.span)[0]
        elif dash is not None:
            # What a dash stands before begins with the dash.
            start = next(
                (at for at in range(start - 1, since - 1, -1) if self._text[at] == "-" and self._column(at) == dash),
                start,
            )
        content: Content = node if isinstance(node, Scalar) else self._branch(node)
        return Piece(key, content, start, max(start, end))

    def _branch(self, node: Node) -> Branch:
        assert not isinstance(node, Scalar)
        at, _ = self._offsets(node.span)
        is_flow = self._text[at : at + 1] in ("[", "{")
        branch = Branch(node, [], is_flow, node.span.column)
        since = at
        for key, value in _entries(node):
            dash = node.span.column if not is_flow and key is None else None
            branch.pieces.append(self.piece(key, value, since, dash))
            since = branch.pieces[-1].end
        return branch

    def _column(self, at: int) -> int:
        return self._places.position(at)[1]

    # -- who gets which comment ----------------------------------------------------------------------------------------

    def share(self, root: Piece) -> None:
        """Give every comment to a piece or a branch, and every empty line to what follows it."""
        if isinstance(root.value, Branch):
            self._share_out(root.value, self.comments)
        else:
            root.before = [line for c in self.comments for line in _lines(c)]

    def _share_out(self, branch: Branch, comments: list[_Comment]) -> None:
        rest = list(comments)
        previous: Piece | None = None
        for piece in branch.pieces:
            while rest and rest[0].at < piece.start:
                self._between(branch, previous, piece, rest.pop(0))
            line, column = self._places.position(piece.start)
            begins = not self._text[piece.start - column + 1 : piece.start].strip()
            if begins and not branch.is_flow and self._blank_above(line):
                piece.before.append(BLANK)
            inside = []
            while rest and rest[0].at < piece.end:
                inside.append(rest.pop(0))
            self._inside(piece, inside)
            previous = piece
        for comment in rest:
            self._between(branch, previous, None, comment)

    def _inside(self, piece: Piece, comments: list[_Comment]) -> None:
        """Comments between a piece's beginning and its end: between key and value, or within the value."""
        value = piece.value
        first = self._offsets(value.node.span if isinstance(value, Branch) else value.span)[0]
        within = []
        for comment in comments:
            if comment.at > first and isinstance(value, Branch):
                within.append(comment)
            elif not comment.alone and piece.key is not None and piece.beside is None:
                piece.beside = comment.text
            elif isinstance(value, Branch) and comment.alone and piece.key is not None:
                within.append(comment)
            else:
                piece.before.extend(_lines(comment))
        if isinstance(value, Branch):
            self._share_out(value, within)

    def _between(self, branch: Branch, previous: Piece | None, following: Piece | None, comment: _Comment) -> None:
        """A comment behind one piece of a branch and before the next."""
        if not comment.alone and previous is not None and "\n" not in self._text[previous.end : comment.at]:
            ending = _last_line(previous)
            if ending.beside is None:
                ending.beside = comment.text
                return
        elif comment.alone and previous is not None and not branch.is_flow and comment.column > branch.column:
            holder = _closing(previous, comment.column)
            if holder is not None:
                holder.after.extend(_lines(comment))
                return
        if following is not None:
            following.before.extend(_lines(comment))
        else:
            branch.after.extend(_lines(comment))


def _last_line(piece: Piece) -> Piece:
    """The innermost piece that ends where this one does."""
    while isinstance(piece.value, Branch) and not piece.value.is_flow and piece.value.pieces:
        piece = piece.value.pieces[-1]
    return piece


def _closing(piece: Piece, column: int) -> Branch | None:
    """The innermost list or mapping at the end of a piece that a comment at this column is indented with."""
    found = None
    while isinstance(piece.value, Branch) and not piece.value.is_flow and piece.value.column <= column:
        found = piece.value
        if not found.pieces:
            break
        piece = found.pieces[-1]
    return found


def _lines(comment: _Comment) -> list[str]:
    return [BLANK, comment.text] if comment.after_blank else [comment.text]


def _entries(node: Node) -> Iterator[tuple[Scalar | None, Node]]:
    if isinstance(node, Mapping):
        yield from node.entries
    elif not isinstance(node, Scalar):
        for item in node.items:
            yield None, item


def _scalars(node: Node) -> Iterator[Span]:
    waiting: list[Node] = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Scalar):
            yield found.span
        else:
            for key, value in _entries(found):
                if key is not None:
                    yield key.span
                waiting.append(value)


def single_blanks(lines: list[str]) -> list[str]:
    """Remarks with no two empty lines in succession."""
    return [b for a, b in pairwise([None, *lines]) if b is not None and not (a == BLANK and b == BLANK)]
