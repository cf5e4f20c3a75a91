"""Mutants put to the search of two editions: does it tell a law from the same with one thing altered?

What tells is held against the machine that walks trees. What does not is proved the same law by a truth table, or
enumerated: never by the search itself. `good/explore/mutants.yaml` says how far each edition's are searched and names
those that neither shows, each with the reason.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import yaml
from enumeration import Plain, enumerated, event_of
from explored import until_found

from lawbook.auction import load
from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.edition.model import Clause, Edition
from lawbook.errors import LawbookError
from lawbook.explore.bearing import together
from lawbook.explore.bids import all_bids
from lawbook.explore.offers import Offer, offers_of
from lawbook.explore.plan import Plan
from lawbook.explore.product import Divergence, Search
from lawbook.explore.searches import searches
from lawbook.explore.turning import alike_all_round
from lawbook.machine.ruling import Event
from lawbook.machine.state import State
from lawbook.machine.tables import is_of_sheet
from lawbook.mutants.making import Mutant, made, mutants_of
from lawbook.mutants.proving import is_equivalent
from lawbook.mutants.telling import UNRESOLVABLE
from lawbook.values import Bid

_GOOD: Final = Path(__file__).parent / "good"
LISTED: Final[dict[str, Any]] = yaml.safe_load((_GOOD / "explore" / "mutants.yaml").read_text(encoding="utf-8"))
INVENTED: Final = Library((_GOOD / "invented" / "laws", data_folder("laws")), (_GOOD / "invented" / "editions",))
# How many odd tricks are bid in every denomination where a mutant is enumerated: enough for ranks that cross levels.
_LEVELS: Final = (1, 2, 8)


class Told(enum.Enum):
    """What the search and the proofs make of a mutant. REFUSED: it asks for a value that may be missing, so that no
    edition can be made of it."""

    FOUND = "found"
    SAME_LAW = "same law"
    REFUSED = "refused"
    UNDECIDED = "undecided"


@functools.cache
def edition_of(name: str) -> Edition:
    """The edition, invented or shipped, that something is listed of."""
    edition = LISTED[name].get("edition", name)
    return load(edition, INVENTED if edition in INVENTED.edition_files() else None)


def mutants(name: str) -> list[Mutant]:
    """The mutants of an edition that are asked of: those of every clause but the score's, or only of the laws in some
    folders and what is in them, without some clauses."""
    edition, said = edition_of(name), LISTED[name]
    folders, without = said.get("folders"), said.get("without", ())
    clauses: Iterator[Clause] = (
        clause
        for clause in edition.clauses
        if not is_of_sheet(clause, edition)
        and (folders is None or any(clause.law.file.startswith(f"{folder}/") for folder in folders))
        and clause.id not in without
    )
    return [mutant for clause in clauses for mutant in mutants_of(clause, edition)]


def plans(name: str, further: bool = False) -> list[Plan]:
    """How far to search, the shortest search first; each other is for what those before do not find."""
    listed = LISTED[name]
    return [
        Plan(
            bids=bids(edition_of(name), said["bids"]),
            irregularities=said["irregularities"],
            acts=tuple(said["acts"]) if "acts" in said else None,
            apart=said["apart"],
        )
        for said in (*listed["plans"], *(listed.get("further", ()) if further else ()))
    ]


def bids(edition: Edition, text: str) -> tuple[Bid, ...]:
    """Bids in an edition's own denominations."""
    letters = {letter: letter for letter in edition.letters_known.values()}
    return tuple(Bid(int(word[:-1]), letters[word[-1]]) for word in text.split())


def told(mutant: Mutant, edition: Edition, how: Sequence[Plan]) -> Told:
    """What the search makes of a mutant and, where it finds nothing, a truth table. What it finds is asserted to be
    so."""
    altered = made(mutant, edition)
    assert altered is not None
    try:
        found = _first_found(edition, altered, how)
    except UNRESOLVABLE:
        # The checker would have refused it; whether that is so can be asked of the law alone.
        assert is_equivalent(mutant, edition) is False, str(mutant)
        return Told.REFUSED
    if found is not None:
        assert parts_on(*found), str(mutant)
        return Told.FOUND
    proved = is_equivalent(mutant, edition)
    return Told.UNDECIDED if proved is None else Told.SAME_LAW if proved else Told.REFUSED


def _first_found(edition: Edition, altered: Edition, how: Sequence[Plan]) -> tuple[Divergence, Search] | None:
    for plan in how:
        for _, searched in searches(edition, altered, plan, until_found):
            if searched.found.divergences:
                return searched.found.divergences[0], searched.found
    return None


def parts_on(divergence: Divergence, found: Search) -> bool:
    """Whether the tree-walking machine rules alike on the way to a differing act, and not on it."""
    a, b = (Plain(space.edition, space._asks_declarer) for space in (found.a, found.b))
    start = found.nodes_to(divergence.node)[0]
    dealer = 0 if found.a.turned else found.parents[start] % 4
    first, second = a.machine.start(dealer), b.machine.start(dealer)
    for place in found.path(divergence.node):
        if _differs(a, b, first, second, found, place):
            return False
        first, second = (
            plain.act(state, event_of(found.a.offers[place], plain.edition, _turn(a, first, found)))[1]
            for plain, state in ((a, first), (b, second))
        )
    return _differs(a, b, first, second, found, divergence.offer)


def _turn(plain: Plain, state: State, found: Search) -> int:
    return plain.turn(state) if found.a.turned else 0


def _differs(a: Plain, b: Plain, first: State, second: State, found: Search, place: int) -> bool:
    offer, turn = found.a.offers[place], _turn(a, first, found)
    return _answer(a, first, event_of(offer, a.edition, turn)) != _answer(b, second, event_of(offer, b.edition, turn))


def _answer(plain: Plain, state: State, event: Event | None) -> object:
    """What is said of an act and how the table then looks; nothing where what happens of itself never ends."""
    try:
        said, after, _ = plain.act(state, event)
    except LawbookError:
        return None
    return said, plain.look(after)


def enumerated_apart(mutant: Mutant, edition: Edition, how: Sequence[Plan], depth: int) -> bool:
    """Whether plain enumeration parts a mutant from its law: by two calls in turn, of bids in every denomination, or
    within so many acts of those of the plans."""
    altered = made(mutant, edition)
    assert altered is not None
    plain = Plain(edition), Plain(altered)
    turned = alike_all_round(edition) and alike_all_round(altered)

    def part(offers: Sequence[Offer], acts: int, most: int | None) -> bool:
        return any(met.parts_on for met in enumerated(*plain, offers, acts, [0], turned, most))

    named = [bid for bid in all_bids(edition) if bid.level in _LEVELS]
    calls = [offer for offer in offers_of((edition, altered), named, ()) if offer.place == 0]
    if part(calls, 2, None):
        return True
    for plan in how:
        acts = sorted(together(edition, altered)) if plan.acts is None else plan.acts
        if part(offers_of((edition, altered), plan.bids or (), acts), depth, plan.irregularities):
            return True
    return False
