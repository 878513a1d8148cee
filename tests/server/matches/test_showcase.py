"""The showcase: every game has a lane that goes on, whatever users do with matches of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from grandstand.server.bodies.matches import Command, StartEpisode
from grandstand.server.matches import showcase as module
from grandstand.server.matches.showcase import Showcase
from grandstand.server.parts import ServerParts
from grandstand.server.settings import Settings, SettingsError
from tests.support.server.match_services import MatchServices, until

GAMES = ("diplomacy", "cricket")


async def stopped_and_followed(services: MatchServices, showcase: Showcase, episode: str) -> None:
    """Stop a match of the showcase, and wait until its lane has gone on."""
    await steer(services, episode, "stop")
    await until(lambda: on(showcase)["diplomacy"] != episode)


def begun(services: MatchServices, games: Sequence[str] = GAMES, kept: int = 40) -> Showcase:
    """Return a showcase that has begun."""
    services.driver.apart = ("showcase",)
    showcase = Showcase(services.driver, services.recorder, services.history.forget, games, kept)
    services.bus.add(showcase)
    showcase.begin()
    return showcase


def on(showcase: Showcase) -> dict[str, str | None]:
    return {lane.game: lane.episode_id for lane in showcase.lanes()}


async def steer(services: MatchServices, episode: str, command: str) -> None:
    await services.driver.command(episode, Command.model_validate({"command": command}), key=None, by="operator")


def test_every_game_is_on_beside_matches_that_wait_for_their_people(tmp_path: Path) -> None:
    """Users' matches that stand still take every slot; both lanes begin all the same."""

    async def scene() -> None:
        services = MatchServices(tmp_path / "g.db", slots=2)
        for _ in range(2):
            await services.driver.start(StartEpisode(game="diplomacy", players={"FRANCE": "person"}, clock=3600))
        showcase = begun(services)
        await until(lambda: all(on(showcase).values()))
        await until(lambda: services.driver.live == 4)
        assert not services.driver.queued
        showcase.close()
        await services.driver.close()

    asyncio.run(scene())


@pytest.mark.long
def test_a_lane_starts_its_next_match_after_its_own_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        services = MatchServices(tmp_path / "g.db")
        monkeypatch.setattr(module, "GAP", 0.05)
        showcase = begun(services)
        await until(lambda: all(on(showcase).values()))
        first = on(showcase)
        assert first["cricket"] is not None
        await steer(services, first["cricket"], "stop")
        await until(lambda: any(lane.game == "cricket" and lane.next_at for lane in showcase.lanes()))
        await until(lambda: on(showcase)["cricket"])
        assert on(showcase)["cricket"] != first["cricket"]
        showcase.close()
        await services.driver.close()

    asyncio.run(scene())


@pytest.mark.parametrize("command", ["pause", "take_over"])
def test_a_match_that_an_operator_takes_leaves_its_lane_to_another(tmp_path: Path, command: str) -> None:
    async def scene() -> None:
        services = MatchServices(tmp_path / "g.db")
        showcase = begun(services, ["diplomacy"])
        await until(lambda: on(showcase)["diplomacy"])
        first = on(showcase)["diplomacy"]
        assert first is not None
        seat = {"seat": "FRANCE"} if command == "take_over" else {}
        request = Command.model_validate({"command": command, **seat})
        await services.driver.command(first, request, key=None, by="operator")
        await until(lambda: on(showcase)["diplomacy"] not in (first, None))
        assert services.recorder.summary(first).status == "live"
        showcase.close()
        await services.driver.close()

    asyncio.run(scene())


def test_a_paused_match_goes_on_by_itself_also_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSED", 0.2)

    async def paused() -> str:
        monkeypatch.setattr(module, "PAUSED", 60.0)
        services = MatchServices(tmp_path / "g.db")
        showcase = begun(services, ["diplomacy"])
        await until(lambda: on(showcase)["diplomacy"])
        first = str(on(showcase)["diplomacy"])
        await steer(services, first, "pause")
        await until(lambda: services.recorder.summary(first).paused)
        showcase.close()
        await services.driver.close()
        services.recorder.close()
        return first

    async def goes_on(first: str) -> None:
        monkeypatch.setattr(module, "PAUSED", 0.2)
        services = MatchServices(tmp_path / "g.db")
        services.driver.apart = ("showcase",)
        services.driver.resume_all()
        showcase = begun(services, ["diplomacy"])
        await until(lambda: not services.recorder.summary(first).paused)
        await steer(services, first, "pause")
        assert services.recorder.summary(first).paused
        showcase.close()
        await services.driver.close()

    asyncio.run(goes_on(asyncio.run(paused())))


@pytest.mark.long
def test_a_restart_takes_the_lanes_up_and_needs_no_slots(tmp_path: Path) -> None:
    async def before() -> dict[str, str | None]:
        services = MatchServices(tmp_path / "g.db")
        showcase = begun(services)
        await until(lambda: all(on(showcase).values()))
        await until(
            lambda: all(services.recorder.summary(str(each)).status == "live" for each in on(showcase).values())
        )
        episodes = on(showcase)
        showcase.close()
        await services.driver.close()
        services.recorder.close()
        return episodes

    async def after(episodes: dict[str, str | None]) -> None:
        services = MatchServices(tmp_path / "g.db", slots=1)
        services.driver.apart = ("showcase",)
        services.driver.resume_all()
        showcase = begun(services)
        assert on(showcase) == episodes
        await services.driver.resumed()
        assert sorted(services.driver.playing) == sorted(str(each) for each in episodes.values())
        showcase.close()
        await services.driver.close()

    asyncio.run(after(asyncio.run(before())))


def test_only_the_newest_matches_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        services = MatchServices(tmp_path / "g.db")
        monkeypatch.setattr(module, "GAP", 0.0)
        showcase = begun(services, ["diplomacy"], kept=1)
        for _ in range(3):
            await until(lambda: on(showcase)["diplomacy"])
            await stopped_and_followed(services, showcase, str(on(showcase)["diplomacy"]))
        episodes = services.recorder.episode_ids
        await until(lambda: on(showcase)["diplomacy"] and len(episodes()) == 2)
        showcase.close()
        await services.driver.close()

    asyncio.run(scene())


def test_the_commentator_of_the_showcase_is_a_setting(tmp_path: Path) -> None:
    async def scene() -> None:
        services = MatchServices(tmp_path / "g.db")
        services.driver.apart = ("showcase",)
        name = "gpt-oss"
        showcase = Showcase(
            services.driver, services.recorder, services.history.forget, GAMES[1:], 40, commentator=name
        )
        services.bus.add(showcase)
        showcase.begin()
        await until(lambda: on(showcase)["cricket"])
        summary = services.recorder.summary(str(on(showcase)["cricket"]))
        assert summary.commentator == name
        showcase.close()
        await services.driver.close()

    asyncio.run(scene())


def test_a_commentator_that_is_no_language_model_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"GRANDSTAND_SHOWCASE_COMMENTATOR: .*'random' is no language model"):
        ServerParts(Settings.load({"data": tmp_path, "showcase_commentator": "random"}))
