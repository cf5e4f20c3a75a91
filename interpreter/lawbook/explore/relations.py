"""Relations: what a few registers can come to hold at once, in any auction.

A few places of a state's values are followed by the kind of value they hold (something or nothing, members or none),
while everything else may be as it likes: through all that any step of any act may write to them, what falls away at its
end, and what is put back. That is more than auctions lead to; what it does not lead to is nowhere.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from lawbook.edition.model import (
    CALL_KINDS,
    Assign,
    Edition,
    JudgeAgain,
    Kind,
    Move,
    PutBack,
    Register,
    StandAs,
    Step,
    TakeBackEarlier,
)
from lawbook.explore.doings import Doing, Doings
from lawbook.explore.occasions import choices_of
from lawbook.explore.proofs import Possible
from lawbook.language import core
from lawbook.language.types import BID, CALL, Optional, SetOf
from lawbook.machine.evaluate import Bound, Values, members
from lawbook.machine.state import start_of
from lawbook.machine.tables import MOST_CASES, Related, Tables, TooMany, Unguarded

Kinds: TypeAlias = tuple[int, ...]
"""Of what kind the values at some places are."""

Written: TypeAlias = tuple[bool, ...]
"""Which of them the act has written."""

_State: TypeAlias = tuple[Kinds, Written, bool]
"""What they are in the course of an act, what it has written, and whether a call has been judged in it."""

# More kinds of value than these are not told apart.
_MOST_KINDS: Final = 8
# Of more clauses than these that can be chosen from together nothing is followed.
_MOST_TOGETHER: Final = 4
# What a call is bound to that stands in the place of another.
_INSTEAD: Final = "call in its place"
# Stands for any value that is something, and any set with members.
_SOME: Final = 1
_BY_A_CORRECTION: Final = frozenset({PutBack.ALWAYS, PutBack.CORRECTION, PutBack.JUDGEMENT})


@dataclass(frozen=True, slots=True)
class _Batch:
    """What can be done together in one step; `asked`: as far as its conditions hold, else all of it. `acts` are the
    calls that it is read for, if it is read for some in particular, and `step` is the step of a call that it is: no
    call stands that was not judged."""

    doings: tuple[Doing, ...]
    asked: bool = True
    acts: frozenset[str] | None = None
    step: Step | None = None


class Relations:
    """What is known of the registers of one edition, as long as each has only the values that are possible."""

    def __init__(self, doings: Doings, possible: Possible) -> None:
        self._doings = doings
        self._possible = possible
        self._known: dict[tuple[int, ...], tuple[Related, Related]] = {}
        self._batches = tuple(_batches(doings))
        self._places = {
            register.slot + at: register
            for register in doings.edition.registers.values()
            if not register.per_right
            for at in range(register.size)
        }

    def are_told(self, slot: int) -> bool:
        """Whether different kinds of value are told apart at a place."""
        return len(_kinds(self._places[slot], self._doings.edition)) > 1

    def between(self, slots: tuple[int, ...]) -> Related:
        """What some places can hold at once where no act is going on."""
        return self._found(slots)[0]

    def after_a_call(self, slots: tuple[int, ...]) -> Related:
        """What they can hold at once after a call, on whatever table it was made."""
        return self._found(slots)[1]

    def _found(self, slots: tuple[int, ...]) -> tuple[Related, Related]:
        if slots not in self._known:
            followed = _Followed(self._doings, self._possible, self._batches, slots, self._places)
            at_rest = Related(slots, followed.told, frozenset(followed.run()))
            self._known[slots] = at_rest, Related(slots, followed.told, frozenset(followed.after_a_call()))
        return self._known[slots]


def _batches(doings: Doings) -> Iterator[_Batch]:
    """Everything that can be done together in one step of some act."""
    reader = doings.reader

    def read(step: Step, act: str, calls: bool) -> Iterator[_Batch]:
        found = doings.read(step, act)
        acts = frozenset({act}) if calls else None
        for by_table in (False, True):
            once = [d for d in found if d.clause.trigger is not None and d.clause.trigger.by_table is by_table]
            yield _Batch(tuple(doing for doing in once if not doing.several), acts=acts)
            # Any number of them may be done at once: one after the other, whatever is asked.
            yield from (_Batch((doing,), asked=False) for doing in once if doing.several)

    for kind in CALL_KINDS:
        yield from read(Step.BEFORE, kind, True)
        yield from read(Step.REFUSED, kind, True)
        yield from (replace(batch, step=Step.STANDS) for batch in read(Step.STANDS, kind, True))
        judged, *others = read(Step.MADE, kind, True)
        yield replace(judged, step=Step.MADE)
        yield from others
    yield from (_Batch((doing,), asked=False) for doing in doings.taken_back("offender"))
    by_itself = tuple(Doing(clause, clause.effects) for clause in reader.by_kind[Kind.OF_ITSELF])
    if by_itself:
        yield _Batch((*by_itself, *doings.read(Step.STANDS, "pass")), acts=frozenset({"pass"}))
    for act, word in doings.edition.acts.items():
        yield from read(Step.MADE, act, False)
        yield from read(Step.REFUSED, act, False)
        if word.chooses:
            # That a call broke a law is more than is asked for here.
            chosen = [replace(doings.chosen(clause, act), makers=()) for clause in reader.choosers.get(act, [])]
            for some in _subsets(chosen):
                yield _Batch((*some, *_instead(doings, some)), asked=len(chosen) <= _MOST_TOGETHER)


def _subsets(chosen: list[Doing]) -> Iterator[tuple[Doing, ...]]:
    """What can be chosen at once under several rights."""
    if len(chosen) > _MOST_TOGETHER:
        yield from ((doing,) for doing in chosen)
        return
    for number in range(1, len(chosen) + 1):
        yield from itertools.combinations(chosen, number)


def _instead(doings: Doings, chosen: Iterable[Doing]) -> Iterator[Doing]:
    """What the call does that stands in the place of another by what is chosen, if one does; any call may."""
    calls = [effect.call for doing in chosen for effect in doing.effects if isinstance(effect, StandAs)]
    if calls:
        known = calls[0] if all(isinstance(call, core.Constant) and call == calls[0] for call in calls) else None
        call = known or core.Variable(_INSTEAD, BID if all(call.type == BID for call in calls) else CALL)
        yield from (Doing(clause, clause.effects, instead=call) for clause in doings.standing())


class _Followed:
    """Some places, followed through all that acts may do."""

    def __init__(
        self,
        doings: Doings,
        possible: Possible,
        batches: Iterable[_Batch],
        slots: tuple[int, ...],
        places: Mapping[int, Register],
    ) -> None:
        self._doings = doings
        self._edition = doings.edition
        self._possible = possible
        self._slots = slots
        self._registers = tuple(places[slot] for slot in slots)
        names = {register.name for register in self._registers}
        # What writes to neither does nothing here.
        told = (replace(b, doings=tuple(d for d in b.doings if _writes(d, names))) for b in batches)
        self._batches = list(dict.fromkeys(batch for batch in told if batch.doings or batch.step is Step.MADE))
        self._all = tuple(_kinds(register, self._edition) for register in self._registers)
        self.told = tuple(_told(register, self._edition) for register in self._registers)
        self._unwritten = (False,) * len(slots)
        self._anyhow = tuple(itertools.product((False, True), repeat=len(slots)))
        self._seen: set[_State] = set()
        self._at_rest: set[Kinds] = set()
        self._pending: list[_State] = []
        self._steps: dict[tuple[int, Kinds], frozenset[tuple[Kinds, Written]]] = {}

    def run(self) -> set[Kinds]:
        """What they can be where no act is going on."""
        starts = [
            kinds
            if register.starts_with_dealer
            else frozenset({told(start_of(register, 0))})
            for register, kinds, told in zip(self._registers, self._all, self.told, strict=True)
        ]
        for kinds in itertools.product(*starts):
            self._rest(kinds)
        while self._pending:
            while self._pending:
                state = self._pending.pop()
                for after in self._next(state, range(len(self._batches))):
                    self._meet(*after)
                for kinds in self._ended(*state[:2]):
                    self._rest(kinds)
            self._put_back()
        return self._at_rest

    def _rest(self, kinds: Kinds) -> None:
        self._at_rest.add(kinds)
        self._meet(kinds, self._unwritten)

    def after_a_call(self) -> set[Kinds]:
        """What they can be after a call, on whatever table it was made."""
        calls = [place for place, batch in enumerate(self._batches) if batch.acts is not None]
        pending = [(kinds, self._unwritten, False) for kinds in self._before()]
        seen, found = set(pending), set[Kinds]()
        while pending:
            state = pending.pop()
            found.update(self._ended(*state[:2]))
            fresh = {after for after in self._next(state, calls) if after not in seen}
            seen |= fresh
            pending += fresh
        return found

    def _meet(self, kinds: Kinds, written: Written, judged: bool = False) -> None:
        if (kinds, written, judged) not in self._seen:
            self._seen.add((kinds, written, judged))
            self._pending.append((kinds, written, judged))

    def _next(self, state: _State, batches: Iterable[int]) -> Iterator[_State]:
        """What a step more can make of them, by some of the batches."""
        kinds, written, judged = state
        for place in batches:
            batch = self._batches[place]
            if batch.step is Step.STANDS and not judged:
                continue
            if (place, kinds) not in self._steps:
                self._steps[place, kinds] = frozenset(self._step(batch, kinds))
            for after, wrote in self._steps[place, kinds]:
                both = tuple(one or other for one, other in zip(written, wrote, strict=True))
                yield after, both, judged or batch.step is Step.MADE

    # -- steps ---------------------------------------------------------------------------------------------------------

    def _step(self, batch: _Batch, kinds: Kinds) -> Iterator[tuple[Kinds, Written]]:
        """What one step can make of them."""
        if not batch.doings:
            yield kinds, self._unwritten
            return
        tables = self._doings.tables(*batch.doings, possible=self._possible, acts=batch.acts)
        try:
            found = set(self._of(tables, kinds).cases(lambda v, b: self._after(batch, v, b), MOST_CASES))
        except (TooMany, Unguarded):
            yield from self._anything(batch, kinds)
            return
        for after in found:
            now = tuple(old if new is None else new for new, old in zip(after, kinds, strict=True))
            yield now, tuple(new is not None for new in after)

    def _anything(self, batch: _Batch, kinds: Kinds) -> Iterator[tuple[Kinds, Written]]:
        """Whatever a step may make of what it writes."""
        own = [
            [(kind, False), *((other, True) for other in every)]
            if any(_writes(doing, {register.name}) for doing in batch.doings)
            else [(kind, False)]
            for kind, every, register in zip(kinds, self._all, self._registers, strict=True)
        ]
        for made in itertools.product(*own):
            yield tuple(kind for kind, _ in made), tuple(wrote for _, wrote in made)

    def _of(self, tables: Tables, kinds: Kinds) -> Tables:
        """The tables on which the places hold values of these kinds."""
        return replace(tables, related=(Related(self._slots, self.told, frozenset({kinds})),))

    def _after(self, batch: _Batch, values: Values, bound: Bound) -> tuple[int | None, ...]:
        """Of what kind they are after a step where the values are these; None: it does not write to them."""
        now: dict[int, int | None] = {}
        for doing in batch.doings:
            do = functools.partial(self._do, doing, batch, values, now)
            if doing.instead is None:
                do(bound)
            else:
                self._doings.as_instead(doing.instead, values, bound, do)
        kinds = zip(self._slots, self.told, strict=True)
        return tuple(told(now[slot]) if slot in now else None for slot, told in kinds)

    def _do(self, doing: Doing, batch: _Batch, values: Values, now: dict[int, int | None], bound: Bound) -> None:
        if batch.asked and not self._doings.is_done(doing, values, bound):
            return
        evaluator = self._doings.reader.evaluator
        for effect in doing.effects:
            if not isinstance(effect, Assign | Move):
                continue
            for slot, register in zip(self._slots, self._registers, strict=True):
                if effect.register != register.name:
                    continue
                if isinstance(effect, Assign):
                    if evaluator.slot(register, evaluator.solid(effect.arguments, values, bound)) == slot:
                        now[slot] = self._becomes(effect, register, values, bound)
                elif effect.joins:
                    now[slot] = _SOME
                elif now.get(slot) != _SOME:
                    # Nobody joins and leaves in one step.
                    before = now[slot] if slot in now else values[slot]
                    now[slot] = _without(before or 0, effect, evaluator.solid((effect.member,), values, bound)[0])

    def _becomes(self, effect: Assign, register: Register, values: Values, bound: Bound) -> int | None:
        """What a register becomes, or something where it makes no difference which."""
        if isinstance(register.type, Optional) and not isinstance(effect.value.type, Optional):
            return _SOME
        return self._doings.reader.evaluator.value(effect.value, values, bound)

    # -- the end of an act ---------------------------------------------------------------------------------------------

    def _ended(self, kinds: Kinds, written: Written) -> Iterator[Kinds]:
        """What they can be once what has had its time has fallen back to what it starts as."""
        kept = tuple(register.kept_while for register in self._registers)
        if not any(kept):
            yield kinds
            return
        truth = self._doings.reader.evaluator.truth
        tables = Tables.of(self._edition.clauses[0], self._edition, *kept)

        def ask(values: Values, _: Bound) -> tuple[bool, ...]:
            return tuple(condition is None or truth(condition, values, {}) for condition in kept)

        try:
            cases = set(self._of(replace(tables, possible=self._possible), kinds).cases(ask, MOST_CASES))
        except (TooMany, Unguarded):
            cases = {*self._anyhow}
        for lasting in cases:
            own = [self._left(*each) for each in zip(range(len(kinds)), kinds, lasting, written, strict=True)]
            yield from itertools.product(*own)

    def _left(self, place: int, kind: int, lasts: bool, written: bool) -> frozenset[int]:
        register = self._registers[place]
        if lasts:
            return frozenset({kind})
        fallen = self._all[place] if register.starts_with_dealer else {self.told[place](start_of(register, 0))}
        # What was written may be what it was before.
        return frozenset({*fallen, kind}) if written else frozenset(fallen)

    # -- calls put back ------------------------------------------------------------------------------------------------

    def _put_back(self) -> None:
        """Meet what there can be where a call is put back: what is put back is as it was when some call was made."""
        clauses = self._edition.clauses
        effects = [effect for clause in clauses for effect in clause.effects]
        earlier = any(isinstance(effect, TakeBackEarlier) for effect in effects)
        again = any(isinstance(effect, JudgeAgain) for effect in effects)
        if earlier or any(choice.puts_back for clause in clauses for choice in choices_of(clause)):
            # What an earlier call takes back with it is not told from what is written.
            self._mix(frozenset({PutBack.ALWAYS}), self._anyhow if earlier else (self._unwritten,))
        if again:
            self._mix(_BY_A_CORRECTION, (self._unwritten,))
        if again and PutBack.JUDGEMENT in {register.put_back for register in self._registers}:
            present = {kinds for kinds, *_ in self._seen}
            for one, other in itertools.product(present, present):
                for mixed, written in itertools.product(itertools.product(*zip(one, other, strict=True)), self._anyhow):
                    self._meet(mixed, written)

    def _mix(self, back: frozenset[PutBack], written: Iterable[Written]) -> None:
        """Meet what there can be where the registers that are put back in some of these ways are as before a call."""
        own = tuple(register.put_back in back for register in self._registers)
        present = {kinds for kinds, *_ in self._seen}
        for before, now, wrote in itertools.product(self._before() if any(own) else present, present, written):
            mixed = zip(own, before, now, strict=True)
            self._meet(tuple(old if is_back else new for is_back, old, new in mixed), wrote)

    def _before(self) -> set[Kinds]:
        """What they can have been when a call was made."""
        if any(self._doings.reader.read_for(Step.BEFORE, kind) for kind in CALL_KINDS):
            return {kinds for kinds, *_ in self._seen}
        return {pair for pair in self._at_rest if any(self._is_open_to(kind, pair) for kind in CALL_KINDS)}

    def _is_open_to(self, kind: str, kinds: Kinds) -> bool:
        """Whether a call of a kind may not be refused."""
        refusals = [c for c in self._doings.reader.read_for(Step.MADE, kind) if c.kind is Kind.REFUSAL]
        if not refusals:
            return True
        doings = [Doing(clause, ()) for clause in refusals]
        tables = self._of(self._doings.tables(*doings, possible=self._possible, acts=frozenset({kind})), kinds)

        def ask(values: Values, bound: Bound) -> bool:
            return not any(self._doings.applies(clause, values, bound) for clause in refusals)

        try:
            return any(tables.cases(ask, MOST_CASES))
        except (TooMany, Unguarded):
            return True


# -- kinds of value ----------------------------------------------------------------------------------------------------


def _told(register: Register, edition: Edition) -> Callable[[int | None], int]:
    """Of what kind a value is: something or nothing, a set with members or without; of a few values each is its own
    kind, and many are not told apart."""
    if isinstance(register.type, Optional):
        return lambda value: int(value is not None)
    if isinstance(register.type, SetOf):
        return lambda value: int(bool(value))
    few = len(edition.universe.members(register.type)) <= _MOST_KINDS
    return lambda value: (value or 0) if few else 0


def _kinds(register: Register, edition: Edition) -> frozenset[int]:
    """The kinds of value that a register can hold."""
    if isinstance(register.type, Optional | SetOf):
        return frozenset({0, 1})
    return frozenset(map(_told(register, edition), edition.universe.members(register.type)))


def _writes(doing: Doing, names: set[str]) -> bool:
    return any(isinstance(effect, Assign | Move) and effect.register in names for effect in doing.effects)


def _without(before: int, effect: Move, member: int) -> int:
    several = members(member) if isinstance(effect.member.type, SetOf) else (member,)
    return before & ~sum(1 << one for one in several)
