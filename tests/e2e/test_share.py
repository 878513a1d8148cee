"""Sharing a moment from the match page, and the match on a page of another site."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from PIL import Image
from playwright.sync_api import FrameLocator, Page, WebSocketRoute, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import Screen

pytestmark = pytest.mark.browser

PARENT = """<!doctype html>
<title>A page of another site</title>
<iframe width="720" height="540"></iframe>
<script>
  window.messages = [];
  addEventListener('message', ({ data, origin }) => messages.push({ ...data, origin }));
  const frame = document.querySelector('iframe');
  window.tell = (message) => frame.contentWindow.postMessage({ target: 'grandstand', ...message }, '*');
  frame.src = new URLSearchParams(location.search).get('src');
</script>
"""


@contextmanager
def parent_site() -> Iterator[str]:
    """Serve PARENT on an origin of its own; yields the origin."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PARENT.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with parent_site() as origin:
        yield origin


@pytest.fixture(scope="module")
def short(server: LiveServer) -> str:
    """A match of two years of Diplomacy, already over."""
    episode_id = server.start_match(game="diplomacy", seed=4, pace=0, options={"last_year": 1902}, title="Two years")
    server.wait_for(episode_id, status="finished", timeout=120)
    return episode_id


@pytest.fixture(scope="module")
def running(server: LiveServer) -> str:
    """A match that goes on, which an operator could steer."""
    return server.start_match(game="diplomacy", seed=4, pace=60, title="Goes on")


def embedded(page: Page, site: str, url: str) -> FrameLocator:
    """Open a page of `site` that has `url` in a frame."""
    page.goto(site + "/?src=" + url.replace("&", "%26"))
    return page.frame_locator("iframe")


def messages(page: Page, event: str) -> list[dict[str, Any]]:
    return [message for message in page.evaluate("messages") if message.get("event") == event]


def received(page: Page, event: str) -> dict[str, Any]:
    """Wait for a message of that event, and return the last one."""
    page.wait_for_function("event => messages.some((message) => message.event === event)", arg=event)
    return messages(page, event)[-1]


def moment(frame: FrameLocator) -> int:
    return int(frame.get_by_label("Moment of the match").input_value())


def turns(server: LiveServer, episode_id: str) -> list[int]:
    """Return the numbers at which the turns begin."""
    frames = server.get(f"/api/episodes/{episode_id}/events")["frames"]
    return [frame["event"]["seq"] for frame in frames if frame.get("event", {}).get("type") == "TurnStarted"]


@pytest.mark.long
def test_a_page_of_another_site_shows_a_match_and_steers_its_playback(
    new_page: Open, server: LiveServer, short: str, site: str
) -> None:
    page = new_page()
    frame = embedded(page, site, f"{server.url}/embed/{short}?autoplay=0&pace=full&origin={site}")
    last = server.get(f"/api/episodes/{short}")["last_seq"]
    ready = received(page, "ready")
    assert (ready["source"], ready["origin"], ready["episode"]) == ("grandstand", server.url, short)
    assert (ready["last"], ready["status"]) == (last, "finished")
    expect(frame.get_by_role("main")).to_be_visible()
    expect(frame.get_by_role("button", name="Play")).to_be_visible()
    assert moment(frame) == turns(server, short)[0]

    second = turns(server, short)[1]
    page.evaluate("seq => tell({ command: 'seek', seq })", second)
    expect(frame.get_by_label("Moment of the match")).to_have_value(str(second))
    page.wait_for_function("messages.some(({ event, turn }) => event === 'turn' && turn !== 'S1901M')")
    assert messages(page, "ended") == []

    page.evaluate("tell({ command: 'play' })")
    ended = received(page, "ended")
    assert ended["seq"] == last
    assert ended["text"]
    assert next(message["turn"] for message in messages(page, "turn")) == "S1901M"
    expect(frame.get_by_role("link", name="Grandstand")).to_have_attribute("target", "_blank")


def test_a_live_match_is_followed_to_its_end(new_page: Open, server: LiveServer, site: str) -> None:
    episode_id = server.start_match(game="diplomacy", seed=4, pace=0.3, options={"last_year": 1901})
    page = new_page()
    embedded(page, site, f"{server.url}/embed/{episode_id}?pace=full")
    assert received(page, "ready")["status"] in ("queued", "live", "finished")
    last = server.wait_for(episode_id, status="finished", timeout=120)["last_seq"]
    assert received(page, "ended")["seq"] == last
    assert len(messages(page, "ended")) == 1


@pytest.mark.long
def test_a_range_is_played_to_its_end_and_no_further(new_page: Open, server: LiveServer, short: str, site: str) -> None:
    first, last = turns(server, short)[:2]
    page = new_page()
    frame = embedded(page, site, f"{server.url}/embed/{short}?first={first}&last={last}&pace=full")
    assert received(page, "ended")["seq"] == last
    assert (received(page, "ready")["seq"], moment(frame)) == (first, last)
    page.evaluate("tell({ command: 'seek', seq: 100000 })")
    page.evaluate("tell({ command: 'pause' })")
    expect(frame.get_by_label("Moment of the match")).to_have_value(str(last))


@pytest.mark.long
def test_options_choose_theme_and_controls(new_page: Open, server: LiveServer, short: str, site: str) -> None:
    page = new_page()
    frame = embedded(page, site, f"{server.url}/embed/{short}?theme=dark&controls=0&autoplay=0")
    expect(frame.get_by_role("main")).to_be_visible()
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    expect(frame.get_by_label("Moment of the match")).to_have_count(0)


@pytest.mark.long
def test_a_page_of_another_origin_than_the_named_one_is_neither_told_nor_obeyed(
    new_page: Open, server: LiveServer, short: str, site: str
) -> None:
    second = turns(server, short)[1]
    page = new_page()
    frame = embedded(page, site, f"{server.url}/embed/{short}?autoplay=0&origin=https://elsewhere.example")
    slider = frame.get_by_label("Moment of the match")
    expect(slider).to_have_value(str(turns(server, short)[0]))
    page.evaluate("seq => tell({ command: 'seek', seq })", second)
    # The frame answers its own user after it has had the message.
    slider.press("ArrowRight")
    expect(slider).not_to_have_value(str(turns(server, short)[0]))
    assert moment(frame) < second
    assert page.evaluate("messages") == []


def test_a_match_that_is_over_begins_at_its_first_turn_though_its_connection_is_open(
    new_page: Open, server: LiveServer, short: str, site: str
) -> None:
    def never_closed(route: WebSocketRoute) -> None:
        route.connect_to_server().on_close(lambda code, reason: None)

    page = new_page()
    page.route_web_socket(re.compile("/watch"), never_closed)
    frame = embedded(page, site, f"{server.url}/embed/{short}?autoplay=0")
    expect(frame.get_by_label("Moment of the match")).to_have_value(str(turns(server, short)[0]))


@pytest.mark.long
@pytest.mark.parametrize(
    "address",
    [
        "/embed/x#/cockpit?match={match}",
        "/embed/{match}?autoplay=0#/cockpit?match={match}",
        "/%65mbed/{match}?autoplay=0#/",
    ],
)
def test_a_foreign_page_can_frame_nothing_but_the_board(
    new_page: Open, server: LiveServer, running: str, site: str, address: str
) -> None:
    page = new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(f"{request.method} {urlsplit(request.url).path}"))
    evil = site.replace("127.0.0.1", "evil.localhost")
    frame = embedded(page, evil, quote(server.url + address.format(match=running), safe=":/"))

    def only_the_board() -> None:
        """Check what the frame shows: never a page that lists, starts or steers matches."""
        expect(frame.locator(".embed")).to_be_visible()
        expect(frame.get_by_role("button", name="Stop")).to_have_count(0)
        expect(frame.get_by_role("navigation")).to_have_count(0)
        for link in frame.get_by_role("link").all():
            assert link.evaluate("link => link.target || document.querySelector('base[target]').target") == "_blank"

    only_the_board()
    expect(frame.locator("main, .notice").first).to_be_visible()
    inner = page.frames[1]
    # A page around the frame can set the hash of its address, and go through the history that they share.
    for hash in (f"#/cockpit?match={running}", "#/", f"#/episode/{running}"):
        page.evaluate("hash => { frame.src = frame.src.split('#')[0] + hash }", hash)
        inner.wait_for_url(re.compile(re.escape(hash) + "$"))
        only_the_board()
    for step, hash in ((-1, "#/"), (-1, f"#/cockpit?match={running}"), (2, f"#/episode/{running}")):
        page.evaluate("step => history.go(step)", step)
        inner.wait_for_url(re.compile(re.escape(hash) + "$"))
        only_the_board()
    # The page of the frame has no code that would follow its own entries, or a link within the site.
    inner.evaluate("match => history.pushState(null, '', `/cockpit?match=${match}`)", running)
    only_the_board()
    inner.evaluate("history.back()")
    inner.wait_for_url(re.compile("mbed/"))
    only_the_board()
    with page.context.expect_page() as opened:
        inner.evaluate(
            """match => {
                const link = document.createElement('a');
                link.href = `/cockpit?match=${match}`;
                document.body.append(link);
                link.click();
            }""",
            running,
        )
    opened.value.close()
    only_the_board()

    assert [line for line in requests if not line.startswith("GET")] == []
    assert [line for line in requests if re.search("Cockpit|controls|Lobby", line)] == []
    frames = server.get(f"/api/episodes/{running}/events")["frames"]
    events = [frame["event"] for frame in frames if "event" in frame]
    assert [event["data"]["command"] for event in events if event["type"] == "ControlChanged"] == ["pace"]


@pytest.mark.long
def test_only_the_sites_of_the_setting_may_show_a_match(new_page: Open, tmp_path: Path, site: str) -> None:
    with parent_site() as other, live_server(tmp_path, GRANDSTAND_EMBED_ANCESTORS=site) as server:
        episode_id = server.start_match(game="diplomacy", seed=4, pace=0, options={"last_year": 1901})
        server.wait_for(episode_id, status="finished", timeout=120)
        url = f"{server.url}/embed/{episode_id}?autoplay=0"
        allowed = new_page()
        expect(embedded(allowed, site, url).get_by_role("main")).to_be_visible()
        for origin, address in ((other, url), (site, f"{server.url}/episode/{episode_id}")):
            refused = new_page()
            with refused.expect_console_message(lambda message: "frame-ancestors" in message.text):
                embedded(refused, origin, address)
            assert refused.evaluate("messages") == []


@pytest.mark.long
def test_a_moment_is_shared_from_the_page(new_page: Open, server: LiveServer, short: str, site: str) -> None:
    screen = Screen(new_page())
    clock = screen.page.clock
    clock.install()
    screen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    starts = turns(server, short)
    screen.open(f"{server.url}/episode/{short}?seq={starts[2]}")
    screen.page.get_by_role("button", name="Share").click()
    dialog = screen.page.get_by_role("dialog", name="Share this moment")
    image = dialog.get_by_role("img", name="The board, the headline and the standing at this moment")
    expect(image).to_have_js_property("naturalWidth", 1200)

    clock.pause_at(screen.page.evaluate("Date.now()") + 60_000)  # the button says what it did for a moment
    dialog.get_by_role("button", name="Copy link").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    copied = screen.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{server.url}/episode/{short}?seq={starts[2]}"
    clock.resume()

    with screen.page.expect_download() as download:
        dialog.get_by_role("button", name="Picture").click()
    picture = Image.open(io.BytesIO(Path(download.value.path()).read_bytes()))
    assert (picture.format, picture.size) == ("PNG", (1200, 630))
    with screen.page.expect_download() as download:
        dialog.get_by_role("button", name="Clip").click()
    clip = Image.open(io.BytesIO(Path(download.value.path()).read_bytes()))
    assert clip.format == "GIF"
    assert getattr(clip, "n_frames", 1) > 1

    code = dialog.get_by_label("Show it on another page").input_value()
    assert f'src="{server.url}/embed/{short}?first={starts[1]}&amp;last={starts[2]}"' in code
    elsewhere = new_page()
    elsewhere.goto(site)
    elsewhere.evaluate("code => { document.body.innerHTML = code; }", code)
    expect(elsewhere.frame_locator("iframe[title='Two years · Grandstand']").get_by_role("main")).to_be_visible()
    assert screen.errors == []
