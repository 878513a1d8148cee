"""What every player is: asked for a seat's choice, it answers with an action or fails with a named fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from grandstand.games.base import Action, SeatId
from grandstand.games.match import Match
from grandstand.games.spec import Bot
from grandstand.models import Boundary, Report, Source, TurnRecorded


@dataclass(frozen=True, slots=True)
class Choice:
    """An action and what made it; `report` where there is something to say of how, `turn` where it was a policy's."""

    action: Action
    source: Source
    report: Report | None = None
    turn: TurnRecorded | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    """What a seat says in one round of press: message actions, and what made them."""

    messages: Sequence[Action]
    source: Source
    report: Report | None = None


class PlayerError(Exception):
    """The player gave no usable answer. `boundary` says whose fault that is; the seat's fallback acts."""

    def __init__(self, boundary: Boundary, message: str, report: Report | None = None) -> None:
        super().__init__(message)
        self.boundary: Boundary = boundary
        self.message = message
        self.report = report


@dataclass(frozen=True, slots=True)
class Thinking:
    """A player's progress within one answer. `seconds` since it was asked, `tokens` received so far."""

    stage: Literal["choosing", "repairing", "waiting", "negotiating"]
    seconds: float
    tokens: int = 0
    retries: int = 0


def unwatched(_: Thinking) -> None:
    """Progress that nobody follows."""


class Player(Protocol):
    """Who sits in a seat. One player object sits in one seat of one match."""

    name: str
    kind: str
    resumable: bool
    """Whether it can go on from the log alone after a restart."""
    calls_provider: bool = False
    """Whether it waits for a service elsewhere instead of computing, so that many matches fit in one process."""
    talks: bool = False
    """Whether it takes part in rounds of press."""
    fallback: Bot | None = None
    """The built-in player that acts after a fault of this one; None for the game's default action."""
    watch: Callable[[Thinking], None] = staticmethod(unwatched)
    """Called now and then while the player works on an answer."""

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        """The next action of `seat`, legal or not; the match judges. Raises PlayerError."""
        ...

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> Talk:
        """What `seat` says in this round of press, the first being 1; asked where it talks. Raises PlayerError."""
        return Talk((), "heuristic")
