"""Matches that are steered at the page, as the cockpit shows them and as the record has them."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.support.live_server import LiveServer
from tests.support.page.screen import SETTLED, Screen
from tests.support.server.private_batches import visible_events
from tests.support.waiting import until


def controls(server: LiveServer, episode_id: str) -> list[tuple[str, Any]]:
    """Return the commands given to a match, in order, as its record has them."""
    frames = server.get(f"/api/episodes/{episode_id}/events")["frames"]
    changes = [f["event"]["data"] for f in frames if f.get("event", {}).get("type") == "ControlChanged"]
    return [(change["command"], change["value"]) for change in changes]


def turns(server: LiveServer, episode_id: str) -> int:
    frames = server.get(f"/api/episodes/{episode_id}/events")["frames"]
    return sum(f.get("event", {}).get("type") == "TurnStarted" for f in frames)


def human_actions(server: LiveServer, match: str, count: int) -> list[dict[str, Any]]:
    """Return the actions in the record that a person chose, once there are `count`."""
    actions: list[dict[str, Any]] = []

    def come() -> bool:
        frames = server.get(f"/api/episodes/{match}/events", **{"as": "operator"})["frames"]
        chosen = [event["data"] for event in visible_events(frames) if event["type"] == "ActionChosen"]
        actions[:] = [data["action"] for data in chosen if data["source"] == "human"]
        return len(actions) >= count

    assert until(come), f"a person chose only {actions}"
    return actions


def opened_match(page: Page) -> str:
    """Return the id of the match that the cockpit shows."""
    page.wait_for_url(re.compile(r"/cockpit\?match="))
    match: str = page.url.partition("match=")[2]
    return match


def stop_permanently(page: Page, buttons: Page | Locator) -> None:
    """Stop what `buttons` steer, on a page whose clock is installed: in its usual time, the question passes soon."""
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
    buttons.get_by_role("button", name="Stop", exact=True).click()
    buttons.get_by_role("button", name="Stop permanently?").click()
    page.clock.resume()


def open_cockpit(screen: Screen, server: LiveServer, episode_id: str) -> Page:
    screen.page.goto(f"{server.url}/cockpit?match={episode_id}")
    expect(screen.page.get_by_role("table").first).to_be_visible(timeout=SETTLED)
    return screen.page
