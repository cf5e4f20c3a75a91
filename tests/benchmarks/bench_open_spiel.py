"""Lawful auctions through the facade against OpenSpiel's `bridge` through its Python binding.

    python tests/benchmarks/bench_open_spiel.py [seconds]

Both play the very same random auctions of the modern code to their ends: at every call the lawful ones are listed and
one of them is made. There this is `legal_actions` and `apply_action`, and an auction begins as a copy of a state whose
cards are dealt. Here it is `push`, which returns the lawful calls that follow, and an auction begins as `Auction`. What
the facade makes when `legal_calls` is asked for each time, as a caller would who did not use what `push` returns, is
told too. They take turns, each going first in every other round. What is printed: calls a second and the ratios.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

import pyspiel

from lawbook import Auction, load

EDITION = "contract-2017"
AUCTIONS = 400
CALLS = {"Pass": "P", "Dbl": "X", "RDbl": "XX"}
SUITS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "NT": "N"}

Choices = list[list[int]]
"""For each auction the place of each call among those that are lawful then, which both list in the same order."""


def random_auctions(chance: random.Random) -> Choices:
    """Auctions whose calls are drawn from all that are lawful."""
    found: Choices = []
    for _ in range(AUCTIONS):
        auction, chosen = Auction(load(EDITION)), []
        while calls := auction.legal_calls:
            chosen.append(chance.randrange(len(calls)))
            auction.push(calls[chosen[-1]])
        found.append(chosen)
    return found


def dealt() -> Any:
    """OpenSpiel's state before the first call."""
    state = pyspiel.load_game("bridge(use_double_dummy_result=false)").new_initial_state()
    for card in range(52):
        state.apply_action(card)
    return state


def are_the_same(auctions: Choices) -> bool:
    """Whether the places of calls mean the same auctions to both, and these end together."""
    start, edition = dealt(), load(EDITION)
    for chosen in auctions:
        state, auction = start.clone(), Auction(edition)
        for place in chosen:
            legal = [state.action_to_string(action) for action in state.legal_actions()]
            legal = [CALLS.get(text) or text[0] + SUITS[text[1:]] for text in legal]
            if legal != [str(call) for call in auction.legal_calls]:
                return False
            state.apply_action(state.legal_actions()[place])
            auction.push(auction.legal_calls[place])
        if auction.is_open or state.current_phase() == start.current_phase():
            return False
    return True


def by_open_spiel() -> Callable[[Choices], float]:
    """Plays auctions and gives the seconds it took."""
    start = dealt()

    def play(auctions: Choices) -> float:
        began = time.perf_counter()
        for chosen in auctions:
            state = start.clone()
            for place in chosen:
                legal = state.legal_actions()
                state.apply_action(legal[place])
        return time.perf_counter() - began

    return play


def by_push() -> Callable[[Choices], float]:
    """The same with the facade, the lawful calls as `push` returns them."""
    edition = load(EDITION)

    def play(auctions: Choices) -> float:
        began = time.perf_counter()
        for chosen in auctions:
            auction = Auction(edition)
            legal = auction.legal_calls
            for place in chosen:
                legal = auction.push(legal[place])
        return time.perf_counter() - began

    return play


def by_asking() -> Callable[[Choices], float]:
    """The same with the facade, the lawful calls asked for each time."""
    edition = load(EDITION)

    def play(auctions: Choices) -> float:
        began = time.perf_counter()
        for chosen in auctions:
            auction = Auction(edition)
            for place in chosen:
                legal = auction.legal_calls
                auction.push(legal[place])
        return time.perf_counter() - began

    return play


def main(seconds: float = 3.0) -> dict[str, float]:
    """Run all side by side and print what came out: the best of each over the same rounds."""
    players = {"OpenSpiel": by_open_spiel(), "push": by_push(), "legal_calls": by_asking()}
    chance = random.Random(11)
    assert are_the_same(random_auctions(chance))
    best = dict.fromkeys(players, 0.0)
    began, rounds = time.perf_counter(), 0
    while rounds < 4 or time.perf_counter() - began < seconds:
        auctions = random_auctions(chance)
        calls = sum(len(chosen) for chosen in auctions)
        for name in players if rounds % 2 else reversed(players):
            best[name] = max(best[name], calls / players[name](auctions))
        rounds += 1
    ratios = {name: rate / best["OpenSpiel"] for name, rate in best.items()}
    for name, rate in best.items():
        print(f"{name:<12}{rate:12,.0f} calls a second, {ratios[name]:.2f} times OpenSpiel's")
    return {**best, "ratio": ratios["push"], "ratio_asking": ratios["legal_calls"]}


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
