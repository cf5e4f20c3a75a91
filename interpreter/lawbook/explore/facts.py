"""Facts: what may be so of an act in a pair of states, as the laws themselves ask it, and how it is said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from lawbook.edition.machines import registers_of, variables_of
from lawbook.edition.model import Clause, Register
from lawbook.explore.learning import Fact
from lawbook.explore.product import Search
from lawbook.explore.space import Space
from lawbook.inspection import truth_of
from lawbook.language import core
from lawbook.language.types import SEAT, SIDE, Enumeration, Number, Optional, SetOf
from lawbook.machine.dependence import reading
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
    bound = {*space.machine.reader.bound(event), "offender"}
    for leaf in _leaves(asked):
        if variables_of(leaf) <= bound:
            yield _leaf(space, leaf, is_a)


def _leaf(space: Space, leaf: core.Leaf, is_a: bool) -> Fact[Case]:
    evaluator, reader, edition = space.machine.evaluator, space.machine.reader, space.edition
    events = [offer.event(edition) for offer in space.offers]
    # A condition is asked of many cases, and reads little of each.
    read = reading(edition, registers_of(leaf, edition.definitions))
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

    return Fact(holds, leaf.text, f"it is not so that {leaf.text}", space.edition.name)


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
    return Fact(holds, said, denied, space.edition.name)


def _kept(space: Space, register: Register, is_a: bool, turn: int | None, what: str) -> Iterator[Fact[Case]]:
    """What one value of a register may be; `turn` counts seats or sides from who acts (None: there is one)."""

    def value(case: Case) -> int | None:
        place = space.offers[case.offer].place or 0
        at = 0 if turn is None else (place + turn) % register.size
        return space.states[case.a if is_a else case.b].values[register.slot + at]

    name = space.edition.name
    of = register.type
    if isinstance(of, Optional):
        yield Fact(lambda case: value(case) is not None, f"there is {what}", f"there is not {what}", name)
    elif isinstance(of, Number):
        yield Fact(lambda case: (value(case) or 0) > of.low, f"{what} is above {of.low}", f"{what} is {of.low}", name)
    elif isinstance(of, Enumeration):
        for number, member in enumerate(space.edition.universe.enumerations[of.name]):
            yield Fact(
                lambda case, number=number: value(case) == number,  # type: ignore[misc]
                f"{what} is {member}",
                f"{what} is not {member}",
                name,
            )
