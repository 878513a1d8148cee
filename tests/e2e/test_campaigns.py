"""The page of a campaign: its report, from a made-up one with every kind of section, and the list of campaigns."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from grandstand.events import EpisodeCreated, EpisodeEnded, SeatInfo
from grandstand.models import Draft
from tests.support.live_server import LiveServer, live_server
from tests.support.page.axe import ALL, FAULTS, OF_COLOURS
from tests.support.page.browser import Open
from tests.support.page.reports import MATCHES, PLAYERS, SHOWN, MadeUpCampaign, over, record
from tests.support.page.screen import SETTLED, Screen
from tests.support.page.steered import stop_permanently

pytestmark = pytest.mark.browser

TOKEN = "publish canary"
PHONE: ViewportSize = {"width": 390, "height": 844}
MATCH = "cricket-cup-8"
"""A match that the report leads to."""


def old() -> list[Draft]:
    """Return the events of a tournament that an older version recorded: it has no report."""
    created = EpisodeCreated(game="tournament", title="An old cup", options={}, seats=[], origin="cli")
    return [
        Draft.of(created),
        Draft("StandingsRecorded", {}),
        Draft.of(EpisodeEnded(status="finished", message="over")),
    ]


def match() -> list[Draft]:
    seats = [SeatInfo(seat=name, player=name, kind="bot") for name in ("home", "away")]
    created = EpisodeCreated(
        game="cricket", title="Match 8: kite-mini, heuristic", options={}, seats=seats, origin="cli"
    )
    return [Draft.of(created), Draft.of(EpisodeEnded(status="finished", message="over"))]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with campaigns of every kind, to which others can be published."""
    folder: Path = tmp_path_factory.mktemp("campaigns")
    record(
        folder,
        [
            ("tournament-old", old()),
            ("experiment-over", over("A penalty, warmed up", "experiment")),
            ("training-over", over("Training nano", "training")),
            ("tournament-new", MadeUpCampaign("A new cup").opening()),
            (MATCH, match()),
            ("tournament-over", over()),
        ],
    )
    environment: dict[str, Any] = {"GRANDSTAND_PUBLISH_TOKEN": TOKEN}
    with live_server(folder, **environment) as server:
        yield server


def opened(screen: Screen, site: LiveServer, address: str = "/campaign/tournament-over") -> Page:
    """Open the page of a campaign and wait until all events are here."""
    response = screen.page.goto(site.url + address)
    assert response is not None
    assert response.status == 200
    expect(screen.count).to_contain_text(f"0–{2 * MATCHES + 2}", timeout=SETTLED)
    return screen.page


def part(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title, exact=True).first


def names(page: Page) -> list[str]:
    """Return the players in the order of the standings."""
    return [text.split("\n")[0] for text in part(page, "Standings").get_by_role("rowheader").all_inner_texts()]


def chart(page: Page, title: str) -> Locator:
    return page.get_by_role("slider", name=f"{title}: values along the chart")


def test_the_result_and_its_figures_stand_first(screen: Screen, site: LiveServer) -> None:
    page = opened(screen, site)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("tournament\\s+The autumn cup"))
    expect(page.get_by_role("heading", level=2)).to_have_text("heron-2 is first")
    report = page.get_by_role("main", name="Report")
    for text in (f"{MATCHES} of {MATCHES} matches, 1 failed", "+0.076 ± 0.021", "95 % interval, n = 70", "$62.40"):
        expect(report).to_contain_text(text)
    expect(part(page, "Standings")).to_contain_text("0.744 to 0.956")
    expect(page.locator("header .badge")).to_have_text("Final")


@pytest.mark.long
def test_an_old_address_leads_to_the_page_and_its_tab(screen: Screen, site: LiveServer) -> None:
    page = opened(screen, site, "/episode/tournament-over?seq=30#pairs")
    expect(page).to_have_url(re.compile(r"/campaign/tournament-over\?seq=30#pairs$"))
    expect(page.get_by_role("tab", name="Pairs")).to_have_attribute("aria-selected", "true")
    assert screen.seq() == 30
    screen.tab("Claims")
    expect(page).to_have_url(re.compile("#claims$"))
    page.go_back()
    assert "/campaign/" not in page.url  # the old address is no step of the history


@pytest.mark.long
def test_a_head_sorts_its_column(screen: Screen, site: LiveServer) -> None:
    page = opened(screen, site)
    standings = part(page, "Standings")
    assert names(page) == list(PLAYERS)
    standings.get_by_role("button", name="Rating").click()
    expect(standings.get_by_role("columnheader", name="Rating")).to_have_attribute("aria-sort", "descending")
    standings.get_by_role("button", name="Rating").click()
    expect(standings.get_by_role("columnheader", name="Rating")).to_have_attribute("aria-sort", "ascending")
    assert names(page) == list(reversed(PLAYERS))
    standings.get_by_role("button", name="Rating").click()
    expect(standings.get_by_role("columnheader", name="Rating")).to_have_attribute("aria-sort", "none")
    assert names(page) == list(PLAYERS)


@pytest.mark.long
def test_rows_are_folded_until_they_are_asked_for(screen: Screen, site: LiveServer) -> None:
    page = opened(screen, site, "/campaign/tournament-over#matches")
    rows = part(page, "Matches").get_by_role("rowheader")
    expect(rows).to_have_count(SHOWN)
    page.get_by_role("button", name=f"Show all {MATCHES}").click()
    expect(rows).to_have_count(MATCHES)
    page.get_by_role("button", name="Show fewer").click()
    expect(rows).to_have_count(SHOWN)


@pytest.mark.long
def test_a_value_opens_its_matches_and_these_lead_to_their_episodes(screen: Screen, site: LiveServer) -> None:
    page = opened(screen, site)
    value = part(page, "Standings").get_by_role("row", name=re.compile("heron-2")).get_by_role("button").first
    value.click()
    dialog = page.get_by_role("dialog", name="Matches of heron-2")
    expect(dialog).to_contain_text(f"{MATCHES} matches")
    page.keyboard.press("Escape")
    expect(value).to_be_focused()
    screen.tab("Pairs")
    page.get_by_role("button", name=re.compile("^heron-2 against kite-mini: 78 %, 95 % interval 58 % to 98 %")).click()
    expect(page.get_by_role("dialog", name="heron-2 against kite-mini").get_by_role("rowheader")).to_have_count(4)
    page.keyboard.press("Escape")
    page.locator("main").get_by_role("button", name=str(MATCHES), exact=True).click()
    page.get_by_role("dialog", name="Played matches").get_by_role("link", name="Match 8", exact=True).click()
    page.wait_for_url(f"**/episode/{MATCH}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Match 8")


@pytest.mark.long
def test_the_matches_of_a_training_run_are_asked_of_the_server(screen: Screen, site: LiveServer) -> None:
    page = opened(screen, site, "/campaign/training-over#matches")
    with page.expect_request(re.compile("run=training-over&first_step=3&last_step=3")):
        page.get_by_role("button", name="Step 3", exact=True).click()
    expect(page.get_by_role("dialog", name="Matches of step 3")).to_contain_text("None of them was published")


@pytest.mark.long
def test_a_chart_tells_its_values_to_the_pointer_and_the_keyboard(screen: Screen, site: LiveServer) -> None:
    page = opened(screen, site)
    ratings = chart(page, "Ratings")
    expect(ratings).to_have_accessible_description("heron-2 rises.")
    ratings.focus()
    ratings.press("End")
    expect(ratings).to_have_attribute("aria-valuetext", re.compile(r"^Matches 30; heron-2 \d{4}; dumbbot \d{4};"))
    ratings.press("ArrowLeft")
    expect(ratings).to_have_attribute("aria-valuetext", re.compile(r"^Matches 28; heron-2"))
    assert screen.seq() == screen.head()  # the arrow keys belong to the chart
    ratings.press("Enter")
    expect(page.get_by_role("dialog", name="Matches of heron-2 up to 28")).to_be_visible()
    page.keyboard.press("Escape")
    screen.tab("Learning")
    gain = part(page, "Gain over its base")
    box = chart(page, "Gain over its base").bounding_box()
    assert box
    chart(page, "Gain over its base").hover(position={"x": 52 + (box["width"] - 64) * 2 / 5, "y": 60})
    expect(gain.locator(".legend")).to_contain_text("among copies of its base +0.077 (+0.057 to +0.097)")


@pytest.mark.long
def test_an_earlier_moment_has_its_own_report(screen: Screen, site: LiveServer) -> None:
    page = opened(screen, site)
    screen.look(2 * 5 + 1)
    expect(page.get_by_role("heading", level=2)).to_have_text("Undecided")
    expect(page.get_by_role("main", name="Report")).to_contain_text(f"5 of {MATCHES} matches")
    expect(part(page, "Standings")).to_contain_text("n too small for an interval")
    expect(page).to_have_url(re.compile(r"\?seq=11$"))
    screen.press("ArrowRight")
    expect(page.get_by_role("main", name="Report")).to_contain_text(f"6 of {MATCHES} matches")
    screen.look(1)
    expect(page.get_by_role("main", name="Report")).to_contain_text("it has just begun")
    screen.press("End")
    expect(page.get_by_role("heading", level=2)).to_have_text("heron-2 is first")
    screen.tab("Log")
    expect(page.locator("#panel li").first).to_contain_text(f"{MATCHES} matches")
    page.get_by_role("button", name="Look at event 11").or_(page.get_by_title("Look at event 11")).click()
    expect(page.get_by_role("main", name="Report")).to_contain_text(f"5 of {MATCHES} matches")


@pytest.mark.long
def test_the_report_of_the_moment_is_taken_away(screen: Screen, site: LiveServer) -> None:
    page = opened(screen, site)

    def taken(title: str) -> tuple[str, str]:
        """Return the name and the content of the file that a button of the dialog saves."""
        page.get_by_role("button", name="Download", exact=True).click()
        with page.expect_download() as download:
            page.get_by_role("button", name=title).click()
        page.keyboard.press("Escape")
        return download.value.suggested_filename, Path(download.value.path()).read_text("utf-8")

    name, whole = taken("The report Markdown")
    assert name == "tournament-over.md"
    assert whole.startswith("# The autumn cup\n")
    screen.look(5)
    _, early = taken("The report Markdown")
    _, data = taken("The report as data")
    assert early != whole
    assert json.loads(data)["progress"]["done"] == 2


def publish(site: LiveServer, episode: str, first: int, drafts: Sequence[Draft]) -> int:
    """Publish events; return the number of the next one."""
    events = [
        {"episode_id": episode, "epoch": 7, "seq": seq, "at": time.time(), **draft._asdict()}
        for seq, draft in enumerate(drafts, first)
    ]
    site.post(f"/api/publish/{episode}", {"events": events}, Authorization=f"Bearer {TOKEN}").raise_for_status()
    return first + len(events)


@pytest.mark.long
def test_a_live_campaign_moves_while_it_is_watched(screen: Screen, site: LiveServer) -> None:
    cup = MadeUpCampaign("A cup that goes on")
    due = publish(site, "tournament-live", 0, [*cup.opening(), *cup.until(3)])
    page = screen.page
    page.goto(f"{site.url}/campaign/tournament-live")
    report = page.get_by_role("main", name="Report")
    expect(report).to_contain_text(f"3 of {MATCHES} matches", timeout=SETTLED)
    expect(page.locator("header .badge")).to_have_text("Live")
    due = publish(site, "tournament-live", due, list(cup.until(9)))
    expect(report).to_contain_text(f"9 of {MATCHES} matches, 1 failed")
    expect(report).to_contain_text("Match 9: heuristic won")
    expect(page.locator("[aria-live=polite]")).to_contain_text("Match 9: heuristic won", timeout=SETTLED)
    publish(site, "tournament-live", due, [*cup.until(MATCHES), *cup.ending()])
    expect(page.get_by_role("heading", level=2)).to_have_text("heron-2 is first")
    expect(page.locator("header .badge")).to_have_text("Final")


@pytest.mark.long
def test_an_operator_pauses_and_stops_a_tournament_on_its_page(screen: Screen, site: LiveServer) -> None:
    body = {"game": "cricket", "players": ["heuristic", "random"], "matches": 40, "pace": 1, "title": "To be stopped"}
    episode = site.post("/api/tournaments", body).raise_for_status().json()["episode_id"]
    page = screen.page
    page.clock.install()
    page.goto(f"{site.url}/campaign/{episode}")
    controls = page.get_by_role("group", name="The tournament, for everybody")
    controls.get_by_role("button", name="Pause").click()
    expect(page.locator("header .badge")).to_contain_text("Paused", timeout=SETTLED)
    assert site.get(f"/api/episodes/{episode}")["paused"]
    expect(controls.get_by_role("button", name="Step")).to_have_count(0)
    controls.get_by_role("button", name="Resume").click()
    expect(page.locator("header .badge")).to_contain_text("Live", timeout=SETTLED)
    controls.get_by_role("button", name="Steer").click()
    dialog = page.get_by_role("dialog", name="Steer the tournament")
    stop_permanently(page, dialog)
    site.wait_for(episode, status="stopped")
    expect(page.locator("header .badge")).to_have_text("Stopped", timeout=SETTLED)
    expect(page.get_by_role("main", name="Report")).to_contain_text("Stopped by operator.")


@pytest.mark.long
def test_a_campaign_without_a_report_says_so(screen: Screen, site: LiveServer) -> None:
    page = screen.page
    page.goto(f"{site.url}/campaign/tournament-old")
    report = page.get_by_role("main", name="Report")
    expect(report).to_have_text(re.compile("recorded by an older version.*Its matches remain"))
    page.goto(f"{site.url}/campaign/tournament-new")
    expect(report).to_contain_text("it has just begun")
    page.goto(f"{site.url}/campaign/nothing-here")
    expect(page.get_by_role("heading", name="No such campaign")).to_be_visible()
    screen.errors.clear()


def test_the_list_has_all_campaigns_and_those_of_a_kind(screen: Screen, site: LiveServer) -> None:
    page = screen.page
    page.goto(site.url)
    page.get_by_role("navigation", name="Pages").get_by_text("More").click()
    page.get_by_role("link", name="Campaigns", exact=True).click()
    rows = page.locator("main li")
    expect(rows.filter(has_text="The autumn cup")).to_contain_text("heron-2 is first")
    expect(rows.filter(has_text="The autumn cup")).to_contain_text(f"{MATCHES} of {MATCHES} played")
    expect(rows.filter(has_text="An old cup")).to_contain_text("Recorded by an older version")
    kinds = page.get_by_role("navigation", name="Kinds")
    kinds.get_by_role("link", name="Training runs").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Training nano")
    page.goto(f"{site.url}/experiments")
    expect(page).to_have_url(re.compile(r"/campaigns\?kind=experiment$"))
    expect(rows).to_have_count(1)
    rows.get_by_role("link", name=re.compile("A penalty, warmed up")).click()
    page.wait_for_url("**/campaign/experiment-over")
    expect(page.get_by_role("heading", level=2)).to_have_text("heron-2 is first")


@pytest.mark.long
def test_the_lobby_shows_the_figures_of_a_campaign(screen: Screen, site: LiveServer) -> None:
    page = screen.page
    page.goto(site.url)
    card = page.get_by_role("link", name=re.compile("The autumn cup"))
    expect(card).to_contain_text("heron-2 is first", timeout=SETTLED)
    expect(card).to_contain_text("+0.076")
    card.click()
    page.wait_for_url("**/campaign/tournament-over")


TABS = ("Standings", "Pairs", "Learning", "Claims", "Matches", "Log")


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1024])
def test_nothing_is_wider_than_the_page_and_nothing_moves(
    new_page: Open, site: LiveServer, width: int, theme: str
) -> None:
    screen = Screen(new_page({"width": width, "height": 844}, color_scheme=theme))
    page = opened(screen, site)
    for tab in TABS:
        screen.tab(tab)
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width, tab
    assert screen.shifted() < 0.05
    page.goto(f"{site.url}/campaigns")
    expect(page.locator("main li").first).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    for link in page.get_by_role("navigation").get_by_role("link").filter(visible=True).all():
        assert (box := link.bounding_box()) is not None
        assert box["height"] >= 44 or width == 1024, link.inner_text()
    assert screen.errors == []


@pytest.mark.long
def test_on_a_phone_columns_are_left_out_and_a_cell_can_be_touched(new_page: Open, site: LiveServer) -> None:
    screen = Screen(new_page(PHONE, has_touch=True))
    page = opened(screen, site)
    expect(part(page, "Standings").get_by_role("columnheader")).to_have_text(
        [re.compile("Player"), re.compile("Score")]
    )
    screen.tab("Pairs")
    cell = page.get_by_role("button", name=re.compile("^heron-2 against dumbbot"))
    cell.scroll_into_view_if_needed()
    cell.tap()
    dialog = page.get_by_role("dialog", name="heron-2 against dumbbot")
    expect(dialog).to_contain_text("4 matches")
    assert dialog.evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth")
    page.keyboard.press("Escape")
    screen.tab("Claims")
    chart(page, "The early rewards are higher").tap()
    assert screen.errors == []


@pytest.mark.long
def test_the_rules_of_axe_hold_on_every_tab(new_page: Open, site: LiveServer, axe: str) -> None:
    page = new_page()
    page.add_init_script(axe)
    screen = Screen(page)
    faults: list[str] = []
    for size in ({"width": 1600, "height": 1000}, {"width": 390, "height": 3000}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        opened(screen, site)
        for tab in TABS:
            screen.tab(tab)
            for theme, rules in (("light", ALL), ("dark", OF_COLOURS)):
                faults += [f"{tab}: {fault}" for fault in page.evaluate(FAULTS, ["html", theme, rules])]
    page.goto(f"{site.url}/campaigns")
    expect(page.locator("main li").first).to_be_visible()
    for theme, rules in (("light", ALL), ("dark", OF_COLOURS)):
        faults += page.evaluate(FAULTS, ["html", theme, rules])
    assert faults == [], "\n".join(faults)
