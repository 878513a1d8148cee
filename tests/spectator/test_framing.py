"""Frames as the standard libraries of others read them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side

from grandstand.spectator.framing import SERVER_SENT, WEB_SOCKET, WEB_SOCKET_DEFLATED, StreamPosition


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65535, 65536, 70000])
def test_another_implementation_reads_our_web_socket_frames(size: int) -> None:
    reader = Protocol(Side.CLIENT)
    reader.receive_data(WEB_SOCKET.one(b"x" * size, None) * 2)
    frames = reader.events_received()
    assert len(frames) == 2
    for frame in frames:
        assert isinstance(frame, Frame)
        assert (frame.opcode, frame.fin, bytes(frame.data)) == (Opcode.TEXT, True, b"x" * size)


@pytest.mark.parametrize("size", [1, 125, 70000, 500_000])
def test_another_implementation_reads_our_compressed_messages(size: int) -> None:
    """Each by itself: the same message twice is the same bytes twice."""
    one = random.Random(size).randbytes(size).hex().encode()
    assert WEB_SOCKET_DEFLATED.several is not None
    for message, text in (
        (WEB_SOCKET_DEFLATED.one(one, None), one),
        (WEB_SOCKET_DEFLATED.several([one, b"{}"]), one + b"\n{}"),
    ):
        reader = Protocol(Side.CLIENT, max_size=None)
        reader.extensions = [PerMessageDeflate(True, True, 15, 15)]
        reader.receive_data(message * 2)
        frames = reader.events_received()
        assert [bytes(frame.data) for frame in frames if isinstance(frame, Frame)] == [text, text]
        assert len(message) < len(text) + 12


def test_event_stream_messages() -> None:
    assert SERVER_SENT.one(b"{}", StreamPosition(3, 41)) == b"id: 3.41\ndata: {}\n\n"
    assert SERVER_SENT.one(b"{}", None) == b"data: {}\n\n"


@given(st.integers(0, 10**15), st.integers(0, 10**9))
def test_positions_as_text_and_back(epoch: int, seq: int) -> None:
    assert StreamPosition.parse(str(StreamPosition(epoch, seq))) == (epoch, seq)


@pytest.mark.parametrize(
    "text", ["", "3", "3.", ".3", "3.-1", "-1.3", "3.4.5", "a.b", "3,4", "1.²", "9" * 30 + ".1", " 1.2"]
)
def test_other_text_is_no_position(text: str) -> None:
    with pytest.raises(ValueError, match=r"it looks like 3\.41"):
        StreamPosition.parse(text)
