"""Nodes are held against a JSON Schema, and every departure is told in plain words at its place.

The schema decides; this module only explains. In the plain form of a node all text is strings, so a schema describes
numbers by patterns. A subschema may carry a `title` with its article ("a clause name"), used as the noun in messages
about it, and a `description`, shown as help.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AnyMapping
from typing import TYPE_CHECKING, Any

from lawbook.diagnostics import Label, Span, nearest
from lawbook.errors import Collector
from lawbook.source import wording
from lawbook.source.fitting import fitting
from lawbook.source.reader import Mapping, Node, Scalar, Sequence, plain

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_TYPES = {
    "object": "keys with values",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def validate(node: Node, schema: AnyMapping[str, object], collector: Collector, *, what: str) -> None:
    """Note in the collector each way in which a node departs from a JSON Schema (draft 2020-12).

    `what` says with its article what the whole node is, for instance "a law file". Where a schema offers
    alternatives, the one that the author came nearest to is explained. An unknown key that looks like a missing one
    is one message.
    """
    value, fits = plain(node), fitting(schema)
    if fits is not None and fits(value):
        return
    explanation = _Explanation(node, schema, collector, what)
    explanation.gather_all(_validator_class()(schema).iter_errors(value))
    explanation.tell()


def departures(node: Node, schema: AnyMapping[str, object]) -> list[tuple[tuple[str | int, ...], frozenset[str]]]:
    """Where a node departs from a schema, but for keys that are missing at the top: the path to each part that does not
    fit, and if only some of its keys are to blame, which."""
    found = []
    for error in _validator_class()(schema).iter_errors(plain(node)):
        if not error.absolute_path and _only_asks_for_keys(error):
            continue
        keys: frozenset[str] = frozenset()
        if error.validator in ("additionalProperties", "unevaluatedProperties"):
            unknown, misplaced = wording.unknown_keys(error, schema)
            keys = frozenset(unknown or misplaced)
        found.append((tuple(error.absolute_path), keys))
    return found


def _only_asks_for_keys(error: ValidationError) -> bool:
    """Whether an error is that keys are missing, or all keys of each of several choices."""
    if error.validator in ("anyOf", "oneOf"):
        return all(map(_only_asks_for_keys, error.context or ()))
    return error.validator in ("required", "dependentRequired") and not error.absolute_path


@functools.cache
def _validator_class() -> Any:
    # The library takes a noticeable part of a second to load, and an edition compiled before never needs it.
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    keywords = {"properties": _properties, "items": _items}
    return extend(Draft202012Validator, keywords)  # type: ignore[no-untyped-call]


# Items that were found to fit, by the schema for items (held, so that no other can have its id) and what they say.
_fitting: dict[tuple[int, str], AnyMapping[str, Any]] = {}
_MOST_FITTING = 10_000


def _items(validator: Any, items: AnyMapping[str, Any], instance: Any, schema: object) -> Iterator[Any]:
    """The keyword `items`, which remembers what fits: of a file that is being written only one item changes."""
    for index, item in enumerate(instance) if isinstance(instance, list) else ():
        known = (id(items), repr(item))
        if not isinstance(item, dict) or known not in _fitting:
            errors = list(validator.descend(item, items, path=index))
            yield from errors
            if not errors and isinstance(item, dict):
                if len(_fitting) >= _MOST_FITTING:
                    _fitting.clear()
                _fitting[known] = items


def _properties(validator: Any, properties: AnyMapping[str, Any], instance: Any, schema: object) -> Iterator[Any]:
    """The keyword `properties`, which in the library forgets the key where its schema is just `false`."""
    from jsonschema.exceptions import ValidationError

    for key, subschema in properties.items() if isinstance(instance, dict) else ():
        if key in instance and subschema is False:
            yield ValidationError("not allowed", path=[key], validator="false", instance=instance[key], schema={})
        elif key in instance:
            yield from validator.descend(instance[key], subschema, path=key, schema_path=key)


class _Explanation:
    """Gathers a validator's errors, descends into alternatives, and tells one diagnostic for each cause."""

    def __init__(self, node: Node, schema: AnyMapping[str, object], collector: Collector, what: str) -> None:
        self._node = node
        self._schema = schema
        self._collector = collector
        self._what = what
        # Unknown and missing keys are kept until all are known, by mapping: a slip in a key makes one of each.
        self._unknown: dict[tuple[str | int, ...], dict[str, ValidationError]] = {}
        self._missing: dict[tuple[str | int, ...], dict[str, ValidationError]] = {}
        # The keys that some alternative knows, but none that applies; said only where nothing else is wrong.
        self._misplaced: dict[tuple[str | int, ...], dict[str, ValidationError]] = {}
        self._faulty: set[tuple[str | int, ...]] = set()

    def gather_all(self, errors: Iterable[ValidationError]) -> None:
        """Take errors in; of those about one node a wrong type is the cause of all others."""
        together = list(errors)
        mistyped = {tuple(error.absolute_path) for error in together if error.validator == "type"}
        for error in together:
            if error.validator == "type" or tuple(error.absolute_path) not in mistyped:
                self.gather(error)

    def gather(self, error: ValidationError) -> None:
        """Take an error in: keys are kept for `tell`, everything else is noted at once."""
        path = tuple(error.absolute_path)
        match error.validator:
            case "additionalProperties" | "unevaluatedProperties":
                unknown, misplaced = wording.unknown_keys(error, self._schema)
                for key in unknown:
                    self._unknown.setdefault(path, {}).setdefault(key, error)
                for key in misplaced:
                    self._misplaced.setdefault(path, {}).setdefault(key, error)
                return
            case "required":
                for key in wording.absent_keys(error):
                    self._missing.setdefault(path, {}).setdefault(key, error)
            case "anyOf" | "oneOf" if error.context:
                self._alternatives(error)
            case _:
                self._note(error)
        # What is wrong below a node also kept the alternative it belongs to from applying.
        self._faulty.update(path[:length] for length in range(len(path) + 1))

    def tell(self) -> None:
        """Note the unknown and the missing keys."""
        for path, misplaced in self._misplaced.items():
            if path not in self._faulty:
                self._unknown.setdefault(path, {}).update(misplaced)
        for path, unknown in self._unknown.items():
            mapping = self._find(path)
            missing = self._missing.get(path, {})
            present = mapping.keys() if isinstance(mapping, Mapping) else ()
            for key, error in unknown.items():
                known = sorted(wording.known_keys(error.schema, self._schema).difference(present))
                meant = nearest(key, missing) or nearest(key, known)
                if meant is not None:
                    missing.pop(meant, None)
                message = f"unknown key `{key}`" + self._inside(error)
                help = f"what can still be given here: {wording.listed(known)}" if known and meant is None else None
                place = wording.key_span(mapping, key)
                self._collector.error("unknown-key", message, place, suggestion=meant, help=help)
        for path, missing in self._missing.items():
            for key, error in missing.items():
                message = f"missing key `{key}`" + self._inside(error)
                self._collector.error("missing-key", message, wording.beginning(self._find(path)))

    # -- alternatives -------------------------------------------------------------------------------------------

    def _alternatives(self, error: ValidationError) -> None:
        """Explain the alternative that fits best, or all of them together where they differ in one thing only."""
        by_number: dict[object, list[ValidationError]] = {}
        for inner in error.context or ():
            by_number.setdefault(inner.relative_schema_path[0], []).append(inner)
        branches = list(by_number.values())
        top = [[inner for inner in branch if not inner.relative_path] for branch in branches]
        if all(any(inner.validator == "type" for inner in branch) for branch in top):
            types = [inner for branch in top for inner in branch if inner.validator == "type"]
            self._wrong_type(error, [name for inner in types for name in wording.type_names(inner)])
        elif all(inner.validator in ("const", "enum") for branch in top for inner in branch) and all(top):
            self._not_among(error, [choice for branch in top for inner in branch for choice in wording.choices(inner)])
        else:
            self._best_alternative(error, branches, top)

    def _best_alternative(
        self, error: ValidationError, branches: list[list[ValidationError]], top: list[list[ValidationError]]
    ) -> None:
        ranked = sorted(branches, key=lambda branch: self._misfit(error, branch))
        equal = [branch for branch in ranked if self._misfit(error, branch) == self._misfit(error, ranked[0])]
        if len(equal) > 1 and branches == top and all(inner.validator == "required" for b in equal for inner in b):
            keys = list(dict.fromkeys(key for b in equal for inner in b for key in wording.absent_keys(inner)))
            message = f"one of the keys {wording.listed(keys, 'or')} is needed" + self._inside(error)
            place = wording.beginning(self._find(error.absolute_path))
            self._collector.error("missing-key", message, place, help=wording.description(error))
        else:
            self.gather_all(ranked[0])

    def _misfit(self, error: ValidationError, branch: list[ValidationError]) -> tuple[int, int, int, int]:
        """How badly an alternative fits: a wrong kind of node, wrong keys, what else is wrong, few keys of its own."""
        present = set(wording.given(error)) if isinstance(error.instance, dict) else set()
        strange = present - wording.known_keys(error.schema, self._schema)
        own = wording.known_keys(wording.asked(error)[branch[0].relative_schema_path[0]], self._schema)
        wrong_kind, wrong_keys, others = 0, 0, 0
        missing: set[str] = set()
        for inner in branch:
            depth = len(inner.relative_path)
            match inner.validator:
                case "type" if depth == 0:
                    wrong_kind += 1
                case "required" if depth == 0:
                    missing.update(wording.absent_keys(inner))
                case "additionalProperties" | "unevaluatedProperties" if depth == 0:
                    unknown, misplaced = wording.unknown_keys(inner, self._schema)
                    wrong_keys += len(unknown) + len(misplaced)
                case "const" | "enum" if depth <= 1:
                    # A key whose value names the kind of thing this is.
                    wrong_keys += 1
                case _:
                    others += 1
        # A key that is only misspelt was meant for the alternative that asks for it.
        wrong_keys += sum(nearest(key, strange) is None for key in missing)
        return wrong_kind, wrong_keys, others, -len(own & present)

    # -- all other departures -----------------------------------------------------------------------------------

    def _note(self, error: ValidationError) -> None:
        node = self._find_or_key(error)
        path = list(error.absolute_path)
        match error.validator:
            case "type":
                self._wrong_type(error, wording.type_names(error))
            case "enum" | "const":
                self._not_among(error, wording.choices(error))
            case "pattern" | "minLength" | "maxLength":
                self._malformed(error, node)
            case "minItems" | "minProperties":
                needed, present = int(wording.asked(error)), wording.size(node)
                message = f"at least {needed} {wording.members(node, needed)} must stand here, not {present or 'none'}"
                self._wrong(error, message + self._inside(error), wording.beginning(node), code="wrong-count")
            case "maxItems" | "maxProperties":
                allowed = int(wording.asked(error))
                message = f"at most {allowed} {wording.members(node, allowed)} may stand here, not {wording.size(node)}"
                self._wrong(error, message + self._inside(error), wording.beginning(node), code="wrong-count")
            case "uniqueItems":
                self._repeated(error, node)
            case "not":
                self._excluded(error, node)
            case "oneOf":
                self._wrong(error, "this can be read in more than one way" + self._inside(error), node.span)
            case "dependentRequired":
                given = wording.given(error)
                for key, companions in wording.asked(error).items():
                    for absent in (name for name in companions if key in given and name not in given):
                        message = f"the key `{key}` needs the key `{absent}` beside it"
                        self._collector.error("missing-key", message, wording.key_span(node, key))
            case "false":
                place = wording.key_span(self._find(path[:-1]), str(path[-1]))
                self._collector.error("unknown-key", f"the key `{path[-1]}` cannot be used here", place)
            case _:
                self._wrong(error, "this does not have the form it must have" + self._inside(error), node.span)

    def _wrong_type(self, error: ValidationError, types: Iterable[str]) -> None:
        node = self._find(error.absolute_path)
        names = [_TYPES.get(name, name) for name in dict.fromkeys(types)]
        title = wording.title(error)
        expected = wording.listed(names, "or", quoted=False) + (f" for {title}" if title else "")
        self._wrong(error, f"expected {expected}, found {wording.found(node)}", wording.beginning(node))

    def _not_among(self, error: ValidationError, choices: list[str]) -> None:
        node = self._find_or_key(error)
        if not isinstance(node, Scalar):
            message = f"expected {wording.listed(choices, 'or')}, found {wording.found(node)}"
            self._wrong(error, message, wording.beginning(node))
            return
        title = wording.title(error)
        message = f"`{node.text}` is not {title}" if title else f"`{node.text}` is not known here"
        if not node.text:
            message = f"{title or 'a value'} is missing here"
        help = f"it must be {wording.listed(choices, 'or')}"
        self._collector.error("unknown-value", message, node.span, help=help, suggestion=nearest(node.text, choices))

    def _malformed(self, error: ValidationError, node: Node) -> None:
        text, title = str(error.instance), wording.title(error)
        if not text:
            message = f"{title or 'a value'} is missing here"
        elif title:
            message = f"`{text}` is not {title}"
        else:
            message = f"`{text}` does not have the form it must have"
        self._wrong(error, message, node.span, code="malformed-text")

    def _repeated(self, error: ValidationError, node: Node) -> None:
        seen: list[tuple[object, Node]] = []
        for item in node.items if isinstance(node, Sequence) else ():
            value = plain(item)
            first = next((earlier for given, earlier in seen if given == value), None)
            if first is None:
                seen.append((value, item))
            else:
                label = Label(wording.beginning(first), "first given here")
                self._wrong(error, "this item is given twice", wording.beginning(item), [label], code="repeated-item")

    def _excluded(self, error: ValidationError, node: Node) -> None:
        """`not: {required: [a, b]}` is how a schema says that keys exclude each other."""
        value = error.validator_value
        keys = [str(key) for key in value.get("required", ())] if isinstance(value, dict) else []
        places = sorted(((wording.key_span(node, key), key) for key in keys), key=lambda place: _order(place[0]))
        if len(places) > 1:
            message = f"the keys {wording.listed(key for _, key in places)} cannot be used together"
            labels = [Label(span, "given here") for span, _ in places[:-1]]
            self._wrong(error, message, places[-1][0], labels, code="keys-exclude-each-other")
        elif places:
            self._collector.error("unknown-key", f"the key `{keys[0]}` cannot be used here", places[0][0])
        else:
            self._wrong(error, "this cannot stand here" + self._inside(error), node.span)

    def _wrong(
        self,
        error: ValidationError,
        message: str,
        span: Span,
        labels: Iterable[Label] = (),
        *,
        code: str = "wrong-shape",
    ) -> None:
        self._collector.error(code, message, span, labels=labels, help=wording.description(error))

    # -- places -------------------------------------------------------------------------------------------------

    def _inside(self, error: ValidationError) -> str:
        title = wording.title(error)
        if title is None and not error.absolute_path:
            title = self._what
        return f" in {title}" if title else ""

    def _find(self, path: Iterable[str | int]) -> Node:
        node = self._node
        for step in path:
            below: Node | None = None
            if isinstance(node, Mapping):
                below = node.get(str(step))
            elif isinstance(node, Sequence) and isinstance(step, int):
                below = node.items[step]
            if below is None:
                break
            node = below
        return node

    def _find_or_key(self, error: ValidationError) -> Node:
        """The node of an error; the key itself where the error is about a key's name."""
        node = self._find(error.absolute_path)
        if isinstance(node, Mapping) and isinstance(error.instance, str):
            return next((key for key, _ in node.entries if key.text == error.instance), node)
        return node


def _order(span: Span) -> tuple[int, int]:
    return span.line, span.column
