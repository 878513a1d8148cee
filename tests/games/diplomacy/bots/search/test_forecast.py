"""Forecasts: shared, the same for everybody, and sharper with more iterations."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from grandstand.games.diplomacy.bots import PLANNERS
from grandstand.games.diplomacy.bots.search.forecast import DOUBT, Matching, distinct, forecast
from grandstand.games.diplomacy.bots.search.planner import searched
from grandstand.games.diplomacy.bots.stance import NEUTRAL, Plan
from grandstand.games.diplomacy.rules.map import POWER, PROVINCE, UNIT
from grandstand.games.diplomacy.rules.orders import HOLD, NONE, order_text, plain_orders
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import State

FALL_1901 = State.start().resolve({}).after


def test_all_seats_of_a_phase_share_one_computation() -> None:
    forecast.cache_clear()
    for power in range(3):
        PLANNERS["search-fast"](FALL_1901, power, Random(power), NEUTRAL)
    assert forecast.cache_info().misses == 1
    assert forecast.cache_info().hits == 2


def test_it_follows_from_the_position_alone() -> None:
    first = forecast(FALL_1901, 2)
    forecast.cache_clear()
    assert forecast(FALL_1901, 2) == first


def test_chances_are_chances_and_plans_are_legal() -> None:
    for iterations in (0, 3):
        outlook = forecast(FALL_1901, iterations)
        legal = FALL_1901.legal_orders()
        for power, (plans, chances) in enumerate(zip(outlook.plans, outlook.chances, strict=True)):
            assert sum(chances) == pytest.approx(1)
            assert min(chances) >= (DOUBT if iterations else 1) / len(plans) - 1e-9
            for plan in plans:
                assert set(plan) == set(FALL_1901.orderable(power))
                assert all(order in legal[at] for at, order in plan.items())
        assert set(outlook.sample(Random(0))) == set(FALL_1901.units)


def test_a_power_without_units_has_no_plans() -> None:
    state = read_state({"phase": "S1905M", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}})
    outlook = forecast(state, 2)
    assert [len(plans) > 0 for plans in outlook.plans] == [power == POWER["FRANCE"] for power in range(7)]
    assert outlook.sample(Random(1)).keys() == state.units.keys()


def test_iterations_move_the_chances_to_plans_that_win() -> None:
    state = read_state(
        {
            "phase": "F1905M",
            "units": {"FRANCE": ["A BUR"], "GERMANY": ["A PRU"]},
            "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN", "BER"]},
        }
    )
    burgundy, prussia = PROVINCE["BUR"], PROVINCE["PRU"]
    france: tuple[Plan, ...] = tuple({burgundy: order} for order in plain_orders(UNIT["A BUR"]))
    germany: tuple[Plan, ...] = ({prussia: (HOLD, UNIT["A PRU"], NONE, NONE)},)
    plans = tuple({POWER["FRANCE"]: france, POWER["GERMANY"]: germany}.get(power, ()) for power in range(7))
    matching = Matching(plans, Random(0), np.random.default_rng(0))
    for _ in range(16):
        matching.step(state)
    chances = dict(zip((order_text(plan[burgundy]) for plan in france), matching.average()[2], strict=True))
    assert chances["A BUR - MUN"] == max(chances.values()) > 2 * chances["A BUR H"]


def test_without_iterations_it_replies_to_the_candidates_at_once() -> None:
    forecast.cache_clear()
    orders = searched(FALL_1901, POWER["FRANCE"], Random(1), NEUTRAL, 0)
    assert set(orders) == set(FALL_1901.orderable(POWER["FRANCE"]))
    assert forecast.cache_info().currsize == 1


def test_distinct_keeps_the_first_of_equals() -> None:
    assert distinct([{1: (0, 1, -1, -1)}, {}, {1: (0, 1, -1, -1)}]) == ({1: (0, 1, -1, -1)}, {})
