"""Data classes that cost next to nothing to declare: the standard library's, with methods made when first needed.

`dataclasses.dataclass` writes and compiles half a dozen methods for each class where it is declared, which for the
classes that one ruling needs took a third of the command's time; and its module brings `inspect` with it. Here a class
is declared with `dataclass` and `field` in the same way and behaves in the same way, `dataclasses.fields`,
`dataclasses.replace` and pickles included; but its `__init__` is compiled when its first instance is made, and the
other methods need no compiling.

For whoever checks types, these are the standard library's own. They do as much of it as Lawbook uses: annotations are
text (`from __future__ import annotations`), there are slots, and there is neither `order` nor `kw_only`.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace

__all__ = ["dataclass", "field", "replace"]

_MISSING: Final = object()


class _Field:
    """What is said of one field of a class."""

    __slots__ = ("compare", "default", "factory", "init", "repr")

    def __init__(self, default: Any, factory: Any, init: bool, repr: bool, compare: bool) -> None:
        self.default = default
        self.factory = factory
        self.init = init
        self.repr = repr
        self.compare = compare

    def parameter(self, name: str) -> str:
        """The field among the parameters of `__init__`."""
        return name if self.default is _MISSING and self.factory is _MISSING else f"{name}=default_{name}"

    def value(self, name: str) -> str:
        """The value that `__init__` gives the field."""
        if self.factory is _MISSING:
            return name if self.init else f"default_{name}"
        return f"factory_{name}() if {name} is default_{name} else {name}" if self.init else f"factory_{name}()"


# All that the standard library wants to know of a class from which one of its own is derived.
_FROZEN: Final = types.SimpleNamespace(frozen=True)
_NOT_FROZEN: Final = types.SimpleNamespace(frozen=False)

_PLAIN: Final = _Field(_MISSING, _MISSING, True, True, True)


if not TYPE_CHECKING:

    def field(*, default=_MISSING, default_factory=_MISSING, init=True, repr=True, compare=True):
        """`dataclasses.field`."""
        return _Field(default, default_factory, init, repr, compare)

    def dataclass(kind=None, /, *, eq=True, frozen=False, slots=False):
        """`dataclasses.dataclass`."""
        if kind is None:
            return lambda kind: _declared(kind, eq, frozen, slots)
        return _declared(kind, eq, frozen, slots)

    def replace(record, /, **changes):
        """`dataclasses.replace`."""
        for name in record.__match_args__:
            if name not in changes:
                changes[name] = getattr(record, name)
        return type(record)(**changes)


def _declared(kind: type, eq: bool, frozen: bool, slots: bool) -> type:
    if not slots:
        raise TypeError(f"{kind.__qualname__} is declared without slots")
    space = dict(vars(kind))
    own: dict[str, _Field] = {}
    for name, annotation in space.get("__annotations__", {}).items():
        if not annotation.startswith("ClassVar"):
            given = space.pop(name, _MISSING)
            if not isinstance(given, _Field):
                given = _PLAIN if given is _MISSING else _Field(given, _MISSING, True, True, True)
            own[name] = given
    inherited: dict[str, _Field] = {}
    for base in reversed(kind.__mro__[1:-1]):
        inherited.update(vars(base).get("_record_fields", {}))
    fields = {**inherited, **own}
    names = tuple(fields)
    methods = {
        "_record_fields": fields,
        "__match_args__": tuple(name for name in names if fields[name].init),
        "__dataclass_fields__": _StandardFields(fields),
        "__dataclass_params__": _FROZEN if frozen else _NOT_FROZEN,
        "__init__": _initialiser(fields, frozen),
        "__repr__": _representer(tuple(name for name in names if fields[name].repr)),
        **_pickling(names),
    }
    if eq:
        methods |= _comparing(tuple(name for name in names if fields[name].compare), frozen)
    if frozen:
        methods |= _frozen(frozenset(names))
    # What the class itself has goes before. It gets its slots when it is made, so it is made again.
    for name in ("__dict__", "__weakref__"):
        space.pop(name, None)
    space["__slots__"] = tuple(name for name in own if name not in inherited)
    space["__qualname__"] = kind.__qualname__
    return type(kind)(kind.__name__, kind.__bases__, {**methods, **space})


class _StandardFields:
    """The fields as the functions of the standard library want them, made when they ask."""

    def __init__(self, fields: dict[str, _Field]) -> None:
        self._fields = fields
        self._standard: dict[str, Any] | None = None

    def __get__(self, record: object, kind: type) -> dict[str, Any]:
        if self._standard is None:
            self._standard = self._made()
        return self._standard

    def _made(self) -> dict[str, Any]:
        # The module that is not imported where nobody asks.
        import dataclasses

        plain = type("Plain", (), {"__annotations__": dict.fromkeys(self._fields, "Any")})
        for name, said in self._fields.items():
            default = dataclasses.MISSING if said.default is _MISSING else said.default
            factory: Any = dataclasses.MISSING if said.factory is _MISSING else said.factory
            told = dataclasses.field(
                default=default, default_factory=factory, init=said.init, repr=said.repr, compare=said.compare
            )
            setattr(plain, name, told)
        found: dict[str, Any] = vars(dataclasses.dataclass(init=False)(plain))["__dataclass_fields__"]
        return found


def _initialiser(fields: dict[str, _Field], frozen: bool) -> Callable[..., None]:
    """`__init__`, which writes itself when it is first called."""

    def __init__(self: object, *arguments: object, **named: object) -> None:
        text = ", ".join(("self", *(said.parameter(name) for name, said in fields.items() if said.init)))
        put = "    put(self, '{0}', {1})" if frozen else "    self.{0} = {1}"
        lines = [put.format(name, said.value(name)) for name, said in fields.items() if said.init or _has_default(said)]
        kind: Any = next(each for each in type(self).__mro__ if vars(each).get("__init__") is __init__)
        if hasattr(kind, "__post_init__"):
            lines.append("    self.__post_init__()")
        names: dict[str, Any] = {"put": object.__setattr__}
        for name, said in fields.items():
            names[f"default_{name}"], names[f"factory_{name}"] = said.default, said.factory
        exec("\n".join((f"def __init__({text}):", *(lines or ["    pass"]))), names)
        written: Callable[..., None] = names["__init__"]
        written.__qualname__ = f"{kind.__qualname__}.__init__"
        kind.__init__ = written
        written(self, *arguments, **named)

    return __init__


def _has_default(said: _Field) -> bool:
    return said.default is not _MISSING or said.factory is not _MISSING


def _representer(names: tuple[str, ...]) -> Callable[[object], str]:
    def __repr__(self: object) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _comparing(names: tuple[str, ...], frozen: bool) -> dict[str, Any]:
    """By the fields in their order, among instances of one class."""
    read: Callable[[Any], Any] = operator.attrgetter(*names) if names else lambda record: ()

    def __eq__(self: object, other: object) -> bool:
        return bool(read(self) == read(other)) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:
        return hash(read(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if frozen else None}


def _frozen(names: frozenset[str]) -> dict[str, Any]:
    """Nothing but the fields has a slot; a class that is derived may have attributes beside them."""

    def __setattr__(self: object, name: str, value: object) -> None:
        if name in names:
            raise _frozen_error(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self: object, name: str) -> None:
        if name in names:
            raise _frozen_error(f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _frozen_error(message: str) -> AttributeError:
    from dataclasses import FrozenInstanceError

    return FrozenInstanceError(message)


def _pickling(names: tuple[str, ...]) -> dict[str, Any]:
    """Pickles hold the fields in their order; they are filled in past what keeps a frozen instance as it is."""
    setters: list[Callable[[object, object], None]] = []

    def __getstate__(self: object) -> list[object]:
        return [getattr(self, name) for name in names]

    def __setstate__(self: object, state: list[object]) -> None:
        if not setters:
            setters.extend(getattr(type(self), name).__set__ for name in names)
        for put, value in zip(setters, state):  # noqa: B905 - one call for each object of a pickle
            put(self, value)

    return {"__getstate__": __getstate__, "__setstate__": __setstate__}
