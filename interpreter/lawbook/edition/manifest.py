"""Manifests: an edition's file and those it is based on, folded into what the edition takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from lawbook.diagnostics import Diagnostic, Label, Span, nearest
from lawbook.edition.absent import no_edition
from lawbook.edition.library import Library
from lawbook.edition.model import Reading
from lawbook.edition.nodes import text_of, texts_of
from lawbook.errors import Collector
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar, Sequence
from lawbook.source.salvage import Torn
from lawbook.source.wording import listed

# What is wrong with keys that are misspelt or missing; all that was written counts.
_NOTHING_LOST: Final = frozenset({"unknown-key", "missing-key"})


@dataclass(slots=True)
class Manifest:
    """What an edition takes: files by path, with the scalar that named each, and its readings.

    What it is called, who issued it, when, and where it is printed is its own; the base says it of itself. `sources`
    are where each edition of the chain is printed.
    """

    id: str
    title: str = ""
    body: str = ""
    date: str = ""
    source: str = ""
    chain: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)
    vocabulary: dict[str, Scalar] = field(default_factory=dict)
    laws: dict[str, Scalar] = field(default_factory=dict)
    # Which edition of the chain takes each of them.
    taken_by: dict[str, str] = field(default_factory=dict)
    readings: dict[str, Reading] = field(default_factory=dict)
    # Which edition of the chain declares each of them, and where.
    declared: dict[str, tuple[str, Span | None]] = field(default_factory=dict)
    not_at_hand: tuple[str, ...] = ()
    # What is wrong with the files, of which enough is left to look at the laws; which of them cannot be read; and
    # whether anything was left out of them.
    faults: tuple[Diagnostic, ...] = ()
    torn: frozenset[str] = frozenset()
    lacks_parts: bool = False


def read_manifest(library: Library, identifier: str, chosen: Mapping[str, str], problems: Collector) -> Manifest | None:
    """The manifest of an edition with those it is based on folded in and the readings chosen.

    Problems are collected, and the manifest is as near to what was meant as can be told; None is returned where nothing
    more can be said.
    """
    nodes: list[tuple[str, MappingNode]] = []
    faults, torn = Collector(), set[str]()
    wanted: str | None = identifier
    named: Scalar | None = None
    while wanted is not None:
        if wanted in [name for name, _ in nodes]:
            circle = " -> ".join([name for name, _ in nodes] + [wanted])
            problems.error(
                "circular-edition", f"these editions are based on each other: {circle}", named.span if named else None
            )
            return None
        path = library.edition_file(wanted)
        if path is None:
            if named is None:
                library.edition(wanted)
            else:
                problems.add(no_edition(library, wanted, named.span))
            return None
        shape = Collector()
        node = library.load(path, "edition", shape)
        problems.extend(shape.diagnostics)
        if node is None:
            return None
        faults.extend(shape.diagnostics)
        torn |= {library.shown(path)} if isinstance(node, Torn) else set()
        says = node.get("edition")
        if says is not None and text_of(says) != wanted:
            problems.error(
                "wrong-name",
                f"this file is read as the edition `{wanted}`, but calls itself `{text_of(says)}`",
                says.span,
                help=f"name the file {text_of(says)}.yaml, or write `edition: {wanted}`",
            )
        nodes.append((wanted, node))
        base = node.get("based on")
        named = base if isinstance(base, Scalar) else None
        wanted = named.text if named is not None else None
    own = nodes[0][1]
    manifest = Manifest(
        identifier,
        text_of(own.get("title")) or (f"based on {nodes[1][0]}" if len(nodes) > 1 else identifier),
        text_of(own.get("body")),
        text_of(own.get("date")),
        text_of(own.get("source")),
        tuple(name for name, _ in nodes),
        {name: text_of(node.get("source")) for name, node in nodes},
    )
    manifest.faults, manifest.torn = faults.diagnostics, frozenset(torn)
    manifest.lacks_parts = any(fault.code not in _NOTHING_LOST for fault in manifest.faults)
    for name, node in reversed(nodes):
        _fold(manifest, name, node, problems)
        for law in manifest.laws:
            manifest.taken_by.setdefault(law, name)
    _choose(manifest, chosen, None, problems)
    return manifest


def _entries(node: Node | None) -> list[MappingNode]:
    return [i for i in node.items if isinstance(i, MappingNode)] if isinstance(node, Sequence) else []


def _fold(manifest: Manifest, edition: str, node: MappingNode, problems: Collector) -> None:
    """Lay the manifest of an edition over those it is based on."""
    for path in texts_of(node.get("vocabulary")):
        manifest.vocabulary[path.text] = path
    for path in texts_of(node.get("laws")):
        if path.text in manifest.laws:
            problems.error("law-taken-twice", f"the edition already takes {path.text}", path.span)
        manifest.laws[path.text] = path
    amends = node.get("amends")
    for old, new in amends.entries if isinstance(amends, MappingNode) else ():
        if isinstance(new, Scalar) and _drop(manifest, old, problems):
            manifest.laws[new.text] = new
    for path in texts_of(node.get("repeals")):
        _drop(manifest, path, problems)
    declared: dict[str, Span] = {}
    for item in _entries(node.get("readings")):
        _check_declared_once(declared, item, problems)
        _declare(manifest, edition, item, problems)
    takes = node.get("takes")
    if isinstance(takes, MappingNode):
        _choose(manifest, {k.text: text_of(v) for k, v in takes.entries}, takes, problems)
    if (absent := texts_of(node.get("not at hand"))) != []:
        manifest.not_at_hand = tuple(" ".join(s.text.split()) for s in absent)


def _drop(manifest: Manifest, path: Scalar, problems: Collector) -> bool:
    """Whether a law is dropped that the base takes; of a name that is misspelt, the one that was probably meant."""
    meant: str | None = path.text
    if path.text not in manifest.laws:
        meant = nearest(path.text, manifest.laws)
        message = f"the edition this one is based on does not take {path.text}"
        problems.error("law-not-taken", message, path.span, suggestion=meant)
    if meant is None:
        return False
    del manifest.laws[meant]
    manifest.taken_by.pop(meant, None)
    return True


def _check_declared_once(declared: dict[str, Span], item: MappingNode, problems: Collector) -> None:
    """That a file has not declared a reading before; `declared` are those it has, each with its place."""
    named = item.get("name")
    if isinstance(named, Scalar):
        first = declared.setdefault(named.text, named.span)
        if first is not named.span:
            message = f"the reading `{named.text}` is declared twice"
            problems.error("duplicate-reading", message, named.span, labels=(Label(first, "first declared here"),))


def _declare(manifest: Manifest, edition: str, item: MappingNode, problems: Collector) -> None:
    name, default = text_of(item.get("name")), text_of(item.get("default"))
    alternatives = item.get("choices")
    meanings = {k.text: text_of(v) for k, v in alternatives.entries} if isinstance(alternatives, MappingNode) else {}
    if default not in meanings:
        where, meant = item.get("default"), nearest(default, meanings)
        problems.error(
            "unknown-choice",
            f"the default `{default}` of the reading `{name}` is not among its choices",
            None if where is None else where.span,
            suggestion=meant,
        )
        default = meant or next(iter(meanings), "")
    named = item.get("name")
    if _takes_name_of_base(manifest, edition, named, meanings, problems):
        return
    manifest.declared[name] = edition, None if named is None else named.span
    manifest.readings[name] = Reading(
        name, text_of(item.get("question")), default, default, text_of(item.get("reason")), meanings
    )


def _takes_name_of_base(
    manifest: Manifest, edition: str, named: Node | None, meanings: dict[str, str], problems: Collector
) -> bool:
    """Whether a reading has the name of one of the base and lacks some of its choices, for which laws of the base ask.

    The reading of the base then stands, so that nothing need be said of its laws.
    """
    if not isinstance(named, Scalar) or named.text not in manifest.declared:
        return False
    owner, first = manifest.declared[named.text]
    lacking = [choice for choice in manifest.readings[named.text].alternatives if choice not in meanings]
    if not lacking or owner == edition:
        return False
    problems.error(
        "duplicate-reading",
        f"the name `{named.text}` is taken by a reading of {owner} with choices that this one lacks: {listed(lacking)}",
        named.span,
        labels=() if first is None else (Label(first, f"{owner} declares it here"),),
        help=f"for a reading of your own, choose another name; to read {owner} otherwise, write "
        f"`takes: {{{named.text}: ...}}`; to add a choice, keep those that there are",
    )
    return True


def _choose(manifest: Manifest, chosen: Mapping[str, str], node: MappingNode | None, problems: Collector) -> None:
    for name, choice in chosen.items():
        entry = next((e for e in node.entries if e[0].text == name), None) if node is not None else None
        named_at, chosen_at = (None, None) if entry is None else (entry[0].span, entry[1].span)
        reading = manifest.readings.get(name)
        if reading is None:
            problems.error(
                "unknown-reading",
                f"{manifest.id} has no reading `{name}`",
                named_at,
                suggestion=nearest(name, manifest.readings),
                help=f"its readings are: {', '.join(manifest.readings)}" if manifest.readings else None,
            )
        elif choice not in reading.alternatives:
            problems.error(
                "unknown-choice",
                f"the reading `{name}` has no choice `{choice}`",
                chosen_at,
                suggestion=nearest(choice, reading.alternatives),
                help=f"its choices are: {', '.join(reading.alternatives)}",
            )
        else:
            manifest.readings[name] = Reading(
                name, reading.question, choice, reading.default, reading.reason, reading.alternatives
            )
