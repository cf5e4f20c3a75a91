"""What all programs of one edition share: its functions, and how an act ends."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from lawbook.edition.model import PutBack, Step
from lawbook.machine.evaluate import Values
from lawbook.machine.machine import MOST_OF_THEMSELVES, Machine
from lawbook.machine.ruling import Event, Outcome, Verdict
from lawbook.machine.state import HeldCall, Right, State, slots_of
from lawbook.machine.steps import PASS
from lawbook.machine.swift.acts import ActFunctions, Changed
from lawbook.machine.swift.clauses import Act, Clauses
from lawbook.machine.swift.holding import NO_RIGHTS, Holding
from lawbook.machine.swift.open_rights import RightFunctions
from lawbook.machine.swift.steps import Added

Opens: TypeAlias = Callable[[tuple[int, ...], Values], frozenset[Right]]

# The ways in which registers are put back when a player corrects himself.
_CORRECTED: Final = frozenset({PutBack.ALWAYS, PutBack.CORRECTION, PutBack.JUDGEMENT})


class Parts:
    """The functions of one edition. `put_back` and `correct` give, of the values before a call and now, those at the
    table when it is put back under a remedy or replaced by its caller; `remember` those that are held of it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.clauses = Clauses(machine.reader, machine.rights)
        self.acts = ActFunctions(self.clauses)
        self.rights = RightFunctions(self.clauses)
        self.holding = Holding(self.clauses, self.rights)
        self.put_back = self.acts.put_back(frozenset({PutBack.ALWAYS}))
        self.correct = self.acts.put_back(_CORRECTED)
        self.remember = self.acts.remember()
        self.judgement = sorted(slots_of(machine.edition, frozenset({PutBack.JUDGEMENT})))
        # Whether taking a call back is itself an offence of somebody's under this edition.
        self.taking_back_offends = any(
            clause.offence is not None and clause.trigger is not None and clause.trigger.step is Step.TAKEN_BACK
            for clause in machine.edition.clauses
        )
        self._fall = self.acts.fall()
        self._of_itself = self.acts.of_itself()
        self._asks = True
        self._happening: dict[tuple[str, int | None], Changed] = {}

    def without_more(self) -> Parts:
        """The same parts for programs that neither do what happens of itself nor ask the machine: where they would,
        they raise TypeError."""
        found = copy.copy(self)
        found._of_itself, found._asks = [], False
        return found

    def by_machine(self, state: State, event: Event) -> Outcome:
        """What the machine says of an act."""
        if not self._asks:
            raise TypeError("the machine is not asked here")
        rulings = self.machine.act(state, event)
        return rulings[0].verdict, rulings[0].offences, rulings[-1].state

    def happens(self, values: Values) -> bool:
        """Whether anything happens of itself at a table."""
        return any(test(values) for _, test, _ in self._of_itself)

    def finish(
        self,
        state: State,
        verdict: Verdict,
        offences: tuple[int, ...],
        after: Any,
        held: Sequence[HeldCall],
        opened: frozenset[Right],
        found: Values | None = None,
    ) -> Outcome | None:
        """The end of an act: registers and rights that no longer matter fall away, and things happen of themselves.
        `found` are the values that effects were written to, where a call was put back first."""
        values = self._fall(state.values if found is None else found, after)
        left = State(values, self.holding.settled(state.values, values, held, opened) if held else ())
        if verdict is Verdict.REFUSED and left == state:
            return verdict, offences, state
        if self._of_itself:
            settled = self._by_itself(left)
            return None if settled is None else (verdict, offences, settled)
        return verdict, offences, left

    def _by_itself(self, state: State) -> State | None:
        """The state after what happens of itself."""
        for _ in range(MOST_OF_THEMSELVES // 2):
            values, held = state
            acting = [(clause, actor(values)) for clause, test, actor in self._of_itself if test(values)]
            if not acting:
                return state
            if len(acting) > 1:
                return None
            ((clause, seat),) = acting
            happens = self._happening.get((clause.id, seat))
            if happens is None:
                happens = self._happening[clause.id, seat] = self.acts.happening(clause, seat, PASS)
            after = happens(values)
            if after is None:
                return None
            fallen = self._fall(values, after)
            state = State(fallen, self.holding.settled(values, fallen, held, NO_RIGHTS) if held else ())
        return None

    def opening(self, act: Act, seat: int) -> Opens:
        """A function that tells the rights which offences of an act open."""
        known: dict[tuple[int, ...], Callable[[Values], frozenset[Right]]] = {}

        def opens(offences: tuple[int, ...], values: Values) -> frozenset[Right]:
            found = known.get(offences)
            if found is None:
                found = known[offences] = self.rights.opened(act, seat, offences)
            return found(values)

        return opens

    def taken_back(self, later: Sequence[HeldCall], offender: int, values: Values) -> tuple[Added, ...]:
        """What is written because calls are taken back, for the sake of the offender's."""
        added: tuple[Added, ...] = ()
        for call in later:
            if call.call is not None and call.before is not None:
                taken = self.acts.taken_back(call.caller, call.call, offender)
                if taken is not None:
                    added += taken(values)
        return added
