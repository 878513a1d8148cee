"""The voice on the page, by ear: clips in order, once each, never before a gesture or ahead of the picture."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.page.browser import FLAGS, Open
from tests.support.page.hearing import HeardClip, Hearing
from tests.support.page.record import Record
from tests.support.page.screen import SETTLED, Screen
from tests.support.players.chat_server import ChatServer
from tests.support.requirements import chromium, file, installed
from tests.support.spectator.speech_server import KEY, closes, speaks, speech_server
from tests.support.waiting import PATIENCE, until

pytestmark = pytest.mark.browser

POLICY = "--autoplay-policy=document-user-activation-required"
"""Sound only after a gesture, as browsers of users have it."""

PACE = 1.5


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    file(ROOT / "frontend/dist/index.html", remedy="run `make setup` to build the page")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS, POLICY])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def service() -> Iterator[ChatServer]:
    installed("cartesia")
    with speech_server() as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, service: ChatServer) -> Iterator[LiveServer]:
    with live_server(
        tmp_path_factory.mktemp("voice"),
        CARTESIA_API_KEY=KEY,
        CARTESIA_BASE_URL=service.url,
        GRANDSTAND_VOICE_FORMAT="wav",
    ) as running:
        yield running


def start(server: LiveServer, **request: Any) -> str:
    return server.start_match(**{"game": "cricket", "options": {"overs": 1}, "pace": PACE, "voice": True, **request})


@pytest.fixture(scope="module")
def spoken(server: LiveServer) -> str:
    """A finished match with a clip for every line."""
    match = start(server, seed=5, pace=0.4)
    server.wait_for(match, status="finished")
    assert until(lambda: bool(server.get(f"/api/episodes/{match}/clips")["clips"]))
    return match


@pytest.fixture
def hearing(screen: Screen) -> Hearing:
    return Hearing(screen.page)


def moments(server: LiveServer, match: str) -> tuple[dict[int, str], dict[int, int]]:
    """Return the clip of each line, and the number of the last event that the line rests on."""
    listed = server.get(f"/api/episodes/{match}/clips")["clips"]
    comments = Record(server, match).events("CommentAdded")
    about = {event["seq"]: max(event["data"]["rests_on"], default=0) for event in comments}
    return {clip["comment"]: clip["clip"] for clip in listed}, about


def check_told_in_order(server: LiveServer, match: str, clips: list[HeardClip]) -> None:
    """Check that each clip is of a line about a moment that was shown by then, and that they come in order."""
    names, about = moments(server, match)
    last = -1
    for clip in clips:
        of_clip = [about[comment] for comment, name in names.items() if name == clip.name and about[comment] >= last]
        assert of_clip, "it is of a later line than the one before"
        assert min(of_clip) <= clip.shown, "it is not told before it is seen"
        last = min(of_clip)


@pytest.mark.long
def test_clips_are_heard_in_order_once_each_and_none_before_a_gesture(
    screen: Screen, hearing: Hearing, server: LiveServer
) -> None:
    match = start(server, seed=11, options={"overs": 10})
    screen.open(f"{server.url}/episode/{match}")
    caption = screen.page.locator(".said[aria-hidden]")
    expect(caption).to_contain_text("Tap or press a key to hear it", timeout=SETTLED)
    screen.wait_for_head(screen.head() + 4)
    assert hearing.clips() == []
    assert hearing.requested == []
    screen.page.locator(".caption").click()
    clips = hearing.wait_for_clips(4, ended=True)
    expect(caption.locator(".reached").first).to_be_visible(timeout=SETTLED)
    expect(caption).not_to_contain_text("Tap or press a key")
    assert len(hearing.requested) == len(set(hearing.requested)), "each is fetched once"
    assert {clip.name for clip in clips} <= set(hearing.requested)
    assert all(clip.loudness and clip.loudness > 0.01 for clip in clips[:4]), "they are speech, not silence"
    check_told_in_order(server, match, clips)
    assert hearing.spoken() == [], "the browser does not speak between the clips"
    server.command(match, "stop")


@pytest.mark.long
def test_the_last_line_is_heard_after_the_end(screen: Screen, hearing: Hearing, server: LiveServer) -> None:
    match = start(server, seed=23, pace=0.4, paused=True)
    screen.open(f"{server.url}/episode/{match}")
    screen.page.locator(".caption").click()
    server.command(match, "resume")
    server.wait_for(match, status="finished")
    assert until(lambda: len(server.get(f"/api/episodes/{match}/clips")["clips"]) > 0)
    record = Record(server, match)
    last = record.events("CommentAdded")[-1]
    announced = {event["data"]["comment"] for event in record.events("VoiceReady")}
    assert last["seq"] not in announced
    assert until(lambda: last["seq"] in moments(server, match)[0])
    name = moments(server, match)[0][last["seq"]]
    screen.page.wait_for_function(
        "(name) => window.heardClips.some((clip) => clip.name === name && clip.ended)", arg=name, timeout=SETTLED
    )


@pytest.mark.long
def test_a_replay_plays_the_same_clips_and_a_scrub_stops_them(
    screen: Screen, hearing: Hearing, server: LiveServer, spoken: str
) -> None:
    names, about = moments(server, spoken)
    screen.open(f"{server.url}/episode/{spoken}?seq=4")
    expect(screen.count).to_contain_text("Complete")
    screen.page.locator(".caption").click()
    screen.press(" ")
    first = hearing.wait_for_clips(1)
    check_told_in_order(server, spoken, first)
    far = sorted(about[comment] for comment in names)[len(names) // 2]
    screen.look(far)
    screen.page.wait_for_function("() => { const c = window.heardClips.at(-1); return c.ended || c.stopped; }")
    count = len(hearing.clips())
    screen.page.wait_for_timeout(500)  # nothing may begin while the match stands still
    assert len(hearing.clips()) == count
    screen.press(" ")
    after = hearing.wait_for_clips(count + 1)[count:]
    check_told_in_order(server, spoken, after)
    assert all(max(about[comment] for comment in names if names[comment] == clip.name) > far for clip in after)
    screen.look(4)
    count = len(hearing.clips())
    screen.press(" ")
    again = hearing.wait_for_clips(count + 1)[count:]
    assert again[0].name == first[0].name
    assert len(hearing.requested) == len(set(hearing.requested)), "a clip that is heard again is not fetched again"
    assert set(hearing.requested) <= set(names.values())


@pytest.mark.long
def test_who_comes_late_hears_what_happens_from_then_on(
    new_page: Open, server: LiveServer, hearing: Hearing, screen: Screen
) -> None:
    match = start(server, seed=31, options={"overs": 10})
    server.wait_for(match, seq=60)
    joined = server.get(f"/api/episodes/{match}")["last_seq"]
    screen.open(f"{server.url}/episode/{match}")
    screen.page.locator(".caption").click()
    clips = hearing.wait_for_clips(2)
    names, about = moments(server, match)
    for clip in clips:
        assert max(about[comment] for comment in names if names[comment] == clip.name) > joined
    other = Screen(new_page())
    second = Hearing(other.page)
    other.open(f"{server.url}/episode/{match}")
    other.page.locator(".caption").click()
    second.wait_for_clips(1)
    assert second.clips()[0].name in moments(server, match)[0].values()
    server.command(match, "stop")


@pytest.mark.long
def test_a_provider_that_dies_gives_way_to_the_browser_and_the_match_goes_on(
    screen: Screen, hearing: Hearing, server: LiveServer, service: ChatServer
) -> None:
    match = start(server, seed=43, options={"overs": 4})
    screen.open(f"{server.url}/episode/{match}")
    screen.page.locator(".caption").click()
    hearing.wait_for_clips(1)
    service.answer = closes
    try:
        expect(screen.page.get_by_role("status").filter(has_text="the provider")).to_be_visible(timeout=SETTLED)
        head = server.get(f"/api/episodes/{match}")["last_seq"]
        assert hearing.wait_for_speech(2)
        assert server.get("/api/health")["voice"]["kind"] == "browser"
        server.wait_for(match, seq=head + 5)
        screen.page.get_by_role("button", name="Voice settings").click()
        expect(screen.page.get_by_role("group", name="Voice")).to_contain_text("Your browser reads this match aloud")
    finally:
        service.answer = speaks()
        server.command(match, "stop")


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory, service: ChatServer) -> Iterator[LiveServer]:
    """A server whose clips can be heard while they are made, also of lines that come after one that is held."""
    with live_server(
        tmp_path_factory.mktemp("quick"),
        CARTESIA_API_KEY=KEY,
        CARTESIA_BASE_URL=service.url,
        constants={
            "grandstand.server.voice.REQUESTS": 100,
            "grandstand.server.voice.PIECE_SECONDS": PATIENCE,
            "grandstand.server.voice.LINE_SECONDS": 2 * PATIENCE,
        },
    ) as running:
        yield running


@pytest.mark.long
@pytest.mark.parametrize("cut", [None, 12])
def test_a_clip_is_heard_while_it_is_made_and_one_that_breaks_off_is_spoken_by_the_browser(
    screen: Screen, hearing: Hearing, quick: LiveServer, service: ChatServer, cut: int | None
) -> None:
    held = Event()
    service.answer = speaks(held=held, held_at=10, cut=cut)
    try:
        match = start(quick, seed=71 if cut else 70, paused=True)
        screen.open(f"{quick.url}/episode/{match}")
        screen.page.get_by_role("combobox", name="Speed").select_option("full")
        screen.page.locator(".caption").click()
        quick.command(match, "resume")
        (clip, *_) = hearing.wait_for_clips(1)
        assert clip.growing
        assert not held.is_set(), "it is heard before it is whole"
        assert clip.name not in whole_clips(quick, match), "short ones of other comments may be whole already"
        held.set()
        if cut:
            texts = {event["data"]["text"] for event in Record(quick, match).events("CommentAdded")}
            assert hearing.wait_for_speech(1)[0] in texts
            assert not hearing.clips()[0].ended
            # The next ones break off as well: one that has done so before it was asked for is no longer there.
            expected = ("INCOMPLETE_CHUNKED", "404 (Not Found)")
            screen.errors = [error for error in screen.errors if not any(part in error for part in expected)]
        else:
            hearing.wait_for_clips(1, ended=True)
            assert hearing.requested.count(clip.name) == 1
            assert hearing.spoken() == []
            assert clip.name in whole_clips(quick, match)
    finally:
        held.set()
        service.answer = speaks()
        quick.post(f"/api/episodes/{match}/commands", {"command": "stop"})  # refused if it is over already


def whole_clips(server: LiveServer, match: str) -> set[str]:
    """Return the names of the clips that are whole."""
    return {entry["clip"] for entry in server.get(f"/api/episodes/{match}/clips")["clips"]}


@pytest.mark.long
def test_volume_rate_and_mute_are_remembered(screen: Screen, hearing: Hearing, server: LiveServer, spoken: str) -> None:
    page = screen.page
    screen.open(f"{server.url}/episode/{spoken}?seq=4")
    expect(screen.count).to_contain_text("Complete")
    page.get_by_role("button", name="Voice settings").click()
    page.get_by_label("Volume").fill("0.4")
    page.get_by_label("Rate").select_option("1.15")
    page.keyboard.press("Escape")
    screen.page.get_by_role("combobox", name="Speed").select_option("slow")  # it plays on until the last look
    screen.open(f"{server.url}/episode/{spoken}?seq=4")
    page.locator(".caption").click()
    screen.press(" ")
    (clip, *_) = hearing.wait_for_clips(1)
    assert clip.volume == pytest.approx(0.4)
    assert clip.rate == pytest.approx(1.15)
    page.get_by_role("button", name="Voice settings").click()
    page.get_by_label("Captions only").check()
    count = len(hearing.clips())
    expect(page.locator(".said[aria-hidden]")).to_be_visible(timeout=SETTLED)
    page.wait_for_timeout(500)  # captions go on, and nothing is heard
    assert len(hearing.clips()) == count
    page.get_by_label("Captions only").uncheck()
    page.get_by_role("combobox", name="Voice", exact=True).select_option("Ada")
    assert hearing.wait_for_speech(1)
    page.get_by_role("button", name="Read aloud").click()
    expect(page.locator(".said[aria-hidden]")).to_be_hidden()
