"""What nothing speaks of: definitions and words that are never used, offences that no law names, clauses without an
example.

A file may be taken by several editions, and what the one does not use the other may. So what each edition has and
what it uses are gathered, and told at the end, for files of which every edition was looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from lawbook.checks.subject import Subject
from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.edition.declarations import Declarations, entries
from lawbook.edition.machines import mentions_of, parts_of
from lawbook.edition.model import Clause, Kind
from lawbook.edition.nodes import text_of, texts_of
from lawbook.language import core, types
from lawbook.language.words import Category
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node

# What an example gives as the reason for a ruling. Other clauses show in what follows from them.
_REASONS: Final = frozenset({Kind.PROHIBITION, Kind.REMEDY, Kind.WAIVER, Kind.REFUSAL, Kind.ENTITLEMENT})
_NAMING: Final = ("because", "defeated", "refused")
_WORDS: Final = frozenset({Category.NOUN, Category.FUNCTION, Category.RELATION, Category.QUALITY, Category.VERB})

_Thing = tuple[str, Span]


@dataclass(slots=True)
class Census:
    """What has been found so far, by code and place."""

    _found: dict[_Thing, Diagnostic] = field(default_factory=dict)
    _needed: set[_Thing] = field(default_factory=set)
    # The offences that clauses name, by the declarations that number them; and the clauses that were asked, which most
    # readings of an edition share.
    _offences_named: dict[int, tuple[Declarations, set[int], dict[int, Clause]]] = field(default_factory=dict)

    def count(self, subject: Subject, spoken: frozenset[str]) -> None:
        """Add an edition under one choice of its readings. `spoken` is what the words in its expressions mean."""
        self._definitions(subject)
        self._words(subject, spoken)
        self._offences(subject)
        self._examples(subject)

    def findings(self, is_complete: Callable[[str], bool]) -> Iterator[Diagnostic]:
        """What nothing speaks of, in the files that are complete: every edition that takes them was counted."""
        for thing, diagnostic in self._found.items():
            if thing not in self._needed and is_complete(thing[1].file):
                yield diagnostic

    def _add(self, code: str, message: str, span: Span, needed: bool, help: str, clause: Clause | None = None) -> None:
        if needed:
            self._needed.add((code, span))
            return
        law, name = (None, None) if clause is None else (clause.law.number, clause.id)
        found = Diagnostic(code, Severity.WARNING, message, span, help=help, law=law, clause=name)
        self._found.setdefault((code, span), found)

    def _definitions(self, subject: Subject) -> None:
        edition = subject.edition
        used: set[str] = set()
        for clause in edition.clauses:
            used |= mentions_of(clause).definitions
        for name, definition in edition.definitions.items():
            used |= mentions_of(definition).definitions - {name}
        used |= subject.memory.recall(
            ("used by the setting", id(subject.setting)), subject.setting, lambda: _used(subject)
        )
        for name, definition in edition.definitions.items():
            clause = edition.by_id[definition.clause]
            # The table of denominations is read by what the bids are made of.
            needed = name in used or clause is edition.denominations_clause
            message, help = f"`{name}` is defined here and never used", "take the clause away, or use the word"
            self._add("unused-definition", message, clause.span, needed, help, clause)

    def _words(self, subject: Subject, spoken: frozenset[str]) -> None:
        declared = subject.setting.declarations
        words = subject.memory.recall(("words", id(declared)), declared, partial(_words_of, declared))
        for meant, phrase, span in words:
            if ("unused-word", span) not in self._needed:
                message = f"`{phrase}` is declared here, and no law speaks of it"
                help = "take the declaration away, or use the word"
                self._add("unused-word", message, span, meant in spoken, help)

    def _offences(self, subject: Subject) -> None:
        edition, declared = subject.edition, subject.setting.declarations
        vocabulary = declared.vocabulary
        _, named, asked = self._offences_named.setdefault(id(declared), (declared, set(), {}))
        for clause in edition.clauses:
            if id(clause) in asked:
                continue
            asked[id(clause)] = clause
            named |= {number for number in (clause.offence, clause.penalty_for) if number is not None}
            named |= clause.remedy.offences if clause.remedy is not None else frozenset()
            named |= subject.memory.recall(("offences", id(clause)), clause, partial(_offences_in, clause))
        for offence in edition.offences:
            word = vocabulary.find(Category.VALUE, offence.phrase)
            if word is not None and word.span is not None:
                message, help = (
                    f"no law names the offence `{offence.phrase}`",
                    "a clause with `offence:` says what it is",
                )
                self._add("unnamed-offence", message, word.span, offence.number in named, help)

    def _examples(self, subject: Subject) -> None:
        shown: frozenset[str] | None = None
        for taken in subject.taken:
            for identifier, _, _ in taken.clauses:
                clause = subject.edition.by_id[identifier.text]
                if ("missing-example", clause.span) in self._needed:
                    continue
                shown = _shown_in(subject) if shown is None else shown
                has_any = taken.node.get("examples") is not None or taken.node.get("deals") is not None
                # A prohibition that names no offence only says what becomes of a call.
                nameless = clause.kind not in _REASONS or (clause.kind is Kind.PROHIBITION and clause.offence is None)
                needed = clause.id in shown or (has_any and nameless)
                message = f"no example shows `{clause.id}`"
                help = "an example names, under `because:`, the clauses that its ruling rests on"
                self._add("missing-example", message, clause.span, needed, help, clause)


def _used(subject: Subject) -> frozenset[str]:
    """The definitions that the registers and the interface speak of."""
    setting = subject.setting
    registers = (*setting.registers.values(), *setting.facts.values(), *setting.sheet.values())
    parts = (setting.interface, setting.held_while, *(register.kept_while for register in registers))
    return frozenset().union(*(mentions_of(part).definitions for part in parts))


def _words_of(declared: Declarations) -> list[tuple[str, str, Span]]:
    """The words that could go unused: what each means, its phrase and where it is declared."""
    words = declared.vocabulary.canonical.values()
    mine = (word for word in words if word.category in _WORDS and word.meaning != "binding")
    return [(word.meant, word.phrase, word.span) for word in mine if word.span is not None]


def _offences_in(clause: Clause) -> frozenset[int]:
    """The offences that a clause's conditions and effects speak of by name."""
    found: set[int] = set()
    for part in parts_of(clause):
        if isinstance(part, core.Constant) and part.type == types.OFFENCE and part.value is not None:
            found.add(part.value)
    return frozenset(found)


def _shown_in(subject: Subject) -> frozenset[str]:
    """The clauses that any example of an edition names."""
    recall = subject.memory.recall
    files = (recall(("shown", id(taken.node)), taken.node, partial(_shown, taken.node)) for taken in subject.taken)
    return frozenset[str]().union(*files)


def _shown(law: MappingNode) -> frozenset[str]:
    """The clauses that the examples of a file name."""
    found: set[str] = set()
    for key in ("examples", "deals"):
        for example in entries(law, key):
            found |= {name for node in _expectations(example) for name in _named(node)}
    return frozenset(found)


def _expectations(example: MappingNode) -> Iterator[Node]:
    yield example
    expect = example.get("expect")
    if isinstance(expect, MappingNode):
        yield from (value for _, value in expect.entries)


def _named(node: Node) -> Iterator[str]:
    if isinstance(node, MappingNode):
        for key in _NAMING:
            yield from (text_of(scalar) for scalar in texts_of(node.get(key)))
