"""What can be written at a place: keys, names, and the words of an expression."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from lawbook.diagnostics import Span
from lawbook.edition.kinds import KEYS, kind_of
from lawbook.edition.library import FileKind, schema
from lawbook.language.types import type_text
from lawbook.language.words import Word
from lawbook.server.asked import asked_at
from lawbook.server.cursor import MARK, Spot, marked, node_at
from lawbook.server.describing import name_text, word_text
from lawbook.server.desk import Desk
from lawbook.server.names import names_at
from lawbook.server.outlook import Outlook
from lawbook.server.phrases import Candidate, candidates
from lawbook.server.shapes import Shape, explained, is_one_of, keys_of, shapes_at, values_of
from lawbook.server.texts import Text
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node

_COMMON: Final = frozenset({"id", "says", "under", "note"})


class ItemKind(enum.Enum):
    """What a proposal is, for the sign an editor puts before it."""

    KEY = "key"
    NAME = "name"
    VALUE = "value"
    NOUN = "noun"
    FUNCTION = "function"
    RELATION = "relation"
    VERB = "verb"
    GRAMMAR = "grammar"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing that can be written: what it is called, the text that takes the place of `span`, a word on what it is,
    more in Markdown, and how probably it is meant (the lower, the more)."""

    label: str
    text: str
    span: Span
    kind: ItemKind
    detail: str = ""
    about: str = ""
    rank: int = 0


def complete(desk: Desk, outlook: Outlook | None, path: Path, line: int, column: int) -> list[Proposal]:
    """What can be written at a line and column of a file, the most probable first."""
    text = Text(desk.text(path) or "")
    found = marked(text, line, column, desk.shown(path))
    if found is None:
        return []
    root, spot = found
    kind = desk.kind(path)
    completing = _Completing(desk, outlook, kind, root, spot)
    proposals: dict[str, Proposal] = {}
    for proposal in completing.proposals():
        proposals.setdefault(proposal.label, proposal)
    return sorted(proposals.values(), key=lambda proposal: proposal.rank)


@dataclass(frozen=True, slots=True)
class _Completing:
    desk: Desk
    outlook: Outlook | None
    kind: FileKind
    root: Node
    spot: Spot

    def proposals(self) -> Iterator[Proposal]:
        if self.spot.is_key:
            yield from self._keys(self.spot.steps[:-1])
            yield from self._names()
            return
        asked = asked_at(self.outlook, self.root, self.spot) if self.outlook is not None else None
        yield from self._names()
        yield from self._values()
        if asked is not None and self.outlook is not None:
            before = self.spot.scalar.text.partition(MARK)[0]
            for candidate in candidates(self.outlook.setting.expressions, asked, before):
                yield self._of_candidate(candidate, self.outlook)
        # What is written where keys belong is a key whose colon is still to come.
        yield from self._keys(self.spot.steps)
        as_key = Spot((*self.spot.steps, self.spot.scalar.text), self.spot.around, self.spot.scalar, True)
        yield from replace(self, spot=as_key)._names()

    # -- keys ------------------------------------------------------------------------------------------------------

    def _keys(self, steps: tuple[str | int, ...]) -> Iterator[Proposal]:
        shapes = shapes_at(schema(self.kind), self.root, steps)
        node = node_at(self.root, steps)
        there = {key.text for key, _ in node.entries} if isinstance(node, MappingNode) else set()
        for rank, (key, shape) in enumerate(keys_of(shapes, schema(self.kind)).items()):
            place = self._place_of_key(key, node, steps)
            if key not in there and place is not None:
                text = key + self._after_key(shape)
                yield Proposal(
                    key, text, self._span(), ItemKind.KEY, _noun(shape), explained(shape) or "", place * 1000 + rank
                )

    def _place_of_key(self, key: str, node: Node | None, steps: tuple[str | int, ...]) -> int | None:
        """How probable a key is among those that are there; None if it has no place there."""
        if not (self.kind == "law" and len(steps) == 2 and steps[0] == "clauses"):
            return 0
        kind = kind_of(node) if isinstance(node, MappingNode) else None
        if key == "id":
            return 0
        if kind is None:
            return 1 if any(key in heads for heads, _ in KEYS.values()) or key in _COMMON else 2
        heads, rest = KEYS[kind]
        if key in rest | _COMMON:
            return 0
        # Another key can still make it another kind, as `offence` makes a prohibition of a procedure.
        further = {other for other, (head, own) in KEYS.items() if other is not kind and heads & (head | own)}
        return 1 if any(key in KEYS[other][0] | KEYS[other][1] for other in further) else None

    def _after_key(self, shape: Shape) -> str:
        """What follows a new key: a colon, and in block style the beginning of a list or of keys."""
        if "conditions" in str(shape.get("title", "")) or (is_one_of([shape], "array") and "anyOf" not in shape):
            inside = f"\n{self._indentation()}  - "
        elif is_one_of([shape], "object"):
            inside = f"\n{self._indentation()}  "
        else:
            return ": "
        return ": " if self._is_in_brackets() else f":{inside}"

    def _indentation(self) -> str:
        """The white space before the keys among which a new one is written."""
        return " " * (self.spot.scalar.span.column - 1)

    def _is_in_brackets(self) -> bool:
        """Whether the keys stand in curly brackets: their node then begins before its first key."""
        mapping = self.spot.around[-1] if self.spot.around else None
        if not isinstance(mapping, MappingNode) or not mapping.entries:
            return False
        first = mapping.entries[0][0].span
        return (mapping.span.line, mapping.span.column) != (first.line, first.column)

    # -- values ----------------------------------------------------------------------------------------------------

    def _names(self) -> Iterator[Proposal]:
        after = ": " if self.spot.is_key else ""
        for rank, name in enumerate(names_at(self.outlook, self.desk, self.kind, self.root, self.spot)):
            about = name_text(name, self.desk)
            yield Proposal(name.text, name.text + after, self._span(), ItemKind.NAME, name.what, about, rank)

    def _values(self) -> Iterator[Proposal]:
        shapes = shapes_at(schema(self.kind), self.root, self.spot.steps)
        for rank, (value, only) in enumerate(values_of(shapes).items()):
            if only or self.outlook is None:
                about = next((text for shape in shapes if (text := explained(shape)) is not None), "")
                yield Proposal(value, value, self._span(), ItemKind.VALUE, "", about, rank)

    def _of_candidate(self, candidate: Candidate, outlook: Outlook) -> Proposal:
        content = self.spot.scalar.content or self.spot.scalar.span
        end = self.spot.scalar.text.index(MARK)
        # The mark itself is in no text that an editor has.
        span = content.within(candidate.start, end)
        word, variable = candidate.word, candidate.variable
        detail, about = "", ""
        if variable is not None:
            detail = type_text(variable.type)
        elif word is not None:
            detail = _detail(word)
            about = word_text(word, outlook, self.desk)
        return Proposal(
            candidate.text, candidate.text, span, _KINDS.get(_plain(candidate), ItemKind.GRAMMAR), detail, about,
            candidate.rank * 1000,
        )  # fmt: skip

    def _span(self) -> Span:
        """What is being written, from its beginning up to the cursor."""
        content = self.spot.scalar.content or self.spot.scalar.span
        return content.within(0, self.spot.scalar.text.index(MARK))


_KINDS: Final = {
    "NOUN": ItemKind.NOUN,
    "ROLE": ItemKind.NOUN,
    "KIND": ItemKind.NOUN,
    "TYPE": ItemKind.NOUN,
    "FUNCTION": ItemKind.FUNCTION,
    "FUNCTION_TWO": ItemKind.FUNCTION,
    "RELATION": ItemKind.RELATION,
    "QUALITY": ItemKind.RELATION,
    "VERB": ItemKind.VERB,
    "ACT": ItemKind.VERB,
    "VALUE": ItemKind.VALUE,
}


def _plain(candidate: Candidate) -> str:
    return candidate.terminal.removeprefix("NOT_")


def _detail(word: Word) -> str:
    return word.category.value if word.gives is None else f"{word.category.value}, {type_text(word.gives)}"


def _noun(shape: Shape) -> str:
    title = shape.get("title")
    return title if isinstance(title, str) else ""
