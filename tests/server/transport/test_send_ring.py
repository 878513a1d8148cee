"""The same bytes to many sockets by one system call, over real sockets."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from grandstand.server.transport.send_ring import ENTER, SendRing

SIZE = 8

Pairs = list[tuple[socket.socket, socket.socket]]
"""Connections: the end that sends, which does not block, and the end that receives."""


@pytest.fixture
def ring() -> Iterator[SendRing]:
    try:
        opened = SendRing(SIZE)
    except OSError as error:
        pytest.skip(f"this kernel offers no io_uring: {error}")
    yield opened
    opened.close()


@pytest.fixture
def pairs() -> Iterator[Pairs]:
    with ExitStack() as stack:
        made = [socket.socketpair() for _ in range(SIZE)]
        for ends in made:
            for end in ends:
                stack.enter_context(end)
            ends[0].setblocking(False)
        yield made


def descriptors(pairs: Pairs) -> list[int]:
    return [sender.fileno() for sender, _ in pairs]


def test_each_socket_gets_each_message_once_and_in_order(ring: SendRing, pairs: Pairs) -> None:
    expected = [b""] * SIZE
    for number in range(100):
        first, count = number % 3, number % (SIZE - 2)
        message = b"message %d;" % number
        assert ring.send(descriptors(pairs)[first : first + count], message) == []
        for index in range(first, first + count):
            expected[index] += message
    assert [receiver.recv(1 << 16) if text else b"" for (_, receiver), text in zip(pairs, expected, strict=True)] == (
        expected
    )


def test_a_socket_that_does_not_take_all_is_named_with_what_it_took(ring: SendRing, pairs: Pairs) -> None:
    (full, _), (_, gone), (closed, _) = pairs[1], pairs[3], pairs[5]
    pairs[2][0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    while True:
        try:
            full.send(bytes(1000))
        except BlockingIOError:
            break
    numbers = descriptors(pairs)
    gone.close()
    closed.close()
    for _ in range(3):
        results = dict(ring.send(numbers, bytes(50_000)))
        assert (results.pop(1), results.pop(3), results.pop(5)) == (0, 0, 0)
        assert 0 <= results.pop(2) < 50_000
        assert results == {}
        for index in (0, 4, 6, 7):
            assert len(pairs[index][1].recv(50_000, socket.MSG_WAITALL)) == 50_000


def test_a_signal_does_not_interrupt(ring: SendRing, pairs: Pairs, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = ring._call, iter([InterruptedError(errno.EINTR, "signal")])

    def call(*arguments: object) -> int:
        if arguments[0] == ENTER and (error := next(calls, None)):
            raise error
        return real(*arguments)

    monkeypatch.setattr(ring, "_call", call)
    assert ring.send(descriptors(pairs), b"once") == []
    assert [receiver.recv(100) for _, receiver in pairs] == [b"once"] * SIZE


def test_a_closed_ring_sends_nothing(ring: SendRing, pairs: Pairs) -> None:
    ring.close()
    ring.close()
    with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
        ring.send(descriptors(pairs), b"late")


def test_where_the_kernel_refuses_the_error_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> int:
        ctypes.set_errno(errno.EPERM)
        return -1

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: type("Library", (), {"syscall": staticmethod(refuses)}))
    with pytest.raises(PermissionError):
        SendRing(SIZE)
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(OSError, match="io_uring is not used on darwin"):
        SendRing(SIZE)
