"""The published schemas, for tests: JSON is held against them thousands of times, so each is made ready once.

What a schema refers to is put in its place, and alternatives are asked for a yes before they are asked for what is
wrong. What is valid and what is not stays the same: `test_published` holds this to the library as it comes.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator, ValidationError, validators

import lawbook

FOLDER: Final = Path(lawbook.__file__).parent / "schemas"
PUBLISHED: Final[dict[str, Any]] = {
    path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))
}


def _quick(keyword: str) -> Any:
    """`anyOf` or `oneOf` that gathers what is wrong with each alternative only where the answer is no."""
    thorough = Draft202012Validator.VALIDATORS[keyword]

    def check(validator: Any, alternatives: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        fit = 0
        for alternative in alternatives:
            fit += next(validator.descend(value, alternative), None) is None
            if fit and keyword == "anyOf":
                return
        if fit != 1:
            yield from thorough(validator, alternatives, value, schema)

    return check


_Quick: Final = validators.extend(Draft202012Validator, {keyword: _quick(keyword) for keyword in ("anyOf", "oneOf")})


class _Linked:
    """Schemas in which what is referred to stands in the place of the reference: a part may so hold itself."""

    def __init__(self) -> None:
        self._made: dict[int, Any] = {}

    def at(self, reference: str, name: str = "") -> Any:
        file, _, pointer = reference.partition("#")
        name = file or name
        part = PUBLISHED[name]
        for step in pointer.split("/")[1:]:
            part = part[step]
        return self.part(part, name)

    def part(self, schema: Any, name: str) -> Any:
        if isinstance(schema, list):
            return [self.part(item, name) for item in schema]
        if not isinstance(schema, dict):
            return schema
        if schema.keys() <= {"$ref", "description"} and "$ref" in schema:
            return self.at(schema["$ref"], name)
        if id(schema) not in self._made:
            made = self._made[id(schema)] = {}
            # `$schema` would bring back the validator as it comes, and `$defs` are asked for by reference.
            made |= {key: self._below(key, below, name) for key, below in schema.items() if key[0] != "$"}
            if "$ref" in schema:
                made["allOf"] = [*made.get("allOf", ()), self.at(schema["$ref"], name)]
        return self._made[id(schema)]

    def _below(self, key: str, below: Any, name: str) -> Any:
        if key in ("properties", "patternProperties", "dependentSchemas"):
            return {one: self.part(schema, name) for one, schema in below.items()}
        return below if key in ("const", "enum", "examples", "default") else self.part(below, name)


@functools.cache
def validator(reference: str, *, documented: bool = False) -> Any:
    """The validator of a published schema, or of a part of one; `documented`: it also refuses keys that it does not
    describe."""
    schema = _Linked().at(reference)
    return _Quick({**schema, "unevaluatedProperties": False} if documented and "properties" in schema else schema)
