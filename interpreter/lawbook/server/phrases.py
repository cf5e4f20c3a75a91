"""Inside an expression: which words can stand at a place, by grammar and by type, and which word does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from lawbook.edition.expressions import Expressions
from lawbook.language import tree, types
from lawbook.language.lexemes import ARTICLES, Lexeme, Unreadable, Variable
from lawbook.language.lexer import GRAMMAR_PHRASES, normal
from lawbook.language.parser import accepted, parse
from lawbook.language.types import Number, Optional, SetOf, Type, comparable, fits
from lawbook.language.words import Category, Word
from lawbook.server.asked import Asked

# How many of the last words may belong to a phrase that is being written.
_LONGEST: Final = 7
# The first spelling of each of the grammar's own phrases is the canonical one.
_SPELLING: Final = {terminal: phrase for phrase, terminal in reversed(list(GRAMMAR_PHRASES.items()))}
_COMPARING: Final = frozenset({"IS", "IS_NOT", "AT_LEAST", "AT_MOST", "MORE_THAN", "LESS_THAN"})
_ORDERING: Final = _COMPARING - {"IS", "IS_NOT"}
_CALLS: Final = frozenset({"CALL_STANDS_AS", "JUDGED_AGAIN_AS", "STANDS_AS"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A phrase that can stand at the end of a text, in place of what stands there from `start` on.

    Those of a lower `rank` are more probably meant: 0 fits by its type, 1 can lead to what fits, 2 is another spelling.
    """

    text: str
    start: int
    rank: int
    terminal: str
    word: Word | None = None
    variable: Variable | None = None


def candidates(expressions: Expressions, asked: Asked, before: str) -> list[Candidate]:
    """What can stand at the end of the text `before` in an expression, the most probable first."""
    found: dict[tuple[str, int], Candidate] = {}
    inside = _Inside(expressions, asked)
    for cut, partial in _cuts(before):
        for candidate in inside.following(before[:cut], partial, cut):
            known = found.get((candidate.text, candidate.start))
            if known is None or candidate.rank < known.rank:
                found[candidate.text, candidate.start] = candidate
    return sorted(found.values(), key=lambda c: (c.rank, -c.start, c.text.lower()))


def lexeme_at(expressions: Expressions, asked: Asked, text: str, offset: int) -> Lexeme | None:
    """The phrase at an offset in an expression, ends included; None if there is none that can be read."""
    lexemes = lexemes_of(expressions, asked, text)
    holding = [lexeme for lexeme in lexemes if lexeme.start <= offset <= lexeme.end]
    # Between two phrases the one that begins there is meant.
    return max(holding, key=lambda lexeme: lexeme.start, default=None)


def lexemes_of(expressions: Expressions, asked: Asked, text: str) -> list[Lexeme]:
    """The phrases of an expression, as far as it can be read."""
    try:
        return expressions.lexer.read(text, asked.start, asked.scope)
    except Unreadable as error:
        if error.start >= len(text):
            return []
        return lexemes_of(expressions, asked, text[: error.start])


def _cuts(before: str) -> Iterator[tuple[int, str]]:
    """Where what is being written may begin, and as far as it is written: nothing, one word, two words..."""
    words = [match.start() for match in re.finditer(r"[^\s,'’]+", before)]
    if not before or before[-1] in " \t,'’" or before.endswith(("'s", "’s")):
        yield len(before), ""
    for start in reversed(words[-_LONGEST:]):
        if before[start - 1 : start] in ("'", "’") and start:
            continue
        yield start, before[start:]


@dataclass(frozen=True, slots=True)
class _Inside:
    expressions: Expressions
    asked: Asked

    def following(self, head: str, partial: str, cut: int) -> Iterator[Candidate]:
        """The phrases that begin as `partial` does and can follow `head`."""
        start, scope = self.asked.start, self.asked.scope
        try:
            lexemes = self.expressions.lexer.read(head, start, scope)
        except Unreadable:
            return
        terminals = accepted(start, lexemes)
        begun = " ".join(partial.lower().split())
        article, _, rest = begun.partition(" ")
        has_article = article in ARTICLES and (bool(rest) or partial.endswith(" "))
        if has_article:
            written = re.match(r"\s*\S+\s+", partial)
            cut += written.end() if written is not None else 0
            begun = rest
        if not has_article and head.split()[-1:] and head.split()[-1].lower() in ARTICLES:
            has_article = True
        if begun and partial.endswith(" "):
            # The last word is written to its end.
            begun += " "
        wanted = self._wanted(lexemes, head)
        for phrase, terminal, word, variable in self._phrases(terminals, lexemes):
            if not _begins(phrase, begun):
                continue
            rank = self._rank(terminal, word, variable, wanted, lexemes, head)
            if rank is None:
                continue
            if word is not None and phrase not in (normal(word.phrase), normal(word.negative or "")):
                rank = max(rank, 2)
            before = "" if has_article else self._article(phrase, terminal, word, lexemes)
            text = f"{before} {phrase}".strip()
            if terminal.startswith("FUNCTION") and word is not None and not _after_possessive(lexemes):
                text = f"{text} {word.arguments[0][0]}"
            yield Candidate(text, cut, rank, terminal, word, variable)

    def _phrases(
        self, terminals: frozenset[str], lexemes: list[Lexeme]
    ) -> Iterator[tuple[str, str, Word | None, Variable | None]]:
        last = lexemes[-1] if lexemes else None
        if "NOUN" in terminals:
            for phrase, variable in self.asked.scope.items():
                yield normal(phrase), "NOUN", None, variable
        preposition = self._preposition(lexemes)
        for phrase, entry in self.expressions.lexer.table(self.asked.start).items():
            word, terminal = entry.word, entry.terminal
            if terminal not in terminals or (word is not None and word.meaning == "binding"):
                continue
            if terminal == "PREPOSITION" and phrase != preposition:
                continue
            if word is None and terminal != "PREPOSITION" and phrase not in ("nobody", _SPELLING.get(terminal)):
                continue
            yield phrase, terminal, word, entry.variable
        # A type can have the phrase of a noun, which hides it in the table.
        if "TYPE" in terminals and last is not None:
            for phrase, word, _ in self.expressions.lexer.vocabulary.phrases(frozenset({Category.TYPE})):
                yield phrase, "TYPE", word, None

    def _preposition(self, lexemes: list[Lexeme]) -> str | None:
        """The preposition that the last function still waits for."""
        waiting: list[str] = []
        for lexeme in lexemes:
            if lexeme.terminal.startswith("FUNCTION") and lexeme.word is not None:
                waiting = [preposition for preposition, _ in lexeme.word.arguments]
            elif lexeme.terminal == "PREPOSITION" and waiting:
                waiting = waiting[1:]
        return waiting[0] if waiting else None

    # -- types -----------------------------------------------------------------------------------------------------

    def _wanted(self, lexemes: list[Lexeme], head: str) -> Type | None:
        """The type that a value must have after some lexemes; None where that is not known or no value follows."""
        if not lexemes:
            return self.asked.expected
        last = lexemes[-1]
        if last.terminal == "PREPOSITION":
            functions = [lexeme for lexeme in lexemes if lexeme.terminal.startswith("FUNCTION")]
            arguments = functions[-1].word.arguments if functions and functions[-1].word is not None else ()
            return next((of for preposition, of in arguments if preposition == last.text.lower()), None)
        if last.terminal in _COMPARING:
            return self._type_of(head[: last.start])
        if last.terminal in ("RELATION", "NOT_RELATION") and last.word is not None:
            return last.word.arguments[1][1]
        if last.terminal == "BECOMES":
            return self._type_of(head[: last.start])
        if last.terminal in _CALLS:
            return types.CALL
        if last.terminal == "VERB" and last.word is not None:
            register = self.expressions.lexer.vocabulary.of_meaning("register").get(last.word.target)
            return register.gives if register is not None else None
        return None

    def _type_of(self, text: str) -> Type | None:
        """The type of the value a text names, there or not."""
        checker = replace(self.expressions.checker, used=set())
        try:
            parsed = parse(text, "sum", self.expressions.lexer, self.asked.scope, suggest=False)
            if not isinstance(parsed, tree.Name | tree.Figure | tree.Literal_ | tree.Nothing | tree.Apply | tree.Sum):
                return None
            found = checker.value(parsed, frozenset())
        except Unreadable:
            return None
        return found.type

    def _rank(
        self,
        terminal: str,
        word: Word | None,
        variable: Variable | None,
        wanted: Type | None,
        lexemes: list[Lexeme],
        head: str,
    ) -> int | None:
        """How well a phrase fits by its type; None if it cannot."""
        if terminal in ("RELATION", "NOT_RELATION", "QUALITY", "NOT_QUALITY") and word is not None and lexemes:
            if lexemes[-1].terminal == "TYPE" and lexemes[-1].word is not None:
                subject = lexemes[-1].word.gives
            else:
                subject = self._type_of(head)
            of = word.arguments[0][1]
            return 0 if subject is None or fits(of, _there(subject)) or comparable(of, _there(subject)) else None
        if terminal in _ORDERING or terminal in ("PLUS", "MINUS", "TIMES"):
            subject = self._type_of(head)
            return 0 if subject is None or isinstance(_there(subject), Number) else None
        gives = variable.type if variable is not None else None if word is None else word.gives
        last = lexemes[-1].terminal if lexemes else ""
        if self.asked.start == "head":
            return 0 if word is None or terminal == "TYPE" or word.meaning == "definition" else None
        if _after_possessive(lexemes) and word is not None and terminal.startswith("FUNCTION"):
            owner = self._type_of(head[: lexemes[-1].start])
            return 0 if owner is None or fits(word.arguments[0][1], _there(owner)) else None
        if terminal == "NOTHING":
            return 0 if isinstance(wanted, Optional | SetOf) and last not in _COMPARING else None
        if gives is None:
            return 0
        if last in ("THERE_IS", "THERE_IS_NO"):
            return 0 if isinstance(gives, Optional) else None
        if last in ("AMONG", "NOT_AMONG"):
            return 0 if isinstance(gives, SetOf) else 1 if terminal != "VALUE" and self._leads(gives) else None
        if wanted is None:
            # What is asked of is rarely a named value; that is what it is compared with.
            return 1 if terminal == "VALUE" else 0
        if _suits(wanted, gives, compared=last in _COMPARING):
            return 0
        return 1 if terminal != "VALUE" and self._leads(gives) else None

    def _leads(self, gives: Type) -> bool:
        """Whether something can be asked of such a value, as in `the bid's denomination`."""
        words = self.expressions.lexer.vocabulary.canonical.values()
        return any(
            word.category is Category.FUNCTION
            and word.arguments[0][0] == "of"
            and fits(word.arguments[0][1], _there(gives))
            for word in words
        )

    def _article(self, phrase: str, terminal: str, word: Word | None, lexemes: list[Lexeme]) -> str:
        last = lexemes[-1].terminal if lexemes else ""
        if last in ("POSSESSIVE", "THERE_IS_NO", "SOME", "NO", "EVERY") or phrase.startswith("that "):
            return ""
        if word is None:
            return "the" if terminal in _WITH_ARTICLE else ""
        if terminal in ("NOUN", "FUNCTION", "FUNCTION_TWO") and last == "THERE_IS" and word.article == "the":
            return "an" if word.phrase[0] in "aeiou" else "a"
        if terminal in ("NOUN", "FUNCTION", "FUNCTION_TWO", "ROLE", "KIND"):
            return word.article
        if terminal == "VALUE" and word.gives == types.CALL and last not in _COMPARING:
            return word.article
        return "a" if terminal == "TYPE" else ""


_WITH_ARTICLE: Final = frozenset(
    {
        "NOUN",
        "LESSER_OF",
        "GREATER_OF",
        "CALL_STANDS",
        "CALL_STANDS_AS",
        "CALL_TAKEN_BACK",
        "EARLIER_CALL_TAKEN_BACK",
        "OWN_CALL_TAKEN_BACK",
        "JUDGED_AGAIN_AS",
        "RIGHT_LAPSES",
    }
)


def _begins(phrase: str, begun: str) -> bool:
    """Whether what is begun could be this phrase: at its beginning, or at that of one of its words."""
    return phrase.startswith(begun) or f" {begun}" in phrase


def _after_possessive(lexemes: list[Lexeme]) -> bool:
    return bool(lexemes) and lexemes[-1].terminal == "POSSESSIVE"


def _there(of: Type) -> Type:
    """What an optional value is when it is there."""
    return of.of if isinstance(of, Optional) else of


def _suits(wanted: Type, given: Type, *, compared: bool) -> bool:
    wanted, given = _there(wanted), _there(given)
    if isinstance(wanted, SetOf) and not isinstance(given, SetOf):
        wanted = wanted.of
    numbers = isinstance(wanted, Number) and isinstance(given, Number)
    return comparable(wanted, given) if compared or numbers else fits(wanted, given)
