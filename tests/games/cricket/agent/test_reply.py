"""Prompts that ask a model to captain, and its replies as they are read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grandstand.games.base import IllegalAction
from grandstand.games.cricket import GAME
from grandstand.games.cricket.agent.actions import ARGUMENTS
from grandstand.games.cricket.agent.reply import REPLY
from grandstand.games.cricket.game import CricketGame
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
        ({"calls": [{"tool": "bowl_delivery", "arguments": "yorker"}]}, r"calls\[0\]\.arguments"),
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


def test_the_schema_is_strict_small_and_the_same_all_match(match: Match[CricketGame]) -> None:
    schema = REPLY.schema(match.game, match.waiting[0])
    assert schema == REPLY.schema(match.game, match.waiting[1])
    assert len(json.dumps(schema)) < 8000
    calls = schema["properties"]["calls"]["items"]["anyOf"]
    assert {call["properties"]["tool"]["enum"][0] for call in calls} == set(ARGUMENTS) - {"analyze_situation"}
    for call in calls:
        for part in (call, call["properties"]["arguments"]):
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])
