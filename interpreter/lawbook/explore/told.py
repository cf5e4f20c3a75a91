"""What may be told of a deal: each thing by its key, the values it is tried over, and which of them no clause tells
apart.

Which facts of an edition a thing fills in is seen from the facade itself. Two values of a thing are alike for some
clauses if every part of the clauses that reads nothing but this thing says the same of both: then whatever the clauses
say of a deal with the one they say of the same deal with the other. One value of each such class stands for all.

It is North who declares. Turning the table turns the score with it, as long as no clause names a seat or a side; where
one does, or asks for one of a side's two hands by itself beside who declares, each seat declares in turn.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from lawbook.deals import TRICKS_IN_A_DEAL, Deal
from lawbook.edition.machines import parts_of, registers_of
from lawbook.edition.model import Edition, Score
from lawbook.errors import LawbookError
from lawbook.language import core
from lawbook.language.types import SEAT, SIDE, Number
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.sheet import Sheet
from lawbook.scoring import facts_of
from lawbook.values import HIGHEST_LEVEL, Bid, Seat, Side

MOST_REVOKES: Final = 3
_BOOK: Final = 6
# A part of a clause asked of more than so many bindings is taken to tell all values apart.
_MOST_BOUND: Final = 64

Change: TypeAlias = Mapping[str, Any]
"""Fields of a deal with the values they are to have."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing told of a deal: its key, the values it is tried over (plain ones first), and these in words."""

    key: str
    values: tuple[Change, ...]
    words: str


def plain_deal(letter: str) -> Deal:
    """The plainest deal there is: one odd trick bid and made, by the dealer."""
    return Deal(Bid(1, letter), 0, Seat.N, _BOOK + 1)


def things(editions: Sequence[Edition], letters: Sequence[str]) -> tuple[Thing, ...]:
    """Everything that may be told of a deal that is bid in one of these denominations."""
    seats = tuple(Seat)
    most = max(
        (f.type.high for e in editions for f in e.facts.values() if f.key == "honours" and isinstance(f.type, Number)),
        default=0,
    )
    hands = sorted(itertools.product(range(most + 1), repeat=4), key=_from_none)
    levels = range(1, HIGHEST_LEVEL)
    return (
        Thing(
            "contract",
            tuple({"contract": Bid(level, letter)} for level in levels for letter in letters),
            f"1 to {HIGHEST_LEVEL - 1} odd tricks in {len(letters)} denominations ({' '.join(letters)})",
        ),
        Thing("doubling", tuple({"doubling": times} for times in range(3)), "undoubled, doubled and redoubled"),
        Thing("declarer", tuple({"declarer": seat} for seat in seats), "every seat"),
        Thing("dealer", tuple({"dealer": seat} for seat in seats), "every seat"),
        Thing(
            "tricks",
            tuple({"tricks": won} for won in sorted(range(TRICKS_IN_A_DEAL + 1), key=_from_the_book)),
            f"0 to {TRICKS_IN_A_DEAL}",
        ),
        Thing(
            "honours",
            tuple({"honours": {s: n for s, n in zip(seats, held, strict=True) if n}} for held in hands),
            f"0 to {most} in each hand",
        ),
        Thing("chicane", tuple({"chicane": frozenset(held)} for held in _some_of(seats)), "any of the four hands"),
        Thing("revokes", tuple({"revokes": each} for each in _revokes()), f"up to {MOST_REVOKES} by each side"),
        Thing("takes", ({"takes_tricks": False}, {"takes_tricks": True}), "points and tricks"),
        Thing("vulnerable", tuple({"vulnerable": frozenset(who)} for who in _some_of(tuple(Side))), "any of the sides"),
    )


def _from_none(held: tuple[int, ...]) -> tuple[int, ...]:
    """Few hands with few honours first, and the first of the hands."""
    return len(held) - held.count(0), sum(held), *(-number for number in held)


def _from_the_book(won: int) -> tuple[int, int]:
    return abs(won - _BOOK - 1), won


def _some_of(whole: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    return itertools.chain.from_iterable(itertools.combinations(whole, n) for n in range(len(whole) + 1))


def _revokes() -> list[tuple[Seat, ...]]:
    sides = [
        [
            each
            for number in range(MOST_REVOKES + 1)
            for each in itertools.combinations_with_replacement((seat for seat in Seat if seat.side is side), number)
        ]
        for side in Side
    ]
    return sorted(((*one, *other) for one in sides[0] for other in sides[1]), key=len)


def plainness(deal: Deal) -> tuple[int, ...]:
    """How plain a deal is: the less, the fewer odd things there are about it, then the lower and the poorer it is."""
    level = deal.contract.level
    over = deal.tricks - _BOOK - level
    odd = (
        min(deal.doubling, 1),
        len([n for n in deal.honours.values() if n]),
        len(deal.chicane),
        len(deal.revokes),
        int(deal.takes_tricks),
        len(deal.vulnerable),
        int(deal.declarer is not Seat.N),
        int(deal.dealer is not deal.declarer),
        min(abs(over), 1),
    )
    return sum(odd), deal.doubling, level, abs(over), int(over < 0), sum(deal.honours.values()), *odd


@dataclass(frozen=True)
class Filling:
    """How the things told of a deal fill in the facts of one edition.

    `told` is for each thing the registers that it fills in, `places` for each thing and value the places with what
    they hold then; None where the edition cannot know that value.
    """

    edition: Edition
    sheet: Sheet
    base: Values
    told: Mapping[str, frozenset[str]]
    places: Mapping[str, tuple[tuple[tuple[int, int | None], ...] | None, ...]]

    @property
    def evaluator(self) -> Evaluator:
        """What evaluates conditions over the facts."""
        return self.sheet.evaluator

    def things_of(self, node: object) -> frozenset[str]:
        """The things, by key, that a tree asks for."""
        found = self._known.get(id(node))
        if found is None:
            registers = registers_of(node, self.edition.definitions)
            things = frozenset(key for key, names in self.told.items() if names & registers)
            # A tree is known by its identity, so it has to live as long as what is known of it.
            found = self._known[id(node)] = (node, things)
        return found[1]

    @functools.cached_property
    def _known(self) -> dict[int, tuple[object, frozenset[str]]]:
        return {}

    def values(self, deal: Deal) -> Values:
        """A deal's facts in place. Raises LawbookError where the edition cannot know them."""
        start = self.sheet.start(int(deal.dealer))
        return self.sheet.with_facts(start, facts_of(self.edition, deal), int(deal.dealer))


def filling(edition: Edition, told: Sequence[Thing], plain: Deal) -> Filling:
    """How these things fill in the facts of an edition, seen from what the facade makes of deals."""
    sheet = Sheet(edition)
    base = facts_of(edition, plain)
    names: dict[str, frozenset[str]] = {}
    places: dict[str, tuple[tuple[tuple[int, int | None], ...] | None, ...]] = {}
    for thing in told:
        found = [_facts(edition, replace(plain, **change)) for change in thing.values]
        changed = {key for facts in found if facts is not None for key in facts if facts[key] != base.get(key)}
        changed |= {key for facts in found if facts is not None for key in base if facts.get(key) != base[key]}
        # A register that the thing fills in is filled in whole.
        registers = frozenset(name for name, _ in changed)
        names[thing.key] = registers
        slots = [
            slot
            for name in sorted(registers)
            for slot in range(edition.facts[name].slot, edition.facts[name].slot + edition.facts[name].size)
        ]
        filled: list[tuple[tuple[int, int | None], ...] | None] = []
        for facts in found:
            if facts is None:
                filled.append(None)
                continue
            values = sheet.with_facts(sheet.start(0), facts, 0)
            filled.append(tuple((slot, values[slot]) for slot in slots))
        places[thing.key] = tuple(filled)
    return Filling(edition, sheet, sheet.with_facts(sheet.start(0), base, 0), names, places)


def _facts(edition: Edition, deal: Deal) -> Mapping[tuple[str, tuple[int, ...]], int | None] | None:
    try:
        return facts_of(edition, deal)
    except LawbookError:
        return None


# -- what is told apart ------------------------------------------------------------------------------------------------


def parts_about_one(filled: Filling, trees: Sequence[object], single: frozenset[str]) -> Iterator[tuple[str, object]]:
    """The parts of trees that ask for one thing alone, each with that thing's key: as large as they can be.

    `single` are the things that have one value, and are not counted. A definition is gone into where it is used.
    """
    seen: set[str] = set()
    pending = list(trees)
    while pending:
        node = pending.pop()
        asked = filled.things_of(node) - single
        if not asked:
            continue
        if len(asked) == 1 and not isinstance(node, tuple | Score):
            yield next(iter(asked)), node
            continue
        match node:
            case core.Use(name, arguments):
                pending.extend(arguments)
                definition = filled.edition.definitions[name]
                if name not in seen and definition.table is None:
                    seen.add(name)
                    pending.append(definition.body)
            case core.Read(_, arguments) if arguments:
                # Whose it is turns on another thing: what is kept for any of them may be asked.
                own = filled.things_of(core.Read(node.register, (), node.type)) - single
                yield from ((key, _Whole(node.register)) for key in own)
                pending.extend(arguments)
            case _:
                pending.extend(children(node))


@dataclass(frozen=True, slots=True)
class _Whole:
    """All that a register holds."""

    register: str


def children(node: object) -> Sequence[object]:
    """The parts that a tree is made of at once."""
    match node:
        case tuple():
            return node
        case Score(amount, _, side):
            return (amount, side)
        case core.Operate(_, arguments) | core.Use(_, arguments) | core.Read(_, arguments):
            return arguments
        case core.Arithmetic(_, left, right) | core.Ordered(_, left, right) | core.Among(left, right):
            return (left, right)
        case core.First(_, _, condition, value) | core.Provided(condition, value):
            return (condition, value)
        case core.Present(of) | core.Not(of) | core.Leaf(of) | core.Some(_, _, of):
            return (of,)
        case core.All(parts) | core.AnyOf(parts):
            return parts
        case _:
            return ()


def asked(filled: Filling, part: object) -> Callable[[Values], object] | None:
    """What a part of a clause says of values, for every binding it may be asked of; None where there are too many."""
    if isinstance(part, _Whole):
        register = filled.edition.facts[part.register]
        return lambda values: values[register.slot : register.slot + register.size]
    evaluator = filled.evaluator
    free = {p.name: p.type for p in parts_of(part) if isinstance(p, core.Variable)}
    domains = [evaluator.universe.members(of) for of in free.values()]
    if math.prod(len(members) for members in domains) > _MOST_BOUND:
        return None
    bounds = [dict(zip(free, chosen, strict=True)) for chosen in itertools.product(*domains)]
    ask: Callable[[Any, Values, Bound], object] = evaluator.truth if isinstance(part, _TRUTHS) else evaluator.value
    return lambda values: tuple(ask(part, values, bound) for bound in bounds)


_TRUTHS: Final = (
    core.Present,
    core.Ordered,
    core.Among,
    core.Not,
    core.All,
    core.AnyOf,
    core.Some,
    core.Leaf,
)


def names_a_seat(filled: Filling, tree: object) -> bool:
    """Whether a tree names a seat or a side, or asks for one of a side's two hands beside who declares."""
    pending, seen, hands = [tree], set[str](), False
    while pending:
        for part in parts_of(pending.pop()):
            match part:
                case core.Use(name) if name not in seen:
                    seen.add(name)
                    pending.append(filled.edition.definitions[name].body)
                case core.Constant(value, of) if of in (SEAT, SIDE) and value is not None:
                    return True
                case core.Operate("first hand" | "second hand"):
                    hands = True
                case _:
                    pass
    return hands and "declarer" in filled.things_of(tree)
