"""The workbench: the open files, what is wrong with them, and the editions they are part of.

At a keystroke `quick` reads the file again in the editions that take it, as they stand and in the readings that the
changed clauses speak of. What only all readings together can tell, `thorough` finds as `lawbook check` does, a step at
a time; until it has, what it found before is shown where the lines are still as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from lawbook.checking import Task, findings_of, look_at, tasks_of
from lawbook.checks.run import Run
from lawbook.diagnostics import Diagnostic, Span
from lawbook.edition.declarations import entries
from lawbook.edition.library import home_of
from lawbook.edition.memory import Memory
from lawbook.edition.nodes import text_of, texts_of
from lawbook.errors import Collector
from lawbook.notation import format_edition_name
from lawbook.server.desk import Desk
from lawbook.server.outlook import Outlook, outlook_of
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Sequence, plain
from lawbook.source.tolerant import read_tolerantly

Findings: TypeAlias = Mapping[Path, tuple[Diagnostic, ...]]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a file was when it was last checked thoroughly, all that was found then, and how much of it a quick check
    does not find; and what it declared, since new words make all that is said with them new."""

    lines: list[str]
    found: tuple[Diagnostic, ...]
    beyond: tuple[Diagnostic, ...]
    declared: object


@dataclass(slots=True)
class Room:
    """Some folders with what is known of them: the files on the desk, and what was found so far."""

    desk: Desk
    memory: Memory = field(default_factory=Memory)
    # What was found of each edition, or of a file that none takes, when it was last checked thoroughly.
    found: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    # The files of which it was last said that something is wrong with them.
    told: set[Path] = field(default_factory=set)
    seen: dict[Path, _Seen] = field(default_factory=dict)
    # What the clauses of a file said at the last quick check.
    clauses: dict[Path, frozenset[str]] = field(default_factory=dict)

    def takers(self, path: Path) -> list[str]:
        """The editions that take a file, or are based on the edition that it is."""
        wanted = self.desk.shown(path)
        return [name for name in self.desk.edition_files() if wanted in self.desk.files(name)]

    def is_ours(self, path: Path) -> bool:
        """Whether a file is, or is meant to be, a law, an edition or a vocabulary: YAML is used for much else."""
        return self.desk.is_ours(path) or bool(self.takers(path))

    def quick(self, path: Path) -> tuple[Diagnostic, ...]:
        """What is wrong with a file that was just changed."""
        if not self.is_ours(path):
            return ()
        seen, lines = self.seen.get(path), (self.desk.text(path) or "").splitlines()
        still: set[int] = set()
        if seen is not None and len(seen.lines) == len(lines):
            still = {number for number, (old, new) in enumerate(zip(seen.lines, lines, strict=True), 1) if old == new}
        found = Collector()
        if seen is not None and seen.declared != self._declared(path):
            # With other words whole editions have to be read again, which is for the thorough check.
            self.desk.load(path, self.desk.kind(path), found)
            known = seen.found
        else:
            found.extend(self._quick(path, self._quick_tasks(path)))
            known = seen.beyond if seen is not None else ()
        found.extend(d for d in known if d.span is not None and d.span.line in still)
        return found.diagnostics

    def thorough(self, path: Path) -> Iterator[Findings]:
        """What is wrong with all files of the editions that take one, what is on the disk looked at anew.

        Each step does a part and yields nothing; the last yields the findings, of files without any too if they had
        some before.
        """
        self.desk.look_again()
        takers = self.takers(path)
        self.found.pop(self.desk.shown(path), None)
        if not takers and self.is_ours(path):
            run, task = Run(self.desk, self.memory), Task(self.desk.shown(path), path)
            look_at(run, task)
            self.found[task.name] = run.findings(lambda file: False)
        for edition in takers:
            run, done = Run(self.desk, self.memory), tasks_of(self.desk, edition)
            for task in done:
                look_at(run, task)
                yield {}
            self.found[edition] = findings_of(run, done)
            yield {}
        findings = self._all_findings()
        quick = {_said(diagnostic) for diagnostic in self._quick(path, self._default_tasks(path))}
        found = findings.get(path, ())
        beyond = tuple(diagnostic for diagnostic in found if _said(diagnostic) not in quick)
        self.seen[path] = _Seen((self.desk.text(path) or "").splitlines(), found, beyond, self._declared(path))
        yield findings

    def _quick(self, path: Path, tasks: Iterable[Task]) -> tuple[Diagnostic, ...]:
        run = Run(self.desk, self.memory)
        for task in tasks:
            if task.file is None:
                run.edition(task.name, types_only=True)
            else:
                run.file(task.file)
        shown = self.desk.shown(path)
        found = [(self._place(diagnostic, path), diagnostic) for diagnostic in run.findings(lambda file: False)]
        return tuple(diagnostic for span, diagnostic in found if span is not None and span.file == shown)

    def _default_tasks(self, path: Path) -> list[Task]:
        return [Task(name) for name in self.takers(path)] or [Task(self.desk.shown(path), path)]

    def _quick_tasks(self, path: Path) -> list[Task]:
        """The tasks that tell most about what was just written: the editions as they stand, and each choice under which
        a changed clause stands, in the first edition that offers it."""
        takers, tasks = self.takers(path), self._default_tasks(path)
        for reading, choice in (pair for clause in self._changed_clauses(path) for pair in _readings_of(clause)):
            for identifier in takers:
                manifest = self.desk.manifest(identifier)
                found = manifest.readings.get(reading) if manifest is not None else None
                if found is not None and choice in found.alternatives:
                    if choice != found.chosen:
                        tasks.append(Task(format_edition_name(identifier, {reading: choice})))
                    break
        return list(dict.fromkeys(tasks))

    def _all_findings(self) -> Findings:
        found: dict[Path, dict[object, Diagnostic]] = {path: {} for path in self.told}
        for name, diagnostics in self.found.items():
            for diagnostic in diagnostics:
                span = self._place(diagnostic, self.desk.edition_files().get(name))
                if span is not None:
                    found.setdefault(Path(span.file), {}).setdefault(_said(diagnostic), diagnostic)
        self.told = {path for path, said in found.items() if said}
        return {path: tuple(said.values()) for path, said in found.items()}

    def _place(self, diagnostic: Diagnostic, otherwise: Path | None) -> Span | None:
        """Where a problem is shown; one without a place at the top of another file."""
        if diagnostic.span is not None or otherwise is None:
            return diagnostic.span
        return Span(self.desk.shown(otherwise), 1, 1, 1, 1)

    def _declared(self, path: Path) -> object:
        """What a file declares, and from which line on: all of a vocabulary, and a part of some laws."""
        kind = self.desk.kind(path)
        node = self.desk.in_order(path, kind)
        declared: Node | None = node if kind == "vocabulary" else node.get("declares") if node is not None else None
        return None if declared is None else (repr(plain(declared)), declared.span.line)

    def _changed_clauses(self, path: Path) -> list[MappingNode]:
        """The clauses that do not say what they said when this was last asked."""
        clauses = {repr(plain(clause)): clause for clause in _clauses(self.desk.in_order(path, self.desk.kind(path)))}
        before, self.clauses[path] = self.clauses.get(path), frozenset(clauses)
        return [] if before is None else [clause for said, clause in clauses.items() if said not in before]


def _said(diagnostic: Diagnostic) -> tuple[object, ...]:
    """What makes two messages the same: a law that several editions take is one law to whoever writes it."""
    return (diagnostic.code, diagnostic.message, diagnostic.span, diagnostic.clause)


def _clauses(node: Node | None) -> list[MappingNode]:
    listed = node.get("clauses") if isinstance(node, MappingNode) else None
    return [i for i in listed.items if isinstance(i, MappingNode)] if isinstance(listed, Sequence) else []


def _readings_of(clause: MappingNode) -> Iterator[tuple[str, str]]:
    """The readings and choices under which a clause stands."""
    under = clause.get("under")
    for key, value in under.entries if isinstance(under, MappingNode) else ():
        yield from ((key.text, choice.text) for choice in texts_of(value))


class Workbench:
    """All open files, in the editor's folders or out of them.

    `folders` are the user's own, as `--laws` takes them. Every path that is asked about is a whole one.
    """

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._folders = tuple(folders)
        self._rooms: dict[tuple[Path, ...], Room] = {}

    def room(self, path: Path) -> Room:
        """Where a file is: among the folders, or else in a folder of its own that comes before them."""
        main = self._room(())
        if main.desk.holds(path):
            return main
        return self._room((home_of(path.parent),))

    def _room(self, before: tuple[Path, ...]) -> Room:
        if before not in self._rooms:
            self._rooms[before] = Room(Desk.with_folders((*before, *self._folders)))
        return self._rooms[before]

    def open(self, path: Path, text: str) -> None:
        """A file is open with that text, for the first time or changed."""
        self.room(path).desk.open(path, text)

    def close(self, path: Path) -> None:
        """A file is open no more."""
        self.room(path).desk.close(path)

    def look_again(self) -> None:
        """Files have come, gone or changed on the disk."""
        for room in self._rooms.values():
            room.desk.look_again()

    def text(self, path: Path) -> str | None:
        """The text of a file, as it is in the editor or on the disk."""
        return self.room(path).desk.text(path)

    def quick(self, path: Path) -> tuple[Diagnostic, ...]:
        """What is wrong with a file that was just changed."""
        return self.room(path).quick(path)

    def thorough(self, path: Path) -> Iterator[Findings]:
        """What is wrong with all files of the editions that take one, a step at a time; see `Room.thorough`."""
        return self.room(path).thorough(path)

    def outlook(self, path: Path) -> Outlook | None:
        """What an edition that takes a file offers; if none does, one in which it says that it stands, or else any."""
        room = self.room(path)
        takers, named = room.takers(path), list(self._named(room, path))
        # Of several editions that share a file, the one for which it was written comes first.
        first = [name for name in named if name in takers]
        names = list(dict.fromkeys([*first, *takers, *named, *room.desk.edition_files()]))
        return next((found for name in names if (found := outlook_of(room.desk, name, room.memory)) is not None), None)

    def _named(self, room: Room, path: Path) -> Iterator[str]:
        """The editions that a file names as its own, or as the one it is based on, however far it is written."""
        root = read_tolerantly((room.desk.text(path) or "").removeprefix("\ufeff"), room.desk.shown(path))
        if not isinstance(root, MappingNode):
            return
        names = [path.stem, text_of(root.get("based on"))] if root.get("edition") is not None else []
        names += [text_of(place.get("edition")) for place in entries(root, "in")]
        yield from (name for name in names if name in room.desk.edition_files())
