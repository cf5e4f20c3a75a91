"""Seats and sides: four players in a circle, two partnerships; and the table itself."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, final

from lawbook.diagnostics import nearest
from lawbook.values.texts import require_text, shorten, unreadable


class Seat(enum.IntEnum):
    """One of the four places at the table, in the order of play.

    >>> Seat.parse("n").left, str(Seat.N.partner), Seat.W.side
    (<Seat.E: 1>, 'S', <Side.EW: 1>)
    """

    N = 0
    E = 1
    S = 2
    W = 3

    @property
    def left(self) -> Seat:
        """The next player clockwise."""
        return Seat((self + 1) % 4)

    @property
    def partner(self) -> Seat:
        """The player opposite."""
        return Seat((self + 2) % 4)

    @property
    def right(self) -> Seat:
        """The player before this one."""
        return Seat((self + 3) % 4)

    @property
    def side(self) -> Side:
        """The partnership of this player."""
        return Side(self % 2)

    @classmethod
    def parse(cls, text: str) -> Seat:
        """The seat called `N`, `n` or `north`, and so on."""
        require_text(text, "seat")
        seat = _SEATS.get(text.lower())
        if seat is None:
            meant = nearest(text, _SEAT_NAMES)
            raise unreadable(
                "unknown-seat",
                f"`{shorten(text)}` is no seat",
                help="the seats are N, E, S and W",
                suggestion=str(_SEAT_NAMES[meant]) if meant else None,
            )
        return seat

    def __str__(self) -> str:
        return self.name

    # A formatted member of an IntEnum would be its number.
    def __format__(self, specification: str) -> str:
        return format(self.name, specification)


class Side(enum.IntEnum):
    """One of the two partnerships.

    >>> Side.parse("ew").other, [str(seat) for seat in Side.EW.seats]
    (<Side.NS: 0>, ['E', 'W'])
    """

    NS = 0
    EW = 1

    @property
    def other(self) -> Side:
        """The adversaries."""
        return Side(1 - self)

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The two players."""
        return Seat(self), Seat(self + 2)

    @classmethod
    def parse(cls, text: str) -> Side:
        """The side called `NS`, `ns` or `N-S`, and so on."""
        require_text(text, "side")
        side = _SIDES.get(text.lower())
        if side is None:
            raise unreadable("unknown-side", f"`{shorten(text)}` is no side", help="the sides are NS and EW")
        return side

    def __str__(self) -> str:
        return self.name

    def __format__(self, specification: str) -> str:
        return format(self.name, specification)


_SEAT_NAMES: Final[Mapping[str, Seat]] = {"north": Seat.N, "east": Seat.E, "south": Seat.S, "west": Seat.W}
_SEATS: Final[Mapping[str, Seat]] = {**_SEAT_NAMES, **{seat.name.lower(): seat for seat in Seat}}
_SIDES: Final[Mapping[str, Side]] = {"ns": Side.NS, "n-s": Side.NS, "ew": Side.EW, "e-w": Side.EW}


@final
class Table(enum.Enum):
    """The table itself, for what happens there by no player's doing; its one member is `TABLE`."""

    TABLE = "TABLE"

    def __str__(self) -> str:
        return self.value


TABLE: Final = Table.TABLE
