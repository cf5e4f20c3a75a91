"""Deals to try: one after another, plain ones first, each changing something that a law of scoring may ask of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from lawbook.edition.model import Edition

Told: TypeAlias = Mapping[str, object]
"""A deal as examples and `lawbook score` tell it."""

# Odd tricks bid, and tricks made more or fewer than bid.
_LEVELS: Final = (1, 4, 6, 7)
_OVER: Final = (0, -1, 1, -13)
_DOUBLED: Final = ("", "X", "XX")
_BOOK: Final = 6
_TRICKS: Final = 13

# What may be told of a deal besides the contract and the tricks.
_BESIDES: Final[tuple[Told, ...]] = (
    {"honours": {"N": 3}},
    {"honours": {"N": 4}},
    {"honours": {"N": 5}},
    {"honours": {"N": 2, "S": 2}},
    {"honours": {"N": 4, "S": 1}},
    {"honours": {"E": 3, "W": 2}},
    {"honours": {"E": 4}},
    {"chicane": ["N"]},
    {"chicane": ["S"]},
    {"chicane": ["E"]},
    {"chicane": ["W"]},
    {"chicane": ["N", "S"]},
    {"chicane": ["E", "W"]},
    {"chicane": ["S"], "honours": {"N": 4}},
    {"chicane": ["N", "S"], "honours": {"E": 3}},
    {"chicane": ["E"], "honours": {"N": 4}},
    {"chicane": ["E", "W"], "honours": {"N": 5}},
    {"revokes": ["N"]},
    {"revokes": ["S"]},
    {"revokes": ["E"]},
    {"revokes": ["W"]},
    {"revokes": ["N", "N"]},
    {"revokes": ["E", "E", "E"]},
    {"revokes": ["N", "E"]},
    {"revokes": ["E"], "takes": "tricks"},
    {"revokes": ["N", "E"], "takes": "tricks"},
    {"vulnerable": "NS"},
    {"vulnerable": "EW"},
    {"vulnerable": "both"},
)


def deals(edition: Edition) -> Iterator[Told]:
    """Deals in which North declares, or East, plain ones first. Not every deal there can be is among them."""
    letters = edition.universe.letters
    for letter in letters:
        for level in _LEVELS:
            for doubled in _DOUBLED:
                for over in _OVER:
                    yield _deal(level, letter, doubled, "N", over)
        yield _deal(1, letter, "", "E", 0)
    for besides in _BESIDES:
        for declarer in ("N", "E"):
            for letter in (letters[0], *letters[-2:]):
                for over in (0, -1):
                    yield {**_deal(1, letter, "", declarer, over), **besides}
        for level, doubled in ((1, "X"), (6, ""), (7, "")):
            yield {**_deal(level, letters[-2], doubled, "N", 0), **besides}


def _deal(level: int, letter: str, doubled: str, declarer: str, over: int) -> dict[str, object]:
    tricks = min(max(level + _BOOK + over, 0), _TRICKS)
    return {"contract": f"{level}{letter}{doubled}", "declarer": declarer, "tricks": str(tricks)}


def rubbers(edition: Edition, before: Sequence[tuple[Told, ...]]) -> Iterator[tuple[Told, ...]]:
    """Every deal by itself; then a few of them behind each of those given, as deals more and as corrections."""
    for deal in deals(edition):
        yield (deal,)
    for several in before:
        for at in range(1, len(several) + 1):
            for deal in _few(edition):
                yield (*several[:at], deal)
                for number in range(1, at + 1):
                    yield (*several[:at], {"corrects": str(number), **deal})
                    yield (*several[:at], {"corrects": str(number), "agreed": "yes", **deal})


def _few(edition: Edition) -> Iterator[Told]:
    for letter in edition.universe.letters[-2:]:
        for level, over in ((1, 0), (4, 0), (3, 0), (1, -1), (7, 0)):
            for declarer in ("N", "E"):
                yield _deal(level, letter, "", declarer, over)
