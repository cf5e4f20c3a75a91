"""Keeping: what was worked out once lies on disk, so that a second start need not work it out again.

Something kept is only used while whatever it was made from is as it was, which its head tells, and the interpreter is
the same, which is part of its name. It is ignored where it is damaged, belongs to somebody else or cannot be written;
two processes that write it do not meet, for each writes a file of its own and renames it.

`LAWBOOK_CACHE` names another folder, or `off` keeps nothing.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

_OFF: Final = ("off", "0", "no")


def place_for(kind: str, told: object) -> Path | None:
    """Where something of a kind is kept, by what tells it from others of the kind; None where nothing is kept."""
    folder = _folder()
    if folder is None:
        return None
    name = hashlib.sha256(repr([kind, told, _interpreter()]).encode()).hexdigest()[:40]
    return folder / f"{name}.{kind}"


def read(place: Path, is_true: Callable[[Any], bool]) -> Any | None:
    """What is kept in a place, if it is whole and its head is still true; None if not."""
    try:
        if hasattr(os, "getuid") and place.stat().st_uid != os.getuid():
            return None
        content = place.read_bytes()
        magic = _magic(place)
        if not content.startswith(magic):
            return None
        digest, _, rest = content[len(magic) :].partition(b"\n")
        if hashlib.sha256(rest).hexdigest().encode() != digest:
            return None
        # Two pickles, the head and then what is kept.
        stream = io.BytesIO(rest)
        return pickle.load(stream) if is_true(pickle.load(stream)) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ImportError, EOFError, pickle.UnpicklingError):
        return None


def write(place: Path, head: object, value: object, *, most: int) -> None:
    """Keep a value with what is to be true of it, and no more than `most` of its kind, the newest. Whatever stands in
    the way of that is no reason to fail."""
    # Imported where something is written: most starts only read.
    import tempfile

    # What cannot be pickled or written is worked out anew the next time.
    with contextlib.suppress(OSError, pickle.PicklingError, RecursionError):
        rest = b"".join(pickle.dumps(part, protocol=pickle.HIGHEST_PROTOCOL) for part in (head, value))
        digest = hashlib.sha256(rest).hexdigest().encode()
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, written = tempfile.mkstemp(dir=place.parent, prefix=".kept-")
        try:
            with os.fdopen(descriptor, "wb") as out:
                out.write(_magic(place) + digest + b"\n" + rest)
            Path(written).replace(place)
            _forget_oldest(place, most)
        except OSError:
            Path(written).unlink(missing_ok=True)
            raise


def _magic(place: Path) -> bytes:
    return f"lawbook {place.suffix.removeprefix('.')} 3\n".encode()


def _forget_oldest(place: Path, most: int) -> None:
    alike = place.parent.glob(f"*{place.suffix}")
    for path in sorted(alike, key=lambda path: path.stat().st_mtime, reverse=True)[most:]:
        path.unlink(missing_ok=True)


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
    found = []
    folders = [os.path.dirname(os.path.abspath(__file__))]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".lark")):
                    status = entry.stat()
                    found.append(f"{entry.name} {status.st_size} {status.st_mtime_ns}")
                elif entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return hashlib.sha256("\n".join([sys.version, *sorted(found)]).encode()).hexdigest()
