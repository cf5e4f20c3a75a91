"""The formatter: a file in, its canonical form out; or why it cannot be read, and then it is left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from lawbook.diagnostics import Diagnostic, Span
from lawbook.edition.library import FileKind, Library, schema
from lawbook.errors import Collector, LawbookError
from lawbook.formatting.comments import annotate, remarks_of
from lawbook.formatting.layout import Layout
from lawbook.formatting.spelling import spelling_of
from lawbook.formatting.style import STYLES
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar, read, read_file
from lawbook.source.reader import Sequence as SequenceNode
from lawbook.source.shape import validate

_LINE_END: Final = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class Formatted:
    """A file before and after; `after` is None where it cannot be read, and `problems` says why."""

    file: str
    before: str
    after: str | None
    problems: tuple[Diagnostic, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether its canonical form is another."""
        return self.after is not None and self.after != self.before


def kind_of(node: Node) -> FileKind | None:
    """What kind of file a document is, told by its keys; None if they tell nothing."""
    keys = set(node.keys()) if isinstance(node, MappingNode) else set()
    if "edition" in keys:
        return "edition"
    if keys & {"topic", "in", "clauses"}:
        return "law"
    return "vocabulary" if keys & set(STYLES["vocabulary"].inner) else None


def format_files(library: Library, paths: Sequence[Path]) -> Iterator[Formatted]:
    """The canonical form of files, with the words that the editions of a library give to their conditions; nothing is
    written."""
    spelling = spelling_of(library, paths)
    for path in paths:
        shown = library.shown(path)
        found = format_file(path, shown, spelling.words)
        problems = spelling.problems.get(shown, ())
        # Where a condition cannot be read, nobody knows what the file says.
        yield replace(found, after=None, problems=problems) if found.after is not None and problems else found


def format_file(path: Path, shown: str, spelling: Mapping[Span, str] | None = None) -> Formatted:
    """The canonical form of a file, which messages call `shown`; nothing is written."""
    try:
        read_file(path, shown)
        content = path.read_bytes()
    except LawbookError as error:
        return Formatted(shown, "", None, error.diagnostics)
    return format_text(content, shown, spelling)


def format_text(content: str | bytes, file: str, spelling: Mapping[Span, str] | None = None) -> Formatted:
    """The canonical form of a text, which messages call `file`.

    `spelling` has the canonical words of the conditions in it, by their places; what it lacks stays as it is.

    >>> print(format_text("based on: whist-club-1912\\nedition: 'our-table'\\ndate: 1912", "our-table.yaml").after)
    edition: our-table
    date: "1912"
    based on: whist-club-1912
    <BLANKLINE>
    """
    before = content if isinstance(content, str) else content.decode("utf-8", "replace")
    collector = Collector()
    try:
        node = read(content, file)
    except LawbookError as error:
        return Formatted(file, before, None, error.diagnostics)
    # A file of no kind that is known is taken for a law: the commonest, and its messages say what one needs.
    kind = kind_of(node) or "law"
    validate(node, schema(kind), collector, what=f"a {kind} file" if kind != "edition" else "an edition file")
    if collector.has_errors:
        return Formatted(file, before, None, collector.diagnostics)
    text = _LINE_END.sub("\n", before.removeprefix("\ufeff"))
    words = dict(spelling or {})
    after = "\n".join(Layout(words).lines(annotate(text, node), kind)) + "\n"
    # What is written must be what was read: no slip of the layout may reach a law or lose a remark.
    again = read(after, file)
    if list(_said(again, {})) != list(_said(node, words)):
        raise AssertionError(f"the canonical form of {file} would say something else")
    if sorted(remarks_of(after, again)) != sorted(remarks_of(text, node)):
        raise AssertionError(f"the canonical form of {file} would lose a remark")
    return Formatted(file, before, after)


def _said(node: Node, spelling: Mapping[Span, str]) -> Iterator[object]:
    """All that a document says, the order of known keys and the white space in texts apart."""
    match node:
        case Scalar():
            yield " ".join(spelling.get(node.span, node.text).split())
        case SequenceNode():
            yield [list(_said(item, spelling)) for item in node.items]
        case MappingNode():
            yield {key.text: list(_said(value, spelling)) for key, value in node.entries}
