"""Two editions searched side by side, against the same search without any of what makes it small or fast.

    python tests/benchmarks/bench_compare.py [seconds]

The peer is breadth-first search over tuples and sets: the machine rules on every act, each state is kept as it is, with
nothing turned, left out, forgotten, numbered or remembered. Both offer the same acts of the same bids, with the same
bound on irregular acts, and find where 1912 and 1913 part. Told is how many pairs of states and how many acts in them a
second of processor time covers, how many pairs either search needs for the auctions of so many acts, and how the time
grows with the bids and with the irregular acts; of what is cut short it is said so. The seconds are what one search may
take at most.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from lawbook import load
from lawbook.edition.model import Edition
from lawbook.explore.bids import sufficient_bids
from lawbook.explore.offers import Offer, offers_of
from lawbook.explore.product import Bounds, Progress, Search, search
from lawbook.explore.space import Space
from lawbook.loading import calls_of, machine_of
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Verdict
from lawbook.machine.state import Conflict, State

PAIRS = (("whist-club-1912", "whist-club-1913"), ("portland-bath-1908", "whist-club-1912"))
ACTS = ("let-stand", "new-deal", "penalise", "refuse")
BIDS = (2, 3, 4, 5)
DEEP = 4


class Took(NamedTuple):
    """What a search covered, and the processor time it took: pairs of states met, and acts looked at in them, those
    that both editions refuse included."""

    pairs: int
    acts: int
    seconds: float
    whole: bool


def offered(a: Edition, b: Edition, bids: int) -> tuple[Offer, ...]:
    """The acts of both searches."""
    return offers_of((a, b), sufficient_bids((a, b), ACTS, bids).bids, ACTS)


def ours(
    a: Edition, b: Edition, offers: Sequence[Offer], irregularities: int | None, seconds: float, deep: int | None = None
) -> tuple[Took, Search]:
    """The search as `compare` makes it; with `deep`, of auctions of so many acts."""

    began = time.process_time()

    def look(progress: Progress) -> None:
        # A budget counts the seconds of a clock, which on a busy machine says little.
        if (deep is not None and progress.depth > deep) or time.process_time() - began > seconds:
            raise KeyboardInterrupt

    found = search(Space(a, offers), Space(b, offers), Bounds(irregularities), progress=look)
    took = time.process_time() - began
    return Took(len(set(found.pairs)), len(found.gone_on_from) * len(offers), took, found.finished), found


def plain(
    a: Edition, b: Edition, offers: Sequence[Offer], irregularities: int, deep: int, seconds: float
) -> tuple[Took, int]:
    """The peer: tuples and sets, every act by the machine. Also how many acts of how many pairs the two part on."""
    machines = Machine(a), Machine(b)
    start = machines[0].start(0), machines[1].start(0)
    seen = {(*start, 0)}
    layer = [(*start, 0)]
    began = time.process_time()
    acts = differing = 0
    for _ in range(deep):
        following = []
        for first, second, irregular in layer:
            turn = machines[0].evaluator.value(a.interface.turn, first.values, {}) or 0
            for offer in offers:
                said_a, after_a = act(machines[0], first, offer, turn)
                said_b, after_b = act(machines[1], second, offer, turn)
                acts += 1
                if said_a != said_b or look(machines[0], after_a) != look(machines[1], after_b):
                    differing += 1
                    continue
                after = (after_a, after_b, irregular + (said_a[0] is Verdict.IRREGULAR))
                if said_a != CONFLICT and after[2] <= irregularities and after not in seen:
                    seen.add(after)
                    following.append(after)
            if time.process_time() - began > seconds:
                return Took(len(seen), acts, time.process_time() - began, False), differing
        layer = following
    return Took(len(seen), acts, time.process_time() - began, True), differing


CONFLICT = (None, ())


def act(machine: Machine, state: State, offer: Offer, turn: int) -> tuple[tuple[object, tuple[str, ...]], State]:
    """What an edition says of an act, and the state it leaves."""
    event = offer.event(machine.edition)
    if event is None:
        return (Verdict.REFUSED, ()), state
    if event.seat is not None:
        event = event._replace(seat=(event.seat + turn) % 4)
    try:
        rulings = machine.act(state, event)
    except Conflict:
        return CONFLICT, state
    names = sorted(machine.edition.offences[offence].name for offence in rulings[0].offences)
    return (rulings[0].verdict, tuple(names)), rulings[-1].state


def look(machine: Machine, state: State) -> tuple[object, ...]:
    """How the table looks under an edition."""
    edition, ask, values = machine.edition, machine.evaluator, state.values
    interface = edition.interface
    contract = ask.value(interface.contract, values, {})
    options = {(o.seat, o.choice.act, edition.offences[o.offence].name, o.offender) for o in machine.options(state)}
    return (
        ask.value(interface.turn, values, {}),
        edition.universe.enumerations["status"][ask.value(interface.status, values, {}) or 0],
        None if contract is None else calls_of(edition)[contract],
        ask.value(interface.doubling, values, {}),
        [seat for seat in range(4) if ask.truth(interface.debarred, values, {"that": seat})],
        options,
    )


def main(seconds: float = 60.0) -> dict[str, float]:
    """Measure, and print what came out."""
    a, b = (load(name) for name in PAIRS[0])
    for edition in (a, b):
        machine_of(edition)
    told: dict[str, float] = {}
    offers = offered(a, b, 3)
    slow, differing = plain(a, b, offers, 1, DEEP, seconds)
    fast, _ = ours(a, b, offers, 1, seconds, DEEP)
    print(f"1912 and 1913, {len(offers)} acts offered, auctions of up to {DEEP} acts, one irregularity")
    for name, took in (("plain", slow), ("ours", fast)):
        note = "" if name == "ours" or took.whole else ", cut short"
        print(
            f"  {name:5}  {took.pairs:7,} pairs  {took.acts:9,} acts  {took.seconds:6.1f} s"
            f"  {took.acts / took.seconds:9,.0f} acts a second{note}"
        )
    whole, _ = ours(a, b, offers, 1, seconds)
    told["acts a second, plain"] = slow.acts / slow.seconds
    told["acts a second, ours, whole search"] = whole.acts / whole.seconds
    told["ratio"] = told["acts a second, ours, whole search"] / told["acts a second, plain"]
    print(f"  ours, to the end of one irregularity: {_line(whole)}")
    print(f"  acts a second, ours to plain: {told['ratio']:.1f}; the plain one met {differing:,} differing acts")
    print("growth, 1912 and 1913, by bids and irregular acts; programs of the acts made anew each time")
    for irregularities in (0, 1):
        for bids in BIDS:
            took, _ = ours(a, b, offered(a, b, bids), irregularities, seconds)
            told[f"{bids} bids, {irregularities} irregular"] = took.seconds
            print(f"  {bids} bids, {irregularities} irregular: {_line(took)}")
    print(f"in all, four bids, one irregularity, {', '.join(ACTS)}")
    for pair in PAIRS:
        first, second = (load(name) for name in pair)
        took, found = ours(first, second, offered(first, second, 4), 1, seconds)
        told[" ".join(pair)] = took.seconds
        acts = {(found.pairs[d.node], d.offer) for d in found.divergences}
        print(f"  {' '.join(pair)}: {_line(took)}, {len(acts):,} differing acts")
    return told


def _line(took: Took) -> str:
    rate = took.acts / took.seconds
    end = "" if took.whole else ", cut short"
    return (
        f"{took.pairs:,} pairs, {took.acts:,} acts, {took.seconds:.1f} s, "
        f"{took.pairs / took.seconds:,.0f} pairs and {rate:,.0f} acts a second{end}"
    )


if __name__ == "__main__":
    main(*(float(text) for text in sys.argv[1:2]))
