"""What removes a difference at the table, as a dictionary and in words: a reading taken otherwise, or a decision."""

from __future__ import annotations

from lawbook.compare.findings import Behaviour, Finding, Removal, Witness
from lawbook.report.auction import clause_json
from lawbook.sentences import law_name, laws_named, listed, seat_name
from lawbook.values import Seat


def removal_json(removal: Removal) -> dict[str, object]:
    """One of what removes a difference, or some of it, with the keys of `compare.schema.json`."""
    still = removal.still
    return {
        "removes": removal.removes,
        "instead_of": removal.place,
        "through": removal.through.name,
        "readings": list(removal.readings),
        "laws": [law.number for law in removal.laws],
        "clauses": [clause_json(clause) for clause in removal.clauses],
        "alike": removal.alike,
        "tried": removal.tried,
        "earlier": removal.earlier,
        "still": None if still is None else {"dealer": str(still.dealer), "auction": still.notation},
    }


def by_what(removal: Removal) -> str:
    """The decisions and the readings: `Decision 2`, `referrer=either`."""
    return listed([*(law_name(law.number) for law in removal.laws), *removal.readings])


def removed_sentence(behaviour: Behaviour) -> str:
    """How many of the differences a reading or a decision removes, and how many in part; empty if none."""
    wholly = sum(1 for finding in behaviour.findings if any(removal.removes for removal in finding.removed))
    partly = sum(1 for finding in behaviour.findings if finding.removed) - wholly
    if not wholly and not partly:
        return ""
    parts = [f"{wholly:,}"] if wholly else []
    if partly:
        parts.append(f"part of {partly:,}{' more' if wholly else ''}")
    return f"Of these, a reading or a decision by itself removes {listed(parts)}."


def removal_sentences(behaviour: Behaviour, finding: Finding) -> list[str]:
    """What would have the editions rule alike, each in a sentence."""
    return [_sentence(behaviour, finding, removal) for removal in finding.removed]


def _sentence(behaviour: Behaviour, finding: Finding, removal: Removal) -> str:
    edition = (behaviour.a, behaviour.b)[removal.place]
    where = f"{laws_named(removal.clauses)} in {edition.name}" if removal.readings else removal.through.name
    return f"With {by_what(removal)} ({where}) they rule alike{_extent(finding, removal)}."


def _extent(finding: Finding, removal: Removal) -> str:
    """In how many of the pairs of positions that show it, and what becomes of the others."""
    if removal.removes and removal.tried == finding.positions:
        return " in all of them" if removal.tried > 1 else ""
    of = "them" if removal.tried == finding.positions else f"the {removal.tried:,} of them that were tried"
    if removal.removes:
        return f" in all of {of}"
    return f" in {removal.alike:,} of {of}{rest(removal)}"


def rest(removal: Removal) -> str:
    """What becomes of the acts that are not ruled alike."""
    earlier = f"; in {removal.earlier:,} they part before it comes to that" if removal.earlier else ""
    return earlier if removal.still is None else f"{earlier}; not in {auction(removal.still)}"


def auction(shown: Witness) -> str:
    """An auction, and who dealt it where that is not North."""
    return shown.notation if shown.dealer is Seat.N else f"{shown.notation} (dealer {seat_name(shown.dealer)})"
