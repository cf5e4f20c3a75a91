"""What one edition has to offer to whoever writes a file of it: its words, clauses, readings and files.

A file that is half-written counts as it last was in order, so that help does not go with the first letter typed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lawbook.edition.clauses import Clauses
from lawbook.edition.library import FileKind, Library
from lawbook.edition.manifest import Manifest
from lawbook.edition.memory import Memory
from lawbook.edition.model import Clause
from lawbook.edition.resolve import Resolver
from lawbook.edition.setting import Setting
from lawbook.edition.taking import Taken
from lawbook.errors import Collector, LawbookError
from lawbook.language import core
from lawbook.server.desk import Desk
from lawbook.source.reader import Mapping as MappingNode


@dataclass(frozen=True, slots=True)
class Outlook:
    """One edition, as far as it can be resolved."""

    edition: str
    manifest: Manifest
    taken: tuple[Taken, ...]
    setting: Setting
    builder: Clauses
    definitions: Mapping[str, core.Definition]
    clauses: tuple[Clause, ...]

    def clause(self, identifier: str) -> Clause | None:
        """The clause of that name, if the edition has one."""
        return next((clause for clause in self.clauses if clause.id == identifier), None)


@dataclass(frozen=True, slots=True)
class _InOrder(Library):
    """A desk on which every file is as it last was in order; what never was is not there."""

    desk: Desk

    def edition_files(self) -> dict[str, Path]:
        return self.desk.edition_files()

    def edition_file(self, identifier: str) -> Path | None:
        return self.desk.edition_file(identifier)

    def law(self, path: str) -> Path | None:
        return self.desk.law(path)

    def shown(self, path: Path) -> str:
        return self.desk.shown(path)

    def load(self, path: Path, kind: FileKind, problems: Collector) -> MappingNode | None:
        node = self.desk.in_order(path, kind)
        # Without a law an edition is still one; without its own file it is none, and that file says why.
        return self.desk.load(path, kind, problems) if node is None and kind == "edition" else node


def outlook_of(desk: Desk, edition: str, memory: Memory) -> Outlook | None:
    """What an edition offers by its default readings; None if not even its words can be read."""
    resolver = Resolver(_InOrder(desk.laws, desk.editions, desk), memory=memory)
    with contextlib.suppress(LawbookError):
        resolver.resolve(edition)
    if resolver.manifest is None or resolver.setting is None or resolver.builder is None:
        return None
    return Outlook(
        edition,
        resolver.manifest,
        tuple(resolver.taken),
        resolver.setting,
        resolver.builder,
        resolver.definitions,
        tuple(resolver.clauses),
    )
