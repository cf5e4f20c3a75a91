"""The auction notation, in which players' acts are written, and the names under which editions are chosen.

An auction is acts separated by white space. A bare call is by the player in turn, `S:1H` by another seat; an act
other than a call always names its seat and may have an argument: `1C 2R S:penalise S:correct=3D TABLE:deal`. `AP`
stands for passes until the auction is over. Names may be written in capitals or small letters; for the letter of a
denomination its sign may be written, where the edition prints one: `1♠` is `1S`.

`parse_auction` reads it and `format_auction` writes the canonical form. What the acts do is for the laws; here only
their names are known, and what argument each takes.
"""

from __future__ import annotations

from lawbook.notation.auctions import (
    AUCTION_FILE,
    LONGEST_AUCTION,
    format_auction,
    parse_auction,
    unknown_denomination,
)
from lawbook.notation.edition_names import EDITION_FILE, format_edition_name, parse_edition_name
from lawbook.notation.tokens import ALL_PASS, AllPass, ArgumentKind, Item, Token

__all__ = [
    "ALL_PASS",
    "AUCTION_FILE",
    "EDITION_FILE",
    "LONGEST_AUCTION",
    "AllPass",
    "ArgumentKind",
    "Item",
    "Token",
    "format_auction",
    "format_edition_name",
    "parse_auction",
    "parse_edition_name",
    "unknown_denomination",
]
