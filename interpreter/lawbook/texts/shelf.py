"""The shelf: the folder in which a user's transcriptions are kept, a plain text file for each edition.

It is the folder `texts` in a folder of the user's own laws, where one is named; else the one that LAWBOOK_TEXTS names;
else `lawbook/texts` among what the system keeps for its users.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.model import Edition, Law
from lawbook.errors import LawbookError
from lawbook.texts.passages import Passage, Transcription, check_characters, read_text


@dataclass(frozen=True, slots=True)
class Kept:
    """A transcription on the shelf: of which edition, and in which file."""

    edition: str
    path: Path

    def read(self, numbers: Iterable[str | None] = ()) -> Transcription:
        """The transcription; `numbers` are those of the edition's laws. Raises LawbookError if it cannot be read."""
        try:
            text = self.path.read_text(encoding="utf-8-sig", errors="replace")
        except OSError as error:
            raise _problem("unreadable-text", f"{self.path} cannot be read: {error.strerror}") from error
        check_characters(text, str(self.path))
        return read_text(text, numbers)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folders of texts, the first that has one winning; what is added goes to the first."""

    folders: tuple[Path, ...]

    @classmethod
    def of(cls, own: Iterable[Path] = ()) -> Shelf:
        """The texts of the user's own folders of laws, before those kept for the user."""
        return cls((*(folder / "texts" for folder in own), _users_folder()))

    def kept(self) -> list[Kept]:
        """Every text, by edition."""
        found: dict[str, Kept] = {}
        for folder in self.folders:
            for path in sorted(folder.glob("*.txt")):
                found.setdefault(path.stem, Kept(path.stem, path))
        return [found[edition] for edition in sorted(found)]

    def find(self, edition: str) -> Kept | None:
        """The text of an edition, or None."""
        places = (folder / f"{edition}.txt" for folder in self.folders)
        return next((Kept(edition, path) for path in places if path.is_file()), None)

    def add(self, edition: str, text: str, *, replace: bool = False) -> Kept:
        """Keep a text. Raises LawbookError where one is kept already and not to be replaced, or none can be."""
        path = self.folders[0] / f"{edition}.txt"
        if path.exists() and not replace:
            raise _problem(
                "text-kept-already",
                f"a text of {edition} is kept already, in {path}",
                help="`--replace` puts this one in its place",
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise _problem("unreadable-text", f"{path} cannot be written: {error.strerror}") from error
        return Kept(edition, path)

    def remove(self, edition: str) -> Kept:
        """Take a text from the shelf. Raises LawbookError if there is none, or it cannot be removed."""
        found = self.find(edition)
        if found is None:
            raise _problem(
                "no-text",
                f"no text of {edition} is kept",
                suggestion=nearest(edition, (kept.edition for kept in self.kept())),
            )
        try:
            found.path.unlink()
        except OSError as error:
            raise _problem("unreadable-text", f"{found.path} cannot be removed: {error.strerror}") from error
        return found


def words_of(edition: Edition, own: Iterable[Path] = ()) -> Callable[[Law], tuple[Passage, ...]]:
    """What the texts kept say of each law of an edition: of the code that a law is of, whichever edition takes it.

    Raises LawbookError where a text that is kept cannot be read.
    """
    shelf = Shelf.of(own)
    texts: dict[str, Transcription] = {}
    for code in dict.fromkeys(law.source.edition for law in edition.laws):
        if (kept := shelf.find(code)) is not None:
            texts[code] = kept.read(law.number for law in edition.laws if law.source.edition == code)

    def words(law: Law) -> tuple[Passage, ...]:
        text = texts.get(law.source.edition)
        return () if text is None else text.of(law.number)

    return words


def _users_folder() -> Path:
    if named := os.environ.get("LAWBOOK_TEXTS"):
        return Path(named)
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "lawbook" / "texts"


def _problem(code: str, message: str, *, help: str | None = None, suggestion: str | None = None) -> LawbookError:
    return LawbookError([Diagnostic(code, Severity.ERROR, message, help=help, suggestion=suggestion)])
