"""A seat of a live match, by HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from grandstand.play.verification import verify
from grandstand.spectator.replay import events_from_lines
from tests.support import http
from tests.support.live_server import LiveServer
from tests.support.server.private_batches import visible_events
from tests.support.waiting import PATIENCE

TOKEN = "an operator's token"

OPERATOR = {"Authorization": f"Bearer {TOKEN}"}

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")

BOTS = dict.fromkeys(POWERS, "hold")

QUIET = {"press": "none"}

Result = TypeVar("Result")


def until(look: Callable[[], Result]) -> Result:
    """Return what `look` returns as soon as it is true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if result := look():
            return result
        time.sleep(0.02)
    raise AssertionError("it did not come true")


class Seat:
    """A person's seat of a match, over the API."""

    def __init__(self, server: LiveServer, episode: str, seat: str = "FRANCE", **headers: str) -> None:
        self.server, self.episode, self.seat, self.headers = server, episode, seat, headers

    @property
    def url(self) -> str:
        return f"{self.server.url}/api/episodes/{self.episode}/seats/{self.seat}"

    def view(self) -> dict[str, Any]:
        return dict(http.get(self.url, headers=self.headers).json())

    def asked(self) -> dict[str, Any]:
        """The seat's view, once the match waits for its action."""
        return until(lambda: view if (view := self.view()).get("asked") == "choose" else {})

    def save(self, index: int, *orders: str) -> None:
        body = {"index": index, "action": {"orders": list(orders)}}
        http.request("PUT", f"{self.url}/draft", json=body, headers=self.headers).raise_for_status()

    def send(self, action: dict[str, Any]) -> None:
        http.post(self.url, json={"action": action}, headers=self.headers).raise_for_status()

    def post(self, name: str) -> Any:
        return http.post(f"{self.url}/{name}", headers=self.headers)

    def decisions(self) -> list[tuple[Any, str]]:
        """The seat's decisions and their sources."""
        data = [
            event["data"] for event in events(self.server, self.episode, "operator") if event["type"] == "ActionChosen"
        ]
        return [(item["action"].get("orders"), item["source"]) for item in data if item["seat"] == self.seat]


def events(server: LiveServer, episode: str, viewpoint: str = "spectator") -> list[dict[str, Any]]:
    return list(visible_events(server.get(f"/api/episodes/{episode}/events", **{"as": viewpoint})["frames"]))


def of_type(server: LiveServer, episode: str, kind: str) -> list[dict[str, Any]]:
    return [event["data"] for event in events(server, episode) if event["type"] == kind]


def check_record(server: LiveServer, episode: str) -> None:
    """Stop the match, and play its record through the rules again."""
    server.command(episode, "stop")
    server.wait_for(episode, status="stopped")
    lines = http.text(f"{server.url}/api/episodes/{episode}/replay", params={"as": "operator"}).splitlines()
    verify(events_from_lines(lines))
