"""The publisher before a server that fails: bounded attempts, an error that says what is missing, and no loss."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from grandstand.events import EpisodeCreated, EpisodeStarted, SeatInfo
from grandstand.models import Draft
from grandstand.spectator.publisher import MAX_FAILURES, Publisher, PublishRefused
from grandstand.spectator.recorder import Recorder
from tests.support.live_server import live_server

TOKEN = "publish canary"
DRAFTS = [
    Draft.of(
        EpisodeCreated(
            game="elsewhere",
            title="t",
            options={},
            seats=[SeatInfo(seat="A", player="p", kind="bot")],
            origin="publisher",
        )
    ),
    Draft.of(EpisodeStarted()),
]


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Take the pauses for over at once, and collect their lengths."""
    lengths: list[float] = []

    async def pause(_: Publisher, seconds: float) -> None:
        lengths.append(seconds)
        await asyncio.sleep(0)

    monkeypatch.setattr(Publisher, "_pause", pause)
    return lengths


@contextmanager
def failing_server(*statuses: int) -> Iterator[tuple[str, list[str]]]:
    """Run a server that answers with `statuses`, then with the last of them; yield its address and the requests."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            status = statuses[min(len(requests), len(statuses) - 1)]
            requests.append(self.command)
            body = b'{"next_seq": 0}' if status in (200, 409) else b'{"detail": "it broke"}'
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if status == 503:
                self.send_header("Retry-After", "Sun, 22 Nov 2026 10:00:00 GMT")
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def publish(url: str, buffer: Path) -> str:
    """Publish two events, and wait until the server has them."""
    async with Publisher(url, TOKEN, buffer, seed=1) as publisher:
        episode = publisher.open("elsewhere")
        publisher.publish(episode, DRAFTS)
    return episode


def test_a_server_that_fails_is_given_up_with_the_events_it_lacks_and_they_are_sent_later(tmp_path: Path) -> None:
    buffer = tmp_path / "buffer.db"
    with failing_server(500) as (url, requests), pytest.raises(PublishRefused) as refused:
        asyncio.run(publish(url, buffer))
    assert requests == ["POST"] * MAX_FAILURES
    text = str(refused.value)
    assert f"the server failed {MAX_FAILURES} times: 500 it broke" in text
    assert "Not delivered: events 0 to 1." in text
    assert f"kept in {buffer}: a publisher that is started with this buffer sends them" in text

    async def go_on(url: str) -> None:
        async with Publisher(url, TOKEN, buffer):
            pass

    recorder = Recorder(buffer)
    episode = recorder.summaries()[0][0].episode_id
    recorder.close()
    with live_server(tmp_path / "server", GRANDSTAND_PUBLISH_TOKEN=TOKEN) as server:
        asyncio.run(go_on(server.url))
        assert server.get(f"/api/episodes/{episode}")["last_seq"] == 1


def test_a_server_that_is_unavailable_is_waited_for(tmp_path: Path) -> None:
    """However often it says so, even with a date that is no number; failures before it do not add up."""
    statuses = (*[500] * (MAX_FAILURES - 1), *[502, 503] * MAX_FAILURES, 403)
    with failing_server(*statuses) as (url, requests), pytest.raises(PublishRefused, match="403 it broke") as refused:
        asyncio.run(publish(url, tmp_path / "buffer.db"))
    assert len(requests) == len(statuses)
    assert "Not delivered: events 0 to 1." in str(refused.value)


def test_the_events_that_are_missing_are_not_guessed(tmp_path: Path) -> None:
    """A publisher that starts with a buffer asks for the number that is due; if that fails, it cannot know it."""
    buffer = tmp_path / "buffer.db"
    with failing_server(403) as (url, _), pytest.raises(PublishRefused):
        asyncio.run(publish(url, buffer))
    with failing_server(403) as (url, requests), pytest.raises(PublishRefused) as refused:
        asyncio.run(publish(url, buffer))
    assert requests == ["GET"]
    assert "Not delivered: its events up to 1, nor the last events of 1 other episode." in str(refused.value)


def test_attempts_are_further_and_further_apart(tmp_path: Path, waits: list[float]) -> None:
    with failing_server(500) as (url, _), pytest.raises(PublishRefused):
        asyncio.run(publish(url, tmp_path / "buffer.db"))
    assert waits == sorted(waits)
    assert 20 < sum(waits) < 60
