"""The letters of built-in characters on the page, and their answer to a person's letter."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.live_server import LiveServer
from tests.support.page.letters import events
from tests.support.page.screen import SETTLED, Screen
from tests.support.server.private_batches import visible_events
from tests.support.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.long]

CAST = {
    "AUSTRIA": "Crispi",
    "ENGLAND": "Palmerston",
    "FRANCE": "Gorchakov",
    "GERMANY": "Bismarck",
    "ITALY": "Talleyrand",
    "RUSSIA": "Metternich",
    "TURKEY": "Cavour",
}


@pytest.fixture(scope="module")
def match(server: LiveServer) -> str:
    """A finished match of the characters."""
    match = server.start_match(game="diplomacy", seed=2, pace=0, players=CAST, options={"last_year": 1902})
    server.wait_for(match, status="finished", timeout=120)
    return match


def unfold(screen: Screen, text: str) -> None:
    """Open every chapter and all letters of the story, and wait until the message `text` is read there."""
    screen.tab("Story")
    message = screen.page.locator(".message").get_by_text(text, exact=True)
    story = screen.page.get_by_role("tabpanel")
    for name, shown in (("All of it", "section"), ("more letter", ".message")):
        story.locator(shown).first.wait_for(timeout=SETTLED)
        closed = story.get_by_role("button", name=name)
        while closed.count():
            closed.first.click()
    expect(message.last).to_be_visible(timeout=SETTLED)


@pytest.mark.long
def test_seven_characters_talk_and_the_page_shows_promises_and_lies(
    screen: Screen, server: LiveServer, match: str
) -> None:
    messages, lies = events(server, match, "MessageSent"), events(server, match, "LieNoted")
    assert len(messages) > 60
    assert lies
    assert events(server, match, "PromiseKept")

    page = screen.page
    screen.open(f"{server.url}/episode/{match}?as=analyst")
    screen.wait_for_head(server.get(f"/api/episodes/{match}")["last_seq"])
    unfold(screen, messages[-1]["text"])
    expect(page.locator(".message")).to_have_count(len(messages))
    noted = {(lie["power"], lie["phase"], lie["promise"], *lie["recipients"]) for lie in lies}
    marked = sum(
        any(
            (message["sender"], message["turn"], promise, *message["recipients"]) in noted
            for promise in message["promises"]
        )
        for message in messages
    )
    assert marked
    expect(page.locator(".message").get_by_text("not meant")).to_have_count(marked)

    screen.open(f"{server.url}/episode/{match}")
    screen.wait_for_head(server.get(f"/api/episodes/{match}")["last_seq"])
    for public in [message["text"] for message in messages if message["public"]][-1:]:
        unfold(screen, public)
    secret = next(message["text"] for message in reversed(messages) if not message["public"])
    expect(page.get_by_text(secret, exact=True)).to_have_count(0)


@pytest.mark.long
def test_a_lie_stands_on_the_map_until_the_orders_and_for_the_audience_alone(
    screen: Screen, server: LiveServer, match: str
) -> None:
    frames = server.get(f"/api/episodes/{match}/events", **{"as": "operator"})["frames"]
    told = list(visible_events(frames))
    lie = next(event for event in told if event["type"] == "LieNoted")
    verdict = next(
        event
        for event in told
        if event["type"] in ("PromiseKept", "PromiseBroken")
        and all(event["data"][name] == lie["data"][name] for name in ("power", "phase", "promise", "recipients"))
    )
    page, address = screen.page, f"{server.url}/episode/{match}"
    card = page.get_by_role("complementary", name="A lie")
    screen.open(f"{address}?as=analyst&seq={lie['seq'] + 1}")
    expect(card).to_contain_text("not meant", timeout=SETTLED)
    expect(page.locator(".lies .open")).not_to_have_count(0)
    expect(page.get_by_role("tabpanel").get_by_text("The analyst:").first).to_be_attached()
    screen.open(f"{address}?as=analyst&seq={verdict['seq'] + 1}")
    expect(card).to_contain_text(re.compile("broken|honoured after all"), timeout=SETTLED)
    expect(page.locator(".lies .open")).to_have_count(0)
    screen.open(f"{address}?seq={lie['seq'] + 1}")
    page.locator(".sheets").wait_for(timeout=SETTLED)
    expect(card).to_have_count(0)


@pytest.mark.long
def test_a_stab_in_preparation_is_on_the_map_for_the_audience_until_the_orders(
    screen: Screen, server: LiveServer, match: str
) -> None:
    told = list(visible_events(server.get(f"/api/episodes/{match}/events", **{"as": "operator"})["frames"]))
    trust: dict[str, dict[str, int]] = {}
    notes = (event for event in told if event["type"] == "NotesTaken")
    stab, victim = next(
        (event, other)
        for event in notes
        if not trust.update({event["data"]["seat"]: event["data"]["trust"]})
        for other in event["data"]["aims"]
        if trust.get(other, {}).get(event["data"]["seat"], 0) > 0
    )
    resolved = next(event for event in told if event["type"] == "OrdersResolved" and event["seq"] > stab["seq"])
    page, address = screen.page, f"{server.url}/episode/{match}"
    words = f"{stab['data']['seat'].title()} prepares to stab {victim.title()}"
    intentions = page.get_by_role("list", name="Intentions")
    screen.open(f"{address}?as=analyst&seq={stab['seq']}")
    expect(intentions).to_contain_text(words, timeout=SETTLED)
    expect(page.locator(".lies .stab")).not_to_have_count(0)
    screen.open(f"{address}?as=analyst&seq={resolved['seq']}")
    page.locator(".sheets").wait_for(timeout=SETTLED)
    expect(page.locator(".lies .stab")).to_have_count(0)
    screen.open(f"{address}?seq={stab['seq']}")
    page.locator(".sheets").wait_for(timeout=SETTLED)
    expect(intentions).to_have_count(0)


def test_a_persons_letter_is_answered(screen: Screen, server: LiveServer) -> None:
    players = {**CAST, "FRANCE": "person"}
    match = server.start_match(game="diplomacy", seed=4, pace=0, turns=1, players=players)
    letter = {"to": ["GERMANY"], "text": "Would your army in Munich support my army from Paris into Burgundy?"}

    def answer(sent: dict[str, Any]) -> None:
        def accepted() -> bool:
            reply = server.post(f"/api/episodes/{match}/seats/FRANCE", sent)
            assert reply.status_code in (202, 409), reply.text
            return reply.status_code == 202

        assert until(accepted), "France was not asked"

    answer({"messages": [{"message": letter}]})
    answer({"messages": []})
    # The messages of a round appear together, after the last seat: France has them once it is asked for orders.
    assert until(lambda: server.get(f"/api/episodes/{match}/seats/FRANCE")["asked"] == "choose")
    (reply, *_) = [
        message
        for message in events(server, match, "MessageSent")
        if message["sender"] == "GERMANY" and "FRANCE" in message["recipients"] and "Burgundy" in message["text"]
    ]
    answer({"action": {"orders": ["A PAR - BUR"]}})
    server.wait_for(match, status="stopped")
    screen.open(f"{server.url}/episode/{match}?as=seat:FRANCE")
    unfold(screen, reply["text"])
