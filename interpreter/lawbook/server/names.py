"""Names at a place in a file: which may stand there, what each is, and where it is declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lawbook.diagnostics import Span
from lawbook.edition.declarations import Declarations, entries, slug
from lawbook.edition.kinds import kind_of
from lawbook.edition.library import FileKind
from lawbook.edition.model import EVERY_PROHIBITION, EVERY_REMEDY, ActWord, Kind
from lawbook.edition.nodes import text_of
from lawbook.language.primitives import PRIMITIVES
from lawbook.language.types import PLAIN, Enumeration, SetOf
from lawbook.language.words import Category, Word
from lawbook.sentences import law_name
from lawbook.server.cursor import Spot, node_at
from lawbook.server.desk import Desk
from lawbook.server.outlook import Outlook
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node, Scalar
from lawbook.values import Seat


@dataclass(frozen=True, slots=True)
class Name:
    """One name: what it is in a word or two, what is said of it, and where it is declared, if that is in a file."""

    text: str
    what: str
    about: str = ""
    span: Span | None = None


_ANY: Final = "*"
# What may stand at a place: the steps to it, `*` for any one, and for a key as if it were the value of `key`. An item
# of a list stands for the list, since nearly everywhere one name may stand for a list of one.
_PLACES: Final[tuple[tuple[FileKind, tuple[str, ...], str], ...]] = (
    ("law", ("topic",), "topics"),
    ("law", ("in", "edition"), "editions"),
    ("law", ("clauses", "offence"), "offences"),
    ("law", ("clauses", "penalty for"), "offences"),
    ("law", ("clauses", "remedy for"), "offences"),
    ("law", ("clauses", "choices", "key"), "choices"),
    ("law", ("clauses", "choice in"), "remedies"),
    ("law", ("clauses", "lapse of"), "remedies"),
    ("law", ("clauses", "exception to"), "excepted"),
    ("law", ("clauses", "except"), "clauses"),
    ("law", ("clauses", "outlasts"), "lapses"),
    ("law", ("clauses", "status"), "sets"),
    ("law", ("clauses", "is the first"), "types"),
    ("law", ("clauses", "under", "key"), "readings"),
    ("law", ("clauses", "under", _ANY), "choices of the reading"),
    ("law", ("clauses", "holder"), "roles"),
    ("law", ("clauses", "rows", "key"), "values"),
    ("law", ("examples", "because"), "clauses"),
    ("law", ("examples", "defeated"), "clauses"),
    ("law", ("examples", "offences"), "offence names"),
    ("law", ("examples", "status"), "statuses"),
    ("law", ("examples", "act"), "acts"),
    ("law", ("examples", "may"), "acts"),
    ("law", ("examples", "may not"), "acts"),
    ("law", ("examples", "options"), "options"),
    ("law", ("examples", "editions"), "editions"),
    ("law", ("examples", "expect", "key"), "editions"),
    ("law", ("examples", "expect", _ANY, "because"), "clauses"),
    ("law", ("examples", "expect", _ANY, "defeated"), "clauses"),
    ("law", ("examples", "expect", _ANY, "offences"), "offence names"),
    ("law", ("examples", "expect", _ANY, "status"), "statuses"),
    ("law", ("examples", "expect", _ANY, "may"), "acts"),
    ("law", ("examples", "expect", _ANY, "may not"), "acts"),
    ("law", ("examples", "expect", _ANY, "options"), "options"),
    ("law", ("deals", "because"), "clauses"),
    ("law", ("deals", "refused"), "clauses"),
    ("law", ("deals", "editions"), "editions"),
    ("vocabulary", ("words", "primitive"), "primitives"),
    ("vocabulary", ("words", "joins"), "sets"),
    ("vocabulary", ("words", "leaves"), "sets"),
    ("vocabulary", ("words", "between"), "types"),
    ("vocabulary", ("words", "gives"), "types"),
    ("vocabulary", ("registers", "type"), "types"),
    ("vocabulary", ("registers", "present with"), "registers"),
    ("vocabulary", ("registers", "for each", _ANY), "types"),
    ("edition", ("based on",), "editions"),
    ("edition", ("laws",), "law files"),
    ("edition", ("vocabulary",), "law files"),
    ("edition", ("amends", "key"), "laws taken"),
    ("edition", ("amends", _ANY), "law files"),
    ("edition", ("repeals",), "laws taken"),
    ("edition", ("takes", "key"), "readings"),
    ("edition", ("takes", _ANY), "choices of the reading"),
    ("edition", ("readings", "default"), "choices beside"),
)
_PREPOSITIONS_OF_WORDS: Final = frozenset({"of", "in", "over", "for", "by", "with", "to", "about"})


def names_at(outlook: Outlook | None, desk: Desk, kind: FileKind, root: Node, spot: Spot) -> list[Name]:
    """The names that may stand at a spot; none where something else stands there."""
    what = _what(kind, spot)
    if what is None:
        return []
    return list(_Names(outlook, desk, root, spot).of(what))


def _what(kind: FileKind, spot: Spot) -> str | None:
    steps = [step for step in spot.steps if isinstance(step, str)]
    if kind == "law" and steps[:1] == ["declares"]:
        kind, steps = "vocabulary", steps[1:]
    if kind == "vocabulary":
        steps = [step for step in steps if step != "score sheet"]
        steps = ["registers" if step == "facts" else step for step in steps]
        if len(steps) == 2 and steps[0] == "words" and steps[1] in _PREPOSITIONS_OF_WORDS and not spot.is_key:
            return "types"
    if spot.is_key:
        steps = [*steps[:-1], "key"]
    return next((what for of, pattern, what in _PLACES if of == kind and _fits(steps, pattern)), None)


def _fits(steps: list[str], pattern: tuple[str, ...]) -> bool:
    return len(steps) == len(pattern) and all(
        step == wanted or (wanted == _ANY and step != "key") for step, wanted in zip(steps, pattern, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Names:
    outlook: Outlook | None
    desk: Desk
    root: Node
    spot: Spot

    def of(self, what: str) -> Iterator[Name]:
        match what:
            case "editions":
                yield from self._editions()
            case "law files":
                yield from (Name(path, "file", "", self._top(self.desk.law(path))) for path in self.desk.law_paths())
            case "primitives":
                yield from (Name(name, "operation of the table") for name in PRIMITIVES)
            case "choices beside":
                yield from self._choices_beside()
            case "clauses":
                yield from self._clauses(frozenset(Kind))
            case "remedies":
                yield Name(EVERY_REMEDY, "all of them")
                yield from self._clauses(frozenset({Kind.REMEDY}))
            case "excepted":
                yield Name(EVERY_REMEDY, "all of them")
                yield Name(EVERY_PROHIBITION, "all of them")
                yield from self._clauses(frozenset(Kind) - {Kind.DEFINITION})
            case "lapses":
                yield Name("another choice", "choosing another remedy for the same call")
                yield from self._clauses(frozenset({Kind.LAPSE}))
            case _ if self.outlook is not None:
                yield from self._of_edition(what, self.outlook)
            case _:
                pass

    def _of_edition(self, what: str, outlook: Outlook) -> Iterator[Name]:
        declarations = outlook.setting.declarations
        vocabulary = declarations.vocabulary
        match what:
            case "topics":
                laws = {taken.law.topic: taken.law for taken in outlook.taken}
                yield from (Name(topic, "topic", law.title, law.span) for topic, law in laws.items())
            case "offences" | "offence names":
                spans = {int(w.target): w.span for w in _values(vocabulary.words, "offence")}
                for offence in declarations.offences:
                    text = offence.phrase if what == "offences" else offence.name
                    yield Name(text, "offence", offence.gloss, spans.get(offence.number))
            case "choices":
                yield from (self._act(act, act.name.replace("-", " "), outlook) for act in _choices(declarations))
            case "acts" | "options":
                for act in declarations.acts.values() if what == "acts" else _choices(declarations):
                    # What has an argument is not written out yet.
                    more = "=" if act.argument in ("call", "card", "text") and what == "acts" else ""
                    yield from (self._act(act, f"{seat}:{act.name}{more}", outlook) for seat in Seat)
            case "sets" | "registers":
                for register in (*declarations.registers.values(), *declarations.sheet.values()):
                    if what == "registers" or isinstance(register.type, SetOf):
                        gloss = text_of(register.node.get("gloss"))
                        yield Name(register.phrase, "register", gloss, register.node.span)
            case "types":
                yield from (Name(name, "type") for name in (*PLAIN, *declarations.enumerations, "number from 0 to 7"))
                yield from (Name(f"{prefix} {name}", "type") for prefix in ("optional", "set of") for name in PLAIN)
            case "roles":
                for phrase, word, _ in vocabulary.phrases(frozenset({Category.ROLE})):
                    if phrase == word.phrase:
                        yield Name(f"{word.article} {phrase}".strip(), "role", word.gloss, word.span)
                        if word.article in ("a", "an") and phrase in declarations.roles:
                            yield Name(f"either {phrase}", "role", word.gloss, word.span)
            case "values":
                yield from self._members(outlook)
            case "statuses":
                interface = outlook.setting.interface
                of = interface.status.type if interface is not None else None
                if isinstance(of, Enumeration):
                    spans_of = {w.phrase: w.span for w in _values(vocabulary.words, of.name)}
                    for member in declarations.enumerations[of.name]:
                        yield Name(slug(member), "status", "", spans_of.get(member))
            case "readings":
                for reading in outlook.manifest.readings.values():
                    yield Name(reading.name, "reading", reading.question, self._reading(outlook, reading.name))
            case "choices of the reading":
                steps = [step for step in self.spot.steps if isinstance(step, str)]
                chosen = outlook.manifest.readings.get(steps[-1])
                for choice, meaning in chosen.alternatives.items() if chosen is not None else ():
                    yield Name(choice, "choice", meaning, self._reading(outlook, steps[-1], choice))
            case "laws taken":
                base = self._base(outlook)
                yield from (Name(path, "law file", "", self._top(self.desk.law(path))) for path in base)
            case _:
                raise AssertionError(what)

    def _act(self, act: ActWord, text: str, outlook: Outlook) -> Name:
        word = outlook.setting.declarations.vocabulary.find(Category.ACT, act.says)
        return Name(text, "act", act.gloss, word.span if word else None)

    def _editions(self) -> Iterator[Name]:
        for identifier, path in self.desk.edition_files().items():
            node = self.desk.in_order(path, "edition")
            title = text_of(node.get("title")) if node is not None else ""
            yield Name(identifier, "edition", title, self._top(path))

    def _clauses(self, kinds: frozenset[Kind]) -> Iterator[Name]:
        """The clauses of the file as it is being written, then the others of its edition."""
        here: set[str] = set()
        for node in entries(self.root, "clauses"):
            identifier, kind = node.get("id"), kind_of(node)
            if isinstance(identifier, Scalar) and kind is not None and kind in kinds and identifier.text not in here:
                here.add(identifier.text)
                yield Name(identifier.text, kind.value, text_of(node.get("says")), identifier.span)
        for clause in self.outlook.clauses if self.outlook is not None else ():
            if clause.kind in kinds and clause.id not in here:
                what = f"{clause.kind.value}, {law_name(clause.law.number)}"
                yield Name(clause.id, what, clause.says, clause.span)

    def _members(self, outlook: Outlook) -> Iterator[Name]:
        """The members of the type that a table is over."""
        vocabulary = outlook.setting.declarations.vocabulary
        head = text_of(self.spot.around[2].get("table")) if isinstance(self.spot.around[2], MappingNode) else ""
        functions = vocabulary.phrases(frozenset({Category.FUNCTION}))
        word = next((w for phrase, w, _ in functions if f" {phrase} " in f" {head} "), None)
        for value in vocabulary.values_of(word.arguments[0][1]) if word is not None else ():
            yield Name(value.phrase, "value", value.gloss, value.span)

    def _choices_beside(self) -> Iterator[Name]:
        reading = self.spot.mapping
        choices = reading.get("choices") if reading is not None else None
        for key, meaning in choices.entries if isinstance(choices, MappingNode) else ():
            yield Name(key.text, "choice", text_of(meaning), key.span)

    def _reading(self, outlook: Outlook, name: str, choice: str | None = None) -> Span | None:
        """Where a reading, or a choice of it, is declared: in the edition or in one it is based on."""
        for identifier in outlook.manifest.chain:
            file = self.desk.edition_files().get(identifier)
            node = self.desk.in_order(file, "edition") if file is not None else None
            for item in entries(node, "readings"):
                named = item.get("name")
                if text_of(named) == name and named is not None:
                    choices = item.get("choices")
                    keys = choices.entries if isinstance(choices, MappingNode) else ()
                    return next((key.span for key, _ in keys if key.text == choice), named.span)
        return None

    def _base(self, outlook: Outlook) -> Iterable[str]:
        """The laws of the edition that this one is based on."""
        base = text_of(node_at(self.root, ("based on",)))
        manifest = self.desk.manifest(base) if base else None
        return manifest.laws if manifest is not None else outlook.manifest.laws

    def _top(self, path: Path | None) -> Span | None:
        return None if path is None else Span(self.desk.shown(path), 1, 1, 1, 1)


def _choices(declarations: Declarations) -> Iterator[ActWord]:
    """The acts that are chosen under a remedy."""
    return (act for act in declarations.acts.values() if act.chooses)


def _values(words: dict[str, list[Word]], type_name: str) -> Iterator[Word]:
    for listed in words.values():
        for word in listed:
            if (
                word.category is Category.VALUE
                and word.gives is not None
                and getattr(word.gives, "name", "") == type_name
            ):
                yield word
