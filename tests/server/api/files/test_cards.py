"""Cards and clips over HTTP: bounded, cached, and not before spectators know."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image

from grandstand.play.scenes import beats_of
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.waiting import PATIENCE, until

CACHE = 400_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    data = tmp_path_factory.mktemp("cards")
    with live_server(
        data,
        "--slots",
        "8",
        constants={"grandstand.server.parts.CARD_CACHE": CACHE},
        GRANDSTAND_VISITOR_CREDITS="10000",
    ) as running:
        yield running


@pytest.fixture(scope="module")
def played(server: LiveServer) -> tuple[str, int]:
    """A match of Diplomacy that is over, and the number of its last event."""
    episode = server.start_match(game="diplomacy", seed=4, pace=0, options={"last_year": 1902}, title="Two <years>")
    return episode, server.wait_for(episode, status="finished", timeout=120)["last_seq"]


def ask(server: LiveServer, path: str, **options: Any) -> httpx2.Response:
    return http.get(server.url + path, timeout=PATIENCE, **options)


def test_the_card_of_a_moment_is_a_picture_that_may_be_cached(server: LiveServer, played: tuple[str, int]) -> None:
    episode, last = played
    response = ask(server, f"/api/episodes/{episode}/card?seq={last}")
    assert (response.status_code, response.headers["content-type"]) == (200, "image/png")
    assert "max-age=86400" in response.headers["cache-control"]
    assert Image.open(io.BytesIO(response.content)).size == (1200, 630)
    again = ask(server, f"/api/episodes/{episode}/card?seq={last}")
    assert (again.content, again.headers["etag"]) == (response.content, response.headers["etag"])
    known = ask(server, f"/api/episodes/{episode}/card?seq={last}", headers={"If-None-Match": response.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    latest = ask(server, f"/api/episodes/{episode}/card")
    assert (latest.content, latest.headers["cache-control"]) == (response.content, "no-cache")
    assert http.request("HEAD", f"{server.url}/api/episodes/{episode}/card").headers["etag"] == latest.headers["etag"]


def test_a_clip_moves(server: LiveServer, played: tuple[str, int]) -> None:
    episode, last = played
    response = ask(server, f"/api/episodes/{episode}/clip?first=0&last={last // 2}")
    assert (response.status_code, response.headers["content-type"]) == (200, "image/gif")
    clip = Image.open(io.BytesIO(response.content))
    assert getattr(clip, "n_frames", 1) > 3
    assert len(response.content) <= 3_000_000


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("card?seq={after}", "seq: {after} has not happened; the last event is {last}"),
        ("clip?first=0&last={after}", "last: {after} has not happened; the last event is {last}"),
        ("clip?first=9&last=9", "last: 9 is not after 9; a clip begins at `first` and ends at `last`"),
        ("clip?first=9&last=3", "last: 3 is not after 9; a clip begins at `first` and ends at `last`"),
        ("clip?first=0&last=1", "last: no turn or ball is between 0 and 0; choose a longer range"),
        ("clip?first=0", "last: Field required"),
        ("card?seq=-1", "seq: Input should be greater than or equal to 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(server: LiveServer, played: tuple[str, int], path: str, detail: str) -> None:
    episode, last = played
    numbers = {"after": last + 1, "last": last}
    response = ask(server, f"/api/episodes/{episode}/{path.format(**numbers)}")
    assert response.status_code == 422
    assert response.json()["detail"] == detail.format(**numbers)
    assert response.json()["field"] == detail.partition(":")[0]


def test_an_unknown_match_has_no_card(server: LiveServer) -> None:
    for path in ("card", "clip?first=0&last=9"):
        assert ask(server, f"/api/episodes/nowhere/{path}").status_code == 404


@pytest.mark.long
def test_the_cache_is_bounded_and_many_requests_for_one_card_draw_it_once(
    server: LiveServer, played: tuple[str, int]
) -> None:
    episode, last = played
    path = f"/api/episodes/{episode}/card?seq={last // 3}"
    with ThreadPoolExecutor(16) as pool:
        responses = list(pool.map(lambda _: ask(server, path), range(16)))
    assert {(response.status_code, response.content) for response in responses} == {(200, responses[0].content)}
    for seq in range(0, last, 20):
        ask(server, f"/api/episodes/{episode}/card?seq={seq}").raise_for_status()
    folder = Path(server.log.parent) / "cards"
    assert 0 < sum(path.stat().st_size for path in folder.iterdir()) <= CACHE


@pytest.mark.long
def test_more_at_once_than_can_wait_are_refused_for_a_moment(server: LiveServer) -> None:
    episode = server.start_match(game="cricket", seed=4, pace=0, options={"overs": 5})
    last = server.wait_for(episode, status="finished", timeout=120)["last_seq"]
    with ThreadPoolExecutor(60) as pool:
        numbers = range(20, last, max(1, last // 60))
        responses = list(pool.map(lambda seq: ask(server, f"/api/episodes/{episode}/card?seq={seq}"), numbers))
    assert {response.status_code for response in responses} == {200, 503}
    refused = next(response for response in responses if response.status_code == 503)
    assert refused.headers["retry-after"] == "5"
    assert "ask again in a few seconds" in refused.json()["detail"]


@pytest.mark.long
def test_one_visitors_clips_and_exports_hold_up_nobody_elses_card(tmp_path: Path) -> None:
    env: Any = {"GRANDSTAND_VISITOR_PACE": "0", "GRANDSTAND_VISITOR_CREDITS": "1"}
    with live_server(tmp_path, "--host", "0.0.0.0", "--pace", "0", **env) as public:
        public.url = public.url.replace("0.0.0.0", "127.0.0.1")
        episode = public.start_match(game="cricket", seed=4, options={"overs": 5})
        last = public.wait_for(episode, status="finished", timeout=120)["last_seq"]
        ask(public, f"/api/episodes/{episode}/card?seq={last}").raise_for_status()  # the process that draws is up
        over = threading.Event()
        refused: list[httpx2.Response] = []

        def greedy(connection: int) -> None:
            first = connection
            while not over.is_set():
                first = 20 + (first + 16) % (last - 80)
                headers = {"X-Forwarded-For": "127.0.0.5"}
                path = f"clip?first={first}&last={first + 40}" if connection % 2 else "export/html"
                answer = ask(public, f"/api/episodes/{episode}/{path}", headers=headers)
                if answer.status_code != 200:
                    refused.append(answer)
                    over.wait(0.1)

        with ThreadPoolExecutor(16) as pool:
            try:
                attack = [pool.submit(greedy, connection) for connection in range(16)]
                assert until(lambda: len(refused) > 14)
                for seq in range(last - 30, last, 6):
                    headers = {"X-Forwarded-For": "127.0.0.6"}
                    card = ask(public, f"/api/episodes/{episode}/card?seq={seq}", headers=headers)
                    assert card.status_code == 200
                other = ask(public, f"/api/episodes/{episode}/export/jsonl", headers={"X-Forwarded-For": "127.0.0.6"})
                assert other.status_code == 200
            finally:
                over.set()
        for thread in attack:
            thread.result()
    assert {answer.status_code for answer in refused} == {429}
    assert all(int(answer.headers["retry-after"]) > 0 for answer in refused)


def test_a_delayed_match_shows_what_spectators_know(server: LiveServer) -> None:
    options = {"game": "diplomacy", "seed": 4, "options": {"last_year": 1901}, "delay": 3600, "title": "Late"}
    episode = server.start_match(**options, paused=True)
    before = ask(server, f"/api/episodes/{episode}/card").raise_for_status().content
    server.command(episode, "resume")
    shown = server.start_match(**{**options, "delay": 0}, pace=0)
    last = server.wait_for(shown, status="finished", timeout=120)["last_seq"]
    assert ask(server, f"/api/episodes/{episode}/card").raise_for_status().content == before
    for seq in (1, 10, last, last + 100):
        response = ask(server, f"/api/episodes/{episode}/card?seq={seq}")
        assert response.json()["detail"] == f"seq: {seq} has not happened; the last event is 0"
        response = ask(server, f"/api/episodes/{episode}/clip?first=0&last={seq}")
        assert response.json()["detail"] == f"last: {seq} has not happened; the last event is 0"


def test_a_clip_of_one_moment_is_a_still(server: LiveServer, played: tuple[str, int]) -> None:
    episode, _ = played
    frames = server.get(f"/api/episodes/{episode}/events")["frames"]
    events = [frame["event"] for frame in frames if frame["frame"] == "event"]
    first = next(event["seq"] for event in events if event["type"] in beats_of("diplomacy"))
    response = ask(server, f"/api/episodes/{episode}/clip?first=0&last={first}")
    assert (response.status_code, response.headers["content-type"]) == (200, "image/gif")
    assert getattr(Image.open(io.BytesIO(response.content)), "n_frames", 1) == 1
