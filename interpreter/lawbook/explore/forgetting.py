"""Forgetting: of the calls a state still holds, what can no longer matter under the acts offered.

A state holds calls that may be corrected or put back, each with the table as it was before. Where no act is offered
that corrects a call, only those matter that a remedy can still put back; and of the table before such a call only what
the remedies, and the call that will stand in its place, read or leave as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeGuard

from lawbook.edition.machines import registers_of
from lawbook.edition.model import (
    EVERY_CALL,
    EVERY_REMEDY,
    Assign,
    Clause,
    Edition,
    Effect,
    JudgeAgain,
    Kind,
    Move,
    PutBack,
    StandAs,
    Step,
    TakeBackEarlier,
)
from lawbook.language import core
from lawbook.language.types import BID
from lawbook.machine.evaluate import Values
from lawbook.machine.rights import Rights
from lawbook.machine.state import HeldCall, Right, slots_of


def corrects(edition: Edition, acts: Iterable[str]) -> bool:
    """Whether one of the acts has a call judged again, or a call takes an earlier one back."""
    takes_back = any(isinstance(effect, TakeBackEarlier) for clause in edition.clauses for effect in clause.effects)
    return takes_back or any(corrects_calls(edition, act) for act in acts)


def corrects_calls(edition: Edition, act: str) -> bool:
    """Whether an act has a call judged again."""
    return any(
        isinstance(effect, JudgeAgain)
        for clause in edition.clauses
        if clause.trigger is not None and act in clause.trigger.acts
        for effect in clause.effects
    )


class Forgetting:
    """Reduces the held calls of one edition's states, whose acts correct nothing, to what can still matter.

    `starts` are the values that an auction starts with, for each dealer.
    """

    def __init__(self, edition: Edition, rights: Rights, kept: frozenset[str], starts: Sequence[Values]) -> None:
        self._rights = rights
        # Something else may follow when a later call is taken back with an earlier one.
        self._idle = any(follows(clause, kept) for clause in edition.clauses)
        self._starts = tuple(starts)
        put_back = slots_of(edition, frozenset({PutBack.ALWAYS}))
        never = frozenset(range(len(starts[0]))) - put_back
        self._blank = {
            clause.id: never | _overwritten(clause, edition) for clause in edition.clauses if clause.remedy is not None
        }
        self._known: dict[frozenset[str], tuple[int, ...]] = {}

    def reduced(self, call: HeldCall) -> HeldCall | None:
        """A held call without what can no longer matter, but for the table before it; None if nothing of it matters."""
        if self._idle or (call.rights and call.before is None):
            return call
        if not call.rights:
            return None
        puts_back = any(right.remedy in self._rights.puts_back for right in call.rights)
        return call if puts_back else self._rights.bare(call, call.rights)

    def dead(self, rights: frozenset[Right]) -> tuple[int, ...]:
        """The places of the table before a call that can no longer matter where these rights are open against it."""
        remedies = frozenset(right.remedy for right in rights)
        return () if self._idle or not remedies & self._rights.puts_back else self._dead(remedies)

    def reduced_before(self, before: Values, dead: tuple[int, ...], dealer: int) -> Values:
        """The table before a call with what can no longer matter put to what it is when that seat deals: if the table
        is to be turned, the one that will be North."""
        found = list(before)
        for slot in dead:
            found[slot] = self._starts[dealer][slot]
        return tuple(found)

    def _dead(self, remedies: frozenset[str]) -> tuple[int, ...]:
        """The places of the table before a call that no remedy against it reads or leaves as they were."""
        found = self._known.get(remedies)
        if found is None:
            dead = frozenset.intersection(*(self._blank[remedy] for remedy in remedies & self._rights.puts_back))
            found = self._known[remedies] = tuple(sorted(dead))
        return found


def follows(clause: Clause, kept: frozenset[str]) -> bool:
    """Whether a clause does something that matters when a call is taken back."""
    if clause.trigger is None or clause.trigger.step is not Step.TAKEN_BACK:
        return False
    writes = any(not isinstance(e, Assign | Move) or e.register in kept for e in clause.effects)
    return writes or clause.offence is not None


def _overwritten(remedy: Clause, edition: Edition) -> frozenset[int]:
    """The places of a table put back by a remedy that are written, whatever stood there, before anything reads them."""
    about = [remedy]
    for clause in edition.clauses:
        if clause.kind in (Kind.EXCEPTION, Kind.WAIVER) and {remedy.id, EVERY_REMEDY} & set(clause.targets):
            about.append(clause)
    read: list[object] = [part for clause in about for part in (clause.condition, clause.unless)]
    assert remedy.remedy is not None
    read.append(remedy.remedy.holder)
    choices = [
        c for clause in about for c in (*clause.choices, *(() if clause.remedy is None else clause.remedy.choices))
    ]
    written: list[frozenset[str]] = []
    for choice in choices:
        if choice.puts_back:
            writes = {effect.register for effect in choice.effects if _is_whole(effect)}
            read += [part for effect in choice.effects for part in _read_by(effect)]
            for effect in choice.effects:
                if isinstance(effect, StandAs):
                    by_standing, reads = _standing(effect.call, edition)
                    writes |= by_standing
                    read += reads
            written.append(frozenset(writes))
    if not written:
        return frozenset()
    names = frozenset.intersection(*written) - registers_of(tuple(read), edition.definitions)
    registers = [edition.registers[name] for name in names]
    return frozenset(slot for r in registers for slot in range(r.slot, r.slot + r.size))


def _standing(call: core.Value, edition: Edition) -> tuple[frozenset[str], list[object]]:
    """What is written for certain when a call stands, and all that is read then."""
    kinds = frozenset({"bid"}) if call.type == BID else EVERY_CALL
    excepted = {target for clause in edition.clauses if clause.kind is Kind.EXCEPTION for target in clause.targets}
    read: list[object] = []
    written: dict[str, set[str]] = {kind: set() for kind in kinds}
    for clause in edition.clauses:
        if clause.trigger is None or clause.trigger.step is not Step.STANDS or not clause.trigger.acts & kinds:
            continue
        read += [clause.condition, clause.unless, *(part for effect in clause.effects for part in _read_by(effect))]
        if clause.condition == core.TRUE and clause.unless is None and clause.id not in excepted:
            for kind in clause.trigger.acts & kinds:
                written[kind] |= {effect.register for effect in clause.effects if _is_whole(effect)}
    return frozenset.intersection(*(frozenset(names) for names in written.values())), read


def _is_whole(effect: Effect) -> TypeGuard[Assign]:
    """Whether an effect writes a register whole."""
    return isinstance(effect, Assign) and not effect.arguments


def _read_by(effect: Effect) -> tuple[object, ...]:
    if isinstance(effect, Assign):
        return (*effect.arguments, effect.value)
    return (effect.member,) if isinstance(effect, Move) else (effect,)
