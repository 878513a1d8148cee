"""A match of a classic game of PettingZoo."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

import gymnasium
import pettingzoo

from grandstand.games.base import GameEvent, Json, SeatId
from grandstand.games.choices import Option, Pick, Slot
from grandstand.games.foreign.game import MOVE, ForeignGame, shared, unique
from grandstand.games.foreign.pictures.targets import targets
from grandstand.games.foreign.zoo_words import CLASSIC

gymnasium.logger.min_level = gymnasium.logger.ERROR  # its games are made with warnings about their own number types


SPACES: Final = ("action_spaces", "observation_spaces")
"""Attributes of an environment that do not change."""
WRAPPING: Final = frozenset(("hanabi_v5",))
"""Games that wrap another library's, which cannot be copied: a copy makes all moves again."""


def new_environment(name: str) -> Any:
    """Return the library's game without its wrappers, which only check what is offered here."""
    family, _, version = name.rpartition("_")
    return pettingzoo.make("aec", f"classic/{family}-{version}").unwrapped


class ZooGame(ForeignGame):
    """A match of a classic game. Chance is drawn by the library, from the match's seed at its start."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(seed)
        self._begin(name, seed, ())

    def _begin(self, name: str, game_seed: int, steps: Sequence[int]) -> None:
        """Begin the game, and make these moves."""
        self.name, self.game_seed, self.words = name, game_seed, CLASSIC[name]
        self.title, self.secrets, self.open_moves = self.words.title, self.words.secrets, True
        self.env = new_environment(name)
        self.env.reset(seed=game_seed % 2**31)
        self.seats = tuple(self.env.possible_agents)
        self.totals = dict.fromkeys(self.seats, 0.0)
        self.steps: list[int] = []
        for step in steps:
            self._step(step)

    def _step(self, action: int) -> None:
        self.env.step(action)
        self.steps.append(action)
        for seat, reward in self.env.rewards.items():
            self.totals[seat] += float(reward)

    def movers(self) -> Sequence[SeatId]:
        env = self.env
        active = [seat for seat in env.agents if not (env.terminations[seat] or env.truncations[seat])]
        if len(active) < len(self.seats):
            return ()
        return active if env.metadata["is_parallelizable"] else (str(env.agent_selection),)

    def offered(self, seat: SeatId) -> Slot:
        words = {action: word for word, action in self._moves(seat).items()}
        places = targets(self.name, self.seen(seat), words)
        return Pick(MOVE, [Option(word, target=places.get(action, "")) for action, word in words.items()])

    def _moves(self, seat: SeatId) -> dict[str, int]:
        """Return the legal actions of a seat that moves next, by their words."""
        seen = self.env.observe(seat)
        if isinstance(seen, Mapping):
            actions = [action for action, legal in enumerate(seen["action_mask"]) if legal]
        else:
            actions = list(range(int(self.env.action_space(seat).n)))
        words = unique([self.words.move(self.env, action) for action in actions])
        return dict(zip(words, actions, strict=True))

    def move(self, moves: Mapping[SeatId, str]) -> list[GameEvent]:
        actions = {seat: self._moves(seat)[word] for seat, word in moves.items()}
        for _ in actions:
            self._step(actions[self.env.agent_selection])
        return self.made(moves, [])

    def seen(self, seat: SeatId) -> str:
        return self.words.position(self.env, self.seats.index(seat))

    def common(self) -> str:
        return "" if self.secrets else self.words.position(self.env, 0)

    def returns(self) -> Sequence[float]:
        return [self.totals[seat] for seat in self.seats]

    def share(self, returns: Sequence[float]) -> list[float]:
        return shared(returns, self.words.low, self.words.high, self.words.total)

    def about(self, seat: SeatId) -> str:
        low, high = self.words.low, self.words.high
        return f"This is {self.title} of PettingZoo. Only your points at the end count, from {low:g} to {high:g}."

    def to_json(self) -> Json:
        return {
            "game": self.name,
            "seed": self.seed,
            "game_seed": self.game_seed,
            "steps": list(self.steps),
            "sealed": dict(self.sealed),
            "count": self.count,
            "told": list(self.told),
        }

    @classmethod
    def load(cls, data: Json) -> Self:
        game = cls.__new__(cls)
        ForeignGame.__init__(game, data["seed"])
        game._begin(data["game"], data["game_seed"], data["steps"])
        game.sealed, game.count, game.told = dict(data["sealed"]), data["count"], list(data["told"])
        return game

    def clone(self) -> Self:
        if self.name in WRAPPING:
            return self.load(self.to_json())
        twin = self.__class__.__new__(self.__class__)
        vars(twin).update(vars(self))
        twin.env, twin.steps, twin.totals = _copied(self.env), list(self.steps), dict(self.totals)
        twin.sealed, twin.told, twin._slots = dict(self.sealed), list(self.told), dict(self._slots)
        return twin


def _copied(env: Any) -> Any:
    """Return an independent copy of an environment. Copied by itself it would be a new one: it says that its arguments
    are all that it has."""
    twin = object.__new__(type(env))
    shared = {id(each): each for name in SPACES if (each := vars(env).get(name)) is not None}
    vars(twin).update(copy.deepcopy(vars(env), shared))
    return twin
