"""The costs of a first visit, measured in the browser: requests, bytes, and paints while a match is live."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED
from tests.support.play.story_match import StoryMatch, record

pytestmark = pytest.mark.browser

REQUESTS = 20
"""Of the front page: the document, its files, those of two games' cards, and one request for each part of the lobby."""

BYTES = 250_000
"""Of the front page: some 7 s on a slow phone connection of 300 kbit/s. A live match of each game has some 190 kB."""

MATCH_REQUESTS = 36
"""Of the page of a match, which also loads the whole board, the panels and the controls."""

MATCH_BYTES = 360_000
"""Of the page of a match; its history grows with the match."""

PAINTS = 300
"""Animation frames that the page may ask for in 100 frames of the stream: of a step, picture, score and words."""

TENSE = StoryMatch("told-tense", "Turkey needs two more", 0.9, "Turkey takes Vienna.", importance=0.8, seed=2)
OVER = StoryMatch(
    "told-over", "It is decided", 0.4, "France falls.", 0.7, origin="showcase", outcome="Turkey wins alone.", seed=3
)


class Traffic:
    """The requests of a page, and the bytes as they came over the network."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self.urls: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        self.frames = 0
        self._session.send("Network.enable")
        self._session.on("Network.requestWillBeSent", lambda event: self._open(event, event["request"]["url"]))
        self._session.on("Network.webSocketCreated", lambda event: self._open(event, event["url"]))
        self._session.on("Network.dataReceived", lambda event: self._add(event, event["encodedDataLength"]))
        self._session.on("Network.webSocketFrameReceived", self._frame)

    @property
    def size(self) -> int:
        return sum(self.sizes.values())

    def of(self, part: str) -> list[str]:
        return [url for url in self.urls.values() if part in url]

    def _open(self, event: dict[str, Any], url: str) -> None:
        if not url.startswith("data:"):
            self.urls[event["requestId"]] = url

    def _add(self, event: dict[str, Any], size: int) -> None:
        self.sizes[event["requestId"]] = self.sizes.get(event["requestId"], 0) + size

    def _frame(self, event: dict[str, Any]) -> None:
        self.frames += 1
        self._add(event, len(event["response"]["payloadData"]))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with a live match of each game, and one that has ended."""
    folder = tmp_path_factory.mktemp("both")
    record(folder, (OVER, TENSE))
    with live_server(folder) as server:
        server.start_match(game="cricket", seed=3, pace=0.2, title="In play")
        yield server


def test_the_front_page_is_few_requests_and_little(new_page: Open, both: LiveServer) -> None:
    page = new_page()
    traffic = Traffic(page)
    page.goto(both.url)
    expect(page.get_by_role("article", name="In the main place").locator("svg").first).to_be_visible(timeout=SETTLED)
    expect(page.get_by_role("region", name="Best moments of the day")).to_be_attached()
    expect(page.get_by_role("region", name="Also live").locator("svg").first).to_be_visible(timeout=SETTLED)
    assert len(traffic.urls) <= REQUESTS, traffic.urls.values()
    assert traffic.size <= BYTES, traffic.size
    assert traffic.of("/events") == []
    assert traffic.of("/assets/Tv") == []
    assert len(traffic.of("/api/lobby")) == 2


def test_the_page_of_a_match_is_within_its_budget(new_page: Open, both: LiveServer) -> None:
    page = new_page()
    traffic = Traffic(page)
    page.goto(f"{both.url}/episode/told-tense")
    expect(page.locator("svg").first).to_be_visible(timeout=SETTLED)
    page.wait_for_load_state("load")
    assert len(traffic.urls) <= MATCH_REQUESTS, traffic.urls.values()
    assert traffic.size <= MATCH_BYTES, traffic.size


@pytest.mark.long
def test_a_live_match_is_painted_no_more_often_than_it_changes(new_page: Open, both: LiveServer) -> None:
    page = new_page()
    traffic = Traffic(page)
    episode = both.start_match(game="cricket", seed=3, pace=0.2, options={"overs": 50})  # the other may be over
    page.add_init_script(
        "window.paints = 0; const asked = requestAnimationFrame;"
        "window.requestAnimationFrame = (run) => asked((at) => { window.paints++; run(at); });"
    )
    page.goto(f"{both.url}/episode/{episode}")
    expect(page.locator("svg").first).to_be_visible(timeout=SETTLED)
    began, frames = page.evaluate("window.paints"), traffic.frames
    while traffic.frames < frames + 100:
        page.wait_for_timeout(200)
    painted = page.evaluate("window.paints") - began
    assert painted * 100 <= PAINTS * (traffic.frames - frames), painted
