"""Lawful auctions through the facade against a minimal auction written by hand, and an irregular act ruled.

    python tests/benchmarks/bench_facade.py [seconds]

Both play random auctions to the end with every lawful call listed before one is chosen. The hand-written one keeps its
state in local integers and takes the lawful bids as a slice of a prebuilt tuple; it knows only lawful calls, names no
law and can neither undo nor explain. What is printed: calls a second of each, and the ratio.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from lawbook import Auction, load
from lawbook.auction import calls_of

EDITION = "whist-club-1912"
IRREGULAR = ("2H 2D", "1C S:1H", "1H P X", "8H", "1H W:X", "2H 2D S:penalise P 3N")


def by_hand() -> Callable[[random.Random], int]:
    """A minimal auction: play one to its end and return the number of calls."""
    edition = load(EDITION)
    values = [edition.definitions["value"].table[i] for i in range(len(edition.universe.letters))]  # type: ignore[index]
    bids = sorted(
        ((level * value, level, letter) for level in range(1, 8) for letter, value in enumerate(values)),
        key=lambda bid: bid[:2],
    )
    ranked = tuple(f"{level}{edition.universe.letters[letter]}" for _, level, letter in bids)
    higher = tuple(ranked[at:] for at in range(len(ranked) + 1))
    place = {bid: at + 1 for at, bid in enumerate(ranked)}
    # For each doubling by each relation of the side in turn to the bid: what may be called beside the bids.
    others = {(d, mine): ("P", *(("X",) if not mine and d == 0 else ("XX",) if mine and d == 1 else ()))
              for d in (0, 1, 2) for mine in (False, True)}  # fmt: skip
    listed = {(d, mine, at): others[d, mine] + higher[at] for d, mine in others for at in range(len(ranked) + 1)}

    def play(chance: random.Random) -> int:
        pick = chance.random
        last, bidder, doubling, passes, turn, calls = 0, 0, 0, 0, 0, 0
        lawful = higher[0]
        while True:
            call = lawful[int(pick() * len(lawful))]
            calls += 1
            if call == "P":
                passes += 1
                if passes == 3:
                    return calls
            elif call == "X":
                doubling, passes = 1, 0
            elif call == "XX":
                doubling, passes = 2, 0
            else:
                last, bidder, doubling, passes = place[call], turn, 0, 0
            turn = turn + 1 & 3
            lawful = listed[doubling, (turn - bidder) & 1 == 0, last]

    return play


def by_facade() -> Callable[[random.Random], int]:
    edition = load(EDITION)

    def play(chance: random.Random) -> int:
        pick = chance.random
        auction = Auction(edition)
        calls = 0
        lawful = auction.legal_calls
        while lawful:
            lawful = auction.push(lawful[int(pick() * len(lawful))])
            calls += 1
        return calls

    return play


def rate(play: Callable[[random.Random], int], seconds: float, seed: int) -> float:
    """Calls a second."""
    chance = random.Random(seed)
    calls, began = 0, time.perf_counter()
    while True:
        for _ in range(50):
            calls += play(chance)
        spent = time.perf_counter() - began
        if spent >= seconds:
            return calls / spent


def irregular_cost(seconds: float) -> float:
    """Seconds an irregular act takes to be ruled on, without explanation."""
    edition = load(EDITION)
    before = []
    for text in IRREGULAR:
        auction = Auction(edition)
        *first, last = text.split()
        auction.play(" ".join(first))
        before.append((auction, last))
    acts, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for auction, last in before:
            auction.act(last)
            auction.undo()
            acts += 1
    return (time.perf_counter() - began) / acts


def main(seconds: float = 2.0) -> dict[str, float]:
    """Run both side by side, in turns, and print what came out."""
    hand, facade = by_hand(), by_facade()
    assert len(calls_of(load(EDITION))) > 40
    rate(facade, min(seconds, 2.0), 0)  # Places are remembered from here on.
    best = {"hand": 0.0, "facade": 0.0}
    for seed in range(3):
        best["hand"] = max(best["hand"], rate(hand, seconds, seed))
        best["facade"] = max(best["facade"], rate(facade, seconds, seed))
    irregular = irregular_cost(seconds)
    ratio = best["facade"] / best["hand"]
    print(f"by hand   {best['hand']:12,.0f} calls a second")
    print(f"facade    {best['facade']:12,.0f} calls a second, {ratio:.2f} times as many")
    times = irregular * best["hand"]
    print(f"irregular {irregular * 1e6:12,.1f} microseconds an act, {times:.1f} times a call by hand")
    return {**best, "ratio": ratio, "irregular": times}


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0)
