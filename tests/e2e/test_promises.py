"""Promises that language models make, on the page and in the prompts: open, kept, broken, replaced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.letters import ROSTER
from tests.support.page.screen import SETTLED, Screen
from tests.support.page.steered import open_cockpit
from tests.support.players.chat_server import ChatServer, Request, says

pytestmark = [pytest.mark.browser, pytest.mark.long]

BROKEN = "Italy broke its promise to Austria that the army in Venice holds: it moves to Tyrolia"


def _answer(prompt: str) -> str:
    """Italy lies to Austria of Venice and changes its word about Naples; Austria says and does nothing."""
    negotiates, italy = '"messages": [{' in prompt, "You are ITALY" in prompt
    if not negotiates:
        orders = ["A VEN - TYR", "F NAP - ION"] if italy and "Phase S1901M" in prompt else []
        return json.dumps({"reasoning": "", "orders": orders})
    promises = ["venice HOLDS", "F NAP H"] if "Messages:" not in prompt else ["F NAP - ION"]
    message = {"to": ["AUSTRIA"], "text": "You have my word.", "promises": promises}
    return json.dumps({"reasoning": "", "messages": [message] if italy and "Phase S1901M" in prompt else []})


async def _talks(request: Request) -> None:
    await says(_answer(request.prompt))(request)


@pytest.fixture
def endpoint() -> Iterator[ChatServer]:
    with ChatServer(_talks) as endpoint:
        yield endpoint


@pytest.fixture
def liars(tmp_path: Path, endpoint: ChatServer) -> Iterator[LiveServer]:
    roster = tmp_path / "players.toml"
    roster.write_text(ROSTER.format(url=endpoint.url))
    with live_server(tmp_path / "data", "--roster", str(roster)) as server:
        yield server


def test_a_broken_promise_is_told_on_the_page_and_to_the_model(
    screen: Screen, liars: LiveServer, endpoint: ChatServer
) -> None:
    bots = dict.fromkeys(("ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY"), "hold")
    players = bots | {"ITALY": "talker", "AUSTRIA": "talker"}
    match = liars.start_match(game="diplomacy", pace=0, players=players, turns=2, options={"negotiation_rounds": 2})
    liars.wait_for(match, status="stopped")

    prompts = [request.prompt for request in endpoint.requests]
    verdicts = (
        "S1901M ITALY to AUSTRIA: A VEN H, broken: ordered A VEN - TYR\nS1901M ITALY to AUSTRIA: F NAP - ION, kept"
    )
    assert sum(verdicts in prompt and "You are AUSTRIA" in prompt for prompt in prompts) == 3
    assert not any("Promises judged" in prompt for prompt in prompts if "Phase S1901M" in prompt)

    page = screen.page
    screen.open(f"{liars.url}/episode/{match}?as=analyst")
    screen.wait_for_head(liars.get(f"/api/episodes/{match}")["last_seq"])
    screen.tab("Story")
    page.get_by_role("button", name="All of it: 1901").click()
    promises = page.get_by_role("list", name="Promises")
    expect(promises.get_by_text("the unit in Venice").or_(promises.get_by_text("venice HOLDS"))).to_be_visible()
    expect(promises.locator("li.broken .fate")).to_have_text("⚡ broken")
    expect(promises.locator("li.kept .fate")).to_have_text("✓ kept")
    expect(promises.locator("li.replaced .fate")).to_have_text("replaced by a later promise")
    expect(page.locator(".timeline .glyph").filter(has_text="⚡")).to_have_count(1)
    screen.tab("Log")
    expect(page.get_by_text(BROKEN).first).to_be_visible()

    open_cockpit(screen, liars, match)
    expect(page.get_by_text("Promises: 1 kept, 1 broken ⚡")).to_be_visible(timeout=SETTLED)
    page.get_by_label("Which turn or seat").select_option("seat:ITALY")
    expect(page.get_by_text(f"⚡ {BROKEN}")).to_be_visible()


def test_where_nobody_wrote_the_page_says_only_what_the_viewer_can_know(screen: Screen, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", pace=0, seed=3, turns=1)
    server.wait_for(match, status="stopped")
    page = screen.page
    for viewpoint, words in (
        ("analyst", "No messages yet."),
        ("spectator", "No public messages yet."),
        ("seat:ITALY", "No public messages yet, and none to or from Italy."),
    ):
        screen.open(f"{server.url}/episode/{match}?as={viewpoint}")
        screen.wait_for_head(server.get(f"/api/episodes/{match}")["last_seq"])
        screen.tab("Story")
        expect(page.get_by_text(words, exact=True)).to_be_visible()
