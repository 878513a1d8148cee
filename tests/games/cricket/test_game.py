"""The match as the seam sees it: turns, tools, errors, secrets, copies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.games.base import GameEvent, IllegalAction
from grandstand.games.cricket import GAME, events
from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.agent.menu import FREE_CALLS
from grandstand.games.cricket.agent.reply import REPLY
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PRESETS
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match
from tests.support.cricket.known import known

BOWL = {"tool": "bowl_delivery", "arguments": {}}
PLAY = {"tool": "play_delivery", "arguments": {}}


def begin(seed: int = 1, **options: Any) -> CricketGame:
    """A match with the toss made and nobody in yet."""
    game = CricketGame(CricketOptions(**options), seed)
    game.apply(game.to_act()[0], {"tool": "set_toss", "arguments": {"decision": "bat"}})
    return game


def batting(game: CricketGame) -> str:
    return ("home", "away")[game.state.now.batting_side]


def bowling(game: CricketGame) -> str:
    return ("home", "away")[game.state.now.bowling_side]


def step(game: CricketGame) -> list[GameEvent]:
    """One default action by the first seat to act."""
    seat = game.to_act()[0]
    return game.apply(seat, game.default_action(seat))


def until_ball(game: CricketGame) -> list[GameEvent]:
    """Default actions until a delivery has counted."""
    out: list[GameEvent] = []
    while not any(isinstance(event, events.BallBowled) for event in out):
        out += step(game)
    return out


def finish(game: CricketGame) -> list[GameEvent]:
    out: list[GameEvent] = []
    while game.outcome is None:
        out += step(game)
    return out


def matches(overs: int, seeds: range) -> Iterator[tuple[CricketGame, list[GameEvent]]]:
    for seed in seeds:
        yield play_match(CricketOptions(overs=overs), seed, BOTS["random"], BOTS["random"])


# --- lengths and ends -------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("overs", [1, 2, 5, 8, 20, 50])
def test_a_match_of_any_length_ends(overs: int) -> None:
    game, emitted = play_match(CricketOptions(overs=overs), 3, BOTS["neutral"], BOTS["neutral"])
    assert game.outcome is not None
    assert game.to_act() == ()
    assert isinstance(emitted[-1], events.MatchDecided)
    assert game.state.innings[0].legal <= 6 * overs


@pytest.mark.few(2)
@pytest.mark.parametrize("captain", sorted(BOTS))
def test_every_captain_plays_to_the_end(captain: str) -> None:
    game, _ = play_match(CricketOptions(overs=5), 11, BOTS[captain], BOTS["neutral"])
    assert game.outcome is not None


def test_default_actions_alone_finish_a_match() -> None:
    game = CricketGame(CricketOptions(overs=5), 2)
    assert isinstance(finish(game)[-1], events.MatchDecided)


# --- whose turn -------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_both_captains_choose_a_ball_at_the_same_time() -> None:
    game = begin()
    game.apply(batting(game), {"tool": "choose_batter", "arguments": {"batter": _name(game, 0)}})
    game.apply(batting(game), {"tool": "choose_batter", "arguments": {"batter": _name(game, 1)}})
    assert game.to_act() == (bowling(game),)
    game.apply(bowling(game), {"tool": "choose_bowler", "arguments": {"bowler": _bowler(game, 10)}})
    assert game.to_act() == (bowling(game), batting(game))
    game.apply(batting(game), PLAY)
    assert game.to_act() == (bowling(game),)


def test_a_choice_is_hidden_until_both_are_made() -> None:
    game = begin()
    step(game)  # the batting side: openers come in, the first ball is chosen
    while game.to_act() != (bowling(game),):
        step(game)
    hidden = json.dumps(game.observation(bowling(game))) + game.text(bowling(game))
    game.state.choices[game.state.now.batting_side] = {"intent": "slog", "shot": "ramp"}
    again = json.dumps(game.observation(bowling(game))) + game.text(bowling(game))
    assert hidden == again
    assert game.observation(batting(game))["choice"] == {"intent": "slog", "shot": "ramp"}


def _name(game: CricketGame, player: int) -> str:
    return game.state.teams[game.state.now.batting_side].players[player].name


def _bowler(game: CricketGame, player: int) -> str:
    return game.state.teams[game.state.now.bowling_side].players[player].name


# --- tools ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"tool": "bowl"}, "tool"),
        ({}, "tool"),
        ({"tool": "bowl_delivery", "arguments": []}, "arguments"),
        ({"tool": "bowl_delivery", "arguments": {"pace": 1}}, "arguments.pace"),
        ({"tool": "bowl_delivery", "arguments": {"length": "halfway"}}, "arguments.length"),
        ({"tool": "bowl_delivery", "arguments": {"length": 7}}, "arguments.length"),
        ({"tool": "bowl_delivery", "arguments": {"variation": "doosra"}}, "arguments.variation"),
        ({"tool": "choose_bowler", "arguments": {"bowler": "Nobody"}}, "arguments.bowler"),
        ({"tool": "choose_bowler", "arguments": {}}, "arguments.bowler"),
        ({"tool": "set_field", "arguments": {"preset": "umbrella"}}, "arguments.preset"),
        ({"tool": "set_field", "arguments": {"positions": ["cover"]}}, "arguments.positions"),
        ({"tool": "set_field", "arguments": {}}, "arguments"),
        ({"tool": "choose_next_over_plan", "arguments": {"intent": "slog"}}, "arguments.intent"),
        ({"tool": "choose_next_over_plan", "arguments": {"note": 5}}, "arguments.note"),
        ({"tool": "play_delivery"}, "tool"),
        ({"tool": "set_toss"}, "tool"),
    ],
)
def test_a_bad_call_names_its_fault_and_changes_nothing(action: dict[str, Any], field: str) -> None:
    game = begin()
    while game.to_act() != (bowling(game),):
        step(game)
    before = game.digest()
    with pytest.raises(IllegalAction) as caught:
        game.apply(bowling(game), action)
    assert caught.value.field == field
    assert len(caught.value.reason) > 10
    assert game.digest() == before


def test_a_seat_out_of_turn_is_refused() -> None:
    game = begin()
    with pytest.raises(IllegalAction, match="does not wait"):
        game.apply(bowling(game), BOWL)


def test_free_calls_are_counted_and_the_delivery_is_never_refused() -> None:
    game = begin()
    seat = batting(game)
    for _ in range(FREE_CALLS):
        game.apply(seat, {"tool": "analyze_situation"})
    with pytest.raises(IllegalAction, match="call play_delivery now"):
        game.apply(seat, {"tool": "analyze_situation"})
    game.apply(seat, PLAY)
    until_ball(game)
    assert menu.free_calls_left(game.state, 0) == menu.free_calls_left(game.state, 1) == FREE_CALLS


def test_analysis_is_private_and_says_nothing_hidden() -> None:
    game = begin()
    seat = batting(game)
    (emitted,) = game.apply(seat, {"tool": "analyze_situation"})
    assert emitted.seats() == frozenset((seat,))
    twin = CricketGame.load({**game.to_json(), "luck": 99})
    assert twin.apply(seat, {"tool": "analyze_situation"}) == [emitted]


def test_the_field_stays_until_changed_and_is_announced_once() -> None:
    game = begin()
    while game.state.now.bowler is None:
        step(game)
    (emitted,) = game.apply(bowling(game), {"tool": "set_field", "arguments": {"preset": "pp_defend"}})
    assert isinstance(emitted, events.FieldSet)
    assert emitted.outside == 2
    assert len(emitted.places) == 9
    assert not any(isinstance(event, events.FieldSet) for event in until_ball(game))
    assert game.state.field.places == PRESETS["pp_defend"]


def test_a_new_bowler_takes_one_fielder_out_of_the_standing_field() -> None:
    """The same places are not announced again: the event of the bowler names those who stand in them now."""
    game, overs = begin(), 0
    standing: dict[str, str] = {}
    while overs < 4:
        for event in step(game):
            if isinstance(event, events.FieldSet):
                assert event.places != standing
                standing = event.places
            elif isinstance(event, events.BowlerChosen):
                assert list(event.places) == list(standing)
                assert event.bowler not in event.places.values()
                assert len(set(event.places.values())) == len(standing)
                standing, overs = event.places, overs + 1
    assert standing


def test_a_plan_is_private_and_sets_what_its_over_leaves_out() -> None:
    game = begin()
    while game.state.now.bowler is None:
        step(game)
    plan: dict[str, Any] = {
        "length": "yorker",
        "line": "stumps",
        "field": "pp_defend",
        "bowler": _bowler(game, 8 if game.state.now.bowler != 8 else 9),
        "note": "surprise",
    }
    (emitted,) = game.apply(bowling(game), {"tool": "choose_next_over_plan", "arguments": plan})
    assert isinstance(emitted, events.OverPlanned)
    assert emitted.seats() == frozenset((bowling(game),))
    now = emitted.over
    balls = []
    while game.state.now.over <= now and game.state.now.closed is None:
        balls += [event for event in step(game) if isinstance(event, events.BallBowled)]
    for ball in balls:
        planned = int(ball.ball.split(".")[0]) == now
        assert (known(ball.aim)[:2] == ["yorker", "stumps"]) == planned
        assert not planned or ball.bowler == plan["bowler"]
    assert game.state.plans[game.state.now.bowling_side] is None


def test_a_batter_may_be_sent_in_out_of_order() -> None:
    game = begin()
    seat = batting(game)
    emitted, worth = game.apply(seat, {"tool": "choose_batter", "arguments": {"batter": _name(game, 6)}})
    assert isinstance(emitted, events.BatterArrived)
    assert isinstance(worth, events.ChanceChanged)
    assert (emitted.batter, emitted.position, emitted.striker) == (_name(game, 6), 1, True)
    with pytest.raises(IllegalAction, match="cannot come in"):
        game.apply(seat, {"tool": "choose_batter", "arguments": {"batter": _name(game, 6)}})


def test_a_batter_may_be_retired_between_balls() -> None:
    game = begin()
    until_ball(game)
    while batting(game) not in game.to_act() or game.state.now.striker is None:
        step(game)
    leaving = _name(game, game.state.now.striker)
    before = game.state.now.wickets
    action = {"tool": "choose_batter", "arguments": {"retire": "striker", "batter": _name(game, 8)}}
    emitted = game.apply(batting(game), action)
    assert isinstance(emitted[0], events.BatterRetired)
    assert (emitted[0].batter, emitted[0].kind) == (leaving, "retired out")
    assert (game.state.now.wickets, game.state.now.striker) == (before + 1, 8)


def test_legal_lists_exactly_the_tools_that_may_be_called() -> None:
    game = begin()
    while game.state.now.bowler is None:
        step(game)
    listed = REPLY.legal(game, bowling(game))
    assert listed["must"] == "bowl_delivery"
    assert {tool["name"] for tool in listed["tools"]} == set(menu.allowed(game.state, game.state.now.bowling_side))
    assert json.loads(json.dumps(listed)) == listed


# --- no-balls that captains cause -------------------------------------------------------------------------------------


def _with_the_ball(seed: int = 1) -> CricketGame:
    game = begin(seed)
    while game.state.now.bowler is None:
        step(game)
    return game


def test_a_field_that_breaks_the_restriction_is_a_noball_and_is_put_right() -> None:
    game = _with_the_ball()
    (emitted,) = game.apply(bowling(game), {"tool": "set_field", "arguments": {"preset": "middle_pace"}})
    assert isinstance(emitted, events.FieldSet)
    assert emitted.breach is not None
    ball = next(event for event in until_ball(game) if isinstance(event, events.BallBowled))
    assert ball.noball_for == emitted.breach
    assert ball.next_free_hit
    assert game.state.breach() is None
    with pytest.raises(IllegalAction, match="called no-ball once this over"):
        game.apply(bowling(game), {"tool": "set_field", "arguments": {"preset": "middle_pace"}})


@pytest.mark.long
def test_the_field_is_locked_for_a_free_hit_unless_the_striker_changed() -> None:
    kinds = set()
    for seed in range(60):
        game = _with_the_ball(seed)
        state = game.state
        while game.outcome is None and not (
            state.stage == "play" and state.now.free_hit and state.now.bowler is not None
        ):
            step(game)
        if game.outcome is not None or bowling(game) not in game.to_act():
            continue
        changed = game.state.lock_striker != game.state.now.striker
        kinds.add(changed)
        action = {"tool": "set_field", "arguments": {"preset": "pp_attack"}}
        if changed:
            game.apply(bowling(game), action)
        else:
            with pytest.raises(IllegalAction, match="free hit"):
                game.apply(bowling(game), action)
    assert kinds == {True, False}


def test_one_bouncer_too_many_is_a_noball_once_an_over() -> None:
    game = _with_the_ball(4)
    called = 0
    for _ in range(400):
        if game.outcome is not None:
            break
        seat = game.to_act()[0]
        if seat != bowling(game) or game.state.stage != "play" or game.state.now.bowler is None:
            step(game)
            continue
        bouncer = {"tool": "bowl_delivery", "arguments": {"length": "bouncer"}}
        spinner = game.state.attack == 1
        if spinner or "bouncer" in game.state.now.fouls:
            with pytest.raises(IllegalAction, match="bouncer"):
                game.apply(seat, bouncer)
            game.apply(seat, BOWL)
        else:
            game.apply(seat, bouncer)
        assert len(game.state.now.fouls) <= 1
        called += "bouncer" in game.state.now.fouls
    assert called > 0


# --- reviews ----------------------------------------------------------------------------------------------------------


def _appeals() -> Iterator[tuple[CricketGame, events.AppealMade]]:
    for seed in range(20):
        game = begin(seed, overs=5)
        while game.outcome is None:
            emitted = step(game)
            if emitted and isinstance(emitted[-1], events.AppealMade):
                yield game.clone(), emitted[-1]


@pytest.mark.long
def test_a_review_decides_by_the_truth_and_only_a_failed_one_is_spent() -> None:
    upheld = struck_down = kept = 0
    for game, made in _appeals():
        truth = game.state.delivery().appeal
        assert truth is not None
        ball = game.clone().apply(made.may_review, {"tool": "review", "arguments": {"take": False}})[0]
        assert isinstance(ball, events.BallBowled)
        assert (ball.wicket is not None) == made.given_out, "without a review the umpire's decision stands"
        wickets = game.state.now.wickets
        emitted = game.apply(made.may_review, {"tool": "review", "arguments": {"take": True}})
        taken = emitted[0]
        assert isinstance(taken, events.ReviewTaken)
        assert taken.out == truth.out
        assert taken.upheld == (truth.out != made.given_out)
        ball = emitted[1]
        assert isinstance(ball, events.BallBowled)
        assert (ball.wicket is not None) == truth.out
        assert ball.score[1] == wickets + truth.out
        spent = known(made.reviews_left) - known(taken.reviews_left)
        assert spent == int(not taken.upheld and not taken.umpires_call)
        upheld += taken.upheld
        struck_down += spent
        kept += taken.umpires_call
    assert min(upheld, struck_down, kept) > 0


@pytest.mark.long
def test_a_side_without_reviews_is_not_asked() -> None:
    for seed in range(10):
        game = begin(seed)
        while game.outcome is None:
            game.state.now.bat_reviews = game.state.now.field_reviews = 0
            assert not any(isinstance(event, events.AppealMade) for event in step(game))


# --- super overs and rain ---------------------------------------------------------------------------------------------


def _ties(wanted: int) -> Iterator[tuple[CricketGame, list[GameEvent]]]:
    """One-over matches that went to at least `wanted` Super Overs."""
    for seed in range(4000):
        game = CricketGame(CricketOptions(overs=1), seed)
        emitted = finish(game)
        if len(game.state.innings) >= 2 + 2 * wanted:
            yield game, emitted


def test_after_a_tie_the_side_that_batted_second_bats_first() -> None:
    game, emitted = next(_ties(1))
    assert game.state.innings[2].batting_side == game.state.innings[1].batting_side
    assert any(isinstance(event, events.SuperOverStarted) and event.number == 1 for event in emitted)
    assert game.state.innings[3].target == game.state.innings[2].runs + 1
    assert game.outcome is not None
    assert game.outcome.reason == "super over"


def test_super_overs_repeat_with_their_bars() -> None:
    game, _ = next(_ties(2))
    first, second = game.state.innings[2:4], game.state.innings[4:6]
    assert second[0].batting_side == first[1].batting_side
    for again in second:
        before = next(i for i in first if i.batting_side == again.batting_side)
        dismissed = {player for player, card in before.batters.items() if card.out}
        assert not dismissed & set(again.batters)
        bowled = next(iter(before.bowlers))
        assert bowled not in again.bowlers


@pytest.mark.long
def test_an_unfinished_match_is_even_until_the_chase_has_five_overs_and_then_the_lead_of_one_side() -> None:
    """The standing of matches that training stops at a horizon, as docs/training.md has it."""
    game, standings = CricketGame(CricketOptions(overs=20), 5), set()
    while game.outcome is None:
        step(game)
        chase = game.state.now if len(game.state.innings) == 2 else None
        standings.add((chase is not None and chase.legal >= 30, tuple(sorted(game.scores().values()))))
    assert {scores for late, scores in standings if not late} == {(0.5, 0.5)}
    assert (0.0, 1.0) in {scores for late, scores in standings if late}


@pytest.mark.long
def test_rain_in_the_first_innings_shortens_both() -> None:
    game = CricketGame(CricketOptions(overs=20, rain="1@10->14"), 5)
    emitted = finish(game)
    cut = next(event for event in emitted if isinstance(event, events.PlayInterrupted))
    assert (cut.overs_lost, cut.overs, cut.target, cut.method) == (6, 14, None, "D/L Standard")
    assert [innings.rules.overs for innings in game.state.innings[:2]] == [14, 14]
    assert game.state.innings[0].legal <= 84
    decided = emitted[-1]
    assert isinstance(decided, events.MatchDecided)
    assert decided.method == "D/L Standard"


@pytest.mark.long
def test_rain_in_the_chase_revises_the_target() -> None:
    game = CricketGame(CricketOptions(overs=20, rain="2@8->14"), 5)
    emitted = finish(game)
    cut = next(event for event in emitted if isinstance(event, events.PlayInterrupted))
    assert cut.target is not None
    assert cut.target < game.state.innings[0].runs + 1
    assert game.state.innings[1].target == cut.target


def test_a_chase_abandoned_before_five_overs_is_no_result() -> None:
    game = CricketGame(CricketOptions(overs=20, rain="2@4->4"), 5)
    finish(game)
    assert game.outcome is not None
    assert (game.outcome.reason, game.outcome.winners) == ("no result", [])
    assert game.outcome.scores == {"home": 0.5, "away": 0.5}


@pytest.mark.long
def test_a_chase_abandoned_later_is_decided_on_par() -> None:
    reasons = set()
    for seed in range(12):
        game = CricketGame(CricketOptions(overs=20, rain="2@9->9"), seed)
        finish(game)
        assert game.outcome is not None
        reasons.add(game.outcome.reason)
        assert game.state.innings[1].legal <= 54
    assert "win" in reasons


@pytest.mark.parametrize("rain", ["2@8->30", "3@1->2", "soon", "1@0->5", "2@8->4"])
def test_bad_rain_is_refused_with_its_name(rain: str) -> None:
    with pytest.raises(ValueError, match="rain"):
        CricketOptions(rain=rain)


# --- copies, luck, size -----------------------------------------------------------------------------------------------


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 150), overs=st.sampled_from([1, 3, 5]))
def test_clone_and_json_are_exact_at_any_moment(seed: int, steps: int, overs: int) -> None:
    game = CricketGame(CricketOptions(overs=overs, rain="random"), seed)
    rng = Random(seed)
    for _ in range(steps):
        if game.outcome is not None:
            return
        seat = game.to_act()[0]
        game.apply(seat, BOTS["random"](game, seat, rng))
    before = game.digest()
    twin = game.clone()
    loaded = CricketGame.load(json.loads(json.dumps(game.to_json())))
    assert twin.digest() == loaded.digest() == before
    ends = [finish(each) for each in (twin, loaded)]
    assert game.digest() == before
    assert ends[0] == ends[1]
    assert twin.digest() == loaded.digest()


def test_luck_is_keyed_by_the_ball_and_not_by_the_calls_before_it() -> None:
    plain, chatty = begin(7), begin(7)
    emitted = [until_ball(plain) for _ in range(20)]
    for expected in emitted:
        out: list[GameEvent] = []
        while not any(isinstance(event, events.BallBowled) for event in out):
            seat = chatty.to_act()[0]
            if chatty.state.stage == "play":
                chatty.apply(seat, {"tool": "analyze_situation"})
            out += step(chatty)
        assert out == expected


def test_two_captains_on_one_seed_meet_the_same_luck_ball_by_ball() -> None:
    """After one captain has changed one ball, the other balls' deliveries land where they did."""
    game_a, game_b = begin(9), begin(9)
    first: list[tuple[str, int, str]] = []
    second: list[tuple[str, int, str]] = []
    for game, observed, intent in ((game_a, first, "normal"), (game_b, second, "attack")):
        while game.state.now.number == 1 and game.state.now.legal < 60:
            seat = game.to_act()[0]
            action = game.default_action(seat)
            if action["tool"] == "play_delivery":
                action = {"tool": "play_delivery", "arguments": {"intent": intent}}
            for event in game.apply(seat, action):
                if isinstance(event, events.BallBowled) and not event.extras:
                    observed.append((event.ball, known(event.kmh), event.mark))
    same = {ball: mark for ball, _, mark in first}
    shared = [mark == same[ball] for ball, _, mark in second if ball in same]
    assert sum(shared) / len(shared) > 0.6


@pytest.mark.long
def test_reseeding_changes_what_comes_and_not_the_sides() -> None:
    game = begin(3)
    twin = game.clone()
    twin.reseed(4)
    assert twin.state.teams == game.state.teams
    assert finish(twin) != finish(game)


@pytest.mark.long
@pytest.mark.parametrize(("decisions", "most"), [("ball", 2_000), ("over", 2_100)])
@pytest.mark.parametrize("seed", [21, *(pytest.param(seed, marks=pytest.mark.long) for seed in (22, 23))])
def test_events_fit_the_stream(seed: int, decisions: str, most: int) -> None:
    """Plans for overs, and what they were worth, are some 80 characters a ball."""
    _, emitted = play_match(CricketOptions(decisions=decisions), seed, BOTS["heuristic"], BOTS["cricsheet"])
    sizes = [(type(event), len(json.dumps(asdict(event), separators=(",", ":")))) for event in emitted]
    balls = [size for kind, size in sizes if kind is events.BallBowled]
    assert max(balls) <= 800
    assert sum(size for _, size in sizes) < most * len(balls)
    assert {kind for kind, _ in sizes} <= set(GAME.rules.events)


def test_nothing_public_tells_of_ability_or_luck() -> None:
    game = begin(5)
    until_ball(game)
    words = json.dumps(game.observation("home")) + game.text("home")
    for hidden in ("batting_skill", "accuracy", "liking", "luck", "seed"):
        assert hidden not in words
    player = game.state.teams[0].players[0]
    assert str(player.batting) not in words
    assert str(player.accuracy) not in words


def test_a_finished_match_knows_its_winner() -> None:
    game = begin(6, overs=5)
    finish(game)
    assert game.outcome is not None
    assert sum(game.outcome.scores.values()) == 1
    assert game.scores() == game.outcome.scores
    assert REPLY.legal(game, "home") == {"must": None, "tools": []}
