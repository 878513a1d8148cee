"""Check tournaments against planted truth: simulated leagues of players whose strengths are known.

    python -m benchmarks.tournaments --leagues 200

Every league draws the strengths of its players, the effects of its seats, and for each opening a luck of the seats that
all its matches share. Matches rank their seats by Plackett and Luce's model, and a seat scores a point for each other
that it beats, scaled to a sum of 1. Of some seats the score does not count, as when a fallback had to act. Printed is
the share of scores, ratings and seat effects whose 95 per cent interval contains the truth; in leagues of equal players
how often any two are called different, or anyone is named the winner; and how often a player that is better by GAP
points is named the winner. In two shapes the tournament ends by its results.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.ratings import GAP, SEATS, SPREAD, drawn
from benchmarks.report import Cell, add_out, progress, publish, share, table
from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.games.base import SeatId
from grandstand.play.ratings.intervals import Interval
from grandstand.play.ratings.seat_records import SeatRecord
from grandstand.play.ratings.table import POINTS

LUCK = 60.0
"""Standard deviation of a seat's luck in an opening, in Elo points."""
TRUTH_OPENINGS = 200
"""Openings over which the expected score of a player is averaged."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Shape:
    """The shape of a league, and the fields of its plan."""

    name: str
    players: int
    fields: Mapping[str, Any] = field(default_factory=dict)
    fallbacks: float = 0.05
    """Share of seats whose result does not count."""

    @property
    def plan(self) -> TournamentPlan:
        names = [f"player {number}" for number in range(self.players)]
        return TournamentPlan.of({"game": "cricket", "players": names, "pilot": 0} | dict(self.fields))


SHAPES = (
    Shape("round-robin, two seats", 6, {"matches": 300}),
    Shape("round-robin, two seats, few matches", 3, {"matches": 36}),
    Shape("one against all, seven seats", 3, {"matches": 420, "game": "diplomacy", "format": "one-against-all"}),
    Shape("Swiss, two seats", 8, {"matches": 80, "format": "swiss"}),
    Shape("until scores are within .08", 4, {"until": 0.08, "max_matches": 2400}),
    Shape("until the lead is certain", 4, {"until": 0.02, "goal": "lead", "max_matches": 1200}),
    Shape("round-robin, seven seats", 10, {"matches": 150, "game": "diplomacy"}),
)


class League:
    """Players with known strengths, and seats with known effects, in log odds."""

    def __init__(self, shape: Shape, strengths: Floats, effects: Floats, random: np.random.Generator) -> None:
        self._shape = shape
        self._plan = shape.plan
        self._strengths = dict(zip(self._plan.players, strengths / POINTS, strict=True))
        self._effects = dict(zip(self._plan.seats, effects / POINTS, strict=True))
        self._random = random
        self._luck: dict[int, dict[SeatId, float]] = {}

    def _powers(self, pairing: Pairing) -> dict[SeatId, float]:
        seats = self._plan.seats
        luck = self._luck.get(pairing.opening)
        if luck is None:
            luck = dict(zip(seats, self._random.normal(0, LUCK / POINTS, len(seats)), strict=True))
            self._luck[pairing.opening] = luck
        return {
            seat: self._strengths[player] + self._effects[seat] + luck[seat] for seat, player in pairing.players.items()
        }

    def played(self, seed: int) -> Tournament:
        """Return the tournament, played to its end."""
        tournament = Tournament(TournamentPlan.of(self._plan.to_json() | {"seed": seed}))
        while pairings := tournament.draw():
            for pairing in pairings:
                powers = {seat: power + self._random.gumbel() for seat, power in self._powers(pairing).items()}
                records = self._records(pairing, _points(powers))
                tournament.add(pairing.number, "", "finished", "", records)
        return tournament

    def _records(self, pairing: Pairing, scores: Mapping[SeatId, float]) -> list[SeatRecord]:
        best = max(scores.values())
        return [
            SeatRecord(
                seat,
                player,
                "bot",
                decisions=1,
                fallbacks=int(self._random.random() < self._shape.fallbacks),
                score=scores[seat],
                won=scores[seat] == best,
            )
            for seat, player in pairing.players.items()
        ]

    def expected(self) -> dict[str, float]:
        """Return the expected score of each player over many openings of the schedule."""
        fields = self._plan.to_json() | {"until": 0.0, "max_matches": 0}
        openings = TRUTH_OPENINGS if len(self._plan.seats) == 2 else 60
        fields["matches"] = openings * self._plan.per_opening
        self._luck.clear()
        values: dict[str, list[float]] = {player: [] for player in self._plan.players}
        for pairing in Tournament(TournamentPlan.of(fields)).draw():
            powers = self._powers(pairing)
            names = list(pairing.players.values())
            for seat, player in pairing.players.items():
                if self._plan.format != "one-against-all" or names.count(player) == 1:
                    chances = [1 / (1 + exp(powers[other] - powers[seat])) for other in powers if other != seat]
                    values[player].append(float(sum(chances)) / _total(len(powers)))
        self._luck.clear()
        return {player: fmean(scores) for player, scores in values.items()}


def _total(seats: int) -> float:
    return seats * (seats - 1) / 2


def _points(powers: Mapping[SeatId, float]) -> dict[SeatId, float]:
    """Return the share of all comparisons that each seat won."""
    return {
        seat: sum(power > other for other in powers.values()) / _total(len(powers)) for seat, power in powers.items()
    }


def _contains(estimate: Interval, truth: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return bool(estimate.low <= truth <= estimate.high)


def measure(shape: Shape, leagues: int, seed: int = 0) -> Counter[str]:
    """Return the counts over `leagues` leagues of one shape."""
    counts: Counter[str] = Counter()
    seats = len(shape.plan.seats)
    for number in range(leagues):
        random = np.random.default_rng([seed, number])
        strengths, effects = drawn(SPREAD, shape.players, random), drawn(SEATS, seats, random)
        league = League(shape, strengths, effects, random)
        counts += _covered(league, league.played(number), strengths, effects)
        equal = League(shape, np.zeros(shape.players), effects, random).played(number)
        counts["equal leagues"] += 1
        counts["called different"] += any(pair.differ for pair in equal.standings().cross)
        counts["wrong winners"] += bool(equal.outcome().winners)
        better = np.zeros(shape.players)
        better[0] = GAP
        ahead = League(shape, better, effects, random).played(number)
        counts["gaps"] += 1
        counts["gaps noticed"] += ahead.outcome().winners == ["player 0"]
        counts["matches"] += len(ahead.played)
    return counts


def _covered(league: League, tournament: Tournament, strengths: Floats, effects: Floats) -> Counter[str]:
    """Return how many intervals there are of each sort, and how many contain the truth."""
    counts: Counter[str] = Counter()
    standings = tournament.standings()
    # In the Swiss format opponents depend on results, so a score has no fixed truth, and players are rated instead.
    expected = {} if tournament.plan.format == "swiss" else league.expected()
    middle = float(np.mean([row.rating.mean for row in standings.table if row.rating.mean is not None]))
    for row in standings.table:
        if expected:
            counts["scores"] += 1
            counts["scores covered"] += _contains(row.score, expected[row.player])
        counts["ratings"] += 1
        counts["ratings covered"] += _contains(row.rating, middle + strengths[int(row.player.split()[1])])
    for seat, effect in zip(tournament.plan.seats, effects, strict=True):
        counts["seats"] += 1
        counts["seats covered"] += _contains(standings.seat_effects[seat], float(effect))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leagues", type=int, default=200)
    parser.add_argument("--only", default="", help="a part of the names of the shapes to play")
    add_out(parser)
    options = parser.parse_args()
    shapes = [shape for shape in SHAPES if options.only in shape.name]
    shown = {
        "scores covered": ("scores covered", "scores"),
        "ratings covered": ("ratings covered", "ratings"),
        "seats covered": ("seats covered", "seats"),
        "equal called different": ("called different", "equal leagues"),
        "equal, a winner named": ("wrong winners", "equal leagues"),
        "winner found": ("gaps noticed", "gaps"),
    }
    rows: list[list[Cell]] = []
    for shape in progress(shapes, description="leagues"):
        counts = measure(shape, options.leagues)
        shares = (share(counts[of], counts[out_of]) for of, out_of in shown.values())
        rows.append([f"{shape.name}: {shape.players} players", *shares, counts["matches"] / counts["gaps"]])
    section = table("Shares", ["league", *shown, ("matches until then", "count")], rows)
    publish("Tournaments against planted truth", f"{options.leagues} leagues of each shape", [section], options.out)


if __name__ == "__main__":
    main()
