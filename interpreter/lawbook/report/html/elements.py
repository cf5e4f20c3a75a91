"""Elements of a page. Whatever is not markup already is escaped, so that no text of an edition can become markup.

>>> tag("p", "fish & ", tag("em", "chips"), class_="dish")
'<p class="dish">fish &amp; <em>chips</em></p>\\n'
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Final, TypeAlias

Attribute: TypeAlias = "str | int | bool | None"


class Markup(str):
    """Text that is markup: made by `tag`, never from what an edition says."""

    __slots__ = ()


Content: TypeAlias = "str | Iterable[Content] | None"

_VOID: Final = frozenset({"br", "hr", "meta"})
# Elements that end a line of the file, for whoever reads or compares the source.
_BLOCKS: Final = frozenset(
    {"article", "body", "caption", "dd", "dl", "dt", "footer", "h1", "h2", "h3", "h4", "head", "header", "html", "hr"}
    | {"li", "main", "meta", "nav", "ol", "p", "section", "style", "table", "tbody", "td", "tfoot", "th", "thead"}
    | {"title", "tr", "ul", "div"}
)


def text(content: str) -> Markup:
    """A text as markup, escaped unless it is markup already."""
    if isinstance(content, Markup):
        return content
    return Markup(html.escape(content, quote=True))


def tag(name: str, /, *content: Content, **attributes: Attribute) -> Markup:
    """An element. An attribute's name may end in `_` where Python reserves it, and `_` in it stands for `-`; one that
    is None or False is left out. Content that is None is nothing."""
    given = ((key, value) for key, value in attributes.items() if value is not None and value is not False)
    written = "".join(_attribute(key, value) for key, value in given)
    end = "\n" if name in _BLOCKS else ""
    if name in _VOID:
        return Markup(f"<{name}{written} />{end}")
    return Markup(f"<{name}{written}>{joined(*content)}</{name}>{end}")


def _attribute(key: str, value: Attribute) -> str:
    name = key.rstrip("_").replace("_", "-")
    shown = name if value is True else str(value)
    return f' {name}="{text(shown)}"'


def joined(*content: Content) -> Markup:
    """Pieces of content one after the other."""
    pieces: list[str] = []
    for piece in content:
        match piece:
            case None:
                continue
            case str():
                pieces.append(text(piece))
            case _:
                pieces.append(joined(*piece))
    return Markup("".join(pieces))


def identifier(*parts: str) -> str:
    """An id for an element, fit for the address of a link.

    >>> identifier("topic", "Insufficient & impossible")
    'topic-insufficient-impossible'
    """
    return re.sub(r"[^a-z0-9]+", "-", " ".join(parts).lower()).strip("-")
