"""What every player is: asked for a seat's choice, it answers with an action or fails with a named fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from games.base import Action, SeatId
from games.match import Match
from models import Boundary, Source


@dataclass(frozen=True, slots=True)
class Choice:
    """An action and what made it."""

    action: Action
    source: Source


class PlayerError(Exception):
    """The player gave no usable answer. `boundary` says whose fault that is; the seat's fallback acts."""

    def __init__(self, boundary: Boundary, message: str) -> None:
        super().__init__(message)
        self.boundary: Boundary = boundary
        self.message = message


class Player(Protocol):
    """Who sits in a seat. One player object sits in one seat of one match."""

    name: str
    kind: str
    resumable: bool
    """Whether it can go on from the log alone after a restart."""

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        """The next action of `seat`, legal or not; the match judges. Raises PlayerError."""
        ...
