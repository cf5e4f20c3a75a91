"""Shadows show every way in which two editions part, however many rights are open: held against real searches, against
random auctions with many irregular acts, and against editions with a clause altered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest
from mutated import edition_of, mutants
from sidebyside import Both, both, missed, searched_ways, walked

from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.errors import LawbookError
from lawbook.explore.behaviour import compare_behaviour
from lawbook.explore.bystanders import follows_rights_apart
from lawbook.explore.causes import unexplained
from lawbook.explore.plan import Part, Plan
from lawbook.explore.product import Bounds
from lawbook.explore.searches import searches
from lawbook.loading import load
from lawbook.mutants.judging import spread
from lawbook.mutants.making import made
from lawbook.mutants.telling import UNRESOLVABLE
from lawbook.values import Bid

# -- shipped editions --------------------------------------------------------------------------------------------------

# The editions, the bids, the acts (all that a plan offers first, if none are named), the random auctions, and how many
# positions with three or more calls open these meet at least.
SHIPPED: Final = [
    ("whist-club-1912", "whist-club-1913", "1S", None, 120, 30),
    ("whist-club-1912", "whist-club-1912@double-is-declaration=yes", "1S", None, 120, 30),
    ("whist-club-1912", "whist-club-1912@deadline-out-of-turn=no-deadline", "1S", None, 80, 100),
    ("portland-bath-1908", "whist-club-1912", "1S 8S", None, 100, 0),
    ("portland-bath-1908", "whist-club-1913", "1S 8S", None, 100, 0),
    # Here a choice may settle the oldest of several rights, or the newest.
    ("whist-club-1913", "whist-club-1913@law-54-deadline=as-50b", "1S", ("let-stand", "points"), 200, 600),
]


@pytest.fixture(scope="module", params=SHIPPED, ids=lambda one: " ".join(one[:2]))
def shipped(request: pytest.FixtureRequest) -> tuple[Both, int, int]:
    first, second, bids, acts, number, many = request.param
    return both(load(first), load(second), bids, acts), number, many


def test_it_finishes(shipped: tuple[Both, int, int]) -> None:
    assert shipped[0].found.finished
    assert shipped[0].found.ways


def test_what_a_search_finds_shadows_show(shipped: tuple[Both, int, int]) -> None:
    here = shipped[0]
    for bounds, pairs in ((Bounds(1), 600), (Bounds(2), 600), (Bounds(0, 2), 600)):
        found = here.search(bounds, pairs)
        assert found.divergences
        assert missed(here, searched_ways(found)) == []


def test_how_random_auctions_part_shadows_show(shipped: tuple[Both, int, int]) -> None:
    here, number, many = shipped
    found = walked(here, number)
    assert found.ways
    assert missed(here, found.ways) == []
    assert sum(times for calls, times in found.opened.items() if calls > 2) >= many


def test_what_cannot_be_told_is_not_finished(tmp_path: Path) -> None:
    """Two rights show that one edition settles the oldest first and the other the newest; neither does by itself."""
    name, file = "whist-club-1913", "doubling/penalties/whist-club-1913.yaml"
    law = (data_folder("laws") / file).read_text(encoding="utf-8")
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(law.replace("    settles: oldest first\n", ""), encoding="utf-8")
    other = load(name, Library((tmp_path, data_folder("laws")), (data_folder("editions"),)))
    here = both(load(name), other, "1S", ("points",), most=400)
    assert here.search(Bounds(2), 3000).divergences
    assert here.found.lost
    assert not here.found.finished


@pytest.mark.parametrize(
    ("name", "acts"),
    [("whist-club-1912", ("let-stand", "new-deal", "penalise")), ("whist-club-1913", ("let-stand", "new-deal"))],
)
def test_an_edition_does_not_part_from_itself(name: str, acts: tuple[str, ...]) -> None:
    edition = load(name)
    here = both(edition, edition, "1S", acts)
    assert here.found.finished
    assert here.found.rights
    assert here.found.ways == {}


def test_where_rights_cannot_be_followed_apart() -> None:
    # There, a call takes back an earlier one.
    assert not follows_rights_apart(load("contract-2017"), ())
    for name in ("whist-club-1912", "whist-club-1913"):
        edition = load(name)
        assert follows_rights_apart(edition, ("let-stand", "penalise"))
        assert not follows_rights_apart(edition, ("correct", "let-stand", "penalise"))


# -- mutants -----------------------------------------------------------------------------------------------------------

MUTANTS: Final = 6
OF_MUTANTS: Final = [
    ("whist-club-1912", "1H", ("let-stand", "new-deal")),
    ("whist-club-1913", "1H", ("let-stand", "points")),
]


def altered(edition: Edition, bids: str, acts: tuple[str, ...]) -> Iterable[tuple[str, Both]]:
    """Some mutants of an edition, and how they part from it."""
    for mutant in spread(mutants(edition.id), MUTANTS):
        other = made(mutant, edition)
        assert other is not None
        if follows_rights_apart(other, acts):
            try:
                yield str(mutant), both(edition, other, bids, acts, most=4000)
            except UNRESOLVABLE:
                continue
            except LawbookError:
                continue


@pytest.mark.parametrize(("name", "bids", "acts"), OF_MUTANTS)
def test_mutants_part_as_shadows_show(name: str, bids: str, acts: tuple[str, ...]) -> None:
    seen: Counter[str] = Counter()
    for mutant, here in altered(edition_of(name), bids, acts):
        if not here.found.finished:
            seen["unfinished"] += 1
            continue
        seen["parts" if here.found.ways else "nowhere"] += 1
        assert missed(here, searched_ways(here.search(Bounds(1), 1000))) == [], mutant
        assert missed(here, walked(here, 20).ways) == [], mutant
    assert seen["parts"], seen
    assert seen["nowhere"], seen


# -- what is made of them ----------------------------------------------------------------------------------------------


def test_what_no_search_has_found_is_unexplained() -> None:
    """Nothing in auctions in order shows when a right ends; one irregular act does."""
    a, b = (load(f"whist-club-1912{reading}") for reading in ("", "@deadline-out-of-turn=no-deadline"))
    here = both(a, b, "1S", ("let-stand", "new-deal"))
    ways = here.found.ways
    assert here.found.finished
    in_order, one = here.search(Bounds(0)), here.search(Bounds(1))
    assert not in_order.divergences
    assert set(unexplained((in_order,), ways)) == set(ways) != set()
    assert unexplained((one,), ways) == ()


def test_a_plan_with_any_number_of_irregular_acts_ends() -> None:
    a, b = load("whist-club-1912"), load("whist-club-1913")
    acts = ("let-stand",)
    plan = Plan(bids=(Bid.parse("1S"),), irregularities=None, acts=acts, apart=False)
    main = dict(searches(a, b, plan, None))[Part.CALLS]
    assert main.apart is not None
    assert main.apart.finished
    assert main.found.finished
    assert main.found.bounded
    assert main.of_any_number
    assert compare_behaviour(a, b, plan).coverage.irregularities is None
