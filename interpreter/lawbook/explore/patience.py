"""Patience: how long causes and conditions of what was found may still be looked for."""

from __future__ import annotations

import time


class Patience:
    """Is `over` when its seconds are (None: it has as many as it takes), or once somebody has interrupted."""

    def __init__(self, seconds: float | None = None) -> None:
        self._until = None if seconds is None else time.monotonic() + seconds
        self.interrupted = False

    def hurry(self, seconds: float) -> None:
        """Nobody waits longer than so many seconds from now."""
        until = time.monotonic() + seconds
        self._until = until if self._until is None else min(self._until, until)

    @property
    def over(self) -> bool:
        """Whether no more is to be looked for than is at hand."""
        return self.interrupted or (self._until is not None and time.monotonic() > self._until)
