"""The names that examples speak of: editions, acts, offences, clauses, readings. A misspelt one is told before anything
is run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from lawbook.checks.subject import Subject
from lawbook.diagnostics import Diagnostic, Severity, nearest
from lawbook.edition.declarations import entries
from lawbook.edition.model import Edition
from lawbook.edition.nodes import texts_of
from lawbook.edition.taking import Taken
from lawbook.errors import LawbookError
from lawbook.language.types import Enumeration
from lawbook.loading import signs_of
from lawbook.notation import ArgumentKind, parse_auction, parse_edition_name
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar

_CLAUSES: Final = ("because", "defeated", "refused")
_ACTS: Final = ("options", "may", "may not")
_MOST_LISTED: Final = 12


@dataclass(frozen=True, slots=True)
class Editions:
    """The editions there are, each with its readings and their choices; and for a law file by its name among the laws,
    those in which an example of it can be run: the editions that take it, and all that these are based on."""

    readings: Mapping[str, Mapping[str, tuple[str, ...]]]
    of_law: Mapping[str, frozenset[str]]


def check_editions(laws: Iterable[Taken], editions: Editions) -> Iterator[Diagnostic]:
    """What is misspelt of the editions for which examples are to hold, and examples that are never run."""
    for taken in laws:
        runs_in = editions.of_law.get(taken.law.file, frozenset())
        for key in ("examples", "deals"):
            for example in entries(taken.node, key):
                yield from _check_editions(example, editions, runs_in)


def check_names(subject: Subject) -> Iterator[Diagnostic]:
    """What is misspelt in the examples of the laws that an edition takes."""
    notation = _Notation(subject.edition)
    known = frozenset(identifier.text for taken in subject.taken for identifier in _identifiers(taken))
    for taken in subject.taken:
        for key in ("examples", "deals"):
            for example in entries(taken.node, key):
                if _concerns(example, subject.edition):
                    yield from _check_example(example, subject, known, notation)


def _identifiers(taken: Taken) -> Iterator[Scalar]:
    """The ids of all clauses of a file, under whatever reading they stand."""
    for clause in entries(taken.node, "clauses"):
        if isinstance(identifier := clause.get("id"), Scalar):
            yield identifier


def _named(example: MappingNode) -> list[Scalar]:
    """The editions that an example names."""
    expect = example.get("expect")
    if isinstance(expect, MappingNode):
        return [key for key, _ in expect.entries]
    return texts_of(example.get("editions"))


def _concerns(example: MappingNode, edition: Edition) -> bool:
    named = _named(example)
    return not named or any(scalar.text.split("@")[0] in edition.chain for scalar in named)


def _check_editions(example: MappingNode, editions: Editions, runs_in: frozenset[str]) -> Iterator[Diagnostic]:
    for scalar in _named(example):
        try:
            name, chosen = parse_edition_name(scalar.text)
        except LawbookError:
            # The schema has said so already.
            continue
        readings = editions.readings.get(name)
        if readings is None:
            yield _unknown("unknown-edition", f"there is no edition `{name}`", _part(scalar, name), editions.readings)
            continue
        if name not in runs_in:
            message = f"this example is never run: `{name}` does not take this law"
            help = f"it can be run in: {', '.join(sorted(runs_in))}"
            yield Diagnostic("example-never-run", Severity.WARNING, message, scalar.span, help=help)
        for reading, choice in chosen.items():
            if reading not in readings:
                message = f"{name} has no reading `{reading}`"
                yield _unknown("unknown-reading", message, _part(scalar, reading), readings)
            elif choice not in readings[reading]:
                message = f"the reading `{reading}` has no choice `{choice}`"
                yield _unknown("unknown-choice", message, _part(scalar, choice), readings[reading])


def _check_example(
    example: MappingNode, subject: Subject, clauses: frozenset[str], notation: _Notation
) -> Iterator[Diagnostic]:
    edition = subject.edition
    for key in ("auction", "act"):
        yield from notation.check(example.get(key))
    for says in _expectations(example, edition):
        for scalar in texts_of(says.get("offences")):
            offences = [offence.name for offence in edition.offences]
            if scalar.text not in (*offences, "none"):
                yield _unknown("unknown-offence", f"there is no offence `{scalar.text}`", scalar, offences)
        for key in _CLAUSES:
            for scalar in texts_of(says.get(key)):
                if scalar.text not in clauses and scalar.text != "none":
                    message = f"{edition.id} has no clause `{scalar.text}`"
                    yield _unknown("unknown-clause", message, scalar, clauses)
        for key in _ACTS:
            for scalar in texts_of(says.get(key)):
                act = scalar.text.partition(":")[2].partition("=")[0]
                if act and act not in edition.acts:
                    yield _unknown("unknown-act", f"there is no act `{act}`", _part(scalar, act), edition.acts)
        of = edition.interface.status.type
        status = says.get("status")
        if isinstance(of, Enumeration) and isinstance(status, Scalar):
            members = [member.replace(" ", "-") for member in edition.universe.enumerations[of.name]]
            if status.text not in members:
                message = f"an auction is never `{status.text}`"
                yield _unknown("unknown-value", message, status, members, listed=True)


def _expectations(example: MappingNode, edition: Edition) -> Iterator[MappingNode]:
    """What an example expects of this edition, or of all."""
    yield example
    expect = example.get("expect")
    for key, says in expect.entries if isinstance(expect, MappingNode) else ():
        if isinstance(says, MappingNode) and key.text.split("@")[0] in edition.chain:
            yield says


class _Notation:
    """The notation in which an edition's auctions are written, and the words that were read in it before."""

    def __init__(self, edition: Edition) -> None:
        self._acts = {name: ArgumentKind(act.argument) for name, act in edition.acts.items()}
        self._letters = frozenset(edition.letters_known.values())
        self._signs = signs_of(edition)
        self._read: set[str] = set()

    def check(self, node: Node | None) -> Iterator[Diagnostic]:
        """What cannot be read of an auction."""
        if not isinstance(node, Scalar):
            return
        words = set(node.text.split())
        # What stands beside a word has no influence on whether it can be read.
        if words <= self._read:
            return
        try:
            parse_auction(node.text, acts=self._acts, letters=self._letters, signs=self._signs, at=node.content)
        except LawbookError as error:
            for problem in error.diagnostics:
                # Where the text does not stand in the file as it is read, a column in it means nothing.
                yield problem if node.content is not None else replace(problem, span=node.span, suggestion=None)
        else:
            self._read |= words


def _part(scalar: Scalar, text: str) -> Scalar:
    """The part of a scalar that is a text, or the whole where it is written in another way than it is read."""
    at = scalar.text.rfind(text)
    if scalar.content is None or at < 0:
        return scalar
    span = scalar.content.within(at, at + len(text))
    return Scalar(text, span, span, scalar.style)


def _unknown(code: str, message: str, scalar: Scalar, choices: Iterable[str], *, listed: bool = False) -> Diagnostic:
    names = sorted(choices)
    meant = nearest(scalar.text, names)
    help = f"it can be: {', '.join(names)}" if (listed or meant is None) and len(names) <= _MOST_LISTED else None
    return Diagnostic(code, Severity.ERROR, message, scalar.span, help=help, suggestion=meant)
