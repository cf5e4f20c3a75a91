"""What the facade answers with, beside rulings: a contract, a remedy that may be chosen, a judgement of a call."""

from __future__ import annotations

from lawbook.edition.model import Offence
from lawbook.machine.ruling import Option, Verdict
from lawbook.records import dataclass
from lawbook.values import Seat


@dataclass(frozen=True, slots=True)
class Contract:
    """What is played: level in odd tricks, denomination's letter, doubling 0 to 2, declarer and dummy."""

    level: int
    denomination: str
    doubling: int
    declarer: Seat
    dummy: Seat

    def __str__(self) -> str:
        return f"{self.level}{self.denomination}{'X' * self.doubling} by {self.declarer}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a call would be if it were made: the verdict, and the offences, none where it is lawful.

    >>> from lawbook import Auction, Bid
    >>> auction = Auction("whist-club-1912")
    >>> str(auction.judge(Bid(8, "N")))
    'irregular: impossible-declaration'
    """

    verdict: Verdict
    offences: tuple[Offence, ...] = ()

    def __str__(self) -> str:
        return ": ".join(filter(None, [self.verdict.value, ", ".join(offence.name for offence in self.offences)]))


@dataclass(frozen=True, slots=True)
class Remedy:
    """A remedy somebody may choose now."""

    seat: Seat
    act: str
    offence: Offence
    offender: Seat
    option: Option

    @property
    def law(self) -> str | None:
        """The law that gives it, or None where custom does."""
        return self.option.clause.law.number

    @property
    def clause(self) -> str:
        """The clause that gives it."""
        return self.option.clause.id

    def __str__(self) -> str:
        return f"{self.seat}:{self.act}"
