"""The server's record of an episode, in the terms in which the page shows it."""

from __future__ import annotations

from typing import Any

from tests.support.live_server import LiveServer
from tests.support.server.private_batches import visible_events


class Record:
    """Every frame of an episode, as a spectator may know it."""

    def __init__(self, server: LiveServer, episode_id: str) -> None:
        page = server.get(f"/api/episodes/{episode_id}/events", **{"as": "spectator"})
        self.frames: list[dict[str, Any]] = page["frames"]
        self.last: int = page["last_seq"]
        assert len(self.frames) == self.last + 1

    @property
    def withheld(self) -> set[int]:
        return {frame["seq"] for frame in self.frames if frame["frame"] == "withheld"}

    def numbers(self, *kinds: str) -> list[int]:
        """The numbers of the events of these kinds."""
        return [event["seq"] for event in self.events(*kinds)]

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        return [event for event in visible_events(self.frames) if event["type"] in kinds]
