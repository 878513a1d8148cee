"""Two servers that play and two that show, behind nginx: whatever fails, every viewer has the whole record, once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from grandstand.spectator.follower import Follower
from grandstand.spectator.viewpoint import OPERATOR, SPECTATOR
from tests.support import http
from tests.support.deploy.proxies import nginx_of_several, running
from tests.support.live_server import LiveServer, live_server
from tests.support.requirements import package
from tests.support.server.match_services import until
from tests.support.server.postgres import Postgres, postgres_server
from tests.support.server.redis import RedisServer, redis_server
from tests.support.spectator.stores import postgres_store

TOKEN = "t" * 32
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    """Run a server of this test alone, which is stopped and goes on."""
    with postgres_server() as server:
        yield server


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


async def watched(url: str, episode: str, faults: Any) -> list[Follower]:
    """Return six viewers who have followed the match to its end, while `faults` happen."""
    viewers = [Follower(url, episode, view, TOKEN) for view in ("operator", "spectator") for _ in range(3)]

    async def follow(viewer: Follower) -> None:
        async for _ in viewer.follow():
            pass

    async with asyncio.timeout(150):
        await asyncio.gather(*(follow(viewer) for viewer in viewers), faults(viewers[0]))
    return viewers


async def until_seq(viewer: Follower, seq: int) -> None:
    await until(lambda: len(viewer.slots) > seq)


@pytest.mark.long
def test_every_viewer_has_the_whole_record_once(tmp_path: Path, postgres: Postgres, redis: RedisServer) -> None:
    url = postgres.database()
    with ExitStack() as stack:

        def start(name: str, role: str) -> LiveServer:
            options = ("--store", url, "--bus", redis.url, "--role", role)
            return stack.enter_context(live_server(tmp_path / name, *options, GRANDSTAND_OPERATOR_TOKEN=TOKEN))

        playing = [start(f"drive{number}", "drive") for number in (1, 2)]
        showing = [start(f"watch{number}", "watch") for number in (1, 2)]
        (tmp_path / "nginx").mkdir()
        proxy = stack.enter_context(running(tmp_path / "nginx", nginx_of_several, *(one.url for one in showing)))
        body = {"game": "cricket", "seed": 7, "pace": 0.3, "options": {"overs": 3}}
        answer = http.post(f"{proxy}/api/episodes", json=body, headers=HEADERS)
        assert answer.is_success, answer.text
        episode = answer.json()["episode_id"]

        async def faults(viewer: Follower) -> None:
            await until_seq(viewer, 30)
            (owner,) = [server for server in playing if server.url == _owner(url, episode)]
            owner.kill()
            seen = len(viewer.slots)
            await until_seq(viewer, seen + 20)
            redis.kill()
            await until_seq(viewer, len(viewer.slots) + 20)
            redis.start()
            await until_seq(viewer, len(viewer.slots) + 20)
            redis.signal(signal.SIGSTOP)
            await until_seq(viewer, len(viewer.slots) + 20)
            redis.signal(signal.SIGCONT)
            redis.client.flushall()
            await until_seq(viewer, len(viewer.slots) + 20)
            postgres.signal(signal.SIGSTOP)
            await asyncio.sleep(3.0)
            postgres.signal(signal.SIGCONT)
            await until_seq(viewer, len(viewer.slots) + 20)
            showing[0].kill()
            await until_seq(viewer, len(viewer.slots) + 10)

        viewers = asyncio.run(watched(proxy, episode, faults))
        ended = http.get(f"{proxy}/api/episodes/{episode}").raise_for_status().json()
        segment = {"first": 0, "stop": ended["last_seq"] + 1, "epoch": ended["epoch"]}
        shown = _events(proxy, episode, segment)
        showing[1].kill()
        assert _events(proxy, episode, segment) == shown, "nginx has them, though no server is left"
        store = postgres_store(url)
        record = list(store.events(episode))
        store.close()
        assert [event.seq for event in record] == list(range(len(record)))
        assert record[-1].data["status"] == "finished"
        for number, viewer in enumerate(viewers):
            view = OPERATOR if number < 3 else SPECTATOR
            assert viewer.generation == 0, "nobody was sent back to the beginning"
            assert viewer.slots == [view.known(event) for event in record]


def _events(proxy: str, episode: str, segment: dict[str, int]) -> Any:
    return http.get(f"{proxy}/api/episodes/{episode}/events", params=segment).raise_for_status().json()


def _owner(url: str, episode: str) -> str:
    with package("psycopg").connect(url) as db:
        (owner,) = db.execute("SELECT owner_url FROM episodes WHERE episode_id = %s", (episode,)).fetchone()
    return str(owner)
