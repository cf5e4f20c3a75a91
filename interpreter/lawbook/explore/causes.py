"""Causes: the clauses, not alike in two editions, that made them part.

The differing acts of a search are grouped by the clauses that took part in the ruling of one edition and that the other
does not have in the same meaning. Where none took part in the act itself, the cause is in what such clauses did
before, unseen, on the way there.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lawbook.compare import bearers
from lawbook.edition.model import Clause, Kind
from lawbook.explore.occasions import is_about, reads
from lawbook.explore.patience import Patience
from lawbook.explore.product import Divergence, Search, Way, way_to_part
from lawbook.explore.space import Choosable, Reply, Space, View
from lawbook.machine.dependence import reading
from lawbook.machine.ruling import Verdict
from lawbook.machine.state import State


@dataclass(frozen=True, slots=True)
class Cause:
    """Clauses of each edition, by id, that the other edition does not have in the same meaning."""

    a: frozenset[str]
    b: frozenset[str]

    def __or__(self, other: Cause) -> Cause:
        return Cause(self.a | other.a, self.b | other.b)

    def __le__(self, other: Cause) -> bool:
        return self.a <= other.a and self.b <= other.b

    def __lt__(self, other: Cause) -> bool:
        return self <= other and self != other

    def __bool__(self) -> bool:
        return bool(self.a or self.b)

    @property
    def size(self) -> int:
        """How many clauses it is."""
        return len(self.a) + len(self.b)


NO_CAUSE = Cause(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Group:
    """The differing acts of one cause, those with the shortest way there first.

    `earlier`: the clauses did nothing in the act itself, they had done before. `direction`: 1 where what the first
    edition allows is irregular in the second, -1 where it is the other way round, else 0.
    """

    cause: Cause
    earlier: bool
    divergences: tuple[Divergence, ...]
    direction: int = 0


def grouped(search: Search, after: frozenset[str] | None = None, patience: Patience | None = None) -> tuple[Group, ...]:
    """The differing acts by cause and direction, the one met first in the search first; of those only that one of the
    acts named in `after` leads to, if any are. When patience is over, one act is looked at for each way to part."""
    patience = patience or Patience()
    unlike = Unlike(search.a, search.b)
    found: dict[tuple[Cause, bool, int], list[Divergence]] = defaultdict(list)
    seen: set[Way] = set()
    for divergence in search.divergences if after is None else _after(search, after):
        way = way_to_part(search.a, search.b, search.pairs[divergence.node], divergence)
        if patience.over and way in seen:
            continue
        try:
            cause, earlier = unlike.at(search.pairs[divergence.node], divergence), False
            if cause == NO_CAUSE:
                cause, earlier = unlike.before(divergence, search), True
        except KeyboardInterrupt:
            patience.interrupted = True
            continue
        seen.add(way)
        found[cause, earlier, _direction(search, divergence)].append(divergence)
    return tuple(Group(cause, earlier, tuple(acts), direction) for (cause, earlier, direction), acts in found.items())


def with_reasons_of_their_own(groups: Sequence[Group], search: Search) -> list[Group]:
    """The groups without those whose cause is that of smaller ones together: each of their acts differs for reasons
    already shown, unless no shorter auction shows any of these."""
    return [group for group in groups if not _is_union(group, groups) or _is_shortest(group, groups, search)]


def _direction(search: Search, divergence: Divergence) -> int:
    """Whether what one edition allows is irregular in the other."""
    in_a, in_b = search.pairs[divergence.node]
    said = (search.a.reply(in_a, divergence.offer).verdict, search.b.reply(in_b, divergence.offer).verdict)
    if said == (Verdict.LEGAL, Verdict.IRREGULAR):
        return 1
    return -1 if said == (Verdict.IRREGULAR, Verdict.LEGAL) else 0


def _after(search: Search, acts: frozenset[str]) -> Iterator[Divergence]:
    """The divergences on such acts, or with one of them on the way."""
    places = {place for place, offer in enumerate(search.a.offers) if offer.name in acts}
    # Whoever a node comes from was met before it.
    led_to = [False] * len(search.pairs)
    for node, (parent, offer) in enumerate(zip(search.parents, search.offers, strict=True)):
        led_to[node] = offer in places or (parent < node and led_to[parent])
    return (d for d in search.divergences if led_to[d.node] or d.offer in places)


def unexplained(
    searches: Sequence[Search],
    ways: Mapping[Way, tuple[tuple[int, int], Divergence]],
    spaces: tuple[Space, Space] | None = None,
) -> tuple[Way, ...]:
    """Of ways to part, each with a pair of states that shows it (of `spaces`, or else of the first search), those that
    have a clause among their causes that is no cause of anything the searches have found. An earlier cause is told by
    what is not alike for it."""
    own = spaces is None
    known, unseen = NO_CAUSE, frozenset[str]()
    left = dict(ways)
    for search in searches:
        unlike = Unlike(search.a, search.b)
        shown = search.ways()
        if own and search is searches[0]:
            left = {way: told for way, told in ways.items() if way not in shown}
        if not left:
            return ()
        for told in shown.values():
            cause = unlike.at(*told)
            if cause == NO_CAUSE:
                names, cause = unlike.unseen(*told)
                unseen |= names
            known |= cause
    unlike = Unlike(*(spaces or (searches[0].a, searches[0].b)))

    def is_explained(pair: tuple[int, int], divergence: Divergence) -> bool:
        cause, names = unlike.at(pair, divergence), frozenset[str]()
        if cause == NO_CAUSE:
            names, cause = unlike.unseen(pair, divergence)
        return cause <= known and names <= unseen and bool(cause or names)

    return tuple(way for way, told in left.items() if not is_explained(*told))


def _made_of(cause: Cause, causes: Iterable[Cause]) -> bool:
    made = NO_CAUSE
    for part in causes:
        if part <= cause:
            made |= part
    return made == cause != NO_CAUSE


def _is_union(group: Group, groups: Sequence[Group]) -> bool:
    """Whether a group's cause is made up of those of smaller groups of its kind."""
    return _made_of(group.cause, (g.cause for g in groups if g.earlier == group.earlier and g.cause != group.cause))


def _is_shortest(group: Group, groups: Iterable[Group], search: Search) -> bool:
    """Whether none of the groups that a group's cause is made up of has a shorter auction."""

    def length(of: Group) -> int:
        return len(search.path(of.divergences[0].node))

    return all(length(other) >= length(group) for other in groups if other.cause < group.cause)


class Unlike:
    """Which clauses of two editions are not alike, and which of them take part in an act."""

    def __init__(self, a: Space, b: Space) -> None:
        self._a, self._b = a, b
        self.only_a, self.only_b = bearers.unlike((a.edition, b.edition))

    def at(self, pair: tuple[int, int], divergence: Divergence) -> Cause:
        """The unlike clauses that bear on what differs: in the ruling on the act in a pair of states, or in how the
        table looks then."""
        first, second = pair
        reply_a = self._a.reply(first, divergence.offer)
        reply_b = self._b.reply(second, divergence.offer)
        if (reply_a.verdict, reply_a.offences, reply_a.conflict) != (
            reply_b.verdict,
            reply_b.offences,
            reply_b.conflict,
        ):
            in_a, in_b = self._a.rulings(first, divergence.offer), self._b.rulings(second, divergence.offer)
            act = self._a.offers[divergence.offer].name
            refused = Verdict.REFUSED in (reply_a.verdict, reply_b.verdict)
            return self._cause(
                (*bearers.judging(in_a), *(bearers.entitling(self._a.edition, act) if refused else ())),
                (*bearers.judging(in_b), *(bearers.entitling(self._b.edition, act) if refused else ())),
            )
        view_a, view_b = self._a.seen(divergence.after_a, reply_a), self._b.seen(divergence.after_b, reply_b)
        only_a, only_b = view_a.choosable - view_b.choosable, view_b.choosable - view_a.choosable
        asked = _differing(view_a, view_b, reply_a.moved != reply_b.moved)
        # Rulings take long, and what can still be chosen only in the one edition asks for that of the other alone.
        both = asked or reply_a.points != reply_b.points
        in_a = self._a.rulings(first, divergence.offer) if both or only_b else ()
        in_b = self._b.rulings(second, divergence.offer) if both or only_a else ()
        cause = NO_CAUSE
        if reply_a.points != reply_b.points:
            cause |= self._cause(bearers.scoring(in_a), bearers.scoring(in_b))
        after_a, after_b = self._a.states[divergence.after_a], self._b.states[divergence.after_b]
        # A right that one edition has ended is missed because of what ended it, not of what gave it in the other.
        if only_a:
            ended = set(bearers.ending(self._b.machine, after_b, in_b, _at(self._b, only_a, reply_b)))
            given = () if ended else bearers.choosing(self._a.machine, after_a, _at(self._a, only_a, reply_a))
            cause |= self._cause(given, ended)
        if only_b:
            ended = set(bearers.ending(self._a.machine, after_a, in_a, _at(self._a, only_b, reply_a)))
            given = () if ended else bearers.choosing(self._b.machine, after_b, _at(self._b, only_b, reply_b))
            cause |= self._cause(ended, given)
        if asked:
            cause |= self._cause(
                bearers.writing(self._a.edition, in_a, asked), bearers.writing(self._b.edition, in_b, asked)
            )
        return cause

    def before(self, divergence: Divergence, search: Search) -> Cause:
        """The unlike clauses that wrote, on the way to a differing act, what is not alike there, and those that read it
        in the act."""
        pair = search.pairs[divergence.node]
        unseen, cause = self.unseen(pair, divergence)
        nodes = search.nodes_to(divergence.node)
        for node, following in itertools.pairwise(nodes):
            (in_a, in_b), offer = search.pairs[node], search.offers[following]
            cause |= self._cause(
                bearers.writers(self._a.rulings(in_a, offer), unseen),
                bearers.writers(self._b.rulings(in_b, offer), unseen),
            )
        return cause or self._first_unseen(nodes, search)

    def _first_unseen(self, nodes: Sequence[int], search: Search) -> Cause:
        """The unlike clauses that took part in the first act that left what is not alike, though they wrote none of
        it: such as those that have a call stand as another."""
        for node, following in itertools.pairwise(nodes):
            if _unseen(self._a, self._b, *search.pairs[following]):
                (in_a, in_b), offer = search.pairs[node], search.offers[following]
                return self._cause(
                    (clause.id for clause in bearers.taking_part(self._a.rulings(in_a, offer))),
                    (clause.id for clause in bearers.taking_part(self._b.rulings(in_b, offer))),
                )
        return NO_CAUSE

    def unseen(self, pair: tuple[int, int], divergence: Divergence) -> tuple[frozenset[str], Cause]:
        """The registers that a pair of states has not alike, and the unlike clauses that read them in the act."""
        unseen = _unseen(self._a, self._b, *pair)
        first, second = pair
        return unseen, self._cause(
            bearers.readers(self._a.edition, self._a.rulings(first, divergence.offer), unseen),
            bearers.readers(self._b.edition, self._b.rulings(second, divergence.offer), unseen),
        )

    def _cause(self, in_a: Iterable[str], in_b: Iterable[str]) -> Cause:
        return Cause(self.only_a.intersection(in_a), self.only_b.intersection(in_b))


def _at(space: Space, choices: Iterable[Choosable], reply: Reply) -> frozenset[Choosable]:
    """Choices with seats counted from who was in turn before an act, as they are counted after it."""
    return frozenset(choice.counted_on(-reply.moved) for choice in choices) if space.turned else frozenset(choices)


def _unseen(a: Space, b: Space, first: int, second: int) -> frozenset[str]:
    """The registers that two states which look alike do not have alike."""
    in_a, in_b = a.registers(first), b.registers(second)
    start_a, start_b = a.registers(a.start()), b.registers(b.start())
    return frozenset(
        name for name in {*in_a, *in_b} if in_a.get(name, start_b.get(name)) != in_b.get(name, start_a.get(name))
    )


@dataclass(frozen=True, slots=True)
class TakingPart:
    """Which clauses of each edition were found to take part in a ruling, and whether every ruling was looked at."""

    a: frozenset[str]
    b: frozenset[str]
    all_seen: bool


def taking_part(search: Search, in_a: Sequence[Clause], in_b: Sequence[Clause], most: int) -> TakingPart:
    """Which of these clauses of each edition take part in any ruling of a search, as far as so many rulings of each
    tell. Where the search did not come to its end, rulings in which what the clauses ask is the same are looked at
    once."""
    first, seen_a = _taking_part(search, search.a, 0, in_a, most)
    second, seen_b = _taking_part(search, search.b, 1, in_b, most)
    return TakingPart(first, second, seen_a and seen_b)


def _taking_part(
    search: Search, space: Space, which: int, clauses: Sequence[Clause], most: int
) -> tuple[frozenset[str], bool]:
    left = {clause.id: _Looking(space, clause) for clause in clauses}
    met: set[str] = set()
    looked = 0
    for number in dict.fromkeys(search.pairs[node][which] for node in search.gone_on_from):
        if not left:
            break
        state = space.states[number]
        places = {place for looking in left.values() for place in looking.places_in(state, search.complete)}
        looked += len(places)
        if looked > most:
            return frozenset(met), False
        for place in sorted(places):
            for clause in bearers.taking_part(space.rulings(number, place)):
                if left.pop(clause.id, None) is not None:
                    met.add(clause.id)
    return frozenset(met), True


class _Looking:
    """Looks for rulings of a space that a clause takes part in."""

    def __init__(self, space: Space, clause: Clause) -> None:
        edition = space.edition
        names = frozenset() if clause.trigger is None else clause.trigger.acts
        self._places = [place for place, offer in enumerate(space.offers) if offer.name in names]
        exceptions = [c for c in edition.clauses if c.kind is Kind.EXCEPTION and is_about(c, clause)]
        registers = set().union(*(reads(each, edition) for each in (clause, *exceptions)))
        self._read = reading(edition, registers - space.left_out)
        self._of_rights = clause.each_right or clause.kind in (Kind.REMEDY, Kind.LAPSE, Kind.WAIVER, Kind.EXCEPTION)
        self._seen: set[object] = set()

    def places_in(self, state: State, every: bool) -> Sequence[int]:
        """The offers to look at in a state: `every` one that the clause is read for, or these once for all states in
        which what the clause and the exceptions to it ask is the same."""
        if not every:
            rights = tuple((call.caller, call.rights) for call in state.held) if self._of_rights else ()
            asked = self._read(state.values), rights
            if asked in self._seen:
                return ()
            self._seen.add(asked)
        return self._places


def _differing(a: View, b: View, moved: bool) -> tuple[str, ...]:
    """The terms of the interface that two views differ in."""
    return (
        *(
            term
            for term in ("status", "contract", "doubling", "declarer", "debarred")
            if getattr(a, term) != getattr(b, term)
        ),
        *(("turn",) if moved else ()),
    )
