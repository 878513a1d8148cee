"""A record that cannot be written: matches wait, say so, show nothing that is not kept, and go on by themselves."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from grandstand.models import Event
from grandstand.play.commentator import DERIVED
from grandstand.play.verification import verify
from grandstand.server.bodies.matches import StartEpisode
from grandstand.spectator.errors import StorageError
from grandstand.spectator.record_rows import transaction
from grandstand.spectator.recorder import Recorder
from tests.support import http, waiting
from tests.support.live_server import live_server
from tests.support.server.disk import SmallDisk, small_disk
from tests.support.server.match_services import MatchServices, RecordingObserver, until

QUICK = StartEpisode(game="diplomacy", seed=1, pace=0.001, options={"last_year": 1902})


def fill(services: MatchServices) -> None:
    """Let the file of the record take no further page: SQLite then says that the disk is full."""
    (pages,) = services.recorder._db.execute("PRAGMA page_count").fetchone()
    services.recorder._db.execute(f"PRAGMA max_page_count={pages}")


def make_room(services: MatchServices) -> None:
    services.recorder._db.execute("PRAGMA max_page_count=1000000")


@pytest.mark.parametrize("store", [":memory:", "file"])
def test_a_match_waits_for_a_full_disk_and_goes_on(store: str, tmp_path: Path) -> None:
    async def scene() -> None:
        services = MatchServices(store if store == ":memory:" else tmp_path / "g.db")
        events: list[Event] = []
        services.bus.add(RecordingObserver(events))
        episode = (await services.driver.start(QUICK)).episode_id
        fill(services)
        await until(lambda: services.driver.storage_faults)
        assert "full" in services.driver.storage_faults[episode]
        shown = len(events)
        assert shown == len(list(services.recorder.events(episode)))
        assert services.driver.live == 1
        make_room(services)
        await services.ended(episode)
        assert not services.driver.storage_faults
        assert verify(events).over
        assert events == list(services.recorder.events(episode))

    asyncio.run(scene())


def test_a_waiting_match_plays_what_it_would_have_played() -> None:
    async def played(full: bool) -> list[tuple[str, object]]:
        services = MatchServices()
        episode = (await services.driver.start(QUICK)).episode_id
        if full:
            fill(services)
            await until(lambda: services.driver.storage_faults)
            make_room(services)
        await services.ended(episode)
        events = services.recorder.events(episode)
        return [(event.type, event.data) for event in events if event.type not in DERIVED]

    assert asyncio.run(played(full=True)) == asyncio.run(played(full=False))


def test_a_lock_of_another_process_holds_up_the_loop_for_a_moment_only(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "g.db")
    other = sqlite3.connect(tmp_path / "g.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert recorder._db.execute("PRAGMA busy_timeout").fetchone()[0] <= 50
    with pytest.raises(StorageError, match="locked"), transaction(recorder._db):
        pass
    other.execute("ROLLBACK")
    other.close()
    recorder.close()


def test_a_server_outlasts_a_lock_that_another_process_holds(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = server.start_match(game="diplomacy", pace=0.05, seed=3, options={"last_year": 1902})
        other = sqlite3.connect(tmp_path / "grandstand.db", isolation_level=None, timeout=10)
        other.execute("BEGIN IMMEDIATE")
        wait_for_health(server.url, "waiting")
        health = server.get("/api/health")
        assert "locked" in health["storage"]
        assert server.get("/api/episodes")["waiting"] == [episode]
        refused = server.post(f"/api/episodes/{episode}/commands", {"command": "pause"})
        assert refused.status_code == 503
        assert refused.headers["retry-after"]
        other.execute("ROLLBACK")
        other.close()
        server.wait_for(episode, status="finished")
        assert server.get("/api/health")["status"] == "ok"
    recorder = Recorder(tmp_path / "grandstand.db")
    assert verify(list(recorder.events(episode))).over
    recorder.close()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", "2m") as disk:
        yield disk


def test_a_server_outlasts_a_full_disk(disk: SmallDisk) -> None:
    with live_server(disk.folder) as server:
        episode = server.start_match(game="diplomacy", pace=0.05, seed=3, options={"last_year": 1902})
        disk.fill()
        wait_for_health(server.url, "waiting")
        assert "full" in server.get("/api/health")["storage"]
        before = server.get(f"/api/episodes/{episode}/events")
        disk.make_room()
        server.wait_for(episode, status="finished")
        after = server.get(f"/api/episodes/{episode}/events")
        assert after["frames"][: len(before["frames"])] == before["frames"]
        assert server.get("/api/health")["status"] == "ok"


def wait_for_health(url: str, status: str) -> None:
    assert waiting.until(lambda: http.get(url + "/api/health").json()["status"] == status), (
        f"health did not come to {status}"
    )
