"""Whatever is altered in a law, the search of two editions finds it, unless nothing anybody can see is altered by it.

An edition is searched against each of its mutants. What is found is what the tree-walking machine says too; what is not
is the same law by a truth table or, as far as enumeration goes, by every auction there is. Those of which that is all
that is known are listed with the reason in `good/explore/mutants.yaml`.
"""

from __future__ import annotations

from collections import Counter

import pytest
from mutated import LISTED, Told, edition_of, enumerated_apart, mutants, plans, told

from lawbook.explore import space
from lawbook.mutants.judging import spread

# So many mutants stand for all, and so many for those left undecided, on which every search is made in vain; the second
# number is for --thorough (None: every one).
SOME: dict[str, tuple[int, int | None]] = {"tinkers-1801": (24, None), "whist-club-1912, other laws": (2, 100)}
SOME_OF_SHIPPED = (4, 100)
SOME_UNDECIDED: dict[str, tuple[int, int | None]] = {
    "tinkers-1801": (2, None),
    # Their searches are the longest.
    "whist-club-1912, other laws": (0, 10),
    "whist-club-1913": (0, 10),
    "portland-bath-1908, other laws": (0, 10),
}
SOME_UNDECIDED_OF_SHIPPED = (1, 10)


@pytest.mark.parametrize("name", list(LISTED))
def test_what_is_altered_is_found(name: str, request: pytest.FixtureRequest) -> None:
    thorough = request.config.getoption("--thorough")
    edition, how, listed = edition_of(name), plans(name, thorough), LISTED[name]["undecided"]
    every = mutants(name)
    others = [mutant for mutant in every if str(mutant) not in listed]
    left = [mutant for mutant in every if str(mutant) in listed]
    most, most_left = SOME.get(name, SOME_OF_SHIPPED), SOME_UNDECIDED.get(name, SOME_UNDECIDED_OF_SHIPPED)
    asked = [*spread(others, most[thorough]), *spread(left, most_left[thorough])]
    seen = {mutant: told(mutant, edition, how) for mutant in asked}
    undecided = [mutant for mutant, fate in seen.items() if fate is Told.UNDECIDED]
    named = {*map(str, undecided)}
    assert named <= listed.keys()
    if not thorough or "further" not in LISTED[name]:
        # What is listed is still so.
        assert named == listed.keys() & {*map(str, asked)}
    # What the search does not find, enumeration finds neither: that it is listed is no excuse.
    shortly = how if thorough else how[:1]
    missed = [str(mutant) for mutant in undecided if enumerated_apart(mutant, edition, shortly, 2)]
    assert missed == []
    assert Counter(seen.values())[Told.FOUND] > len(asked) // 2


def test_all_that_is_listed_has_a_reason() -> None:
    for name, said in LISTED.items():
        texts = {str(mutant) for mutant in mutants(name)}
        assert said["undecided"].keys() <= texts
        assert all(reason for reason in said["undecided"].values())


def test_a_search_that_is_blind_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that does not see points does not tell what costs more, which enumeration does."""
    name = "tinkers-1801"
    edition, how = edition_of(name), plans(name)[1:2]
    dearer = next(m for m in mutants(name) if str(m).startswith("forfeit: number changed by one: 7 becomes 8"))
    assert told(dearer, edition, how) is Told.FOUND
    monkeypatch.setattr(space, "points_of", lambda rulings: ())
    assert told(dearer, edition, how) is Told.UNDECIDED
    assert enumerated_apart(dearer, edition, how, 2)
