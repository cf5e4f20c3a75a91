"""Examples: what a law file says should happen, and whether it does.

An example stands beside the clauses it shows. It is written by hand from the law's words, never recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from lawbook.auction import Auction, Happening, load
from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.edition.declarations import entries
from lawbook.edition.library import Library
from lawbook.edition.manifest import read_manifest
from lawbook.edition.model import Edition
from lawbook.edition.nodes import text_of, texts_of
from lawbook.errors import Collector, LawbookError
from lawbook.scoring import NotScored, Rubber, enter
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Scalar, Sequence, plain
from lawbook.values import Side


@dataclass(frozen=True, slots=True)
class Example:
    """One example: a sentence, an auction, and what must be true after it, as texts by key."""

    that: str
    editions: tuple[str, ...]
    dealer: str
    auction: str
    act: str
    expected: Mapping[str, tuple[str, ...]]
    file: str
    span: Span
    auction_span: Span | None
    places: Mapping[str, Span]

    @property
    def notation(self) -> str:
        """The whole auction, the last act included."""
        return f"{self.auction} {self.act}".strip()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that is not as an example says."""

    key: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """An example run under one edition: what differs (nothing, if it passes), and the clauses that fired."""

    example: Example | ScoredExample
    edition: str
    mismatches: tuple[Mismatch, ...]
    auction: Auction | None
    error: LawbookError | None = None

    @property
    def passed(self) -> bool:
        """Whether everything is as the example says."""
        return not self.mismatches and self.error is None


def examples_of(library: Library, edition: Edition) -> Iterator[Example]:
    """The examples of the laws an edition takes that hold under it (or under a reading of it that they name)."""
    for path, node in _law_nodes(library, edition):
        for item in entries(node, "examples"):
            yield from _of_node(item, path, edition)


def _law_nodes(library: Library, edition: Edition) -> Iterator[tuple[str, MappingNode]]:
    problems = Collector()
    manifest = read_manifest(library, edition.id, {}, problems)
    for path in manifest.laws if manifest is not None else ():
        file = library.law(path)
        node = None if file is None else library.load(file, "law", problems)
        if node is not None:
            yield path, node
    problems.raise_if_errors()


def _of_node(node: MappingNode, path: str, edition: Edition) -> Iterator[Example]:
    named = tuple(s.text for s in texts_of(node.get("editions")))
    expect = node.get("expect")
    cases: list[tuple[tuple[str, ...], MappingNode]] = []
    if isinstance(expect, MappingNode):
        cases = [((k.text,), v) for k, v in expect.entries if isinstance(v, MappingNode)]
    else:
        cases = [(named or (edition.id,), node)]
    auction = node.get("auction")
    for editions, says in cases:
        mine = _mine(editions, edition)
        if not mine:
            continue
        expected = {key.text: _texts(value) for key, value in says.entries if key.text in _CHECKED}
        places = {key.text: value.span for key, value in says.entries}
        span = None
        if isinstance(auction, Scalar) and auction.text.strip():
            span = auction.content or auction.span
        yield Example(
            text_of(node.get("that")),
            mine,
            text_of(node.get("dealer")) or "N",
            text_of(auction),
            text_of(node.get("act")),
            expected,
            path,
            node.span,
            span,
            places,
        )


def _mine(editions: tuple[str, ...], edition: Edition) -> tuple[str, ...]:
    """The names among these by which an edition is meant.

    An edition based on another rules as that one does unless it says otherwise; its own examples say so.
    """
    meant = (name for name in editions if name.split("@")[0] in edition.chain)
    return tuple(name if name.split("@")[0] == edition.id else _under(name, edition.id) for name in meant)


def _under(name: str, edition: str) -> str:
    _, at, readings = name.partition("@")
    return f"{edition}{at}{readings}"


def _texts(node: object) -> tuple[str, ...]:
    if isinstance(node, Scalar):
        return (" ".join(node.text.split()),)
    if isinstance(node, Sequence):
        return tuple(s.text for s in texts_of(node))
    if isinstance(node, MappingNode):
        return tuple(f"{key.text}={text_of(value)}" for key, value in node.entries)
    return ()


def run(example: Example, library: Library | None = None) -> Iterator[Outcome]:
    """Run an example under each edition it is for."""
    for name in example.editions:
        yield run_under(example, name, load(name, library))


def run_under(example: Example, name: str, edition: Edition) -> Outcome:
    """Run an example under one edition, known by that name."""
    try:
        auction = Auction(edition, example.dealer)
        auction.play(example.notation, at=None)
    except LawbookError as error:
        return Outcome(example, name, (), None, error)
    return Outcome(example, name, tuple(_compare(example, auction)), auction)


def _last(auction: Auction) -> Happening | None:
    return next((h for h in reversed(auction.happenings) if not h.of_itself), None)


def _shown(found: tuple[str, ...]) -> str:
    return ", ".join(found) if found else "none"


def _compare(example: Example, auction: Auction) -> Iterator[Mismatch]:
    last = _last(auction)
    for key, expected in example.expected.items():
        found = _CHECKED[key](auction, last)
        if key == "because":
            found = _without_added(found, expected, example.file, auction.edition)
        if key in _PARTIAL:
            missing = tuple(e for e in expected if (e in found) == (key in ("not lawful", "may not")))
            if missing:
                yield Mismatch(key, _shown(missing), _shown(found))
        elif sorted(found) != sorted(expected) and not (expected == ("none",) and not found):
            yield Mismatch(key, _shown(expected), _shown(found))


def _without_added(found: tuple[str, ...], expected: tuple[str, ...], file: str, edition: Edition) -> tuple[str, ...]:
    """The reasons for a ruling as an example in a law file can know them.

    An example that an edition inherits knows nothing of the clauses which that edition adds to its base. Where some of
    those are among the reasons, one of the base's may have given way to them; the others must be as expected.
    """
    places = {law.file: law.source.edition for law in edition.laws}
    older = edition.chain[edition.chain.index(places.get(file, edition.id)) :]
    known = tuple(name for name in found if edition.by_id[name].law.source.edition in older)
    return expected if known != found and set(known) <= set(expected) else known


def _offences(auction: Auction, last: Happening | None) -> tuple[str, ...]:
    return () if last is None else tuple(auction.edition.offences[o].name for o in last.ruling.offences)


def _options(auction: Auction, _last: Happening | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(o) for o in auction.options))


def _lawful(auction: Auction, _last: Happening | None) -> tuple[str, ...]:
    return tuple(str(c) for c in auction.legal_calls)


_CHECKED = {
    "verdict": lambda _a, last: () if last is None else (last.verdict.value,),
    "offences": _offences,
    "because": lambda _a, last: () if last is None else tuple(c.id for c in last.because),
    "unpenalised": lambda _a, last: ("yes" if last is not None and last.ruling.unpenalised else "no",),
    "defeated": lambda _a, last: () if last is None else tuple(d.clause.id for d in last.defeated),
    "options": _options,
    "may": _options,
    "may not": _options,
    "status": lambda a, _l: (a.status,),
    "turn": lambda a, _l: () if a.turn is None else (str(a.turn),),
    "contract": lambda a, _l: () if a.contract is None else (str(a.contract),),
    "debarred": lambda a, _l: tuple(str(s) for s in a.debarred),
    "points": lambda a, _l: tuple(f"{side}={a.points[side]}" for side in Side),
    "lawful": _lawful,
    "not lawful": _lawful,
    "only lawful": _lawful,
}
_PARTIAL = frozenset({"may", "may not", "lawful", "not lawful"})


@dataclass(frozen=True, slots=True)
class ScoredExample:
    """One scored example: a sentence, the deals (one, or those of a rubber), and what must be true after them."""

    that: str
    editions: tuple[str, ...]
    deals: tuple[Mapping[str, object], ...]
    expected: Mapping[str, tuple[str, ...]]
    file: str
    span: Span
    places: Mapping[str, Span]


def scored_of(library: Library, edition: Edition) -> Iterator[ScoredExample]:
    """The scored examples of the laws an edition takes that hold under it."""
    for path, node in _law_nodes(library, edition):
        for item in entries(node, "deals"):
            editions = _mine(tuple(s.text for s in texts_of(item.get("editions"))) or (edition.id,), edition)
            if editions:
                single, several = item.get("deal"), item.get("rubber")
                nodes = several.items if isinstance(several, Sequence) else (single,)
                deals = tuple(cast(Mapping[str, object], plain(n)) for n in nodes if n is not None)
                expected = {key.text: _texts(value) for key, value in item.entries if key.text in _SCORED}
                places = {key.text: value.span for key, value in item.entries}
                yield ScoredExample(text_of(item.get("that")), editions, deals, expected, path, item.span, places)


def run_scored(example: ScoredExample, library: Library | None = None) -> Iterator[Outcome]:
    """Enter a scored example's deals under each edition it is for."""
    for name in example.editions:
        yield run_scored_under(example, name, load(name, library))


def run_scored_under(example: ScoredExample, name: str, edition: Edition) -> Outcome:
    """Enter a scored example's deals under one edition, known by that name."""
    refused: tuple[str, ...] = ()
    rubber = Rubber(edition)
    try:
        for given in example.deals:
            enter(rubber, given)
    except NotScored as error:
        refused = tuple(clause.id for clause in error.clauses)
    except LawbookError as error:
        return Outcome(example, name, (), None, error)
    found = {
        "refused": refused,
        "because": () if not rubber.deals else rubber.deals[-1].score.because,
        "trick points": _by_side(rubber.column("tricks")),
        "honour points": _by_side(rubber.column("honours")),
        "rubber points": _by_side(rubber.column("rubber")),
        "games": _by_side(rubber.games),
        "below": _by_side(rubber.below),
        "totals": _by_side(rubber.totals),
    }
    expected = {"refused": (), **example.expected}
    if "because" in expected:
        found["because"] = _without_added(found["because"], expected["because"], example.file, edition)
    differ = [k for k, texts in expected.items() if sorted(texts) != sorted(found[k])]
    return Outcome(example, name, tuple(Mismatch(k, _shown(expected[k]), _shown(found[k])) for k in differ), None)


def _by_side(points: Mapping[Side, int]) -> tuple[str, ...]:
    return tuple(f"{side}={points[side]}" for side in Side)


_SCORED = frozenset(
    {"refused", "because", "trick points", "honour points", "rubber points", "games", "below", "totals"}
)


def as_diagnostic(outcome: Outcome) -> Diagnostic:
    """A failing example as a diagnostic at its place."""
    example = outcome.example
    if outcome.error is not None:
        message = f"{outcome.edition}: the example cannot be run: {outcome.error}"
    else:
        parts = [f"{m.key} should be {m.expected}, but is {m.found}" for m in outcome.mismatches]
        message = f"{outcome.edition}: it does not hold that {example.that}: {'; '.join(parts)}"
    key = outcome.mismatches[0].key if outcome.mismatches else "that"
    return Diagnostic("example-failed", Severity.ERROR, message, example.places.get(key, example.span))
