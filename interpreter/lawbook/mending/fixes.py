"""The fixes of a diagnostic: by its code, and by what was probably meant."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from lawbook.diagnostics import Diagnostic, Edit, Fix, Severity, Span, is_slip
from lawbook.edition.library import FileKind, schema
from lawbook.mending import expressions
from lawbook.mending.page import Page, is_plain, quoted
from lawbook.source.wording import known_keys

Finder: TypeAlias = Callable[[Diagnostic, Page], Iterator[Fix]]

_FILES: Final = (".yaml", ".yml")
_KINDS: Final[tuple[FileKind, ...]] = ("law", "vocabulary", "edition")
# Where what was meant is not what is to stand in the place of the span.
_NO_SPELLING: Final = frozenset({"unknown-character"})


def with_fixes(diagnostics: Iterable[Diagnostic], source: Callable[[str], str | None]) -> tuple[Diagnostic, ...]:
    """The diagnostics with the fixes there are for them; `source` gives the text of a file by its name in them."""
    pages: dict[str, Page | None] = {}
    found = []
    for diagnostic in diagnostics:
        file = None if diagnostic.span is None else diagnostic.span.file
        if file is None or not file.endswith(_FILES):
            found.append(diagnostic)
            continue
        if file not in pages:
            text = source(file)
            pages[file] = None if text is None else Page(text, file)
        page = pages[file]
        found.append(diagnostic if page is None else replace(diagnostic, fixes=_fixes(diagnostic, page)))
    return tuple(found)


def fixes_of(diagnostic: Diagnostic, text: str) -> tuple[Fix, ...]:
    """The fixes of a diagnostic that lies in a file of that text, the surest first."""
    return () if diagnostic.span is None else _fixes(diagnostic, Page(text, diagnostic.span.file))


def _fixes(diagnostic: Diagnostic, page: Page) -> tuple[Fix, ...]:
    finder = _FINDERS.get(diagnostic.code)
    found = [*diagnostic.fixes, *(finder(diagnostic, page) if finder is not None else ())]
    if diagnostic.code not in _NO_SPELLING:
        found += _spelling(diagnostic, page)
    return tuple(dict.fromkeys(found))


def _spelling(diagnostic: Diagnostic, page: Page) -> Iterator[Fix]:
    """What was probably meant, in the place of what was written."""
    span, meant = diagnostic.span, diagnostic.suggestion
    if span is None or meant is None:
        return
    written = page.text_at(span)
    if len(written) > 1 and written[0] == written[-1] and written[0] in "'\"":
        written, span = written[1:-1], span.within(1, len(written) - 1)
    elif not is_plain(meant):
        return
    if written and "\\" not in meant and ("'" not in meant or _takes_apostrophes(page, span)):
        # What may stand as it is may be meant.
        safe = diagnostic.severity is Severity.ERROR and is_slip(written, meant)
        yield Fix(f"write `{meant}`", (Edit(span, meant),), safe)


def _takes_apostrophes(page: Page, span: Span) -> bool:
    """Whether an apostrophe can be written at a place as it is: not between single quotes."""
    line = page.line(span.line)
    return line is not None and not line.value.startswith("'")


# -- YAML --------------------------------------------------------------------------------------------------------------


def _quote(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """A text in quotes that cannot stand without them."""
    assert problem.span is not None
    line = page.lines[problem.span.line - 1]
    found = re.match(r"( *(?:- )*[A-Za-z][\w '-]*: +)(.*\S)", line)
    if found is None or " #" in line or found[2][:1] in "'\"[{|>":
        return
    edit = page.replaced(problem.span.line, found.start(2) + 1, found.end(2) + 1, quoted(found[2]))
    yield Fix("put the value in quotes", (edit,), safe=True)


def _apostrophe(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `text-after-value`: a text in single quotes, with an apostrophe in it, in double ones."""
    assert problem.span is not None
    line = page.lines[problem.span.line - 1]
    found = re.match(r"( *(?:- )*[A-Za-z][\w '-]*: +)'(.*?)'?\s*$", line)
    if found is not None and '"' not in found[2] and "\\" not in found[2] and " #" not in line:
        edit = page.replaced(problem.span.line, found.end(1) + 1, len(line) + 1, f'"{found[2]}"')
        yield Fix("put the value in double quotes", (edit,), safe=False)


def _colon(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `missing-colon`: the colon behind a key that is known."""
    assert problem.span is not None
    line = page.lines[problem.span.line - 1]
    start = re.match(r" *(?:- )*", line)
    at = 0 if start is None else start.end()
    keys = sorted((key for key in _every_key() if line[at:].startswith(f"{key} ")), key=len)
    if keys:
        column = at + len(keys[-1]) + 1
        edit = page.replaced(problem.span.line, column, column, ":")
        yield Fix(f"put a colon behind `{keys[-1]}`", (edit,), safe=True)


@functools.cache
def _every_key() -> frozenset[str]:
    """The keys of all files, and of the clauses, examples and declarations in them."""
    found: set[str] = set()
    for kind in _KINDS:
        whole = schema(kind)
        found |= known_keys(whole, whole)
        for definition in whole["$defs"].values():
            found |= set(definition.get("properties", ()))
    return frozenset(found)


def _comma(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `missing-comma`."""
    assert problem.span is not None
    line, at = page.lines[problem.span.line - 1], problem.span.column - 1
    end = len(line[:at].rstrip())
    yield Fix("put a comma before it", (page.replaced(problem.span.line, end + 1, end + 1, ","),), safe=False)


def _spaces(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `tab`: two spaces for each at the start of a line, one elsewhere."""
    assert problem.span is not None
    line = page.lines[problem.span.line - 1]
    lead = len(line) - len(line.lstrip(" \t"))
    edits = []
    if "\t" in line[:lead]:
        edits.append(page.replaced(problem.span.line, 1, lead + 1, line[:lead].replace("\t", "  ")))
    edits += [
        page.replaced(problem.span.line, at + 1, at + 2, " ")
        for at, letter in enumerate(line)
        if letter == "\t" and at >= lead
    ]
    if edits:
        yield Fix("write spaces for the tab", tuple(edits), safe=False)


def _unseen(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `control-character`: without it."""
    assert problem.span is not None
    if len(page.text_at(problem.span)) == 1:
        yield Fix("take the invisible character away", (Edit(problem.span, ""),), safe=True)


def _silence(problem: Diagnostic, page: Page) -> Iterator[Fix]:
    """Of `needless-silence`: without it, and without the key if it was the only one."""
    assert problem.span is not None
    number, title = problem.span.line, "take the silence away"
    line = page.lines[number - 1]
    if re.fullmatch(r" *silence: *\[ *\{[^{}\[\]]*\} *\] *", line):
        yield Fix(title, (page.without(number, number),), safe=True)
        return
    while number > 1 and not page.lines[number - 1].lstrip().startswith("- "):
        number -= 1
    heading = page.heading(number)
    if heading is None or heading[1] != "silence" or page.lines[heading[0] - 1].lstrip().startswith("- "):
        return
    alone = page.items(heading[0]) == [number]
    first, last = heading[0] if alone else number, page.end_of_item(number)
    yield Fix(title, (page.without(first, last),), safe=True)


_FINDERS: Final[Mapping[str, Finder]] = {
    "stray-conjunction": expressions.split,
    "missing-guard": expressions.guard,
    "needless-guard": expressions.unguard,
    "multi-line-expression": expressions.on_one_line,
    "escaped-expression": expressions.on_one_line,
    "unknown-character": expressions.sign,
    "stray-colon": _quote,
    "needs-quotes": _quote,
    "text-after-value": _apostrophe,
    "missing-colon": _colon,
    "missing-comma": _comma,
    "tab": _spaces,
    "control-character": _unseen,
    "needless-silence": _silence,
}
