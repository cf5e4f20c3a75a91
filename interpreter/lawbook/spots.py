"""Spots: the places of lawful play as the facade walks them, for one edition and all its auctions.

A spot has ready what is asked at every call: which calls are lawful, whose turn it is, and the spot after each lawful
call that was made there before. What the laws say is asked of `machine/lawful.py`, once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from lawbook.answers import Judgement
from lawbook.edition.model import Edition
from lawbook.loading import calls_of, machine_of
from lawbook.machine.ruling import Verdict
from lawbook.machine.state import State
from lawbook.values import Call, Seat

if TYPE_CHECKING:
    from lawbook.machine.lawful import Place

# More places than any shipped edition has; beyond this they are all forgotten, so that memory stays bounded.
MOST_SPOTS: Final = 200_000


class Spot:
    """A place of lawful play: its lawful calls, the seat to call, whether calls are still to be made; and, as far as
    they were asked for, the spot after each lawful call and the judgement of any."""

    # The facade reads these at every call, so they lie in slots and nothing stands between.
    __slots__ = ("after", "is_open", "judged", "legal", "place", "turn")
    after: dict[Call, Spot]
    judged: dict[Call, Judgement]
    legal: tuple[Call, ...]
    turn: Seat
    is_open: bool
    place: Place

    def __init__(self) -> None:
        self.after = {}
        self.judged = {}


UNKNOWN: Final = Spot()
"""Stands where nobody has looked yet which spot it is; it leads nowhere, and says nothing else."""

NOWHERE: Final = Spot()
"""The same where there is no spot: open rights or held calls may have a say in what is lawful."""


class Spots:
    """The spots of one edition, each made when it is first visited."""

    def __init__(self, edition: Edition) -> None:
        # Imported where it is first wanted: whoever rules on one auction starts without it.
        from lawbook.machine.lawful import Lawful

        machine = machine_of(edition)
        self._calls = calls_of(edition)
        self._numbers = {call: number for number, call in enumerate(self._calls)}
        self._offences = edition.offences
        self._lawful = Lawful(machine)
        self._lists: dict[tuple[int, ...], tuple[Call, ...]] = {}
        self._spots: dict[Place, Spot] = {}
        self.openings = tuple(self.at(machine.start(seat)) for seat in Seat)

    def __len__(self) -> int:
        """How many places are remembered."""
        return len(self._spots)

    def at(self, state: State) -> Spot:
        """The spot of a state, or NOWHERE."""
        if state.held:
            if not self._lawful.ignores_held:
                return NOWHERE
            if not self._lawful.ignores_rights and any(call.rights for call in state.held):
                return NOWHERE
        return self._of(self._lawful.place_of(state.values))

    def after(self, spot: Spot, call: Call) -> Spot | None:
        """The spot after a call that was not made there before; None where it is not lawful."""
        if call not in spot.legal:
            return None
        number = self._numbers[call]
        following = self._of(self._lawful.after(spot.place, number))
        # What is known of others like it is noted with it, which takes less time than to come here for each.
        calls, spots = self._calls, self._spots
        for other, place in self._lawful.like(spot.place, number):
            spot.after[calls[other]] = spots.get(place) or self._of(place)
        spot.after[call] = following
        return following

    def judged(self, spot: Spot, call: Call) -> Judgement | None:
        """What a call by the player in turn would be at a spot; None where that does not depend on the spot alone."""
        number = self._numbers.get(call)
        offences = None if number is None else self._lawful.offences_at(spot.place, number)
        if offences is None:
            return None
        verdict = Verdict.IRREGULAR if offences else Verdict.LEGAL
        found = spot.judged[call] = Judgement(verdict, tuple(self._offences[offence] for offence in offences))
        return found

    def walked(self, spot: Spot, calls: Iterable[Call]) -> Spot:
        """The spot that calls lead to, each of which was lawful."""
        for call in calls:
            following = spot.after.get(call) or self.after(spot, call)
            assert following is not None
            spot = following
        return spot

    def _of(self, place: Place) -> Spot:
        found = self._spots.get(place)
        if found is None:
            if len(self._spots) >= MOST_SPOTS:
                self._forget()
            found = Spot()
            found.place, found.turn, found.is_open = place, Seat(place.turn), place.is_open
            found.legal = self._listed(place.legal)
            self._spots[place] = found
        return found

    def _listed(self, numbers: tuple[int, ...]) -> tuple[Call, ...]:
        """Calls by their numbers; spots where the same are lawful share one list."""
        found = self._lists.get(numbers)
        if found is None:
            found = self._lists[numbers] = tuple(self._calls[number] for number in numbers)
        return found

    def _forget(self) -> None:
        """Begin anew. Auctions that stand at a spot go on from there; but spots no longer lead to each other, so that
        they go when the auctions do."""
        for spot in self._spots.values():
            spot.after.clear()
        self._spots.clear()
        self._lists.clear()
        self._lawful.forget()


# The spots of the editions that were walked last, and how often others were asked for what spots would tell.
_kept: Final[dict[Edition, Spots]] = {}
_asked: Final[dict[Edition, int]] = {}
_MOST_KEPT: Final = 64
_PATIENCE: Final = 16

openings: Final[dict[Edition, tuple[Spot, ...]]] = {}
"""For each edition that has spots, where play stands before the first call, by the dealer."""


def spots_of(edition: Edition) -> Spots:
    """The spots of an edition; they are made once and kept."""
    found = _kept.get(edition)
    if found is None:
        if len(_kept) >= _MOST_KEPT:
            oldest = next(iter(_kept))
            del _kept[oldest], openings[oldest]
        found = _kept[edition] = Spots(edition)
        openings[edition] = found.openings
    return found


def spots_at_hand(edition: Edition) -> Spots | None:
    """The spots of an edition, if they were made or this has been asked often enough for them to pay; a program that
    asks once, as the command line does, is better off without."""
    found = _kept.get(edition)
    if found is None:
        if len(_asked) >= _MOST_KEPT:
            _asked.clear()
        _asked[edition] = _asked.get(edition, 0) + 1
        found = spots_of(edition) if _asked[edition] > _PATIENCE else None
    return found
