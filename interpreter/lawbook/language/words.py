"""The vocabulary: which phrases an author may use, what each means, and what it is about.

Words are declared in law data. This module only keeps them; the lexer finds them in a text.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping

from lawbook.diagnostics import Span
from lawbook.language.types import Type, type_text
from lawbook.records import dataclass, field


class Category(enum.Enum):
    """What part a phrase can play in an expression."""

    NOUN = "noun"
    FUNCTION = "function"
    RELATION = "relation"
    QUALITY = "quality"
    ROLE = "role"
    VERB = "verb"
    ACT = "act"
    KIND = "kind of call"
    VALUE = "value"
    TYPE = "type"


@dataclass(frozen=True, slots=True)
class Word:
    """One declared phrase.

    `arguments` pairs each argument's type with the preposition before it. `meaning` says what stands behind the
    word: `register`, `binding` (something the clause knows: the caller, the offender), `primitive` (an operation
    of the table itself), `definition` (a law defines it), `value`, `joins`/`leaves` (verbs), `act`, `kind`.
    `target` is the name there. `article` is what canonical text puts before it.
    """

    category: Category
    phrase: str
    meaning: str
    target: str
    gives: Type | None = None
    arguments: tuple[tuple[str, Type], ...] = ()
    negative: str | None = None
    synonyms: tuple[str, ...] = ()
    article: str = "the"
    plural: bool = False
    gloss: str = ""
    source: str = ""
    span: Span | None = None

    @property
    def meant(self) -> str:
        """What the word means, in one line: all of it but how it is said and explained."""
        arguments = [(preposition, type_text(of)) for preposition, of in self.arguments]
        gives = None if self.gives is None else type_text(self.gives)
        return f"{self.category.value} {self.phrase}: {self.meaning} {self.target} {arguments} {gives}"


@dataclass(slots=True)
class Vocabulary:
    """All words of one edition, by phrase. A phrase has one category; values of several domains may share one."""

    words: dict[str, list[Word]] = field(default_factory=dict)
    negatives: dict[str, Word] = field(default_factory=dict)
    canonical: dict[tuple[Category, str], Word] = field(default_factory=dict)
    # Phrases that are declared and still no words of this edition, each with the reason.
    absent: dict[str, str] = field(default_factory=dict)

    def add(self, word: Word) -> Word | None:
        """Add a word; the word already there with another category (or the same phrase) is returned instead."""
        for phrase in (word.phrase, *word.synonyms, *([word.negative] if word.negative else [])):
            for other in (*self.words.get(phrase, []), *([self.negatives[phrase]] if phrase in self.negatives else [])):
                if not _may_share(other, word):
                    return other
        for phrase in (word.phrase, *word.synonyms):
            self.words.setdefault(phrase, []).append(word)
        if word.negative is not None:
            self.negatives[word.negative] = word
        self.canonical[word.category, word.phrase] = word
        return None

    def find(self, category: Category, phrase: str) -> Word | None:
        """The word of that category a phrase or synonym names."""
        return next((w for w in self.words.get(phrase, []) if w.category is category), None)

    def phrases(self, categories: frozenset[Category]) -> Iterator[tuple[str, Word, bool]]:
        """Every phrase of those categories, with its word and whether it is the positive form."""
        for phrase, words in self.words.items():
            for word in words:
                if word.category in categories:
                    yield phrase, word, True
        for phrase, word in self.negatives.items():
            if word.category in categories:
                yield phrase, word, False

    def values_of(self, of: Type) -> list[Word]:
        """The values of one domain in the order declared; other domains may have values of the same phrase."""
        found = [w for words in self.words.values() for w in words if w.category is Category.VALUE and w.gives == of]
        return sorted(dict.fromkeys(found), key=lambda word: int(word.target))

    def of_meaning(self, meaning: str) -> Mapping[str, Word]:
        """The words of one meaning, by target."""
        return {w.target: w for w in self.canonical.values() if w.meaning == meaning}


# Roles, acts, kinds of call and types are read in places where the others are not (triggers, heads of
# definitions), so the same phrase may stand in both: "a player bids", "the player is in turn".
_ELSEWHERE = frozenset({Category.ROLE, Category.ACT, Category.KIND, Category.TYPE})


def _may_share(one: Word, other: Word) -> bool:
    if one.category is other.category:
        return one.category is Category.VALUE and one.gives != other.gives
    return (one.category in _ELSEWHERE) or (other.category in _ELSEWHERE)
