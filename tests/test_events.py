"""PyYAML's parser in C and the one in Python: where the one in C is used, the events and their places are the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from yaml import events as yaml_events
from yaml.error import YAMLError

from lawbook.data import data_folder
from lawbook.source import events
from lawbook.source.events import Events, quick_events
from lawbook.source.reader import read

HERE = Path(__file__).parent
FILES = sorted(
    path
    for folder in (data_folder("laws"), data_folder("editions"), HERE / "good", HERE / "bad" / "laws")
    for path in folder.rglob("*.yaml")
)
TEXTS = [path.read_text(encoding="utf-8") for path in FILES]
# What means something to YAML, and a few letters that do not.
SIGNS = "\t:#-?|>&*!%@`'\"[]{},\n \\~<>=0.aä\u2028\u0085\ufeff"

in_c = pytest.mark.skipif(events._IN_C is None, reason="PyYAML was built without its parser in C")


def told(event: yaml_events.Event) -> tuple[object, ...]:
    said = [getattr(event, name, None) for name in ("value", "anchor", "tag", "version")]
    # The one says None where the other says False, or nothing.
    style = [getattr(event, name, None) or None for name in ("style", "flow_style")]
    return (type(event).__name__, *said, *style, event.start_mark.index, event.end_mark.index)


def in_python(text: str) -> list[tuple[object, ...]] | None:
    try:
        return [told(event) for event in iter(Events(text).next_event, None)]
    except (YAMLError, ValueError):
        return None


@in_c
def test_nearly_every_file_is_read_by_the_quick_one() -> None:
    shipped = [text for path, text in zip(FILES, TEXTS, strict=True) if path.is_relative_to(data_folder("laws"))]
    assert sum(quick_events(text) is not None for text in shipped) > 0.9 * len(shipped)


@in_c
def test_every_file_is_read_alike() -> None:
    for path, text in zip(FILES, TEXTS, strict=True):
        quick = quick_events(text)
        assert quick is None or [told(event) for event in quick] == in_python(text), path


@in_c
@settings(max_examples=400)
@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False), st.integers(1, 4))
def test_mutilated_texts_are_read_alike(text: str, draw: random.Random, times: int) -> None:
    lines = text.split("\n")
    start = draw.randrange(max(len(lines) - 12, 1))
    letters = list("\n".join(lines[start : start + 12]))
    for _ in range(times):
        at = draw.randrange(len(letters) + 1)
        letters[at : at + draw.randrange(2)] = draw.choice(["", draw.choice(SIGNS), draw.choice(SIGNS)])
    mutilated = "".join(letters)
    quick = quick_events(mutilated)
    assert quick is None or [told(event) for event in quick] == in_python(mutilated)


def test_without_the_parser_in_c_the_same_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [read(text, "law.yaml") for text in TEXTS[:20]]
    monkeypatch.setattr(events, "_IN_C", None)
    assert [read(text, "law.yaml") for text in TEXTS[:20]] == before
