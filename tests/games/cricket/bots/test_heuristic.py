"""The heuristic captain answers what it meets: the field, repeated balls, predictable batters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from random import Random
from statistics import fmean

import pytest

from grandstand.games.base import Action
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.bots.ball_game import BALLS, STROKES
from grandstand.games.cricket.bots.heuristic import (
    ball_shares,
    best_field,
    best_stroke,
    careful,
    habit_of_balls,
    heuristic,
    impact_player,
    plan_of,
    situation,
    stroke_shares,
)
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.events import BallBowled, ChanceChanged, FieldSet, PlayerReplaced
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PRESETS, field_of
from grandstand.games.cricket.match.captaincy import ImpactWorth
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.engine import WICKET
from grandstand.games.cricket.model.reading import MEMORY
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import Captain, play_match
from grandstand.games.cricket.vocab import SEATS
from tests.support.cricket.known import known


def middle(seed: int = 3) -> CricketGame:
    """The twelfth over of a first innings, a bowler with the ball."""
    game, rng = CricketGame(CricketOptions(win_probability=False), seed), Random(seed)
    while not (game.state.innings and game.state.now.legal >= 70 and game.state.now.bowler is not None):
        seat = game.to_act()[0]
        game.apply(seat, neutral(game, seat, rng))
    return game


@pytest.mark.long
def test_it_bats_to_the_field() -> None:
    """It goes over the ring if nobody guards the boundary, and not in a field that guards it."""
    game = middle()
    calls: dict[str, Counter[str | None]] = {}
    for name in ("pp_attack", "standard"):
        game.state.field_choice = name
        calls[name] = Counter(best_stroke(game.state, Random(i))[1] for i in range(60))
    assert calls["pp_attack"].keys() & {"loft", "pull", "ramp", "sweep", "drive"}
    assert calls["pp_attack"] != calls["standard"]


def after(game: CricketGame, *aims: tuple[int, int, str]) -> ContestState:
    """Return the state of the game with these calls remembered."""
    game.state.aims = (aims[-MEMORY:], aims[-MEMORY:])
    return game.state


def test_it_expects_what_was_repeated_and_what_a_sequence_foretells() -> None:
    yorker, short = (1, -1, "natural"), (5, -1, "natural")
    pace = 0
    weight, expected = habit_of_balls((yorker,) * 12, pace)
    assert weight == 1
    assert BALLS[pace][int(expected.argmax())] == yorker
    weight, expected = habit_of_balls((yorker, short) * 6, pace)
    assert weight > 0.5
    assert BALLS[pace][int(expected.argmax())] == yorker
    assert habit_of_balls(tuple(BALLS[pace][:12]), pace)[0] == 0


def test_neither_of_its_mixes_can_be_played_upon() -> None:
    """A captain who knows the mixes gains next to nothing by a call of its own, with nothing repeated."""
    rng = Random(1)
    for seed in range(3, 9):
        game = middle(seed)
        state = after(game, *rng.sample(BALLS[game.state.attack], MEMORY))
        state.strokes = ()
        plan, balls, strokes = plan_of(state), ball_shares(state), stroke_shares(state)
        value = balls @ plan.worths @ strokes
        assert (balls @ plan.worths).max() - value < 0.005
        assert value - (plan.worths @ strokes).min() < 0.005


def test_it_turns_against_batters_who_repeat_a_call() -> None:
    state = middle().state
    usual = ball_shares(state)
    state.strokes = (("attack", "loft_straight"),) * MEMORY
    turned, stroke = ball_shares(state), STROKES.index(("attack", "loft"))
    worths = plan_of(state).worths[:, stroke]
    assert turned @ worths < usual @ worths - 0.05


def test_its_choices_are_drawn_and_repeatable() -> None:
    state = middle(5).state
    state.aims = ((BALLS[0][1],) * MEMORY, (BALLS[1][1],) * MEMORY)
    strokes = {best_stroke(state, Random(i)) for i in range(40)}
    assert len(strokes) > 1
    assert best_stroke(state, Random(7)) == best_stroke(state, Random(7))


@pytest.mark.long
def test_it_moves_its_field_at_the_start_of_overs_and_for_new_batters_only() -> None:
    """Some ten announcements an innings, all of them presets, and never two without a ball between."""
    announced = innings = 0
    for seed in range(4):
        game, events = play_match(CricketOptions(win_probability=False), seed, BOTS["heuristic"], BOTS["heuristic"])
        told = [event for event in events if isinstance(event, FieldSet | BallBowled)]
        fields = [event for event in told if isinstance(event, FieldSet)]
        assert {field.preset for field in fields} <= set(PRESETS)
        assert not any(isinstance(a, FieldSet) and isinstance(b, FieldSet) for a, b in pairwise(told))
        announced += len(fields)
        innings += len(game.state.innings)
    assert announced / innings <= 12


def test_it_saves_one_run_where_one_decides() -> None:
    """With one to win, nearly everybody comes up to the ring."""
    game = middle(5)
    game.state.now.legal, game.state.now.target = 118, game.state.now.runs + 1
    assert game.state.now.need == 1
    name = best_field(game.state)
    assert name is not None
    assert field_of(PRESETS[name]).outside <= 2
    seat, tools = SEATS[game.state.now.bowling_side], []
    while game.state.choices[game.state.now.bowling_side] is None:
        action = BOTS["heuristic"](game, seat, Random(0))
        tools.append(action["tool"])
        game.apply(seat, action)
    assert tools == ["set_field", "bowl_delivery"]


@pytest.mark.long
def test_it_uses_variations_lines_and_shots() -> None:
    _, events = play_match(CricketOptions(win_probability=False), 5, BOTS["heuristic"], BOTS["heuristic"])
    balls = [event for event in events if isinstance(event, BallBowled)]
    assert len({known(ball.aim)[2] for ball in balls}) >= 5
    assert len({known(ball.aim)[1] for ball in balls}) >= 4
    assert len({ball.shot for ball in balls}) >= 4
    assert len({ball.intent for ball in balls}) >= 3


def with_constant_calls(tool: str, call: Mapping[str, str]) -> Captain:
    """Return a captain that makes one call at every ball, and decides all else as `heuristic` does."""

    def captain(game: CricketGame, seat: str, rng: Random) -> Action:
        action = BOTS["heuristic"](game, seat, rng)
        return {"tool": tool, "arguments": dict(call)} if action["tool"] == tool else action

    return captain


def net_decisions(options: CricketOptions, seed: int, captains: Mapping[str, Captain], seat: str) -> float:
    """Return what the calls of `seat` were worth in a match, less those of its opponent."""
    _, events = play_match(options, seed, captains["home"], captains["away"])
    calls = [call for event in events if isinstance(event, ChanceChanged) for call in event.decisions]
    return sum(call["delta"] if call["seat"] == seat else -call["delta"] for call in calls)


@pytest.mark.long
@pytest.mark.parametrize(
    ("tool", "call"),
    [
        ("bowl_delivery", {"length": "good"}),
        ("bowl_delivery", {"line": "wide_outside_off"}),
        ("play_delivery", {"intent": "attack"}),
    ],
)
def test_a_constant_call_loses_to_it(tool: str, call: dict[str, str]) -> None:
    """By what the calls were worth, which has a tenth of the noise of results; see docs/cricket-tactics.md."""
    constant, heuristic = with_constant_calls(tool, call), BOTS["heuristic"]
    worth = [
        net_decisions(CricketOptions(), seed, {"home": heuristic, "away": heuristic, seat: constant}, seat)
        for seed in range(40_000, 40_002)
        for seat in SEATS
    ]
    assert fmean(worth) < -0.05, worth


def test_a_wicket_is_dearer_with_the_tail_in_a_first_innings_and_not_in_a_chase() -> None:
    state = middle().state
    for wickets, target, dearer in ((5, None, False), (7, None, True), (7, state.now.runs + 60, False)):
        state.now.wickets, state.now.target = wickets, target
        before, seen = situation(state).worths, careful(state, situation(state)).worths
        assert (seen[WICKET] < before[WICKET]) == dearer
        assert seen[:WICKET] == before[:WICKET]


@pytest.mark.long
@pytest.mark.parametrize(("decisions", "matches"), [("ball", 4), ("over", 2)])
def test_it_brings_in_the_impact_player_where_the_estimates_say_so(decisions: str, matches: int) -> None:
    options = CricketOptions(overs=20, conditions="ipl-2023", decisions=decisions)
    used = Counter[tuple[int, bool]]()
    for seed in range(matches):
        game, emitted = play_match(options, seed, heuristic, heuristic)
        for event, change in pairwise(emitted):
            if isinstance(event, PlayerReplaced):
                assert isinstance(change, ChanceChanged)
                (decision,) = change.decisions
                assert decision["delta"] > 0
                used[event.innings, SEATS[game.state.innings[event.innings - 1].batting_side] == event.seat] += 1
    assert 1.5 * matches <= used.total() <= 2 * matches
    assert used[1, True] > 0 < used[2, True]


@pytest.mark.parametrize(
    ("innings", "now", "later", "used"),
    [
        (1, 0.03, 0.01, True),
        (1, 0.02, 0.015, False),
        (1, 0.002, -0.05, False),
        (2, 0.02, 0.5, True),
        (2, 0.002, 0.0, False),
    ],
    ids=["better now", "better to wait", "worth little", "chase", "chase, worth little"],
)
def test_it_keeps_the_impact_player_for_better_and_leaves_one_who_adds_little(
    innings: int, now: float, later: float, used: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, rng = CricketGame(CricketOptions(overs=2, conditions="ipl-2023"), 1), Random(1)
    while not game.state.innings or game.state.now.number < innings:
        seat = game.to_act()[0]
        game.apply(seat, neutral(game, seat, rng))
    monkeypatch.setattr(ImpactWorth, "best", lambda self, come, leave, waits=False: (later if waits else now, 11, 10))
    assert impact_player(game.state, game.state.now.batting_side) == ((11, 10) if used else None)
