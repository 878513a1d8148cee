"""The events of an episode, asked for where another server knows more of them."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any, cast

from grandstand.server.api.episodes.records import events
from grandstand.spectator.framing import StreamPosition
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import OPERATOR
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
        answer = await events(cast("Any", parts), cast("Any", None), EPISODE, "operator", 0, stop)
        body = b"".join([cast("bytes", piece) async for piece in answer.body_iterator])
        return [frame["event"]["seq"] for frame in json.loads(body)["frames"]]

    async def scene() -> None:
        assert len(await page(len(log))) == len(log)
        assert await page(len(log) + 1) == [event.seq for event in (*log, *more)]

    access, hub = SimpleNamespace(look=lambda *_: OPERATOR), SimpleNamespace(ready=ready)
    parts = SimpleNamespace(access=access, history=history, hub=hub, long_responses=asyncio.Lock())
    asyncio.run(scene())
