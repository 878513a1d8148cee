"""Write what captains may do at some telling moments, for the page's tests of playing on the ground.

    python scripts/cricket/seat_views.py

Rewrites frontend/src/boards/cricket/fixtures/views.json: by name the `seat`, its `observation` and what is `legal`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions

OUT = Path(__file__).parents[2] / "frontend/src/boards/cricket/fixtures/views.json"
SEED = 4

MOMENTS: dict[str, Callable[[CricketGame], bool]] = {
    "toss": lambda game: game.state.stage == "toss",
    "over": lambda game: game.state.stage == "play" and game.state.now.bowler is None and game.state.now.over == 2,
    "pace": lambda game: _bowls(game, "pace"),
    "spin": lambda game: _bowls(game, "spin"),
    "bat": lambda game: game.state.stage == "play" and game.state.choices[game.state.now.bowling_side] is not None,
    "vacant": lambda game: game.state.stage == "play" and game.state.now.wickets > 0 and game.state.now.striker is None,
    "review": lambda game: game.state.stage == "review",
}


def _bowls(game: CricketGame, group: str) -> bool:
    if game.state.stage != "play" or game.state.now.bowler is None or len(game.to_act()) != 2:
        return False
    return game.state.teams[game.state.now.bowling_side].players[game.state.now.bowler].group == group


def views() -> dict[str, Any]:
    """Each moment where a match of natural choices first comes to it."""
    game = CricketGame(CricketOptions(overs=20), SEED)
    result: dict[str, Any] = {}
    while game.outcome is None and len(result) < len(MOMENTS):
        seat = game.to_act()[0]
        for name, now in MOMENTS.items():
            if name not in result and now(game):
                result[name] = {"seat": seat, "observation": game.observation(seat), "legal": game.legal(seat)}
        game.apply(seat, game.default_action(seat))
    return result


if __name__ == "__main__":
    OUT.write_text(json.dumps(views(), separators=(",", ":")) + "\n", encoding="utf-8")
