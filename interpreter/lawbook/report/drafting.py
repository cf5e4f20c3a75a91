"""Files that were written to begin with, as a dictionary and as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawbook.drafting import Draft, Folder
from lawbook.report import SCHEMA
from lawbook.report.layout import Page


def new_json(edition: str, drafts: Sequence[Draft]) -> dict[str, object]:
    """What was written, with the keys of `new.schema.json`."""
    return {
        "schema": SCHEMA,
        "edition": edition,
        "written": [draft.path.as_posix() for draft in drafts if draft.before is None],
        "changed": [draft.path.as_posix() for draft in drafts if draft.before is not None],
    }


def new_text(edition: str, drafts: Sequence[Draft], folder: Folder, page: Page) -> Iterator[str]:
    """What was written, and what to do next."""
    for draft in drafts:
        yield f"{'written' if draft.before is None else 'changed'}: {draft.path.as_posix()}"
    yield ""
    yield from page.wrap("Write on, and then:")
    for command in ("check", "test"):
        yield f"  lawbook {command} {edition} --laws {folder.path.as_posix()}"
