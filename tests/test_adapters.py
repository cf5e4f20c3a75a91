"""The adapters: the suites of the libraries themselves, conformance with the facade, and OpenSpiel's own bridge.

No library is optional here: the `test` extra brings them, and without one these tests are skipped only outside CI.
"""

from __future__ import annotations

import functools
import importlib
import os
import pickle
import random
import re
import subprocess
import sys
import unittest
import warnings
from collections.abc import Collection, Sequence
from importlib import resources
from typing import Any

import pytest

from lawbook.adapters import MissingExtra
from lawbook.adapters.bidding import Bidding, Moves, moves_of
from lawbook.adapters.cards import (
    HAND_SIZE,
    PACK,
    deal_text,
    double_dummy,
    estimate,
    register_tricks,
    shuffled,
    tricks_by,
)
from lawbook.adapters.conformance import FacadeTable, NotConforming, check_adapter
from lawbook.adapters.observations import mask_of, numbers_of, ones_of, shape_of, text_of
from lawbook.adapters.returns import most_points, register_score, score_by
from lawbook.auction import Auction, Contract, load
from lawbook.deals import Deal
from lawbook.errors import LawbookError
from lawbook.machine.ruling import Verdict
from lawbook.values import Bid, Call, Seat, Side

EDITIONS = ("portland-bath-1908", "whist-club-1912", "whist-club-1913", "contract-2017")
GAMES = (
    "lawbook(edition=whist-club-1912)",
    "lawbook(edition=contract-2017,vulnerable=EW)",
    "lawbook(edition=contract-2017,irregular=true)",
    "lawbook(edition=whist-club-1912,irregular=true)",
    "lawbook(edition=whist-club-1913,irregular=true,irregularities=2,dealer=S)",
    "lawbook(edition=portland-bath-1908,dealer=E,tricks=always:9)",
    "lawbook(edition=whist-club-1912@sufficient-denomination:offender-chooses,irregular=true)",
)


def library(name: str) -> Any:
    """A module of a library that the `test` extra brings."""
    if os.environ.get("CI"):
        return importlib.import_module(name)
    return pytest.importorskip(name, reason='pip install "lawbook[test]" brings it')


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    found = library("pyspiel")
    importlib.import_module("lawbook.adapters.open_spiel")
    return found


@pytest.fixture(scope="module")
def zoo() -> Any:
    library("pettingzoo")
    return importlib.import_module("lawbook.adapters.pettingzoo")


def dealt_out(game: Any, seed: int = 0) -> Any:
    """A state of a game after the deal."""
    chance = random.Random(seed)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance.choice([card for card, _ in state.chance_outcomes()]))
    return state


# -- the auction as a game ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_with_irregular_acts_every_move_can_happen_and_no_call_that_can_is_missing(edition: str) -> None:
    chance = random.Random(5)
    for number in range(6):
        bidding = Bidding(moves_of(edition, "", True), Seat(number % 4), irregularities=3)
        spare = 3
        while (player := bidding.player) is not None:
            possible = bidding.possible
            assert list(possible) == sorted(set(possible))
            auction = bidding.auction
            for move in range(bidding.moves.wait):
                verdict = auction.copy().act(bidding.moves.act(move, player)).verdict
                if move in possible:
                    assert verdict is not Verdict.REFUSED
                elif spare:
                    assert verdict is Verdict.REFUSED
            assert (bidding.moves.wait in possible) == (player is not auction.turn)
            before = len(auction.happenings)
            bidding.move(chance.choice(possible))
            if len(auction.happenings) > before:
                done = auction.happenings[before]
                replaces = done.act.call is None and not auction.edition.acts[done.act.name].chooses
                spare -= replaces or done.verdict is Verdict.IRREGULAR
        assert spare >= 0
        assert not bidding.is_broken_off
        assert not auction.options
        assert bidding.possible == ()


def test_an_irregular_auction_goes_as_at_the_table() -> None:
    moves = moves_of("whist-club-1912", "", True)
    bidding = Bidding(moves, Seat.N, irregularities=4)
    for text in ("N:2H", "E:2D", "S:penalise"):
        for number in bidding.moves_to(text):
            bidding.move(number)
    assert bidding.history_text == "E:wait S:wait W:wait N:2H S:wait W:wait N:wait E:2D W:wait N:wait E:wait S:penalise"
    assert bidding.auction.notation == "2H 2D S:penalise"
    with pytest.raises(ValueError, match="cannot be made"):
        bidding.move(len(moves))


def test_too_long_an_auction_is_broken_off() -> None:
    bidding = Bidding(moves_of("whist-club-1912"), Seat.N, longest=3)
    for text in ("1C", "P", "1D"):
        bidding.move(bidding.moves.number(text))
    assert bidding.is_over
    assert bidding.is_broken_off
    assert bidding.possible == ()


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_lawful_auction_is_broken_off(edition: str) -> None:
    """From a bid to the next there are at most nine calls, as `test_lawful` counts."""
    bids = len([call for call in Moves(edition).calls if str(call)[0] in "1234567"])
    assert 9 * bids + 4 <= Moves(edition).longest


@pytest.mark.parametrize("irregular", [False, True])
def test_a_copy_and_a_pickle_go_on_apart(irregular: bool) -> None:
    bidding = Bidding(moves_of("whist-club-1912", "", irregular), Seat.W, irregularities=2)
    for text in ("2H", "E:2D", "S:3C") if irregular else ("2H", "P", "3C"):
        for number in bidding.moves_to(text):
            bidding.move(number)
    before = list(bidding.history)
    twins = [bidding.copy(), pickle.loads(pickle.dumps(bidding))]
    for twin in twins:
        assert (twin.player, twin.possible, twin.history) == (bidding.player, bidding.possible, before)
        twin.move(twin.possible[-1])
    assert bidding.history == before
    assert twins[0].possible == twins[1].possible
    assert twins[0].auction.state == twins[1].auction.state


# -- cards, tricks and returns -----------------------------------------------------------------------------------


def test_a_deal_is_the_whole_pack() -> None:
    hands = shuffled(random.Random(1))
    assert sorted(card for hand in hands for card in hand) == list(range(len(PACK)))
    assert all(len(hand) == HAND_SIZE for hand in hands)
    assert deal_text(hands).count(".") == 12


def test_the_estimate_grows_with_strength_and_trumps() -> None:
    edition = load("whist-club-1912")
    by_suit = tuple(tuple(range(suit, 52, 4)) for suit in range(4))  # N clubs, E diamonds, S hearts, W spades
    assert estimate(edition, by_suit, Contract(1, "C", 0, Seat.N, Seat.S)) > estimate(
        edition, by_suit, Contract(1, "D", 0, Seat.N, Seat.S)
    )
    royals, spades = (estimate(edition, by_suit, Contract(1, letter, 0, Seat.W, Seat.E)) for letter in "RS")
    assert royals == spades


def test_double_dummy_tricks_where_a_solver_is_installed() -> None:
    edition = load("whist-club-1912")
    by_suit = tuple(tuple(range(suit, 52, 4)) for suit in range(4))
    contract = Contract(7, "R", 0, Seat.W, Seat.E)
    try:
        importlib.import_module("endplay")
    except ImportError:
        with pytest.raises(MissingExtra, match=r'pip install "lawbook\[dds\]"'):
            double_dummy(edition, by_suit, contract)
    else:
        assert double_dummy(edition, by_suit, contract) == 13
        assert double_dummy(edition, by_suit, Contract(1, "N", 0, Seat.W, Seat.E)) == 0


@pytest.mark.parametrize("text", ["always:14", "always:", "table:", "table:xyz", "estimat", "9", ""])
def test_what_tells_no_tricks_is_refused(text: str) -> None:
    with pytest.raises(LawbookError, match="does not tell tricks"):
        tricks_by(text)


def test_a_table_must_fit_the_edition() -> None:
    contract = Contract(1, "C", 0, Seat.N, Seat.S)
    given = tricks_by("table:" + "0123456789abcd0123456789")
    assert given(load("whist-club-1912"), (), contract) == 1
    with pytest.raises(LawbookError, match="has 20 digits"):
        given(load("portland-bath-1908"), (), contract)


def test_a_score_must_be_known() -> None:
    with pytest.raises(LawbookError, match="no scoring function"):
        score_by("editoin", load("whist-club-1912"))


# -- observations ------------------------------------------------------------------------------------------------


def test_hands_are_private_and_the_auction_is_not() -> None:
    """Two deals that give North the same cards are the same to him until somebody acts otherwise."""
    first = shuffled(random.Random(1))
    second = (first[0], first[2], first[1], first[3])
    bidding = Bidding(moves_of("whist-club-1912"), Seat.N)
    for text in ("1C", "P", "1H"):
        bidding.move(bidding.moves.number(text))
    for recall in (False, True):
        shape = shape_of(bidding.moves, 20, private=True, public=True, recall=recall)

        def seen(hands: Any, seat: Seat, shape: Any = shape, recall: bool = recall) -> tuple[list[float], str]:
            view = {"private": True, "public": True, "recall": recall}
            return numbers_of(shape, ones_of(bidding, hands, seat, **view)), text_of(bidding, hands, seat, **view)

        assert seen(first, Seat.N) == seen(second, Seat.N)
        assert seen(first, Seat.E) != seen(second, Seat.E)
        numbers, text = seen(first, Seat.N)
        assert len(numbers) == sum(length for _, length in shape)
        assert "1H" in text
        assert deal_text(first).split()[1] not in text
    assert sum(mask_of(bidding)) == len(bidding.possible)


def test_the_history_tells_all_auctions_apart() -> None:
    chance = random.Random(4)
    moves = moves_of("whist-club-1912", "", True)
    seen: dict[tuple[int, ...], str] = {}
    for number in range(12):
        bidding = Bidding(moves, Seat(number % 4), irregularities=1)
        while not bidding.is_over:
            bidding.move(chance.choice(bidding.possible))
            ones = ones_of(bidding, (), Seat.N, private=False, public=True, recall=True)
            key = (*ones["dealer"], *ones["history"])
            assert seen.setdefault(key, bidding.history_text) == bidding.history_text


# -- OpenSpiel ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_open_spiels_random_simulation(pyspiel: Any, game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=3, serialize=True, verbose=False)


@pytest.fixture(scope="module")
def open_spiel_suites(pyspiel: Any) -> tuple[Any, Any]:
    """OpenSpiel's tests of its Python interface. They import every game it has, some of which warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return library("open_spiel.integration_tests.api_test"), library("open_spiel.python.tests.games_sim_test")


@pytest.mark.parametrize("text", GAMES)
def test_open_spiels_simulation_of_games(pyspiel: Any, open_spiel_suites: tuple[Any, Any], text: str) -> None:
    """Simulation with clones, serialisation and pickles, as it does with each of its own games."""
    open_spiel_suites[1].GamesSimTest().sim_game(pyspiel.load_game(text))


@pytest.mark.parametrize("text", GAMES[:5])
def test_open_spiels_tests_of_the_python_interface(pyspiel: Any, open_spiel_suites: tuple[Any, Any], text: str) -> None:
    """Its tests of a game's conventions on a part of the tree. The class is made as it makes them."""
    suite = open_spiel_suites[0]
    case = type("Lawbook", (suite.EnforceAPIOnPartialTreeBase,), {"game": pyspiel.load_game(text), "game_name": text})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert not result.errors
    assert not result.failures


def test_open_spiels_tests_on_states_of_whole_games(pyspiel: Any, open_spiel_suites: tuple[Any, Any]) -> None:
    """Its tests on every state of a game, but for the two that count them: here on the states of some games."""
    suite = open_spiel_suites[0]
    game = pyspiel.load_game(GAMES[3])
    chance = random.Random(3)
    states = []
    for _ in range(4):
        state = game.new_initial_state()
        while not state.is_terminal():
            states.append(state.clone())
            state.apply_action(chance.choice(state.legal_actions()))
        states.append(state)
    members = {"game": game, "game_name": "lawbook", "all_states": states, "setUpClass": classmethod(lambda cls: None)}
    case = type("Lawbook", (suite.EnforceAPIOnFullTreeBase,), members)
    for name in unittest.defaultTestLoader.getTestCaseNames(case):
        if name not in ("test_number_of_nodes", "test_game_is_perfect_recall"):
            result = unittest.TestResult()
            case(name).run(result)
            assert not result.errors + result.failures, name


def test_the_deal_is_by_chance_and_the_first_card_goes_north(pyspiel: Any) -> None:
    state = pyspiel.load_game(GAMES[0]).new_initial_state()
    assert len(state.chance_outcomes()) == 52
    assert sum(probability for _, probability in state.chance_outcomes()) == pytest.approx(1)
    state.apply_action(51)
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 51) == "SA"
    assert len(state.chance_outcomes()) == 51
    assert state.hands[Seat.N] == (51,)


def test_returns_are_the_editions_own_score_of_the_tricks_told(pyspiel: Any) -> None:
    state = dealt_out(pyspiel.load_game("lawbook(edition=whist-club-1912,tricks=always:10)"))
    for text in ("1C", "P", "4H", "X", "P", "P", "P"):
        state.apply_action(state.bidding.moves.number(text))
    assert state.is_terminal()
    # Four odd tricks in hearts at eight, doubled, and fifty for a doubled declaration made.
    assert state.returns() == [114.0, -114.0, 114.0, -114.0]


def test_a_function_of_ones_own_tells_tricks_and_scores(pyspiel: Any, registries: None) -> None:
    register_tricks("for-the-test", lambda edition, hands, contract: 6 + contract.level)
    register_score("for-the-test", lambda edition, deal: 100.0 * deal.tricks)
    text = "lawbook(edition=whist-club-1912,tricks=for-the-test,score=for-the-test,most_points=1300.0)"
    game = pyspiel.load_game(text)
    assert game.max_utility() == 1300
    state = dealt_out(game)
    for call in ("3C", "P", "P", "P"):
        state.apply_action(state.bidding.moves.number(call))
    assert state.returns()[0] == 900
    with pytest.raises(LawbookError, match="give most_points"):
        pyspiel.load_game("lawbook(edition=whist-club-1912,score=for-the-test)")


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_score_exceeds_the_bound_of_utilities(edition: str) -> None:
    chance = random.Random(6)
    rules = load(edition)
    score = score_by("edition", rules)
    bound = most_points(rules, 0)
    letters = rules.universe.letters
    for level, doubling, tricks in [(7, 2, 0), (7, 2, 13), (1, 2, 13)] + [
        (chance.randint(1, 7), chance.randint(0, 2), chance.randint(0, 13)) for _ in range(20)
    ]:
        for letter in letters:
            assert abs(score(rules, Deal(Bid(level, letter), doubling, Seat.N, tricks))) <= bound


@pytest.mark.parametrize(
    "text, says",
    [
        ("lawbook", "say which edition"),
        ("lawbook(edition=whist-club-1812)", "no edition `whist-club-1812`"),
        ("lawbook(edition=whist-club-1912,dealer=Q)", "`Q` is no seat"),
        ("lawbook(edition=whist-club-1912,vulnerable=N)", "`N` is no side"),
        ("lawbook(edition=whist-club-1912,tricks=none)", "does not tell tricks"),
    ],
)
def test_wrong_parameters_are_told(pyspiel: Any, text: str, says: str) -> None:
    with pytest.raises(LawbookError, match=says):
        pyspiel.load_game(text)


def test_legal_calls_ends_contracts_and_declarers_are_those_of_open_spiels_bridge(
    pyspiel: Any, request: pytest.FixtureRequest
) -> None:
    """On thousands of positions of random auctions under the modern code, which are of all lengths."""
    compare_with_bridge(pyspiel, 100_000 if request.config.getoption("--thorough") else 30_000)


def compare_with_bridge(pyspiel: Any, positions: int) -> None:
    bridge = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    start = dealt_out(bridge)
    edition = load("contract-2017")
    strains = "CDHSN"
    texts = {52: "P", 53: "X", 54: "XX", **{55 + n: f"{1 + n // 5}{strains[n % 5]}" for n in range(35)}}
    calls = {action: Call.parse(text) for action, text in texts.items()}
    actions = {call: action for action, call in calls.items()}
    bidding_phase = start.current_phase()
    chance = random.Random(17)
    seen = ends = 0
    while seen < positions:
        state, auction = start.clone(), Auction(edition)
        while True:
            seen += 1
            is_over = state.is_terminal() or state.current_phase() != bidding_phase
            assert is_over == (not auction.is_open), auction.notation
            if is_over:
                break
            legal = state.legal_actions()
            assert state.current_player() == auction.turn, auction.notation
            assert sorted(actions[call] for call in auction.legal_calls) == legal, auction.notation
            # Passes, doubles and low bids often, so that auctions grow long.
            others = [action for action in legal if action < 55]
            low = [action for action in legal if action >= 55][:4]
            action = chance.choice([52, chance.choice(others), chance.choice(low or others), chance.choice(legal)])
            state.apply_action(action)
            auction.push(calls[action])
        ends += 1
        contract = auction.contract
        told = "Passed Out"
        if contract is not None:
            told = f"{contract.level}{contract.denomination}{'X' * contract.doubling} {contract.declarer}"
        assert bridge.contract_string(state.contract_index()) == told, auction.notation
    assert ends > positions // 100


def test_the_game_plays_as_open_spiels_bridge_with_the_same_cards(pyspiel: Any, registries: None) -> None:
    register_score("nothing", lambda edition, deal: 0.0)
    ours = pyspiel.load_game("lawbook(edition=contract-2017,score=nothing,most_points=1.0)")
    theirs = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    chance = random.Random(23)
    names = {52: "P", 53: "X", 54: "XX", **{55 + n: f"{1 + n // 5}{'CDHSN'[n % 5]}" for n in range(35)}}
    for _ in range(20):
        state, bridge = ours.new_initial_state(), theirs.new_initial_state()
        while state.is_chance_node():
            card = chance.choice(bridge.legal_actions())
            shown = bridge.action_to_string(card).replace("10", "T")
            assert (
                state.action_to_string(card)
                == {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}.get(shown[0], shown[0]) + shown[1]
            )
            state.apply_action(card)
            bridge.apply_action(card)
        for seat, hand in enumerate(state.hands):
            assert [card for card, held in enumerate(bridge.private_observation_tensor(seat)) if held] == list(hand)
        while not state.is_terminal():
            legal = {names[action]: action for action in bridge.legal_actions()}
            assert {state.action_to_string(action) for action in state.legal_actions()} == set(legal)
            assert state.current_player() == bridge.current_player()
            action = chance.choice(state.legal_actions())
            bridge.apply_action(legal[state.action_to_string(action)])
            state.apply_action(action)


# -- PettingZoo --------------------------------------------------------------------------------------------------

# PettingZoo's test says of every observation with a mask that it is no plain array; its own card games are excepted
# by name.
with_a_mask = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)
OPTIONS: tuple[dict[str, Any], ...] = ({}, {"irregular": True}, {"dealer": "S", "longest": 6, "tricks": "always:8"})


@with_a_mask
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("edition", EDITIONS[1:])
def test_petting_zoos_test_of_the_interface(zoo: Any, edition: str, options: dict[str, Any]) -> None:
    test = library("pettingzoo.test")
    test.api_test(zoo.env(edition, **options), num_cycles=100)
    test.api_test(zoo.raw_env(edition, **options), num_cycles=20)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("edition", ["whist-club-1912", "contract-2017"])
def test_petting_zoos_test_of_seeds(zoo: Any, edition: str, options: dict[str, Any]) -> None:
    library("pettingzoo.test").seed_test(lambda: zoo.env(edition, **options), num_cycles=50)


def test_rewards_come_at_the_end_and_sum_to_nothing(zoo: Any) -> None:
    environment = zoo.env("whist-club-1912", tricks="always:7", dealer="N")
    environment.reset(seed=1)
    for text in ("1C", "P", "P", "P"):
        assert set(environment.rewards.values()) == {0}
        environment.step(environment.unwrapped.moves.number(text))
    assert all(environment.terminations.values())
    assert environment.rewards == {"player_0": 6.0, "player_1": -6.0, "player_2": 6.0, "player_3": -6.0}


def test_an_auction_broken_off_truncates(zoo: Any) -> None:
    environment = zoo.raw_env("whist-club-1912", longest=2, dealer="N")
    environment.reset(seed=1)
    environment.step(environment.moves.number("1C"))
    environment.step(environment.moves.number("P"))
    assert all(environment.truncations.values())
    assert not any(environment.terminations.values())
    assert "1C" in environment.render()


def test_a_masked_move_raises_without_guards(zoo: Any) -> None:
    environment = zoo.raw_env("whist-club-1912", dealer="N")
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="cannot be made"):
        environment.step(environment.moves.number("X"))


# -- conformance -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("irregular", [False, True])
def test_both_adapters_conform(pyspiel: Any, zoo: Any, edition: str, irregular: bool) -> None:
    game = importlib.import_module("lawbook.adapters.open_spiel").GameTable
    for table in (game, zoo.EnvironmentTable):
        factory = functools.partial(table, irregular=irregular)
        report = check_adapter(factory, edition, auctions=8 if irregular else 40, irregular=irregular)
        assert report.contracts > 0
        assert (report.irregular > 0) == irregular


class Wrong(FacadeTable):
    """An adapter with one mistake, named by the method that makes it."""

    mistake = ""

    def turn(self) -> str | None:
        return "W" if self.mistake == "turn" and len(self._auction.happenings) == 3 else super().turn()

    def legal_calls(self) -> Collection[str]:
        calls = list(super().legal_calls())
        if self.mistake == "too many":
            calls.append("8N")
        if self.mistake == "too few":
            calls = [call for call in calls if call != "7H"]
        return calls

    def act(self, text: str) -> None:
        if self.mistake == "act" and "N" in text:
            raise KeyError(text)
        super().act(text)

    def contract(self) -> str | None:
        contract = super().contract()
        if self.mistake == "contract" and contract is not None:
            return contract.replace("by N", "by S")
        return contract

    def returns(self) -> Sequence[float] | None:
        points = super().returns()
        assert points is not None
        return [abs(point) for point in points] if self.mistake == "returns" else points


@pytest.mark.parametrize(
    "mistake, says",
    [
        ("turn", "the seat in turn: the adapter says W"),
        ("too many", "the calls in order: it allows 8N"),
        ("too few", "the calls in order: it lacks 7H"),
        ("act", "the adapter does not take .*KeyError"),
        ("contract", "the contract: the adapter says"),
        ("returns", "the returns: the adapter says"),
    ],
)
def test_a_mistake_is_found_and_told(monkeypatch: pytest.MonkeyPatch, mistake: str, says: str) -> None:
    monkeypatch.setattr(Wrong, "mistake", mistake)
    with pytest.raises(NotConforming, match=says) as caught:
        check_adapter(Wrong, "whist-club-1912", auctions=20)
    assert "whist-club-1912" in str(caught.value)
    assert "dealt, after" in str(caught.value)


def test_the_test_compares_what_irregular_acts_lead_to() -> None:
    report = check_adapter(FacadeTable, "whist-club-1913", auctions=20, irregular=True)
    assert report.irregular > 20
    assert report.contracts < report.auctions


class Played:
    """The game that the guide's example adapter is for."""

    def __init__(self, edition: str, dealer: str, tricks: Any) -> None:
        self._table = FacadeTable(edition, dealer, tricks(None))

    to_call = property(lambda self: self._table.turn())
    calls = property(lambda self: self._table.legal_calls())
    contract = property(lambda self: self._table.contract())
    points = property(lambda self: self._table.returns())

    def make(self, text: str) -> None:
        self._table.act(text)


def test_the_examples_of_the_guide_run(pyspiel: Any, zoo: Any) -> None:
    guide = resources.files("lawbook.adapters").joinpath("README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(examples) == 3
    for example in examples:
        names: dict[str, Any] = {"MyGame": Played}
        exec(example.replace("auctions=500", "auctions=5").replace("auctions=100", "auctions=5"), names)
        if "test_my_adapter_keeps_to_the_edition" in names:
            names["test_my_adapter_keeps_to_the_edition"]()


# -- missing libraries -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "library_name, adapter", [("pyspiel", "open_spiel"), ("pettingzoo", "pettingzoo"), ("numpy", "pettingzoo")]
)
def test_without_its_library_an_adapter_names_the_extra(library_name: str, adapter: str) -> None:
    """In a process where the library cannot be imported; `import lawbook` needs neither."""
    program = (
        f"import sys; sys.modules[{library_name!r}] = None\n"
        "import lawbook, lawbook.adapters, lawbook.adapters.conformance\n"
        f"try: import lawbook.adapters.{adapter}\n"
        "except lawbook.LawbookError as error: print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip().endswith(f'is not installed: pip install "lawbook[{adapter}]"')


def test_the_facade_imports_no_library_of_an_adapter() -> None:
    program = (
        "import sys, lawbook; lawbook.Auction('whist-club-1912').play('1C')\n"
        "print([name for name in ('numpy', 'pyspiel', 'pettingzoo') if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_penalties_are_part_of_the_returns(pyspiel: Any) -> None:
    chance = random.Random(0)
    game = pyspiel.load_game("lawbook(edition=whist-club-1913,irregular=true,tricks=always:7)")
    for _ in range(200):
        state = dealt_out(game)
        bidding = state.bidding
        while not state.is_terminal():
            remedies = [move for move in state.legal_actions() if move in bidding.moves.remedies]
            state.apply_action(chance.choice(remedies or state.legal_actions()))
        if any(bidding.auction.points.values()):
            break
    points = bidding.auction.points[Side.NS] - bidding.auction.points[Side.EW]
    assert points != 0
    if bidding.auction.contract is None:
        assert state.returns()[0] == points
