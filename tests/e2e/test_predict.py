"""A viewer calls what comes next with one tap, and is told what the server thought, and what came."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, GRANDSTAND_PACE="0.2") as running:
        yield running


def predict(page: Page, server: LiveServer, match: str, more: str = "") -> None:
    page.goto(f"{server.url}/episode/{match}{more}")
    expect(page.get_by_role("region", name="Predict")).to_be_visible(timeout=SETTLED)


def test_a_call_with_one_tap_is_scored_at_the_end(new_page: Open, server: LiveServer) -> None:
    match = server.start_match(
        game="diplomacy", players={"FRANCE": "person"}, options={"press": "none", "last_year": 1901}
    )
    page = new_page()
    predict(page, server, match)
    who = page.get_by_role("group", name="Who wins?")
    who.get_by_role("button", name="England").click()
    expect(who).to_contain_text(re.compile(r"You said England\..*The server: \d+\s%"))
    page.reload()
    expect(who).to_contain_text("You said England", timeout=SETTLED)
    server.command(match, "leave", seat="FRANCE")
    expect(page.get_by_role("region", name="The end of the match")).to_be_visible(timeout=SETTLED)
    expect(page.get_by_role("region", name="Predict")).to_contain_text(re.compile(r"\d of 1 right"), timeout=SETTLED)
    page.get_by_text("The audience, and the table of the day").click()
    page.get_by_label("Your name in the table").fill("Ada")
    page.get_by_role("button", name="Save").click()


def test_a_seat_is_not_asked(new_page: Open, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", players={"FRANCE": "person"}, options={"press": "none"})
    page = new_page()
    predict(page, server, match)
    page.goto(f"{server.url}/episode/{match}?as=seat:FRANCE")
    page.get_by_role("tab", name="Story").wait_for(timeout=SETTLED)
    expect(page.get_by_role("region", name="Predict")).to_have_count(0)
