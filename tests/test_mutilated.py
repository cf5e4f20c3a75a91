"""Every YAML file of the laws and editions, mutilated at random: what comes of it is an edition of the same meaning,
one of another, or diagnostics; never a traceback."""

from __future__ import annotations

import random
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from lawbook.checks.run import Run
from lawbook.data import data_folder
from lawbook.diagnostics import Severity, render
from lawbook.edition.library import Library
from lawbook.edition.manifest import read_manifest
from lawbook.edition.memory import Memory
from lawbook.edition.resolve import Resolver
from lawbook.errors import Collector
from lawbook.mending import with_fixes
from lawbook.report.sarif import sarif

EDITIONS = sorted(path.stem for path in data_folder("editions").glob("*.yaml"))
LAWS = sorted(path.relative_to(data_folder("laws")).as_posix() for path in data_folder("laws").rglob("*.yaml"))
FILES = [f"editions/{name}.yaml" for name in EDITIONS] + [f"laws/{path}" for path in LAWS]


@dataclass(frozen=True)
class Copy:
    """A copy of the shipped files that can be mutilated; for each file the editions that rest on it; their hashes."""

    folder: Path
    library: Library
    memory: Memory
    editions: dict[str, list[str]]
    hashes: dict[str, str]
    words: list[str]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    folder = tmp_path_factory.mktemp("mutilated")
    for name in ("laws", "editions"):
        shutil.copytree(data_folder(name), folder / name)  # type: ignore[arg-type]
    library, memory = Library((folder / "laws",), (folder / "editions",)), Memory()
    editions: dict[str, list[str]] = {}
    hashes = {}
    for name in EDITIONS:
        manifest = read_manifest(library, name, {}, Collector())
        assert manifest is not None
        used = [f"laws/{path}" for path in (*manifest.vocabulary, *manifest.laws)]
        for path in used + [f"editions/{link}.yaml" for link in manifest.chain]:
            editions.setdefault(path, []).append(name)
        hashes[name] = Resolver(library, memory=memory).resolve(name).hash
    texts = [(folder / path).read_text(encoding="utf-8") for path in FILES]
    words = sorted({word for text in texts for word in text.split()})
    return Copy(folder, library, memory, editions, hashes, words)


def test_every_file_is_part_of_an_edition(copy: Copy) -> None:
    assert sorted(copy.editions) == sorted(FILES)


# -- ways to mutilate a text -------------------------------------------------------------------------------------------


def line_left_out(lines: list[str], at: int, draw: random.Random, words: list[str]) -> None:
    del lines[at]


def line_twice(lines: list[str], at: int, draw: random.Random, words: list[str]) -> None:
    lines.insert(at, draw.choice(lines))


def lines_exchanged(lines: list[str], at: int, draw: random.Random, words: list[str]) -> None:
    other = draw.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def indented(lines: list[str], at: int, draw: random.Random, words: list[str]) -> None:
    lines[at] = " " * draw.randrange(1, 5) + lines[at]


def outdented(lines: list[str], at: int, draw: random.Random, words: list[str]) -> None:
    lines[at] = lines[at][draw.randrange(1, 5) :]


def word_replaced(lines: list[str], at: int, draw: random.Random, words: list[str]) -> None:
    parts = lines[at].split(" ")
    parts[draw.randrange(len(parts))] = draw.choice(words)
    lines[at] = " ".join(parts)


def word_added(lines: list[str], at: int, draw: random.Random, words: list[str]) -> None:
    parts = lines[at].split(" ")
    parts.insert(draw.randrange(len(parts) + 1), draw.choice(words))
    lines[at] = " ".join(parts)


def value_replaced(lines: list[str], at: int, draw: random.Random, words: list[str]) -> None:
    key, colon, _ = lines[at].partition(": ")
    values = [line.partition(": ")[2] for line in lines if ": " in line]
    if colon and values:
        lines[at] = key + colon + draw.choice(values)


def number_replaced(lines: list[str], at: int, draw: random.Random, words: list[str]) -> None:
    lines[at] = re.sub(r"\d+", lambda _: str(draw.choice([0, 1, -1, 8, 99, 10**6, 10**12])), lines[at])


WAYS = (
    line_left_out, line_twice, lines_exchanged, indented, outdented, word_replaced, word_added, value_replaced,
    number_replaced,
)  # fmt: skip


def mutilated(text: bytes, draw: random.Random, words: list[str]) -> bytes:
    """A text with one thing in it that is not as it was: a line, a word, or bytes."""
    if draw.random() < 0.3:
        content = bytearray(text)
        at = draw.randrange(len(content))
        content[at : at + draw.randrange(30)] = draw.randbytes(draw.randrange(4))
        return bytes(content)
    lines = text.decode("utf-8", "surrogateescape").split("\n")
    draw.choice(WAYS)(lines, draw.randrange(len(lines)), draw, words)
    return "\n".join(lines).encode("utf-8", "surrogateescape")


# -- what comes of it --------------------------------------------------------------------------------------------------


@settings(max_examples=examples(50, 400), deadline=None)
@given(st.sampled_from(FILES), st.randoms(use_true_random=False), st.integers(1, 3))
def test_a_mutilated_file_is_told_or_means_something(copy: Copy, file: str, draw: random.Random, times: int) -> None:
    path, name = copy.folder / file, draw.choice(copy.editions[file])
    whole = path.read_bytes()
    content = whole
    for _ in range(times):
        content = mutilated(content, draw, copy.words) if content else content
    path.write_bytes(content)
    try:
        run = Run(copy.library, copy.memory)
        edition = run.edition(name)
        found = with_fixes(run.findings(lambda _: True), lambda file: Path(file).read_text("utf-8", "replace"))
        # Whatever is said of it can be shown.
        render(found, source=lambda file: Path(file).read_text("utf-8", "replace"))
        sarif(found, run.silenced)
        if edition is None:
            assert any(finding.severity is Severity.ERROR for finding in found)
        else:
            assert content != whole or edition.hash == copy.hashes[name]
    finally:
        path.write_bytes(whole)
