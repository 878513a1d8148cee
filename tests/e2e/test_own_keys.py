"""Models that visitors pay for, on the page: the key is entered, used, and kept nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support.live_server import LiveServer
from tests.support.page.axe import FAULTS, OF_COLOURS
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED
from tests.support.players.chat_server import ChatServer, hangs, says
from tests.support.server.openid_server import ACCESS_TOKEN, OpenIdServer
from tests.support.server.own_models import KEY, QUIET, TOKEN, faults, play, server_for
from tests.support.server.sign_in import serving

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}

KEPT = """() => JSON.stringify([
    {...localStorage}, {...sessionStorage}, document.cookie, location.href, history.state,
    performance.getEntriesByType('resource').map(({ name }) => name),
    document.documentElement.outerHTML,
    [...document.querySelectorAll('input')].map(({ value }) => value),
])"""
"""All that a page keeps or shows."""


@pytest.fixture
def endpoint() -> Iterator[ChatServer]:
    with ChatServer(says('{"orders": []}')) as running:
        yield running


@pytest.fixture
def server(endpoint: ChatServer, tmp_path: Path) -> Iterator[LiveServer]:
    with server_for(endpoint, tmp_path, visitor_seats="true") as running:
        yield running


def accessible(page: Page, axe: str, context: str = "html") -> list[str]:
    """Return what axe finds on the page, or a part of it, in both themes."""
    page.evaluate(axe)
    light = page.evaluate(FAULTS, [context, "light", None])
    return [*light, *page.evaluate(FAULTS, [context, "dark", OF_COLOURS])]


def choose_own_model(page: Page, server: LiveServer) -> None:
    page.goto(f"{server.url}/cockpit?new")
    page.get_by_label("France", exact=True).select_option("Your own model")
    page.get_by_label("Model", exact=True).fill("org/small-1")


@pytest.mark.long
@pytest.mark.parametrize("size", [{"width": 1600, "height": 1000}, PHONE], ids=["desktop", "phone"])
def test_a_visitors_model_plays_and_the_page_keeps_nothing_of_its_key(
    new_page: Open, server: LiveServer, endpoint: ChatServer, axe: str, size: ViewportSize
) -> None:
    endpoint.answer = hangs
    page = new_page(size, reduced_motion="reduce")
    choose_own_model(page, server)
    key = page.get_by_label("Key", exact=True)
    assert key.get_attribute("type") == "password"
    assert key.get_attribute("autocomplete") == "off"
    key.fill("short")
    page.get_by_role("button", name="Start the match").click()
    expect(page.get_by_role("alert")).to_contain_text("models.FRANCE.api_key: a key has 8 to 512 characters")
    expect(key).to_be_focused()
    expect(key).to_have_attribute("aria-invalid", "true")
    assert accessible(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    key.fill(KEY)
    page.get_by_role("button", name="Start the match").click()
    expect(page.get_by_role("region", name="Your seat")).to_contain_text("is played by own:local:org/small-1")
    assert "as=seat:FRANCE" in page.url.replace("%3A", ":")
    endpoint.wait_for(1)
    assert endpoint.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in page.evaluate(KEPT)
    page.go_back()
    expect(page.get_by_role("button", name="Start the match")).to_be_visible(timeout=SETTLED)
    assert KEY not in page.evaluate(KEPT)
    page.reload()
    expect(page.get_by_role("button", name="Start the match")).to_be_visible(timeout=SETTLED)
    assert KEY not in page.evaluate(KEPT)


@pytest.mark.long
def test_from_the_lobby_a_model_takes_the_side_that_is_chosen(
    new_page: Open, endpoint: ChatServer, tmp_path: Path, axe: str
) -> None:
    endpoint.answer = hangs
    with server_for(endpoint, tmp_path, visitor_seats="true") as server:
        body = {"game": "diplomacy", "seed": 1, "pace": 60, "options": QUIET}
        server.post("/api/episodes", body, Authorization=f"Bearer {TOKEN}").raise_for_status()
        page = new_page()
        page.goto(server.url)
        page.get_by_role("button", name="Play", exact=True).first.click()
        page.get_by_label("A model of my own plays").check()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Model", exact=True).fill("org/small-1")
        dialog.get_by_label("Key", exact=True).fill(KEY)
        assert accessible(page, axe) == []
        dialog.get_by_role("button", name="Italy").click()
        expect(page.get_by_role("region", name="Your seat")).to_contain_text("own:local:org/small-1")
        endpoint.wait_for(1)
        assert KEY not in page.evaluate(KEPT)


@pytest.mark.long
def test_after_a_restart_the_page_asks_for_the_key_again(
    new_page: Open, endpoint: ChatServer, tmp_path: Path, axe: str
) -> None:
    endpoint.answer = hangs
    with server_for(endpoint, tmp_path) as server:
        seat = play(server, options={**QUIET, "last_year": 1990}, pace=5)
        endpoint.wait_for(1)
        server.kill()
    with server_for(endpoint, tmp_path) as server:
        page = new_page()
        page.goto(f"{server.url}/cockpit")
        page.get_by_label("Token").fill(seat["token"])
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_function("() => sessionStorage.length > 0")
        page.goto(f"{server.url}/episode/{seat['episode_id']}?as=seat:FRANCE")
        form = page.get_by_role("form", name="Key of your model")
        expect(form).to_contain_text("gone after a restart; enter it again to go on")
        assert accessible(page, axe, "form[aria-label='Key of your model']") == []
        calls = len(endpoint.requests)
        form.get_by_label("Key for local").fill(KEY)
        form.get_by_role("button", name="Enter the key").click()
        expect(form).to_be_hidden()
        endpoint.wait_for(calls + 1)
        assert KEY not in page.evaluate(KEPT)


@pytest.mark.long
def test_a_visitor_signs_in_in_a_tab_of_its_own_and_needs_no_key(
    new_page: Open, endpoint: ChatServer, tmp_path: Path, axe: str
) -> None:
    with OpenIdServer() as provider, serving(tmp_path, endpoint, provider) as server:
        page = new_page()
        choose_own_model(page, server)
        page.get_by_label("Endpoint").select_option("127.0.0.1")
        with page.expect_popup() as opened:
            page.get_by_role("link", name="sign in with Hugging Face").click()
        tab = opened.value
        tab.wait_for_url("**/cockpit?new")
        tab.get_by_label("France", exact=True).select_option("Your own model")
        expect(tab.get_by_text("Signed in with Hugging Face as ada")).to_be_visible(timeout=SETTLED)
        assert accessible(tab, axe) == []
        tab.get_by_label("Model", exact=True).fill("a/b")
        tab.get_by_role("button", name="Start the match").click()
        tab.wait_for_url("**/episode/**")
        endpoint.wait_for(1)
        assert endpoint.requests[0].headers["authorization"] == f"Bearer {ACCESS_TOKEN}"
        assert ACCESS_TOKEN not in tab.evaluate(KEPT)
        tab.goto(f"{server.url}/cockpit?new")
        tab.get_by_label("France", exact=True).select_option("Your own model")
        tab.get_by_role("button", name="Sign out of Hugging Face").click()
        expect(tab.get_by_role("link", name="sign in with Hugging Face")).to_be_visible(timeout=SETTLED)


@pytest.mark.long
def test_an_operator_sees_what_today_has_cost_and_its_limit(
    new_page: Open, endpoint: ChatServer, tmp_path: Path
) -> None:
    with server_for(endpoint, tmp_path, daily_tokens="2000000") as server:
        started = play(server)
        server.wait_for(started["episode_id"], status="finished")
        assert faults(server, started["episode_id"]) == []
        page = new_page()
        page.goto(f"{server.url}/health")
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_text("of 2.0M")).to_be_visible(timeout=SETTLED)
        players = page.get_by_role("region", name="Spending of today, by player", exact=True)
        expect(players).to_contain_text("own:local:org/small-1 (a visitor pays)")
