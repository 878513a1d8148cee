"""Importing this module loads what a server loads for its list of games, and for the first match of each game."""

from __future__ import annotations

import grandstand.games.cricket.agent.reply
import grandstand.games.cricket.agent.training
import grandstand.games.cricket.bots.over_plans
import grandstand.games.cricket.game
import grandstand.games.cricket.story.teller
import grandstand.games.diplomacy.agent.reply
import grandstand.games.diplomacy.agent.training
import grandstand.games.diplomacy.bots
import grandstand.games.diplomacy.game
import grandstand.games.diplomacy.questions
import grandstand.games.diplomacy.story.teller
import grandstand.games.werewolf.bots
import grandstand.players.bot
import grandstand.players.workers  # noqa: F401
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.players.roster import Roster
from grandstand.server.game_list import game_info

_ROSTER = Roster.load()
for _name in GAMES:
    game_info(game_spec(_name), _ROSTER)
