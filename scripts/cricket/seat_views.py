"""Write the choices of captains at selected moments, as fixtures for the page's tests of playing on the ground.

    python scripts/cricket/seat_views.py

Rewrites frontend/src/boards/cricket/fixtures/views.json: by name the `seat`, its `observation`, and the slots of
each of its `tools`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grandstand.games.choices import Many, Pick, Slot, Value, default_value
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions
from grandstand.server.matches.choices import slot_form

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


def view(game: CricketGame, seat: str) -> dict[str, Any]:
    [slot] = game.choices(seat, {})
    assert isinstance(slot, Pick)
    return {
        "seat": seat,
        "observation": game.observation(seat),
        "tools": {tool.word: slots(game, seat, tool.word) for tool in slot.options},
    }


def slots(game: CricketGame, seat: str, tool: str) -> list[dict[str, Any]]:
    """Return the slots of a tool, up to the first stage that must be answered."""
    chosen: dict[str, Value] = {"tool": tool}
    result: list[Slot] = []
    while stage := game.choices(seat, chosen):
        result += stage
        if any(isinstance(slot, Pick | Many) and slot.default is None for slot in stage):
            break
        chosen |= {slot.name: default_value(slot) for slot in stage}
    return [slot_form(slot).model_dump(mode="json") for slot in result]


def views() -> dict[str, Any]:
    """Each moment where a match of natural choices first comes to it."""
    game = CricketGame(CricketOptions(overs=20), SEED)
    result: dict[str, Any] = {}
    while game.outcome is None and len(result) < len(MOMENTS):
        seat = game.to_act()[0]
        for name, now in MOMENTS.items():
            if name not in result and now(game):
                result[name] = view(game, seat)
        game.apply(seat, game.default_action(seat))
    return result


if __name__ == "__main__":
    OUT.write_text(json.dumps(views(), separators=(",", ":")) + "\n", encoding="utf-8")
