"""YAML becomes nodes that know their places, and nothing else.

Only lists, keys with values and text are read. No text is taken for anything but text: `on`, `no`, `1:30`, `017` and
`null` stay what the author wrote. What would let one place of a file change another, or mean something else than it
shows (anchors, aliases, merge keys, tags, directives, duplicate keys), is an error, and all errors of a file are
told at once. The parser's events are read in a loop, never by recursion, so a hostile file is refused and not
suffered.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import assert_never

from yaml import events as yaml_events
from yaml.error import MarkedYAMLError, YAMLError

from lawbook.diagnostics import Label, Span
from lawbook.errors import Collector, LawbookError
from lawbook.source.events import Events, quick_events
from lawbook.source.segments import segments
from lawbook.source.syntax import explain
from lawbook.source.text import LARGEST_FILE, Places, decode, is_forbidden

DEEPEST_NESTING = 40
"""How many lists and mappings may stand inside one another."""

_MOST_SYNTAX_ERRORS = 20
_STYLES = {None: "plain", "": "plain", "'": "single", '"': "double", "|": "literal", ">": "folded"}
_PROPERTY = re.compile(r"!<[^>\s]*>|[&!][^\s,\[\]{}]*")


@dataclass(frozen=True, slots=True)
class Scalar:
    """Text, as its author wrote it.

    `span` covers the node with its quotes; `content` the characters of the text alone when they stand in the file
    exactly so on one line, and is None when they do not (several lines, block style, escapes). `style` is plain,
    single, double (the quotes), literal or folded; a value that is missing is a plain scalar without text.
    """

    text: str
    span: Span
    content: Span | None
    style: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys with values, each key once, in the order of the file."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span

    def get(self, key: str) -> Node | None:
        """The value of a key, or None if the key is not there."""
        for name, value in self.entries:
            if name.text == key:
                return value
        return None

    def keys(self) -> tuple[str, ...]:
        """The texts of the keys."""
        return tuple(name.text for name, _ in self.entries)


Node = Scalar | Sequence | Mapping


@dataclass(frozen=True, slots=True)
class InOrder:
    """What is known to be in order of a file that is read again, so that a mistake in it is found sooner.

    `before` is the offset of a top-level key before which nothing is at fault, `first_key` that of the first;
    `stretches` are the texts of stretches that can be read alone.
    """

    first_key: int
    before: int
    stretches: Container[str]


def read(text: str | bytes, file: str, in_order: InOrder | None = None) -> Node:
    """Read one YAML document; `file` is the name by which its spans and messages call it.

    Raises a `LawbookError` with everything that is wrong with it.
    """
    collector = Collector()
    decoded = decode(text, file, collector)
    node = None if decoded is None else _read_text(decoded, file, collector, in_order or InOrder(0, 0, ()))
    collector.raise_if_errors()
    if node is None:
        raise AssertionError("a document without errors has a node")
    return node


def read_file(path: Path, shown_as: str | None = None) -> Node:
    """Read a YAML file; messages call it `shown_as`, or else by its path.

    Raises a `LawbookError` with everything that is wrong with it, or with the code `unreadable` if it is not there,
    not a file, or may not be read.
    """
    name = str(path) if shown_as is None else shown_as
    try:
        # Asked first, because opening a pipe would wait for whoever writes to it.
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise _unreadable(name, "it is a folder")
        if not stat.S_ISREG(mode):
            raise _unreadable(name, "it is not a file")
        with path.open("rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise _unreadable(name, "there is no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise _unreadable(name, reason[:1].lower() + reason[1:]) from error
    return read(content, name)


def plain(node: Node) -> dict[str, object] | list[object] | str:
    """The node as dictionaries, lists and strings, without places."""
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return [plain(item) for item in node.items]
        case Mapping():
            return {key.text: plain(value) for key, value in node.entries}
        case _:
            assert_never(node)


def _unreadable(name: str, reason: str) -> LawbookError:
    collector = Collector()
    collector.error("unreadable", f"`{name}` cannot be read: {reason}", Span(name, 1, 1, 1, 1))
    return LawbookError(collector.diagnostics)


def _read_text(text: str, file: str, collector: Collector, in_order: InOrder) -> Node | None:
    places = Places(text, file)
    whole = Building(text, places, in_order.before, len(text), collector, first_key=in_order.first_key)
    node = whole.build()
    if whole.stopped_at is None and in_order.before:
        # Nothing ended the reading, so that the whole can be read.
        return _read_text(text, file, collector, InOrder(0, 0, in_order.stretches))
    if whole.stopped_at is not None:
        # One slip must not hide the next: what follows is read again, a key of the file or a list item at a time.
        failed_line, failures = whole.stopped_at, 1
        for start, end in segments(text, places):
            if failures >= _MOST_SYNTAX_ERRORS:
                break
            if places.position(start)[0] <= failed_line or text[start:end] in in_order.stretches:
                continue
            segment = Building(text, places, start, end, collector)
            segment.build()
            failures += segment.stopped_at is not None
    elif not whole.documents:
        message = "the file is empty"
        collector.error("empty-document", message, Span(file, 1, 1, 1, 1), help="write at least its keys")
    return node


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    is_mapping: bool
    is_flow: bool
    start: int
    end: int
    items: list[Node] = field(default_factory=list)
    entries: list[tuple[Scalar, Node]] = field(default_factory=list)
    first_given: dict[str, Scalar] = field(default_factory=dict)
    # In a mapping a node is a key, or the value of the key before it; a key that was refused is None.
    awaits_value: bool = False
    key: Scalar | None = None


class Building:
    """Builds the node of one stretch of a text and notes what is wrong in it."""

    def __init__(
        self,
        text: str,
        places: Places,
        start: int,
        end: int,
        collector: Collector,
        *,
        outside: int = 0,
        first_key: int | None = None,
    ) -> None:
        """`outside` is how many lists and mappings the stretch stands in that are not part of it; `first_key` where the
        mapping begins of which the stretch is the rest, if it is one."""
        self._first_key = start if first_key is None else first_key
        self._text = text
        self._places = places
        self._offset = start
        self._stretch = text[start:end]
        self._collector = collector
        self._outside = outside
        self._stack: list[_Open] = []
        self._root: Node | None = None
        self.documents = 0
        self.stopped_at: int | None = None
        """The line of the syntax error that ended the reading, if one did."""

    def build(self) -> Node | None:
        """The node, or None if there is none or a syntax error came in between."""
        parser: Events | None = None
        try:
            events: Iterable[yaml_events.Event] | None = quick_events(self._stretch)
            if events is None:
                parser = Events(self._stretch)
                events = iter(parser.next_event, None)
            for event in events:
                if not self._take(event):
                    return None
        except MarkedYAMLError as error:
            if error.context_mark is not None and error.context_mark.index == 0:
                error.context_mark.index = self._first_key - self._offset
            diagnostic = explain(error, self._text, self._places, self._offset)
            self._collector.add(diagnostic)
            self.stopped_at = 1 if diagnostic.span is None else diagnostic.span.line
            return None
        except (YAMLError, ValueError, OverflowError):
            # The parser computes numbers in escapes and directives without checking them first.
            at = self._offset + (0 if parser is None else parser.index)
            message = "a number in an escape or a directive is too large here"
            self._collector.error("yaml-syntax", message, self._places.span(at, at))
            self.stopped_at = self._places.position(at)[0]
            return None
        return self._root

    def _take(self, event: yaml_events.Event) -> bool:
        """Take the next event in; False when there is no use in reading on."""
        assert event.start_mark is not None
        assert event.end_mark is not None
        start, end = self._offset + event.start_mark.index, self._offset + event.end_mark.index
        match event:
            # The most frequent comes first.
            case yaml_events.ScalarEvent():
                self._place(self._scalar(event, self._skip_properties(event, start), end), end)
            case yaml_events.DocumentStartEvent():
                return self._begin_document(event, start, end)
            case yaml_events.AliasEvent():
                name = self._text[start:end]
                message = f"the alias `{name}` cannot be used: write out what it stands for"
                self._error("alias", message, start, end, "if it is meant as text, put it in quotes")
                self._place(Scalar(name, self._places.span(start, end), None, "plain"), end)
            case yaml_events.SequenceStartEvent() | yaml_events.MappingStartEvent():
                start = self._skip_properties(event, start)
                is_mapping = isinstance(event, yaml_events.MappingStartEvent)
                self._stack.append(_Open(is_mapping, bool(event.flow_style), start, start))
                if self._outside + len(self._stack) > DEEPEST_NESTING:
                    message = f"lists and keys stand inside one another more than {DEEPEST_NESTING} deep"
                    self._error("too-deep", message, start, start + 1)
                    return False
            case yaml_events.SequenceEndEvent() | yaml_events.MappingEndEvent():
                self._close(end)
            case _:
                pass
        return True

    def _begin_document(self, event: yaml_events.DocumentStartEvent, start: int, end: int) -> bool:
        self.documents += 1
        if event.version is not None or event.tags:
            message = "directives (lines that begin with `%`) cannot be used"
            self._error("directive", message, start, start + 1)
        if self.documents > 1:
            message = "a second document begins here: a file holds one"
            self._error("several-documents", message, start, end, "put it in a file of its own")
            return False
        return True

    def _scalar(self, event: yaml_events.ScalarEvent, start: int, end: int) -> Scalar:
        style = _STYLES.get(event.style, "plain")
        if style in ("literal", "folded"):
            # The parser's end lies behind all the blank lines that follow.
            end = start + len(self._text[start:end].rstrip())
        span = self._places.span(start, end)
        written = self._text[start:end]
        is_quoted = style in ("single", "double")
        verbatim = span.line == span.end_line and (written[1:-1] if is_quoted else written) == event.value
        if style == "plain" and "\t" in written and re.search(r"[\r\n] *\t", written):
            self._error("tab", "a line is indented with a tab", start, end, "use spaces")
        if style == "double" and not verbatim and is_forbidden(event.value):
            message = "an escape stands for an invisible character, which text cannot hold"
            self._error("control-character", message, start, end)
        content = None if not verbatim else span.within(1, end - start - 1) if is_quoted else span
        return Scalar(event.value, span, content, style)

    def _skip_properties(self, event: yaml_events.NodeEvent, start: int) -> int:
        """Note an anchor and a tag before a node; the offset where the node itself begins."""
        if event.anchor is None and getattr(event, "tag", None) is None:
            return start
        at = start
        while (found := _PROPERTY.match(self._text, at)) is not None:
            name = found.group()
            code = "anchor" if name.startswith("&") else "tag"
            message = f"the {code} `{name}` cannot be used"
            self._error(code, message, *found.span(), "if it is meant as text, put the whole value in quotes")
            gap = re.compile(r"\s*").match(self._text, found.end())
            at = found.end() if gap is None else gap.end()
        return at

    def _close(self, end: int) -> None:
        opened = self._stack.pop()
        # A block collection ends, for the parser, where the next thing begins; for a reader, with its last item.
        end = end if opened.is_flow else opened.end
        span = self._places.span(opened.start, end)
        node = Mapping(tuple(opened.entries), span) if opened.is_mapping else Sequence(tuple(opened.items), span)
        self._place(node, end)

    def _place(self, node: Node, end: int) -> None:
        """Put a finished node where it belongs: in the list or mapping that is open, or at the root."""
        if not self._stack:
            self._root = node
            return
        opened = self._stack[-1]
        opened.end = max(opened.end, self._trimmed(node, end))
        if not opened.is_mapping:
            opened.items.append(node)
        elif not opened.awaits_value:
            opened.key = self._key(opened, node)
            opened.awaits_value = True
        else:
            if opened.key is not None:
                opened.entries.append((opened.key, node))
            opened.awaits_value = False

    def _trimmed(self, node: Node, end: int) -> int:
        if isinstance(node, Scalar) and node.style in ("literal", "folded"):
            return len(self._text[:end].rstrip())
        return end

    def _key(self, opened: _Open, node: Node) -> Scalar | None:
        """The node as a key of the open mapping, or None if it cannot be one."""
        if not isinstance(node, Scalar):
            message = "a list or a set of keys cannot be a key"
            start = self._places.start_of(node.span.line) + node.span.column - 1
            self._error("non-scalar-key", message, start, start + 1, "if it is meant as text, put it in quotes")
            return None
        if node.text == "<<" and node.style == "plain":
            message = "merge keys (`<<`) cannot be used: write out the keys"
            self._collector.error("merge-key", message, node.span)
            return None
        first = opened.first_given.setdefault(node.text, node)
        if first is not node:
            message = f"the key `{node.text}` is given twice" if node.text else "a key without a name is given twice"
            self._collector.error("duplicate-key", message, node.span, labels=[Label(first.span, "first given here")])
            return None
        return node

    def _error(self, code: str, message: str, start: int, end: int, help: str | None = None) -> None:
        self._collector.error(code, message, self._places.span(start, end), help=help)
