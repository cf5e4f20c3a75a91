"""Lists of lawful calls with their texts, and the answer to a lawful act that leads to each: what a session gives out
most often, made once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lawbook.auction import Auction
from lawbook.edition.model import Edition
from lawbook.engine.wire import Prepared
from lawbook.values import Call, Seat

Answer = dict[str, Any]

LAWFUL: Final[Answer] = {"verdict": "legal", "offences": []}
"""What is answered to a lawful call, whatever made it lawful."""

# An edition has a few hundred lists.
_MOST_LISTS: Final = 16_384
_MOST_BID_BEFOREHAND: Final = 40


@dataclass(frozen=True, slots=True)
class Choices:
    """A list of lawful calls, as the facade gave it and by the text of each; and what is answered to a lawful act
    after which these are lawful, for each seat that is then in turn without the calls and with them."""

    calls: tuple[Call, ...]
    by_text: Mapping[str, Call]
    texts: list[str]
    answers: list[Prepared | None] = field(default_factory=lambda: [None] * (2 * len(Seat)))

    def answer(self, turn: Seat, is_listed: bool) -> Answer:
        """What is answered to a lawful act after which these are lawful and the seat is in turn."""
        place = 2 * turn + is_listed
        found = self.answers[place]
        if found is None:
            listed = {"legal_calls": self.texts} if is_listed else {}
            answer = {**LAWFUL, "status": "open", "turn": str(turn), **listed}
            found = self.answers[place] = Prepared(answer)
        return found


class Lists:
    """The lists that were given out, by the facade's own."""

    def __init__(self) -> None:
        self._known: dict[int, Choices] = {}

    def of(self, calls: tuple[Call, ...]) -> Choices:
        """The list with its texts. The facade gives out one list wherever the same calls are lawful."""
        found = self._known.get(id(calls))
        if found is None or found.calls is not calls:
            if len(self._known) >= _MOST_LISTS:
                self._known.clear()
            by_text = {str(call): call for call in calls}
            found = self._known[id(calls)] = Choices(calls, by_text, list(by_text))
        return found


def make_ready(edition: Edition) -> None:
    """Find what every auction asks, so that no client waits for it in the middle of one.

    Conditions are compiled when they are first asked, and what suffices over a bid is found when a bid is first the
    last.
    """
    auction = Auction(edition)
    for call in auction.legal_calls:
        auction.push(call)
        auction.undo()
    # Three auctions, with the lowest call, the next, and the highest each time.
    for choice in (0, 1, -1):
        auction = Auction(edition)
        calls = auction.legal_calls
        for _ in range(_MOST_BID_BEFOREHAND):
            if not calls:
                break
            calls = auction.push(calls[min(choice, len(calls) - 1)])
