"""What comes before a call: an earlier one may be taken back first, and the new one is judged without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from lawbook.edition.model import Step, TakeBackEarlier
from lawbook.machine.evaluate import Values
from lawbook.machine.state import HeldCall, Right, other_acts
from lawbook.machine.swift.clauses import Act
from lawbook.machine.swift.open_rights import Touch
from lawbook.machine.swift.parts import Parts
from lawbook.machine.swift.steps import Added

Found: TypeAlias = tuple[Values, Sequence[HeldCall], tuple[int, ...], int]
"""The table as a call finds it: the values, the held calls, the offences so far and the call's fate so far."""


class Before:
    """What was made for a call by somebody, of the clauses that come before it."""

    def __init__(self, parts: Parts, act: Act) -> None:
        self._parts = parts
        self._act = act
        self._caller = act.known["caller"]
        clauses = parts.clauses.read_for(Step.BEFORE, act.name)
        each = [clause for clause in clauses if clause.each_right]
        takes = [any(isinstance(e, TakeBackEarlier) for e in clause.effects) for clause in each]
        self._takes_back = sum(1 << bit for bit, taken in enumerate(takes) if taken)
        # Whose call stands as another is found by the values after what comes before: that is left to the machine.
        self._declines = any(clause.fate is not None and clause.fate.instead is not None for clause in clauses)
        self._made = parts.acts.made(Step.BEFORE, act, fates=True, fires=True)
        self._takes_own = parts.acts.takes_back_own(act)
        self._touches: dict[tuple[int, int | None, frozenset[Right], bool], tuple[tuple[Right, Touch], ...]] = {}

    def found(self, values: Values, held: Sequence[HeldCall]) -> Found | None:
        """The table as the call finds it; None to decline."""
        places: list[int] = []
        own = max((at for at, call in enumerate(held) if call.caller == self._caller and call.before), default=None)
        if own is not None and self._takes_own is not None and self._takes_own(values):
            places.append(own)
        touched = self._touched(values, held, places)
        if touched is None:
            return None
        left, fired, added = touched
        base = values
        if places:
            first = min(places)
            about, later = held[first], held[first + 1 :]
            if self._parts.taking_back_offends and later:
                return None
            assert about.before is not None
            added += self._parts.taken_back(later, about.caller, values)
            base = self._parts.put_back(about.before, values)
            left = (*left[:first], *other_acts(left[first + 1 :]))
        made = self._made(values, fired, added, base, own is not None)
        if made is None:
            return None
        fires, offences, after, fate, _ = made
        if (fires or fired) and self._declines:
            return None
        return after if isinstance(after, tuple) else tuple(after), left, offences, fate

    def _touched(
        self, values: Values, held: Sequence[HeldCall], places: list[int]
    ) -> tuple[Sequence[HeldCall], int, tuple[Added, ...]] | None:
        """The held calls with their rights as they are then, the clauses read for each right that fire, and what they
        write. The places of calls that are taken back are added."""
        left: list[HeldCall] = list(held)
        fired = 0
        added: tuple[Added, ...] = ()
        for at, call in enumerate(held):
            if not call.rights:
                continue
            changed: dict[Right, Any] = {}
            for right, touch in self._touches_of(call):
                found = touch(values)
                if found is not None:
                    bits, after, more = found
                    if bits < 0:
                        return None
                    fired |= bits
                    added += more
                    changed[right] = after
                    if bits & self._takes_back:
                        places.append(at)
            if changed:
                kept = (changed.get(right, right) for right in call.rights)
                left[at] = call._replace(rights=frozenset(right for right in kept if right is not None))
        return left, fired, added

    def _touches_of(self, call: HeldCall) -> tuple[tuple[Right, Touch], ...]:
        gone = call.before is None
        key = (call.caller, call.call, call.rights, gone)
        found = self._touches.get(key)
        if found is None:
            touches = (
                (right, self._parts.rights.touch(Step.BEFORE, self._act, call.caller, call.call, right, gone))
                for right in sorted(call.rights)
            )
            found = self._touches[key] = tuple((right, touch) for right, touch in touches if touch is not None)
        return found
