"""An operator deletes an episode on the page, and is told why not."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support import http
from tests.support.live_server import LiveServer
from tests.support.page.screen import SETTLED, Screen

pytestmark = [pytest.mark.browser, pytest.mark.long]


def stopped(server: LiveServer, **fields: object) -> str:
    match = server.start_match(game="diplomacy", seed=3, pace=1, **fields)
    server.command(match, "stop")
    return match


@pytest.mark.long
def test_a_match_is_deleted_after_a_question(screen: Screen, server: LiveServer) -> None:
    match = stopped(server, title="A match to forget")
    server.wait_for(match, status="stopped")
    page = screen.page
    screen.open(f"{server.url}/episode/{match}")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Delete", exact=True).click()
    question = page.get_by_role("dialog", name="Delete this match?")
    expect(question).to_contain_text("A match to forget is deleted for everybody, and no statistics count it")
    question.get_by_role("button", name="Keep it").click()
    expect(question).to_be_hidden()
    assert server.get(f"/api/episodes/{match}")["status"] == "stopped"
    page.goto(f"{server.url}/cockpit?match={match}")
    page.get_by_role("button", name="Delete", exact=True).click(timeout=SETTLED)
    question.get_by_role("button", name="Delete the match").click()
    page.wait_for_url(f"{server.url}/cockpit", timeout=SETTLED)
    assert http.get(f"{server.url}/api/episodes/{match}").status_code == 404
    expect(page.get_by_role("link", name="A match to forget")).to_have_count(0)


def test_a_match_that_spectators_still_watch_is_kept_with_the_reason(screen: Screen, server: LiveServer) -> None:
    match = stopped(server, delay=3000)
    page = screen.page
    screen.open(f"{server.url}/episode/{match}?as=operator")
    page.get_by_role("button", name="More", exact=True).click(timeout=SETTLED)
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete the match").click()
    expect(page.get_by_role("alert")).to_contain_text("is shown 3000 s late", timeout=SETTLED)
    page.get_by_role("button", name="Keep it").click()
    assert server.get(f"/api/episodes/{match}")["episode_id"] == match
    screen.errors[:] = [error for error in screen.errors if "409 (Conflict)" not in error]
