"""A match is an environment of PettingZoo, by the library's own tests."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from tests.support.requirements import package

package("pettingzoo")

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its tests import one of its games in the older way
    from pettingzoo.test import api_test, seed_test

from grandstand.games.base import OptionError  # noqa: E402
from grandstand.play.aec import LETTERS, AgentEnvironment, env  # noqa: E402

GAMES: dict[str, dict[str, Any]] = {
    "werewolf": {},
    "cricket": {"overs": 1},
    "diplomacy": {"press": "none", "last_year": 1901},
}


@pytest.mark.few(1)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore")
def test_the_api_test_passes(game: str) -> None:
    api_test(env(game, GAMES[game]), num_cycles=200)


@pytest.mark.few(1)
@pytest.mark.parametrize("game", GAMES)
def test_the_seed_test_passes(game: str) -> None:
    seed_test(lambda: env(game, GAMES[game]), num_cycles=60)


def played(environment: Any, seed: int) -> dict[str, float]:
    """The sum of the rewards of each agent in a match of random words."""
    environment.reset(seed=seed)
    draws = np.random.default_rng(seed)
    totals = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, over, _, info = environment.last()
        totals[agent] += reward
        if over:
            environment.step(None)
            continue
        assert observation["action_mask"].sum() == len(info["words"]) > 0
        environment.step(int(draws.integers(len(info["words"]))))
    return totals


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_rewards_are_the_scores(game: str) -> None:
    environment = AgentEnvironment(game, GAMES[game])
    totals = played(environment, 3)
    assert totals == environment._match.game.scores()
    assert played(AgentEnvironment(game, GAMES[game]), 3) == totals


def test_built_in_players_fill_the_other_seats() -> None:
    seats = AgentEnvironment("diplomacy").possible_agents
    environment = AgentEnvironment("diplomacy", GAMES["diplomacy"], dict.fromkeys(seats[1:], "random"))
    assert environment.possible_agents == seats[:1]
    assert list(played(environment, 3)) == seats[:1]


def test_an_agent_reads_the_text_of_its_seat_and_the_words_that_may_come_next() -> None:
    environment = AgentEnvironment("cricket", {"overs": 1})
    environment.reset(seed=1)
    observation, _, _, _, info = environment.last()
    letters = observation["observation"]
    assert letters.shape == (LETTERS,)
    assert bytes(letters).rstrip(b"\0").decode() == info["text"]
    assert info["chosen"] == []
    environment.step(0)
    if environment.infos[environment.agent_selection]["chosen"]:
        assert environment.infos[environment.agent_selection]["chosen"] == [info["words"][0]]


def test_an_action_outside_the_mask_ends_the_match_for_the_wrapped_environment() -> None:
    environment = env("cricket", {"overs": 1})
    environment.reset(seed=1)
    agent = environment.agent_selection
    environment.step(1000)
    assert environment.terminations[agent]
    inner = AgentEnvironment("cricket", {"overs": 1})
    inner.reset(seed=1)
    with pytest.raises(ValueError, match="which the mask admits"):
        inner.step(1000)


def test_the_position_is_rendered_as_text() -> None:
    environment = AgentEnvironment("werewolf", render_mode="ansi")
    environment.reset(seed=1)
    assert environment.render()


def test_an_unknown_player_is_named() -> None:
    with pytest.raises(OptionError, match=r"players\.home: nobody"):
        AgentEnvironment("cricket", players={"home": "nobody"})
