"""Reading a file again and again while it is being written: only the stretches that have changed are parsed.

What is read is, node for node and place for place, what `reader.read` gives; a stretch that stands where it stood is
even the same node, so that whoever keeps something by its nodes can keep it. Wherever a file cannot be told apart into
stretches beyond doubt, or anything is wrong with it, it is read as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import assert_never

from lawbook.diagnostics import Diagnostic, Span
from lawbook.errors import Collector, LawbookError
from lawbook.source.reader import Building, InOrder, Mapping, Node, Scalar, Sequence, read
from lawbook.source.segments import Block, blocks
from lawbook.source.text import Places, decode

# A line that could begin or end a document, or direct how it is read.
_BETWEEN_DOCUMENTS = re.compile(r"^(---|\.\.\.|%)", re.MULTILINE)
_LONE_RETURN = re.compile(r"\r(?!\n)")
_SAYS_SOMETHING = re.compile(r"^[ \t]*[^ \t\r\n#]", re.MULTILINE)


@dataclass(slots=True)
class Again:
    """One file, by the name that messages call it, and what was read of it last."""

    file: str
    _text: str | None = None
    _read: tuple[Node | None, tuple[Diagnostic, ...]] = (None, ())
    _stretches: dict[str, list[Node]] = field(default_factory=dict)

    def read(self, text: str) -> tuple[Node | None, tuple[Diagnostic, ...]]:
        """The node of the text as it is now, None where something is wrong with it, and all that is wrong."""
        if text != self._text:
            self._text = text
            found = self._by_stretches(text)
            if isinstance(found, Mapping):
                self._read = (found, ())
            else:
                try:
                    self._read = (read(text, self.file, found), ())
                except LawbookError as error:
                    self._read = (None, error.diagnostics)
        return self._read

    def _by_stretches(self, text: str) -> Mapping | InOrder | None:
        """The node, put together from its stretches; else, if the file has any, what of them is in order."""
        problems = Collector()
        decoded = decode(text, self.file, problems)
        if decoded is None or problems.diagnostics:
            return None
        if _BETWEEN_DOCUMENTS.search(decoded) or _LONE_RETURN.search(decoded):
            return None
        places = Places(decoded, self.file)
        found = list(blocks(decoded, places))
        ahead = decoded[: found[0].start] if found else decoded
        # A tab ahead of a remark is refused, and what is ahead of the first key is in no stretch.
        if not found or _SAYS_SOMETHING.search(ahead) or "\t" in ahead:
            return None
        known, self._stretches = self._stretches, {}
        reading = _Reading(decoded, places, known, self._stretches)
        entries: dict[str, tuple[Scalar, Node]] = {}
        for block in found:
            entry = reading.entry(block)
            if entry is not None and entry[0].text in entries:
                return None
            if entry is None:
                # What was known is worth keeping: the next key may put everything right again.
                self._stretches = known | self._stretches
                names = {decoded[one.start : one.end].partition(":")[0].strip() for one in found}
                before = block.start if len(names) == len(found) else found[0].start
                return InOrder(found[0].start, before, self._stretches)
            entries[entry[0].text] = entry
        pairs = tuple(entries.values())
        return Mapping(pairs, _around(self.file, pairs[0][0].span, pairs[-1][1].span))


@dataclass(frozen=True, slots=True)
class _Reading:
    """One reading: the text, and what is known of its stretches, from before and from now on."""

    text: str
    places: Places
    known: dict[str, list[Node]]
    kept: dict[str, list[Node]]

    def entry(self, block: Block) -> tuple[Scalar, Node] | None:
        """A key with its value; None if the stretch says anything else."""
        if not block.items:
            return _only_entry(self._node(block.start, block.end, 0))
        head = _only_entry(self._node(block.start, block.items[0][0], 0))
        if head is None or not isinstance(head[1], Scalar) or head[1].text:
            return None
        items = []
        for start, end in block.items:
            listed = self._node(start, end, 1)
            if not isinstance(listed, Sequence) or len(listed.items) != 1:
                return None
            items.append(listed)
        span = _around(self.places.file, items[0].span, items[-1].span)
        return head[0], Sequence(tuple(item.items[0] for item in items), span)

    def _node(self, start: int, end: int, outside: int) -> Node | None:
        """The node of a stretch, read alone; None if anything is wrong with it."""
        text = self.text[start:end]
        candidates = self.known.get(text)
        node: Node | None
        if candidates:
            # A stretch begins with its node, after blank lines and remarks, of which a known one has the same.
            line = self.places.position(start)[0] + _lines_ahead(text)
            node = next((n for n in candidates if n.span.line == line), candidates[0])
            if node.span.line != line:
                node = moved(node, line - node.span.line)
        else:
            problems = Collector()
            building = Building(self.text, self.places, start, end, problems, outside=outside)
            node = building.build()
            if node is None or problems.diagnostics or building.documents != 1:
                return None
        self.kept.setdefault(text, []).append(node)
        return node


def moved(node: Node, lines: int) -> Node:
    """The same node so many lines further down."""
    match node:
        case Scalar():
            content = None if node.content is None else _down(node.content, lines)
            return replace(node, span=_down(node.span, lines), content=content)
        case Sequence():
            return Sequence(tuple(moved(item, lines) for item in node.items), _down(node.span, lines))
        case Mapping():
            entries = []
            for key, value in node.entries:
                further = moved(key, lines)
                assert isinstance(further, Scalar)
                entries.append((further, moved(value, lines)))
            return Mapping(tuple(entries), _down(node.span, lines))
        case _:
            assert_never(node)


def _down(span: Span, lines: int) -> Span:
    return Span(span.file, span.line + lines, span.column, span.end_line + lines, span.end_column)


def _around(file: str, first: Span, last: Span) -> Span:
    return Span(file, first.line, first.column, last.end_line, last.end_column)


def _lines_ahead(text: str) -> int:
    found = _SAYS_SOMETHING.search(text)
    return 0 if found is None else len(re.findall(r"\r\n|\n|\r", text[: found.start()]))


def _only_entry(node: Node | None) -> tuple[Scalar, Node] | None:
    return node.entries[0] if isinstance(node, Mapping) and len(node.entries) == 1 else None
