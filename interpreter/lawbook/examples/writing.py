"""Writing: a new example put into its law file, whose remarks and layout stay as they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.declarations import entries
from lawbook.edition.library import Library
from lawbook.edition.model import Edition, Law
from lawbook.edition.nodes import text_of
from lawbook.errors import LawbookError
from lawbook.examples.drafting import Draft, again
from lawbook.examples.reading import Example, examples_of, law_files, name_of
from lawbook.examples.running import Trial
from lawbook.loading import load
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Sequence, plain, read

KEY: Final = "examples"
# A byte order mark, which spans do not count.
_MARK: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class Written:
    """A law file with an example more: its name among the laws, where it lies, its text, and the lines that are new,
    from which line on."""

    file: str
    path: Path
    text: str
    lines: tuple[str, ...]
    at: int


def law_for(edition: Edition, draft: Draft, name: str | None) -> Law:
    """The law whose file an example belongs into: the one named, by its topic, file or number, else the first it rests
    on. Of several that are called so it is the edition's own.

    Raises LawbookError where there is no such law, or it is none of the edition's own.
    """
    if name is not None:
        called = laws_called(edition, name)
        called = [law for law in called if law.source.edition == edition.id] or called
        if len(called) > 1:
            raise _several(name, called)
        found = called[0]
    else:
        because = draft.get("because")
        if not isinstance(because, tuple) or not because:
            raise _wrong("which-law", "the ruling rests on no clause", help="say which law it is about with --law")
        found = edition.by_id[str(because[0])].law
    if found.source.edition == edition.id:
        return found
    own = [law for law in edition.laws if law.source.edition == edition.id]
    if name is None and len(own) == 1:
        return own[0]
    topics = ", ".join(law.topic for law in own)
    raise _wrong(
        "law-of-another-edition",
        f"{found.file} is a law of {found.source.edition}, whose examples {edition.id} only inherits",
        help=f"say with --law which of its own it is about: {topics}" if own else "it has no law of its own",
    )


def _several(name: str, called: list[Law]) -> LawbookError:
    """That several laws are called so, and what tells them apart: their topics, or where one has several, their
    files."""
    topics = [law.topic for law in called]
    if len(set(topics)) == len(topics):
        return _wrong(
            "which-law", f"`{name}` is the number of several laws", f"name one by its topic: {', '.join(topics)}"
        )
    what = "topic" if name in topics else "number"
    files = ", ".join(law.file for law in called)
    return _wrong("which-law", f"`{name}` is the {what} of several laws", f"name one by its file: {files}")


def laws_called(edition: Edition, name: str) -> list[Law]:
    """The laws of that topic, file or number. Raises LawbookError if there is none."""
    wanted = name.strip().removeprefix("Law ")
    found = [law for law in edition.laws if wanted in (law.topic, law.file)]
    found = found or [law for law in edition.laws if law.number is not None and wanted in law.number.split(", ")]
    if not found:
        names = [law.topic for law in edition.laws]
        raise _wrong("unknown-law", f"{edition.id} has no law `{name}`", suggestion=nearest(name, names))
    return found


def check_new(library: Library, edition: Edition, draft: Draft) -> None:
    """Raise LawbookError where an example of the edition shows the same act after the same auction already."""
    auction, act = str(draft.get("auction") or ""), str(draft.get("act") or "")
    dealer = str(draft.get("dealer") or "N")
    wanted = _canonical(edition, f"{auction} {act}", dealer)
    name = name_of(library, edition)
    for example in examples_of(library, edition):
        if name not in example.editions or example.dealer != dealer:
            continue
        if _canonical(edition, example.notation, dealer) == wanted and _says_ruling(example):
            raise LawbookError(
                [
                    Diagnostic(
                        "example-there-already",
                        Severity.ERROR,
                        f"an example of {example.file} shows that already: {example.that}",
                        example.span,
                    )
                ]
            )


def _says_ruling(example: Example) -> bool:
    """Whether an example speaks of the act itself, and not only of how things stand after it."""
    return bool({"verdict", "because", "offences"} & set(example.expected))


def _canonical(edition: Edition, auction: str, dealer: str) -> str:
    trial = Trial(edition, dealer)
    try:
        trial.play(auction)
    except LawbookError:
        return auction
    return trial.notation


def with_example(library: Library, edition: Edition, law: Law, draft: Draft) -> Written:
    """The law's file with the example in it, read again to make sure that it says that and nothing else has changed.

    Raises LawbookError where the file cannot be read or written so.
    """
    path = library.law(law.file)
    # The edition was read from it.
    assert path is not None
    shown = library.shown(path)
    content = path.read_bytes()
    node = read(content, shown)
    assert isinstance(node, MappingNode)
    told = _for_editions(library, edition, law, draft)
    before = content.decode("utf-8")
    mark = _MARK if before.startswith(_MARK) else ""
    text, at, lines = _inserted(before.removeprefix(_MARK), node, told)
    after = read(text, shown)
    expected = plain(node)
    assert isinstance(expected, dict)
    listed = expected.get(KEY) or []
    assert isinstance(listed, list)
    expected = {**expected, KEY: [*listed, told.as_json()]}
    if plain(after) != expected:
        raise _wrong("example-cannot-be-added", f"the example cannot be put into {shown} as the file is laid out")
    return Written(law.file, path, mark + text, tuple(lines), at)


def _for_editions(library: Library, edition: Edition, law: Law, draft: Draft) -> Draft:
    """The example with the editions it is for named, where it is not for all that take the file as they stand."""
    name = name_of(library, edition)
    if name != edition.id:
        return draft.with_("editions", (name,))
    others = [
        name
        for file in law_files(library, edition)
        if file.path == law.file
        for item in entries(file.node, "in")
        if (name := text_of(item.get("edition"))) != edition.id and name in library.edition_files()
    ]
    alike = [name for name in others if _rules_alike(load(name, library), draft)]
    return draft if len(alike) == len(others) else draft.with_("editions", (edition.id, *alike))


def _rules_alike(edition: Edition, draft: Draft) -> bool:
    found = again(edition, draft)
    return found is not None and found.says == draft.says


# -- where it goes -----------------------------------------------------------------------------------------------------


def _inserted(text: str, node: MappingNode, draft: Draft) -> tuple[str, int, list[str]]:
    """The text with the example as the last of its list; the line (from 1) where it begins, and its lines."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += _line_end(text)
    listed = node.get(KEY)
    if isinstance(listed, Sequence) and listed.items and not _is_flow(lines, listed):
        indent = listed.items[0].span.column - 3
        at = listed.span.end_line
        new = draft.lines(max(indent, 0))
    elif listed is None:
        at = len(lines)
        new = [f"{KEY}:", *draft.lines()]
    elif isinstance(listed, Sequence) and not listed.items:
        line = listed.span.line
        lines[line - 1] = lines[line - 1][: listed.span.column - 1].rstrip() + _line_end(text)
        at, new = line, draft.lines()
    else:
        where = listed.span
        raise LawbookError(
            [
                Diagnostic(
                    "example-cannot-be-added",
                    Severity.ERROR,
                    "the examples stand between brackets, where none can be added",
                    where,
                    help="`lawbook fmt` writes them one below the other",
                )
            ]
        )
    body = [f"{line}{_line_end(text)}" for line in new]
    return "".join([*lines[:at], *body, *lines[at:]]), at + 1, new


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _is_flow(lines: list[str], listed: Sequence) -> bool:
    return lines[listed.span.line - 1][listed.span.column - 1 :].startswith("[")


def _wrong(code: str, message: str, help: str | None = None, suggestion: str | None = None) -> LawbookError:
    return LawbookError([Diagnostic(code, Severity.ERROR, message, help=help, suggestion=suggestion)])
