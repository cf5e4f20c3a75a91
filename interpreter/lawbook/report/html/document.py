"""The document: the frame of every page, with its style, its list of contents and its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lawbook.report.html.elements import Content, Markup, tag

_STYLE: Final = Path(__file__).parent / "style.css"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a page: its id for links, its heading, what stands in it, and the parts that the list of contents
    names under it, each with its id."""

    id: str
    heading: str
    content: Content
    under: tuple[tuple[str, str], ...] = ()


def document(title: str, lead: Content, parts: Sequence[Part], command: str) -> str:
    """A whole page. `lead` stands above the list of contents; `command` is what makes the page anew."""
    style = Markup(_STYLE.read_text(encoding="utf-8"))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        # Nothing may be fetched, whatever an edition's text holds.
        tag("meta", http_equiv="Content-Security-Policy", content="default-src 'none'; style-src 'unsafe-inline'"),
        tag("title", title),
        tag("style", style),
    )
    body = tag(
        "body",
        tag("a", "Skip to the report", href=f"#{parts[0].id}" if parts else "#top", class_="skip"),
        tag("header", tag("h1", title), lead, id="top"),
        _contents(parts),
        tag("main", [_section(part) for part in parts]),
        tag("footer", tag("p", "Made by Lawbook: ", tag("code", command))),
    )
    return "<!DOCTYPE html>\n" + tag("html", head, body, lang="en")


def _contents(parts: Sequence[Part]) -> Markup:
    return tag(
        "nav",
        tag("h2", "Contents", id="contents"),
        tag("ol", [tag("li", tag("a", part.heading, href=f"#{part.id}"), _under(part)) for part in parts]),
        aria_labelledby="contents",
    )


def _under(part: Part) -> Markup | None:
    if not part.under:
        return None
    return tag("ol", [tag("li", tag("a", heading, href=f"#{name}")) for name, heading in part.under])


def _section(part: Part) -> Markup:
    heading = f"{part.id}-heading"
    return tag("section", tag("h2", part.heading, id=heading), part.content, id=part.id, aria_labelledby=heading)


def hidden(content: str) -> Markup:
    """Text for those who hear the page and do not see it."""
    return tag("span", content, class_="hidden")


def badge(content: str, kind: str) -> Markup:
    """A word in a box; `kind` chooses its colour, which says nothing that the word does not."""
    return tag("span", content, class_=f"badge {kind}")
