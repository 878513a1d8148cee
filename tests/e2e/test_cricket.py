"""A whole five-over match of cricket in the browser: followed live to the end, then looked back over ball by ball."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.record import Record
from tests.support.page.screen import SETTLED, Screen

pytestmark = pytest.mark.browser

ENDS = 120_000
MATCH: dict[str, Any] = {"game": "cricket", "seed": 21, "options": {"overs": 5}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(Path(tmp_path_factory.mktemp("cricket"))) as server:
        yield server


@pytest.fixture(scope="module")
def played(server: LiveServer) -> str:
    """A match of five overs a side, already over."""
    match = server.start_match(**MATCH, pace=0, title="Five overs")
    server.wait_for(match, status="finished")
    return match


def _balls(record: Record) -> list[dict[str, Any]]:
    return [event["data"] for event in record.events("BallBowled")]


def _moments(record: Record) -> list[int]:
    """The numbers at which a ball and what it did to the chances are both told: right after the ball's own."""
    chances = set(record.numbers("ChanceChanged"))
    moments = [seq + 1 for seq in record.numbers("BallBowled")]
    assert chances.issuperset(moments)
    return moments


def _score(ball: dict[str, Any]) -> str:
    runs, wickets, _ = ball["score"]
    return f"{runs}/{wickets}"


def _surname(name: str) -> str:
    return name.rsplit(" ", 1)[-1]


ANNOUNCED = """
window.announced = [];
new MutationObserver(() => {
  const text = document.querySelector('[aria-live=polite]')?.textContent;
  if (text && text !== announced.at(-1)) announced.push(text);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""Collects what a screen reader is told, however long it stays."""


@pytest.mark.long
def test_a_whole_match_is_followed_live_to_its_result(screen: Screen, server: LiveServer) -> None:
    match = server.start_match(**MATCH, pace=0.15, title="Followed live", paused=True)
    screen.page.add_init_script(ANNOUNCED)
    screen.open(f"{server.url}/episode/{match}")
    frame = screen.frame()
    server.post(f"/api/episodes/{match}/commands", {"command": "resume"}).raise_for_status()
    screen.wait_for_head(60)
    screen.follows()
    screen.page.wait_for_function("() => announced.some((text) => text.includes(' to '))", timeout=SETTLED)
    server.wait_for(match, status="finished", timeout=ENDS / 1000)
    record = Record(server, match)
    decided = record.events("MatchDecided")[0]["data"]
    expect(screen.count).to_contain_text(f"Complete 0–{record.last},", timeout=SETTLED)
    board = screen.page.get_by_role("main", name="Board")
    expect(board.get_by_label("Score", exact=True)).to_contain_text(decided["result"], timeout=SETTLED)
    assert screen.frame() == frame


@pytest.mark.long
def test_every_ball_is_told_and_shown_as_it_is_on_record(screen: Screen, server: LiveServer, played: str) -> None:
    record = Record(server, played)
    balls, moments = _balls(record), _moments(record)
    assert len(balls) > 40
    screen.open(f"{server.url}/episode/{played}")
    expect(screen.count).to_contain_text("Complete")
    assert screen.shifted() < 0.01
    score = screen.page.get_by_label("Score", exact=True).locator(".score strong")
    for ball, seq in zip(balls, moments, strict=True):
        screen.look(seq)
        assert score.inner_text().replace("\n", "") == _score(ball)
        assert screen.page.locator(".over .last").inner_text().startswith(ball["ball"])
    report, _ = screen.log()
    for ball, seq in zip(balls, moments, strict=True):
        words = f"{ball['ball']} {_surname(ball['bowler'])} to {_surname(ball['batter'])}, "
        assert report[seq].startswith(words)
        assert f" {_score(ball)}. " in report[seq]
        if ball["boundary"] and ball["runs"] in (4, 6):
            assert {4: "FOUR", 6: "SIX"}[ball["runs"]] in report[seq]


@pytest.mark.long
def test_the_keyboard_walks_from_ball_to_ball(screen: Screen, server: LiveServer, played: str) -> None:
    record = Record(server, played)
    steps = sorted(
        [*_moments(record), *record.numbers("OverEnded", "InningsEnded", "InningsStarted", "ReviewTaken", "AppealMade")]
    )
    screen.open(f"{server.url}/episode/{played}?seq={steps[0]}")
    expect(screen.count).to_contain_text("Complete")
    for seq in steps[1:40]:
        screen.press("ArrowRight")
        expect(screen.slider).to_have_value(str(seq))


@pytest.mark.long
def test_the_card_and_the_commentary_say_what_the_record_says(screen: Screen, server: LiveServer, played: str) -> None:
    record = Record(server, played)
    first, second = [event["data"]["state"]["innings"] for event in record.events("InningsEnded")][1]
    screen.open(f"{server.url}/episode/{played}")
    expect(screen.count).to_contain_text("Complete")
    page = screen.page
    screen.tab("Scorecard")
    for card in (first, second):
        page.get_by_label("Scorecard", exact=True).get_by_role(
            "button", name=f"{card['runs']}/{card['wickets']}"
        ).click()
        rows = page.get_by_label("Scorecard", exact=True).locator("table").first.locator("tbody tr")
        for line in card["batters"]:
            row = rows.filter(has=page.get_by_title(line["name"], exact=True))
            cells = [int(text) for text in row.locator("td").all_inner_texts()[:4]]
            assert cells == [line["r"], line["b"], line["f"], line["s"]]
        bowlers = page.get_by_label("Scorecard", exact=True).locator("table").nth(1).locator("tbody tr")
        assert bowlers.count() == len(card["bowlers"])
    balls = _balls(record)
    wickets = [ball for ball in balls if ball["wicket"]]
    screen.tab("Balls")
    page.get_by_role("button", name="Key moments").click()
    expect(page.locator("#panel li.wicket")).to_have_count(len(wickets))
    last = page.locator("#panel li.wicket").first
    expect(last).to_contain_text(_surname(wickets[-1]["wicket"]["out"]))
    last.get_by_role("button").click()
    seq = next(seq for ball, seq in zip(balls, _moments(record), strict=True) if ball is wickets[-1])
    expect(screen.slider).to_have_value(str(seq))
    expect(page.locator(".over .last")).to_contain_text("OUT")


@pytest.mark.long
def test_the_line_of_chances_has_every_ball(screen: Screen, server: LiveServer, played: str) -> None:
    record = Record(server, played)
    changes = [event["data"] for event in record.events("ChanceChanged")]
    screen.open(f"{server.url}/episode/{played}")
    expect(screen.count).to_contain_text("Complete")
    screen.tab("Charts")
    line = screen.page.get_by_role("slider", name="Chance of")
    assert line.get_attribute("aria-valuemax") == str(len(changes) - 1)
    line.focus()
    for _ in range(3):
        screen.press("ArrowLeft")
    swing = abs(changes[-4]["swing"] * 100)
    expect(line).to_have_attribute("aria-valuetext", re.compile(rf"[+−]?{swing:.1f} points$"))
    assert screen.seq() == record.last


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 1024, 1600])
def test_nothing_overflows_and_every_panel_shows_something(
    new_page: Open, server: LiveServer, played: str, width: int
) -> None:
    screen = Screen(new_page({"width": width, "height": 844}))
    seq = _moments(Record(server, played))[-5]
    screen.open(f"{server.url}/episode/{played}?seq={seq}")
    expect(screen.count).to_contain_text("Complete")
    for name in screen.page.get_by_role("tab").all_inner_texts():
        screen.tab(name)
        assert _overflow(screen.page) == 0, name
        # The parts of all games are loaded after the board.
        expect(screen.page.locator("#panel")).to_have_text(re.compile(".{21}", re.DOTALL), use_inner_text=True)
    field = screen.page.get_by_role("toolbar", name="The field").get_by_role("button")
    assert field.count() == 13
    for man in field.all():
        assert man.get_attribute("aria-label")
    assert screen.errors == []


@pytest.mark.long
def test_scrubbing_does_not_draw_the_page_anew(screen: Screen, server: LiveServer, played: str) -> None:
    screen.open(f"{server.url}/episode/{played}")
    expect(screen.count).to_contain_text("Complete")
    assert 0 < screen.redrawn(range(0, screen.head(), max(1, screen.head() // 100))) < 1 / 4
    assert screen.page.evaluate("document.querySelectorAll('.flash').length") == 0


FLIGHTS = """
window.flights = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...motion) {
  if (this.matches('.way .ball')) flights++;
  return animate.apply(this, motion);
};
"""
"""Counts the flights of balls, which last a moment."""


@pytest.mark.long
def test_a_ball_flies_once_and_not_for_who_wants_no_motion(new_page: Open, server: LiveServer, played: str) -> None:
    seq = _moments(Record(server, played))[3]
    for motion, flies in (("no-preference", True), ("reduce", False)):
        screen = Screen(new_page(reduced_motion=motion))
        screen.page.add_init_script(FLIGHTS)
        screen.open(f"{server.url}/episode/{played}?seq={seq}")
        expect(screen.count).to_contain_text("Complete")
        assert screen.page.evaluate("flights") == 0
        screen.press("ArrowRight")
        expect(screen.slider).not_to_have_value(str(seq))
        assert (screen.page.evaluate("flights") > 0) is flies
        assert screen.errors == []


TRACE = """([texts, before]) => {
    window.met = [];
    const meet = (what, seen) => seen && !window.met.includes(what) && window.met.push(what);
    const look = () => {
        const told = document.querySelector('#panel').innerText;
        for (const [what, text] of Object.entries(texts)) meet(what, told.includes(text));
        meet('question', document.querySelector('.badges')?.textContent.includes('Review?'));
        const score = document.querySelector('[aria-label=Score] .score strong').innerText;
        meet('score', score.replace(/\\s/g, '') !== before);
        requestAnimationFrame(look);
    };
    look();
}"""
"""Notes in `met`, once and in order, which of some texts the panel tells, and what the board shows of a review."""


@pytest.mark.long
def test_a_review_is_watched_in_scenes_before_the_score_changes(screen: Screen, server: LiveServer) -> None:
    match = server.start_match(game="cricket", seed=22, options={"overs": 5}, pace=0)
    server.wait_for(match, status="finished")
    record = Record(server, match)
    review = next(event for event in record.events("ReviewTaken") if event["data"]["upheld"] and event["data"]["out"])
    appeal = max(seq for seq in record.numbers("AppealMade") if seq < review["seq"])
    score = _score(next(event["data"] for event in reversed(record.events("BallBowled")) if event["seq"] < appeal))
    comments = {event["data"]["rests_on"][0]: event["data"]["text"] for event in record.events("CommentAdded")}
    screen.open(f"{server.url}/episode/{match}?seq={appeal - 1}")
    expect(screen.count).to_contain_text("Complete", timeout=SETTLED)
    texts = {"appeal": comments[appeal], "screen": comments[review["seq"]]}
    screen.page.evaluate(TRACE, [texts, score])
    screen.page.locator(".caption").click()
    screen.press(" ")
    screen.page.wait_for_function("() => window.met.includes('score')", timeout=SETTLED)
    met = screen.page.evaluate("window.met")
    assert sorted(met[:2]) == ["appeal", "question"]
    assert met[2:] == ["screen", "score"]

    screen.tab("Log")
    told = screen.page.get_by_role("tabpanel")
    for seq, decided in ((appeal, False), (review["seq"], True)):
        screen.look(seq)
        expect(told.get_by_text("Appeal for caught").first).to_be_visible()
        expect(told.get_by_text("the decision is reversed, out")).to_have_count(int(decided))
        assert screen.page.locator("[aria-label=Score] .score strong").inner_text().replace("\n", "") == score


def _overflow(page: Page) -> int:
    over: int = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    return max(0, over)
