"""Drafts: new files of laws and editions, in order as they stand, with remarks that say what to write where.

A draft changes nothing until it is written on: it takes everything from the edition it is based on, and a clause that
is to be changed is copied into it as it is, with an example that shows it. Texts are made here; nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from lawbook.checks import reminders
from lawbook.edition.library import FileKind, Library, modeline, schema_file, schema_text
from lawbook.edition.model import Clause, Edition, Kind
from lawbook.edition.nodes import text_of
from lawbook.examples import Example, run_under, shown_by
from lawbook.formatting import format_text
from lawbook.formatting.comments import Branch, Piece, annotate
from lawbook.formatting.layout import Layout
from lawbook.formatting.scalars import written
from lawbook.machine.machine import Machine
from lawbook.source.reader import Mapping, Scalar, plain, read
from lawbook.source.reader import Sequence as SequenceNode

# A byte order mark, which spans do not count.
_MARK: Final = "\ufeff"
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def is_name(text: str) -> bool:
    """Whether a text can name an edition or a topic: small letters and figures, words joined by hyphens."""
    return _NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Draft:
    """A file to be written: where, and its text. `before` is its text as it is now, None where there is none."""

    path: Path
    text: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Folder:
    """A user's folder: editions and laws beside each other, or in folders `editions` and `laws`."""

    path: Path

    @property
    def editions(self) -> Path:
        """Where its editions lie."""
        inner = self.path / "editions"
        return inner if inner.is_dir() else self.path

    @property
    def laws(self) -> Path:
        """Where its laws lie."""
        inner = self.path / "laws"
        return inner if inner.is_dir() else self.path


def draft_edition(folder: Folder, identifier: str, base: Edition, laws: Sequence[str] = ()) -> Draft:
    """A new edition based on another, which takes the readings that are chosen in that."""
    path = folder.editions / f"{identifier}.yaml"
    lines = [
        modeline("edition", path, folder.path),
        f"# An edition based on {base.id}: it takes everything from it but for what is said here. A law is added with",
        f"# `lawbook new law TOPIC --edition {identifier}`.",
        f"edition: {identifier}",
        f"title: {written(_titled(identifier))}  # what it is called",
        f"based on: {base.id}",
    ]
    if laws:
        lines += ["laws:  # the laws it adds", *(f"  - {law}" for law in laws)]
    lines += ["# repeals:  # law files that no longer hold", *(f"#   - {law.file}" for law in base.laws[:1])]
    if base.readings:
        taken = {reading.name: reading.chosen for reading in base.readings if reading.chosen != reading.default}
        mark = "" if taken else "# "
        lines.append(
            f"{mark}takes:  # what the text leaves open, where you read it otherwise; `lawbook readings` explains"
        )
        lines += [f"  {name}: {written(chosen)}" for name, chosen in taken.items()]
        left = [reading for reading in base.readings if reading.name not in taken]
        lines += [f"#   {reading.name}: {_choices(reading.alternatives)}" for reading in left]
    return Draft(path, _formatted(lines))


def draft_law(folder: Folder, topic: str, edition: Edition) -> Draft:
    """A new law of an edition, without clauses."""
    there = [clause for clause in edition.clauses if clause.law.topic == topic]
    title = there[0].law.title if there else _titled(topic)
    path = _free(folder, topic, edition.id)
    head = [modeline("law", path, folder.path), *_head(title, topic, edition.id)]
    return Draft(path, _formatted([*head, *_aside_remarks(there), "clauses: []", *_CLAUSE, *_EXAMPLE]))


def draft_amendment(folder: Folder, identifier: str, base: Edition, library: Library, what: str) -> Draft:
    """A law of an edition that sets a clause of its base aside, with that clause to be changed; or, where it is a topic
    of the base that is named, a law on that."""
    clause = base.by_id.get(what)
    topic = clause.law.topic if clause is not None else what
    laws = [law for law in base.laws if law.topic == topic]
    name = what if clause is not None else topic
    path = _free(folder, name, identifier)
    title = f"{(clause.law if clause is not None else laws[0]).title}, by the rules of {identifier}"
    lines = [modeline("law", path, folder.path), *_head(title, topic, identifier)]
    if clause is None:
        there = [c for c in base.clauses if c.law.topic == topic]
        lines += [*_aside_remarks(there), "clauses: []", *_CLAUSE]
    else:
        lines += [
            f"# These clauses of {base.id} no longer hold; those below hold instead.",
            f"sets aside: [{clause.id}]",
            "clauses:",
            "  # As it is in the code; change what is to be otherwise.",
            *_copied(clause, library),
        ]
    shown = None if clause is None else _example_of(clause, base, library)
    if shown is None:
        lines += _EXAMPLE
    else:
        lines += [*_EXAMPLE[:1], *shown]
    return Draft(path, _formatted(lines))


def schema_drafts(folder: Folder, kinds: Sequence[FileKind]) -> list[Draft]:
    """The schemas that new files name in their first lines, as far as the folder does not have them."""
    places = [(kind, schema_file(kind, folder.path)) for kind in kinds]
    return [Draft(path, schema_text(kind)) for kind, path in places if not path.exists()]


def with_law(path: Path, law: str) -> Draft:
    """An edition's file with one law more, everything else in it as it is. Raises LawbookError if it cannot be read."""
    whole = path.read_text(encoding="utf-8")
    mark = _MARK if whole.startswith(_MARK) else ""
    text = whole.removeprefix(_MARK)
    node = read(text, str(path))
    assert isinstance(node, Mapping)
    lines = text.splitlines(keepends=True)
    laws = node.get("laws")
    if isinstance(laws, SequenceNode) and laws.items:
        last, span = laws.items[-1].span, laws.span
        if lines[span.line - 1][span.column - 1] == "[":
            row = lines[last.end_line - 1]
            lines[last.end_line - 1] = f"{row[: last.end_column - 1]}, {law}{row[last.end_column - 1 :]}"
        else:
            lines[last.end_line - 1] = lines[last.end_line - 1].rstrip("\n") + "\n"
            lines.insert(last.end_line, " " * (span.column - 1) + f"- {law}\n")
    elif laws is not None:
        span = laws.span
        row = lines[span.line - 1]
        lines[span.line - 1] = f"{row[: span.column - 1]}[{law}]{row[span.end_column - 1 :]}"
    else:
        lines.append(f"{'' if text.endswith(chr(10)) else chr(10)}laws:\n  - {law}\n")
    changed = "".join(lines)
    listed = [text_of(item) for item in getattr(laws, "items", ())]
    expected = {**_plain(node), "laws": [*listed, law]}
    if _plain(read(changed, str(path))) != expected:
        raise AssertionError(f"{path} with one law more would say something else")
    return Draft(path, mark + changed, whole)


def _plain(node: object) -> dict[str, object]:
    assert isinstance(node, Mapping)
    found = plain(node)
    assert isinstance(found, dict)
    return found


# -- parts -------------------------------------------------------------------------------------------------------------


def _head(title: str, topic: str, edition: str) -> list[str]:
    return [
        f"title: {written(title)}",
        f"topic: {topic}",
        "in:",
        f"  - edition: {edition}",
        "    law: none  # or the number it has in your code, with its `source`",
        "    evidence: custom",
        f"summary: {reminders.SUMMARY}  # say here in a sentence or two what the rule is",
    ]


_CLAUSE: Final = (
    "# In the place of `[]` stand clauses, such as:",
    f"#   - id: {reminders.CLAUSE}",
    f"#     says: {reminders.SAYS}",
    "#     when: a player bids",
    "#     if: the caller is not in turn",
    "#     offence: declaration out of turn",
    "#     the call: stands meanwhile",
)
_EXAMPLE: Final = (
    "# Every clause needs an example: an auction, the last act, and what must come of it.",
    "# examples:",
    f"#   - that: {reminders.THAT}",
    "#     auction: 2H",
    "#     act: 2D",
    "#     verdict: irregular",
    f"#     because: [{reminders.CLAUSE}]",
)


def _aside_remarks(clauses: Sequence[Clause]) -> list[str]:
    names = list(dict.fromkeys(clause.id for clause in clauses))
    if not names:
        return []
    return ["# sets aside:  # clauses that no longer hold, of those there are:", *(f"#   - {name}" for name in names)]


def _choices(choices: object) -> str:
    first, *others = list(choices) if isinstance(choices, dict) else [""]
    return f"{first}  # or {', '.join(others)}" if others else first


def _copied(clause: Clause, library: Library) -> Iterator[str]:
    """The clause as its file has it, in each form that it has under some reading."""
    for piece in _pieces(clause.law.file, "clauses", library):
        body = piece.value
        assert isinstance(body, Branch)
        if clause.id in [name.text for name in _ids(body)]:
            yield from _written_out(piece, body, "clause")


def _written_out(piece: Piece, body: Branch, kind: str, left_out: str = "") -> list[str]:
    """One item of a list, without one of its keys."""
    kept = [entry for entry in body.pieces if entry.key is None or entry.key.text != left_out]
    one = replace(piece, before=[], value=replace(body, pieces=kept))
    return Layout().part(Branch(SequenceNode((), body.node.span), [one], False, 1), kind, 2)


def _pieces(file: str, key: str, library: Library) -> list[Piece]:
    """The items of a list in a law file, with their remarks."""
    path = library.law(file)
    assert path is not None
    text = path.read_text(encoding="utf-8").replace("\r\n", "\n")
    root = annotate(text, read(text, library.shown(path))).value
    assert isinstance(root, Branch)
    found = next((p.value for p in root.pieces if p.key is not None and p.key.text == key), None)
    return found.pieces if isinstance(found, Branch) else []


def _example_of(clause: Clause, base: Edition, library: Library) -> list[str] | None:
    """An example that shows what a clause does: of those that hold whatever is read, one that would not without it."""
    examples = [e for e in shown_by(library, base) if e.editions == (base.name,) and not e.instead]
    named = [e for e in examples if clause.id in e.expected.get("because", ())]
    beside = [e for e in examples if e.file == clause.law.file]
    found = next(iter(named), None)
    if found is None and clause.kind not in (Kind.DEFINITION, Kind.SCORE):
        without = Machine(replace(base, clauses=tuple(c for c in base.clauses if c is not clause)))
        tried = [e for e in (*beside, *examples) if isinstance(e, Example)]
        found = next((e for e in tried if not run_under(e, base.name, base, without).passed), None)
    found = found or next(iter(beside), None)
    if found is None:
        return None
    key = "examples" if isinstance(found, Example) else "deals"
    for piece in _pieces(found.file, key, library):
        body = piece.value
        assert isinstance(body, Branch)
        if body.node.span == found.span:
            kind = "example" if key == "examples" else "scored"
            return [f"{key}:", *_written_out(piece, body, kind, "editions")]
    return None


def _ids(body: Branch) -> Iterator[Scalar]:
    for entry in body.pieces:
        if entry.key is not None and entry.key.text == "id" and isinstance(entry.value, Scalar):
            yield entry.value


def _free(folder: Folder, name: str, edition: str) -> Path:
    """The file for a new law: of its name where laws lie beside editions, else of its edition's in a folder of that."""
    return folder.laws / name / f"{edition}.yaml" if folder.laws != folder.editions else folder.laws / f"{name}.yaml"


def _titled(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _formatted(lines: Sequence[str]) -> str:
    found = format_text("\n".join(lines) + "\n", "a draft")
    if found.after is None:
        raise AssertionError(f"a draft cannot be read: {[problem.message for problem in found.problems]}")
    return found.after
