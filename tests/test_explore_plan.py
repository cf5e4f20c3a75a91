"""How far a plan goes: deeper by one irregular act at a time, to the end where that is near, and within its budget."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
import thorough

from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.explore.plan import ENOUGH_BIDS, Part, Plan, Searched, bids_of
from lawbook.explore.product import OUT_OF_TIME, Bounds, Budget, Progress, memory_in_use
from lawbook.explore.searches import searches
from lawbook.loading import load
from lawbook.values import Bid

BIDS = (Bid.parse("1S"), Bid.parse("1C"))


def _searched(a: str, b: str, plan: Plan) -> dict[Part, Searched]:
    return dict(searches(load(a), load(b), plan, None))


def test_1908_against_1912_comes_to_its_end() -> None:
    found = _searched("portland-bath-1908", "whist-club-1912", Plan(bids=BIDS, apart=False))
    assert all(part.found.complete for part in found.values())
    assert set(found) == {Part.CALLS, Part.CORRECTIONS}
    # Any number of irregular acts is all there are.
    anything = _searched("portland-bath-1908", "whist-club-1912", Plan(bids=BIDS, irregularities=None, apart=False))
    for name, part in found.items():
        parted = [
            {(told.pairs[d.node], d.offer) for d in told.divergences} for told in (part.found, anything[name].found)
        ]
        assert len(parted[0]) == len(parted[1])
        assert {offer for _, offer in parted[0]} == {offer for _, offer in parted[1]}
    # The bids were named: whether they show everything is not known.
    assert not any(part.complete for part in found.values())


def test_enough_bids_are_complete() -> None:
    a, b = load("whist-club-1912"), load("whist-club-1913")
    few, enough = (bids_of(a, b, ("penalise",), Plan(most_bids=most)) for most in (2, ENOUGH_BIDS))
    assert not few.enough
    assert enough.enough
    assert len(enough.bids) > 4
    plan = Plan(most_bids=ENOUGH_BIDS, acts=("penalise",), irregularities=0)
    (only,) = _searched("portland-bath-1908", "portland-bath-1908@trump-declaration-1908=suits-only", plan).values()
    assert only.bids.enough
    assert not only.complete, "irregular acts were left out"


def test_corrections_come_to_their_end_with_rights_apart() -> None:
    plan = Plan(bids=BIDS[:1], irregularities=None, apart=False)
    found = _searched("whist-club-1912", "whist-club-1913", plan)
    calls, corrections = found[Part.CALLS], found[Part.CORRECTIONS]
    assert not calls.found.complete
    assert not corrections.found.complete
    assert calls.of_any_number
    assert corrections.of_any_number
    assert corrections.apart is calls.apart
    # Nobody says so where a correction depends on more than what is said of each player.
    raising = "whist-club-1912@sufficient-denomination=offender-chooses"
    plan = Plan(bids=BIDS[:1], irregularities=0, apart=False)
    assert not _searched("whist-club-1912", raising, plan)[Part.CORRECTIONS].of_any_number


@pytest.mark.skipif(not thorough.asked, reason="takes a minute or two; --thorough makes it")
@pytest.mark.parametrize(
    "pair", [("whist-club-1912", "whist-club-1913"), ("portland-bath-1908", "whist-club-1912")], ids=" ".join
)
def test_the_codes_are_searched_completely(pair: tuple[str, str]) -> None:
    plan = Plan(most_bids=ENOUGH_BIDS, irregularities=None, apart=False)
    assert all(part.complete for part in _searched(*pair, plan).values())


def test_what_does_not_end_goes_as_deep_as_was_asked() -> None:
    plan = Plan(bids=BIDS[:1], acts=("let-stand",), apart=False)
    (found,) = _searched("whist-club-1912", "whist-club-1912@out-of-turn-pass=counts-in-turn", plan).values()
    assert found.found.bounds == Bounds(1)
    assert found.found.bounded
    assert found.found.stopped_by is None
    deeper = Plan(bids=BIDS[:1], acts=("let-stand",), irregularities=0, open_at_once=1, apart=False)
    (found,) = _searched("whist-club-1912", "whist-club-1912@out-of-turn-pass=counts-in-turn", deeper).values()
    assert found.found.bounds == Bounds(0, 1)
    assert any(irregular for irregular in found.found.irregular)


def test_budgets_end_a_search() -> None:
    assert Budget().spent(None, 10**9, "positions") is None
    assert Budget(pairs=5).spent(None, 6, "positions") == "it had met more positions than 5"
    assert Budget().spent(0.0, 0, "positions") == OUT_OF_TIME
    assert memory_in_use() > 10
    assert Budget(memory=1).spent(None, 0, "positions") == "it had taken 1 MiB of memory"
    told: list[Progress] = []
    plan = Plan(bids=BIDS, acts=("let-stand",), memory=1)
    (found,) = dict(searches(load("whist-club-1912"), load("whist-club-1913"), plan, told.append)).values()
    assert found.found.stopped_by == "it had taken 1 MiB of memory"
    assert told[0].bounds == Bounds(0)


# -- few bids after irregular acts -------------------------------------------------------------------------------------

NO_TRUMP: Final = """
title: No trump {title}
topic: ours
in: [{{edition: {edition}, law: none, source: our club, evidence: custom}}]
summary: Three at no trump is forbidden {title}.
declares:
  registers:
    - register: disorder
      type: number from 0 to 1
      starts: 0
      gloss: whether anybody has passed out of turn
  offences:
    - offence: bids three at no trump
      gloss: a bid of three odd tricks at no trump
clauses:
  - id: no-trump
    says: Nobody may bid three at no trump {title}.
    when: a player bids
    if all of:
      - the caller is in turn
      - the tricks of the bid are 3
      - the denomination of the bid is no trump
      - {fact}
    offence: bids three at no trump
    the call: stands
  - id: disorder-is-remembered
    says: That somebody has passed out of turn is remembered.
    when: a player passes
    if: the caller is not in turn
    effects: the disorder becomes 1
"""


def club(folder: Path, title: str, fact: str) -> Edition:
    """An edition with one law more than 1912 has."""
    name = f"club-{title.split()[1]}"
    (folder / name / "laws" / "ours").mkdir(parents=True)
    law = NO_TRUMP.format(title=title, edition=name, fact=fact)
    (folder / name / "laws" / "ours" / "no-trump.yaml").write_text(law, encoding="utf-8")
    edition = f"edition: {name}\ntitle: Ours\nbased on: whist-club-1912\nlaws: [ours/no-trump.yaml]\n"
    (folder / name / f"{name}.yaml").write_text(edition, encoding="utf-8")
    return load(name, Library((folder / name / "laws", data_folder("laws")), (folder / name, data_folder("editions"))))


FIVE_BIDS: Final = tuple(map(Bid.parse, ("1C", "1S", "2C", "2S", "3N")))


@pytest.mark.parametrize(
    ("title", "fact", "depth", "with_few"),
    [
        ("after doubling", "the doubling is not 0", 0, True),
        ("after disorder", "the disorder is 1", 1, False),
    ],
)
def test_few_bids_after_an_irregular_act(tmp_path: Path, title: str, fact: str, depth: int, with_few: bool) -> None:
    """What only the fifth bid shows is found: in order by the search with all of them, and after an irregular act
    because rights followed apart show that few are not enough."""
    plan = Plan(bids=FIVE_BIDS, acts=("let-stand",), irregularities=None)
    (found,) = dict(searches(load("whist-club-1912"), club(tmp_path, title, fact), plan, None)).values()
    assert found.of_any_number
    assert found.accounted_for.bids == FIVE_BIDS
    assert (found.in_order is not None) is with_few
    fewest = min(search.irregular[d.node] for search in found.all_found for d in search.divergences)
    assert fewest == depth
