"""The published schemas as tests make them ready say of every value what they say as they are."""

from __future__ import annotations

import copy
import json
import random
import shlex
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from published import PUBLISHED, validator
from referencing import Registry, Resource
from test_cli import ANSWERS, lawbook_command

REGISTRY: Registry[Any] = Registry().with_resources(
    (name, Resource.from_contents(schema)) for name, schema in PUBLISHED.items()
)
ALTERED = 12


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(PUBLISHED[name])
    assert PUBLISHED[name]["$id"] == name


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place within a value: what holds it, and its key or number there."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in below for place in [(value, key), *places(part)]]


def altered(value: Any, chance: random.Random) -> Any:
    """A copy with one thing in it left out, added, or another value."""
    value = copy.deepcopy(value)
    holder, key = chance.choice(places(value))
    match chance.randrange(3):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder["other"] = holder[key]
        case _:
            holder[key] = chance.choice([None, True, 0, 1.5, "", "N", "legal", [], {}, [holder[key]]])
    return value


# Answers in JSON of several commands, and an error.
ASKED = ("readings", "rule", "check", "error")
COMMANDS = {f"{name}.schema.json": command for name, command in ANSWERS if name in ASKED}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_valid_stays_the_same(name: str) -> None:
    value = json.loads(lawbook_command(*shlex.split(COMMANDS[name]), "--json")[1])
    reply = {"id": 1, "ok": True, "answer": value}
    chance = random.Random(name)
    for schema, whole in ((name, value), ("engine-reply.schema.json", reply)):
        as_it_comes, quick = Draft202012Validator({"$ref": schema}, registry=REGISTRY), validator(schema)
        documented = Draft202012Validator({"$ref": schema, "unevaluatedProperties": False}, registry=REGISTRY)
        strict = validator(schema, documented=True)
        for other in (whole, *(altered(whole, chance) for _ in range(ALTERED))):
            assert quick.is_valid(other) == as_it_comes.is_valid(other)
            if "properties" in PUBLISHED[schema]:
                assert strict.is_valid(other) == documented.is_valid(other)
