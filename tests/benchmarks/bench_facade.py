"""Lawful auctions through the facade against a minimal auction written by hand, and an irregular act made.

    python tests/benchmarks/bench_facade.py [seconds]

Both play random auctions to the end: the lawful calls are asked for, one of them is chosen at random and made. The
hand-written one keeps its state in local integers and takes the lawful bids as a slice of a prebuilt tuple; it knows
only lawful calls, names no law and can neither undo nor explain. Both list calls in the same order and draw the same
random numbers, so that they play the same auctions, which is checked; drawing a call is part of what is timed. They
take turns in short rounds.

Every round is of auctions that were never played before. The facade remembers each place of lawful play that it comes
to, and where calls lead from it; so it is told in stages, from the first auction of the process on, how many calls a
second each of them makes. Besides, the same with auctions that are played again and again, when no place is new: the
best of many rounds over the same two thousand, with `legal_calls` asked for and with the calls that `push` returns.

An irregular act is made without reasons by `Auction.make`, from its text, and taken back, in auctions of few acts; it
is told in calls of the hand-written auction, beside what it takes `Auction.act`, which finds the reasons.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Callable

from lawbook import Auction, load

EDITION = "whist-club-1912"
IRREGULAR = ("2H 2D", "1C S:1H", "1H P X", "8H", "1H W:X", "2H 2D S:penalise P 3N")
ROUND = 400
# How many auctions are played in each stage, one after the other.
STAGES = (400, 4_000, 40_000, 200_000)
SEEDS = (1, 2, 3, 4, 5)

Player = Callable[[random.Random], int]
"""Plays an auction to its end and gives the number of its calls."""


def by_hand() -> Player:
    """A minimal auction."""
    edition = load(EDITION)
    values = dict(zip(edition.universe.letters, edition.definitions["value"].table or (), strict=True))
    bids = [(level, letter) for level in range(1, 8) for letter in values]
    worth = {bid: (bid[0] * values[bid[1]], bid[0]) for bid in bids}
    texts = {bid: f"{bid[0]}{bid[1]}" for bid in bids}
    # Places of bids in a list from the lowest up, and for each place the bids that outrank it; 0 is no bid yet.
    ranked = sorted(worth.values())
    place = {texts[bid]: ranked.index(worth[bid]) + 1 for bid in bids}
    higher = tuple(tuple(texts[bid] for bid in bids if place[texts[bid]] > at) for at in range(len(bids) + 1))
    # For each doubling by each relation of the side in turn to the bid: what may be called beside the bids.
    others = {(d, mine): ("P", *(("X",) if not mine and d == 0 else ("XX",) if mine and d == 1 else ()))
              for d in (0, 1, 2) for mine in (False, True)}  # fmt: skip
    listed = {(d, mine, at): others[d, mine] + higher[at] for d, mine in others for at in range(len(bids) + 1)}

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


def by_asking() -> Player:
    """The same with the facade, the lawful calls asked for each time."""
    edition = load(EDITION)

    def play(chance: random.Random) -> int:
        pick = chance.random
        auction = Auction(edition)
        calls = 0
        while lawful := auction.legal_calls:
            auction.push(lawful[int(pick() * len(lawful))])
            calls += 1
        return calls

    return play


def by_pushing() -> Player:
    """The same, the lawful calls as `push` returns them."""
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


def rate(play: Player, seed: int, auctions: int) -> float:
    """Calls a second."""
    chance = random.Random(seed)
    calls, began = 0, time.perf_counter()
    for _ in range(auctions):
        calls += play(chance)
    return calls / (time.perf_counter() - began)


def are_the_same(players: list[Player], seed: int) -> bool:
    """Whether all of them play the same auctions when they draw the same numbers, as far as their lengths tell."""
    lengths = []
    for play in players:
        chance = random.Random(seed)
        lengths.append([play(chance) for _ in range(ROUND)])
    return all(each == lengths[0] for each in lengths)


def fresh(players: dict[str, Player], auctions: int, seed: int) -> dict[str, float]:
    """Calls a second in auctions with other seeds than any before, `seed` being the first."""
    calls, spent = 0, dict.fromkeys(players, 0.0)
    rounds = -(-auctions // ROUND)
    for number in range(rounds):
        for name in players if number % 2 else reversed(players):
            chance = random.Random(seed + number)
            began = time.perf_counter()
            made = sum(players[name](chance) for _ in range(ROUND))
            spent[name] += time.perf_counter() - began
        calls += made
    return {name: calls / time for name, time in spent.items()}


def irregular_cost(seconds: float, do: Callable[[Auction, str], object]) -> float:
    """Seconds it takes to do an irregular act and take it back: the mean of a best round over all of them."""
    edition = load(EDITION)
    before = []
    for text in IRREGULAR:
        auction = Auction(edition)
        *first, last = text.split()
        auction.play(" ".join(first))
        before.append((auction, last))
    best, began = float("inf"), time.perf_counter()
    while time.perf_counter() - began < seconds:
        start = time.perf_counter()
        for auction, last in before:
            do(auction, last)
            auction.undo()
        best = min(best, (time.perf_counter() - start) / len(before))
    return best


def main(seconds: float = 3.0) -> dict[str, float]:
    """Run all side by side, in turns, and print what came out."""
    hand, facade = by_hand(), by_asking()
    told: dict[str, float] = {}
    # What loading has left behind is collected before anything is timed.
    gc.collect()
    seed, played = 1000, 0
    print("fresh auctions, calls a second         by hand      facade   times as many")
    for stage in STAGES:
        found = fresh({"by hand": hand, "facade": facade}, stage, seed)
        ratio = found["facade"] / found["by hand"]
        stretch = f"the first {stage:,}" if not played else f"{stage:,} more"
        print(f"{stretch:<30}{found['by hand']:16,.0f}{found['facade']:12,.0f}{ratio:16.2f}")
        seed, played = seed + stage, played + stage
        told[f"fresh_{played}"] = ratio
    players = {"by hand": hand, "asked": facade, "pushed": by_pushing()}
    assert are_the_same(list(players.values()), SEEDS[0])
    best = dict.fromkeys(players, 0.0)
    began, rounds = time.perf_counter(), 0
    while rounds < len(SEEDS) or time.perf_counter() - began < seconds:
        for name in players if rounds % 2 else reversed(players):
            best[name] = max(best[name], rate(players[name], SEEDS[rounds % len(SEEDS)], ROUND))
        rounds += 1
    for name, way in (("asked", "`legal_calls` asked for"), ("pushed", "as `push` returns them")):
        told[name] = best[name] / best["by hand"]
        print(f"again, {way:<23}{best['by hand']:16,.0f}{best[name]:12,.0f}{told[name]:16.2f}")
    for name, do in (("make", Auction.make), ("act", Auction.act)):
        cost = irregular_cost(seconds / 3, do)
        told[name] = cost * best["by hand"]
        print(f"irregular by `{name}`: {cost * 1e6:.1f} microseconds, {told[name]:.1f} times a call by hand")
    return told


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
