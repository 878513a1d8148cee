"""A speech service that speaks Cartesia's protocol as its SDK uses it, over a real socket, correctly or with a fault.

`POST /tts/sse` streams espeak-ng's samples with the times of the words; `POST /tts/bytes` streams MP3, which is silent
but of the right length, as there is no encoder here. Both check the key, the version and the request.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterator, Mapping
from threading import Event

from grandstand.spectator.voice.audio import MP3_BIT_RATE, SAMPLE_BYTES, SAMPLE_RATE
from grandstand.spectator.voice.plan import MODEL
from tests.support.players.chat_server import Answer, ChatServer, Json, Request, hangs, refuses
from tests.support.spectator.espeak import speak

KEY = "sk_car_test_key"

PIECE = SAMPLE_RATE * SAMPLE_BYTES // 10
"""Bytes of a piece: a tenth of a second."""

MP3_FRAME = b"\xff\xf3\x84\xc4" + bytes(188)
"""A frame of MPEG-2 Layer III, 64 kbit/s, 24 kHz, mono: 24 ms of silence."""


def fault_of(request: Request) -> tuple[str, str] | None:
    """Return the status and the words with which the real service refuses `request`, or None."""
    body, headers = request.body, request.headers
    if headers.get("authorization") != f"Bearer {KEY}":
        return "401 Unauthorized", f"Invalid API key: {headers.get('authorization')}"
    if not headers.get("cartesia-version"):
        return "400 Bad Request", "cartesia-version is required"
    if body.get("model_id") != MODEL or not body.get("voice") or not body.get("transcript"):
        return "400 Bad Request", "model_id, voice and transcript are required"
    container = body.get("output_format", {}).get("container")
    if container != {"/v1/tts/sse": "raw", "/v1/tts/bytes": "mp3"}.get(request.path):
        return "400 Bad Request", f"{container} is not available at {request.path}"
    return None


def speaks(
    *,
    first: float = 0.0,
    speed: float = 0.0,
    cut: int | None = None,
    stall: int | None = None,
    pause: float = 0.0,
    held: Event | None = None,
    held_at: int = 1,
) -> Answer:
    """Return an answer that speaks the line.

    `first` seconds pass before its first piece, and it comes `speed` times as fast as it is heard; 0 is at once. After
    `cut` pieces the connection is lost, after `stall` pieces nothing more comes; `pause` seconds lie between pieces.
    The piece with the number `held_at` does not come before `held` is set.
    """

    async def answer(request: Request) -> None:
        fault = fault_of(request)
        if fault:
            await request.whole(fault[0], {"title": "Refused", "message": fault[1], "error_code": "refused"})
            return
        loop = asyncio.get_running_loop()
        due = loop.time() + first
        spoken = await asyncio.to_thread(speak, request.body["transcript"])
        sse = request.path.endswith("/sse")
        if sse:
            await request.head()
        else:
            await request.head(kind="audio/mpeg", transfer_encoding="chunked")
        for number, piece in enumerate(_pieces(spoken.samples)):
            while number == held_at and held and not held.is_set():  # set by the thread of the test  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            if number == cut:
                request.writer.transport.abort()
                return
            if number == stall:
                await asyncio.sleep(3600)
            due += pause + (len(piece) / SAMPLE_RATE / SAMPLE_BYTES / speed if speed else 0)
            await asyncio.sleep(max(0.0, due - loop.time()))
            await (request.event(_chunk(piece)) if sse else _send_chunk(request, _mp3(len(piece))))
            if sse and number == 0:
                await request.event(_timestamps(spoken.words, spoken.starts))
        if sse:
            await request.event({"type": "done", "done": True, "status_code": 200})
        else:
            await request.send(b"0\r\n\r\n")

    return answer


def limited(retry_after: str | None = "1") -> Answer:
    """Return the answer to more requests at a time than the plan allows."""
    headers = {} if retry_after is None else {"retry_after": retry_after}
    return refuses("429 Too Many Requests", "concurrency_limited", **headers)


async def error_inside(request: Request) -> None:
    await request.head()
    await request.event(
        {"type": "error", "done": True, "status_code": 500, "title": "Error", "message": "oops", "request_id": "r"}
    )


async def garbage(request: Request) -> None:
    await request.head()
    await request.event(b"{not JSON")


async def silence(request: Request) -> None:
    await request.head()
    await request.event({"type": "done", "done": True, "status_code": 200})


async def closes(request: Request) -> None:
    request.writer.transport.abort()


FAULTS: Mapping[str, Answer] = {
    "cut in the middle": speaks(cut=3),
    "stalls": speaks(stall=2),
    "hangs": hangs,
    "closes": closes,
    "garbage": garbage,
    "no audio": silence,
    "error inside": error_inside,
    "server error": refuses("500 Internal Server Error", "oops"),
    "bad gateway": refuses("502 Bad Gateway", "<html>"),
    "refused line": refuses("400 Bad Request", "invalid transcript"),
}
"""Faulty answers by name, which fail one line."""

REFUSALS: Mapping[str, Answer] = {
    "no credit": refuses("402 Payment Required", "credits exhausted"),
    "not in the plan": refuses("403 Forbidden", "not in your plan"),
    "no such voice": refuses("404 Not Found", "voice not found"),
}
"""Answers that are the same for every line."""


def speech_server(answer: Answer | None = None) -> ChatServer:
    """Return a service to be used as a context; its `answer` may be changed at any time."""
    return ChatServer(answer or speaks())


def _pieces(samples: bytes) -> Iterator[bytes]:
    for at in range(0, len(samples), PIECE):
        yield samples[at : at + PIECE]


def _mp3(samples: int) -> bytes:
    seconds = samples / SAMPLE_RATE / SAMPLE_BYTES
    return MP3_FRAME * max(1, round(seconds * MP3_BIT_RATE / 8 / len(MP3_FRAME)))


def _chunk(samples: bytes) -> Json:
    data = base64.b64encode(samples).decode()
    return {"type": "chunk", "data": data, "done": False, "status_code": 206, "step_time": 1.0}


def _timestamps(words: list[str], starts: list[float]) -> Json:
    ends = [*starts[1:], (starts[-1] if starts else 0.0) + 0.3]
    times = {"words": words, "start": starts, "end": ends}
    return {"type": "timestamps", "done": False, "status_code": 206, "word_timestamps": times}


async def _send_chunk(request: Request, data: bytes) -> None:
    await request.send(f"{len(data):x}\r\n".encode() + data + b"\r\n")
