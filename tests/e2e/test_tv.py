"""The broadcast at /tv: it goes on from match to match by itself, and a clean one has nothing to click."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.page.axe import ALL, FAULTS
from tests.support.page.browser import FLAGS, Open
from tests.support.page.hearing import Hearing
from tests.support.page.screen import SETTLED
from tests.support.play.story_match import StoryMatch, record
from tests.support.requirements import chromium, file

pytestmark = pytest.mark.browser

OVER = StoryMatch(
    "told-over", "It is decided", 0.4, "France falls.", 1.0, origin="showcase", outcome="Turkey wins alone.", seed=3
)
CLICKABLE = "a, button, input, select, summary"
SCREENS: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 390, "height": 844}]

AUDIBLE = "--autoplay-policy=no-user-gesture-required"
"""Sound without a gesture, as the browser source of OBS allows it."""

WATCH_MOMENTS = """() => {
    window.pictured = [];
    window.announced = [];
    const note = () => {
        const bar = document.querySelector('.programme .bar > .badge, .programme .bar > .moment');
        const text = bar?.textContent.trim().replace(/,.*/, '');
        if (text && text !== window.announced.at(-1)) window.announced.push(text);
        const programme = document.querySelector('.programme[data-seq]:has(.moment)');
        if (programme) window.pictured.push([programme.dataset.episode, Number(programme.dataset.seq)]);
    };
    const all = { attributes: true, characterData: true, childList: true, subtree: true };
    new MutationObserver(note).observe(document.body, all);
}"""
"""Remember which events the best moments show, and what stands beside the title, however long it does."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    file(ROOT / "frontend/dist/index.html", remedy="run `make setup` to build the page")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS, AUDIBLE])
        yield browser
        browser.close()


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with showcase matches of Diplomacy, and one that is over."""
    record(tmp_path, (OVER,))
    with live_server(tmp_path, "--showcase", "diplomacy") as server:
        yield server


@pytest.mark.parametrize(
    "size", [SCREENS[0], pytest.param(SCREENS[1], marks=pytest.mark.long)], ids=["screen", "phone"]
)
def test_it_shows_a_match_with_its_chances_and_nothing_to_click(
    new_page: Open, lane: LiveServer, axe: str, size: ViewportSize
) -> None:
    page = new_page(size, reduced_motion="reduce")
    page.add_init_script(axe)
    page.goto(f"{lane.url}/tv?clean=1")
    expect(page.get_by_role("group", name="Map of Europe").locator("svg").first).to_be_visible(timeout=SETTLED)
    expect(page.get_by_role("list", name="Standings").locator(".percent").first).to_be_visible(timeout=SETTLED)
    expect(page.locator(".caption .hostile")).not_to_be_empty(timeout=SETTLED)
    assert page.locator(f":is({CLICKABLE}):visible:not([inert] *)").count() == 0
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate("document.scrollingElement.scrollHeight - innerHeight") <= 0
    assert [page.evaluate(FAULTS, ["html", theme, ALL]) for theme in ("light", "dark")] == [[], []]


@pytest.mark.long
def test_after_the_end_it_shows_a_moment_and_then_the_next_match(new_page: Open, lane: LiveServer) -> None:
    page = new_page()
    page.goto(lane.url)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Watch").click(timeout=SETTLED)
    expect(page).to_have_url(re.compile(r"/tv$"))
    badge = page.get_by_role("banner").locator(".badge")
    expect(badge).to_have_text(re.compile("^Live"), timeout=SETTLED)
    page.evaluate(WATCH_MOMENTS)
    (playing,) = lane.get("/api/episodes")["lanes"]
    lane.command(playing["episode_id"], "stop")
    page.wait_for_function(
        """() => {
            const [end, moment] = ['Stopped', 'Best moment'].map((text) => announced.indexOf(text));
            return end >= 0 && moment > end && announced.indexOf('Live', moment) > moment;
        }""",
        timeout=4 * SETTLED,
    )
    expect(badge).to_have_text(re.compile("^Live"), timeout=SETTLED)
    check_played(lane, page.evaluate("window.pictured"))
    page.get_by_role("link", name="Open the match").click()
    expect(page).to_have_url(re.compile(r"/episode/.*as=analyst"))
    assert playing["episode_id"] not in page.url


def check_played(lane: LiveServer, pictured: list[tuple[str, int]]) -> None:
    """Check that the best moment was played from its first event to its last, and not cut off where it stood."""
    assert {match for match, _ in pictured} == {OVER.episode_id}
    numbers = [seq for _, seq in pictured]
    ranges = [
        [each["first"], each["last"]] for each in lane.get("/api/moments") if each["episode_id"] == OVER.episode_id
    ]
    assert [numbers[0], numbers[-1]] in ranges
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 1


@pytest.mark.long
def test_without_controls_it_is_read_aloud_only_if_the_address_asks_for_it(new_page: Open, lane: LiveServer) -> None:
    silent, spoken = (new_page(SCREENS[0]) for _ in range(2))
    heard = [Hearing(page) for page in (silent, spoken)]
    silent.goto(f"{lane.url}/tv?clean=1")
    spoken.goto(f"{lane.url}/tv?clean=1&voice=1")
    assert all(heard[1].wait_for_speech(2))
    assert spoken.locator(f":is({CLICKABLE}):visible:not([inert] *)").count() == 0
    expect(silent.locator(".caption .hostile")).not_to_be_empty(timeout=SETTLED)
    assert heard[0].spoken() == []


@pytest.mark.long
def test_without_a_match_it_says_so(new_page: Open, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        page = new_page()
        page.goto(f"{server.url}/tv")
        expect(page.get_by_role("main")).to_contain_text("No match is being played", timeout=SETTLED)
