"""The cockpit: start, queue, steer, approve, fork, compare; the desk, the health page and the voice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED, Screen
from tests.support.page.steered import controls, open_cockpit, opened_match, stop_permanently, turns
from tests.support.players.chat_server import ChatServer, Request, says
from tests.support.server.private_batches import visible_events
from tests.support.waiting import until

pytestmark = pytest.mark.browser


HOSTILE = "<img src=x onerror=\"document.title='taken'\"> \u202eyenom"


@pytest.mark.long
def test_a_double_click_starts_one_match(screen: Screen, server: LiveServer) -> None:
    before = server.get("/api/episodes")["total"]
    page = screen.page
    page.goto(f"{server.url}/cockpit")
    expect(page.get_by_text("everyone here can control matches")).to_be_visible()
    form = page.get_by_role("form", name="Start a match")
    form.get_by_role("button", name="Mixed").click()
    form.get_by_label("France").select_option("random")
    form.get_by_label("Last year").fill("1901")
    form.get_by_label("Pace").select_option("15 s a turn")
    form.get_by_label("Title").fill("Started by hand")
    form.get_by_label("Press").select_option("none")
    form.get_by_role("button", name="Start the match").dblclick()
    started = opened_match(page)
    expect(page.get_by_role("heading", name="Started by hand")).to_be_visible()
    assert server.get("/api/episodes")["total"] == before + 1
    episode = server.get(f"/api/episodes/{started}")
    assert episode["options"] == {"last_year": 1901, "press": "none"}
    assert [info["player"] for info in episode["seats"]][:3] == ["coordinated", "dumbbot", "random"]
    assert ("pace", 15) in controls(server, started)


@pytest.mark.long
def test_the_same_request_sent_over_a_broken_line_starts_one_match(screen: Screen, server: LiveServer) -> None:
    before = server.get("/api/episodes")["total"]
    page = screen.page
    answers: list[str] = []

    def lose(route: Any) -> None:
        # The server hears it; its answer is lost.
        answers.append(route.fetch().json()["episode_id"])
        route.abort() if len(answers) == 1 else route.fulfill(json=server.get(f"/api/episodes/{answers[-1]}"))

    page.route("**/api/episodes", lambda route: lose(route) if route.request.method == "POST" else route.continue_())
    page.goto(f"{server.url}/cockpit")
    page.get_by_label("Pace").select_option("60 s a turn")
    page.get_by_role("button", name="Start the match").click()
    assert opened_match(page) == answers[0] == answers[1]
    assert server.get("/api/episodes")["total"] == before + 1
    screen.errors.clear()


def test_a_refusal_names_the_field(screen: Screen, server: LiveServer) -> None:
    page = screen.page
    page.goto(f"{server.url}/cockpit")
    page.get_by_label("Last year").fill("1700")
    page.get_by_role("button", name="Start the match").click()
    expect(page.get_by_role("alert")).to_contain_text("last_year: must be a whole number")
    expect(page.get_by_label("Last year")).to_be_focused()
    screen.errors.clear()


@pytest.mark.long
def test_again_begins_with_the_settings_of_a_match(screen: Screen, server: LiveServer) -> None:
    match = server.start_match(
        game="diplomacy", seed=4711, pace=0.5, paused=True, players={"ITALY": "hold"}, options={"last_year": 1907}
    )
    page = screen.page
    page.goto(f"{server.url}/cockpit?again={match}")
    expect(page.get_by_label("Seed")).to_have_value("4711")
    expect(page.get_by_label("Italy")).to_have_value("hold")
    expect(page.get_by_label("Last year")).to_have_value("1907")
    page.get_by_label("Italy").select_option("chaos")
    page.get_by_role("button", name="Start the match").click()
    again = server.get(f"/api/episodes/{opened_match(page)}")
    assert again["episode_id"] != match
    assert {info["seat"]: info["player"] for info in again["seats"]}["ITALY"] == "chaos"
    assert again["options"] == {"last_year": 1907}


@pytest.mark.long
def test_the_queue_is_seen_and_reordered(screen: Screen, tmp_path: Path) -> None:
    with live_server(tmp_path, "--slots", "1") as server:
        first = server.start_match(game="diplomacy", pace=60, title="In play")
        second, third = (server.start_match(game="diplomacy", title=title) for title in ("Second", "Third"))
        page = screen.page
        page.goto(f"{server.url}/cockpit")
        lines = page.get_by_role("region", name="Queue").get_by_role("listitem")
        expect(lines).to_have_count(2)
        expect(lines.nth(0)).to_contain_text("Second")
        lines.nth(1).get_by_role("button", name="To front").click()
        expect(lines.nth(0)).to_contain_text("Third")
        assert server.get("/api/episodes")["queue"] == [third, second]
        lines.nth(1).get_by_role("button", name="Cancel").click()
        expect(lines).to_have_count(1)
        assert server.get(f"/api/episodes/{second}")["status"] == "stopped"
        assert server.get(f"/api/episodes/{first}")["status"] == "live"


@pytest.mark.long
def test_pause_step_pace_resume_stop(screen: Screen, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", seed=11, pace=0.5, turns=200, paused=True)
    screen.page.clock.install()
    page = open_cockpit(screen, server, match)
    pause, resume = (page.get_by_role("button", name=name) for name in ("Pause", "Resume"))
    expect(resume).to_be_visible()
    assert until(lambda: turns(server, match) == 1)  # no turn is under way
    page.get_by_role("button", name="Step", exact=True).click()
    assert until(lambda: turns(server, match) > 1)
    page.wait_for_timeout(700)  # for turns that were not asked for
    assert turns(server, match) == 2
    page.get_by_label("Pace").select_option("1 s a turn")
    page.get_by_label("More turns").fill("7")
    page.get_by_role("button", name="More turns").click()
    expect(page.get_by_text("of 207")).to_be_visible()
    resume.click()
    server.wait_for(match, seq=server.get(f"/api/episodes/{match}")["last_seq"] + 10)
    pause.click()
    expect(resume).to_be_visible()
    stood = turns(server, match)
    page.wait_for_timeout(3000)  # for turns that would be played if it went on
    assert turns(server, match) <= stood + 1  # one may have been under way
    stop_permanently(page, page)
    expect(page.locator("main").get_by_text("Stopped", exact=True)).to_be_visible()
    assert [name for name, _ in controls(server, match)] == [
        *("pace", "pause", "turns", "step", "pace", "extend", "resume", "pause", "stop")
    ]


@pytest.mark.long
def test_a_fork_is_watched_beside_its_parent(screen: Screen, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", seed=13, pace=0, options={"last_year": 1903}, title="As it was")
    server.wait_for(match, status="finished")
    page = screen.page
    screen.open(f"{server.url}/episode/{match}?seq=60")
    expect(screen.count).to_contain_text("Complete")
    page.get_by_role("button", name="More", exact=True).click()
    turn = page.locator(".caption .turn").inner_text()
    page.get_by_role("button", name=f"Fork from {turn}").click()
    form = page.get_by_role("form", name="Fork")
    form.get_by_label("France").select_option("random")
    form.get_by_label("Title").fill("As it might have been")
    form.get_by_role("button", name="Fork, and watch both").dblclick()
    page.wait_for_url(re.compile("left="))
    left, right = (page.get_by_role("region", name=name) for name in ("Left", "Right"))
    expect(left.get_by_role("heading", name="As it was")).to_be_visible(timeout=SETTLED)
    expect(right.get_by_role("heading", name="As it might have been")).to_be_visible(timeout=SETTLED)
    child = page.url.rpartition("right=")[2]
    assert server.get(f"/api/episodes/{child}")["parent"] == {"episode_id": match, "seq": 60}
    server.wait_for(child, seq=80)
    turns = [half.locator(".caption .turn") for half in (left, right)]
    page.get_by_role("button", name="To the fork").click()
    expect(left).to_contain_text("event 60 of")
    expect(turns[1]).to_have_text(turns[0].inner_text())
    left.get_by_role("slider").evaluate(
        "(input) => { input.value = 30; input.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    expect(left).to_contain_text("event 30 of")
    expect(turns[1]).to_have_text(turns[0].inner_text())


ROSTER = """
[[player]]
name = "talker"
kind = "llm"
[player.options]
base_url = "{url}"
model = "test"
retries = 0
"""


async def _talks(request: Request) -> None:
    """Negotiates with one hostile message, then holds."""
    other = "FRANCE" if "You are ITALY" in request.prompt else "ITALY"
    messages = json.dumps({"reasoning": HOSTILE, "messages": [{"to": [other], "text": HOSTILE, "promises": []}]})
    orders = json.dumps({"reasoning": "So far, so good.", "orders": []})
    await says(messages if '"messages"' in request.prompt else orders)(request)


@pytest.fixture
def talkers(tmp_path: Path) -> Iterator[LiveServer]:
    """A server whose roster has a player that talks, by an endpoint of our own."""
    with ChatServer(_talks) as endpoint:
        roster = tmp_path / "players.toml"
        roster.write_text(ROSTER.format(url=endpoint.url))
        with live_server(tmp_path / "data", "--roster", str(roster)) as server:
            yield server


@pytest.mark.long
def test_a_held_message_is_edited_and_sent_as_edited(screen: Screen, talkers: LiveServer) -> None:
    players = {"FRANCE": "talker", "ITALY": "talker"}
    match = talkers.start_match(
        game="diplomacy", pace=0, players=players, approve=True, turns=1, options={"negotiation_rounds": 1}
    )
    page = open_cockpit(screen, talkers, match)
    held = page.get_by_role("region", name="Messages waiting for your approval")
    first = held.get_by_role("listitem").filter(has_text="France to Italy")
    expect(first.locator(".text")).to_have_text(HOSTILE.replace("\u202e", "‹202E›"), timeout=SETTLED)
    assert page.title() != "taken"
    first.get_by_role("button", name="Edit").click()
    first.get_by_label("The message").fill("Let us be friends.")
    first.get_by_role("button", name="Send as edited").click()
    expect(held.get_by_role("listitem")).to_have_count(1)
    held.get_by_role("button", name="Do not send").click()
    expect(held).to_be_hidden()
    expect(page.get_by_role("row").filter(has_text="Let us be friends.")).to_contain_text("France", timeout=SETTLED)
    talkers.wait_for(match, status="stopped")
    frames = talkers.get(f"/api/episodes/{match}/events", **{"as": "operator"})["frames"]
    sent = [event["data"]["text"] for event in visible_events(frames) if event["type"] == "MessageSent"]
    assert sent == ["Let us be friends."]
    decided = [event["data"] for event in visible_events(frames) if event["type"] == "ControlChanged"]
    assert True in [report["value"]["edited"] for report in decided if report["command"] == "approve"]
    assert "approve" not in [command for command, _ in controls(talkers, match)], "the public is told"


@pytest.mark.long
def test_the_desk_tells_what_models_thought_spent_and_did(screen: Screen, talkers: LiveServer) -> None:
    match = talkers.start_match(
        game="diplomacy", pace=0, players={"FRANCE": "talker"}, turns=2, options={"negotiation_rounds": 0}
    )
    talkers.wait_for(match, status="stopped")
    page = open_cockpit(screen, talkers, match)
    work = page.get_by_role("table").first.get_by_role("row").filter(has_text="France")
    expect(work).to_contain_text("2 calls · 240 tokens")
    done = page.get_by_role("table").nth(1).get_by_role("row").filter(has_text="France")
    expect(done).to_contain_text("So far, so good.")
    expect(done).to_contain_text("no orders")


SPEECH = """
    window.spoken = [];
    const ada = { name: 'Ada', lang: 'en-GB', voiceURI: 'ada' };
    const silence = { cancel() {}, getVoices: () => [ada], speak(utterance) {
        window.spoken.push(utterance.text);
        setTimeout(() => utterance.onend?.(), 300);
    } };
    Object.defineProperty(window, 'speechSynthesis', { value: silence });
"""


@pytest.mark.long
@pytest.mark.parametrize("voice", [True, False])
def test_a_match_is_read_aloud_where_it_is_meant_to_be(screen: Screen, server: LiveServer, voice: bool) -> None:
    match = server.start_match(
        game="diplomacy", seed=14, pace=0.5, voice=voice, options={"last_year": 1960}, paused=True
    )
    page = screen.page
    page.add_init_script(SPEECH)
    screen.open(f"{server.url}/episode/{match}")
    server.command(match, "resume")
    page.locator(".caption").click()
    button = page.get_by_role("button", name="Read aloud")
    expect(button).to_have_attribute("aria-pressed", str(voice).lower())
    if not voice:
        page.wait_for_timeout(1000)
        assert page.evaluate("window.spoken") == []
        button.click()
    page.wait_for_function("() => window.spoken.length >= 3", timeout=SETTLED)
    message = page.evaluate("window.spoken")
    assert len(set(message)) == len(message)
    caption = page.locator(".said[aria-hidden]")
    expect(caption).not_to_be_empty()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(caption).to_be_hidden()
    server.post(f"/api/episodes/{match}/commands", {"command": "stop"})


@pytest.mark.long
def test_health_shows_operators_more(screen: Screen, guarded: LiveServer, server: LiveServer) -> None:
    page = screen.page
    page.goto(f"{guarded.url}/health")
    expect(page.get_by_role("heading", name="Serving")).to_be_visible()
    expect(page.get_by_text("Operators also see lag")).to_be_visible()
    expect(page.get_by_text("Event lag")).to_be_hidden()
    page.goto(f"{server.url}/health")
    expect(page.get_by_text("Event lag")).to_be_visible()
    expect(page.get_by_role("heading", name="Player faults, by boundary")).to_be_visible()


@pytest.mark.long
def test_the_lobby_and_the_match_say_how_many_watch(new_page: Open, server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", seed=15, pace=2, title="Watched")
    watchers = [Screen(new_page()) for _ in range(2)]
    for watcher in watchers:
        watcher.open(f"{server.url}/episode/{match}")
    expect(watchers[1].page.get_by_text("2 watching")).to_be_visible(timeout=SETTLED)
    page = new_page()
    page.goto(f"{server.url}/cockpit")
    line = page.get_by_role("region", name="Live").get_by_role("link").filter(has_text="Watched")
    expect(line).to_contain_text("2 watching")


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 1024, 1600])
def test_nothing_overflows_and_every_control_has_a_name(new_page: Open, server: LiveServer, width: int) -> None:
    match = server.start_match(game="diplomacy", seed=16, pace=60, players={"FRANCE": "person"}, turns=9)
    page = new_page({"width": width, "height": 844})
    for path in (
        "/cockpit",
        f"/cockpit?match={match}",
        f"/cockpit?left={match}&right={match}",
        f"/episode/{match}?as=seat:FRANCE",
        "/health",
    ):
        page.goto(server.url + path)
        expect(page.locator("h1, h2").first).to_be_attached(timeout=SETTLED)
        page.wait_for_timeout(500)
        assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, path
        nameless = page.locator("button, select, input, textarea, a[href]").evaluate_all(
            """(all) => all.filter((one) => one.checkVisibility() && !(one.innerText?.trim() || one.ariaLabel
                || one.title || one.labels?.length || one.closest('[aria-hidden=true]'))).map((one) => one.outerHTML)"""
        )
        assert nameless == [], path
