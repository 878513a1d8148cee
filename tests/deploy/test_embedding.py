"""The page as a Space shows it: in a frame of huggingface.co, under a name of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, Page, expect, sync_playwright

from tests.support.live_server import LiveServer, live_server
from tests.support.requirements import chromium

PARENT = "https://huggingface.co/spaces/demo/grandstand"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--host-resolver-rules=MAP demo.hf.space 127.0.0.1",
    # The frame is served without TLS here, and from this machine.
    "--allow-running-insecure-content",
    "--disable-features=LocalNetworkAccessChecks",
]
HOST = """
<!doctype html>
<title>A Space</title>
<iframe style="width: 100%; height: 900px"></iframe>
<script>
    const frame = document.querySelector('iframe');
    frame.src = 'http://demo.hf.space:PORT/' + location.search + location.hash;
    addEventListener('message', ({ data, origin }) => {
        if (origin !== new URL(frame.src).origin) return;
        const url = new URL(location.href);
        url.search = data.queryString;
        url.hash = data.hash;
        history.replaceState(null, '', url);
    });
</script>
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(Path(tmp_path_factory.mktemp("record")), "--host", "0.0.0.0") as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def space(browser: Browser, server: LiveServer) -> Iterator[Page]:
    """A page of huggingface.co that frames the server as it does a Space."""
    page = browser.new_page()
    body = HOST.replace("PORT", server.url.rpartition(":")[2])
    page.route("https://huggingface.co/**", lambda route: route.fulfill(body=body, content_type="text/html"))
    yield page
    page.close()


def framed(page: Page) -> Frame:
    page.wait_for_function("frames.length === 1")
    page.frame_locator("iframe").get_by_role("main").first.wait_for()
    return page.frames[1]


@pytest.mark.long
def test_the_address_of_the_space_names_the_moment_and_opens_it(space: Page, server: LiveServer) -> None:
    episode_id = server.start_match(game="diplomacy", seed=1, pace=0.5, options={"last_year": 1901})
    server.wait_for(episode_id, status="finished", timeout=60)
    space.goto(PARENT + "?__theme=dark")
    frame = framed(space)
    frame.locator(f'a[href="/episode/{episode_id}"]').first.click()
    frame.get_by_label("Moment of the match").wait_for()
    space.wait_for_url(f"{PARENT}#/episode/{episode_id}**")
    frame.get_by_label("Moment of the match").press("Home")
    space.wait_for_url(re.compile(r"seq=\d+$"))
    copied = space.url
    moment = copied.partition("seq=")[2]

    space.goto("about:blank")
    space.goto(copied)
    again = framed(space)
    again.wait_for_url(f"**/episode/{episode_id}?seq={moment}")
    expect(again.get_by_label("Moment of the match")).to_have_value(moment)


@pytest.mark.long
def test_a_live_match_is_watched_over_a_socket_in_the_frame(space: Page, server: LiveServer) -> None:
    episode_id = server.start_match(game="diplomacy", seed=2, pace=0.5)
    sockets: list[str] = []
    space.on("websocket", lambda socket: sockets.append(socket.url))
    space.goto(f"{PARENT}#/episode/{episode_id}")
    slider = framed(space).get_by_label("Moment of the match")
    slider.wait_for()
    first = int(slider.get_attribute("max") or 0)
    framed(space).wait_for_function(
        "first => Number(document.querySelector('[aria-label=\"Moment of the match\"]').max) > first + 5", arg=first
    )
    assert any(f"/api/episodes/{episode_id}/watch" in url for url in sockets)


@pytest.mark.long
def test_the_address_of_the_space_opens_an_embedded_range(space: Page, server: LiveServer) -> None:
    episode_id = server.start_match(game="diplomacy", seed=3, pace=0, options={"last_year": 1901})
    last = server.wait_for(episode_id, status="finished", timeout=60)["last_seq"]
    space.goto(f"{PARENT}#/embed/{episode_id}?first={last // 2}&autoplay=0&controls=1")
    frame = framed(space)
    frame.wait_for_url(f"**/embed/{episode_id}?first={last // 2}&autoplay=0&controls=1")
    assert frame.get_by_label("Moment of the match").get_attribute("min") == str(last // 2)
    assert (
        frame.get_by_role("link", name="Grandstand").get_attribute("href") == f"/episode/{episode_id}?seq={last // 2}"
    )
