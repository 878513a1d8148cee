"""A person plays a seat of Diplomacy on the map: by mouse, by touch, by keyboard, in every kind of turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, ViewportSize, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.letters import ROSTER
from tests.support.page.on_map import MapPage, actions
from tests.support.page.record import Record
from tests.support.page.screen import SETTLED, Screen
from tests.support.players.chat_server import ChatServer, Request, hangs, says
from tests.support.waiting import until

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


@pytest.fixture
def opening(server: LiveServer) -> Iterator[str]:
    """A match that waits for a person's orders as France, in the first turn."""
    match = server.start_match(game="diplomacy", seed=3, pace=0, players={"FRANCE": "person"}, clock=600)
    yield match
    server.post(f"/api/episodes/{match}/commands", {"command": "stop"}).raise_for_status()


@pytest.fixture(scope="module")
def parent(server: LiveServer) -> str:
    """A match with retreats, builds and removals, over."""
    players = dict.fromkeys(POWERS, "dumbbot")
    match = server.start_match(game="diplomacy", seed=1, pace=0, players=players, options={"last_year": 1905})
    server.wait_for(match, status="finished")
    return match


def at_seat(screen: Screen, server: LiveServer, match: str, seat: str) -> MapPage:
    screen.open(f"{server.url}/episode/{match}?as=seat:{seat}")
    map_page = MapPage(screen.page)
    map_page.wait_until_asked()
    return map_page


def played(server: LiveServer, match: str, seat: str, count: int = 1) -> list[Any]:
    """The orders that a person gave for the seat, once there are `count` of them on record."""
    results: list[Any] = []

    def come() -> bool:
        chosen = actions(server, match, seat)
        results[:] = [action["action"]["orders"] for action in chosen if action["source"] == "human"]
        return len(results) >= count

    assert until(come), f"a person gave {seat} orders {len(results)} times, not {count}: {results}"
    return results


@pytest.mark.long
def test_a_seat_is_taken_over_played_on_the_map_and_handed_back(screen: Screen, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", seed=3, pace=0, paused=True, clock=600, options={"last_year": 1902})
    for command in ("take_over", "resume"):
        server.post(f"/api/episodes/{match}/commands", {"command": command, "seat": "FRANCE"}).raise_for_status()
    map_page = at_seat(screen, server, match, "FRANCE")

    map_page.wait_for("Spring 1901, moves")
    map_page.drag("PAR", "BUR")
    map_page.click("MAR", "PAR", "BUR")
    map_page.click("BRE", "MAO")
    spring = ["F BRE - MAO", "A MAR S A PAR - BUR", "A PAR - BUR"]
    map_page.has(*spring)
    assert map_page.drawn() == {"BRE", "MAR", "PAR"}
    map_page.button("Submit").click()
    assert played(server, match, "FRANCE") == [spring]

    map_page.wait_for("Fall 1901, moves")
    map_page.has()
    map_page.click("MAO", "SPA")
    map_page.choose("Move to Spain (south coast)")
    map_page.click("MAR", "GAS")
    map_page.has("F MAO - SPA/SC", "A MAR - GAS")
    map_page.click("MAR")
    map_page.button("Hold").click()
    map_page.has("F MAO - SPA/SC")
    map_page.button("Submit").click()
    fall = played(server, match, "FRANCE", 2)[1]
    assert {"A MAR H", "F MAO - SPA/SC"} < set(fall)
    assert len(fall) == 3

    seat = screen.page.get_by_role("region", name="Your seat")
    seat.get_by_role("button", name="Leave").click()
    seat.get_by_role("button", name="Leave the seat").click()
    server.wait_for(match, status="finished")
    sources = [action["source"] for action in actions(server, match, "FRANCE")]
    assert sources == ["human", "human", *["heuristic"] * (len(sources) - 2)]


@pytest.mark.long
def test_a_click_lights_what_is_legal_and_a_wrong_one_changes_nothing(
    screen: Screen, server: LiveServer, opening: str
) -> None:
    map_page = at_seat(screen, server, opening, "FRANCE")
    map_page.click("PAR")
    expect(map_page.prompt).to_have_text("Army in Paris: pick where it moves, or whom it helps.")
    kinds = map_page.page.get_by_role("group", name="Kind of choice").get_by_role("button")
    expect(kinds).to_have_text(["Hold", "Move", "Support"])
    map_page.click("MOS")
    map_page.has()
    map_page.click("PAR", "BRE")
    expect(map_page.chooser.get_by_role("button")).to_have_text(["Move to Brest", "Support the fleet in Brest"])
    map_page.choose("Support the fleet in Brest")
    map_page.has("A PAR S F BRE")
    map_page.click("PIC")
    map_page.has("A PAR S F BRE - PIC")
    map_page.slips.get_by_role("button", name="Undo A PAR S F BRE - PIC").click()
    map_page.has()
    assert map_page.drawn() == set()


@pytest.mark.long
def test_the_map_does_not_move_under_a_hand(screen: Screen, server: LiveServer, opening: str) -> None:
    map_page = at_seat(screen, server, opening, "FRANCE")
    frame, map_box = screen.frame(), map_page.map.bounding_box()
    for places in (("PAR",), ("BRE",), ("BUR",), ("MAR", "PAR"), ("BUR",)):
        map_page.click(*places)
        assert (screen.frame(), map_page.map.bounding_box()) == (frame, map_box)


def test_the_map_and_the_words_choose_the_same_orders(screen: Screen, server: LiveServer, opening: str) -> None:
    map_page = at_seat(screen, server, opening, "FRANCE")
    seat = screen.page.get_by_role("region", name="Your seat")
    seat.get_by_text("In words").click()
    words = seat.get_by_label("A PAR", exact=True)
    map_page.click("PAR", "GAS")
    expect(words).to_have_value("A PAR - GAS")
    words.select_option("A PAR - PIC")
    map_page.has("A PAR - PIC")
    assert map_page.drawn() == {"PAR"}
    map_page.click("MAR", "SPA")
    expect(seat.get_by_label("A MAR", exact=True)).to_have_value("A MAR - SPA")
    expect(words).to_have_value("A PAR - PIC")


@pytest.mark.long
def test_what_is_chosen_outlives_what_happens_meanwhile(screen: Screen, server: LiveServer, opening: str) -> None:
    map_page = at_seat(screen, server, opening, "FRANCE")
    map_page.click("MAR", "SPA")
    map_page.click("PAR", "BRE")
    server.post(f"/api/episodes/{opening}/commands", {"command": "pace", "value": 1}).raise_for_status()
    screen.wait_for_head(server.get(f"/api/episodes/{opening}")["last_seq"])
    screen.look(5)
    screen.page.get_by_role("button", name="Back to live").click()
    map_page.has("A MAR - SPA")
    map_page.click("PAR", "BUR")
    server.post(f"/api/episodes/{opening}/commands", {"command": "pace", "value": 2}).raise_for_status()
    screen.wait_for_head(server.get(f"/api/episodes/{opening}")["last_seq"])
    map_page.has("A MAR - SPA", "A PAR - BUR")


@pytest.mark.long
def test_an_answer_from_before_the_orders_were_sent_is_ignored(screen: Screen, server: LiveServer) -> None:
    people = {"FRANCE": "person", "GERMANY": "person"}
    options = {"press": "none"}
    match = server.start_match(game="diplomacy", seed=3, pace=0, players=people, clock=600, options=options)
    map_page = at_seat(screen, server, match, "FRANCE")
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if route.request.method != "GET" or held:
            route.continue_()
        else:
            held.append(route)

    screen.page.route("**/seats/FRANCE*", hold_first)
    screen.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    # Routes are called while the page is asked for something.
    assert until(lambda: screen.page.evaluate("true") and bool(held))
    [asked] = held
    before = asked.fetch()
    assert before.json()["asked"] == "choose"
    map_page.click("MAR", "SPA")
    map_page.button("Submit").click()
    expect(map_page.prompt).to_contain_text("Your orders are in.")
    with screen.page.expect_response(lambda response: response.request == asked.request):
        asked.fulfill(response=before)
    screen.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert "Your orders are in." in map_page.prompt.inner_text()
    server.post(f"/api/episodes/{match}/commands", {"command": "stop"}).raise_for_status()


@pytest.mark.long
def test_the_keyboard_alone_gives_orders(screen: Screen, server: LiveServer, opening: str) -> None:
    map_page = at_seat(screen, server, opening, "FRANCE")
    map_page.map.focus()
    screen.press("ArrowRight", "Enter")
    expect(map_page.slips.locator("[aria-pressed=true]")).to_have_count(1)
    screen.press("m", "ArrowUp", "Enter")
    expect(map_page.slips.locator("li:not(.open)")).to_have_count(1)
    [moved] = map_page.chosen()
    screen.press("ArrowDown", "Enter", "h")
    map_page.has()
    screen.press("Enter", "m", "ArrowUp", "Enter")
    map_page.has(moved)
    screen.press("ArrowDown", "Delete")
    map_page.has()
    screen.press("Enter", "m", "ArrowUp", "Enter", "Control+Enter")
    [orders] = played(server, opening, "FRANCE")
    assert [order for order in orders if not order.endswith(" H")] == [moved]
    map_page.wait_for("Fall 1901, moves")
    expect(map_page.map).to_be_focused()


@pytest.mark.long
def test_on_a_phone_units_are_tapped_and_dragged(new_page: Open, server: LiveServer, opening: str) -> None:
    screen = Screen(new_page(PHONE, has_touch=True, is_mobile=True))
    map_page = at_seat(screen, server, opening, "FRANCE")
    map_page.tap("MAR", "SPA")
    map_page.drag_by_touch("PAR", "BUR")
    map_page.has("A MAR - SPA", "A PAR - BUR")
    assert screen.page.evaluate("scrollY") == 0
    expect(screen.page.locator(".tray").get_by_role("timer")).to_be_visible()
    assert screen.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    map_page.button("Submit").tap()
    assert played(server, opening, "FRANCE") == [["F BRE H", "A MAR - SPA", "A PAR - BUR"]]
    assert screen.errors == []


@pytest.mark.long
def test_what_the_server_refuses_is_said_at_the_order(screen: Screen, server: LiveServer, opening: str) -> None:
    map_page = at_seat(screen, server, opening, "FRANCE")
    map_page.click("MAR", "SPA")
    map_page.click("PAR", "BUR")

    def spoil(route: Route) -> None:
        """The request that the page sends is made illegal on its way."""
        route.continue_(post_data=(route.request.post_data or "").replace("A PAR - BUR", "A PAR - MOS"))

    screen.page.route(
        "**/seats/FRANCE", lambda route: spoil(route) if route.request.method == "POST" else route.continue_()
    )
    map_page.button("Submit").click()
    expect(map_page.page.locator(".tray [role=alert]")).to_have_text(
        "A PAR - BUR 'A PAR - MOS': no chain of fleets can carry A PAR to MOS"
    )
    expect(map_page.slips.locator("li.bad")).to_contain_text("A PAR - BUR")
    map_page.has("A MAR - SPA", "A PAR - BUR")
    screen.page.unroute("**/seats/FRANCE")
    map_page.button("Submit").click()
    assert played(server, opening, "FRANCE") == [["F BRE H", "A MAR - SPA", "A PAR - BUR"]]
    screen.errors.clear()


async def _thinks_in_fall(request: Request) -> None:
    """The fall lasts, whatever the clock of the person says."""
    await (hangs if "Phase F1901M" in request.prompt else says('{"orders": []}'))(request)


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with a model that takes its time in the fall of 1901."""
    roster = tmp_path / "players.toml"
    with ChatServer(_thinks_in_fall) as endpoint:
        roster.write_text(ROSTER.format(url=endpoint.url))
        with live_server(tmp_path / "data", "--roster", str(roster)) as server:
            yield server


def _times_asked(server: LiveServer, match: str, seat: str) -> int:
    return sum(event["data"]["seat"] == seat for event in Record(server, match).events("ActionRequested"))


def test_when_the_clock_runs_out_the_stand_in_acts_and_the_page_says_so(screen: Screen, slow: LiveServer) -> None:
    players, options = {"FRANCE": "person", "ITALY": "talker"}, {"press": "none"}
    match = slow.start_match(game="diplomacy", seed=3, pace=0, players=players, options=options, clock=3)
    # The clock of the fall stops here, however long the page takes to load.
    assert until(lambda: _times_asked(slow, match, "FRANCE") == 2)
    slow.command(match, "pause")
    screen.open(f"{slow.url}/episode/{match}?as=seat:FRANCE")
    seat = screen.page.get_by_role("region", name="Your seat")
    expect(seat).to_contain_text(
        "Spring 1901, moves: the clock ran out, so the seat's fallback chose for you.", timeout=SETTLED
    )
    assert actions(slow, match, "FRANCE")[0]["source"] == "fallback"
    expect(screen.caption).to_have_text("Fall 1901, moves", timeout=SETTLED)
    map_page = MapPage(screen.page)
    expect(map_page.prompt).to_be_visible(timeout=SETTLED)
    map_page.has()
    slow.command(match, "stop")
    screen.errors.clear()


def forked(server: LiveServer, parent: str, kind: str, legal: Any) -> tuple[str, str, Any]:
    """A match that stands where a seat has `legal` choices in a turn of this kind: it, the seat, its view."""
    for turn in Record(server, parent).events("TurnStarted"):
        for seat in turn["data"]["to_act"]:
            if not turn["data"]["turn"].endswith(kind):
                continue
            request = {"seq": turn["seq"], "players": {seat: "person"}, "pace": 0}
            match = server.post(f"/api/episodes/{parent}/fork", request).raise_for_status().json()["episode_id"]
            server.wait_for(match, status="live")
            view = server.get(f"/api/episodes/{match}/seats/{seat}")
            if legal(view["legal"]):
                return match, seat, view["legal"]
            server.post(f"/api/episodes/{match}/commands", {"command": "stop"}).raise_for_status()
    raise AssertionError(f"no turn {kind} of {parent} has such a choice")


def can_retreat(legal: Any) -> bool:
    return any(len(orders) > 1 for orders in legal["orders"].values())


@pytest.mark.long
def test_a_beaten_unit_retreats(screen: Screen, server: LiveServer, parent: str) -> None:
    match, seat, legal = forked(server, parent, "R", can_retreat)
    unit, orders = next((unit, orders) for unit, orders in legal["orders"].items() if len(orders) > 1)
    map_page = at_seat(screen, server, match, seat)
    expect(map_page.prompt).to_contain_text("to retreat")
    for choice in ("retreat", "disband", "retreat"):
        map_page.click(f"*{unit[2:5]}")
        if choice == "disband":
            map_page.button("Disband").click()
            map_page.has()
            continue
        map_page.click(orders[0].rpartition(" ")[2])
        if map_page.chooser.is_visible():
            map_page.chooser.get_by_role("button").first.click()
        map_page.has(orders[0])
    map_page.button("Submit").click()
    assert orders[0] in played(server, match, seat)[0]


def fleets(builds: list[str]) -> list[str]:
    return [order for order in builds if order.startswith("F") and "/" not in order]


@pytest.mark.long
def test_a_fleet_is_built(screen: Screen, server: LiveServer, parent: str) -> None:
    match, seat, legal = forked(
        server,
        parent,
        "A",
        lambda legal: legal.get("count", {}).get("builds") == [0, 1] and fleets(legal["orders"]["builds"]),
    )
    site = fleets(legal["orders"]["builds"])[0].split()[1]
    map_page = at_seat(screen, server, match, seat)
    expect(map_page.prompt).to_have_text("1 unit may be built: pick where.")
    map_page.click(site)
    map_page.choose("Build a fleet")
    map_page.has(f"F {site} B")
    expect(screen.page.locator(f'[data-build="{site}"]')).to_have_count(1)
    expect(map_page.prompt).to_have_text("Every build is used.")
    map_page.button("Submit").click()
    assert played(server, match, seat) == [[f"F {site} B"]]


@pytest.mark.long
def test_a_unit_is_removed(screen: Screen, server: LiveServer, parent: str) -> None:
    match, seat, legal = forked(server, parent, "A", lambda legal: legal.get("count", {}).get("removals") == [1, 1])
    unit = max(legal["orders"]["removals"]).removesuffix(" D")
    map_page = at_seat(screen, server, match, seat)
    expect(map_page.button("Submit")).to_be_disabled()
    map_page.click(unit[2:])
    map_page.has(f"{unit} D")
    map_page.button("Submit").click()
    assert played(server, match, seat) == [[f"{unit} D"]]
