"""Werewolf: two wolves among villagers, who find them by words and votes."""

from __future__ import annotations

from grandstand.games.spec import Bots, GameSpec, Rules
from grandstand.games.werewolf.bots import BOTS, showcase
from grandstand.games.werewolf.events import EVENTS
from grandstand.games.werewolf.game import WerewolfGame
from grandstand.games.werewolf.options import WerewolfOptions, option_words, seats

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
)
