"""Constant plans make their one call and nothing else of their own; what they lose is seen in expectation."""

from __future__ import annotations

import pytest

from benchmarks.cricket_constant_plans import PLANS, expected
from grandstand.games.cricket.bots.heuristic import heuristic
from grandstand.games.cricket.events import BallBowled, PlanJudged
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match


def test_a_plan_for_overs_is_the_same_in_every_over() -> None:
    options = CricketOptions(overs=5, decisions="over", win_probability=False)
    _, events = play_match(options, 3, PLANS["over"]["theme short"], heuristic)
    plans = [event.plan for event in events if isinstance(event, PlanJudged) and event.seat == "home"]
    assert {plan["theme"] for plan in plans if "theme" in plan} == {"short"}
    assert any("intents" in plan for plan in plans)


def test_a_plan_ball_by_ball_calls_every_ball_of_its_side() -> None:
    options = CricketOptions(overs=5, win_probability=False)
    game, events = play_match(options, 3, PLANS["ball"]["bowl back of a length"], heuristic)
    own = {player.name for player in game.state.teams[0].players}
    aims = {tuple(event.aim or ()) for event in events if isinstance(event, BallBowled) and event.bowler in own}
    assert aims == {("back_of_length", "natural", "natural")}


@pytest.mark.long
@pytest.mark.parametrize(("decisions", "name"), [("over", "theme yorkers"), ("ball", "bat rotate")])
def test_a_poor_plan_loses_in_expectation(decisions: str, name: str) -> None:
    bats = name.startswith("bat ")
    assert expected(PLANS[decisions][name], decisions, bats, 90000) < 0.499
