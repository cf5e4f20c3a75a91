"""When deals score differently for a cause, in the words of the laws.

The fewest facts (scorefacts.py) that are true of the sides which score otherwise by the cause, and of no side that
scores alike, are sought, and what is found is checked against every deal of the account. Nothing is said that one deal
tried, which stands for others, has and these have not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lawbook.explore.causes import Cause
from lawbook.explore.learning import Fact, Facts, Rule, learn, text_of
from lawbook.explore.scorefacts import NOBODY, Unit, facts_of_cause, is_alike

if TYPE_CHECKING:
    from lawbook.explore.scores import ScoreSearch

# So many deals are learnt from at first; the others check what was learnt, and correct it.
_SAMPLE: Final = 600
_STEP: Final = 7_919
_ROUNDS: Final = 8
_MOST_CORRECTIONS: Final = 300


@dataclass(frozen=True, slots=True)
class When:
    """When a side scores otherwise, in law words, whether that is exactly when, and how it is asked of a deal."""

    text: str
    exact: bool
    holds: Callable[[Unit], bool]
    facts: tuple[Fact[Unit], ...] = ()


def when_of(search: ScoreSearch, cause: Cause) -> When:
    """When a side scores otherwise for a cause, or only one edition scores, of all that was tried for the accounts it
    shows in. What neither edition scores does not count, and what differs for another cause need not be told apart."""
    wanted: list[Unit] = []
    others: list[Unit] = []
    accounts = search.gone_for(cause)
    for gone in accounts:
        for tried in gone.tried:
            for side in (NOBODY,) if gone.account.refuses else range(2):
                own = tried.causes.get(side) or tried.taken_back.get(side)
                if own is None:
                    others.append(Unit(tried.pair, side))
                elif own == cause:
                    wanted.append(Unit(tried.pair, side))
    found = _learned(search, wanted, others, list(facts_of_cause(search, cause)))
    if not found.exact:
        # What the other clauses of the accounts ask, too.
        again = _learned(search, wanted, others, list(facts_of_cause(search, cause, accounts)))
        found = again if again.exact else found
    text = found.text
    if any(gone.account.refuses for gone in accounts):
        text = re.sub(r"\bthe side\b(?! of)", "the declarer's side", text)
    # Of deals that were not tried, and that those tried do not stand for in what is said, it is not known.
    known = all(gone.account.whole and all(is_alike(search.ledgers, f, gone) for f in found.facts) for gone in accounts)
    return When(text, found.exact and known, found.holds)


def _learned(search: ScoreSearch, wanted: Sequence[Unit], others: Sequence[Unit], given: list[Fact[Unit]]) -> When:
    """What is learnt from facts of those that score otherwise for a cause and of the others."""
    facts = _apart(given, [*_some(wanted, _SAMPLE), *_some(others, _SAMPLE)])

    def is_scored(unit: Unit) -> bool:
        return unit.side == NOBODY or search.is_scored(unit.pair)

    def told(unit: Unit) -> Facts:
        return tuple(fact.holds(unit) for fact in facts)

    def when(rule: Rule, exact: bool) -> When:
        used = tuple(facts[column] for column in sorted({column for term in rule.terms for column, _ in term}))
        return When(text_of(rule, facts), exact, lambda unit: rule.holds(told(unit)), used)

    positive = {told(unit) for unit in _some(wanted, _SAMPLE // 3)}
    negative = {told(unit) for unit in _some(others, _SAMPLE) if is_scored(unit)}
    rule = Rule((), False)
    for _ in range(_ROUNDS):
        rule = learn(sorted(positive), sorted(negative), len(facts))
        missed = _unlike(rule, wanted, facts, True, is_scored)
        wrong = _unlike(rule, others, facts, False, is_scored)
        if not missed and not wrong:
            return when(rule, True)
        before = len(positive), len(negative)
        positive |= {told(unit) for unit in missed}
        negative |= {told(unit) for unit in wrong}
        if (len(positive), len(negative)) == before:
            break
    return when(rule, False)


def _some(units: Sequence[Unit], most: int) -> Sequence[Unit]:
    """Some of them, from all over, out of step with the order in which deals were tried."""
    number = len(units)
    return units if number <= most else [units[place * _STEP % number] for place in range(most)]


def _unlike(
    rule: Rule, units: Sequence[Unit], facts: Sequence[Fact[Unit]], wanted: bool, is_scored: Callable[[Unit], bool]
) -> list[Unit]:
    """Some of those of which a rule does not say what it should."""
    found: list[Unit] = []
    for unit in units:
        holds = any(all(facts[column].holds(unit) is value for column, value in term) for term in rule.terms)
        if holds is not wanted and is_scored(unit):
            found.append(unit)
            if len(found) >= _MOST_CORRECTIONS:
                break
    return found


def _apart(facts: list[Fact[Unit]], units: Sequence[Unit]) -> list[Fact[Unit]]:
    """The facts without those that are always so or never; what both editions would say in the same words is told apart
    where it is not always so together, and said once where it is."""
    found: dict[str, tuple[Fact[Unit], Facts]] = {}
    for fact in facts:
        column = tuple(fact.holds(unit) for unit in units)
        if len(set(column)) < 2:
            continue
        known = found.get(fact.said)
        if known is None:
            found[fact.said] = (fact, column)
        elif known[1] != column and known[0].edition != fact.edition:
            found[fact.said] = (known[0].under(), known[1])
            found[f"{fact.edition} {fact.said}"] = (fact.under(), column)
    return [fact for fact, _ in found.values()]
