"""Cards: a suit and a rank, as written; what they are worth is for the laws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from lawbook.records import dataclass
from lawbook.values.calls import is_letter, require_denomination
from lawbook.values.texts import NO_SIGNS, lettered, require_text, shorten, unreadable

CARD_RANKS: Final = "AKQJT98765432"
"""The letters for the ranks of cards, as written; what they are worth is for the laws."""


@final
@dataclass(frozen=True, slots=True)
class Card:
    """One card: the letter of its suit and the letter of its rank (`CARD_RANKS`), as written.

    Cards are not ordered: which ranks above which is for the laws.

    >>> Card.parse("ha"), str(Card.parse("S10"))
    (Card(denomination='H', rank='A'), 'ST')
    """

    denomination: str
    rank: str

    def __post_init__(self) -> None:
        require_denomination(self.denomination)
        if len(self.rank) != 1 or self.rank not in CARD_RANKS:
            raise ValueError(f"the rank of a card is one of {CARD_RANKS}, not {self.rank!r}")

    @classmethod
    def parse(cls, text: str, signs: Mapping[str, str] = NO_SIGNS) -> Card:
        """The card written so, suit first, in capitals or small letters; the ten is `T` or `10`. `signs` are those
        that may stand for the letter of a suit, each with the letter."""
        require_text(text, "card")
        capitals = lettered(text, signs)
        suit, rank = capitals[:1], _rank(capitals[1:])
        if is_letter(suit) and rank is not None:
            return cls(suit, rank)
        suit, rank = capitals[-1:], _rank(capitals[:-1])
        raise unreadable(
            "unknown-card",
            f"`{shorten(text)}` is no card" if text else "there is no card here",
            help="a card is its suit and then its rank, as in HA, ST or C2",
            suggestion=str(cls(suit, rank)) if is_letter(suit) and rank is not None else None,
        )

    def __str__(self) -> str:
        return f"{self.denomination}{self.rank}"


def _rank(text: str) -> str | None:
    if text == "10":
        return "T"
    return text if len(text) == 1 and text in CARD_RANKS else None
