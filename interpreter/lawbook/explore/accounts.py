"""Accounts: clauses not alike, a few at a time, with the deals in which two editions do not give the same by them.

The difference of two scores is a sum over the clauses not alike. It is gone through in parts, its accounts: the clauses
of one id in both editions are one, and two of which the one takes back what the other gives are made one. What an
account comes to turns on what its clauses ask, so that of an account only that is varied, all of it together, and the
rest of the deal is plain. Where every account comes to nothing so does their sum: a deal that scores differently has an
account that does not come to nothing, and that was met. That two accounts which have nothing to do with each other come
to as much more and less in one deal is chance, and what each of them is shows in others.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from lawbook.deals import Deal
from lawbook.edition.model import Clause, Scoring
from lawbook.explore.causes import Cause
from lawbook.explore.scoring import Place, Scorer, Site, sites, unlike
from lawbook.explore.told import Filling, Thing, asked, names_a_seat, parts_about_one
from lawbook.language.types import DENOMINATION
from lawbook.machine.evaluate import Bound, Values

Case: TypeAlias = tuple[int, ...]
"""A deal of an account: for each thing the account asks the place of its value among those tried."""
Pair: TypeAlias = tuple[Values, Values]

# An account of more deals than this is tried with few things at once that are not plain.
MOST_DEALS: Final = 30_000
_ODD_AT_ONCE: Final = 2
_MOST_COMPLETIONS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Account:
    """Clauses that are looked at together, by id: those that score or, if `refuses`, those by which deals are none to
    score. `asked` are the things varied, by key, `kinds` the places of the values of each that are not told apart.
    `whole`: all of them are tried together."""

    ids: frozenset[str]
    refuses: bool
    asked: tuple[str, ...]
    kinds: tuple[tuple[tuple[int, ...], ...], ...]
    whole: bool

    @property
    def tried(self) -> tuple[tuple[int, ...], ...]:
        """The places of the values tried, for each thing."""
        return tuple(tuple(kind[0] for kind in kinds) for kinds in self.kinds)

    @property
    def deals(self) -> int:
        """How many deals there are to try."""
        return sum(1 for _ in self.cases()) if not self.whole else math.prod(len(values) for values in self.tried)

    def cases(self) -> Iterator[Case]:
        """The deals to try."""
        if self.whole:
            yield from itertools.product(*self.tried)
            return
        plain = tuple(values[0] for values in self.tried)
        for number in range(_ODD_AT_ONCE + 1):
            for odd in itertools.combinations(range(len(self.asked)), number):
                for chosen in itertools.product(*(self.tried[place][1:] for place in odd)):
                    case = list(plain)
                    for place, value in zip(odd, chosen, strict=True):
                        case[place] = value
                    yield tuple(case)


class Ledgers:
    """Two editions' scoring, made ready to try deals: what may be told, and the clauses that are not alike."""

    def __init__(self, a: Filling, b: Filling, told: Sequence[Thing], plain: Deal, letters: tuple[str, ...]) -> None:
        self.plain, self.letters = plain, letters
        self.a, self.b = Scorer(a), Scorer(b)
        self.things = {thing.key: thing for thing in told}
        self.scoring = unlike(self.a, self.b, Scoring.DEAL)
        self.refusing = unlike(self.a, self.b, Scoring.REFUSED)
        self._by_id = tuple({clause.id: clause for clause in s.edition.clauses} for s in (self.a, self.b))
        unlike_names = {
            name
            for name in {*a.edition.definitions} & {*b.edition.definitions}
            if self.a.defined_by(name).normal != self.b.defined_by(name).normal
        }
        self.roots = frozenset(unlike_names)
        self._sites: dict[tuple[int, str, bool], tuple[Site, ...]] = {}

    @property
    def scorers(self) -> tuple[Scorer, Scorer]:
        """Of both editions."""
        return self.a, self.b

    def slot(self, which: int, key: str) -> int | None:
        """Where one edition holds what is told of a deal by a key; None where it does not ask that."""
        return next((fact.slot for fact in self.scorers[which].edition.facts.values() if fact.key == key), None)

    # -- deals ---------------------------------------------------------------------------------------------------------

    def deal(self, keys: Sequence[str], case: Case) -> Deal:
        """A deal in full: what is not told is plain, and the tricks those undertaken."""
        deal = self.plain
        for key, place in zip(keys, case, strict=True):
            deal = replace(deal, **self.things[key].values[place])
        if "dealer" not in keys:
            deal = replace(deal, dealer=deal.declarer)
        if "tricks" not in keys:
            deal = replace(deal, tricks=deal.contract.level + self.plain.tricks - self.plain.contract.level)
        return deal

    def filled(self, keys: Sequence[str]) -> Callable[[Case], Pair | None]:
        """A quick way from a case to the facts of both editions; None where one of them cannot know them."""
        places = [[s.filled.places[key] for key in keys] for s in self.scorers]
        plain = [list(s.filled.base) for s in self.scorers]
        contracts = self.things["contract"].values
        won = {change["tricks"]: place for place, change in enumerate(self.things["tricks"].values)}
        beyond = self.plain.tricks - self.plain.contract.level
        also = None if "tricks" in keys or "contract" not in keys else keys.index("contract")

        def values(case: Case) -> Pair | None:
            found = []
            for which, scorer in enumerate(self.scorers):
                held = plain[which].copy()
                for each, place in zip(places[which], case, strict=True):
                    filled = each[place]
                    if filled is None:
                        return None
                    for slot, value in filled:
                        held[slot] = value
                if also is not None:
                    level = contracts[case[also]]["contract"].level
                    for slot, value in scorer.filled.places["tricks"][won[level + beyond]] or ():
                        held[slot] = value
                found.append(tuple(held))
            return found[0], found[1]

        return values

    # -- accounts ------------------------------------------------------------------------------------------------------

    def accounts(self) -> list[Account]:
        """Each clause not alike, with its namesake of the other edition."""
        found = []
        for clauses, refuses in ((self.scoring, False), (self.refusing, True)):
            ids = dict.fromkeys(clause.id for of in clauses for clause in of)
            found += [self.account(frozenset({name}), refuses) for name in ids]
        return found

    def of(self, which: int, ids: frozenset[str]) -> list[Clause]:
        """The clauses of one edition, of those not alike, with these ids."""
        known = (*self.scoring[which], *self.refusing[which])
        return [clause for clause in known if clause.id in ids]

    def account(self, ids: frozenset[str], refuses: bool) -> Account:
        """The account of these clauses: what they ask, and a value of each kind that they, or the clauses by which
        deals are none to score, tell apart."""
        clauses = tuple(self.of(which, ids) for which in range(2))
        trees = [[s.trees(clause) for clause in of] for s, of in zip(self.scorers, clauses, strict=True)]
        turned = any(names_a_seat(s.filled, tree) for s, of in zip(self.scorers, trees, strict=True) for tree in of)
        single = frozenset() if turned else frozenset({"declarer"})
        keys = {
            key for s, of in zip(self.scorers, clauses, strict=True) for clause in of for key in s.things_of(clause)
        }
        order = [key for key in self.things if key in keys - single]
        classes = {key: self._classes(key, trees, single) for key in order}
        order = [key for key in order if len(classes[key]) > 1]
        kinds = tuple(classes[key] for key in order)
        return Account(ids, refuses, tuple(order), kinds, math.prod(len(each) for each in kinds) <= MOST_DEALS)

    def _classes(
        self, key: str, trees: Sequence[Sequence[object]], single: frozenset[str]
    ) -> tuple[tuple[int, ...], ...]:
        """The places of the values by kinds, the plainest of each first: clauses do not tell those of a kind apart."""
        usable = self._usable(key, single)
        asking: list[tuple[int, Callable[[Values], object] | None]] = []
        for which, scorer in enumerate(self.scorers):
            refusals = [
                tree
                for clause in scorer.of(Scoring.REFUSED)
                for tree in (scorer.trees(clause),)
                if scorer.filled.things_of(tree) - single > {key}
            ]
            parts = parts_about_one(scorer.filled, [*trees[which], *refusals], single)
            asking += [(which, asked(scorer.filled, part)) for about, part in parts if about == key]
        if any(ask is None for _, ask in asking):
            return tuple((place,) for place in usable)
        values = self.filled((key,))
        found: dict[object, list[int]] = {}
        for place in usable:
            pair = values((place,))
            if pair is not None:
                found.setdefault(tuple(ask(pair[which]) for which, ask in asking if ask is not None), []).append(place)
        return tuple(tuple(places) for places in found.values())

    def _usable(self, key: str, single: frozenset[str]) -> tuple[int, ...]:
        """The places of the values that both editions know and that are not, whatever else is told, none to score in
        either of them."""
        values = self.filled((key,))
        refusals = [
            [c for c in s.of(Scoring.REFUSED) if s.things_of(c) - single <= {key} and not s.untold(c)]
            for s in self.scorers
        ]
        found = []
        for place in range(len(self.things[key].values)):
            pair = values((place,))
            if pair is None:
                continue
            refused = [
                any(scorer.applies(clause, each) for clause in of)
                for scorer, of, each in zip(self.scorers, refusals, pair, strict=True)
            ]
            if not all(refused):
                found.append(place)
        return tuple(found)

    # -- what a deal comes to ------------------------------------------------------------------------------------------

    def difference(self, pair: Pair, ids: frozenset[str] | None = None) -> dict[Place, int]:
        """What the clauses of these ids (all that are not alike) give more in the first edition than in the second."""
        found: dict[Place, int] = {}
        for which, sign in ((0, 1), (1, -1)):
            scorer, values = self.scorers[which], pair[which]
            for clause in self.scoring[which]:
                if ids is None or clause.id in ids:
                    for place, points in scorer.gives(clause, values).items():
                        found[place] = found.get(place, 0) + sign * points
        return {place: points for place, points in found.items() if points}

    def refused(self, pair: Pair) -> tuple[list[Clause], list[Clause]]:
        """The clauses by which each edition does not score a deal."""
        return self.a.refusing(pair[0]), self.b.refusing(pair[1])

    def completions(self, account: Account, case: Case, pair: Pair) -> Iterator[tuple[tuple[str, ...], Case]]:
        """A case that is none to score as it is, with other things told beside it that the clauses which refuse it ask
        for."""
        asked = {
            key for s, of in zip(self.scorers, self.refused(pair), strict=True) for c in of for key in s.things_of(c)
        }
        more = [key for key in self.things if key in asked - {*account.asked} - {"declarer"}]
        if not more:
            return
        usable = [self._usable(key, frozenset({"declarer"})) for key in more]
        for chosen in itertools.islice(itertools.product(*usable), _MOST_COMPLETIONS):
            yield (*account.asked, *more), (*case, *chosen)

    # -- causes --------------------------------------------------------------------------------------------------------

    def causes(self, pair: Pair, ids: frozenset[str]) -> dict[int, Cause]:
        """The clauses not alike, of these ids, that make what they give a side not the same in a deal, by the side:
        those that give, the exceptions that keep others from it, and the definitions that say something else here."""
        found: dict[int, tuple[set[str], set[str]]] = {}
        for name in sorted(ids):
            clauses = self._namesakes(name)
            for bound in self._bounds(clauses):
                given = [
                    {} if clause is None else scorer.gives_to(clause, values, bound)
                    for scorer, clause, values in zip(self.scorers, clauses, pair, strict=True)
                ]
                for side in {
                    place[1] for place in {*given[0], *given[1]} if given[0].get(place) != given[1].get(place)
                }:
                    of = found.setdefault(side, (set(), set()))
                    gives = [any(place[1] == side for place in each) for each in given]
                    self._add(of, clauses, gives, pair, bound)
        return {side: Cause(frozenset(of[0]), frozenset(of[1])) for side, of in found.items()}

    def _add(
        self,
        found: tuple[set[str], set[str]],
        clauses: Sequence[Clause | None],
        gives: Sequence[bool],
        pair: Pair,
        bound: Bound,
    ) -> None:
        """Adds why namesakes do not give the same where they are read of one side or player."""
        for which, clause in enumerate(clauses):
            if clause is not None and gives[which]:
                found[which].add(clause.id)
            elif clause is not None:
                found[which].update(self._keeping(which, clause, pair[which], bound))
        self._add_roots(found, clauses, pair, bound, amounts=all(gives))
        first, second = clauses
        if first is None or second is None:
            # What the other lays down for the same offence stands in the place of a namesake.
            lacking, of = (0, second) if first is None else (1, first)
            if of is not None and of.penalty_for is not None:
                found[lacking].update(self._penalties(lacking, 1 - lacking, of.penalty_for))
        elif first.normal != second.normal:
            # One that gives nothing here does so in its own words.
            found[0].add(first.id)
            found[1].add(second.id)

    def _penalties(self, which: int, other: int, offence: int) -> Iterator[str]:
        """The clauses not alike that score for an offence, which the other edition knows by its number."""
        name = self.scorers[other].edition.offences[offence].name
        known = self.scorers[which].edition.offences
        for clause in self.scoring[which]:
            if clause.penalty_for is not None and known[clause.penalty_for].name == name:
                yield clause.id

    def _namesakes(self, name: str) -> tuple[Clause | None, Clause | None]:
        first, second = (next(iter(self.of(which, frozenset({name}))), None) for which in range(2))
        return first, second

    def refusal(self, pair: Pair, ids: frozenset[str]) -> Cause:
        """The clauses not alike, of these ids, by which only one edition scores a deal."""
        refused = [{c.id for c in of} & ids for of in self.refused(pair)]
        found: tuple[set[str], set[str]] = (refused[0], refused[1])
        for name in sorted(refused[0] ^ refused[1]):
            clauses = self._namesakes(name)
            for bound in self._bounds(clauses):
                self._add_roots(found, clauses, pair, bound, amounts=False)
        return Cause(frozenset(found[0]), frozenset(found[1]))

    def _bounds(self, clauses: Sequence[Clause | None]) -> list[Bound]:
        found: dict[tuple[object, ...], Bound] = {}
        for scorer, clause in zip(self.scorers, clauses, strict=True):
            for bound in [] if clause is None else scorer.bounds(clause):
                found.setdefault(tuple(bound.items()), bound)
        return list(found.values())

    def _keeping(self, which: int, clause: Clause, values: Values, bound: Bound) -> Iterator[str]:
        """The exceptions by which a clause that would apply does not."""
        scorer = self.scorers[which]
        if scorer.filled.evaluator.truth(clause.condition, values, bound):
            for exception in scorer.exceptions.get(clause.id, ()):
                if scorer.filled.sheet.holds(exception, values, bound):
                    yield exception.id

    def _add_roots(
        self,
        found: tuple[set[str], set[str]],
        clauses: Sequence[Clause | None],
        pair: Pair,
        bound: Bound,
        *,
        amounts: bool,
    ) -> None:
        """The definitions not alike that the clauses of both editions ask the same of and are answered otherwise, in
        their conditions and, if `amounts`, in what they give."""
        said: list[dict[object, object]] = [{}, {}]
        for which, clause in enumerate(clauses):
            if clause is not None:
                said[which] = self._said(which, clause, pair[which], bound, amounts)
        for key in said[0].keys() & said[1].keys():
            if said[0][key] != said[1][key]:
                name = str(key[0]) if isinstance(key, tuple) else ""
                for which, scorer in enumerate(self.scorers):
                    found[which].add(scorer.defined_by(name).id)

    def _said(self, which: int, clause: Clause, values: Values, bound: Bound, amounts: bool) -> dict[object, object]:
        scorer = self.scorers[which]
        evaluator, letters = scorer.filled.evaluator, scorer.edition.universe.letters
        known = self._sites.get((which, clause.id, amounts))
        if known is None:
            known = self._sites[which, clause.id, amounts] = sites(scorer, clause, self.roots, amounts)
        found: dict[object, object] = {}
        for site in known:
            if not site.variables <= bound.keys():
                continue
            given = tuple(
                letters[value] if each.type == DENOMINATION and value is not None else value
                for each in site.node.arguments
                for value in (evaluator.value(each, values, bound),)
            )
            found[site.name, given] = evaluator.value(site.node, values, bound)
        return found
