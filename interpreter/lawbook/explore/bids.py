"""Bids that suffice: the few that stand in every relation to one another that the laws ask about.

A law asks of bids only whether one outranks another, how many odd tricks it is, whether it can be raised, ... What can
be asked is read off the conditions of the editions. Bids are then added, the most telling first, until every answer
that any three bids can give (the last bid, the one before it, and the one made) is given by three of those chosen.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar

from lawbook.edition.machines import definitions_of, effects_of, parts_of, registers_of, variables_of
from lawbook.edition.model import Edition, Fate, StandAs
from lawbook.explore.bearing import bearing, bearing_clauses
from lawbook.language import core
from lawbook.language.types import BID, CALL, DENOMINATION, TRUTH, Optional
from lawbook.loading import call_number, machine_of
from lawbook.values import Bid

Tree = TypeVar("Tree")


@dataclass(frozen=True, slots=True)
class Sufficient:
    """Bids to search with: in how many ways three bids can stand to one another for the laws, in how many those chosen
    do, and the questions the laws ask of bids, in their words."""

    bids: tuple[Bid, ...]
    relations: int
    shown: int
    questions: tuple[str, ...]

    @property
    def all_shown(self) -> bool:
        """Whether no further bid would show anything new."""
        return self.shown == self.relations


def all_bids(*editions: Edition) -> tuple[Bid, ...]:
    """The bids of the denominations that all the editions know, lowest level first, the impossible one included."""
    first, *others = editions
    letters = [x for x in first.universe.letters if all(x in other.universe.letters for other in others)]
    return tuple(Bid(level, letter) for level in range(1, first.universe.levels + 1) for letter in letters)


def bids_known_to_some(a: Edition, b: Edition) -> tuple[Bid, ...]:
    """A bid of one in each denomination that one edition knows and the other does not."""
    return tuple(
        Bid(1, letter)
        for one, other in ((a, b), (b, a))
        for letter in one.universe.letters
        if letter not in other.universe.letters
    )


def sufficient_bids(editions: Sequence[Edition], acts: Sequence[str], most: int | None = None) -> Sufficient:
    """Bids that suffice to tell what the editions tell apart by these acts; with `most`, the most telling so many."""
    offered = all_bids(*editions)
    tellings = [_Telling(edition, acts, offered) for edition in editions]

    places = range(len(offered))
    # How two stand to one another, and to what is put in the place of one, is numbered first: there are many threes.
    made: dict[object, int] = {}
    pairs: dict[object, int] = {}
    first_two = [
        [made.setdefault(tuple(telling.first_two(x, y) for telling in tellings), len(made)) for y in places]
        for x in places
    ]
    two = [
        [pairs.setdefault(tuple(telling.two(x, y) for telling in tellings), len(pairs)) for y in places] for x in places
    ]
    numbers: dict[object, int] = {}
    told = {
        (x, y, z): numbers.setdefault((first_two[x][y], two[y][z], two[x][z]), len(numbers))
        for x, y, z in itertools.product(places, repeat=3)
    }
    chosen: list[int] = []
    shown: set[int] = set()
    while len(shown) < len(numbers) and (most is None or len(chosen) < most):
        best = max(
            (bid for bid in range(len(offered)) if bid not in chosen),
            key=lambda bid: (len(shown | _shown([*chosen, bid], told)), -bid),
        )
        chosen.append(best)
        shown |= _shown(chosen, told)
    for bid in list(chosen):
        fewer = [other for other in chosen if other != bid]
        if len(_shown(fewer, told)) == len(shown):
            chosen = fewer
    questions = dict.fromkeys(text for telling in tellings for text in telling.questions)
    return Sufficient(tuple(offered[bid] for bid in sorted(chosen)), len(numbers), len(shown), tuple(questions))


def _shown(chosen: Sequence[int], told: dict[tuple[int, int, int], int]) -> set[int]:
    return {told[x, y, z] for x, y, z in itertools.product(chosen, repeat=3)}


class _Telling:
    """What one edition tells of bids: its questions of one bid and of two, and the bids it puts in the place of one."""

    def __init__(self, edition: Edition, acts: Sequence[str], bids: Sequence[Bid]) -> None:
        self._evaluator = machine_of(edition).evaluator
        self._numbers = [call_number(edition.universe, bid) or 0 for bid in bids]
        self._one: list[core.Truth] = []
        self._two: list[core.Truth] = []
        self._made: list[core.Value] = []
        self._known: dict[object, object] = {}
        self.questions: dict[str, None] = {}
        reading = _Reading(edition, acts)
        for node, text in reading.questions():
            count = len(variables_of(node))
            if count in (1, 2):
                (self._one if count == 1 else self._two).append(node)
                self.questions[text] = None
        self._made = [node for node in reading.made() if len(variables_of(node)) <= 2]
        if reading.names_denominations(bearing(edition, acts)):
            denomination = [
                core.Operate("denomination", (bid,), DENOMINATION) for bid in (_placeholder(0), _placeholder(1))
            ]
            self._two.append(core.Ordered("equal", *denomination))
            self.questions["two bids are in one denomination"] = None

    def two(self, x: int, y: int) -> tuple[object, ...]:
        """How two bids stand to one another, given by their places among the bids offered."""
        a, b = self._numbers[x], self._numbers[y]
        return self._alone(a), self._alone(b), self._pair(a, b)

    def first_two(self, x: int, y: int) -> tuple[object, ...]:
        """The same of two bids, the first of which may have another put in its place, and of that one."""
        a, b = self._numbers[x], self._numbers[y]
        instead = [self._instead(at, a, b) for at in range(len(self._made))]
        return (*self.two(x, y), *((self._alone(bid), self._pair(bid, b)) for bid in instead))

    def _alone(self, bid: int) -> object:
        return self._remembered((bid,), lambda: tuple(self._is_so(question, bid) for question in self._one))

    def _pair(self, x: int, y: int) -> object:
        return self._remembered(
            (x, y), lambda: tuple((self._is_so(question, x, y), self._is_so(question, y, x)) for question in self._two)
        )

    def _instead(self, at: int, x: int, y: int) -> int:
        return self._evaluator.value(self._made[at], (), _bound(x, y)) or 0

    def _is_so(self, question: core.Truth, *bids: int) -> bool:
        return self._evaluator.truth(question, (), _bound(*bids))

    def _remembered(self, key: object, reckon: Callable[[], object]) -> object:
        if key not in self._known:
            self._known[key] = reckon()
        return self._known[key]


def _bound(*bids: int) -> dict[str, int | None]:
    return {_placeholder(at).name: bid for at, bid in enumerate(bids)}


def _placeholder(at: int) -> core.Variable:
    return core.Variable(f"bid {at}", BID)


class _Reading:
    """Reads the clauses of an edition for what they ask of bids and make of them."""

    def __init__(self, edition: Edition, acts: Sequence[str]) -> None:
        self._edition = edition
        clauses = bearing_clauses(edition, acts)
        # What depends on a register is read within; a definition that does not is asked as it is.
        used = [edition.definitions[name] for name in definitions_of(tuple(clauses), edition.definitions)]
        self._trees: list[object] = [
            d.body for d in used if d.body is not None and registers_of(d, edition.definitions)
        ]
        for clause in clauses:
            trigger = clause.trigger.role if clause.trigger is not None else None
            remedy = (clause.remedy.holder, clause.remedy.opened) if clause.remedy is not None else ()
            self._trees += [clause.condition, clause.unless, clause.once, clause.fate, trigger, *remedy]
            self._trees += [*effects_of(clause)]

    def questions(self) -> Iterator[tuple[core.Truth, str]]:
        """Every question asked of bids and of nothing else, the bids replaced by placeholders, and how it is put."""
        seen: set[object] = set()
        for tree in self._trees:
            text = ""
            for part in parts_of(tree):
                if isinstance(part, core.Leaf):
                    text = part.text
                if isinstance(part, core.Ordered | core.Use | core.Operate | core.Among) and _is_truth(part):
                    shape = self._shape(part)
                    if shape is not None and shape not in seen:
                        seen.add(shape)
                        yield shape, text

    def made(self) -> Iterator[core.Value]:
        """The bids that a law puts in the place of a call, as functions of bids."""
        seen: set[object] = set()
        for tree in self._trees:
            for part in parts_of(tree):
                value = part.instead if isinstance(part, Fate) else part.call if isinstance(part, StandAs) else None
                shape = None if value is None else self._shape(value)
                if shape is not None and shape not in seen and variables_of(shape):
                    seen.add(shape)
                    yield shape

    def names_denominations(self, kept: frozenset[str]) -> bool:
        """Whether anything is remembered for each denomination that the rulings depend on."""
        return any(
            DENOMINATION in register.indices for name, register in self._edition.registers.items() if name in kept
        )

    def _shape(self, node: Tree) -> Tree | None:
        """A tree with its bids replaced by placeholders; None where it depends on anything else."""
        bids = dict.fromkeys(
            part for part in parts_of(node) if isinstance(part, core.Variable | core.Read) and _is_bid(part)
        )
        shape = _replaced(node, {bid: _placeholder(at) for at, bid in enumerate(bids)})
        others = variables_of(shape) - {_placeholder(at).name for at in range(len(bids))}
        return None if not bids or others or registers_of(shape, self._edition.definitions) else shape


def _is_bid(node: core.Variable | core.Read) -> bool:
    of = node.type.of if isinstance(node.type, Optional) else node.type
    return of in (BID, CALL)


def _is_truth(node: core.Ordered | core.Use | core.Operate | core.Among) -> bool:
    return isinstance(node, core.Ordered | core.Among) or node.type == TRUTH


def _replaced(node: Tree, bids: Mapping[object, core.Variable]) -> Tree:
    """A tree with some of its parts replaced."""
    if isinstance(node, core.Variable | core.Read) and node in bids:
        return bids[node]  # type: ignore[return-value]
    if isinstance(node, tuple):
        return tuple(_replaced(part, bids) for part in node)  # type: ignore[return-value]
    if not is_dataclass(node) or isinstance(node, type):
        return node
    return replace(node, **{f.name: _replaced(getattr(node, f.name), bids) for f in fields(node) if f.name != "type"})
