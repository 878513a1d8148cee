"""Dew and wear are known before the toss, move the second innings, and keep its mean."""

from __future__ import annotations

from random import Random

import pytest

from grandstand.games.cricket.bots.heuristic import heuristic
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.match.chances import chance_to_bat_first
from grandstand.games.cricket.model.forecast import FORECASTS
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import CLASSES


def on_a_day(forecast: str) -> CricketGame:
    game = CricketGame(CricketOptions(overs=7), 3)
    game.state.forecast = forecast
    return game


def test_the_mean_of_all_days_is_that_of_an_even_one() -> None:
    assert sum(each.share for each in FORECASTS.values()) == pytest.approx(1)
    assert sum(each.share * each.drift for each in FORECASTS.values()) == pytest.approx(0)


def test_the_day_decides_who_should_bat_first() -> None:
    games = {name: on_a_day(name) for name in FORECASTS}
    chances = {name: chance_to_bat_first(game.state) for name, game in games.items()}
    assert chances["dew"] < chances["even"] < 0.5 < chances["dry"]
    decided = {name: heuristic(game, game.to_act()[0], Random(1))["arguments"] for name, game in games.items()}
    assert decided == {"dew": {"decision": "field"}, "even": {"decision": "field"}, "dry": {"decision": "bat"}}


def six_of_the_openers(forecast: str, innings: int) -> float:
    """Return the factor of a six of the first pair in an innings."""
    game = on_a_day(forecast)
    for number in range(innings):
        game.contest.start_innings(0, 90 if number else None)
    game.contest.send_in()
    game.contest.send_in()
    game.contest.give_ball(10)
    return game.state.pair(0)[CLASSES.index("6")]


def test_only_the_second_innings_is_batted_in_the_dew() -> None:
    assert six_of_the_openers("dew", 1) == six_of_the_openers("even", 1)
    assert six_of_the_openers("dew", 2) > six_of_the_openers("even", 2) > six_of_the_openers("dry", 2)


def test_captains_read_of_it_before_the_toss() -> None:
    game = on_a_day("dry")
    assert FORECASTS["dry"].words in game.text(game.to_act()[0])
    told = game.observation(game.to_act()[0])["format"].get("forecast")
    assert told is not None
    assert told["kind"] == "dry"
