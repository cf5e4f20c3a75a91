"""The parser: one text in, one syntax tree out. Nothing else in the package sees Lark."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from importlib import resources
from typing import Any, Final, NoReturn, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer as LarkLexer

from lawbook.language import tree, types
from lawbook.language.lexer import Lexeme, Lexer, Scope, Unreadable
from lawbook.language.tree import Place
from lawbook.language.words import Category, Vocabulary, Word

STARTS: Final = ("condition", "sum", "effect", "fate", "trigger", "stands", "head")

# How a terminal is named to an author, in the order in which it is worth naming.
_NAMES: Final = {
    "THERE_IS": "`there is`",
    "NOUN": "a noun such as `the last bid`",
    "FUNCTION": "a function such as `the points of ...`",
    "VALUE": "a named value",
    "NUMBER": "a number",
    "VERB": "a verb such as `debar`",
    "IS": "`is`",
    "IS_NOT": "`is not`",
    "RELATION": "a relation such as `outranks`",
    "QUALITY": "a quality such as `is debarred`",
    "BECOMES": "`becomes`",
    "AT_LEAST": "`is at least`",
    "ROLE": "who acts, such as `a player`",
    "ACT": "what is done, such as `bids`",
    "KIND": "a kind of call, such as `a bid`",
    "TYPE": "a type such as `player`",
    "PREPOSITION": "a preposition such as `of`",
    "STANDS": "`stands`",
    "STANDS_MEANWHILE": "`stands meanwhile`",
    "COUNTS_AS_PASS": "`counts as a pass`",
    "IS_IGNORED": "`is ignored`",
    "OR": "`or`",
    "AND": "`and`",
    "$END": "the end",
}
# What a stray `and`, `or` or comma was meant to join, by the start rule, and how that is written.
_CONJUNCTIONS: Final = {
    "condition": (
        "conditions on one line",
        "write the parts as a list under `if all of:` or `if any of:`, one condition a line",
    ),
    "effect": ("effects on one line", "write the effects as a list, one a line"),
    "trigger": ("acts here", "acts are joined by commas and `or`: `a player bids, doubles or redoubles`"),
    "stands": ("calls here", "kinds of call are joined by commas and `or`: `a bid, a double or a redouble`"),
}


class _Lexemes(LarkLexer):
    """Lark's interface for a custom lexer: it is given the lexemes and yields tokens that carry them."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        for lexeme in data:
            yield Token(lexeme.terminal, lexeme)


@functools.cache
def _lark() -> Lark:
    text = resources.files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=_Lexemes, start=list(STARTS), maybe_placeholders=False)


def parse(text: str, start: str, lexer: Lexer, scope: Scope, *, suggest: bool = True) -> tree.Tree:
    """The syntax tree of a one-line text read from one of the grammar's start rules.

    Raises Unreadable with the place and, where one is near, a suggestion, if that is wanted.
    """
    lexemes = lexer.read(text, start, scope, functools.partial(accepted, start) if suggest else None)
    if not lexemes:
        raise Unreadable("nothing is written here", 0, max(len(text), 1), code="empty-expression")
    try:
        parsed = _lark().parse(cast(str, lexemes), start=start)
    except UnexpectedToken as error:
        _explain(error, lexemes, start)
    # A rule that only passes its one child on leaves a bare token's parent; every start rule yields a tree.
    return _as_one_word(_build(parsed, lexemes), lexer.vocabulary)


def _as_one_word(node: tree.Tree, vocabulary: Vocabulary) -> tree.Tree:
    """`X is Y's partner` as the relation `is the partner of`, where there is one: what is said alike is read alike."""
    match node:
        case tree.Compare(place, ("equal" | "differs") as how, left, tree.Apply(_, word, (owner,))):
            relation = vocabulary.find(Category.RELATION, f"is {word.article} {word.phrase} {word.arguments[0][0]}")
            if relation is not None:
                return tree.Holds(place, relation, (left, owner), how == "equal")
        case tree.Compare(place, ("equal" | "differs") as how, left, tree.Name(_, _, word, None)) if word is not None:
            quality = vocabulary.find(Category.QUALITY, f"is {word.article} {word.phrase}")
            if quality is not None:
                return tree.Holds(place, quality, (left,), how == "equal")
        case _:
            pass
    return node


def accepted(start: str, lexemes: list[Lexeme]) -> frozenset[str]:
    """The terminals that may follow the lexemes read so far; none where these cannot stand together at all."""
    reading = _lark().parse_interactive(start=start)
    try:
        for lexeme in lexemes:
            reading.feed_token(Token(lexeme.terminal, cast(str, lexeme)))
    except UnexpectedToken:
        return frozenset()
    return frozenset(reading.accepts())  # type: ignore[no-untyped-call]


def _explain(error: UnexpectedToken, lexemes: list[Lexeme], start: str) -> NoReturn:
    expected = set(error.accepts or error.expected)
    wanted = [name for terminal, name in _NAMES.items() if terminal in expected]
    one_of = ", ".join(wanted[:-1]) + (" or " if len(wanted) > 1 else "") + wanted[-1] if wanted else "something else"
    if error.token.type == "$END":
        last = lexemes[-1]
        raise Unreadable(
            f"the text ends after `{last.text}`, where {one_of} should follow",
            last.end,
            last.end + 1,
            code="unfinished-expression",
        ) from None
    lexeme = cast(Lexeme, error.token.value)
    if lexeme.terminal in ("AND", "OR", "COMMA"):
        what, help = _CONJUNCTIONS.get(start, ("anything here", None))
        raise Unreadable(
            f"`{lexeme.text}` cannot join {what}",
            lexeme.start,
            lexeme.end,
            help=help,
            code="stray-conjunction",
        ) from None
    raise Unreadable(
        f"`{lexeme.text}` cannot stand here, where {one_of} was expected",
        lexeme.start,
        lexeme.end,
        code="misplaced-word",
    ) from None


def _lexemes_of(node: Any) -> Iterator[Lexeme]:
    if isinstance(node, Tree):
        for child in node.children:
            yield from _lexemes_of(child)
    else:
        yield node.value


def _place(node: Any) -> Place:
    found = list(_lexemes_of(node))
    return Place(found[0].start, found[-1].end)


def _word(token: Any) -> Word:
    word = token.value.word
    assert word is not None
    return cast(Word, word)


def _build(node: Any, lexemes: list[Lexeme]) -> tree.Tree:
    rule, parts, place = str(node.data), list(node.children), _place(node)

    def value(at: int) -> tree.Value:
        return cast(tree.Value, _build(parts[at], lexemes))

    match rule:
        case "noun":
            lexeme = parts[0].value
            # A synonym or a capital is the same name: only the vocabulary's own spelling is kept.
            phrase = lexeme.text.lower() if lexeme.word is None else lexeme.word.phrase
            return tree.Name(place, phrase, lexeme.word, lexeme.variable)
        case "literal":
            return tree.Literal_(place, parts[0].value.word.phrase)
        case "number":
            return tree.Figure(place, int(parts[0].value.text))
        case "nothing":
            return tree.Nothing(place)
        case "apply" | "apply_two":
            word = _word(parts[0])
            arguments = tuple(value(at) for at in range(2, len(parts), 2))
            for (wanted, _), given in zip(word.arguments, parts[1::2], strict=False):
                if given.value.text.lower() != wanted:
                    lexeme = given.value
                    raise Unreadable(
                        f"`{word.phrase}` is followed by `{wanted}`, not `{lexeme.text}`",
                        lexeme.start,
                        lexeme.end,
                        wanted,
                        code="wrong-preposition",
                    )
            return tree.Apply(place, word, arguments)
        case "possessive":
            return tree.Apply(place, _word(parts[2]), (value(0),))
        case "plus" | "minus" | "times":
            return tree.Sum(place, cast(types.Operator, rule), value(0), value(2))
        case "lesser" | "greater":
            return tree.Sum(place, rule, value(1), value(3))
        case "exists" | "absent":
            return tree.Exists(place, value(1), rule == "exists")
        case "related" | "unrelated":
            return tree.Holds(place, _word(parts[1]), (value(0), value(2)), rule == "related")
        case "has" | "lacks":
            return tree.Holds(place, _word(parts[1]), (value(0),), rule == "has")
        case "some_has" | "none_has" | "all_have":
            quantifier: tree.Quantifier = "some" if rule == "some_has" else "no" if rule == "none_has" else "every"
            return tree.Quantified(place, quantifier, _word(parts[1]), _word(parts[2]))
        case "equal" | "differs" | "at_least" | "at_most" | "more_than" | "less_than" | "among" | "not_among":
            return tree.Compare(place, rule, value(0), value(2))
        case "becomes":
            return tree.Becomes(place, value(0), value(2))
        case "verb":
            return tree.Does(place, _word(parts[0]), value(1))
        case "points":
            return tree.Points(place, value(0), value(2))
        case "call_stands":
            return tree.CallStands(place, None)
        case "call_stands_as":
            return tree.CallStands(place, value(1))
        case "call_taken_back":
            return tree.TakenBack(place)
        case "earlier_call_taken_back" | "own_call_taken_back":
            return tree.EarlierTakenBack(place, rule == "own_call_taken_back")
        case "judged_again_as":
            return tree.JudgedAgain(place, value(1))
        case "right_lapses":
            return tree.RightLapses(place)
        case "effect":
            return _build(parts[0], lexemes)
        case "fate_stands" | "fate_stands_meanwhile" | "fate_counts_as_a_pass" | "fate_is_ignored":
            kind = rule.removeprefix("fate_").replace("_", " ")
            return tree.Fate(place, cast(Any, kind))
        case "fate_stands_as":
            return tree.Fate(place, "stands as", value(1))
        case "trigger":
            acts = tuple(_word(t) for t in parts[1].children if t.type == "ACT")
            return tree.Trigger(place, _word(parts[0]), acts)
        case "stands":
            return tree.StandsTrigger(place, tuple(_word(t) for t in parts if t.type == "KIND"))
        case "head_function":
            return tree.Head(place, _word(parts[0]), tuple(_word(t) for t in parts if t.type == "TYPE"))
        case "head_relation":
            return tree.Head(place, _word(parts[2]), (_word(parts[1]), _word(parts[1])))
        case "head_quality":
            return tree.Head(place, _word(parts[1]), (_word(parts[0]),))
        case "head_noun":
            return tree.Head(place, _word(parts[0]), ())
        case _:
            raise AssertionError(f"the grammar has a rule the parser does not know: {rule}")
