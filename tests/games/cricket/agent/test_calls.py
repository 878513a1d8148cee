"""The calls for an impact player: once, between overs, at its worth; in both ways of play, restored, and refused
elsewhere."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from grandstand.games.base import Action, GameEvent, IllegalAction, SeatId
from grandstand.games.cricket.bots.heuristic import heuristic
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.events import (
    BowlerChosen,
    ChanceChanged,
    FieldSet,
    InningsStarted,
    PlanJudged,
    PlayerReplaced,
)
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.rules import CONDITIONS
from grandstand.games.cricket.match.captaincy import ImpactWorth
from grandstand.games.cricket.options import DECISIONS, CricketOptions
from grandstand.games.cricket.simulate import play_match
from grandstand.games.cricket.vocab import SEATS
from tests.support.cricket.known import known

TOOLS = {"ball": "use_impact_player", "over": "plan_over"}


def begun(seed: int = 3, number: int = 1, overs: int = 0, **options: Any) -> CricketGame:
    """Return a match before the first ball of an over of an innings, whose bowler is not named yet."""
    chosen = {"overs": 5, "conditions": "ipl-2023", **options}
    game, rng = CricketGame(CricketOptions(**chosen), seed), Random(seed)
    while not (game.state.innings and game.state.now.number == number and game.state.now.over >= overs):
        seat = game.to_act()[0]
        game.apply(seat, game.standing(seat) or neutral(game, seat, rng))
    return game


def roles(game: CricketGame) -> tuple[int, int]:
    """Return (batting side, bowling side)."""
    return game.state.now.batting_side, game.state.now.bowling_side


def call(game: CricketGame, side: int, comes: int, leaves: int, **more: Any) -> Action:
    """Return the call that brings in a player, alone or with the rest of a plan."""
    players = game.state.teams[side].players
    arguments = {"impact": players[comes].name, "replaces": players[leaves].name, **more}
    return {"tool": TOOLS[game.state.options.decisions], "arguments": arguments}


def of_type(kind: type[GameEvent], emitted: list[GameEvent]) -> list[Any]:
    return [event for event in emitted if isinstance(event, kind)]


@pytest.mark.parametrize("decisions", DECISIONS)
def test_it_comes_in_once_and_who_is_replaced_takes_no_further_part(decisions: str) -> None:
    game = begun(overs=1, decisions=decisions)
    _, side = roles(game)
    emitted = game.apply(SEATS[side], call(game, side, 13, 9))
    players = game.state.teams[side].players
    (came,) = of_type(PlayerReplaced, emitted)
    names = (players[13].name, players[9].name)
    assert (came.innings, came.over, came.seat, came.player, came.replaces) == (1, 1, SEATS[side], *names)
    rng = Random(1)
    while game.outcome is None:
        seat = game.to_act()[0]
        assert not game.state.substitutes(side)
        emitted += game.apply(seat, game.standing(seat) or neutral(game, seat, rng))
    told = emitted[emitted.index(came) :]
    fields = [event.places for event in told if isinstance(event, FieldSet | BowlerChosen) if event.innings == 1]
    assert fields
    assert all(players[9].name not in places.values() for places in fields)
    assert any(players[13].name in places.values() for places in fields)
    chase = game.state.innings[1]
    assert 9 not in chase.batters
    assert 9 not in chase.elevens[side]
    assert 13 in chase.elevens[side], "it stays for the innings to come"
    assert sorted(chase.elevens[1 - side]) == list(range(11))


@pytest.mark.parametrize("decisions", DECISIONS)
def test_it_is_refused_where_it_is_not_legal_and_nothing_changes(decisions: str) -> None:
    game = begun(overs=1, decisions=decisions)
    bats, bowls = roles(game)
    captain, keeper = game.state.teams[bowls].captain, game.state.teams[bowls].keeper
    other = game.state.teams[bats].players[12].name
    wrong: list[tuple[dict[str, Any], str, str]] = [
        (call(game, bowls, 13, captain)["arguments"], "replaces", "cannot be replaced now; there are"),
        (call(game, bowls, 13, keeper)["arguments"], "replaces", "cannot be replaced now; there are"),
        (call(game, bowls, 8, 9)["arguments"], "impact", "cannot come in as the impact player; there are"),
        ({**call(game, bowls, 13, 9)["arguments"], "impact": other}, "impact", "cannot come in"),
        ({"impact": game.state.teams[bowls].players[13].name}, "replaces", "is missing; there are"),
        ({"replaces": game.state.teams[bowls].players[9].name}, "impact", "is missing; there are"),
    ]
    if decisions == "over":
        nine = {"bowler": game.state.teams[bowls].players[9].name}
        wrong.append((call(game, bowls, 13, 9, **nine)["arguments"], "bowler", "is not one of the eleven"))
    before = game.digest()
    for arguments, name, reason in wrong:
        with pytest.raises(IllegalAction, match=reason) as refused:
            game.apply(SEATS[bowls], {"tool": TOOLS[decisions], "arguments": arguments})
        assert refused.value.field == f"arguments.{name}"
        assert game.digest() == before
    game.apply(SEATS[bowls], call(game, bowls, 13, 9))
    rng = Random(1)
    while decisions == "over" and (game.state.now.over_log or game.state.now.over == 1):
        seat = game.to_act()[0]
        game.apply(seat, game.standing(seat) or neutral(game, seat, rng))
    reason = "cannot be called now" if decisions == "ball" else "no impact player comes in a second time"
    with pytest.raises(IllegalAction, match=reason):
        game.apply(SEATS[bowls], call(game, bowls, 12, 8))


def test_batters_who_are_in_stay_and_an_over_in_progress_ends_first() -> None:
    game = begun(overs=1, decisions="over")
    bats, bowls = roles(game)
    for place in game.state.now.at_the_wicket:
        assert place not in game.state.replaceable(bats)
    assert game.state.substitutes(bats) == [11, 12, 13, 14]
    while not game.state.now.over_log:
        seat = game.to_act()[0]
        game.apply(seat, game.standing(seat) or {"tool": "plan_over", "arguments": {}})
    assert not game.state.substitutes(bats)
    assert not game.state.substitutes(bowls)
    seat = SEATS[bats]
    if game.standing(seat) is None:
        with pytest.raises(IllegalAction, match="no impact player comes in after the first ball of an over"):
            game.apply(seat, call(game, bats, 11, 10))


def test_other_conditions_have_no_impact_player() -> None:
    for conditions in CONDITIONS[:2]:
        game = begun(conditions=conditions, decisions="over")
        side = roles(game)[0]
        names = {"impact": game.state.teams[side].players[9].name, "replaces": game.state.teams[side].players[10].name}
        with pytest.raises(IllegalAction, match="no impact player comes in under these conditions"):
            game.apply(SEATS[side], {"tool": "plan_over", "arguments": names})
        assert "impact" not in game.text(SEATS[side])
        assert len(game.state.teams[side].players) == 11
        assert "bench" not in game.observation("home")["teams"]["home"]


def test_the_impact_player_may_bowl_the_over_in_which_he_comes_in() -> None:
    game = begun(overs=1, decisions="over")
    side = roles(game)[1]
    name = game.state.teams[side].players[14].name
    emitted = game.apply(SEATS[side], call(game, side, 14, 9, bowler=name))
    assert [event.bowler for event in of_type(BowlerChosen, emitted)] == [name]
    assert game.state.now.bowler == 14


@pytest.mark.parametrize("decisions", DECISIONS)
def test_the_decision_is_credited_and_is_no_part_of_the_plan_of_the_over(decisions: str) -> None:
    game = begun(number=2, decisions=decisions)
    side = roles(game)[0]
    gain = ImpactWorth(game.state, side).gain(11, 10)
    emitted = game.apply(SEATS[side], call(game, side, 11, 10))
    place = next(number for number, event in enumerate(emitted) if isinstance(event, PlayerReplaced))
    change = emitted[place + 1]
    assert isinstance(change, ChanceChanged)
    (decision,) = change.decisions
    assert decision["choice"] == call(game, side, 11, 10)["arguments"]
    assert decision["seat"] == SEATS[side]
    assert decision["delta"] == pytest.approx(gain, abs=1e-5)
    signed = decision["delta"] if side == 0 else -decision["delta"]
    assert change.swing == change.luck == 0
    assert known(change.matchup) == pytest.approx(-signed, abs=1e-5), "the balls to come have it as their matchup"
    rng = Random(2)
    while decisions == "over" and not of_type(PlanJudged, emitted):
        seat = game.to_act()[0]
        emitted += game.apply(seat, game.standing(seat) or neutral(game, seat, rng))
    for plan in of_type(PlanJudged, emitted):
        assert abs(known(plan.delta)) < 0.01


def strong(game: CricketGame, side: int, player: int, **season: Any) -> None:
    """Give a player another season, by which everybody judges him."""
    team = game.state.teams[side]
    players = list(team.players)
    players[player] = replace(players[player], season={**players[player].season, **season})
    teams = [*game.state.teams]
    teams[side] = replace(team, players=tuple(players))
    game.state.teams = (teams[0], teams[1])


def test_a_better_player_is_worth_more_and_only_in_what_is_to_come() -> None:
    game = begun(number=2, overs=0, seed=5)
    bats, bowls = roles(game)

    def gains(side: int, player: int) -> float:
        return ImpactWorth(game.state, side).gain(player, 9 if player == 11 else 1)

    strong(game, bats, 11, avg=20.0, sr=120)
    weak_batter = gains(bats, 11)
    strong(game, bats, 11, avg=45.0, sr=180)
    assert gains(bats, 11) > weak_batter + 0.01
    strong(game, bowls, 13, econ=[12.0, 12.0, 14.0], wkts=5)
    weak_bowler = gains(bowls, 13)
    strong(game, bowls, 13, econ=[6.0, 6.0, 7.0], wkts=35)
    assert gains(bowls, 13) > weak_bowler + 0.01
    before = gains(bowls, 13)
    strong(game, bowls, 13, avg=60.0, sr=220)
    assert gains(bowls, 13) == pytest.approx(before), "that side does not bat again"


def test_before_the_change_of_innings_it_counts_for_both() -> None:
    game = begun(seed=5)
    bats, _ = roles(game)
    strong(game, bats, 13, econ=[6.0, 6.0, 7.0], wkts=35)
    worth = ImpactWorth(game.state, bats)
    assert worth.gain(13, 1, waits=True) > worth.gain(13, 1), "now the batter would be missed"
    assert worth.best([11, 13], [1, 9], waits=True)[1] == 13


def test_a_match_goes_on_from_its_record() -> None:
    played: list[tuple[SeatId, Action]] = []

    def recording(game: Any, seat: SeatId, rng: Random) -> Action:
        action = heuristic(game, seat, rng)
        played.append((seat, action))
        return action

    options = CricketOptions(overs=5, conditions="ipl-2023")
    game, emitted = play_match(options, 7, recording, recording)
    assert of_type(PlayerReplaced, emitted)
    again = CricketGame(options, 7)
    events = list(again.opening())
    for number, (seat, action) in enumerate(played):
        if number % 9 == 0:
            again = CricketGame.load(json.loads(json.dumps(again.to_json())))
        events += again.apply(seat, action)
    assert events == emitted
    assert again.digest() == game.digest()
    said = game.observation("home").get("replaced", {})
    assert {(seat, each["player"]) for seat, each in said.items()} == {
        (event.seat, event.player) for event in of_type(PlayerReplaced, emitted)
    }
    assert all(each["innings"] <= len(of_type(InningsStarted, emitted)) for each in said.values())
