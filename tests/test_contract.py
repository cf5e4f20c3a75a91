"""Contract bridge: another game of the family, in law data alone.

Its published number of auctions, its legal calls against a reference of thirty lines, and no word of it in the
interpreter.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from lawbook.auction import Auction, load, machine_of
from lawbook.machine.lawful import Lawful, count
from lawbook.values import Seat

NAME = "contract-2017"
# Known since the game was counted: four opening passes, or any of the 35 bids in order, with up to three passes or a
# double and a redouble with their passes between.
AUCTIONS = 128745650347030683120231926111609371363122697557
LONGEST = 319


def test_the_number_of_auctions() -> None:
    assert AUCTIONS == (4 * 22**35 - 1) // 3
    assert count(Lawful(machine_of(load(NAME))).start(0)) == (AUCTIONS, LONGEST)


# -- an independent reference ----------------------------------------------------------------------------------------

DENOMINATIONS = "CDHSN"
BIDS = [f"{level}{denomination}" for level in range(1, 8) for denomination in DENOMINATIONS]


@dataclass
class Reference:
    """The auction of contract bridge as anybody would write it: calls in turn, nothing else."""

    dealer: int
    calls: list[str] = field(default_factory=list)

    @property
    def turn(self) -> int:
        return (self.dealer + len(self.calls)) % 4

    @property
    def over(self) -> bool:
        return self.calls == ["P"] * 4 or (self.bid is not None and self.calls[-3:] == ["P"] * 3)

    @property
    def bid(self) -> int | None:
        """The place in the auction of the last bid."""
        return max((at for at, call in enumerate(self.calls) if call in BIDS), default=None)

    def by(self, at: int) -> int:
        return (self.dealer + at) % 4

    @property
    def legal(self) -> set[str]:
        if self.over:
            return set()
        if self.bid is None:
            return {"P", *BIDS}
        found = {"P", *BIDS[BIDS.index(self.calls[self.bid]) + 1 :]}
        last = max(at for at, call in enumerate(self.calls) if call != "P")
        theirs = (self.turn - self.by(last)) % 2 == 1
        if theirs and last == self.bid:
            found.add("X")
        if theirs and self.calls[last] == "X":
            found.add("XX")
        return found

    @property
    def contract(self) -> str | None:
        if not self.over or self.bid is None:
            return None
        denomination, side = self.calls[self.bid][1], self.by(self.bid) % 2
        doubling = max((call for call in self.calls[self.bid :] if call.startswith("X")), key=len, default="")
        first = next(
            self.by(at)
            for at, call in enumerate(self.calls)
            if call in BIDS and call[1] == denomination and self.by(at) % 2 == side
        )
        return f"{self.calls[self.bid]}{doubling} by {'NESW'[first]}"


@pytest.mark.parametrize("seed", range(4))
def test_legal_calls_and_contracts_are_those_of_the_reference(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        dealer = chance.randrange(4)
        auction, reference = Auction(NAME, Seat(dealer)), Reference(dealer)
        while not reference.over:
            assert {str(call) for call in auction.legal_calls} == reference.legal
            assert auction.turn == Seat(reference.turn)
            low = [call for call in BIDS if call in reference.legal][:6]
            call = chance.choice([*low, "P", "P", *(reference.legal & {"X", "XX"})])
            assert auction.act(call).verdict.value == "legal"
            reference.calls.append(call)
        assert auction.legal_calls == ()
        assert auction.status == ("passed-out" if reference.bid is None else "final")
        assert (None if auction.contract is None else str(auction.contract)) == reference.contract


@pytest.mark.parametrize("seed", range(2))
def test_no_other_call_in_turn_is_legal(seed: int) -> None:
    chance = random.Random(seed)
    every = ["P", "X", "XX", *BIDS, "8C", "8N"]
    for _ in range(15):
        auction, reference = Auction(NAME), Reference(0)
        while not reference.over:
            call = chance.choice(every)
            assert (auction.act(call).verdict.value == "legal") == (call in reference.legal)
            if call not in reference.legal:
                auction.undo()
                call = "P"
                auction.act(call)
            reference.calls.append(call)
