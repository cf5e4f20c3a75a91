"""A run of checks over editions, their readings and loose files, with what only shows when all have been looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lawbook.checks.census import Census
from lawbook.checks.changed import check_changed
from lawbook.checks.conditions import check_conditions
from lawbook.checks.names import Editions, check_editions, check_names
from lawbook.checks.places import check_places, hidden_files
from lawbook.checks.reminders import check_reminders
from lawbook.checks.rights import check_rights
from lawbook.checks.silence import Silences
from lawbook.checks.subject import Subject
from lawbook.checks.topics import Topics
from lawbook.checks.written import check_readings, check_written
from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.edition.absent import WHERE_EDITIONS_LIE
from lawbook.edition.declarations import entries
from lawbook.edition.library import Library
from lawbook.edition.manifest import Manifest, read_manifest
from lawbook.edition.memory import Memory
from lawbook.edition.model import Edition
from lawbook.edition.resolve import Resolver
from lawbook.errors import Collector, LawbookError
from lawbook.source.salvage import Torn


@dataclass(slots=True)
class Run:
    """One run: `edition` and `file` look at one thing each, `findings` tells when all of them have been."""

    library: Library
    memory: Memory = field(default_factory=Memory)
    _found: dict[tuple[object, ...], Diagnostic] = field(default_factory=dict)
    _silences: Silences = field(default_factory=Silences)
    _census: Census = field(default_factory=Census)
    _topics: Topics | None = None
    unread: set[str] = field(default_factory=set)
    """The names of the editions that were looked at and have errors, so that no check beyond types could be made."""

    def edition(self, name: str, *, types_only: bool = False) -> Edition | None:
        """Look at an edition, as it stands or in the way that its name says; or only see whether it can be read, which
        is enough at a keystroke. Gives the edition, if it has no errors."""
        resolver = Resolver(self.library, memory=self.memory)
        edition: Edition | None = None
        try:
            edition = resolver.resolve(name)
        except LawbookError as error:
            resolver.problems.extend(error.diagnostics)
        for taken in resolver.taken:
            if not isinstance(taken.node, Torn):
                self._silences.add(taken.node, self.memory)
        # What does not depend on how the edition is read is looked at once.
        as_it_stands = "@" not in name
        if as_it_stands and not types_only:
            told = check_editions(resolver.taken, self._editions())
            resolver.problems.extend(d for d in told if d.span is None or d.span.file not in resolver.torn)
        if edition is None or resolver.setting is None:
            self.unread.add(name)
            self._add(resolver.problems.diagnostics)
            return None
        self._silences_of(edition)
        if types_only:
            self._add(self._silences.keep_in(edition.chain, resolver.problems.diagnostics))
            return edition
        subject = Subject(edition, tuple(resolver.taken), resolver.setting, self.memory)
        self._census.count(subject, resolver.spoken)
        found = [*resolver.problems.diagnostics, *check_conditions(subject), *check_rights(subject)]
        if as_it_stands:
            found += [*check_names(subject), *check_places(subject), *hidden_files(self.library, edition)]
            found += self._unwritten(edition, subject)
        self._add(self._silences.keep_in(edition.chain, found))
        return edition

    def file(self, path: Path) -> None:
        """Look at a file that no edition takes."""
        span = Span(self.library.shown(path), 1, 1, 1, 1)
        if not self.library.is_ours(path):
            message = "no edition takes this file, and nothing in it is of a law or a vocabulary"
            self._add([Diagnostic("file-not-taken", Severity.WARNING, message, span, help="keep it elsewhere")])
            return
        problems = Collector()
        kind = self.library.kind(path)
        node = self.library.load(path, kind, problems)
        self._add(problems.diagnostics)
        # An edition that has mistakes may be no more than misspelt.
        if node is not None and not isinstance(node, Torn) and not (kind == "edition" and problems.has_errors):
            self._silences.add(node, self.memory)
            message, help = "no edition takes this file", "name it under `laws:` or `vocabulary:` in an edition"
            if kind == "edition":
                message, help = "this edition is not where editions are found", WHERE_EDITIONS_LIE
            self._add([Diagnostic("file-not-taken", Severity.WARNING, message, span, help=help)])

    def findings(self, is_complete: Callable[[str], bool]) -> tuple[Diagnostic, ...]:
        """Everything that was found, each thing once, by file and place.

        `is_complete` says of a file, as messages call it, whether every edition that takes it was looked at in every
        way it can be read: only then is it known that nothing speaks of a thing.
        """
        found = Collector()
        found.extend(self._silences.keep((*self._found.values(), *self._census.findings(is_complete))))
        found.extend(self._silences.findings(is_complete))
        return found.diagnostics

    @property
    def silenced(self) -> tuple[tuple[Diagnostic, str], ...]:
        """What `findings` kept back because a file silences it, each with the reason; a file that several editions take
        is told of once."""
        told = {(d.code, d.message, d.span, d.clause): (d, reason) for d, reason in self._silences.silenced.items()}
        return tuple(told.values())

    def _add(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            # A file that several editions take is told of once, under the number that its law has in the first.
            key = (diagnostic.code, diagnostic.message, diagnostic.span, diagnostic.clause)
            self._found.setdefault(key, diagnostic)

    def _silences_of(self, edition: Edition) -> None:
        """The silences of the files of an edition that are no laws."""
        laws = {law.file for law in edition.laws}
        for kind, name, path in edition.files:
            if kind == "edition" or name not in laws:
                node = self.library.load(Path(path), "edition" if kind == "edition" else "vocabulary", Collector())
                if node is not None:
                    self._silences.add(node, self.memory)

    def _unwritten(self, edition: Edition, subject: Subject) -> Iterator[Diagnostic]:
        """What is not written yet of the edition and its laws."""
        for taken in subject.taken:
            yield from check_written(taken)
            yield from check_reminders(taken)
        self._topics = self._topics or Topics(self.library)
        yield from self._topics.check(subject.taken)
        path = self.library.edition_file(edition.id)
        node = None if path is None else self.library.load(path, "edition", Collector())
        yield from check_readings(entries(node, "readings"), subject.taken)
        yield from check_changed(entries(node, "changed examples"), edition.id, subject.taken)

    def _editions(self) -> Editions:
        """The editions there are, as the names in examples need to know them."""
        manifests = list(self._manifests())
        readings = {m.id: {r.name: tuple(r.alternatives) for r in m.readings.values()} for m in manifests}
        of_law: dict[str, set[str]] = {}
        for manifest in manifests:
            for law in manifest.laws:
                of_law.setdefault(law, set()).update(manifest.chain)
        return Editions(readings, {law: frozenset(names) for law, names in of_law.items()})

    def _manifests(self) -> Iterator[Manifest]:
        for identifier in self.library.edition_files():
            try:
                manifest = read_manifest(self.library, identifier, {}, Collector())
            except LawbookError:
                manifest = None
            # One that cannot be read has its own message, and a name that can be spoken of.
            yield manifest or Manifest(identifier, chain=(identifier,))
