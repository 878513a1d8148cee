"""Tournaments of this server: start one, or ask how many matches it would play."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from grandstand.models import EpisodeSummary
from grandstand.server.access import Access
from grandstand.server.api.parameters import IdempotencyKey, problems
from grandstand.server.bodies import StartTournament, TournamentForecast
from grandstand.server.matches.tournaments import Tournaments


def router(tournaments: Tournaments, access: Access) -> APIRouter:
    """Return the routes."""
    api = APIRouter(prefix="/api/tournaments", tags=["tournaments"])

    @api.post("", status_code=201, responses=problems(403, 422, 429))
    async def start(
        connection: Request, request: StartTournament, response: Response, idempotency_key: IdempotencyKey = None
    ) -> EpisodeSummary:
        """Start a tournament. Its episode reports on its matches; a repeated `Idempotency-Key` returns the first."""
        access.operator(connection)
        summary = tournaments.start(request, key=None if idempotency_key is None else f"tournaments {idempotency_key}")
        response.headers["Location"] = f"/api/episodes/{summary.episode_id}"
        return summary

    @api.post("/forecast", responses=problems(403, 422))
    async def forecast(connection: Request, request: StartTournament) -> TournamentForecast:
        """Return how many matches the tournament would play. Nothing is started."""
        access.operator(connection)
        return tournaments.forecast(request)

    return api
