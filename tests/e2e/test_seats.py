"""A person in a seat, in words: taken over, seated from the start, or with a token from elsewhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.live_server import LiveServer
from tests.support.page.browser import OPERATOR, Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.page.steered import controls, human_actions

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_a_person_takes_a_seat_plays_two_turns_and_hands_it_back(screen: Screen, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", seed=12, pace=0.2, paused=True, options={"last_year": 1905})
    page = screen.page
    screen.open(f"{server.url}/episode/{match}")
    page.get_by_role("button", name="Steer").click()
    page.get_by_role("button", name="Play France", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Resume").click()
    seat = page.get_by_role("region", name="Your seat")
    seat.get_by_text("In words").click()
    seasons = (["F BRE - MAO", "A PAR - BUR"], ["A BUR - BEL"])
    for played, orders in enumerate(seasons, start=1):
        for order in orders:
            seat.get_by_label(order[:5], exact=True).select_option(order, timeout=SETTLED)
        seat.get_by_role("button", name="Send", exact=True).click()
        sent = human_actions(server, match, played)[-1]["orders"]
        assert [order for order in sent if not order.endswith(" H")] == orders
    seat.get_by_role("button", name="Leave").click()
    seat.get_by_role("button", name="Leave the seat").click()
    expect(seat.get_by_text("is played by coordinated")).to_be_visible(timeout=SETTLED)
    server.wait_for(match, status="finished")
    assert ("take_over", "FRANCE") in controls(server, match)
    assert ("leave", "FRANCE") in controls(server, match)
    # The page may ask once more in the moment in which the seat is left: "not now" is the right answer to that.
    screen.errors[:] = [error for error in screen.errors if "409 (Conflict)" not in error]


def test_a_captain_plays_by_the_form(screen: Screen, server: LiveServer) -> None:
    match = server.start_match(game="cricket", seed=1, pace=0, players={"home": "person"}, options={"overs": 5})
    page = screen.page
    screen.open(f"{server.url}/episode/{match}?as=seat:home")
    seat = page.get_by_role("region", name="Your seat")
    seat.get_by_text("In words").click()
    tool, send = seat.get_by_label("What to do"), seat.get_by_role("button", name="Send", exact=True)
    expect(tool.get_by_role("button", pressed=True)).to_have_text("set toss", timeout=SETTLED)
    seat.get_by_label("Bat or field first").get_by_role("button", name="bat").click()
    send.click()
    expect(tool.get_by_role("button", pressed=True)).to_have_text("choose batter", timeout=SETTLED)  # as the desk asks
    tool.get_by_role("button", name="choose next over plan").click()
    seat.get_by_label("The thought behind it, for yourself").fill("Wait for the loose ball.")
    expect(seat.get_by_text("24 of")).to_be_visible()
    tool.get_by_role("button", name="play delivery").click()
    seat.get_by_label("How much risk to take").select_option("block")
    send.click()
    assert human_actions(server, match, 2) == [
        {"tool": "set_toss", "arguments": {"decision": "bat"}},
        {"tool": "play_delivery", "arguments": {"intent": "block", "shot": "natural"}},
    ]


@pytest.mark.long
def test_a_seats_token_plays_that_seat_and_looks_on_when_the_match_is_over(new_page: Open, guarded: LiveServer) -> None:
    body = {"game": "diplomacy", "pace": 0, "players": {"FRANCE": "person"}}
    match = guarded.post("/api/episodes", body, **OPERATOR).json()["episode_id"]
    token = guarded.post(f"/api/episodes/{match}/seats/FRANCE/token", {}, **OPERATOR).json()["token"]
    page = new_page()
    page.goto(f"{guarded.url}/cockpit")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="To your seat").click()
    seat = page.get_by_role("region", name="Your seat")
    seat.get_by_text("In words").click()
    seat.get_by_label("A MAR", exact=True).select_option("A MAR - SPA", timeout=SETTLED)
    expect(page.get_by_role("button", name="Steer")).to_be_hidden()
    seat.get_by_role("button", name="Send", exact=True).click()
    seat.get_by_label("A SPA", exact=True).wait_for(timeout=SETTLED)
    guarded.post(f"/api/episodes/{match}/commands", {"command": "stop"}, **OPERATOR).raise_for_status()
    expect(seat).to_be_hidden(timeout=SETTLED)
    page.get_by_role("link", name="Grandstand, to the lobby").click()
    page.get_by_role("navigation", name="Pages").get_by_text("More").click()
    page.get_by_role("link", name="Cockpit").click()
    expect(page.get_by_role("link", name="To your seat")).to_be_visible(timeout=SETTLED)
    expect(page.get_by_text("Your token has expired")).to_be_hidden()
    page.goto(f"{guarded.url}/episode/{match}?as=seat:FRANCE")
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_text("France chose").first).to_be_visible(timeout=SETTLED)
