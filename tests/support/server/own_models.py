"""Matches of visitors with models and keys of their own."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from tests.support.live_server import LiveServer, live_server
from tests.support.players.chat_server import ChatServer, says
from tests.support.server.private_batches import visible_events

KEY = "sk-visitor-0123456789"

TOKEN = "an operator's token"

OPERATOR = {"Authorization": f"Bearer {TOKEN}"}

QUIET = {"press": "none", "last_year": 1901}

HOLD = says('{"orders": []}')


def server_for(
    endpoint: ChatServer, data: Path, constants: Mapping[str, object] | None = None, **settings: str
) -> AbstractContextManager[LiveServer]:
    """Return a server that takes keys of visitors for `endpoint`."""
    usual = {"visitor_keys": "true", "visitor_endpoints": f"local={endpoint.url}"}
    usual |= {"operator_token": TOKEN, "visitor_pace": "0", "visitor_credits": "10000"}
    env: Any = {f"GRANDSTAND_{name.upper()}": value for name, value in (usual | settings).items()}
    return live_server(data, constants=constants, **env)


def request(**changes: Any) -> dict[str, Any]:
    model = {"endpoint": "local", "model": "org/small-1", "api_key": KEY, **changes.pop("model", {})}
    return {"game": "diplomacy", "seat": "FRANCE", "models": {"FRANCE": model}, "options": QUIET, "pace": 0, **changes}


def play(server: LiveServer, **changes: Any) -> dict[str, Any]:
    return dict(server.post("/api/play", request(**changes)).raise_for_status().json())


def faults(server: LiveServer, episode: str) -> list[tuple[str, str]]:
    frames = server.get(f"/api/episodes/{episode}/events", **{"as": "spectator"})["frames"]
    events = [event["data"] for event in visible_events(frames) if event["type"] == "PlayerFault"]
    return [(fault["boundary"], fault["message"]) for fault in events]
