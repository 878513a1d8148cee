"""Measures of a match besides its result: the captain's decisions, the luck, and the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from grandstand.games.base import Json, SeatId
from grandstand.games.cricket.packs import pack

MEASURES: Final = {
    "decisions": "win probability added by the captain's calls less the opponent's, each against natural ones",
    "luck": "win probability that came by chance",
    "matchups": "win probability by who met whom, set or not, pace or spin, beyond what the captains chose",
    "score_less_luck": "the score less the luck: the same on average, whatever the captain does, with less noise",
    "runs": "runs made less runs conceded from the start of the match, Super Overs left out",
}


def measures(events: Sequence[tuple[str, Mapping[str, Any]]], seat: SeatId) -> dict[str, float]:
    """Return `MEASURES` for one seat of a finished match, from its game events as (type, data).

    The chance of winning at the start, the decisions, the matchups and the luck add up to the score; the gain of one
    side's decisions is the loss of the other. Only the runs are returned for a match without chances of winning.
    """
    runs = _lead(events[-1][1]["state"]["innings"], seat) - _lead(events[0][1]["state"]["innings"], seat)
    if not any(type_ == "ChanceChanged" for type_, _ in events):
        return {"runs": float(runs)}
    sums = dict.fromkeys(("decisions", "luck", "matchups"), 0.0)
    own = 1 if seat == "home" else -1
    score = 0.5
    for type_, data in events:
        if type_ == "ChanceChanged":
            sums["luck"] += own * data["luck"]
            sums["matchups"] += own * data["matchup"]
            sums["decisions"] += sum(call["delta"] * (1 if call["seat"] == seat else -1) for call in data["decisions"])
        elif type_ == "MatchDecided":
            score = 0.5 if data["winner"] is None else float(data["winner"] == seat)
    return sums | {"score_less_luck": score - sums["luck"], "runs": float(runs)}


def _lead(innings: Sequence[Mapping[str, Any]], seat: SeatId) -> int:
    """Return the runs made less the runs conceded, by the scorecards of a state."""
    return sum(card["runs"] if card["batting"] == seat else -card["runs"] for card in innings if not card["super_over"])


def quoted(name: str) -> dict[str, Json]:
    """Return the version and the digest of a pack, to be quoted with a result."""
    source = pack(name)
    return {"version": source.version, "digest": source.digest, "about": source.about}
