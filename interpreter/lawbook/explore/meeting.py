"""Meeting: the tables and rights that a search of shadows has met, and what is still to be gone on with.

A part of `shadows.py`, which says what is done about them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from lawbook.explore.bystanders import NotApart
from lawbook.explore.carried import Key, Sameness
from lawbook.explore.corrections import Corrections
from lawbook.explore.grounds import Ground, Opening, Pair, Positions, Right, Table
from lawbook.explore.product import Divergence, Way


@dataclass(slots=True)
class Shadows:
    """What was found: the ways to part, each with a pair of positions that shows it and what the act leaves there; what
    is known of corrections, if these were followed; how many tables and rights there are; whether something was met
    that cannot be followed in this way; and whether, or why not, it came to its end."""

    ways: dict[Way, tuple[Pair, Divergence]] = field(default_factory=dict)
    corrections: Corrections | None = None
    tables: int = 0
    rights: int = 0
    lost: bool = False
    finished: bool = False
    stopped_by: str | None = None


class Meeting:
    """Tables and rights as they are met."""

    def __init__(self, found: Shadows, positions: Positions, sameness: Sameness) -> None:
        self._found = found
        self._positions = positions
        self._sameness = sameness
        self._tables: dict[Key, Table] = {}
        self._table_of: dict[Pair, Table] = {}
        self._grounds: dict[object, Ground] = {}
        self.tables_to_do: deque[Table] = deque()
        self.rights_to_do: list[Opening] = []

    @property
    def grounds(self) -> Iterable[Ground]:
        """All grounds met so far."""
        return self._grounds.values()

    @property
    def is_anything_to_do(self) -> bool:
        """Whether anything that was met is still to be gone on with."""
        return bool(self.tables_to_do or self.rights_to_do)

    def table(self, pair: Pair) -> Table:
        """The table of a pair of positions, which is met by that."""
        found = self._table_of.get(pair)
        if found is None:
            found = self._table_of[pair] = self._met(pair)
        return found

    def _met(self, pair: Pair) -> Table:
        a, b = self._positions.spaces
        bare = a.bare(pair[0]), b.bare(pair[1])
        key = self._sameness.key(bare)
        found = self._tables.get(key)
        if found is None:
            if self._sameness.carries and not self._sameness.is_alike(bare):
                self._found.lost = True
            signs = tuple(side.ground(number) for side, number in zip(self._positions.sides, bare, strict=True))
            ground = self._grounds.setdefault(signs, Ground())
            found = self._tables[key] = Table(bare, ground)
            ground.tables.append(found)
            self.tables_to_do.append(found)
            self._found.tables += 1
        return found

    def meet(self, ground: Ground, right: Right, befores: Iterable[int]) -> bool:
        """Meet a right with some tables before the call; whether the editions look alike in all positions it is open in
        then."""
        (a, b), asked, alike = self._positions.spaces, self._positions.asked, True
        for before in befores:
            key = right, asked[before]
            opening = ground.rights.get(key)
            if opening is None:
                pair = self._positions.pair(ground.tables[0], right, before)
                same = a.view(pair[0]) is b.view(pair[1])
                opening = ground.rights[key] = Opening(ground, right, pair, before, same)
            if not opening.alike:
                alike = False
            elif before not in opening.befores:
                self._found.rights += 1
                opening.befores.add(before)
                if not opening.fresh:
                    self.rights_to_do.append(opening)
                opening.fresh.append(before)
        return alike

    def opened(self, pair: Pair) -> tuple[Right, int] | None:
        """The right that is open in a pair of positions, and the table before it; None if there are more, which cannot
        be followed apart."""
        try:
            return self._positions.opened(pair)
        except NotApart:
            self._found.lost = True
            return None
