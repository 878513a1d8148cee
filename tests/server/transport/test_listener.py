"""Connections that do nothing: they are bounded in number and time, and cost neither log nor processor."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from grandstand.server.transport.listener import connection_limit, raise_file_limit
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.server.wire import close_all, cpu_seconds, dial

REQUEST_TIMEOUT = "grandstand.server.transport.http_protocol.REQUEST_TIMEOUT"


@contextmanager
def limited(folder: Path, files: int, request_timeout: float) -> Iterator[LiveServer]:
    """A server that may open `files` files at most."""
    within = ["bash", "-c", f'ulimit -n {files}; exec "$@"', "bash"]
    with live_server(folder, within=within, constants={REQUEST_TIMEOUT: request_timeout}) as server:
        yield server


@pytest.mark.long
def test_idle_connections_up_to_the_file_limit_cost_nothing_and_a_later_client_is_served(tmp_path: Path) -> None:
    with limited(tmp_path, 64, request_timeout=3) as server:
        logged = len(server.log.read_text().splitlines())
        began = cpu_seconds(server.process.pid)
        idle = [dial(server.url) for _ in range(120)]
        answer = http.get(f"{server.url}/api/health")  # behind all of them
        used = cpu_seconds(server.process.pid) - began
        assert answer.status_code == 200
        # Generous: a loop that tries to accept without end takes all there is of these ten seconds.
        assert used < 2.5
        lines = server.log.read_text().splitlines()[logged:]
        assert sum("connections are open" in line for line in lines) == 1, lines
        assert len(lines) < 5
        close_all(idle)
        for _ in range(20):
            assert http.get(f"{server.url}/api/health").status_code == 200


def test_64_silent_sockets_of_nobody_hold_no_connection_for_long(tmp_path: Path) -> None:
    with live_server(tmp_path, constants={REQUEST_TIMEOUT: 1.0}) as server:
        silent = [dial(server.url) for _ in range(64)]
        for connection in silent:
            assert connection.recv(1) == b"", "it is closed"
        close_all(silent)


@pytest.mark.long
@pytest.mark.parametrize(
    ("sent", "refusal"),
    [
        (b"", b""),
        (b"GET /api/hea", b"408"),
        (b"GET /api/health HTTP/1.1\r\nHost: x\r\n", b"408"),
        (b"POST /api/episodes HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", b"408"),
        (b"POST /api/episodes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{", b"408"),
        (b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\nGET /api", b"408"),
    ],
    ids=["silent", "half a line", "half a head", "slow body", "slow chunk", "half a head behind a whole request"],
)
def test_a_request_that_does_not_arrive_is_cut(tmp_path: Path, sent: bytes, refusal: bytes) -> None:
    with live_server(tmp_path, constants={REQUEST_TIMEOUT: 1.0}) as server:
        with dial(server.url) as connection:
            connection.sendall(sent)
            answer = b""
            while data := connection.recv(65536):
                answer += data
        assert refusal in answer
        assert "Traceback" not in server.log.read_text()


def test_a_body_that_drips_is_cut_although_it_never_stops(tmp_path: Path) -> None:
    with live_server(tmp_path, constants={REQUEST_TIMEOUT: 1.0}) as server, dial(server.url) as connection:
        connection.sendall(b"POST /api/episodes HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
        drips = 0
        with suppress(OSError):  # reset, or a broken pipe
            while drips < 1000:
                connection.sendall(b" ")
                drips += 1
                time.sleep(0.02)
        assert drips < 1000


def test_a_slow_answer_is_not_cut(tmp_path: Path) -> None:
    """The time-out is for what arrives: a stream goes on for longer."""
    with live_server(tmp_path, constants={REQUEST_TIMEOUT: 1.0}) as server:
        episode_id = server.start_match(game="diplomacy", seed=1, pace=1.5)
        with dial(server.url) as connection:
            connection.sendall(f"GET /api/episodes/{episode_id}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            answer = b""
            while b'"turn":"F1901M"' not in answer and answer.count(b"\nid: ") < 12:
                data = connection.recv(65536)
                assert data, "the stream was cut"
                answer += data


def test_the_soft_limit_is_raised_to_the_hard_one() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        assert raise_file_limit() == (None if hard == resource.RLIM_INFINITY else hard)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_some_descriptors_are_kept_for_everything_else() -> None:
    assert connection_limit(None) is None
    assert 8 <= (connection_limit(64) or 0) <= 48
    assert 600 < (connection_limit(1024) or 0) <= 768
    assert 65_000 < (connection_limit(65_536) or 0) <= 65_280
