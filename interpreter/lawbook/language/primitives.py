"""What the table itself can tell: seats in a circle, two sides, kinds of call, a bid's number and denomination.

This is all that Python knows of the game. Law data names these operations and gives them their words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from lawbook.language.types import Universe

Operation: TypeAlias = Callable[[Universe, Mapping[str, int | None], tuple[int, ...]], int]


def _seats(first: int, second: int) -> int:
    return 1 << first | 1 << second


# Each operation gets the domains, what the clause binds, and its arguments; truths are 0 or 1, sets bit masks.
PRIMITIVES: Final[Mapping[str, Operation]] = {
    "left": lambda _u, _e, a: (a[0] + 1) % 4,
    "partner": lambda _u, _e, a: (a[0] + 2) % 4,
    "right": lambda _u, _e, a: (a[0] + 3) % 4,
    "side": lambda _u, _e, a: a[0] % 2,
    "other side": lambda _u, _e, a: 1 - a[0],
    "members": lambda _u, _e, a: _seats(a[0], a[0] + 2),
    "adversaries": lambda _u, _e, a: _seats((a[0] + 1) % 4, (a[0] + 3) % 4),
    "first hand": lambda _u, _e, a: a[0],
    "second hand": lambda _u, _e, a: a[0] + 2,
    "everybody": lambda _u, _e, _a: 0b1111,
    "is adversary": lambda _u, _e, a: (a[0] - a[1]) % 2,
    "is partner": lambda _u, _e, a: int(a[0] == (a[1] + 2) % 4),
    "level": lambda u, _e, a: u.level(a[0]),
    "denomination": lambda u, _e, a: u.denomination(a[0]),
    "bid": lambda u, _e, a: u.bid(a[0], a[1]),
    "is pass": lambda _u, _e, a: int(a[0] == 0),
    "is double": lambda _u, _e, a: int(a[0] == 1),
    "is redouble": lambda _u, _e, a: int(a[0] == 2),
    "is bid": lambda _u, _e, a: int(a[0] >= 3),
    "is replacement": lambda _u, e, _a: e.get("replacement") or 0,
    "is new": lambda _u, e, _a: e.get("new") or 0,
}
