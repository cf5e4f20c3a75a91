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
from typing import Final, NamedTuple, TypeAlias

from lawbook.edition.model import (
    CALL_KINDS,
    Assign,
    Edition,
    JudgeAgain,
    Kind,
    Move,
    PutBack,
    Register,
    Step,
    TakeBackEarlier,
)
from lawbook.explore.batches import AGAIN, JUDGED, NONE, Batch, batches_of
from lawbook.explore.doings import Doing, Doings
from lawbook.explore.forgetting import corrects_calls
from lawbook.explore.occasions import choices_of
from lawbook.explore.proofs import Possible
from lawbook.language.types import Optional, SetOf
from lawbook.machine.evaluate import Bound, Values, members
from lawbook.machine.state import start_of
from lawbook.machine.tables import MOST_CASES, Related, Tables, TooMany, Unguarded

Kinds: TypeAlias = tuple[int, ...]
"""Of what kind the values at some places are."""

Written: TypeAlias = tuple[bool, ...]
"""Which of them the act has written."""

class _State(NamedTuple):
    """What the places hold in the course of an act, what it has written, what act it is, and whether any call has been
    made by then."""

    kinds: Kinds
    written: Written
    course: str = NONE
    called: bool = False


# After so many cases of all tables no more is followed: then whatever is written may be anything.
_MOST_CASES: Final = 400_000
# More kinds of value than these are not told apart.
_MOST_KINDS: Final = 8
# Stands for any value that is something, and any set with members.
_SOME: Final = 1
_BY_A_CORRECTION: Final = frozenset({PutBack.ALWAYS, PutBack.CORRECTION, PutBack.JUDGEMENT})


@dataclass(slots=True)
class _Effort:
    """How many cases have been looked at for all relations."""

    cases: int = 0


class Relations:
    """What is known of the registers of one edition, as long as each has only the values that are possible."""

    def __init__(self, doings: Doings, possible: Possible) -> None:
        self._doings = doings
        self._possible = possible
        self._known: dict[tuple[int, ...], tuple[Related, Related]] = {}
        self._batches = tuple(batches_of(doings))
        self._effort = _Effort()
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
            followed = _Followed(self._doings, self._possible, self._batches, slots, self._places, self._effort)
            at_rest = Related(slots, followed.told, frozenset(followed.run()))
            self._known[slots] = at_rest, Related(slots, followed.told, frozenset(followed.after_a_call()))
        return self._known[slots]


class _Followed:
    """Some places, followed through all that acts may do."""

    def __init__(
        self,
        doings: Doings,
        possible: Possible,
        batches: Iterable[Batch],
        slots: tuple[int, ...],
        places: Mapping[int, Register],
        effort: _Effort,
    ) -> None:
        self._doings = doings
        self._edition = doings.edition
        self._possible = possible
        self._slots = slots
        self._effort = effort
        self._registers = tuple(places[slot] for slot in slots)
        names = {register.name for register in self._registers}
        # What writes to neither does nothing here.
        told = (replace(b, doings=tuple(d for d in b.doings if _writes(d, names))) for b in batches)
        self._batches = [batch for batch in told if batch.doings or batch.judges]
        self._all = tuple(_kinds(register, self._edition) for register in self._registers)
        self.told = tuple(_told(register, self._edition) for register in self._registers)
        self._unwritten = (False,) * len(slots)
        self._anyhow = tuple(itertools.product((False, True), repeat=len(slots)))
        self._seen: set[_State] = set()
        self._at_rest: set[Kinds] = set()
        self._pending: list[_State] = []
        self._open: dict[tuple[str, Kinds], bool] = {}
        acts = self._edition.acts
        self._choosing = {act for act, word in acts.items() if word.chooses}
        self._correcting = {act for act in acts if corrects_calls(self._edition, act)}
        self._steps: dict[tuple[Batch, Kinds], frozenset[tuple[Kinds, Written]]] = {}

    def run(self) -> set[Kinds]:
        """What they can be where no act is going on."""
        starts = [
            kinds
            if register.starts_with_dealer
            else frozenset({told(start_of(register, 0))})
            for register, kinds, told in zip(self._registers, self._all, self.told, strict=True)
        ]
        for kinds in itertools.product(*starts):
            self._rest(kinds, False)
        while self._pending:
            while self._pending:
                state = self._pending.pop()
                for after in self._next(state, self._batches):
                    self._meet(after)
                for kinds in self._ended(state):
                    self._rest(kinds, state.called)
            self._put_back()
        return self._at_rest

    def _rest(self, kinds: Kinds, called: bool) -> None:
        self._at_rest.add(kinds)
        self._meet(_State(kinds, self._unwritten, called=called))

    def _meet(self, state: _State) -> None:
        if state not in self._seen:
            self._seen.add(state)
            self._pending.append(state)

    def after_a_call(self) -> set[Kinds]:
        """What they can be after a call, on whatever table it was made."""
        calls = [batch for batch in self._batches if batch.is_of_calls]
        pending = [_State(kinds, self._unwritten, AGAIN, True) for kinds in self._before()]
        seen, found = set(pending), set[Kinds]()
        while pending:
            state = pending.pop()
            found.update(self._ended(state))
            fresh = {after for after in self._next(state, calls) if after not in seen}
            seen |= fresh
            pending += fresh
        return found

    def _next(self, state: _State, batches: Iterable[Batch]) -> Iterator[_State]:
        """What a step more can make of them, by some of the batches."""
        for batch in batches:
            if not batch.follows(state.course, state.called) or self._is_refused(batch, state):
                continue
            if (batch, state.kinds) not in self._steps:
                self._steps[batch, state.kinds] = frozenset(self._step(batch, state.kinds))
            for after, wrote in self._steps[batch, state.kinds]:
                both = tuple(one or other for one, other in zip(state.written, wrote, strict=True))
                yield _State(after, both, batch.leads_to(state.course), state.called or batch.judges)

    def _is_refused(self, batch: Batch, state: _State) -> bool:
        """Whether the act that a step begins is refused to everybody."""
        if state.course != NONE or batch.act is None or batch.step is Step.REFUSED:
            return False
        return not self._is_open_to(batch.act, state.kinds)

    # -- steps ---------------------------------------------------------------------------------------------------------

    def _step(self, batch: Batch, kinds: Kinds) -> Iterator[tuple[Kinds, Written]]:
        """What one step can make of them."""
        if not batch.doings:
            yield kinds, self._unwritten
            return
        if not batch.told or self._effort.cases > _MOST_CASES:
            yield from self._anything(batch, kinds)
            return
        tables = self._doings.tables(*batch.doings, possible=self._possible, acts=batch.calls)
        try:
            found = set(self._of(tables, kinds).cases(lambda v, b: self._after(batch, v, b), MOST_CASES))
        except (TooMany, Unguarded):
            yield from self._anything(batch, kinds)
            return
        for after in found:
            now = tuple(old if new is None else new for new, old in zip(after, kinds, strict=True))
            yield now, tuple(new is not None for new in after)

    def _anything(self, batch: Batch, kinds: Kinds) -> Iterator[tuple[Kinds, Written]]:
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

    def _after(self, batch: Batch, values: Values, bound: Bound) -> tuple[int | None, ...]:
        """Of what kind they are after a step where the values are these; None: it does not write to them."""
        self._effort.cases += 1
        now: dict[int, int | None] = {}
        for doing in batch.doings:
            do = functools.partial(self._do, doing, batch, values, now)
            if doing.instead is None:
                do(bound)
            else:
                self._doings.as_instead(doing.instead, values, bound, do)
        kinds = zip(self._slots, self.told, strict=True)
        return tuple(told(now[slot]) if slot in now else None for slot, told in kinds)

    def _do(self, doing: Doing, batch: Batch, values: Values, now: dict[int, int | None], bound: Bound) -> None:
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

    def _ended(self, state: _State) -> Iterator[Kinds]:
        """What they can be once the act has ended and what has had its time has fallen back to what it starts as."""
        if state.course in (*CALL_KINDS, AGAIN):
            # A call is judged before it ends.
            return
        kinds = state.kinds
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
            own = [self._left(*each) for each in zip(range(len(kinds)), kinds, lasting, state.written, strict=True)]
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
        chosen = any(choice.puts_back for clause in clauses for choice in choices_of(clause))
        always = frozenset({PutBack.ALWAYS})
        states = [state for state in self._seen if state.called]
        for state in states:
            if chosen and (state.course == NONE or state.course in self._choosing):
                self._mix(always, state, state.course, (self._unwritten,))
            if earlier and (state.course == NONE or state.course in CALL_KINDS):
                # What an earlier call takes back with it is not told from what is written.
                self._mix(always, state, AGAIN, self._anyhow)
            if again and (state.course == NONE or state.course in self._correcting):
                self._mix(_BY_A_CORRECTION, state, AGAIN, (self._unwritten,))
        if again and PutBack.JUDGEMENT in {register.put_back for register in self._registers}:
            present = {state.kinds for state in self._seen}
            for one, other in itertools.product(present, present):
                for mixed, written in itertools.product(itertools.product(*zip(one, other, strict=True)), self._anyhow):
                    self._meet(_State(mixed, written, JUDGED, True))

    def _mix(self, back: frozenset[PutBack], state: _State, course: str, written: Iterable[Written]) -> None:
        """Meet what there can be where the registers that are put back in some of these ways are as before a call."""
        own = tuple(register.put_back in back for register in self._registers)
        now = state.kinds
        for before, wrote in itertools.product(self._before() if any(own) else (now,), written):
            kinds = tuple(old if is_back else new for is_back, old, new in zip(own, before, now, strict=True))
            self._meet(_State(kinds, wrote, course, True))

    def _before(self) -> set[Kinds]:
        """What they can have been when a call was made."""
        if any(self._doings.reader.read_for(Step.BEFORE, kind) for kind in CALL_KINDS):
            return {state.kinds for state in self._seen}
        return {pair for pair in self._at_rest if any(self._is_open_to(kind, pair) for kind in CALL_KINDS)}

    def _is_open_to(self, act: str, kinds: Kinds) -> bool:
        """Whether an act may not be refused."""
        if (act, kinds) not in self._open:
            self._open[act, kinds] = self._may_be_done(act, kinds)
        return self._open[act, kinds]

    def _may_be_done(self, act: str, kinds: Kinds) -> bool:
        refusals = [c for c in self._doings.reader.read_for(Step.MADE, act) if c.kind is Kind.REFUSAL]
        if not refusals:
            return True
        doings = [Doing(clause, ()) for clause in refusals]
        acts = frozenset({act}) if act in CALL_KINDS else None
        tables = self._of(self._doings.tables(*doings, possible=self._possible, acts=acts), kinds)

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
