"""What an auction is read into: acts, the marker `AP`, and where each word stood; and what argument an act takes."""

from __future__ import annotations

import enum
from typing import Final, TypeAlias, final

from lawbook.records import dataclass
from lawbook.values import Act


@final
class ArgumentKind(enum.Enum):
    """What is written after the `=` of an act: nothing, or something that must or may be there."""

    NONE = "none"
    CALL = "call"
    CARD = "card"
    TEXT = "text"
    OPTIONAL_CALL = "optional call"
    OPTIONAL_CARD = "optional card"
    OPTIONAL_TEXT = "optional text"

    @property
    def is_required(self) -> bool:
        """Whether the act is incomplete without it."""
        return self in (ArgumentKind.CALL, ArgumentKind.CARD, ArgumentKind.TEXT)

    @property
    def noun(self) -> str:
        """What the argument is, as a message says it."""
        plain = self.value.removeprefix("optional ")
        return {"text": "some text", "none": "nothing"}.get(plain, f"a {plain}")


@final
class AllPass(enum.Enum):
    """The marker `AP`, which stands for as many passes as end the auction; its one member is `ALL_PASS`."""

    ALL_PASS = "AP"

    def __str__(self) -> str:
        return self.value


ALL_PASS: Final = AllPass.ALL_PASS

Item: TypeAlias = Act | AllPass
"""What one word of the notation stands for."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word of an auction: what it stands for, its text as written, and where it was.

    `line` and `position` (the column) count from 1, and so does `index`, its place among the words.
    """

    act: Item
    text: str
    line: int
    position: int
    index: int
