"""What a new installation shows before anything was played on it: its past, marked as reference."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.screen import Screen

pytestmark = pytest.mark.browser

EXPERIMENTS = 13


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server on an empty folder, with the reference of Werewolf and of campaigns."""
    with live_server(tmp_path_factory.mktemp("new"), "--showcase", "werewolf") as server:
        yield server


@pytest.mark.long
def test_a_new_installation_has_a_past(new: LiveServer, screen: Screen) -> None:
    page = screen.page
    page.goto(new.url)
    expect(page.get_by_role("heading", name="Best moments", exact=True)).to_be_visible()
    played = page.locator("#matches a.card", has_text="reference")
    expect(played.first).to_be_visible()
    expect(played.first.locator("abbr")).to_have_attribute(
        "title", "It came with the installation, and was not played here"
    )
    experiment = played.filter(has=page.get_by_role("heading", name="Experiment 13: grouping strategies"))
    experiment.scroll_into_view_if_needed()
    expect(experiment).to_contain_text("Stratification improves learning refuted")

    page.goto(f"{new.url}/leaderboard?game=werewolf")
    expect(page.get_by_text("are reference: they came with the installation")).to_be_visible()
    expect(page.get_by_role("table", name="Ratings").get_by_role("row")).not_to_have_count(0)
    page.get_by_role("link", name="hothead").first.click()
    expect(page.get_by_role("heading", name="hothead")).to_be_visible()

    page.goto(f"{new.url}/campaigns")
    expect(page.locator("main ol > li", has_text="reference")).to_have_count(EXPERIMENTS)
    page.get_by_text("Experiment 13: grouping strategies").click()
    expect(page.get_by_text("4 claims: 2 supported, 1 refuted, 1 undecided")).to_be_visible()


@pytest.mark.long
def test_a_reference_match_is_told_scrubbed_and_shared(new: LiveServer, screen: Screen) -> None:
    matches = new.get("/api/episodes", game="werewolf", status="finished")["episodes"]
    match = next(each for each in matches if each["reference"])
    screen.open(f"{new.url}/episode/{match['episode_id']}?seq=60")
    expect(screen.page.locator("h1 abbr")).to_have_text("reference")
    expect(screen.count).to_contain_text("Complete")
    assert screen.seq() >= 60
    screen.look(match["last_seq"] // 2)
    assert screen.seq() >= match["last_seq"] // 2
    screen.tab("Story")
    expect(screen.page.get_by_role("button", name=re.compile("^All of it: ")).first).to_be_visible()
