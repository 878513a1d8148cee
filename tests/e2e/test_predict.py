"""A viewer calls what comes next with one tap, and is told what the server thought, and what came."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED
from tests.support.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, GRANDSTAND_PACE="0.2") as running:
        yield running


def predict(page: Page, server: LiveServer, match: str, more: str = "") -> None:
    page.goto(f"{server.url}/episode/{match}{more}")
    expect(page.get_by_role("region", name="Predict")).to_be_visible(timeout=SETTLED)


def waiting_at(server: LiveServer, phase: str) -> str:
    """Return a match of Diplomacy that waits for a letter of France in `phase`, so that nobody has given orders yet."""
    players = {"FRANCE": "person", "GERMANY": "Bismarck"}
    options = {"negotiation_rounds": 1, "last_year": 1902}
    match = server.start_match(game="diplomacy", seed=5, players=players, options=options)
    assert until(partial(came_to, server, match, phase))
    return match


def came_to(server: LiveServer, match: str, phase: str) -> bool:
    """Have France hold and write nothing before `phase`; return whether it is asked for a letter in it."""
    seat = f"/api/episodes/{match}/seats/FRANCE"
    asked, turn = server.get(seat)["asked"], server.get(f"/api/episodes/{match}")["turn"]
    if asked and turn == phase:
        return bool(asked != "choose")
    if asked:
        server.post(seat, {"action": {"orders": []}} if asked == "choose" else {"messages": []})
    return False


def first_over(server: LiveServer) -> str:
    """Return a match of cricket that stands still in the first over, so that the next one can be called."""
    match = server.start_match(game="cricket", seed=5, pace=4, options={"overs": 2}, paused=True)
    while not any("over 2?" in each["text"] for each in server.get(f"/api/episodes/{match}/audience")["questions"]):
        played = server.get(f"/api/episodes/{match}")["last_seq"]
        server.command(match, "step")
        server.wait_for(match, seq=played + 2)  # the command, and what was played
    return match


def unfold(page: Page) -> None:
    """Show all questions, not the first alone, and the table of the day."""
    rest = page.get_by_role("region", name="Predict").locator("details")
    rest.wait_for(timeout=SETTLED)
    if rest.get_attribute("open") is None:
        rest.locator("summary").click()


QUESTIONS = [
    pytest.param(partial(waiting_at, phase="S1901M"), "Who wins?", "England", id="winner"),
    pytest.param(partial(waiting_at, phase="F1901M"), "Who gains most centres in 1901?", "England", id="conqueror"),
    pytest.param(partial(waiting_at, phase="S1902M"), "A stab in Spring 1902?", "Yes", id="stab"),
    pytest.param(first_over, "A wicket in over 2?", "No", id="wicket"),
]


@pytest.mark.parametrize(("begin", "question", "answer"), QUESTIONS)
def test_a_call_with_one_tap_is_scored_at_the_end(
    new_page: Open, server: LiveServer, begin: Callable[[LiveServer], str], question: str, answer: str
) -> None:
    match = begin(server)
    page = new_page()
    predict(page, server, match)
    unfold(page)
    group = page.get_by_role("group", name=question).first
    group.get_by_role("button", name=answer, exact=True).click(timeout=SETTLED)
    expect(group).to_contain_text(re.compile(rf"You said {answer}\..*The server: \d+\s%"))
    page.reload()
    unfold(page)
    expect(group).to_contain_text(f"ou said {answer}", timeout=SETTLED)
    if match.startswith("cricket"):
        server.command(match, "pace", value=0)
        server.command(match, "resume")
    else:
        server.command(match, "leave", seat="FRANCE")
    expect(page.get_by_role("region", name="The end of the match")).to_be_visible(timeout=SETTLED)
    expect(page.get_by_role("region", name="Predict")).to_contain_text(re.compile(r"\d of 1 right"), timeout=SETTLED)
    unfold(page)
    page.get_by_label("Your name in the table").fill("Ada")
    page.get_by_role("button", name="Save", exact=True).click()


def test_a_seat_is_not_asked(new_page: Open, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", players={"FRANCE": "person"}, options={"press": "none"})
    page = new_page()
    predict(page, server, match)
    page.goto(f"{server.url}/episode/{match}?as=seat:FRANCE")
    page.get_by_role("tab", name="Story").wait_for(timeout=SETTLED)
    expect(page.get_by_role("region", name="Predict")).to_have_count(0)
