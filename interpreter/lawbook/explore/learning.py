"""Learning: the fewest and shortest conjunctions of given facts that are true of some cases and of no others.

Facts are columns of truth values. What is found is exact on the cases given, or says that it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeAlias, TypeVar

from lawbook.sentences import listed

C = TypeVar("C")
Facts: TypeAlias = tuple[bool, ...]
Literal: TypeAlias = tuple[int, bool]
"""A fact by its column, and whether it has to hold."""

_MOST_TERMS: Final = 4


@dataclass(frozen=True, slots=True)
class Fact(Generic[C]):
    """Something that may be so of a case: how to ask it, how it is said and denied, and, of a condition of a law, the
    edition that is asked and the registers that it reads. `named`: the edition is said."""

    holds: Callable[[C], bool]
    said: str
    denied: str
    edition: str | None = None
    reads: frozenset[str] = frozenset()
    named: bool = False

    def under(self) -> Fact[C]:
        """The same fact, said with the edition that it is so under."""
        if self.named:
            return self
        said, denied = f"under {self.edition} {self.said}", f"under {self.edition} {self.denied}"
        return replace(self, said=said, denied=denied, named=True)


@dataclass(frozen=True, slots=True)
class Rule:
    """Any of some conjunctions of facts. `exact`: it holds of all cases it should and of no other."""

    terms: tuple[tuple[Literal, ...], ...]
    exact: bool

    def holds(self, facts: Facts) -> bool:
        """Whether the rule holds of a case."""
        return any(all(facts[column] is wanted for column, wanted in term) for term in self.terms)


def text_of(rule: Rule, facts: Sequence[Fact[Any]]) -> str:
    """A rule in the words of its facts; nothing if it asks none."""
    terms = [
        listed([facts[column].said if wanted else facts[column].denied for column, wanted in term])
        for term in rule.terms
        if term
    ]
    return ", or ".join(terms)


def learn(positive: Sequence[Facts], negative: Sequence[Facts], columns: int) -> Rule:
    """A rule that holds of the positive cases and not of the negative ones; earlier columns are preferred.

    >>> learn([(True, False), (True, True)], [(False, True)], 2)
    Rule(terms=(((0, True),),), exact=True)
    """
    wanted, others = set(positive), set(negative)
    # Cases that no fact tells apart are taken in, and the rule is not exact.
    others -= wanted
    exact = len(others) == len(set(negative))
    terms: list[tuple[Literal, ...]] = []
    left = set(wanted)
    while left and len(terms) < _MOST_TERMS:
        best = max(
            (_term(seed, left, others, columns) for seed in sorted(left)[:_SEEDS]),
            key=lambda term: (sum(_is_met(term, facts) for facts in left), -len(term)),
        )
        terms.append(best)
        left = {facts for facts in left if not _is_met(best, facts)}
    return Rule(tuple(terms), exact and not left)


_SEEDS: Final = 24


def _is_met(term: Sequence[Literal], facts: Facts) -> bool:
    return all(facts[column] is wanted for column, wanted in term)


def _term(seed: Facts, wanted: set[Facts], others: set[Facts], columns: int) -> tuple[Literal, ...]:
    """A short conjunction true of the seed and of no other case, and of many of those wanted."""
    term: list[Literal] = []
    covered, wrong = wanted, others
    while wrong:
        choices = [
            (sum(facts[c] is not seed[c] for facts in wrong), sum(facts[c] is seed[c] for facts in covered), -c)
            for c in range(columns)
        ]
        gone, _, column = max(choices, key=lambda choice: (choice[0] * choice[1], choice))
        if gone == 0:
            break
        literal = (-column, seed[-column])
        term.append(literal)
        wrong = {facts for facts in wrong if facts[literal[0]] is literal[1]}
        covered = {facts for facts in covered if facts[literal[0]] is literal[1]}
    for literal in list(term):
        shorter = [other for other in term if other != literal]
        if not any(_is_met(shorter, facts) for facts in others):
            term = shorter
    return tuple(sorted(term))
