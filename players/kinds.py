"""The kinds of player, one line each. A kind's module is imported when its first seat is filled."""

from __future__ import annotations

from dataclasses import dataclass

from players.options import BotOptions, LLMOptions, Options, RecordedOptions, SeatedOptions, TrainedOptions


@dataclass(frozen=True)
class Kind:
    """What a roster entry of the kind may set, and the module whose `seat(request)` makes a player of it."""

    options: type[Options]
    module: str


KINDS: dict[str, Kind] = {
    "bot": Kind(BotOptions, "players.bot"),
    "human": Kind(SeatedOptions, "players.seated"),
    "llm": Kind(LLMOptions, "players.llm"),
    "recorded": Kind(RecordedOptions, "players.recorded"),
    "remote": Kind(SeatedOptions, "players.seated"),
    "trained": Kind(TrainedOptions, "trainer.player"),
}
