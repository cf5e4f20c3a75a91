"""Spelling: the canonical words of every condition, effect and trigger in some files, by their places.

Which words there are an edition says; so the editions that take a file are resolved, in each way they can be read, and
what they read in it is printed again. A text that two editions would print differently stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lawbook.checking import files_of, tasks_of
from lawbook.diagnostics import Diagnostic, Span
from lawbook.edition.library import Library
from lawbook.edition.memory import Memory
from lawbook.edition.resolve import Resolver
from lawbook.errors import LawbookError
from lawbook.language.lexemes import Scope
from lawbook.language.printing import respelled
from lawbook.language.types import Type
from lawbook.source.reader import Scalar


@dataclass(frozen=True, slots=True)
class Spelling:
    """Canonical texts by place, and by file what is wrong with texts that cannot be read as expressions."""

    words: Mapping[Span, str]
    problems: Mapping[str, tuple[Diagnostic, ...]]


def spelling_of(library: Library, paths: Iterable[Path]) -> Spelling:
    """The canonical spelling of the expressions in law and vocabulary files.

    Of a file that no edition takes, or whose editions cannot be read for another reason, nothing is said.
    """
    wanted = {path.resolve() for path in paths}
    gathering = _Gathering()
    for identifier in library.edition_files():
        if files_of(library, identifier) & wanted:
            for task in tasks_of(library, identifier):
                gathering.read(library, task.name)
    shown = {library.shown(path) for path in wanted}
    words = {span: text for span, text in gathering.words.items() if span.file in shown and text is not None}
    problems = {file: tuple(d for d in gathering.problems if d.span and d.span.file == file) for file in shown}
    return Spelling(words, problems)


class _Gathering:
    """What the editions resolved so far have read; None where they do not agree."""

    def __init__(self) -> None:
        self.words: dict[Span, str | None] = {}
        self.problems: dict[Diagnostic, None] = {}
        self._memory = Memory()
        self._heard: list[tuple[Scalar, str, Scope]] = []

    def read(self, library: Library, name: str) -> None:
        """Resolve an edition and take in what it has read that was not read before."""
        self._heard.clear()
        resolver = Resolver(library, memory=self._memory, listener=self._hear)
        try:
            resolver.resolve(name)
        except LawbookError as error:
            resolver.problems.extend(error.diagnostics)
        if resolver.setting is None:
            return
        known = resolver.setting.expressions.known
        # The hash of an edition has what it tells the outside in its author's words.
        kept = {scalar.span for scalar in resolver.setting.declarations.interface.values()}
        unread = set()
        for scalar, start, scope in self._heard:
            said = known.get((start, scalar.text, tuple(scope.items())))
            if said is None:
                unread.add((scalar.span.file, scalar.span.line))
            elif scalar.span not in kept:
                text = respelled(said[0], scalar.text)
                self.words[scalar.span] = text if self.words.get(scalar.span, text) == text else None
        for problem in resolver.problems.diagnostics:
            if problem.span is not None and (problem.span.file, problem.span.line) in unread:
                self.problems[problem] = None

    def _hear(self, scalar: Scalar, start: str, scope: Scope, _expected: Type | None) -> None:
        self._heard.append((scalar, start, scope))
