"""The quick yes to a file's shape: it is given exactly where the library that validates finds nothing."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from test_schemas import BAD, EDITIONS, GOOD, LAWS, SCHEMAS, kind_of_file

from lawbook.errors import LawbookError
from lawbook.source.fitting import fitting
from lawbook.source.reader import plain, read, read_file


def values() -> list[tuple[str, Any]]:
    """Values of every kind of file: those that fit, and those with mistakes."""
    found = [(kind, plain(read(text, "good.yaml"))) for kind, text in GOOD.items()]
    for path in sorted(BAD.glob("*.yaml")):
        try:
            found.append((path.stem.partition("-")[0], plain(read_file(path))))
        except LawbookError:
            continue
    shipped = sorted([*LAWS.rglob("*.yaml"), *EDITIONS.glob("*.yaml")])
    return found + [(kind_of_file(path), plain(read_file(path))) for path in shipped]


VALUES = values()


def library_says(kind: str, value: Any) -> bool:
    return next(Draft202012Validator(SCHEMAS[kind]).iter_errors(value), None) is None


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_keyword_is_known(kind: str) -> None:
    assert fitting(SCHEMAS[kind]) is not None


def test_every_file_with_and_without_mistakes() -> None:
    for kind, value in VALUES:
        fits = fitting(SCHEMAS[kind])
        assert fits is not None
        assert fits(value) is library_says(kind, value)


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value where something can be changed: what holds it, and its key or number."""
    found: list[tuple[Any, Any]] = []
    for key, below in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found += [(value, key), *spots(below)]
    return found


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(VALUES[:160]), st.randoms(use_true_random=False), st.integers(1, 3))
def test_values_with_something_changed(case: tuple[str, Any], draw: random.Random, times: int) -> None:
    kind, value = case[0], copy.deepcopy(case[1])
    for _ in range(times):
        places = spots(value)
        if not places:
            break
        holder, key = draw.choice(places)
        other_holder, other_key = draw.choice(places)
        match draw.randrange(5):
            case 0:
                del holder[key]
            case 1:
                holder[key] = draw.choice(["", "x", "yes", "None of This", "none", [], {}, ["a", "a"], {"x": "y"}])
            case 2:
                holder[key] = copy.deepcopy(other_holder[other_key])
            case 3 if isinstance(holder, dict):
                holder[draw.choice(["x", "id", "when", "offence", "is", "rows"])] = holder.pop(key)
            case _ if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[key]))
    fits = fitting(SCHEMAS[kind])
    assert fits is not None
    assert fits(value) is library_says(kind, value)


@pytest.mark.parametrize(
    "schema",
    [
        {"dependentRequired": {"a": ["b"]}},
        {"properties": {"a": {"format": "uri"}}},
        {"$ref": "https://example.org/schema"},
        {"type": ["string", "thing"]},
    ],
)
def test_what_is_not_known_is_left_to_the_library(schema: dict[str, Any]) -> None:
    assert fitting(schema) is None


def test_a_part_that_refers_to_itself() -> None:
    schema = {
        "$defs": {"tree": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/tree"}}]}},
        "properties": {"a": {"$ref": "#/$defs/tree"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    fits = fitting(schema)
    assert fits is not None
    assert fits({"a": ["x", ["y", []]]})
    assert not fits({"a": ["x", [{}]]})
    assert not fits({"a": "x", "b": "y"})
