"""The environment as an object: what OpenEnv makes and throws away for every request, and plays from threads."""

from __future__ import annotations

import asyncio

import pytest

from grandstand.models import MatchAction, MatchState
from grandstand.server.matches.steering import CommandError
from grandstand.server.openenv.connection import CONNECTION
from grandstand.server.openenv.environment import MatchEnvironment
from tests.support.server.environment_services import OPERATING, EnvironmentServices, run


def test_it_does_nothing_until_it_is_reset() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        environment = MatchEnvironment(services.seats, asyncio.get_running_loop())
        assert environment.state == MatchState()
        metadata = environment.get_metadata()
        assert metadata.name == "grandstand"
        environment.close()
        environment.close()
        await asyncio.sleep(0.01)
        assert services.recorder.summaries(limit=5)[1] == 0

    run(scene)


def test_a_thread_plays_it_without_async() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        environment = MatchEnvironment(services.seats, asyncio.get_running_loop())

        def play() -> None:
            observation = environment.reset(seed=1, episode_id="mine", seat="FRANCE", opponents="hold", max_turns=2)
            assert observation.status == "choose"
            observation = environment.step(MatchAction(action={"orders": ["A PAR - PIC"]}))
            assert observation.index == 1
            observation = environment.step(MatchAction(action={"orders": []}))
            assert observation.done
            assert (environment.state.episode_id, environment.state.step_count) == ("mine", 2)

        await asyncio.to_thread(play)

    CONNECTION.set(OPERATING)
    run(scene)


def test_in_the_loop_itself_the_plain_calls_say_what_to_do_instead() -> None:
    async def scene() -> None:
        environment = MatchEnvironment(EnvironmentServices().seats, asyncio.get_running_loop())
        with pytest.raises(RuntimeError, match="await reset_async"):
            environment.reset()
        with pytest.raises(RuntimeError, match="await reset_async"):
            environment.step(MatchAction())

    run(scene)


def test_a_closed_session_does_nothing_more() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        environment = MatchEnvironment(services.seats, asyncio.get_running_loop())
        await environment.reset_async(seat="FRANCE", opponents="hold")
        environment.close()
        await asyncio.sleep(0.01)
        with pytest.raises(CommandError, match="closed after a long silence"):
            await environment.step_async(MatchAction())

    run(scene)


def test_a_failed_reset_leaves_no_seat() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        environment = MatchEnvironment(services.seats, asyncio.get_running_loop())
        observation = await environment.reset_async(seat="FRANCE", opponents="hold")
        with pytest.raises(ValueError, match="last_year"):
            await environment.reset_async(options={"last_year": 1})
        assert environment.state.match_id is None
        await services.ended(observation.match_id)

    run(scene)
