"""Nothing slow is built in the thread that serves viewers, whatever lengths of match visitors start."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grandstand.games.base import OptionError
from grandstand.games.cricket.model import win_probability
from grandstand.games.cricket.model.average import AverageBalls
from grandstand.games.cricket.model.table_cache import BLOCKS, TABLES
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.play.preparation import THREAD, loaded_spec, prepared
from grandstand.server.bodies.matches import Command, ForkEpisode, StartEpisode
from tests.support.server.match_services import MatchServices, until


@pytest.fixture
def builders(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The names of the threads in which balls of the tables are worked out."""
    names: set[str] = set()
    one_ball, balls = win_probability.WinProbability._one_ball, AverageBalls.__init__

    def noted(self: win_probability.WinProbability, *rest: Any) -> Any:
        names.add(threading.current_thread().name)
        return one_ball(self, *rest)

    def noted_balls(self: AverageBalls, *rest: Any) -> None:
        names.add(threading.current_thread().name)
        balls(self, *rest)

    monkeypatch.setattr(win_probability.WinProbability, "_one_ball", noted)
    monkeypatch.setattr(AverageBalls, "__init__", noted_balls)
    forget()
    yield names
    forget()


def forget() -> None:
    TABLES.clear()
    BLOCKS.clear()
    win_probability.win_probability.cache_clear()
    win_probability.super_over.cache_clear()


def request(overs: int, **more: Any) -> StartEpisode:
    return StartEpisode(game="cricket", seed=overs, pace=0, options={"overs": overs}, **more)


@pytest.mark.long
def test_matches_of_eight_lengths_and_of_50_overs_build_nothing_in_the_loops_thread(builders: set[str]) -> None:
    async def scene() -> None:
        services = MatchServices(slots=9, queue=9)
        lengths = [50, 3, 4, 5, 6, 7, 8, 9]
        started = [(await services.driver.start(request(overs, turns=20))).episode_id for overs in lengths]
        assert {services.recorder.summary(episode).status for episode in started} == {"queued"}
        await services.ended(*started)
        assert {services.recorder.summary(episode).status for episode in started} == {"stopped"}
        assert {name.rsplit("_", 1)[0] for name in builders} == {THREAD}
        assert TABLES.nbytes <= TABLES.most
        assert BLOCKS.nbytes <= BLOCKS.most

    asyncio.run(scene())


def test_a_fork_is_played_up_to_its_moment_in_another_thread(builders: set[str]) -> None:
    async def scene() -> None:
        services = MatchServices()
        parent = (await services.driver.start(request(3))).episode_id
        await services.ended(parent)
        forget()
        builders.clear()
        cut = [event.seq for event in services.history.events(parent) if event.type == "TurnStarted"][-5]
        forked = await services.driver.fork(parent, ForkEpisode(seq=cut, pace=0), key="k", by="operator")
        assert builders
        assert threading.current_thread().name not in builders
        again = await services.driver.fork(parent, ForkEpisode(seq=cut, pace=0), key="k", by="operator")
        assert again.episode_id == forked.episode_id
        await services.ended(forked.episode_id)
        assert threading.current_thread().name not in builders

    asyncio.run(scene())


def test_after_a_restart_the_tables_are_built_in_another_thread(builders: set[str], tmp_path: Path) -> None:
    async def before() -> None:
        services = MatchServices(tmp_path / "g.db")
        episode = (await services.driver.start(request(3).model_copy(update={"pace": 60}))).episode_id
        await services.begun(episode)
        await services.driver.close()
        services.recorder.close()

    async def after() -> None:
        services = MatchServices(tmp_path / "g.db")
        assert services.driver.resume_all()
        await services.driver.resumed()
        await services.driver.close()

    asyncio.run(before())
    forget()
    builders.clear()
    asyncio.run(after())
    assert {name.rsplit("_", 1)[0] for name in builders} == {THREAD}


def test_one_key_sent_twice_at_once_forks_once() -> None:
    async def scene() -> None:
        services = MatchServices()
        parent = (await services.driver.start(request(1))).episode_id
        await services.ended(parent)
        forks = (services.driver.fork(parent, ForkEpisode(seq=20, pace=0), key="k", by="operator") for _ in range(2))
        first, other = await asyncio.gather(*forks)
        assert first.episode_id == other.episode_id

    asyncio.run(scene())


@pytest.mark.long
def test_a_match_that_is_stopped_while_it_is_prepared_ends_stopped() -> None:
    async def scene() -> None:
        services = MatchServices()
        forget()
        episode = (await services.driver.start(request(30))).episode_id
        await asyncio.sleep(0)
        await services.driver.command(episode, Command(command="stop"), key=None, by="test")
        await services.ended(episode)
        assert services.recorder.summary(episode).status == "stopped"

    asyncio.run(scene())


@pytest.mark.long
def test_the_loop_goes_on_while_a_match_of_50_overs_is_prepared(builders: set[str]) -> None:
    async def scene() -> None:
        match, beats = Match(game_spec("cricket"), {"overs": 50}, 1), 0
        preparing = asyncio.ensure_future(prepared(match))
        while not preparing.done():
            await asyncio.sleep(0.001)
            beats += 1
        assert beats >= 20
        assert match.spec.rules.prepare(match.game) is None

    asyncio.run(scene())


def test_a_game_that_needs_nothing_does_not_give_way() -> None:
    async def scene() -> None:
        later: list[int] = []
        asyncio.get_running_loop().call_soon(later.append, 1)
        await prepared(Match(game_spec("diplomacy"), {}, 1))
        assert later == []
        await until(lambda: later)

    asyncio.run(scene())


def test_a_server_loads_a_game_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def noted(name: str) -> GameSpec:
        threads.append(threading.get_ident())
        return game_spec(name)

    monkeypatch.setattr("grandstand.play.preparation.game_spec", noted)
    assert asyncio.run(loaded_spec("werewolf")).name == "werewolf"
    assert threads != [threading.get_ident()]
    with pytest.raises(OptionError, match="unknown game 'chess'"):
        asyncio.run(loaded_spec("chess"))
