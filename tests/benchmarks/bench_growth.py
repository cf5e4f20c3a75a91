"""How the search of two editions grows: with bids, irregular acts, and what positions are told apart by.

    python tests/benchmarks/bench_growth.py [seconds]

There is no peer but the search itself: each search is made twice, once with registers that the laws only carry not told
apart, as `compare` makes it, and once with all of them told apart. Told is for each how many pairs of positions it goes
on from, the processor time, pairs a second, and how many times as many pairs telling all apart takes. Spaces are made
anew for each search. The seconds are what one search may take at most; one cut short is marked and has no ratio.

A second table is of any number of irregular acts, in which rights are followed each by itself: tables and rights, the
processor time, and the pairs that a search of pairs with at most two rights open at once had met in as long. Its last
line is of as many bids as show all that the laws tell apart.

A third is of complete searches of calls, remedies and corrections, as `compare --irregularities all` makes them, for
each two of three codes with `--bids enough`, and for one of these with `--all-bids`: the bids, pairs, tables and
rights, the processor time, and the most memory held so far.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from lawbook import load
from lawbook.edition.model import Edition
from lawbook.explore.bids import all_bids, sufficient_bids
from lawbook.explore.carried import carried
from lawbook.explore.offers import Offer, offers_of
from lawbook.explore.plan import ENOUGH_BIDS, Part, Plan
from lawbook.explore.product import Bounds, Budget, Progress, distinct, memory_in_use, search
from lawbook.explore.searches import searches
from lawbook.explore.shadows import shadows
from lawbook.explore.space import Space

EDITIONS: Final = ("whist-club-1912", "whist-club-1913")
COMPLETE: tuple[tuple[str, str], ...] = (
    EDITIONS,
    ("portland-bath-1908", "whist-club-1912"),
    ("portland-bath-1908", "whist-club-1913"),
)
ACTS: Final = ("let-stand", "make-final", "new-deal", "penalise", "refuse")
BIDS = (1, 2, 3, 4, 5)
IRREGULARITIES = (0, 1)


class Took(NamedTuple):
    """How many pairs of positions a search went on from, what it took, and whether it came to its end."""

    pairs: int
    seconds: float
    whole: bool

    def __str__(self) -> str:
        mark = " " if self.whole else "+"
        return f"{self.pairs:9,}{mark} {self.seconds:7.1f}{mark} {self.pairs / self.seconds:9,.0f}"


def measured(
    a: Edition,
    b: Edition,
    offers: tuple[Offer, ...],
    irregularities: int,
    registers: Mapping[str, frozenset[str]],
    seconds: float,
) -> Took:
    """One search, with these registers not told apart."""
    began = time.process_time()

    def look(progress: Progress) -> None:
        if time.process_time() - began > seconds:
            raise KeyboardInterrupt

    found = search(Space(a, offers), Space(b, offers), Bounds(irregularities), progress=look, carried=registers)
    took = time.process_time() - began
    return Took(sum(1 for _ in distinct(found)), took, found.finished)


def main(seconds: float = 120.0) -> dict[str, float]:
    """Measure, and print what came out as a table."""
    a, b = (load(name) for name in EDITIONS)
    registers = carried(a, b, ACTS)
    told: dict[str, float] = {}
    columns = f"{'pairs':>9}  {'seconds':>7}  {'a second':>9}"
    print(" and ".join(EDITIONS))
    print(f"acts: {', '.join(ACTS)}")
    print(f"not told apart: {', '.join(registers)}; + is cut short")
    print(f"{'':15}{'not told apart':^28} {'told apart':^28}")
    print(f"irregular bids {columns} {columns} ratio")
    for irregularities in IRREGULARITIES:
        for number in BIDS:
            offers = offers_of((a, b), sufficient_bids((a, b), ACTS, number).bids, ACTS)
            few = measured(a, b, offers, irregularities, registers, seconds)
            many = measured(a, b, offers, irregularities, {}, seconds)
            ratio = f"{many.pairs / few.pairs:5.1f}" if few.whole and many.whole else "    -"
            print(f"{irregularities:9} {number:4} {few} {many} {ratio}", flush=True)
            told[f"{number} bids, {irregularities} irregular"] = few.pairs / few.seconds
            told[f"{number} bids, {irregularities} irregular, all told apart"] = many.pairs / many.seconds
    print(f"any number{'':5}{'each right by itself':^28} two rights at once")
    print(f"{'':10}bids {'shadows':>9}  {'seconds':>7}  {'a second':>9} {'pairs met':>9}")
    for most in (*BIDS[:4], ENOUGH_BIDS):
        bids = sufficient_bids((a, b), ACTS, most).bids
        by_itself, met = followed(a, b, offers_of((a, b), bids, ACTS), registers, seconds)
        print(f"{'':9} {len(bids):4} {by_itself} {met}", flush=True)
        told[f"{len(bids)} bids, any number"] = by_itself.pairs / by_itself.seconds
    print("complete, with corrections, and bids")
    enough = Plan(most_bids=ENOUGH_BIDS, irregularities=None, apart=False, seconds=seconds)
    plans = [(pair, enough) for pair in COMPLETE]
    plans.append((EDITIONS, replace(enough, bids=all_bids(a, b))))
    for pair, plan in plans:
        number, whole = completed(*pair, plan)
        print(f"{' '.join(pair):34} {number:2} {whole} {memory_in_use():5,} MiB", flush=True)
        told[f"complete, {' and '.join(pair)}, {number} bids"] = whole.pairs / whole.seconds
    return told


def completed(first: str, second: str, plan: Plan) -> tuple[int, Took]:
    """A search of everything that belongs with calls, corrections too, to its end, and how many bids it offers."""
    began = time.process_time()
    parts = dict(searches(load(first), load(second), plan, None))
    took = time.process_time() - began
    followed_apart = {id(part.apart): part.apart for part in parts.values() if part.apart is not None}.values()
    met = sum(part.states for part in parts.values()) + sum(found.tables + found.rights for found in followed_apart)
    bids = len(parts[Part.CALLS].accounted_for.bids)
    return bids, Took(met, took, all(part.complete for part in parts.values()))


def followed(
    a: Edition, b: Edition, offers: tuple[Offer, ...], registers: Mapping[str, frozenset[str]], seconds: float
) -> tuple[Took, str]:
    """A search in which each right is followed by itself, and how many pairs of positions, with at most two rights open
    at once, are met in as long."""
    began = time.process_time()
    found = shadows(Space(a, offers), Space(b, offers), Budget(seconds=seconds), carried=registers)
    took = time.process_time() - began
    peer = search(Space(a, offers), Space(b, offers), Bounds(0, 2), Budget(seconds=took), carried=registers)
    mark = " " if peer.finished else "+"
    return Took(found.tables + found.rights, took, found.finished), f"{len(peer.pairs):9,}{mark}"


if __name__ == "__main__":
    main(*(float(text) for text in sys.argv[1:2]))
