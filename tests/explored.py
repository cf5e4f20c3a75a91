"""What searches of two editions found, as data: recorded, read again, and replayed by the facade.

    python tests/explored.py [NAME ...]

searches anew what `good/explore/comparisons.yaml` lists (or only what is named there so) and writes what was found
beside it: of a pair every finding, of a reading the first act that shows it. A pair takes a minute of processor time, a
reading a few seconds; look at the difference before committing it.
"""

from __future__ import annotations

import functools
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from lawbook.auction import load
from lawbook.compare.findings import Answer, Behaviour, Finding, witness
from lawbook.edition.model import Clause, Edition
from lawbook.explore.behaviour import compare_behaviour
from lawbook.explore.plan import Plan
from lawbook.explore.product import Progress
from lawbook.explore.searches import searches
from lawbook.explore.witnesses import witness_of
from lawbook.loading import arguments_of
from lawbook.notation import parse_auction
from lawbook.values import Bid, Seat

FOLDER: Final = Path(__file__).parent / "good" / "explore"
LISTED: Final[dict[str, Any]] = yaml.safe_load((FOLDER / "comparisons.yaml").read_text(encoding="utf-8"))


def names() -> list[str]:
    """The comparisons listed: by a name of their own, or a reading against the edition it is one of."""
    return [*LISTED["pairs"], *LISTED["readings"]]


def asked(name: str) -> tuple[tuple[str, str], Plan]:
    """The editions of a comparison, and how far it goes."""
    if name in LISTED["pairs"]:
        said = {**LISTED["plan"], **LISTED["pairs"][name]}
        first, second = said["editions"]
        return (first, second), Plan(most_bids=said["bids"], irregularities=said["irregularities"])
    said = LISTED["readings"][name]
    plan = Plan(
        bids=tuple(Bid.parse(text) for text in said["bids"].split()),
        irregularities=said.get("irregularities", 1),
        acts=tuple(said["acts"]) if "acts" in said else None,
        apart=said.get("apart", False),
    )
    return (name.partition("@")[0], name), plan


def file_of(name: str) -> Path:
    """Where what a comparison found is recorded."""
    return FOLDER / (f"{name}.json" if name in LISTED["pairs"] else "readings.json")


def recorded(name: str) -> dict[str, Any]:
    """What a comparison found when it was recorded."""
    found = _read(file_of(name))
    return found if name in LISTED["pairs"] else found[name]


@functools.cache
def _read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def told(behaviour: Behaviour) -> dict[str, Any]:
    """What was found, in the form it is recorded in."""
    coverage = behaviour.coverage
    return {
        "editions": [behaviour.a.name, behaviour.b.name],
        "complete": coverage.complete,
        "states": coverage.states,
        "transitions": coverage.transitions,
        "bids": [str(bid) for bid in coverage.bids],
        "irregularities": coverage.irregularities,
        "findings": [_finding(finding) for finding in behaviour.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kind": finding.kind.value,
        "clauses": [[clause.id for clause in clauses] for clauses in (finding.clauses_a, finding.clauses_b)],
        "laws": [laws(finding.clauses_a), laws(finding.clauses_b)],
    }
    if not finding.exact:
        found["exact"] = False
    if finding.witness is not None:
        seen = finding.witness
        found |= {"dealer": str(seen.dealer), "auction": seen.notation, "differs in": differs_in(seen.a, seen.b)}
    return found


def laws(clauses: Sequence[Clause]) -> list[str]:
    """The numbers of the laws that clauses belong to."""
    return sorted({clause.law.number for clause in clauses if clause.law.number is not None})


def differs_in(a: Answer, b: Answer) -> list[str]:
    """What two answers to one auction do not have alike, that a search compares."""

    def said(answer: Answer) -> Mapping[str, object]:
        verdict = "refused" if answer.verdict is None else answer.verdict.value
        return {
            "verdict": verdict,
            "offences": sorted(offence.name for offence in answer.offences),
            "remedies": {(o.seat, o.act, o.offence, o.offender) for o in answer.options},
            "status": answer.status,
            "turn": answer.turn,
            "debarred": answer.debarred,
            "declaration": answer.declaration,
            "points": dict(answer.points),
        }

    first, second = said(a), said(b)
    return [key for key in first if first[key] != second[key]]


def replayed(a: Edition, b: Edition, dealer: str, auction: str) -> tuple[list[str], bool]:
    """What the facade says differently of the last act of an auction, and whether it says anything differently of those
    before."""
    known = {**arguments_of(a), **arguments_of(b)}
    acts = [token.act for token in parse_auction(auction, acts=known, letters={*a.letters_known.values()})]
    seat = Seat[dealer]
    before = any(
        differs_in(earlier.a, earlier.b)
        for earlier in (witness(a, b, seat, acts[:length]) for length in range(1, len(acts)))
    )
    last = witness(a, b, seat, acts)
    return differs_in(last.a, last.b), before


def search_anew(name: str) -> tuple[dict[str, Any], float]:
    """What a comparison finds now, and the seconds of processor time it took."""
    (first, second), plan = asked(name)
    a, b = load(first), load(second)
    began = time.process_time()
    found = told(compare_behaviour(a, b, plan)) if name in LISTED["pairs"] else first_shown(a, b, plan)
    return found, time.process_time() - began


def first_shown(a: Edition, b: Edition, plan: Plan) -> dict[str, Any]:
    """The shortest auction of the fewest irregular acts that shows a difference, or that nothing searched does."""
    states = 0
    for _, searched in searches(a, b, plan, until_found):
        if searched.found.divergences:
            seen = witness_of(searched.found.divergences[0], searched.found)
            differs = differs_in(seen.a, seen.b)
            return {"dealer": str(seen.dealer), "auction": seen.notation, "differs in": differs}
        states += searched.states
    return {"differs": "nowhere that was searched", "states": states}


def _in_short(found: Mapping[str, Any]) -> str:
    if "findings" in found:
        return f"{len(found['findings'])} findings, {found['states']} states"
    return str(found.get("auction", found.get("differs")))


def until_found(progress: Progress) -> None:
    """Ends a search, as an interrupt does, when it has found anything."""
    if progress.differing:
        raise KeyboardInterrupt


def main(wanted: Sequence[str]) -> None:
    """Search anew and record."""
    for name in wanted or names():
        # All of them first: who edits a law meanwhile would change what is searched.
        for edition in asked(name)[0]:
            load(edition)
    for name in wanted or names():
        found, seconds = search_anew(name)
        print(f"{name}: {_in_short(found)}, {seconds:.0f} s", flush=True)
        file = file_of(name)
        if name in LISTED["readings"]:
            before = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
            both = {**before, name: found}
            found = {reading: both[reading] for reading in LISTED["readings"] if reading in both}
        file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
