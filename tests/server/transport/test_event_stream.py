"""The same stream as server-sent events, through a plain HTTP client."""

from __future__ import annotations

import itertools
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from grandstand.models import Draft
from grandstand.server.transport import event_stream as sse
from grandstand.spectator import channel as channel_module
from grandstand.spectator import hub as hub_module
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.viewpoint import Viewpoint, redact
from tests.support import http
from tests.support.server.stream_server import StreamServer, board, ending, press, turn
from tests.support.spectator.logs import VIEWPOINTS
from tests.support.waiting import PATIENCE


@pytest.fixture(scope="module")
def server() -> Iterator[StreamServer]:
    with StreamServer() as server:
        yield server


@pytest.fixture
def match(server: StreamServer) -> str:
    return server.open(f"m{next(NUMBERS)}")


Message = dict[str, str]
NUMBERS = itertools.count()


@contextmanager
def listening(
    server: StreamServer, episode_id: str, last: str | None = None, **params: str
) -> Iterator[Iterator[Message]]:
    """The messages of one event stream, as a browser's EventSource takes them apart."""
    headers = {} if last is None else {"Last-Event-ID": last}
    params = {"token": "sesame", **params}
    with http.stream(
        "GET", server.stream_url(episode_id), params=params, headers=headers, timeout=PATIENCE
    ) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield _messages(response.iter_lines())


def _messages(lines: Iterator[str]) -> Iterator[Message]:
    message: Message = {}
    for line in lines:
        field, _, value = line.partition(": ")
        if line:
            message[field or "comment"] = value
        elif message:
            yield message
            message = {}


def frames(messages: Iterator[Message], count: int) -> list[tuple[str, Any]]:
    """The next `count` frames with their ids; comments and reconnection times are passed over."""
    result: list[tuple[str, Any]] = []
    while len(result) < count:
        message = next(messages)
        if "data" in message and "event" not in message:
            result.append((message.get("id", ""), json.loads(message["data"])))
    return result


@pytest.mark.parametrize("viewpoint", VIEWPOINTS, ids=str)
def test_the_frames_are_those_of_the_socket_with_a_position_each(
    server: StreamServer, match: str, viewpoint: Viewpoint
) -> None:
    with listening(server, match, **{"as": str(viewpoint)}) as messages:
        ((first, snapshot),) = frames(messages, 1)
        assert (first, snapshot["snapshot"]["seq"]) == ("1.2", 2)
        events = server.publish(match, press("a"), board(1), press("b\nc", "SOUTH"))
        expected = [(f"1.{event.seq}", json.loads(redact(event, viewpoint).model_dump_json())) for event in events]
        assert frames(messages, 3) == expected


def test_a_browser_that_reconnects_resumes_by_its_last_id(server: StreamServer, match: str) -> None:
    server.publish(match, press("a"), board(1))
    with listening(server, match, last="1.2", after="1.0") as messages:
        assert [position for position, _ in frames(messages, 2)] == ["1.3", "1.4"]
        server.publish(match, turn(1))
        assert [position for position, _ in frames(messages, 1)] == ["1.5"]
    with listening(server, match, after="1.4") as messages:
        assert [position for position, _ in frames(messages, 1)] == ["1.5"]


def test_a_place_that_is_not_in_the_stream_is_a_resync(server: StreamServer, match: str) -> None:
    with listening(server, match, last="9.9") as messages:
        (none, resync), (position, snapshot) = frames(messages, 2)
    assert (none, resync["frame"]) == ("", "resync")
    assert (position, snapshot["frame"]) == ("1.2", "snapshot")


def test_the_end_is_told_and_a_browser_that_comes_back_is_sent_away(server: StreamServer, match: str) -> None:
    with listening(server, match) as messages:
        frames(messages, 1)
        server.publish(match, turn(1), ending())
        assert [position for position, _ in frames(messages, 2)] == ["1.3", "1.4"]
        assert list(messages) == [{"event": "close", "data": str(int(CloseCode.COMPLETE))}]
    again = http.get(server.stream_url(match), headers={"Last-Event-ID": "1.4"})
    assert (again.status_code, again.content) == (204, b"")


@pytest.mark.parametrize(
    ("params", "status", "detail"),
    [
        ({"as": "everyone"}, 422, "as: viewpoint 'everyone'"),
        ({"after": "x"}, 422, "after: 'x' is not a position"),
        ({"as": "operator"}, 403, "needs a token"),
    ],
)
def test_refusals_are_problem_documents(
    server: StreamServer, match: str, params: dict[str, str], status: int, detail: str
) -> None:
    answer = http.get(server.stream_url(match), params=params)
    assert answer.status_code == status
    assert detail in answer.json()["detail"]


def test_an_unknown_episode_is_not_found(server: StreamServer) -> None:
    assert http.get(server.stream_url("nowhere")).status_code == 404


def test_a_viewer_that_leaves_is_forgotten(server: StreamServer, match: str) -> None:
    with listening(server, match) as messages:
        frames(messages, 1)
        server.wait_for(lambda: server.hub.viewers(match) == 1)
    server.wait_for(lambda: server.hub.viewers(match) == 0)


def test_quiet_streams_are_kept_awake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "HEARTBEAT_EVERY", 0.05)
    monkeypatch.setattr(hub_module, "SWEEP_EVERY", 0.02)
    with StreamServer() as server:
        server.open("m")
        with listening(server, "m") as messages:
            frames(messages, 1)
            assert [next(messages) for _ in range(3)] == [{"comment": ""}] * 3


def test_a_slow_reader_is_bounded_and_cut_while_the_match_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "SLOW_AFTER", 3600)
    monkeypatch.setattr(hub_module, "SWEEP_EVERY", 0.1)
    with StreamServer() as server, socket.socket() as slow:
        server.open("m")
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(b"GET /api/episodes/m/stream HTTP/1.1\r\nHost: x\r\n\r\n")
        server.wait_for(lambda: server.hub.viewers() == 1)
        held = 0

        def bytes_held() -> int:
            sizes = [0]
            for channel in server.hub._channels():
                for viewer in channel.viewers:
                    assert isinstance(viewer, sse.Outbox)
                    sizes.append(viewer._size)
            return max(sizes)

        for _ in range(300):
            server.publish("m", *[Draft("Said", {"text": "x" * 1000})] * 10)
            held = max(held, server.call(bytes_held))
        assert 0 < held <= sse.HIGH_WATER + channel_module.CHUNK
        assert server.call(server.hub.viewers) == 1, "publishing waited for the reader, who was cut meanwhile"
        monkeypatch.setattr(hub_module, "SLOW_AFTER", 0.1)
        server.wait_for(lambda: server.hub.viewers() == 0)
        slow.settimeout(PATIENCE)
        got = 0
        while data := slow.recv(65536):
            got += len(data)
        assert got < 1_000_000


def test_stopping_tells_the_reader_and_does_not_hang() -> None:
    with StreamServer() as server:
        server.open("m")
        with listening(server, "m") as messages:
            frames(messages, 1)
            server.publish("m", turn(1))
            server.uvicorn.should_exit = True
            assert [position for position, _ in frames(messages, 1)] == ["1.3"]
            assert list(messages) == [{"event": "close", "data": str(int(CloseCode.STOPPING))}]
