"""The choices of policies: always legal, fewer than all, and the inverse of what bots do."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.games import choices
from grandstand.games.base import Action, GameEvent, SeatId
from grandstand.games.choices import Chosen, Pick, Value
from grandstand.games.cricket import GAME
from grandstand.games.cricket.agent.menu import FREE_CALLS
from grandstand.games.cricket.agent.shorthand import earlier_shorthand, earlier_vocabulary
from grandstand.games.cricket.agent.training import training
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.events import FieldSet
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.packs import PACKS
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.game import Game
from grandstand.games.match import Match

TRAINING = training()
OPTIONS: tuple[dict[str, Any], ...] = (
    {"overs": 1},
    {"overs": 2, "conditions": "ipl-2023"},
    {"overs": 5, "rain": "random"},
    {"overs": 7, "rain": "1@3->5", "era": "classic"},
    {"overs": 22, "rain": "2@2->20"},
    {"overs": 4, "decisions": "over"},
    *({"pack": pack} for pack in PACKS),
)


def drawn(game: CricketGame, seat: SeatId, rng: Random) -> dict[str, Value]:
    """An answer that takes any option with equal chance."""
    return choices.drawn(TRAINING.grammar(game, seat), rng)


def picks(game: CricketGame, seat: SeatId, chosen: Chosen) -> list[Pick]:
    """The slots that come next, whose words are told apart in the shorthand."""
    slots = TRAINING.grammar(game, seat)(chosen)
    for slot in slots:
        assert isinstance(slot, Pick)
        words = [TRAINING.spell(game, seat, slot.name, option.word) for option in slot.options]
        assert len(set(words)) == len(words) > 0
        assert set(words) <= set(TRAINING.vocabulary)
    return [slot for slot in slots if isinstance(slot, Pick)]


def moments(game: CricketGame, seat: SeatId) -> set[str]:
    """Return the features of a moment, so that a test can check which ones it has met."""
    if game.state.stage != "play":
        return {game.state.stage}
    innings, side = game.state.now, SEATS.index(seat)
    role = "bats" if side == innings.batting_side else "bowls"
    observed = {
        "vacant": innings.striker is None or innings.non_striker is None,
        "new over": innings.bowler is None,
        "free hit": innings.free_hit,
        "locked": game.state.field_locked,
        "no bouncer": innings.bouncers >= innings.rules.bouncers_per_over,
        "fouled": bool(innings.fouls),
        "planned": game.state.plans[side] is not None,
        "super over": innings.rules.super_over,
        "rained": game.state.method is not None,
    }
    return {f"{role} {name}" for name, is_so in observed.items() if is_so}


def played(options: dict[str, Any], seed: int, bots: bool) -> set[str]:
    """A match of answers drawn at random, each checked; with `bots`, the random captain makes every other choice."""
    match, rng, met = Match(GAME, options | {"win_probability": False}, seed), Random(seed), set[str]()
    while not match.over:
        game, seat = match.game, rng.choice(match.waiting)
        assert isinstance(game, CricketGame)
        if bots and rng.random() < 0.5:
            match.apply(seat, BOTS["random"](game, seat, rng))
            continue
        chosen = drawn(game, seat, rng)
        met |= moments(game, seat) | {str(chosen["tool"])}
        action = game.action(seat, chosen)
        assert TRAINING.chosen(game, seat, action) == chosen
        match.apply(seat, action)
    return met


@pytest.mark.long
@settings(deadline=None, max_examples=60)
@given(options=st.sampled_from(OPTIONS), seed=st.integers(0, 2**31), bots=st.booleans())
def test_any_answer_is_legal_and_its_own_inverse(options: dict[str, Any], seed: int, bots: bool) -> None:
    played(options, seed, bots)


@pytest.mark.long
def test_every_kind_of_moment_is_met() -> None:
    met: set[str] = set()
    for seed in range(140):
        met |= played(OPTIONS[seed % 6], seed, bots=seed % 2 == 0)
    tools = {"set_toss", "review", "choose_bowler", "set_field", "bowl_delivery", "play_delivery", "choose_batter"}
    both = ("free hit", "planned", "super over", "rained", "fouled", "no bouncer")
    only = {"bats vacant", "bowls new over", "bowls locked", "toss"}
    assert met >= tools | only | {f"{role} {name}" for role in ("bats", "bowls") for name in both}


@pytest.mark.parametrize(
    "options",
    [{"overs": 2}, pytest.param({"pack": "death-overs"}, marks=pytest.mark.long)],
    ids=["whole match", "death overs"],
)
def test_every_option_is_accepted(options: dict[str, Any]) -> None:
    """At each moment of a match, every option of every slot, beside others drawn at random."""
    match, rng = Match(GAME, options | {"win_probability": False}, 11), Random(11)
    while not match.over:
        game, seat = match.game, match.waiting[0]
        assert isinstance(game, CricketGame)
        (tools,) = picks(game, seat, {})
        for tool in tools.options:
            slots = picks(game, seat, {"tool": tool.word})
            for number in range(max(len(slot.options) for slot in slots)):
                words = {slot.name: slot.options[number % len(slot.options)].word for slot in slots}
                chosen = {"tool": tool.word, **words}
                assert not picks(game, seat, chosen)
                match.fork().apply(seat, game.action(seat, chosen))
        match.apply(seat, game.action(seat, drawn(game, seat, rng)))


def emitted(name: str, seed: int, decisions: str, imitated: bool) -> tuple[list[GameEvent], Counter[str]]:
    """A match of one bot with itself, as it calls or as the answers that do the same; how often there is none."""
    options = [each for each in OPTIONS if "decisions" not in each][seed % 6]
    match = Match(GAME, options | {"decisions": decisions, "win_probability": False}, seed)
    events, count = list(match.game.opening()), Counter[str]()
    while not match.over:
        game, seat = match.game, match.waiting[0]
        assert isinstance(game, CricketGame)
        action = match.standing(seat)
        if action is None:
            action = BOTS[name](game, seat, match.rng(seat))
            chosen = TRAINING.chosen(game, seat, action) if imitated else None
            count["all" if chosen is not None else action["tool"]] += 1
            action = action if chosen is None else game.action(seat, chosen)
        events += match.apply(seat, action)
    return [_nameless(event) for event in events], count


def _nameless(event: GameEvent) -> GameEvent:
    """The random captain names nine places where the answer names the preset that they are."""
    return replace(event, preset=None) if isinstance(event, FieldSet) else event


@pytest.mark.long
@pytest.mark.parametrize("decisions", ["ball", "over"])
@pytest.mark.parametrize("name", BOTS)
def test_imitating_a_bot_gives_the_same_match(name: str, decisions: str) -> None:
    missing: Counter[str] = Counter()
    for seed in range(10):
        imitated, count = emitted(name, seed, decisions, imitated=True)
        assert imitated == emitted(name, seed, decisions, imitated=False)[0]
        missing += count
    impact = "use_impact_player" if decisions == "ball" else "plan_over"  # policies leave it on the bench
    if name != "random":
        assert set(missing) == {"all"} | ({impact} if name == "heuristic" else set())
        assert missing[impact] < 0.02 * missing["all"]
        return
    assert missing["all"] / missing.total() > 0.85
    by_ball = {"choose_next_over_plan"} if decisions == "ball" else {"play_delivery", "choose_bowler"}
    free = {"analyze_situation", "choose_batter", "set_field", "use_impact_player"}
    assert set(missing) <= {"all", "bowl_delivery"} | free | by_ball


def test_a_batter_who_was_named_before_a_wicket_comes_in_by_a_plan_that_names_nobody() -> None:
    match = Match(GAME, {"overs": 1, "decisions": "over", "win_probability": False}, 3)
    match.apply(match.waiting[0], {"tool": "set_toss", "arguments": {"decision": "bat"}})
    batting = match.waiting[0]
    assert isinstance(match.game, CricketGame)
    match.game.state.next_in[SEATS.index(batting)] = 7
    plan: Action = {"tool": "plan_over", "arguments": {}}
    chosen = TRAINING.chosen(match.game, batting, plan)
    assert chosen is not None
    assert chosen["batter"] == named(match.game, batting, 7)


def test_without_free_calls_only_the_ball_is_left() -> None:
    match = Match(GAME, {"overs": 5, "win_probability": False}, 3)
    match.apply(match.waiting[0], {"tool": "set_toss", "arguments": {"decision": "bat"}})
    match.apply(match.waiting[0], {"tool": "play_delivery", "arguments": {}})
    seat = match.waiting[0]
    for left in range(FREE_CALLS, -1, -1):
        assert isinstance(match.game, CricketGame)
        (tools,) = picks(match.game, seat, {})
        assert [option.word for option in tools.options] == ["bowl_delivery", "choose_bowler"][: 1 + (left > 0)]
        if left:
            match.apply(seat, {"tool": "analyze_situation", "arguments": {}})


@pytest.mark.parametrize(
    "action",
    [
        {"tool": "analyze_situation", "arguments": {}},
        {"tool": "choose_next_over_plan", "arguments": {"length": "good"}},
        {"tool": "set_field", "arguments": {"preset": "middle_spin"}},
        {"tool": "bowl_delivery", "arguments": {"length": "beamer"}},
        {"tool": "bowl_delivery", "arguments": {"variation": "cutter"}},
        {"tool": "choose_bowler", "arguments": {}},
        {"tool": "choose_bowler", "arguments": {"bowler": "Nobody At All"}},
        {"tool": "somersault"},
    ],
)
def test_what_is_not_on_the_menu_has_no_answer(action: Action) -> None:
    match = Match(GAME, {"overs": 5, "win_probability": False}, 3)
    match.apply(match.waiting[0], {"tool": "set_toss", "arguments": {"decision": "bat"}})
    batting = match.waiting[0]
    match.apply(batting, {"tool": "play_delivery", "arguments": {}})
    assert TRAINING.chosen(match.game, match.waiting[0], action) is None


def test_a_ball_left_to_the_plan_has_no_answer() -> None:
    """Natural said aloud is not what the plan says."""
    match = Match(GAME, {"overs": 5, "win_probability": False}, 3)
    match.apply(match.waiting[0], {"tool": "set_toss", "arguments": {"decision": "bat"}})
    batting = match.waiting[0]
    plain, attack = ({"tool": "play_delivery", "arguments": value} for value in ({}, {"intent": "attack"}))
    usual = {"tool": "play_delivery", "intent": "normal", "shot": "natural"}
    assert TRAINING.chosen(match.game, batting, plain) == usual
    match.apply(batting, {"tool": "choose_next_over_plan", "arguments": {"intent": "slog"}})
    assert TRAINING.chosen(match.game, batting, plain) is None
    assert TRAINING.chosen(match.game, batting, attack) == {**usual, "intent": "attack"}


def test_a_batter_who_retires_has_no_answer_and_one_who_comes_in_has() -> None:
    match = Match(GAME, {"overs": 5, "win_probability": False}, 3)
    match.apply(match.waiting[0], {"tool": "set_toss", "arguments": {"decision": "bat"}})
    batting = match.waiting[0]
    match.apply(batting, {"tool": "choose_batter", "arguments": {"batter": named(match.game, batting, 0)}})
    coming: Action = {"tool": "choose_batter", "arguments": {"batter": named(match.game, batting, 4).upper()}}
    assert TRAINING.chosen(match.game, batting, coming) == {
        "tool": "choose_batter", "batter": named(match.game, batting, 4)
    }  # fmt: skip
    leaving: Action = {"tool": "choose_batter", "arguments": {**coming["arguments"], "retire": "striker"}}
    match.fork().apply(batting, leaving)
    assert TRAINING.chosen(match.game, batting, leaving) is None


def named(game: Game, seat: SeatId, place: int) -> str:
    assert isinstance(game, CricketGame)
    return game.state.teams[SEATS.index(seat)].players[place].name


def test_players_are_spelled_by_their_place_in_the_order() -> None:
    game = Match(GAME, {"overs": 5}, 3).game
    for seat in SEATS:
        assert TRAINING.spell(game, seat, "bowler", named(game, seat, 3)) == "bowler_3"
        assert TRAINING.spell(game, seat, "batter", named(game, seat, 10)) == "batter_10"
        assert TRAINING.spell(game, seat, "line", "stumps") == "stumps"


def asked(overs: int, seed: int) -> Counter[str]:
    """Return the tools of a match of random answers in which overs are planned, one for each question."""
    match, rng = Match(GAME, {"overs": overs, "decisions": "over", "win_probability": False}, seed), Random(seed)
    tools: Counter[str] = Counter()
    while not match.over:
        game, seat = match.game, match.waiting[0]
        assert isinstance(game, CricketGame)
        action = match.standing(seat)
        if action is None:
            chosen = drawn(game, seat, rng)
            tools[str(chosen["tool"])] += 1
            action = game.action(seat, chosen)
        match.apply(seat, action)
    return tools


def test_where_overs_are_planned_a_policy_answers_a_plan_and_calls_no_ball() -> None:
    tools = asked(5, 3)
    assert set(tools) <= {"set_toss", "review", "plan_over"}
    assert 20 <= tools["plan_over"] < 60


def test_a_plan_is_spelled_in_words_of_the_earliest_vocabulary() -> None:
    """A policy that was saved before there were plans reads and writes them."""
    match = Match(GAME, {"overs": 5, "decisions": "over", "win_probability": False}, 3)
    words = set(earlier_vocabulary())
    plans = 0
    while not match.over:
        game, seat = match.game, match.waiting[0]
        assert isinstance(game, CricketGame)
        if (standing := match.standing(seat)) is not None:
            match.apply(seat, standing)
            continue
        (tools,) = picks(game, seat, {})
        tool = tools.options[0].word
        if tool == "plan_over":
            plans += 1
            for slot in (tools, *picks(game, seat, {"tool": tool})):
                assert {TRAINING.spell(game, seat, slot.name, option.word) for option in slot.options} <= words
            assert set(earlier_shorthand(game, seat).split()) <= words
            assert set(TRAINING.shorthand(game, seat).split()) <= set(TRAINING.vocabulary)
        match.apply(seat, BOTS["heuristic"](game, seat, match.rng(seat)))
    assert plans > 20


def test_the_plan_in_force_is_in_the_shorthand_of_its_side_alone() -> None:
    match = Match(GAME, {"overs": 5, "decisions": "over", "win_probability": False}, 3)
    while not (isinstance(match.game, CricketGame) and match.game.state.innings) or match.game.state.now.bowler is None:
        match.apply(match.waiting[0], match.game.default_action(match.waiting[0]))
    game = match.game
    assert isinstance(game, CricketGame)
    bowls, bats = (SEATS[side] for side in (game.state.now.bowling_side, game.state.now.batting_side))
    plan = game.state.plans[game.state.now.bowling_side]
    assert plan is not None
    plan["theme"], plan["zone"] = "change_of_pace", "stumps"
    assert TRAINING.shorthand(game, bowls).endswith(" next slower_ball stumps")
    assert "slower_ball" not in TRAINING.shorthand(game, bats)


@pytest.mark.parametrize("decisions", ["ball", "over"])
def test_an_impact_player_has_the_word_of_whom_he_replaced(decisions: str) -> None:
    """Policies do not bring one in, and can play on with one whom a person or a search has brought in."""
    options = {"overs": 5, "conditions": "ipl-2023", "decisions": decisions, "win_probability": False}
    match, rng, met = Match(GAME, options, 4), Random(4), set[str]()
    while not match.over:
        game, seat = match.game, match.waiting[0]
        assert isinstance(game, CricketGame)
        side = SEATS.index(seat)
        if game.state.stage == "play" and (come := game.state.substitutes(side)) and rng.random() < 0.5:
            assert "impact" not in json.dumps([slot.name for slot in picks(game, seat, {})])
            comes, leaves = rng.choice(come), rng.choice(game.state.replaceable(side))
            game.contest.bring_in(side, comes, leaves)
            continue
        assert set(TRAINING.shorthand(game, seat).split()) <= set(TRAINING.vocabulary)
        for tool in picks(game, seat, {})[0].options:
            met |= {slot.name for slot in picks(game, seat, {"tool": tool.word})}
        match.apply(seat, game.action(seat, drawn(game, seat, rng)))
    assert None not in game.state.impact
    assert {"bowler", "batter"} <= met
    assert "impact" not in met
