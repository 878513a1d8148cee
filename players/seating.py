"""The request to fill a seat: the interface between the roster and the kinds of player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import SecretStr

from grandstand.games.base import SeatId
from grandstand.games.spec import Bot, GameSpec
from grandstand.players.llm.budget import Budget

Shared = TypeVar("Shared")


@dataclass(frozen=True)
class SeatRequest:
    """A seat to be filled from a roster entry by its kind's `create_player(request)`."""

    name: str
    kind: str
    options: Any
    """An instance of the kind's options type in `options.py`."""
    key: SecretStr | None
    spec: GameSpec
    seat: SeatId
    fallback: Bot
    budget: Budget
    """The seat's own budget, within the episode's."""
    shared: dict[str, Any]
    """Data that all seats of the entry share, in all matches."""

    def share(self, name: str, make: Callable[[], Shared]) -> Shared:
        """Return the entry's shared object `name`, created by `make` on first use."""
        if name not in self.shared:
            self.shared[name] = make()
        shared: Shared = self.shared[name]
        return shared
