"""Any moment of a match as a position to try moves in: on the board, in words, by keyboard, and as a link."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.on_map import MapPage
from tests.support.page.screen import SETTLED, Screen

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("sandbox")) as running:
        yield running


@pytest.fixture(scope="module")
def diplomacy(server: LiveServer) -> str:
    match = server.start_match(game="diplomacy", seed=3, pace=0, options={"last_year": 1902, "draw_votes": False})
    server.wait_for(match, status="finished")
    return match


@pytest.fixture(scope="module")
def crosses(server: LiveServer) -> str:
    """A finished match of tic-tac-toe."""
    pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
    seats = dict.fromkeys(("player_0", "player_1"), "random")
    match = server.start_match(game="openspiel", seed=3, pace=0, options={"game": "tic_tac_toe"}, players=seats)
    server.wait_for(match, status="finished")
    return match


def first_turn(server: LiveServer, match: str) -> int:
    frames = server.get(f"/api/episodes/{match}/events")["frames"]
    turns = (f["event"] for f in frames if f["frame"] == "event" and f["event"]["type"] == "TurnStarted")
    return int(next(turns)["seq"])


def opened(screen: Screen, server: LiveServer, match: str) -> Page:
    screen.open(f"{server.url}/sandbox/{match}/{first_turn(server, match)}")
    expect(screen.page.get_by_role("region", name="To decide")).to_be_visible(timeout=SETTLED)
    return screen.page


def tried(page: Page) -> Locator:
    return page.get_by_role("region", name="Moves that were tried").locator("ol li")


@pytest.mark.long
def test_orders_are_tried_on_the_map_and_taken_back(screen: Screen, server: LiveServer, diplomacy: str) -> None:
    page = opened(screen, server, diplomacy)
    board = MapPage(page)
    deciding = page.get_by_role("region", name="To decide")
    expect(deciding.get_by_role("group", name="Seats that decide").get_by_role("button")).to_have_count(7)
    deciding.get_by_role("button", name="France").click()
    expect(deciding.get_by_role("button", name="France", pressed=True)).to_be_visible()
    board.wait_until_asked()
    board.drag("PAR", "BUR")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("A PAR - BUR", exact=False).first).to_be_visible()
    expect(tried(page)).to_have_count(1)
    deciding.get_by_role("button", name="Nothing for the rest").click()
    expect(page.get_by_role("region", name="State of play")).to_contain_text("Fall 1901, moves")
    expect(tried(page)).to_have_count(7)
    happened = page.get_by_role("list", name="What happened")
    expect(happened.get_by_text("Spring 1901, moves: 1 of 1 moves succeeded")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("region", name="State of play")).to_contain_text("Spring 1901, moves")
    expect(tried(page)).to_have_count(6)
    page.get_by_role("button", name="Next move").click()
    expect(page.get_by_role("region", name="State of play")).to_contain_text("Fall 1901, moves")


@pytest.mark.long
def test_the_decisions_of_the_match_are_a_click(screen: Screen, server: LiveServer, diplomacy: str) -> None:
    page = opened(screen, server, diplomacy)
    page.get_by_role("button", name="All as in the match").click()
    expect(page.get_by_role("region", name="State of play")).to_contain_text("Fall 1901, moves")
    expect(tried(page)).to_have_count(7)
    expect(page.get_by_role("button", name="As in the match")).to_have_count(0)


@pytest.mark.long
def test_a_position_is_changed_by_hand(screen: Screen, server: LiveServer, diplomacy: str) -> None:
    page = opened(screen, server, diplomacy)
    page.get_by_role("button", name="Change the position").click()
    form = page.get_by_role("region", name="Change of the position")
    form.get_by_label("The province to change", exact=True).select_option("MUN")
    form.get_by_label("The unit that stands there", exact=True).select_option("FRANCE A MUN")
    form.get_by_role("button", name="Change it").click()
    expect(page.get_by_text("Position MUN, FRANCE A MUN, GERMANY")).to_be_visible()
    form.get_by_role("button", name="Back to the moves").click()
    page.get_by_role("button", name="France", exact=True).click()
    expect(page.get_by_role("list", name="Chosen so far")).to_contain_text("A MUN")
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("button", name="France", exact=True).click()
    expect(page.get_by_role("list", name="Chosen so far")).not_to_contain_text("A MUN")


@pytest.mark.long
@pytest.mark.parametrize(
    "size", [pytest.param({"width": 1600, "height": 1000}, marks=pytest.mark.long), PHONE], ids=str
)
def test_a_puzzle_is_a_link(new_page: Open, server: LiveServer, crosses: str, size: ViewportSize) -> None:
    screen = Screen(new_page(size))
    page = opened(screen, server, crosses)
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    squares = page.locator("main [data-target]")
    play = page.get_by_role("button", name="Play it")
    for number in range(3):
        squares.nth(0).click()
        expect(play).to_be_enabled()
        play.click()
        expect(page.get_by_role("region", name="Moves that were tried").locator("ol li")).to_have_count(number + 1)
    page.get_by_label("A question for the reader of the link").fill("Which <b>square</b> wins?")
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("2 moves follow")).to_be_visible()
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.get_by_role("button", name="Copy link").click()
    address = page.wait_for_function("window.copied").json_value()
    expect(page).to_have_url(address)

    reader = Screen(new_page(size))
    reader.open(address)
    expect(reader.page.get_by_text("Which <b>square</b> wins?")).to_be_visible()
    expect(reader.page.get_by_text("2 moves follow")).to_be_visible()
    expect(tried(reader.page)).to_have_count(1)
    for count in (2, 3):
        reader.page.get_by_role("button", name="Next move").click()
        expect(reader.page.get_by_role("region", name="Moves that were tried").locator("ol li")).to_have_count(count)
    expect(reader.page.get_by_role("button", name="Next move")).to_be_disabled()
    assert [*screen.errors, *reader.errors] == []


def test_the_keyboard_alone_is_enough(screen: Screen, server: LiveServer, crosses: str) -> None:
    page = opened(screen, server, crosses)
    page.locator("main [data-target]").first.focus()
    screen.press("Enter")
    expect(page.get_by_role("button", name="Play it")).to_be_enabled()
    screen.press("Control+Enter")
    expect(page.get_by_role("region", name="Moves that were tried").locator("ol li")).to_have_count(1)
    screen.press("Control+z")
    expect(page.get_by_text("You play every seat.")).to_be_visible()
    screen.press("Control+Shift+z")
    expect(page.get_by_role("region", name="Moves that were tried").locator("ol li")).to_have_count(1)


def test_the_match_leads_to_it_and_a_damaged_link_says_so(screen: Screen, server: LiveServer, crosses: str) -> None:
    page = screen.page
    screen.open(f"{server.url}/episode/{crosses}?seq={first_turn(server, crosses)}")
    page.get_by_role("link", name="Try moves from here").click()
    expect(page.get_by_role("region", name="To decide")).to_be_visible(timeout=SETTLED)
    page.get_by_role("link", name="OpenSpiel").or_(page.get_by_role("link", name="Tic Tac Toe")).first.click()
    expect(page.get_by_label("Moment of the match")).to_be_visible()
    page.goto(f"{server.url}/sandbox/{crosses}/5#line=AAAA")
    page.reload()
    expect(page.get_by_text("The moves in this link cannot be read")).to_be_visible()


@pytest.mark.long
def test_a_secret_position_is_refused_in_words(new_page: Open, tmp_path_factory: pytest.TempPathFactory) -> None:
    with live_server(tmp_path_factory.mktemp("secret")) as secret:
        match = secret.start_match(game="werewolf", seed=3, pace=60)
        secret.wait_for(match, seq=3)
        screen = Screen(new_page())
        screen.page.goto(f"{secret.url}/sandbox/{match}/3")
        expect(screen.page.get_by_text(f"the players of {match} know more than you may know of it now")).to_be_visible()
        expect(screen.page.get_by_role("link", name="To the match")).to_be_visible()
