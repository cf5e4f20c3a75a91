"""An OpenSpiel game, `lawbook`: the cards are dealt as chance moves, then four players bid under an edition.

Importing this module registers the game. Its parameters are in the table of `README.md`; only `edition` must be told.

>>> import pyspiel
>>> game = pyspiel.load_game("lawbook(edition=whist-club-1912)")
>>> state = game.new_initial_state()
>>> for card in range(52):
...     state.apply_action(card)
>>> [state.action_to_string(action) for action in state.legal_actions()][:3]
['1S', '1C', '1D']
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from lawbook.adapters import missing_extra
from lawbook.adapters.bidding import Bidding, moves_of
from lawbook.adapters.cards import PACK, Hands, deal_text, dealt, tricks_by
from lawbook.adapters.observations import ones_of, shape_of, text_of
from lawbook.adapters.returns import edition_score, most_points, returns_of, score_by, sides_by
from lawbook.diagnostics import Diagnostic, Severity
from lawbook.errors import LawbookError
from lawbook.values import Seat

try:
    import numpy
    import pyspiel
except ImportError as error:
    raise missing_extra("pyspiel", "open_spiel") from error

_PARAMETERS: Final[Mapping[str, Any]] = {
    "edition": "",
    "laws": "",
    "irregular": False,
    "irregularities": 4,
    "dealer": "N",
    "vulnerable": "none",
    "tricks": "estimate",
    "score": "edition",
    "most_points": 0.0,
    "longest": 0,
}
_TYPE: Final = pyspiel.GameType(
    short_name="lawbook",
    long_name="Auction bridge under an edition of its laws",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=len(Seat),
    min_num_players=len(Seat),
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    # No edition is anybody's default.
    default_loadable=False,
    parameter_specification=dict(_PARAMETERS),
)


def _problem(code: str, message: str) -> LawbookError:
    return LawbookError([Diagnostic(code, Severity.ERROR, message)])


class LawbookGame(pyspiel.Game):
    """The game. Raises LawbookError for parameters that cannot be."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(parameters or {})}
        # OpenSpiel keeps `=` and `,` for its own writing of parameters.
        given["edition"] = given["edition"].replace("=", ":").replace(",", ";")
        if not given["edition"]:
            raise _problem("no-edition", "say which edition: lawbook(edition=...)")
        name = given["edition"].replace(":", "=").replace(";", ",")
        self.moves = moves_of(name, given["laws"], given["irregular"])
        self.irregularities: int = given["irregularities"] if given["irregular"] else 0
        self.dealer = Seat.parse(given["dealer"])
        self.vulnerable = sides_by(given["vulnerable"])
        self.tricks = tricks_by(given["tricks"])
        self.score = score_by(given["score"], self.moves.edition)
        self.longest: int = given["longest"] or self.moves.longest
        bound = float(given["most_points"])
        if not bound:
            if self.score is not edition_score:
                raise _problem("no-bound", "with a scoring function of your own, give most_points, its greatest value")
            bound = most_points(self.moves.edition, self.irregularities)
        information = pyspiel.GameInfo(
            num_distinct_actions=len(self.moves),
            max_chance_outcomes=len(PACK),
            num_players=len(Seat),
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0,
            max_game_length=self.longest,
        )
        super().__init__(_TYPE, information, given)

    def new_initial_state(self) -> LawbookState:
        """The state before the first card is dealt."""
        return LawbookState(self)

    def new_bidding(self) -> Bidding:
        """The auction before the first call."""
        return Bidding(self.moves, self.dealer, irregularities=self.irregularities, longest=self.longest)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> LawbookObserver:
        """What looks at states for one player; without a type, without perfect recall."""
        kind = pyspiel.IIGObservationType(perfect_recall=False) if iig_obs_type is None else iig_obs_type
        return LawbookObserver(self, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        """Each card is dealt by chance."""
        return len(PACK)


class LawbookState(pyspiel.State):
    """A state: some cards dealt, then the auction so far."""

    def __init__(self, game: LawbookGame) -> None:
        super().__init__(game)
        self._cards: tuple[int, ...] = ()
        self._hands: Hands = ()
        self.bidding: Bidding = game.new_bidding()

    @property
    def hands(self) -> Hands:
        """The hands, N E S W; those that are complete or not, while cards are dealt."""
        return self._hands if len(self._cards) == len(PACK) else dealt(self._cards)

    def current_player(self) -> int:
        """Chance while cards are dealt, then the number of the seat that is asked."""
        if len(self._cards) < len(PACK):
            return int(pyspiel.PlayerId.CHANCE)
        player = self.bidding.player
        return int(pyspiel.PlayerId.TERMINAL) if player is None else int(player)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.bidding.possible)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards left in the pack, all as likely; the next goes to the seats in rotation, North first."""
        left = [card for card in range(len(PACK)) if card not in self._cards]
        return [(card, 1.0 / len(left)) for card in left]

    def _apply_action(self, action: int) -> None:
        if len(self._cards) == len(PACK):
            self.bidding.move(action)
            return
        self._cards = (*self._cards, action)
        if len(self._cards) == len(PACK):
            self._hands = dealt(self._cards)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return str(PACK[action])
        return self.bidding.moves.text(action)

    def is_terminal(self) -> bool:
        """Whether nobody is asked any more."""
        return len(self._cards) == len(PACK) and self.bidding.is_over

    def returns(self) -> list[float]:
        """Each seat's points, once the auction is over."""
        if not self.is_terminal():
            return [0.0] * len(Seat)
        game = self.get_game()
        return list(returns_of(self.bidding, self._hands, game.tricks, game.score, game.vulnerable))

    def __str__(self) -> str:
        auction = self.bidding.auction
        return f"{deal_text(self.hands)} {auction.dealer} dealt {self.bidding.history_text}".rstrip()


class LawbookObserver:
    """Writes what a player sees of a state into `tensor`, and into `dict` piece by piece."""

    def __init__(
        self, game: LawbookGame, kind: pyspiel.IIGObservationType, parameters: Mapping[str, Any] | None = None
    ) -> None:
        if parameters:
            raise _problem("unknown-parameter", f"observers take no parameters, such as {', '.join(parameters)}")
        self._what: Mapping[str, bool] = {
            "private": kind.private_info != pyspiel.PrivateInfoType.NONE,
            "public": kind.public_info,
            "recall": kind.perfect_recall,
        }
        self._all_hands = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        self._shape = shape_of(game.moves, game.longest, **self._what)
        self.tensor = numpy.zeros(sum(length for _, length in self._shape), numpy.float32)
        self.dict = {}
        start = 0
        for name, length in self._shape:
            self.dict[name] = self.tensor[start : start + length]
            start += length

    def set_from(self, state: LawbookState, player: int) -> None:
        """Look at a state for a player."""
        ones = ones_of(state.bidding, state.hands, Seat(player), **self._what)
        self.tensor.fill(0)
        for name, places in ones.items():
            self.dict[name][places] = 1

    def string_from(self, state: LawbookState, player: int) -> str:
        """The same in words."""
        return text_of(state.bidding, state.hands, Seat(player), **self._what)


pyspiel.register_game(_TYPE, LawbookGame)


class GameTable:
    """The game as `lawbook.adapters.conformance` drives it; `irregular` says whether irregular acts are actions."""

    def __init__(self, edition: str, dealer: str, tricks: int, *, irregular: bool = False) -> None:
        parameters = {"edition": edition, "dealer": dealer, "tricks": f"always:{tricks}", "irregular": irregular}
        # The test decides how much is irregular.
        plenty = {"irregularities": 1_000, "longest": 100_000} if irregular else {}
        self._state = pyspiel.load_game("lawbook", {**parameters, **plenty}).new_initial_state()
        while self._state.is_chance_node():
            self._state.apply_action(self._state.chance_outcomes()[0][0])

    def turn(self) -> str | None:
        """The seat in turn."""
        turn = self._state.bidding.auction.turn
        return None if turn is None else str(turn)

    def legal_calls(self) -> Collection[str]:
        """The actions in order for the seat in turn."""
        bidding: Bidding = self._state.bidding
        if bidding.moves.irregular:
            return [str(call) for call in bidding.auction.legal_calls]
        return [self._state.action_to_string(action) for action in self._state.legal_actions()]

    def act(self, text: str) -> None:
        """Make an act; those who are asked before its seat wait."""
        bidding: Bidding = self._state.bidding
        for number in bidding.moves_to(text):
            self._state.apply_action(number)

    def contract(self) -> str | None:
        """The contract."""
        contract = self._state.bidding.auction.contract
        return None if contract is None else str(contract)

    def returns(self) -> Sequence[float] | None:
        """The returns of the state once all have been asked and nobody speaks."""
        bidding: Bidding = self._state.bidding
        while not self._state.is_terminal():
            self._state.apply_action(bidding.moves.wait)
        found: list[float] = self._state.returns()
        return found
