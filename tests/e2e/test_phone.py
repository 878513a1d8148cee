"""What a phone shows at first: the story of a match, and the button and the units of a seat."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.axe import ALL, FAULTS
from tests.support.page.browser import Open
from tests.support.page.on_map import MapPage
from tests.support.page.screen import SETTLED

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def lane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with a showcase match of Diplomacy."""
    with live_server(tmp_path_factory.mktemp("lane"), "--showcase", "diplomacy") as server:
        yield server


def test_a_showcase_opens_with_its_secrets_and_its_story_in_sight(new_page: Open, lane: LiveServer, axe: str) -> None:
    [playing] = [lane["episode_id"] for lane in lane.get("/api/episodes")["lanes"]]
    page = new_page(PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page.add_init_script(axe)
    warnings: list[str] = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    page.goto(f"{lane.url}/episode/{playing}")
    expect(page).to_have_url(re.compile(r"[?&]as=analyst"), timeout=SETTLED)
    predict = page.get_by_role("region", name="Predict")
    expect(predict).to_be_visible(timeout=SETTLED)
    expect(page.get_by_role("tab", name="Story")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_visible()
    row = page.evaluate("[...document.querySelectorAll('.controls :is(button, select)')].map(on => on.offsetTop)")
    assert len({top for top in row if top}) == 1, "the controls are one row"
    options = predict.get_by_role("group").first
    expect(options).to_be_hidden()
    predict.get_by_role("button").first.tap()
    expect(predict.get_by_text("The audience, and the table of the day")).to_be_visible()
    assert warnings == []
    faults = [page.evaluate(FAULTS, [".predict", theme, ALL]) for theme in ("light", "dark")]
    assert faults == [[], []]
    page.get_by_label("Viewpoint").select_option("spectator")
    expect(page).to_have_url(re.compile(r"[?&]as=spectator"))


def test_a_seat_has_its_button_and_its_units_in_sight(new_page: Open, lane: LiveServer) -> None:
    match = lane.start_match(game="diplomacy", seed=3, pace=0, clock=600, players={"TURKEY": "person"})
    page = new_page(PHONE, has_touch=True, is_mobile=True)
    map_page = MapPage(page)
    page.goto(f"{lane.url}/episode/{match}?as=seat:TURKEY")
    say_nothing, submit = page.get_by_role("button", name="Say nothing"), map_page.button("Submit")
    expect(say_nothing.or_(submit)).to_be_in_viewport(ratio=1, timeout=SETTLED)
    while say_nothing.is_visible():
        page.get_by_role("textbox", name="Message").scroll_into_view_if_needed()
        expect(say_nothing).to_be_in_viewport(ratio=1)
        with page.expect_response(lambda answer: answer.request.method == "POST" and "/seats/" in answer.url):
            say_nothing.tap()
        page.wait_for_function("() => !document.querySelector('fieldset:disabled')", timeout=SETTLED)
        expect(say_nothing.or_(submit)).to_be_visible(timeout=SETTLED)
    expect(submit).to_be_in_viewport(ratio=1)
    expect(page.locator("[data-drag]")).to_have_count(3)
    for place in ("ANK", "CON", "SMY"):
        expect(page.locator(f'[data-drag="{place}"]')).to_be_in_viewport()
        assert map_page.spot(place)[1] > 0
    lane.command(match, "stop")


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, {"width": 1440, "height": 900}], ids=["phone", "desktop"])
def test_the_ending_with_its_last_letters_breaks_no_rule(
    new_page: Open, lane: LiveServer, axe: str, size: ViewportSize
) -> None:
    played = lane.get("/api/episodes", game="diplomacy", status="finished")["episodes"]
    match = next(each["episode_id"] for each in played if each["reference"] and "press" not in each["options"])
    page = new_page(size, reduced_motion="reduce")
    page.add_init_script(axe)
    page.goto(f"{lane.url}/episode/{match}?as=analyst")
    end = page.get_by_role("region", name="The end of the match")
    expect(end.get_by_role("list", name="The losers’ last words").get_by_role("link")).to_have_count(3, timeout=SETTLED)
    assert [page.evaluate(FAULTS, [".end", theme, ALL]) for theme in ("light", "dark")] == [[], []]


def test_the_front_page_is_as_wide_as_the_phone_when_its_players_are_there(new_page: Open, lane: LiveServer) -> None:
    page = new_page(PHONE, has_touch=True, is_mobile=True)
    page.goto(lane.url)
    players = page.get_by_role("region", name="Who plays").get_by_role("listitem")
    expect(players.first).to_be_visible(timeout=SETTLED)
    assert players.count() > 4, "more than a phone shows beside each other"
    assert page.evaluate("document.scrollingElement.scrollWidth") == PHONE["width"]
