"""The events of an episode, asked for where another server knows more of them."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx2
from fastapi.responses import StreamingResponse

from grandstand.server.api.episodes.records import events
from grandstand.spectator.framing import StreamPosition
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import OPERATOR
from tests.support import http
from tests.support.live_server import live_server
from tests.support.server.cluster import OPERATOR as SIGNED
from tests.support.server.cluster import TOKEN
from tests.support.server.stream_server import board
from tests.support.spectator.logs import EPISODE, short_log, stamp


def test_a_page_up_to_a_number_that_is_not_known_here_is_read_first() -> None:
    log = short_log()
    more = stamp([board(9)], first=len(log))
    recorder = Recorder(":memory:")
    recorder.on_events(log)
    history = History(recorder)

    async def ready(episode_id: str, after: StreamPosition) -> None:
        assert after == StreamPosition(1, len(log))
        recorder.on_events(more)
        history.on_events(more)

    async def page(stop: int) -> list[int]:
        answer = cast(
            "StreamingResponse", await events(cast("Any", parts), cast("Any", None), EPISODE, "operator", 0, stop)
        )
        body = b"".join([cast("bytes", piece) async for piece in answer.body_iterator])
        return [frame["event"]["seq"] for frame in json.loads(body)["frames"]]

    async def scene() -> None:
        assert len(await page(len(log))) == len(log)
        assert await page(len(log) + 1) == [event.seq for event in (*log, *more)]

    access, hub = SimpleNamespace(look=lambda *_: OPERATOR), SimpleNamespace(ready=ready)
    parts = SimpleNamespace(access=access, history=history, hub=hub, long_responses=asyncio.Lock())
    asyncio.run(scene())


def test_a_segment_of_an_ended_episode_never_changes(tmp_path: Path) -> None:
    """It is what everybody may know, whoever asks, and compressed; nothing else may be kept."""
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        body = {"game": "cricket", "options": {"overs": 1}, "pace": 0, "reveal": "after"}
        episode = http.post(f"{server.url}/api/episodes", json=body, headers=SIGNED).raise_for_status().json()
        ended = server.wait_for(episode["episode_id"], status="finished")
        address, stop = f"{server.url}/api/episodes/{ended['episode_id']}/events", ended["last_seq"] + 1
        whole = {"first": 0, "stop": stop, "epoch": ended["epoch"]}

        def asked(**query: Any) -> httpx2.Response:
            return http.get(address, params=whole | query, headers=SIGNED).raise_for_status()

        segment = asked()
        assert segment.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert (segment.headers["content-encoding"], segment.headers["vary"]) == ("gzip", "Accept-Encoding")
        plain = asked(epoch=ended["epoch"] + 1)
        assert segment.json() == plain.json()
        assert any(frame["frame"] == "withheld" for frame in segment.json()["frames"])
        for other in ({"first": 1}, {"stop": stop - 1}, {"as": "operator"}):
            assert "cache-control" not in asked(**other).headers, other
        assert asked(**{"as": "analyst"}).headers["etag"] != segment.headers["etag"]
        tag = {"If-None-Match": segment.headers["etag"]}
        assert http.get(address, params=whole, headers=tag).status_code == 304
        kept = [json.loads(gzip.decompress(file.read_bytes())) for file in (tmp_path / "segments").iterdir()]
        assert len(kept) == 2
        assert segment.json() in kept
        assert segment.json() == asked().json()
