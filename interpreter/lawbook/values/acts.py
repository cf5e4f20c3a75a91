"""Acts: the events at the table, calls and others."""

from __future__ import annotations

import re
from typing import Final, final

from lawbook.records import dataclass, field
from lawbook.values.calls import Call, is_word_for_call
from lawbook.values.seats import TABLE, Seat, Table

CALL: Final = "call"
"""The name of the act that is a call."""

_ACT_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_SEPARATORS: Final = re.compile(r"[\s,]")
_BY_WHOM: Final = (Seat, Table)


def is_act_name(text: str) -> bool:
    """Whether an act can be declared under this name: small letters, digits and hyphens, and no word for a call.

    >>> is_act_name("new-deal"), is_act_name("New deal"), is_act_name("double"), is_act_name("call")
    (True, False, False, False)
    """
    return _ACT_NAME.fullmatch(text) is not None and not is_word_for_call(text) and text not in (CALL, "ap")


def is_argument(text: str) -> bool:
    """Whether an act can have this argument: printable text, not empty, without white space or commas."""
    return bool(text) and text.isprintable() and _SEPARATORS.search(text) is None


@final
@dataclass(frozen=True, slots=True)
class Act:
    """One event at the table: a call, or another act by its declared name (`penalise`, `new-deal`, `correct`).

    `seat` is who acts, `TABLE` for what no player does, or None for a call by whoever is in turn. A call has the
    name `call` and its `call`, no other act has either. `argument` is what an act other than a call is about, in
    canonical text without white space or commas: the `3D` of `correct`, the `HA` of `expose`. `said` are the odd tricks
    of a bid as they were written, where they are more than are told apart: `12` of `12N`, which is ruled on as `8N`.
    They are shown, and nothing turns on them.

    `str` gives the auction notation; `lawbook.notation.parse_auction` is its inverse, since only the declared acts
    tell what an argument is.

    >>> from lawbook.values import PASS, Bid
    >>> print(Act.of_call(Bid(1, "N")), Act.of_call(PASS, Seat.S), Act(Seat.S, "correct", argument="3D"))
    1N S:P S:correct=3D
    """

    seat: Seat | Table | None
    name: str
    call: Call | None = None
    argument: str | None = None
    said: str | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.seat is not None and not isinstance(self.seat, _BY_WHOM):
            raise TypeError(f"an act is by a Seat, by TABLE or by nobody named, not by {self.seat!r}")
        if self.call is not None and not isinstance(self.call, Call):
            raise TypeError(f"a Call is made, not {self.call!r}")
        if self.call is not None:
            if self.name != CALL or self.argument is not None or self.seat is TABLE:
                raise ValueError(f"a call is made by a seat, is named {CALL!r} and has no argument")
        elif not is_act_name(self.name):
            raise ValueError(f"{self.name!r} cannot be the name of an act other than a call")
        elif self.seat is None:
            raise ValueError(f"the act {self.name!r} needs a seat: only a call can be by whoever is in turn")
        elif self.argument is not None and not is_argument(self.argument):
            raise ValueError(f"an argument is printable text without white space or commas, not {self.argument!r}")

    @classmethod
    def of_call(cls, call: Call, seat: Seat | None = None, said: str | None = None) -> Act:
        """The act of making a call, by a seat or by whoever is in turn."""
        return cls(seat, CALL, call, None, said)

    @property
    def as_said(self) -> str:
        """The notation with the odd tricks as they were written.

        >>> Act.of_call(Call.parse("12N"), Seat.S, "12").as_said
        'S:12N'
        """
        if self.said is None:
            return str(self)
        who, separator, what = str(self).rpartition(":" if self.argument is None else "=")
        return f"{who}{separator}{self.said}{what[1:]}"

    def __str__(self) -> str:
        what = self.name if self.call is None else str(self.call)
        who = "" if self.seat is None else f"{self.seat}:"
        return f"{who}{what}" if self.argument is None else f"{who}{what}={self.argument}"
