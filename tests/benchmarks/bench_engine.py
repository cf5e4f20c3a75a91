"""An act in `lawbook engine`, there and back, against the same JSON line echoed by a Python process.

    python tests/benchmarks/bench_engine.py [auctions [edition]]

Random lawful auctions, each in a table of its own, are played to their ends call by call; the lines of an auction go to
each process in turn, every other time in the other order, and each reply is waited for. One peer writes back the bytes
it read, the other parses the line and writes the JSON anew, as the least that any engine must do. What is timed is from
the first byte of the line written to the last of the reply read. `new` and `close` are not timed; the first `new`, for
which the edition is read and made ready, is told by itself.

The same auctions are played in three rounds: when play comes to most places for the first time; again, as in an engine
that has run for a while; and again with every reply listing the lawful calls. All this is done several times with
fresh processes, and of each act the least time counts, for the engine as for its peers: what else a machine does makes
one run slow, and not the same act in all of them. All processes are kept on one processor where the system allows it:
to wake one on another processor can take many times what either of them does, and which of them is on which is chance.
What is printed: microseconds an act (the mean, and the median), and
the ratios of the means and of the medians.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from lawbook import Auction, load

EDITION = "whist-club-1912"
AUCTIONS = 400
RUNS = 5
ECHO = "import sys\nfor line in sys.stdin.buffer:\n    sys.stdout.buffer.write(line)\n    sys.stdout.buffer.flush()\n"
JSON = """import json, sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(json.dumps(json.loads(line), separators=(",", ":")).encode() + b"\\n")
    sys.stdout.buffer.flush()
"""


class Peer:
    """A process that answers every line with a line."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=-1
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout

    def ask(self, line: bytes) -> bytes:
        self._in.write(line)
        self._in.flush()
        return self._out.readline()

    def end(self) -> None:
        self._in.close()
        self._out.close()
        self._process.wait()


def line_of(**request: Any) -> bytes:
    return json.dumps(request, separators=(",", ":")).encode() + b"\n"


def auctions(edition: str, number: int, seed: int) -> list[list[str]]:
    """The calls of random lawful auctions."""
    chance, rules = random.Random(seed), load(edition)
    found = []
    for _ in range(number):
        auction, calls = Auction(rules), []
        lawful = auction.legal_calls
        while lawful:
            call = chance.choice(lawful)
            calls.append(str(call))
            lawful = auction.push(call)
        found.append(calls)
    return found


def measure(everybody: list[Peer], edition: str, played: list[list[str]], **more: Any) -> list[list[float]]:
    """The seconds that each act takes: those of the engine first, then those of each peer."""
    engine = everybody[0]
    taken: list[list[float]] = [[] for _ in everybody]
    acts = 0
    for at, calls in enumerate(played):
        table = f"t{at}"
        lines = [line_of(id=acts + n, do="act", auction=table, act=call, **more) for n, call in enumerate(calls, 1)]
        acts += len(lines)
        order = list(range(len(everybody)))
        for who in order if at % 2 else reversed(order):
            if who == 0:
                engine.ask(line_of(do="new", edition=edition, auction=table))
            for line in lines:
                start = time.perf_counter()
                reply = everybody[who].ask(line)
                taken[who].append(time.perf_counter() - start)
                if who == 0 and b'"verdict":"legal"' not in reply:
                    raise SystemExit(f"of {' '.join(calls)} not all are lawful calls: {reply.decode()}")
            if who == 0:
                engine.ask(line_of(do="close", auction=table))
    return taken


ROUNDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("for the first time", {}),
    ("again", {}),
    ("again, lawful calls listed", {"want": ["legal_calls"]}),
)


def run(edition: str, played: list[list[str]]) -> tuple[float, list[list[list[float]]]]:
    """The seconds of the first `new`, and of each round what `measure` gives, with fresh processes."""
    peers = [Peer("-m", "lawbook", "engine"), Peer("-c", ECHO), Peer("-c", JSON)]
    peers[0].ask(line_of(do="hello"))
    start = time.perf_counter()
    peers[0].ask(line_of(do="new", edition=edition, auction="first"))
    ready = time.perf_counter() - start
    found = [measure(peers, edition, played, **more) for _, more in ROUNDS]
    for peer in peers:
        peer.end()
    return ready, found


@contextlib.contextmanager
def one_processor() -> Iterator[None]:
    """While this lasts this process, and all that it starts, run on one processor, where the system allows it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def least(runs: list[list[list[list[float]]]], at: int, who: int) -> list[float]:
    """The least time of each act of a round, over all runs."""
    return [min(times) for times in zip(*(found[at][who] for found in runs), strict=True)]


def main(number: int, edition: str = EDITION, runs: int = RUNS) -> dict[str, float]:
    """Run all of it and print what came out; returns the ratios of the means to the echo's."""
    played = auctions(edition, number, 1)
    with one_processor():
        every = [run(edition, played) for _ in range(runs)]
    print(f"{edition}: random lawful auctions, {number} a round; microseconds an act, mean (median)")
    print(f"{'':30}{'engine':>16}{'echo':>16}{'parsed echo':>16}   ratio to echo, to parsed echo")
    ratios = {}
    for at, (name, _) in enumerate(ROUNDS):
        taken = [least([found for _, found in every], at, who) for who in range(3)]
        means = [statistics.fmean(one) * 1e6 for one in taken]
        medians = [statistics.median(one) * 1e6 for one in taken]
        cells = [f"{mean:.1f} ({median:.1f})" for mean, median in zip(means, medians, strict=True)]
        told = [f"{means[0] / means[peer]:.2f} ({medians[0] / medians[peer]:.2f})" for peer in (1, 2)]
        print(f"{name:30}" + "".join(f"{cell:>16}" for cell in cells) + "   " + ", ".join(told))
        ratios[name] = means[0] / means[1]
    print(f"the first `new`: {min(ready for ready, _ in every) * 1e3:,.0f} milliseconds")
    return ratios


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else AUCTIONS, *sys.argv[2:3])
