"""The protocol of players, and the kinds of them.

Asked for a seat's decision, a player returns an action or raises a named fault. A kind's factory is named by an import
path and imported when it fills its first seat. The path works like an entry point: a kind may live in a higher layer of
the project, or in an optional part of it, as `trained` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, Protocol

from grandstand.events import ActionRequested, PlayerReport, Source, TurnRecorded
from grandstand.games.base import Action, SeatId
from grandstand.games.match import Match
from grandstand.games.spec import Bot
from grandstand.players.commentary import CommentaryModel
from grandstand.players.options import BotOptions, ExternalOptions, LLMOptions, Options, RecordedOptions, TrainedOptions
from grandstand.players.seating import EntryRequest, SeatRequest


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


@dataclass(frozen=True)
class Kind:
    """The options that a roster entry of the kind may set, and its factories as `module:function`."""

    options: type[Options]
    factory: str
    commentator: str = ""
    """The factory of the model that words the commentary; empty if players of the kind cannot do that."""

    def create_player(self, request: SeatRequest) -> Player:
        """Return a new player for a seat. Raises OptionError if the request cannot be met."""
        create: Callable[[SeatRequest], Player] = _imported(self.factory)
        return create(request)

    def create_commentator(self, request: EntryRequest) -> CommentaryModel:
        """Return a new commentator for a match."""
        create: Callable[[EntryRequest], CommentaryModel] = _imported(self.commentator)
        return create(request)


def _imported(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


KINDS: dict[str, Kind] = {
    "bot": Kind(BotOptions, "grandstand.players.bot:create_player"),
    "human": Kind(ExternalOptions, "grandstand.players.external:create_player"),
    "llm": Kind(
        LLMOptions,
        "grandstand.players.llm.player:create_player",
        "grandstand.players.llm.commentator:create_commentator",
    ),
    "recorded": Kind(RecordedOptions, "grandstand.players.recorded:create_player"),
    "remote": Kind(ExternalOptions, "grandstand.players.external:create_player"),
    "trained": Kind(TrainedOptions, "grandstand.trainer.rollout.player:create_player"),
}
