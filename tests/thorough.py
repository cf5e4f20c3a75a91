"""How many examples are enough: fewer in an ordinary run, more with `--thorough`, which `conftest.py` tells."""

from __future__ import annotations

asked = False


def examples(ordinary: int, thorough: int) -> int:
    """How many examples to draw, for what is asked while a module of tests is read."""
    return thorough if asked else ordinary
