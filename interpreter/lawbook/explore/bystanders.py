"""Bystanders: what becomes of an open right when something is done that is not about it.

The machine asks of one open right nothing about another, so what an act does to a right depends on the registers, the
act, and the right itself; of the table before the call, which only a remedy puts back, on nothing. That is looked at
once for each of these and remembered. Which choices there are that put the call back depends on that table, too, but on
no more of it than what their conditions ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Final, TypeAlias

from lawbook.edition.machines import registers_of, variables_of
from lawbook.edition.model import (
    EVERY_CALL,
    EVERY_REMEDY,
    Assign,
    Choice,
    Clause,
    Edition,
    Effect,
    Kind,
    Move,
    PutBack,
    Step,
    TakeBackEarlier,
)
from lawbook.explore.bearing import bearing, bearing_clauses
from lawbook.explore.forgetting import corrects, follows
from lawbook.explore.space import Choosable, Space
from lawbook.machine.dependence import reading
from lawbook.machine.evaluate import Values
from lawbook.machine.reading import Reader
from lawbook.machine.state import HeldCall, State

# In place of the table before a call that can still be put back, whatever it was.
_ANY: Final = ()

Open: TypeAlias = HeldCall | None
"""A call open to a remedy, if there is one."""
Claims: TypeAlias = frozenset[tuple[int, int, str]]


def apart_from_the_table(call: HeldCall) -> HeldCall:
    """A call open to a remedy, whatever the table was before it."""
    return call if call.before is None else call._replace(before=_ANY)


def with_table(call: Open, before: Values | None) -> Open:
    """The same call with the table as it was before it, if it can still be put back."""
    return call if call is None or call.before is None else call._replace(before=before)


def claims(call: Open) -> Claims:
    """The offender, the offence and the remedy of each right: of these one is open at a time."""
    if call is None:
        return frozenset()
    return frozenset((call.caller, right.offence, right.remedy) for right in call.rights)


def follows_rights_apart(edition: Edition, acts: Iterable[str]) -> bool:
    """Whether open rights can be followed one by one: no act that is offered does to one what depends on another, but
    for which of them a choice is about."""
    offered = frozenset(acts)
    if corrects(edition, offered):
        return False
    kept = bearing(edition, offered)
    if any(follows(clause, kept) for clause in edition.clauses):
        return False
    for clause in edition.clauses:
        if clause.each_right and clause.trigger is not None and clause.trigger.acts & (offered | EVERY_CALL):
            writes = any(
                isinstance(e, TakeBackEarlier)
                or (isinstance(e, Assign | Move) and e.register in kept and not edition.registers[e.register].per_right)
                for e in clause.effects
            )
            remedied = any(c.remedy is not None and clause.offence in c.remedy.offences for c in edition.clauses)
            if writes or clause.fate is not None or clause.trigger.acts & EVERY_CALL or remedied:
                return False
    return True


class Bystanders:
    """The rights of one space, while something is done that is not about them, and what they can tell of a table.

    Of registers that are only `carried` nothing is asked but whether they have a value. `also` are registers that are
    to be told of a table besides.
    """

    def __init__(self, space: Space, carried: Set[str] = frozenset(), also: Set[str] = frozenset()) -> None:
        self._space = space
        edition, reader = space.edition, space.machine.reader
        offered = frozenset(offer.name for offer in space.offers)
        clauses = bearing_clauses(edition, offered)
        per_right = {register.name for register in edition.registers.values() if register.per_right}
        read_to_end = tuple(_read_to_end(clauses, reader))
        ending = registers_of(read_to_end, edition.definitions)
        self._asks_for_calls = not variables_of(read_to_end).isdisjoint(("call", "bid", "argument"))
        # The acts of the offers, as far as they make a difference to rights.
        self._acts: list[object] = [
            offer if self._asks_for_calls else (offer.place, offer.name) for offer in space.offers
        ]
        self._sign = reading(edition, ending - per_right)
        choosing = frozenset(name for name, word in edition.acts.items() if word.chooses)
        touching = frozenset(act for c in clauses if c.each_right and c.trigger is not None for act in c.trigger.acts)
        made = registers_of(tuple(_read_as_made(clauses, reader, choosing | touching)), edition.definitions)
        read = registers_of(tuple(_read_to_choose(clauses, reader)), edition.definitions)
        # What is not put back with a call is on the table that a choice leaves.
        stays = {r.name for r in edition.registers.values() if r.put_back is not PutBack.ALWAYS}
        behind = (ending | made | stays) - per_right - space.left_out
        told = behind | (read - per_right - space.left_out) | also
        self._behind = reading(edition, behind)
        self._ground = reading(edition, told - carried)
        self._present = _places_of(edition, told & carried)
        asked = read - per_right - space.left_out
        self._asked = reading(edition, asked - carried)
        self._asked_for = _places_of(edition, asked & carried)
        self.oldest_first: frozenset[int] = frozenset()
        """The offers that may settle the oldest right that is open, and so not what they would settle by itself."""
        self.touching = self._places(touching)
        """The offers whose outcome every right that is open bears on."""
        self.attempts = self._places(
            {act for c in clauses if c.trigger is not None and c.trigger.step is Step.REFUSED for act in c.trigger.acts}
        )
        """The offers that a law attaches something to even where they are refused."""
        self._calls: dict[HeldCall, HeldCall] = {}
        self._known: dict[object, Open] = {}
        self._ends: dict[object, Open] = {}
        self._choosable: dict[object, frozenset[Choosable]] = {}
        self._grounds: dict[int, int] = {}
        self._ground_numbers: dict[object, int] = {}
        self._signs: dict[int, int] = {}
        self._numbers: dict[object, int] = {}
        # The offers of the choices that each remedy gives: those that put the call back, the others; and the effects of
        # these on registers.
        self._back: dict[str, frozenset[int]] = {}
        self._plain: dict[str, frozenset[int]] = {}
        self._writing: dict[str, dict[int, tuple[Effect, ...]]] = {}
        self._written: dict[tuple[Open, int], object] = {}
        kept = edition.registers.keys() - space.left_out
        by_act = {act: tuple(_writes((c for c in clauses if _is_made(c, act)), kept)) for act in choosing}
        for clause in clauses:
            if clause.remedy is not None:
                waived = (choice for waiver in space.machine.rights.waivers_of(clause) for choice in waiver.choices)
                choices = (*clause.remedy.choices, *waived)
                self._back[clause.id] = self._places({c.act for c in choices if c.puts_back})
                self._plain[clause.id] = self._places({c.act for c in choices if not c.puts_back})
                if clause.remedy.oldest_first:
                    self.oldest_first |= self._back[clause.id] | self._plain[clause.id]
                self._writing[clause.id] = {
                    place: (*by_act[choice.act], *_writes((choice,), kept))
                    for choice in choices
                    for place in self._places({choice.act})
                }

    def _places(self, acts: Set[str]) -> frozenset[int]:
        return frozenset(place for place, offer in enumerate(self._space.offers) if offer.name in acts)

    def behind(self, table: int) -> object:
        """All that choices that put a call back can tell of a table, by its number, where they can be made."""
        return self._behind(self._space.states[table].values)

    def ground(self, table: int) -> int:
        """All that open rights, and choices about them that put a call back, can tell of a table, by its number: that
        by a number, too."""
        found = self._grounds.get(table)
        if found is None:
            values = self._space.states[table].values
            told = self._ground(values), tuple(values[slot] is None for slot in self._present)
            found = self._grounds[table] = self._ground_numbers.setdefault(told, len(self._ground_numbers))
        return found

    def asked(self, before: Values | None) -> object:
        """All that is asked of a table before a call to tell which choices there are that put the call back."""
        if before is None:
            return None
        return self._asked(before), tuple(before[slot] is None for slot in self._asked_for)

    def concerned(self, call: Open) -> tuple[frozenset[int], frozenset[int]]:
        """The offers of the choices that the rights against a call give: those that put it back, and the others."""
        remedies = [] if call is None else [right.remedy for right in call.rights]
        back: frozenset[int] = frozenset().union(*(self._back[remedy] for remedy in remedies))
        return back, frozenset().union(*(self._plain[remedy] for remedy in remedies)) - back

    def writing(self, call: Open, offer: int) -> object:
        """What a choice that the rights against a call give writes to registers, so far as that is the same for others
        too: equal where what it leaves of a table is. None if nothing is written."""
        key = call, offer
        if key not in self._written:
            remedies = [] if call is None else [right.remedy for right in call.rights]
            effects = tuple(dict.fromkeys(e for r in remedies for e in self._writing[r].get(offer, ())))
            self._written[key] = (call if variables_of(effects) else effects) if effects else None
        return self._written[key]

    def one(self, call: Open) -> Open:
        """A call open to a remedy, whatever the table was before it: one object wherever it is the same."""
        if call is None:
            return None
        apart = apart_from_the_table(call)
        return self._calls.setdefault(apart, apart)

    def after(
        self,
        offer: int,
        table: int,
        left: int,
        quarter: int,
        calls: tuple[Open, Open],
        befores: tuple[Values | None, Values | None],
        last: bool = False,
    ) -> Open:
        """What is left of an open call when something is done that is not about it, but about another or none: of the
        two (each `one`) with the tables before them. The table (with nothing open) is told by number; `left` is the
        position that is left where nothing else, or only the call it is about, is open, and `quarter` how far the turn
        has moved to it. It is about the call as if nothing else were open, or settles the `last` that it could mean.
        Raises NotApart where that cannot be told."""
        # One object each, and kept: so where it is tells which it is, and that is hashed at once. What is left of the
        # right that something is about ends no other.
        after = left if calls[1] is None else self._space.bare(left)
        key = offer, quarter, self._signed(table), self._signed(after), id(calls[0]), self.spoken_of(calls[1])
        if key not in self._known:
            states = self._space.states
            # No more than this makes a difference to it.
            alike = self._acts[offer], *key[1:4], self._without_call(calls[0]), key[5]
            if alike not in self._ends:
                call, about = map(with_table, calls, befores)
                self._ends[alike] = self._looked_at(offer, states[table], states[left], call, about, last)
            rest, (call, _) = self._ends[alike], calls
            if rest is not None and rest.call is not None and call is not None:
                rest = self.one(rest._replace(call=call.call))
            self._known[key] = rest
        return self._known[key]

    def spoken_of(self, about: Open) -> object:
        """All that makes a difference to other rights of the one that something is about: whether there is one, and the
        call, if a law asks that."""
        return about is not None and (about.call if self._asks_for_calls else True)

    def _without_call(self, call: Open) -> Open:
        """An open call whatever call it is, if no law asks that."""
        return call if call is None or self._asks_for_calls else call._replace(call=None)

    def left_to_choose(
        self, offer: int, table: int, right: Open, before: Values | None, asked: int
    ) -> frozenset[Choosable]:
        """What can be chosen after something is done where nothing else was open only because this right was (the call
        is `one`), seats counted from who was in turn. What is `asked` of the table before the call is told by a number.
        Raises NotApart where it cannot be told."""
        if right is None:
            return frozenset()
        space = self._space
        reply, left = space.outcome(table, offer)
        # Views, and what they hold, are never given up.
        there = space.seen(left, reply).choosable
        signs = self._signed(table), self._signed(left), self.ground(left)
        key = offer, reply.moved, signs, id(right), asked, id(there)
        found = self._choosable.get(key)
        if found is None:
            quarter = reply.moved if space.turned else 0
            rest = self.after(offer, table, left, quarter, (right, None), (before, None))
            found = frozenset()
            if rest is not None:
                if rest.before is not None:
                    assert before is not None
                    rest = with_table(rest, space.held_calls.turned_before(rest, before, quarter))
                assert rest is not None
                found = space.seen(space.beside(space.bare(left), rest), reply).choosable - there
            self._choosable[key] = found
        return found

    def _signed(self, number: int) -> int:
        """What is read of a position to tell what ends a right, and what is claimed in it: by a number."""
        found = self._signs.get(number)
        if found is None:
            values, held = self._space.states[number]
            sign = self._sign(values), tuple(map(claims, held))
            found = self._signs[number] = self._numbers.setdefault(sign, len(self._numbers))
        return found

    def _looked_at(self, offer: int, before: State, after: State, call: Open, about: Open, last: bool) -> Open:
        assert call is not None
        for left in self._ways_left(offer, before, call, about, last):
            found = self._space.states[self._space.number(left)]
            if found.values == after.values:
                rest = _without(found.held, after.held)
                if rest is not None and len(rest) <= 1:
                    return self.one(rest[0]) if rest else None
        raise NotApart

    def _ways_left(self, offer: int, before: State, call: HeldCall, about: Open, last: bool) -> Iterator[State]:
        """What something may leave where two calls are open, in either order, or one that it is not about."""
        space = self._space
        orders: Sequence[tuple[HeldCall, ...]] = ((call,),) if about is None else ((call, about), (about, call))
        for held in orders:
            here = State(before.values, held)
            # The other that is open may give the same choice, and nothing that is left tells then which was settled.
            if about is None or (not last and space.about(here, offer) in (None, about)):
                _, done = space.done(here, offer)
                yield here if done is None else done
        for held in orders if about is not None else ():
            # Only beside a third that is open may it be about this one.
            found = space.settled(State(before.values, held), offer, held.index(about), last)
            if found is not None:
                yield found


def _places_of(edition: Edition, registers: Iterable[str]) -> list[int]:
    """The places of the values of some registers."""
    found = [edition.registers[name] for name in sorted(registers)]
    return [slot for register in found for slot in range(register.slot, register.slot + register.size)]


class NotApart(Exception):
    """What becomes of a right depends on more than it should."""


def _without(more: tuple[HeldCall, ...], less: tuple[HeldCall, ...]) -> list[HeldCall] | None:
    """The calls that are among these and not among those; None where those are not all among these."""
    left = list(more)
    for call in less:
        if call not in left:
            return None
        left.remove(call)
    return left


def _is_made(clause: Clause, act: str) -> bool:
    return clause.trigger is not None and clause.trigger.step is Step.MADE and act in clause.trigger.acts


def _writes(by: Iterable[Clause | Choice], registers: Set[str]) -> Iterator[Effect]:
    for each in by:
        for effect in each.effects:
            if isinstance(effect, Assign | Move) and effect.register in registers:
                yield effect


def _read_to_end(clauses: Sequence[Clause], reader: Reader) -> Iterator[object]:
    """All that is read to tell whether an act ends or changes a right, and who holds it."""
    remedies = {clause.id for clause in clauses if clause.remedy is not None}
    for clause in clauses:
        if clause.remedy is not None:
            yield clause.remedy.holder
            yield None if clause.trigger is None else clause.trigger.role
        elif clause.each_right or (clause.kind is Kind.LAPSE and {*clause.targets} & {*remedies, EVERY_REMEDY}):
            yield from _read_by(clause, reader)


def _read_as_made(clauses: Sequence[Clause], reader: Reader, acts: frozenset[str]) -> Iterator[object]:
    """All that is read to tell what one of these acts does by being done, or tried."""
    for clause in clauses:
        trigger = clause.trigger
        if trigger is None or clause.remedy is not None or clause.kind is Kind.LAPSE:
            continue
        if trigger.step in (Step.MADE, Step.REFUSED) and trigger.acts & acts:
            yield from _read_by(clause, reader)


def _read_to_choose(clauses: Sequence[Clause], reader: Reader) -> Iterator[object]:
    """All that is read to tell which choices there are."""
    for clause in clauses:
        if clause.remedy is not None or clause.kind is Kind.WAIVER:
            yield from _read_by(clause, reader)


def _read_by(clause: Clause, reader: Reader) -> Iterator[object]:
    """What a clause and the exceptions to it read."""
    pending, seen = [clause], {clause.id}
    while pending:
        here = pending.pop()
        yield from (here.condition, here.unless, here.once, None if here.trigger is None else here.trigger.role)
        yield tuple(e.value for e in here.effects if isinstance(e, Assign))
        pending += [exception for exception in reader.exceptions_to(here) if exception.id not in seen]
        seen.update(exception.id for exception in pending)
