"""Words: dates, seats, calls, acts and laws as one says them. What an edition declares is taken from the edition."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from lawbook.edition.model import Clause, Edition, Law
from lawbook.language.words import Category
from lawbook.values import HIGHEST_LEVEL, TABLE, Act, Bid, Call, Kind, Seat, Table, shorten

NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
SEATS: Final = {Seat.N: "North", Seat.E: "East", Seat.S: "South", Seat.W: "West"}
_PAST: Final = {Kind.PASS: "passed", Kind.DOUBLE: "doubled", Kind.REDOUBLE: "redoubled"}
_RANKS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
_MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def listed(parts: Iterable[str], joint: str = "and") -> str:
    """Several things as one list.

    >>> listed(["North"]), listed(["North", "South"]), listed(["a", "b", "c"], "or")
    ('North', 'North and South', 'a, b or c')
    """
    found = list(parts)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {joint} {found[-1]}" if found else ""


def capital(text: str) -> str:
    """The text with a capital at its head, to begin a sentence."""
    return text[:1].upper() + text[1:]


def date_words(date: str) -> str:
    """A date of an edition as a reader writes it.

    >>> date_words("1912-11"), date_words("1908"), date_words("1913-11-05"), date_words("about 1900"), date_words("")
    ('November 1912', '1908', '5 November 1913', 'about 1900', 'undated')
    """
    if not date:
        return "undated"
    year, _, rest = date.partition("-")
    month, _, day = rest.partition("-")
    if not (month.isdigit() and 1 <= int(month) <= len(_MONTHS)):
        return date
    named = f"{_MONTHS[int(month) - 1]} {year}"
    return f"{int(day)} {named}" if day.isdigit() else named


def seat_name(seat: Seat | Table | None) -> str:
    """`North`, or `the table` for what no player does."""
    return SEATS[seat] if isinstance(seat, Seat) else "the table"


def _denomination(edition: Edition, letter: str) -> str:
    """The denomination of that letter as the vocabulary names it; the letter where it names none."""
    return next((name for name, known in edition.letters_known.items() if known == letter), letter)


def bid_words(edition: Edition, bid: Bid, said: str | None = None) -> str:
    """A bid in words, its denomination named as the vocabulary names it: `two diamonds`, `one heart`. `said` are its
    odd tricks as they were written, where they are more than are told apart."""
    name = _denomination(edition, bid.denomination)
    if bid.level == 1 and not name.endswith("ss"):
        name = name.removesuffix("s")
    if said is None:
        return f"{NUMBERS[bid.level]} {name}"
    number = NUMBERS[int(said)] if len(said) < 3 and int(said) < len(NUMBERS) else shorten(said)
    return f"{number} {name} (the levels are 1 to {HIGHEST_LEVEL - 1})"


def call_words(edition: Edition, call: Call, said: str | None = None) -> str:
    """A call in words: `a pass`, `a double`, `two diamonds`."""
    return bid_words(edition, call, said) if isinstance(call, Bid) else f"a {call.kind.name.lower()}"


def _kind_says(edition: Edition, kind: str) -> str:
    words = edition.vocabulary.canonical.values()
    return next((w.phrase for w in words if w.category is Category.ACT and w.target == kind), f"{kind}s")


def does(edition: Edition, act: Act) -> str:
    """What a player does, without who: `bids two diamonds`, `passes`, `corrects his call to three diamonds`."""
    if act.call is not None:
        says = _kind_says(edition, act.call.kind.name.lower())
        return f"{says} {bid_words(edition, act.call, act.said)}" if isinstance(act.call, Bid) else says
    word = edition.acts.get(act.name)
    says = word.says if word is not None else f"does `{act.name}`"
    if act.argument is None:
        return says
    kind = word.argument.removeprefix("optional ") if word is not None else "text"
    match kind:
        case "call":
            return f"{says} to {call_words(edition, Call.parse(act.argument), act.said)}"
        case "card":
            suit, rank = act.argument[0], act.argument[1:]
            return f"{says} (the {_RANKS.get(rank, rank)} of {_denomination(edition, suit)})"
        case _:
            return f"{says}: {act.argument}"


def phrase(edition: Edition, act: Act) -> str:
    """A whole act in words: `East bids two diamonds`."""
    return f"{seat_name(act.seat)} {does(edition, act)}"


def seat_code(seat: Seat | Table | None) -> str:
    """A seat as the notation and the JSON write it."""
    return str(TABLE) if seat is None else str(seat)


def past(edition: Edition, act: Act) -> str:
    """An act as something that happened: `when South passed`, `with S:penalise`."""
    match act.call:
        case None:
            return f"with {act}"
        case Bid() as bid:
            return f"when {seat_name(act.seat)} bid {bid_words(edition, bid, act.said)}"
        case call:
            return f"when {seat_name(act.seat)} {_PAST[call.kind]}"


# -- laws --------------------------------------------------------------------------------------------------------------


def law_name(number: str | None) -> str:
    """How a law is cited: `Law 50`, `Laws 7 and 8`, `Decision 2`, or `custom` where no text says it.

    >>> law_name("50a"), law_name("7, 8"), law_name("Decision 2"), law_name(None)
    ('Law 50a', 'Laws 7 and 8', 'Decision 2', 'custom')
    """
    if number is None:
        return "custom"
    if number[:1].isdigit() and ", " in number:
        return f"Laws {listed(number.split(', '))}"
    return f"Law {number}" if number[:1].isdigit() else number


def laws_named(clauses: Iterable[Clause]) -> str:
    """The laws of several clauses in one phrase, each named once: `Laws 49 and 50a`, `Law 50 and custom`."""
    numbers = list(dict.fromkeys(n for clause in clauses for n in _numbers(clause.law)))
    plain = [n for n in numbers if n is not None and n[:1].isdigit()]
    others = [law_name(n) for n in numbers if n is None or not n[:1].isdigit()]
    if len(plain) < 2:
        return listed([law_name(n) for n in plain] + others)
    if others:
        return listed([f"Laws {', '.join(plain)}", *others])
    return f"Laws {listed(plain)}"


def _numbers(law: Law) -> list[str | None]:
    return [None] if law.number is None else list(law.number.split(", "))


def says_of(clause: Clause) -> str:
    """What a clause says, to stand inside a sentence: no capital at its head, no full stop."""
    text = clause.says.strip().rstrip(".") or clause.id.replace("-", " ")
    named = (*SEATS.values(), "Law", "Decision", "Auction")
    return text if text.startswith(named) else text[0].lower() + text[1:]


def order_of(law: Law) -> tuple[int, int, str, str]:
    """Where a law stands in its code: laws by number, then decisions, then custom."""
    number = law.number
    if number is None:
        return (2, 0, "", law.topic)
    digits = re.search(r"\d+", number)
    return (0 if number[:1].isdigit() else 1, int(digits[0]) if digits else 0, number, law.topic)
