"""What it takes to fill a seat: the words between the roster and the kinds of player."""

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
    """One seat to be filled from a roster entry. A kind's module answers it: `seat(request) -> Player`."""

    name: str
    kind: str
    options: Any
    """Of the kind's own type, in `options.py`."""
    key: SecretStr | None
    spec: GameSpec
    seat: SeatId
    fallback: Bot
    budget: Budget
    """The seat's own, within the episode's."""
    shared: dict[str, Any]
    """What the entry's seats have in common, in all matches."""

    def share(self, name: str, make: Callable[[], Shared]) -> Shared:
        """The entry's one `name`, made when it is first asked for."""
        if name not in self.shared:
            self.shared[name] = make()
        shared: Shared = self.shared[name]
        return shared
