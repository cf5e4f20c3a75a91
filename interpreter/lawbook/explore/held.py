"""Held calls as the states of a space hold them: turned, and without what can no longer matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lawbook.explore.forgetting import Forgetting
from lawbook.explore.turning import Turning
from lawbook.machine.evaluate import Values
from lawbook.machine.state import HeldCall

# In place of the table before a call.
_ANY: Final = ()


class HeldCalls:
    """Turns held calls and leaves out of them what can no longer matter, if anything is to be left out.

    Most calls differ from others in the table before them alone, and one table is before many calls: what becomes of
    either is remembered by itself.
    """

    def __init__(self, turning: Turning, forgetting: Forgetting | None) -> None:
        self._turning = turning
        self._forgetting = forgetting
        self._known: dict[object, tuple[HeldCall | None, tuple[int, ...]]] = {}
        self._befores: dict[object, dict[Values, Values]] = {}

    def turned(self, held: Sequence[HeldCall], quarter: int) -> tuple[HeldCall, ...]:
        """Held calls turned, without what can no longer matter."""
        turned: list[HeldCall] = []
        for call in held:
            caller, number, before, rights, is_call = call
            about = caller, number, rights, is_call, before is None, quarter
            known = self._known.get(about)
            if known is None:
                known = self._known[about] = self.template(call, quarter)
            found, dead = known
            if found is not None:
                # One table is before many calls, of which nothing else differs at a time.
                if found.before is not None:
                    assert before is not None
                    found = HeldCall(*found[:2], self.before(before, dead, quarter), *found[3:])
                turned.append(found)
        return tuple(turned)

    def template(self, call: HeldCall, quarter: int) -> tuple[HeldCall | None, tuple[int, ...]]:
        """A held call turned, without what can no longer matter, but for the table before it; and the places of that
        which can no longer matter either."""
        left: HeldCall = call
        dead: tuple[int, ...] = ()
        if self._forgetting is not None:
            reduced = self._forgetting.reduced(call)
            if reduced is None:
                return None, ()
            left, dead = reduced, self._forgetting.dead(reduced.rights)
        turned = self._turning.held(left._replace(before=None), quarter)
        return (turned if left.before is None else turned._replace(before=_ANY)), dead

    def befores(self, dead: tuple[int, ...], quarter: int) -> dict[Values, Values]:
        """The tables before calls that are turned so far, those places of which are dead, by what they were."""
        return self._befores.setdefault((dead, quarter), {})

    def before(self, before: Values, dead: tuple[int, ...], quarter: int) -> Values:
        """The table before a call turned, without what can no longer matter."""
        known = self.befores(dead, quarter)
        found = known.get(before)
        if found is None:
            left = before
            if self._forgetting is not None:
                left = self._forgetting.reduced_before(before, dead, quarter)
            found = known[before] = self._turning.before(left, quarter)
        return found

    def turned_before(self, call: HeldCall, before: Values, quarter: int) -> Values:
        """Another table before a call that was already turned so, turned like it, without what can no longer matter."""
        found = self._turning.before(before, quarter)
        return found if self._forgetting is None else self.before(found, self._forgetting.dead(call.rights), 0)
