"""Tournaments whose matches are drawn from known strengths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.games.base import SeatId
from grandstand.play.ratings.seat_records import SeatRecord

Scores = Callable[[Pairing, np.random.Generator], Mapping[SeatId, float]]


def plan(**fields: Any) -> TournamentPlan:
    return TournamentPlan.of({"game": "cricket", "players": ["a", "b", "c"], "matches": 6} | fields)


def record(seat: SeatId, player: str, score: float | None, **fields: Any) -> SeatRecord:
    return SeatRecord(seat, player, "bot", **{"decisions": 3, "score": score, "won": score == 1.0} | fields)


def won_by(strengths: Mapping[str, float], seat_effects: Mapping[SeatId, float] | None = None) -> Scores:
    """Return scores of matches that one seat wins, by strengths and effects of seats in log odds."""

    def scores(pairing: Pairing, random: np.random.Generator) -> dict[SeatId, float]:
        powers = {
            seat: strengths[player] + (seat_effects or {}).get(seat, 0.0) + random.gumbel()
            for seat, player in pairing.players.items()
        }
        best = max(powers, key=lambda seat: powers[seat])
        return {seat: float(seat == best) for seat in powers}

    return scores


def played(
    tournament: Tournament, scores: Scores, random: np.random.Generator, faulty: float = 0.0, rounds: int = 0
) -> Tournament:
    """Play the tournament to its end, or `rounds` draws of it; of a share of seats the fallback decided."""
    draws = 0
    while pairings := tournament.draw():
        for pairing in pairings:
            results = scores(pairing, random)
            records = [
                record(seat, player, results[seat], fallbacks=int(random.random() < faulty))
                for seat, player in pairing.players.items()
            ]
            tournament.add(pairing.number, f"match-{pairing.number}", "finished", "", records)
        draws += 1
        if draws == rounds:
            break
    return tournament
