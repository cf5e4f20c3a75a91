"""Scores: how two editions score deals differently, each cause with the plainest deal that shows it.

No deal is left out that scores differently for a cause that is not shown, within the values that are said to be tried:
`accounts` tells why only what clauses not alike ask together has to be varied together, and `told` why one value stands
for others.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from lawbook.compare.bearers import clauses_of
from lawbook.compare.scores import Asked, ScoreCoverage, ScoreFinding, Scores, deal_answer
from lawbook.compare.structure import Change, compare_structure
from lawbook.deals import Deal
from lawbook.edition.model import Edition, Scoring
from lawbook.explore.accounts import Account, Case, Ledgers, Pair
from lawbook.explore.causes import NO_CAUSE, Cause
from lawbook.explore.scorefacts import NOBODY
from lawbook.explore.scorewhen import when_of
from lawbook.explore.scoring import unlike
from lawbook.explore.told import filling, plain_deal, plainness, things
from lawbook.sentences import listed

# So many deals of a cause are looked through for one that shows nothing else.
_MOST_LOOKED_AT: Final = 200


@dataclass(frozen=True, slots=True)
class Tried:
    """A deal that was tried for an account: what is told of it, as keys and places, and its facts under both editions;
    for each side that scores otherwise by the account why it does (`NOBODY`: why only one edition scores the deal at
    all). `taken_back` are those for which other clauses, that ask for too much to be looked at together with these,
    give as much less."""

    keys: tuple[str, ...]
    case: Case
    pair: Pair
    causes: Mapping[int, Cause] = field(default_factory=dict)
    taken_back: Mapping[int, Cause] = field(default_factory=dict)


@dataclass(frozen=True)
class Gone:
    """An account gone through: the deals tried, and whether none that differs is known to be missed."""

    account: Account
    tried: tuple[Tried, ...]
    complete: bool


class ScoreSearch:
    """The deals that two editions score differently, by cause."""

    def __init__(self, a: Edition, b: Edition) -> None:
        self.a, self.b = a, b
        letters = tuple(letter for letter in a.universe.letters if letter in b.universe.letters)
        told = things((a, b), letters)
        plain = plain_deal(letters[0])
        self.ledgers = Ledgers(filling(a, told, plain), filling(b, told, plain), told, plain, letters)
        self.gone = tuple(self._gone_through())

    def _gone_through(self) -> Iterator[Gone]:
        pending = self.ledgers.accounts()
        gone: list[Gone] = []
        while pending:
            account = pending.pop(0)
            known = (*pending, *(each.account for each in gone))
            tried, taken_back = self._through(account, known)
            if taken_back is not None:
                pending = [taken_back, *(other for other in pending if not other.ids <= taken_back.ids)]
                gone = [each for each in gone if not each.account.ids <= taken_back.ids]
            else:
                gone.append(tried)
        return iter(gone)

    def _through(self, account: Account, others: Sequence[Account]) -> tuple[Gone, Account | None]:
        """An account gone through; if clauses of others take back what it gives, and it is possible, the account
        together with them, which is to be gone through in its place."""
        ledgers = self.ledgers
        values = ledgers.filled(account.asked)
        tried: list[Tried] = []
        apart: set[frozenset[str]] = set()
        for case in account.cases():
            pair = values(case)
            if pair is None:
                continue
            if account.refuses:
                differs = bool(ledgers.a.refusing(pair[0])) != bool(ledgers.b.refusing(pair[1]))
                cause = ledgers.refusal(pair, account.ids) if differs else NO_CAUSE
                tried.append(Tried(account.asked, case, pair, {NOBODY: cause} if cause else {}))
                continue
            own = ledgers.difference(pair, account.ids)
            if not own:
                tried.append(Tried(account.asked, case, pair))
                continue
            keys, full = account.asked, case
            if any(ledgers.refused(pair)):
                completed = self._completed(account, case, pair)
                if completed is None:
                    continue
                keys, full, pair = completed
            whole = ledgers.difference(pair)
            back = frozenset(place for place in own if place not in whole)
            if back:
                taking = self._taking_back(pair, back, account)
                if taking not in apart:
                    joined = account.ids.union(*(other.ids for other in others if other.ids & taking))
                    merged = ledgers.account(joined, False)
                    if merged.whole or not account.whole:
                        return Gone(account, (), False), merged
                    apart.add(taking)
            causes = ledgers.causes(pair, account.ids)
            gone = {side for _, side in own} - {side for _, side in own.keys() - back}
            left = {side: cause for side, cause in causes.items() if side not in gone}
            tried.append(Tried(keys, full, pair, left, {side: causes[side] for side in gone}))
        # What comes to nothing together with other clauses is known by itself all the same, if it shows elsewhere.
        shown = {cause for each in tried for cause in each.causes.values()}
        complete = account.whole and all(cause in shown for each in tried for cause in each.taken_back.values())
        return Gone(account, tuple(tried), complete), None

    def _completed(self, account: Account, case: Case, pair: Pair) -> tuple[tuple[str, ...], Case, Pair] | None:
        """A case that is none to score, with more told of it so that it is."""
        for keys, full in self.ledgers.completions(account, case, pair):
            completed = self.ledgers.filled(keys)(full)
            if completed is not None and self.is_scored(completed):
                return keys, full, completed
        return None

    def is_scored(self, pair: Pair) -> bool:
        """Whether both editions score a deal."""
        return not any(self.ledgers.refused(pair))

    def _taking_back(self, pair: Pair, places: Iterable[object], account: Account) -> frozenset[str]:
        """The clauses of other accounts, by id, that take back what an account gives in some places."""
        ids = {clause.id for clauses in self.ledgers.scoring for clause in clauses} - account.ids
        return frozenset(
            name for name in ids if any(place in self.ledgers.difference(pair, frozenset({name})) for place in places)
        )

    # -- what one deal shows -------------------------------------------------------------------------------------------

    def causes_in(self, deal: Deal) -> tuple[Cause, ...]:
        """The causes by which a deal scores differently, account by account and side by side. Raises LawbookError where
        one of the editions cannot know it."""
        pair = self.ledgers.a.filled.values(deal), self.ledgers.b.filled.values(deal)
        refused = self.ledgers.refused(pair)
        if all(refused):
            return ()
        found: list[Cause] = []
        for account in (gone.account for gone in self.gone if gone.account.refuses == any(refused)):
            if account.refuses:
                found += filter(None, (self.ledgers.refusal(pair, account.ids),))
            elif own := self.ledgers.difference(pair, account.ids):
                causes = self.ledgers.causes(pair, account.ids)
                found += (causes[side] for side in {side for _, side in own} if side in causes)
        return tuple(dict.fromkeys(found))

    # -- groups --------------------------------------------------------------------------------------------------------

    @functools.cached_property
    def _groups(self) -> dict[Cause, list[Tried]]:
        found: dict[Cause, list[Tried]] = defaultdict(list)
        for gone in self.gone:
            for tried in gone.tried:
                for cause in {*tried.causes.values()}:
                    found[cause].append(tried)
        return {cause: of for cause, of in found.items() if not made_of(cause, (c for c in found if c != cause))}

    def groups(self) -> dict[Cause, list[Tried]]:
        """The differing deals by cause; a cause made up of others that are there is left out."""
        return self._groups

    def gone_for(self, cause: Cause) -> list[Gone]:
        """The accounts that a cause shows in."""
        return self._gone_for.get(cause, [])

    @functools.cached_property
    def _gone_for(self) -> dict[Cause, list[Gone]]:
        found: dict[Cause, list[Gone]] = defaultdict(list)
        for gone in self.gone:
            for cause in {cause for tried in gone.tried for cause in tried.causes.values()}:
                found[cause].append(gone)
        return found

    def plainest(self, cause: Cause, shown: Sequence[Tried]) -> Deal:
        """The plainest deal that shows a cause, by itself if one does."""
        deals = sorted((self.ledgers.deal(each.keys, each.case) for each in shown), key=plainness)
        for deal in deals[:_MOST_LOOKED_AT]:
            if self.causes_in(deal) == (cause,):
                return deal
        return deals[0]


def made_of(cause: Cause, causes: Iterable[Cause]) -> bool:
    """Whether a cause is made up of others."""
    made = NO_CAUSE
    for part in causes:
        if part <= cause:
            made |= part
    return made == cause


def compare_scores(a: Edition, b: Edition) -> Scores:
    """How two editions score deals differently.

    >>> from lawbook.loading import load
    >>> found = compare_scores(load("whist-club-1912"), load("whist-club-1913"))
    >>> found.differ, found.coverage.complete
    (True, True)
    """
    if a.hash == b.hash:
        return _nothing(a, b, True, "Their clauses mean the same, one and all, so there is nothing to try.")
    for edition in (a, b):
        if not edition.facts or not any(clause.scores is Scoring.DEAL for clause in edition.clauses):
            return _nothing(a, b, False, f"Not compared: {edition.id} does not say how a deal is scored.")
    if not set(a.universe.letters) & set(b.universe.letters):
        return _nothing(a, b, False, "Not compared: the editions have no denomination in common.")
    return scores_of(ScoreSearch(a, b))


def scores_of(search: ScoreSearch) -> Scores:
    """What a search has found, each difference with the plainest deal that shows it."""
    a, b = search.a, search.b
    unknown = {t.topic: t for t in compare_structure(a, b).topics if t.change is Change.NOT_AT_HAND}
    findings = []
    left_out = []
    for cause, of in search.groups().items():
        clauses = clauses_of(a, cause.a), clauses_of(b, cause.b)
        topics = {clause.law.topic for each in clauses for clause in each}
        if topics and topics <= {*unknown}:
            left_out += sorted(topics)
            continue
        deal = search.plainest(cause, of)
        when = when_of(search, cause)
        findings.append(
            ScoreFinding(*clauses, when.text, when.exact, len(of), deal, deal_answer(a, deal), deal_answer(b, deal))
        )
    findings += _by_denomination(search)
    findings.sort(key=lambda finding: plainness(finding.deal))
    titles = [unknown[topic].title for topic in dict.fromkeys(left_out)]
    return Scores(a, b, tuple(findings), _coverage(search, titles))


def _nothing(a: Edition, b: Edition, complete: bool, note: str) -> Scores:
    return Scores(a, b, (), ScoreCoverage(complete, 0, (), (), (note,)))


def _by_denomination(search: ScoreSearch) -> Iterator[ScoreFinding]:
    """The denominations that only one edition has."""
    a, b = search.a, search.b
    for edition, other in ((a, b), (b, a)):
        only = [letter for letter in edition.universe.letters if letter not in other.universe.letters]
        if not only:
            continue
        deal = plain_deal(only[0])
        clauses = (a.denominations_clause,), (b.denominations_clause,)
        words = [edition.universe.denominations[edition.universe.letters.index(letter)] for letter in only]
        when = f"the final declaration is in {listed(words, 'or')}"
        yield ScoreFinding(*clauses, when, True, len(only), deal, deal_answer(a, deal), deal_answer(b, deal))


def _coverage(search: ScoreSearch, not_at_hand: Sequence[str]) -> ScoreCoverage:
    accounts = [gone.account for gone in search.gone]
    varied = {key for account in accounts for key in account.asked}
    asked = tuple(Asked(key, thing.words) for key, thing in search.ledgers.things.items() if key in varied)
    sets = {frozenset(account.asked): account.asked for account in accounts if account.whole}
    together = tuple(keys for own, keys in sets.items() if not any(own < other for other in sets))
    return ScoreCoverage(
        all(gone.complete for gone in search.gone),
        sum(account.deals for account in accounts),
        asked,
        together,
        tuple(_notes(search, not_at_hand)),
    )


def _notes(search: ScoreSearch, not_at_hand: Sequence[str]) -> Iterator[str]:
    if search.gone and not all(gone.complete for gone in search.gone):
        yield (
            "Some clauses ask for more at once than could be tried: of these no more than two things at a time were "
            "other than in a plain deal."
        )
    ledgers = search.ledgers
    untold = {
        fact
        for scorer, clauses in zip(ledgers.scorers, ledgers.scoring, strict=True)
        for clause in clauses
        for fact in scorer.untold(clause)
    }
    if untold:
        yield f"Left as they are at the start, for a deal does not tell them: {listed(sorted(untold))}."
    if not_at_hand:
        yield f"Not compared, because not all of the text was at hand: {listed(not_at_hand)}."
    beyond = [
        clause
        for scoring in (Scoring.SHEET, Scoring.NO_CORRECTION)
        for of in unlike(*ledgers.scorers, scoring)
        for clause in of
    ]
    titles = dict.fromkeys(clause.law.title for clause in beyond)
    if titles:
        yield f"Not tried, for one deal does not show it: {listed(titles)}."
