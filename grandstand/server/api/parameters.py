"""Parameters and error responses that several routes share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Header, Query
from starlette.requests import HTTPConnection

from grandstand.games.base import OptionError
from grandstand.server.bodies import Problem
from grandstand.spectator.viewpoint import Viewpoint

Admit = Callable[[HTTPConnection, str, str], Viewpoint]
"""(connection, viewpoint text, episode id) -> viewpoint. Raises PermissionError, ValueError or UnknownEpisode."""

VisitorOf = Callable[[HTTPConnection], str]
"""connection -> the visitor who sent a request; empty for an operator."""

ViewpointText = Annotated[str, Query(alias="as", description="`spectator`, `seat:NAME`, `analyst` or `operator`.")]

IdempotencyKey = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]

PROBLEMS = {
    403: "Not allowed; `detail` says who may.",
    404: "No such episode.",
    409: "Not now: the match is not at that point.",
    422: "A field cannot be used; `field` names it.",
    503: "The server cannot answer now; `Retry-After` says when to ask again.",
    429: "The queue is full, or too many requests came from this address.",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI responses of a route that may fail with `statuses`."""
    return {status: {"model": Problem, "description": PROBLEMS[status]} for status in statuses}


def admitted(admit: Admit, connection: HTTPConnection, viewpoint: str, episode_id: str) -> Viewpoint:
    """Return the viewpoint of a request for an episode. Raise OptionError if its text cannot be read."""
    try:
        return admit(connection, viewpoint, episode_id)
    except ValueError as error:
        raise OptionError(f"as: {error}") from error
