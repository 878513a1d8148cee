"""Answers of the scripted endpoint in each dialect, right ones and faulty ones by the names of `chat_server.FAULTS`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from tests.support.players import chat_server
from tests.support.players.chat_server import HALF, Answer, Json, Request
from tests.support.players.dialect_wires import COUNTS, Counts, End, Part, Wire

SHARED = (
    "server error, no body",
    "redirect",
    "hangs",
    "one endless event",
    "closes",
    "web page",
    "empty stream",
    "no HTTP",
    "half JSON event",
    "no JSON event",
    "deep event",
    "whole, not JSON",
    "whole, empty",
)
"""Faults of the transport, which are the same in every dialect."""


def says(wire: Wire, content: str, *, counts: Counts | None = COUNTS, reasoning: str = "", piece: int = 7) -> Answer:
    """Return an answer that streams `content` correctly."""
    thought: list[Part] = [("thought", reasoning)] if reasoning else []
    return gives(wire, [*thought, ("text", content)], counts=counts, piece=piece)


def gives(
    wire: Wire, parts: list[Part], end: End = "stop", *, counts: Counts | None = COUNTS, piece: int = 7
) -> Answer:
    """Return an answer that streams these parts correctly."""
    return sends(*wire.stream(parts, end, counts, piece))


def whole(wire: Wire, parts: list[Part], end: End = "stop", counts: Counts = COUNTS) -> Answer:
    """Return an answer in one piece, as of an endpoint that does not stream."""
    return lambda request: request.whole("200 OK", wire.answer(parts, end, counts))


def refuses(wire: Wire, status: str, message: str, headers: Mapping[str, str] = {}, **more: Any) -> Answer:
    """Return an error; `more` are fields beside its message."""
    body = wire.error(int(status.split()[0]), message, **more)
    return lambda request: request.whole(status, body, **headers)


def sends(*frames: bytes) -> Answer:
    """Return an answer of these frames, after which the connection closes."""

    async def answer(request: Request) -> None:
        await request.head()
        for frame in frames:
            await request.send(frame)

    return answer


def data(*values: Json) -> Answer:
    """Return an answer whose events have these data."""
    return sends(*(f"data: {json.dumps(value)}\n\n".encode() for value in values))


def started(wire: Wire, text: str) -> list[bytes]:
    """Return the frames of an answer up to a first piece of text."""
    return [*wire.begin(), *wire.part(("text", text), 0, len(text))]


def hangs_inside(wire: Wire) -> Answer:
    async def answer(request: Request) -> None:
        await sends(*started(wire, "{"))(request)
        await asyncio.sleep(3600)

    return answer


def drips(wire: Wire) -> Answer:
    async def answer(request: Request) -> None:
        await sends(*started(wire, " "))(request)
        while True:
            await request.send(b"".join(wire.part(("text", " "), 0, 1)))
            await asyncio.sleep(0.02)

    return answer


def floods(wire: Wire) -> Answer:
    async def answer(request: Request) -> None:
        await sends(*started(wire, "x"))(request)
        while True:
            await request.send(b"".join(wire.part(("text", "x" * 10_000), 0, 10_000)))

    return answer


def resets(wire: Wire) -> Answer:
    async def answer(request: Request) -> None:
        await sends(*started(wire, '{"orders": ['))(request)
        request.writer.transport.abort()

    return answer


def echoes_the_key(wire: Wire) -> Answer:
    """Send the key back in headers, reasoning and text, escaped and split; the client must let none of it through."""

    async def answer(request: Request) -> None:
        key = request.key
        escaped = "".join(f"\\u{ord(mark):04x}" for mark in key)
        message = f'{{"to": ["all"], "text": "{escaped}"}}'
        text = f'{{"reasoning": "{key} and {escaped}", "messages": [{message}], "orders": []}}'
        await request.head(x_key=key)
        for frame in wire.stream([("thought", f"my key is {key}"), ("text", text)], piece=1):
            await request.send(frame)

    return answer


def echoes_the_key_in_an_error(wire: Wire) -> Answer:
    async def answer(request: Request) -> None:
        body = wire.error(401, f"Incorrect API key provided: {request.key}")
        await request.whole("401 Unauthorized", body, x_key=request.key)

    return answer


def refuses_the_key_within(wire: Wire) -> Answer:
    """Send the key back in an error within an answer."""

    async def answer(request: Request) -> None:
        await sends(*wire.begin(), wire.failure(f"no engine for {request.key}"))(request)

    return answer


def faults(wire: Wire) -> dict[str, Answer]:
    """Return the faulty answers of a dialect by name. None of them can be played."""
    if wire.dialect == "openai-chat":
        return dict(chat_server.FAULTS)
    named = {name: chat_server.FAULTS[name] for name in SHARED} | _refusals(wire) | _streams(wire)
    return {name: named[name] for name in chat_server.FAULTS} | named


def _refusals(wire: Wire) -> dict[str, Answer]:
    slow = ("429 Too Many Requests", "slow down")
    return {
        "bad gateway": refuses(wire, "502 Bad Gateway", "upstream"),
        "server error": refuses(wire, "500 Internal Server Error", "oops"),
        "rate limit": refuses(wire, *slow, {"retry_after": "0"}),
        "rate limit for an hour": refuses(wire, *slow, {"retry_after": "3600"}),
        "rate limit, nonsense": refuses(wire, *slow, {"retry_after": "soon"}),
        "quota": {
            "openai-responses": refuses(wire, "429 Too Many Requests", "no quota", code="insufficient_quota"),
            "anthropic": refuses(wire, "400 Bad Request", "Your credit balance is too low"),
            "gemini": refuses(wire, *slow, details=[{"violations": [{"quotaId": "GenerateRequestsPerDayPerModel"}]}]),
        }[wire.dialect],
        "unauthorised": refuses(wire, "401 Unauthorized", "bad key"),
        "no such model": refuses(wire, "404 Not Found", "the model does not exist"),
        "bad request": refuses(wire, "400 Bad Request", "maximum context length exceeded"),
        "overloaded": refuses(wire, "529 Overloaded", "Overloaded"),
        "error with status 200": lambda request: request.whole("200 OK", wire.error(503, "overloaded")),
    }


def _streams(wire: Wire) -> dict[str, Answer]:
    nothing: list[Part] = []
    text = wire.part(("text", "{"), 0, 1)
    null = dict.fromkeys(("type", "response", "message", "candidates", "delta"))
    return {
        "hangs inside": hangs_inside(wire),
        "drips": drips(wire),
        "floods": floods(wire),
        "resets": resets(wire),
        "list event": data([1, 2]),
        "breaks off": sends(*started(wire, '{"orders": ["A PAR H')),
        "no choices": gives(wire, nothing),
        "choices null": data(null),
        "choices of another type": data(*_of_another_type()),
        "content of another type": data(*_of_another_type({"a": 1}), *_of_another_type([1, {"type": "text"}])),
        "error inside": sends(*wire.begin(), *text, wire.failure("the engine died")),
        "not UTF-8": sends(wire.part(("text", "?"), 0, 1)[0].replace(b"?", b"\xff\xfe\x80")),
        "only reasoning": gives(wire, [("thought", "hm")]),
        "only a tool call": gives(wire, [("tool", "{}")]),
        "refusal": gives(wire, [("refusal", "I cannot help with war.")]),
        "content filter": gives(wire, nothing, "filter"),
        "cut at its limit": gives(wire, [("text", HALF)], "length"),
        "cut while thinking": gives(wire, [("thought", "hm")], "length"),
        "half a JSON": says(wire, HALF),
        "prose": says(wire, "I would rather hold everything and see what happens."),
        "another object": says(wire, '{"answer": 42}'),
        "orders of another type": says(wire, '{"orders": 5}'),
        "illegal order": says(wire, '{"orders": ["A LON - MOS"]}'),
        "lone surrogates": says(wire, '{"orders": ["\\ud800"]}'),
        "usage of another type": sends(
            wire.usage({"input_tokens": "many", "output_tokens": -5, "promptTokenCount": []})
        ),
    }


def _of_another_type(value: Json = 17) -> list[Json]:
    """Return events of all dialects with values of another type where an object or a text belongs."""
    return [
        {"type": value, "candidates": "all", "output": value},
        {"type": "message_start", "message": value},
        {"type": "content_block_start", "index": 0, "content_block": value},
        {"type": "content_block_delta", "index": 0, "delta": value},
        {"type": "content_block_delta", "index": 0, "delta": {"text": value, "partial_json": value, "thinking": value}},
        {"type": "response.output_text.delta", "delta": value},
        {"type": "message_delta", "delta": value, "usage": value},
        {"candidates": [value], "usageMetadata": value, "promptFeedback": value},
        {"candidates": [{"content": {"parts": [{"text": value}, value]}}]},
        {"candidates": [{"content": {"parts": value}, "finishReason": value}]},
    ]
