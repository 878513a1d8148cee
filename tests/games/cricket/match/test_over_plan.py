"""Plans for an over: one request a side and over, what is asked again, and the balls that follow from a plan."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from grandstand.games.base import Action, GameEvent, IllegalAction, SeatId
from grandstand.games.checks import check
from grandstand.games.choices import drawn
from grandstand.games.cricket import GAME
from grandstand.games.cricket import events as told
from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.agent.reply import REPLY
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.bots.heuristic import ball_by_ball
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.match.over_plan import SHOT_SHARE, THEMES, ZONE_SHARE, ZONES, calls, shares
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import GROUPS, SEATS

PLAN: Action = {"tool": "plan_over", "arguments": {}}


def new(seed: int, **options: Any) -> CricketGame:
    return CricketGame(CricketOptions(**{"decisions": "over", "overs": 5, **options}), seed)


def play(game: CricketGame, answer: Any = lambda game, seat: PLAN) -> tuple[list[GameEvent], Counter[SeatId]]:
    """Play the match by plans; return its events, and how often each seat was asked for one."""
    events, asked = list(game.opening()), Counter[SeatId]()
    while game.outcome is None:
        seat = game.to_act()[0]
        action = game.standing(seat)
        if action is None:
            action = answer(game, seat) if game.state.stage == "play" else game.default_action(seat)
            asked[seat] += game.state.stage == "play"
        events += game.apply(seat, action)
    return events, asked


def planned(seed: int = 3, **options: Any) -> CricketGame:
    """A match at the first ball of its second over, both sides' plans to come."""
    game = new(seed, **options)
    while not game.state.innings or game.state.now.legal < 6 or game.state.now.over_log:
        seat = game.to_act()[0]
        game.apply(seat, game.standing(seat) or game.default_action(seat))
    return game


@pytest.mark.long
def test_every_answer_is_legal_and_nobody_learns_what_is_secret() -> None:
    check(GAME, {"overs": 2, "decisions": "over"}, seeds=range(2))
    check(GAME, {"overs": 2, "decisions": "over", "conditions": "ipl-2023"}, seeds=range(2))


def test_each_side_is_asked_once_an_over_and_for_a_new_batter() -> None:
    never = {"tool": "plan_over", "arguments": {"ask": False}}

    def answer(game: CricketGame, seat: SeatId) -> Action:
        return never if SEATS.index(seat) == game.state.now.bowling_side else PLAN

    events, asked = play(new(5), answer)
    wickets = sum(isinstance(event, told.BallBowled) and event.wicket is not None for event in events)
    overs = sum(isinstance(event, told.OverEnded | told.InningsEnded) for event in events)
    assert sum(asked.values()) <= 2 * overs + wickets
    assert asked.keys() == set(SEATS)


def test_the_bowling_side_may_change_its_plan_after_a_boundary_once_unless_it_asks_again() -> None:
    game = new(5, overs=20)
    reopened = Counter[tuple[int, int]]()

    def answer(game: CricketGame, seat: SeatId) -> Action:
        plan = game.state.plans[SEATS.index(seat)]
        if plan is not None and plan.get("why") == "boundary":
            assert SEATS.index(seat) == game.state.now.bowling_side
            reopened[game.state.now.number, game.state.now.over] += 1
            assert menu.allowed(game.state, SEATS.index(seat))[0] == "plan_over"
            kept = game.clone()
            kept.apply(seat, PLAN)
            after = kept.state.plans[SEATS.index(seat)]
            assert after is None or after["theme"] == plan["theme"] or after["over"] != plan["over"]
        batting = SEATS.index(seat) == game.state.now.batting_side
        return PLAN if batting else {"tool": "plan_over", "arguments": {"theme": "yorkers"}}

    play(game, answer)
    assert reopened
    assert set(reopened.values()) == {1}


def test_after_a_wicket_the_batting_side_names_the_batter_and_both_intents() -> None:
    game, rng = new(8, overs=20), Random(1)
    while True:
        seat = game.to_act()[0]
        innings = game.state.now if game.state.innings else None
        vacant = innings is not None and None in (innings.striker, innings.non_striker) and innings.wickets
        if vacant and game.state.stage == "play":
            break
        game.apply(seat, game.standing(seat) or BOTS["neutral"](game, seat, rng))
    slots = {slot.name for slot in game.choices(seat, {"tool": "plan_over"})}
    assert slots == {"batter", "striker", "non_striker", "shot", "note"}
    waiting = game.state.now.waiting()
    name = game.state.teams[game.state.now.batting_side].players[waiting[1]].name
    game.apply(seat, {"tool": "plan_over", "arguments": {"batter": name, "striker": "rotate", "non_striker": "attack"}})
    plan = game.state.plans[SEATS.index(seat)]
    assert plan is not None
    assert name in plan["intents"]
    assert sorted(plan["intents"].values()) == ["attack", "rotate"]


def test_a_plan_stays_secret_until_its_over_has_ended() -> None:
    game = planned()
    seat = SEATS[game.state.now.bowling_side]
    (made, *_) = game.apply(seat, {"tool": "plan_over", "arguments": {"theme": "short", "note": "at his ribs"}})
    assert made.seats() == frozenset((seat,))
    other = SEATS[game.state.now.batting_side]
    assert "short" not in str(game.observation(other)["plan"])
    events: list[GameEvent] = []
    while not any(isinstance(event, told.PlanJudged) for event in events):
        acting = game.to_act()[0]
        events += game.apply(acting, game.standing(acting) or game.default_action(acting))
    judged = next(event for event in events if isinstance(event, told.PlanJudged) and event.seat == seat)
    assert judged.plan == {"theme": "short", "zone": "natural"}


def test_the_worth_of_a_plan_is_that_of_its_decisions() -> None:
    rng = Random(4)
    events, _ = play(
        new(4), lambda game, seat: game.action(seat, drawn(lambda chosen: game.choices(seat, chosen), rng))
    )  # fmt: skip
    by_calls, by_plans = dict.fromkeys(SEATS, 0.0), dict.fromkeys(SEATS, 0.0)
    for event in events:
        if isinstance(event, told.ChanceChanged):
            for decision in event.decisions:
                if not decision["choice"].keys() & {"decision"}:
                    by_calls[decision["seat"]] += decision["delta"]
        elif isinstance(event, told.PlanJudged):
            assert event.delta is not None
            by_plans[event.seat] += event.delta
    assert by_plans == pytest.approx(by_calls, abs=1e-3)


def test_without_chances_of_winning_a_plan_has_no_worth() -> None:
    events, _ = play(new(4, win_probability=False))
    assert {event.delta for event in events if isinstance(event, told.PlanJudged)} == {None}


def test_the_balls_of_a_plan_are_drawn_by_the_seed_in_its_shares() -> None:
    game = planned(overs=20)
    side = game.state.now.bowling_side
    game.apply(SEATS[side], {"tool": "plan_over", "arguments": {"theme": "yorkers", "zone": "stumps"}})
    state, count = game.state, Counter[str]()
    plan = state.plans[side]
    assert plan is not None
    group = GROUPS[state.attack]
    for seed in range(3000):
        state.luck = seed
        call = calls(state, side, plan)
        assert call == calls(state, side, plan)
        count.update([call["line"], call.get("length", "natural")])
    expected = shares("yorkers", "stumps", group)
    named = {
        length: sum(share for (own, _, _), share in expected.items() if own == length) for length, _, _ in expected
    }
    assert count["stumps"] / 3000 == pytest.approx(ZONE_SHARE, abs=0.03)
    for length, share in named.items():
        if length != "natural":
            assert count[length] / 3000 == pytest.approx(share, abs=0.03)


def test_a_planned_stroke_is_called_on_its_share_of_the_balls_and_not_on_a_free_hit() -> None:
    game = planned(overs=20)
    side = game.state.now.batting_side
    while game.to_act()[0] != SEATS[side]:
        game.apply(game.to_act()[0], PLAN)
    (event, *_) = game.apply(SEATS[side], {"tool": "plan_over", "arguments": {"striker": "attack", "shot": "sweep"}})
    assert isinstance(event, told.OverPlanned)
    assert event.plan["shot"] == "sweep"
    state, plan = game.state, game.state.plans[side]
    assert plan is not None
    called = Counter[str]()
    for seed in range(2000):
        state.luck = seed
        called.update([calls(state, side, plan).get("shot", "natural")])
    assert set(called) == {"natural", "sweep"}
    assert called["sweep"] / 2000 == pytest.approx(SHOT_SHARE, abs=0.03)
    state.now.free_hit = True
    assert calls(state, side, plan) == {"intent": "slog"}


def test_a_planned_stroke_has_its_price_and_is_judged_with_the_plan() -> None:
    """Scoops at the new ball are worth less than what real batters do, and the plan says so after each over."""

    def answer(game: CricketGame, seat: SeatId) -> Action:
        bats = SEATS.index(seat) == game.state.now.batting_side
        return {"tool": "plan_over", "arguments": {"shot": "scoop"}} if bats else PLAN

    events, _ = play(new(6, overs=20), answer)
    judged = [event for event in events if isinstance(event, told.PlanJudged) and "intents" in event.plan]
    assert {event.plan.get("shot") for event in judged} == {"scoop"}
    assert sum(event.delta or 0.0 for event in judged) < -0.02


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("group", GROUPS)
def test_the_shares_of_a_theme_add_up(theme: str, group: str) -> None:
    for zone in ZONES:
        assert sum(shares(theme, zone, group).values()) == pytest.approx(1.0)


def test_the_tools_of_the_ball_can_be_called_instead_of_a_plan() -> None:
    game, rng = new(6), Random(2)
    balls = 0
    while game.outcome is None:
        seat = game.to_act()[0]
        if game.state.stage == "play":
            assert game.standing(seat) is None
            action = ball_by_ball(game.state, seat, rng)
        else:
            action = game.default_action(seat)
        balls += sum(isinstance(event, told.BallBowled) for event in game.apply(seat, action))
    assert balls > 40


@pytest.mark.parametrize("bot", BOTS)
def test_every_captain_plans(bot: str) -> None:
    game, rng = new(7, overs=2, win_probability=False), Random(3)
    _, asked = play(game, lambda game, seat: BOTS[bot](game, seat, rng))
    assert max(asked.values()) < 30


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"theme": "beamers"}, "arguments.theme"),
        ({"zone": "over the roof"}, "arguments.zone"),
        ({"bowler": "Nobody"}, "arguments.bowler"),
        ({"field": "everywhere"}, "arguments.field"),
        ({"striker": "slog"}, "arguments.striker"),
        ({"shot": "sweep"}, "arguments.shot"),
        ({"ask": "sometimes"}, "arguments.ask"),
        ({"length": "yorker"}, "arguments.length"),
    ],
)
def test_a_wrong_plan_is_refused_and_changes_nothing(arguments: dict[str, Any], field: str) -> None:
    game = planned()
    before = game.digest()
    with pytest.raises(IllegalAction) as refused:
        game.apply(SEATS[game.state.now.bowling_side], {"tool": "plan_over", "arguments": arguments})
    assert refused.value.field == field
    assert game.digest() == before


def test_plans_are_not_for_matches_of_ball_by_ball_decisions() -> None:
    game = planned(decisions="ball")
    with pytest.raises(IllegalAction, match="cannot be called now"):
        game.apply(game.to_act()[0], PLAN)


def test_a_match_is_restored_with_its_plans() -> None:
    game = planned()
    game.apply(game.to_act()[0], {"tool": "plan_over", "arguments": {"theme": "attack", "zone": "stumps"}})
    again = CricketGame.load(game.to_json())
    assert again.digest() == game.digest()
    assert play(again)[0] == play(game)[0]


def test_the_prompt_says_what_a_plan_does_and_why_it_may_change() -> None:
    game = planned(overs=20)
    assert "plan the rest of the over" in REPLY.prompt(game, game.to_act()[0])
    while True:
        seat = game.to_act()[0]
        plan = game.state.plans[SEATS.index(seat)]
        if plan is not None and plan.get("why") == "boundary":
            break
        game.apply(seat, game.standing(seat) or game.default_action(seat))
    assert "After the boundary you may change it" in REPLY.prompt(game, seat)
