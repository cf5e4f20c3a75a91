"""Leave to correct: the registers that nothing but corrections depends on, kept for each player.

Whether a player may still correct his last call, or is too late, bears on no other ruling. Such registers multiply the
positions of a search by all that may be said of each of four players. Where every clause that reads or writes one does
so for a single player, what is said of a player can be followed by itself, whatever is said of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Final, TypeAlias

from lawbook.edition.machines import definitions_of, effects_of, parts_of, registers_of, variables_of
from lawbook.edition.model import (
    EVERY_CALL,
    Assign,
    Clause,
    Edition,
    JudgeAgain,
    Kind,
    Move,
    PutBack,
    Register,
    Step,
)
from lawbook.explore.bearing import bearing, bearing_clauses
from lawbook.explore.occasions import reads
from lawbook.language import core
from lawbook.language.types import CALL, SEAT, SetOf
from lawbook.machine.dependence import reading
from lawbook.machine.evaluate import Values

Status: TypeAlias = tuple[int | None, ...]
"""What the registers say of one player; of a set, 1 if he is in it."""

_CALLER: Final = core.Variable("caller", SEAT)
_ARGUMENT: Final = core.Variable("argument", CALL)


class Leave:
    """The registers of one edition that only `correcting` acts depend on, when these are offered beside calls and other
    acts, and the clauses by which a call is corrected."""

    def __init__(self, edition: Edition, acts: Iterable[str], correcting: Set[str]) -> None:
        offered = tuple(acts)
        self._edition = edition
        self.correcting = frozenset(correcting)
        self._clauses = bearing_clauses(edition, (*offered, *correcting))
        written = {e.register for c in self._clauses for e in effects_of(c) if isinstance(e, Assign | Move)}
        beside = bearing(edition, offered)
        names = (bearing(edition, (*offered, *correcting)) - beside) & written
        self._registers = tuple(edition.registers[name] for name in sorted(names))
        self._names = frozenset(names)
        self.is_apart = self._is_apart(beside & written)
        """Whether what is said of one player can be followed by itself, and a correction is the corrected call made at
        the table as it was before the call."""
        self.judging = tuple(c for c in self._clauses if any(isinstance(e, JudgeAgain) for e in c.effects))
        """The clauses by which a call is judged again as another."""
        about = tuple(c for c in self._clauses if self._corrects(c) or c.kind is Kind.EXCEPTION)
        self.told = self._others((*about, *self._writing()))
        """The other registers that decide whether a call may be corrected and what becomes of a player's leave."""
        self.sign = reading(edition, self.told)
        """What of a table decides that."""
        of_rights = (
            c for c in self._writing() if c.each_right or (c.trigger is not None and c.trigger.acts - EVERY_CALL)
        )
        self.asks_for_calls = not variables_of(tuple(of_rights)).isdisjoint(("call", "bid"))
        """Whether what becomes of a player's leave may depend on which call a right is about."""
        self.once = tuple(clause.once for clause in self._clauses if clause.once is not None)
        """What ends rights once it has come to be so."""

    def of(self, values: Values, seat: int) -> Status:
        """What is said of a player."""
        return tuple(
            (values[r.slot] or 0) >> seat & 1 if _is_set(r) else values[r.slot + seat] for r in self._registers
        )

    def put(self, values: Values, seat: int, status: Status) -> Values:
        """The values with that said of a player."""
        found = list(values)
        for register, value in zip(self._registers, status, strict=True):
            if _is_set(register):
                mask = found[register.slot] or 0
                found[register.slot] = mask | 1 << seat if value else mask & ~(1 << seat)
            else:
                found[register.slot + seat] = value
        return tuple(found)

    # -- what clauses say ----------------------------------------------------------------------------------

    def _corrects(self, clause: Clause) -> bool:
        trigger = clause.trigger
        return trigger is not None and trigger.step is Step.MADE and bool(trigger.acts & self.correcting)

    def _writing(self) -> Iterator[Clause]:
        """The clauses that write the registers."""
        for clause in self._clauses:
            if self._writes(clause):
                yield clause

    def _writes(self, clause: Clause) -> bool:
        return any(isinstance(e, Assign | Move) and e.register in self._names for e in effects_of(clause))

    def _others(self, clauses: Iterable[Clause]) -> frozenset[str]:
        """What these clauses ask, and how long the registers are kept, but for the registers themselves."""
        found = registers_of(tuple(register.kept_while for register in self._registers), self._edition.definitions)
        for clause in clauses:
            found |= reads(clause, self._edition)
            found |= registers_of(tuple(effects_of(clause)), self._edition.definitions)
            if clause.each_right or clause.trigger is None or clause.trigger.acts - EVERY_CALL:
                # Who holds a right is bound where a clause is read for one.
                remedies = (c.remedy.holder for c in self._clauses if c.remedy is not None)
                found |= registers_of(tuple(remedies), self._edition.definitions)
        return frozenset(name for name in found - self._names if not self._edition.registers[name].per_right)

    def _is_apart(self, others: Set[str]) -> bool:
        edition = self._edition
        if not all(map(_is_of_each_player, self._registers)):
            return False
        # A correction leaves nothing as it is now but what is said here.
        if any(edition.registers[name].put_back in (PutBack.NEVER, PutBack.JUDGEMENT) for name in others):
            return False
        if any(registers_of((r.kept_while,), edition.definitions) & self._names for r in self._registers):
            return False
        held_by = registers_of((edition.held_while,), edition.definitions)
        if not self._players(edition.held_while) <= {_CALLER} or held_by & others:
            return False
        return all(map(self._fits, self._clauses))

    def _fits(self, clause: Clause) -> bool:
        """Whether a clause has to do with a single player's leave at most, and not with corrections in other ways."""
        players = self._players(clause)
        trigger = clause.trigger
        if clause.once is not None and variables_of(clause.once):
            return False
        if self._corrects(clause):
            judged = [e for e in clause.effects if isinstance(e, JudgeAgain) and e.call == _ARGUMENT]
            return (
                players <= {_CALLER}
                and not clause.each_right
                and clause.kind is not Kind.LAPSE
                and clause.remedy is None
                and len(judged) == len(clause.effects)
                and not any(c.remedy is not None and clause.offence in c.remedy.offences for c in self._clauses)
            )
        if trigger is not None and trigger.acts & self.correcting:
            return False
        if any(isinstance(effect, JudgeAgain) for effect in clause.effects):
            return False
        if not self._writes(clause):
            return not players or not (clause.effects or clause.offence is not None or clause.fate)
        if trigger is None or trigger.step not in (Step.MADE, Step.TAKEN_BACK) or len(players) != 1:
            return False
        # Of a call that is taken back with another no more is known than its kind.
        return trigger.step is Step.MADE or variables_of(clause).isdisjoint(("call", "bid"))

    def _players(self, tree: object) -> set[core.Value | None]:
        """The players whose leave something reads or writes; None among them for whatever else is done with it."""
        found: set[core.Value | None] = set()
        sets = others = 0
        for part in parts_of(tree):
            match part:
                case core.Among(item, core.Read(register)) if register in self._names:
                    found.add(item)
                    sets += 1
                case core.Read(register, arguments) if register in self._names:
                    others += not arguments
                    found.update(arguments)
                case Assign(register, arguments) if register in self._names:
                    found.update(arguments or (None,))
                case Move(register, member) if register in self._names:
                    found.add(member)
        definitions = self._edition.definitions
        behind = registers_of(tuple(definitions[name] for name in definitions_of(tree, definitions)), definitions)
        if others != sets or behind & self._names:
            found.add(None)
        return found


def _is_set(register: Register) -> bool:
    return isinstance(register.type, SetOf)


def _is_of_each_player(register: Register) -> bool:
    """Whether a register says something of each player, and keeps saying it when a call is put back."""
    kept = register.put_back is PutBack.NEVER and not register.per_right and not register.together
    if _is_set(register):
        return kept and register.type == SetOf(SEAT) and not register.indices
    return kept and register.indices == (SEAT,)
