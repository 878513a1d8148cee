"""The kinds of player. A kind's factory is named by an import path and imported when it fills its first seat.

The path works like an entry point: a kind may live in a higher layer of the project, or in an
optional part of it, as `trained` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grandstand.players.base import Player
    from grandstand.players.commentary import CommentaryModel
    from grandstand.players.seating import EntryRequest, SeatRequest

from grandstand.players.options import BotOptions, ExternalOptions, LLMOptions, Options, RecordedOptions, TrainedOptions


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
