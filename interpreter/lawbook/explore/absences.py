"""Absences: proofs that something is amiss in no auction at all, by what the clauses ask.

They hold for every table there can be, whatever is open on it and however it came about, so for any number of acts and
irregular acts. That there is no proof means nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from lawbook.edition.machines import definitions_of, parts_of, registers_of, variables_of
from lawbook.edition.model import (
    CALL_KINDS,
    EVERY_CALL,
    Assign,
    Choice,
    Clause,
    Edition,
    Effect,
    JudgeAgain,
    Kind,
    LetStand,
    Move,
    Score,
    StandAs,
    Step,
    TakeBack,
    TakeBackEarlier,
)
from lawbook.explore.contradictions import unproved
from lawbook.explore.doings import Doing, Doings
from lawbook.explore.gapkinds import GapKind
from lawbook.explore.occasions import choices_of
from lawbook.explore.proofs import Case, Possible, first_case, is_never
from lawbook.explore.relations import Relations
from lawbook.explore.seeing import OPEN
from lawbook.explore.themselves import comes_to_an_end
from lawbook.language import core
from lawbook.language.types import Optional, SetOf
from lawbook.machine.evaluate import Bound, Values
from lawbook.machine.rights import Rights
from lawbook.machine.tables import Related

PROVABLE: Final = (GapKind.CONFLICT, GapKind.ENDLESS, GapKind.UNDEFINED, GapKind.NOBODY_MAY, GapKind.REFUSED)
"""The kinds of gap of which it can be proved here that there is none."""

# A right that has only just been opened by the act, and one that was there before.
_NEW: Final = ({"new": 0}, {"new": 1})
# How many places are related at once.
_AT_ONCE: Final = (2, 3)


class Absences:
    """What is proved of one edition, as long as registers have only the values that are possible.

    >>> from lawbook.loading import load
    >>> Absences(load("portland-bath-1908"), {}).is_proved(GapKind.CONFLICT)
    True
    """

    def __init__(self, edition: Edition, possible: Possible) -> None:
        self._edition = edition
        self._possible = possible
        self._doings = Doings(edition)
        self._reader = self._doings.reader
        self._rights = Rights(self._reader)
        self._relations = Relations(self._doings, possible)
        self._choosing = frozenset(name for name, act in edition.acts.items() if act.chooses)
        # A call is judged on another table than there was before it where something comes before it.
        self._precede = any(self._reader.read_for(Step.BEFORE, kind) for kind in CALL_KINDS)
        self._again = any(isinstance(e, JudgeAgain) for clause in edition.clauses for e in clause.effects)
        # Whether it is asked what registers can hold at once, which is known of tables on which no act is going on.
        self._relates = True

    def is_proved(self, kind: GapKind) -> bool:
        """Whether a kind of gap is proved to be in no auction."""
        match kind:
            case GapKind.CONFLICT:
                return not unproved(self._edition, self._possible)
            case GapKind.ENDLESS:
                return comes_to_an_end(self._edition, self._reader, self._possible)
            case GapKind.UNDEFINED:
                return self._choices_are_defined()
            case GapKind.NOBODY_MAY:
                return self._somebody_may_call()
            case GapKind.REFUSED:
                return self._choices_are_not_refused()
            case _:
                return False

    def is_penalised(self, prohibition: Clause) -> bool:
        """Whether a right opens wherever a prohibition is broken by an act that is neither a call nor chosen, or by a
        call."""
        trigger, offence = prohibition.trigger, prohibition.offence
        if trigger is None or offence is None or trigger.step is not Step.MADE or trigger.by_table:
            return False
        if prohibition.each_right or any(act in self._choosing for act in trigger.acts):
            return False
        remedies = [r for clause in self._edition.clauses if (r := clause.remedy) is not None and offence in r.offences]
        truth = self._reader.evaluator.truth

        def ask(values: Values, bound: Bound) -> bool:
            if not self._doings.applies(prohibition, values, bound):
                return False
            inside = {**bound, "offender": bound["caller"], "offence": offence}
            return not any(truth(remedy.opened, values, inside) for remedy in remedies)

        elsewhere = (self._precede or self._again) and bool(trigger.acts & EVERY_CALL)
        opened = (remedy.opened for remedy in remedies)
        return bool(remedies) and self._never(ask, [prohibition], *opened, at_rest=not elsewhere)

    def _never(
        self,
        ask: Callable[[Values, Bound], bool],
        clauses: Iterable[Clause],
        *also: object,
        at_rest: bool = True,
    ) -> bool:
        """Whether the answer is no in every case of what these clauses, their exceptions and other trees read; where a
        value is asked for that is not there it is yes. `at_rest`: it is asked of tables on which no act is going on, so
        that a case is nothing if no auction leads to some of its values at once."""
        doings = [Doing(clause, ()) for clause in clauses]
        tables = self._doings.tables(*doings, possible=self._possible, acts=EVERY_CALL, also=also)
        related: list[Related] = []
        while True:
            case = first_case(ask, replace(tables, related=tuple(related)))
            if case is None:
                return True
            found = [told for told in self._related(case) if told not in related] if at_rest and self._relates else []
            if not found:
                return False
            related += found

    def _related(self, case: Case) -> list[Related]:
        """What speaks against a case; of one of too many, what might leave fewer of them."""
        slots = [slot for slot in sorted(case.values) if self._relations.are_told(slot)]
        if not case.against:
            pairs = map(self._relations.between, itertools.combinations(slots, 2))
            return [told for told in pairs if told.says_something]
        # Three places at once only where no two of them are enough.
        some = (some for number in _AT_ONCE for some in itertools.combinations(slots, number))
        found = next((told for told in map(self._relations.between, some) if not told.allows(case.values)), None)
        return [] if found is None else [found]

    # -- choices -------------------------------------------------------------------------------------------------------

    def _choices(self) -> Iterator[tuple[Clause, Clause, Choice]]:
        """Every choice there is: the remedy, the clause that gives it (a waiver, perhaps), and the choice."""
        for remedy in self._edition.clauses:
            if remedy.remedy is not None:
                for clause in (remedy, *self._rights.waivers_of(remedy)):
                    for choice in choices_of(clause):
                        yield remedy, clause, choice

    def _choices_are_defined(self) -> bool:
        """Whether every choice has an effect wherever it may be chosen."""
        return all(self._is_defined(*each) for each in self._choices())

    def _is_defined(self, remedy: Clause, clause: Clause, choice: Choice) -> bool:
        """What is chosen is asked for on the table on which it is offered, unless something was written before it."""
        effects = [effect for effect in choice.effects if not isinstance(effect, TakeBack | LetStand)]
        back = [c for kind in CALL_KINDS for c in self._reader.read_for(Step.TAKEN_BACK, kind)]
        before = [*self._reader.read_for(Step.MADE, choice.act), *(back if choice.puts_back else ())]
        written = {e.register for c in before for e in c.effects if isinstance(e, Assign | Move)}
        if written & registers_of(tuple(effects), self._edition.definitions):
            return False
        reader, given = self._reader, self._doings.chosen(clause, choice.act)

        def ask(values: Values, bound: Bound) -> bool:
            if all(self._is_there(effect, values, bound) for effect in effects):
                return False
            giving = dict.fromkeys((remedy, clause))
            return self._doings.is_done(given, values, bound) and all(reader.holds(c, values, bound) for c in giving)

        # What puts a call back is asked for on the table before that.
        asked = [remedy, clause, *given.makers]
        return not effects or self._never(ask, asked, at_rest=not choice.puts_back)

    def _is_there(self, effect: Effect, values: Values, bound: Bound) -> bool:
        """Whether the values that an effect asks for are there."""
        if not self._may_lack(effect) and all(values[slot] is not None for slot in self._read(effect, values, bound)):
            return True
        evaluator = self._reader.evaluator
        try:
            evaluator.solid(_asked(effect), values, bound)
            nothing = isinstance(effect, Assign) and evaluator.value(effect.value, values, bound) is None
        except (AssertionError, TypeError):
            return False
        if not nothing or not isinstance(effect, Assign):
            return True
        # Where always something has to stand, nothing cannot.
        return isinstance(self._edition.registers[effect.register].type, Optional | SetOf)

    def _read(self, effect: Effect, values: Values, bound: Bound) -> Iterator[int]:
        """The places that an effect reads where there may be nothing."""
        evaluator, definitions = self._reader.evaluator, self._edition.definitions
        registers = {r.name: r for r in self._edition.registers.values() if isinstance(r.type, Optional)}
        for part in parts_of(effect):
            if isinstance(part, core.Read) and part.register in registers and not registers[part.register].per_right:
                yield evaluator.slot(registers[part.register], evaluator.solid(part.arguments, values, bound))
        behind = tuple(definitions[name].body for name in definitions_of(effect, definitions))
        for name in registers_of(behind, definitions) & registers.keys():
            yield from range(registers[name].slot, registers[name].slot + registers[name].size)

    def _may_lack(self, effect: Effect) -> bool:
        """Whether an effect asks for a value that may be nothing though all registers hold something."""
        definitions = self._edition.definitions
        return any(
            isinstance(part, core.Provided | core.First | core.Variable | core.Use) and isinstance(part.type, Optional)
            for tree in (effect, *(definitions[name].body for name in definitions_of(effect, definitions)))
            for part in parts_of(tree)
        )

    def _choices_are_not_refused(self) -> bool:
        """Whether no law refuses what another lets be chosen: not by the same player on one table, or no right is ever
        open where it is refused."""
        for act in self._edition.acts.values():
            refusals = [c for c in self._reader.read_for(Step.MADE, act.name) if c.kind is Kind.REFUSAL]
            if act.chooses and refusals:
                for remedy, clause, choice in self._choices():
                    if choice.act == act.name and not all(self._lets(remedy, clause, choice, r) for r in refusals):
                        return False
        return True

    def _lets(self, remedy: Clause, clause: Clause, choice: Choice, refusal: Clause) -> bool:
        """Whether a choice is proved not to be refused by a law where it may be made. What can be together is asked
        last, for that takes much longer."""
        self._relates = False
        found = self._exclude(remedy, clause, choice, refusal) or self._is_over(remedy, refusal)
        self._relates = True
        return found or self._exclude(remedy, clause, choice, refusal) or self._is_over(remedy, refusal)

    def _exclude(self, remedy: Clause, clause: Clause, choice: Choice, refusal: Clause) -> bool:
        """Whether a choice is nowhere to be had by the player to whom it is refused."""
        reader = self._reader
        assert remedy.remedy is not None
        holder = remedy.remedy.holder
        # What puts a call back is asked for on the table before that, which is another than that of the refusal.
        giving = () if choice.puts_back else tuple(dict.fromkeys((remedy, clause)))

        def ask(values: Values, bound: Bound) -> bool:
            chooser = {**bound, "holder": bound["caller"]}
            if not self._doings.applies(refusal, values, bound):
                return False
            if not all(reader.holds(each, values, chooser) for each in giving):
                return False
            held = reader.evaluator.value(holder, values, bound)
            if held is None:
                return False
            holders = held if isinstance(holder.type, SetOf) else 1 << held
            caller = bound["caller"] or 0
            return bool(holders >> caller & 1)

        return self._never(ask, [refusal, *giving], holder)

    def _is_over(self, remedy: Clause, refusal: Clause) -> bool:
        """Whether every right under a remedy has ended before what somebody chooses could be refused: something ends
        them once it has come to be so, whatever right it is; the refusal holds only where it is so; and where it is so
        no such right opens."""
        return not self._precede and any(
            self._ends_all(lapse)
            and self._is_after(refusal, lapse.once)
            and self._opens_never(remedy, lapse.once, refusal)
            for lapse in self._rights.lapses_of(remedy)
            if lapse.once is not None
        )

    def _ends_all(self, lapse: Clause) -> bool:
        """Whether a lapse ends every right that it is for as soon as its `once` has come to be so."""
        once = lapse.once
        assert once is not None
        if variables_of((once, lapse.condition, lapse.unless)) or any(self._doings.exceptions(lapse)):
            return False
        truth = self._reader.evaluator.truth

        def ask(values: Values, _: Bound) -> bool:
            told = {truth(once, values, new) for new in _NEW}
            return len(told) > 1 or (True in told and not all(self._reader.holds(lapse, values, new) for new in _NEW))

        return self._never(ask, [lapse])

    def _is_after(self, refusal: Clause, once: core.Truth) -> bool:
        truth = self._reader.evaluator.truth
        return self._never(
            lambda values, bound: self._doings.applies(refusal, values, bound) and not truth(once, values, _NEW[0]),
            [refusal],
            once,
        )

    def _opens_never(self, remedy: Clause, once: core.Truth, refusal: Clause) -> bool:
        """Whether no act opens a right under a remedy where something is so already, and a refusal then holds."""
        assert remedy.remedy is not None
        for clause in self._edition.clauses:
            if clause.trigger is None or clause.trigger.by_table:
                continue
            if clause.offence in remedy.remedy.offences and not self._is_prevented(clause, remedy, once):
                return False
            # What puts a call back has another judged on another table.
            again = any(isinstance(effect, JudgeAgain | TakeBackEarlier) for effect in clause.effects)
            if again and not self._is_prevented(clause, None, once) and self._may_hold_after_a_call(refusal):
                return False
        return True

    def _may_hold_after_a_call(self, refusal: Clause) -> bool:
        """Whether a refusal may hold after a call, whatever table it was judged on."""
        read = registers_of((refusal.condition, refusal.unless), self._edition.definitions)
        slots = tuple(sorted(self._edition.registers[name].slot for name in read))
        tables = self._doings.tables(Doing(refusal, ()), possible=self._possible)
        return not is_never(
            lambda values, bound: self._doings.applies(refusal, values, bound),
            replace(tables, related=(self._relations.after_a_call(slots),)),
        )

    def _is_prevented(self, clause: Clause, opens: Clause | None, once: core.Truth) -> bool:
        """Whether a clause applies to no act that is not refused, or opens no right under a remedy, where something is
        so."""
        assert clause.trigger is not None
        truth = self._reader.evaluator.truth
        opened = core.TRUE if opens is None or opens.remedy is None else opens.remedy.opened
        for act in clause.trigger.acts:
            refusals = [c for c in self._reader.read_for(Step.MADE, act) if c.kind is Kind.REFUSAL]

            def ask(values: Values, bound: Bound, refusals: list[Clause] = refusals) -> bool:
                # What sets it aside where something is so often asks for nothing else.
                aside = self._reader.exceptions_to(clause)
                if not truth(once, values, _NEW[0]) or any(self._reader.holds(e, values, bound) for e in aside):
                    return False
                if not self._doings.applies(clause, values, bound):
                    return False
                inside = {**bound, "offender": bound["caller"], "offence": clause.offence}
                if not truth(opened, values, inside):
                    return False
                return not any(self._doings.applies(refusal, values, bound) for refusal in refusals)

            if not self._never(ask, [clause, *refusals], once, opened):
                return False
        return True

    # -- calls ---------------------------------------------------------------------------------------------------------

    def _somebody_may_call(self) -> bool:
        """Whether, wherever calls are to be made, the player in turn has a lawful one."""
        reader, interface, universe = self._reader, self._edition.interface, self._edition.universe
        evaluator, statuses = reader.evaluator, universe.enumerations["status"]
        read: dict[str, list[Clause]] = {}
        for kind in CALL_KINDS:
            made = reader.read_for(Step.MADE, kind)
            told = [c for c in made if c.kind is Kind.REFUSAL or c.offence is not None]
            # Of what depends on open rights, or has an earlier call taken back first, it is supposed to be unlawful.
            if not reader.read_for(Step.BEFORE, kind) and not any(clause.each_right for clause in told):
                read[kind] = told
        highest = universe.bid(universe.levels, len(universe.denominations) - 1)

        def ask(values: Values, _: Bound) -> bool:
            if statuses[evaluator.value(interface.status, values, {}) or 0] != OPEN:
                return False
            turn = evaluator.value(interface.turn, values, {})
            for call in range(highest + 1):
                kind = reader.kind_of(call)
                bound = {"caller": turn, "call": call, **({"bid": call} if kind == "bid" else {})}
                if kind in read and not any(self._doings.applies(clause, values, bound) for clause in read[kind]):
                    return False
            return True

        return self._never(ask, [c for told in read.values() for c in told], interface.status, interface.turn)


def _asked(effect: Effect) -> tuple[core.Value, ...]:
    """The values that have to be there for an effect."""
    match effect:
        case Assign(_, arguments, _):
            return arguments
        case Move(_, member, _):
            return (member,)
        case StandAs(call) | JudgeAgain(call):
            return (call,)
        case Score(amount, _, side):
            return (amount, side)
        case _:
            return ()
