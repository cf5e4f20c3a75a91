"""Kinds: what a difference amounts to, told from the first act that shows it."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TypeAlias

from lawbook.compare.findings import FindingKind
from lawbook.edition.model import Choice, Clause, Edition, LetStand
from lawbook.explore.product import Divergence, Search
from lawbook.explore.space import Choosable, Reply, View
from lawbook.machine.ruling import Verdict
from lawbook.sections import Item, sections_of

_Remedy: TypeAlias = tuple[str, int, frozenset[tuple[Item, ...]] | str]
"""What may be chosen, whoever may: for which offence of whom, and what comes of it or, failing that, by which act."""


def kind_of(divergence: Divergence, search: Search) -> FindingKind:
    """What a differing act amounts to, the second edition seen from the first."""
    first, second = search.pairs[divergence.node]
    reply_a, reply_b = search.a.reply(first, divergence.offer), search.b.reply(second, divergence.offer)
    if reply_a.verdict is not reply_b.verdict:
        return _of_verdicts(reply_a.verdict, reply_b.verdict, _is_known(divergence.offer, search))
    if {*reply_a.offences} != {*reply_b.offences}:
        return _severer(len(reply_a.offences), len(reply_b.offences))
    if reply_a.points != reply_b.points:
        return FindingKind.OTHER_SCORE
    view_a, view_b = search.a.seen(divergence.after_a, reply_a), search.b.seen(divergence.after_b, reply_b)
    if view_a.choosable != view_b.choosable:
        return _of_remedies(
            search.a.view(first), reply_a, _Choices(view_a, search.a.edition), _Choices(view_b, search.b.edition)
        )
    return FindingKind.OTHER_RESULT


def _is_known(offer: int, search: Search) -> bool:
    """Whether both editions know an act."""
    return all(space.offers[offer].event(space.edition) is not None for space in (search.a, search.b))


def _of_verdicts(a: Verdict, b: Verdict, known: bool) -> FindingKind:
    if Verdict.REFUSED not in (a, b):
        return FindingKind.STRICTER if b is Verdict.IRREGULAR else FindingKind.LAXER
    if Verdict.IRREGULAR in (a, b) or not known:
        # What an edition knows nothing of it neither allows nor forbids.
        return FindingKind.OTHER_RESULT
    return FindingKind.STRICTER if b is Verdict.REFUSED else FindingKind.LAXER


def _severer(a: int, b: int) -> FindingKind:
    if a == b:
        return FindingKind.OTHER_RESULT
    return FindingKind.STRICTER if b > a else FindingKind.LAXER


class _Choices:
    """What may be chosen under one edition, and how the table looks but for that."""

    def __init__(self, view: View, edition: Edition) -> None:
        self.choosable = view.choosable
        self.remedies = {_remedy(choice, edition) for choice in view.choosable}
        self.elsewise = replace(view, choosable=frozenset())


def _of_remedies(before: View, reply: Reply, a: _Choices, b: _Choices) -> FindingKind:
    unlike = a.choosable ^ b.choosable
    alike_but_for_them = a.elsewise == b.elsewise
    if alike_but_for_them and a.remedies == b.remedies:
        return FindingKind.OTHER_HOLDER
    if not any(choice.offence in reply.offences for choice in unlike):
        # What could be chosen before the act can now be chosen under one edition only.
        return FindingKind.OTHER_DEADLINE if unlike <= before.choosable else FindingKind.OTHER_REMEDY
    # Where the table looks otherwise too, the law itself has done something in the place of a remedy.
    if alike_but_for_them and a.remedies < b.remedies:
        return FindingKind.STRICTER
    if alike_but_for_them and b.remedies < a.remedies:
        return FindingKind.LAXER
    return FindingKind.OTHER_REMEDY


def _remedy(choice: Choosable, edition: Edition) -> _Remedy:
    return choice.offence, choice.offender, _effects(edition, choice.offence, choice.act) or choice.act


@functools.lru_cache(maxsize=1_024)
def _effects(edition: Edition, offence: str, act: str) -> frozenset[tuple[Item, ...]]:
    """What comes of choosing an act for an offence, as each law says that gives the choice; nothing where that is only
    that the call stands, for then the act is the whole of it."""
    number = next((n for n, each in enumerate(edition.offences) if each.name == offence), None)
    return frozenset(
        section.items
        for clause in edition.clauses
        for choice in _choices(clause, number)
        if choice.act == act and not all(isinstance(effect, LetStand) for effect in choice.effects)
        for section in sections_of(clause, edition)
        if section.heading == f"choice {act}"
    )


def _choices(clause: Clause, offence: int | None) -> tuple[Choice, ...]:
    if clause.remedy is None or offence not in clause.remedy.offences:
        return ()
    return clause.remedy.choices
