"""A base for small games: implements everything of `Game` that follows from the choices, and copies by value."""

from __future__ import annotations

import copy
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Self

from grandstand.games.answers import read
from grandstand.games.base import Action, GameEvent, IllegalAction, Json, Outcome, SeatId
from grandstand.games.choices import Chosen, Grammar, Slot, default, drawn


class SimpleGame(ABC):
    """A game whose actions are its choices by name: `{"move": "bet"}`. docs/add-a-game.md has one.

    Its attributes together are the position, as JSON values: strings, numbers, lists and dicts with strings as
    keys. Copies are deep; a large game overrides `clone` and `digest`.
    """

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None: ...

    @abstractmethod
    def to_act(self) -> Sequence[SeatId]: ...

    @abstractmethod
    def choices(self, seat: SeatId, chosen: Chosen) -> Sequence[Slot]: ...

    @abstractmethod
    def play(self, seat: SeatId, chosen: Chosen) -> list[GameEvent]:
        """Play a complete, legal answer."""

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        if seat not in self.to_act():
            raise IllegalAction("seat", f"it is not {seat}'s turn")
        return self.play(seat, read(self._grammar(seat), action))

    def action(self, seat: SeatId, chosen: Chosen) -> Action:
        return dict(chosen)

    def chosen(self, seat: SeatId, action: Action) -> Chosen | None:
        try:
            return read(self._grammar(seat), action)
        except IllegalAction:
            return None

    def default_action(self, seat: SeatId) -> Action:
        return self.action(seat, default(self._grammar(seat)))

    def to_json(self) -> Json:
        return copy.deepcopy(vars(self))

    @classmethod
    def load(cls, data: Json) -> Self:
        """Return the game that `to_json` wrote."""
        game = cls.__new__(cls)
        vars(game).update(copy.deepcopy(data))
        return game

    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()[:32]

    def clone(self) -> Self:
        return copy.deepcopy(self)

    def reseed(self, seed: int) -> None:  # noqa: B027
        """Do nothing, since all chance is drawn at the start. A game that draws later overrides this."""

    def random_action(self, seat: SeatId, rng: Random) -> Action:
        """Return a legal action at random, for comparison.

        A game has it as a built-in player: `"random": KuhnGame.random_action`.
        """
        return self.action(seat, drawn(self._grammar(seat), rng))

    def _grammar(self, seat: SeatId) -> Grammar:
        return lambda chosen: self.choices(seat, chosen)
