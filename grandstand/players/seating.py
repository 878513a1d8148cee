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
class EntryRequest:
    """A player or a commentator to be created from a roster entry."""

    name: str
    kind: str
    options: Any
    """An instance of the kind's options type in `options.py`."""
    key: SecretStr | None
    spec: GameSpec
    budget: Budget
    """The seat's or the commentator's own budget, within the episode's."""
    shared: dict[str, Any]
    """Data that all seats of the entry share, in all matches."""

    def share(self, name: str, make: Callable[[], Shared]) -> Shared:
        """Return the entry's shared object `name`, created by `make` on first use."""
        if name not in self.shared:
            self.shared[name] = make()
        shared: Shared = self.shared[name]
        return shared


@dataclass(frozen=True)
class SeatRequest(EntryRequest):
    """A seat to be filled from a roster entry by its kind's `create_player(request)`."""

    seat: SeatId
    fallback: Bot
