"""Werewolf: villagers look for two wolves among them by speeches and votes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grandstand.games.spec import Bots, Comparison, GameSpec, Learning, Rules, Storytelling
from grandstand.games.werewolf.bots import BOTS, showcase
from grandstand.games.werewolf.events import EVENTS
from grandstand.games.werewolf.game import WerewolfGame
from grandstand.games.werewolf.measures import MEASURES, measures, quoted, sides
from grandstand.games.werewolf.options import WerewolfOptions, option_words, seats
from grandstand.games.werewolf.picture import PICTURES
from grandstand.games.werewolf.questions import WerewolfAsker
from grandstand.games.werewolf.story import WerewolfStory


def rest(kind: str, data: Mapping[str, Any]) -> float:
    """Return the time that viewers need for an event: more for what a night or a vote has brought than for a speech."""
    return {"NightEnded": 0.6, "VotesShown": 0.6, "TurnStarted": 1.0}.get(kind, 0.0)


GAME: GameSpec[WerewolfGame] = GameSpec(
    name="werewolf",
    rules=Rules(
        title="Werewolf",
        seats=seats,
        options=WerewolfOptions,
        new=WerewolfGame,
        load=WerewolfGame.load,
        events=EVENTS,
        option_words=option_words,
        secret=lambda game: game.secret,
    ),
    bots=Bots(BOTS, showcase, pace=5.0),
    story=Storytelling(WerewolfStory, rest=rest, questions=WerewolfAsker),
    picture=PICTURES,
    learning=Learning(
        comparison=Comparison(
            reference=next(iter(BOTS)),
            measures=measures,
            meanings=MEASURES,
            quoted=quoted,
            summarized=tuple(MEASURES),
            roles=sides,
            whole_matches=True,
        ),
    ),
)
