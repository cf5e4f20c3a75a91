"""The wire: a line of JSON becomes a request, a reply becomes a line. Everything wrong with a line has its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.errors import LawbookError
from lawbook.keys import KeyTwice, keys_once

MOST_BYTES: Final = 1 << 20
"""How long a line may be, its end not counted."""

REQUEST_FILE: Final = "<request>"
"""The file that places in requests are said to be in; its lines are all that were sent, from 1."""


def read_request(line: bytes, number: int) -> dict[str, Any]:
    """The JSON object of a line; `number` is its place among all lines, from 1.

    Raises LawbookError for a line that is too long, no UTF-8, no JSON or no object, or gives a key twice.

    >>> read_request(b'{"id": 1, "do": "hello"}', 1)
    {'id': 1, 'do': 'hello'}
    """
    if len(line) > MOST_BYTES and len(line.rstrip(b"\r\n")) > MOST_BYTES:
        raise _refused("line-too-long", f"a line may have {MOST_BYTES:,} bytes, and this one has more", _at(number, 1))
    try:
        text = line.rstrip(b"\r\n").decode()
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode()) + 1
        raise _refused("not-utf8", "this byte is no UTF-8", _at(number, column)) from None
    try:
        value = _value(text)
    except json.JSONDecodeError as error:
        # There are no line breaks in a line, so a place in it is a column.
        raise _refused("not-json", f"the line is not JSON: {_lower(error.msg)}", _at(number, error.pos + 1)) from None
    except KeyTwice as error:
        span = _second_place(text, error.key, number)
        raise _refused("duplicate-key", f"the key {_shown(error.key)} is given twice", span) from None
    except RecursionError:
        raise _refused("too-deep", "the line is nested too deeply", _at(number, 1)) from None
    except ValueError as error:
        # Numbers that JSON has not (NaN), or that have thousands of digits.
        raise _refused("not-json", f"the line is not JSON: {_lower(str(error))}", _at(number, 1)) from None
    if type(value) is not dict:
        raise _refused("not-an-object", "a request is a JSON object", whole(line, number))
    return value


class Prepared(dict[str, Any]):
    """An answer that is given many times, and so keeps its text. It is not to be changed.

    >>> write_reply({"id": 1, "ok": True, "answer": Prepared({"turn": None})})
    '{"id":1,"ok":true,"answer":{"turn":null}}'
    """

    __slots__ = ("text",)

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(answer)
        self.text = _ENCODER.encode(answer)


def write_reply(reply: dict[str, Any]) -> str:
    """A reply as one line of ASCII, without its line end.

    >>> write_reply({"id": "é", "ok": True, "answer": {}})
    '{"id":"\\\\u00e9","ok":true,"answer":{}}'
    """
    answer = reply.get("answer")
    if type(answer) is Prepared:
        identifier = reply["id"]
        told = str(identifier) if type(identifier) is int else _ENCODER.encode(identifier)
        return f'{{"id":{told},"ok":true,"answer":{answer.text}}}'
    return _ENCODER.encode(reply)


def place_of(line: bytes, key: str, number: int) -> Span | None:
    """Where the value of a request's key stands in its line; None where the key is not there."""
    text = line.decode()
    return next((span for name, span in _members(text, number) if name == key), None)


def whole(line: bytes, number: int) -> Span:
    """The whole of a line."""
    return Span(REQUEST_FILE, number, 1, number, len(line.decode().rstrip("\r\n")) + 1)


# -- reading -----------------------------------------------------------------------------------------------------------


def _value(text: str) -> Any:
    try:
        value, end = _DECODER.raw_decode(text)
    except json.JSONDecodeError:
        return _DECODER.decode(text)
    # Where more than one value stands in the line, white space perhaps, it is read with more care.
    return value if end == len(text) else _DECODER.decode(text)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=keys_once, parse_constant=_no_constant)
_LENIENT: Final = json.JSONDecoder()
_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False)


# -- places ------------------------------------------------------------------------------------------------------------


def _at(number: int, column: int) -> Span:
    return Span(REQUEST_FILE, number, column, number, column + 1)


def _members(text: str, number: int) -> Iterator[tuple[str, Span]]:
    """The keys of the object that a line holds, each with the place of its value. The line is known to be JSON."""
    at = text.index("{") + 1
    while (start := text.find('"', at)) >= 0:
        key, at = _LENIENT.raw_decode(text, start)
        at = text.index(":", at) + 1
        while text[at].isspace():
            at += 1
        _, end = _LENIENT.raw_decode(text, at)
        yield key, Span(REQUEST_FILE, number, at + 1, number, end + 1)
        at = end


def _second_place(text: str, key: str, number: int) -> Span:
    if text.lstrip().startswith("{"):
        places = [span for name, span in _members(text, number) if name == key]
        if len(places) > 1:
            return places[1]
    return Span(REQUEST_FILE, number, 1, number, len(text) + 1)


def _refused(code: str, message: str, span: Span) -> LawbookError:
    return LawbookError([Diagnostic(code, Severity.ERROR, message, span)])


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _shown(key: str) -> str:
    return f"`{key if len(key) <= 24 else key[:21] + '...'}`"
