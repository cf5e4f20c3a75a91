"""Kinds: what a difference amounts to, told from the first act that shows it."""

from __future__ import annotations

from lawbook.compare.findings import FindingKind
from lawbook.explore.product import Divergence, Search
from lawbook.explore.space import Choosable, Reply, View
from lawbook.machine.ruling import Verdict


def kind_of(divergence: Divergence, search: Search) -> FindingKind:
    """What a differing act amounts to, the second edition seen from the first."""
    first, second = search.pairs[divergence.node]
    reply_a, reply_b = search.a.reply(first, divergence.offer), search.b.reply(second, divergence.offer)
    if reply_a.verdict is not reply_b.verdict:
        if Verdict.REFUSED in (reply_a.verdict, reply_b.verdict):
            # What an edition knows nothing of it neither allows nor forbids.
            return FindingKind.OTHER_RESULT
        return FindingKind.STRICTER if reply_b.verdict is Verdict.IRREGULAR else FindingKind.LAXER
    if {*reply_a.offences} != {*reply_b.offences}:
        return _severer(len(reply_a.offences), len(reply_b.offences))
    if reply_a.points != reply_b.points:
        return FindingKind.OTHER_SCORE
    before = search.a.view(first)
    view_a, view_b = search.a.seen(divergence.after_a, reply_a), search.b.seen(divergence.after_b, reply_b)
    if view_a.choosable != view_b.choosable:
        return _of_remedies(before, reply_a, view_a, view_b)
    return FindingKind.OTHER_RESULT


def _severer(a: int, b: int) -> FindingKind:
    if a == b:
        return FindingKind.OTHER_RESULT
    return FindingKind.STRICTER if b > a else FindingKind.LAXER


def _of_remedies(before: View, reply: Reply, a: View, b: View) -> FindingKind:
    only_a, only_b = a.choosable - b.choosable, b.choosable - a.choosable
    offences = {*reply.offences}
    if not (only_a | only_b) & _new(a, b, offences):
        # What could be chosen before the act can now be chosen under one edition only.
        return FindingKind.OTHER_DEADLINE if only_a | only_b <= before.choosable else FindingKind.OTHER_REMEDY
    if not only_a and not any(choice.offence in offences for choice in a.choosable):
        return FindingKind.STRICTER
    if not only_b and not any(choice.offence in offences for choice in b.choosable):
        return FindingKind.LAXER
    if {(c.act, c.offence, c.offender) for c in only_a} == {(c.act, c.offence, c.offender) for c in only_b}:
        return FindingKind.OTHER_HOLDER
    return FindingKind.OTHER_REMEDY


def _new(a: View, b: View, offences: set[str]) -> frozenset[Choosable]:
    """The remedies for what was just done."""
    return frozenset(choice for choice in a.choosable | b.choosable if choice.offence in offences)
