"""Conditions: when exactly two editions differ, in the words of their laws.

The facts that may be spoken of are those the laws themselves ask: the conditions of the clauses that caused the
difference and of those the ruling rests on, whether the player is in turn, what offence the act is, which remedies are
open. The fewest of them that are true of the differing acts and of no other are sought, and what is found is checked
against every act of that kind in the whole search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lawbook.compare.bearers import clauses_of
from lawbook.edition.machines import registers_of
from lawbook.edition.model import Edition
from lawbook.explore.causes import Group
from lawbook.explore.facts import (
    Case,
    of_a_clause,
    of_the_call,
    of_the_table,
    of_what_follows,
    offence,
    remembered,
)
from lawbook.explore.learning import Fact, Facts, Rule, learn, text_of
from lawbook.explore.product import Search, distinct
from lawbook.explore.space import Space
from lawbook.language.words import Category
from lawbook.loading import call_number
from lawbook.sentences import listed

# So many cases are learnt from at first; the others only check what was learnt, and correct it.
_SAMPLE: Final = 3_000
_ROUNDS: Final = 6
_MOST_CORRECTIONS: Final = 400


@dataclass(frozen=True, slots=True)
class Condition:
    """When a group's acts differ, in law words, and whether that is exactly when; `shared` where it is so too of acts
    that differ for another reason."""

    text: str
    exact: bool
    shared: bool = False


def condition_of(group: Group, search: Search) -> Condition:
    """When the acts of a group differ. Its acts are told by name first, then by the facts."""
    offers = search.a.offers
    differing: dict[str, set[Case]] = {}
    for divergence in group.divergences:
        case = Case(*search.pairs[divergence.node], divergence.offer)
        differing.setdefault(offers[divergence.offer].name, set()).add(case)
    elsewhere = {
        Case(*search.pairs[divergence.node], divergence.offer) for divergence in search.divergences
    } - set().union(*differing.values())
    said: dict[str, list[str]] = {}
    exact, shared = True, False
    for name, cases in differing.items():
        example, sample = min(cases, key=_place), sorted(cases, key=_place)
        few = _facts(group, search, example)
        facts = _apart(few, sample, search)
        rule = _learned(name, cases, set(), facts, search)
        if not rule.exact:
            # What differs for another reason need not be told apart.
            rule = _learned(name, cases, elsewhere, facts, search)
            shared = True
        if not rule.exact:
            # Then it takes more than the clauses at work ask.
            facts = _apart([*few, *_more_facts(search, example)], sample, search)
            rule = _learned(name, cases, elsewhere, facts, search)
        exact = exact and rule.exact
        said.setdefault(text_of(rule, _not_mixed(rule, facts, sample, search)), []).append(_says(name, search))
    parts = (_of_acts(acts, text) for text, acts in said.items())
    return Condition("; or ".join(parts), exact, shared)


def _place(case: Case) -> tuple[int, int, int]:
    return case.a, case.b, case.offer


def _learned(name: str, cases: set[Case], elsewhere: set[Case], facts: Sequence[Fact[Case]], search: Search) -> Rule:
    places = [place for place, offer in enumerate(search.a.offers) if offer.name == name]

    def others() -> Iterator[Case]:
        for node in distinct(search):
            first, second = search.pairs[node]
            for place in places:
                case = Case(first, second, place)
                if case not in cases and case not in elsewhere:
                    yield case

    def told(case: Case) -> Facts:
        return tuple(fact.holds(case) for fact in facts)

    positive = {told(case) for case in sorted(cases, key=_place)[:_SAMPLE]}
    negative = {told(case) for case, _ in zip(others(), range(_SAMPLE), strict=False)}
    for _ in range(_ROUNDS):
        rule = learn(sorted(positive), sorted(negative), len(facts))
        missed = _unlike(rule, cases, facts, True)
        wrong = _unlike(rule, others(), facts, False)
        if not missed and not wrong:
            return rule
        before = len(positive), len(negative)
        positive |= {told(case) for case in missed}
        negative |= {told(case) for case in wrong}
        if (len(positive), len(negative)) == before:
            break
    return Rule(rule.terms, False)


def _unlike(rule: Rule, cases: set[Case] | Iterator[Case], facts: Sequence[Fact[Case]], wanted: bool) -> list[Case]:
    """Some of the cases of which a rule does not say what it should."""
    found: list[Case] = []
    for case in cases:
        holds = any(all(facts[c].holds(case) is value for c, value in term) for term in rule.terms)
        if holds is not wanted:
            found.append(case)
            if len(found) >= _MOST_CORRECTIONS:
                break
    return found


# -- facts -------------------------------------------------------------------------------------------------------------


def _facts(group: Group, search: Search, example: Case) -> list[Fact[Case]]:
    """The facts that may be spoken of, the plainest first."""
    a, b = search.a, search.b
    offers = a.offers
    found: list[Fact[Case]] = [Fact(lambda case: offers[case.offer].place == 0, "he is in turn", "he is out of turn")]
    found += of_the_call(search, example)
    offences = {
        o for divergence in group.divergences[:_SAMPLE] for o in _offences(search, divergence.node, divergence.offer)
    }
    found += [offence(a, b, name) for name in sorted(offences)]
    found += of_the_table(search)
    for space, ids in ((a, group.cause.a), (b, group.cause.b)):
        state = example.a if space is a else example.b
        clauses = list(clauses_of(space.edition, ids))
        clauses += [c for ruling in space.rulings(state, example.offer)[:1] for c in (*ruling.because, *ruling.lacking)]
        for clause in dict.fromkeys(clauses):
            found += of_a_clause(space, clause, space is a, offers[example.offer].name)
        caused = tuple(clauses_of(space.edition, ids))
        for register in sorted(registers_of(caused, space.edition.definitions)):
            found += remembered(space, space.edition.registers[register], space is a)
    return list({(fact.said, fact.edition): fact for fact in reversed(found)}.values())[::-1]


def _more_facts(search: Search, example: Case) -> Iterator[Fact[Case]]:
    """What else may be spoken of: how the bidding stands then, and all that the laws on such an act ask."""
    yield from of_what_follows(search)
    name = search.a.offers[example.offer].name
    for space, is_a in ((search.a, True), (search.b, False)):
        edition = space.edition
        clauses = [c for c in edition.clauses if c.trigger is not None and name in c.trigger.acts and c.remedy is None]
        for clause in clauses:
            yield from of_a_clause(space, clause, is_a, name)
        offences = {clause.offence for clause in clauses}
        # Whether a remedy can be used turns on what it asks of who holds it.
        asked = [
            (remedy.condition, remedy.unless)
            for remedy in edition.clauses
            if remedy.remedy is not None and remedy.remedy.offences & offences
        ]
        for register in sorted(registers_of((*clauses, *asked), edition.definitions)):
            yield from remembered(space, edition.registers[register], is_a)


def _apart(facts: list[Fact[Case]], cases: Sequence[Case], search: Search) -> list[Fact[Case]]:
    """The facts with those that both editions would say in the same words, or one would deny in them, told apart where
    they do not always go together, and one of them left out where they do and are said alike."""
    found: list[Fact[Case]] = []
    tried = [*cases[:_SAMPLE], *(Case(*pair, cases[0].offer) for pair in search.pairs[:_SAMPLE])]
    words = [_words_of(fact) for fact in facts]
    for fact, (said, denies) in zip(facts, words, strict=True):
        twins = [
            (other, denied is denies)
            for other, (also, denied) in zip(facts, words, strict=True)
            if also == said and other.edition != fact.edition
        ]
        if not twins:
            found.append(fact)
        elif any((fact.holds(case) is twin.holds(case)) is not alike for twin, alike in twins for case in tried):
            found.append(fact.under())
        elif not any(other.said == fact.said for other in found):
            found.append(fact)
    return found


def _words_of(fact: Fact[Case]) -> tuple[tuple[str, ...], bool]:
    """What a fact speaks of, whether it says that or denies it."""
    words = fact.said.split()
    denials = sum(word in ("not", "no") for word in words)
    return tuple(word.rstrip("s") for word in words if word not in ("not", "no", "does", "do")), denials % 2 == 1


def _not_mixed(rule: Rule, facts: Sequence[Fact[Case]], cases: Sequence[Case], search: Search) -> list[Fact[Case]]:
    """The facts, those said with their edition that a conjunction has side by side of both editions about something
    that these do not remember alike in these cases: without it they would seem to contradict each other."""
    found = list(facts)
    unlike = frozenset(
        name
        for name in frozenset[str]().union(*(facts[column].reads for term in rule.terms for column, _ in term))
        if any(_register(search.a, case.a, name) != _register(search.b, case.b, name) for case in cases[:_SAMPLE])
    )
    for term in rule.terms:
        for column, _ in term:
            fact = facts[column]
            others = (facts[other] for other, _ in term)
            if any(o.edition not in (None, fact.edition) and o.reads & fact.reads & unlike for o in others):
                found[column] = fact.under()
    return found


def _register(space: Space, state: int, name: str) -> tuple[int | None, ...] | None:
    """What a register holds in a state; None where the edition has no such register, or one for each right."""
    register = space.edition.registers.get(name)
    if register is None or register.per_right:
        return None
    return tuple(space.states[state].values[register.slot : register.slot + register.size])


def _offences(search: Search, node: int, offer: int) -> Iterator[str]:
    first, second = search.pairs[node]
    in_a, in_b = search.a.reply(first, offer), search.b.reply(second, offer)
    yield from {*in_a.offences} & {*in_b.offences}


# -- words -------------------------------------------------------------------------------------------------------------


def _of_acts(acts: Sequence[str], text: str) -> str:
    """Acts of which the same is so, and what that is."""
    if not text:
        return f"a player {listed(acts, 'or')}"
    return f"a player {listed(acts, 'or')}{'' if len(acts) == 1 else ','} and {text}"


def _says(name: str, search: Search) -> str:
    """What a player does, in the words of an edition that has the act."""
    editions = search.a.edition, search.b.edition
    said = _act(name, editions)
    named = [offer.call for offer in search.a.offers if offer.name == name and offer.call is not None]
    for edition in editions:
        if named and all(call_number(edition.universe, call) is None for call in named):
            said += f" in a denomination that {edition.name} does not know"
    return said


def _act(name: str, editions: Sequence[Edition]) -> str:
    for edition in editions:
        for word in edition.vocabulary.canonical.values():
            if word.category is Category.ACT and word.target == name:
                return word.phrase
    return f"does `{name}`"
