"""The match page while the match is played: it follows, it lets look back, and it loses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.proxy import Proxy
from tests.support.page.record import Record
from tests.support.page.screen import SETTLED, Screen
from tests.support.waiting import until

pytestmark = pytest.mark.browser

ENDS = 120_000
SEATS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
LONG: dict[str, Any] = {
    **{"game": "diplomacy", "pace": 0.5, "options": {"last_year": 1960}},
    "players": dict.fromkeys(SEATS, "random"),
}
"""A match that goes on for two minutes, longer than any test looks at it: random players do not win before the end."""


@pytest.fixture
def live(server: LiveServer) -> Iterator[str]:
    """A match that is being played until the test ends."""
    match = server.start_match(**LONG, seed=3)
    yield match
    server.command(match, "stop")


@pytest.mark.long
def test_it_follows_play_and_tells_it(screen: Screen, server: LiveServer, live: str) -> None:
    server.wait_for(live, seq=20)
    screen.open(f"{server.url}/episode/{live}")
    frame = screen.frame()
    screen.wait_for_head(screen.head() + 20)
    screen.follows()
    expect(screen.page.locator("[aria-live=polite]")).to_contain_text("moves", timeout=SETTLED)
    assert screen.frame() == frame


@pytest.mark.long
def test_new_events_never_move_a_viewer_who_looks_back(screen: Screen, server: LiveServer, live: str) -> None:
    server.wait_for(live, seq=30)
    screen.open(f"{server.url}/episode/{live}")
    expect(screen.count).to_contain_text("All of 0–")
    screen.look(17)
    title = screen.caption.inner_text()
    screen.wait_for_head(screen.head() + 30)
    assert screen.seq() == 17
    assert screen.caption.inner_text() == title
    screen.page.get_by_role("button", name="Back to live").click()
    screen.follows()


def test_space_holds_the_moment_of_a_live_match(screen: Screen, server: LiveServer, live: str) -> None:
    server.wait_for(live, seq=20)
    screen.open(f"{server.url}/episode/{live}")
    screen.press(" ")
    screen.page.wait_for_timeout(300)  # what was on its way when the key was pressed
    held = screen.seq()
    screen.wait_for_head(held + 20)
    assert screen.seq() == held


@pytest.mark.long
def test_a_link_to_the_future_waits_for_it(screen: Screen, server: LiveServer, live: str) -> None:
    server.wait_for(live, seq=5)
    screen.page.on("console", lambda message: screen.errors.clear() if "422" in message.text else None)
    screen.open(f"{server.url}/episode/{live}?seq=60")
    screen.wait_for_head(75)
    assert screen.seq() == 60


@pytest.fixture
def proxied(server: LiveServer) -> Iterator[Proxy]:
    proxy = Proxy(server.url)
    yield proxy
    proxy.close()


def test_cut_connections_lose_nothing(new_page: Open, server: LiveServer, proxied: Proxy) -> None:
    match = server.start_match(**LONG, seed=4)
    screen = Screen(new_page())
    screen.open(f"{proxied.url}/episode/{match}")
    for events in (20, 50, 80):
        server.wait_for(match, seq=events)
        expect(screen.page.get_by_role("banner").get_by_text("Live")).to_be_visible(timeout=SETTLED)
        assert until(lambda: proxied.cut() > 0)  # the page may just be connecting again
    _ends_whole(screen, server, match)
    assert all("WebSocket" in error or "Failed to load" in error for error in screen.errors)


@pytest.mark.long
def test_where_no_socket_passes_the_same_frames_come_as_an_event_stream(new_page: Open, server: LiveServer) -> None:
    proxy = Proxy(server.url, no_sockets=True)
    match = server.start_match(**LONG, seed=5)
    screen = Screen(new_page())
    screen.open(f"{proxy.url}/episode/{match}")
    screen.wait_for_head(20)
    assert proxy.refused > 0
    _ends_whole(screen, server, match)
    proxy.close()


def test_a_killed_and_restarted_server_loses_nothing(new_page: Open, tmp_path: Path) -> None:
    with live_server(tmp_path) as first:
        match = first.start_match(**LONG, seed=6)
        port = urlsplit(first.url).port or 0
        screen = Screen(new_page())
        screen.open(f"{first.url}/episode/{match}")
        screen.wait_for_head(40)
        screen.look(25)
        # The last part of the page to be fetched: the log is in it.
        screen.page.get_by_role("button", name="Download", exact=True).wait_for()
        first.kill()
    expect(screen.page.get_by_text("Reconnecting")).to_be_visible(timeout=SETTLED)
    assert screen.seq() == 25
    with live_server(tmp_path, port=port) as second:
        expect(screen.page.get_by_text("Reconnecting")).to_be_hidden(timeout=2 * SETTLED)
        assert screen.seq() == 25
        screen.press("End")
        _ends_whole(screen, second, match)


def _ends_whole(screen: Screen, server: LiveServer, match: str) -> None:
    """End the match; the screen then holds exactly what is on record."""
    # 503 while a server that has come back takes the match up.
    assert until(lambda: server.post(f"/api/episodes/{match}/commands", {"command": "stop"}).is_success)
    server.wait_for(match, status="stopped")
    record = Record(server, match)
    expect(screen.count).to_have_text(f"Complete 0–{record.last}, {len(record.withheld)} withheld", timeout=ENDS)
    report, withheld = screen.log()
    assert withheld == record.withheld
    assert set(record.numbers("TurnStarted", "OrdersResolved", "EpisodeStarted", "EpisodeEnded")) <= set(report)
