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


def waiting_at(server: LiveServer, phases: int) -> str:
    """Return a match of Diplomacy that waits for France, which held in so many phases."""
    options = {"press": "none", "last_year": 1902}
    match = server.start_match(game="diplomacy", seed=5, players={"FRANCE": "person"}, options=options)
    seat = f"/api/episodes/{match}/seats/FRANCE"
    for phase in ("S1901M", "F1901M")[:phases]:
        assert until(partial(asked, server, match, phase))
        server.post(seat, {"action": {"orders": []}}).raise_for_status()
    return match


def asked(server: LiveServer, match: str, phase: str) -> bool:
    """Return whether France is asked for its orders in `phase`."""
    view = server.get(f"/api/episodes/{match}/seats/FRANCE")
    return bool(view["asked"] == "choose" and server.get(f"/api/episodes/{match}")["turn"] == phase)


def first_over(server: LiveServer) -> str:
    """Return a match of cricket with time to call what comes in the next over."""
    return server.start_match(game="cricket", seed=5, pace=4, options={"overs": 2})


QUESTIONS = [
    pytest.param(partial(waiting_at, phases=0), "Who wins?", "England", id="winner"),
    pytest.param(partial(waiting_at, phases=1), "Who gains most centres in 1901?", "England", id="conqueror"),
    pytest.param(partial(waiting_at, phases=2), "A stab in Spring 1902?", "Yes", id="stab"),
    pytest.param(first_over, "A wicket in over 2?", "No", id="wicket"),
]


@pytest.mark.parametrize(("begin", "question", "answer"), QUESTIONS)
def test_a_call_with_one_tap_is_scored_at_the_end(
    new_page: Open, server: LiveServer, begin: Callable[[LiveServer], str], question: str, answer: str
) -> None:
    match = begin(server)
    page = new_page()
    predict(page, server, match)
    group = page.get_by_role("group", name=question).first
    group.get_by_role("button", name=answer, exact=True).click(timeout=SETTLED)
    expect(group).to_contain_text(re.compile(rf"You said {answer}\..*The server: \d+\s%"))
    page.reload()
    expect(group).to_contain_text(f"ou said {answer}", timeout=SETTLED)
    if match.startswith("cricket"):
        server.command(match, "pace", value=0)
    else:
        server.command(match, "leave", seat="FRANCE")
    expect(page.get_by_role("region", name="The end of the match")).to_be_visible(timeout=SETTLED)
    expect(page.get_by_role("region", name="Predict")).to_contain_text(re.compile(r"\d of 1 right"), timeout=SETTLED)
    page.get_by_text("The audience, and the table of the day").click()
    page.get_by_label("Your name in the table").fill("Ada")
    page.get_by_role("button", name="Save").click()


def test_a_seat_is_not_asked(new_page: Open, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", players={"FRANCE": "person"}, options={"press": "none"})
    page = new_page()
    predict(page, server, match)
    page.goto(f"{server.url}/episode/{match}?as=seat:FRANCE")
    page.get_by_role("tab", name="Story").wait_for(timeout=SETTLED)
    expect(page.get_by_role("region", name="Predict")).to_have_count(0)
