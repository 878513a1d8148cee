"""Expectations of the other powers: what was planted is recognized, and expected from then on."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.bots.search.opponents import (
    NOISE,
    PRIOR,
    SEARCH,
    SIMPLE,
    expected,
    log_likelihood,
    mixtures_after,
    shares,
    ways_of,
)
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.record.history import PlayedMovement
from grandstand.games.diplomacy.rules.map import POWER, POWERS, PROVINCE, UNIT
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, NONE, Order
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import FALL, State

PLANTED = dict(
    zip(POWERS, ("dumbbot", "defensive", "territorial", "hold", "search-fast", "dumbbot", "hold"), strict=True)
)
SMALL = read_state(
    {"phase": "F1905M", "units": {"FRANCE": ["A BUR"], "GERMANY": ["A KIE"]}, "centers": {"FRANCE": ["PAR"]}}
)
BUR, MUN = PROVINCE["BUR"], PROVINCE["MUN"]
MARCH: Order = MOVE, UNIT["A BUR"], UNIT["A MUN"], NONE
STAY: Order = HOLD, UNIT["A BUR"], NONE, NONE


@pytest.fixture(scope="module")
def game() -> DiplomacyGame:
    """A game in which every power has played two years in a way of its own, which nobody announced."""
    game = DiplomacyGame(DiplomacyOptions(press="none"))
    while game.state.year < 1903:
        for seat in list(game.to_act()):
            game.apply(seat, BOTS[PLANTED[seat]](game.clone(), seat, Random(f"planted/{game.turn}/{seat}")))
    return game


def test_before_anything_was_seen_the_shares_are_those_of_the_prior() -> None:
    prior = shares(POWER["FRANCE"], ())
    assert sum(prior.values()) == pytest.approx(1)
    assert prior[SEARCH] == pytest.approx(PRIOR)
    assert [prior[name] for name in SIMPLE] == pytest.approx([(1 - PRIOR) / len(SIMPLE)] * len(SIMPLE))


@pytest.mark.long
def test_two_years_show_how_every_power_plays(game: DiplomacyGame) -> None:
    for seat, bot in PLANTED.items():
        mixture = shares(POWER[seat], game.movements)
        assert sum(mixture.values()) == pytest.approx(1)
        planted = SEARCH if bot == "search-fast" else bot
        assert max(mixture, key=lambda name: mixture[name]) == planted, f"{seat} plays {bot}: {mixture}"


@pytest.mark.long
def test_the_expected_orders_are_those_of_the_mixture(game: DiplomacyGame) -> None:
    state = game.state
    outlook = expected(state, game.relations, mixtures_after(game.movements))
    legal = state.legal_orders()
    for power in state.to_act():
        assert sum(outlook.chances[power]) == pytest.approx(1)
        for plan in outlook.plans[power]:
            assert set(plan) == set(state.orderable(power))
            assert all(order in legal[place] for place, order in plan.items())
    germany = POWER["GERMANY"]
    held = {place: (HOLD, unit, NONE, NONE) for place, (owner, unit) in state.units.items() if owner == germany}
    likelihood = sum(
        chance for plan, chance in zip(outlook.plans[germany], outlook.chances[germany], strict=True) if plan == held
    )
    assert likelihood > 0.9, "a power that never moved is expected to hold"
    first = expected(state, game.relations, mixtures_after(()))
    assert max(first.chances[germany]) < likelihood


def test_they_follow_from_the_position_and_the_public_record_alone() -> None:
    first = expected(SMALL, Relations(), mixtures_after(()))
    ways_of.cache_clear()
    assert expected(SMALL, Relations(), mixtures_after(())) == first
    assert [len(plans) > 0 for plans in first.plans] == [seat in ("FRANCE", "GERMANY") for seat in POWERS]


def test_seats_that_ask_share_one_computation() -> None:
    ways_of.cache_clear()
    for state in (SMALL, read_state(SMALL.to_json())):
        expected(state, Relations({(1, 2): 3}), mixtures_after(()))
    assert ways_of.cache_info().misses == 1
    expected(SMALL, Relations(), mixtures_after(()))
    assert ways_of.cache_info().misses == 2, "another record of who attacked whom may lead to other orders"


def test_a_way_is_judged_by_the_probability_that_it_gave_to_each_order() -> None:
    state = State(1905, FALL, {BUR: (POWER["FRANCE"], UNIT["A BUR"])}, {}, {MUN: POWER["GERMANY"]})
    choices = len(state.legal_orders()[BUR])
    way = [({BUR: MARCH}, 0.75), ({BUR: STAY}, 0.25)]

    def judged(orders: dict[int, Order]) -> float:
        return log_likelihood(way, POWER["FRANCE"], PlayedMovement(state, Relations(), orders))

    assert judged({BUR: MARCH}) == pytest.approx(log((1 - NOISE) * 0.75 + NOISE / choices))
    assert judged({}) == pytest.approx(log((1 - NOISE) * 0.25 + NOISE / choices)), "without an order a unit holds"
    surprise: Order = MOVE, UNIT["A BUR"], UNIT["A PAR"], NONE
    assert judged({BUR: surprise}) == pytest.approx(log(NOISE / choices))
    assert log_likelihood(way, POWER["GERMANY"], PlayedMovement(state, Relations(), {})) == 0
