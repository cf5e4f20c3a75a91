"""The store: an edition resolved once is kept on disk, so that a second start reads no grammar and no YAML.

What is kept is only used while every file it was made from has the same bytes, in the same place, and the interpreter
is the same. It is ignored where it is damaged, belongs to somebody else or cannot be written; two processes that write
it do not meet, for each writes a file of its own and renames it.

`LAWBOOK_CACHE` names another folder, or `off` keeps nothing.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import Final, cast

from lawbook.edition.library import Library
from lawbook.edition.model import Edition

_OFF: Final = ("off", "0", "no")
# How many editions are kept; each file changed makes another, and the oldest go first.
MOST_KEPT: Final = 100
_MAGIC: Final = b"lawbook edition 1\n"


def fetch(name: str, library: Library) -> Edition:
    """The edition of that name, kept or resolved anew. Raises LawbookError with every problem of its files."""
    folder = _folder()
    place = None if folder is None else folder / f"{_key(name, library)}.edition"
    if place is not None and (kept := _read(place, library)) is not None:
        return kept
    from lawbook.edition.resolve import resolve

    edition = resolve(name, library)
    if place is not None:
        _write(place, edition)
    return edition


def _folder() -> Path | None:
    named = os.environ.get("LAWBOOK_CACHE", "")
    if named.lower() in _OFF:
        return None
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return Path(base) / "lawbook" / "cache" if base else None
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("HOME")
    if not base:
        return None
    return Path(base) / "lawbook" if os.environ.get("XDG_CACHE_HOME") else Path(base) / ".cache" / "lawbook"


@functools.cache
def _interpreter() -> str:
    """What tells this interpreter from another: the language's version, and every file of the package."""
    package = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(package.rglob("*")):
        if path.suffix in (".py", ".lark"):
            status = path.stat()
            digest.update(f"{path.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _key(name: str, library: Library) -> str:
    told = json.dumps([name, _interpreter(), *(str(p.absolute()) for p in (*library.laws, *library.editions))])
    return hashlib.sha256(told.encode()).hexdigest()[:40]


def _read(place: Path, library: Library) -> Edition | None:
    """The edition kept there, if it is whole and everything it was made from is unchanged."""
    try:
        if hasattr(os, "getuid") and place.stat().st_uid != os.getuid():
            return None
        content = place.read_bytes()
        if not content.startswith(_MAGIC):
            return None
        head, _, body = content[len(_MAGIC) :].partition(b"\n")
        told = json.loads(head)
        if hashlib.sha256(body).hexdigest() != told["body"] or not _unchanged(told["files"], library):
            return None
        return cast(Edition, pickle.loads(body))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ImportError, EOFError, pickle.UnpicklingError):
        return None


def _unchanged(files: list[tuple[str, str, str, str]], library: Library) -> bool:
    for kind, name, path, digest in files:
        found = library.edition_file(name) if kind == "edition" else library.law(name)
        if found is None or str(found.absolute()) != path:
            return False
        if hashlib.sha256(found.read_bytes()).hexdigest() != digest:
            return False
    return True


def _write(place: Path, edition: Edition) -> None:
    """Keep an edition. Whatever stands in the way of that is no reason to fail."""
    # What cannot be pickled or written is resolved anew the next time.
    with contextlib.suppress(OSError, pickle.PicklingError, RecursionError):
        files = [
            (kind, name, path, hashlib.sha256(Path(path).read_bytes()).hexdigest())
            for kind, name, path in edition.files
        ]
        body = pickle.dumps(edition, protocol=pickle.HIGHEST_PROTOCOL)
        head = json.dumps({"body": hashlib.sha256(body).hexdigest(), "files": files, "hash": edition.hash})
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, written = tempfile.mkstemp(dir=place.parent, prefix=".edition-")
        try:
            with os.fdopen(descriptor, "wb") as out:
                out.write(_MAGIC + head.encode() + b"\n" + body)
            Path(written).replace(place)
            _forget_oldest(place.parent)
        except OSError:
            Path(written).unlink(missing_ok=True)
            raise


def _forget_oldest(folder: Path) -> None:
    written = sorted(folder.glob("*.edition"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in written[MOST_KEPT:]:
        path.unlink(missing_ok=True)
