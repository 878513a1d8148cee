"""A person makes pacts by buttons: offers one, accepts another, and sees on the map what became of both."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.letters import ROSTER, events
from tests.support.page.on_map import MapPage
from tests.support.page.screen import SETTLED, Screen
from tests.support.players.chat_server import ChatServer, Request, says

pytestmark = [pytest.mark.browser, pytest.mark.long]

ASKED = "your army in Munich supports my army in Paris into Burgundy"


def _answer(prompt: str) -> str:
    """Italy offers France to keep Piedmont empty; Germany accepts what France offers, and does it."""
    germany = "You are GERMANY" in prompt
    if '"messages": [{' not in prompt:
        orders = ["A MUN S A PAR - BUR"] if germany and "S1901M" in prompt else []
        return json.dumps({"reasoning": "", "orders": orders})
    lines = {"GERMANY": ["ACCEPT FG1"] if "FG1 open" in prompt else [], "ITALY": ["ZONE PIE", "UNTIL F1901M"]}
    pact = lines["GERMANY" if germany else "ITALY"]
    message = {"to": ["FRANCE"], "text": "Let us agree.", "promises": [], "pact": pact}
    silent = not pact or ("FI1" in prompt and not germany)
    return json.dumps({"reasoning": "", "messages": [] if silent else [message]})


async def _agrees(request: Request) -> None:
    await says(_answer(request.prompt))(request)


@pytest.fixture
def partners(tmp_path: Path) -> Iterator[LiveServer]:
    roster = tmp_path / "players.toml"
    with ChatServer(_agrees) as endpoint:
        roster.write_text(ROSTER.format(url=endpoint.url))
        with live_server(tmp_path / "data", "--roster", str(roster)) as server:
            yield server


def test_a_person_makes_pacts_by_buttons_and_sees_them_on_the_map(screen: Screen, partners: LiveServer) -> None:
    bots = dict.fromkeys(("AUSTRIA", "ENGLAND", "RUSSIA", "TURKEY"), "hold")
    players = bots | {"FRANCE": "person", "GERMANY": "talker", "ITALY": "talker"}
    options = {"negotiation_rounds": 2}
    match = partners.start_match(game="diplomacy", seed=4, pace=0, players=players, turns=2, options=options, clock=600)
    page = screen.page
    screen.open(f"{partners.url}/episode/{match}?as=seat:FRANCE")
    desk = page.get_by_role("region", name="Your choice")
    offer = desk.get_by_role("region", name="Offer a pact")
    drawn = page.locator("main [data-pact]")

    offer.get_by_role("button", name="Germany").click(timeout=SETTLED)
    offer.get_by_role("button", name="Support me").click()
    offer.get_by_label("Which").select_option(label=ASKED)
    expect(offer.get_by_text(f"I offer you a pact: {ASKED}.")).to_be_visible()
    expect(drawn).to_have_attribute("data-standing", "open")
    offer.get_by_role("button", name="Add to the letters").click()
    expect(drawn).to_have_count(0)
    page.get_by_role("button", name="Send 1").click()

    waiting = desk.get_by_role("region", name="Offer FI1")
    expect(waiting.get_by_text("Piedmont stays empty")).to_be_visible(timeout=SETTLED)
    waiting.get_by_role("button", name="Accept").click()
    page.get_by_role("button", name="Send 1").click()

    map_page = MapPage(page)
    expect(map_page.prompt).to_contain_text("Pick a unit", timeout=SETTLED)
    expect(page.locator('main [data-pact="FG1"][data-standing="accepted"]')).to_have_count(1, timeout=SETTLED)
    expect(page.locator('main [data-pact="FI1"][data-standing="accepted"]')).to_have_count(1)
    (offered,) = [event for event in events(partners, match, "PactOffered") if event["power"] == "FRANCE"]
    assert [term["order"] for term in offered["terms"]] == ["A PAR - BUR", "A MUN S A PAR - BUR"]
    map_page.drag("PAR", "BUR")
    map_page.has("A PAR - BUR")

    desk.get_by_role("button", name="Pacts").click()
    offer.get_by_role("button", name="England").click()
    offer.get_by_role("button", name="Keep empty").click()
    offer.get_by_label("Which").select_option(label="the English Channel stays empty")
    offer.get_by_role("button", name="Send").click()
    expect(page.locator('main [data-pact="EF1"][data-standing="open"]')).to_have_count(1, timeout=SETTLED)
    desk.get_by_role("button", name="Pacts").click()
    map_page.has("A PAR - BUR")
    map_page.button("Submit").click()

    expect(page.locator('main [data-pact="FG1"][data-standing="kept"]')).to_have_count(1, timeout=SETTLED)
