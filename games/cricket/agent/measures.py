"""What an evaluation reads off a match beside its result: the captain's decisions, the luck, the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from grandstand.games.base import Json, SeatId
from grandstand.games.cricket.packs import pack

MEASURES: Final = {
    "decisions": "win probability gained by the captain's calls, against natural ones",
    "luck": "win probability that came by chance",
    "matchups": "win probability by who met whom, set or not, pace or spin",
    "score_less_luck": "the score less the luck: the same on average, with less noise",
    "runs": "runs made less runs conceded from the start of the match, Super Overs left out",
}


def measures(events: Sequence[tuple[str, Mapping[str, Any]]], seat: SeatId) -> dict[str, float]:
    """`MEASURES` for one seat of a finished match, from its game events as (type, data); only the runs where the match
    told no chances."""
    runs = _lead(events[-1][1]["state"]["innings"], seat) - _lead(events[0][1]["state"]["innings"], seat)
    if not any(type_ == "ChanceChanged" for type_, _ in events):
        return {"runs": float(runs)}
    found = dict.fromkeys(("decisions", "luck", "matchups"), 0.0)
    own = 1 if seat == "home" else -1
    score = 0.5
    for type_, data in events:
        if type_ == "ChanceChanged":
            found["luck"] += own * data["luck"]
            found["matchups"] += own * data["matchup"]
            found["decisions"] += sum(call["delta"] for call in data["decisions"] if call["seat"] == seat)
        elif type_ == "MatchDecided":
            score = 0.5 if data["winner"] is None else float(data["winner"] == seat)
    return found | {"score_less_luck": score - found["luck"], "runs": float(runs)}


def _lead(innings: Sequence[Mapping[str, Any]], seat: SeatId) -> int:
    """Runs made less runs conceded, by the scorecards of a state."""
    return sum(card["runs"] if card["batting"] == seat else -card["runs"] for card in innings if not card["super_over"])


def quoted(name: str) -> dict[str, Json]:
    """What to quote of a pack when a result is told."""
    found = pack(name)
    return {"version": found.version, "digest": found.digest, "about": found.about}
