"""Places and files as editors name them, and as this package does."""

from __future__ import annotations

import functools
from pathlib import Path

from lawbook.adapters import missing_extra
from lawbook.server.texts import Position, Range

try:
    from lsprotocol import types
    from pygls import uris
except ImportError as error:
    raise missing_extra("pygls", "lsp") from error


@functools.lru_cache(maxsize=1024)
def uri_of(path: Path) -> str:
    """The URI by which an editor knows a file."""
    return uris.from_fs_path(str(path)) or path.as_uri()


def path_of(uri: str) -> Path | None:
    """The file that a URI names; None for what is no file, such as a text that was never saved."""
    found = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return Path(found).resolve() if found else None


def position_of(position: types.Position) -> Position:
    """A place that an editor gives."""
    return Position(position.line, position.character)


def range_of(of: Range) -> types.Range:
    """A stretch of a text as editors are given it."""
    return types.Range(types.Position(of.start.line, of.start.character), types.Position(of.end.line, of.end.character))


def place_of(position: types.Position) -> tuple[int, int]:
    """A place as it is compared with another."""
    return position.line, position.character
