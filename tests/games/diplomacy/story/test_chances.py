"""The chance of winning of each power."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from grandstand.games.diplomacy.bots import POLICIES
from grandstand.games.diplomacy.rules.map import CENTERS, POWERS, PROVINCES
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import WINTER, State
from grandstand.games.diplomacy.story.chances import chances, probabilities, weights
from grandstand.games.diplomacy.story.features import NAMES, features, years_left
from tests.support.diplomacy.scripted import owning

CODES = [PROVINCES[center] for center in CENTERS]


def position(phase: str = "S1910M", **centers: list[str]) -> State:
    units = {power: [f"A {code}" for code in codes] for power, codes in centers.items()}
    return read_state({"phase": phase, "units": units, "centers": owning(**centers), "retreats": {}})


def test_chances_are_a_distribution_in_every_position_of_a_game() -> None:
    state, rng = State.start(), Random(1)
    while state.year < 1904:
        estimate = chances(state, 1920)
        assert list(estimate) == list(POWERS)
        assert sum(estimate.values()) == pytest.approx(1, abs=1e-3)
        assert all(0 <= chance <= 1 for chance in estimate.values())
        orders = {}
        for power in state.to_act():
            orders.update(POLICIES["random"](state, power, rng))
        state = state.resolve(orders).after


def test_more_centres_make_a_power_more_likely_to_win_and_the_last_year_counts() -> None:
    small = position(FRANCE=["PAR", "BRE", "MAR"], GERMANY=["MUN", "BER"])
    large = position(FRANCE=["PAR", "BRE", "MAR", "SPA", "POR"], GERMANY=["MUN", "BER"])
    assert chances(large, 1920)["FRANCE"] > chances(small, 1920)["FRANCE"]
    assert chances(large, 1911)["FRANCE"] != chances(large, 1930)["FRANCE"]


def test_who_is_out_cannot_win_and_who_has_won_has_won() -> None:
    state = position(FRANCE=["PAR", "BRE"], GERMANY=["MUN", "BER"])
    assert chances(state, 1920)["TURKEY"] == 0
    solo = read_state({"phase": "S1910M", "units": {}, "centers": owning(FRANCE=CODES[:18]), "retreats": {}})
    assert chances(solo, 1920)["FRANCE"] == 1


def test_after_the_last_fall_those_with_most_centres_share() -> None:
    state = position("W1910A", FRANCE=["PAR", "BRE"], GERMANY=["MUN", "BER"], ITALY=["ROM"])
    assert state.phase == WINTER
    assert chances(state, 1910) == {**dict.fromkeys(POWERS, 0.0), "FRANCE": 0.5, "GERMANY": 0.5}


def test_every_feature_has_a_weight() -> None:
    assert features(State.start(), 1920).shape == (len(POWERS), len(NAMES))
    assert weights().shape == (len(NAMES),)
    assert np.isfinite(probabilities(State.start(), 1920)).all()


@pytest.mark.parametrize(("phase", "left"), [("S1901M", 20.0), ("F1901M", 19.5), ("W1901A", 19.0), ("S1920M", 1.0)])
def test_the_time_that_is_left(phase: str, left: float) -> None:
    assert years_left(position(phase, FRANCE=["PAR"]), 1920) == left
