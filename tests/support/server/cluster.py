"""Several real servers of one record in PostgreSQL, each with a data folder of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from grandstand.models import Event
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.spectator.stores import postgres_store

TOKEN = "t" * 32
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}


class Servers:
    """Servers of one record."""

    def __init__(self, folder: Path, url: str, stack: ExitStack) -> None:
        self.url = url
        self._folder = folder
        self._stack = stack
        self._count = 0

    def start(self, role: str = "all", *flags: str, name: str = "", within: Sequence[str] = ()) -> LiveServer:
        """Start a server. With the `name` of one that has ended, it has the data folder of that one."""
        self._count += 1
        folder = self._folder / (name or str(self._count))
        options = ("--store", self.url, "--role", role, *flags)
        return self._stack.enter_context(live_server(folder, *options, within=within, GRANDSTAND_OPERATOR_TOKEN=TOKEN))


def begin(server: LiveServer, **request: Any) -> str:
    """Start a match and return its episode id."""
    body = {"game": "cricket", "seed": 7, "pace": 0.2, "options": {"overs": 3}, **request}
    answer = http.post(f"{server.url}/api/episodes", json=body, headers=OPERATOR)
    assert answer.is_success, answer.text
    return str(answer.json()["episode_id"])


def recorded(url: str, episode_id: str) -> list[Event]:
    """Return the events of an episode in the database."""
    store = postgres_store(url)
    events = list(store.events(episode_id))
    store.close()
    return events
