"""`lawbook rule` from the command line, against a Python process that does nothing.

    python tests/benchmarks/bench_start.py [runs]

Each run starts processes of their own, in turn, and counts the processor time they take, the system's included: one
that passes; a first ruling, with no edition kept, which reads and resolves the files; and a second, which finds the
edition kept on disk. What runs is the entry that the installed command has. Python keeps its compiled modules, as in
any installation, and the first run of all, which compiles them, counts for nothing. Printed are the medians of all
runs, how many times doing nothing they are, and whether the second start imported what reads grammars and schemas.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile

RUNS = 20
NOTHING = [sys.executable, "-c", "pass"]
ENTRY = "import sys; from lawbook.__main__ import main; sys.exit(main())"
RULE = [sys.executable, "-c", ENTRY, "rule", "whist-club-1912", "2H 2D S:penalise"]
IMPORTED = (
    "import sys; from lawbook.shell.application import run; run(sys.argv[1:]);"
    "print(*(name for name in ('lark', 'jsonschema', 'yaml', 'dataclasses') if name in sys.modules), file=sys.stderr)"
)


def told(kept: str) -> dict[str, str]:
    """What a process is told: where editions are kept, and that compiled modules are kept where they always are."""
    environment = {**os.environ, "LAWBOOK_CACHE": kept}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """The processor time of a command, its own and the system's."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(runs: int = RUNS) -> dict[str, float]:
    """Start all of them in turn; print the medians and the ratios."""
    spent: dict[str, list[float]] = {"nothing": [], "first": [], "second": []}
    for run in range(runs + 1):
        with tempfile.TemporaryDirectory() as kept:
            environment = told(kept)
            for name, command in (("nothing", NOTHING), ("first", RULE), ("second", RULE)):
                time = seconds(command, environment)
                if run:
                    spent[name].append(time)
            asked = [sys.executable, "-c", IMPORTED, *RULE[3:]]
            done = subprocess.run(asked, env=environment, check=True, capture_output=True, text=True)
    median = {name: statistics.median(times) for name, times in spent.items()}
    print(f"{'a Python that passes':<22}{median['nothing'] * 1e3:8.1f} ms")
    ratios = {}
    for name in ("first", "second"):
        ratios[name] = median[name] / median["nothing"]
        print(f"{name + ' start':<22}{median[name] * 1e3:8.1f} ms, {ratios[name]:.1f} times that")
    print(f"imported by the second: {done.stderr.strip() or 'no lark, jsonschema, yaml or dataclasses'}")
    return {**ratios, "first_seconds": median["first"], "second_seconds": median["second"]}


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
