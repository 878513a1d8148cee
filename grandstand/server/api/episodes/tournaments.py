"""Tournaments of this server: start one, or ask how many matches it would play."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from grandstand.server.bodies.matches import StartTournament, TournamentForecast
from grandstand.server.http import IdempotencyKey, problems
from grandstand.server.matches.idempotency import scoped_key
from grandstand.server.parts import Parts
from grandstand.spectator.frames import EpisodeSummary

router = APIRouter(tags=["tournaments"])


@router.post("", status_code=201, responses=problems(403, 422, 429))
async def start(
    parts: Parts,
    connection: Request,
    request: StartTournament,
    response: Response,
    idempotency_key: IdempotencyKey = None,
) -> EpisodeSummary:
    """Start a tournament. Its episode reports on its matches; a repeated `Idempotency-Key` returns the first."""
    parts.access.operator(connection)
    key = await scoped_key(parts.recorder, "tournaments", idempotency_key)
    summary = await parts.tournaments.start(request, key=key)
    response.headers["Location"] = f"/api/episodes/{summary.episode_id}"
    return summary


@router.post("/forecast", responses=problems(403, 422))
async def forecast(parts: Parts, connection: Request, request: StartTournament) -> TournamentForecast:
    """Return how many matches the tournament would play. Nothing is started."""
    parts.access.operator(connection)
    return await parts.tournaments.forecast(request)
