"""Measures of a seat, separate by role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from grandstand.games.base import SeatId
from grandstand.games.spec import EventData
from grandstand.games.werewolf.game import ABSTAIN

MEASURES: Final[Mapping[str, str]] = {
    "won as wolf": "matches won, of those played as a wolf",
    "won in the village": "matches won, of those played in the village",
    "votes for wolves": "votes for a wolf, of those given in the village, abstentions apart",
    "false claims": "claims and results that the seat knew to be false",
}


def measures(events: EventData, seat: SeatId) -> dict[str, float]:
    """Return `MEASURES` for one seat of a finished match, from its game events as (type, data)."""
    decided: Mapping[str, Any] = next((data for kind, data in events if kind == "GameDecided"), {})
    if not decided:
        return {}
    roles: Mapping[SeatId, str] = decided["roles"]
    wolf = roles[seat] == "wolf"
    found = {"false claims": float(sum(kind == "FalseClaimMade" and data["seat"] == seat for kind, data in events))}
    if decided["winner"] != "nobody":
        found["won as wolf" if wolf else "won in the village"] = float((decided["winner"] == "wolves") == wolf)
    cast = [data["votes"].get(seat, ABSTAIN) for kind, data in events if kind == "VotesShown"]
    votes = [vote for vote in cast if vote != ABSTAIN]
    if votes and not wolf:
        found["votes for wolves"] = sum(roles[vote] == "wolf" for vote in votes) / len(votes)
    return found


def sides(events: EventData) -> dict[SeatId, str]:
    """Return the side of each seat of a finished match: `wolf` or `village`."""
    decided: Mapping[str, Any] = next((data for kind, data in events if kind == "GameDecided"), {})
    return {seat: "wolf" if role == "wolf" else "village" for seat, role in decided.get("roles", {}).items()}


def quoted(name: str) -> dict[str, Any]:
    """Return nothing: there are no sets of tasks."""
    return {}
