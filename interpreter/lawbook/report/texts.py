"""Transcriptions: what was found in a text, the texts kept, and the words of a law beside its clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawbook.edition.model import Edition, Law
from lawbook.report import SCHEMA
from lawbook.report.layout import Page, beside
from lawbook.sentences import order_of
from lawbook.texts import Kept, Passage, Transcription

# From which width on a law's words stand beside its clauses and not above them.
_TWO_COLUMNS = 96


# -- beside the clauses ------------------------------------------------------------------------------------------------


def with_text(passages: Sequence[Passage], clauses: Sequence[str], page: Page) -> Iterator[str]:
    """A law's words beside its clauses where the page is wide, else above them."""
    if not passages:
        yield from clauses
    elif page.width >= _TWO_COLUMNS:
        width = column_width(page)
        yield from beside([list(_words(passages, width)), list(clauses)], [width, width], 4)
    else:
        for line in _words(passages, page.width - 4):
            yield page.paint(f"  │ {line}".rstrip(), "dim")
        yield ""
        yield from clauses


def column_width(page: Page) -> int:
    """How wide the clauses are written beside a text."""
    return (page.width - 4) // 2 if page.width >= _TWO_COLUMNS else page.width


def _words(passages: Sequence[Passage], width: int) -> Iterator[str]:
    """The words as they stand in the transcription, its paragraphs folded to a width."""
    inner = Page(width)
    for at, passage in enumerate(passages):
        if at:
            yield ""
        for place, paragraph in enumerate(_paragraphs(passage.text)):
            if place:
                yield ""
            yield from inner.wrap(paragraph)


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of a text: what empty lines part; a line that is indented further than the first is its own."""
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        if not line.strip():
            found.append([])
        elif found[-1] and line[:1] in (" ", "\t") and not found[-1][0][:1].isspace():
            found.append([line])
        else:
            found[-1].append(line)
    return [" ".join(" ".join(lines).split()) for lines in found if lines]


def passage_json(passage: Passage) -> dict[str, object]:
    """A law's words for JSON."""
    return {"law": passage.number, "text": passage.text, "line": passage.line}


# -- what was added, and what is kept ----------------------------------------------------------------------------------


def added_json(edition: Edition, kept: Kept, found: Transcription) -> dict[str, object]:
    """What was found in a text, with the keys of `text.schema.json`."""
    return {"schema": SCHEMA, "added": {**_kept_json(edition, kept, found), **_matched_json(edition, found)}}


def _kept_json(edition: Edition, kept: Kept, found: Transcription) -> dict[str, object]:
    return {
        "edition": edition.id,
        "file": str(kept.path),
        "lines": len(found.text.splitlines()),
        "laws": [passage_line(passage) for passage in found.passages],
    }


def passage_line(passage: Passage) -> dict[str, object]:
    """Where a law stands in a text."""
    return {"law": passage.number, "line": passage.line, "end_line": passage.end_line}


def _matched_json(edition: Edition, found: Transcription) -> dict[str, object]:
    strange, missing = found.unmatched(law.number for law in edition.laws)
    return {"without_clauses": strange, "without_text": missing, "lines_before": len(found.before)}


def added_text(edition: Edition, kept: Kept, found: Transcription, page: Page) -> Iterator[str]:
    """What was found in a text, for a reader."""
    strange, missing = found.unmatched(law.number for law in _in_order(edition))
    matched = [passage.number for passage in found.passages if passage.number not in strange]
    yield from page.wrap(f"{_laws(len(found.passages))} found; the text of {edition.id} is kept in {kept.path}")
    for name, numbers, meaning in (
        ("matched", matched, "shown beside their clauses"),
        ("no clauses", strange, "in the text, and not among the laws of the edition"),
        ("no text", missing, "laws of the edition that the text does not have"),
    ):
        if numbers:
            yield from page.entry(name, f"{_runs(numbers)}: {meaning}")
    if found.before:
        yield from page.entry("before", f"{_lines(len(found.before))} stand before the first law, and belong to none")


def list_json(kept: Sequence[tuple[Kept, Transcription]]) -> dict[str, object]:
    """The texts kept, with the keys of `text.schema.json`."""
    return {
        "schema": SCHEMA,
        "texts": [
            {
                "edition": one.edition,
                "file": str(one.path),
                "laws": len(found.passages),
                "lines": len(found.text.splitlines()),
            }
            for one, found in kept
        ],
    }


def list_text(kept: Sequence[tuple[Kept, Transcription]], page: Page) -> Iterator[str]:
    """The texts kept, for a reader."""
    for one, found in kept:
        yield page.paint(one.edition, "bold")
        yield from page.wrap(f"{_laws(len(found.passages))}, {_lines(len(found.text.splitlines()))}: {one.path}", 2)
    if not kept:
        yield from page.wrap("No text is kept. `lawbook text add EDITION FILE` adds one.")


def removed_json(kept: Kept) -> dict[str, object]:
    """A text that was removed, with the keys of `text.schema.json`."""
    return {"schema": SCHEMA, "removed": {"edition": kept.edition, "file": str(kept.path)}}


def removed_text(kept: Kept, page: Page) -> Iterator[str]:
    """A text that was removed, for a reader."""
    yield from page.wrap(f"The text of {kept.edition} is no longer kept; it was {kept.path}")


def _runs(numbers: Sequence[str]) -> str:
    """Numbers in short, those that follow one another as `42 to 57`."""
    runs: list[list[str]] = []
    for number in numbers:
        if runs and number.isdigit() and runs[-1][-1].isdigit() and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def _in_order(edition: Edition) -> list[Law]:
    return sorted(edition.laws, key=order_of)


def _laws(number: int) -> str:
    return f"{number} law{'' if number == 1 else 's'}"


def _lines(number: int) -> str:
    return f"{number} line{'' if number == 1 else 's'}"
