"""How many examples are enough: fewer in an ordinary run, more with `--thorough`, which `conftest.py` tells."""

from __future__ import annotations

from typing import TypeVar

asked = False


T = TypeVar("T")


def examples(ordinary: T, thorough: T) -> T:
    """How many examples to draw, or which, for what is asked while a module of tests is read."""
    return thorough if asked else ordinary
