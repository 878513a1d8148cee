"""A person plays by the form that follows from the choices of a game, here Kuhn poker, and on its picture."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, ViewportSize, expect

from tests.support.docs.kuhn import with_kuhn
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.page.steered import human_actions

pytestmark = pytest.mark.browser

SEED = 3
"""Of a hand in which the second seat holds the king, and so bets after a check."""


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that has the game of docs/add-a-game.md."""
    folder = tmp_path_factory.mktemp("kuhn")
    with live_server(folder / "data", constants=with_kuhn(folder / "games"), PYTHONPATH=str(ROOT)) as server:
        yield server


@pytest.mark.parametrize(
    "size",
    [pytest.param({"width": 1600, "height": 1000}, marks=pytest.mark.long), {"width": 390, "height": 844}],
    ids=str,
)
def test_a_hand_is_played_by_mouse_and_by_keyboard(new_page: Open, kuhn: LiveServer, size: ViewportSize) -> None:
    screen = Screen(new_page(size))
    match = kuhn.start_match(game="kuhn", seed=SEED, pace=0, players={"first": "person", "second": "honest"})
    screen.open(f"{kuhn.url}/episode/{match}?as=seat:first")
    seat = screen.page.get_by_role("region", name="Your seat")
    expect(seat.get_by_text("Kuhn poker, where chips count, and hold the jack")).to_be_visible(timeout=SETTLED)
    move, send = seat.get_by_role("group", name="Move"), seat.get_by_role("button", name="Send", exact=True)
    expect(move.get_by_role("button")).to_have_text(["check", "bet"])
    expect(send).to_be_disabled()
    assert screen.page.evaluate("document.documentElement.scrollWidth") == size["width"]
    move.get_by_text("check").click()
    expect(move.get_by_role("button", pressed=True)).to_have_text("check")
    send.click()
    expect(move.get_by_role("button")).to_have_text(["fold", "call"], timeout=SETTLED)
    move.get_by_text("fold").focus()
    screen.press("Enter")
    expect(move.get_by_role("button", pressed=True)).to_have_text("fold")
    screen.press("ArrowRight", "Space")
    expect(move.get_by_role("button", pressed=True)).to_have_text("call")
    expect(send).to_be_enabled()
    screen.press("Tab", "Enter")
    kuhn.wait_for(match, status="finished")
    assert human_actions(kuhn, match, 2) == [{"move": "check"}, {"move": "call"}]
    assert screen.errors == []


@pytest.mark.long
@pytest.mark.parametrize(
    "size",
    [pytest.param({"width": 1600, "height": 1000}, marks=pytest.mark.long), {"width": 390, "height": 844}],
    ids=str,
)
def test_a_hand_is_played_on_the_table(new_page: Open, kuhn: LiveServer, size: ViewportSize) -> None:
    screen = Screen(new_page(size))
    match = kuhn.start_match(game="kuhn", seed=SEED, pace=0, players={"first": "person", "second": "honest"})
    screen.open(f"{kuhn.url}/episode/{match}?as=seat:first")
    seat = screen.page.get_by_role("region", name="Your seat")
    send = seat.get_by_role("button", name="Send", exact=True)
    own, pot = (screen.page.locator(f'[data-target="{place}"]') for place in ("first", "pot"))
    table = screen.page.locator(".view")
    own.click()
    expect(seat.get_by_role("button", name="check", pressed=True)).to_be_visible()
    send.click()
    expect(seat.get_by_role("button", name="call")).to_be_visible(timeout=SETTLED)
    expect(table.get_by_text("jack")).to_be_visible()
    expect(table.get_by_text("king")).to_have_count(0)
    pot.focus()
    screen.press("Enter")
    expect(seat.get_by_role("button", name="call", pressed=True)).to_be_visible()
    assert screen.errors == []
    send.click()
    expect(table.get_by_text("king")).to_be_visible(timeout=SETTLED)
    assert human_actions(kuhn, match, 2) == [{"move": "check"}, {"move": "call"}]


def test_a_failure_is_said_and_what_is_chosen_stays(screen: Screen, kuhn: LiveServer) -> None:
    match = kuhn.start_match(game="kuhn", seed=SEED, pace=0, players={"first": "person", "second": "honest"})
    screen.open(f"{kuhn.url}/episode/{match}?as=seat:first")
    seat = screen.page.get_by_role("region", name="Your seat")
    seat.get_by_role("button", name="check").wait_for(timeout=SETTLED)

    def fail(route: Route) -> None:
        route.fulfill(status=503, json={"status": 503, "title": "Busy", "detail": "Ask again later."})

    screen.page.route("**/choices", fail)
    seat.get_by_role("button", name="bet").click()
    expect(seat.get_by_role("alert")).to_have_text("Ask again later.")
    expect(seat.get_by_role("button", name="bet", pressed=True)).to_be_visible()
    screen.page.unroute("**/choices")
    seat.get_by_role("button", name="Try again").click()
    expect(seat.get_by_role("alert")).to_be_hidden()
    seat.get_by_role("button", name="Send", exact=True).click()
    assert human_actions(kuhn, match, 1) == [{"move": "bet"}]
    screen.errors.clear()
