"""A viewer follows a player: from the match or its page, on the front page, by notification, and by feed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.axe import ALL, FAULTS, OF_COLOURS
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1300, "height": 900}

NOTICES = """
    window.notices = [];
    window.Notification = class {
        static permission = 'default';
        static async requestPermission() { return (Notification.permission = 'granted'); }
        constructor(title, { body }) { window.notices.push([title, body]); }
        close() {}
    };
"""
"""A browser whose user allows notifications, which are kept for the test."""
DENIED = "window.Notification = class { static permission = 'denied'; };"
SOON = "const every = setInterval; window.setInterval = (run, pause) => every(run, pause === 20000 ? 200 : pause);"
"""The look at live matches every 0.2 s in place of every 20 s."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, GRANDSTAND_PACE="0.2") as running:
        yield running


def start(server: LiveServer, title: str) -> str:
    """Start a match of dumbbot that stands still."""
    players = {"FRANCE": "person", "ENGLAND": "dumbbot"}
    return server.start_match(game="diplomacy", players=players, options={"press": "none"}, title=title)


def follow_in_match(page: Page, server: LiveServer, match: str) -> None:
    page.goto(f"{server.url}/episode/{match}")
    page.get_by_role("button", name="England: its player").click(timeout=SETTLED)
    button = page.get_by_role("button", name="Follow dumbbot")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


@pytest.mark.long
def test_who_is_followed_plays_now_on_the_front_page(new_page: Open, server: LiveServer) -> None:
    match = start(server, "A siege")
    page = new_page()
    follow_in_match(page, server, match)
    page.goto(server.url)
    followed = page.get_by_role("region", name="Followed")
    expect(followed.get_by_role("link", name="dumbbot plays now")).to_be_visible(timeout=SETTLED)
    server.command(match, "stop")
    expect(followed.get_by_role("link", name="dumbbot was stopped")).to_be_visible(timeout=SETTLED)
    followed.get_by_role("link", name="dumbbot").click()
    page.wait_for_url(f"**/episode/{match}*")


@pytest.mark.long
def test_a_seat_is_followed_by_the_keyboard(new_page: Open, server: LiveServer) -> None:
    page = new_page()
    page.goto(f"{server.url}/episode/{start(server, 'By keys')}")
    seat = page.get_by_role("button", name="England: its player")
    seat.wait_for(timeout=SETTLED)
    seat.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="dumbbot")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Follow dumbbot")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(seat).to_be_focused()
    expect(page.get_by_role("button", name="France: its player")).to_have_count(0)


@pytest.mark.long
def test_a_match_that_begins_is_notified_after_a_click(new_page: Open, server: LiveServer) -> None:
    match = start(server, "Before")
    page = new_page()
    page.add_init_script(NOTICES + SOON)
    follow_in_match(page, server, match)
    assert page.evaluate("[Notification.permission, notices]") == ["default", []]
    page.goto(server.url)
    followed = page.get_by_role("region", name="Followed")
    with page.expect_response(lambda answer: "status=live" in answer.url):
        followed.get_by_role("button", name="Notify me").click(timeout=SETTLED)
    expect(followed.get_by_role("status")).to_have_text("While a page of this server is open.")
    start(server, "A new siege")
    page.wait_for_function("() => notices.length > 1", timeout=SETTLED)
    assert page.evaluate("notices[1]") == ["dumbbot plays now", "A new siege"]


@pytest.mark.long
def test_blocked_notifications_are_told(new_page: Open, server: LiveServer) -> None:
    page = new_page()
    page.add_init_script(DENIED)
    follow_in_match(page, server, start(server, "Blocked"))
    page.goto(server.url)
    followed = page.get_by_role("region", name="Followed")
    expect(followed.get_by_role("status")).to_contain_text("blocked in the settings", timeout=SETTLED)
    expect(followed.get_by_role("button")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("viewport", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.long)], ids=["phone", "desktop"])
def test_the_page_of_a_player_follows_and_names_its_feeds(
    new_page: Open, server: LiveServer, axe: str, viewport: ViewportSize
) -> None:
    players = {"ENGLAND": "dumbbot"}
    options = {"press": "none", "last_year": 1901}
    match = server.start_match(game="diplomacy", players=players, options=options, pace=0)
    server.wait_for(match, status="finished")
    page = new_page(viewport, reduced_motion="reduce")
    page.add_init_script(axe)
    page.goto(f"{server.url}/player/dumbbot")
    page.get_by_role("button", name="Follow dumbbot").click(timeout=SETTLED)
    expect(page.get_by_role("button", name="Notify me")).to_be_visible()
    address = "/api/players/dumbbot/feed."
    expect(page.locator("link[rel=alternate]")).to_have_count(2)
    expect(page.locator("link[rel=alternate]").first).to_have_attribute("href", address + "atom")
    assert server.get(address + "json")["items"]
    faults = page.evaluate(FAULTS, ["main", "light", ALL]) + page.evaluate(FAULTS, ["main", "dark", OF_COLOURS])
    page.goto(server.url)
    page.get_by_role("region", name="Followed").wait_for(timeout=SETTLED)
    faults += page.evaluate(FAULTS, ["[aria-labelledby=followed]", "light", ALL])
    faults += page.evaluate(FAULTS, ["[aria-labelledby=followed]", "dark", OF_COLOURS])
    page.goto(f"{server.url}/episode/{match}")
    page.get_by_role("button", name="England: its player").click(timeout=SETTLED)
    page.get_by_role("button", name="Follow dumbbot").wait_for()
    faults += page.evaluate(FAULTS, [".seat-card:popover-open", "light", ALL])
    faults += page.evaluate(FAULTS, [".seat-card:popover-open", "dark", OF_COLOURS])
    assert faults == []
