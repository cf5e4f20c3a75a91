"""The catalogue of diagnostics as a list, a page of it as text, and both as dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lawbook.catalogue import STAGES, Page
from lawbook.report import SCHEMA
from lawbook.report.layout import Page as Sheet

_SILENCING: Final = "Where it is meant to be so, the law or the clause can say so, with a reason:"


def list_json(pages: Iterable[Page]) -> dict[str, object]:
    """Every code with its severity, stage and title: the keys of `explain.schema.json`."""
    listed = [{"code": p.code, "severity": p.severity, "stage": p.stage, "title": p.title} for p in pages]
    return {"schema": SCHEMA, "codes": listed}


def page_json(page: Page) -> dict[str, object]:
    """One page with the keys of `explain.schema.json`."""
    return {"schema": SCHEMA, **page.as_json()}


def list_text(pages: Iterable[Page], sheet: Sheet) -> Iterator[str]:
    """Every code with its title, under the heading of its stage."""
    by_stage: dict[str, list[Page]] = {}
    for page in pages:
        by_stage.setdefault(page.stage, []).append(page)
    for stage, listed in by_stage.items():
        yield sheet.paint(STAGES[stage], "bold")
        for page in listed:
            yield from sheet.entry(page.code, page.title, indent=2, column=28)
        yield ""
    yield "`lawbook explain CODE` shows an example of each, and how to mend it."


def page_text(page: Page, sheet: Sheet) -> Iterator[str]:
    """One page, with its paragraphs as wide as the sheet."""
    yield sheet.paint(page.code, "bold") + sheet.paint(f"  {page.severity}, {STAGES[page.stage]}", "dim")
    yield ""
    yield from sheet.wrap(f"{page.title}.")
    for heading, text in (("", page.meaning), ("For example", page.example), ("How to mend it", page.mending)):
        if heading:
            yield ""
            yield sheet.paint(heading, "bold")
        yield ""
        yield from _paragraphs(text, sheet)
    if page.can_be_silenced:
        yield ""
        yield from sheet.wrap(_SILENCING)
        yield ""
        yield "    silence:"
        yield f"      - {{check: {page.code}, reason: why it is meant to be so}}"


def _paragraphs(text: str, sheet: Sheet) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ""
        if paragraph.startswith("    "):
            yield from paragraph.splitlines()
        elif paragraph.startswith("- "):
            for item in f"\n{paragraph}".split("\n- ")[1:]:
                yield from sheet.wrap("- " + " ".join(item.split()), hanging=2)
        else:
            yield from sheet.wrap(" ".join(paragraph.split()))
