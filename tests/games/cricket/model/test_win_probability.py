"""The tables of chances: exact where that can be enumerated, monotone, the engine's own, near what really happened."""

from __future__ import annotations

import csv
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.duckworth_lewis import par_score
from grandstand.games.cricket.laws.rules import format_rules, super_over_rules
from grandstand.games.cricket.match.chances import home_chance
from grandstand.games.cricket.model import win_probability as stored
from grandstand.games.cricket.model.average import class_outcomes
from grandstand.games.cricket.model.ball_model import chase_bin
from grandstand.games.cricket.model.table_cache import BoundedCache
from grandstand.games.cricket.model.tactics import rate_scale
from grandstand.games.cricket.model.win_probability import WinProbability, ceiling, super_over, win_probability
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.packs import pack
from grandstand.games.cricket.simulate import play_out

DATA = Path(__file__).parents[1] / "data"
T20, T5 = format_rules(20), format_rules(5)


def chase_by_enumeration(tables: WinProbability, node: int, legal: int, wickets: int, need: int, free: bool) -> float:
    """Every way the rest of a chase can go, ball by ball; extras end because each brings a run."""
    rules = tables.rules

    @cache
    def chance(legal: int, wickets: int, need: int, free: bool) -> float:
        if need <= 0:
            return 1.0
        if legal == rules.balls or wickets == rules.wickets:
            return tables.level if need == 1 else 0.0
        rate = 6 * need / (rules.balls - legal)
        phase = tables.balls.places[legal][1]
        shares = tables.balls.shares(legal, free)[chase_bin(rate * rate_scale(rules)), node, wickets]
        outcomes = class_outcomes(tables.balls.model, phase, shares, free)
        return sum(
            float(outcomes.runs[runs]) * chance(legal + 1, wickets, need - runs, False)
            + float(outcomes.out[runs]) * chance(legal + 1, wickets + 1, need - runs, False)
            + (float(outcomes.wide[runs]) * chance(legal, wickets, need - runs, free) if runs else 0.0)
            + (float(outcomes.noball[runs]) * chance(legal, wickets, need - runs, True) if runs else 0.0)
            for runs in range(8)
        )

    return chance(legal, wickets, need, free)


@pytest.mark.parametrize(
    ("legal", "wickets", "need", "free"),
    [(29, 4, 5, False), (29, 9, 1, False), (28, 8, 9, False), (27, 9, 14, True), (26, 3, 20, False)],
)
def test_a_chase_is_exact(legal: int, wickets: int, need: int, free: bool) -> None:
    tables = win_probability("modern", T5)
    for node in range(3):
        exact = chase_by_enumeration(tables, node, legal, wickets, need, free)
        assert tables.chase.nodes(legal, wickets, need, free)[node] == pytest.approx(exact, abs=2e-5)


def test_how_many_states_are_stored_changes_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record is played again to the same figures only if each is rounded once, when it is read."""

    def states(balls: int) -> list[list[float]]:
        monkeypatch.setattr(stored, "_BLOCK", balls)
        monkeypatch.setattr(stored, "BLOCKS", BoundedCache(2**24))
        chase = WinProbability("modern", T5).chase_if(0.5)
        places = [(legal, free_hit) for legal in range(T5.balls) for free_hit in (False, True)]
        return [chase.states(legal, free_hit).ravel().tolist() for legal, free_hit in places]

    assert states(T5.balls) == states(12) == states(6)


def test_a_first_innings_ends_in_the_chase_of_its_total() -> None:
    tables = win_probability("modern", T5)
    grid, whole = tables.first(), ceiling(T5)
    for runs in (30, 59, 90):
        for legal, wickets in ((30, 4), (17, 10)):
            at_the_end = grid.at(legal, wickets, whole - runs)
            assert at_the_end == pytest.approx(1 - tables.chase.at(0, 0, runs + 1), abs=2e-4)


def test_rain_sets_the_target_of_a_first_innings() -> None:
    tables = win_probability("modern", T5)
    cut, whole = (40.0, 31.0), ceiling(T5)
    target = par_score(50, *cut) + 1
    assert tables.first(cut).at(30, 5, whole - 50) == pytest.approx(1 - tables.chase.at(0, 0, target), abs=2e-4)


@pytest.mark.long
@given(
    legal=st.integers(0, 119),
    wickets=st.integers(0, 8),
    need=st.integers(1, 250),
    free=st.booleans(),
    era=st.sampled_from(["modern", "classic"]),
)
def test_more_wickets_in_hand_and_fewer_runs_to_get_are_better(
    legal: int, wickets: int, need: int, free: bool, era: str
) -> None:
    chase = win_probability(era, T20).chase
    here = chase.at(legal, wickets, need, free)
    assert 0 <= here <= 1 + 1e-9
    assert chase.at(legal, wickets + 1, need, free) <= here + 1e-6
    assert chase.at(legal, wickets, need + 1, free) <= here + 1e-3  # a step of the chase table may jump a little
    assert chase.at(legal, wickets, need, free_hit=True) >= chase.at(legal, wickets, need) - 1e-6
    first, whole = win_probability(era, T20).first(), ceiling(T20)
    assert first.at(legal, wickets + 1, whole - need) <= first.at(legal, wickets, whole - need) + 1e-6
    assert first.at(legal, wickets, whole - need - 1) >= first.at(legal, wickets, whole - need) - 1e-6


def test_better_conditions_are_better_for_the_chasing_side() -> None:
    nodes = win_probability("modern", T20).chase.nodes(0, 0, 190)
    assert nodes[0] < nodes[1] < nodes[2]


def test_a_level_super_over_is_played_again_with_the_order_reversed() -> None:
    first = super_over("modern", "icc")
    tables = win_probability("modern", super_over_rules("icc"))
    assert tables.first_after(tables.chase_if(first).start).at(0, 0, ceiling(tables.rules)) == pytest.approx(
        first, abs=1e-5
    )
    assert tables.level == first


def test_out_of_reach_and_reached() -> None:
    chase = win_probability("modern", T20).chase
    assert chase.at(119, 3, 0) == chase.at(119, 3, -4) == pytest.approx(1)
    assert chase.at(0, 0, 10_000) < 1e-4
    assert chase.at(120, 3, 2) == chase.at(40, 10, 2) == 0.0


@pytest.mark.long
@pytest.mark.parametrize("target", [45, 58, 70])
def test_the_engine_wins_as_many_chases(target: int) -> None:
    """Neutral captains, whole chases of five overs, abilities and pitch drawn anew each time."""
    tables, won, matches = win_probability("modern", T5), [], 700
    for seed in range(matches):
        game = CricketGame(CricketOptions(overs=5), seed)
        game.contest.start_innings(0)
        game.state.now.runs, game.state.now.closed = target - 1, "overs completed"
        game.contest.start_innings(1, target)
        play_out(game)
        chase = game.state.innings[1]
        won.append(tables.level if chase.need == 1 else float((chase.need or 0) <= 0))
    assert abs(fmean(won) - tables.chase.at(0, 0, target)) < 3.3 * sqrt(0.25 / matches)


@pytest.mark.long
def test_the_engine_wins_as_many_from_real_situations() -> None:
    """Mean over many: what one situation's set batters do to its chance is a matchup, which the table averages out."""
    expected, won = [], []
    for number, scenario in enumerate(pack("chase-30").scenarios):
        for seed in range(16 * number, 16 * number + 16):  # one seed would be one luck, whatever the situation
            game = CricketGame(CricketOptions(pack="chase-30", scenario=scenario.id, win_probability=False), seed)
            expected.append(home_chance(game.state))
            play_out(game)
            assert game.state.result is not None
            won.append(game.state.result.scores["home"])
    assert abs(fmean(won) - fmean(expected)) < 3.3 * sqrt(0.2 / len(won))
    assert float(np.corrcoef(expected, won)[0, 1]) > 0.2


def test_another_programme_over_other_data_agrees() -> None:
    chase = win_probability("modern", T20).chase
    with (DATA / "chase_grid_sample.csv").open() as lines:
        rows = [
            (int(r["balls_left"]), int(r["wickets"]), int(r["need"]), float(r["chance"])) for r in csv.DictReader(lines)
        ]
    gaps = [chase.at(120 - left, wickets, need) - chance for left, wickets, need, chance in rows]
    assert abs(fmean(gaps)) < 0.03
    assert fmean(map(abs, gaps)) < 0.04
    assert max(map(abs, gaps)) < 0.2


def test_real_chases_come_out_as_told() -> None:
    """998 situations of 2023-24: Brier score and calibration, which a constant would fail at .246."""
    chase = win_probability("modern", T20).chase
    with (DATA / "chases_2023_2024.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    emitted = np.array([chase.at(120 - int(r["balls_left"]), int(r["wickets"]), int(r["need"])) for r in rows])
    won = np.array([float(r["won"]) for r in rows])
    assert float(np.mean((emitted - won) ** 2)) < 0.125
    bins = np.digitize(emitted, np.arange(0.1, 1, 0.1))
    off = [abs(emitted[bins == b].mean() - won[bins == b].mean()) * np.mean(bins == b) for b in set(bins)]
    assert sum(off) < 0.06
