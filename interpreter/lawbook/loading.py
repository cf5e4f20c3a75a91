"""Editions by their names, and what is made of each once and kept: its machine, its calls, how its acts are read."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

from lawbook.diagnostics import Diagnostic, Severity, Span
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.edition.store import fetch
from lawbook.errors import LawbookError
from lawbook.language.types import Universe
from lawbook.machine.machine import Machine
from lawbook.notation import ALL_PASS, ArgumentKind, Token, parse_auction
from lawbook.values import DOUBLE, PASS, REDOUBLE, Act, Bid, Call, Kind, shorten


def load(name: str, library: Library | None = None) -> Edition:
    """The edition of that name, with readings chosen after `@`.

    Raises LawbookError if there is none, or with every problem of its files; TypeError for what is no name.

    >>> load("whist-club-1912").title
    'The Laws of Auction Bridge'
    """
    if not isinstance(name, str):
        raise TypeError(f"an edition is loaded by its name, not by {name!r}")
    if library is not None and not isinstance(library, Library):
        raise TypeError(f"editions are loaded from a Library, not from {library!r}")
    return _loaded(name, library, () if library is None else library.places)


@functools.lru_cache(maxsize=64)
def _loaded(name: str, library: Library | None, places: tuple[Path, ...]) -> Edition:
    """`places` are where the library's folders lie: the same names mean others from another working folder."""
    return fetch(name, library or Library.shipped())


Kept: TypeAlias = Edition | tuple[str, str]
"""An edition as a pickle tells it: by name and hash, if it comes with Lawbook, else whole."""


def kept(edition: Edition) -> Kept:
    """An edition for a pickle; the name of one of somebody's own folder would mean nothing elsewhere."""
    try:
        return (edition.name, edition.hash) if load(edition.name) is edition else edition
    except LawbookError:
        return edition


def restored(given: Kept) -> Edition:
    """An edition out of a pickle. Raises LawbookError where the edition of that name is another one now."""
    if isinstance(given, Edition):
        return given
    name, hash = given
    edition = load(name)
    if edition.hash != hash:
        message = f"{name} does not rule here as it did where this was written"
        help = "read it with the version of the laws that wrote it"
        raise LawbookError([Diagnostic("edition-changed", Severity.ERROR, message, help=help)])
    return edition


@functools.lru_cache(maxsize=64)
def machine_of(edition: Edition) -> Machine:
    """The machine that rules by an edition; one is made for each and kept."""
    return Machine(edition)


@functools.lru_cache(maxsize=64)
def arguments_of(edition: Edition) -> Mapping[str, ArgumentKind]:
    """The acts an edition declares and the argument each takes, as the notation wants to know them."""
    return {name: ArgumentKind(act.argument) for name, act in edition.acts.items()}


@functools.lru_cache(maxsize=64)
def letters_of(edition: Edition) -> frozenset[str]:
    """The letters of the denominations that an edition's vocabulary knows, those that it has no bids in included."""
    return frozenset(edition.letters_known.values())


@functools.lru_cache(maxsize=64)
def signs_of(*editions: Edition) -> Mapping[str, str]:
    """The signs that stand for denominations, such as `♠`, each with the letter; a sign that has several, with all."""
    found: dict[str, str] = {}
    for edition in editions:
        for name, sign in edition.signs.items():
            letter = edition.letters_known[name]
            if letter not in found.setdefault(sign, ""):
                found[sign] += letter
    return found


def read_auction(edition: Edition, text: str, at: Span | None = None) -> tuple[Token, ...]:
    """An auction in notation, in the acts that an edition declares; `at` is where it lies in a file.

    Raises LawbookError with everything in it that is no act.
    """
    return parse_auction(text, acts=arguments_of(edition), letters=letters_of(edition), signs=signs_of(edition), at=at)


# No act is as long as this, and longer texts are not kept.
_LONGEST_KEPT: Final = 32


def act_meant(edition: Edition, act: Act | Call | str) -> Act:
    """One act, however it is given. Raises LawbookError for text that is none."""
    if isinstance(act, str):
        return _act_written(edition, act) if len(act) <= _LONGEST_KEPT else _act_written.__wrapped__(edition, act)
    if isinstance(act, Call):
        return Act.of_call(act)
    if not isinstance(act, Act):
        raise TypeError(f"an act is an Act, a Call or text in notation, not {act!r}")
    return act


# The same few are written again and again, and to read one takes longer than to rule on it.
@functools.lru_cache(maxsize=4096)
def _act_written(edition: Edition, text: str) -> Act:
    tokens = read_auction(edition, text)
    if len(tokens) != 1 or tokens[0].act is ALL_PASS:
        message = f"one act is expected, not `{shorten(text)}`"
        raise LawbookError([Diagnostic("one-act", Severity.ERROR, message)])
    (token,) = tokens
    assert isinstance(token.act, Act)
    return token.act


@functools.lru_cache(maxsize=64)
def calls_of(edition: Edition) -> tuple[Call, ...]:
    """Every call an edition's players can make, lowest first: pass, double, redouble, then bids by level."""
    bids = (
        Bid(level, letter) for level in range(1, edition.universe.levels + 1) for letter in edition.universe.letters
    )
    return (PASS, DOUBLE, REDOUBLE, *bids)


@functools.lru_cache(maxsize=64)
def numbers_of(edition: Edition) -> Mapping[Call, int]:
    """The number of each call in an edition's domains; a call in a denomination that it lacks has none."""
    found = ((call, call_number(edition.universe, call)) for call in calls_of(edition))
    return {call: number for call, number in found if number is not None}


def call_number(universe: Universe, call: Call) -> int | None:
    """The number of a call in an edition's domains, or None where the edition lacks the denomination."""
    match call:
        case Bid(level, letter):
            return universe.bid(level, universe.letters.index(letter)) if letter in universe.letters else None
        case _:
            return {Kind.PASS: 0, Kind.DOUBLE: 1, Kind.REDOUBLE: 2}[call.kind]
