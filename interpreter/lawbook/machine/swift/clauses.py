"""Clauses folded for what is known of an act or a right: whether one applies, who holds a right, what is bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lawbook.edition.model import Clause, Kind, Step
from lawbook.language.types import SetOf
from lawbook.machine.reading import Reader
from lawbook.machine.rights import Rights
from lawbook.machine.ruling import Event
from lawbook.machine.state import Right, right_bound
from lawbook.machine.swift.folding import Folder
from lawbook.machine.swift.text import Code, Known, both, contrary


@dataclass(frozen=True, slots=True)
class Act:
    """An act as clauses read it: its name and what it binds. A choice binds what its right does as well."""

    name: str
    known: Mapping[str, int | None]


class Clauses:
    """Folds the clauses of one edition."""

    def __init__(self, reader: Reader, rights: Rights) -> None:
        self.reader = reader
        self.rights = rights
        self.edition = reader.edition
        self.folder = Folder(reader.evaluator)

    def act(self, event: Event) -> Act:
        """What clauses read of an act that is no choice."""
        return Act(event.name, self.reader.bound(event))

    def holds(self, clause: Clause, known: Known) -> bool | Code:
        """Whether a clause applies: its condition holds and neither its `unless` nor an exception defeats it."""
        parts: list[bool | Code] = [self.folder.truth(clause.condition, known)]
        if clause.unless is not None and parts[-1] is not False:
            parts.append(contrary(self.folder.truth(clause.unless, known)))
        for exception in self.reader.exceptions_to(clause):
            if parts[-1] is False:
                return False
            parts.append(contrary(self.holds(exception, known)))
        return both(*parts)

    def is_of_role(self, clause: Clause, known: Known) -> bool | Code:
        """Whether the actor has the role that a clause's trigger speaks of."""
        trigger = clause.trigger
        if trigger is None:
            return True
        seat = known.get("caller")
        if trigger.by_table:
            return seat is None
        if seat is None or trigger.role is None:
            return seat is not None
        assert isinstance(seat, int)
        who = self.folder.value(trigger.role, known)
        if not isinstance(trigger.role.type, SetOf):
            return Code(f"({who} == {seat})") if isinstance(who, Code) else who == seat
        return Code(f"(({who} or 0) & {1 << seat})") if isinstance(who, Code) else bool((who or 0) >> seat & 1)

    def applies(self, clause: Clause, known: Known) -> bool | Code:
        """Whether a clause is of this act and holds."""
        role = self.is_of_role(clause, known)
        return False if role is False else both(role, self.holds(clause, known))

    def for_right(
        self, clause: Clause, act: Act, caller: int, call: int | None, right: Right
    ) -> tuple[bool | Code, Known]:
        """Whether a clause that is read for each open right applies to an act for one, and what is bound then."""
        own = self.bound_of_right(caller, call, right)
        about = {"offender": caller, "offence": right.offence, "holders": self.holders(right, own)}
        known: Known = {**own, **act.known, **about}
        return self.applies(clause, known), known

    def read_for(self, step: Step, name: str) -> list[Clause]:
        """The clauses read in a step of an act, those that keep it from being done at all left out."""
        return [c for c in self.reader.read_for(step, name) if c.kind is not Kind.REFUSAL or step is not Step.MADE]

    def bound_of_right(self, caller: int, call: int | None, right: Right) -> dict[str, int | None]:
        """What an open right binds."""
        base: dict[str, int | None] = {"offender": caller, "call": call}
        if call is not None and call >= self.edition.universe.first_bid:
            base["bid"] = call
        return right_bound(self.edition, right, base)

    def holders(self, right: Right, known: Known) -> int | Code:
        """The set of seats that hold a right."""
        _, remedy = self.reader.remedy_of(right)
        holder = self.folder.value(remedy.holder, known)
        if isinstance(remedy.holder.type, SetOf):
            return Code(f"({holder} or 0)") if isinstance(holder, Code) else holder or 0
        return Code(f"only({holder})") if isinstance(holder, Code) else only(holder)

    def with_exceptions(self, clause: Clause) -> Iterator[Clause]:
        """A clause, the exceptions to it, and those to them."""
        yield clause
        for exception in self.reader.exceptions_to(clause):
            yield from self.with_exceptions(exception)


def only(seat: int | None) -> int:
    """The set of one seat; of nobody, the empty one."""
    return 0 if seat is None else 1 << seat
