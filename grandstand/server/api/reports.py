"""`GET /api/reports/...`: what the pages of the leaderboard, of players and of the server's health show."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from grandstand.server.api.health import health as state
from grandstand.server.api.people import leaderboard as boards
from grandstand.server.api.people import player_pages as players
from grandstand.server.api.people.leaderboard import Game, Setting, Visitors
from grandstand.server.bodies import PageReport
from grandstand.server.http import problems
from grandstand.server.parts import Parts
from grandstand.server.reports.health import health_report
from grandstand.server.reports.leaderboard import leaderboard_report
from grandstand.server.reports.player import player_report

Kind = Annotated[str, Query(max_length=100, description="The kind of the players that are shown; by default all.")]
Show = Annotated[
    str, Query(max_length=300, description="The matches that are listed: `all`, `won`, `faults`, `against:NAME` …")
]

router = APIRouter(tags=["server"])


@router.get("/leaderboard", response_model=PageReport, responses=problems(404))
async def leaderboard(
    parts: Parts, request: Request, game: Game = "", setting: Setting = "", visitors: Visitors = False, kind: Kind = ""
) -> Response:
    """Return the report of a leaderboard."""
    return await boards.respond(
        parts, request, game, setting, visitors, lambda board: _text(leaderboard_report(board, kind))
    )


@router.get("/players/{name:path}", response_model=PageReport, responses=problems(404))
async def player(
    parts: Parts,
    request: Request,
    name: str,
    game: Game = "",
    setting: Setting = "",
    visitors: Visitors = False,
    show: Show = "all",
) -> Response:
    """Return the report of a player."""
    now = time.time()
    return await players.respond(
        parts, request, name, game, setting, visitors, lambda page: _text(player_report(page, show, now))
    )


@router.get("/health", response_model=PageReport)
async def health(parts: Parts, request: Request) -> Response:
    """Return the report on the health of the server, with its metrics and the spending of today for operators."""
    now = await state(parts)
    if not parts.access.auth.grant(request).operator:
        return _json(_text(health_report(now)))
    return _json(_text(health_report(now, list(parts.metrics.registry.collect()), parts.spending.today())))


def _text(report: PageReport) -> str:
    """Return a report as it is sent, without what is None: most values of a report are."""
    return report.model_dump_json(exclude_none=True)


def _json(text: str) -> Response:
    return Response(text, media_type="application/json")
