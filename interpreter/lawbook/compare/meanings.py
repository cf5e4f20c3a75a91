"""Meanings: what two editions' clauses are read in and that is not alike: registers, acts, domains, and words.

An edition's hash is of its clauses and of these lines, so where two hashes differ, a clause or one of these does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lawbook.edition.model import ActWord, Edition, Register
from lawbook.inspection import value_text
from lawbook.language import core
from lawbook.language.types import type_text
from lawbook.language.words import Category
from lawbook.sentences import listed

_WORDS = tuple(f"{category.value} " for category in Category)


@dataclass(frozen=True, slots=True)
class MeaningDifference:
    """One thing that means something else, or that only one edition has: what it is, and how it stands in each."""

    what: str
    a: str | None
    b: str | None


def meaning_differences(a: Edition, b: Edition) -> tuple[MeaningDifference, ...]:
    """What two editions' clauses are read in, where it is not alike; in the order of the alphabet.

    >>> from lawbook.auction import load
    >>> meaning_differences(load("whist-club-1912"), load("whist-club-1912"))
    ()
    """
    mine, theirs = set(a.meanings), set(b.meanings)
    one = {line.what: line for line in _lines(mine - theirs, a)}
    other = {line.what: line for line in _lines(theirs - mine, b)}
    found = []
    for what in sorted(one.keys() | other.keys()):
        before, now = one.get(what), other.get(what)
        if before is not None and now is not None:
            # What looks alike in its short form is shown in full.
            full = before.short == now.short
            texts = (before.line, now.line) if full else (before.short, now.short)
            found.append(MeaningDifference(what, *texts))
        elif (alone := before or now) is not None and not alone.spoken:
            found.append(MeaningDifference(what, before.short if before else None, now.short if now else None))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of an edition's meanings: what it is about, what it says in short, and the line itself.

    `spoken`: it is there because a clause speaks of it, so where only one edition has it, its clauses tell.
    """

    what: str
    short: str
    line: str
    spoken: bool = False


def _lines(lines: set[str], edition: Edition) -> Iterator[_Line]:
    registers = {**edition.registers, **edition.facts, **edition.sheet}
    roles = [word.phrase for word in edition.vocabulary.canonical.values() if word.category is Category.ROLE]
    for line in lines:
        kind, _, rest = line.partition(" ")
        word, colon, meaning = line.partition(": ")
        if colon and word.startswith(_WORDS):
            yield _Line(word, meaning, line, True)
        elif kind == "role" and (name := _longest(f"{rest} ", roles)) is not None:
            yield _Line(f"role {name}", rest.removeprefix(name).strip(), line, True)
        elif kind == "register" and (name := _longest(rest, registers)) is not None:
            yield _Line(f"register {name}", register_text(registers[name], edition), line)
        elif kind == "act" and (name := _longest(rest, edition.acts)) is not None:
            yield _Line(f"act {name}", _act_text(edition.acts[name]), line)
        elif kind == "enumeration":
            name, _, members = rest.partition(" (")
            yield _Line(f"enumeration {name}", members.rstrip(",)").replace("'", ""), line)
        elif kind == "interface":
            key, _, text = rest.partition(" ")
            yield _Line(f"interface {key}", text, line)
        elif kind == "denominations":
            yield _Line(kind, ", ".join(edition.universe.denominations), line)
        elif kind == "held":
            yield _Line("calls that may be put back", rest, line)
        else:
            yield _Line(line, line, line)


def _longest(text: str, names: Iterable[str]) -> str | None:
    return max((name for name in names if text.startswith(f"{name} ")), key=len, default=None)


def register_text(register: Register, edition: Edition) -> str:
    """A register in one line: what it holds, how it starts, how it is put back and how long it matters. Where it lies
    in a state does not count."""
    each = " for each " + " and ".join(type_text(i) for i in register.indices) if register.indices else ""
    right = " for each right" if register.per_right else ""
    start = "the dealer" if register.starts_with_dealer else value_text(edition, register.type, register.start)
    parts = [f"{type_text(register.type)}{each}{right}", f"from {start}", f"put back {register.put_back.value}"]
    if register.kept_while is not None:
        parts.append(f"kept while {_truth_text(register.kept_while)}")
    if register.together:
        parts.append(f"present with {listed(sorted(register.together))}")
    if register.totals is not None:
        parts.append(f"totals {register.totals}")
    return ", ".join(parts)


def _act_text(act: ActWord) -> str:
    parts = [f"argument {act.argument}"]
    if act.groups:
        parts.append(f"in {listed(sorted(act.groups))}")
    if act.chooses:
        parts.append("chosen under a remedy")
    return ", ".join(parts)


def _truth_text(truth: core.Truth) -> str:
    match truth:
        case core.Leaf(_, text):
            return text
        case core.All(parts):
            return " and ".join(map(_truth_text, parts))
        case core.AnyOf(parts):
            return " or ".join(map(_truth_text, parts))
        case core.Not(inner):
            return f"not ({_truth_text(inner)})"
        case _:
            return "a condition"
