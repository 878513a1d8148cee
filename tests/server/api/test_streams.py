"""The routes of the streams, where the record cannot be read."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi import WebSocket

from grandstand.server.api.streams import watch
from grandstand.spectator.errors import CloseCode, RecordError, StorageError


@pytest.mark.parametrize(
    ("error", "code"),
    [(StorageError("PostgreSQL does not answer"), CloseCode.STOPPING), (RecordError("damaged"), CloseCode.INTERNAL)],
)
def test_a_viewer_hears_whether_to_come_back(error: Exception, code: CloseCode) -> None:
    sent: list[Any] = []

    async def ready(episode_id: str, after: object) -> None:
        raise error

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def scene() -> None:
        connection = WebSocket({"type": "websocket", "path": "/", "headers": []}, receive, send)
        await watch(cast("Any", SimpleNamespace(hub=SimpleNamespace(ready=ready))), connection, "any")

    asyncio.run(scene())
    assert sent[-1] == {"type": "websocket.close", "code": code, "reason": str(error)}
