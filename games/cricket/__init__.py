"""Limited-overs cricket between two captains."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.base import GameSpec
from games.cricket.bots.neutral import neutral
from games.cricket.contest import SEATS
from games.cricket.events import EVENTS
from games.cricket.game import CricketGame
from games.cricket.options import CricketOptions


def _showcase(rng: Random) -> Sequence[str]:
    return ["neutral", "neutral"]


GAME = GameSpec(
    name="cricket",
    title="Cricket captaincy",
    seats=SEATS,
    options=CricketOptions,
    new=CricketGame,
    load=CricketGame.load,
    events=EVENTS,
    bots={"neutral": neutral},
    showcase=_showcase,
)
