"""Conditions: when exactly two editions differ, in the words of their laws.

The facts that may be spoken of are those the laws themselves ask: the conditions of the clauses that caused the
difference and of those the ruling rests on, whether the player is in turn, what offence the act is, which remedies are
open. The fewest of them that are true of the differing acts and of no other are sought, and what is found is checked
against every act of that kind in the whole search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lawbook.edition.machines import variables_of
from lawbook.edition.model import Clause, Edition
from lawbook.explore.causes import Group, clauses_of
from lawbook.explore.learning import Facts, Rule, learn
from lawbook.explore.product import Search, distinct
from lawbook.explore.space import Space
from lawbook.inspection import truth_of
from lawbook.language import core
from lawbook.language.words import Category
from lawbook.sentences import listed
from lawbook.values import Kind

# So many cases are learnt from at first; the others only check what was learnt, and correct it.
_SAMPLE: Final = 3_000
_ROUNDS: Final = 6
_MOST_CORRECTIONS: Final = 400


@dataclass(frozen=True, slots=True)
class Case:
    """An act in a pair of states: the states' numbers and the offer's place."""

    a: int
    b: int
    offer: int


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that may be so of a case: how to ask it, and how it is said and denied."""

    holds: Callable[[Case], bool]
    said: str
    denied: str
    # Of a condition of a law: the edition whose state is asked.
    edition: str | None = None

    def under(self) -> Fact:
        """The same fact, said with the edition that it is so under."""
        return Fact(
            self.holds, f"under {self.edition} {self.said}", f"under {self.edition} {self.denied}", self.edition
        )


@dataclass(frozen=True, slots=True)
class Condition:
    """When a group's acts differ, in law words, and whether that is exactly when."""

    text: str
    exact: bool


def condition_of(group: Group, search: Search) -> Condition:
    """When the acts of a group differ. Its acts are told by name first, then by the facts."""
    offers = search.a.offers
    differing: dict[str, set[Case]] = {}
    for divergence in group.divergences:
        case = Case(*search.pairs[divergence.node], divergence.offer)
        differing.setdefault(offers[divergence.offer].name, set()).add(case)
    # What differs for another reason is neither this group's nor against it.
    elsewhere = {
        Case(*search.pairs[divergence.node], divergence.offer) for divergence in search.divergences
    } - set().union(*differing.values())
    parts: list[str] = []
    exact = True
    for name, cases in differing.items():
        facts = _apart(_facts(group, search, min(cases, key=_place)), sorted(cases, key=_place), search)
        rule = _learned(name, cases, elsewhere, facts, search)
        exact = exact and rule.exact
        parts.append(_said(name, rule, facts, search.a.edition, search.b.edition))
    return Condition("; or ".join(parts), exact)


def _place(case: Case) -> tuple[int, int, int]:
    return case.a, case.b, case.offer


def _learned(name: str, cases: set[Case], elsewhere: set[Case], facts: Sequence[Fact], search: Search) -> Rule:
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


def _unlike(rule: Rule, cases: set[Case] | Iterator[Case], facts: Sequence[Fact], wanted: bool) -> list[Case]:
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


def _facts(group: Group, search: Search, example: Case) -> list[Fact]:
    """The facts that may be spoken of, the plainest first."""
    a, b = search.a, search.b
    offers = a.offers
    found = [Fact(lambda case: offers[case.offer].place == 0, "he is in turn", "he is out of turn")]
    found += _of_the_call(search, example)
    offences = {
        o for divergence in group.divergences[:_SAMPLE] for o in _offences(search, divergence.node, divergence.offer)
    }
    for offence in sorted(offences):
        found.append(_offence(a, b, offence))
    found += _of_the_table(search)
    for space, ids in ((a, group.cause.a), (b, group.cause.b)):
        state = example.a if space is a else example.b
        clauses = list(clauses_of(space.edition, ids))
        clauses += [c for ruling in space.rulings(state, example.offer)[:1] for c in (*ruling.because, *ruling.lacking)]
        for clause in dict.fromkeys(clauses):
            found += _of_a_clause(space, clause, space is a, offers[example.offer].name)
    return list({(fact.said, fact.edition): fact for fact in reversed(found)}.values())[::-1]


def _apart(facts: list[Fact], cases: Sequence[Case], search: Search) -> list[Fact]:
    """The facts with those that both editions would say in the same words told apart where they are not always so
    together, and one of them left out where they are."""
    found: list[Fact] = []
    tried = [*cases[:_SAMPLE], *(Case(*pair, cases[0].offer) for pair in search.pairs[:_SAMPLE])]
    for fact in facts:
        twin = next((other for other in facts if other.said == fact.said and other.edition != fact.edition), None)
        if twin is None:
            found.append(fact)
        elif any(fact.holds(case) is not twin.holds(case) for case in tried):
            found.append(fact.under())
        elif not any(other.said == fact.said for other in found):
            found.append(fact)
    return found


def _offences(search: Search, node: int, offer: int) -> Iterator[str]:
    first, second = search.pairs[node]
    in_a, in_b = search.a.reply(first, offer), search.b.reply(second, offer)
    yield from {*in_a.offences} & {*in_b.offences}


def _offence(a: Space, b: Space, name: str) -> Fact:
    gloss = next(offence.gloss for offence in a.edition.offences if offence.name == name)

    def holds(case: Case) -> bool:
        return name in a.reply(case.a, case.offer).offences and name in b.reply(case.b, case.offer).offences

    return Fact(holds, f"that is {gloss}", f"that is not {gloss}")


def _of_the_call(search: Search, example: Case) -> Iterator[Fact]:
    """What an act other than a call names: which kind of call."""
    offers = search.a.offers
    given = offers[example.offer]
    if given.is_call or given.call is None:
        return
    for kind in Kind:
        word = kind.name.lower()

        def holds(case: Case, kind: Kind = kind) -> bool:
            call = offers[case.offer].call
            return call is not None and call.kind is kind

        yield Fact(holds, f"the call he names is a {word}", f"the call he names is no {word}")


def _of_the_table(search: Search) -> Iterator[Fact]:
    a = search.a
    offers = a.offers

    def may_choose(case: Case) -> bool:
        return any(choice.holder == offers[case.offer].place for choice in a.view(case.a).choosable)

    def against(case: Case) -> bool:
        return any(choice.offender == offers[case.offer].place for choice in a.view(case.a).choosable)

    def partner(case: Case) -> bool:
        place = offers[case.offer].place
        return place is not None and any(c.offender == (place + 2) % 4 for c in a.view(case.a).choosable)

    def own_debarred(case: Case) -> bool:
        return offers[case.offer].place in a.view(case.a).debarred

    yield Fact(lambda case: a.view(case.a).status == "open", "the bidding is open", "the bidding is over")
    yield Fact(may_choose, "he has a remedy to choose", "he has no remedy to choose")
    yield Fact(against, "a remedy against him is open", "no remedy against him is open")
    yield Fact(partner, "a remedy against his partner is open", "no remedy against his partner is open")
    yield Fact(own_debarred, "he is debarred", "he is not debarred")
    yield Fact(lambda case: a.view(case.a).contract is not None, "there has been a bid", "there has been no bid")


def _of_a_clause(space: Space, clause: Clause, is_a: bool, name: str) -> Iterator[Fact]:
    """The conditions of a clause that can be asked of the act alone."""
    if clause.trigger is not None and name not in clause.trigger.acts:
        return
    event = next(offer.event(space.edition) for offer in space.offers if offer.name == name)
    if event is None:
        return
    bound = space.machine.reader.bound(event).keys()
    for leaf in _leaves((clause.condition, clause.unless)):
        if variables_of(leaf) <= bound:
            yield _leaf(space, leaf, is_a)


def _leaf(space: Space, leaf: core.Leaf, is_a: bool) -> Fact:
    evaluator, reader = space.machine.evaluator, space.machine.reader
    events = [offer.event(space.edition) for offer in space.offers]

    def holds(case: Case) -> bool:
        event = events[case.offer]
        state = space.states[case.a if is_a else case.b]
        # A condition that the ones before it guard has no answer of its own where they do not hold.
        return event is not None and bool(truth_of(leaf, evaluator, state.values, reader.bound(event)))

    return Fact(holds, leaf.text, f"it is not so that {leaf.text}", space.edition.name)


def _leaves(node: object) -> Iterator[core.Leaf]:
    match node:
        case core.Leaf():
            yield node
        case core.All(parts) | core.AnyOf(parts):
            yield from _leaves(parts)
        case core.Not(of):
            yield from _leaves(of)
        case tuple():
            for part in node:
                yield from _leaves(part)


# -- words -------------------------------------------------------------------------------------------------------------


def _said(name: str, rule: Rule, facts: Sequence[Fact], *editions: Edition) -> str:
    head = f"a player {_says(name, editions)}"
    terms = [
        listed([facts[column].said if wanted else facts[column].denied for column, wanted in term])
        for term in rule.terms
        if term
    ]
    return f"{head} and {', or '.join(terms)}" if terms else head


def _says(name: str, editions: Sequence[Edition]) -> str:
    for edition in editions:
        for word in edition.vocabulary.canonical.values():
            if word.category is Category.ACT and word.target == name:
                return word.phrase
    return f"does `{name}`"
