"""Cricsheet documents of matches that never took place, for tests of their import."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.export.cricsheet import export_cricsheet
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match
from grandstand.games.match import event_data

Document = dict[str, Any]
Events = list[tuple[str, dict[str, Any]]]

HOME, AWAY = "Northern Rovers", "Southern Stars"
PLAYERS = {team: [f"{team[0]}{chr(65 + number)} Person{number}" for number in range(11)] for team in (HOME, AWAY)}
BATTERS, BOWLERS = PLAYERS[HOME], PLAYERS[AWAY]


@cache
def simulated(seed: int, overs: int = 5, conditions: str = "icc") -> Events:
    """Return the game events of a simulated match."""
    options = CricketOptions(overs=overs, conditions=conditions)
    _, events = play_match(options, seed, BOTS["heuristic"], BOTS["random"])
    return [(type(event).__name__, event_data(event)) for event in events]


def document_of(events: Events) -> Document:
    """Return the Cricsheet document of a simulated match, as a file has it."""
    public = [(kind, data) for kind, data in events if kind not in ("OverPlanned", "SituationAnalyzed")]
    document: Document = json.loads(json.dumps(export_cricsheet(public, {"created_at": 1_700_000_000})))
    return document


def ball(
    batter: str = BATTERS[0],
    non_striker: str = BATTERS[1],
    bowler: str = BOWLERS[10],
    bat: int = 0,
    extras: dict[str, int] | None = None,
    **more: Any,
) -> Document:
    """Return a delivery."""
    extra = sum((extras or {}).values())
    delivery: Document = {
        "batter": batter,
        "bowler": bowler,
        "non_striker": non_striker,
        "runs": {"batter": bat, "extras": extra, "total": bat + extra},
    }
    return {**delivery, **({"extras": extras} if extras else {}), **more}


def innings(team: str, *overs: list[Document], **more: Any) -> Document:
    """Return an innings."""
    listed = [{"over": number, "deliveries": deliveries} for number, deliveries in enumerate(overs)]
    return {"team": team, "overs": listed, **more}


def match(*parts: Document, outcome: Document | None = None, overs: int = 2, **more: Any) -> Document:
    """Return a document of the innings in `parts`."""
    return {
        "meta": {"data_version": "1.1.0", "created": "2020-01-02", "revision": 1},
        "info": {
            "balls_per_over": 6,
            "dates": ["2020-01-01"],
            "gender": "female",
            "match_type": "T20",
            "outcome": {"result": "no result"} if outcome is None else outcome,
            "overs": overs,
            "players": {team: list(names) for team, names in PLAYERS.items()},
            "season": "2020",
            "teams": [HOME, AWAY],
            "toss": {"decision": "bat", "winner": HOME},
            **more,
        },
        "innings": list(parts),
    }
