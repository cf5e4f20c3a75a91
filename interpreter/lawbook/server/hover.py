"""What is shown of the thing that somebody points at, and where it is declared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lawbook.diagnostics import Span
from lawbook.edition.library import FileKind, schema
from lawbook.language.lexemes import Lexeme
from lawbook.server.asked import Asked, asked_at
from lawbook.server.cursor import Spot, spot_at
from lawbook.server.describing import bound_word, defining_clause, lexeme_text, name_text
from lawbook.server.desk import Desk
from lawbook.server.names import Name, names_at
from lawbook.server.outlook import Outlook
from lawbook.server.phrases import lexeme_at
from lawbook.server.shapes import explained, key_shape, shapes_at
from lawbook.source.reader import Node
from lawbook.source.tolerant import read_tolerantly


@dataclass(frozen=True, slots=True)
class Pointed:
    """What a place in a file points at: its stretch of the text, and the phrase, the name or the key there."""

    span: Span
    spot: Spot
    lexeme: Lexeme | None = None
    asked: Asked | None = None
    name: Name | None = None


def pointed_at(desk: Desk, outlook: Outlook | None, path: Path, line: int, column: int) -> Pointed | None:
    """What stands at a line and column of a file."""
    root = read_tolerantly((desk.text(path) or "").removeprefix("\ufeff"), desk.shown(path))
    spot = spot_at(root, line, column)
    if spot is None:
        return None
    content = spot.scalar.content or spot.scalar.span
    asked = asked_at(outlook, root, spot) if outlook is not None else None
    if asked is not None and outlook is not None and spot.scalar.content is not None:
        lexeme = lexeme_at(outlook.setting.expressions, asked, spot.scalar.text, column - content.column)
        if lexeme is not None:
            return Pointed(content.within(lexeme.start, lexeme.end), spot, lexeme, asked)
    names = names_at(outlook, desk, desk.kind(path), root, spot)
    name = next((name for name in names if name.text == spot.scalar.text), None)
    return Pointed(content, spot, None, asked, name)


def hover(desk: Desk, outlook: Outlook | None, path: Path, line: int, column: int) -> tuple[str, Span] | None:
    """What is to be shown at a place, in Markdown, and the stretch of the text it is said of."""
    pointed = pointed_at(desk, outlook, path, line, column)
    if pointed is None:
        return None
    text = None
    if pointed.lexeme is not None and outlook is not None:
        text = lexeme_text(pointed.lexeme, outlook, desk)
    elif pointed.name is not None:
        text = name_text(pointed.name, desk)
    if text is None and pointed.spot.is_key:
        text = _key_text(desk.kind(path), pointed.spot)
    return None if text is None else (text, pointed.span)


def definitions(desk: Desk, outlook: Outlook | None, path: Path, line: int, column: int) -> list[Span]:
    """Where the thing at a place gets its meaning: the clause that defines a word, else where it is declared."""
    pointed = pointed_at(desk, outlook, path, line, column)
    if pointed is None:
        return []
    if pointed.lexeme is not None and pointed.lexeme.word is not None and outlook is not None:
        clause = defining_clause(pointed.lexeme.word, outlook)
        return [clause.span] if clause is not None else list(_declared(pointed, outlook))
    return list(_declared(pointed, outlook))


def declarations(desk: Desk, outlook: Outlook | None, path: Path, line: int, column: int) -> list[Span]:
    """Where the thing at a place is declared."""
    pointed = pointed_at(desk, outlook, path, line, column)
    return [] if pointed is None else list(_declared(pointed, outlook))


def _declared(pointed: Pointed, outlook: Outlook | None) -> Iterator[Span]:
    if pointed.lexeme is not None and outlook is not None:
        word = pointed.lexeme.word or bound_word(pointed.lexeme, outlook)
        if word is not None and word.span is not None:
            yield word.span
    elif pointed.name is not None and pointed.name.span is not None:
        yield pointed.name.span


def _key_text(kind: FileKind, spot: Spot) -> str | None:
    """What the schema says of a key."""
    key = spot.steps[-1]
    root: Node = spot.around[0]
    shapes = shapes_at(schema(kind), root, spot.steps[:-1])
    shape = key_shape(shapes, schema(kind), key) if isinstance(key, str) else None
    text = explained(shape) if shape is not None else None
    return None if text is None else f"**{key}**\n\n{text}"
