"""The parser: one text in, one syntax tree out. Nothing else in the package sees Lark."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, NoReturn, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer as LarkLexer

from lawbook.language import tree, types
from lawbook.language.lexemes import Lexeme, Scope, Unreadable
from lawbook.language.lexer import Lexer
from lawbook.language.meant import unpossessed
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


class _Terminals(LarkLexer):
    """Lark's interface for a custom lexer: it is given terminals and yields tokens that say which each of them is."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        for place, terminal in enumerate(data):
            yield Token(terminal, cast(str, place))


@dataclass(frozen=True, slots=True)
class _Shape:
    """How lexemes of certain terminals stand together, whatever words they are: a rule of the grammar, its parts (the
    number of a lexeme, or a shape), and the first and the last lexeme that belong to it."""

    rule: str
    parts: tuple[_Shape | int, ...]
    first: int
    last: int


@functools.cache
def _lark() -> Lark:
    text = resources.files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=_Terminals, start=list(STARTS), maybe_placeholders=False)


def parse(text: str, start: str, lexer: Lexer, scope: Scope, *, suggest: bool = True) -> tree.Tree:
    """The syntax tree of a one-line text read from one of the grammar's start rules.

    Raises Unreadable with the place and, where one is near, a suggestion, if that is wanted; in its place the text can
    be read so far.
    """
    try:
        return _parsed(text, start, lexer, scope, suggest=suggest)
    except Unreadable as error:
        if error.suggestion is not None and not _can_stand(error, text, start, lexer, scope):
            error.suggestion = None
        raise


def _can_stand(error: Unreadable, text: str, start: str, lexer: Lexer, scope: Scope) -> bool:
    """Whether a text with the suggestion in it can be read beyond the word in which the suggestion ends."""
    assert error.suggestion is not None
    # The word for a sign gets its spaces where there are none.
    space = " " if error.code == "unknown-character" else ""
    mended, after = f"{text[: error.start]}{space}{error.suggestion}{space}", text[error.end :]
    try:
        _parsed(mended + after, start, lexer, scope, suggest=False)
    except Unreadable as again:
        read = again.start - len(mended)
        # What is joined to the word belongs to it, and a sign to the sign before it.
        joined = len(after.split(" ")[0])
        return read >= joined and (again.code != "unknown-character" or bool(after[:read].strip()))
    return True


def _parsed(text: str, start: str, lexer: Lexer, scope: Scope, *, suggest: bool) -> tree.Tree:
    lexemes = lexer.read(text, start, scope, functools.partial(accepted, start) if suggest else None)
    if not lexemes:
        raise Unreadable("nothing is written here", 0, max(len(text), 1), code="empty-expression")
    try:
        shape = _shape_of(start, tuple(lexeme.terminal for lexeme in lexemes))
    except UnexpectedToken as error:
        _explain(error, lexemes, start)
    return _as_one_word(_build(shape, lexemes), lexer.vocabulary)


@functools.lru_cache(maxsize=4096)
def _shape_of(start: str, terminals: tuple[str, ...]) -> _Shape:
    """How these terminals stand together by a start rule. Thousands of texts have a few hundred shapes."""
    shape = _shape(_lark().parse(cast(str, terminals), start=start))
    # A rule that only passes its one child on leaves a bare token's parent; every start rule yields a tree.
    assert isinstance(shape, _Shape)
    return shape


def _shape(node: Any) -> _Shape | int:
    if not isinstance(node, Tree):
        return cast(int, node.value)
    parts = tuple(_shape(child) for child in node.children)
    first, last = parts[0], parts[-1]
    return _Shape(
        str(node.data),
        parts,
        first if isinstance(first, int) else first.first,
        last if isinstance(last, int) else last.last,
    )


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
    at = cast(int, error.token.value)
    lexeme = lexemes[at]
    if lexeme.terminal in ("AND", "OR", "COMMA"):
        what, help = _CONJUNCTIONS.get(start, ("anything here", None))
        raise Unreadable(
            f"`{lexeme.text}` cannot join {what}",
            lexeme.start,
            lexeme.end,
            help=help,
            code="stray-conjunction",
        ) from None
    if (told := unpossessed(lexemes, at, accepted(start, lexemes[:at]))) is not None:
        raise told from None
    raise Unreadable(
        f"`{lexeme.text}` cannot stand here, where {one_of} was expected",
        lexeme.start,
        lexeme.end,
        code="misplaced-word",
    ) from None


def _build(node: _Shape, lexemes: list[Lexeme]) -> tree.Tree:
    rule, parts = node.rule, node.parts
    place = Place(lexemes[node.first].start, lexemes[node.last].end)

    def leaf(at: int) -> Lexeme:
        part = parts[at]
        assert isinstance(part, int)
        return lexemes[part]

    def word(at: int) -> Word:
        found = leaf(at).word
        assert found is not None
        return found

    def words(terminal: str, of: _Shape = node) -> tuple[Word, ...]:
        found = (lexemes[part] for part in of.parts if isinstance(part, int))
        return tuple(one.word for one in found if one.terminal == terminal and one.word is not None)

    def value(at: int) -> tree.Value:
        part = parts[at]
        assert isinstance(part, _Shape)
        return cast(tree.Value, _build(part, lexemes))

    match rule:
        case "noun":
            lexeme = leaf(0)
            # A synonym or a capital is the same name: only the vocabulary's own spelling is kept.
            phrase = lexeme.text.lower() if lexeme.word is None else lexeme.word.phrase
            return tree.Name(place, phrase, lexeme.word, lexeme.variable)
        case "literal":
            return tree.Literal_(place, word(0).phrase)
        case "number":
            return tree.Figure(place, int(leaf(0).text))
        case "nothing":
            return tree.Nothing(place)
        case "apply" | "apply_two":
            function = word(0)
            arguments = tuple(value(at) for at in range(2, len(parts), 2))
            for (wanted, _), at in zip(function.arguments, range(1, len(parts), 2), strict=False):
                lexeme = leaf(at)
                if lexeme.text.lower() != wanted:
                    raise Unreadable(
                        f"`{function.phrase}` is followed by `{wanted}`, not `{lexeme.text}`",
                        lexeme.start,
                        lexeme.end,
                        wanted,
                        code="wrong-preposition",
                    )
            return tree.Apply(place, function, arguments)
        case "possessive":
            return tree.Apply(place, word(2), (value(0),))
        case "plus" | "minus" | "times":
            return tree.Sum(place, cast(types.Operator, rule), value(0), value(2))
        case "lesser" | "greater":
            return tree.Sum(place, rule, value(1), value(3))
        case "exists" | "absent":
            return tree.Exists(place, value(1), rule == "exists")
        case "related" | "unrelated":
            return tree.Holds(place, word(1), (value(0), value(2)), rule == "related")
        case "has" | "lacks":
            return tree.Holds(place, word(1), (value(0),), rule == "has")
        case "some_has" | "none_has" | "all_have":
            quantifier: tree.Quantifier = "some" if rule == "some_has" else "no" if rule == "none_has" else "every"
            return tree.Quantified(place, quantifier, word(1), word(2))
        case "equal" | "differs" | "at_least" | "at_most" | "more_than" | "less_than" | "among" | "not_among":
            return tree.Compare(place, rule, value(0), value(2))
        case "becomes":
            return tree.Becomes(place, value(0), value(2))
        case "verb":
            return tree.Does(place, word(0), value(1))
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
            inner = parts[0]
            assert isinstance(inner, _Shape)
            return _build(inner, lexemes)
        case "fate_stands" | "fate_stands_meanwhile" | "fate_counts_as_a_pass" | "fate_is_ignored":
            kind = rule.removeprefix("fate_").replace("_", " ")
            return tree.Fate(place, cast(Any, kind))
        case "fate_stands_as":
            return tree.Fate(place, "stands as", value(1))
        case "trigger":
            acts = parts[1]
            assert isinstance(acts, _Shape)
            return tree.Trigger(place, word(0), words("ACT", acts))
        case "stands":
            return tree.StandsTrigger(place, words("KIND"))
        case "head_function":
            return tree.Head(place, word(0), words("TYPE"))
        case "head_relation":
            return tree.Head(place, word(2), (word(1), word(1)))
        case "head_quality":
            return tree.Head(place, word(1), (word(0),))
        case "head_noun":
            return tree.Head(place, word(0), ())
        case _:
            raise AssertionError(f"the grammar has a rule the parser does not know: {rule}")
