"""What passes across the table: seats, sides, calls, bids, cards and acts.

These values know the shape of the game and nothing of its laws: four seats in a circle, two sides, four kinds of
call, and that a bid is a number and a denomination. Which denominations there are, what outranks what and who may
call are for the law data to say, so a denomination is here any capital letter.

Every value is immutable, can be a key, and goes both ways between text and value: `X.parse(text)` and `str(x)`.
`parse` takes what a player would write; `str` gives the one canonical spelling. Text that cannot be read is a
`LawbookError`; a value that cannot be (a bid of no odd trick) is a `ValueError`.
"""

from __future__ import annotations

from lawbook.values.acts import CALL, Act, is_act_name, is_argument
from lawbook.values.calls import (
    DOUBLE,
    HIGHEST_LEVEL,
    PASS,
    REDOUBLE,
    AnyCall,
    Bid,
    Call,
    Double,
    Kind,
    Pass,
    Redouble,
    level_said,
    parse_denomination,
)
from lawbook.values.cards import CARD_RANKS, Card
from lawbook.values.seats import TABLE, Seat, Side, Table
from lawbook.values.texts import NO_SIGNS, lettered, shorten, unreadable

__all__ = [
    "CALL",
    "CARD_RANKS",
    "DOUBLE",
    "HIGHEST_LEVEL",
    "NO_SIGNS",
    "PASS",
    "REDOUBLE",
    "TABLE",
    "Act",
    "AnyCall",
    "Bid",
    "Call",
    "Card",
    "Double",
    "Kind",
    "Pass",
    "Redouble",
    "Seat",
    "Side",
    "Table",
    "is_act_name",
    "is_argument",
    "lettered",
    "level_said",
    "parse_denomination",
    "shorten",
    "unreadable",
]
