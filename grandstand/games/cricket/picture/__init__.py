"""How moments of cricket are shown: the ground with the last ball, the course of the match, and the standing."""

from __future__ import annotations

from typing import Final

from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.picture.board import picture
from grandstand.games.cricket.picture.standing import card
from grandstand.games.picture import Pictures

COLOURS: Final = {"home": ("#1c539c", "#8ebcf7"), "away": ("#a3440c", "#f5a262")}
"""The colours of the sides, as in `frontend/src/boards/cricket/sides.ts`."""

PICTURES: Final[Pictures[CricketGame]] = Pictures(
    scene=picture, card=card, colours=COLOURS, beats={"BallBowled": 0.9, "MatchDecided": 3.0}
)
