"""Permissions on the page: with an operator's token, with a seat's token and without one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import OPERATOR, TOKEN, Open
from tests.support.page.proxy import Proxy
from tests.support.page.screen import SETTLED, Screen
from tests.support.page.steered import controls, opened_match
from tests.support.waiting import until

pytestmark = pytest.mark.browser


SECRETS = {"FRANCE": "the old duchess sleeps", "ITALY": "seven swans at dawn"}


@pytest.fixture(scope="module")
def secretive(guarded: LiveServer) -> str:
    """A match in which France and Italy, both people, have written each other a secret, and given orders."""
    body = {
        "game": "diplomacy",
        "seed": 271828182,
        "pace": 0,
        "turns": 1,
        "clock": 3600,
        "players": {"FRANCE": "person", "ITALY": "person"},
        "options": {"negotiation_rounds": 1},
    }
    match = str(guarded.post("/api/episodes", body, **OPERATOR).raise_for_status().json()["episode_id"])
    for seat, other in (("FRANCE", "ITALY"), ("ITALY", "FRANCE")):
        _answer(guarded, match, seat, {"messages": [{"message": {"to": [other], "text": SECRETS[seat]}}]})
    _answer(guarded, match, "FRANCE", {"action": {"orders": ["A PAR - GAS"]}})
    token = guarded.post(f"/api/episodes/{match}/seats/ITALY/token", {}, **OPERATOR).json()["token"]
    (guarded.log.parent / "italy").write_text(token)
    return match


def _answer(server: LiveServer, match: str, seat: str, answer: dict[str, Any]) -> None:
    """Submit a person's answer as soon as the seat is asked."""

    def accepted() -> bool:
        sent = server.post(f"/api/episodes/{match}/seats/{seat}", answer, **OPERATOR)
        assert sent.status_code in (202, 409), sent.text
        return sent.status_code == 202

    assert until(accepted), f"{seat} was not asked"


class PageContent:
    """All that reaches a page: socket frames, answers, and what is in its document at every number."""

    def __init__(self, page: Page) -> None:
        self.text: list[str] = []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self.text.append(str(frame))))
        page.on("response", self._keep)

    def _keep(self, response: Any) -> None:
        if "/api/" in response.url and "json" in (response.headers.get("content-type") or ""):
            self.text.append(response.text())

    def holds(self, *secrets: str) -> list[str]:
        return [secret for secret in secrets if any(secret in text for text in self.text)]


SCRUBBED = """async () => {
    const input = document.querySelector('input[type=range]');
    const seen = [];
    for (let seq = 0; seq <= Number(input.max); seq++) {
        input.value = seq;
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((painted) => requestAnimationFrame(painted));
        seen.push(document.documentElement.outerHTML);
    }
    return [seen.join()];
}"""

ALL_SECRETS = (*SECRETS.values(), "A PAR - GAS", "271828182")


@pytest.mark.long
@pytest.mark.parametrize(
    ("token", "viewpoint", "knows"),
    [
        (None, "spectator", ()),
        (None, "seat:FRANCE", ()),
        (None, "analyst", ()),
        (None, "operator", ()),
        ("italy", "spectator", ()),
        ("italy", "seat:ITALY", tuple(SECRETS.values())),
        ("italy", "seat:FRANCE", ()),
        ("italy", "operator", ()),
        ("operator", "spectator", ()),
        ("operator", "analyst", tuple(SECRETS.values())),
        ("operator", "operator", (*SECRETS.values(), "271828182")),
    ],
)
def test_a_page_holds_only_what_its_viewpoint_may_know(
    new_page: Open, guarded: LiveServer, secretive: str, token: str | None, viewpoint: str, knows: tuple[str, ...]
) -> None:
    page = new_page()
    if token:
        secret = TOKEN if token == "operator" else (guarded.log.parent / token).read_text()
        page.add_init_script(f"sessionStorage.setItem('token', {json.dumps(secret)})")
    content = PageContent(page)
    page.goto(f"{guarded.url}/episode/{secretive}?as={viewpoint}")
    count = page.locator(".count")
    expect(count.or_(page.get_by_role("heading", name="This match cannot be shown"))).to_be_visible(timeout=SETTLED)
    granted = viewpoint == "spectator" or bool(knows)
    assert count.is_visible() == granted
    if granted:
        expect(count).to_contain_text("All of 0–")
        screen = Screen(page)
        content.text += page.evaluate(SCRUBBED)
        for name in page.get_by_role("tab").all_inner_texts():
            screen.tab(name)
            content.text.append(page.content())
    assert content.holds(*ALL_SECRETS) == list(knows)
    options = page.get_by_label("Viewpoint").locator("option")
    seats = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
    if granted:
        offered = {
            None: [],
            "italy": ["spectator", "seat:ITALY"],
            "operator": ["spectator", "analyst", "operator", *(f"seat:{seat}" for seat in seats)],
        }[token]
        expect(options).to_have_count(len(offered))  # what a token permits may be known after the match
        assert options.evaluate_all("(all) => all.map((one) => one.value)") == offered


@pytest.mark.long
def test_signing_in_keeps_the_token_in_the_tab(new_page: Open, guarded: LiveServer, secretive: str) -> None:
    screen = Screen(new_page())
    page = screen.page
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.on("websocket", lambda socket: addresses.append(socket.url))
    page.goto(f"{guarded.url}/cockpit")
    expect(page.get_by_role("button", name="Start the match")).to_be_hidden()
    page.get_by_label("Token").fill("guess")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not the operator's")
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("You are signed in")).to_be_visible()
    expect(page.get_by_role("button", name="Start the match")).to_be_visible()
    page.get_by_role("region", name="Live").get_by_role("link").first.click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible(timeout=SETTLED)
    assert any("ticket=" in address for address in addresses)
    assert not [
        address for address in addresses if "let" in address and "me" in address and "in" in address.split("let")[1]
    ]
    assert page.evaluate("[JSON.stringify(localStorage), document.cookie].join()") == "{},"
    other = page.context.new_page()
    other.goto(f"{guarded.url}/cockpit")
    expect(other.get_by_text("Watching only")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    expect(page.get_by_text("Watching only")).to_be_visible()


@pytest.mark.long
def test_every_reconnection_takes_a_ticket_of_its_own(new_page: Open, guarded: LiveServer, secretive: str) -> None:
    proxy = Proxy(guarded.url)
    page = new_page()
    page.add_init_script(f"sessionStorage.setItem('token', {json.dumps(TOKEN)})")
    tickets: list[str] = []
    page.on("websocket", lambda socket: tickets.append(socket.url.partition("ticket=")[2]))
    page.goto(f"{proxy.url}/episode/{secretive}?as=operator")
    badge = page.get_by_role("banner").get_by_text(re.compile("^Waiting for (France|Italy)"))
    for cuts in range(1, 4):
        while len(tickets) < cuts:
            page.wait_for_event("websocket", timeout=2 * SETTLED)
        expect(badge).to_be_visible(timeout=SETTLED)
        assert len(set(tickets)) == len(tickets) >= cuts
        assert "" not in tickets
        assert until(lambda: proxy.cut() > 0)
    proxy.close()


@pytest.mark.long
def test_a_closed_house_offers_what_a_visitor_may_do(screen: Screen, tmp_path: Path) -> None:
    with live_server(tmp_path, "--host", "0.0.0.0", GRANDSTAND_VISITOR_CREDITS="12") as server:
        server.url = server.url.replace("0.0.0.0", "127.0.0.1")
        page = screen.page
        page.goto(f"{server.url}/cockpit")
        expect(page.get_by_text("You have 12 of 12 credits.")).to_be_visible(timeout=SETTLED)
        expect(page.get_by_text("no one can control matches here")).to_be_visible()
        expect(page.get_by_role("form", name="Start a match")).to_be_visible(timeout=SETTLED)
        expect(page.get_by_label("Token")).to_be_hidden()
        expect(page.get_by_label("Approve messages")).to_be_hidden()
        person = page.get_by_label("France").locator("option[value=person]")
        expect(person).to_be_enabled()
        page.get_by_role("button", name="Start the match").click()
        started = opened_match(page)
        expect(page.get_by_role("table").first).to_be_visible(timeout=SETTLED)
        expect(page.get_by_role("button", name="Pause")).to_be_hidden()
        expect(page.get_by_role("button", name="Take France over")).to_be_hidden()
        assert ("pace", 0.5) in controls(server, started)
        page.goto(f"{server.url}/cockpit?new")
        enough = re.compile("you have 2 of 12 credits: enough in (39|40) minutes")  # the purse has begun to refill
        expect(page.get_by_text(enough)).to_be_visible(timeout=SETTLED)
        page.get_by_role("button", name="Start the match").click()
        expect(page.get_by_role("alert")).to_contain_text("not enough credits for a match: it takes 10")
        screen.errors.clear()
