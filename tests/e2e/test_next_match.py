"""The end of a showcase match leads on to the next one, and a page that is behind says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.page.standing import STANDING

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def lanes(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with a showcase match of each game."""
    with live_server(tmp_path, "--showcase", "diplomacy,cricket") as server:
        yield server


def test_the_end_leads_on_to_the_next_match_unless_the_reader_stays(new_page: Open, lanes: LiveServer) -> None:
    playing = {lane["game"]: lane["episode_id"] for lane in lanes.get("/api/episodes")["lanes"]}
    watching, staying = Screen(new_page()), Screen(new_page())
    # The time until the next match stands still on the page of a reader who is slow.
    staying.page.add_init_script(STANDING + "window.standAt = 'Stay here';")
    for screen in (watching, staying):
        screen.open(f"{lanes.url}/episode/{playing['diplomacy']}")
        screen.follows()
    lanes.command(playing["diplomacy"], "stop")
    end = staying.page.get_by_role("region", name="The end of the match")
    end.get_by_role("button", name="Stay here").click(timeout=SETTLED)
    staying.page.evaluate("goOn()")
    expect(end.get_by_role("link", name="Watch the next match")).to_be_visible()
    expect(end.get_by_role("timer")).to_have_count(0)
    expect(watching.page).not_to_have_url(re.compile(playing["diplomacy"]), timeout=SETTLED)
    expect(watching.page).to_have_url(re.compile("/episode/"))
    watching.board().wait_for(timeout=SETTLED)
    expect(staying.page).to_have_url(re.compile(playing["diplomacy"]))


def test_a_match_that_is_over_does_not_lead_away(new_page: Open, lanes: LiveServer) -> None:
    playing = {lane["game"]: lane["episode_id"] for lane in lanes.get("/api/episodes")["lanes"]}
    lanes.command(playing["diplomacy"], "stop")
    lanes.wait_for(playing["diplomacy"], status="stopped")
    screen = Screen(new_page())
    screen.open(f"{lanes.url}/episode/{playing['diplomacy']}")
    end = screen.page.get_by_role("region", name="The end of the match")
    expect(end.get_by_role("link", name="Watch the next match")).to_be_visible(timeout=SETTLED)
    expect(end.get_by_role("button", name="Stay here")).to_have_count(0)


def test_a_page_that_is_behind_says_how_far_and_jumps_to_now(new_page: Open, lanes: LiveServer) -> None:
    match = lanes.start_match(game="diplomacy", seed=3, pace=0.5, options={"last_year": 1960})
    screen = Screen(new_page())
    screen.open(f"{lanes.url}/episode/{match}")
    badge = screen.page.get_by_role("banner").locator(".badge")
    expect(badge).to_have_text(re.compile(r"^Live, 0:\d\d back$"), timeout=SETTLED)
    screen.page.get_by_role("contentinfo").get_by_role("button", name="Jump to now").click()
    expect(badge).to_have_text("Live")
