"""A seat by keyboard alone, from the front page to the first answer, and pages with text of twice the size."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.on_map import MapPage
from tests.support.page.screen import SETTLED
from tests.support.page.steered import human_actions
from tests.support.waiting import until

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}
MOST = 25
"""Keys from the front page to a seat's first answer."""


@pytest.fixture(scope="module")
def lanes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with a showcase match of each game."""
    with live_server(tmp_path_factory.mktemp("lanes"), "--showcase", "diplomacy,cricket") as server:
        assert until(lambda: all(lane["episode_id"] for lane in server.get("/api/episodes")["lanes"]))
        yield server


class Keyboard:
    """Presses keys one by one, counts them, and sees that an element of the page always has the focus."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0
        self.lost: list[str] = []

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1
            self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
            self.note(key)

    def note(self, after: str) -> None:
        if self.page.evaluate("document.activeElement === document.body"):
            self.lost.append(f"{after}, key {self.pressed}")

    def to(self, element: Locator) -> None:
        """Press the tab key until the element has the focus."""
        while self.pressed < 2 * MOST and not element.evaluate("(element) => element === document.activeElement"):
            self.press("Tab")
        expect(element).to_be_focused()

    def sit(self, server: LiveServer, game: str) -> str:
        """Take the first seat of a new match of the game, and return the id of the match."""
        self.page.goto(server.url)
        place = self.page.get_by_role("article", name="In the main place")
        place.get_by_role("button", name="Play", exact=True).wait_for(timeout=SETTLED)
        play = self.page.get_by_role("navigation", name="Pages").get_by_role("button", name="Play")
        if game not in place.inner_text().lower():
            play = self.page.get_by_role("region", name="Also live").get_by_role(
                "button", name=re.compile(f"Play {game}", re.IGNORECASE)
            )
        self.to(play)
        self.press("Enter")
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        self.press("Tab", "Enter")
        expect(self.page).to_have_url(re.compile(r"as=seat"), timeout=SETTLED)
        self.note("the seat is taken")
        return self.page.url.rpartition("/")[2].partition("?")[0]


@pytest.mark.long
def test_a_seat_of_diplomacy_takes_few_keys_from_the_front_page_to_the_orders(
    new_page: Open, lanes: LiveServer
) -> None:
    page = new_page()
    keyboard, map_page = Keyboard(page), MapPage(page)
    match = keyboard.sit(lanes, "diplomacy")
    say_nothing = page.get_by_role("button", name="Say nothing")
    first = page.get_by_role("group", name="To whom").get_by_role("checkbox").first
    for _ in range(3):
        expect(first).to_be_focused(timeout=SETTLED)
        keyboard.to(say_nothing)
        keyboard.press("Enter")
        # The next round may have begun by now; then the button is there again, but without the focus.
        page.wait_for_function("() => document.activeElement?.textContent.trim() !== 'Say nothing'", timeout=SETTLED)
        keyboard.note("the letters are sent")
    expect(map_page.map).to_be_focused(timeout=SETTLED)
    keyboard.press("ArrowRight", "Enter", "m", "ArrowRight", "Enter")
    expect(map_page.slips.locator("li:not(.open)")).to_have_count(1, timeout=SETTLED)
    [order] = map_page.chosen()
    keyboard.to(map_page.button("Submit"))
    keyboard.press("Enter")
    expect(map_page.prompt).not_to_contain_text("unless ordered", timeout=SETTLED)
    keyboard.note("the orders are sent")
    assert order in human_actions(lanes, match, 1)[-1]["orders"]
    assert keyboard.lost == []
    assert keyboard.pressed <= MOST
    lanes.command(match, "stop")


@pytest.mark.long
def test_a_captain_takes_few_keys_from_the_front_page_to_an_answer(new_page: Open, lanes: LiveServer) -> None:
    page = new_page()
    keyboard, desk = Keyboard(page), page.get_by_role("region", name="Your choice")
    match = keyboard.sit(lanes, "cricket")
    expect(desk).to_be_focused(timeout=SETTLED)
    keyboard.to(desk.locator(".body button").first)
    keyboard.press("Enter")
    human_actions(lanes, match, 1)
    keyboard.note("the answer is sent")
    assert keyboard.lost == []
    assert keyboard.pressed <= MOST
    lanes.command(match, "stop")


@pytest.mark.parametrize("width", [390, pytest.param(1300, marks=pytest.mark.long)])
@pytest.mark.long
def test_text_of_twice_the_size_does_not_scroll_sideways(new_page: Open, lanes: LiveServer, width: int) -> None:
    playing = {lane["game"]: lane["episode_id"] for lane in lanes.get("/api/episodes")["lanes"]}
    seats = {
        "TURKEY": lanes.start_match(game="diplomacy", pace=0, clock=3600, players={"TURKEY": "person"}),
        "away": lanes.start_match(game="cricket", pace=0, clock=3600, players={"away": "person"}),
    }
    watched = [f"/episode/{match}" for match in playing.values()]
    played = [f"/episode/{match}?as=seat:{seat}" for seat, match in seats.items()]
    page = new_page({"width": width, "height": 844})
    page.add_init_script("addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')")
    faults = []
    over = lanes.start_match(game="cricket", pace=0, options={"overs": 1})
    lanes.wait_for(over, status="finished")
    ended = [f"/episode/{over}", "/players/heuristic"]
    steered = [f"{watched[0]}?as=operator", f"/cockpit?match={seats['TURKEY']}"]
    for address in ["/", *watched, *played, *steered, "/cockpit?new", "/leaderboard", *ended, "/campaigns", "/tv"]:
        page.goto(lanes.url + address)
        page.locator("main, .programme").first.wait_for(timeout=SETTLED)
        if "/episode" in address:
            page.get_by_role("tab", name="Log").wait_for(timeout=SETTLED)
            page.locator(".caption .turn").wait_for(timeout=SETTLED)
        if address == "/":
            page.get_by_role("region", name="Who plays").get_by_role("listitem").first.wait_for(timeout=SETTLED)
        if address in ("/leaderboard", "/campaigns"):
            page.locator("main :is(td, ol a)").first.wait_for(timeout=SETTLED)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            faults.append(f"{address}: {wide} pixels")
    assert faults == []
    for match in seats.values():
        lanes.command(match, "stop")
