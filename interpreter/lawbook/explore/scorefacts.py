"""Facts: what may be so of a side in a deal, as the clauses that score it ask it, and how it is said.

What may be said are the conditions of the clauses that are the cause, of their exceptions and of the definitions they
use, of the side whose score is not the same and of the other; which of two amounts is the lesser where a clause takes
that; whether an amount is nothing; and what a definition that the editions have not alike says.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from lawbook.compare.bearers import clauses_of
from lawbook.edition.machines import parts_of, registers_of
from lawbook.edition.model import Clause, Score
from lawbook.explore.accounts import Ledgers, Pair
from lawbook.explore.causes import Cause
from lawbook.explore.learning import Fact
from lawbook.explore.scoring import Scorer
from lawbook.inspection import value_text
from lawbook.language import core
from lawbook.language.types import DENOMINATION, SEAT, SIDE, Number, Type
from lawbook.language.words import Category
from lawbook.machine.evaluate import Bound
from lawbook.sentences import listed

if TYPE_CHECKING:
    from lawbook.explore.scores import Gone, ScoreSearch

# In the place of a side: only one edition scores the deal.
NOBODY: Final = -1
# What a clause is read for, and how its own words call it.
_CALLED: Final[dict[Type, str]] = {SIDE: "side", SEAT: "player", DENOMINATION: "denomination"}


class Unit(NamedTuple):
    """A deal as the facts of both editions, and a side; `NOBODY` where only one of them scores it."""

    pair: Pair
    side: int


def facts_of_cause(search: ScoreSearch, cause: Cause, accounts: Sequence[Gone] = ()) -> Iterator[Fact[Unit]]:
    """The facts that may be spoken of, the plainest first: of the clauses that are the cause, and of all in these
    accounts."""
    ledgers = search.ledgers
    asked: list[dict[tuple[object, str], core.Truth]] = []
    more = frozenset[str]().union(*(gone.account.ids for gone in accounts))
    for which, ids in ((0, cause.a | more), (1, cause.b | more)):
        scorer = ledgers.scorers[which]
        nodes: dict[tuple[object, str], core.Truth] = {}
        for clause in clauses_of(scorer.edition, ids):
            for node, said in _nodes(scorer, clause):
                nodes.setdefault((node.text if isinstance(node, core.Leaf) else node, said), node)
        asked.append(nodes)
    yield from _of_tables(ledgers, cause)
    if accounts:
        yield from _of_amounts(ledgers, more)
        yield from (fact for fact in _of_numbers(ledgers) if all(is_alike(ledgers, fact, gone) for gone in accounts))
    for written in (True, False):
        for which, nodes in enumerate(asked):
            for (_, said), node in nodes.items():
                if isinstance(node, core.Leaf) is written:
                    yield from _of_a_node(ledgers, which, node, said)


def _of_tables(ledgers: Ledgers, cause: Cause) -> Iterator[Fact[Unit]]:
    """In which denominations tables that are part of the cause do not say the same."""
    universes = [scorer.edition.universe for scorer in ledgers.scorers]
    slots = ledgers.slot(0, "contract")
    if slots is None:
        return
    for name in {*ledgers.a.edition.definitions} & {*ledgers.b.edition.definitions}:
        both = [scorer.edition.definitions[name] for scorer in ledgers.scorers]
        if both[0].clause not in cause.a or both[1].clause not in cause.b:
            continue
        if any(of.table is None or of.parameters[0][1] != DENOMINATION for of in both):
            continue
        differing = frozenset(
            letter
            for letter in ledgers.letters
            if len({of.table[u.letters.index(letter)] for of, u in zip(both, universes, strict=True) if of.table}) > 1
        )
        names = [universes[0].denominations[universes[0].letters.index(letter)] for letter in sorted(differing)]

        def holds(unit: Unit, slot: int = slots, differing: frozenset[str] = differing) -> bool:
            bid = unit.pair[0][slot]
            return bid is not None and universes[0].letters[universes[0].denomination(bid)] in differing

        said = f"the declaration is in {listed(names, 'or')}"
        yield Fact(holds, said, f"the declaration is not in {listed(names, 'or')}")


def _of_amounts(ledgers: Ledgers, ids: frozenset[str]) -> Iterator[Fact[Unit]]:
    """Whether a number that clauses of both editions use, and do not say alike, is the same."""
    used = [
        frozenset[str]().union(*(scorer.definitions(clause) for clause in ledgers.of(which, ids)))
        for which, scorer in enumerate(ledgers.scorers)
    ]
    for name in sorted(used[0] & used[1] & ledgers.roots):
        both = [scorer.edition.definitions[name] for scorer in ledgers.scorers]
        if any(of.parameters or of.body is None for of in both) or isinstance(both[0].body, _TRUTHS):
            continue
        uses = [core.Use(name, (), _ANY) for _ in both]

        def holds(unit: Unit, uses: Sequence[core.Use] = uses) -> bool:
            values = [
                scorer.filled.evaluator.value(use, values, {})
                for scorer, use, values in zip(ledgers.scorers, uses, unit.pair, strict=True)
            ]
            return values[0] != values[1]

        said = _applied(ledgers.a, "definition", name, ())
        yield Fact(holds, f"{said} are not as many under both", f"{said} are as many under both")


def _of_numbers(ledgers: Ledgers) -> Iterator[Fact[Unit]]:
    """Whether what is told of each side is several."""
    for fact in ledgers.a.edition.facts.values():
        if fact.indices == (SIDE,) and fact.key is not None:
            for turn, whose in enumerate(("the side", "the other side")):

                def holds(unit: Unit, slot: int = fact.slot, turn: int = turn) -> bool:
                    return unit.side != NOBODY and (unit.pair[0][slot + (unit.side + turn) % 2] or 0) > 1

                said = f"the {fact.name} of {whose} are"
                yield Fact(holds, f"{said} at least 2", f"{said} less than 2")


def is_alike(ledgers: Ledgers, fact: Fact[Unit], gone: Gone) -> bool:
    """Whether a fact is so of all values that one stands for in the deals of an account, or of none."""
    for key, kinds in zip(gone.account.asked, gone.account.kinds, strict=True):
        values = ledgers.filled((key,))
        for kind in kinds:
            pairs = [pair for place in kind if (pair := values((place,))) is not None]
            if any(len({fact.holds(Unit(pair, side)) for pair in pairs}) > 1 for side in (NOBODY, 0, 1)):
                return False
    return True


_ANY: Final = Number(0, 0)
_TRUTHS: Final = (core.Leaf, core.All, core.AnyOf, core.Not, core.Ordered, core.Among, core.Present, core.Some)


def _nodes(scorer: Scorer, clause: Clause) -> Iterator[tuple[core.Truth, str]]:
    """The conditions that may be asked, with how they are said: those written in a clause and in what it uses, and what
    its amounts turn on."""
    edition = scorer.edition
    trees: list[object] = [scorer.trees(clause)]
    trees += [
        definition.body
        for name, definition in edition.definitions.items()
        if name in scorer.definitions(clause) or definition.clause == clause.id
    ]
    for part in (part for tree in trees for part in parts_of(tree)):
        match part:
            case core.Leaf():
                yield part, part.text
            case Score(amount=core.Use() as amount):
                yield _is_not_nothing(scorer, amount)
            case core.Arithmetic("lesser" | "greater", left, right):
                one, other = _said(scorer, left), _said(scorer, right)
                yield core.Ordered("less", left, right), f"{one} is less than {other}"
                yield core.Ordered("less", right, left), f"{one} is more than {other}"
            case core.Arithmetic("times", left, right):
                for factor in (left, right):
                    if not isinstance(factor, core.Constant | core.Arithmetic):
                        yield _is_not_nothing(scorer, factor)
            case _:
                pass


def _is_not_nothing(scorer: Scorer, amount: core.Value) -> tuple[core.Truth, str]:
    nothing = core.Ordered("equal", amount, core.Constant(0, amount.type))
    return core.Not(nothing), f"{_said(scorer, amount)} is not 0"


def _said(scorer: Scorer, node: core.Value) -> str:
    """A value in law words."""
    edition = scorer.edition
    match node:
        case core.Variable(name, of):
            return f"the {_CALLED.get(of, name)}"
        case core.Constant(value, of):
            return value_text(edition, of, value)
        case core.Arithmetic(sign, left, right):
            one, other = _said(scorer, left), _said(scorer, right)
            return f"the {sign} of {one} and {other}" if sign in ("lesser", "greater") else f"{one} {sign} {other}"
        case core.Read(name, arguments):
            return _applied(scorer, "register", name, arguments)
        case core.Operate(name, arguments):
            return _applied(scorer, "primitive", name, arguments)
        case core.Use(name, arguments):
            return _applied(scorer, "definition", name, arguments)
        case _:
            return "the value"


def _applied(scorer: Scorer, meaning: str, target: str, arguments: tuple[core.Value, ...]) -> str:
    words = scorer.edition.vocabulary.canonical.values()
    word = next((w for w in words if w.meaning == meaning and w.target == target), None)
    if word is None or word.category not in (Category.FUNCTION, Category.NOUN):
        of = "".join(f" of {_said(scorer, each)}" for each in arguments)
        return f"the {target}{of}"
    given = zip(word.arguments, arguments, strict=False)
    return f"the {word.phrase}" + "".join(f" {preposition} {_said(scorer, value)}" for (preposition, _), value in given)


def _of_a_node(ledgers: Ledgers, which: int, node: core.Truth, said: str) -> Iterator[Fact[Unit]]:
    """What a condition says of a side and of the other, of either player of each, or of the declaration."""
    scorer = ledgers.scorers[which]
    free: dict[str, Type] = {part.name: part.type for part in parts_of(node) if isinstance(part, core.Variable)}
    if len(free) > 1 or not registers_of(node, scorer.edition.definitions):
        return
    name, of = next(iter(free.items()), ("", None))
    declarer, contract = ledgers.slot(which, "declarer"), ledgers.slot(which, "contract")
    universe = scorer.edition.universe

    def side_of(unit: Unit) -> int:
        if unit.side != NOBODY or declarer is None:
            return max(unit.side, 0)
        return (unit.pair[which][declarer] or 0) % 2

    def of_sides(turn: int) -> Callable[[Unit], list[Bound]]:
        return lambda unit: [{name: (side_of(unit) + turn) % 2}]

    def of_players(turn: int) -> Callable[[Unit], list[Bound]]:
        return lambda unit: [{name: (side_of(unit) + turn) % 2 + hand} for hand in (0, 2)]

    def of_the_declaration(unit: Unit) -> list[Bound]:
        bid = None if contract is None else unit.pair[which][contract]
        return [] if bid is None else [{name: universe.denomination(bid)}]

    if of is None:
        yield _fact(ledgers, which, node, lambda unit: [{}], said)
    elif of == SIDE:
        for turn in range(2):
            yield _fact(ledgers, which, node, of_sides(turn), _of_side(said, turn))
    elif of == SEAT:
        for turn, whose in enumerate(("a player of the side", "a player of the other side")):
            yield _fact(ledgers, which, node, of_players(turn), re.sub(r"\bthe player\b(?! of the hands)", whose, said))
    elif of == DENOMINATION:
        said = re.sub(r"\bthe denomination\b", "the contract's denomination", said)
        yield _fact(ledgers, which, node, of_the_declaration, said)


def _of_side(said: str, turn: int) -> str:
    """What is said of a side, or (`turn`) of the other."""
    said = re.sub(r"\bthe side's other side\b|\bthe other side of the side\b(?! of)", "\0", said)
    if turn:
        said = re.sub(r"\bthe side\b(?! of)", "the other side", said)
    return said.replace("\0", "the side" if turn else "the other side")


def _fact(
    ledgers: Ledgers, which: int, node: core.Truth, bounds: Callable[[Unit], list[Bound]], said: str
) -> Fact[Unit]:
    scorer = ledgers.scorers[which]
    evaluator = scorer.filled.evaluator
    keys = [scorer.registers[name] for name in sorted(registers_of(node, scorer.edition.definitions))]
    slots = [slot for register in keys for slot in range(register.slot, register.slot + register.size)]
    slots += [slot for key in ("declarer", "contract") if (slot := ledgers.slot(which, key)) is not None]
    read = operator.itemgetter(*slots)
    known: dict[object, bool] = {}

    def holds(unit: Unit) -> bool:
        values = unit.pair[which]
        key = unit.side, read(values)
        found = known.get(key)
        if found is None:
            found = known[key] = any(evaluator.truth(node, values, bound) for bound in bounds(unit))
        return found

    return Fact(holds, said, _denied(scorer, said), scorer.edition.name)


_CONTRARY: Final = (
    ("at least", "less than"),
    ("at most", "more than"),
    ("less than", "at least"),
    ("more than", "at most"),
    ("not among", "among"),
    ("among", "not among"),
    ("not ", ""),
    ("", "not "),
)


def _denied(scorer: Scorer, said: str) -> str:
    """The contrary of what is said, in the words that the vocabulary has for it."""
    for word in scorer.edition.vocabulary.canonical.values():
        if word.category is Category.QUALITY and word.negative:
            for one, other in ((word.negative, word.phrase), (word.phrase, word.negative)):
                if said.endswith(f" {one}"):
                    return f"{said.removesuffix(one)}{other}"
    for verb in (" is ", " are "):
        head, found, rest = said.rpartition(verb)
        if found:
            for one, other in _CONTRARY:
                if rest.startswith(one):
                    return f"{head}{verb}{other}{rest.removeprefix(one)}"
    return f"it is not so that {said}"
