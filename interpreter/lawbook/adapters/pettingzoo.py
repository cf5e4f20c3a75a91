"""A PettingZoo environment: four agents, `player_0` to `player_3` for N E S W, bid under an edition, with action masks.

>>> environment = env("whist-club-1912", dealer="E")
>>> environment.reset(seed=7)
>>> environment.agent_selection
'player_1'
>>> observation, reward, termination, truncation, info = environment.last()
>>> int(observation["action_mask"].sum()), len(observation["observation"])
(42, 330)
"""

from __future__ import annotations

import functools
import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from lawbook.adapters import missing_extra
from lawbook.adapters.bidding import Bidding, moves_of
from lawbook.adapters.cards import Hands, Tricks, always, deal_text, shuffled, tricks_by
from lawbook.adapters.observations import mask_of, numbers_of, ones_of, shape_of
from lawbook.adapters.returns import Score, returns_of, score_by, sides_by
from lawbook.values import Seat

try:
    import numpy
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing_extra("pettingzoo", "pettingzoo") from error

_VIEW: Final[Mapping[str, bool]] = {"private": True, "public": True, "recall": False}


def agent_of(seat: Seat) -> str:
    """The name of the agent in a seat.

    >>> agent_of(Seat.S)
    'player_2'
    """
    return f"player_{int(seat)}"


def env(edition: str, **options: Any) -> AECEnv:
    """The environment with PettingZoo's own guards: a move that is masked ends the game with a reward of -1 for him who
    made it. `options` are those of `raw_env`."""
    guarded = wrappers.TerminateIllegalWrapper(raw_env(edition, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class raw_env(AECEnv):
    """The environment without guards.

    - `edition`: its name, with readings after `@` if others are wanted; `laws`: a folder of one's own laws, or nothing.
    - `irregular`: whether irregular acts are moves, and `irregularities` how many may happen in an auction.
    - `dealer`: a seat's letter; None draws it anew for each deal.
    - `vulnerable`: `none`, `NS`, `EW` or `both`, for editions that score it.
    - `tricks`: how many tricks a contract wins, a name or a function (`lawbook.adapters.cards`).
    - `score`: what a contract is worth, a name or a function (`lawbook.adapters.returns`).
    - `longest`: after how many moves an auction is broken off and the agents truncated; 0 for the edition's own number.

    An observation has the view of the agent (`lawbook.adapters.observations`, without perfect recall) and the mask of
    the moves it may make, all 0 when others are asked. Rewards are the points of the deal, and come at its end.

    Raises LawbookError for an edition or names that do not exist.
    """

    metadata: Final = {"name": "lawbook_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        edition: str,
        *,
        laws: str = "",
        irregular: bool = False,
        irregularities: int = 4,
        dealer: Seat | str | None = None,
        vulnerable: str = "none",
        tricks: Tricks | str = "estimate",
        score: Score | str = "edition",
        longest: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.moves = moves_of(edition, laws, irregular)
        self.render_mode = render_mode
        self.possible_agents = [agent_of(seat) for seat in Seat]
        self._irregularities = irregularities
        self._dealer = Seat.parse(dealer) if isinstance(dealer, str) else dealer
        self._vulnerable = sides_by(vulnerable)
        self._tricks = tricks_by(tricks) if isinstance(tricks, str) else tricks
        self._score = score_by(score, self.moves.edition) if isinstance(score, str) else score
        self._longest = longest or self.moves.longest
        self._shape = shape_of(self.moves, self._longest, **_VIEW)
        self._chance = random.Random()
        self.hands: Hands = ()
        self.bidding: Bidding

    @functools.cache  # noqa: B019  (PettingZoo wants the same space again each time; an agent has one)
    def observation_space(self, agent: str) -> Space[Any]:
        """The view and the mask of an agent."""
        length = sum(length for _, length in self._shape)
        return Dict(
            {
                "observation": Box(0, 1, (length,), numpy.float32),
                "action_mask": Box(0, 1, (len(self.moves),), numpy.int8),
            }
        )

    @functools.cache  # noqa: B019
    def action_space(self, agent: str) -> Space[Any]:
        """The numbers of the moves."""
        return Discrete(len(self.moves))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew. With a seed, this deal and those after it are always the same."""
        if seed is not None:
            self._chance = random.Random(seed)
        self.hands = shuffled(self._chance)
        dealer = Seat(self._chance.randrange(len(Seat))) if self._dealer is None else self._dealer
        self.bidding = Bidding(self.moves, dealer, irregularities=self._irregularities, longest=self._longest)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """The view of an agent and the mask of its moves."""
        seat = Seat(self.possible_agents.index(agent))
        ones = ones_of(self.bidding, self.hands, seat, **_VIEW)
        mask = mask_of(self.bidding) if self.bidding.player is seat else [0] * len(self.moves)
        return {
            "observation": numpy.array(numbers_of(self._shape, ones), numpy.float32),
            "action_mask": numpy.array(mask, numpy.int8),
        }

    def step(self, action: int | None) -> None:
        """The agent that is asked makes a move. Raises ValueError for one that is masked."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.bidding.move(-1 if action is None else int(action))
        self._clear_rewards()
        if self.bidding.is_over:
            points = returns_of(self.bidding, self.hands, self._tricks, self._score, self._vulnerable)
            self.rewards = dict(zip(self.possible_agents, points, strict=True))
            ended = self.truncations if self.bidding.is_broken_off else self.terminations
            ended.update(dict.fromkeys(self.agents, True))
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        player = self.bidding.player
        if player is not None:
            self.agent_selection = agent_of(player)

    def render(self) -> str:
        """The deal and the auction so far as a line of text."""
        return f"{deal_text(self.hands)} {self.bidding.auction.dealer} dealt {self.bidding.history_text}".rstrip()

    def close(self) -> None:
        """Nothing is held open."""


class EnvironmentTable:
    """The environment as `lawbook.adapters.conformance` drives it; `irregular` as for `raw_env`."""

    def __init__(self, edition: str, dealer: str, tricks: int, *, irregular: bool = False) -> None:
        # The test decides how much is irregular.
        self._env = raw_env(
            edition,
            irregular=irregular,
            irregularities=1_000,
            dealer=dealer,
            tricks=always(tricks),
            longest=100_000 if irregular else 0,
        )
        self._env.reset(seed=0)

    def turn(self) -> str | None:
        """The seat in turn."""
        turn = self._env.bidding.auction.turn
        return None if turn is None else str(turn)

    def legal_calls(self) -> Collection[str]:
        """The calls that the mask leaves to the agent."""
        env = self._env
        if env.moves.irregular:
            return [str(call) for call in env.bidding.auction.legal_calls]
        mask = env.observe(env.agent_selection)["action_mask"]
        return [env.moves.text(int(number)) for number in numpy.flatnonzero(mask)]

    def act(self, text: str) -> None:
        """Make an act; those who are asked before its seat wait."""
        for number in self._env.bidding.moves_to(text):
            self._env.step(number)

    def contract(self) -> str | None:
        """The contract."""
        contract = self._env.bidding.auction.contract
        return None if contract is None else str(contract)

    def returns(self) -> Sequence[float] | None:
        """The rewards once all have been asked and nobody speaks."""
        while not self._env.bidding.is_over:
            self._env.step(self._env.moves.wait)
        return [float(self._env.rewards[agent]) for agent in self._env.possible_agents]
