"""Objects of JSON in which each key is given once: of two values for one key nobody could say which counts."""

from __future__ import annotations

from typing import Any


class KeyTwice(Exception):
    """A key that an object gives twice."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def keys_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its keys and values, as `object_pairs_hook` of a decoder. Raises KeyTwice.

    >>> keys_once([("tricks", 9), ("declarer", "N")])
    {'tricks': 9, 'declarer': 'N'}
    """
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise KeyTwice(key)
            seen.add(key)
    return found
