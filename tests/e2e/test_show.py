"""The match page as a show: nothing is told before it is seen, the story beside the board, the end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from grandstand.events import (
    CommentAdded,
    EpisodeCreated,
    EpisodeEnded,
    EpisodeStarted,
    FactNoted,
    OutlookUpdated,
    SeatInfo,
    TurnStarted,
)
from grandstand.models import Draft, Wire
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.record import Record
from tests.support.page.screen import SETTLED, Screen

pytestmark = pytest.mark.browser

SEATS = ("NORTH", "SOUTH")
TOLD = "story-told"
BOARD_AT_LEAST = 0.6
READABLE = 9
"""Pixels of a name."""
CHANCES = (0.5, 0.55, 0.9, 0.2, 0.6, 0.97)


def _draft(data: Wire) -> Draft:
    return Draft(type(data).__name__, data.model_dump())


def _turn(number: int, first: int) -> list[Draft]:
    """Return a turn whose `BoardSet` has the number `first`, and its story."""
    chance, kind = CHANCES[number], "stab" if number == 3 else "capture"
    return [
        Draft("BoardSet", {"state": {"after": number}}),
        _draft(TurnStarted(index=number, turn=f"turn {number}", to_act=list(SEATS), scores=dict.fromkeys(SEATS, 0.5))),
        _draft(
            FactNoted(
                kind=kind,
                text=f"Fact {number}.",
                importance=0.7,
                rests_on=[first],
                seats=["NORTH"],
            )
        ),
        _draft(
            CommentAdded(
                text=f"Comment {number}.",
                importance=0.5,
                rests_on=[first],
                beat="conflicts",
                kind=kind,
                seats=["NORTH"],
            )
        ),
        _draft(
            OutlookUpdated(
                chances={"NORTH": chance, "SOUTH": 1 - chance}, excitement=0.5, headline=f"Headline {number}."
            )
        ),
    ]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with a match that has a story, written by hand, and matches of both games."""
    data = Path(tmp_path_factory.mktemp("show"))
    recorder = Recorder(data / "grandstand.db")
    bus = Bus(recorder)
    seats = [SeatInfo(seat=seat, player=f"{seat.lower()} bot", kind="heuristic") for seat in SEATS]
    created = EpisodeCreated(game="draughts", title="A story", options={}, seats=seats, origin="cli")
    drafts = [_draft(created), _draft(EpisodeStarted())]
    for number in range(len(CHANCES)):
        drafts += _turn(number, len(drafts))
    outcome = {"winners": ["NORTH"], "scores": {"NORTH": 1.0, "SOUTH": 0.0}, "text": "North wins.", "reason": "win"}
    bus.open(TOLD, epoch=1)
    bus.publish(TOLD, [*drafts, _draft(EpisodeEnded.model_validate({"status": "finished", "outcome": outcome}))])
    recorder.close()
    with live_server(data) as server:
        yield server


@pytest.fixture(scope="module")
def cricket(server: LiveServer) -> str:
    match = server.start_match(game="cricket", seed=21, options={"overs": 2}, pace=0, title="Two overs")
    server.wait_for(match, status="finished")
    return match


@pytest.fixture(scope="module")
def diplomacy(server: LiveServer) -> str:
    match = server.start_match(game="diplomacy", seed=1, options={"last_year": 1903}, pace=0, title="Three years")
    server.wait_for(match, status="finished")
    return match


def _opened(screen: Screen, server: LiveServer, match: str, seq: int | None = None) -> Page:
    screen.open(f"{server.url}/episode/{match}" + ("" if seq is None else f"?seq={seq}"))
    expect(screen.count).to_contain_text("Complete")
    return screen.page


@pytest.mark.long
def test_the_headline_and_the_scoreboard_never_differ(screen: Screen, server: LiveServer, cricket: str) -> None:
    """One look at every frame, while the moments are looked at one by one and while the match plays."""
    balls = Record(server, cricket).events("BallBowled")
    page = _opened(screen, server, cricket, balls[0]["seq"])
    page.evaluate(
        """() => {
            window.pairs = new Set();
            const text = (selector) => document.querySelector(selector)?.textContent.replace(/\\s+/g, ' ').trim() ?? '';
            window.pair = () => [text('.scoreboard .score'), text('.situation strong'), text('.caption .line')];
            const look = () => {
                window.pairs.add(JSON.stringify(window.pair()));
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    for seq in range(balls[0]["seq"], balls[-1]["seq"] + 1):
        screen.look(seq)
    # And as it plays: the ball is seen, then the score, then the words.
    second = next(ball for ball in balls if ball["data"]["innings"] == 2)
    screen.look(second["seq"])
    screen.press(" ")
    page.wait_for_function("seq => Number(document.querySelector('[type=range]').value) >= seq", arg=second["seq"] + 30)
    screen.press(" ")
    pairs = [json.loads(pair) for pair in page.evaluate("[...pairs]")]
    compared = 0
    for score, situation, line in pairs:
        if need := re.search(r"need (\d+) off (\d+)", line):
            overs = re.match(rf"Need {need[1]} off (\d+) (over|ball)s?$", situation)
            assert overs, (situation, line)
            assert int(overs[1]) * (6 if overs[2] == "over" else 1) == int(need[2])
            compared += 1
        elif made := re.search(r"are (\d+) (?:for (\d+)|without loss)", line):
            assert f"{made[1]}/{made[2] or 0}" in score, (score, line)
            compared += 1
    assert compared > len(balls) / 2


@pytest.mark.long
def test_the_score_and_the_words_of_a_ball_come_after_the_ball(
    screen: Screen, server: LiveServer, cricket: str
) -> None:
    """One look at every frame: while the ball flies the page tells the old score, and the words come last."""
    record = Record(server, cricket)
    balls = record.events("BallBowled")
    index = next(n for n, ball in enumerate(balls) if n and ball["data"]["boundary"])
    page = _opened(screen, server, cricket, balls[index - 1]["seq"] + 1)
    page.evaluate(
        """() => {
            window.frames_seen = [];
            const score = () => document.querySelector('.scoreboard .score strong').textContent;
            const story = () => document.querySelector('#panel section')?.textContent ?? '';
            const look = () => {
                const ball = document.querySelector('.oval > svg .way .ball');
                const flies = ball !== null && ball.getAnimations().length > 0;
                window.frames_seen.push([flies, score(), story()]);
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    before = page.locator(".scoreboard .score strong").inner_text()
    screen.press(" ")
    runs, wickets, _ = balls[index]["data"]["score"]
    after = f"{runs}/{wickets}"
    page.wait_for_function("after => window.frames_seen.some(([, score]) => score === after)", arg=after)
    screen.press(" ")
    observed: list[tuple[bool, str, str]] = page.evaluate("window.frames_seen")
    first = next(n for n, (_, score, _) in enumerate(observed) if score == after)
    assert any(flies for flies, _, _ in observed[:first])
    assert {score for flies, score, _ in observed[:first] if flies} == {before.replace("\n", "")}
    words = next((n for n, (_, _, story) in enumerate(observed) if after in story), len(observed))
    assert words >= first


def test_the_story_is_beside_the_board_with_links_to_its_moments(screen: Screen, server: LiveServer) -> None:
    page = _opened(screen, server, TOLD, 20)
    expect(page.get_by_role("tab", name="Story")).to_have_attribute("aria-selected", "true")
    facts = Record(server, TOLD).events("CommentAdded")
    expect(page.locator("#panel")).not_to_contain_text("Comment 4.")
    line = page.get_by_role("button", name="Comment 1.")
    line.click()
    expect(screen.slider).to_have_value(str(facts[1]["data"]["rests_on"][0]))
    expect(page.locator("#panel")).not_to_contain_text("Comment 2.")


def test_betrayals_and_turning_points_are_marked(screen: Screen, server: LiveServer) -> None:
    page = _opened(screen, server, TOLD)
    expect(page.locator("#panel .betrayal")).to_contain_text("Comment 3.")
    expect(page.locator("#panel .turning").first).to_be_visible()


@pytest.mark.long
def test_a_record_without_a_story_is_told_from_its_events(screen: Screen, server: LiveServer, diplomacy: str) -> None:
    page = _opened(screen, server, diplomacy)
    expect(page.get_by_role("region", name="1903", exact=True)).to_be_visible()
    first = page.get_by_role("region", name="1901", exact=True)
    assert 1 <= first.get_by_role("listitem").count() <= 3
    first.get_by_role("button", name="1901", exact=True).click()
    expect(screen.slider).to_have_value(str(Record(server, diplomacy).numbers("TurnStarted")[0]))


def test_the_end_names_the_winner_and_what_turned_the_match(screen: Screen, server: LiveServer) -> None:
    page = _opened(screen, server, TOLD)
    end = page.get_by_role("region", name="The end of the match")
    expect(end.get_by_role("heading")).to_have_text(re.compile("North|NORTH"))
    expect(end).to_contain_text("north bot")
    points = end.get_by_role("list", name="How it was won").get_by_role("link")
    expect(points).to_have_count(5)
    points.first.click()
    expect(end).to_be_hidden()
    assert screen.seq() < screen.head()
    screen.press("End")
    end.get_by_role("button", name="See the whole board").click()
    expect(end).to_be_hidden()


@pytest.mark.long
def test_the_best_and_the_worst_decision_are_named_where_the_game_values_them(
    screen: Screen, server: LiveServer, cricket: str
) -> None:
    end = _opened(screen, server, cricket).get_by_role("region", name="The end of the match")
    expect(end).to_contain_text("Best decision")
    expect(end).to_contain_text("Worst decision")
    expect(end.get_by_role("heading")).to_have_text(re.compile(r" win$"))
    expect(end).to_contain_text("Chance of winning, ")
    for change in end.locator("dd a i").all_inner_texts():
        assert re.search(r"[+−]\d+\.\d %$", change), change


@pytest.mark.long
def test_a_replay_begins_with_a_drawn_board(screen: Screen, server: LiveServer, diplomacy: str) -> None:
    clock = screen.page.clock
    clock.install()
    page = _opened(screen, server, diplomacy)
    start = page.get_by_role("button", name="Watch from the start")
    expect(start).to_be_visible()
    # From here on time passes only where the test says so: the first turn stays.
    clock.pause_at(page.evaluate("Date.now()") + 60_000)
    start.click()
    clock.run_for(100)
    expect(screen.caption).to_have_text("Spring 1901, moves")
    expect(page.locator("[data-unit]")).to_have_count(22)
    screen.press(" ")


@pytest.mark.long
def test_the_badge_of_a_live_match_is_grey_while_an_earlier_moment_is_shown(screen: Screen, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", seed=3, pace=1, options={"last_year": 1960})
    server.wait_for(match, seq=20)
    screen.open(f"{server.url}/episode/{match}")
    page = screen.page
    badge = page.get_by_role("banner").locator(".badge")
    expect(badge).to_have_class(re.compile(r"\blive\b"))
    page.get_by_role("main", name="Board").locator("svg").first.wait_for()
    screen.look(10)
    expect(badge).to_have_class(re.compile(r"\bbehind\b"))
    page.get_by_role("button", name="Back to live").click()
    expect(badge).to_have_class(re.compile(r"\blive\b"))
    steering = page.get_by_role("group", name="The match, for everybody")
    page.get_by_role("contentinfo").get_by_role("button", name="Pause").click()
    expect(badge).to_have_class(re.compile(r"\bbehind\b"))
    assert server.get(f"/api/episodes/{match}")["paused"] is False
    page.get_by_role("button", name="Back to live").click()
    steering.get_by_role("button", name="Pause").click()
    expect(badge).to_have_text("Paused", timeout=SETTLED)
    server.command(match, "stop")
    expect(badge).to_have_text("Stopped", timeout=SETTLED)


def test_a_question_mark_lists_the_keys(screen: Screen, server: LiveServer) -> None:
    page = _opened(screen, server, TOLD)
    screen.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("Back to live")
    screen.press("Escape")
    expect(keys).to_be_hidden()


@pytest.mark.few(1)
@pytest.mark.parametrize("game", ["diplomacy", "cricket"])
def test_the_board_takes_most_of_the_window(
    new_page: Open, server: LiveServer, request: pytest.FixtureRequest, game: str
) -> None:
    match: str = request.getfixturevalue(game)
    screen = Screen(new_page({"width": 1600, "height": 900}))
    page = _opened(screen, server, match, 60)
    box = page.get_by_role("main", name="Board").bounding_box()
    assert box is not None
    assert box["width"] * box["height"] >= BOARD_AT_LEAST * 1600 * 900


@pytest.mark.long
@pytest.mark.parametrize("width", [640, 844, 932])
def test_a_phone_on_its_side_shows_the_controls_of_the_match_below_the_board(
    new_page: Open, server: LiveServer, diplomacy: str, width: int
) -> None:
    screen = Screen(new_page({"width": width, "height": 390}))
    page = _opened(screen, server, diplomacy, 60)
    board = page.get_by_role("main", name="Board").bounding_box()
    assert board is not None
    assert board["y"] == 0
    assert board["height"] >= 250
    masthead = page.get_by_role("banner")
    masthead.scroll_into_view_if_needed()
    expect(masthead).to_be_in_viewport(ratio=1)
    for name in ("Read aloud", "Download"):
        expect(masthead.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    expect(masthead.get_by_label("Viewpoint")).to_be_in_viewport(ratio=1)
    overflow: int = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    assert overflow <= 0


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1024, 768), (1600, 900)])
def test_the_names_of_provinces_are_readable(
    new_page: Open, server: LiveServer, diplomacy: str, width: int, height: int
) -> None:
    screen = Screen(new_page({"width": width, "height": height}))
    page = _opened(screen, server, diplomacy, 60)
    sizes: list[float] = page.locator(".labels text").evaluate_all(
        """(names) => names.map((name) => {
            const { c, d } = name.getScreenCTM();
            return parseFloat(getComputedStyle(name).fontSize) * Math.hypot(c, d);
        })"""
    )
    assert len(sizes) == 75
    assert min(sizes) >= READABLE - 0.01
    overflow: int = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    assert overflow <= 0
