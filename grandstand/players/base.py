"""The protocol of players: asked for a seat's decision, a player returns an action or raises a named fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from grandstand.games.base import Action, SeatId
from grandstand.games.match import Match
from grandstand.games.spec import Bot
from grandstand.models import ActionRequested, PlayerReport, Source, TurnRecorded


@dataclass(frozen=True, slots=True)
class Choice:
    """An action and its source; `report` has details for analysts, `turn` the training data of a policy's choice."""

    action: Action
    source: Source
    report: PlayerReport | None = None
    turn: TurnRecorded | None = None


@dataclass(frozen=True, slots=True)
class PressReply:
    """The messages of a seat in one round of press, as actions, and their source."""

    messages: Sequence[Action]
    source: Source
    report: PlayerReport | None = None


@dataclass(frozen=True, slots=True)
class AcceptedDecision:
    """An accepted decision with its number: its actions, or its messages in a round of press."""

    number: int
    actions: Sequence[Action]


@dataclass(frozen=True, slots=True)
class AnswerProgress:
    """A player's progress within one answer: `seconds` since the request, `tokens` received so far."""

    stage: Literal["choosing", "repairing", "waiting", "negotiating"]
    seconds: float
    tokens: int = 0
    retries: int = 0


def ignore_progress(_: AnswerProgress) -> None:
    """Discard the progress of an answer."""


def ignore_request(_: ActionRequested) -> None:
    """Discard the news that a seat is asked."""


def ignore_ready() -> None:
    """Discard the news that an action is ready."""


class Player(Protocol):
    """A player of a seat. One player object plays one seat of one match."""

    name: str
    kind: str
    resumable: bool
    """True if it can continue from the log alone after a restart."""
    calls_provider: bool = False
    """True if it waits for a remote service instead of computing, so that many matches fit in one process."""
    prompt: str = ""
    """The hash of everything that shapes its prompts; empty for a player without any."""
    talks: bool = False
    """True if it takes part in rounds of press."""
    fallback: Bot | None = None
    """The built-in player that acts after a fault of this one; None for the game's default action."""
    watch: Callable[[AnswerProgress], None] = staticmethod(ignore_progress)
    """Called periodically while the player works on an answer."""
    revises: bool = False
    """True if a submitted action may still be changed until `release`."""
    announce: Callable[[ActionRequested], None] = staticmethod(ignore_request)
    """Called when the match begins to wait for somebody outside, and when the clock or `ready` changes."""
    on_ready: Callable[[], None] = staticmethod(ignore_ready)
    """Called when an action becomes ready; whoever does not set it makes the action final at once."""

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        """Return the next action of `seat`; the match checks whether it is legal. Raises PlayerError."""
        ...

    @property
    def ready(self) -> bool:
        """Return whether a submitted action may still be changed; `release` makes it the answer."""
        return False

    def release(self) -> None:
        """Make the submitted action the answer."""
        return

    def wake(self) -> None:
        """End the waits for the seat's turn, because another player has taken the seat."""
        return

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        """Return the messages of `seat` in this round of press, counted from 1. Raises PlayerError.

        Called only if `talks` is true.
        """
        return PressReply((), "heuristic")
