"""The desk: the library as it is with the files that lie open in an editor, saved or not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lawbook.data import data_folder
from lawbook.diagnostics import Diagnostic, Severity
from lawbook.edition.library import FileKind, Library, checked, is_ours, kind_of_text, left_of
from lawbook.edition.manifest import Manifest, read_manifest
from lawbook.errors import Collector, LawbookError
from lawbook.source.again import Again
from lawbook.source.reader import Mapping
from lawbook.source.salvage import Torn

_OWN: Final = ("laws", "editions")


@dataclass(slots=True)
class Buffer:
    """A file that lies open: its text now, what was read of it, and what it was when it was last in order."""

    path: Path
    text: str
    again: Again
    in_order: dict[FileKind, Mapping] = field(default_factory=dict)
    _checked: dict[FileKind, tuple[object, Mapping | None, tuple[Diagnostic, ...]]] = field(default_factory=dict)
    _left: dict[FileKind, tuple[object, Torn | None]] = field(default_factory=dict)

    def load(self, kind: FileKind) -> tuple[Mapping | None, tuple[Diagnostic, ...]]:
        """The file's node, or what is left of it where it is not fit to be worked with, and its problems."""
        node, problems = self.again.read(self.text)
        if node is None:
            return self._left_of(kind, problems), problems
        known = self._checked.get(kind)
        if known is None or known[0] is not node:
            known = self._checked[kind] = (node, *checked(node, kind))
            if known[1] is not None and all(d.severity is not Severity.ERROR for d in known[2]):
                self.in_order[kind] = known[1]
        return known[1], known[2]

    def _left_of(self, kind: FileKind, problems: tuple[Diagnostic, ...]) -> Torn | None:
        """What is left of a file that cannot be read: what it was when it last could, so that nothing made of it has to
        be made anew at each keystroke."""
        before = self.in_order.get(kind)
        made_from: object = self.text if before is None else before
        known = self._left.get(kind)
        if known is None or known[0] is not made_from:
            left = (
                left_of(self.text, self.again.file, kind, problems)
                if before is None
                else Torn(before.entries, before.span)
            )
            known = self._left[kind] = (made_from, left)
        return known[1]


@dataclass(frozen=True, slots=True)
class Desk(Library):
    """A library whose files are shown by their whole paths, and whose open files are as they stand in the editor.

    What lies in its folders is looked at once, until `look_again`: nobody's disk is asked at every keystroke.
    """

    buffers: dict[Path, Buffer] = field(default_factory=dict)
    _seen: dict[object, Any] = field(default_factory=dict)

    @classmethod
    def with_folders(cls, folders: Iterable[Path]) -> Desk:
        """The desk for a user's own folders: each holds editions beside its law files, or folders `laws` and `editions`
        of its own. What comes with Lawbook is behind them."""
        laws: list[Path] = []
        editions: list[Path] = []
        for folder in folders:
            own = any((folder / name).is_dir() for name in _OWN)
            laws.append(folder / "laws" if own else folder)
            editions.append(folder / "editions" if own else folder)
        laws.append(data_folder("laws"))
        editions.append(data_folder("editions"))
        return cls(_distinct(laws), _distinct(editions))

    def look_again(self) -> None:
        """Forget what lay in the folders: a file may have come or gone."""
        self._seen.clear()

    def open(self, path: Path, text: str) -> None:
        """A file lies open with that text."""
        resolved = path.resolve()
        buffer = self.buffers.get(resolved)
        if buffer is None:
            self.buffers[resolved] = Buffer(path, text, Again(self.shown(path)))
            self.look_again()
        else:
            buffer.text = text
            # What editions take may be another thing now.
            if kind_of_text(text) == "edition":
                self.look_again()

    def close(self, path: Path) -> None:
        """A file lies open no more: what is on the disk counts again."""
        self.buffers.pop(path.resolve(), None)
        self.look_again()

    def holds(self, path: Path) -> bool:
        """Whether a file lies in one of the folders."""
        return any(path.resolve().is_relative_to(f.resolve()) for f in (*self.laws, *self.editions))

    def text(self, path: Path) -> str | None:
        """The text of a file, open or on the disk; None if it cannot be read."""
        buffer = self.buffers.get(path.resolve())
        if buffer is not None:
            return buffer.text
        try:
            return path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    def manifest(self, edition: str) -> Manifest | None:
        """What an edition takes by its default readings; None if its files cannot be read."""
        key = ("manifest", edition)
        if key not in self._seen:
            try:
                self._seen[key] = read_manifest(self, edition, {}, Collector())
            except LawbookError:
                self._seen[key] = None
        found: Manifest | None = self._seen[key]
        return found

    def files(self, edition: str) -> frozenset[str]:
        """The files that an edition is made of, as messages call them."""
        key = ("files", edition)
        if key not in self._seen:
            manifest = self.manifest(edition)
            found = [self.edition_files().get(edition)]
            if manifest is not None:
                found += [self.law(path) for path in (*manifest.vocabulary, *manifest.laws)]
                found += [self.edition_files().get(name) for name in manifest.chain]
            self._seen[key] = frozenset(self.shown(path) for path in found if path is not None)
        files: frozenset[str] = self._seen[key]
        return files

    # -- the library -----------------------------------------------------------------------------------------------

    def edition_files(self) -> dict[str, Path]:
        if "editions" not in self._seen:
            found = Library.edition_files(self)
            for path, buffer in self.buffers.items():
                beside = path.suffix == ".yaml" and path.parent in [folder.resolve() for folder in self.editions]
                if beside and kind_of_text(buffer.text) == "edition":
                    found.setdefault(path.stem, buffer.path)
            self._seen["editions"] = found
        files: dict[str, Path] = self._seen["editions"]
        return files

    def edition_file(self, identifier: str) -> Path | None:
        return self.edition_files().get(identifier)

    def kind(self, path: Path) -> FileKind:
        return kind_of_text(self.text(path) or "")

    def is_ours(self, path: Path) -> bool:
        return is_ours(self.text(path) or "")

    def law(self, path: str) -> Path | None:
        key = ("law", path)
        if key not in self._seen:
            places = (folder / path for folder in self.laws)
            self._seen[key] = next((p for p in places if p.is_file() or p.resolve() in self.buffers), None)
        found: Path | None = self._seen[key]
        return found

    def law_paths(self) -> list[str]:
        if "laws" not in self._seen:
            open_files = (
                buffer.path.relative_to(folder).as_posix()
                for buffer in self.buffers.values()
                for folder in self.laws
                if buffer.path.is_relative_to(folder)
            )
            self._seen["laws"] = sorted({*Library.law_paths(self), *open_files})
        return list(self._seen["laws"])

    def shown(self, path: Path) -> str:
        key = ("shown", path)
        if key not in self._seen:
            self._seen[key] = str(path.resolve())
        return str(self._seen[key])

    def load(self, path: Path, kind: FileKind, problems: Collector) -> Mapping | None:
        buffer = self._buffer(path)
        node, found = self._on_disk(path, kind) if buffer is None else buffer.load(kind)
        problems.extend(found)
        return node

    def in_order(self, path: Path, kind: FileKind) -> Mapping | None:
        """A file as it last was in order: in the editor, or else on the disk."""
        buffer = self._buffer(path)
        if buffer is not None:
            left, _ = buffer.load(kind)
            if (node := buffer.in_order.get(kind) or left) is not None:
                return node
        return self._on_disk(path, kind)[0]

    def _on_disk(self, path: Path, kind: FileKind) -> tuple[Mapping | None, tuple[Diagnostic, ...]]:
        key = ("file", path, kind)
        if key not in self._seen:
            problems = Collector()
            node = Library.load(self, path, kind, problems)
            self._seen[key] = (node, problems.diagnostics)
        found: tuple[Mapping | None, tuple[Diagnostic, ...]] = self._seen[key]
        return found

    def _buffer(self, path: Path) -> Buffer | None:
        key = ("resolved", path)
        if key not in self._seen:
            self._seen[key] = path.resolve()
        return self.buffers.get(self._seen[key])


def _distinct(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Each folder once: a checkout's own laws are also those that come with it."""
    found: dict[Path, Path] = {}
    for folder in folders:
        found.setdefault(folder.resolve(), folder)
    return tuple(found.values())
