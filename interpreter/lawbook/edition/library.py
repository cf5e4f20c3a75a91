"""The library: the folders in which editions and laws are found, and their files as validated nodes."""

from __future__ import annotations

import codecs
import functools
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, cast

from lawbook.data import data_folder
from lawbook.diagnostics import Diagnostic, nearest
from lawbook.errors import Collector, LawbookError
from lawbook.records import dataclass, field

if TYPE_CHECKING:
    from lawbook.source.reader import Mapping as MappingNode
    from lawbook.source.reader import Node
    from lawbook.source.salvage import Torn

_T = TypeVar("_T")
FileKind = Literal["edition", "law", "vocabulary"]
_SCHEMAS: Final[Mapping[FileKind, tuple[Literal["laws", "editions"], str]]] = {
    "edition": ("editions", "edition.schema.json"),
    "law": ("laws", "law.schema.json"),
    "vocabulary": ("laws", "vocabulary.schema.json"),
}

# An edition in another encoding is one that cannot be read, and not none: what it says of itself is seen all the same.
_FOREIGN: Final = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Some editors put a byte order mark at the start of a file. It means nothing in UTF-8.
_MARK: Final = "\ufeff"


@functools.cache
def schema(kind: FileKind) -> Mapping[str, Any]:
    """The published JSON Schema of one kind of file."""
    import json

    loaded: dict[str, Any] = json.loads(schema_text(kind))
    return loaded


def schema_text(kind: FileKind) -> str:
    """The same as it is published, for another program to read."""
    folder, name = _SCHEMAS[kind]
    return (data_folder(folder) / name).read_text(encoding="utf-8")


def schema_file(kind: FileKind, folder: Path) -> Path:
    """Where a user's own folder has a schema for YAML language servers, if it has one."""
    return folder / "schemas" / _SCHEMAS[kind][1]


def modeline(kind: FileKind, file: Path, folder: Path) -> str:
    """The first line of a file in a user's own folder that tells YAML language servers its schema, which is then
    expected where `schema_file` says.

    >>> modeline("law", Path("house/score/slam.yaml"), Path("house"))
    '# yaml-language-server: $schema=../schemas/law.schema.json'
    """
    above = "../" * (len(file.relative_to(folder).parts) - 1)
    return f"# yaml-language-server: $schema={above}{schema_file(kind, folder).relative_to(folder).as_posix()}"


@dataclass(frozen=True, slots=True)
class Library:
    """Folders of laws and of editions, the first that has a file winning: a user's own come before the shipped."""

    laws: tuple[Path, ...]
    editions: tuple[Path, ...]

    @classmethod
    def shipped(cls, own: Iterable[Path] = ()) -> Library:
        """The laws and editions that come with Lawbook, after those of the user's own folders.

        A user's folder holds editions beside its law files, or has folders `laws` and `editions` of its own.
        """
        folders = tuple(own)
        return cls(
            (*(p for f in folders for p in (f / "laws", f)), data_folder("laws")),
            (*(p for f in folders for p in (f / "editions", f)), data_folder("editions")),
        )

    @property
    def places(self) -> tuple[Path, ...]:
        """Where its folders lie, whatever the working folder is."""
        return tuple(path.absolute() for path in (*self.laws, *self.editions))

    def including(self, path: Path) -> Library:
        """The library, with the folder that a file or folder outside it belongs to put first."""
        folders = (*self.laws, *self.editions)
        if not path.exists() or any(path.resolve().is_relative_to(folder.resolve()) for folder in folders):
            return self
        home = home_of(path if path.is_dir() else path.parent)
        return Library((home / "laws", home, *self.laws), (home / "editions", home, *self.editions))

    def edition_files(self) -> dict[str, Path]:
        """Every edition's id and the file that holds it. A file that does not say `edition:` is not one."""
        found: dict[str, Path] = {}
        for folder in self.editions:
            for path in sorted(folder.glob("*.yaml")):
                if path.stem not in found and path.is_file() and _says_edition(path):
                    found[path.stem] = path
        return found

    def edition_file(self, identifier: str) -> Path | None:
        """The file of an edition, or None, without looking at any other."""
        places = (folder / f"{identifier}.yaml" for folder in self.editions)
        return next((path for path in places if path.is_file() and _says_edition(path)), None)

    def edition(self, identifier: str) -> Path:
        """The file of an edition. Raises LawbookError if there is none."""
        files = self.edition_files()
        if identifier in files:
            return files[identifier]
        # Looked for only where it is missing.
        from lawbook.edition.absent import no_edition

        raise LawbookError([no_edition(self, identifier)])

    def law(self, path: str) -> Path | None:
        """The file a path relative to the laws means, or None."""
        return next((file for folder in self.laws if (file := folder / path).is_file()), None)

    def law_meant(self, path: str) -> str | None:
        """The path among the laws that was probably meant by one that is none."""
        return nearest(path, self.law_paths())

    def law_paths(self) -> list[str]:
        """Every law file, as an edition names it."""
        found = {
            str(p.relative_to(folder).as_posix()) for folder in self.laws for p in folder.rglob("*.yaml") if p.is_file()
        }
        return sorted(found)

    def kind(self, path: Path) -> FileKind:
        """What kind of file one is, by what it says."""
        return kind_of_text(path.read_text(encoding="utf-8", errors="replace"))

    def is_ours(self, path: Path) -> bool:
        """Whether a file has any key of a law, a vocabulary or an edition, or is at least no other program's."""
        return is_ours(path.read_text(encoding="utf-8", errors="replace"))

    def shown(self, path: Path) -> str:
        """A path as diagnostics show it: below the working folder where it lies there."""
        return _shown(path, os.getcwd())

    def load(self, path: Path, kind: FileKind, problems: Collector) -> MappingNode | None:
        """A file read and validated by its schema. Its problems are collected; where there are errors the node is what
        is left of a law or an edition when the faulty parts are left out, and None for a vocabulary."""
        try:
            stamp = path.stat()
            written: tuple[int, ...] = (stamp.st_mtime_ns, stamp.st_size, stamp.st_ino)
        except OSError:
            written = ()
        node, found = _loaded(path, self.shown(path), kind, written)
        problems.extend(found)
        return node


@dataclass(frozen=True, slots=True)
class Still(Library):
    """A library that asks the disk once for each thing: for a run in which every edition is to see the same files."""

    _seen: dict[tuple[str, object], object] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, library: Library) -> Library:
        """The library as it stands now."""
        return cls(library.laws, library.editions) if type(library) is Library else library

    def _once(self, what: str, about: object, look: Callable[[], _T]) -> _T:
        key = (what, about)
        if key not in self._seen:
            self._seen[key] = look()
        return cast(_T, self._seen[key])

    def edition_files(self) -> dict[str, Path]:
        return self._once("editions", None, lambda: Library.edition_files(self))

    def edition_file(self, identifier: str) -> Path | None:
        return self.edition_files().get(identifier)

    def law(self, path: str) -> Path | None:
        return self._once("law", path, lambda: Library.law(self, path))

    def law_paths(self) -> list[str]:
        return self._once("laws", None, lambda: Library.law_paths(self))

    def shown(self, path: Path) -> str:
        return self._once("shown", path, lambda: Library.shown(self, path))

    def load(self, path: Path, kind: FileKind, problems: Collector) -> MappingNode | None:
        def look() -> tuple[MappingNode | None, tuple[Diagnostic, ...]]:
            own = Collector()
            return Library.load(self, path, kind, own), own.diagnostics

        node, found = self._once("load", (path, kind), look)
        problems.extend(found)
        return node


@functools.lru_cache(maxsize=4096)
def _shown(path: Path, folder: str) -> str:
    try:
        return path.resolve().relative_to(folder).as_posix()
    except ValueError:
        return str(path)


@functools.lru_cache(maxsize=512)
def _loaded(
    path: Path, shown: str, kind: FileKind, written: tuple[int, ...]
) -> tuple[MappingNode | None, tuple[Diagnostic, ...]]:
    """A file read and validated, and what is wrong with it. Many editions share files, so each is read only once as
    long as it stays as it was `written`."""
    # Files are found at every start, and read only where nothing is kept of them.
    from lawbook.source.reader import read_file

    try:
        node = read_file(path, shown)
    except LawbookError as error:
        try:
            content = path.read_bytes()
        except OSError:
            return None, error.diagnostics
        return left_of(content, shown, kind, error.diagnostics), error.diagnostics
    return checked(node, kind)


def left_of(content: str | bytes, shown: str, kind: FileKind, problems: Iterable[Diagnostic]) -> Torn | None:
    """What is left of a law or an edition that cannot be read, to look at others beside it; `problems` say why."""
    from lawbook.source.salvage import torn
    from lawbook.source.text import decode

    text = None if kind == "vocabulary" else decode(content, shown, Collector())
    return None if text is None else torn(text, shown, schema(kind), problems)


def checked(node: Node, kind: FileKind) -> tuple[MappingNode | None, tuple[Diagnostic, ...]]:
    """What was read of a file held against its schema: the node, or what is left of it, and what is wrong."""
    from lawbook.source.reader import Mapping as Read
    from lawbook.source.salvage import salvage
    from lawbook.source.shape import validate

    found = Collector()
    validate(node, schema(kind), found, what=f"a {kind} file")
    if not isinstance(node, Read):
        return None, found.diagnostics
    if not found.has_errors:
        return node, found.diagnostics
    # Words come before what is said in them: of some of them, nothing can be told.
    left = None if kind == "vocabulary" else salvage(node, schema(kind), found.diagnostics)
    return left, found.diagnostics


def home_of(folder: Path) -> Path:
    """The user's folder that a folder of files belongs to: the one that holds `laws` and `editions`, else itself."""
    inside = (place.parent for place in (folder, *folder.parents) if place.name in ("laws", "editions"))
    return next(inside, folder)


def is_ours(text: str) -> bool:
    """Whether a text has any key of a law, a vocabulary or an edition, or is at least no other file's."""
    keys = _keys(text)
    return not keys or any(keys & schema(kind)["properties"].keys() for kind in _SCHEMAS)


def _keys(text: str) -> set[str]:
    return {line.partition(":")[0] for line in text.removeprefix(_MARK).splitlines() if line[:1].isalpha()}


def kind_of_text(text: str) -> FileKind:
    """What kind of file a text is, by its keys."""
    keys = _keys(text)
    if "edition" in keys:
        return "edition"
    if keys & {"topic", "in", "clauses", "summary"}:
        return "law"
    return "edition" if keys & _of_editions_alone() else "vocabulary"


@functools.cache
def _of_editions_alone() -> frozenset[str]:
    """The keys that only edition files have."""
    of_others = schema("law")["properties"].keys() | schema("vocabulary")["properties"].keys()
    return frozenset(schema("edition")["properties"].keys() - of_others)


def _says_edition(path: Path) -> bool:
    return any(line.startswith("edition:") for line in (beginning_of(path) or "").splitlines())


def beginning_of(path: Path) -> str | None:
    """The first part of a file's text, where its keys stand, without a byte order mark; None if it cannot be read."""
    try:
        # A pipe would make us wait, a device would never end.
        if not path.is_file():
            return None
        with path.open("rb") as content:
            return _beginning(content.read(8192))
    except OSError:
        return None


def _beginning(content: bytes) -> str:
    encoding = next((name for mark, name in _FOREIGN.items() if content.startswith(mark)), "utf-8")
    return content.decode(encoding, errors="replace").removeprefix(_MARK).replace("\r\n", "\n")
