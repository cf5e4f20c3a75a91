"""Facts: what may be so of an act in a pair of states, as the laws themselves ask it, and how it is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from lawbook.edition.machines import registers_of, variables_of
from lawbook.edition.model import Clause, Register
from lawbook.explore.learning import Fact
from lawbook.explore.product import Search
from lawbook.explore.space import Space
from lawbook.inspection import truth_of
from lawbook.language import core
from lawbook.language.types import SEAT, SIDE, Enumeration, Number, Optional, SetOf
from lawbook.language.words import Category
from lawbook.machine.dependence import reading
from lawbook.machine.evaluate import Bound, Values
from lawbook.machine.state import HeldCall
from lawbook.values import Kind


class Case(NamedTuple):
    """An act in a pair of states: the states' numbers and the offer's place."""

    a: int
    b: int
    offer: int


def offence(a: Space, b: Space, name: str) -> Fact[Case]:
    gloss = next(offence.gloss for offence in a.edition.offences if offence.name == name)

    def holds(case: Case) -> bool:
        return name in a.reply(case.a, case.offer).offences and name in b.reply(case.b, case.offer).offences

    return Fact(holds, f"that is {gloss}", f"that is not {gloss}")


def of_the_call(search: Search, example: Case) -> Iterator[Fact[Case]]:
    """What an act other than a call names: which kind of call."""
    offers = search.a.offers
    given = offers[example.offer]
    if given.is_call or given.call is None:
        return
    for kind in Kind:
        word = kind.name.lower()

        def holds(case: Case, kind: Kind = kind) -> bool:
            call = offers[case.offer].call
            return call is not None and call.kind is kind

        yield Fact(holds, f"the call he names is a {word}", f"the call he names is no {word}")


def of_the_table(search: Search) -> Iterator[Fact[Case]]:
    a = search.a
    offers = a.offers

    def may_choose(case: Case) -> bool:
        return any(choice.holder == offers[case.offer].place for choice in a.view(case.a).choosable)

    def against(case: Case) -> bool:
        return any(choice.offender == offers[case.offer].place for choice in a.view(case.a).choosable)

    def partner(case: Case) -> bool:
        place = offers[case.offer].place
        return place is not None and any(c.offender == (place + 2) % 4 for c in a.view(case.a).choosable)

    def own_debarred(case: Case) -> bool:
        return offers[case.offer].place in a.view(case.a).debarred

    yield Fact(lambda case: a.view(case.a).status == "open", "the bidding is open", "the bidding is over")
    yield Fact(may_choose, "he has a remedy to choose", "he has no remedy to choose")
    yield Fact(against, "a remedy against him is open", "no remedy against him is open")
    yield Fact(partner, "a remedy against his partner is open", "no remedy against his partner is open")
    yield Fact(own_debarred, "he is debarred", "he is not debarred")
    yield Fact(lambda case: a.view(case.a).contract is not None, "there has been a bid", "there has been no bid")


def of_what_follows(search: Search) -> Iterator[Fact[Case]]:
    """Whether the act leaves the bidding open, under each edition."""
    for space, is_a in ((search.a, True), (search.b, False)):

        def is_over(case: Case, space: Space = space, is_a: bool = is_a) -> bool:
            return space.view(space.outcome(case.a if is_a else case.b, case.offer)[1]).status != "open"

        yield Fact(is_over, "the bidding is over then", "the bidding is not over then", space.edition.name)


def of_a_clause(space: Space, clause: Clause, is_a: bool, name: str) -> Iterator[Fact[Case]]:
    """The conditions of a clause that can be asked of the act alone; of a remedy, when it opens against the act."""
    asked: tuple[object, ...] = (clause.condition, clause.unless)
    if clause.remedy is not None:
        asked = (clause.remedy.opened,)
    elif clause.trigger is not None and name not in clause.trigger.acts:
        return
    event = next(offer.event(space.edition) for offer in space.offers if offer.name == name)
    if event is None:
        return
    if clause.each_right:
        yield from _of_a_right(space, clause, is_a)
    # Of an act the offender is whoever does it; where a clause is read for a right, he is another.
    bound = {*space.machine.reader.bound(event), *(() if clause.each_right else ("offender",))}
    registers = space.edition.registers
    for leaf in _leaves(asked):
        read = registers_of(leaf, space.edition.definitions)
        if variables_of(leaf) <= bound and not any(registers[name].per_right for name in read):
            yield _leaf(space, leaf, is_a)


def _leaf(space: Space, leaf: core.Leaf, is_a: bool) -> Fact[Case]:
    evaluator, reader, edition = space.machine.evaluator, space.machine.reader, space.edition
    events = [offer.event(edition) for offer in space.offers]
    registers = registers_of(leaf, edition.definitions)
    # A condition is asked of many cases, and reads little of each.
    read = reading(edition, registers)
    known: dict[tuple[int, object], bool] = {}

    def holds(case: Case) -> bool:
        event = events[case.offer]
        if event is None:
            return False
        values = space.states[case.a if is_a else case.b].values
        key = case.offer, read(values)
        found = known.get(key)
        if found is None:
            bound = {**reader.bound(event), "offender": event.seat}
            # A condition that the ones before it guard has no answer of its own where they do not hold.
            found = known[key] = bool(truth_of(leaf, evaluator, values, bound))
        return found

    # Of what may be absent neither a condition nor its contrary need be so.
    may_be_absent = any(isinstance(edition.registers[name].type, Optional) for name in registers)
    denied = f"it is not so that {leaf.text}" if may_be_absent else _denied(leaf.text)
    return Fact(holds, leaf.text, denied, edition.name, frozenset(registers))


def _denied(text: str) -> str:
    """The contrary of a condition: one that is a denial itself is said plainly.

    >>> _denied("the player is not dealing"), _denied("the bid outranks the last bid")
    ('the player is dealing', 'it is not so that the bid outranks the last bid')
    """
    for verb in ("is", "are"):
        if text.count(f" {verb} not ") == 1:
            return text.replace(f" {verb} not ", f" {verb} ")
    return f"it is not so that {text}"


def _of_a_right(space: Space, clause: Clause, is_a: bool) -> Iterator[Fact[Case]]:
    """Whether all that a clause asks of each open right is so of one."""
    evaluator, reader, edition = space.machine.evaluator, space.machine.reader, space.edition
    parts = clause.condition.parts if isinstance(clause.condition, core.All) else (clause.condition,)
    leaves = tuple(part for part in parts if isinstance(part, core.Leaf))
    if not leaves:
        return
    events = [offer.event(edition) for offer in space.offers]
    known: dict[tuple[int, int], bool] = {}

    def bounds(held: Iterable[HeldCall], values: Values, of_the_act: Bound) -> Iterator[Bound]:
        """What is bound for the clause, for each open right: by the act, and offender and offence by the right."""
        for call in held:
            for right in call.rights:
                own = reader.bound_of_right(call, right)
                whose = {"offender": call.caller, "offence": right.offence}
                yield {**own, **of_the_act, **whose, "holders": reader.holders(right, values, own)}

    def holds(case: Case) -> bool:
        number = case.a if is_a else case.b
        values, held = space.states[number]
        event = events[case.offer]
        if event is None or not held:
            return False
        found = known.get((number, case.offer))
        if found is None:
            found = known[number, case.offer] = any(
                all(truth_of(leaf, evaluator, values, bound) for leaf in leaves)
                for bound in bounds(held, values, reader.bound(event))
            )
        return found

    asked = " and ".join(leaf.text for leaf in leaves)
    read = frozenset(registers_of(leaves, edition.definitions))
    yield Fact(holds, f"for some open right {asked}", f"for no open right {asked}", edition.name, read)


def _leaves(node: object) -> Iterator[core.Leaf]:
    match node:
        case core.Leaf():
            yield node
        case core.All(parts) | core.AnyOf(parts):
            yield from _leaves(parts)
        case core.Not(of):
            yield from _leaves(of)
        case tuple():
            for part in node:
                yield from _leaves(part)


# Who is meant, counted from the player who acts, and whose a thing is that each of them has one of.
_PLAYERS: Final = ("he", "the player on his left", "his partner", "the player on his right")
_SIDES: Final = ("his side", "the other side")


def remembered(space: Space, register: Register, is_a: bool) -> Iterator[Fact[Case]]:
    """What a register may hold, as far as it can be said of the player who acts and of his side."""
    if register.per_right or register.name in space.left_out:
        return
    of = register.type
    if isinstance(of, SetOf) and of.of == SEAT and not register.indices:
        for turn, who in enumerate(_PLAYERS):
            yield _among(space, register, is_a, turn, who)
        yield _anybody(space, register, is_a)
    elif register.indices == (SIDE,):
        for turn, whose in enumerate(_SIDES):
            yield from _kept(space, register, is_a, turn, f"the {register.name} of {whose}")
    elif register.indices == (SEAT,):
        yield from _kept(space, register, is_a, 0, f"his {register.name}")
    elif not register.indices:
        yield from _kept(space, register, is_a, None, f"the {register.name}")


def _among(space: Space, register: Register, is_a: bool, turn: int, who: str) -> Fact[Case]:
    def holds(case: Case) -> bool:
        place = space.offers[case.offer].place
        members = space.states[case.a if is_a else case.b].values[register.slot] or 0
        return place is not None and bool(members >> (place + turn) % 4 & 1)

    said, denied = f"{who} is among the {register.name}", f"{who} is not among the {register.name}"
    return Fact(holds, said, denied, space.edition.name, frozenset((register.name,)))


def _anybody(space: Space, register: Register, is_a: bool) -> Fact[Case]:
    def holds(case: Case) -> bool:
        return bool(space.states[case.a if is_a else case.b].values[register.slot])

    among = f"is among the {register.name}"
    somebody, nobody = f"somebody {among}", f"nobody {among}"
    return Fact(holds, somebody, nobody, space.edition.name, frozenset((register.name,)))


def _kept(space: Space, register: Register, is_a: bool, turn: int | None, what: str) -> Iterator[Fact[Case]]:
    """What one value of a register may be; `turn` counts seats or sides from who acts (None: there is one)."""

    def value(case: Case) -> int | None:
        place = space.offers[case.offer].place or 0
        at = 0 if turn is None else (place + turn) % register.size
        return space.states[case.a if is_a else case.b].values[register.slot + at]

    name, read = space.edition.name, frozenset((register.name,))
    of = register.type
    word = space.edition.vocabulary.find(Category.NOUN, register.name)
    verb = "are" if word is not None and word.plural else "is"
    if isinstance(of, Optional):
        yield Fact(lambda case: value(case) is not None, f"there {verb} {what}", f"there {verb} not {what}", name, read)
    elif isinstance(of, Number):
        more, least = f"{what} {verb} more than {of.low}", f"{what} {verb} {of.low}"
        yield Fact(lambda case: (value(case) or 0) > of.low, more, least, name, read)
    elif isinstance(of, Enumeration):
        for number, member in enumerate(space.edition.universe.enumerations[of.name]):
            yield Fact(
                lambda case, number=number: value(case) == number,  # type: ignore[misc]
                f"{what} {verb} {member}",
                f"{what} {verb} not {member}",
                name,
                read,
            )
