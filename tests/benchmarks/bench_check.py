"""`lawbook check` of everything that comes with Lawbook, against reading and validating the same files and no more.

    python tests/benchmarks/bench_check.py [runs]

Each run starts processes of their own, in turn, and counts the processor time they take, start-up included: the check
with nothing kept; the check again, with nothing changed; a process that reads every file with PyYAML's quick loader and
validates it with jsonschema, which is what a linter of YAML does; and a process that does nothing at all. Python keeps
its compiled modules, as in any installation, and the first run of all, which compiles them, counts for nothing. Of each
the least of all runs counts, for what else a machine does only makes a run slower. What is printed: seconds of
processor time, and how many times the peer's time the check takes.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from lawbook.data import data_folder

RUNS = 3
CHECK = [sys.executable, "-m", "lawbook", "check"]
PEER = """
import json, sys
from pathlib import Path
import yaml
from jsonschema import Draft202012Validator
laws, editions = map(Path, sys.argv[1:])
class Loader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
    pass
def validator(path):
    return Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))
of = {"law": validator(laws / "law.schema.json"), "vocabulary": validator(laws / "vocabulary.schema.json"),
      "edition": validator(editions / "edition.schema.json")}
for path in [*laws.rglob("*.yaml"), *editions.rglob("*.yaml")]:
    kind = "edition" if path.is_relative_to(editions) else "vocabulary" if "vocabulary" in path.parts else "law"
    problems = list(of[kind].iter_errors(yaml.load(path.read_text(encoding="utf-8"), Loader)))
    assert not problems, path
"""


def seconds(command: list[str], kept: Path, compiled: Path) -> float:
    """The processor time of a command, its children's included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = {**os.environ, "LAWBOOK_CACHE": str(kept), "PYTHONPYCACHEPREFIX": str(compiled)}
    told.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run(command, env=told, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(runs: int = RUNS) -> None:
    """Check, check again, read and validate; print the least time of each and the ratios."""
    folders = [str(data_folder("laws")), str(data_folder("editions"))]
    peer = [sys.executable, "-c", PEER, *folders]
    least: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as compiled:
        for run in range(runs + 1):
            with tempfile.TemporaryDirectory() as kept:
                for name, command in (
                    ("nothing at all", [sys.executable, "-c", ""]),
                    ("check, nothing kept", CHECK),
                    ("check, nothing changed", CHECK),
                    ("read and validate", peer),
                ):
                    spent = seconds(command, Path(kept), Path(compiled))
                    if run:
                        least[name] = min(spent, least.get(name, float("inf")))
    for name, time in least.items():
        print(f"{name:<24} {time:6.2f} s")
    base = least["read and validate"]
    for name in ("check, nothing kept", "check, nothing changed"):
        print(f"{name:<24} {least[name] / base:6.2f} times reading and validating")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
