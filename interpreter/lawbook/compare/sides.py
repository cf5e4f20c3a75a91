"""Sides: what is meant by words on a command line: editions, files, folders or revisions; and what is on each side."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from lawbook.checking import files_of
from lawbook.compare.revisions import Repository
from lawbook.data import data_folder
from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.library import Library, home_of
from lawbook.errors import LawbookError
from lawbook.notation import parse_edition_name
from lawbook.sentences import listed

WORKING_TREE = "the working tree"


@dataclass(frozen=True, slots=True)
class Overlaid(Library):
    """A library in which files may stand in for others, and are shown by names of another kind.

    `instead` has the file that is read for a law's path; `shown_as` the words that stand for folders.
    """

    instead: Mapping[str, Path] = field(default_factory=dict)
    shown_as: tuple[tuple[Path, str], ...] = ()

    def law(self, path: str) -> Path | None:
        """The file a path relative to the laws means, or None."""
        return self.instead.get(path) or Library.law(self, path)

    def shown(self, path: Path) -> str:
        """A path as diagnostics show it; of a revision, with its name before it."""
        for folder, name in self.shown_as:
            if path.resolve().is_relative_to(folder.resolve()):
                return f"{name}:{path.resolve().relative_to(folder.resolve()).as_posix()}"
        return Library.shown(self, path)


@dataclass(frozen=True, slots=True)
class Chosen:
    """One side: what it is called, the library to read it from, and the editions in it that are compared.

    `only` are the law files that are asked about; all if there are none.
    """

    label: str
    library: Library
    editions: tuple[str, ...]
    only: frozenset[str] = frozenset()


class Choosing:
    """Finds out what is meant. What is unpacked of revisions lasts as long as this is open."""

    def __init__(self, own: Sequence[Path]) -> None:
        self._own = tuple(own)
        self._library = Library.shipped(own)
        self._folders = ExitStack()

    def __enter__(self) -> Choosing:
        return self

    def __exit__(self, *_: object) -> None:
        self._folders.close()

    def sides(self, words: Sequence[str]) -> tuple[Chosen, Chosen]:
        """The two sides that words on a command line mean: two of a kind, or a revision and the working tree; files
        after revisions narrow what is asked about. Raises LawbookError where nothing can be meant."""
        first, second = words[0], words[1] if len(words) > 1 else None
        if self._is_edition(first) and second is not None and len(words) == 2 and self._is_edition(second):
            return self._edition(first), self._edition(second)
        one, other = Path(first), None if second is None else Path(second)
        if one.is_dir() and other is not None and other.is_dir() and len(words) == 2:
            return self._folder(one), self._folder(other)
        if one.is_file() and other is not None and other.is_file() and len(words) == 2:
            return self._files(one, other)
        return self._revisions(words)

    # -- editions, folders, files --------------------------------------------------------------------------------------

    def _is_edition(self, word: str) -> bool:
        try:
            identifier, _ = parse_edition_name(word)
        except LawbookError:
            return False
        return self._library.edition_file(identifier) is not None

    def _edition(self, name: str) -> Chosen:
        return Chosen(name, self._library, (name,))

    def _folder(self, folder: Path) -> Chosen:
        own = Library.shipped([folder])
        return Chosen(str(folder), own, tuple(_own_editions(own)))

    def _files(self, one: Path, other: Path) -> tuple[Chosen, Chosen]:
        """Two files of one kind: each in an edition that takes it, or in the place of the other."""
        library = self._with_folders(one.parent, other.parent)
        for path in (one, other):
            if (identifier := _edition_in(path)) is not None:
                a, b = (_edition_in(p) for p in (one, other))
                if a is None or b is None:
                    raise _problem(f"{identifier} is an edition, and the other file is none")
                sides = [Chosen(str(p), Library.shipped([home_of(p.parent)]), (n,)) for p, n in ((one, a), (other, b))]
                return sides[0], sides[1]
        taken = [_taken(library, path) for path in (one, other)]
        if taken[0] is None and taken[1] is None:
            raise _problem(f"no edition takes {one} or {other}, so nothing tells what their words mean")
        found = []
        for at, path in enumerate((one, other)):
            own, another = taken[at], taken[1 - at]
            edition, name = own or another or ("", "")
            instead = {} if own is not None else {name: path}
            found.append(
                Chosen(str(path), Overlaid(library.laws, library.editions, instead), (edition,), frozenset({name}))
            )
        return found[0], found[1]

    def _with_folders(self, *folders: Path) -> Library:
        own = list(self._own)
        for folder in folders:
            library = Library.shipped(own)
            if not any(folder.resolve().is_relative_to(f.resolve()) for f in (*library.laws, *library.editions)):
                own.append(home_of(folder))
        return Library.shipped(own)

    # -- revisions -----------------------------------------------------------------------------------------------------

    def _revisions(self, words: Sequence[str]) -> tuple[Chosen, Chosen]:
        repository = Repository.around(self._own[0] if self._own else Path.cwd())
        if repository is None:
            raise self._unknown(words, in_a_repository=False)
        commits: list[tuple[str, str]] = []
        for word in words[:2]:
            # After a revision a file is a file, whatever else has its name.
            commit = None if commits and Path(word).exists() else repository.commit(word)
            if commit is None:
                break
            commits.append((word, commit))
        if not commits:
            raise self._unknown(words)
        files = words[len(commits) :]
        only = frozenset(self._law_path(repository, word) for word in files)
        sides = [self._at(repository, name, commit, only) for name, commit in commits]
        if len(sides) == 1:
            sides.append(self._working(repository, only))
        for word in files:
            name = self._law_path(repository, word)
            if not any(side.library.law(name) or side.library.edition_file(Path(name).stem) for side in sides):
                raise self._unknown([word])
        return sides[0], sides[1]

    def _at(self, repository: Repository, name: str, commit: str, only: frozenset[str]) -> Chosen:
        root = Path(self._folders.enter_context(tempfile.TemporaryDirectory(prefix="lawbook-"))).resolve()
        repository.unpack(commit, root)
        return self._chosen(name, repository, root, only, ((root, name),))

    def _working(self, repository: Repository, only: frozenset[str]) -> Chosen:
        return self._chosen(WORKING_TREE, repository, repository.root, only, ())

    def _chosen(
        self,
        label: str,
        repository: Repository,
        root: Path,
        only: frozenset[str],
        shown_as: tuple[tuple[Path, str], ...],
    ) -> Chosen:
        folders = [root / folder for folder in self._own_folders(repository)]
        places = [[p for f in folders for p in (f / kind, f)] for kind in ("laws", "editions")]
        own = Library(tuple(places[0]), tuple(places[1]))
        editions = tuple(own.edition_files())
        # The laws that come with Lawbook, as they are at this revision where the repository is their own.
        places[0].append(_as_of(repository, root, data_folder("laws")))
        places[1].append(_as_of(repository, root, data_folder("editions")))
        return Chosen(label, Overlaid(tuple(places[0]), tuple(places[1]), {}, shown_as), editions, only)

    def _own_folders(self, repository: Repository) -> list[Path]:
        """Where a repository has its laws: in the folders named, else at its top, else in the working folder."""
        root = repository.root.resolve()
        named = [folder.resolve() for folder in self._own]
        for folder in named:
            if not folder.is_relative_to(root):
                raise _problem(f"{folder} is not in the repository {root}")
        if not named:
            named = [root] if (root / "editions").is_dir() else [Path.cwd().resolve()]
        return [folder.relative_to(root) for folder in named]

    def _law_path(self, repository: Repository, word: str) -> str:
        """A file as an edition names it. Raises LawbookError for what is no file of the repository."""
        path = Path(word).resolve()
        root = repository.root.resolve()
        for folder in self._own_folders(repository):
            for place in (root / folder / "laws", root / folder / "editions", root / folder):
                if path.is_relative_to(place):
                    return path.relative_to(place).as_posix()
        raise _problem(f"{word} is no file of laws in the repository {root}")

    def _unknown(self, words: Sequence[str], *, in_a_repository: bool = True) -> LawbookError:
        wrong = next((word for word in words if not self._is_edition(word) and not Path(word).exists()), None)
        if wrong is not None:
            return _problem(
                f"`{wrong}` is no edition, file, folder or revision",
                help=None if in_a_repository else "revisions are only looked for where the folder lies in a repository",
                suggestion=nearest(wrong, self._library.edition_files()),
            )
        if len(words) < 2:
            return _problem(f"nothing is named that {words[0]} could be held against")
        return _problem(
            f"{listed(words[:2])} are not of one kind",
            help="two editions are compared, two files, two folders, or two revisions",
        )


def _as_of(repository: Repository, root: Path, folder: Path) -> Path:
    """A folder as it is in a revision unpacked at `root`, or as it is where it is no part of the repository."""
    top = repository.root.resolve()
    if not folder.resolve().is_relative_to(top):
        return folder
    found = root / folder.resolve().relative_to(top)
    return found if found.is_dir() else folder


def _own_editions(library: Library) -> Iterator[str]:
    shipped = data_folder("editions").resolve()
    for name, path in library.edition_files().items():
        if path.resolve().parent != shipped:
            yield name


def _edition_in(path: Path) -> str | None:
    return path.stem if Library((), (path.parent,)).edition_file(path.stem) == path else None


def _taken(library: Library, path: Path) -> tuple[str, str] | None:
    """The first edition that takes a file, and the name by which it does."""
    for identifier in library.edition_files():
        if path.resolve() in files_of(library, identifier):
            folder = next(f for f in library.laws if path.resolve().is_relative_to(f.resolve()))
            return identifier, path.resolve().relative_to(folder.resolve()).as_posix()
    return None


def _problem(message: str, *, help: str | None = None, suggestion: str | None = None) -> LawbookError:
    return LawbookError([Diagnostic("nothing-to-compare", Severity.ERROR, message, help=help, suggestion=suggestion)])
