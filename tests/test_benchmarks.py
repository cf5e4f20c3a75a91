"""The benchmarks run: each with the least to do, so that what is printed there can be had again."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parent / "benchmarks"


def script(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def told(found: dict[str, float]) -> bool:
    """Whether every figure is one that can be."""
    return all(math.isfinite(figure) and figure > 0 for figure in found.values())


def test_the_facade_against_an_auction_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = script("bench_facade")
    monkeypatch.setattr(bench, "ROUND", 20)
    monkeypatch.setattr(bench, "STAGES", (20, 40))
    assert told(bench.main(0.01))


def test_acts_without_reasons_against_an_auction_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    bench = script("bench_swift")
    monkeypatch.setattr(bench, "ROUND", 20)
    monkeypatch.setattr(bench, "ROUNDS", 1)
    assert told(bench.main(0.01))


def test_the_start_of_the_command_against_a_python_that_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(script("bench_start").main(1))
    assert "no lark, jsonschema, yaml or dataclasses" in capsys.readouterr().out


def test_the_search_of_two_editions_against_one_of_tuples_and_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = script("bench_compare")
    monkeypatch.setattr(bench, "BIDS", (2,))
    monkeypatch.setattr(bench, "DEEP", 2)
    monkeypatch.setattr(bench, "PAIRS", bench.PAIRS[:1])
    assert told(bench.main(0.2))


def test_the_growth_of_a_search(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    bench = script("bench_growth")
    monkeypatch.setattr(bench, "BIDS", (1,))
    monkeypatch.setattr(bench, "ENOUGH_BIDS", 2)
    monkeypatch.setattr(bench, "COMPLETE", bench.COMPLETE[1:2])
    found = bench.main(2.0)
    assert told(found)
    assert len(found) == 8
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_the_facade_against_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel", reason='pip install "lawbook[benchmarks]" brings it')
    bench = script("bench_open_spiel")
    monkeypatch.setattr(bench, "AUCTIONS", 20)
    assert told(bench.main(0.01))


def test_classification_against_rules_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("celpy", "rule_engine", "zen"):
        pytest.importorskip(library, reason='pip install "lawbook[benchmarks]" brings it')
    bench = script("bench_classification")
    monkeypatch.setattr(bench, "SAMPLE", 20)
    monkeypatch.setattr(bench, "SLOW_SAMPLE", 2)
    # Lawbook, on its own at least, must give the same answers as the others: the script asserts it.
    assert told(bench.main(0.01))


def test_the_rules_that_other_engines_are_given_are_those_of_the_edition() -> None:
    """What the classification says is what ruling on each call says, without the other engines."""
    bench = script("bench_classification")
    edition = bench.load(bench.EDITION)
    some = list(bench.cases(edition))[::97]
    assert [bench.anew(edition)(case) for case in some] == [bench.ruled(edition, case) for case in some]
    assert {bench.ruled(edition, case) for case in some} >= {"", "insufficient-declaration", "impossible-declaration"}
