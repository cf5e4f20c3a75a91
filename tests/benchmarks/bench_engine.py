"""An act in `lawbook engine`, there and back, against the same JSON line echoed by a Python process.

    python tests/benchmarks/bench_engine.py [auctions]

Random lawful auctions, each in a table of its own, are played to their ends call by call; every line is sent to both
processes, which take turns at being first, and the reply is waited for. One peer writes back the bytes it read, the
other parses the line and writes the JSON anew, as the least that any engine must do. The same auctions are played in
three rounds: when play comes to most places for the first time, so that their lawful calls are yet to be found; again,
as in an engine that has run for a while; and again with every reply listing the lawful calls. What is printed:
microseconds an act (the mean, and the median), and the ratios of the means and of the medians.
"""

from __future__ import annotations

import json
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


def auctions(number: int, seed: int) -> Iterator[list[str]]:
    """The calls of random lawful auctions."""
    chance, edition = random.Random(seed), load(EDITION)
    for _ in range(number):
        auction, calls = Auction(edition), []
        lawful = auction.legal_calls
        while lawful:
            call = chance.choice(lawful)
            calls.append(str(call))
            lawful = auction.push(call)
        yield calls


def measure(engine: Peer, peers: list[Peer], number: int, seed: int, **more: Any) -> list[list[float]]:
    """The seconds that each act takes: those of the engine first, then those of each peer."""
    everybody = [engine, *peers]
    taken: list[list[float]] = [[] for _ in everybody]
    acts = 0
    for at, calls in enumerate(auctions(number, seed)):
        table = f"t{at}"
        engine.ask(line_of(do="new", edition=EDITION, auction=table))
        reply = b""
        for call in calls:
            acts += 1
            line = line_of(id=acts, do="act", auction=table, act=call, **more)
            order = list(range(len(everybody)))
            for who in order if acts % 2 else reversed(order):
                start = time.perf_counter()
                reply = everybody[who].ask(line)
                taken[who].append(time.perf_counter() - start)
                if who == 0 and b'"verdict":"legal"' not in reply:
                    raise SystemExit(f"{call} of {' '.join(calls)} is no lawful call: {reply.decode()}")
        engine.ask(line_of(do="close", auction=table))
    return taken


def main(number: int) -> None:
    engine = Peer("-m", "lawbook", "engine")
    peers = [Peer("-c", ECHO), Peer("-c", JSON)]
    print(f"{EDITION}: random lawful auctions, {number} a round; microseconds an act, mean (median)")
    print(f"{'':30}{'engine':>16}{'echo':>16}{'parsed echo':>16}   ratio to echo, to parsed echo")
    rounds: list[tuple[str, dict[str, Any]]] = [
        ("for the first time", {}),
        ("again", {}),
        ("again, lawful calls listed", {"want": ["legal_calls"]}),
    ]
    for name, more in rounds:
        taken = measure(engine, peers, number, 1, **more)
        means = [statistics.fmean(one) * 1e6 for one in taken]
        medians = [statistics.median(one) * 1e6 for one in taken]
        cells = [f"{mean:.1f} ({median:.1f})" for mean, median in zip(means, medians, strict=True)]
        ratios = [f"{means[0] / means[at]:.2f} ({medians[0] / medians[at]:.2f})" for at in (1, 2)]
        print(f"{name:30}" + "".join(f"{cell:>16}" for cell in cells) + "   " + ", ".join(ratios))
    for peer in (engine, *peers):
        peer.end()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else AUCTIONS)
