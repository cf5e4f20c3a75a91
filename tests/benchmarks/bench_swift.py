"""Acts ruled without reasons, as a search rules on them, against a call of an auction written by hand.

    python tests/benchmarks/bench_swift.py [seconds]

The peer is the minimal auction of `bench_facade.py`: it plays lawful calls only, and lists the lawful ones before each.
A call of it is the unit. Told is what each kind of act costs a program of the swift machine in a state at hand, in
microseconds and in calls of the peer, beside what the machine takes that gives reasons; and what it costs to make the
program of an act, which is done once. The best of many short rounds, all of them taking turns.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from bench_facade import EDITION, IRREGULAR, ROUND, SEEDS, by_hand, rate

from lawbook import Auction, load
from lawbook.machine.machine import Machine
from lawbook.machine.ruling import Event, Verdict
from lawbook.machine.state import State
from lawbook.machine.swift import Swift

LAWFUL = ("1H", "2H P", "2H P P X", "2H 3D")
REFUSED = ("1H E:penalise", "2H 2D N:new-deal", "1H P P P E:refuse", "1H P W:correct=2D")
REMEDIES = ("2H 2D S:penalise", "1C S:1H E:new-deal", "1H W:X N:let-stand")
TALK = ("2H 2D S:notice", "2H 2D E:correct=3D", "1H E:expose=HA", "2H 2D S:consult")
ROUNDS = 10

Case = tuple[State, Event]


def cases(texts: tuple[str, ...], *verdicts: Verdict) -> list[Case]:
    """The last act of each auction, and the state it is done in."""
    found = []
    for text in texts:
        auction = Auction(EDITION)
        *first, last = text.split()
        auction.play(" ".join(first))
        state, happening = auction.state, auction.act(last)
        assert happening.verdict in verdicts, (text, happening.verdict)
        found.append((state, happening.ruling.event))
    return found


def cost(rule: Callable[[State, Event], object], acts: list[Case]) -> float:
    """Seconds an act takes."""
    began = time.perf_counter()
    for _ in range(ROUNDS):
        for state, event in acts:
            rule(state, event)
    return (time.perf_counter() - began) / (ROUNDS * len(acts))


def making(acts: list[Case]) -> float:
    """Seconds it takes to make the program of an act."""
    swift = Swift(Machine(load(EDITION)))
    events = {event for _, event in acts}
    began = time.perf_counter()
    for event in events:
        swift.program(event)
    return (time.perf_counter() - began) / len(events)


def main(seconds: float = 3.0) -> dict[str, float]:
    """Run all side by side, in turns, and print what came out."""
    legal, irregular, refused = Verdict.LEGAL, Verdict.IRREGULAR, Verdict.REFUSED
    kinds = {
        "lawful call": cases(LAWFUL, legal),
        "irregular": cases(IRREGULAR, irregular),
        "refused": cases(REFUSED, refused),
        "remedy": cases(REMEDIES, legal),
        "talk": cases(TALK, legal, irregular),
    }
    hand = by_hand()
    machine = Machine(load(EDITION))
    swift = Swift(machine)
    for state, event in (case for acts in kinds.values() for case in acts):
        ruling, *_ = rulings = machine.act(state, event)
        assert swift.step(state, event) == (ruling.verdict, ruling.offences, rulings[-1].state)
    calls = 0.0
    best = dict.fromkeys(kinds, float("inf"))
    reasons = dict.fromkeys(kinds, float("inf"))
    began, rounds = time.perf_counter(), 0
    while rounds < 2 or time.perf_counter() - began < seconds:
        calls = max(calls, rate(hand, SEEDS[rounds % len(SEEDS)], ROUND))
        for kind, acts in kinds.items():
            best[kind] = min(best[kind], cost(swift.step, acts))
            if rounds % 5 == 0:
                reasons[kind] = min(reasons[kind], cost(machine.act, acts))
        rounds += 1
    print(f"by hand     {calls:12,.0f} calls a second: {1e6 / calls:.2f} microseconds each")
    for kind, found in best.items():
        print(
            f"{kind:12}{found * 1e6:12.1f} microseconds, {found * calls:.1f} times a call by hand; "
            f"{reasons[kind] * 1e6:.0f} with reasons"
        )
    made = making([case for acts in kinds.values() for case in acts])
    print(f"a program   {made * 1e3:12.2f} milliseconds to make")
    return {kind: found * calls for kind, found in best.items()} | {"making": made}


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
