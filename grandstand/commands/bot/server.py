"""The server behind a check: its match, and the requests that are passed on to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import httpx2

LONGEST: Final = 90.0
"""Seconds to wait for an answer; a request may wait 60 s for the seat's turn."""
PASSED_ON: Final = ("authorization", "content-type", "accept")
"""Headers of the program's requests that the server needs."""


class CheckRefused(Exception):
    """The server refuses what the check needs; the message says what to do."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request of the program."""

    method: str
    path: str
    """With the query."""
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer to the program."""

    status: int
    body: bytes
    content_type: str = "application/problem+json"

    def data(self) -> dict[str, Any]:
        """Return the object in the body; an empty one if there is none."""
        return read_object(self.body)


def problem(status: int, detail: str, field: str | None = None) -> HttpAnswer:
    """Return a problem as the server would send it."""
    named = {} if field is None else {"field": field}
    return HttpAnswer(status, json.dumps({"title": detail, "status": status, "detail": detail, **named}).encode())


def read_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in `body`; an empty one if it is none."""
    try:
        data = json.loads(body)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


class CheckedMatch:
    """A match with a seat for the program, on the server at `url`."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = httpx2.Client(timeout=LONGEST)
        self.episode_id = self.seat = self.token = ""

    def start(self, request: Mapping[str, Any], seat: str) -> None:
        """Start the match and open its seat. Raise CheckRefused."""
        started = self._post("/api/episodes", {**request, "players": {seat: "remote"}})
        self.episode_id, self.seat = str(started["episode_id"]), seat
        self.token = str(self._post(f"{self.path}/token", None)["token"])

    @property
    def path(self) -> str:
        """Return the path of the seat's address."""
        return f"/api/episodes/{self.episode_id}/seats/{self.seat}"

    def command(self, command: str, **more: Any) -> None:
        """Steer the match. Raise CheckRefused."""
        self._post(f"/api/episodes/{self.episode_id}/commands", {"command": command, **more})

    def forward(self, request: HttpRequest) -> HttpAnswer:
        """Return the server's answer to the program's request."""
        headers = {name: value for name, value in request.headers.items() if name.lower() in PASSED_ON}
        try:
            answer = self._client.request(
                request.method, self._url + request.path, content=request.body, headers=headers
            )
        except httpx2.HTTPError as error:
            return problem(503, f"{self._url} does not answer: {error}")
        return HttpAnswer(answer.status_code, answer.content, answer.headers.get("content-type", "application/json"))

    def end(self) -> None:
        """Stop the match if it goes on."""
        with suppress(CheckRefused):
            self.command("stop")

    def close(self) -> None:
        self._client.close()

    def _post(self, path: str, body: Any) -> dict[str, Any]:
        try:
            answer = self._client.post(self._url + path, json=body, headers=self._headers)
        except httpx2.HTTPError as error:
            raise CheckRefused(
                f"url: {self._url} does not answer: {error}; start a server with `grandstand serve`"
            ) from error
        data = read_object(answer.content)
        if answer.is_success:
            return data
        if answer.status_code in (401, 403):
            raise CheckRefused(
                "token: a check starts a match; set GRANDSTAND_OPERATOR_TOKEN to the server's operator token"
            )
        raise CheckRefused(
            str(data.get("detail") or f"url: {self._url} answers {answer.status_code}; is it a Grandstand server?")
        )
