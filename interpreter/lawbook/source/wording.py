"""What a schema's errors say about nodes, in words and places; the small questions `shape` asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AnyMapping
from typing import TYPE_CHECKING, Any, assert_never

from lawbook.diagnostics import Span
from lawbook.source.reader import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_MOST_LISTED = 12
_APPLICATORS = ("allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas")


def listed(names: Iterable[str], conjunction: str = "and", *, quoted: bool = True) -> str:
    """Names in one phrase: `a`, `b` and `c`; of very many only the first."""
    words = [f"`{name}`" if quoted else name for name in names]
    if len(words) > _MOST_LISTED:
        return ", ".join(words[:_MOST_LISTED]) + f" {conjunction} {len(words) - _MOST_LISTED} more"
    return f" {conjunction} ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else "none"


def found(node: Node) -> str:
    """What a node is, in plain words."""
    match node:
        case Scalar(text=""):
            return "nothing"
        case Scalar():
            return "a word" if len(node.text.split()) == 1 else "text"
        case Sequence():
            return "a list"
        case Mapping():
            return "keys with values"
        case _:
            assert_never(node)


def members(node: Node, count: int) -> str:
    """What a node consists of."""
    return ("item" if isinstance(node, Sequence) else "key") + ("" if count == 1 else "s")


def size(node: Node) -> int:
    """How many items or keys a node has."""
    match node:
        case Scalar():
            return 0
        case Sequence():
            return len(node.items)
        case Mapping():
            return len(node.entries)
        case _:
            assert_never(node)


def beginning(node: Node) -> Span:
    """Where to point for a node: at a text as a whole, at a mapping's first key, at a list's first item or bracket."""
    match node:
        case Scalar():
            return node.span
        case Mapping() if node.entries and node.entries[0][0].span.line == node.span.line:
            return node.entries[0][0].span
        case Sequence() | Mapping():
            span = node.span
            return Span(span.file, span.line, span.column, span.line, span.column + 1)
        case _:
            assert_never(node)


def key_span(node: Node, key: str) -> Span:
    """The place of a key of a mapping, or of the node if it has no such key."""
    if isinstance(node, Mapping):
        for name, _ in node.entries:
            if name.text == key:
                return name.span
    return beginning(node)


def title(error: ValidationError) -> str | None:
    """The noun the schema gives to what it describes."""
    value = error.schema.get("title") if isinstance(error.schema, dict) else None
    return value if isinstance(value, str) else None


def description(error: ValidationError) -> str | None:
    """The help the schema offers."""
    value = error.schema.get("description") if isinstance(error.schema, dict) else None
    return value if isinstance(value, str) else None


def asked(error: ValidationError) -> Any:
    """The value of the keyword that failed: what the schema asked for."""
    return error.validator_value


def given(error: ValidationError) -> Any:
    """The plain value that was held against the schema."""
    return error.instance


def type_names(error: ValidationError) -> list[str]:
    """The types a failed `type` allows."""
    value = asked(error)
    return [value] if isinstance(value, str) else [str(name) for name in value]


def choices(error: ValidationError) -> list[str]:
    """The texts a failed `enum` or `const` allows."""
    value = asked(error)
    return [str(choice) for choice in value] if error.validator == "enum" else [str(value)]


def absent_keys(error: ValidationError) -> list[str]:
    """The keys a failed `required` asks for and does not find."""
    return [str(key) for key in asked(error) if key not in given(error)]


def unknown_keys(error: ValidationError, root: AnyMapping[str, object]) -> tuple[list[str], list[str]]:
    """The keys that a failed `additionalProperties` or `unevaluatedProperties` does not allow.

    First those that the schema does not name at all, then those that only an alternative names which does not apply.
    """
    known, patterns = known_keys(error.schema, root), list(_gathered(error.schema, root, "patternProperties", set()))
    unknown = [
        key for key in given(error) if key not in known and not any(re.search(pattern, key) for pattern in patterns)
    ]
    # Which of the others are not allowed only the validator's message tells.
    misplaced = [key for key in given(error) if key not in unknown and repr(key) in error.message]
    return unknown, misplaced


def known_keys(schema: object, root: AnyMapping[str, object]) -> set[str]:
    """All keys that a schema names, in its alternatives and references too."""
    return set(_gathered(schema, root, "properties", set()))


def _gathered(schema: object, root: AnyMapping[str, object], keyword: str, visited: set[str]) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    for name, below in schema.get(keyword, {}).items():
        if below is not False:
            yield name
    for applicator in _APPLICATORS:
        below = schema.get(applicator)
        alternatives: list[object] = below if isinstance(below, list) else [below]
        if applicator == "dependentSchemas" and isinstance(below, dict):
            alternatives = list(below.values())
        for alternative in alternatives:
            yield from _gathered(alternative, root, keyword, visited)
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in visited:
        visited.add(reference)
        yield from _gathered(_referred(reference, root), root, keyword, visited)


def _referred(reference: str, root: AnyMapping[str, object]) -> object:
    """What a reference within the schema (`#/$defs/name`) points to; None for any other."""
    if not reference.startswith("#"):
        return None
    target: Any = root
    for step in filter(None, reference[1:].split("/")):
        name = step.replace("~1", "/").replace("~0", "~")
        target = target.get(name) if isinstance(target, AnyMapping) else None
    return target
