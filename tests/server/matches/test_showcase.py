"""The showcase: every game has a lane that goes on, whatever users do with matches of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from grandstand.server.bodies import Command, StartEpisode
from grandstand.server.matches import showcase as module
from grandstand.server.matches.showcase import ORIGIN, Showcase
from tests.support.house import House, until

GAMES = ("diplomacy", "cricket")


def begun(house: House, games: Sequence[str] = GAMES, kept: int = 40) -> Showcase:
    """Return a showcase that has begun."""
    house.driver.apart = (ORIGIN,)
    showcase = Showcase(house.driver, house.recorder, house.history.forget, games, kept)
    house.bus.add(showcase)
    showcase.begin()
    return showcase


def on(showcase: Showcase) -> dict[str, str | None]:
    return {lane.game: lane.episode_id for lane in showcase.lanes()}


def steer(house: House, episode: str, command: str) -> None:
    house.driver.command(episode, Command.model_validate({"command": command}), key=None, by="operator")


def test_every_game_is_on_beside_matches_that_wait_for_their_people(tmp_path: Path) -> None:
    """Users' matches that stand still take every slot; both lanes begin all the same."""

    async def scene() -> None:
        house = House(tmp_path / "g.db", slots=2)
        for _ in range(2):
            house.driver.start(StartEpisode(game="diplomacy", players={"FRANCE": "person"}, clock=3600))
        showcase = begun(house)
        await until(lambda: all(on(showcase).values()))
        await until(lambda: house.driver.live == 4)
        assert not house.driver.queued
        showcase.close()
        await house.driver.close()

    asyncio.run(scene())


def test_a_lane_starts_its_next_match_after_its_own_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        house = House(tmp_path / "g.db")
        monkeypatch.setattr(module, "GAP", 0.05)
        showcase = begun(house)
        await until(lambda: all(on(showcase).values()))
        first = on(showcase)
        assert first["cricket"] is not None
        steer(house, first["cricket"], "stop")
        await until(lambda: any(lane.game == "cricket" and lane.next_at for lane in showcase.lanes()))
        await until(lambda: on(showcase)["cricket"])
        assert on(showcase)["cricket"] != first["cricket"]
        showcase.close()
        await house.driver.close()

    asyncio.run(scene())


@pytest.mark.parametrize("command", ["pause", "take_over"])
def test_a_match_that_an_operator_takes_leaves_its_lane_to_another(tmp_path: Path, command: str) -> None:
    async def scene() -> None:
        house = House(tmp_path / "g.db")
        showcase = begun(house, ["diplomacy"])
        await until(lambda: on(showcase)["diplomacy"])
        first = on(showcase)["diplomacy"]
        assert first is not None
        seat = {"seat": "FRANCE"} if command == "take_over" else {}
        request = Command.model_validate({"command": command, **seat})
        house.driver.command(first, request, key=None, by="operator")
        await until(lambda: on(showcase)["diplomacy"] not in (first, None))
        assert house.recorder.summary(first).status == "live"
        showcase.close()
        await house.driver.close()

    asyncio.run(scene())


def test_a_restart_takes_the_lanes_up_and_needs_no_slots(tmp_path: Path) -> None:
    async def before() -> dict[str, str | None]:
        house = House(tmp_path / "g.db")
        showcase = begun(house)
        await until(lambda: all(on(showcase).values()))
        await until(lambda: all(house.recorder.summary(str(each)).status == "live" for each in on(showcase).values()))
        episodes = on(showcase)
        showcase.close()
        await house.driver.close()
        house.recorder.close()
        return episodes

    async def after(episodes: dict[str, str | None]) -> None:
        house = House(tmp_path / "g.db", slots=1)
        house.driver.apart = (ORIGIN,)
        house.driver.resume_all()
        showcase = begun(house)
        assert on(showcase) == episodes
        await house.driver.resumed()
        assert sorted(house.driver.playing) == sorted(str(each) for each in episodes.values())
        showcase.close()
        await house.driver.close()

    asyncio.run(after(asyncio.run(before())))


def test_only_the_newest_matches_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        house = House(tmp_path / "g.db")
        monkeypatch.setattr(module, "GAP", 0.0)
        showcase = begun(house, ["diplomacy"], kept=1)
        for _ in range(3):
            await until(lambda: on(showcase)["diplomacy"])
            steer(house, str(on(showcase)["diplomacy"]), "stop")
            await until(lambda: on(showcase)["diplomacy"] is None)
        episodes = house.recorder.episode_ids
        await until(lambda: on(showcase)["diplomacy"] and len(episodes()) == 2)
        showcase.close()
        await house.driver.close()

    asyncio.run(scene())
