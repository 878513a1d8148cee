"""The lobby: what is live, queued and finished, and the way from there to a match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.e2e.screen import SETTLED, Screen
from tests.support.live_server import LiveServer, live_server

pytestmark = pytest.mark.browser


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with one finished match, one live and one queued behind it."""
    with live_server(tmp_path, "--slots", "1") as server:
        done = server.start_match(game="diplomacy", seed=7, pace=0, options={"last_year": 1902}, title="Over")
        server.wait_for(done, status="finished")
        server.start_match(game="diplomacy", seed=8, pace=0.5, title="In play")
        server.start_match(game="diplomacy", seed=9, title="Waiting")
        yield server


def test_it_shows_what_is_live_queued_and_played(screen: Screen, busy: LiveServer) -> None:
    screen.page.goto(busy.url)
    hero = screen.page.locator("article")
    expect(hero).to_contain_text("In play")
    expect(hero.locator("svg").first).to_be_visible(timeout=SETTLED)
    expect(screen.page.get_by_role("region", name="Up next")).to_contain_text("Waiting")
    expect(screen.page.get_by_role("region", name="Played")).to_contain_text("Over")
    assert screen.shifted() < 0.01
    turn = hero.get_by_role("heading").inner_text()
    expect(hero.get_by_role("heading")).not_to_have_text(turn, timeout=SETTLED)
    hero.get_by_role("link", name="Watch live").click()
    screen.board().wait_for()
    expect(screen.page.get_by_role("heading", name="In play")).to_be_visible()
    screen.page.go_back()
    expect(hero).to_be_visible()


def test_a_paused_match_does_not_say_live(screen: Screen, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = server.start_match(game="cricket", options={"overs": 1}, seed=3, paused=True)
        screen.page.goto(server.url)
        hero = screen.page.locator("article")
        expect(hero.get_by_text("Paused", exact=True)).to_be_visible(timeout=SETTLED)
        expect(hero.get_by_text("Live", exact=True)).to_have_count(0)
        screen.page.goto(f"{server.url}/episode/{episode}")
        expect(screen.page.get_by_role("banner").get_by_text("Paused")).to_be_visible(timeout=SETTLED)


@pytest.mark.parametrize("width", [390, 1024, 1600])
def test_nothing_overflows(new_page: Open, busy: LiveServer, width: int) -> None:
    page = new_page({"width": width, "height": 844})
    page.goto(busy.url)
    expect(page.locator("article svg").first).to_be_visible(timeout=SETTLED)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_an_empty_house_says_so(screen: Screen, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        screen.page.goto(server.url)
        expect(screen.page.get_by_role("heading", name="No match yet")).to_be_visible()
        server.start_match(game="diplomacy", seed=1, title="The first")
        expect(screen.page.locator("article")).to_contain_text("The first", timeout=SETTLED)


def test_the_theme_is_kept(new_page: Open, busy: LiveServer) -> None:
    page = new_page(color_scheme="light")
    page.goto(busy.url)
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Theme").click()
    page.get_by_role("button", name="Theme").click()
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark
