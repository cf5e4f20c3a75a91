"""Scores: how two editions score deals differently, each cause with the plainest deal that shows it.

No deal is left out that scores differently for a cause that is not shown, within the values that are said to be tried:
`accounts` tells why only what clauses not alike ask together has to be varied together, and `told` why one value stands
for others.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lawbook.compare.bearers import clauses_of
from lawbook.compare.scores import Asked, ScoreCoverage, ScoreFinding, Scores, deal_answer
from lawbook.compare.structure import Change, compare_structure
from lawbook.deals import Deal
from lawbook.edition.model import Clause, Edition, Scoring
from lawbook.errors import LawbookError
from lawbook.explore.accounts import Account, Case, Ledgers, Pair
from lawbook.explore.causes import NO_CAUSE, Cause
from lawbook.explore.scoring import unlike
from lawbook.explore.scorewhen import when_of
from lawbook.explore.told import filling, plain_deal, plainness, things
from lawbook.sentences import listed
from lawbook.values import Bid

# So many deals of a cause are looked through for one that shows nothing else.
_MOST_LOOKED_AT: Final = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """A deal that scores differently by an account: what is told of it, as keys and places, and the cause."""

    keys: tuple[str, ...]
    case: Case
    cause: Cause


@dataclass(frozen=True)
class Gone:
    """An account gone through: the deals that score differently by it, and whether none is known to be missed."""

    account: Account
    shown: tuple[Shown, ...]
    complete: bool


class ScoreSearch:
    """The deals that two editions score differently, by cause."""

    def __init__(self, a: Edition, b: Edition) -> None:
        self.a, self.b = a, b
        self.letters = tuple(letter for letter in a.universe.letters if letter in b.universe.letters)
        told = things((a, b), self.letters)
        plain = plain_deal(self.letters[0])
        self.ledgers = Ledgers(filling(a, told, plain), filling(b, told, plain), told, plain)
        self.gone = tuple(self._gone_through())

    def _gone_through(self) -> Iterator[Gone]:
        pending = self.ledgers.accounts()
        gone: list[Gone] = []
        while pending:
            account = pending.pop(0)
            shown, takes_back = self._through(account)
            joined = [other for other in (*pending, *(each.account for each in gone)) if other.ids & takes_back]
            merged = self.ledgers.account(account.ids.union(*(other.ids for other in joined)), account.refuses)
            if joined and (merged.whole or not account.whole):
                pending = [merged, *(other for other in pending if other not in joined)]
                gone = [each for each in gone if each.account not in joined]
            else:
                gone.append(Gone(account, shown, account.whole and not joined))
        return iter(gone)

    def _through(self, account: Account) -> tuple[tuple[Shown, ...], frozenset[str]]:
        """The deals that score differently by an account, and the clauses of other accounts that take it back."""
        ledgers = self.ledgers
        values = ledgers.filled(account.asked)
        shown: list[Shown] = []
        takes_back: set[str] = set()
        for case in account.cases():
            pair = values(case)
            if pair is None:
                continue
            keys, full = account.asked, case
            if account.refuses:
                if bool(ledgers.a.refusing(pair[0])) != bool(ledgers.b.refusing(pair[1])):
                    cause = ledgers.refusal(pair, account.ids)
                    if cause:
                        shown.append(Shown(keys, case, cause))
                continue
            own = ledgers.difference(pair, account.ids)
            if not own:
                continue
            if any(ledgers.refused(pair)):
                for keys, full in ledgers.completions(account, case, pair):
                    completed = ledgers.filled(keys)(full)
                    if completed is not None and not any(ledgers.refused(completed)):
                        pair = completed
                        break
                else:
                    continue
            whole = ledgers.difference(pair)
            back = {place for place in own if place not in whole}
            if back:
                takes_back.update(self._taking_back(pair, back, account))
            if len(back) < len(own):
                shown.append(Shown(keys, full, ledgers.cause(pair, account.ids)))
        return tuple(shown), frozenset(takes_back)

    def _taking_back(self, pair: Pair, places: Iterable[object], account: Account) -> Iterator[str]:
        ids = {clause.id for clauses in self.ledgers.scoring for clause in clauses} - account.ids
        for name in ids:
            if any(place in self.ledgers.difference(pair, frozenset({name})) for place in places):
                yield name

    # -- what one deal shows -------------------------------------------------------------------------------------------

    def causes_in(self, deal: Deal) -> tuple[Cause, ...]:
        """The causes by which a deal scores differently, account by account. Raises LawbookError where one of the
        editions cannot know it."""
        pair = self.ledgers.a.filled.values(deal), self.ledgers.b.filled.values(deal)
        refused = self.ledgers.refused(pair)
        if any(refused):
            if all(refused):
                return ()
            return tuple(
                cause for gone in self.gone if gone.account.refuses and (cause := self._refusal(pair, gone.account))
            )
        return tuple(
            self.ledgers.cause(pair, gone.account.ids)
            for gone in self.gone
            if not gone.account.refuses and self.ledgers.difference(pair, gone.account.ids)
        )

    def _refusal(self, pair: Pair, account: Account) -> Cause:
        return self.ledgers.refusal(pair, account.ids)

    # -- groups --------------------------------------------------------------------------------------------------------

    def groups(self) -> dict[Cause, list[tuple[Account, Shown]]]:
        """The differing deals by cause; a cause made up of others that are there is left out."""
        found: dict[Cause, list[tuple[Account, Shown]]] = defaultdict(list)
        for gone in self.gone:
            for shown in gone.shown:
                found[shown.cause].append((gone.account, shown))
        return {cause: of for cause, of in found.items() if not made_of(cause, (c for c in found if c != cause))}

    def plainest(self, cause: Cause, shown: Sequence[Shown]) -> Deal:
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
    search = ScoreSearch(a, b)
    unknown = {t.topic: t for t in compare_structure(a, b).topics if t.change is Change.NOT_AT_HAND}
    findings = []
    left_out = []
    for cause, of in search.groups().items():
        clauses = clauses_of(a, cause.a), clauses_of(b, cause.b)
        topics = {clause.law.topic for each in clauses for clause in each}
        if topics and topics <= {*unknown}:
            left_out += sorted(topics)
            continue
        shown = [each for _, each in of]
        deal = search.plainest(cause, shown)
        when = when_of(search, cause, of)
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
        clauses = ((each.denominations_clause,) for each in (a, b))
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
