"""Corrections followed with rights apart: what shadows show of them is held against random auctions and real searches
in which players correct their calls.

Where both editions let a player correct a call, what it leads to is what the corrected call led to at the table before
it, so they part on it as they part on that call, seats counted from who was in turn then. Where not both do, that is a
way to part of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest
from mutated import edition_of, mutants
from sidebyside import Both, Covered, both, first_acts, searched_ways, walked
from thorough import examples

from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError
from lawbook.explore.bearing import together
from lawbook.explore.bystanders import follows_rights_apart
from lawbook.explore.leave import Leave
from lawbook.explore.offers import Offer, offers_of
from lawbook.explore.product import Bounds, Way
from lawbook.explore.space import REFUSED, Choosable, Reply, Space
from lawbook.loading import load
from lawbook.mutants.judging import spread
from lawbook.mutants.making import made
from lawbook.mutants.telling import UNRESOLVABLE
from lawbook.values import Bid


@dataclass
class Corrected:
    """Two editions: the shadows of their calls with corrections followed, and spaces that offer corrections too."""

    calls: Both
    whole: Both

    def missed(self, ways: dict[Way, list[int]]) -> list[tuple[list[str], Way]]:
        """The auctions that part in a way that no shadows make up."""
        corrections = self.calls.found.corrections
        assert corrections is not None
        alone = {kept_from(way) for way in corrections.ways(self.whole.a, self.whole.b)} - {None}
        covered = Covered(self.calls.found.ways)
        found = [
            ([str(self.whole.a.offers[at]) for at in path], way)
            for way, path in ways.items()
            if kept_from(way) not in alone and not any(told in covered for told in self._as_calls(way))
        ]
        return sorted(found, key=lambda one: len(one[0]))

    def _as_calls(self, way: Way) -> Iterable[Way]:
        """A way to part as one on a call: as it is; of a correction, on the corrected call at a table at which any of
        the players was in turn."""
        offer = self.whole.a.offers[way[0]]  # type: ignore[call-overload]
        places = {offer: at for at, offer in enumerate(self.calls.a.offers)}
        if offer in places:
            yield (places[offer], *way[1:])
        elif offer.call is not None:
            for quarter in range(4 if self.whole.a.turned else 1):
                call = Offer((offer.place + quarter) % 4, offer.call.kind.name.lower(), offer.call)
                yield (places[call], *counted_on(way, quarter))


def kept_from(way: Way) -> object:
    """The correction that only one edition lets a player make, and what the other says of it; None if both do."""
    offer, reply, other = way[:3]
    lets = [
        isinstance(said, Reply) and said.offences != ("late-correction",) and said is not REFUSED
        for said in (reply, other)
    ]
    return None if lets == [True, True] else (offer, None if lets[0] else reply, None if lets[1] else other)


def counted_on(way: Way, quarter: int) -> Way:
    """What is said in a way to part, with seats counted so many further to the left."""
    _, reply, other, only_a, only_b, unlike, contract = way
    assert isinstance(reply, Reply)
    assert isinstance(other, Reply)
    on = turned(reply, quarter)
    return (
        on,
        on if reply is other else turned(other, quarter),
        choices_on(only_a, quarter),  # type: ignore[arg-type]
        choices_on(only_b, quarter),  # type: ignore[arg-type]
        tuple((name, *(seats_on(name, told, quarter) for told in both)) for name, *both in unlike),  # type: ignore[attr-defined]
        contract,
    )


def turned(reply: Reply, quarter: int) -> Reply:
    points = tuple(sorted(((side + quarter) % 2, column, amount) for side, column, amount in reply.points))
    return replace(reply, points=points, moved=(reply.moved + quarter) % 4)


def choices_on(choices: frozenset[Choosable], quarter: int) -> frozenset[Choosable]:
    return frozenset(choice.counted_on(quarter) for choice in choices)


def seats_on(name: str, told: object, quarter: int) -> object:
    if name == "debarred":
        return frozenset((seat + quarter) % 4 for seat in told)  # type: ignore[attr-defined]
    return (told + quarter) % 4 if name == "declarer" and told is not None else told  # type: ignore[operator]


def corrected(
    a: Edition, b: Edition, bids: str, acts: tuple[str, ...] | None = None, most: int | None = None
) -> Corrected:
    """The shadows of two editions in which calls are corrected, with the acts that a plan offers unless some are
    named."""
    acts = first_acts(a, b) if acts is None else acts
    correcting = together(a, b) - {*first_acts(a, b)}
    leaves = Leave(a, acts, correcting), Leave(b, acts, correcting)
    assert all(leave.is_apart for leave in leaves)
    calls = both(a, b, bids, acts, most, leaves)
    offers = offers_of((a, b), [Bid.parse(bid) for bid in bids.split()], (*acts, *correcting))
    turned = calls.a.turned
    whole = Both(Space(a, offers, turned=turned), Space(b, offers, turned=turned), calls.carried)
    return Corrected(calls, whole)


# -- shipped editions --------------------------------------------------------------------------------------------------

# The editions, the bids, the acts (all that a plan offers first, if none are named), and the random auctions.
SHIPPED: Final = [
    ("whist-club-1912", "whist-club-1913", "1S 2S", None, 150),
    ("whist-club-1912", "whist-club-1912@correction-after-notice=literal-52", "1S 2S", None, 100),
    ("whist-club-1912", "whist-club-1912-decisions", "1S 2S", None, 100),
    ("whist-club-1913", "whist-club-1913@correction-after-notice-1913=as-named", "1S 2S", ("notice",), 100),
    ("portland-bath-1908", "whist-club-1913", "1S 8S", None, 100),
]


@pytest.fixture(scope="module", params=SHIPPED, ids=lambda one: " ".join(one[:2]))
def shipped(request: pytest.FixtureRequest) -> tuple[Corrected, int]:
    first, second, bids, acts, number = request.param
    return corrected(load(first), load(second), bids, acts), number


def test_it_finishes(shipped: tuple[Corrected, int]) -> None:
    assert shipped[0].calls.found.finished


def test_what_a_search_finds_shadows_show(shipped: tuple[Corrected, int]) -> None:
    here = shipped[0]
    for bounds, pairs in ((Bounds(0), 300), (Bounds(1), 600), (Bounds(3), 600)):
        assert here.missed(searched_ways(here.whole.search(bounds, pairs))) == []


def test_how_random_auctions_part_shadows_show(shipped: tuple[Corrected, int]) -> None:
    here, number = shipped
    found = walked(here.whole, number)
    assert here.missed(found.ways) == []


# -- mutants -----------------------------------------------------------------------------------------------------------

MUTANTS: Final = examples(1, 5)


@pytest.mark.parametrize(
    ("name", "acts"), [("whist-club-1912", ("let-stand", "new-deal", "notice")), ("whist-club-1913", ("notice",))]
)
def test_mutants_part_as_shadows_show(name: str, acts: tuple[str, ...]) -> None:
    """Mutants of the law of corrections itself, and some of the others."""
    edition = edition_of(name)
    listed = mutants(name)
    about = [mutant for mutant in listed if mutant.clause.law.topic == "correction"]
    others = [mutant for mutant in listed if mutant.clause.law.topic != "correction"]
    seen: Counter[str] = Counter()
    for mutant in (*spread(about, 2 * MUTANTS), *spread(others, MUTANTS)):
        other = made(mutant, edition)
        assert other is not None
        if not is_followed(edition, other, acts):
            seen["not followed"] += 1
            continue
        try:
            here = corrected(edition, other, "1H 2H", acts, 2000)
        except (*UNRESOLVABLE, LawbookError):
            continue
        if not here.calls.found.finished:
            seen["unfinished"] += 1
            continue
        ways = {**searched_ways(here.whole.search(Bounds(1), 400)), **walked(here.whole, 30).ways}
        assert here.missed(ways) == [], mutant
        seen["parts" if ways else "nowhere"] += 1
    assert seen["parts"] >= MUTANTS, seen


def is_followed(a: Edition, b: Edition, acts: tuple[str, ...]) -> bool:
    correcting = together(a, b) - {*first_acts(a, b)}
    return all(follows_rights_apart(e, acts) and Leave(e, acts, correcting).is_apart for e in (a, b))


# -- what only a correction leads to -----------------------------------------------------------------------------------

THREES: Final = """
title: Bids of three
topic: threes
in: [{{edition: {edition}, law: none, source: our club, evidence: custom}}]
summary: Whoever bids three may be punished until his side calls again. Attention to it while it is doubled counts.
declares:
  registers:
    - register: attention
      for each: right
      type: number from 0 to 1
      starts: 0
      gloss: whether attention was called to it while it was doubled
  offences:
    - offence: bids three
      gloss: a bid of three odd tricks
clauses:
  - id: bids-three
    says: Nobody may bid three in his turn.
    when: a player bids
    if all of:
      - the caller is in turn
      - the tricks of the bid are 3
    offence: bids three
    the call: stands
  - id: punishment
    says: An adversary may punish it.
    remedy for: bids three
    holder: either adversary
    choices:
      penalise: the call stands
  - id: too-late-to-punish
    says: When the offender's side has called, it is too late.
    lapse of: punishment
    when: a player calls
    if: the caller is not an adversary of the offender
  - id: attention-while-doubled
    says: Attention called to it while it is doubled is remembered.
    when: a player calls attention
    for each: open right
    if all of:
      - the offence is bids three
      - the doubling is 1
    effects: the attention becomes 1
"""
NOT_UNDOUBLED: Final = """
  - id: not-after-all
    says: But not if it is doubled no more.
    exception to: punishment
    if all of:
      - the attention is 1
      - the doubling is 0
      - there is a last bid
      - the last bidder is the offender
"""


def club(folder: Path, edition: str, law: str) -> Edition:
    (folder / edition / "laws" / "ours").mkdir(parents=True)
    (folder / edition / "laws" / "ours" / "threes.yaml").write_text(law.format(edition=edition), encoding="utf-8")
    (folder / edition / f"{edition}.yaml").write_text(
        f"edition: {edition}\ntitle: Ours\nbased on: whist-club-1913\nlaws: [ours/threes.yaml]\n", encoding="utf-8"
    )
    library = Library((folder / edition / "laws", data_folder("laws")), (folder / edition, data_folder("editions")))
    return load(edition, library)


@pytest.mark.skipif(not examples(False, True), reason="it takes long, and is made with --thorough")
def test_rights_beside_a_table_that_only_a_correction_leads_to(tmp_path: Path) -> None:
    """Attention is called to a bid while it is doubled, and the double is corrected: by calls alone the bid is never
    undoubled again."""
    one, other = club(tmp_path, "our-club", THREES), club(tmp_path, "other-club", THREES + NOT_UNDOUBLED)
    acts = ("notice",)
    without = both(one, other, "3S", acts)
    assert without.found.finished
    assert without.found.ways == {}
    here = corrected(one, other, "3S", acts)
    assert here.calls.found.finished
    assert here.calls.found.ways
    found = here.whole.search(Bounds(1), 3000)
    assert found.divergences
    assert here.missed(searched_ways(found)) == []
