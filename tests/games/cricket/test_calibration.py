"""Neutral play gives real scores: the statistics of `data/targets.csv`, each inside its band."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import pytest

from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.export.statistics import Statistics
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.model import ball_model as model
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match, play_out, spinners

TEXT = (Path(model.__file__).parents[1] / "data" / "targets.csv").read_text(encoding="utf-8")
TARGETS = list(csv.DictReader(TEXT.splitlines()))
COLUMN = {"modern": "modern_2023_2024", "classic": "classic_2018_2022"}
MATCHES = 400
BAND = 2.5
"""Half-width in standard errors of the real sample (142 matches); the modern one's serve for both eras."""


QUOTA = 24
"""Balls of a bowler who bowls all the overs that one may."""


class InningsBowled(NamedTuple):
    """One innings: (balls, runs, wickets) of each bowler, who bowled over 20, and the last man's (balls, runs)."""

    bowlers: list[tuple[int, int, int]]
    last_over: str | None
    last_man: tuple[int, int] | None


def summary(innings: Iterable[InningsBowled]) -> dict[str, float]:
    """Return the statistics by name."""
    rows = list(innings)
    full = [bowler for row in rows for bowler in row.bowlers if bowler[0] >= QUOTA]
    last_overs = [row.last_over for row in rows if row.last_over is not None]
    last_men = [row.last_man for row in rows if row.last_man is not None]
    return {
        "bowlers": fmean(len(row.bowlers) for row in rows),
        "bowlers who bowl four": len(full) / len(rows),
        "wickets": fmean(bowler[2] for bowler in full),
        "wicketless": fmean(bowler[2] == 0 for bowler in full),
        "runs": fmean(bowler[1] for bowler in full),
        "spin in over 20": fmean(group == "spin" for group in last_overs),
        "balls of the last man": fmean(balls for balls, _ in last_men),
        "runs of the last man": fmean(runs for _, runs in last_men),
    }


def bowled_in(game: CricketGame) -> Iterable[InningsBowled]:
    """Yield the first two innings of a finished match."""
    for innings in game.state.innings[:2]:
        players = game.state.teams[innings.bowling_side].players
        last = players[innings.overs[19][0]].group if len(innings.overs) == 20 else None
        man = innings.batters[innings.order[10]] if len(innings.order) == 11 else None
        yield InningsBowled(
            [(card.balls, card.runs, card.wickets) for card in innings.bowlers.values()],
            last,
            (man.balls, man.runs) if man else None,
        )


@cache
def twenty_overs(era: str) -> tuple[Statistics, list[InningsBowled]]:
    """Return the statistics and the innings of the neutral matches of an era, which two tests count."""
    options = CricketOptions(era=era, win_probability=False)
    statistics, bowled = Statistics(), list[InningsBowled]()
    for seed in range(500_000, 500_000 + MATCHES):
        game, events = play_match(options, seed, neutral, neutral)
        statistics.add(events, spinners(game))
        bowled += bowled_in(game)
    return statistics, bowled


@pytest.mark.long
@pytest.mark.parametrize("era", ["modern", "classic"])
def test_twenty_overs_reproduce_the_era(era: str) -> None:
    result = twenty_overs(era)[0].headline()
    outside = {}
    for row in TARGETS:
        target, error = float(row[COLUMN[era]]), float(row["se_modern"])
        if abs(result[row["stat"]] - target) > BAND * error:
            outside[row["stat"]] = (round(result[row["stat"]], 4), target)
    assert len(TARGETS) == 51
    assert not outside


@pytest.mark.long
def test_five_overs_score_what_the_end_of_an_innings_with_wickets_in_hand_does() -> None:
    """Real overs 16-20 with two down or fewer: 53.6 and 59.7; the one real five-over innings of those years: 62."""
    options = CricketOptions(overs=5, win_probability=False)
    matches = (play_match(options, seed, neutral, neutral)[0] for seed in range(300))
    totals = [game.state.innings[0].runs for game in matches]
    assert 55 <= sum(totals) / len(totals) <= 66


SPELLS = {
    "modern": {"bowlers who bowl four": (3.17, 0.18), "wickets": (1.33, 0.08), "wicketless": (0.233, 0.036),
               "runs": (34.2, 1.3), "spin in over 20": (0.061, 0.04), "balls of the last man": (2.9, 1.0)},
    "classic": {"bowlers who bowl four": (3.46, 0.25), "wickets": (1.22, 0.08), "wicketless": (0.281, 0.036),
                "runs": (31.3, 1.3), "spin in over 20": (0.082, 0.04), "balls of the last man": (3.27, 1.0)},
}  # fmt: skip
"""Per innings, per four-over spell: counted over 284 and 620 real innings (docs/cricket.md), and 2.5 SE; a
classic side shares its overs a little wider than real ones did."""


@pytest.mark.long
@pytest.mark.parametrize("era", SPELLS)
def test_overs_are_shared_as_real_captains_share_them(era: str) -> None:
    counted = summary(twenty_overs(era)[1])
    outside = {
        name: (round(counted[name], 3), target)
        for name, (target, band) in SPELLS[era].items()
        if abs(counted[name] - target) > band
    }
    assert not outside


@pytest.mark.long
def test_fifty_overs_score_as_one_day_internationals_do() -> None:
    """First innings of their whole length have made about 290 since 2013; within a tenth of it."""
    totals = []
    for seed in range(80):
        game = CricketGame(CricketOptions(overs=50), seed)
        game.contest.start_innings(0)
        play_out(game)
        totals.append(game.state.innings[0].runs)
    assert sum(totals) / len(totals) == pytest.approx(290, rel=0.1)


@pytest.mark.long
def test_super_overs_score_as_the_real_ones() -> None:
    """34 real innings: mean 9.3 runs (sd 4.8), 0.91 wickets."""
    runs, wickets = [], []
    options = CricketOptions(overs=1, win_probability=False)
    for seed in range(900):
        game, _ = play_match(options, seed, neutral, neutral)
        runs += [innings.runs for innings in game.state.innings[2:]]
        wickets += [innings.wickets for innings in game.state.innings[2:]]
    assert len(runs) > 100
    assert abs(sum(runs) / len(runs) - 9.3) < 2.5 * 4.8 / 34**0.5
    assert abs(sum(wickets) / len(wickets) - 0.91) < 0.4
