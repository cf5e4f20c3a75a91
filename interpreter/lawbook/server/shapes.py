"""What the published schemas say of a place in a file: its keys, its values, and what they are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from lawbook.server.cursor import Steps, node_at
from lawbook.source.reader import Mapping as MappingNode
from lawbook.source.reader import Node

Shape: TypeAlias = Mapping[str, Any]


def shapes_at(schema: Shape, root: Node, steps: Steps) -> list[Shape]:
    """The subschemas that describe the value at the end of some steps, references met and alternatives told apart."""
    shapes = list(_alternatives(schema, schema, root))
    for at, step in enumerate(steps):
        below = [b for shape in shapes for b in _below(shape, step)]
        node = node_at(root, steps[: at + 1])
        shapes = [alternative for b in below for alternative in _alternatives(b, schema, node)]
    return shapes


def keys_of(shapes: list[Shape], schema: Shape) -> dict[str, Shape]:
    """The keys that may stand there, each with what describes its value, in the order of the schema."""
    found: dict[str, Shape] = {}
    for shape in shapes:
        for key, below in shape.get("properties", {}).items():
            if below is not False:
                found.setdefault(key, _met(below, schema))
    return found


def key_shape(shapes: list[Shape], schema: Shape, key: str) -> Shape | None:
    """What describes the value of one key, whether the schema names it or not."""
    found = keys_of(shapes, schema).get(key)
    if found is not None:
        return found
    return next((_met(below, schema) for shape in shapes for below in _below(shape, key)), None)


def values_of(shapes: list[Shape]) -> dict[str, bool]:
    """The values that may stand there, as far as a schema can tell: all that an `enum` has, else the examples.

    Each says whether there are no others.
    """
    found: dict[str, bool] = {}
    for shape in shapes:
        for value in shape.get("enum", ()):
            found.setdefault(str(value), True)
        for value in shape.get("examples", ()):
            if isinstance(value, str):
                found.setdefault(value, False)
    return found


def is_one_of(shapes: list[Shape], kind: str) -> bool:
    """Whether a value of that JSON type can stand there."""
    return any(kind in ([named] if isinstance(named := shape.get("type", ()), str) else named) for shape in shapes)


def explained(shape: Shape) -> str | None:
    """What the schema says of a value, in Markdown."""
    written = shape.get("markdownDescription")
    if isinstance(written, str):
        return written
    plain = shape.get("description")
    return f"{plain[:1].upper()}{plain[1:]}." if isinstance(plain, str) else None


def _met(shape: Any, schema: Shape) -> Shape:
    """A shape with its reference put in; what it says itself wins."""
    seen = 0
    while isinstance(shape, Mapping) and "$ref" in shape and seen < 10:
        target: Any = schema["$defs"][str(shape["$ref"]).rpartition("/")[2]]
        own = {key: value for key, value in shape.items() if key != "$ref"}
        if "description" in own and "markdownDescription" not in own:
            target = {key: value for key, value in target.items() if key != "markdownDescription"}
        shape = {**target, **own}
        seen += 1
    return shape if isinstance(shape, Mapping) else {}


def _alternatives(shape: Any, schema: Shape, node: Node | None) -> Iterator[Shape]:
    met = _met(shape, schema)
    if not met:
        return
    yield met
    for keyword in ("allOf", "anyOf", "oneOf"):
        for below in met.get(keyword, ()):
            yield from _alternatives(below, schema, node)
    if "if" in met:
        otherwise = met.get("else")
        # Of alternatives that a key tells apart only the one whose key is there counts; until then, all do.
        if not _told(otherwise, node):
            yield from _alternatives(met.get("then"), schema, node)
        if not _applies(met, node):
            yield from _alternatives(otherwise, schema, node)


def _applies(shape: Shape, node: Node | None) -> bool:
    required = shape["if"].get("required", ())
    return bool(required) and isinstance(node, MappingNode) and set(required) <= set(node.keys())


def _told(shape: Any, node: Node | None) -> bool:
    return isinstance(shape, Mapping) and "if" in shape and (_applies(shape, node) or _told(shape.get("else"), node))


def _below(shape: Shape, step: str | int) -> Iterator[Any]:
    if isinstance(step, int):
        if "items" in shape:
            yield shape["items"]
        return
    properties = shape.get("properties", {})
    if step in properties:
        yield properties[step]
    elif isinstance(shape.get("additionalProperties"), Mapping):
        yield shape["additionalProperties"]
