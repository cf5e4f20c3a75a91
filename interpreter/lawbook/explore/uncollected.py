"""Searching without looking for cycles: a search keeps nearly all that it makes, and makes hardly a cycle."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Meanwhile cycles are not collected: the collector would look through every state that was met, again and again,
    and find none to give up."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
