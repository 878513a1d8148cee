"""Shared by all routes: errors as RFC 9457 problem details, and common parameters."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from grandstand.games.base import IllegalAction, OptionError
from grandstand.models import valid_text
from grandstand.players.external import NotAsked
from grandstand.server.access import Access
from grandstand.server.auth import Unauthorized
from grandstand.server.bodies.health import Problem
from grandstand.server.matches.model_replies import UnknownModel
from grandstand.server.matches.steering import CommandError, Full, Resuming
from grandstand.server.purse import CannotAfford
from grandstand.server.turns import Busy
from grandstand.spectator.errors import ClipsError, Fenced, RecordError, StorageError, UnknownEpisode
from grandstand.spectator.viewpoint import Viewpoint

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"

ANY = {
    400: "The request is malformed.",
    401: "The token or ticket is not good.",
    403: "It is not granted to this request.",
    500: "A bug of ours.",
    503: "The record cannot be written or read.",
}
"""The problems that any operation may return."""

WITH_PARAMETER = {404: "There is no such thing.", 422: "A field cannot be used; `field` names it."}
"""The further problems of an operation with parameters."""

UNDECLARED = {"$ref": "#/components/schemas/HTTPValidationError"}
"""The schema by which FastAPI documents a 422 by default."""

UNREADABLE = "There was an error parsing the body"
"""FastAPI's message for a body that is not UTF-8 or is nested too deeply."""

REMEDIES = {
    UNREADABLE: "body: is not JSON in UTF-8, or is nested too deeply",
    "Not Found": "there is no such address; /api/docs lists those there are",
    "Method Not Allowed": "this address does not take this method; /api/docs lists those that it takes",
}
"""The details of errors that Starlette and FastAPI raise without details."""

WITH_BODY = {409: "It cannot be done now.", 413: "The body is too large.", 429: "Too few credits."}
"""The further problems of an operation that changes something."""


ViewpointText = Annotated[str, Query(alias="as", description="`spectator`, `seat:NAME`, `analyst` or `operator`.")]

IdempotencyKey = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]

DECLARED = {
    403: "Not allowed; `detail` says who may.",
    404: "No such episode.",
    409: "Not now: the match is not at that point.",
    422: "A field cannot be used; `field` names it.",
    503: "The server cannot answer now; `Retry-After` says when to ask again.",
    429: "The queue is full, or the visitor has too few credits; `Retry-After` says when there are enough.",
}
"""The descriptions of the problems that a route declares."""


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI responses of a route that may fail with `statuses`."""
    return {status: {"model": Problem, "description": DECLARED[status]} for status in statuses}


def admitted(access: Access, connection: HTTPConnection, viewpoint: str, episode_id: str) -> Viewpoint:
    """Return the viewpoint of a request for an episode. Raise OptionError if its text cannot be read."""
    try:
        return access.look(connection, viewpoint, episode_id)
    except ValueError as error:
        raise OptionError(f"as: {error}") from error


def problem(status: int, title: str, detail: str, field: str | None = None, **headers: str) -> JSONResponse:
    """Return a problem document as a response."""
    body = Problem(
        title=title, status=status, detail=valid_text(detail), field=None if field is None else valid_text(field)
    )
    return JSONResponse(body.model_dump(exclude_none=True), status, headers, media_type=MEDIA_TYPE)


def _option(error: OptionError) -> JSONResponse:
    field, _sep, _rest = str(error).partition(":")
    return problem(422, "A field of the request cannot be used", str(error), field)


def _validation(error: RequestValidationError) -> JSONResponse:
    first = error.errors()[0]
    field, reason = ".".join(map(str, first["loc"][1:])), str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "json_invalid":
        field, reason = "body", f"is not JSON: {first['ctx']['error']} at character {first['loc'][-1]}"
    elif not field:
        field, reason = "body", "send a JSON object, with the header `Content-Type: application/json`"
    return problem(422, "A field of the request cannot be used", f"{field}: {reason}", field)


def _illegal(error: IllegalAction) -> JSONResponse:
    return problem(422, "The rules refuse the action", str(error), error.field)


def _unknown(error: UnknownEpisode) -> JSONResponse:
    return problem(404, "No such episode", f"{error}; GET /api/episodes lists those there are")


def _waiting(title: str) -> Callable[[CannotAfford | Full], JSONResponse]:
    """Return a function that answers an error with the seconds after which to try again."""
    return lambda error: problem(429, title, str(error), **{"Retry-After": str(math.ceil(error.seconds))})


def _not_now(error: CommandError | NotAsked) -> JSONResponse:
    field, colon, _rest = str(error).partition(": ")
    return problem(409, "Not now", str(error), field if colon else None)


def _clips(error: ClipsError) -> JSONResponse:
    log.error("the clips of the voice: %s", error)
    detail = "The match goes on without them; the server's log has the reason."
    return problem(503, "The clips of the voice cannot be read for now", detail, **{"Retry-After": "30"})


def http_problem(error: HTTPException) -> JSONResponse:
    """Return the problem document of an error that Starlette, FastAPI or a route raised with a status."""
    title, field = str(error.detail), "body" if error.detail == UNREADABLE else None
    return problem(error.status_code, title, REMEDIES.get(title, title), field, **(error.headers or {}))


def _titled(status: int, title: str, **headers: str) -> Callable[[Exception], JSONResponse]:
    """Return a function that answers an error with `title`, its own text as the detail, and `headers`."""
    return lambda error: problem(status, title, str(error), **headers)


ANSWERS: dict[type[Exception], Callable[[Any], JSONResponse]] = {
    OptionError: _option,
    RequestValidationError: _validation,
    IllegalAction: _illegal,
    UnknownEpisode: _unknown,
    UnknownModel: _titled(404, "No such model"),
    Full: _waiting("The queue is full"),
    CannotAfford: _waiting("Not enough credits"),
    Busy: _titled(503, "Too many pictures or files at once", **{"Retry-After": "5"}),
    Resuming: _titled(503, "The server has just come back", **{"Retry-After": "2"}),
    Fenced: _titled(503, "The match has moved to another server", **{"Retry-After": "2"}),
    CommandError: _not_now,
    NotAsked: _not_now,
    Unauthorized: _titled(401, "Not authorised", **{"WWW-Authenticate": "Bearer"}),
    PermissionError: _titled(403, "Not allowed"),
    StorageError: _titled(503, "The record cannot be written for now", **{"Retry-After": "5"}),
    RecordError: _titled(503, "The record cannot be written or read"),
    ClipsError: _clips,
    HTTPException: http_problem,
}
"""The answer to each error; that of a subclass takes precedence over that of its base."""


def install_problems(app: FastAPI) -> None:
    """Make every error of `app` a problem document."""
    for kind, answer in ANSWERS.items():
        app.add_exception_handler(kind, _handler(answer))
    app.add_exception_handler(Exception, _ours)


def _handler(answer: Callable[[Any], JSONResponse]) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return `answer` as an async handler: Starlette runs any other in another thread."""

    async def handler(_: Request, error: Exception) -> Response:
        return answer(error)

    return handler


async def _ours(request: Request, error: Exception) -> Response:
    log.exception("%s %s failed", request.method, request.url.path)
    return problem(500, "A bug of ours", "The server failed to answer; its log has the reason.")


def document_problems(schema: dict[str, Any]) -> None:
    """Add the problems that each operation may return to the OpenAPI document `schema`."""
    components = schema.setdefault("components", {}).setdefault("schemas", {})
    components.setdefault("Problem", Problem.model_json_schema())
    for name in ("HTTPValidationError", "ValidationError"):
        components.pop(name, None)
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
    for operations in schema.get("paths", {}).values():
        for method, operation in operations.items():
            refusals = ANY | (WITH_PARAMETER if method != "get" or operation.get("parameters") else {})
            refusals |= WITH_BODY if method != "get" else {}
            responses = operation["responses"]
            for status, description in refusals.items():
                responses.setdefault(str(status), {"description": description, "content": {}})
            for status, response in responses.items():
                declared = response.get("content", {}).get("application/json", problem).get("schema")
                if status >= "400" and declared in (problem["schema"], UNDECLARED):
                    response["content"] = {MEDIA_TYPE: problem}
