"""Fields save where the fielders stand and cost where they do not."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from grandstand.games.cricket.laws.field import PLACES, PRESETS, field_of
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.fielding import field_table
from grandstand.games.cricket.vocab import CLASSES, GROUPS, PHASES, SHOT_FAMILIES

ONE, FOUR, SIX, WICKET = (CLASSES.index(name) for name in ("1", "4", "6", "W"))


def natural(table: np.ndarray, phase: int, group: int) -> np.ndarray:
    """[class]: the mean over natural balls."""
    odds = tactics.landing_odds(phase, group, (-1, -1), 1.1)
    mean: np.ndarray = np.sum([share * table[length, line] for length, line, share in odds], axis=0)
    return mean


@pytest.mark.parametrize("phase", range(len(PHASES)))
@pytest.mark.parametrize("group", range(len(GROUPS)))
def test_the_standard_field_and_a_natural_call_change_nothing(phase: int, group: int) -> None:
    for places in PRESETS.values():
        field = field_of(places)
        assert field_table(field, field, phase, group) == pytest.approx(np.ones((7, 6, len(CLASSES))))


def test_men_on_the_boundary_turn_fours_into_ones_as_at_the_powerplays_edge() -> None:
    """Set batters, overs 5-6 against 7-8: odds of a four against a dot fall by about 35 %, of a single rise by 85 %."""
    for group, preset in ((0, "middle_pace"), (1, "middle_spin")):
        spread, close = field_of(PRESETS[preset]), field_of(PRESETS["pp_defend"])
        mean = natural(field_table(spread, close, 1, group), 1, group)
        assert 0.5 < mean[FOUR] < 0.8
        assert 1.4 < mean[ONE] < 2.5


def test_a_field_moves_the_wickets_of_natural_batting_little() -> None:
    """Tracked fields differ in runs and not in wickets: at most 0.15 in log-odds."""
    rng = Random(1)
    standard = field_of(PRESETS["pp_attack"])
    for _ in range(100):
        field = field_of(tuple(rng.sample(PLACES, 9)))
        wickets = field_table(field, standard, 0, 0)[..., WICKET]
        assert 0.86 <= wickets.min() <= wickets.max() <= 1.162


@pytest.mark.parametrize("close", ["first slip", "silly point", "short leg", "leg slip"])
@pytest.mark.parametrize("moved", ["cover", "midwicket", "short third", "deep square leg"])
def test_each_close_man_leaves_a_gap(close: str, moved: str) -> None:
    """More singles or more fours are run in the place that the fielder has left."""
    standard = field_of(PRESETS["pp_defend"])
    field = field_of(tuple(close if place == moved else place for place in standard.places))
    mean = natural(field_table(field, standard, 0, 0), 0, 0)
    assert mean[ONE] > 1.02 or mean[FOUR] > 1.02


def test_close_catchers_lose_their_worth_with_the_ball_and_with_the_stroke() -> None:
    standard, crowded = field_of(PRESETS["pp_defend"]), field_of(PRESETS["pp_attack"])
    added = [field_table(crowded, standard, phase, 0)[0, 0, WICKET] for phase in range(len(PHASES))]
    assert added == sorted(added, reverse=True)
    assert added[0] > added[-1] > 1
    blocked, normal, hit = (
        field_table(crowded, standard, 0, 0, None, intent)[0, 0, WICKET]
        / field_table(standard, standard, 0, 0, None, intent)[0, 0, WICKET]
        for intent in ("block", "normal", "attack")
    )
    assert blocked > normal > hit


def test_a_man_where_the_shot_goes_saves_runs() -> None:
    guarded, open_ = field_of(PRESETS["middle_pace"]), field_of(PRESETS["death_yorker"])
    with_, without = (field_table(field, guarded, 2, 0, "ramp")[..., FOUR] for field in (guarded, open_))
    assert (with_ < without).all()


@pytest.mark.parametrize("family", ["loft", "pull", "sweep"])
def test_hitting_in_the_air_pays_over_an_up_field_and_is_caught_in_a_spread_one(family: str) -> None:
    up, spread = field_of(PRESETS["pp_attack"]), field_of(PRESETS["middle_spin"])
    low, high = (natural(field_table(field, spread, 1, 1, family), 1, 1) for field in (up, spread))
    assert low[FOUR] > high[FOUR]
    assert low[WICKET] < high[WICKET]
    assert family in SHOT_FAMILIES


def test_rotating_the_strike_finds_the_gaps_of_any_field() -> None:
    for places in PRESETS.values():
        field = field_of(places)
        normal, rotate, slog = (
            natural(field_table(field, field, 1, 0, None, intent), 1, 0)[ONE] for intent in ("normal", "rotate", "slog")
        )
        assert rotate > normal > slog
