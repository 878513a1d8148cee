"""A person's seat on the page: sitting down, one layout for the whole match, saved orders, leaving, and phones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import OPERATOR, TOKEN, Open
from tests.support.page.on_map import MapPage, actions
from tests.support.page.screen import SETTLED, Screen
from tests.support.page.standing import STANDING
from tests.support.page.steered import controls
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.browser

SIZES: tuple[ViewportSize, ...] = (
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
    {"width": 320, "height": 640},
)
QUIET = {"press": "none"}
TWO = {"FRANCE": "person", "ITALY": "person"}
IN = "Your orders are in. They can be changed until the last seat is in."


def begin(server: LiveServer, **fields: Any) -> str:
    request = {"game": "diplomacy", "seed": 3, "pace": 0, "clock": 600, "options": QUIET, "players": TWO}
    return server.start_match(**{**request, **fields})


def at_seat(page: Page, server: LiveServer, match: str, seat: str = "FRANCE") -> MapPage:
    page.goto(f"{server.url}/episode/{match}?as=seat:{seat}")
    map_page = MapPage(page)
    map_page.wait_until_asked()
    return map_page


def saved(page: Page) -> None:
    """Wait until the page says that the orders are saved."""
    expect(page.get_by_text("Saved: if the clock runs out, this is what counts.")).to_be_visible(timeout=SETTLED)


def act(server: LiveServer, match: str, seat: str, *orders: str) -> None:
    server.post(f"/api/episodes/{match}/seats/{seat}", {"action": {"orders": list(orders)}}).raise_for_status()


def stop(server: LiveServer, match: str) -> None:
    server.command(match, "stop")
    server.wait_for(match, status="stopped")


def played(server: LiveServer, match: str, seat: str = "FRANCE") -> list[tuple[Any, str]]:
    return [(action["action"].get("orders"), action["source"]) for action in actions(server, match, seat)]


@pytest.mark.long
def test_orders_survive_a_reload_and_a_restart(new_page: Open, tmp_path: Path) -> None:
    page = new_page()
    with live_server(tmp_path) as server:
        match = begin(server)
        map_page = at_seat(page, server, match)
        map_page.click("PAR", "BUR")
        map_page.click("MAR", "SPA")
        map_page.has("A MAR - SPA", "A PAR - BUR")
        saved(page)
        page.reload()
        map_page.has("A MAR - SPA", "A PAR - BUR")
        server.kill()
    with live_server(tmp_path) as server:
        map_page = at_seat(page, server, match)
        map_page.has("A MAR - SPA", "A PAR - BUR")
        assert map_page.drawn() == {"MAR", "PAR"}


@pytest.mark.long
def test_a_person_reads_at_the_seat_how_the_match_is_scored(new_page: Open, server: LiveServer) -> None:
    for scoring in ("draw-size", "carnage"):
        match = begin(server, options={**QUIET, "scoring": scoring})
        page = new_page()
        at_seat(page, server, match)
        sentence = server.get(f"/api/episodes/{match}/seats/FRANCE")["observation"]["scoring"]
        seat = page.get_by_role("region", name="Your seat")
        expect(seat.get_by_text(sentence, exact=True)).to_be_visible(timeout=SETTLED)
        stop(server, match)


@pytest.mark.long
def test_what_is_entered_counts_when_the_clock_runs_out(new_page: Open, server: LiveServer) -> None:
    match = begin(server, clock=6, turns=1, players={"FRANCE": "person"}, paused=True)
    server.command(match, "step")  # the clock stands still until the page has saved the choice
    map_page = at_seat(new_page(), server, match)
    map_page.click("PAR", "BUR")
    saved(map_page.page)
    server.command(match, "resume")
    server.wait_for(match, status="stopped")
    assert played(server, match) == [(["F BRE H", "A MAR H", "A PAR - BUR"], "human")]


@pytest.mark.long
def test_submitted_orders_stay_drawn_and_can_be_changed_until_the_last_seat_is_in(
    screen: Screen, server: LiveServer
) -> None:
    match = begin(server)
    map_page = at_seat(screen.page, server, match)
    frame, box = screen.frame(), map_page.map.bounding_box()
    map_page.click("PAR", "BUR")
    map_page.button("Submit").click()
    expect(map_page.prompt).to_have_text(IN)
    expect(map_page.button("Submitted")).to_be_disabled()
    map_page.has("A PAR - BUR")
    assert map_page.drawn() == {"PAR"}
    map_page.click("PAR", "PIC")
    map_page.has("A PAR - PIC")
    map_page.button("Submit").click()
    expect(map_page.prompt).to_have_text(IN)
    assert (screen.frame(), map_page.map.bounding_box()) == (frame, box)
    act(server, match, "ITALY")
    map_page.wait_for("Fall 1901, moves")
    assert played(server, match) == [(["F BRE H", "A MAR H", "A PAR - PIC"], "human")]
    assert (screen.frame(), map_page.map.bounding_box()) == (frame, box)
    stop(server, match)


@pytest.mark.long
def test_a_player_sees_what_happened_before_the_next_question_and_may_skip_it(
    screen: Screen, server: LiveServer
) -> None:
    """The board, the map and the tray over its edge have the same size before, during and after a turn."""
    screen.page.add_init_script(STANDING)
    match = begin(server)
    map_page = at_seat(screen.page, server, match)
    page, tray = screen.page, screen.page.locator(".tray")
    board = page.get_by_role("main", name="Board")
    sizes = [(screen.frame(), map_page.map.bounding_box(), tray.bounding_box())]
    assert map_page.map.bounding_box() == board.bounding_box()
    tray_box, sheet = tray.bounding_box(), page.locator("main .sheets").bounding_box()
    assert tray_box is not None
    assert sheet is not None
    assert tray_box["x"] + tray_box["width"] <= sheet["x"]
    map_page.click("PAR", "BUR")
    map_page.button("Submit").click()
    expect(map_page.prompt).to_have_text(IN)
    sizes.append((screen.frame(), map_page.map.bounding_box(), tray.bounding_box()))
    page.evaluate("standStill()")
    act(server, match, "ITALY")
    skip = page.get_by_role("button", name="Skip to your turn")
    expect(skip).to_be_visible(timeout=SETTLED)
    expect(map_page.prompt).to_have_text("This is what happened.")
    expect(map_page.button("Submit")).to_be_disabled()
    expect(page.get_by_role("region", name="Your seat").get_by_role("timer")).to_have_text(re.compile(r"\d:\d\d"))
    sizes.append((screen.frame(), map_page.map.bounding_box(), tray.bounding_box()))
    skip.click()
    page.evaluate("goOn()")
    expect(map_page.button("Submit")).to_be_enabled()
    expect(screen.caption).to_have_text("Fall 1901, moves")
    expect(skip).to_be_hidden()
    sizes.append((screen.frame(), map_page.map.bounding_box(), tray.bounding_box()))
    assert sizes[1:] == [sizes[0]] * 3
    stop(server, match)


@pytest.mark.long
def test_the_seat_is_requested_when_it_is_asked_and_not_while_it_waits(screen: Screen, server: LiveServer) -> None:
    requests: list[str] = []
    screen.page.add_init_script(STANDING)
    match = begin(server)
    screen.page.on(
        "request",
        lambda sent: requests.append(sent.url) if sent.method == "GET" and "/seats/FRANCE" in sent.url else None,
    )
    map_page = at_seat(screen.page, server, match)
    opened = len(requests)
    assert opened <= 2
    for turn in ("Fall 1901, moves", "Spring 1902, moves"):
        before = len(requests)
        map_page.button("Submit").click(timeout=SETTLED)
        expect(map_page.prompt).to_have_text(IN)
        submitted = len(requests)
        screen.page.wait_for_timeout(2500)
        assert len(requests) == submitted
        screen.page.evaluate("standStill()")
        act(server, match, "ITALY")
        expect(map_page.prompt).to_have_text("This is what happened.", timeout=SETTLED)
        screen.page.get_by_role("button", name="Skip to your turn").click()
        screen.page.evaluate("goOn()")
        expect(map_page.button("Submit")).to_be_enabled(timeout=SETTLED)
        expect(screen.caption).to_have_text(turn)
        assert len(requests) - before <= 3
    stop(server, match)


@pytest.mark.long
def test_a_seat_is_not_lost_with_its_tab(new_page: Open, guarded: LiveServer) -> None:
    body = {"game": "diplomacy", "pace": 0, "players": {"FRANCE": "person"}, "options": QUIET}
    match = guarded.post("/api/episodes", body, **OPERATOR).raise_for_status().json()["episode_id"]
    token = guarded.post(f"/api/episodes/{match}/seats/FRANCE/token", {}, **OPERATOR).json()["token"]
    tab = new_page()
    tab.goto(f"{guarded.url}/episode/{match}?as=seat:FRANCE#seat={token}")
    expect(MapPage(tab).button("Submit")).to_be_enabled(timeout=SETTLED)
    context = tab.context
    tab.close()
    watching = context.new_page()
    watching.goto(f"{guarded.url}/episode/{match}")
    expect(watching.get_by_text("You play France.")).to_be_visible(timeout=SETTLED)
    watching.get_by_role("button", name="Return to your seat").click()
    expect(MapPage(watching).button("Submit")).to_be_enabled(timeout=SETTLED)
    assert token not in watching.url
    bookmarked = context.new_page()
    bookmarked.goto(f"{guarded.url}/episode/{match}?as=seat:FRANCE")
    seat = bookmarked.get_by_role("region", name="Your seat")
    seat.get_by_role("button", name="Leave", exact=True).click(timeout=SETTLED)
    seat.get_by_role("button", name="Leave the seat").click()
    expect(seat.get_by_role("button", name="Come back")).to_be_visible(timeout=SETTLED)
    assert bookmarked.evaluate("JSON.stringify(localStorage)").count(token) == 0
    after = context.new_page()
    after.goto(f"{guarded.url}/episode/{match}")
    MapPage(after).map.wait_for(timeout=SETTLED)
    expect(after.get_by_role("button", name="Return to your seat")).to_have_count(0)
    assert token not in guarded.log.read_text()
    guarded.post(f"/api/episodes/{match}/commands", {"command": "stop"}, **OPERATOR).raise_for_status()


@pytest.mark.long
def test_a_pause_is_seen_at_the_clock(screen: Screen, server: LiveServer) -> None:
    match = begin(server)
    at_seat(screen.page, server, match)
    seat = screen.page.get_by_role("region", name="Your seat")
    server.command(match, "pause")
    expect(seat.get_by_role("timer")).to_contain_text("Paused at 9:", timeout=SETTLED)
    stood = seat.get_by_role("timer").inner_text()
    server.command(match, "resume")
    expect(seat.get_by_role("timer")).not_to_contain_text("Paused", timeout=SETTLED)
    server.command(match, "pause")
    expect(seat.get_by_role("timer")).to_contain_text(stood[:11], timeout=SETTLED)
    stop(server, match)


@pytest.mark.long
def test_leaving_hands_the_seat_to_a_bot_and_coming_back_takes_it_again(screen: Screen, server: LiveServer) -> None:
    match = begin(server, players={"FRANCE": "person"}, pace=1)
    at_seat(screen.page, server, match)
    seat = screen.page.get_by_role("region", name="Your seat")
    seat.get_by_role("button", name="Leave", exact=True).click()
    seat.get_by_role("button", name="Stay").click()
    seat.get_by_role("button", name="Leave", exact=True).click()
    seat.get_by_role("button", name="Leave the seat").click()
    expect(seat.get_by_text("The player has left, and a bot plays on.")).to_be_visible(timeout=SETTLED)
    expect(screen.page.get_by_role("list", name="Standings").get_by_text("a bot, for person").first).to_be_attached()
    seat.get_by_role("button", name="Come back").click()
    expect(seat.get_by_text("is yours to move")).to_be_visible(timeout=SETTLED)
    assert [change for change in controls(server, match) if change[1] == "FRANCE"] == [
        ("leave", "FRANCE"),
        ("take_over", "FRANCE"),
    ]
    stop(server, match)
    screen.errors[:] = [error for error in screen.errors if "409 (Conflict)" not in error]


@pytest.mark.long
def test_somebody_who_is_absent_twice_is_told_that_a_bot_plays_on(screen: Screen, server: LiveServer) -> None:
    match = begin(server, players={"FRANCE": "person"}, clock=2, pace=1, paused=True)
    server.command(match, "step")  # the clock stands still until the page shows the seat
    at_seat(screen.page, server, match)
    server.command(match, "resume")
    seat = screen.page.get_by_role("region", name="Your seat")
    expect(seat.get_by_text("Two turns in a row were missed, so a bot plays on.")).to_be_visible(timeout=SETTLED)
    stop(server, match)
    screen.errors[:] = [error for error in screen.errors if "409 (Conflict)" not in error]


@pytest.mark.long
def test_one_click_takes_a_bots_seat_and_shows_its_board(screen: Screen, server: LiveServer) -> None:
    match = begin(server, players={}, pace=1, paused=True)
    # France is asked for moves, not for builds, however long the page takes.
    screen.open(f"{server.url}/episode/{match}")
    screen.page.get_by_role("button", name="Steer").click()
    screen.page.get_by_role("button", name="Play France", exact=True).click()
    expect(MapPage(screen.page).prompt).to_be_visible(timeout=SETTLED)
    server.command(match, "resume")
    expect(MapPage(screen.page).button("Submit")).to_be_enabled(timeout=SETTLED)
    expect(screen.page.get_by_role("dialog")).to_be_hidden()
    stop(server, match)


def test_you_play_lands_on_the_board(screen: Screen, server: LiveServer) -> None:
    screen.page.goto(f"{server.url}/cockpit?new")
    match = screen.page
    match.get_by_role("radio", name="You play").or_(match.get_by_role("button", name="You play")).first.click()
    match.get_by_role("button", name="Start the match").click()
    expect(MapPage(match).button("Submit")).to_be_enabled(timeout=SETTLED)
    stop(server, match.url.rpartition("/")[2].partition("?")[0])


@pytest.mark.long
def test_an_invitation_opens_one_seat(new_page: Open, guarded: LiveServer) -> None:
    body = {"game": "diplomacy", "pace": 0, "players": {"FRANCE": "person"}, "options": QUIET}
    match = guarded.post("/api/episodes", body, **OPERATOR).raise_for_status().json()["episode_id"]
    host, guest = new_page(), new_page()
    host.goto(f"{guarded.url}/cockpit")
    host.get_by_label("Token").fill(TOKEN)
    host.get_by_role("button", name="Sign in").click()
    expect(host.get_by_role("button", name="Sign out")).to_be_visible(timeout=SETTLED)
    host.goto(f"{guarded.url}/episode/{match}")
    host.get_by_role("button", name="Steer").click()
    host.get_by_role("button", name="Invite somebody to play France").click()
    link = host.locator("code").inner_text()
    guest.goto(link)
    map_page = MapPage(guest)
    expect(map_page.button("Submit")).to_be_enabled(timeout=SETTLED)
    assert "#" not in guest.url
    assert guest.get_by_role("button", name="Steer").count() == 0
    guarded.post(f"/api/episodes/{match}/commands", {"command": "stop"}, **OPERATOR).raise_for_status()


def under_the_thumb(button: Locator) -> bool:
    """Return whether a touch of the middle of `button`, as the page stands, reaches it, in the lower half."""
    return bool(
        button.evaluate(
            """(button) => {
                const { x, y, width, height, top } = button.getBoundingClientRect();
                const hit = document.elementFromPoint(x + width / 2, y + height / 2);
                return (hit === button || button.contains(hit)) && top > innerHeight / 2;
            }"""
        )
    )


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']}x{size['height']}")
def test_on_a_phone_the_decisive_button_is_under_the_thumb(
    new_page: Open, server: LiveServer, size: ViewportSize
) -> None:
    screen = Screen(new_page(size, has_touch=True, is_mobile=True))
    match = begin(server)
    map_page = at_seat(screen.page, server, match)
    assert under_the_thumb(map_page.button("Submit"))
    assert screen.page.evaluate("document.documentElement.scrollWidth") == size["width"]
    map_page.tap("MAR", "SPA")
    map_page.button("Submit").tap()
    expect(map_page.prompt).to_have_text(IN)
    assert under_the_thumb(map_page.button("Submitted"))
    stop(server, match)
    cricket = server.start_match(
        game="cricket", seed=4, pace=0, players={"away": "person"}, clock=600, options={"overs": 5}
    )
    screen.page.goto(f"{server.url}/episode/{cricket}?as=seat:away")
    desk = screen.page.get_by_role("region", name="Your choice")
    desk.get_by_role("button", name="Bat first").tap(timeout=SETTLED)
    desk.get_by_role("button", name="Let the side choose").tap(timeout=SETTLED)
    face = desk.get_by_role("button", name="Face it")
    expect(face).to_be_visible(timeout=SETTLED)
    assert under_the_thumb(face)
    assert screen.page.evaluate("document.documentElement.scrollWidth") == size["width"]
    stop(server, cricket)
    # The page may ask once more in the moment in which a match is stopped: "not now" is the right answer to that.
    assert [error for error in screen.errors if "409 (Conflict)" not in error] == []


@pytest.mark.long
def test_waiving_a_build_is_confirmed_and_never_where_submit_was(screen: Screen, server: LiveServer) -> None:
    parent = begin(server, seed=1, players=dict.fromkeys(POWERS, "dumbbot"), options={"last_year": 1903})
    server.wait_for(parent, status="finished", timeout=PATIENCE)
    match, seat = with_builds(server, parent)
    map_page = at_seat(screen.page, server, match, seat)
    expect(map_page.button("Submit")).to_be_disabled()
    submit, waive = map_page.button("Submit").bounding_box(), map_page.button("Build nothing").bounding_box()
    assert submit is not None
    assert waive is not None
    assert waive["y"] + waive["height"] < submit["y"]
    map_page.button("Build nothing").click()
    assert [source for _, source in played(server, match, seat)].count("human") == 0
    screen.page.locator(".tray").get_by_role("button", name="Waive").click()
    expect(screen.page.locator(".caption .turn")).to_contain_text("moves", timeout=SETTLED)
    assert ([], "human") in played(server, match, seat)
    stop(server, match)
    screen.errors.clear()


POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def with_builds(server: LiveServer, parent: str) -> tuple[str, str]:
    """A match that stands where a person may build, and the seat."""
    frames = server.get(f"/api/episodes/{parent}/events", **{"as": "operator"})["frames"]
    turns = [frame["event"] for frame in frames if frame.get("event", {}).get("type") == "TurnStarted"]
    for turn in (turn for turn in turns if turn["data"]["turn"].endswith("A")):
        for seat in turn["data"]["to_act"]:
            fork = {"seq": turn["seq"], "players": {seat: "person"}, "pace": 0}
            match = server.post(f"/api/episodes/{parent}/fork", fork).raise_for_status().json()["episode_id"]
            server.wait_for(match, status="live")
            if server.get(f"/api/episodes/{match}/seats/{seat}")["legal"].get("count", {}).get("builds"):
                return match, seat
            stop(server, match)
    raise AssertionError(f"nobody may build in {parent}")
