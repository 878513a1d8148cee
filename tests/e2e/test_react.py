"""Viewers react to the headline of the story, and the timeline rises where they did."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.axe import ALL, FAULTS, OF_COLOURS
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED
from tests.support.play.story_match import StoryMatch, record

pytestmark = pytest.mark.browser

TOLD = StoryMatch("told", "Turkey wins", 0.9, "Turkey takes Vienna.", importance=0.8, outcome="Turkey wins alone.")
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1300, "height": 900}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("told")
    record(folder, [TOLD])
    with live_server(folder) as server:
        yield server


def react(server: LiveServer, viewers: int, seq: int) -> None:
    """Let other viewers react to a moment."""
    for viewer in range(viewers):
        body = {"viewer": f"{viewer:032x}", "seq": seq, "reaction": "ouch"}
        server.post("/api/episodes/told/audience/reactions", body).raise_for_status()


def headline(page: Page) -> Locator:
    return page.locator("#panel section.current")


@pytest.mark.long
def test_a_reaction_is_counted_beside_the_headline_and_on_the_timeline(new_page: Open, server: LiveServer) -> None:
    page = new_page()
    page.goto(f"{server.url}/episode/told")
    ouch = headline(page).get_by_role("button", name="Ouch")
    expect(ouch).to_have_attribute("aria-pressed", "false", timeout=SETTLED)
    expect(page.locator(".timeline .rise")).to_have_count(0)
    ouch.click()
    expect(ouch).to_have_attribute("aria-pressed", "true")
    expect(ouch).to_contain_text("1")
    expect(page.locator(".timeline .rise")).to_have_count(1)
    ouch.click()
    expect(ouch).to_contain_text("1")
    (moment,) = server.get("/api/episodes/told/audience")["reactions"]
    react(server, 3, moment["seq"])
    page.reload()
    expect(headline(page).get_by_role("button", name="Ouch")).to_contain_text("4", timeout=SETTLED)
    expect(headline(page).get_by_role("button", name="Ouch")).to_have_attribute("aria-pressed", "true")


@pytest.mark.long
def test_the_keyboard_reacts_and_a_refusal_is_told(new_page: Open, server: LiveServer) -> None:
    page = new_page()
    page.route("**/audience/reactions", lambda route: route.fulfill(status=429, json={"detail": "Too many reactions."}))
    page.goto(f"{server.url}/episode/told")
    tense = headline(page).get_by_role("button", name="Tense")
    tense.focus()
    page.keyboard.press("Enter")
    expect(headline(page).get_by_role("status")).to_have_text("Too many reactions.", timeout=SETTLED)
    expect(tense).to_have_attribute("aria-pressed", "false")
    expect(tense).to_be_focused()


@pytest.mark.long
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_reactions_are_accessible_in_both_themes(
    new_page: Open, server: LiveServer, axe: str, viewport: ViewportSize
) -> None:
    page = new_page(viewport, has_touch=viewport == PHONE, reduced_motion="reduce")
    page.add_init_script(axe)
    page.goto(f"{server.url}/episode/told")
    buttons = headline(page).get_by_role("group", name="React").get_by_role("button")
    expect(buttons).to_have_count(3, timeout=SETTLED)
    buttons.first.click()
    boxes = [button.bounding_box() for button in buttons.all()]
    assert all(box and box["height"] >= (44 if viewport == PHONE else 32) for box in boxes), boxes
    faults = page.evaluate(FAULTS, ["#panel", "light", ALL]) + page.evaluate(FAULTS, ["#panel", "dark", OF_COLOURS])
    assert faults == []


def test_a_seat_neither_asks_nor_reacts(new_page: Open, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", players={"FRANCE": "person"}, options={"press": "none"})
    page = new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.url}/episode/{match}?as=seat:FRANCE")
    page.get_by_role("tab", name="Story").wait_for(timeout=SETTLED)
    expect(page.get_by_role("group", name="React")).to_have_count(0)
    assert [url for url in asked if "/audience" in url] == []
