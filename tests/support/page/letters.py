"""Matches with letters in the browser: the model that writes them, and the events that a test compares."""

from __future__ import annotations

from typing import Any

from tests.support.live_server import LiveServer
from tests.support.server.private_batches import visible_events

ROSTER = """
[[player]]
name = "talker"
kind = "llm"
[player.options]
base_url = "{url}"
model = "test"
retries = 0
"""


def events(server: LiveServer, match: str, kind: str) -> list[dict[str, Any]]:
    """The data of all events of one type, as an operator knows them."""
    frames = server.get(f"/api/episodes/{match}/events", **{"as": "operator"})["frames"]
    return [event["data"] for event in visible_events(frames) if event["type"] == kind]
