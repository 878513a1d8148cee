"""Prompts that ask a model to captain, and its replies as they are read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grandstand.games.base import IllegalAction
from grandstand.games.choices import Pick
from grandstand.games.cricket import GAME
from grandstand.games.cricket.agent import text
from grandstand.games.cricket.agent.choices import bowlers
from grandstand.games.cricket.agent.reply import REPLY
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.match import Match


@pytest.fixture
def match() -> Match[CricketGame]:
    """Return a match in its first over that waits for both captains."""
    started = Match(GAME, {"overs": 5}, 3)
    while len(started.waiting) < 2:
        seat = started.waiting[0]
        started.apply(seat, started.game.default_action(seat))
    return started


BALL = {"tool": "bowl_delivery", "arguments": {"length": "yorker"}}


@pytest.mark.parametrize(
    "answer",
    [
        {"calls": [BALL]},
        BALL,
        {"reasoning": "full", "calls": [{"tool": "bowl_delivery", "arguments": {"length": "yorker", "line": None}}]},
        {"calls": [{"tool": "analyze_situation", "arguments": {}}, BALL]},
    ],
    ids=["calls", "one call", "nulls", "numbers asked for"],
)
def test_calls_in_several_shapes(match: Match[CricketGame], answer: Any) -> None:
    seat = match.waiting[0]
    assert REPLY.read(match.game, seat, answer) == [BALL]
    match.apply(seat, BALL)


def test_several_calls_keep_their_order(match: Match[CricketGame]) -> None:
    field = {"tool": "set_field", "arguments": {"preset": "pp_attack"}}
    assert REPLY.read(match.game, match.waiting[0], {"calls": [field, BALL]}) == [field, BALL]


def test_arguments_may_be_left_out(match: Match[CricketGame]) -> None:
    expected = [{"tool": "play_delivery", "arguments": {}}]
    assert REPLY.read(match.game, match.waiting[1], {"tool": "play_delivery"}) == expected


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        ({"calls": []}, "calls"),
        ({"calls": "bowl"}, "calls"),
        ({"calls": ["bowl"]}, r"calls\[0\]"),
        ({"calls": [{"tool": "bowl_delivery", "arguments": {"speed": 9}}]}, r"calls\[0\]\.arguments\.speed"),
        ({"calls": [{"tool": "analyze_situation"}]}, "calls: the scorer's numbers"),
    ],
)
def test_answers_that_are_none(match: Match[CricketGame], answer: Any, field: str) -> None:
    with pytest.raises(IllegalAction, match=field):
        REPLY.read(match.game, match.waiting[0], answer)


def test_the_prompt_has_the_scorers_numbers(match: Match[CricketGame]) -> None:
    for seat in match.waiting:
        prompt = REPLY.prompt(match.game, seat)
        assert prompt.startswith(match.game.text(seat))
        numbers = json.loads(prompt.partition("The scorer's numbers: ")[2])
        ahead = match.game.observation(seat)["now"]
        assert ahead is not None
        assert numbers["balls_left"] == ahead["balls_left"]
    toss = Match(GAME, {"overs": 5}, 3)
    assert REPLY.prompt(toss.game, toss.waiting[0]) == toss.game.text(toss.waiting[0])


def test_every_moment_of_a_match_has_a_prompt() -> None:
    match = Match(GAME, {"overs": 2}, 5)
    while not match.over:
        for seat in match.waiting:
            assert REPLY.prompt(match.game, seat)
            match.apply(seat, match.game.default_action(seat))


def test_the_schema_is_strict_and_has_the_tools_of_the_moment(match: Match[CricketGame]) -> None:
    for seat in match.waiting:
        schema = REPLY.schema(match.game, seat)
        assert len(json.dumps(schema)) < 8000
        calls = schema["properties"]["calls"]["items"]["anyOf"]
        tools = [
            option.word for slot in match.game.choices(seat, {}) if isinstance(slot, Pick) for option in slot.options
        ]
        assert [call["properties"]["tool"]["enum"][0] for call in calls] == tools[:-1], "all but the numbers"
        for call in calls:
            for part in (call, call["properties"]["arguments"]):
                assert part["additionalProperties"] is False
                assert part["required"] == list(part["properties"])


@pytest.mark.parametrize(
    "answer",
    [
        {"tool": "bowl_delivery", "length": "Yorker"},
        {"calls": [{"tool": "bowl_delivery", "arguments": "yorker"}]},
        {"name": "bowl_delivery", "arguments": {"length": "yorker"}},
        {
            "reasoning": "full",
            "action": {"tool": "bowl-delivery", "arguments": {"length": "yorker", "line": "natural"}},
        },
    ],
)
def test_a_call_that_is_written_otherwise(match: Match[CricketGame], answer: Any) -> None:
    seat = match.waiting[0]
    (action,) = REPLY.read(match.game, seat, answer)
    assert match.game.chosen(seat, action) == match.game.chosen(seat, BALL)


def test_a_later_call_is_read_after_the_ones_before() -> None:
    match = Match(GAME, {"overs": 5}, 3)
    while match.game.state.stage != "play" or [*match.waiting] != [bowls := SEATS[match.game.state.now.bowling_side]]:
        match.apply(match.waiting[0], match.game.default_action(match.waiting[0]))
    spinners = [player.name for player in match.game.state.teams[SEATS.index(bowls)].players if player.group == "spin"]
    bowler = next(name for name in bowlers(match.game.state, SEATS.index(bowls)) if name in spinners)
    calls = [
        {"tool": "choose_bowler", "bowler": bowler.upper()},
        {"tool": "bowl_delivery", "variation": "arm ball"},
    ]
    first, second = REPLY.read(match.game, bowls, {"calls": calls})
    assert first == {"tool": "choose_bowler", "arguments": {"bowler": bowler}}
    assert second["arguments"]["variation"] == "arm_ball"
    with pytest.raises(IllegalAction, match=r"calls\[0\]\.variation: 'arm ball' is not possible"):
        REPLY.read(match.game, bowls, {"calls": calls[1:]})


@pytest.fixture
def chase() -> Match[CricketGame]:
    """Return a match of plans for overs at the start of its chase, under conditions with an impact player."""
    started = Match(GAME, {"overs": 2, "conditions": "ipl-2023", "decisions": "over"}, 3)
    while not started.game.state.innings or started.game.state.now.number == 1:
        seat = started.waiting[0]
        started.apply(seat, started.standing(seat) or started.game.default_action(seat))
    return started


def test_the_impact_player_of_a_plan_is_read_in_several_shapes(chase: Match[CricketGame]) -> None:
    seat = chase.waiting[0]
    players = chase.game.state.teams[SEATS.index(seat)].players
    names = {"impact": players[11].name, "replaces": players[10].name}
    arguments = {**names, "batter": players[11].name, "striker": "attack"}
    plan = {"tool": "plan_over", "arguments": arguments}
    answers: list[Any] = [{"calls": [plan]}, plan, {"tool": "plan_over", **arguments}]
    for answer in answers:
        (action,) = REPLY.read(chase.game, seat, answer)
        assert {**arguments, **action["arguments"]} == action["arguments"]
    schema = json.dumps(REPLY.schema(chase.game, seat))
    assert all(json.dumps(name) in schema for name in (*names, players[14].name))
    (nobody,) = REPLY.read(chase.game, seat, {"calls": [{"tool": "plan_over", "arguments": {"impact": "nobody"}}]})
    assert "impact" not in nobody["arguments"]
    with pytest.raises(IllegalAction, match="replaces: is missing; there are"):
        REPLY.read(chase.game, seat, {"calls": [{"tool": "plan_over", "arguments": {"impact": players[11].name}}]})


def test_the_prompt_has_the_bench_until_the_impact_player_has_come_in(chase: Match[CricketGame]) -> None:
    seat = chase.waiting[0]
    players = chase.game.state.teams[SEATS.index(seat)].players
    before = REPLY.prompt(chase.game, seat)
    assert f"- {players[11].name}: batter, average {players[11].season['avg']}" in before
    assert "impact: nobody, " in before
    chase.apply(
        seat, {"tool": "plan_over", "arguments": {"impact": players[11].name, "replaces": players[10].name}}
    )  # fmt: skip
    for other in SEATS:
        after = text.prompt(chase.game.state, other)
        assert f"{players[11].name} came in as the impact player for {players[10].name}" in after
        assert (f"- {players[12].name}: all-rounder" in after) is False
    waiting = chase.game.state.now.waiting()
    assert 10 not in waiting
    assert 11 in waiting
