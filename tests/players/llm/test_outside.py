"""A seat whose model another program calls, in any game."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from grandstand.games.registry import game_spec
from grandstand.play.headless import MatchPlan, MatchResult, play_match
from grandstand.players.llm.client import ChatError
from grandstand.players.llm.completion import Completion
from grandstand.players.llm.outside import Reply, outside_player
from grandstand.players.llm.prompt import ChatMessage
from tests.support.players.schema_answers import answer_to
from tests.support.requirements import package


async def obeys(messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> Completion:
    return Completion(json.dumps(answer_to(schema)))


async def fails(messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> Completion:
    raise ChatError("provider", "it is gone")


def played(name: str, reply: Reply, **options: Any) -> MatchResult:
    """A match with the model in the first seat and random players in all others."""
    spec = game_spec(name)
    seats = spec.seats(options)
    plan = MatchPlan("match", name, ("random",) * len(seats), options, seed=3)
    return asyncio.run(play_match(plan, seated={seats[0]: outside_player(spec, "model", reply)}))


def test_it_answers_by_the_schema_of_each_decision() -> None:
    result = played("cricket", obeys, overs=1, win_probability=False)
    record = result.seats[0]
    assert (record.player, record.kind, record.scored, record.fallbacks) == ("model", "llm", True, 0)
    assert record.spent.calls > 0
    assert record.spent.tokens_in > record.spent.tokens_out > 0


def test_a_failure_is_its_fault_and_the_score_not_its_own() -> None:
    record = played("cricket", fails, overs=1, win_probability=False).seats[0]
    assert record.fallbacks == record.decisions == record.causes["provider"]
    assert not record.scored


@pytest.mark.parametrize("game", ["tic_tac_toe", "leduc_poker"])
def test_it_plays_the_games_of_other_libraries(game: str) -> None:
    package("pyspiel")
    record = played("openspiel", obeys, game=game).seats[0]
    assert (record.scored, record.faults) == (True, 0)


def test_a_match_may_be_stopped_after_some_turns() -> None:
    spec = game_spec("cricket")
    plan = MatchPlan("match", "cricket", ("random",) * 2, {"overs": 1}, seed=3, max_turns=2)
    result = asyncio.run(play_match(plan, seated={"home": outside_player(spec, "model", obeys)}))
    assert (result.status, result.message) == ("stopped", "stopped after 2 turns")
    assert set(result.scores) == {"home", "away"}, "the scores of that moment"
