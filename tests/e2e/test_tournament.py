"""A tournament on the page: started in the cockpit, watched live, opened at its matches, replayed, on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from grandstand.models import Draft
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from tests.support.campaigns.published import last_report
from tests.support.campaigns.published import table as report_table
from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.play.tournament_run import FAILED, PLANNED, STRENGTH, MadeUpTournament

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 700}
BUDGET = "budget: $20 of $20 are spent; raise max_dollars to play the rest"
LIVE = 3


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with the records of tournaments: whole, live, new, stopped at its budget, Swiss."""
    folder = tmp_path_factory.mktemp("cups")
    recorder = Recorder(folder / "grandstand.db")
    bus = Bus(recorder)
    whole, live, new, spent = (MadeUpTournament(title) for title in ("Whole", "Live", "New", "Spent"))
    swiss = MadeUpTournament("Swiss", format="swiss")
    for name, drafts in {
        "tournament-whole": [*whole.opening(), *whole.matches(), *whole.ending()],
        "tournament-live": [*live.opening("publisher"), *live.matches(27, live=LIVE)],
        "tournament-new": new.opening("publisher"),
        "tournament-spent": [*spent.opening(), *spent.matches(FAILED + 2), *spent.ending(BUDGET)],
        "tournament-swiss": [*swiss.opening("publisher"), *swiss.matches(9, live=1)],
    }.items():
        bus.open(name, 1)
        bus.publish(name, drafts)
    recorder.close()
    with live_server(folder) as server:
        yield server


def table(page: Page) -> list[str]:
    """Return the players in the order of the table."""
    names: list[str] = page.locator("main table").first.locator("tbody .name").all_inner_texts()
    return names


@pytest.mark.long
def test_started_in_the_cockpit_it_is_watched_to_its_end_and_its_figures_open_its_matches(
    screen: Screen, server: LiveServer
) -> None:
    page = screen.page
    page.goto(f"{server.url}/cockpit")
    page.get_by_role("link", name="New tournament").click()
    form = page.get_by_role("form", name="Start a tournament")
    form.get_by_role("radio", name="Cricket captaincy").check()
    form.get_by_label("neutral", exact=True).uncheck()
    form.get_by_label("cricsheet", exact=True).uncheck()
    expect(form.get_by_role("status")).to_contain_text("players: a tournament has at least two players")
    expect(form.get_by_role("button", name="Start the tournament")).to_be_disabled()
    screen.errors.clear()
    form.get_by_label("random", exact=True).check()
    form.get_by_label("Matches", exact=True).fill("7")
    form.get_by_label("Title").fill("Cup of the test")
    form.locator("summary").click()
    form.get_by_label("Overs", exact=True).fill("2")
    expect(form.get_by_role("status")).to_have_text("8 matches: 4 openings of 2. No language model plays: it is free.")
    form.get_by_role("button", name="Start the tournament").dblclick()
    page.wait_for_url(re.compile("/episode/tournament-"))
    tournament = page.url.rpartition("/")[2].partition("?")[0]
    expect(screen.caption).to_have_text(re.compile(r"^[1-8] of 8 played$"), timeout=SETTLED)
    expect(screen.caption).to_have_text("8 of 8 played", timeout=2 * SETTLED)
    expect(page.locator("header .badge")).to_have_text("Final")
    frames = server.get(f"/api/episodes/{tournament}/events")["frames"]
    events = [frame["event"] for frame in frames if frame["frame"] == "event"]
    last = last_report(Draft(event["type"], event["data"]) for event in events)
    assert table(page) == [row.id for row in report_table(last, "standings").rows]
    page.get_by_role("button", name=re.compile("^heuristic against random: ")).click()
    dialog = page.get_by_role("dialog", name="heuristic against random")
    expect(dialog.get_by_role("link")).to_have_count(8)
    expect(dialog).to_contain_text("95 % interval")
    dialog.get_by_role("link", name="Match 3", exact=True).click()
    page.wait_for_url(re.compile("/episode/cricket-"))
    expect(page.get_by_role("heading", name="Match 3: ")).to_be_visible(timeout=SETTLED)
    results = [summary for summary in server.get("/api/episodes", limit=200)["episodes"] if "Cup" in summary["title"]]
    assert [summary["episode_id"] for summary in results] == [tournament]
    # A reload shows the end, and the replay begins with nothing played.
    page.goto(f"{server.url}/episode/{tournament}")
    expect(screen.count).to_contain_text("Complete 0–", timeout=SETTLED)
    expect(screen.caption).to_have_text("8 of 8 played")
    screen.look(1)
    expect(screen.caption).to_have_text("Before the first match")
    expect(page.get_by_role("heading", name="The first match is not over yet")).to_be_visible()
    screen.press("End")
    expect(screen.caption).to_have_text("8 of 8 played")


@pytest.mark.long
def test_an_operator_pauses_and_stops_it_on_its_page(screen: Screen, server: LiveServer) -> None:
    body = {"game": "cricket", "players": ["heuristic", "random"], "matches": 40, "pace": 1, "title": "To be stopped"}
    episode = server.post("/api/tournaments", body).raise_for_status().json()["episode_id"]
    page = screen.page
    page.goto(f"{server.url}/episode/{episode}")
    controls = page.get_by_role("group", name="The tournament, for everybody")
    controls.get_by_role("button", name="Pause").click()
    expect(page.locator("header .badge")).to_contain_text("Paused", timeout=SETTLED)
    assert server.get(f"/api/episodes/{episode}")["paused"]
    expect(controls.get_by_role("button", name="Step")).to_have_count(0)
    controls.get_by_role("button", name="Resume").click()
    expect(page.locator("header .badge")).to_contain_text("Live", timeout=SETTLED)
    controls.get_by_role("button", name="Steer").click()
    dialog = page.get_by_role("dialog", name="Steer the tournament")
    dialog.get_by_role("button", name="Stop", exact=True).click()
    dialog.get_by_role("button", name="Stop permanently?").click()
    server.wait_for(episode, status="stopped")
    expect(page.get_by_text("Not finished.")).to_be_visible(timeout=SETTLED)
    expect(page.locator("main")).to_contain_text("stopped by operator")


def test_the_table_says_what_is_separated_and_each_player_opens_its_matches(screen: Screen, site: LiveServer) -> None:
    screen.open(f"{site.url}/episode/tournament-whole")
    page = screen.page
    expect(screen.caption).to_have_text(f"{PLANNED} of {PLANNED} played")
    assert sorted(table(page)) == sorted(STRENGTH)
    shown = page.get_by_role("region", name="What the results show")
    expect(shown).to_contain_text("heron-2 is ahead of ")
    expect(shown).to_contain_text("Not separated")
    page.get_by_role("button", name="heron-2", exact=True).first.click()
    dialog = page.get_by_role("dialog", name="Matches of heron-2")
    expect(dialog.get_by_role("listitem")).to_have_count(48)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="heron-2", exact=True).first).to_be_focused()
    page.locator("main").get_by_role("button", name=re.compile("faults?, .* fallbacks?")).click()
    expect(page.get_by_role("dialog", name="Faults of kite-mini")).to_contain_text("1 fault, 2 fallbacks")
    page.keyboard.press("Escape")
    for tab in ("Seats", "Cost", "Plan", "Log"):
        screen.tab(tab)
        expect(page.locator("#panel")).not_to_be_empty()
    expect(page.locator("#panel")).to_contain_text("Match 120: ")


def test_the_keyboard_reaches_a_cell_and_its_interval(screen: Screen, site: LiveServer) -> None:
    screen.open(f"{site.url}/episode/tournament-whole")
    page = screen.page
    cell = page.get_by_role("button", name=re.compile("^heron-2 against random: "))
    cell.focus()
    expect(page.locator("main .words")).to_contain_text("heron-2 against random: 100 %, 95 % interval ")
    cell.press("Enter")
    expect(page.get_by_role("dialog", name="heron-2 against random")).to_be_visible()


def test_live_it_shows_its_schedule_and_what_it_has_not_shown_yet(screen: Screen, site: LiveServer) -> None:
    screen.open(f"{site.url}/episode/tournament-live")
    page = screen.page
    expect(page.locator("header .badge")).to_have_text("Live")
    expect(page.locator("main .figure").nth(1)).to_contain_text("27of 120")
    expect(page.locator("#panel li.live")).to_have_count(LIVE)
    expect(page.get_by_role("region", name="What the results show")).to_contain_text("Nobody is separated yet")
    page.locator("main").get_by_role("button", name="1 failed").click()
    expect(page.get_by_role("dialog", name="Failed matches")).to_contain_text("HTTP 529, after 6 attempts")


def test_before_the_first_match_and_at_the_budget_the_page_says_so(screen: Screen, site: LiveServer) -> None:
    page = screen.page
    page.goto(f"{site.url}/episode/tournament-new")
    expect(page.get_by_role("heading", name="The first match is not over yet")).to_be_visible(timeout=SETTLED)
    expect(page.locator("main")).to_contain_text("5 players play at most 120 matches of cricket")
    page.goto(f"{site.url}/episode/tournament-spent")
    expect(page.get_by_text("Not finished.")).to_be_visible(timeout=SETTLED)
    expect(page.locator("main")).to_contain_text(BUDGET)


def test_a_swiss_tournament_shows_its_rounds(screen: Screen, site: LiveServer) -> None:
    screen.open(f"{site.url}/episode/tournament-swiss")
    rounds = screen.page.get_by_role("region", name="Rounds")
    expect(rounds.get_by_role("heading")).to_have_text(["Round 1", "Round 2", "Round 3"])
    expect(rounds.locator("li.live")).to_have_count(1)
    rounds.get_by_role("button", name=re.compile("Matches of round 1")).first.click()
    expect(screen.page.get_by_role("dialog", name=re.compile("^Round 1: "))).to_be_visible()


def test_the_lobby_shows_the_tournament_and_not_its_matches(screen: Screen, site: LiveServer) -> None:
    body = {"game": "cricket", "players": ["heuristic", "random"], "matches": 2, "pace": 0, "options": {"overs": 1}}
    episode = site.post("/api/tournaments", {**body, "title": "Two for the lobby"}).json()["episode_id"]
    site.wait_for(episode, status="finished")
    page = screen.page
    page.goto(site.url)
    card = page.get_by_role("link", name=re.compile("Two for the lobby"))
    expect(card.locator(".first")).to_have_text("2 of 2 played", timeout=SETTLED)
    live = page.get_by_role("article", name="Live", exact=True)
    expect(live).to_contain_text("27 of 120", timeout=SETTLED)
    assert not page.locator("main a").evaluate_all(
        "(links) => links.filter((link) => /cricket-/.test(link.href)).length"
    )
    expect(page.get_by_role("heading", name="No match is being played")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [NARROW, PHONE, {"width": 1024, "height": 800}], ids=["320", "390", "1024"])
def test_nothing_overflows_and_nothing_moves(new_page: Open, site: LiveServer, size: ViewportSize, theme: str) -> None:
    screen = Screen(new_page(size, color_scheme=theme))
    for name in ("whole", "swiss"):
        screen.open(f"{site.url}/episode/tournament-{name}")
        expect(screen.page.get_by_role("region", name="What the results show")).to_be_visible()
        assert screen.page.evaluate("document.scrollingElement.scrollWidth") <= size["width"], name
        assert screen.shifted() < 0.05, name
    assert screen.errors == []


def test_the_form_fits_a_phone(new_page: Open, server: LiveServer) -> None:
    page = new_page(PHONE)
    page.goto(f"{server.url}/cockpit?tournament")
    expect(page.get_by_role("form", name="Start a tournament").get_by_role("status")).to_contain_text("matches: ")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
