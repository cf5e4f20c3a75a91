"""What may be asked: each request, its keys, and what each key holds.

The same is written for other programs in `schemas/engine-request.schema.json`; a test holds the two together. This
table answers in a microsecond, which a schema validator does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lawbook.diagnostics import nearest
from lawbook.values import shorten

WANTS: Final = ("events", "contract", "debarred", "points", "options", "legal_calls")
"""What the answer to an act holds besides verdict, status and turn, if it is asked for."""

MOST_COMPARED: Final = 16
_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")


@dataclass(frozen=True, slots=True)
class Holding:
    """What a key holds: in words, and how to tell. Every value of the type `plain` is held, which is told without a
    call; other values may be."""

    words: str
    is_held: Callable[[Any], bool]
    plain: type | None = None


def _is_name(value: Any) -> bool:
    return type(value) is str and _IDENTIFIER.fullmatch(value) is not None


def _is_positive(value: Any) -> bool:
    return type(value) is int and value >= 1


def _are_editions(value: Any) -> bool:
    return type(value) is list and 1 <= len(value) <= MOST_COMPARED and all(type(name) is str for name in value)


def _are_objects(value: Any) -> bool:
    return type(value) is list and all(type(item) is dict for item in value)


def _are_wants(value: Any) -> bool:
    return type(value) is list and all(type(name) is str and name in WANTS for name in value)


ID: Final = Holding("a text, a whole number or null", lambda value: type(value) in (str, int) or value is None, int)
TEXT: Final = Holding("a text", lambda value: type(value) is str, str)
NEW_NAME: Final = Holding("1 to 64 letters, digits, or `.`, `_`, `:`, `-`", _is_name)
POSITIVE: Final = Holding("a whole number from 1", _is_positive)
TRUTH: Final = Holding("true or false", lambda value: type(value) is bool)
OBJECT: Final = Holding("an object", lambda value: type(value) is dict)
OBJECTS: Final = Holding("a list of objects", _are_objects)
EDITIONS: Final = Holding(f"a list of 1 to {MOST_COMPARED} names of editions", _are_editions)
WANTED: Final = Holding(f"a list of any of {', '.join(WANTS)}", _are_wants)


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys of a request: those that must be there, those that may, some of which exactly one must be there, and
    those that say something only beside another."""

    must: Mapping[str, Holding]
    may: Mapping[str, Holding]
    one_of: tuple[str, ...] = ()
    beside: Mapping[str, str] = field(default_factory=dict)
    every: Mapping[str, Holding] = field(init=False)
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "every", {"id": ID, "do": TEXT, **self.must, **self.may})
        object.__setattr__(self, "names", frozenset(self.must))


_AUCTION: Final = {"auction": TEXT}

SHAPES: Final[Mapping[str, Shape]] = {
    "hello": Shape({}, {"protocol": POSITIVE}),
    "editions": Shape({}, {}),
    "load": Shape({"edition": TEXT}, {}),
    "new": Shape({"edition": TEXT}, {"auction": NEW_NAME, "dealer": TEXT, "want": WANTED}),
    "act": Shape({**_AUCTION, "act": TEXT}, {"want": WANTED}),
    "play": Shape({**_AUCTION, "acts": TEXT}, {"want": WANTED}),
    "undo": Shape(_AUCTION, {"count": POSITIVE, "want": WANTED}),
    "legal-calls": Shape(_AUCTION, {}),
    "options": Shape(_AUCTION, {}),
    "state": Shape(_AUCTION, {"explain": TRUTH}),
    "explain": Shape(_AUCTION, {"event": POSITIVE}),
    "score": Shape({"edition": TEXT}, {"deal": OBJECT, "rubber": OBJECTS}, one_of=("deal", "rubber")),
    "compare": Shape(
        {"editions": EDITIONS},
        {"acts": TEXT, "dealer": TEXT, "auction": TEXT},
        one_of=("acts", "auction"),
        beside={"dealer": "acts"},
    ),
    "close": Shape(_AUCTION, {}),
    "bye": Shape({}, {}),
}


@dataclass(frozen=True, slots=True)
class Misfit:
    """One thing wrong with a request; `key` is where, or None where something is missing."""

    code: str
    message: str
    key: str | None = None
    help: str | None = None
    suggestion: str | None = None


def fits(request: Mapping[str, Any]) -> bool:
    """Whether a request is one of those that may be asked, with the keys it needs and nothing else."""
    do = request.get("do")
    shape = SHAPES.get(do) if type(do) is str else None
    if shape is None:
        return False
    every = shape.every
    for key, value in request.items():
        holding = every.get(key)
        if holding is None or (type(value) is not holding.plain and not holding.is_held(value)):
            return False
    if not shape.names <= request.keys():
        return False
    if shape.one_of and sum(key in request for key in shape.one_of) != 1:
        return False
    if not shape.beside:
        return True
    return not any(key in request and other not in request for key, other in shape.beside.items())


def misfits(request: Mapping[str, Any]) -> Iterator[Misfit]:
    """Everything because of which a request does not fit, in the order of its keys.

    >>> [misfit.message for misfit in misfits({"do": "act", "auction": 7, "want": []})]
    ['`auction` is a text', 'the request `act` needs `act`']
    """
    shape = SHAPES.get(do) if type(do := request.get("do")) is str else None
    if "id" in request and not ID.is_held(request["id"]):
        yield Misfit("unfit-value", f"`id` is {ID.words}", "id")
    if "do" not in request:
        yield Misfit("missing-key", "the request does not say what to `do`", None, _known())
    elif type(do) is not str:
        yield Misfit("unfit-value", "`do` is a text", "do", _known())
    elif shape is None:
        yield Misfit("unknown-request", f"there is no request `{shorten(do)}`", "do", _known(), nearest(do, SHAPES))
    if shape is None:
        return
    for key, value in request.items():
        if key == "id":
            continue
        holding = shape.every.get(key)
        if holding is None:
            others = [name for name in shape.every if name not in request]
            takes = f"it takes {', '.join(shape.every)}"
            message = f"the request `{do}` has no `{shorten(key)}`"
            yield Misfit("unknown-key", message, key, takes, nearest(key, others))
        elif not holding.is_held(value):
            yield Misfit("unfit-value", f"`{key}` is {holding.words}", key)
    for key in shape.must:
        if key not in request:
            yield Misfit("missing-key", f"the request `{do}` needs `{key}`")
    if shape.one_of and (given := sum(key in request for key in shape.one_of)) != 1:
        code = "missing-key" if given == 0 else "too-many-keys"
        yield Misfit(code, f"the request `{do}` needs one of {' and '.join(f'`{key}`' for key in shape.one_of)}")
    for key, other in shape.beside.items():
        if key in request and other not in request:
            yield Misfit("missing-key", f"`{key}` says something only beside `{other}`", key)


def _known() -> str:
    return f"the requests are: {', '.join(SHAPES)}"
