"""The shipped laws: their examples hold, each clause is shown by one, and rulings follow from the files alone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lawbook.auction import Auction, load
from lawbook.data import data_folder
from lawbook.diagnostics import render
from lawbook.edition.library import Library
from lawbook.edition.resolve import resolve
from lawbook.examples import Outcome, as_diagnostic, run, shown_by
from lawbook.values import Seat

SHIPPED = Library.shipped()
EDITIONS = sorted(SHIPPED.edition_files())


# -- examples --------------------------------------------------------------------------------------------------------


def outcomes_of(name: str) -> Iterator[Outcome]:
    for example in shown_by(SHIPPED, load(name)):
        yield from run(example)


@pytest.mark.parametrize("name", EDITIONS)
def test_every_example_of_every_law_holds(name: str) -> None:
    failed = [as_diagnostic(o) for o in outcomes_of(name) if not o.passed]
    assert not failed, render(failed, source=lambda file: Path(file).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", EDITIONS)
def test_every_clause_has_an_example_beside_it(name: str) -> None:
    """No law with clauses that can be shown is without examples of its own."""
    edition = load(name)
    with_examples = {example.file for example in shown_by(SHIPPED, edition)}
    assert {clause.law.file for clause in edition.clauses} <= with_examples


# -- rulings follow from the files -----------------------------------------------------------------------------------

Edit = Callable[[str, str, str, str], None]


@pytest.fixture
def own(tmp_path: Path) -> tuple[Edit, Library]:
    """A copy of the laws in which one text of one clause can be replaced, and the library that reads it."""
    shutil.copytree(data_folder("laws"), tmp_path / "laws")
    shutil.copytree(data_folder("editions"), tmp_path / "editions")

    def edit(file: str, clause: str, old: str, new: str) -> None:
        path = tmp_path / "laws" / file
        before, start, rest = path.read_text(encoding="utf-8").partition(f"  - id: {clause}\n")
        body = re.split(r"(?m)^(?=  - id: |examples:)", rest, maxsplit=1)[0]
        assert body.count(old) == 1, f"{clause} holds `{old}` {body.count(old)} times"
        path.write_text(before + start + body.replace(old, new) + rest[len(body) :], encoding="utf-8")

    return edit, Library((tmp_path / "laws",), (tmp_path / "editions",))


def last(library: Library, edition: str, auction: str) -> tuple[str, Auction]:
    """The verdict on the last act of an auction, and the auction after it."""
    # Resolved anew: the facade keeps the editions it has loaded.
    played = Auction(resolve(edition, library))
    return played.play(auction)[-1].verdict.value, played


def options(library: Library, edition: str, auction: str) -> list[str]:
    return [str(option) for option in last(library, edition, auction)[1].options]


VALUES = "values/tricks/whist-club-1912.yaml"
INSUFFICIENT = "irregularities/insufficient/whist-club-1912.yaml"


def test_a_royal_spade_worth_five(own: tuple[Edit, Library]) -> None:
    edit, library = own
    assert last(library, "whist-club-1912", "1D 1R")[0] == "legal"
    edit(VALUES, "value-of-tricks", "royal spades: 9", "royal spades: 5")
    assert last(library, "whist-club-1912", "1D 1R")[0] == "irregular"
    assert last(library, "whist-club-1912", "1R 1C")[0] == "legal"
    # The penalty follows too: over one diamond, seven points, it takes two royal spades, ten.
    assert str(last(library, "whist-club-1912", "1D 1R N:penalise P P P")[1].contract) == "2R by E"


def test_another_holder(own: tuple[Edit, Library]) -> None:
    edit, library = own
    before = options(library, "whist-club-1912", "2H 2D")
    assert before == ["N:let-stand", "N:penalise", "S:let-stand", "S:penalise"]
    edit(
        INSUFFICIENT, "penalise-insufficient", "holder: either adversary", "holder: the left neighbour of the offender"
    )
    assert options(library, "whist-club-1912", "2H 2D") == ["S:let-stand", "S:penalise"]


def test_another_deadline(own: tuple[Edit, Library]) -> None:
    edit, library = own
    assert options(library, "whist-club-1912", "2H 2D P") == []
    edit(INSUFFICIENT, "penalise-insufficient", "until: an adversary calls", "until: an adversary bids")
    assert "S:penalise" in options(library, "whist-club-1912", "2H 2D P")
    assert options(library, "whist-club-1912", "2H 2D 3H") == []


def test_another_end_of_a_bar(own: tuple[Edit, Library]) -> None:
    edit, library = own
    freed = "2H 2D S:penalise X"
    assert last(library, "whist-club-1912", freed)[1].debarred == ()
    edit(INSUFFICIENT, "bar-ends", "ends when stands: a bid or a double", "ends when stands: a bid")
    assert last(library, "whist-club-1912", freed)[1].debarred == (Seat.W,)
    assert last(library, "whist-club-1912", "2H 2D S:penalise 3H")[1].debarred == ()


def test_another_number_of_passes(own: tuple[Edit, Library]) -> None:
    edit, library = own
    edit("declaration/finality/whist-club-1912.yaml", "passes-that-close", "is: 3", "is: 2")
    assert last(library, "whist-club-1912", "1C P P")[1].status == "final"


def test_a_law_repealed_by_an_edition_of_three_lines(tmp_path: Path) -> None:
    """A house rule in the user's own folder."""
    (tmp_path / "house.yaml").write_text(
        "edition: house\nbased on: whist-club-1912\nrepeals: [irregularities/exposed-card/whist-club-1912.yaml]\n"
        "laws: [nobody-is-shut-out.yaml]\n",
        encoding="utf-8",
    )
    (tmp_path / "nobody-is-shut-out.yaml").write_text(
        "title: Exposed cards\ntopic: exposed-card\nin: [{edition: house, law: none, evidence: custom}]\n"
        "summary: A card may be shown.\nclauses:\n"
        "  - {id: may-show, entitled when: a player exposes a card}\n"
        "  - {id: debarred, quality: a player is debarred, means: the player is among the debarred players}\n",
        encoding="utf-8",
    )
    library = Library.shipped([tmp_path])
    assert last(library, "whist-club-1912", "1H S:expose")[0] == "irregular"
    verdict, auction = last(library, "house", "1H S:expose")
    assert (verdict, auction.debarred) == ("legal", ())
    assert last(library, "house", "2H 2D S:penalise")[1].debarred == (Seat.W,)


def test_a_reading_chosen_is_an_edition_like_any_other() -> None:
    chosen = "whist-club-1912@deadline-out-of-turn=no-deadline"
    assert options(SHIPPED, "whist-club-1912", "1C S:1H P") == []
    assert "E:new-deal" in options(SHIPPED, chosen, "1C S:1H P")
    assert load(chosen).hash != load("whist-club-1912").hash
    assert load("whist-club-1912@deadline-out-of-turn=adversary-calls").hash == load("whist-club-1912").hash
