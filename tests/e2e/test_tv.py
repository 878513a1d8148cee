"""The broadcast at /tv: it goes on from match to match by itself, and a clean one has nothing to click."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED
from tests.support.play.story_match import StoryMatch, record

pytestmark = pytest.mark.browser

OVER = StoryMatch(
    "told-over", "It is decided", 0.4, "France falls.", 0.7, origin="showcase", outcome="Turkey wins alone.", seed=3
)
CLICKABLE = "a, button, input, select, summary"
SCREENS: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 390, "height": 844}]


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with showcase matches of Diplomacy, and one that is over."""
    record(tmp_path, (OVER,))
    with live_server(tmp_path, "--showcase", "diplomacy") as server:
        yield server


@pytest.mark.parametrize(
    "size", [SCREENS[0], pytest.param(SCREENS[1], marks=pytest.mark.long)], ids=["screen", "phone"]
)
def test_it_shows_a_match_with_its_chances_and_nothing_to_click(
    new_page: Open, lane: LiveServer, size: ViewportSize
) -> None:
    page = new_page(size)
    page.goto(f"{lane.url}/tv?clean=1")
    expect(page.get_by_role("group", name="Map of Europe").locator("svg").first).to_be_visible(timeout=SETTLED)
    expect(page.get_by_role("list", name="Standings").locator(".percent").first).to_be_visible(timeout=SETTLED)
    expect(page.locator(".caption .hostile")).not_to_be_empty(timeout=SETTLED)
    assert page.locator(f":is({CLICKABLE}):visible:not([inert] *)").count() == 0
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate("document.scrollingElement.scrollHeight - innerHeight") <= 0


@pytest.mark.long
def test_after_the_end_it_shows_a_moment_and_then_the_next_match(new_page: Open, lane: LiveServer) -> None:
    page = new_page()
    page.goto(lane.url)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Watch").click(timeout=SETTLED)
    expect(page).to_have_url(re.compile(r"/tv$"))
    badge = page.get_by_role("banner").locator(".badge")
    expect(badge).to_have_text(re.compile("^Live"), timeout=SETTLED)
    (playing,) = lane.get("/api/episodes")["lanes"]
    lane.command(playing["episode_id"], "stop")
    expect(badge).to_have_text("Stopped", timeout=2 * SETTLED)
    expect(page.get_by_text("Best moment")).to_be_visible(timeout=SETTLED)
    expect(badge).to_have_text(re.compile("^Live"), timeout=4 * SETTLED)
    page.get_by_role("link", name="Open the match").click()
    expect(page).to_have_url(re.compile(r"/episode/.*as=analyst"))
    assert playing["episode_id"] not in page.url
