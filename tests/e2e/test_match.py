"""The match page over a match that has ended: what it costs, what it shows, how it is steered."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.live_server import LiveServer
from tests.support.page.browser import Open
from tests.support.page.record import Record
from tests.support.page.screen import Screen, Traffic

pytestmark = pytest.mark.browser

PAINT_WITHIN = 5000
"""Milliseconds. A second is usual; the bound allows for other work on the machine."""
TRIES = 5
"""The best of so many: what else the machine does is not the page's cost."""
MOVES_AT_MOST = 500_000


@pytest.fixture(scope="module")
def short(server: LiveServer) -> str:
    """A game of Diplomacy that is over after two years, for what is the same in a game of any length."""
    episode_id = server.start_match(game="diplomacy", seed=1, pace=0, options={"last_year": 1902})
    server.wait_for(episode_id, status="finished")
    return episode_id


@pytest.mark.long
def test_a_late_joiner_soon_sees_a_whole_game(new_page: Open, server: LiveServer, played: str) -> None:
    painted: list[float] = []
    while len(painted) < TRIES and min(painted, default=PAINT_WITHIN + 1) > PAINT_WITHIN:
        screen = Screen(new_page())
        traffic = Traffic(screen.page)
        screen.open(f"{server.url}/episode/{played}")
        painted.append(screen.page.evaluate("performance.now()"))
        expect(screen.count).to_contain_text("Complete 0–")
        screen.page.wait_for_load_state("networkidle")
        assert traffic.total <= MOVES_AT_MOST
        assert screen.shifted() < 0.01
        assert screen.errors == []
    assert min(painted) <= PAINT_WITHIN


@pytest.mark.long
def test_the_screen_tells_exactly_what_is_on_record(screen: Screen, server: LiveServer, played: str) -> None:
    """The events come in segments, which the browser and all between may keep."""
    record = Record(server, played)
    kept: list[str] = []
    screen.page.on(
        "response",
        lambda answer: kept.append(answer.header_value("cache-control") or "") if "/events?" in answer.url else None,
    )
    screen.open(f"{server.url}/episode/{played}")
    expect(screen.count).to_have_text(f"Complete 0–{record.last}, {len(record.withheld)} withheld")
    assert set(kept) == {"public, max-age=31536000, immutable"}
    report, withheld = screen.log()
    assert withheld == record.withheld
    assert set(record.numbers("TurnStarted", "OrdersResolved", "CentersChanged", "EpisodeEnded")) <= set(report)
    for event in record.events("OrdersResolved"):
        moves = [order for orders in event["data"]["orders"].values() for order in orders if order["kind"] == "move"]
        if event["data"]["phase"].endswith("M") and moves:
            made = sum(not order["results"] for order in moves)
            assert f"{made} of {len(moves)} moves succeeded" in report[event["seq"]]


@pytest.mark.long
def test_every_moment_has_its_address(screen: Screen, server: LiveServer, played: str) -> None:
    record = Record(server, played)
    resolved = record.numbers("OrdersResolved")[7]
    screen.open(f"{server.url}/episode/{played}?seq={resolved}")
    expect(screen.count).to_contain_text("Complete")
    assert screen.seq() == resolved
    screen.look(resolved + 5)
    expect(screen.page).to_have_url(re.compile(rf"\?seq={resolved + 5}$"))
    screen.press("End")
    expect(screen.page).to_have_url(re.compile(rf"/episode/{played}$"))


@pytest.mark.long
def test_the_keyboard_walks_steps_and_turns(screen: Screen, server: LiveServer, played: str) -> None:
    record = Record(server, played)
    turns = record.numbers("TurnStarted")
    screen.open(f"{server.url}/episode/{played}")
    expect(screen.count).to_contain_text("Complete")
    screen.press("Home")
    expect(screen.slider).to_have_value(str(turns[0]))
    screen.press("Shift+ArrowRight", "PageDown")
    expect(screen.slider).to_have_value(str(turns[2]))
    screen.press("PageUp")
    expect(screen.slider).to_have_value(str(turns[1]))
    screen.press("ArrowLeft")
    expect(screen.slider).not_to_have_value(str(turns[1]))
    assert turns[0] < screen.seq() < turns[1]
    screen.press("ArrowRight")
    expect(screen.slider).to_have_value(str(turns[1]))
    screen.press("End")
    expect(screen.slider).to_have_value(str(record.last))


@pytest.mark.long
def test_the_chances_are_read_turn_by_turn_in_charts(screen: Screen, server: LiveServer, played: str) -> None:
    outlooks = [event["data"] for event in Record(server, played).events("OutlookUpdated")]
    screen.open(f"{server.url}/episode/{played}")
    expect(screen.count).to_contain_text("Complete")
    screen.tab("Charts")
    curve = screen.page.get_by_role("slider", name="Chances of winning")
    best, chance = max(outlooks[0]["chances"].items(), key=lambda item: item[1])
    curve.focus()
    screen.press("Home")
    expect(curve).to_have_attribute("aria-valuetext", re.compile(rf": {best.title()} {round(100 * chance)}\s%"))


def test_playback_runs_by_itself_and_stops_when_asked(screen: Screen, server: LiveServer, short: str) -> None:
    clock = screen.page.clock
    clock.install()
    screen.open(f"{server.url}/episode/{short}?seq=0")
    expect(screen.count).to_contain_text("Complete")
    screen.page.get_by_label("Speed").select_option("full")
    # From here on time passes only where the test says so.
    clock.pause_at(screen.page.evaluate("Date.now()") + 60_000)
    screen.press(" ")
    clock.run_for(400)
    assert screen.seq() > 0
    screen.press(" ")
    clock.run_for(100)
    stopped = screen.seq()
    assert stopped < screen.head()
    clock.run_for(5000)
    assert screen.seq() == stopped


def test_the_speed_stays_when_the_page_is_loaded_again(screen: Screen, server: LiveServer, short: str) -> None:
    screen.open(f"{server.url}/episode/{short}?seq=0")
    speed = screen.page.get_by_label("Speed")
    speed.select_option("Highlights")
    screen.page.reload()
    expect(speed.locator("option:checked")).to_have_text("Highlights")
    assert screen.page.evaluate("Object.keys(localStorage)") == []


@pytest.mark.long
def test_scrubbing_does_not_draw_the_page_anew(screen: Screen, server: LiveServer, played: str) -> None:
    screen.open(f"{server.url}/episode/{played}")
    expect(screen.count).to_contain_text("Complete")
    assert 0 < screen.redrawn(range(0, screen.head(), max(1, screen.head() // 100))) < 1 / 4


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 1024, 1600])
def test_nothing_overflows_and_every_control_has_a_name(
    new_page: Open, server: LiveServer, played: str, width: int
) -> None:
    screen = Screen(new_page({"width": width, "height": 844}))
    screen.open(f"{server.url}/episode/{played}?seq=300")
    expect(screen.count).to_contain_text("Complete")
    assert _overflow(screen.page) == 0
    for button in screen.page.locator("button, select, a").all():
        name = button.inner_text().strip() or button.get_attribute("aria-label") or button.get_attribute("title")
        assert name, button.evaluate("(element) => element.outerHTML")
    assert "event 300 of" in (screen.slider.get_attribute("aria-valuetext") or "")


@pytest.mark.long
def test_a_reader_who_wants_no_motion_gets_none(new_page: Open, server: LiveServer, short: str) -> None:
    screen = Screen(new_page(reduced_motion="reduce"))
    screen.open(f"{server.url}/episode/{short}?seq=100")
    expect(screen.count).to_contain_text("Complete")
    screen.press("ArrowRight")
    running = screen.page.evaluate(
        "document.getAnimations().filter((one) => Number(one.effect.getComputedTiming().duration) > 1).length"
    )
    assert running == 0


def _overflow(page: Page) -> int:
    over: int = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    return max(0, over)
