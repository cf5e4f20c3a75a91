"""Behaviour: what the product search found of two editions, as findings that can be shown.

Searches go deeper by one irregular act at a time, as far as the budget lasts. Every witness is replayed by the ordinary
facade, which gives the answers that are shown.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Final

from lawbook.compare.findings import Behaviour, Coverage
from lawbook.compare.instead import Instead
from lawbook.compare.structure import Change, TopicComparison, compare_structure
from lawbook.edition.model import Edition
from lawbook.explore.bearing import bearing_on_calls, together
from lawbook.explore.otherwise import MOST_TRIED, Otherwise, otherwise
from lawbook.explore.patience import Patience
from lawbook.explore.plan import Part, Plan, Searched, bids_of
from lawbook.explore.product import Progress
from lawbook.explore.searches import searches
from lawbook.explore.telling import told
from lawbook.sentences import listed


def compare_behaviour(
    a: Edition,
    b: Edition,
    plan: Plan | None = None,
    progress: Callable[[Progress], None] | None = None,
    instead: Sequence[Instead] = (),
) -> Behaviour:
    """How two editions differ at the table, as far as the plan goes; without one, as far as a plan goes unless told
    otherwise. What there is `instead` of either is tried for removing what was found.

    >>> from lawbook.loading import load
    >>> compare_behaviour(load("whist-club-1912"), load("whist-club-1912")).differ
    False
    """
    plan = plan or Plan()
    if a.hash == b.hash:
        bids = bids_of(a, b, tuple(sorted(together(a, b))), plan)
        return Behaviour(
            a, b, (), Coverage(True, 0, 0, bids.bids, None, (_ONE_EDITION,), None, tuple(sorted({*a.acts})))
        )
    # What is only found in one text may stand in the other's part that was not at hand: that is no difference.
    unknown = {topic.topic: topic for topic in compare_structure(a, b).topics if topic.change is Change.NOT_AT_HAND}
    patience = Patience(plan.seconds)
    parts: dict[Part, list[Searched]] = {}
    try:
        for name, part in searches(a, b, plan, progress):
            parts.setdefault(name, []).append(part)
    except KeyboardInterrupt:
        if not parts:
            raise
        patience.interrupted = True
    if any(part.found.interrupted for of in parts.values() for part in of):
        patience.hurry(_AFTER_AN_INTERRUPT)
    (main,) = parts[Part.CALLS]
    with_calls = [part for name, of in parts.items() if name not in _APART for part in of]
    offered = {act for part in with_calls for act in part.acts}
    # What calls alone lead to is shown already when it comes to acts that bear on them, and to those of a group.
    led_to = {Part.BEARING: bearing_on_calls(a, b), Part.GROUP: frozenset({*a.acts, *b.acts} - offered)}
    found = told(((of, led_to.get(name)) for name, of in parts.items()), unknown, patience)
    searched = [part for of in parts.values() for part in of]
    everything = {*a.acts, *b.acts}
    complete = not patience.over and all(part.complete for part in with_calls)
    coverage = Coverage(
        complete and offered >= everything and all(part.complete for part in searched),
        sum(part.states for part in searched),
        sum(part.transitions for part in searched),
        main.accounted_for.bids,
        None if main.of_any_number else main.found.bounds.irregularities,
        (*_notes(parts, patience), *_not_at_hand(unknown.values())),
        None if main.of_any_number else main.found.bounds.open_at_once,
        tuple(sorted(offered)) if complete else None,
        patience.interrupted or any(part.found.stopped_by is not None for part in searched),
    )
    tried = otherwise(found, instead, patience)
    notes = (*coverage.notes, *_otherwise(tried, a, b))
    coverage = replace(coverage, notes=notes, ended_early=coverage.ended_early or tried.not_tried > 0)
    return Behaviour(a, b, tried.findings, coverage)


# The parts about what depends on more than calls do.
_APART: Final = (Part.PLAYER, Part.BEARING, Part.APART, Part.GROUP)
# Who interrupts a search waits so many seconds at most to hear why the editions differ.
_AFTER_AN_INTERRUPT: Final = 10
_ONE_EDITION: Final = "Their clauses mean the same, one and all, so there is nothing to search."


def _not_at_hand(topics: Iterable[TopicComparison]) -> Iterator[str]:
    titles = [topic.title for topic in topics]
    if titles:
        yield f"Not compared, because not all of the text was at hand: {listed(titles)}."


def _otherwise(tried: Otherwise, a: Edition, b: Edition) -> Iterator[str]:
    editions = zip(tried.tried, (a, b), strict=True)
    of = listed([f"{number:,} instead of {edition.name}" for number, edition in editions if number])
    if of:
        yield (
            f"To see what removes these differences, other readings or added laws were tried one at a time: {of}. Each "
            "was followed to the positions that show these differences and to no others: what removes one may make "
            "another."
        )
        if tried.chosen:
            yield f"Of a difference in more than {MOST_TRIED:,} pairs of positions, so many were tried, evenly chosen."
    if tried.not_tried:
        yield f"The search ended early: {tried.not_tried:,} more were not tried for removing them."


def _notes(parts: Mapping[Part, Sequence[Searched]], patience: Patience) -> Iterator[str]:
    (main,) = parts[Part.CALLS]
    yield main.accounted_for.note
    if main.found.beyond:
        yield "It went on after differences in ruling where the table looked alike; what follows others was left out."
    if main.apart is None and main.more_bids is not None and main.of_any_number:
        yield (
            f"The findings are of auctions with no bids but {_bids(main)}. Auctions of all bids offered were searched "
            "to their end: the editions part through no clause but those named."
        )
    if main.apart is not None:
        few = "" if main.in_order is None else f", and of bids after one only {_bids(main)}"
        yield (
            f"The findings are of auctions with {_depth(main)}{few}. With any number of irregular acts each open right "
            f"was followed by itself ({main.apart.tables:,} tables, {main.apart.rights:,} rights): the editions part "
            "through no clause but those named."
        )
    if any(found.doubtful for found in main.all_found):
        yield "Some positions were lost sight of: what was left of their auctions may differ in ways not listed."
    for part in itertools.chain(*parts.values()):
        if part.found.stopped_by is not None:
            yield f"The search ended early: {part.found.stopped_by}."
    if patience.over:
        why = "it was interrupted" if patience.interrupted else "the time was over"
        yield f"Why and when exactly they differ was not looked for to the end: {why}."
    if Part.CORRECTIONS in parts:
        (corrections,) = parts[Part.CORRECTIONS]
        if not corrections.found.complete:
            few = "" if corrections.bids.bids == main.accounted_for.bids else f" and no bids but {_bids(corrections)}"
            yield f"Corrections of calls were searched in auctions with {_depth(corrections)}{few}."
        if corrections.apart is not None:
            yield (
                "With any number of irregular acts, and all bids offered, whether each player may correct his call was "
                "followed by itself: on that the editions part through no clause but those named, and on a corrected "
                "call as on the call itself."
            )
    left_out = sorted(main.found.a.left_out & main.found.b.left_out)
    if left_out:
        yield f"Left out, for no ruling on the acts offered first depends on it: {listed(left_out)}."
    offered = {act for name, of in parts.items() if name not in _APART for part in of for act in part.acts}
    if Part.BEARING in parts:
        (part,) = parts[Part.BEARING]
        acts = listed(sorted({*part.acts} - offered))
        yield (
            f"Searched with calls, because it bears on them: {acts}; with no bids but "
            f"{_bids(part)}, in auctions with {_depth(part)}."
        )
    if Part.PLAYER in parts:
        (part,) = parts[Part.PLAYER]
        yield (
            f"Who would play the hand was compared in auctions of calls with no bids but {_bids(part)} and "
            f"{_depth(part)}."
        )
    others = listed(sorted({*main.found.a.edition.acts, *main.found.b.edition.acts} - offered))
    if Part.APART in parts:
        (part,) = parts[Part.APART]
        yield (
            "Searched apart, in auctions otherwise in order and with no bids but "
            f"{_bids(part)}: who plays the hand, and acts that depend on more than calls do ({others})."
        )
    groups = parts.get(Part.GROUP, ())
    if groups:
        yield from _of_groups(groups, offered)
    elif others and Part.APART not in parts:
        yield f"Acts not offered: {others}."
    if len(parts) > 1:
        yield (
            "When exactly they differ was checked in every pair of positions of the search that found the difference; "
            "after acts that only another search offers it may not be exact."
        )


def _of_groups(groups: Sequence[Searched], offered: Set[str]) -> Iterator[str]:
    """How far acts were searched in groups; an act of several groups goes as far as that which goes least far."""
    acts = {act for part in groups for act in part.acts} - offered
    yield (
        f"Searched besides, in {len(groups)} groups of acts with all that their rulings depend on, with calls and no "
        f"bid but {_bids(groups[0])}: {listed(sorted(acts))}."
    )
    depths = [_depth(part) for part in groups]
    least, *others = sorted({*depths}, key=depths.count, reverse=True)
    known = {act for part, depth in zip(groups, depths, strict=True) if depth == least for act in part.acts}
    besides = ""
    for other in others:
        own = {act for part, depth in zip(groups, depths, strict=True) if depth == other for act in part.acts}
        besides += f"; {listed(sorted((own & acts) - known))} in those with {other}"
    yield f"These were searched in auctions with {least}{besides}."
    followed = [part for part in groups if part.apart is not None]
    if followed:
        left = acts - {act for part in followed for act in part.acts}
        but = f", but for {listed(sorted(left))}" if left else ""
        yield (
            f"With any number of irregular acts each right that is open in such a group was followed by itself{but}: "
            "the editions part through no clause but those named."
        )


def _bids(part: Searched) -> str:
    """The bids that were searched."""
    return listed([str(bid) for bid in part.bids.bids])


def _depth(part: Searched) -> str:
    """How irregular the auctions are that were searched."""
    match part.found.bounds.irregularities:
        case None:
            return "any number of irregular acts"
        case 0:
            return "no irregular act before the one that differs"
        case 1:
            return "at most 1 irregular act before the one that differs"
        case most:
            return f"at most {most} irregular acts before the one that differs"
