"""A stranger's way: the front page, a match in progress, a lie, a call, the end, and the next match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.screen import SETTLED, Screen
from tests.support.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[LiveServer]:
    """A server that always shows a match of Diplomacy."""
    with live_server(tmp_path, "--showcase", "diplomacy") as server:
        yield server


def calls(question: Locator, name: str) -> bool:
    """Call `name`, and return whether the call counts: it comes too late if the next turn begins meanwhile."""
    question.get_by_role("button", name=name).click(timeout=SETTLED)
    said = question.get_by_text(f"You said {name}").or_(question.page.locator(".predict .refusal"))
    said.first.wait_for(timeout=SETTLED)
    return "You said" in (question.text_content() or "")


def test_a_stranger_watches_a_lie_calls_the_winner_and_is_taken_to_the_next_match(
    screen: Screen, stage: LiveServer
) -> None:
    page = screen.page
    page.goto(stage.url)
    page.locator(".actions").get_by_role("link", name="Watch", exact=True).click(timeout=SETTLED)
    match = stage.get("/api/episodes")["lanes"][0]["episode_id"]
    expect(page).to_have_url(re.compile(f"/episode/{match}"))
    screen.board().wait_for(timeout=SETTLED)
    screen.follows()

    expect(page.get_by_role("complementary", name="A lie")).to_contain_text("not meant", timeout=2 * SETTLED)
    who = page.get_by_role("group", name="Who wins?")
    assert until(lambda: calls(who, "England"))
    expect(who).to_contain_text(re.compile(r"You said England\..*The server: \d+\s%"))
    screen.errors = [error for error in screen.errors if "409" not in error]  # what is called too late is refused

    stage.command(match, "stop")
    end = page.get_by_role("region", name="The end of the match")
    expect(end.get_by_role("timer")).to_be_visible(timeout=SETTLED)
    expect(page).not_to_have_url(re.compile(match), timeout=SETTLED)
    expect(page).to_have_url(re.compile("/episode/diplomacy-"))
    screen.board().wait_for(timeout=SETTLED)
    screen.follows()
