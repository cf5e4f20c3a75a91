"""The condition language: printing and reading are inverse, the grammar is unambiguous, messages are what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import GrammarError

from lawbook.auction import load
from lawbook.edition import expressions
from lawbook.edition.library import Library
from lawbook.edition.resolve import Resolver
from lawbook.language import check, core, parser, tree, types
from lawbook.language.lexemes import Unreadable, Variable
from lawbook.language.lexer import GRAMMAR_PHRASES, Lexer
from lawbook.language.parser import STARTS, parse
from lawbook.language.printing import canonical
from lawbook.language.words import Category, Word

EDITION = load("whist-club-1912")
LEXER = Lexer.of(EDITION.vocabulary)
CHECKER = check.Checker(EDITION.vocabulary, EDITION.universe, {n: r.together for n, r in EDITION.registers.items()})
# What a clause about a bid binds, and what the body of a definition does.
SCOPE: Mapping[str, Variable] = {
    "caller": Variable("caller", types.SEAT),
    "player": Variable("caller", types.SEAT),
    "call": Variable("call", types.CALL),
    "bid": Variable("bid", types.BID),
    "that bid": Variable("that", types.BID),
}
NOTHING_BOUND: Mapping[str, Variable] = {}
HERE = tree.Place(0, 0)


def read(text: str, start: str = "condition") -> tree.Tree:
    bound = SCOPE if start in ("condition", "sum", "effect", "fate") else NOTHING_BOUND
    return parse(text, start, LEXER, bound)


# -- the grammar -----------------------------------------------------------------------------------------------------


def strictly(grammar: str) -> Lark:
    return Lark(grammar, parser="lalr", lexer=parser._Terminals, start=list(STARTS), strict=True)


def test_the_grammar_is_lalr_without_conflicts() -> None:
    grammar = resources.files("lawbook.language").joinpath("grammar.lark").read_text(encoding="utf-8")
    strictly(grammar)
    # The same check does find an ambiguity: sums without sides.
    with pytest.raises(GrammarError, match="conflict"):
        strictly(grammar.replace("?sum: sum PLUS term", "?sum: sum PLUS sum"))


def test_every_terminal_of_the_lexer_is_known_to_the_grammar() -> None:
    grammar = resources.files("lawbook.language").joinpath("grammar.lark").read_text(encoding="utf-8")
    declared = {word for line in grammar.splitlines() if line.startswith("%declare") for word in line.split()[1:]}
    assert set(GRAMMAR_PHRASES.values()) <= declared


# -- printing and reading --------------------------------------------------------------------------------------------

EDITIONS = sorted(Library.shipped().edition_files())


def expressions_of(edition: str) -> Iterator[tuple[str, str, Lexer, Mapping[str, Variable]]]:
    """Every text that is read as an expression when an edition is resolved."""
    found: list[tuple[str, str, Lexer, Mapping[str, Variable]]] = []

    def noted(text: str, start: str, lexer: Lexer, scope: Mapping[str, Variable]) -> tree.Tree:
        found.append((text, start, lexer, scope))
        return parse(text, start, lexer, scope)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expressions, "parse", noted)
        # Anew: what is remembered of a text is not parsed again.
        Resolver(Library.shipped()).resolve(edition)
    yield from found


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_expression_of_every_law_is_printed_and_read_back(edition: str) -> None:
    seen = 0
    for text, start, lexer, scope in expressions_of(edition):
        first = parse(text, start, lexer, scope)
        printed = canonical(first)
        again = parse(printed, start, lexer, scope)
        assert again == first, text
        assert canonical(again) == printed, text
        seen += 1
    assert seen > 100


def of_category(category: Category, arguments: int | None = None) -> list[Word]:
    return [
        word
        for word in EDITION.vocabulary.canonical.values()
        if word.category is category
        and (arguments is None or len(word.arguments) == arguments)
        # What the scope binds hides the vocabulary's word.
        and not (category is Category.NOUN and word.phrase in SCOPE)
    ]


NAMES = st.sampled_from(
    [tree.Name(HERE, w.phrase, w, None) for w in of_category(Category.NOUN)]
    + [tree.Name(HERE, phrase, None, variable) for phrase, variable in SCOPE.items()]
)
LITERALS = st.sampled_from([tree.Literal_(HERE, w.phrase) for w in of_category(Category.VALUE)])
FIGURES = st.integers(0, 400).map(lambda n: tree.Figure(HERE, n))
ONE, TWO = of_category(Category.FUNCTION, 1), of_category(Category.FUNCTION, 2)


def product(left: st.SearchStrategy[Any], right: st.SearchStrategy[Any]) -> st.SearchStrategy[tree.Sum]:
    return st.builds(lambda a, b: tree.Sum(HERE, "times", a, b), left, right)


def total(left: st.SearchStrategy[Any], right: st.SearchStrategy[Any]) -> st.SearchStrategy[tree.Sum]:
    operators = st.sampled_from(["plus", "minus"])
    return st.builds(lambda o, a, b: tree.Sum(HERE, o, a, b), operators, left, right)


def larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Values that can stand wherever one value can; sums only inside `the lesser of`."""
    either = st.sampled_from(["lesser", "greater"])
    return st.one_of(
        st.builds(lambda w, a: tree.Apply(HERE, w, (a,)), st.sampled_from(ONE), inner),
        st.builds(lambda w, a, b: tree.Apply(HERE, w, (a, b)), st.sampled_from(TWO), inner, inner),
        st.builds(lambda o, a, b: tree.Sum(HERE, o, a, b), either, st.one_of(inner, total(inner, inner)), inner),
    )


PLACED = st.one_of(NAMES, FIGURES, LITERALS)
VALUES = st.recursive(st.one_of(PLACED, st.just(tree.Nothing(HERE))), larger, max_leaves=6)
TERMS = st.one_of(VALUES, product(VALUES, VALUES), product(product(VALUES, VALUES), VALUES))
SUMS = st.one_of(TERMS, total(TERMS, TERMS), total(total(TERMS, TERMS), TERMS))
# To ask whether clubs exist has no meaning; nobody would write it.
ASKED = st.recursive(NAMES, larger, max_leaves=4)
COMPARATORS = ["equal", "differs", "at_least", "at_most", "more_than", "less_than"]
CONDITIONS = st.one_of(
    st.builds(lambda v, p: tree.Exists(HERE, v, p), ASKED, st.booleans()),
    st.builds(lambda c, a, b: tree.Compare(HERE, c, a, b), st.sampled_from(COMPARATORS), SUMS, SUMS),
    st.builds(lambda c, a, b: tree.Compare(HERE, c, a, b), st.sampled_from(["among", "not_among"]), SUMS, VALUES),
    st.builds(
        lambda w, a, b, p: tree.Holds(HERE, w, (a, b), p),
        st.sampled_from(of_category(Category.RELATION)), SUMS, VALUES, st.booleans(),
    ),
    st.builds(
        lambda w, a, p: tree.Holds(HERE, w, (a,), p),
        st.sampled_from(of_category(Category.QUALITY)), SUMS, st.booleans(),
    ),
    st.builds(
        lambda q, t, w: tree.Quantified(HERE, q, t, w),
        st.sampled_from(["some", "no", "every"]),
        st.sampled_from(of_category(Category.TYPE)),
        st.sampled_from(of_category(Category.QUALITY)),
    ),
)  # fmt: skip
EFFECTS = st.one_of(
    st.builds(lambda a, b: tree.Becomes(HERE, a, b), ASKED, SUMS),
    st.builds(lambda w, a: tree.Does(HERE, w, a), st.sampled_from(of_category(Category.VERB)), VALUES),
    st.builds(lambda a, b: tree.Points(HERE, a, b), SUMS, VALUES),
    st.just(tree.CallStands(HERE, None)),
    st.builds(lambda a: tree.CallStands(HERE, a), VALUES),
    st.just(tree.TakenBack(HERE)),
    st.builds(tree.EarlierTakenBack, st.just(HERE), st.booleans()),
    st.builds(lambda a: tree.JudgedAgain(HERE, a), VALUES),
    st.just(tree.RightLapses(HERE)),
)
FATES = st.one_of(
    st.sampled_from(["stands", "stands meanwhile", "counts as a pass", "is ignored"]).map(
        lambda kind: tree.Fate(HERE, kind)  # type: ignore[arg-type]
    ),
    st.builds(lambda a: tree.Fate(HERE, "stands as", a), VALUES),
)
TRIGGERS = st.builds(
    lambda r, a: tree.Trigger(HERE, r, tuple(a)),
    st.sampled_from(of_category(Category.ROLE)),
    st.lists(st.sampled_from(of_category(Category.ACT)), min_size=1, max_size=4),
)
STANDING = st.lists(st.sampled_from(of_category(Category.KIND)), min_size=1, max_size=4).map(
    lambda kinds: tree.StandsTrigger(HERE, tuple(kinds))
)
TREES = st.one_of(
    st.tuples(st.just("condition"), CONDITIONS),
    st.tuples(st.just("sum"), SUMS),
    st.tuples(st.just("effect"), EFFECTS),
    st.tuples(st.just("fate"), FATES),
    st.tuples(st.just("trigger"), TRIGGERS),
    st.tuples(st.just("stands"), STANDING),
)


def reckons_with_partner(value: tree.Value) -> bool:
    while isinstance(value, tree.Sum) and value.operator in ("plus", "minus", "times"):
        value = value.left
    return isinstance(value, tree.Apply) and value.word.phrase == "partner"


@given(TREES)
@settings(max_examples=400, deadline=None)
def test_every_tree_is_read_back_from_what_is_printed(case: tuple[str, tree.Tree]) -> None:
    start, node = case
    node = parser._as_one_word(node, EDITION.vocabulary)
    # `X is the partner of Y times 2` would be about numbers that no seat is: the checker refuses it either way.
    assume(
        not (isinstance(node, tree.Compare) and isinstance(node.right, tree.Sum) and reckons_with_partner(node.right))
    )
    assert read(canonical(node), start) == node


@given(TREES, st.data())
@settings(max_examples=150, deadline=None)
def test_a_text_cut_short_is_read_or_refused_never_more(case: tuple[str, tree.Tree], data: st.DataObject) -> None:
    start, node = case
    text = canonical(node)
    cut = data.draw(st.integers(0, len(text)))
    for part in (text[:cut], text[cut:], text[:cut] + "# x" + text[cut:]):
        refused: Unreadable | None = None
        try:
            read(part, start)
        except Unreadable as error:
            refused = error
        if refused is not None:
            assert 0 <= refused.start < refused.end <= max(len(part), 1) + 1
            assert refused.message


@pytest.mark.parametrize(
    "text, printed",
    [
        ("The Turn Is The Caller", "the player in turn is the caller"),
        ("last bid's denomination is clubs", "the last bid's denomination is clubs"),
        ("the denomination of the last bid is clubs", "the last bid's denomination is clubs"),
        ("the passes are fewer than 3", "the passes are less than 3"),
        ("doubling is greater than 1", "the doubling is more than 1"),
        (
            "there is no first namer of clubs for the side of the caller",
            "there is no first namer of clubs for the caller's side",
        ),
        ("the call is pass", "the call is pass"),
        ("the  call   is a pass", "the call is a pass"),
        ("some seat is debarred", "some seat is debarred"),
        ("the caller is the last bidder's partner", "the caller is the partner of the last bidder"),
        ("the caller is not the last bidder's partner", "the caller is not the partner of the last bidder"),
        ("the player’s partner is debarred", "the player's partner is debarred"),
    ],
)
def test_one_spelling_for_what_can_be_said_in_several_ways(text: str, printed: str) -> None:
    assert canonical(read(text)) == printed
    assert canonical(read(printed)) == printed


def test_definitions_heads_are_printed_and_read_back() -> None:
    for text in (
        "the points of a bid",
        "one bid outranks another",
        "a player is in turn",
        "the declarer",
        "the lowest sufficient bid in a denomination over a bid",
    ):
        assert canonical(read(text, "head")) == text


# -- types and guards ------------------------------------------------------------------------------------------------


def verdict(text: str, start: str = "condition") -> str:
    """What is said of a text: its canonical form, or `columns: message` with the code, suggestion and help."""
    try:
        node = read(text, start)
        if isinstance(node, tree.Exists | tree.Compare | tree.Holds | tree.Quantified):
            CHECKER.condition(node, check.NO_FACTS)
        elif start == "sum":
            CHECKER.value(node, check.NO_FACTS)  # type: ignore[arg-type]
    except Unreadable as error:
        parts = [f"{error.start + 1}-{error.end} {error.code}: {error.message}"]
        parts += [f"did you mean `{error.suggestion}`"] if error.suggestion else []
        parts += [error.help] if error.help else []
        return " | ".join(parts)
    return canonical(node)


MESSAGES = Path(__file__).parent / "bad" / "language.txt"


def test_what_is_said_of_texts_that_are_wrong(recorded: Callable[[Path, str], None]) -> None:
    """The file holds texts, each with what is said of it below; `--record` writes what is said anew."""
    lines = MESSAGES.read_text(encoding="utf-8").splitlines()
    texts = [line.partition(": ") for line in lines if line and not line.startswith((" ", "#"))]
    assert len(texts) > 60
    blocks = [line for line in lines if line.startswith("#")]
    for start, _, text in texts:
        said = verdict(text, start)
        blocks.append(f"{start}: {text}".rstrip() + f"\n    {said}")
    recorded(MESSAGES, "\n".join(blocks) + "\n")


def test_what_a_guard_makes_known() -> None:
    bid = CHECKER.condition(read("there is a last bid"), check.NO_FACTS)  # type: ignore[arg-type]
    known = CHECKER.learned(bid)
    # The last bidder is present with the last bid, so one guard will do for both.
    assert {name for name, _ in known} == {"last bid", "last bidder"}
    assert CHECKER.learned(core.Not(bid)) == check.NO_FACTS
    assert CHECKER.learned_if_false(core.Not(bid)) == known
    assert CHECKER.learned(core.AnyOf((bid, core.TRUE))) == check.NO_FACTS
    assert CHECKER.learned(core.AnyOf((bid, bid))) == known
    assert CHECKER.learned_if_false(core.AnyOf((core.Not(bid), core.TRUE))) == known
    outranks = read("the bid outranks the last bid")
    assert isinstance(outranks, tree.Holds)
    CHECKER.condition(outranks, known)
    with pytest.raises(Unreadable, match="missing"):
        CHECKER.condition(outranks, check.NO_FACTS)


def test_a_guard_for_one_side_is_none_for_the_other() -> None:
    guard = read("there is a last own bid of the caller's side")
    known = CHECKER.learned(CHECKER.condition(guard, check.NO_FACTS))  # type: ignore[arg-type]
    own, other = (
        read(f"the last own bid of {side} outranks the bid")
        for side in ("the caller's side", "the other side of the caller's side")
    )
    CHECKER.condition(own, known)  # type: ignore[arg-type]
    with pytest.raises(Unreadable, match="may be missing"):
        CHECKER.condition(other, known)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text, low, high",
    [
        ("the tricks of the bid plus 3", 4, 11),
        ("the tricks of the bid minus 3", -2, 5),
        ("3 minus the doubling", 1, 3),
        ("the doubling minus 2 times 3", -6, -4),
        ("the doubling times the doubling", 0, 4),
        ("the lesser of the doubling and 1", 0, 1),
        ("the lesser of the passes and the doubling", 0, 2),
    ],
)
def test_bounds_of_what_is_reckoned(text: str, low: int, high: int) -> None:
    assert CHECKER.value(read(text, "sum"), check.NO_FACTS).type == types.Number(low, high)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["seat", "optional bid", "set of side", "number from 0 to 3", "status", "optional number from 1 to 7"]
)
def test_a_type_is_written_as_it_is_read(text: str) -> None:
    found = types.parse_type(text, ["status"])
    assert found is not None
    assert types.type_text(found) == text


@pytest.mark.parametrize("text", ["set", "sets of seat", "optional optional seat", "number from 3 to 0", "number", ""])
def test_what_is_no_type(text: str) -> None:
    assert types.parse_type(text, ["status"]) is None
