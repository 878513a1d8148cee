"""A saved game as a site writes it."""

from __future__ import annotations

import json
from typing import Any


def as_a_site_writes_it(game: dict[str, Any]) -> dict[str, Any]:
    """A recorded game with what the tests' copy leaves out: times, logs, results, secret messages, fields unknown."""
    saved: dict[str, Any] = json.loads(json.dumps(game))
    saved |= {"version": "1.0", "scoring_system": "sum_of_squares", "is_full_press": True}
    for index, phase in enumerate(saved["phases"]):
        message = {"phase": phase["name"], "sender": "ITALY"}
        phase["logs"] = [f"log {index}"]
        phase["results"] = {unit: [] for units in phase["state"]["units"].values() for unit in units}
        phase["state"] |= {"name": phase["name"], "homes": {"FRANCE": ["PAR"]}, "zobrist_hash": str(index), "note": ""}
        phase["state"]["builds"] = {"FRANCE": {"count": -1, "homes": ["PAR"]}}
        phase["messages"] = [
            message | {"recipient": "ALL", "time_sent": 16610082760100 + index, "message": "to all"},
            message | {"recipient": "FRANCE", "time_sent": 16610082710000 + index, "message": "a secret", "extra": [1]},
        ]
    return saved
