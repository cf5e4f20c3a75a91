"""Otherwise: what becomes of the differences found, where one of the two editions is taken otherwise.

A difference is so many acts, in positions that a search has met: both editions take the auction that leads to one
alike, and part on the act. Another edition, instead of one of them, takes that auction beside the other edition, and
every act of it is compared as the search compared it. It may rule the last act alike, which removes the difference
there; or not; or part from the other edition before it comes to that, and then the difference is not gone but earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from lawbook.compare.bearers import clauses_of, unlike
from lawbook.compare.findings import Finding, Removal, Witness, witness
from lawbook.compare.instead import Instead
from lawbook.edition.machines import mentions_of
from lawbook.edition.model import Clause, Edition, Law
from lawbook.explore.causes import Unlike
from lawbook.explore.patience import Patience
from lawbook.explore.product import Divergence, Search
from lawbook.explore.telling import Told
from lawbook.explore.turning import alike_all_round
from lawbook.explore.witnesses import auction_to

MOST_TRIED: Final = 1_000
"""So many of the acts that are a difference are tried at most, and `TRIED_FIRST` of them first."""
TRIED_FIRST: Final = 50
# So many acts that are then ruled alike are asked which clauses that is due to.
_ASKED_WHY: Final = 5

_Act: TypeAlias = tuple[Search, Divergence]
_Followed: TypeAlias = "dict[int, _Following]"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Findings with what removes them or some of them; how many editions were tried for that instead of the first and
    of the second; how many were not, for want of patience; and whether acts of some finding were left out."""

    findings: tuple[Finding, ...]
    tried: tuple[int, int]
    not_tried: int
    chosen: bool


def otherwise(told: Sequence[Told], instead: Sequence[Instead], patience: Patience) -> Otherwise:
    """The findings with what removes them, as far as patience lasts.

    Of a finding of very many acts some are tried, chosen evenly, and where none of the first is ruled alike no more. An
    edition that tells seats apart cannot be followed where the search did not."""
    acts = [_Acts(one) for one in told]
    removed: list[list[Removal]] = [[] for _ in told]
    tried = [0, 0]
    for other in instead:
        if patience.over:
            break
        followed: _Followed = {}
        try:
            found = [each.removed_by(other, followed) for each in acts]
        except KeyboardInterrupt:
            patience.interrupted = True
            break
        tried[other.place] += 1
        for so_far, removal in zip(removed, found, strict=True):
            so_far += () if removal is None else (removal,)
    findings = tuple(replace(one.finding, removed=tuple(by)) for one, by in zip(told, removed, strict=True))
    return Otherwise(findings, (tried[0], tried[1]), len(instead) - sum(tried), any(each.chosen for each in acts))


class _Acts:
    """The acts of a finding, one in each pair of positions, those with the shortest auctions first."""

    def __init__(self, told: Told) -> None:
        found: dict[object, _Act] = {}
        for search, divergences in told.acts:
            for divergence in divergences:
                found.setdefault((id(search), search.pairs[divergence.node], divergence.offer), (search, divergence))
        every = list(found.values())
        tried = _evenly(every, MOST_TRIED)
        self.chosen = len(tried) < len(every)
        self._tried = tried
        self._first = _evenly(range(len(tried)), TRIED_FIRST)

    def removed_by(self, other: Instead, followed: _Followed) -> Removal | None:
        """What becomes of the finding with one edition taken otherwise; None if nothing of it is removed."""
        outcomes = {at: self._is_alike(at, other, followed) for at in self._first}
        if True not in outcomes.values():
            return None
        for at in range(len(self._tried)):
            if at not in outcomes:
                outcomes[at] = self._is_alike(at, other, followed)
        alike = [self._tried[at] for at in sorted(outcomes) if outcomes[at]]
        still = [self._tried[at] for at in sorted(outcomes) if outcomes[at] is False]
        return Removal(
            other.place,
            other.edition,
            *_at_work(alike[:_ASKED_WHY], other, followed),
            len(alike),
            len(outcomes),
            sum(1 for is_alike in outcomes.values() if is_alike is None),
            _shown(still[0], other) if still else None,
        )

    def _is_alike(self, at: int, other: Instead, followed: _Followed) -> bool | None:
        search, divergence = self._tried[at]
        return _following(search, other, followed).is_alike(divergence)


def _evenly(every: Sequence[_T], most: int) -> list[_T]:
    """So many at most of what there is, the first among them."""
    return list(every) if len(every) <= most else [every[at * len(every) // most] for at in range(most)]


# -- following an auction ----------------------------------------------------------------------------------------------


def _following(search: Search, other: Instead, followed: _Followed) -> _Following:
    """The one edition taken otherwise beside the other of a search, made once."""
    found = followed.get(id(search))
    if found is None:
        found = followed[id(search)] = _Following(search, other)
    return found


class _Following:
    """An edition taken instead of one of the two of a search, which takes auctions of the search beside the other."""

    def __init__(self, search: Search, other: Instead) -> None:
        self._search = search
        self._place = other.place
        self._plain, self._beside = (search.a, search.b) if other.place == 0 else (search.b, search.a)
        self._can_follow = not self._plain.turned or alike_all_round(other.edition)
        self._space = self._plain.under(other.edition)
        # By the node, the state that the edition is in there; None where it has parted from the other before.
        self._states: dict[int, int | None] = {}

    def is_alike(self, divergence: Divergence) -> bool | None:
        """Whether both rule alike on an act that the editions of the search part on; None where they have parted on
        the way there."""
        before = self._state(divergence.node) if self._can_follow else None
        if before is None:
            return None
        return self._take(before, divergence.node, divergence.offer)[1]

    def why(self, divergence: Divergence) -> tuple[tuple[Clause, ...], tuple[Clause, ...]]:
        """The clauses by which the edition, as it is and as it is taken instead, rules otherwise on an act; none where
        that was settled before it."""
        node, offer = divergence.node, divergence.offer
        before = self._state(node)
        assert before is not None
        plain = self._search.pairs[node][self._place]
        after = self._plain.outcome(plain, offer)[1], self._space.outcome(before, offer)[1]
        cause = Unlike(self._plain, self._space).at((plain, before), Divergence(node, offer, *after))
        return clauses_of(self._plain.edition, cause.a), clauses_of(self._space.edition, cause.b)

    def _state(self, node: int) -> int | None:
        search, states = self._search, self._states
        nodes = [node]
        while nodes[-1] not in states and not search.is_start(nodes[-1]):
            nodes.append(search.parents[nodes[-1]])
        for here in reversed(nodes):
            if here in states:
                continue
            if search.is_start(here):
                states[here] = self._space.start(search.parents[here])
                continue
            parent = search.parents[here]
            before = states[parent]
            states[here] = None
            if before is not None:
                after, is_alike, goes_on = self._take(before, parent, search.offers[here])
                states[here] = after if is_alike or goes_on else None
        return states[node]

    def _take(self, before: int, node: int, offer: int) -> tuple[int, bool, bool]:
        """The state after an act of the edition in a state, whether the other edition says the same of it at a node,
        and whether the search would go on in any case."""
        reply, after = self._space.outcome(before, offer)
        other, beside = self._beside.outcome(self._search.pairs[node][1 - self._place], offer)
        looks_alike = self._space.view(after) is self._beside.view(beside)
        goes_on = self._search.beyond and looks_alike and reply.moved == other.moved
        return after, reply is other and looks_alike, goes_on


# -- what is told of it ------------------------------------------------------------------------------------------------


def _at_work(
    alike: Sequence[_Act], other: Instead, followed: _Followed
) -> tuple[tuple[str, ...], tuple[Law, ...], tuple[Clause, ...]]:
    """Of the readings and laws that an edition is taken otherwise in, those that have acts ruled alike, and the
    clauses, of it or of the edition as it is, that do. Where that was settled before these acts it is all of them, and
    all clauses that are not alike."""
    plain, instead = set[Clause](), set[Clause]()
    for search, divergence in alike:
        of_plain, of_instead = _following(search, other, followed).why(divergence)
        plain.update(of_plain)
        instead.update(of_instead)
    search = alike[0][0]
    before = (search.a, search.b)[other.place].edition
    if not plain and not instead:
        only_before, only_instead = unlike((before, other.edition))
        plain.update(clauses_of(before, only_before))
        instead.update(clauses_of(other.edition, only_instead))
    clauses = (
        *(clause for clause in before.clauses if clause in plain),
        *(clause for clause in other.edition.clauses if clause in instead),
    )
    used = _with_words(plain, before) | _with_words(instead, other.edition)
    names = {name for clause in used for name, _ in clause.reading}
    files = {clause.law.file for clause in used}
    readings = tuple(reading for reading in other.readings if reading.partition("=")[0] in names)
    laws = tuple(law for law in other.laws if law.file in files)
    return (readings, laws, clauses) if readings or laws else (other.readings, other.laws, clauses)


def _with_words(clauses: Iterable[Clause], edition: Edition) -> set[Clause]:
    """The clauses, and those that say what is meant by the words they use."""
    found: set[Clause] = set()
    pending = list(clauses)
    while pending:
        clause = pending.pop()
        if clause not in found:
            found.add(clause)
            words = mentions_of(clause).definitions & edition.definitions.keys()
            pending += [edition.by_id[edition.definitions[word].clause] for word in words]
    return found


def _shown(act: _Act, other: Instead) -> Witness:
    """The auction that leads to an act, with the answers of the edition taken instead and of the other."""
    search, divergence = act
    a, b = search.a.edition, search.b.edition
    a, b = (other.edition, b) if other.place == 0 else (a, other.edition)
    return witness(a, b, *auction_to(divergence.node, divergence.offer, search))
