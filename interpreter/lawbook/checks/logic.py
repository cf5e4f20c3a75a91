"""Whether one condition follows from another, or can never hold, as far as that can be told from its parts.

A condition is written as alternatives, each of which says of some values which members of their domains they have.
What a value is made of does not matter: equal trees are one value, different trees have nothing to do with each
other. So what is found here holds, and what is not found may hold all the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias, TypeVar

from lawbook.language import core
from lawbook.language.types import Number, Optional, SetOf, Universe

# What a value is known to be: for each value its possible members.
Alternative: TypeAlias = Mapping[object, frozenset[int]]
Alternatives: TypeAlias = tuple[Alternative, ...]

_YES: Final = frozenset({1})
_NO: Final = frozenset({0})
_EITHER: Final = _YES | _NO
# A condition with more alternatives than this is not looked into.
_MOST: Final = 64
_WIDEST: Final = 256

_T = TypeVar("_T")


class TooMany(Exception):
    """There are more alternatives than are looked into."""


def bare(node: _T) -> _T:
    """A tree without the texts and places of its conditions, so that what means the same is equal."""
    if isinstance(node, core.Leaf):
        return bare(node.of)  # type: ignore[return-value]
    if isinstance(node, tuple):
        return tuple(bare(part) for part in node)  # type: ignore[return-value]
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        old = {field.name: getattr(node, field.name) for field in dataclasses.fields(node)}
        new = {name: bare(value) for name, value in old.items()}
        return node if all(new[name] is old[name] for name in old) else dataclasses.replace(node, **new)
    return node


def alternatives_of(truth: core.Truth, universe: Universe) -> Alternatives:
    """The alternatives under which a condition holds; none if it never can. Raises TooMany."""
    return tuple(_alternatives(truth, True, universe))


def implies(stronger: Alternatives, weaker: Alternatives) -> bool:
    """Whether the one condition certainly holds wherever the other does."""
    return all(any(_within(one, other) for other in weaker) for one in stronger)


def _within(one: Alternative, other: Alternative) -> bool:
    return all(key in one and one[key] <= members for key, members in other.items())


def _alternatives(truth: core.Truth, holds: bool, universe: Universe) -> list[Alternative]:
    match truth:
        case core.Leaf(inner):
            return _alternatives(inner, holds, universe)
        case core.Not(inner):
            return _alternatives(inner, not holds, universe)
        case core.All(parts) | core.AnyOf(parts):
            every = isinstance(truth, core.All) == holds
            listed = (_alternatives(part, holds, universe) for part in parts)
            return _together(listed) if every else _one_of(listed)
        case core.Constant(value):
            return [{}] if bool(value) == holds else []
        case _:
            key, members = _literal(truth, universe)
            domain = _domain(key, universe) if isinstance(key, _Valued) else _EITHER
            members = members if holds else domain - members
            # What holds of every member says nothing, and what holds of none is no alternative.
            return [] if not members else [{}] if members == domain else [{key: members}]


def _together(listed: Iterable[list[Alternative]]) -> list[Alternative]:
    found: list[Alternative] = [{}]
    for part in listed:
        merged = [_both(one, other) for one in found for other in part]
        found = [alternative for alternative in merged if alternative is not None]
        if len(found) > _MOST:
            raise TooMany
    return found


def _one_of(listed: Iterable[list[Alternative]]) -> list[Alternative]:
    found = [alternative for part in listed for alternative in part]
    if len(found) > _MOST:
        raise TooMany
    return found


def _both(one: Alternative, other: Alternative) -> Alternative | None:
    """What two alternatives say together; None if they contradict each other."""
    merged = dict(one)
    for key, members in other.items():
        left = merged.get(key, members) & members
        if not left:
            return None
        merged[key] = left
    return merged


@dataclasses.dataclass(frozen=True, slots=True)
class _Valued:
    """A value whose members are what is known of it; any other key is a condition that holds or does not."""

    value: core.Value


def _literal(truth: core.Truth, universe: Universe) -> tuple[object, frozenset[int]]:
    """What a condition without parts is about, and of which members it holds."""
    if isinstance(truth, core.Ordered):
        left, right = bare(truth.left), bare(truth.right)
        for value, fixed, turned in ((left, right, False), (right, left, True)):
            if not isinstance(fixed, core.Constant) or fixed.value is None or isinstance(value, core.Constant):
                continue
            members = _domain(_Valued(value), universe)
            if members:
                return _Valued(value), frozenset(m for m in members if _holds(truth.comparator, m, fixed.value, turned))
    return bare(truth), _YES


def _holds(comparator: str, member: int, fixed: int, turned: bool) -> bool:
    one, other = (fixed, member) if turned else (member, fixed)
    return one == other if comparator == "equal" else one <= other if comparator == "at_most" else one < other


def _domain(key: _Valued, universe: Universe) -> frozenset[int]:
    """The members of a value's domain; none where it has too many, or no fixed ones."""
    of = key.value.type.of if isinstance(key.value.type, Optional) else key.value.type
    if isinstance(of, SetOf | Optional) or (isinstance(of, Number) and of.high - of.low > _WIDEST):
        return frozenset()
    return frozenset(universe.members(of))
