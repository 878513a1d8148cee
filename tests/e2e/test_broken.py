"""The page where something is wrong: no match, no server, a broken match, an unknown game, hostile text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.models import Draft
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=\"document.title='taken'\"> \u202egnp.exe <script>document.title='taken'</script>"
SEATS = ("NORTH", "SOUTH")


def _opening(title: str) -> list[Draft]:
    seats = [SeatInfo(seat=seat, player=HOSTILE, kind="llm") for seat in SEATS]
    created = EpisodeCreated(game="draughts", title=title, options={}, seats=seats, origin="cli")
    turn = TurnStarted(index=0, turn="opening", to_act=list(SEATS), scores={"NORTH": 0.25, "SOUTH": 0.75})
    state = {"board": {"a1": "white", HOSTILE: HOSTILE}, "moves": list(range(40))}
    message = {
        "turn": "opening",
        "sender": "NORTH",
        "recipients": ["SOUTH"],
        "text": HOSTILE * 40,
        "public": True,
        "promises": [HOSTILE],
    }
    return [
        Draft.of(created),
        Draft.of(EpisodeStarted()),
        Draft("BoardSet", {"state": state}),
        Draft.of(turn),
        Draft("MessageSent", message),
        Draft("SecretTold", {"secret": "x"}, ["SOUTH"]),
    ]


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose record holds matches of a game that it does not know, written by hand."""
    data = tmp_path_factory.mktemp("strange")
    recorder = Recorder(data / "grandstand.db")
    bus = Bus(recorder)
    for name in ("strange", "broken"):
        bus.open(name, epoch=1)
        bus.publish(name, _opening(HOSTILE))
    bus.publish("strange", [Draft.of(EpisodeEnded(status="finished", message=HOSTILE))])
    bus.publish("broken", [Draft.of(EpisodeEnded(status="error", message="The record could not be written."))])
    recorder.close()
    with live_server(data) as server:
        yield server


def test_what_agents_write_is_shown_and_never_run(screen: Screen, strange: LiveServer) -> None:
    screen.open(f"{strange.url}/episode/strange")
    screen.tab("Story")
    text = screen.page.locator("#panel .text").inner_text()
    assert text.startswith("<img src=x onerror=")
    assert "‹202E›" in text
    assert len(text) < 1400
    assert "\u202e" not in screen.page.locator("body").inner_text()
    screen.tab("Log")
    expect(screen.page.locator("#panel")).to_contain_text("<img src=x")
    screen.page.goto(strange.url)
    expect(screen.page.get_by_text("<img src=x").first).to_be_visible()
    assert screen.page.locator("img, #app script").count() == 0
    assert screen.page.title() == "Grandstand"


def test_a_game_without_a_board_can_still_be_watched(screen: Screen, strange: LiveServer) -> None:
    screen.open(f"{strange.url}/episode/strange?seq=4")
    expect(screen.page.get_by_role("main", name="Board")).to_contain_text("white")
    expect(screen.count).to_have_text("Complete 0–6, 1 withheld")
    screen.press("Home")
    expect(screen.slider).to_have_value("3")
    screen.look(2)
    expect(screen.page.get_by_role("main", name="Board")).to_contain_text("Board set")


def test_a_match_that_broke_off_says_so(screen: Screen, strange: LiveServer) -> None:
    screen.open(f"{strange.url}/episode/broken")
    expect(screen.page.locator(".caption")).to_contain_text("The match broke off")
    expect(screen.page.locator(".caption")).to_contain_text("The record could not be written.")
    expect(screen.page.get_by_text("Failed", exact=True)).to_be_visible()


def test_an_unknown_match_is_named_as_such(new_page: Open, strange: LiveServer) -> None:
    page = new_page()
    page.goto(f"{strange.url}/episode/no-such-match")
    expect(page.get_by_role("heading", name="No such match")).to_be_visible(timeout=SETTLED)
    page.get_by_role("link", name="To the lobby", exact=True).click()
    expect(page.get_by_role("heading", name="Played", level=2)).to_be_visible()


def test_what_a_viewer_may_not_see_is_refused_in_words(new_page: Open, strange: LiveServer) -> None:
    page = new_page()
    page.goto(f"{strange.url}/episode/strange?as=nonsense")
    expect(page.get_by_role("heading", name="This match cannot be shown")).to_be_visible(timeout=SETTLED)


@pytest.mark.long
def test_a_server_that_is_gone_is_waited_for(new_page: Open, tmp_path: Path) -> None:
    lobby, match = new_page(), new_page()
    with live_server(tmp_path) as server:
        url = server.url
        lobby.goto(url)
        expect(lobby.get_by_role("heading", name="No match yet")).to_be_visible()
        match.goto(f"{url}/episode/other")
        expect(match.get_by_role("heading", name="No such match")).to_be_visible(timeout=SETTLED)
    # The page of a match is fetched with the first match; without it, the browser has nothing that could keep trying.
    for page, button in ((lobby, "Try again"), (match, "Try now")):
        _follow_link_inside(page, f"{url}/episode/any")
        expect(page.get_by_role("heading", name="The server is not responding")).to_be_visible(timeout=SETTLED)
        expect(page.get_by_role("button", name=button)).to_be_visible()


def _follow_link_inside(page: Page, url: str) -> None:
    """Click a link to `url` in the page that is open, as its own links are clicked."""
    page.evaluate(
        "(url) => { const a = document.createElement('a'); a.href = url; document.body.append(a); a.click(); }", url
    )
