"""Play the matches on which Diplomacy's chances of winning are fitted, fit them, and test them on others.

    python -m scripts.diplomacy.chances play FILE [--games N] [--seed S]
    python -m scripts.diplomacy.chances fit FILE [--test N]
    python -m scripts.diplomacy.chances test FILE [--test N] [--plot SVG]

`play` appends one JSON line per match to FILE: seven of the characters that talk, in the seats that the showcase would
draw, with press. `fit` writes games/diplomacy/data/chances.json from all matches but the last N. `test` prints the
Brier scores and the calibration on the last N as tables, with 95 % intervals from a bootstrap over matches, and draws
the calibration.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import vl_convert

from grandstand.campaigns.vega import specification
from grandstand.games.base import SeatId
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots import TALKING, TALKS, showcase
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.rules.map import CENTERS, POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.state import RETREATS, SPRING, WINTER, State
from grandstand.games.diplomacy.story.chances import WEIGHTS, chance_of_draw, leaders, probabilities
from grandstand.games.diplomacy.story.features import NAMES, features
from grandstand.games.match import Match
from grandstand.report import Axis, Chart, Mark, Point

Floats = npt.NDArray[np.float64]

LAST_YEAR = 1920
PENALTY = 5.0
"""Weight of the L2 penalty in the fit."""
STEPS = 20
"""The most steps of expectation and maximization."""
SAMPLES = 1000
"""Number of bootstrap samples."""
YEARS = (1901, 1903, 1905, 1907, 1909, 1911, 1913, 1915, 1917, 1919)
EDGES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 1.0)


def play_match(seed: int) -> dict[str, Any]:
    """Return a match as its players, its winners and its positions: year, phase, units as [power, unit], owners of the
    centres."""
    match: Match[DiplomacyGame] = Match(GAME, {"last_year": LAST_YEAR}, seed)
    game = match.game
    names = dict(zip(GAME.seats(), showcase(Random(seed)), strict=True))
    rows, turn = [], ""
    while not match.over:
        if game.turn != turn:
            turn = game.turn
            if game.state.phase not in RETREATS:
                rows.append(_row(game.state))
            for round in range(1, game.options.negotiation_rounds + 1):
                _talk(match, names, round)
        for seat in match.waiting:
            if match.over:  # drawn by the votes of those before
                break
            match.apply(seat, TALKING[names[seat]](game, seat, match.rng(seat)))
    assert game.outcome is not None
    return {
        "seed": seed,
        "players": list(names.values()),
        "rows": [*rows, _row(game.state)],
        "won": game.outcome.winners,
    }


def _talk(match: Match[DiplomacyGame], names: Mapping[SeatId, str], round: int) -> None:
    """Hold a round of press, whose letters are all written before any is read."""
    game, press = match.game, GAME.talk.press
    assert press is not None
    rounds = game.options.negotiation_rounds
    letters = [(seat, TALKS[names[seat]](game, seat, match.rng(seat), round, rounds)) for seat in press.speakers(game)]
    for seat, actions in letters:
        for action in actions:
            if not match.over:
                match.apply(seat, action)


def _row(state: State) -> list[Any]:
    units = [[power, unit] for power, unit in state.units.values()]
    return [state.year, state.phase, units, [state.centers.get(center, -1) for center in CENTERS]]


def _state(row: Sequence[Any]) -> State:
    year, phase, units, owners = row
    return State(
        year,
        phase,
        {UNIT_PROVINCE[unit]: (power, unit) for power, unit in units},
        {},
        {center: owner for center, owner in zip(CENTERS, owners, strict=True) if owner >= 0},
    )


def play(file: Path, games: int, seed: int) -> None:
    """Append the matches with the seeds from `seed` on to `file`."""
    with file.open("a", encoding="utf-8") as lines:
        for number in range(seed, seed + games):
            lines.write(json.dumps(play_match(number), separators=(",", ":")) + "\n")
            lines.flush()


def read(file: Path) -> list[dict[str, Any]]:
    """Return the games of a file, in the order of their seeds."""
    games = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return sorted(games, key=lambda game: int(game["seed"]))


class Sample(NamedTuple):
    """A position of a game with its latest year, and the shares of those who won."""

    state: State
    last_year: int
    won: Floats


def samples(game: Mapping[str, Any], last_year: int) -> Iterator[Sample]:
    """Yield the positions of a game until it is decided, had it been set to end with `last_year`."""
    states = [_state(row) for row in game["rows"]]
    ended = (state for state in states if state.year > last_year or (state.year, state.phase) == (last_year, WINTER))
    end = next(ended, states[-1])
    if end is states[-1]:
        winners = np.isin(POWERS, game["won"])
        won = winners / winners.sum()
    else:
        won = leaders(end)
    for state in states:
        if state is end:
            return
        yield Sample(state, last_year, won)


class Positions(NamedTuple):
    """Positions to fit on: features [n, power, name], who is in play, shares won [n, power], chances of a draw [n]."""

    inputs: Floats
    in_play: npt.NDArray[np.bool_]
    won: Floats
    drawn: Floats


def fit(games: Sequence[Mapping[str, Any]]) -> Floats:
    """Return the weights that are best by the log loss of all positions plus the squares of the weights.

    They are found by expectation and maximization (Dempster, Laird and Rubin 1977): what a power won is
    divided between a draw and the position by their shares of its chance.
    """
    rows = [
        (features(state, last_year), _in_play(state), won, chance_of_draw(state, last_year))
        for game in games
        for last_year in (LAST_YEAR, Random(f"limit/{game['seed']}").randrange(1903, LAST_YEAR))
        for state, _, won in samples(game, last_year)
    ]
    inputs, in_play, won, drawn = map(np.stack, zip(*rows, strict=True))
    positions = Positions(inputs, in_play, won, drawn)
    weights = maximized(positions, won, np.zeros(len(NAMES)))
    for step in range(STEPS):
        decided = (1 - drawn)[:, None] * chances(positions, weights)
        shared = drawn[:, None] * in_play / in_play.sum(axis=1, keepdims=True)
        before, weights = weights, maximized(positions, won * decided / np.maximum(decided + shared, 1e-12), weights)
        print(f"step {step}: largest change {abs(weights - before).max():.4f}, {len(rows)} positions")
        if abs(weights - before).max() < 1e-3:
            break
    return weights


def chances(positions: Positions, weights: Floats) -> Floats:
    """Return the chances [n, power] of the logit."""
    scores = np.where(positions.in_play, positions.inputs @ weights, -np.inf)
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def maximized(positions: Positions, won: Floats, weights: Floats) -> Floats:
    """Return the weights that are best for the shares `won` [n, power] by Newton's method, from `weights` on."""
    inputs = positions.inputs
    each = won.sum(axis=1)
    for _ in range(12):
        chance = chances(positions, weights)
        mean = np.einsum("np,npk->nk", chance, inputs)
        gradient = np.einsum("np,npk->k", won - each[:, None] * chance, inputs) - PENALTY * weights
        hessian = np.einsum("n,np,npk,npl->kl", each, chance, inputs, inputs, optimize=True)
        hessian -= np.einsum("n,nk,nl->kl", each, mean, mean, optimize=True)
        change = np.linalg.solve(hessian + PENALTY * np.eye(len(NAMES)), gradient)
        weights = weights + change
        if abs(change).max() < 1e-4:
            break
    return weights


def _in_play(state: State) -> npt.NDArray[np.bool_]:
    return np.array([state.in_play(power) for power in range(len(POWERS))])


def write_weights(weights: Floats, games: Sequence[Mapping[str, Any]]) -> None:
    """Write the weights with their source."""
    seeds = f"{games[0]['seed']} to {games[-1]['seed']}"
    document = {
        "source": f"scripts/diplomacy/chances.py: {len(games)} matches of the showcase's characters, seeds {seeds}",
        "weights": {name: round(float(weight), 4) for name, weight in zip(NAMES, weights, strict=True)},
    }
    WEIGHTS.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def uniform(state: State, last_year: int) -> Floats:
    return np.full(len(POWERS), 1 / len(POWERS))


def centre_share(state: State, last_year: int) -> Floats:
    counts = np.array(state.center_counts(), dtype=np.float64)
    return np.asarray(counts / counts.sum())


def square_share(state: State, last_year: int) -> Floats:
    squares = np.array(state.center_counts(), dtype=np.float64) ** 2
    return np.asarray(squares / squares.sum())


ESTIMATES: Mapping[str, Callable[[State, int], Floats]] = {
    "uniform": uniform,
    "share of centres": centre_share,
    "share of squared centres": square_share,
    "this model": probabilities,
}


class Judged(NamedTuple):
    """An estimate for a position: its game, its year, the estimate and the result."""

    game: int
    year: int
    spring: bool
    estimate: Floats
    won: Floats

    @property
    def brier(self) -> float:
        return float(((self.estimate - self.won) ** 2).sum())


def judge(games: Sequence[Mapping[str, Any]], estimate: Callable[[State, int], Floats]) -> list[Judged]:
    """Return the estimate for every position of the games."""
    return [
        Judged(number, item.state.year, item.state.phase == SPRING, estimate(item.state, LAST_YEAR), item.won)
        for number, game in enumerate(games)
        for item in samples(game, LAST_YEAR)
    ]


def interval(totals: Floats, counts: Floats, rng: np.random.Generator) -> tuple[float, float]:
    """Return the 95 % interval of a ratio of sums over games."""
    draws = rng.integers(0, len(totals), (SAMPLES, len(totals)))
    low, high = np.percentile(totals[draws].sum(axis=1) / counts[draws].sum(axis=1), (2.5, 97.5))
    return float(low), float(high)


def test(games: Sequence[Mapping[str, Any]], plot: Path | None) -> None:
    """Print Brier scores and calibration on `games`."""
    print(f"{len(games)} matches, seeds {games[0]['seed']} to {games[-1]['seed']}\n")
    print(f"| | {' | '.join(map(str, YEARS))} | start (95 %) | all springs (95 %) | log loss |")
    print("|---|" + "---|" * (len(YEARS) + 3))
    judged: list[Judged] = []
    for name, estimate in ESTIMATES.items():
        judged = judge(games, estimate)
        springs = [item for item in judged if item.spring]
        by_year = [np.mean([item.brier for item in springs if item.year == year]) for year in YEARS]
        first = _mean([item for item in springs if item.year == YEARS[0]], len(games))
        whole = _mean(springs, len(games))
        loss = np.mean([-(item.won * np.log(np.maximum(item.estimate, 1e-6))).sum() for item in springs])
        cells = " | ".join(f"{score:.3f}" for score in by_year)
        print(f"| {name} | {cells} | {first} | {whole} | {loss:.3f} |")
    bins = calibration(judged, len(games))
    print("\n| estimate | mean estimate | won (95 %) | positions |\n|---|---|---|---|")
    for row in bins:
        print(
            f"| {row.low:.0%}–{row.high:.0%} | {row.estimate:.3f} | {row.won:.3f} ({row.least:.3f}–{row.most:.3f})"
            f" | {row.positions} |"
        )
    if plot is not None:
        plot.write_text(drawn(bins), encoding="utf-8")


def _mean(judged: Sequence[Judged], games: int) -> str:
    """Return the mean Brier score with its interval."""
    totals, counts = np.zeros(games), np.zeros(games)
    for item in judged:
        totals[item.game] += item.brier
        counts[item.game] += 1
    low, high = interval(totals, counts, np.random.default_rng(0))
    return f"{totals.sum() / counts.sum():.3f} ({low:.3f}–{high:.3f})"


class Bin(NamedTuple):
    """Estimates between two bounds: their mean, the share that came true with its interval, and their number."""

    low: float
    high: float
    estimate: float
    won: float
    least: float
    most: float
    positions: int


def calibration(judged: Sequence[Judged], games: int) -> list[Bin]:
    """Return the estimates in bins, with intervals from a bootstrap over matches."""
    rng = np.random.default_rng(0)
    bins = []
    for low, high in pairwise(EDGES):
        estimated, won, count = np.zeros(games), np.zeros(games), np.zeros(games)
        for item in judged:
            inside = (item.estimate > low) & (item.estimate <= high)
            estimated[item.game] += item.estimate[inside].sum()
            won[item.game] += item.won[inside].sum()
            count[item.game] += inside.sum()
        if count.sum() >= 20:
            least, most = interval(won, count, rng)
            total = count.sum()
            bins.append(Bin(low, high, estimated.sum() / total, won.sum() / total, least, most, int(total)))
    return bins


SIZE = {"width": 420, "height": 420}


def drawn(bins: Sequence[Bin]) -> str:
    """Return the calibration as SVG: the share that won by the chance that was given, with its interval."""
    points = [Point(x=row.estimate, y=row.won, low=row.least, high=row.most) for row in bins]
    chart = Chart(
        x=Axis(title="estimated chance of winning", unit="share", low=0, high=1),
        y=Axis(title="share that won, 95 %", unit="share", low=0, high=1),
        marks=[
            Mark(id="exact", kind="line", tone="faint", points=[Point(x=0, y=0), Point(x=1, y=1)]),
            Mark(id="won", kind="dots", points=points),
        ],
        describe="the share of powers that won, by the chance of winning that was given",
    )
    return vl_convert.vegalite_to_svg(json.dumps(specification(chart) | SIZE)) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("command", choices=("play", "fit", "test"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=120, help="matches to play")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first match to play")
    parser.add_argument("--test", type=int, default=80, help="matches at the end of the file that are not fitted on")
    parser.add_argument("--plot", type=Path, help="SVG file for the calibration")
    args = parser.parse_args()
    if args.command == "play":
        play(args.file, args.games, args.seed)
    elif args.command == "fit":
        games = read(args.file)[: -args.test]
        write_weights(fit(games), games)
    else:
        test(read(args.file)[-args.test :], args.plot)


if __name__ == "__main__":
    main()
