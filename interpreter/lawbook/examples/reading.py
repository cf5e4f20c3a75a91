"""Examples read out of law files: what each says, of which editions, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from lawbook.diagnostics import Span
from lawbook.edition.declarations import entries
from lawbook.edition.library import Library
from lawbook.edition.manifest import Manifest, read_manifest
from lawbook.edition.model import Edition
from lawbook.edition.nodes import text_of, texts_of
from lawbook.errors import Collector
from lawbook.loading import load
from lawbook.notation import format_edition_name, parse_edition_name
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar, Sequence, plain

# What an example can say of an auction, and of a deal or a rubber.
KEYS: Final = frozenset(
    {"verdict", "offences", "because", "unpenalised", "defeated", "options", "may", "may not", "status", "turn"}
    | {"contract", "debarred", "points", "lawful", "not lawful", "only lawful"}
)
SCORED_KEYS: Final = frozenset(
    {"refused", "because", "trick points", "honour points", "rubber points", "games", "below", "totals"}
)


@dataclass(frozen=True, slots=True)
class Example:
    """One example: a sentence, an auction, and what must be true after it, as texts by key.

    `editions` are the names it is run under, `of` the edition whose law file it stands in, `file` that file as an
    edition names it. `places` are where its keys' values stand. Where the edition takes other readings than the example
    speaks of, the first of `editions` is the edition's own name, and the example need not hold under it: if it does
    not, it must hold under those in `instead`, which read as the example does.
    """

    that: str
    editions: tuple[str, ...]
    of: str
    dealer: str
    auction: str
    act: str
    expected: Mapping[str, tuple[str, ...]]
    file: str
    span: Span
    places: Mapping[str, Span]
    instead: tuple[str, ...] = ()

    @property
    def notation(self) -> str:
        """The whole auction, the last act included."""
        return f"{self.auction} {self.act}".strip()


@dataclass(frozen=True, slots=True)
class ScoredExample:
    """One scored example: a sentence, the deals (one, or those of a rubber), and what must be true after them."""

    that: str
    editions: tuple[str, ...]
    of: str
    deals: tuple[Mapping[str, object], ...]
    expected: Mapping[str, tuple[str, ...]]
    file: str
    span: Span
    places: Mapping[str, Span]
    instead: tuple[str, ...] = ()


Shown: TypeAlias = Example | ScoredExample
"""An example of either kind."""


@dataclass(frozen=True, slots=True)
class LawFile:
    """A law file as an edition takes it: its name among the laws, the edition it is of, and what stands in it."""

    path: str
    of: str
    node: MappingNode


def law_files(library: Library, edition: Edition) -> Iterator[LawFile]:
    """The law files of an edition in its order. Raises LawbookError where one cannot be read."""
    problems = Collector()
    for law in edition.laws:
        path = library.law(law.file)
        node = None if path is None else library.load(path, "law", problems)
        if node is not None:
            yield LawFile(law.file, law.source.edition, node)
    problems.raise_if_errors()


def examples_of(library: Library, edition: Edition) -> Iterator[Example]:
    """The examples of the laws an edition takes that speak of it (or of a reading of it that they name)."""
    names = _Names(library, edition)
    for file in law_files(library, edition):
        for item in entries(file.node, "examples"):
            yield from _examples(item, file, names)


def scored_of(library: Library, edition: Edition) -> Iterator[ScoredExample]:
    """The scored examples of the laws an edition takes that speak of it."""
    names = _Names(library, edition)
    for file in law_files(library, edition):
        for item in entries(file.node, "deals"):
            editions, instead = names.of(tuple(s.text for s in texts_of(item.get("editions"))), file.of)
            if editions:
                single, several = item.get("deal"), item.get("rubber")
                nodes = several.items if isinstance(several, Sequence) else (single,)
                deals = tuple(cast(Mapping[str, object], plain(n)) for n in nodes if n is not None)
                expected, places = _expected(item, SCORED_KEYS), _places(item)
                that = text_of(item.get("that"))
                yield ScoredExample(that, editions, file.of, deals, expected, file.path, item.span, places, instead)


def shown_by(library: Library, edition: Edition) -> tuple[Shown, ...]:
    """Every example of an edition, of either kind."""
    return (*examples_of(library, edition), *scored_of(library, edition))


def left_out(library: Library, edition: Edition) -> int:
    """How many examples of an edition under chosen readings are not run: those that name other readings of it."""
    names = _Names(library, edition)
    if names.is_as_it_stands:
        return 0
    run, every = (
        {(example.file, example.span.line) for example in shown_by(library, one)}
        for one in (edition, load(edition.id, library))
    )
    return len(every - run)


def name_of(library: Library, edition: Edition) -> str:
    """The name of an edition, with the readings that are chosen otherwise than its own file does."""
    return _Names(library, edition).name


def _examples(node: MappingNode, file: LawFile, names: _Names) -> Iterator[Example]:
    expect = node.get("expect")
    cases: list[tuple[tuple[str, ...], MappingNode]] = []
    if isinstance(expect, MappingNode):
        cases = [((key.text,), value) for key, value in expect.entries if isinstance(value, MappingNode)]
        # What is said of an edition itself comes before what is said of one it is based on.
        cases.sort(key=lambda case: names.distance(case[0][0]))
    else:
        cases = [(tuple(s.text for s in texts_of(node.get("editions"))), node)]
    told: set[str] = set()
    for named, says in cases:
        found, instead = names.of(named, file.of)
        if instead and found[0] in told:
            found, instead = (*instead, *found[1:]), ()
        editions = tuple(name for name in found if name not in told)
        told.update(editions)
        if editions:
            yield Example(
                text_of(node.get("that")),
                editions,
                file.of,
                text_of(node.get("dealer")) or "N",
                text_of(node.get("auction")),
                text_of(node.get("act")),
                _expected(says, KEYS),
                file.path,
                node.span,
                _places(says) if says is node else {**_places(node), **_places(says)},
                instead,
            )


def _expected(node: MappingNode, keys: frozenset[str]) -> dict[str, tuple[str, ...]]:
    return {key.text: _texts(value) for key, value in node.entries if key.text in keys}


def _places(node: MappingNode) -> dict[str, Span]:
    return {key.text: value.span for key, value in node.entries}


def _texts(node: Node) -> tuple[str, ...]:
    match node:
        case Scalar():
            return (" ".join(node.text.split()),)
        case Sequence():
            return tuple(s.text for s in texts_of(node))
        case MappingNode():
            return tuple(f"{key.text}={text_of(value)}" for key, value in node.entries)


class _Names:
    """The names under which an edition runs examples that other editions may have written. `name` is its own, with the
    readings that are chosen otherwise than its file does."""

    def __init__(self, library: Library, edition: Edition) -> None:
        self._library = library
        self._edition = edition
        self._manifests: dict[str, Manifest | None] = {}
        own = self._readings(edition.id)
        self._chosen = {reading.name: reading.chosen for reading in edition.readings}
        chosen = {name: choice for name, choice in self._chosen.items() if choice != own.get(name, ("", ()))[0]}
        self.is_as_it_stands = not chosen
        self.name = format_edition_name(edition.id, chosen)

    def of(self, named: tuple[str, ...], of: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names, among those an example gives, by which the edition is meant (its own where it gives none), and
        those under which the example must hold if it does not under the first of them.

        An edition based on another rules as that one does unless it says otherwise. An example of the base speaks of
        the base's readings; where the edition takes others, it may hold all the same, and is run under the edition's
        own first. An edition under one choice of readings runs the examples that name none but these.
        """
        found: dict[str, bool] = {}
        for name in named or (of if of in self._edition.chain else self._edition.id,):
            identifier, readings = parse_edition_name(name)
            if identifier in self._edition.chain and (meant := self._under(identifier, readings)) is not None:
                found[meant] = all(self._chosen.get(reading) == choice for reading, choice in readings.items())
        agreeing = tuple(name for name, agrees in found.items() if agrees)
        others = tuple(name for name, agrees in found.items() if not agrees) if self.is_as_it_stands else ()
        if self.name in found:
            return (tuple(found) if self.is_as_it_stands else (self.name,)), ()
        return ((self.name, *others), agreeing) if agreeing else (others, ())

    def distance(self, name: str) -> int:
        """How far an edition's name is from this edition, along what it is based on."""
        identifier, _ = parse_edition_name(name)
        chain = self._edition.chain
        return chain.index(identifier) if identifier in chain else len(chain)

    def _under(self, identifier: str, readings: Mapping[str, str]) -> str | None:
        """The name under which the edition reads as another with these readings does; None where it cannot."""
        if identifier == self._edition.id:
            return format_edition_name(identifier, readings)
        own, base = self._readings(self._edition.id), self._readings(identifier)
        if any(choice not in own.get(name, ("", ()))[1] for name, choice in readings.items()):
            return None
        meant = {name: readings.get(name, choice) for name, (choice, _) in base.items() if name in own}
        return format_edition_name(
            self._edition.id, {n: choice for n, choice in meant.items() if choice in own[n][1] and choice != own[n][0]}
        )

    def _readings(self, identifier: str) -> dict[str, tuple[str, tuple[str, ...]]]:
        """The readings of an edition as it stands: what is chosen, and what there is to choose from."""
        if identifier not in self._manifests:
            self._manifests[identifier] = read_manifest(self._library, identifier, {}, Collector())
        manifest = self._manifests[identifier]
        if manifest is None:
            return {}
        return {name: (reading.chosen, tuple(reading.alternatives)) for name, reading in manifest.readings.items()}
