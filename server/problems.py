"""Errors as RFC 9457 problem details: one shape for every refusal."""

from __future__ import annotations

import logging
import math

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from games.base import IllegalAction, OptionError
from models import Problem
from players.seated import NotAsked
from server.access import TooMany, TooManyMatches
from server.auth import Unauthorized
from server.driver import Full, Resuming
from server.live_match import CommandError
from spectator.errors import RecordError, StorageError, UnknownEpisode

log = logging.getLogger(__name__)


def problem(status: int, title: str, detail: str, field: str | None = None, **headers: str) -> JSONResponse:
    """A problem document as a response."""
    body = Problem(title=title, status=status, detail=detail, field=field)
    return JSONResponse(body.model_dump(exclude_none=True), status, headers, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Make every error of `app` a problem document."""

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
