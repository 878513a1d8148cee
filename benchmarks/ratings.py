"""Check ratings against planted truth: leagues of players whose strengths are known.

    python -m benchmarks.ratings --leagues 200

Every league draws the strengths of its players and the effects of its seats, and plays matches of players chosen at
random. Of some seats the result does not count, as when a stand-in had to act. Printed is the share of ratings by each
model, and of seat effects, whose 95 per cent interval contains the truth; and, of the default model, the share of
leagues of equal players in which any pair is called different, and of gaps of GAP points that are called different.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Cell, add_out, progress, publish, share, table
from grandstand.play.ratings.models import DEFAULT, MODELS, rating_model
from grandstand.play.ratings.table import POINTS, RatingTable, ScoredMatch

SPREAD = 150.0
"""Standard deviation of the players' ratings, in Elo points."""
SEATS = 60.0
"""Standard deviation of the effects of seats, in Elo points."""
GAP = 150.0
"""Elo points by which one player of a league of equals is better, for the rate at which it is noticed."""


@dataclass(frozen=True)
class League:
    """The shape of a league."""

    name: str
    players: int
    matches: int
    seats: int
    draws: float = 0.0
    """With two seats: the factor of a draw in Davidson's model."""
    eliminated: int = 0
    """With more seats: the number that share the last place."""
    forfeits: float = 0.0
    """Share of seats whose result does not count."""


LEAGUES = (
    League("two seats", 8, 120, 2),
    League("two seats, draws, forfeits", 8, 200, 2, draws=0.5, forfeits=0.05),
    League("two seats, few matches", 5, 30, 2),
    League("seven seats", 10, 60, 7),
    League("seven seats, three eliminated, forfeits", 10, 60, 7, eliminated=3, forfeits=0.05),
)


def play(
    league: League, strengths: NDArray[np.float64], effects: NDArray[np.float64], random: np.random.Generator
) -> list[ScoredMatch]:
    """Return the results of a league; strengths and effects are in Elo points."""
    return [_match(league, strengths / POINTS, effects / POINTS, random) for _ in range(league.matches)]


def _match(
    league: League, strengths: NDArray[np.float64], effects: NDArray[np.float64], random: np.random.Generator
) -> ScoredMatch:
    chosen = random.permutation(league.players)[: league.seats]
    odds = strengths[chosen] + effects
    ranks = np.argsort(np.argsort(odds + random.gumbel(size=league.seats)))
    scores = np.maximum(ranks, league.eliminated - 1).astype(float)
    if league.seats == 2:
        weights = np.exp([odds[0], odds[1], odds.mean() + np.log(max(league.draws, 1e-300))])
        scores = np.array([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)][random.choice(3, p=weights / weights.sum())])
    counted = random.random(league.seats) >= league.forfeits
    names = [f"seat {seat}" for seat in range(league.seats)]
    return ScoredMatch(
        {name: f"player {player}" for name, player in zip(names, chosen, strict=True)},
        {name: float(score) for name, score, counts in zip(names, scores, counted, strict=True) if counts},
    )


def drawn(deviation: float, count: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Return normal values with mean 0."""
    values: NDArray[np.float64] = random.normal(0, deviation, count)
    values -= values.mean()
    return values


def covered(
    model: str, table: RatingTable, strengths: NDArray[np.float64], effects: NDArray[np.float64]
) -> Counter[str]:
    """Return how many intervals there are of each sort, and how many contain the truth."""
    counts: Counter[str] = Counter()
    middle = np.mean([rating.mean for rating in table.ratings])
    played = [int(rating.player.split()[1]) for rating in table.ratings]
    for rating, player in zip(table.ratings, played, strict=True):
        truth = middle + strengths[player] - strengths[played].mean()
        counts[model] += 1
        counts[f"{model} covered"] += rating.low <= truth <= rating.high
    for effect in table.seats if model == DEFAULT else ():
        counts["seats"] += 1
        counts["seats covered"] += effect.low <= effects[int(effect.seat.split()[1])] <= effect.high
    return counts


def measure(league: League, leagues: int, seed: int = 0) -> Counter[str]:
    """Return the counts over `leagues` leagues of one shape."""
    counts: Counter[str] = Counter()
    rate = rating_model()
    for number in range(leagues):
        random = np.random.default_rng([seed, number])
        strengths, effects = drawn(SPREAD, league.players, random), drawn(SEATS, league.seats, random)
        results = play(league, strengths, effects, random)
        for model in MODELS:
            table = rating_model(model)(results)
            counts += covered(model, table, strengths, effects)
        equal = rate(play(league, np.zeros(league.players), effects, random))
        counts["equal leagues"] += 1
        counts["called different"] += any(pair.differ for pair in equal.pairs)
        better = np.zeros(league.players)
        better[0] = GAP
        for pair in rate(play(league, better, effects, random)).pairs:
            if "player 0" in (pair.a, pair.b):
                counts["gaps"] += 1
                counts["gaps noticed"] += pair.differ and pair.a == "player 0"
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leagues", type=int, default=200)
    add_out(parser)
    options = parser.parse_args()
    shown = {
        **{model: (f"{model} covered", model) for model in MODELS},
        "seats": ("seats covered", "seats"),
        "equal players called different": ("called different", "equal leagues"),
        "gaps noticed": ("gaps noticed", "gaps"),
    }
    rows: list[list[Cell]] = []
    for league in progress(LEAGUES, description="leagues"):
        counts = measure(league, options.leagues)
        name = f"{league.name}: {league.players} players, {league.matches} matches"
        rows.append([name, *(share(counts[of], counts[out_of]) for of, out_of in shown.values())])
    section = table("Shares", ["league", *shown], rows)
    publish("Ratings against planted truth", f"{options.leagues} leagues of each shape", [section], options.out)


if __name__ == "__main__":
    main()
