"""Errors as RFC 9457 problem details: one shape for every refusal."""

from __future__ import annotations

import logging
import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from grandstand.games.base import IllegalAction, OptionError
from grandstand.models import Problem, valid_text
from grandstand.players.external import NotAsked
from grandstand.server.access import TooMany, TooManyMatches
from grandstand.server.auth import Unauthorized
from grandstand.server.matches.driver import Full, Resuming
from grandstand.server.matches.steering import CommandError
from grandstand.spectator.errors import RecordError, StorageError, UnknownEpisode

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"

ANY = {
    400: "The request is malformed.",
    401: "The token or ticket is not good.",
    403: "It is not granted to this request.",
    500: "A bug of ours.",
    503: "The record cannot be written or read.",
}
"""The problems that every operation may be answered with."""

WITH_PARAMETER = {404: "There is no such thing.", 422: "A field cannot be used; `field` names it."}
"""Those of an operation with parameters as well."""

UNDECLARED = {"$ref": "#/components/schemas/HTTPValidationError"}
"""The schema by which FastAPI documents a 422 by default."""

WITH_BODY = {409: "It cannot be done now.", 413: "The body is too large.", 429: "Too many requests."}
"""Those of an operation that changes something as well."""


def problem(status: int, title: str, detail: str, field: str | None = None, **headers: str) -> JSONResponse:
    """Return a problem document as a response."""
    body = Problem(
        title=title, status=status, detail=valid_text(detail), field=None if field is None else valid_text(field)
    )
    return JSONResponse(body.model_dump(exclude_none=True), status, headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Make every error of `app` a problem document, and have its OpenAPI document say so."""
    describe = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document_problems(describe())
        return describe()

    app.openapi = openapi  # type: ignore[method-assign] # FastAPI's own way to extend it

    @app.exception_handler(OptionError)
    async def _option(_: Request, error: OptionError) -> JSONResponse:
        field, _sep, _rest = str(error).partition(":")
        return problem(422, "A field of the request cannot be used", str(error), field)

    @app.exception_handler(RequestValidationError)
    async def _validation(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
        return problem(422, "A field of the request cannot be used", f"{field}: {first['msg']}", field)

    @app.exception_handler(IllegalAction)
    async def _illegal(_: Request, error: IllegalAction) -> JSONResponse:
        return problem(422, "The rules refuse the action", str(error), error.field)

    @app.exception_handler(UnknownEpisode)
    async def _unknown(_: Request, error: UnknownEpisode) -> JSONResponse:
        return problem(404, "No such episode", f"{error}; GET /api/episodes lists those there are")

    @app.exception_handler(Full)
    async def _full(_: Request, error: Full) -> JSONResponse:
        return problem(429, "The queue is full", str(error), **{"Retry-After": "10"})

    @app.exception_handler(TooMany)
    async def _too_many(_: Request, error: TooMany) -> JSONResponse:
        return problem(429, "Too many requests", str(error), **{"Retry-After": str(math.ceil(error.seconds))})

    @app.exception_handler(Resuming)
    async def _resuming(_: Request, error: Resuming) -> JSONResponse:
        return problem(503, "The server has just come back", str(error), **{"Retry-After": "2"})

    @app.exception_handler(CommandError)
    @app.exception_handler(NotAsked)
    async def _not_now(_: Request, error: Exception) -> JSONResponse:
        field, colon, _rest = str(error).partition(": ")
        return problem(409, "Not now", str(error), field if colon else None)

    @app.exception_handler(TooManyMatches)
    async def _too_many_matches(_: Request, error: TooManyMatches) -> JSONResponse:
        return problem(429, "Too many matches", str(error), **{"Retry-After": "30"})

    @app.exception_handler(Unauthorized)
    async def _unauthorized(_: Request, error: Unauthorized) -> JSONResponse:
        return problem(401, "Not authorised", str(error), **{"WWW-Authenticate": "Bearer"})

    @app.exception_handler(PermissionError)
    async def _forbidden(_: Request, error: PermissionError) -> JSONResponse:
        return problem(403, "Not allowed", str(error))

    @app.exception_handler(StorageError)
    async def _storage(_: Request, error: StorageError) -> JSONResponse:
        return problem(503, "The record cannot be written for now", str(error), **{"Retry-After": "5"})

    @app.exception_handler(RecordError)
    async def _record(_: Request, error: RecordError) -> JSONResponse:
        return problem(503, "The record cannot be written or read", str(error))

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> JSONResponse:
        return problem(error.status_code, str(error.detail), str(error.detail))

    @app.exception_handler(Exception)
    async def _ours(request: Request, error: Exception) -> JSONResponse:
        log.exception("%s %s failed", request.method, request.url.path)
        return problem(500, "A bug of ours", "The server failed to answer; its log has the reason.")


def document_problems(schema: dict[str, Any]) -> None:
    """Add to the OpenAPI document `schema` what every operation may refuse, as it is sent."""
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
