"""The leaderboard and the pages of players: from the lobby to a match, on a desktop and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.trainer.league_record import STRENGTHS, ShortMatch, duel, league, record
from tests.support.waiting import until

pytestmark = pytest.mark.browser

PHONES: tuple[ViewportSize, ...] = ({"width": 390, "height": 844}, {"width": 320, "height": 700})
ODD = "a/b & 猫?"


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A league of four, a language model with costs, a newcomer, and real matches of other options."""
    folder = tmp_path_factory.mktemp("rated")
    model = {"kinds": {"model": "llm"}, "costs": {"model": 0.5}}
    failed = [
        duel(number, "strong", "model", "failed", failed=["away" if number % 2 else "home"], **model)
        for number in (1, 2)
    ]
    models = [duel(number, "average", "model", "model", **model) for number in range(24)]
    newcomers = [duel(number, "newcomer", "weak", "new") for number in range(3)]
    record(folder, [*league(240), *models, *failed, *newcomers, ShortMatch("odd", {"home": ODD, "away": "weak"})])
    with live_server(folder) as server:
        for seed in range(2):
            match = server.start_match(
                game="cricket",
                seed=seed,
                pace=0,
                options={"overs": 1},
                players={"home": "heuristic", "away": "neutral"},
            )
            server.wait_for(match, status="finished")
        # The lobby asks once, and shows no online rating before all matches are read.
        assert until(lambda: server.get("/api/leaderboard")["unread"] == 0)
        yield server


def ratings(page: Page) -> Locator:
    return page.get_by_role("region", name="Ratings", exact=True)


def results(page: Page) -> Locator:
    return page.get_by_role("region", name="Results", exact=True)


def order(part: Locator) -> list[str]:
    return part.locator("tbody th a").all_inner_texts()


@pytest.mark.long
def test_from_the_lobby_to_a_match(screen: Screen, rated: LiveServer) -> None:
    page = screen.page
    page.goto(rated.url)
    players = page.get_by_role("region", name="Who plays")
    expect(players.get_by_role("link", name="New: 2 matches of heuristic")).to_be_visible(timeout=SETTLED)
    players.get_by_role("link", name="Leaderboard").click()
    expect(page.get_by_role("heading", name="Leaderboard", level=1)).to_be_visible(timeout=SETTLED)
    expect(ratings(page).get_by_role("link")).to_have_count(5, timeout=SETTLED)
    assert [name for name in order(ratings(page)) if name in STRENGTHS] == ["strong", "middling", "average", "weak"]
    ratings(page).get_by_role("link", name="strong").click()
    expect(page).to_have_title("strong · Grandstand")
    expect(page.get_by_text("1st on the leaderboard")).to_be_visible(timeout=SETTLED)
    chart = page.get_by_role("slider", name="Rating over time")
    expect(chart).to_have_accessible_description(re.compile("Rating over time: after .* matches"))
    page.get_by_role("row", name=re.compile("^weak")).get_by_role("link").last.click()
    expect(page).to_have_url(re.compile("show=against%3Aweak"))
    matches = page.get_by_role("region", name="Matches", exact=True)
    expect(page.get_by_label("Matches", exact=True).and_(page.locator("select"))).to_contain_text("Against weak")
    expect(matches.get_by_role("cell", name="weak").first).to_be_visible()
    expect(matches.get_by_role("cell", name="middling")).to_have_count(0)
    page.goto(f"{rated.url}/player/heuristic")
    page.get_by_role("tab", name="Matches").click()
    matches.get_by_role("rowheader").get_by_role("link").first.click()
    screen.board().wait_for(timeout=SETTLED)
    page.go_back()
    expect(page.get_by_role("heading", name="heuristic")).to_be_visible(timeout=SETTLED)
    expect(matches).to_be_visible(timeout=SETTLED)


@pytest.mark.long
def test_pairs_that_are_not_separated_are_said(screen: Screen, rated: LiveServer) -> None:
    page = screen.page
    page.goto(f"{rated.url}/leaderboard")
    expect(ratings(page)).to_be_visible(timeout=SETTLED)
    row = ratings(page).get_by_role("row").filter(has=page.get_by_role("link", name="middling"))
    expect(row).to_contain_text("2–3")
    expect(row.get_by_role("cell").last).to_have_text("average")
    expect(page.get_by_role("region", name="Not rated yet", exact=True)).to_contain_text(
        re.compile(r"newcomer.*3\s*of 20 matches")
    )


@pytest.mark.long
def test_the_table_sorts_by_any_column_also_with_the_keyboard(screen: Screen, rated: LiveServer) -> None:
    page = screen.page
    page.goto(f"{rated.url}/leaderboard")
    rating = ratings(page).get_by_role("columnheader", name="Rating")
    expect(rating).to_have_attribute("aria-sort", "descending", timeout=SETTLED)
    best = order(ratings(page))
    rating.get_by_role("button").press("Enter")
    expect(rating).to_have_attribute("aria-sort", "ascending")
    assert order(ratings(page)) == best[::-1]
    results(page).get_by_role("button", name="Player").click()
    assert order(results(page)) == sorted(best)
    results(page).get_by_role("button", name="Cost / match").click()
    assert order(results(page))[0] == "model"
    expect(results(page).get_by_role("row", name=re.compile("^model"))).to_contain_text("$0.50")


def test_filters_are_in_the_address(screen: Screen, rated: LiveServer) -> None:
    page = screen.page
    page.goto(f"{rated.url}/leaderboard")
    options = page.get_by_label("Options")
    expect(options).to_contain_text("20 overs a side", timeout=SETTLED)
    page.get_by_label("Players", exact=True).select_option(label="language model")
    expect(ratings(page).get_by_role("link")).to_have_text(["model"])
    options.select_option(label="1 over a side (2)")
    expect(page.get_by_text("No player has 20 matches that count yet")).to_be_visible()
    expect(page).to_have_url(re.compile(r"game=cricket&setting=\w+"))
    page.reload()
    unrated = page.get_by_role("region", name="Not rated yet", exact=True)
    expect(unrated).to_contain_text("heuristic", timeout=SETTLED)
    page.get_by_label("Game").select_option(label="Diplomacy")
    expect(page.get_by_role("heading", name="No finished match yet")).to_be_visible()
    page.go_back()
    expect(unrated).to_contain_text("heuristic")


def test_figures_open_their_matches(screen: Screen, rated: LiveServer) -> None:
    page = screen.page
    page.goto(f"{rated.url}/leaderboard")
    results(page).get_by_role("row", name=re.compile("^model")).get_by_role("link", name="2", exact=True).first.click(
        timeout=SETTLED
    )
    expect(page.locator("select").last.locator("option:checked")).to_have_text("With fallbacks (2)", timeout=SETTLED)
    expect(page.get_by_role("tab", name="Matches")).to_have_attribute("aria-selected", "true")
    matches = page.get_by_role("region", name="Matches", exact=True)
    expect(matches.get_by_role("rowheader")).to_have_count(2)
    expect(matches.get_by_role("row").nth(1)).to_contain_text("not counted: its fallback made 1 decision, 1 fault")
    expect(matches.get_by_role("heading", name="Matches")).to_be_in_viewport()
    expect(page.get_by_text("Its model's provider failed: 2")).to_have_count(1)


@pytest.mark.long
def test_style_and_moments_of_a_player(screen: Screen, rated: LiveServer) -> None:
    page = screen.page
    page.goto(f"{rated.url}/player/heuristic")
    style = page.get_by_role("region", name="Style", exact=True)
    expect(style).to_contain_text("Score less luck", timeout=SETTLED)
    expect(style).to_contain_text("n = 2")
    page.get_by_role("region", name="Best moments").get_by_role("link").first.click()
    expect(page).to_have_url(re.compile(r"/episode/.*\?seq=\d+&to=\d+"))
    screen.board().wait_for(timeout=SETTLED)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [ODD, "nobody/at all"])
def test_names_are_arbitrary_text(new_page: Open, rated: LiveServer, name: str) -> None:
    page = new_page()
    page.goto(f"{rated.url}/player/{quote(name, safe='')}")
    title = name if name == ODD else "No such player"
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible(timeout=SETTLED)
    if name == ODD:
        page.get_by_role("link", name="weak").first.click()
        expect(page.get_by_role("heading", name="weak", level=1)).to_be_visible()
        page.get_by_role("link", name=ODD).first.click()
        expect(page.get_by_role("heading", name=ODD, level=1)).to_be_visible()
    else:
        page.get_by_role("link", name="To the leaderboard").click()
        expect(ratings(page)).to_be_visible(timeout=SETTLED)


@pytest.mark.long
@pytest.mark.parametrize("size", PHONES, ids=["390", "320"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_screen(
    new_page: Open, rated: LiveServer, size: ViewportSize, theme: str
) -> None:
    page = new_page(size, color_scheme=theme, has_touch=True)
    for path, element in (
        ("/leaderboard", ratings(page)),
        ("/player/strong", page.get_by_role("region", name="Rating over time")),
        ("/player/strong#matches", page.get_by_role("region", name="Matches", exact=True)),
        ("/player/heuristic", page.get_by_role("region", name="Style", exact=True)),
    ):
        page.goto(rated.url + path)
        expect(element).to_be_visible(timeout=SETTLED)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], path
    page.goto(f"{rated.url}/leaderboard")
    expect(ratings(page).get_by_role("link", name="strong")).to_be_visible(timeout=SETTLED)
    expect(ratings(page)).to_contain_text(re.compile(r"\d{4} to \d{4}"))


@pytest.mark.long
def test_matches_of_visitors_have_a_table_of_their_own(screen: Screen, tmp_path: Path) -> None:
    ours = [duel(number, "strong", "weak", "ours", seed=number) for number in range(20)]
    theirs = [duel(number, "weak", "strong", "theirs", seed=number, visitor=True) for number in range(22)]
    record(tmp_path, [*ours, *theirs, duel(1, "weak", "strong", "again", seed=1, visitor=True)])
    page = screen.page
    with live_server(tmp_path) as server:
        page.goto(f"{server.url}/leaderboard")
        whose = page.get_by_label("Matches", exact=True)
        expect(whose.locator("option:checked")).to_have_text("This server's", timeout=SETTLED)
        rated = ratings(page).locator("tbody th a")
        expect(rated).to_have_text(["strong", "weak"])
        whose.select_option(label="Started by visitors (22)")
        expect(page.get_by_text("One match is left out, with the same seed")).to_be_visible(timeout=SETTLED)
        expect(rated).to_have_text(["weak", "strong"])
        ratings(page).get_by_role("link", name="weak").click()
        expect(page.get_by_text("1st on the leaderboard")).to_be_visible(timeout=SETTLED)
        page.locator("dd").get_by_role("link").first.click()
        expect(whose.locator("option:checked")).to_have_text("Started by visitors (22)", timeout=SETTLED)
