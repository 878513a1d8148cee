"""The lobby: the main place, the other live matches, best moments, players, and played matches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.play.story_match import StoryMatch, record

pytestmark = pytest.mark.browser

TENSE = StoryMatch("told-tense", "Turkey needs two more", 0.9, "Turkey takes Vienna.", importance=0.8, seed=2)
CALM = StoryMatch("told-calm", "Nobody is ahead", 0.1, "Italy stays at home.", importance=0.3)
OVER = StoryMatch(
    "told-over", "It is decided", 0.4, "France falls.", 0.7, origin="showcase", outcome="Turkey wins alone.", seed=3
)

#: Collects the shots of the clip in the main place, however long each is shown.
SHOTS = """
window.shots = [];
new MutationObserver(() => {
  const clip = document.querySelector('[aria-label="In the main place"] [data-shot]');
  if (clip && clip.dataset.shot !== shots.at(-1)) shots.push(clip.dataset.shot);
}).observe(document, { subtree: true, childList: true, attributeFilter: ['data-shot'] });
"""

#: Collects what the main place says, with its height, however long it says it.
STATES = """
window.states = [];
new MutationObserver(() => {
  const main = document.querySelector('[aria-label="In the main place"]');
  if (main && main.innerText !== states.at(-1)?.text) states.push({ text: main.innerText, height: main.offsetHeight });
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with one finished match, one live and one queued behind it."""
    with live_server(tmp_path, "--slots", "1") as server:
        done = server.start_match(game="diplomacy", seed=7, pace=0, options={"last_year": 1902}, title="Over")
        server.wait_for(done, status="finished")
        server.start_match(game="diplomacy", seed=8, pace=2, title="In play")
        server.start_match(game="diplomacy", seed=9, title="Waiting")
        yield server


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with two live matches that tell their story, and a finished one."""
    folder = tmp_path_factory.mktemp("telling")
    record(folder, (OVER, TENSE, CALM))
    with live_server(folder) as server:
        yield server


def main_place(page: Page) -> Locator:
    return page.get_by_role("article", name="In the main place")


@pytest.mark.long
def test_it_shows_what_is_live_queued_and_played(screen: Screen, busy: LiveServer) -> None:
    screen.page.goto(busy.url)
    main = main_place(screen.page)
    expect(main.locator("svg").first).to_be_visible(timeout=SETTLED)
    queue = screen.page.get_by_role("region", name="Up next")
    expect(queue).to_contain_text("Waiting")
    expect(queue).to_contain_text("Queued (1st)")
    expect(screen.page.get_by_role("region", name="Played")).to_contain_text("coordinated")
    assert screen.shifted() < 0.01
    turn = main.get_by_role("heading").inner_text()
    expect(main.get_by_role("heading")).not_to_have_text(turn, timeout=SETTLED)
    main.get_by_role("link", name="Watch").click()
    screen.board().wait_for()
    expect(screen.page.get_by_role("heading", name="In play")).to_be_visible()
    screen.page.go_back()
    expect(main).to_be_visible()


@pytest.mark.long
def test_a_waiting_match_tells_its_place_and_its_time_and_begins(screen: Screen, busy: LiveServer) -> None:
    screen.page.goto(busy.url)
    queue = screen.page.get_by_role("region", name="Up next")
    expect(queue).to_contain_text("begins in about 1 min", timeout=SETTLED)
    queue.get_by_role("link", name="Waiting").click()
    state = screen.page.get_by_role("region", name="State of play")
    expect(state).to_contain_text("1st in the queue", timeout=SETTLED)
    expect(state).to_contain_text("Begins in about 1 min")
    playing = busy.get("/api/episodes", status="live")["episodes"][0]["episode_id"]
    busy.command(playing, "stop")
    expect(state).not_to_contain_text("in the queue", timeout=SETTLED)


@pytest.mark.long
def test_the_main_place_is_for_the_most_exciting_match(screen: Screen, telling: LiveServer) -> None:
    screen.page.goto(telling.url)
    main = main_place(screen.page)
    expect(main.get_by_role("heading", level=1)).to_have_text(TENSE.headline, timeout=SETTLED)
    expect(main).to_contain_text("Chance of winning")
    expect(main.get_by_role("listitem").filter(has_text="Turkey")).to_contain_text("62 %")
    others = screen.page.get_by_role("region", name="Also live")
    expect(others).to_contain_text(CALM.headline)
    expect(others).not_to_contain_text(TENSE.headline)
    screen.page.wait_for_timeout(500)
    assert screen.shifted() < 0.01


@pytest.mark.long
def test_the_last_key_moment_plays_by_itself_and_again(screen: Screen, telling: LiveServer) -> None:
    screen.page.add_init_script(SHOTS)
    screen.page.goto(telling.url)
    main = main_place(screen.page)
    expect(main).to_contain_text(TENSE.fact, timeout=SETTLED)
    again = main.get_by_role("button", name="Replay")
    expect(again).to_be_enabled(timeout=SETTLED)
    shots = screen.page.evaluate("shots")
    assert shots == [f"{shot}/{len(shots)}" for shot in range(1, len(shots) + 1)]
    assert len(shots) > 1
    again.click()
    screen.page.wait_for_function("count => shots.length === count", arg=2 * len(shots), timeout=SETTLED)
    assert screen.page.evaluate("shots") == shots * 2


@pytest.mark.long
def test_the_best_moments_play_one_after_another(screen: Screen, telling: LiveServer) -> None:
    screen.page.goto(telling.url)
    best = screen.page.get_by_role("region", name="Best moments of the day")
    best.scroll_into_view_if_needed(timeout=SETTLED)
    cards = best.get_by_role("listitem")
    expect(cards.first).to_contain_text(TENSE.fact)
    expect(cards.first.locator(".playing")).to_have_count(1)
    expect(cards.nth(1).locator(".playing")).to_have_count(1, timeout=SETTLED)
    best.get_by_role("button", name="Pause the clips").click()
    expect(best.locator(".playing")).to_have_count(0)
    cards.first.get_by_role("link").click()
    screen.board().wait_for()
    address = re.search(r"/episode/told-tense\?seq=(\d+)&to=(\d+)$", screen.page.url)
    assert address
    first, last = (int(number) for number in address.groups())
    on = screen.page.get_by_role("button", name="Watch on")
    expect(on).to_be_visible(timeout=SETTLED)
    assert first < screen.seq() <= last < screen.head()
    stopped = screen.seq()
    on.click()
    expect(on).to_be_hidden()
    expect(screen.slider).not_to_have_value(str(stopped), timeout=SETTLED)
    screen.look(first)
    expect(screen.page).to_have_url(re.compile(rf"\?seq={first}$"))


@pytest.mark.long
def test_reduced_motion_plays_nothing(new_page: Open, telling: LiveServer) -> None:
    page = new_page(reduced_motion="reduce")
    page.goto(telling.url)
    best = page.get_by_role("region", name="Best moments of the day")
    best.scroll_into_view_if_needed(timeout=SETTLED)
    expect(best.locator("[data-shot]").first).to_have_attribute("data-shot", re.compile(r"^(\d)/\1$"), timeout=SETTLED)
    expect(best.get_by_role("button")).to_have_count(0)
    expect(best.locator(".playing")).to_have_count(0)


@pytest.mark.long
def test_a_paused_match_says_so_and_has_not_the_main_place(screen: Screen, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = server.start_match(game="cricket", options={"overs": 1}, seed=3, paused=True)
        screen.page.goto(server.url)
        others = screen.page.get_by_role("region", name="Also live")
        expect(others.get_by_text("Paused", exact=True)).to_be_visible(timeout=SETTLED)
        expect(screen.page.get_by_text("Live", exact=True)).to_have_count(0)
        expect(main_place(screen.page)).to_contain_text("No match is being played")
        screen.page.goto(f"{server.url}/episode/{episode}")
        expect(screen.page.get_by_role("banner").get_by_text("Paused")).to_be_visible(timeout=SETTLED)


@pytest.mark.long
def test_a_match_that_waits_for_a_person_says_for_whom(screen: Screen, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        players, options = {"FRANCE": "person"}, {"press": "none"}
        server.start_match(game="diplomacy", players=players, options=options, clock=600, title="Mine")
        screen.page.goto(server.url)
        others = screen.page.get_by_role("region", name="Also live")
        waiting = re.compile(r"Waiting for France [89]:\d\d")
        expect(others.get_by_text(waiting)).to_be_visible(timeout=SETTLED)
        expect(main_place(screen.page)).to_contain_text("No match is being played")
        screen.page.goto(f"{server.url}/cockpit")
        expect(screen.page.get_by_text(waiting)).to_be_visible(timeout=SETTLED)


@pytest.mark.long
def test_between_two_matches_the_result_stays_with_the_time_of_the_next(screen: Screen, tmp_path: Path) -> None:
    record(tmp_path, (OVER,))
    screen.page.add_init_script(STATES)
    with live_server(tmp_path, "--showcase", "diplomacy") as server:
        screen.page.goto(server.url)
        main = main_place(screen.page)
        expect(main.get_by_text("Live", exact=True)).to_be_visible(timeout=SETTLED)
        height = main.evaluate("(element) => element.offsetHeight")
        (lane,) = server.get("/api/episodes")["lanes"]
        server.command(lane["episode_id"], "stop")
        between = "states.filter(({ text }) => /final/i.test(text) && /Next: Diplomacy in 0:\\d\\d/i.test(text))"
        screen.page.wait_for_function(f"() => {between}.length", timeout=SETTLED)
        for state in screen.page.evaluate(between):
            assert "Turkey wins alone." in state["text"]
            assert state["height"] == height
        expect(main.get_by_text("Live", exact=True)).to_be_visible(timeout=SETTLED)


@pytest.mark.long
def test_played_matches_are_filtered_by_game_and_player(screen: Screen, telling: LiveServer) -> None:
    screen.page.goto(telling.url)
    played = screen.page.get_by_role("region", name="Played")
    expect(played).to_contain_text("Turkey wins alone.", timeout=SETTLED)
    played.get_by_label("Game").select_option("cricket")
    expect(played).to_contain_text("No match of this kind")
    assert screen.page.url.endswith("?game=cricket")
    screen.page.reload()
    expect(played).to_contain_text("No match of this kind", timeout=SETTLED)
    played.get_by_role("button", name="Show all").click()
    expect(played).to_contain_text("Turkey wins alone.")
    screen.page.get_by_role("region", name="Who plays").get_by_role("button", name="random").click()
    expect(played.get_by_label("Player")).to_have_value("random")
    expect(played).to_contain_text("Turkey wins alone.")
    played.get_by_label("Player").select_option("dumbbot")
    expect(played).to_contain_text("No match of this kind")


@pytest.mark.long
def test_a_card_shows_no_other_numbers_before_its_picture(screen: Screen, telling: LiveServer) -> None:
    """The true standing is that of the board: a solo scores 1-0-0, which says nothing of who was second."""
    held: list[Route] = []
    screen.page.route("**/api/episodes/told-over/glance*", lambda route: held.append(route))
    last = telling.get("/api/episodes/told-over")["last_seq"]
    screen.page.goto(telling.url)
    card = screen.page.get_by_role("region", name="Played").get_by_role("link").filter(has_text="Turkey wins alone.")
    with screen.page.expect_request(re.compile(rf"told-over/glance.*seq={last}$"), timeout=SETTLED):
        card.scroll_into_view_if_needed(timeout=SETTLED)
    leaders = card.locator(".leaders")
    expect(leaders).to_be_attached()
    assert not re.search(r"[A-Z]{3} [\d–]", leaders.inner_text())
    for route in held:
        route.continue_()
    expect(leaders).to_contain_text(re.compile(r"TUR \d"), timeout=SETTLED)
    counts = [int(count) for count in re.findall(r"[A-Z]{3} (\d+)", leaders.inner_text())]
    assert len(counts) == 3
    assert counts[1:] == sorted(counts[1:], reverse=True)


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844), (844, 390), (1024, 768), (1600, 900)])
def test_nothing_overflows(new_page: Open, telling: LiveServer, width: int, height: int) -> None:
    page = new_page({"width": width, "height": height})
    page.goto(telling.url)
    expect(main_place(page).locator("svg").first).to_be_visible(timeout=SETTLED)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


@pytest.mark.long
def test_no_picture_can_be_focused(screen: Screen, telling: LiveServer) -> None:
    screen.page.goto(telling.url)
    expect(main_place(screen.page).locator("svg").first).to_be_visible(timeout=SETTLED)
    hidden = screen.page.locator("[aria-hidden=true]:not([tabindex='-1']) :is(a, button, [tabindex='0'])")
    assert [picture for picture in hidden.all() if not picture.evaluate("(at) => at.closest('[inert]') !== null")] == []


@pytest.mark.long
def test_an_empty_server_says_so(screen: Screen, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        screen.page.goto(server.url)
        expect(screen.page.get_by_role("heading", name="No match yet")).to_be_visible(timeout=SETTLED)
        server.start_match(game="diplomacy", seed=1, title="The first")
        expect(main_place(screen.page)).to_contain_text("Live", timeout=SETTLED)


def test_the_theme_is_kept(new_page: Open, busy: LiveServer) -> None:
    page = new_page(color_scheme="light")
    page.goto(busy.url)
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Theme").click()
    page.get_by_role("button", name="Theme").click()
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark


@pytest.mark.long
def test_play_leads_to_the_board_of_the_chosen_side(screen: Screen, telling: LiveServer) -> None:
    screen.page.goto(telling.url)
    main_place(screen.page).get_by_role("button", name="Play", exact=True).click(timeout=SETTLED)
    dialog = screen.page.get_by_role("dialog", name="Play Diplomacy")
    expect(dialog.get_by_role("button", name="France")).to_contain_text("in place of random")
    dialog.get_by_role("button", name="France").click()
    screen.board().wait_for(timeout=SETTLED)
    assert "as=seat:FRANCE" in screen.page.url.replace("%3A", ":")
    episode = screen.page.url.rpartition("/")[2].partition("?")[0]
    seats = {each["seat"]: each["player"] for each in telling.get(f"/api/episodes/{episode}")["seats"]}
    assert seats.pop("FRANCE") != "random"
    assert set(seats.values()) == {"random"}
    telling.command(episode, "stop")
