"""A law file as an edition takes it: where it stands there, and its clauses that stand under the readings chosen and
that no later law sets aside."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lawbook.diagnostics import Diagnostic, Span, nearest
from lawbook.edition.declarations import entries
from lawbook.edition.kinds import kind_of
from lawbook.edition.manifest import Manifest
from lawbook.edition.model import Kind, Law, Source
from lawbook.edition.nodes import text_of, texts_of
from lawbook.errors import Collector
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Scalar


@dataclass(frozen=True, slots=True)
class Taken:
    """A law with its clauses, each with its id and kind; the clause that names the denominations, if one does; and what
    is wrong with how the file stands in the edition."""

    law: Law
    node: MappingNode
    clauses: tuple[tuple[Scalar, MappingNode, Kind | None], ...]
    denominations: MappingNode | None
    problems: tuple[Diagnostic, ...]


def source_of(manifest: Manifest, node: MappingNode) -> Source | None:
    """Where a law stands in an edition or in one that it is based on; None if it does not say so."""
    found = {text_of(item.get("edition")): item for item in entries(node, "in")}
    for name in manifest.chain:
        if (item := found.get(name)) is not None:
            number = text_of(item.get("law"))
            # What an edition says of all its laws it says for those that are based on it as well.
            inherited = manifest.sources.get(name, "") if name != manifest.id else ""
            return Source(
                name,
                None if number in ("", "none") else number,
                text_of(item.get("source")) or inherited,
                text_of(item.get("evidence")) or "text",
            )
    return None


def readings_named(node: MappingNode) -> tuple[str, ...]:
    """The readings under which clauses of a law stand."""
    unders = [under for clause in entries(node, "clauses") if isinstance(under := clause.get("under"), MappingNode)]
    return tuple(dict.fromkeys(key.text for under in unders for key, _ in under.entries))


def depends_on(manifest: Manifest, named: tuple[str, ...]) -> tuple[object, ...]:
    """What of an edition tells which clauses of a law it takes that stand under these readings."""
    found: list[object] = [manifest.chain, tuple(manifest.sources.items())]
    for name in named:
        reading = manifest.readings.get(name)
        found.append(tuple(manifest.readings) if reading is None else (reading.chosen, tuple(reading.alternatives)))
    return tuple(found)


def law_of(path: str, node: MappingNode, source: Source) -> Law:
    """The law of a file, as it stands in one edition."""
    return Law(
        text_of(node.get("topic")),
        text_of(node.get("title")),
        path.split("/", 1)[0] if "/" in path else "",
        source.law,
        source,
        text_of(node.get("summary")),
        path,
        node.span,
    )


def take(manifest: Manifest, law: Law, node: MappingNode) -> Taken:
    """A law as an edition takes it, its problems in it."""
    problems = Collector()
    clauses = []
    denominations = None
    for clause in entries(node, "clauses"):
        _check_under(manifest, clause, node, problems)
        if not _applies(manifest, clause):
            continue
        identifier = clause.get("id")
        assert isinstance(identifier, Scalar)
        clauses.append((identifier, clause, kind_of(clause)))
        if denominations is None and text_of(clause.get("names the denominations")) == "yes":
            denominations = clause
    return Taken(law, node, tuple(clauses), denominations, problems.diagnostics)


def without_set_aside(
    manifest: Manifest, laws: list[Taken], problems: Collector
) -> tuple[list[Taken], dict[str, Span]]:
    """The laws without the clauses that a law of an edition further on sets aside, and where each of those is named.

    An edition sets aside clauses of those it is based on, never of its own, so there is no order of files in it. Where
    a name is misspelt, the clause that was probably meant is left out, if the law has one to hold instead of it: that
    there are two of the name would only say the same mistake again.
    """
    found, places = list(laws), {}
    for law in laws:
        if law.node.get("sets aside") is None:
            continue
        own = manifest.chain.index(manifest.taken_by[law.law.file])
        base = [other for other in laws if manifest.chain.index(manifest.taken_by[other.law.file]) > own]
        for named in texts_of(law.node.get("sets aside")):
            name = named.text
            if not any(name in _ids(other) for other in base):
                meant = nearest(name, (i for other in base for i in _ids(other)))
                problems.error(
                    "unknown-clause",
                    f"no edition that {manifest.chain[own]} is based on has a clause `{name}`",
                    named.span,
                    suggestion=meant,
                    help=None if base else f"{manifest.chain[own]} is based on no other edition",
                    law=law.law.number,
                )
                if meant is None or meant not in _ids(law):
                    continue
                name = meant
            for holder in (other for other in base if name in _ids(other)):
                at = laws.index(holder)
                found[at] = _without(found[at], name)
                places[name] = named.span
    return found, places


def _ids(law: Taken) -> list[str]:
    """The ids of all clauses of a law file, whatever readings they stand under."""
    return [text_of(clause.get("id")) for clause in entries(law.node, "clauses")]


def _without(law: Taken, identifier: str) -> Taken:
    named = law.denominations
    return replace(
        law,
        clauses=tuple(clause for clause in law.clauses if clause[0].text != identifier),
        denominations=None if named is not None and text_of(named.get("id")) == identifier else named,
    )


def _check_under(manifest: Manifest, clause: MappingNode, law: MappingNode, problems: Collector) -> None:
    own = {text_of(item.get("edition")) for item in entries(law, "in")} <= set(manifest.chain)
    under = clause.get("under")
    for key, value in under.entries if isinstance(under, MappingNode) else ():
        reading = manifest.readings.get(key.text)
        if reading is None:
            # A file that several codes share may name readings that only some of them have.
            if own:
                problems.error(
                    "unknown-reading",
                    f"{manifest.id} has no reading `{key.text}`",
                    key.span,
                    suggestion=nearest(key.text, manifest.readings),
                )
            continue
        for choice in texts_of(value):
            if choice.text not in reading.alternatives:
                problems.error(
                    "unknown-choice",
                    f"the reading `{key.text}` has no choice `{choice.text}`",
                    choice.span,
                    suggestion=nearest(choice.text, reading.alternatives),
                )


def _applies(manifest: Manifest, clause: MappingNode) -> bool:
    under = clause.get("under")
    if not isinstance(under, MappingNode):
        return True
    for key, value in under.entries:
        reading = manifest.readings.get(key.text)
        if reading is None or reading.chosen not in [s.text for s in texts_of(value)]:
            return False
    return True
