"""What a call is: sufficient, insufficient, impossible, a double out of place; against three rules engines.

    python tests/benchmarks/bench_classification.py [seconds]        (needs the extra `benchmarks`)

A case is the previous bid, whether it is doubled or redoubled, which side made it, and the new call by the player in
turn: all of them under `whist-club-1912`, with every bid, the impossible ones too. rule-engine, cel-python and
zen-engine are given the same rules, compiled beforehand, in two forms: one expression, and a list of conditions of
which the first that holds decides. Whichever form is quicker counts. What they need of a bid, its kind, number and
value, is reckoned for them beforehand and is in the facts they are handed.

Lawbook is asked by `Auction.judge`, in two ways. *At the table*: an auction that stands there is at hand, as the facts
are for the others. *Anew*: for every case an auction is begun and the calls that lead there are pushed, which is more
than the others do. It remembers its judgements by place, and by the time that is measured it has given each of these
before, as it would have in any game; what the first few cost in a process is told beside it.

All answers must be equal. Engines take turns; what counts is the best of several rounds over a random sample of cases.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from lawbook import DOUBLE, PASS, REDOUBLE, Auction, Bid, Call, Edition, Seat, load

EDITION = "whist-club-1912"
SAMPLE = 400
SLOW_SAMPLE = 20
RULES = (
    ('kind == "pass" and not bid', "dealer-passes"),
    ('kind == "bid" and level > 7', "impossible-declaration"),
    (
        'kind == "bid" and bid and (value < bid_value or value == bid_value and level <= bid_level)',
        "insufficient-declaration",
    ),
    ('kind == "double" and not bid', "doubles-nothing"),
    ('kind == "double" and doubling > 0', "doubles-twice"),
    ('kind == "double" and ours', "doubles-partner"),
    ('kind == "redouble" and doubling == 0', "redoubles-undoubled"),
    ('kind == "redouble" and doubling == 2', "redoubles-twice"),
    ('kind == "redouble" and not ours', "redoubles-partner"),
)
"""The rules in the common part of the engines' languages, in order: the first that holds decides."""

ONE = (
    'kind == "bid" ? (level > 7 ? "impossible-declaration" : bid and (value < bid_value or value == bid_value and'
    ' level <= bid_level) ? "insufficient-declaration" : "") : kind == "pass" ? (bid ? "" : "dealer-passes") :'
    ' kind == "double" ? (not bid ? "doubles-nothing" : doubling > 0 ? "doubles-twice" : ours ? "doubles-partner" : "")'
    ' : (doubling == 0 ? "redoubles-undoubled" : doubling == 2 ? "redoubles-twice" : ours ? "" : "redoubles-partner")'
)
"""The same as one expression."""

Answer = Callable[[Any], str]


class Case(NamedTuple):
    """The calls that lead to a position, and the call in question."""

    acts: tuple[Call, ...]
    bid: Bid | None
    doubling: int
    ours: bool
    call: Call


def cases(edition: Edition) -> Iterator[Case]:
    """Every case once."""
    letters = edition.universe.letters
    bids = [Bid(level, letter) for level in range(1, 9) for letter in letters]
    for bid in [None, *(b for b in bids if b.level < 8)]:
        for doubling in range(1 if bid is None else 3):
            acts = (() if bid is None else (bid,)) + (DOUBLE, REDOUBLE)[:doubling]
            # After an even number of calls the side that began is in turn.
            for acts_to_turn in ((),) if bid is None else (acts, (*acts, PASS)):
                ours = bid is not None and len(acts_to_turn) % 2 == 0
                for call in (PASS, DOUBLE, REDOUBLE, *bids):
                    yield Case(acts_to_turn, bid, doubling, ours, call)


def facts_of(case: Case, values: dict[str, int]) -> dict[str, Any]:
    """A case as facts, everything reckoned that can be."""

    def value(bid: Bid | None) -> int:
        return 0 if bid is None else bid.level * values[bid.denomination]

    call = case.call if isinstance(case.call, Bid) else None
    return {
        "kind": case.call.kind.name.lower(),
        "level": 0 if call is None else call.level,
        "value": value(call),
        "bid": case.bid is not None,
        "bid_level": 0 if case.bid is None else case.bid.level,
        "bid_value": value(case.bid),
        "doubling": case.doubling,
        "ours": case.ours,
    }


# -- those who answer --------------------------------------------------------------------------------------------------


def first_that_holds(conditions: Sequence[tuple[Callable[[Any], Any], str]]) -> Answer:
    """Tries conditions in order."""

    def answer(facts: Any) -> str:
        for holds, offence in conditions:
            if holds(facts):
                return offence
        return ""

    return answer


def by_rule_engine() -> tuple[Answer, Answer, Callable[[dict[str, Any]], Any]]:
    import rule_engine

    rules = [(rule_engine.Rule(text).matches, offence) for text, offence in RULES]
    return rule_engine.Rule(ONE).evaluate, first_that_holds(rules), lambda facts: facts


def by_cel() -> tuple[Answer, Answer, Callable[[dict[str, Any]], Any]]:
    import celpy

    def program(text: str) -> Callable[[Any], Any]:
        text = text.replace(" and ", " && ").replace(" or ", " || ").replace("not ", "!")
        compiled: Callable[[Any], Any] = environment.program(environment.compile(text)).evaluate
        return compiled

    # The runner that compiles to Python is the faster of its two.
    environment = celpy.Environment(runner_class=celpy.CompiledRunner)
    return program(ONE), first_that_holds([(program(text), offence) for text, offence in RULES]), celpy.json_to_cel


def by_zen() -> tuple[Answer, Answer, Callable[[dict[str, Any]], Any]]:
    import zen

    rules = [(zen.compile_expression(text).evaluate, offence) for text, offence in RULES]
    return zen.compile_expression(ONE).evaluate, first_that_holds(rules), lambda facts: facts


def anew(edition: Edition) -> Answer:
    """The facade, from the first call of every case."""

    def answer(case: Case) -> str:
        auction = Auction(edition)
        for call in case.acts:
            auction.push(call)
        judgement = auction.judge(case.call)
        return judgement.offences[0].name if judgement.offences else ""

    return answer


def at_the_table(position: tuple[Auction, Call]) -> str:
    """The facade, where an auction stands there already."""
    auction, call = position
    judgement = auction.judge(call)
    return judgement.offences[0].name if judgement.offences else ""


def standing(edition: Edition, case: Case) -> tuple[Auction, Call]:
    """The auction of a case, and its call."""
    auction = Auction(edition)
    for call in case.acts:
        auction.push(call)
    return auction, case.call


def each(answer: Answer, inputs: Sequence[Any]) -> float:
    """Seconds an answer takes, on the average of these."""
    began = time.perf_counter()
    for one in inputs:
        answer(one)
    return (time.perf_counter() - began) / len(inputs)


def main(seconds: float = 4.0) -> dict[str, float]:
    """Compare all of them and print what came out."""
    edition = load(EDITION)
    values = dict(zip(edition.universe.letters, edition.definitions["value"].table or (), strict=True))
    every = list(cases(edition))
    first = each(anew(edition), every[:: len(every) // 20])
    truth = [ruled(edition, case) for case in every[:: max(1, len(every) // 400)]]
    assert [anew(edition)(case) for case in every[:: max(1, len(every) // 400)]] == truth
    expected = [anew(edition)(case) for case in every]
    facts = [facts_of(case, values) for case in every]
    chance = random.Random(3)
    sample = [chance.randrange(len(every)) for _ in range(SAMPLE)]
    runs: dict[str, list[tuple[Answer, list[Any]]]] = {
        "Lawbook, at the table": [(at_the_table, [standing(edition, every[at]) for at in sample])],
        "Lawbook, anew": [(anew(edition), [every[at] for at in sample])],
    }
    for name, made in (("rule-engine", by_rule_engine()), ("cel-python", by_cel()), ("zen-engine", by_zen())):
        *forms, handed = made
        given = [handed(one) for one in facts]
        part = range(0, len(every), 40 if name == "cel-python" else 1)
        for answer in forms:
            wrong = [every[at] for at in part if str(answer(given[at])) != expected[at]]
            assert not wrong, f"{name} answers otherwise: {wrong[:3]}"
        some = sample[:SLOW_SAMPLE] if name == "cel-python" else sample
        runs[name] = [(answer, [given[at] for at in some]) for answer in forms]
    # What was prepared for one is not to be looked through again and again while another answers.
    gc.collect()
    gc.freeze()
    best = dict.fromkeys(runs, float("inf"))
    began, rounds = time.perf_counter(), 0
    while rounds < 2 or time.perf_counter() - began < seconds:
        for name in runs if rounds % 2 else reversed(runs):
            best[name] = min(best[name], *(each(answer, inputs) for answer, inputs in runs[name]))
        rounds += 1
    gc.unfreeze()
    print(f"{EDITION}: {len(every):,} cases, all answers equal; microseconds an answer")
    table, begun = best["Lawbook, at the table"], best["Lawbook, anew"]
    print(f"{'':24}{'':>12}{'to at the table':>20}{'to anew':>12}")
    for name, took in best.items():
        print(f"{name:24}{took * 1e6:12.2f}{took / table:20.1f}{took / begun:12.1f}")
    print(f"the first twenty answers of the process, anew: {first * 1e6:,.0f} microseconds each")
    return {name: took / begun for name, took in best.items()}


def ruled(edition: Edition, case: Case) -> str:
    """The answer by ruling on every call."""
    auction = Auction(edition, Seat.N)
    for call in (*case.acts, case.call):
        happening = auction.act(call)
    offences = happening.ruling.offences
    return edition.offences[offences[0]].name if offences else ""


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 4.0)
