"""A match of a game of OpenSpiel."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Self

import pyspiel

from grandstand.games.base import Action, GameEvent, Json, OptionError, SeatId
from grandstand.games.choices import Option, Pick, Slot
from grandstand.games.foreign.game import MOVE, Drawn, ForeignGame, shared, unique
from grandstand.games.foreign.pictures.backgammon import SIZE, backgammon
from grandstand.games.foreign.pictures.targets import targets

WHO_MOVES = re.compile(r"^(?:player=\d+ move=|Pl\d+: |Player \d+: |P\d+: |\[P\d+\]|\d+ - )")
"""Matches the player or the number before a move, which our records have anyway."""

CHANCE = re.compile(r"^chance outcome \d+ \((.*)\)$")
"""Matches a draw of chance after its number."""

SHORTENED = frozenset(("chess",))
"""Games whose moves name only the target square, and whose board the library shares."""

OPEN_MOVES = frozenset(
    (
        "bargaining",
        "bridge",
        "bridge_uncontested_bidding",
        "dou_dizhu",
        "go_fish",
        "hanabi",
        "kuhn_poker",
        "leduc_poker",
        "liars_dice",
        "oh_hell",
        "repeated_leduc_poker",
        "repeated_poker",
        "spades",
        "tiny_bridge_2p",
        "tiny_bridge_4p",
        "universal_poker",
    )
)
"""Games with secrets whose moves are public."""


@lru_cache(maxsize=8)
def library_game(text: str) -> Any:
    """Return the library's game, such as `hex(board_size=5)`. Raises OptionError. Some take 20 MiB."""
    try:
        return pyspiel.load_game(text)
    except Exception as error:  # it raises errors of several kinds
        raise OptionError(f"parameters: {text} is refused by OpenSpiel: {error}") from error


def seats_of(text: str) -> tuple[SeatId, ...]:
    """Return the seats of a game, numbered like its players."""
    return tuple(f"player_{number}" for number in range(library_game(text).num_players()))


class SpielGame(ForeignGame):
    """A match of a game of OpenSpiel. Chance is drawn from the seed, or by the library from a seed of its own if it
    hides its draws."""

    def __init__(self, text: str, seed: int) -> None:
        super().__init__(seed)
        self._setup(text, seed)
        self.opened = self._drawn(self.state, self.steps)

    def _setup(self, text: str, seed: int) -> None:
        game = library_game(text)
        about = game.get_type()
        self.hidden_chance = about.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        if self.hidden_chance and "rng_seed" in about.parameter_specification:
            game = pyspiel.load_game(about.short_name, {**game.get_parameters(), "rng_seed": seed % 2**31})
        self.text_of_game, self.game_seed, self.game = text, seed, game
        self.name, self.title = about.short_name, about.long_name
        self.seats = seats_of(text)
        self.secrets = about.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        self.open_moves = not self.secrets or about.short_name in OPEN_MOVES
        self.state = game.new_initial_state()
        self.steps: list[int | list[int]] = []
        """Every action so far, chance included: one, or one of each player where all moved at the same time."""

    def movers(self) -> Sequence[SeatId]:
        if self.state.is_terminal():
            return ()
        if self.state.is_simultaneous_node():
            return [seat for player, seat in enumerate(self.seats) if self.state.legal_actions(player)]
        return (self.seats[self.state.current_player()],)

    def offered(self, seat: SeatId) -> Slot:
        words = self._words(seat)
        named = self._named(words)
        places = targets(self.name, self.seen(seat), named)
        return Pick(MOVE, [Option(word, target=places.get(action, "")) for action, word in words.items()])

    def _named(self, words: Mapping[int, str]) -> Mapping[int, str]:
        """Return the moves by their squares: the library writes moves of chess without the first one."""
        if self.name not in SHORTENED:
            return words
        board = self.state.board()
        return {action: pyspiel.chess.action_to_move(action, board).to_lan() for action in words}

    def _words(self, seat: SeatId) -> dict[int, str]:
        """Return the words of the legal actions of a seat."""
        player = self.seats.index(seat)
        actions = self.state.legal_actions(player)
        raw = [WHO_MOVES.sub("", self.state.action_to_string(player, action)) for action in actions]
        return dict(zip(actions, unique(raw), strict=True))

    def worded(self, seat: SeatId, action: int) -> Action:
        """Return an action of the library as ours."""
        return {MOVE: self._words(seat)[action]}

    def move(self, moves: Mapping[SeatId, str]) -> list[GameEvent]:
        taken: dict[int, int] = {}
        for seat, word in moves.items():
            taken[self.seats.index(seat)] = next(action for action, each in self._words(seat).items() if each == word)
        step: int | list[int]
        if self.state.is_simultaneous_node():
            step = [taken.get(player, 0) for player in range(len(self.seats))]
        else:
            (step,) = taken.values()
        state, steps = self._copied_state(), [*self.steps, step]
        _apply(state, step)
        drawn = self._drawn(state, steps)
        self.state, self.steps = state, steps
        return self.made(moves, drawn)

    def _copied_state(self) -> Any:
        """Return a copy of the state; if the library draws chance itself, with a game object of its own."""
        return self.state if self.hidden_chance else self.state.clone()

    def _drawn(self, state: Any, steps: list[int | list[int]]) -> list[str]:
        """Draw chance in `state` until a player moves, and return the public draws."""
        words: list[str] = []
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            (action,) = Random(f"{self.seed}/chance/{len(steps)}").choices(outcomes, weights)
            if not self.secrets and not self.hidden_chance:
                words.append(
                    " ".join(CHANCE.sub(r"\1", state.action_to_string(pyspiel.PlayerId.CHANCE, action)).split())
                )
            state.apply_action(action)
            steps.append(action)
        return [word for word in words if word]

    def seen(self, seat: SeatId) -> str:
        if not self.secrets:
            return self.common()
        about, player = self.game.get_type(), self.seats.index(seat)
        parts = []
        if about.provides_observation_string:
            parts.append(str(self.state.observation_string(player)))
        if about.provides_information_state_string:
            parts.append(str(self.state.information_state_string(player)))
        return "\n\n".join(dict.fromkeys(part.strip("\n") for part in parts))

    def common(self) -> str:
        return "" if self.secrets else str(self.state).strip("\n")

    def known(self, seat: SeatId) -> str:
        if not self.game.get_type().provides_information_state_string:
            return self.seen(seat)
        return str(self.state.information_state_string(self.seats.index(seat)))

    def folded(self) -> frozenset[SeatId]:
        moves = ((step.player, step.action) for step in self.state.full_history() if step.player >= 0)
        return frozenset(self.seats[by] for by, move in moves if "Fold" in self.state.action_to_string(by, move))

    def board(self) -> tuple[Drawn, tuple[float, float]] | None:
        return (backgammon(self.state, self.seats), SIZE) if self.name == "backgammon" else None

    def truth(self) -> str:
        return str(self.state)

    def returns(self) -> Sequence[float]:
        return [float(each) for each in self.state.returns()]

    def share(self, returns: Sequence[float]) -> list[float]:
        return shared(returns, self.game.min_utility(), self.game.max_utility(), self.game.utility_sum())

    def about(self, seat: SeatId) -> str:
        low, high = self.game.min_utility(), self.game.max_utility()
        return f"This is {self.title} of OpenSpiel. Only your points at the end count, from {low:g} to {high:g}."

    def to_json(self) -> Json:
        return {
            "game": self.text_of_game,
            "seed": self.seed,
            "game_seed": self.game_seed,
            "steps": [list(step) if isinstance(step, list) else step for step in self.steps],
            "sealed": dict(self.sealed),
            "opened": list(self.opened),
            "count": self.count,
            "told": list(self.told),
        }

    @classmethod
    def load(cls, data: Json) -> Self:
        game = cls._blank(data)
        for step in data["steps"]:
            _apply(game.state, step)
            game.steps.append(step)
        return game

    @classmethod
    def _blank(cls, data: Json) -> Self:
        """Return the match that `data` describes, without its steps."""
        game = cls.__new__(cls)
        ForeignGame.__init__(game, data["seed"])
        game._setup(data["game"], data["game_seed"])
        game.count, game.sealed, game.opened = data["count"], dict(data["sealed"]), list(data["opened"])
        game.told = list(data["told"])
        return game

    def clone(self) -> Self:
        if self.hidden_chance:
            return self.load(self.to_json())
        twin = self.__class__.__new__(self.__class__)
        vars(twin).update(vars(self))
        twin.state, twin.steps = self.state.clone(), list(self.steps)
        twin.sealed, twin.told, twin._slots = dict(self.sealed), list(self.told), dict(self._slots)
        return twin


def _apply(state: Any, step: int | list[int]) -> None:
    if isinstance(step, list):
        state.apply_actions(step)
    else:
        state.apply_action(step)
