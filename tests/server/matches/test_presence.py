"""A seat whose page was closed goes back to a bot; others keep theirs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from grandstand.players.external import ExternalPlayer
from grandstand.server.bodies.matches import StartEpisode
from grandstand.server.matches.presence import AWAY, Presence
from tests.support.server.match_services import MatchServices, until

SEAT = "FRANCE"


@pytest.mark.parametrize(
    ("clock", "opened", "freed"),
    [
        (90.0, True, True),
        (3600.0, True, False),  # nobody need stay at the page for an hour
        (90.0, False, False),  # its player has never had the page open: a program, perhaps
    ],
)
def test_a_closed_page_frees_a_seat_with_a_clock(tmp_path: Path, clock: float, opened: bool, freed: bool) -> None:
    async def scene() -> None:
        services = MatchServices(tmp_path / "g.db")
        summary = await services.driver.start(StartEpisode(game="diplomacy", players={SEAT: "person"}, clock=clock))
        await until(lambda: services.driver.playing)
        watching, now = {SEAT} if opened else set[str](), 1e9
        presence = Presence(services.driver, lambda _: watching, lambda: now)
        await presence.check()
        watching = set()
        now += AWAY - 1
        await presence.check()
        assert not services.recorder.summary(summary.episode_id).left
        now += 1
        await presence.check()
        assert services.recorder.summary(summary.episode_id).left == ([SEAT] if freed else [])
        await services.driver.close()

    asyncio.run(scene())


def test_who_is_back_in_time_or_acts_keeps_the_seat(tmp_path: Path) -> None:
    async def scene() -> None:
        services = MatchServices(tmp_path / "g.db")
        summary = await services.driver.start(StartEpisode(game="diplomacy", players={SEAT: "person"}, clock=90.0))
        await until(lambda: services.driver.playing)
        player = services.driver.match(summary.episode_id).runner.players[SEAT]
        assert isinstance(player, ExternalPlayer)
        watching, now = {SEAT}, 1e9
        presence = Presence(services.driver, lambda _: watching, lambda: now)
        for connected in (True, False, True, False):
            watching = {SEAT} if connected else set()
            now += AWAY - 1
            await presence.check()
        now += 1
        player.acted_at = now
        await presence.check()
        assert not services.recorder.summary(summary.episode_id).left
        await services.driver.close()

    asyncio.run(scene())
