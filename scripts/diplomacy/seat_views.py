"""Write the choices of seats in selected positions, as fixtures for the page's tests of playing on the map.

    python scripts/diplomacy/seat_views.py

Rewrites frontend/src/boards/diplomacy/fixtures/views.json: by name the `seat`, the position's `state` and the `slots`
of the seat's choices.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import State
from grandstand.server.matches.choices import slot_form

OUT = Path(__file__).parents[2] / "frontend/src/boards/diplomacy/fixtures/views.json"

POSITIONS: dict[str, tuple[str, dict[str, Any] | None]] = {
    "opening": ("FRANCE", None),
    "sea": (
        "ENGLAND",
        {
            "phase": "F1902M",
            "units": {"ENGLAND": ["A YOR", "F NTH", "F ENG", "F LON"], "FRANCE": ["A PIC"], "GERMANY": ["A DEN"]},
            "centers": {"ENGLAND": ["LON", "LVP", "EDI", "NWY"], "FRANCE": ["PAR"], "GERMANY": ["DEN"]},
        },
    ),
    "coasts": (
        "FRANCE",
        {
            "phase": "F1901M",
            "units": {"FRANCE": ["F MAO", "A GAS", "F LYO"]},
            "centers": {"FRANCE": ["PAR", "BRE", "MAR"]},
        },
    ),
    "retreats": (
        "FRANCE",
        {
            "phase": "F1902R",
            "units": {"GERMANY": ["A BUR"], "ENGLAND": ["F MAO"]},
            "retreats": {"FRANCE": {"A BUR": ["GAS", "PAR"], "F MAO": ["SPA/NC", "SPA/SC", "POR"]}},
            "centers": {"FRANCE": ["PAR", "BRE"]},
        },
    ),
    "builds": (
        "RUSSIA",
        {
            "phase": "W1903A",
            "units": {"RUSSIA": ["A UKR", "F BLA"]},
            "centers": {"RUSSIA": ["MOS", "STP", "WAR", "RUM"]},
        },
    ),
    "removals": (
        "ITALY",
        {"phase": "W1903A", "units": {"ITALY": ["A TUS", "F TYS", "F ION"]}, "centers": {"ITALY": ["ROM"]}},
    ),
}


def view(seat: str, position: dict[str, Any] | None) -> dict[str, Any]:
    state = State.start() if position is None else read_state(position)
    game = DiplomacyGame(DiplomacyOptions(), state)
    slots = [slot_form(slot).model_dump(mode="json") for slot in game.choices(seat, {})]
    return {"seat": seat, "state": game.observation(seat)["state"], "slots": slots}


if __name__ == "__main__":
    views = {name: view(seat, position) for name, (seat, position) in POSITIONS.items()}
    OUT.write_text(json.dumps(views, separators=(",", ":")) + "\n", encoding="utf-8")
