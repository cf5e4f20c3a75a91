"""Revisions: the files of a git repository as they were, unpacked to be read. Git itself is asked, and only to tell."""

from __future__ import annotations

import io
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lawbook.diagnostics import Diagnostic, Severity
from lawbook.errors import LawbookError

# A repository of laws has a few megabytes; a slip must not fill the disk.
LARGEST_ARCHIVE = 200_000_000


@dataclass(frozen=True, slots=True)
class Repository:
    """A git repository, by its top folder."""

    root: Path

    @classmethod
    def around(cls, folder: Path) -> Repository | None:
        """The repository a folder lies in, or None. Raises LawbookError where git is not installed."""
        found = _git(folder, "rev-parse", "--show-toplevel")
        return None if found is None else cls(Path(found.decode("utf-8", "surrogateescape").strip()))

    def commit(self, name: str) -> str | None:
        """The commit that a name means (`HEAD~1`, a branch, a tag), or None."""
        if name.startswith("-"):
            return None
        found = _git(self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return None if found is None else found.decode("ascii").strip()

    def unpack(self, commit: str, into: Path) -> None:
        """Write the YAML files of a commit below a folder. Raises LawbookError where git cannot give them."""
        archive = _git(self.root, "archive", "--format=tar", commit)
        if archive is None or len(archive) > LARGEST_ARCHIVE:
            raise _problem(f"git does not give the files of {commit}")
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            for member in tar:
                path = PurePosixPath(member.name)
                # Links could lead out of the folder, and nothing else than YAML is read.
                if not member.isfile() or path.suffix != ".yaml" or path.is_absolute() or ".." in path.parts:
                    continue
                content = tar.extractfile(member)
                if content is not None:
                    target = into / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(content.read())


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git answers, or None if it says no."""
    try:
        found = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        raise _problem("revisions are read with git, which is not installed") from None
    return found.stdout if found.returncode == 0 else None


def _problem(message: str) -> LawbookError:
    return LawbookError([Diagnostic("no-revision", Severity.ERROR, message)])
