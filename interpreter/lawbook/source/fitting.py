"""Whether a plain value fits a JSON Schema: a quick yes, for the many files in which nothing is wrong.

A schema becomes one function, made of a function for each part of it. It knows the keywords that our schemas use, and
only ever says yes or no; what is wrong, and all that it does not know, is for the library that validates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

Fits: TypeAlias = Callable[[Any], bool]

# What says nothing about a value.
_REMARKS: Final = frozenset(
    {"$schema", "$id", "$defs", "title", "description", "markdownDescription", "examples", "default", "$comment"}
)
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {"object": (dict,), "array": (list,), "string": (str,)}
# In the plain form of a file there are no others, so no value has these types.
_NEVER: Final = frozenset({"null", "boolean", "integer", "number"})

_made: dict[int, tuple[object, Fits | None]] = {}


def fitting(schema: Mapping[str, Any]) -> Fits | None:
    """The function that tells whether a value of dictionaries, lists and texts fits a schema; None if the schema has a
    keyword that is not known here."""
    known = _made.get(id(schema))
    if known is None or known[0] is not schema:
        try:
            made: Fits | None = _Maker(schema).of(schema)
        except _Unknown:
            made = None
        # The schema is held on to, so that no other can have its id.
        known = _made[id(schema)] = (schema, made)
    return known[1]


class _Unknown(Exception):
    """A keyword that is not known here."""


class _Maker:
    """Makes the functions of one schema's parts; of a part that is referred to only one."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._referred: dict[str, Fits] = {}

    def of(self, schema: Any) -> Fits:
        if isinstance(schema, bool):
            return (lambda value: True) if schema else (lambda value: False)
        parts: list[Fits] = []
        for keyword, asked in schema.items():
            if keyword in _REMARKS or keyword in ("then", "else"):
                continue
            part = self._part(keyword, asked, schema)
            if part is not None:
                parts.append(part)
        if len(parts) == 1:
            return parts[0]
        return lambda value: all(part(value) for part in parts)

    def _part(self, keyword: str, asked: Any, schema: Mapping[str, Any]) -> Fits | None:
        match keyword:
            case "$ref":
                return self._reference(asked)
            case "type":
                return self._type(asked)
            case "enum":
                return lambda value: value in asked
            case "const":
                return lambda value: bool(value == asked)
            case "pattern":
                search = re.compile(asked).search
                return lambda value: not isinstance(value, str) or search(value) is not None
            case "required":
                return lambda value: not isinstance(value, dict) or all(key in value for key in asked)
            case "properties":
                return self._properties(asked)
            case "additionalProperties":
                return self._additional(asked, frozenset(schema.get("properties", ())))
            case "propertyNames":
                names = self.of(asked)
                return lambda value: not isinstance(value, dict) or all(map(names, value))
            case "items":
                item = self.of(asked)
                return lambda value: not isinstance(value, list) or all(map(item, value))
            case "minItems" | "maxItems":
                return _sized(list, keyword, asked)
            case "minProperties" | "maxProperties":
                return _sized(dict, keyword, asked)
            case "uniqueItems":
                return (lambda value: not isinstance(value, list) or _is_unique(value)) if asked else None
            case "allOf" | "anyOf" | "oneOf":
                return self._several(keyword, [self.of(one) for one in asked])
            case "not":
                excluded = self.of(asked)
                return lambda value: not excluded(value)
            case "if":
                held, then, otherwise = (
                    self.of(asked),
                    self.of(schema.get("then", True)),
                    self.of(schema.get("else", True)),
                )
                return lambda value: then(value) if held(value) else otherwise(value)
            case _:
                raise _Unknown(keyword)

    def _reference(self, reference: str) -> Fits:
        if reference not in self._referred:
            # A part can refer to itself: it is looked up when it is asked.
            self._referred[reference] = lambda value: self._referred[reference](value)
            target: Any = self._root
            if not reference.startswith("#/"):
                raise _Unknown(reference)
            for step in reference[2:].split("/"):
                target = target[step]
            self._referred[reference] = self.of(target)
        made = self._referred
        return lambda value: made[reference](value)

    def _type(self, asked: str | list[str]) -> Fits:
        names = [asked] if isinstance(asked, str) else asked
        if any(name not in _TYPES and name not in _NEVER for name in names):
            raise _Unknown("type")
        types = tuple(of for name in names for of in _TYPES.get(name, ()))
        return lambda value: isinstance(value, types)

    def _properties(self, asked: Mapping[str, Any]) -> Fits:
        by_key = {key: self.of(below) for key, below in asked.items()}

        def fits(value: Any) -> bool:
            if not isinstance(value, dict):
                return True
            for key, below in value.items():
                part = by_key.get(key)
                if part is not None and not part(below):
                    return False
            return True

        return fits

    def _additional(self, asked: Any, named: frozenset[str]) -> Fits:
        other = self.of(asked)

        def fits(value: Any) -> bool:
            return not isinstance(value, dict) or all(key in named or other(below) for key, below in value.items())

        return fits

    def _several(self, keyword: str, parts: list[Fits]) -> Fits:
        if keyword == "oneOf":
            return lambda value: sum(part(value) for part in parts) == 1
        check = all if keyword == "allOf" else any
        return lambda value: check(part(value) for part in parts)


def _sized(of: type, keyword: str, asked: int) -> Fits:
    if keyword.startswith("min"):
        return lambda value: not isinstance(value, of) or len(value) >= asked  # type: ignore[arg-type]
    return lambda value: not isinstance(value, of) or len(value) <= asked  # type: ignore[arg-type]


def _is_unique(items: list[Any]) -> bool:
    return all(item not in items[:at] for at, item in enumerate(items))
