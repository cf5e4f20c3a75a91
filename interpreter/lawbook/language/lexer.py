"""The pre-lexer: turns a one-line text into lexemes by the declared phrases, longest match first.

Articles are dropped, `are` is read as `is`, possessives are split off. What it cannot place becomes one diagnostic
at its column, with the nearest phrase that could stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from lawbook.language.lexemes import (
    ARTICLES,
    Accepted,
    Entry,
    Lexeme,
    Piece,
    Scope,
    Unreadable,
    Variable,
    compared,
    pieces_of,
)
from lawbook.language.meant import Halt
from lawbook.language.words import Category, Vocabulary, Word

PREPOSITIONS: Final = ("of", "in", "over", "for", "by", "with", "to", "about")

# The grammar's own phrases. A declared phrase may not be one of them.
GRAMMAR_PHRASES: Final[Mapping[str, str]] = {
    "there is": "THERE_IS",
    "there is no": "THERE_IS_NO",
    "is": "IS",
    "is not": "IS_NOT",
    "is at least": "AT_LEAST",
    "is at most": "AT_MOST",
    "is more than": "MORE_THAN",
    "is greater than": "MORE_THAN",
    "is less than": "LESS_THAN",
    "is fewer than": "LESS_THAN",
    "is among": "AMONG",
    "is not among": "NOT_AMONG",
    "some": "SOME",
    "no": "NO",
    "every": "EVERY",
    "plus": "PLUS",
    "minus": "MINUS",
    "times": "TIMES",
    "lesser of": "LESSER_OF",
    "greater of": "GREATER_OF",
    "and": "AND",
    "or": "OR",
    "one": "ONE",
    "another": "ANOTHER",
    "nothing": "NOTHING",
    "nobody": "NOTHING",
    "becomes": "BECOMES",
    "become": "BECOMES",
    "goes to": "GOES_TO",
    "call stands": "CALL_STANDS",
    "call stands as": "CALL_STANDS_AS",
    "call is taken back": "CALL_TAKEN_BACK",
    "earlier call is taken back": "EARLIER_CALL_TAKEN_BACK",
    "own last call is taken back": "OWN_CALL_TAKEN_BACK",
    "call is judged again as": "JUDGED_AGAIN_AS",
    "right lapses": "RIGHT_LAPSES",
    "stands": "STANDS",
    "stands meanwhile": "STANDS_MEANWHILE",
    "stands as": "STANDS_AS",
    "counts as a pass": "COUNTS_AS_PASS",
    "is ignored": "IS_IGNORED",
    **dict.fromkeys(PREPOSITIONS, "PREPOSITION"),
}

_CONDITION: Final = frozenset({Category.NOUN, Category.FUNCTION, Category.VALUE})
# Which declared categories can stand in a text, by the grammar's start rule.
READS: Final[Mapping[str, frozenset[Category]]] = {
    "condition": _CONDITION | {Category.RELATION, Category.QUALITY, Category.TYPE},
    "sum": _CONDITION,
    "effect": _CONDITION | {Category.VERB},
    "fate": _CONDITION,
    "trigger": frozenset({Category.ROLE, Category.ACT}),
    "stands": frozenset({Category.KIND}),
    "head": frozenset({Category.NOUN, Category.FUNCTION, Category.RELATION, Category.QUALITY, Category.TYPE}),
}
_KEYWORDS_OF: Final[Mapping[str, frozenset[str]]] = {
    "trigger": frozenset({"OR", "AND"}),
    "stands": frozenset({"OR", "AND"}),
    "head": frozenset({"ONE", "ANOTHER", "PREPOSITION"}),
}
# Phrases that only one start rule knows; elsewhere they are free.
_ONLY_IN: Final[Mapping[str, frozenset[str]]] = {
    "head": frozenset({"ONE", "ANOTHER"}),
    "fate": frozenset({"STANDS", "STANDS_MEANWHILE", "STANDS_AS", "COUNTS_AS_PASS", "IS_IGNORED"}),
    "effect": frozenset(
        {
            "BECOMES",
            "GOES_TO",
            "CALL_STANDS",
            "CALL_STANDS_AS",
            "CALL_TAKEN_BACK",
            "EARLIER_CALL_TAKEN_BACK",
            "OWN_CALL_TAKEN_BACK",
            "JUDGED_AGAIN_AS",
            "RIGHT_LAPSES",
        }
    ),
}


def normal(phrase: str) -> str:
    """A phrase as the lexer compares it: lower case, `is` for `are`, no leading article."""
    words = ["is" if w == "are" else w for w in phrase.lower().split()]
    while len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return " ".join(words)


def _table(vocabulary: Vocabulary, start: str) -> dict[str, Entry]:
    table: dict[str, Entry] = {}
    allowed = _KEYWORDS_OF.get(start)
    for phrase, terminal in GRAMMAR_PHRASES.items():
        if allowed is not None and terminal not in allowed:
            continue
        if any(terminal in only and start != rule for rule, only in _ONLY_IN.items()):
            continue
        table[phrase] = Entry(terminal)
    # Later categories must not hide a noun of the same phrase: types last, and only where free.
    for phrase, word, positive in sorted(
        vocabulary.phrases(READS[start]), key=lambda item: item[1].category is Category.TYPE
    ):
        terminal = word.category.name
        if word.category is Category.FUNCTION and len(word.arguments) == 2:
            terminal = "FUNCTION_TWO"
        if not positive:
            terminal = f"NOT_{terminal}"
        key = normal(phrase)
        if word.category is Category.TYPE and key in table:
            continue
        table[key] = Entry(terminal, word)
    return table


@dataclass(frozen=True, slots=True)
class Lexer:
    """Reads texts with one vocabulary; keeps one phrase table per start rule."""

    vocabulary: Vocabulary
    _tables: dict[str, dict[str, Entry]]
    _longest_of: dict[str, dict[str, int]]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Lexer:
        return cls(vocabulary, {}, {})

    def table(self, start: str) -> dict[str, Entry]:
        if start not in self._tables:
            self._tables[start] = _table(self.vocabulary, start)
        return self._tables[start]

    def longest(self, start: str) -> dict[str, int]:
        """How many words the longest phrase has that a start rule knows, by the phrase's first word."""
        found = self._longest_of.get(start)
        if found is None:
            found = self._longest_of[start] = _longest(self.table(start))
        return found

    def read(self, text: str, start: str, scope: Scope, accepted: Accepted | None = None) -> list[Lexeme]:
        """The lexemes of a text. Raises Unreadable at the first place that cannot be read.

        `accepted` tells which terminals may follow lexemes, so that only what can stand there is suggested; without it
        nothing is, which is enough for whoever only asks whether a text can be read.
        """
        pieces = pieces_of(text)
        table = self.table(start)
        bound = {normal(phrase): variable for phrase, variable in scope.items()}
        longest = self.longest(start)
        if bound:
            longest = longest | {first: max(size, longest.get(first, 0)) for first, size in _longest(bound).items()}
        found: list[Lexeme] = []
        at = 0
        # In a head, "one bid outranks another" and "a bid" name types; elsewhere a type follows a quantifier.
        while at < len(pieces):
            piece = pieces[at]
            if piece.kind == "number":
                found.append(Lexeme("NUMBER", piece.text, piece.start, piece.end))
                at += 1
                continue
            if piece.kind in ("possessive", "comma"):
                terminal = "POSSESSIVE" if piece.kind == "possessive" else "COMMA"
                found.append(Lexeme(terminal, piece.text, piece.start, piece.end))
                at += 1
                continue
            prefer_type = start == "head" or (bool(found) and found[-1].terminal in ("SOME", "NO", "EVERY"))
            # What follows a possessive is a function, whatever else the clause calls by that name.
            here = {} if found and found[-1].terminal == "POSSESSIVE" else bound
            lexeme, used = self._phrase(pieces, at, table, here, longest, prefer_type, text)
            if lexeme is not None:
                found.append(lexeme)
                at += used
            elif piece.text.lower() in ARTICLES:
                at += 1
            else:
                if accepted is None:
                    raise Unreadable(f"unknown term `{piece.text}`", piece.start, piece.end)
                raise Halt(pieces, at, found, start, table, bound, accepted, self.vocabulary).told()
        return found

    def _phrase(
        self,
        pieces: list[Piece],
        at: int,
        table: Mapping[str, Entry],
        bound: Mapping[str, Variable],
        longest: Mapping[str, int],
        prefer_type: bool,
        text: str,
    ) -> tuple[Lexeme | None, int]:
        words: list[str] = []
        most = longest.get(compared(pieces[at].text), 1)
        for piece in pieces[at : at + most]:
            if piece.kind != "word":
                break
            words.append(compared(piece.text))
        for size in range(len(words), 0, -1):
            run = pieces[at : at + size]
            phrase = " ".join(words[:size])
            begin, end = run[0].start, run[-1].end
            if prefer_type and (kind := self.vocabulary.find(Category.TYPE, phrase)) is not None:
                return Lexeme("TYPE", text[begin:end], begin, end, kind), size
            # `the side of ...` asks for a side, even where the clause calls one `the side`.
            asks = (
                phrase in table and table[phrase].terminal.startswith("FUNCTION") and _is_preposition(pieces, at + size)
            )
            if phrase in bound and not asks:
                return Lexeme("NOUN", text[begin:end], begin, end, None, bound[phrase]), size
            if phrase in table:
                entry = table[phrase]
                return Lexeme(entry.terminal, text[begin:end], begin, end, entry.word, entry.variable), size
        return None, 0


def _longest(phrases: Iterable[str]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for phrase in phrases:
        first, size = phrase.split(" ", 1)[0], phrase.count(" ") + 1
        sizes[first] = max(size, sizes.get(first, 0))
    return sizes


def _is_preposition(pieces: list[Piece], at: int) -> bool:
    return at < len(pieces) and pieces[at].text.lower() in PREPOSITIONS


def is_phrase(phrase: str) -> bool:
    """Whether a phrase is made of words, so that the lexer can find it."""
    return bool(phrase) and all(re.fullmatch(r"[A-Za-z][A-Za-z-]*", word) for word in phrase.split(" "))


def clashes(word: Word) -> Iterable[str]:
    """The phrases of a word that would swallow a phrase of the grammar."""
    for phrase in (word.phrase, *word.synonyms, *([word.negative] if word.negative else [])):
        if normal(phrase) in GRAMMAR_PHRASES and word.category in READS["condition"] | {Category.VERB}:
            yield phrase
