"""The gaps of an edition as a dictionary and as text: each with its shortest auction, or how it is known."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from lawbook.edition.model import Clause, Edition
from lawbook.explore.gapkinds import Gap, GapKind, Proof
from lawbook.explore.gaps import Gaps, Searched
from lawbook.report import SCHEMA
from lawbook.report.layout import Page
from lawbook.sentences import law_name, listed, seat_name

_TITLES: Final = {
    GapKind.CONFLICT: "clauses that contradict each other",
    GapKind.ENDLESS: "what happens of itself and never ends",
    GapKind.UNDEFINED: "choices whose effect is not defined",
    GapKind.NOBODY_MAY: "auctions in which nobody may act",
    GapKind.REFUSED: "choices that are offered and then refused",
    GapKind.NO_EFFECT: "choices that changed nothing wherever they were made",
    GapKind.UNPENALISED: "offences for which nothing is laid down",
    GapKind.GOES_FREE: "offences for which nothing is laid down in some auctions",
    GapKind.NEVER_COMMITTED: "offences that nobody can commit",
    GapKind.NEVER_OPENS: "remedies that never open",
    GapKind.UNUSABLE: "rights that open and can never be used",
    GapKind.NEVER_OFFERED: "choices that are never to be had",
    GapKind.NEVER_DEFEATS: "exceptions that set nothing aside",
    GapKind.DEAD: "clauses that never apply",
}
_PROOFS: Final = {
    Proof.CONDITIONS: "proved: what it asks is never all so",
    Proof.SEARCH: "proved: the search was complete",
    Proof.SEEN: "proved: the contrary was seen",
}
_LAID_DOWN: Final = "Wherever an offence is committed that is not listed, something is laid down for it"
_ABSENT: Final = {
    Proof.SEARCH: "There are none of these, for the search is complete",
    Proof.CONDITIONS: "There are none of these in any auction, as what the clauses ask proves",
    Proof.SEEN: "There are none of these, for the contrary was seen of each clause and choice",
}


# -- for other programs ------------------------------------------------------------------------------------------------


def gaps_json(found: Gaps) -> dict[str, object]:
    """The gaps, with the keys of `gaps.schema.json`."""
    edition = found.edition
    return {
        "schema": SCHEMA,
        "edition": edition.name,
        "edition_hash": edition.hash,
        "findings": [_gap_json(gap) for gap in found.findings],
        "not_met": [_gap_json(gap) for gap in found.not_met],
        "absent": [{"kind": kind.value, "proof": found.absent[kind].value} for kind in GapKind if kind in found.absent],
        "kinds_not_met": [kind.value for kind in _not_met(found)],
        "remedy_not_proved": [_clause_json(clause) for clause in found.not_proved],
        "coverage": {
            "complete": found.complete,
            "searches": [_searched_json(search) for search in found.searches],
            "examples": found.known,
        },
        "not_searched": {
            "clauses": [_clause_json(clause) for clause in found.not_searched],
            "acts": list(found.not_offered),
            "acts_no_law_speaks_of": list(found.unspoken),
        },
        "not_at_hand": list(edition.not_at_hand),
        "readings": [{"reading": r.name, "chosen": r.chosen, "default": r.default} for r in edition.readings],
    }


def _gap_json(gap: Gap) -> dict[str, object]:
    witness = gap.witness
    shown = None
    if witness is not None:
        shown = {"dealer": str(witness.dealer), "auction": witness.auction, "shortest": witness.shortest}
    return {
        "kind": gap.kind.value,
        "clauses": [_clause_json(clause) for clause in gap.clauses],
        "offence": gap.offence,
        "act": gap.act,
        "message": None if gap.problem is None else gap.problem.message,
        "witness": shown,
        "proof": None if gap.proof is None else gap.proof.value,
    }


def _clause_json(clause: Clause) -> dict[str, object]:
    span = clause.span
    place = {"file": span.file, "line": span.line, "column": span.column}
    return {"law": clause.law.number, "clause": clause.id, **place}


def _searched_json(search: Searched) -> dict[str, object]:
    return {
        "acts": list(search.acts),
        "bids": [str(bid) for bid in search.bids.bids],
        "irregularities": search.irregularities,
        "states": search.states,
        "transitions": search.transitions,
        "complete": search.complete,
        "stopped_by": search.stopped_by,
    }


# -- for a reader ------------------------------------------------------------------------------------------------------


def gaps_text(found: Gaps, page: Page) -> Iterator[str]:
    """The gaps by kind, the gravest first, then what was not met, what was searched, and what is open in the text."""
    edition = found.edition
    yield page.paint(edition.name, "bold")
    yield from page.wrap(_summary(found), 2)
    for kind, gaps in itertools.groupby(found.findings, key=lambda gap: gap.kind):
        yield ""
        yield from page.heading(_TITLES[kind])
        for gap in gaps:
            yield from _gap_lines(gap, page)
    if found.not_met:
        yield ""
        yield from page.heading("not met as far as was searched")
        for gap in found.not_met:
            yield from _gap_lines(gap, page)
    yield ""
    yield from page.heading("what was searched")
    for sentence in _coverage(found):
        yield from page.wrap(sentence)
    for sentence in _open(edition):
        yield from page.wrap(sentence)


def _summary(found: Gaps) -> str:
    findings = _counted(len(found.findings), "finding")
    if not found.not_met:
        return f"{findings}."
    return f"{findings}; besides, {_counted(len(found.not_met), 'thing')} not met as far as was searched."


def _gap_lines(gap: Gap, page: Page) -> Iterator[str]:
    what = [name for name in (gap.offence, gap.act) if name is not None]
    cited = [f"{law_name(clause.law.number)}, {clause.id}" for clause in gap.clauses]
    head = ": ".join(filter(None, (", ".join(what), "; ".join(cited)))) or "the player in turn has no lawful call"
    yield from page.wrap(head, 2, 4)
    if gap.problem is not None:
        yield from page.wrap(gap.problem.message, 4)
    if gap.witness is not None:
        auction = gap.witness.auction or "before any act"
        whose = "" if gap.witness.shortest else "; of an example, there may be a shorter one"
        yield from page.wrap(f"{auction}  (dealer {seat_name(gap.witness.dealer)}{whose})", 4)
    else:
        known = gap.kind.value if gap.proof is None else _PROOFS[gap.proof]
        read = _read_by(gap)
        yield from page.wrap(known + (f"; read for: {read}" if read else ""), 4)
    if gap.kind in (GapKind.CONFLICT, GapKind.ENDLESS, GapKind.UNDEFINED):
        for clause in gap.clauses:
            yield from page.wrap(f"{clause.span.file}:{clause.span.line}:{clause.span.column}", 4)


def _read_by(gap: Gap) -> str:
    """The acts that clauses are read for, or the clauses that they are about."""
    acts = sorted({act for clause in gap.clauses if clause.trigger is not None for act in clause.trigger.acts})
    about = sorted({target for clause in gap.clauses for target in clause.targets})
    named = acts or about
    return listed([*named[:5], f"{len(named) - 5} more"] if len(named) > 6 else named)


def _coverage(found: Gaps) -> Iterator[str]:
    yield (
        "The search is complete: what is not listed is in no auction."
        if found.complete
        else "The search is not complete: there may be more than is listed, but for what is proved here."
    )
    for proof, sentence in _ABSENT.items():
        kinds = [_TITLES[kind] for kind in GapKind if found.absent.get(kind) is proof]
        if kinds:
            yield f"{sentence}: {listed(kinds)}."
    none = [_TITLES[kind] for kind in _not_met(found)]
    if none:
        yield f"None of these was met: {listed(none)}."
    if found.not_proved:
        cited = [f"{clause.id} ({law_name(clause.law.number)})" for clause in found.not_proved]
        yield f"{_LAID_DOWN}. That is proved, but for these, of which nothing else was met: {listed(cited)}."
    elif not found.complete:
        yield f"{_LAID_DOWN}: that is proved."
    if found.searches:
        first, *others = found.searches
        yield _searched(first)
        if first.bids.note:
            yield first.bids.note
        if others:
            states, acts = sum(s.states for s in others), sum(s.transitions for s in others)
            size = f"{_counted(states, 'position')} and {_counted(acts, 'act')}"
            fewer = ", with fewer bids," if any(len(s.bids.bids) < len(first.bids.bids) for s in others) else ""
            named = listed(sorted({act for search in others for act in search.acts} - {*first.acts}))
            number = _counted(len(others), "search", "searches")
            yield f"In {number} apart{fewer} {size} were searched" + (f": {named}." if named else ".")
    cut = [search for search in found.searches if search.stopped_by is not None]
    if cut:
        reasons = "; or ".join(sorted({str(search.stopped_by) for search in cut}))
        yield f"{_counted(len(cut), 'search', 'searches')} ended early: {reasons} (--states and --seconds say how far)."
    if found.known:
        yield f"The auctions of {_counted(found.known, 'example')} were looked through as well."
    if found.not_searched:
        yield f"Clauses not searched: {listed([clause.id for clause in found.not_searched])}."
    missing = sorted({*found.not_offered} - {*found.unspoken})
    if missing:
        yield f"Acts not offered: {listed(missing)}."
    if found.unspoken:
        yield f"Acts that no law speaks of: {listed(found.unspoken)}."


def _not_met(found: Gaps) -> list[GapKind]:
    """The kinds of which none was found, and it is not known that there is none."""
    kinds = {gap.kind for gap in found.gaps}
    return [kind for kind in GapKind if kind not in kinds and kind not in found.absent]


def _searched(search: Searched) -> str:
    bids = " ".join(str(bid) for bid in search.bids.bids)
    deep = (
        "any number of irregular acts"
        if search.irregularities is None
        else f"at most {_counted(search.irregularities, 'irregular act')} before the last"
    )
    with_acts = f", with {listed(search.acts)}" if search.acts else ""
    return (
        f"{_counted(search.states, 'position')} and {_counted(search.transitions, 'act')} were searched, with {deep}, "
        f"over {_counted(len(search.bids.bids), 'bid')}: {bids}{with_acts}."
    )


def _open(edition: Edition) -> Iterator[str]:
    if edition.not_at_hand:
        yield f"Texts not at hand: {'; '.join(edition.not_at_hand).rstrip('.')}."
    if edition.readings:
        chosen = [f"{reading.name}={reading.chosen}" for reading in edition.readings]
        yield f"Open points of the text, as they are read here: {listed(chosen)}."


def _counted(number: int, one: str, several: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else several or one + 's'}"
