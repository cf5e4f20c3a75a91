"""Doings: what clauses do in the steps of acts, which of them can do it together, and what has to be so for it.

The steps are those of the machine: a call is judged and stands, calls are taken back, somebody chooses a remedy, an
act is refused, something happens of itself (see lawbook/machine).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from lawbook.edition.machines import registers_of
from lawbook.edition.model import (
    CALL_KINDS,
    EVERY_CALL,
    Clause,
    Edition,
    Effect,
    FateKind,
    Kind,
    PutBack,
    StandAs,
    Step,
)
from lawbook.explore.occasions import choices_of
from lawbook.explore.proofs import Possible
from lawbook.language import core
from lawbook.language.types import BID
from lawbook.machine.evaluate import Bound, Evaluator, Values
from lawbook.machine.reading import Reader
from lawbook.machine.tables import Tables

T = TypeVar("T")

OF_A_CALL: Final = frozenset({"caller", "call", "bid"})
"""What a call binds."""

_OF_A_RIGHT: Final = frozenset({"offender", "offence", "holders"})

@dataclass(frozen=True, slots=True)
class Doing:
    """What a clause does in one step of an act. `own` are the names it binds for itself there, which another may bind
    otherwise, `several` says that one act can have it do so more than once.

    `asked`: it does so only where it is read and its conditions hold, on the table that its effects read. `makers` are
    the prohibitions one of which held on that table, if that is known. With `instead` it is what a call does that
    stands in the place of the offender's.
    """

    clause: Clause
    effects: tuple[Effect, ...]
    own: frozenset[str] = frozenset()
    several: bool = False
    asked: bool = True
    makers: tuple[Clause, ...] = ()
    instead: core.Value | None = None


class Doings:
    """What the clauses of one edition do."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.reader = Reader(edition, Evaluator)
        marks = {f"right:{register.name}" for register in edition.registers.values() if register.per_right}
        self._of_a_right = _OF_A_RIGHT | marks
        self._always = {r.name for r in edition.registers.values() if r.put_back is PutBack.ALWAYS and not r.per_right}

    def read(self, step: Step, act: str) -> list[Doing]:
        """What clauses do that are read in a step of an act."""
        bound = frozenset({"caller", "argument"}) | (OF_A_CALL if act in EVERY_CALL else frozenset())
        own = (self._of_a_right | OF_A_CALL) - bound
        return [
            Doing(clause, clause.effects, own if clause.each_right else frozenset(), clause.each_right)
            for clause in self.reader.read_for(step, act)
            if clause.kind is not Kind.REFUSAL
        ]

    def taken_back(self, *own: str) -> list[Doing]:
        """What clauses do because calls are taken back, of which there may be several."""
        read = {c: None for kind in CALL_KINDS for c in self.reader.read_for(Step.TAKEN_BACK, kind)}
        return [Doing(clause, clause.effects, OF_A_CALL | {*own}, several=True) for clause in read]

    def chosen(self, clause: Clause, act: str) -> Doing:
        """What a clause lets be chosen by an act, under one right among others against the same call."""
        own = self._of_a_right - {"offender", "holders"}
        effects = tuple(e for choice in choices_of(clause) if choice.act == act for e in choice.effects)
        # A call that is put back broke a law on the table that the effects read, if what both read is put back.
        offences = frozenset() if clause.remedy is None else clause.remedy.offences
        makers = tuple(c for c in self.edition.clauses if c.offence is not None and c.offence in offences)
        when_made = all(maker.trigger is not None and maker.trigger.step is Step.MADE for maker in makers)
        puts_back = any(isinstance(effect, StandAs) for effect in effects)
        read = registers_of((*map(_asked, makers), effects), self.edition.definitions)
        known = makers if puts_back and when_made and read <= self._always else ()
        several = clause.remedy is None or len(offences) > 1
        return Doing(clause, effects, own, several, asked=False, makers=known)

    def standing(self) -> list[Clause]:
        """The clauses by which calls take effect."""
        return list(dict.fromkeys(c for kind in CALL_KINDS for c in self.reader.read_for(Step.STANDS, kind)))

    # -- whether it is done --------------------------------------------------------------------------------------------

    def exceptions(self, clause: Clause) -> Iterator[Clause]:
        for exception in self.reader.exceptions_to(clause):
            yield exception
            yield from self.exceptions(exception)

    def is_done(self, doing: Doing, values: Values, bound: Bound) -> bool:
        reader = self.reader
        if doing.instead is not None:
            # Which bid it is need not be asked to know that it is one.
            kind = "bid" if doing.instead.type == BID else reader.kind_of(bound["call"] or 0)
            if kind not in acts_of(doing.clause):
                return False
        if doing.asked:
            return reader.holds(doing.clause, values, bound) and in_role(reader, doing.clause, values, bound)
        if not doing.makers:
            return True
        # The offender is who called, and the call is the one that the right is about.
        made = {**bound, "caller": bound["offender"]}
        return any(reader.holds(maker, values, made) and in_role(reader, maker, values, made) for maker in doing.makers)

    def as_instead(self, call: core.Value, values: Values, bound: Bound, ask: Callable[[Bound], T]) -> T:
        """What is answered for a call that stands in the place of the offender's; which call it is may make no
        difference."""
        known = {"caller": bound["offender"], "replacement": 1}
        try:
            return ask(known)
        except KeyError as wanted:
            if wanted.args[0] not in OF_A_CALL:
                raise
        number = self.reader.evaluator.value(call, values, bound)
        return ask({**known, "call": number, "bid": number})

    def applies(self, clause: Clause, values: Values, bound: Bound) -> bool:
        """Whether a clause is read for an act and its conditions hold."""
        return self.reader.holds(clause, values, bound) and in_role(self.reader, clause, values, bound)

    def tables(
        self, *doings: Doing, possible: Possible, acts: frozenset[str] | None = None, also: Iterable[object] = ()
    ) -> Tables:
        """The tables of all that decides whether these are done, and what they do; and of other trees."""
        clauses = [clause for doing in doings for clause in (doing.clause, *doing.makers)]
        trees = [*clauses, *(e for clause in clauses for e in self.exceptions(clause)), *(d.instead for d in doings)]
        # What is chosen is chosen under a right about a call, whatever the call is.
        read = (EVERY_CALL if not doing.asked else acts_of(doing.clause) for doing in doings)
        calls = frozenset[str]().union(*read) if acts is None else acts
        first = clauses[0] if clauses else self.edition.clauses[0]
        found = Tables.of(first, self.edition, *trees, *also, acts=calls)
        return replace(found, possible=possible)


def in_role(reader: Reader, clause: Clause, values: Values, bound: Bound) -> bool:
    """Whether whoever acts has the role a clause speaks of; asks for him where he is not settled yet."""
    if clause.trigger is None or clause.trigger.by_table or clause.trigger.role is None:
        return True
    seat = bound["caller"]
    return seat is not None and reader.in_role(clause.trigger.role, values, bound, seat)


def instead_of(clause: Clause) -> core.Value | None:
    """The call as which a clause lets a call stand that is made, if it does so."""
    return clause.fate.instead if clause.fate is not None and clause.fate.kind is FateKind.STANDS_AS else None


def acts_of(clause: Clause) -> frozenset[str]:
    return frozenset() if clause.trigger is None else clause.trigger.acts


def _asked(clause: Clause) -> tuple[object, ...]:
    role = None if clause.trigger is None else clause.trigger.role
    return clause.condition, clause.unless, role
