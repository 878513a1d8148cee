"""The kinds of player, one line each. A kind's module is imported when its first seat is filled."""

from __future__ import annotations

from dataclasses import dataclass

from grandstand.players.options import BotOptions, ExternalOptions, LLMOptions, Options, RecordedOptions, TrainedOptions


@dataclass(frozen=True)
class Kind:
    """What a roster entry of the kind may set, and the module whose `seat(request)` makes a player of it."""

    options: type[Options]
    module: str


KINDS: dict[str, Kind] = {
    "bot": Kind(BotOptions, "grandstand.players.bot"),
    "human": Kind(ExternalOptions, "grandstand.players.external"),
    "llm": Kind(LLMOptions, "grandstand.players.llm.player"),
    "recorded": Kind(RecordedOptions, "grandstand.players.recorded"),
    "remote": Kind(ExternalOptions, "grandstand.players.external"),
    "trained": Kind(TrainedOptions, "grandstand.trainer.player"),
}
