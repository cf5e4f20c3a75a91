"""Rights: how they open, who may use them, how they end, and which calls must be held for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from lawbook.edition.machines import variables_of
from lawbook.edition.model import EVERY_REMEDY, Clause, Kind, PutBack, TakeBackEarlier
from lawbook.machine.evaluate import Bound, Values, members
from lawbook.machine.reading import Changes, Reader, Report
from lawbook.machine.ruling import Defeated, Event, Option
from lawbook.machine.state import HeldCall, Right, State, merged, slots_of, start_of

# What an act binds, as against what the right it may end binds.
_OF_THE_ACT: Final = ("caller", "call", "bid", "argument")


class Rights:
    """Opens, offers, ends and forgets the rights of one edition."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._evaluator = reader.evaluator
        self._remedies: dict[int, list[Clause]] = defaultdict(list)
        self._waivers: dict[str, list[Clause]] = defaultdict(list)
        for clause in reader.edition.clauses:
            if clause.remedy is not None:
                for offence in sorted(clause.remedy.offences):
                    self._remedies[offence].append(clause)
            elif clause.kind is Kind.WAIVER:
                for target in clause.targets:
                    self._waivers[target].append(clause)
        # Remedies that, themselves or by what a waiver or an exception adds, speak of the call or put it back.
        self._speaks_of_call: set[str] = set()
        self.puts_back: set[str] = set()
        for clause in reader.edition.clauses:
            if clause.remedy is None and clause.kind not in (Kind.WAIVER, Kind.EXCEPTION):
                continue
            about = (clause.id,) if clause.remedy is not None else clause.targets
            choices = clause.choices if clause.remedy is None else clause.remedy.choices
            read_later = (clause.condition, clause.unless, clause.trigger, choices)
            holder = None if clause.remedy is None else clause.remedy.holder
            if variables_of((*read_later, holder)) & {"call", "bid"}:
                self._speaks_of_call.update(about)
            if any(choice.puts_back for choice in choices):
                self.puts_back.update(about)
        # A call that another may take back before its own is judged must be held as long as there is a right about it.
        if any(isinstance(e, TakeBackEarlier) and not e.own for c in reader.edition.clauses for e in c.effects):
            self.puts_back.update(c.id for c in reader.edition.clauses if c.remedy is not None)
        self._always = slots_of(reader.edition, frozenset({PutBack.ALWAYS}))
        registers = reader.edition.registers.values()
        # What a right remembers when it opens.
        self.unmarked = tuple(start_of(r, 0) for r in registers if r.per_right)

    def opened(self, values: Values, bound: Bound, event: Event, report: Report) -> frozenset[Right]:
        """The rights that the offences of an act open."""
        inside = {**bound, "offender": event.seat}
        rights = [
            Right(offence, clause.id, self.unmarked)
            for offence in report.offences
            for clause in self.remedies_of(offence)
            if clause.remedy is not None
            and self._evaluator.truth(clause.remedy.opened, values, {**inside, "offence": offence})
        ]
        report.opened.extend(rights)
        return frozenset(rights)

    def options(self, state: State, act: str | None = None) -> Iterator[Option]:
        """The remedies that somebody may choose now (by one act, if named), the newest call's first."""
        for at in range(len(state.held) - 1, -1, -1):
            held = state.held[at]
            for right in sorted(held.rights):
                yield from self._options_of(state, at, held, right, act)

    def _options_of(self, state: State, at: int, held: HeldCall, right: Right, act: str | None) -> Iterator[Option]:
        reader = self._reader
        clause, remedy = reader.remedy_of(right)
        own = [(choice, clause) for choice in remedy.choices]
        named = {choice.act for choice in remedy.choices}
        offered = own + [(c, w) for w in self.waivers_of(clause) for c in w.choices if c.act not in named]
        wanted = [(choice, by) for choice, by in offered if act is None or choice.act == act]
        if not wanted:
            return
        bound = reader.bound_of_right(held, right)
        for seat in members(reader.holders(right, state.values, bound)):
            inside = {**bound, "holder": seat}
            for choice, by in wanted:
                # A choice that puts the call back is asked for on the table as it was before the call.
                values = state.values
                if choice.puts_back:
                    # A call that was taken back under another right is not there to be put back.
                    if held.before is None:
                        continue
                    values = merged(held.before, values, self._always)
                if reader.holds(clause, values, inside) and (by is clause or reader.holds(by, values, inside)):
                    yield Option(seat, choice, by, clause, right.offence, held.caller, at, right)

    def open_for(self, state: State, act: str) -> list[Clause]:
        """The clauses whose rights are open and could be used by an act, whoever holds them."""
        rights = [(call, right) for call in state.held for right in call.rights]
        open_now = {right.remedy for _, right in rights}
        return [
            clause
            for clause in self._reader.choosers.get(act, [])
            if clause.id in open_now
            or (clause.kind is Kind.WAIVER and any(self._may_waive(clause, state, *right) for right in rights))
        ]

    def _may_waive(self, waiver: Clause, state: State, held: HeldCall, right: Right) -> bool:
        """Whether somebody who holds a right may use a waiver; an exception can keep all of them from it."""
        if right.remedy not in waiver.targets and EVERY_REMEDY not in waiver.targets:
            return False
        bound = self._reader.bound_of_right(held, right)
        holders = members(self._reader.holders(right, state.values, bound))
        return any(self._reader.holds(waiver, state.values, {**bound, "holder": seat}) for seat in holders)

    def defeated(self, state: State, event: Event) -> tuple[Defeated, ...]:
        """The open remedies of a player that an exception keeps from him."""
        report = Report()
        for call in state.held:
            for right in sorted(call.rights):
                bound = self._reader.bound_of_right(call, right)
                if event.seat is not None and self._reader.holders(right, state.values, bound) >> event.seat & 1:
                    clause, _ = self._reader.remedy_of(right)
                    self._reader.holds(clause, state.values, {**bound, "holder": event.seat}, report)
        return tuple(report.defeated)

    def end_by_act(self, values: Values, held: tuple[HeldCall, ...], bound: Bound, name: str, changes: Changes) -> None:
        """End the rights whose time an act ends."""
        for at, call in enumerate(held):
            for right in sorted(call.rights):
                # What ends a right speaks of the new call, not of the one the right is about.
                own = {**self._reader.bound_of_right(call, right), **{k: bound[k] for k in _OF_THE_ACT if k in bound}}
                ended = self._ended_by(right, values, own, name)
                if ended is not None:
                    changes.lose(at, right, ended.id)

    def _ended_by(self, right: Right, values: Values, own: Bound, name: str) -> Clause | None:
        clause, _ = self._reader.remedy_of(right)
        if clause.trigger is not None and name in clause.trigger.acts and self._reader.is_of_role(clause, values, own):
            return clause
        for lapse in self.lapses_of(clause):
            if (
                lapse.trigger is not None
                and name in lapse.trigger.acts
                and self._reader.is_of_role(lapse, values, own)
                and self._reader.holds(lapse, values, own)
            ):
                return lapse
        return None

    def remedies_of(self, offence: int) -> list[Clause]:
        """The clauses that give remedies for an offence, by its number."""
        return self._remedies.get(offence, [])

    def waivers_of(self, clause: Clause) -> list[Clause]:
        """The clauses that add choices to a remedy."""
        return [*self._waivers.get(clause.id, ()), *self._waivers.get(EVERY_REMEDY, ())]

    def lapses_of(self, clause: Clause) -> Iterator[Clause]:
        """The lapses that can end the rights of a remedy."""
        assert clause.remedy is not None
        for lapse in self._reader.by_kind[Kind.LAPSE]:
            if lapse.id not in clause.remedy.outlasts and (clause.id in lapse.targets or EVERY_REMEDY in lapse.targets):
                yield lapse

    def end_once(
        self,
        before: Values,
        after: Values,
        held: tuple[HeldCall, ...],
        opened: frozenset[Right],
        report: Report,
    ) -> tuple[HeldCall, ...]:
        """The held calls without the rights that end because something has come to be so in this act."""
        if before == after:
            return held
        changes = Changes(self._reader, report)
        newest = len(held) - 1
        for at, call in enumerate(held):
            for right in sorted(call.rights):
                new = int(at == newest and right in opened)
                own = {**self._reader.bound_of_right(call, right), "new": new}
                for lapse in self.lapses_of(self._reader.remedy_of(right)[0]):
                    if (
                        lapse.once is not None
                        and self._evaluator.truth(lapse.once, after, own)
                        and not self._evaluator.truth(lapse.once, before, own)
                        and self._reader.holds(lapse, after, own)
                    ):
                        changes.lose(at, right, lapse.id)
                        break
        return changes.held(held)

    def pruned(self, held: tuple[HeldCall, ...], values: Values) -> tuple[HeldCall, ...]:
        """Keep of the held calls what can still matter, in one form for one meaning."""
        newest = {call.caller: at for at, call in enumerate(held) if call.is_call}
        seen: set[tuple[int, int, str]] = set()
        kept: list[HeldCall] = []
        for at in range(len(held) - 1, -1, -1):
            call = held[at]
            # Open offences are a set of offender and offence: the newest call is the one a right is about.
            rights = frozenset(r for r in call.rights if (call.caller, r.offence, r.remedy) not in seen)
            seen |= {(call.caller, r.offence, r.remedy) for r in rights}
            correctable = newest.get(call.caller) == at and self._evaluator.truth(
                self._reader.edition.held_while, values, {"caller": call.caller}
            )
            if call.before is not None and (correctable or any(r.remedy in self.puts_back for r in rights)):
                kept.append(call._replace(rights=rights))
            elif rights:
                kept.append(self.bare(call, rights))
        return tuple(reversed(kept))

    def bare(self, held: HeldCall, rights: frozenset[Right]) -> HeldCall:
        """A held call that can no longer be put back, with the rights that remain; they may still speak of it."""
        spoken_of = any(right.remedy in self._speaks_of_call for right in rights)
        return HeldCall(held.caller, held.call if spoken_of else None, None, rights, held.is_call)

    def outlasts_choice(self, right: Right) -> bool:
        """Whether a right survives the choice of another remedy for the same call."""
        return self._reader.remedy_of(right)[1].outlasts_choice
