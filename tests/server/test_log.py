"""The server's log: a request that fails writes its traceback once, and hundreds of them do not fill the disk."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from grandstand.server.log import FORMAT, LogHandler
from tests.support import http
from tests.support.live_server import live_server
from tests.support.waiting import until

FAULT = """
import grandstand.server.api.files.cards
def broken(*_):
    raise ArithmeticError("a planted fault")
grandstand.server.api.files.cards.anchor = broken
"""
REQUESTS = 300


@contextmanager
def logger(period: float) -> Iterator[tuple[logging.Logger, LogHandler, io.StringIO]]:
    """Yield a logger with the server's handler, and what it writes."""
    written = io.StringIO()
    handler = LogHandler(period)
    handler.setStream(written)
    handler.setFormatter(logging.Formatter(FORMAT))
    log = logging.getLogger("grandstand.test_log")
    log.propagate = False
    log.addHandler(handler)
    try:
        yield log, handler, written
    finally:
        log.removeHandler(handler)
        handler.close()


def fail(log: logging.Logger, number: int, depth: int = 0) -> None:
    """Log an exception; its traceback depends neither on `number` nor on the depth of the recursion."""

    def down(left: int) -> None:
        if left:
            down(left - 1)
        raise ValueError(f"fault {number}")

    try:
        down(depth)
    except ValueError:
        log.exception("request %d failed", number)


def test_viewers_who_come_and_go_write_nothing(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        before = server.log.read_text()
        address = f"{server.url.replace('http', 'ws')}/api/episodes/none/watch"
        for _ in range(3):
            with connect(address) as socket, pytest.raises(ConnectionClosed):
                socket.recv()
        assert server.log.read_text() == before


@pytest.mark.long
def test_requests_that_fail_alike_write_one_traceback_and_their_number(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAULT)
    with live_server(tmp_path / "data", PYTHONPATH=str(tmp_path)) as server:
        episode = server.start_match(game="diplomacy", paused=True)
        for _ in range(REQUESTS):
            assert http.get(f"{server.url}/api/episodes/{episode}/card").status_code == 500
        server.stop()
        written = server.log.read_text()
    tracebacks = written.count("Traceback (most recent call last)")
    repeats = [int(count) for count in re.findall(r"card failed: (\d+) more like this, with the same", written)]
    assert tracebacks + sum(repeats) == REQUESTS, "the count says of how many requests nothing is written"
    assert tracebacks == written.count(f"GET /api/episodes/{episode}/card failed\n")
    assert tracebacks < 5, "one for each minute that the requests took"
    assert len(written) < 40_000


def test_equal_tracebacks_are_counted_whatever_their_messages() -> None:
    with logger(period=1000) as (log, handler, written):
        for number in range(50):
            fail(log, number, depth=2 + number % 5)
        log.error("without a traceback")
        log.error("without a traceback")
        handler.close()
    text = written.getvalue()
    assert text.count("Traceback") == 1
    assert "request 0 failed: 49 more like this" in text
    assert text.count("without a traceback") == 2


def test_another_traceback_is_written() -> None:
    with logger(period=1000) as (log, handler, written):
        fail(log, 1)
        try:
            raise KeyError("other")
        except KeyError as error:
            log.exception("other")
            log.exception("the same exception, handled once more", exc_info=error)
        handler.close()
    assert written.getvalue().count("Traceback") == 2
    assert "more like this" not in written.getvalue()


def test_after_a_while_the_count_and_then_the_traceback_are_written() -> None:
    with logger(period=0.05) as (log, _, written):
        fail(log, 1)
        fail(log, 2)

        def wrote(text: str, times: int) -> bool:
            fail(log, 3)
            return written.getvalue().count(text) >= times

        assert until(lambda: wrote("more like this", 1))
        assert until(lambda: wrote("Traceback", 2))
