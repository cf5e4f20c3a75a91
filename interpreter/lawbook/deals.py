"""Deals as the outside tells them: what was played, by whom, and how it came out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lawbook.diagnostics import nearest
from lawbook.errors import Collector, LawbookError
from lawbook.values import HIGHEST_LEVEL, NO_SIGNS, Bid, Seat, Side, level_said, shorten

TRICKS_IN_A_DEAL = 13
_NUMBER = re.compile(r"-?[0-9]{1,6}")
KEYS = ("contract", "declarer", "dealer", "tricks", "honours", "chicane", "revokes", "takes", "vulnerable")


@dataclass(frozen=True, slots=True)
class Deal:
    """What is known of a deal that was played.

    `tricks` are all that the declarer's side won in play, 0 to 13; `honours` those dealt to each player; `chicane` the
    players dealt no trump; `revokes` a seat for each established revoke; `takes_tricks` whether the declarer takes
    tricks rather than points for an adversary's; `vulnerable` the sides that are.
    """

    contract: Bid
    doubling: int
    declarer: Seat
    tricks: int
    dealer: Seat = Seat.N
    honours: Mapping[Seat, int] = field(default_factory=dict)
    chicane: frozenset[Seat] = frozenset()
    revokes: tuple[Seat, ...] = ()
    takes_tricks: bool = False
    vulnerable: frozenset[Side] = frozenset()

    @classmethod
    def of(cls, given: Mapping[str, object], signs: Mapping[str, str] = NO_SIGNS) -> Deal:
        """A deal from the keys of `lawbook score`: contract, declarer, tricks, and as needed dealer, honours, chicane,
        revokes, takes, vulnerable. `signs` are those that may stand for the letter of a denomination, each with the
        letter. Raises LawbookError with everything that is wrong with them."""
        problems = Collector()
        for key in given:
            if key not in KEYS:
                _say(problems, "unknown-key", f"a deal has no `{key}`", nearest(key, KEYS))
        for key in ("contract", "declarer", "tricks"):
            if given.get(key) in (None, ""):
                _say(problems, "missing-key", f"the deal lacks its {key}")
        contract, doubling = _contract(problems, str(given.get("contract") or "1N"), signs)
        honours = _honours(problems, given.get("honours"))
        takes = str(given.get("takes") or "points")
        if takes not in ("points", "tricks"):
            _say(
                problems,
                "bad-choice",
                f"the declarer takes points or tricks, not {takes}",
                nearest(takes, ("points", "tricks")),
            )
        deal = cls(
            contract,
            doubling,
            _seat(problems, given.get("declarer"), "the declarer", Seat.N),
            number_told(problems, given.get("tricks"), "tricks won", TRICKS_IN_A_DEAL),
            _seat(problems, given.get("dealer"), "the dealer", Seat.N),
            honours,
            frozenset(_seats(problems, given.get("chicane"), "a player without a trump")),
            tuple(_seats(problems, given.get("revokes"), "a player who has revoked")),
            takes == "tricks",
            _sides(problems, given.get("vulnerable")),
        )
        problems.raise_if_errors()
        return deal


def _say(problems: Collector, code: str, message: str, suggestion: str | None = None) -> None:
    problems.error(code, message, None, suggestion=suggestion)


def _contract(problems: Collector, text: str, signs: Mapping[str, str]) -> tuple[Bid, int]:
    body = text.rstrip("xX")
    doubling = len(text) - len(body)
    if doubling > 2:
        _say(problems, "bad-contract", f"`{text}` is doubled more than twice")
    try:
        bid = Bid.parse(body, signs)
        if (said := level_said(body, bid)) is not None:
            # How many tricks it goes down would be told wrong.
            message = f"`{shorten(body)}` is of {shorten(said)} odd tricks, and the levels are 1 to {HIGHEST_LEVEL - 1}"
            _say(problems, "bad-contract", message)
        return bid, min(doubling, 2)
    except LawbookError as error:
        problems.extend(error.diagnostics)
        return Bid(1, "N"), 0


def _seat(problems: Collector, given: object, what: str, otherwise: Seat) -> Seat:
    if given in (None, ""):
        return otherwise
    try:
        return given if isinstance(given, Seat) else Seat.parse(str(given))
    except LawbookError as error:
        for found in error.diagnostics:
            _say(problems, found.code, f"{what}: {found.message}", found.suggestion)
        return otherwise


def _seats(problems: Collector, given: object, what: str) -> Iterator[Seat]:
    items: Iterable[object] = ()
    if isinstance(given, str):
        items = [part for part in given.replace(",", " ").split() if part]
    elif isinstance(given, Iterable):
        items = given
    elif given is not None:
        _say(problems, "bad-list", f"{what}: expected seats, found {given!r}")
    for item in items:
        yield _seat(problems, item, what, Seat.N)


def _sides(problems: Collector, given: object) -> frozenset[Side]:
    """The sides named: `NS`, `EW`, `both` (or `all`), `none`; or a list of sides."""
    if isinstance(given, str):
        several = {"": (), "none": (), "both": tuple(Side), "all": tuple(Side)}.get(given.strip().lower())
        if several is not None:
            return frozenset(several)
        given = given.replace(",", " ").split()
    if given is not None and not isinstance(given, Iterable):
        _say(problems, "bad-list", f"who is vulnerable: expected sides, found {given!r}")
        return frozenset()
    found = set()
    for item in given or ():
        try:
            found.add(item if isinstance(item, Side) else Side.parse(str(item)))
        except LawbookError as error:
            for told in error.diagnostics:
                choices = ("NS", "EW", "both", "none")
                _say(problems, told.code, f"who is vulnerable: {told.message}", nearest(str(item), choices))
    return frozenset(found)


def number_told(problems: Collector, given: object, what: str, most: int) -> int:
    if given in (None, ""):
        return 0
    text = str(given)
    if isinstance(given, bool) or _NUMBER.fullmatch(text) is None:
        _say(problems, "bad-number", f"{what}: `{text[:40]}` is not a number")
        return 0
    if not 0 <= int(text) <= most:
        _say(problems, "impossible-number", f"{what}: {int(text)} cannot be; there are 0 to {most}")
        return 0
    return int(text)


def _honours(problems: Collector, given: object) -> dict[Seat, int]:
    found: dict[Seat, int] = {}
    pairs: list[tuple[object, object]] = []
    if isinstance(given, Mapping):
        pairs = list(given.items())
    elif isinstance(given, str):
        for part in given.replace(",", " ").split():
            seat, equals, told = part.partition("=")
            if not equals:
                _say(problems, "bad-honours", f"`{part}` does not say how many honours: write `N=4`")
                continue
            pairs.append((seat, told))
    elif given is not None:
        _say(problems, "bad-honours", f"honours are told by seat, not as {given!r}")
    for seat_text, number in pairs:
        holder = _seat(problems, seat_text, "honours", Seat.N)
        if holder in found:
            _say(problems, "bad-honours", f"{holder}'s honours are told twice")
        found[holder] = number_told(problems, number, f"{holder}'s honours", 5)
    return found
