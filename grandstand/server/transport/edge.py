"""The outermost layer of the app: checks and headers of every request.

A request with a malformed address is refused, a body over the limit is never read, a proxy's path prefix is taken
off, and every answer carries the headers that tell a browser what the page may load and who may frame it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grandstand.server.http import problem

PREFIX = "grandstand.prefix"
"""The key of a scope that holds the path prefix that was removed: empty, or `/x` without a slash at its end."""

EMBED = re.compile("/embed/[^/]+")
"""The paths of the pages that other sites show in a frame."""

MAX_BODY = 128 * 1024
"""Bytes of a request's body, which is read into memory; no request of the API but a file needs more."""

START = ("http.response.start", "websocket.http.response.start")


def content_security_policy(frame_ancestors: str) -> str:
    """Return the policy of every answer: nothing foreign loads, and only `frame_ancestors` may frame the page."""
    return "; ".join(
        (
            "default-src 'self'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "media-src 'self' blob: data:",
            "style-src-attr 'unsafe-inline'",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            f"frame-ancestors {frame_ancestors}",
        )
    )


class App(FastAPI):
    """A FastAPI app behind an Edge, which also covers the answers of its own error handling."""

    def __init__(self, *, edge: Callable[[ASGIApp], Edge], **options: Any) -> None:
        super().__init__(**options)
        self._edge = edge

    def build_middleware_stack(self) -> ASGIApp:
        return self._edge(super().build_middleware_stack())


class Edge:
    """An ASGI layer around the whole app."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        body_limit: int = MAX_BODY,
        body_limits: Mapping[str, int] | None = None,
        root_path: str,
        frame_ancestors: str,
        embed_ancestors: str,
    ) -> None:
        """Wrap `app`. `body_limits` has other limits, by the beginning of a path.

        `embed_ancestors` holds for the pages of EMBED, `frame_ancestors` for everything else.

        `root_path` is the prefix below which a proxy serves the app; uvicorn's own `root_path` is used without it.
        """
        self._app = app
        self._body_limit = body_limit
        self._body_limits = body_limits or {}
        self._root_path = root_path
        self._headers = {
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Content-Security-Policy": content_security_policy(frame_ancestors),
        }
        self._embed_headers = {
            **self._headers,
            "Content-Security-Policy": content_security_policy(embed_ancestors),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        prefix = self._root_path or scope.get("root_path", "")
        inner = _below(scope, prefix)
        bare = send
        send = self._with_headers(send, inner["path"], headers.get("host", ""))
        wrong = malformed_address(headers)
        if wrong:
            await problem(400, "The request has a malformed address", *wrong)(scope, receive, send)
        elif prefix and scope["path"] == prefix:
            await RedirectResponse(prefix + "/", 308)(scope, receive, bare)
        elif scope["type"] == "websocket":
            await self._app(inner, receive, send)
        else:
            await self._bounded(inner, headers, receive, send)

    async def _bounded(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        """Let the app answer, and pass on at most the allowed bytes of the body; a larger one is answered with 413."""
        own = (limit for prefix, limit in self._body_limits.items() if scope["path"].startswith(prefix))
        limit = next(own, self._body_limit)
        refused = started = False
        read = 0

        async def refuse() -> None:
            nonlocal refused
            refused = True
            detail = f"the body is larger than {limit} bytes, the limit of this server; send less at a time"
            await problem(413, "The request is too large", detail)(scope, receive, send)

        async def receive_some() -> Message:
            nonlocal read
            if refused:
                return {"type": "http.disconnect"}
            message = await receive()
            read += len(message.get("body", b""))
            if read <= limit:
                return message
            if not started:
                await refuse()
            return {"type": "http.disconnect"}

        async def send_unless_refused(message: Message) -> None:
            nonlocal started
            if not refused:
                started = True
                await send(message)

        declared = headers.get("content-length", "")
        if declared.isdigit() and int(declared) > limit:
            await refuse()
        else:
            await self._app(scope, receive_some, send_unless_refused)

    def _with_headers(self, send: Send, path: str, host: str) -> Send:
        """Return a `send` that completes the headers of the answer to a request for `path`."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] in START:
                headers = MutableHeaders(scope=message)
                # The page of an unknown address has links to pages with controls.
                embedded = message["status"] == 200 and EMBED.fullmatch(path)
                for name, value in (self._embed_headers if embedded else self._headers).items():
                    headers.setdefault(name, value)  # a download has a stricter policy of its own
                if "location" in headers:
                    headers["location"] = _relative(headers["location"], path, host)
            await send(message)

        return send_with_headers


def malformed_address(headers: Headers) -> tuple[str, str] | None:
    """Return what is wrong with a header that has an address, and the header's name; None if all are valid."""
    for name, form in (("host", "//{}"), ("origin", "{}")):
        value = headers.get(name)
        if value is not None:
            try:
                parts = urlsplit(form.format(value))
                _ = parts.hostname, parts.port
            except ValueError as error:
                return f"{name}: {value[:100]!r} is not an address: {error}", name
    return None


def _below(scope: Scope, prefix: str) -> Scope:
    """Return `scope` with its path below the prefix, whether or not the proxy has removed the prefix."""
    path: str = scope["path"]
    if prefix and path.startswith(prefix + "/"):
        path = path[len(prefix) :]
    return {**scope, "path": path, "root_path": "", PREFIX: prefix}


def to_root(path: str) -> str:
    """Return the relative address of the root from `path`, which works below any prefix of a proxy."""
    return "../" * (path.count("/") - 1) or "./"


def _relative(location: str, path: str, host: str) -> str:
    """Return the target of a redirect relative to the requested `path`."""
    parts = urlsplit(location)
    if not parts.path.startswith("/") or parts.netloc not in ("", host):
        return location
    return to_root(path) + parts._replace(scheme="", netloc="", path=parts.path[1:]).geturl()
