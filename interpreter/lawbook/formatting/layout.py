"""Layout: a document with its remarks in, its lines in canonical form out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lawbook.diagnostics import Span
from lawbook.formatting.comments import BLANK, Branch, Content, Piece, single_blanks
from lawbook.formatting.scalars import WIDTH, folded, is_ambiguous, kept_lines, written
from lawbook.formatting.style import PLAIN, STYLES, Style
from lawbook.source.reader import Scalar

_STEP: Final = 2
_SPACE: Final = re.compile(r"[ \t\n]+")
# Lists longer than this, whose items are short, fill lines where they do not fit on one.
_MANY, _SHORT = 12, 20
_NONE: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Layout:
    """Writes documents; `spelling` has the canonical words of the expressions among their texts, by their places."""

    spelling: dict[Span, str] = field(default_factory=dict)

    def lines(self, root: Piece, kind: str) -> list[str]:
        """The lines of a document of a kind of `STYLES`."""
        branch = root.value
        if isinstance(branch, Scalar):
            return [*root.before, written(branch.text)]
        # What stands above the first key is said of the whole file, wherever that key goes.
        head: list[str] = []
        if branch.pieces:
            head, branch.pieces[0].before = branch.pieces[0].before, []
        if not branch.pieces:
            return [*branch.after, "{}" if branch.is_mapping else "[]"]
        body = list(self._block(branch, STYLES.get(kind, PLAIN), "", 0))
        return [*single_blanks(_without_first_blanks(head)), *body]

    def part(self, branch: Branch, kind: str, indent: int) -> list[str]:
        """The lines of a list of mappings of a kind of `STYLES`, or of one such mapping, indented."""
        return list(self._block(branch, STYLES.get(kind, PLAIN), "", indent))

    # -- lists and mappings --------------------------------------------------------------------------------------------

    def _block(self, branch: Branch, style: Style, key: str, indent: int) -> Iterator[str]:
        """A list or mapping, a line or more for each piece. `key` is what a list stands under."""
        margin = " " * indent
        pieces = branch.pieces
        if branch.is_mapping:
            pieces = sorted(pieces, key=lambda piece: style.rank(_name(piece)))
        for at, piece in enumerate(pieces):
            before, beside = list(piece.before), piece.beside
            if isinstance(piece.value, Branch) and not piece.value.pieces:
                # No remark has a place between its brackets.
                before += piece.value.after
            if branch.is_mapping:
                lines = list(self._entry(piece, style, indent))
            else:
                # Remarks on the first key of an item stand above its dash; those on an item of many lines too.
                before += self._hoisted(piece.value, style)
                lines = list(self._item(piece, style, key, indent))
                lines[0] = f"{margin}- {lines[0][indent + _STEP :]}".rstrip()
                if beside is not None and isinstance(piece.value, Branch) and len(lines) > 1:
                    before, beside = [*before, beside], None
            before = single_blanks(before if at else _without_first_blanks(before))
            yield from (f"{margin}{line}".rstrip() for line in before)
            yield from _with_remark(lines, beside)
        after = single_blanks(branch.after if pieces else _without_first_blanks(branch.after))
        yield from (f"{margin}{line}".rstrip() for line in after)

    def _hoisted(self, value: Content, style: Style) -> Iterator[str]:
        """Take away, and give, the remarks above what is written first of a list's item."""
        while isinstance(value, Branch) and value.pieces:
            rank = style.rank if value.is_mapping else (lambda _: 0)
            first = min(value.pieces, key=lambda piece: rank(_name(piece)))
            yield from first.before
            first.before = []
            if value.is_mapping:
                return
            value = first.value

    def _entry(self, piece: Piece, style: Style, indent: int) -> Iterator[str]:
        name = _name(piece)
        head = " " * indent + self._scalar(piece.key, style.is_named("*")) + ":" if piece.key else ""
        value = piece.value
        if isinstance(value, Scalar):
            yield from self._text(value, head, style, name, indent)
            return
        inner = STYLES.get(style.kind_within(name), PLAIN)
        one_line = style.is_on_one_line(name) or (value.is_mapping and "" in inner.on_one_line)
        if inner is PLAIN:
            # Texts in a list are written as a single text there would be.
            key = frozenset({name})
            inner = Style(prose=key if style.is_prose(name) else _NONE, named=key if style.is_named(name) else _NONE)
        yield from self._collection(value, head, inner, name, indent, one_line)

    def _collection(
        self, value: Branch, head: str, style: Style, key: str, indent: int, one_line: bool
    ) -> Iterator[str]:
        if not value.pieces:
            yield f"{head} {'{}' if value.is_mapping else '[]'}"
            return
        if one_line and not value.has_remarks:
            flow = f"{head} {self._flow(value, style)}"
            if len(flow) <= WIDTH:
                yield flow
                return
            items = list(self._flow_items(value, style))
            if len(items) > _MANY and all(len(item) <= _SHORT for item in items):
                yield from _filled(f"{head} ", items, indent, value.is_mapping)
                return
        yield head
        yield from self._block(value, style, key, indent + _STEP)

    def _item(self, piece: Piece, style: Style, key: str, indent: int) -> Iterator[str]:
        """A list's item, its first line indented as if it stood under a key."""
        inner = " " * (indent + _STEP)
        value = piece.value
        if isinstance(value, Scalar):
            # The text begins where the dash's own width ends.
            yield from self._text(value, inner[:-1], style, key, indent)
        elif not value.pieces or (value.is_mapping and "" in style.on_one_line and not value.has_remarks):
            flow = inner + self._flow(value, style)
            if value.pieces and len(flow) > WIDTH:
                yield from self._block(value, style, key, indent + _STEP)
            else:
                yield flow
        else:
            yield from self._block(value, style, key, indent + _STEP)

    # -- between brackets ----------------------------------------------------------------------------------------------

    def _flow(self, value: Branch, style: Style) -> str:
        items = ", ".join(self._flow_items(value, style))
        return f"{{{items}}}" if value.is_mapping else f"[{items}]"

    def _flow_items(self, value: Branch, style: Style) -> Iterator[str]:
        pieces = value.pieces
        if value.is_mapping:
            pieces = sorted(pieces, key=lambda piece: style.rank(_name(piece)))
        for piece in pieces:
            name = _name(piece)
            named = style.is_named(name)
            key = "" if piece.key is None else f"{self._scalar(piece.key, named, in_brackets=True)}: "
            if isinstance(piece.value, Scalar):
                yield f"{key}{self._scalar(piece.value, named, in_brackets=True)}".rstrip()
            else:
                inner = STYLES.get(style.kind_within(name), PLAIN) if value.is_mapping else style
                named_items = Style(named=frozenset({"*"})) if named else inner
                yield key + self._flow(piece.value, named_items)

    # -- texts ---------------------------------------------------------------------------------------------------------

    def _text(self, value: Scalar, head: str, style: Style, key: str, indent: int) -> Iterator[str]:
        """A text behind its key or dash: on one line, or parted where it is long and is prose."""
        if style.is_prose(key):
            words = " ".join(_SPACE.split(value.text.strip(" \t\n")))
            kept = kept_lines(value.text.strip("\n"), indent + _STEP) if "\n" in value.text.strip("\n") else None
            line = f"{head} {written(words, quoted=_needs_quotes(words, value, style.is_named(key)))}"
            if kept is not None:
                yield f"{head} |-"
                yield from kept
            elif len(line) <= WIDTH or " " not in words:
                yield line
            else:
                yield f"{head} >-"
                yield from folded(words, indent + _STEP)
        elif not value.text and value.style == "plain":
            yield head
        else:
            yield f"{head} {self._scalar(value, style.is_named(key))}"

    def _scalar(self, value: Scalar, named: bool, *, in_brackets: bool = False) -> str:
        text = self.spelling.get(value.span, value.text)
        if value.style in ("literal", "folded"):
            text = text.strip("\n")
        return written(text, in_brackets=in_brackets, quoted=_needs_quotes(text, value, named))


def _needs_quotes(text: str, value: Scalar, named: bool) -> bool:
    """Whether a text that looks like a figure is quoted: a name is; elsewhere the author knows whether he means one."""
    return is_ambiguous(text) and (named or value.style in ("single", "double"))


def _name(piece: Piece) -> str:
    return "" if piece.key is None else piece.key.text


def _with_remark(lines: Iterable[str], remark: str | None) -> Iterator[str]:
    for at, line in enumerate(lines):
        yield f"{line}  {remark}" if at == 0 and remark is not None else line


def _without_first_blanks(lines: list[str]) -> list[str]:
    first = next((at for at, line in enumerate(lines) if line != BLANK), len(lines))
    return lines[first:]


def _filled(head: str, items: list[str], indent: int, is_mapping: bool) -> Iterator[str]:
    """Short items between brackets on as many lines as they need."""
    opening, closing = ("{", "}") if is_mapping else ("[", "]")
    line = head + opening
    for at, item in enumerate(items):
        text = item + ("," if at < len(items) - 1 else closing)
        if len(line) + len(text) + 1 > WIDTH:
            yield line.rstrip()
            line = " " * (indent + _STEP) + text
        else:
            line += text if line.endswith(opening) else f" {text}"
    yield line
