"""A person captains a side at cricket on the ground: the toss, the field, bowling, batting, a review."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

from tests.support.live_server import LiveServer
from tests.support.page.browser import Open
from tests.support.page.on_map import actions
from tests.support.page.screen import SETTLED, Screen
from tests.support.waiting import until

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}
SEED = 4
"""Of a match in which the away side wins the toss."""


class Captain:
    """A captain's hand at a page on which the side is asked."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.desk = page.get_by_role("region", name="Your choice")
        self.prompt = self.desk.locator(".ask")

    def button(self, name: str) -> Locator:
        return self.desk.get_by_role("button", name=name, exact=True)

    def fielder(self, position: str) -> Locator:
        return self.page.locator(f'[data-fielder="{position}"]')

    def drag(self, position: str, to: str) -> None:
        """Drag the fielder at `position` to where the free position `to` is."""
        start, end = self.fielder(position).bounding_box(), self.free(to).bounding_box()
        assert start is not None
        assert end is not None
        self.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=6)
        self.page.mouse.up()

    def free(self, position: str) -> Locator:
        return self.page.locator(f'[data-free="{position}"]')


@pytest.fixture
def match(server: LiveServer) -> Iterator[str]:
    """A match of five overs that waits for a person's word at the toss."""
    match = server.start_match(
        game="cricket", seed=SEED, pace=0, players={"away": "person"}, clock=600, options={"overs": 5}
    )
    yield match
    server.post(f"/api/episodes/{match}/commands", {"command": "stop"}).raise_for_status()


def at_seat(screen: Screen, server: LiveServer, match: str, seat: str = "away") -> Captain:
    screen.open(f"{server.url}/episode/{match}?as=seat:{seat}")
    captain = Captain(screen.page)
    expect(captain.prompt).to_be_visible(timeout=SETTLED)
    return captain


def called(server: LiveServer, match: str, count: int, seat: str = "away") -> list[dict[str, Any]]:
    """The person's calls, once there are `count` of them on record."""
    results: list[dict[str, Any]] = []

    def come() -> bool:
        results[:] = [action["action"] for action in actions(server, match, seat) if action["source"] == "human"]
        return len(results) >= count

    assert until(come), f"a person called {len(results)} tools for {seat}, not {count}: {results}"
    return results


def play(server: LiveServer, match: str, tool: str, seat: str = "away", **arguments: Any) -> None:
    """Call a tool over the API, as the page does."""
    action = {"action": {"tool": tool, "arguments": arguments}}
    assert until(lambda: server.get(f"/api/episodes/{match}/seats/{seat}")["asked"] == "choose")
    server.post(f"/api/episodes/{match}/seats/{seat}", action).raise_for_status()


@pytest.mark.long
def test_a_captain_wins_the_toss_and_bowls(screen: Screen, server: LiveServer, match: str) -> None:
    captain = at_seat(screen, server, match)
    expect(captain.prompt).to_contain_text("You won the toss.")
    captain.button("Field first").click()
    expect(captain.prompt).to_have_text("Who bowls this over?")
    bowlers = captain.desk.get_by_role("list", name="Bowlers").get_by_role("button")
    expect(bowlers.first).to_contain_text("1 over left")
    bowlers.nth(1).click()
    expect(captain.prompt).to_contain_text("where to aim?")
    captain.button("yorker, on the stumps").click()
    captain.button("slower ball" if captain.button("slower ball").is_visible() else "stock").click()
    captain.button("Bowl").click()
    first = called(server, match, 3)
    assert first[0] == {"tool": "set_toss", "arguments": {"decision": "field"}}
    assert first[1]["tool"] == "choose_bowler"
    assert first[2]["tool"] == "bowl_delivery"
    assert {"length": "yorker", "line": "stumps"}.items() <= first[2]["arguments"].items()
    captain.button("Same again").click()
    assert called(server, match, 4)[3] == first[2]
    expect(captain.button("Same again")).to_be_visible()


@pytest.mark.long
def test_a_field_is_set_by_dragging_and_only_within_the_laws(screen: Screen, server: LiveServer, match: str) -> None:
    play(server, match, "set_toss", decision="field")
    captain = at_seat(screen, server, match)
    captain.button("Fielders").click()
    expect(captain.button("Set the field")).to_be_disabled()
    expect(captain.desk.get_by_role("status")).to_have_text("Within the Laws")
    captain.drag("first slip", "gully")
    expect(captain.fielder("gully")).to_be_visible()
    captain.drag("mid-on", "long-on")
    expect(captain.desk.get_by_role("status")).to_have_text("3 outside the circle, at most 2")
    expect(captain.button("Set the field")).to_be_disabled()
    captain.fielder("long-on").focus()
    screen.press("ArrowUp")
    expect(captain.desk.get_by_role("status")).to_have_text("Within the Laws")
    standing = screen.page.locator("[data-fielder]").evaluate_all("(all) => all.map((one) => one.dataset.fielder)")
    captain.button("Set the field").click()
    [_, call] = called(server, match, 2)
    assert call["tool"] == "set_field"
    assert sorted(call["arguments"]["positions"]) == sorted(standing)
    expect(screen.page.locator(".editor")).to_be_hidden()
    expect(captain.desk.get_by_text("Field: its own")).to_be_visible()


@pytest.mark.long
def test_a_captain_bats_and_sends_in_who_comes_next(screen: Screen, server: LiveServer, match: str) -> None:
    play(server, match, "set_toss", decision="bat")
    captain = at_seat(screen, server, match)
    expect(captain.prompt).to_have_text("Who comes in?")
    batters = captain.desk.get_by_role("list", name="Batters").get_by_role("button")
    expect(batters.first).to_contain_text("strike rate")
    batters.nth(2).click()
    batters.nth(0).click()
    expect(captain.prompt).to_contain_text("how to play it?")
    captain.button("attack").click()
    captain.button("slog sweep").click()
    expect(captain.desk.locator(".acts p")).to_have_text("attack, slog sweep")
    screen.press("Control+Enter")
    calls = called(server, match, 4)
    assert [call["tool"] for call in calls] == ["set_toss", "choose_batter", "choose_batter", "play_delivery"]
    assert calls[3]["arguments"] == {"intent": "attack", "shot": "slog_sweep"}
    expect(captain.prompt).to_have_text("Who comes in?")
    batters.first.click()
    captain.button("Same again").click()
    assert called(server, match, 6)[5] == calls[3]


@pytest.mark.long
def test_a_decision_is_sent_upstairs(screen: Screen, server: LiveServer) -> None:
    parent = server.start_match(game="cricket", seed=SEED, pace=0, players=dict.fromkeys(("home", "away"), "neutral"))
    server.wait_for(parent, status="finished")
    frames = server.get(f"/api/episodes/{parent}/events", **{"as": "operator"})["frames"]
    made = next(frame["event"] for frame in frames if frame.get("event", {}).get("type") == "AppealMade")
    seat = made["data"]["may_review"]
    asked = next(
        frame["event"]["seq"] for frame in frames[made["seq"] :] if frame.get("event", {}).get("type") == "TurnStarted"
    )
    fork = {"seq": asked, "players": {seat: "person"}, "pace": 0}
    match = server.post(f"/api/episodes/{parent}/fork", fork).raise_for_status().json()["episode_id"]
    captain = at_seat(screen, server, match, seat)
    value = "out" if made["data"]["given_out"] else "not out"
    expect(captain.prompt).to_contain_text(f"given {value}: from the middle it looks")
    captain.button("Review it").click()
    assert called(server, match, 1, seat)[0] == {"tool": "review", "arguments": {"take": True}}
    server.post(f"/api/episodes/{match}/commands", {"command": "stop"}).raise_for_status()
    screen.errors.clear()


SENT = re.compile("/seats/away$")


def slowly(route: Route) -> None:
    time.sleep(0.3)
    route.continue_()


@pytest.mark.long
def test_on_a_phone_the_captain_taps(new_page: Open, server: LiveServer, match: str) -> None:
    """A tap on another tool does not come before the answer to the one before."""
    screen = Screen(new_page(PHONE, has_touch=True, is_mobile=True))
    captain = at_seat(screen, server, match)
    captain.button("Field first").tap()
    screen.page.route(SENT, slowly)
    captain.desk.get_by_role("list", name="Bowlers").get_by_role("button").first.tap()
    captain.button("Fielders").tap()
    screen.page.unroute(SENT, slowly)
    fielder = screen.page.locator("[data-fielder]").first
    position = fielder.get_attribute("data-fielder")
    fielder.tap()
    captain.free("gully").locator(".reach").tap()
    captain.button("Set the field").tap()
    captain.button("good length, in the off channel").tap()
    expect(captain.desk.get_by_role("timer")).to_be_visible()
    captain.button("Bowl").tap()
    calls = called(server, match, 4)
    assert [call["tool"] for call in calls] == ["set_toss", "choose_bowler", "set_field", "bowl_delivery"]
    assert calls[3]["arguments"] == {"length": "good", "line": "off_channel", "variation": "natural"}
    assert "gully" in calls[2]["arguments"]["positions"]
    assert position not in calls[2]["arguments"]["positions"]
    assert screen.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert screen.errors == []


def test_a_captain_plans_the_overs(screen: Screen, server: LiveServer) -> None:
    options = {"overs": 5, "decisions": "over"}
    match = server.start_match(
        game="cricket", seed=SEED, pace=0, players={"away": "person"}, clock=600, options=options
    )  # fmt: skip
    play(server, match, "set_toss", decision="field")
    captain = at_seat(screen, server, match)
    expect(captain.prompt).to_have_text("Over 1: who bowls it, and how?")
    captain.desk.get_by_label("The kind of over").select_option("yorkers")
    captain.button("Go on with it").click()
    [_, call] = called(server, match, 2)
    assert call["tool"] == "plan_over"
    assert call["arguments"]["theme"] == "yorkers"
    expect(captain.prompt).to_have_text(re.compile("^Over 2: |another plan for the rest of the over"))
    screen.page.set_viewport_size(PHONE)
    expect(captain.button("Go on with it")).to_be_visible()
    server.command(match, "stop")
