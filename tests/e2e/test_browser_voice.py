"""The voice of the browser on the page: letters in the voices of their writers, and the word that there is no voice."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.support.live_server import LiveServer
from tests.support.page.hearing import Hearing
from tests.support.page.letters import events
from tests.support.page.screen import SETTLED, Screen

pytestmark = [pytest.mark.browser, pytest.mark.long]

CAST = {
    "AUSTRIA": "Crispi",
    "ENGLAND": "Palmerston",
    "FRANCE": "Gorchakov",
    "GERMANY": "Bismarck",
    "ITALY": "Cavour",
    "RUSSIA": "Talleyrand",
    "TURKEY": "Reshid",
}
NO_VOICE = "This browser has no voice; captions are shown instead."
#: Collects the letters that the story shows, however long each is shown.
LETTERS = """
window.letters = [];
new MutationObserver(() => {
  for (const { innerText } of document.querySelectorAll('[aria-label="Letters"] .message'))
    if (!letters.includes(innerText)) letters.push(innerText);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
LEAD = re.compile(r"^(\w+) to (.+):$")


@pytest.fixture(scope="module")
def written(server: LiveServer) -> str:
    """A match of one year with letters, already over."""
    match = server.start_match(game="diplomacy", seed=2, pace=0, players=CAST, options={"last_year": 1901})
    server.wait_for(match, status="finished", timeout=120)
    return match


def test_a_browser_without_voices_is_told_so(screen: Screen, server: LiveServer, written: str) -> None:
    page = screen.page
    screen.open(f"{server.url}/episode/{written}?as=analyst")
    assert page.evaluate("speechSynthesis.getVoices().length") == 0, "Chromium without a head has none"
    page.get_by_role("button", name="Read aloud").click()
    expect(page.get_by_role("status").filter(has_text=NO_VOICE)).to_be_visible()
    page.get_by_role("button", name="Voice settings").click()
    expect(page.get_by_role("group", name="Voice")).to_contain_text(NO_VOICE)
    expect(page.get_by_role("group", name="Voice")).not_to_contain_text("Your browser reads")
    page.get_by_role("button", name="Read aloud").click()
    expect(page.get_by_text(NO_VOICE)).to_have_count(0)


def test_letters_are_read_with_their_writers(screen: Screen, server: LiveServer, written: str) -> None:
    page, hearing = screen.page, Hearing(screen.page)
    page.add_init_script(LETTERS)
    screen.open(f"{server.url}/episode/{written}?as=analyst&seq=4")
    expect(screen.count).to_contain_text("Complete", timeout=SETTLED)
    page.get_by_role("button", name="Read aloud").click()
    page.locator(".caption").click()
    screen.press(" ")
    page.wait_for_function("() => window.spoken.some((text) => / to .+:$/.test(text))", timeout=SETTLED)
    spoken = hearing.spoken()
    letters = {message["text"]: CAST[message["sender"]] for message in events(server, written, "MessageSent")}
    read = [(LEAD.match(lead), words) for lead, words in pairwise(spoken) if LEAD.match(lead)]
    assert read
    for lead, words in read:
        assert lead is not None
        assert letters[words] == lead[1]
    shown = page.evaluate("letters")
    assert any(words in text for _, words in read for text in shown), "it is one of those that the story shows"


def test_a_spectator_hears_no_letter_that_is_not_for_all(screen: Screen, server: LiveServer, written: str) -> None:
    page, hearing = screen.page, Hearing(screen.page)
    screen.open(f"{server.url}/episode/{written}?as=spectator&seq=4")
    expect(screen.count).to_contain_text("Complete", timeout=SETTLED)
    page.get_by_role("button", name="Read aloud").click()
    page.locator(".caption").click()
    screen.press(" ")
    hearing.wait_for_speech(3)
    secret = {message["text"] for message in events(server, written, "MessageSent") if not message["public"]}
    assert secret
    assert not secret & set(hearing.spoken())
