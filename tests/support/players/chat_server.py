"""A chat endpoint that speaks OpenAI's protocol over a real socket, correctly or with one of many faults.

It runs in a thread with its own event loop. Each request is answered by `answer`, a coroutine that writes to the
socket: one of the correct ones below, or one of `FAULTS`.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.waiting import PATIENCE, until

Json = Any


@dataclass
class Request:
    """A request of a client, with the connection on which it is answered."""

    path: str
    headers: dict[str, str]
    body: Json
    writer: asyncio.StreamWriter = field(repr=False)
    """It belongs to the thread of the server: its text may not be made in another one."""

    @property
    def prompt(self) -> str:
        """Return the texts of the request, in any dialect."""
        fields = ("system", "instructions", "systemInstruction", "messages", "input", "contents")
        return "\n".join(text for name in fields for text in _texts(self.body.get(name)))

    @property
    def key(self) -> str:
        """Return the key that the request was sent with, in any dialect."""
        names = ("authorization", "x-api-key", "x-goog-api-key")
        return next((self.headers[name] for name in names if name in self.headers), "").removeprefix("Bearer ")

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def head(self, status: str = "200 OK", kind: str = "text/event-stream", **headers: str) -> None:
        lines = [f"HTTP/1.1 {status}", f"content-type: {kind}", "connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        await self.send("\r\n".join([*lines, "", ""]).encode())

    async def event(self, data: Json) -> None:
        await self.send(b"data: " + (data if isinstance(data, bytes) else json.dumps(data).encode()) + b"\n\n")

    async def whole(self, status: str, data: Json, kind: str = "application/json", **headers: str) -> None:
        await self.head(status, kind, **headers)
        await self.send(data if isinstance(data, bytes) else json.dumps(data).encode())


Answer = Callable[[Request], Awaitable[None]]


def delta(content: Any = None, finish: str | None = None, **more: Any) -> Json:
    fields = {"content": content, **more} if content is not None else more
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def says(content: str, *, usage: tuple[int, int] | None = (100, 20), reasoning: str = "", piece: int = 7) -> Answer:
    """Return an answer that streams `content` correctly, `piece` characters at a time."""

    async def answer(request: Request) -> None:
        await request.head()
        await request.send(b": keep-alive\n\n")
        await request.event(delta("", role="assistant"))
        if reasoning:
            await request.event(delta(reasoning_content=reasoning))
        for at in range(0, len(content), piece):
            await request.event(delta(content[at : at + piece]))
        await request.event(delta(finish="stop"))
        if usage:
            tokens = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
            await request.event({"choices": [], "usage": tokens})
        await request.event(b"[DONE]")

    return answer


def whole(content: str) -> Answer:
    """Return an answer in one piece, as of an endpoint that does not stream."""

    async def answer(request: Request) -> None:
        message = {"role": "assistant", "content": content}
        usage = {"prompt_tokens": 100, "completion_tokens": 20}
        choice = {"message": message, "finish_reason": "stop"}
        await request.whole("200 OK", {"choices": [choice], "usage": usage})

    return answer


def refuses(status: str, message: str, **headers: str) -> Answer:
    async def answer(request: Request) -> None:
        await request.whole(status, {"error": {"message": message, "type": "error"}}, **headers)

    return answer


def streams(*events: Json, end: bool = True) -> Answer:
    """Return an answer of these events, followed by `[DONE]` if `end`."""

    async def answer(request: Request) -> None:
        await request.head()
        for event in events:
            await request.event(event)
        if end:
            await request.event(b"[DONE]")

    return answer


async def hangs(request: Request) -> None:
    await asyncio.sleep(3600)


async def hangs_inside(request: Request) -> None:
    await request.head()
    await request.event(delta("{"))
    await asyncio.sleep(3600)


async def drips(request: Request) -> None:
    """Send a little again and again, without end."""
    await request.head()
    while True:
        await request.event(delta(" "))
        await asyncio.sleep(0.02)


async def floods(request: Request) -> None:
    """Send text as fast as it is read, without end."""
    await request.head()
    while True:
        await request.event(delta("x" * 10_000))


async def one_endless_event(request: Request) -> None:
    await request.head()
    await request.send(b"data: ")
    while True:
        await request.send(b"x" * 65_536)


async def resets(request: Request) -> None:
    await request.head()
    await request.event(delta('{"orders": ['))
    request.writer.transport.abort()


async def closes(request: Request) -> None:
    request.writer.transport.abort()


async def html(request: Request) -> None:
    await request.whole("200 OK", b"<html>Sign in</html>", "text/html")


async def nothing(request: Request) -> None:
    await request.head()


async def is_not_http(request: Request) -> None:
    await request.send(b"SSH-2.0-OpenSSH_9.6\r\n")


async def echoes_the_key(request: Request) -> None:
    """Send the key back in headers, reasoning and text, escaped and split; the client must let none of it through."""
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    escaped = "".join(f"\\u{ord(mark):04x}" for mark in key)
    await request.head(x_key=key)
    await request.event(delta(reasoning_content=f"my key is {key}"))
    text = f'{{"reasoning": "{key} and {escaped}", "messages": [{{"to": ["all"], "text": "{escaped}"}}], "orders": []}}'
    for mark in text:
        await request.event(delta(mark))
    await request.event(delta(finish="stop"))


async def echoes_the_key_in_an_error(request: Request) -> None:
    key = request.headers.get("authorization", "")
    await request.whole("401 Unauthorized", {"error": {"message": f"Incorrect API key provided: {key}"}}, x_key=key)


HALF = '{"reasoning": "I will", "orders": ["A PA'

FAULTS: Mapping[str, Answer] = {
    "bad gateway": refuses("502 Bad Gateway", "upstream"),
    "server error": refuses("500 Internal Server Error", "oops"),
    "server error, no body": lambda request: request.whole("500 Internal Server Error", b"", "text/plain"),
    "rate limit": refuses("429 Too Many Requests", "slow down", retry_after="0"),
    "rate limit for an hour": refuses("429 Too Many Requests", "slow down", retry_after="3600"),
    "rate limit, nonsense": refuses("429 Too Many Requests", "slow down", retry_after="soon"),
    "quota": lambda request: request.whole("429 Too Many Requests", {"error": {"code": "insufficient_quota"}}),
    "unauthorised": refuses("401 Unauthorized", "bad key"),
    "no such model": refuses("404 Not Found", "the model does not exist"),
    "bad request": refuses("400 Bad Request", "maximum context length exceeded"),
    "redirect": lambda request: request.whole("307 Temporary Redirect", b"", location="http://127.0.0.1:1/"),
    "hangs": hangs,
    "hangs inside": hangs_inside,
    "drips": drips,
    "floods": floods,
    "one endless event": one_endless_event,
    "resets": resets,
    "closes": closes,
    "web page": html,
    "empty stream": nothing,
    "no HTTP": is_not_http,
    "half JSON event": streams(b'{"choices": [{"delta": {"con'),
    "no JSON event": streams(b"hello"),
    "list event": streams([1, 2]),
    "deep event": streams(b"[" * 100_000),
    "breaks off": streams(delta('{"orders": ["A PAR H'), end=False),
    "no choices": streams({"choices": []}),
    "choices null": streams({"choices": None}),
    "choices of another type": streams({"choices": "all"}, {"choices": [1]}, {"choices": [{"delta": 5}]}),
    "content of another type": streams(delta(17), delta({"a": 1}), delta([1, {"type": "text"}])),
    "error inside": streams(delta("{"), {"error": {"message": "the engine died"}}),
    "error with status 200": lambda request: request.whole("200 OK", {"error": "overloaded"}),
    "whole, not JSON": lambda request: request.whole("200 OK", b"hello"),
    "whole, empty": lambda request: request.whole("200 OK", {}),
    "not UTF-8": streams(b'{"choices": [{"delta": {"content": "\xff\xfe\x80"}}]}'),
    "only reasoning": streams(delta(reasoning_content="hm"), delta(finish="stop")),
    "only a tool call": streams(delta(tool_calls=[{"id": "1"}]), delta(finish="tool_calls")),
    "refusal": streams(delta(refusal="I cannot help with war."), delta(finish="stop")),
    "content filter": streams(delta(""), delta(finish="content_filter")),
    "cut at its limit": streams(delta(HALF), delta(finish="length")),
    "cut while thinking": streams(delta(reasoning_content="hm"), delta(finish="length")),
    "half a JSON": says(HALF),
    "prose": says("I would rather hold everything and see what happens."),
    "another object": says('{"answer": 42}'),
    "orders of another type": says('{"orders": 5}'),
    "illegal order": says('{"orders": ["A LON - MOS"]}'),
    "lone surrogates": says('{"orders": ["\\ud800"]}'),
    "usage of another type": streams({"usage": {"prompt_tokens": "many", "completion_tokens": -5}}),
}
"""Faulty answers by name. None of them can be played."""


@dataclass
class ChatServer:
    """A running endpoint. `answer` may be changed at any time; `requests` are all that arrived, in order."""

    answer: Answer
    requests: list[Request] = field(default_factory=list)
    cut_off: int = 0
    """The number of incomplete answers whose client disconnected."""
    url: str = ""
    _answering: set[asyncio.Task[None]] = field(default_factory=set)

    def __enter__(self) -> ChatServer:
        started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(started)), daemon=True)
        self._thread.start()
        assert started.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    @property
    def open(self) -> int:
        """Number of answers that are not complete."""
        return len(self._answering)

    def wait_for(self, requests: int) -> None:
        """Wait until so many requests have arrived."""
        assert until(lambda: len(self.requests) >= requests), f"{len(self.requests)} of {requests} requests came"

    async def _serve(self, started: threading.Event) -> None:
        self._loop, self._done = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        started.set()
        await self._done.wait()
        server.close()
        for task in list(self._answering):
            task.cancel()
        await asyncio.gather(*self._answering, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._answering.add(task)
        try:
            request = await _read(reader, writer)
            self.requests.append(request)
            answering = asyncio.ensure_future(self.answer(request))
            gone = asyncio.ensure_future(reader.read())  # ends when the client closes its side
            await asyncio.wait((answering, gone), return_when=asyncio.FIRST_COMPLETED)
            self.cut_off += not answering.done() or isinstance(answering.exception(), ConnectionError)
            answering.cancel()
            gone.cancel()
            await asyncio.gather(answering, gone, return_exceptions=True)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            self._answering.discard(task)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (text for item in value for text in _texts(item))
    elif isinstance(value, dict):
        yield from (text for name in ("content", "parts", "text") for text in _texts(value.get(name)))


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:]) if name}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(head[0].split()[1], headers, json.loads(body), writer)


def in_turn(*answers: Answer) -> Answer:
    """Return an answer that gives `answers` one after another, and then repeats the last."""
    left: Iterator[Answer] = iter(answers)
    last = answers[-1]

    async def answer(request: Request) -> None:
        await next(left, last)(request)

    return answer
