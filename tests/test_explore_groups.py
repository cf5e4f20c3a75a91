"""Acts of the deal and the play, searched in groups: every act a law speaks of is offered with all that its rulings
depend on, and a house rule about any of them shows, by the shortest auction. The rules are listed in
`good/explore/house-rules.yaml`."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
import yaml
from test_differences import EDITIONS

from lawbook.auction import load
from lawbook.data import data_folder
from lawbook.edition.library import Library
from lawbook.edition.model import Edition
from lawbook.explore.apart import Apart
from lawbook.explore.bearing import together
from lawbook.explore.behaviour import compare_behaviour
from lawbook.explore.plan import Plan
from lawbook.values import Bid

RULES: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "good" / "explore" / "house-rules.yaml").read_text(encoding="utf-8")
)
PAIRS = [*itertools.combinations([*EDITIONS, "contract-2017"], 2)]
LAW = """\
title: Ours
topic: {topic}
in: [{{edition: our-club, law: none, evidence: custom}}]
summary: Ours.
sets aside: [{without}]
clauses:
"""


def our_club(folder: Path, rule: dict[str, Any]) -> Edition:
    """A code with one clause of its own in the place of another."""
    law = load(rule["code"]).by_id[rule["sets aside"]].law
    (folder / "laws").mkdir()
    clause = "".join(f"  {line}\n" for line in rule["clause"].splitlines())
    (folder / "laws" / "ours.yaml").write_text(
        LAW.format(topic=law.topic, without=rule["sets aside"]) + clause, encoding="utf-8"
    )
    (folder / "our-club.yaml").write_text(
        f"edition: our-club\ntitle: Ours\nbased on: {rule['code']}\nlaws: [ours.yaml]\n", encoding="utf-8"
    )
    return load("our-club", Library((folder / "laws", data_folder("laws")), (folder, data_folder("editions"))))


def groups_of(*editions: Edition) -> tuple[frozenset[str], ...]:
    return Apart(*editions, core=together(*editions)).groups()


@pytest.mark.parametrize("name", RULES)
def test_a_house_rule_shows(name: str, tmp_path: Path) -> None:
    rule = RULES[name]
    code, ours = load(rule["code"]), our_club(tmp_path, rule)
    (group, *_) = (group for group in groups_of(code, ours) if rule["act"] in group)
    plan = Plan(bids=(Bid.parse("1S"),), irregularities=1, acts=tuple(sorted(group)), apart=False)
    found = compare_behaviour(code, ours, plan)
    told = [finding for finding in found.findings if not finding.kind.alike]
    assert [f.witness.notation for f in told if f.witness is not None][:1] == [rule["auction"]]
    clauses = {clause.id for finding in told for clause in finding.clauses}
    assert clauses == {rule["sets aside"]}


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_every_act_that_laws_speak_of_is_offered(first: str, second: str) -> None:
    a, b = load(first), load(second)
    sorted_out = Apart(a, b, core=together(a, b))
    offered = together(a, b).union(*sorted_out.groups())
    assert {act for act in {*a.acts, *b.acts} if sorted_out.is_spoken_of(act)} <= offered


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_what_goes_with_an_act_in_one_edition_goes_with_it_in_two(first: str, second: str) -> None:
    both = groups_of(load(first), load(second))
    core = together(load(first), load(second))
    for edition in (first, second):
        for group in Apart(load(edition), core=core).groups():
            assert any(group <= wider for wider in both)
