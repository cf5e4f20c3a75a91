"""Batches: what clauses do together in one step of an act, and which steps an act can have, one after the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from lawbook.edition.machines import effects_of
from lawbook.edition.model import CALL_KINDS, EVERY_CALL, Assign, Clause, Edition, Kind, Move, StandAs, Step
from lawbook.explore.doings import Doing, Doings, acts_of
from lawbook.explore.proofs import is_never
from lawbook.language import core
from lawbook.language.types import BID, CALL
from lawbook.machine.state import start_of

# What is going on, besides acts by their names and calls, not judged yet, by their kinds.
NONE: Final = ""
"""No act has begun."""

JUDGED: Final = "a call has been judged"
"""A call has been judged, so that it or another in its place may stand."""

AGAIN: Final = "a call is to be judged"
"""A call is put back, and one is to be judged on the table as it is then."""

_ITSELF: Final = "of itself"
_REFUSED: Final = "refused"

# Of more clauses than these that can be chosen from together nothing is followed.
_MOST_TOGETHER: Final = 4
# What a call is bound to that stands in the place of another.
_INSTEAD: Final = "call in its place"


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """What can be done together in one step of an act or a kind of call (None: of any).

    `asked`: as far as its conditions hold, else all of it, and perhaps more of the kind besides. `step` None: something
    is chosen, or happens of itself. `judges`: a call is judged by it; `called`: some call has been made before.
    """

    doings: tuple[Doing, ...]
    act: str | None
    step: Step | None = None
    asked: bool = True
    judges: bool = False
    called: bool = False

    @property
    def told(self) -> bool:
        """Whether it is told what it writes: what is done besides may change what others would write."""
        effects = (effect for doing in self.doings for effect in doing.effects)
        return self.asked or all(not isinstance(e, Assign) or isinstance(e.value, core.Constant) for e in effects)

    @property
    def is_of_calls(self) -> bool:
        """Whether it can be done where a call is made, or what happens of itself then."""
        return self.act in CALL_KINDS or self.act is None

    @property
    def calls(self) -> frozenset[str] | None:
        """The kinds of call that it is read for, if it is read for some in particular."""
        return frozenset({self.act}) if self.act in CALL_KINDS and self.act is not None else None

    def follows(self, course: str, called: bool) -> bool:
        """Whether it can be the next step in the course of an act."""
        if self.called and not called:
            return False
        if self.step is Step.TAKEN_BACK:
            return True
        if self.step is Step.STANDS:
            return course == JUDGED
        if self.act is None:
            return course in (NONE, _ITSELF)
        if self.step is Step.REFUSED:
            return course in (NONE, _REFUSED)
        return course in (NONE, self.act) or (course == AGAIN and self.act in CALL_KINDS and self.step is Step.MADE)

    def leads_to(self, course: str) -> str:
        """What is going on then."""
        if self.judges:
            return JUDGED
        if self.step is Step.STANDS or self.step is Step.TAKEN_BACK or course == AGAIN:
            return course
        if self.step is Step.REFUSED:
            return _REFUSED
        return _ITSELF if self.act is None else self.act


def batches_of(doings: Doings) -> Iterator[Batch]:
    """Everything that can be done together in one step of some act."""
    for kind in CALL_KINDS:
        yield from _read(doings, Step.BEFORE, kind)
        judged, *others = _read(doings, Step.MADE, kind)
        yield replace(judged, judges=True)
        yield from others
        yield Batch(tuple(doings.read(Step.STANDS, kind)), kind, Step.STANDS)
        yield from _read(doings, Step.REFUSED, kind)
    for doing in doings.taken_back("offender"):
        yield Batch((doing,), None, Step.TAKEN_BACK, asked=False, called=True)
    by_itself = tuple(Doing(clause, clause.effects) for clause in doings.reader.by_kind[Kind.OF_ITSELF])
    if by_itself:
        called = _are_after_a_call(doings, by_itself)
        yield Batch((*by_itself, *doings.read(Step.STANDS, "pass")), None, called=called)
    for act, word in doings.edition.acts.items():
        yield from _read(doings, Step.MADE, act)
        yield from _read(doings, Step.REFUSED, act)
        if word.chooses:
            yield from _choices(doings, act)


def _are_after_a_call(doings: Doings, by_itself: tuple[Doing, ...]) -> bool:
    """Whether nothing happens of itself before any call, when what only calls write is as it starts."""
    registers = doings.edition.registers
    # Nor does what happens of itself write before it happens for the first time.
    others = [
        clause
        for clause in doings.edition.clauses
        if clause.kind is not Kind.OF_ITSELF
        and not _is_of_calls(clause)
        and not _is_about_a_call(clause, doings.edition)
    ]
    written = {e.register for c in others for e in effects_of(c) if isinstance(e, Assign | Move)}
    possible = {
        register.name: frozenset({start_of(register, 0)})
        for register in registers.values()
        if register.name not in written and not register.starts_with_dealer and not register.per_right
    }
    tables = doings.tables(*by_itself, possible=possible)
    return is_never(lambda values, _: any(doings.reader.holds(d.clause, values, {}) for d in by_itself), tables)


def _read(doings: Doings, step: Step, act: str) -> Iterator[Batch]:
    """What clauses do that are read in a step of an act: first of all what players do."""
    found = doings.read(step, act)
    for by_table in (False, True):
        once = [d for d in found if d.clause.trigger is not None and d.clause.trigger.by_table is by_table]
        yield Batch(tuple(doing for doing in once if not doing.several), act, step)
        # Any number of them may be done at once: one after the other, whatever is asked.
        yield from (Batch((doing,), act, step, asked=False) for doing in once if doing.several)


def _choices(doings: Doings, act: str) -> Iterator[Batch]:
    """What can be chosen at once by an act, under several rights."""
    chosen = [doings.chosen(clause, act) for clause in doings.reader.choosers.get(act, [])]
    together = len(chosen) <= _MOST_TOGETHER
    # Of many each may be chosen, whatever the others do.
    for number in range(1, len(chosen) + 1 if together else 2):
        for some in itertools.combinations(chosen, number):
            called = any(_is_about_a_call(doing.clause, doings.edition) for doing in some)
            # That a call broke a law is more than is asked for here.
            plain = (replace(doing, makers=()) for doing in some)
            yield Batch((*plain, *_instead(doings, some)), act, asked=together, called=called)


def _instead(doings: Doings, chosen: Iterable[Doing]) -> Iterator[Doing]:
    """What the call does that stands in the place of another by what is chosen, if one does; any call may."""
    calls = [effect.call for doing in chosen for effect in doing.effects if isinstance(effect, StandAs)]
    if calls:
        known = calls[0] if all(isinstance(call, core.Constant) and call == calls[0] for call in calls) else None
        call = known or core.Variable(_INSTEAD, BID if all(call.type == BID for call in calls) else CALL)
        yield from (Doing(clause, clause.effects, instead=call) for clause in doings.standing())


def _is_of_calls(clause: Clause) -> bool:
    """Whether a clause is read for nothing but calls."""
    return clause.remedy is None and bool(acts_of(clause)) and acts_of(clause) <= EVERY_CALL


def _is_about_a_call(clause: Clause, edition: Edition) -> bool:
    """Whether a right under a remedy opens only by calls."""
    offences = frozenset() if clause.remedy is None else clause.remedy.offences
    makers = [other for other in edition.clauses if other.offence is not None and other.offence in offences]
    return bool(makers) and all(map(_is_of_calls, makers))
