"""Plans: how far two editions are searched, with which acts and bids; and what a search that follows one gives."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lawbook.edition.model import Edition
from lawbook.explore.bids import all_bids, sufficient_bids
from lawbook.explore.meeting import Shadows
from lawbook.explore.product import Search
from lawbook.sentences import listed
from lawbook.values import Bid

MOST_BIDS: Final = 4
"""How many bids are offered unless more are asked for."""
ENOUGH_BIDS: Final = 1_000
"""More bids than there are: as many are offered as show all that the laws tell apart."""
_BIDS_APART: Final = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """What to search: the bids to offer (None: the `most_bids` most telling), how many irregular acts deep at most
    (None: any number), which acts other than calls (None: all that belong together with calls), seconds, pairs of
    states and MiB of memory at most (None: as many as it takes), and whether to go on after a difference where the
    editions still look alike. `open_at_once`: beyond so many irregular acts, how many may be open to a remedy at once
    (None: it goes no further). `apart`: whether acts that depend on more than calls are searched too."""

    bids: tuple[Bid, ...] | None = None
    most_bids: int | None = None
    irregularities: int | None = 1
    open_at_once: int | None = None
    acts: tuple[str, ...] | None = None
    seconds: float | None = None
    pairs: int | None = None
    memory: int | None = None
    beyond: bool = False
    apart: bool = True


@dataclass(frozen=True, slots=True)
class ChosenBids:
    """The bids to offer, whether no other would show anything new, and how that is known."""

    bids: tuple[Bid, ...]
    enough: bool
    note: str


class Part(enum.Enum):
    """What a search is about: calls and what belongs together with them, bids in denominations that one edition does
    not know, corrections too, who would play the hand after calls, what is searched apart, irregular acts that bear on
    calls, or a group of acts of the deal or the play, of which there are many."""

    CALLS = "calls"
    DENOMINATIONS = "denominations"
    CORRECTIONS = "corrections"
    PLAYER = "player"
    APART = "apart"
    BEARING = "bearing"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Searched:
    """A search as deep as its plan and budget allowed, with whatever a deeper one that was cut short had found.

    `states` (pairs of them) and `transitions` count only what was searched to the end.
    """

    found: Search
    states: int
    transitions: int
    acts: tuple[str, ...]
    bids: ChosenBids
    # What shows that any number of irregular acts leads to no other way to part, if not the search itself; and the bids
    # with which that, or another search of pairs, shows that the few of `found` lead to every clause that is at work.
    apart: Shadows | None = None
    more_bids: ChosenBids | None = None
    # A search of auctions in order with these bids.
    in_order: Search | None = None

    @property
    def all_found(self) -> tuple[Search, ...]:
        """The searches that findings are of, the one that goes deepest first."""
        return (self.found,) if self.in_order is None else (self.found, self.in_order)

    @property
    def accounted_for(self) -> ChosenBids:
        """The bids of which every auction so irregular is accounted for."""
        return self.more_bids or self.bids

    @property
    def of_any_number(self) -> bool:
        """Whether every auction of the acts and bids is accounted for, however many irregular acts it has."""
        return self.found.complete or self.apart is not None

    @property
    def complete(self) -> bool:
        """Whether every auction of the acts and of any bids is accounted for."""
        return self.of_any_number and self.accounted_for.enough and not self.found.beyond


def bids_of(a: Edition, b: Edition, acts: Sequence[str], plan: Plan) -> ChosenBids:
    """The bids that a plan offers."""
    everything = all_bids(a, b)
    if plan.bids is None:
        found = sufficient_bids((a, b), acts, plan.most_bids or MOST_BIDS)
        note = (
            f"Bids: three of those offered stand to one another in {found.shown} of the {found.relations} ways that "
            f"the laws tell apart, which ask whether {listed(found.questions, 'or')}."
            if found.questions
            else "Bids: the laws ask nothing of them."
        )
        return ChosenBids(found.bids, found.all_shown, note)
    if set(plan.bids) >= set(everything):
        return ChosenBids(everything, True, "Bids: all there are.")
    note = "Bids: those asked for; whether they show all that the laws tell apart was not asked."
    return ChosenBids(plan.bids, False, note)


def few_bids(a: Edition, b: Edition, acts: Sequence[str], plan: Plan) -> ChosenBids:
    """The most telling of the bids that a plan offers, or the first of some that it names."""
    return _most_telling(a, b, acts, plan, MOST_BIDS)


def bids_apart(a: Edition, b: Edition, acts: Sequence[str], plan: Plan) -> ChosenBids:
    """The few bids that are offered with acts other than those that belong with calls."""
    return _most_telling(a, b, acts, plan, _BIDS_APART)


def _most_telling(a: Edition, b: Edition, acts: Sequence[str], plan: Plan, most: int) -> ChosenBids:
    if plan.bids is not None and not set(plan.bids) >= set(all_bids(a, b)):
        return ChosenBids(plan.bids[:most], False, "")
    telling = sufficient_bids((a, b), acts, most)
    return ChosenBids(telling.bids, telling.all_shown, "")
