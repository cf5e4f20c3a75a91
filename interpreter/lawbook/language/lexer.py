"""The pre-lexer: turns a one-line text into lexemes by the declared phrases, longest match first.

Articles are dropped, `are` is read as `is`, possessives are split off. What it cannot place becomes one diagnostic
at its column, with the nearest phrase that could stand there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from lawbook.diagnostics import nearest
from lawbook.language.types import Type
from lawbook.language.words import Category, Vocabulary, Word

PREPOSITIONS: Final = ("of", "in", "over", "for", "by", "with", "to", "about")
ARTICLES: Final = frozenset({"the", "a", "an", "both", "either"})

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

# The words for the signs that a programmer would write.
_SIGNS: Final = {"+": "plus", "-": "minus", "*": "times", "=": "is", "<": "is less than", ">": "is more than"}
_HEAD_HELP: Final = "a word that a law defines is first declared, under `words:` of a vocabulary or of `declares:`"
# The kinds of word of which there are few enough to list them.
_FEW: Final = frozenset({"VERB", "ROLE", "ACT", "KIND", "TYPE", "QUALITY", "RELATION", "BECOMES"})
_MOST_LISTED: Final = 12
_NOT_HELP: Final = "say the contrary with `is not` or a word's negative form, or list it under `none of:`"

_PIECE: Final = re.compile(
    r"(?P<word>[A-Za-z][A-Za-z-]*)|(?P<number>\d+)|(?P<possessive>['’]s?)|(?P<comma>,)|(?P<space>\s+)"
)


@dataclass(frozen=True, slots=True)
class Variable:
    """A name bound by a clause or a definition: the caller, the bid of a function's head."""

    name: str
    type: Type


Scope = Mapping[str, Variable]
# Which terminals may follow lexemes already read; none where these cannot stand together.
Accepted = Callable[[list["Lexeme"]], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A terminal with the characters [start, end) of the text it was read from."""

    terminal: str
    text: str
    start: int
    end: int
    word: Word | None = None
    variable: Variable | None = None

    def __str__(self) -> str:
        return self.text


@dataclass
class Unreadable(Exception):
    """A place in a text that could not be read: what is wrong, where, and what was perhaps meant."""

    message: str
    start: int
    end: int
    suggestion: str | None = None
    help: str | None = None
    code: str = "unknown-term"


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    text: str
    start: int
    end: int


def _pieces(text: str) -> list[_Piece]:
    found: list[_Piece] = []
    at = 0
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            message = f"the character `{text[at]}` has no meaning here"
            raise Unreadable(message, at, at + 1, _SIGNS.get(text[at]), code="unknown-character")
        kind = str(match.lastgroup)
        if kind != "space":
            found.append(_Piece(kind, match[0], match.start(), match.end()))
        at = match.end()
    return found


def normal(phrase: str) -> str:
    """A phrase as the lexer compares it: lower case, `is` for `are`, no leading article."""
    words = ["is" if w == "are" else w for w in phrase.lower().split()]
    while len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return " ".join(words)


@dataclass(frozen=True, slots=True)
class _Entry:
    terminal: str
    word: Word | None = None
    variable: Variable | None = None


def _table(vocabulary: Vocabulary, start: str) -> dict[str, _Entry]:
    table: dict[str, _Entry] = {}
    allowed = _KEYWORDS_OF.get(start)
    for phrase, terminal in GRAMMAR_PHRASES.items():
        if allowed is not None and terminal not in allowed:
            continue
        if any(terminal in only and start != rule for rule, only in _ONLY_IN.items()):
            continue
        table[phrase] = _Entry(terminal)
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
        table[key] = _Entry(terminal, word)
    return table


@dataclass(frozen=True, slots=True)
class Lexer:
    """Reads texts with one vocabulary; keeps one phrase table per start rule."""

    vocabulary: Vocabulary
    _tables: dict[str, dict[str, _Entry]]
    _longest_of: dict[str, dict[str, int]]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Lexer:
        return cls(vocabulary, {}, {})

    def table(self, start: str) -> dict[str, _Entry]:
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
        pieces = _pieces(text)
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
                raise self._unknown(pieces, at, table, bound, found, accepted, start)
        return found

    def _phrase(
        self,
        pieces: list[_Piece],
        at: int,
        table: Mapping[str, _Entry],
        bound: Mapping[str, Variable],
        longest: Mapping[str, int],
        prefer_type: bool,
        text: str,
    ) -> tuple[Lexeme | None, int]:
        words: list[str] = []
        most = longest.get(_compared(pieces[at].text), 1)
        for piece in pieces[at : at + most]:
            if piece.kind != "word":
                break
            words.append(_compared(piece.text))
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

    def _unknown(
        self,
        pieces: list[_Piece],
        at: int,
        table: Mapping[str, _Entry],
        bound: Mapping[str, Variable],
        found: list[Lexeme],
        accepted: Accepted,
        start: str,
    ) -> Unreadable:
        # The words before may belong to a misspelt phrase: in "is debared" the `is` was read alone.
        for back in range(min(at, 2) + 1):
            before = [lexeme for lexeme in found if lexeme.end <= pieces[at - back].start]
            choices = self._choices(table, bound, accepted(before))
            for size in (4, 3, 2, 1):
                run = pieces[at - back : at - back + size]
                if len(run) <= back or len(run) < size or any(p.kind != "word" for p in run):
                    continue
                words = " ".join(p.text.lower() for p in run)
                if words == "not":
                    continue
                near = nearest(words, (c for c in choices if len(c.split()) == size))
                if near is not None:
                    return Unreadable(f"unknown term `{words}`", run[0].start, run[-1].end, near)
        piece = pieces[at]
        if piece.text.lower() == "not":
            return Unreadable("unknown term `not`", piece.start, piece.end, None, _NOT_HELP)
        if start == "head":
            rest = " ".join(p.text for p in pieces[at:])
            return Unreadable(f"unknown term `{rest}`", piece.start, pieces[-1].end, None, _HEAD_HELP)
        for size in (3, 2, 1):
            run = pieces[at : at + size]
            words = " ".join(p.text.lower() for p in run)
            reason = self.vocabulary.absent.get(words)
            if reason is not None:
                message = f"this edition has no {words}"
                return Unreadable(message, run[0].start, run[-1].end, None, reason, "no-such-denomination")
        can_follow = accepted(found)
        meant = nearest(piece.text, self._choices(table, bound, can_follow))
        help = None if meant is not None else _what_can_stand(table, can_follow)
        return Unreadable(f"unknown term `{piece.text}`", piece.start, piece.end, meant, help)

    def _choices(
        self, table: Mapping[str, _Entry], bound: Mapping[str, Variable], accepted: frozenset[str]
    ) -> list[str]:
        names = list(bound) if "NOUN" in accepted else []
        if "TYPE" in accepted:
            # A type can be spoken of by the phrase of a noun, which hides it in the table.
            names += [phrase for phrase, _, _ in self.vocabulary.phrases(frozenset({Category.TYPE}))]
        return [*names, *(phrase for phrase, entry in table.items() if entry.terminal in accepted)]


def _what_can_stand(table: Mapping[str, _Entry], accepted: frozenset[str]) -> str | None:
    """The words of which one could stand in a place, where these are few kinds; nouns are too many."""
    names = sorted(phrase for phrase, entry in table.items() if entry.terminal in accepted & _FEW)
    if not names:
        return None
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return f"what can stand here: {', '.join(names[:_MOST_LISTED])}{more}"


def _longest(phrases: Iterable[str]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for phrase in phrases:
        first, size = phrase.split(" ", 1)[0], phrase.count(" ") + 1
        sizes[first] = max(size, sizes.get(first, 0))
    return sizes


def _compared(word: str) -> str:
    word = word.lower()
    return "is" if word == "are" else word


def _is_preposition(pieces: list[_Piece], at: int) -> bool:
    return at < len(pieces) and pieces[at].text.lower() in PREPOSITIONS


def is_phrase(phrase: str) -> bool:
    """Whether a phrase is made of words, so that the lexer can find it."""
    return bool(phrase) and all(re.fullmatch(r"[A-Za-z][A-Za-z-]*", word) for word in phrase.split(" "))


def clashes(word: Word) -> Iterable[str]:
    """The phrases of a word that would swallow a phrase of the grammar."""
    for phrase in (word.phrase, *word.synonyms, *([word.negative] if word.negative else [])):
        if normal(phrase) in GRAMMAR_PHRASES and word.category in READS["condition"] | {Category.VERB}:
            yield phrase
