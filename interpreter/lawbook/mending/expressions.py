"""Fixes of conditions and effects that stand on lines of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lawbook.diagnostics import Diagnostic, Edit, Fix
from lawbook.mending.page import Line, Page, is_plain, scalar_at

_CONDITIONS: Final = (
    "if", "unless", "means", "such that", "provided", "opened if", "opened unless", "once", "kept while", "while"
)  # fmt: skip
_TRIGGERS: Final = ("before", "when", "when stands", "when taken back", "when refused", "until", "lapse of")
_TRIGGERS_TOO: Final = ("refused when", "entitled when", "ends when", "ends when stands")
_LIST: Final = re.compile(r"(?:(?P<head>.+) )?(?P<which>all of|any of|none of)")
_GUARD: Final = re.compile(r"put `([^`]+)` before it")


def split(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `stray-conjunction`: what one line joins becomes a list."""
    assert problem.span is not None
    line = page.line(problem.span.line)
    if line is None:
        return
    word = page.text_at(problem.span)
    value, offset = _unquoted(line)
    start, end = problem.span.column - offset, problem.span.end_column - offset
    parts = value[:start].strip(), value[end:].strip()
    if start < 0 or not all(is_plain(part) for part in parts):
        return
    if line.key in _TRIGGERS + _TRIGGERS_TOO:
        if word == "and":
            edit = Edit(problem.span, "or")
            yield Fix("join the acts by `or`", (edit,), safe=False)
        return
    which = "any of" if word == "or" else "all of"
    if line.key is None and line.is_item:
        yield from _split_item(line, parts, which, page, safe=word != ",")
    elif line.key in _CONDITIONS:
        text = "".join(f"\n{' ' * len(line.lead)}  - {part}" for part in parts)
        edit = _whole(line, f"{line.key} {which}:{line.remark}{text}", page)
        yield Fix(f"write the conditions as a list under `{line.key} {which}`", (edit,), safe=word != ",")
    elif line.key is not None and word != "or":
        text = "".join(f"\n{' ' * len(line.lead)}  - {part}" for part in parts)
        edit = _whole(line, f"{line.key}:{line.remark}{text}", page)
        yield Fix("write the effects as a list", (edit,), safe=True)


def _split_item(line: Line, parts: tuple[str, str], which: str, page: Page, *, safe: bool) -> Iterator[Fix]:
    heading = page.heading(line.number)
    if heading is None:
        return
    found = _LIST.fullmatch(heading[1])
    # `none of` is of each of its items, as `any of` is.
    same = {"all of": ("all of",), "any of": ("any of", "none of")}[which]
    if found is None:
        if which == "all of":
            yield Fix("write the effects as a list", (_items(line, parts, page),), safe=True)
    elif found["which"] in same:
        yield Fix("write each condition on a line of its own", (_items(line, parts, page),), safe)
    else:
        inner = "".join(f"\n{' ' * len(line.lead)}  - {part}" for part in parts)
        edit = _whole(line, f"{which}:{line.remark}{inner}", page)
        yield Fix(f"write the conditions as a list under `{which}`", (edit,), safe)


def _items(line: Line, parts: tuple[str, str], page: Page) -> Edit:
    """Two items in the place of one; the remark stays with the first."""
    return _whole(line, f"{parts[0]}{line.remark}\n{line.lead}{parts[1]}", page)


def guard(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `missing-guard`: the value is asked for first."""
    assert problem.span is not None
    line = page.line(problem.span.line)
    found = _GUARD.search(problem.help or "")
    if line is None or found is None or not is_plain(_unquoted(line)[0]):
        return
    title = f"ask for it first: `{found[1]}`"
    if line.key in _CONDITIONS and line.key not in ("unless", "opened unless"):
        value, _ = _unquoted(line)
        text = "".join(f"\n{' ' * len(line.lead)}  - {part}" for part in (found[1], value))
        yield Fix(title, (_whole(line, f"{line.key} all of:{line.remark}{text}", page),), safe=False)
    elif line.key is None and line.is_item:
        heading = page.heading(line.number)
        listed = None if heading is None else _LIST.fullmatch(heading[1])
        if listed is not None and listed["which"] == "all of":
            start = len(line.lead) + 1
            edit = page.replaced(line.number, start, start, f"{found[1]}\n{line.lead}")
            yield Fix(title, (edit,), safe=False)
        elif listed is not None:
            value, _ = _unquoted(line)
            inner = "".join(f"\n{' ' * len(line.lead)}  - {part}" for part in (found[1], value))
            yield Fix(title, (_whole(line, f"all of:{line.remark}{inner}", page),), safe=False)


def unguard(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `needless-guard`: what is always so is not asked for."""
    assert problem.span is not None
    line = page.line(problem.span.line)
    if line is None or line.remark or "no" in page.text_at(problem.span).split()[2:3]:
        return
    title = "take the condition away, which always holds"
    if line.key in _CONDITIONS and line.key not in ("unless", "opened unless", "means", "such that"):
        if not line.is_item:
            yield Fix(title, (page.without(line.number, line.number),), safe=True)
    elif line.key is None and line.is_item and (heading := page.heading(line.number)) is not None:
        listed = _LIST.fullmatch(heading[1])
        if listed is not None and listed["which"] == "all of" and len(page.items(heading[0])) > 1:
            safe = not (listed["head"] or "unless").endswith("unless")
            yield Fix(title, (page.without(line.number, line.number),), safe)


def on_one_line(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `multi-line-expression` and `escaped-expression`: the text as it is read, on one line and without escapes."""
    assert problem.span is not None
    scalar = scalar_at(page, problem.span)
    text = "" if scalar is None else " ".join(scalar.text.split())
    if (
        scalar is not None
        and is_plain(text)
        and " #" not in "".join(page.lines[scalar.span.line - 1 : scalar.span.end_line])
    ):
        yield Fix("write it on one line, without quotes", (Edit(scalar.span, text),), safe=True)


def sign(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `unknown-character`: the word for a sign, with a space on each side."""
    if problem.span is None or problem.suggestion is None:
        return
    line = page.lines[problem.span.line - 1]
    before, after = line[: problem.span.column - 1], line[problem.span.end_column - 1 :]
    text = ("" if before.endswith(" ") else " ") + problem.suggestion + ("" if after.startswith(" ") else " ")
    yield Fix(f"write `{problem.suggestion}`", (Edit(problem.span, text),), safe=True)


def _unquoted(line: Line) -> tuple[str, int]:
    """The value without its quotes, and the column where it begins."""
    value = line.value
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1], line.column + 1
    return value, line.column


def _whole(line: Line, text: str, page: Page) -> Edit:
    """The edit that puts a text in the place of a line's key, value and remark."""
    start = len(line.lead) + 1
    return page.replaced(line.number, start, len(page.lines[line.number - 1]) + 1, text)
