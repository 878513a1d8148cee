"""The routes of the clips where their store fails. What they serve otherwise is in `tests/server/test_voice.py`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import httpx2
import pytest
from fastapi import FastAPI

from grandstand.server.access import Access
from grandstand.server.api.files import clips
from grandstand.server.auth import Auth
from grandstand.server.http import install_problems
from grandstand.spectator.history import History
from grandstand.spectator.voice.clips import Clips
from grandstand.spectator.voice.scheduler import VoiceScheduler
from tests.support.server.match_services import MatchServices


class FailingVoice:
    """A voice whose clips cannot be read."""

    def __init__(self, store: Clips) -> None:
        self.clips = store
        store.close()

    def growing(self, name: str) -> None: ...


def ask(folder: Path, path: str) -> httpx2.Response:
    app = FastAPI()
    install_problems(app)
    voice = cast("VoiceScheduler", FailingVoice(Clips(folder, 1000)))
    history: History = MatchServices().history
    access = Access(Auth("127.0.0.1", None), history)
    app.state.parts = SimpleNamespace(voice=voice, history=history, access=access)
    app.include_router(clips.router, prefix="/api/clips")

    async def get() -> httpx2.Response:
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://127.0.0.1") as client:
            return await client.get(path)

    return asyncio.run(get())


def test_a_damaged_store_is_no_bug_and_names_no_folder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    response = ask(tmp_path / "clips", f"/api/clips/{'0' * 64}")
    assert response.status_code == 503
    assert response.json()["title"] == "The clips of the voice cannot be read for now"
    assert response.headers["retry-after"]
    assert str(tmp_path) not in response.text
    assert "index.db" in caplog.text
