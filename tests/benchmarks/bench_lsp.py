"""A keystroke's diagnostics in the largest law, against reading and checking the same file from nothing.

    python tests/benchmarks/bench_lsp.py [rounds]

What is written: a letter in a trigger, a misspelt word, a line in between, a key whose colon is still to come, and the
same undone again. Told are the milliseconds of processor time that the language server takes to know what is wrong
with the file (the median, and the most of all rounds), once the file has been open for a moment; then the wall time
from the message to the answer with the server in a process of its own, its wait for the next keystroke included; and
how many times longer it takes to check the file from nothing. The goal is 50 milliseconds.
"""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from editor import Editor

from lawbook.data import data_folder
from lawbook.server.workbench import Workbench

GOAL = 50
ROUNDS = 30


def largest() -> Path:
    """The law file with the most text."""
    return max(data_folder("laws").rglob("*.yaml"), key=lambda path: path.stat().st_size)


def keystrokes(text: str, turn: int) -> Iterator[tuple[str, str]]:
    """What is done at the keyboard, and the text it makes; in each turn another one, so that nothing is known of it."""
    clause = next(line for line in text.splitlines() if line.startswith("    when: a player"))
    yield "a letter more", text.replace(clause, clause.replace("a player", f"a{' ' * (turn + 2)}player"), 1)
    yield "a misspelt word", text.replace(clause, clause.replace("player", f"ply{'y' * turn}er"), 1)
    yield "a line between", text.replace("clauses:\n", "clauses:\n" + "\n" * (turn + 1), 1)
    yield "a key without colon", text.replace(clause, f"{clause}\n    unle{'s' * (turn + 1)}", 1)


def here(path: Path, text: str, rounds: int) -> dict[str, list[float]]:
    """Processor time of each keystroke, in milliseconds; undoing it counts as one too."""
    bench = Workbench()
    times: dict[str, list[float]] = {}

    def write(what: str, content: str) -> None:
        before = time.process_time()
        bench.open(path, content)
        bench.quick(path)
        times.setdefault(what, []).append(1000 * (time.process_time() - before))

    write("open", text)
    for _ in bench.thorough(path):
        pass
    # As the server does when it has nothing else to do.
    gc.collect()
    gc.freeze()
    for turn in range(rounds):
        for what, content in keystrokes(text, turn):
            write(what, content)
            write("undone", text)
    return times


def over_there(path: Path, text: str, rounds: int) -> list[float]:
    """Wall time from a change to its diagnostics, over standard input and output, in milliseconds."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor()
        editor.initialise(Path(folder))
        editor.open(path, text)
        editor.problems(path)
        for turn in range(rounds):
            for _, content in keystrokes(text, turn):
                for written in (content, text):
                    before = time.perf_counter()
                    editor.change(path, written)
                    editor.problems(path)
                    times.append(1000 * (time.perf_counter() - before))
        editor.stop()
    return times


def main(rounds: int = ROUNDS, show: Callable[[str], None] = print) -> float:
    """Measure and tell; the median of all keystrokes in milliseconds of processor time is returned."""
    path = largest()
    text = path.read_text(encoding="utf-8")
    show(f"{path.relative_to(data_folder('laws').parent)}: {len(text.splitlines())} lines")
    times = here(path, text, rounds)
    (from_nothing,) = times.pop("open")
    for what, taken in times.items():
        show(f"{what:<20} {statistics.median(taken):6.1f} ms, at most {max(taken):6.1f} ms")
    every = statistics.median(t for taken in times.values() for t in taken)
    show(f"{'every keystroke':<20} {every:6.1f} ms (goal: {GOAL} ms)")
    wall = over_there(path, text, max(rounds // 3, 1))
    show(f"{'over stdio, waits':<20} {statistics.median(wall):6.1f} ms, at most {max(wall):6.1f} ms")
    show(f"{'from nothing':<20} {from_nothing:6.1f} ms: {from_nothing / every:.0f} times as long")
    return every


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
