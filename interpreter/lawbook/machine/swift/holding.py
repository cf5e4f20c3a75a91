"""The calls that are held, and the rights against them, as acts leave them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from lawbook.edition.model import Step
from lawbook.machine.evaluate import Values
from lawbook.machine.state import HeldCall, Right
from lawbook.machine.swift.acts import Test
from lawbook.machine.swift.clauses import Act, Clauses
from lawbook.machine.swift.open_rights import RightFunctions, Touch
from lawbook.machine.swift.steps import Added

_About: TypeAlias = tuple[int, int | None, frozenset[Right]]
Touching: TypeAlias = "Callable[[Sequence[HeldCall], Values], tuple[Sequence[HeldCall], int, tuple[Added, ...]] | None]"
"""What a step of an act does to held calls: these with their rights as the step leaves them, the clauses read for each
right that fire (a bit for each), and what those write. None to decline."""

NO_RIGHTS: Final[frozenset[Right]] = frozenset()


class Holding:
    """What acts do to the held calls of one edition."""

    def __init__(self, clauses: Clauses, rights: RightFunctions) -> None:
        self._clauses = clauses
        self._rights = rights
        self._puts_back = clauses.rights.puts_back
        self._may_be_put_back: tuple[Test | None, ...] = tuple(rights.held_while(seat) for seat in range(4))
        self._once: dict[tuple[object, ...], tuple[tuple[Right, Callable[[Values, Values], Any]], ...]] = {}
        self._bare: dict[tuple[int, int | None, frozenset[Right], bool], HeldCall] = {}

    def touching(self, step: Step, act: Act) -> Touching:
        """A function that does to held calls what a step of an act does."""
        known: dict[_About, tuple[tuple[Right, Touch], ...]] = {}
        rights_functions = self._rights

        def made(about: _About) -> tuple[tuple[Right, Touch], ...]:
            caller, call, rights = about
            touches = ((right, rights_functions.touch(step, act, caller, call, right)) for right in sorted(rights))
            found = known[about] = tuple((right, touch) for right, touch in touches if touch is not None)
            return found

        def touched(
            held: Sequence[HeldCall], values: Values
        ) -> tuple[Sequence[HeldCall], int, tuple[Added, ...]] | None:
            left: list[HeldCall] | None = None
            fired = 0
            added: tuple[Added, ...] = ()
            for at, call in enumerate(held):
                rights = call.rights
                if not rights:
                    continue
                about = (call.caller, call.call, rights)
                touches = known.get(about)
                if touches is None:
                    touches = made(about)
                changed: dict[Right, Right | None] | None = None
                for right, touch in touches:
                    found = touch(values)
                    if found is not None:
                        bits, after, more = found
                        if bits < 0:
                            return None
                        fired |= bits
                        if more:
                            added += more
                        if after is not right:
                            changed = changed or {}
                            changed[right] = after
                if changed is not None:
                    if left is None:
                        left = list(held)
                    kept = (changed.get(right, right) for right in rights)
                    left[at] = HeldCall(
                        call.caller, call.call, call.before, frozenset(r for r in kept if r is not None), call.is_call
                    )
            return held if left is None else left, fired, added

        return touched

    def settled(
        self, before: Values, values: Values, held: Sequence[HeldCall], opened: frozenset[Right]
    ) -> tuple[HeldCall, ...]:
        """The held calls after an act: without the rights that end because something has come to be so, and of them
        what can still matter. `opened` are the rights that the act has opened against the newest."""
        newest = 0
        seen: set[tuple[int, int, str]] | None = None
        kept: list[HeldCall] = []
        last = len(held) - 1
        for at in range(last, -1, -1):
            call = held[at]
            caller, _, values_before, rights, is_call = call
            if rights:
                rights = self._without_ended(before, values, call, opened if at == last else NO_RIGHTS)
                # Open offences are a set of offender and offence: the newest call is the one a right is about.
                if seen is not None:
                    rights = frozenset([r for r in rights if (caller, r.offence, r.remedy) not in seen])
                if at and rights:
                    seen = seen or set()
                    seen.update([(caller, r.offence, r.remedy) for r in rights])
            correctable = False
            if is_call and not newest >> caller & 1:
                newest |= 1 << caller
                test = self._may_be_put_back[caller]
                correctable = test is not None and values_before is not None and bool(test(values))
            if values_before is not None and (correctable or any(r.remedy in self._puts_back for r in rights)):
                same = rights is call.rights
                kept.append(call if same else HeldCall(caller, call.call, values_before, rights, is_call))
            elif rights:
                kept.append(self.bare(call, rights))
        kept.reverse()
        return tuple(kept)

    def bare(self, call: HeldCall, rights: frozenset[Right]) -> HeldCall:
        """A held call that can no longer be put back, with the rights that remain."""
        key = (call.caller, call.call, rights, call.is_call)
        found = self._bare.get(key)
        if found is None:
            found = self._bare[key] = self._clauses.rights.bare(call, rights)
        return found

    def _without_ended(
        self, before: Values, values: Values, call: HeldCall, opened: frozenset[Right]
    ) -> frozenset[Right]:
        rights = call.rights
        key = (call.caller, call.call, rights, opened)
        tests = self._once.get(key)
        if tests is None:
            asked = (
                (right, self._rights.ends_once(call.caller, call.call, right, right in opened)) for right in rights
            )
            tests = self._once[key] = tuple((right, test) for right, test in asked if test is not None)
        if not tests:
            return rights
        lost = [right for right, test in tests if test(before, values)]
        return rights.difference(lost) if lost else rights
