"""Matches of this server: start one, fork one, steer one."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from grandstand.models import EpisodeSummary
from grandstand.server.access import Access
from grandstand.server.api.health import placed, public_queue
from grandstand.server.api.parameters import IdempotencyKey, problems
from grandstand.server.bodies import Command, ForkEpisode, StartEpisode
from grandstand.server.matches.driver import Driver
from grandstand.server.sign_in import Accounts
from grandstand.spectator.history import History
from grandstand.spectator.viewpoint import SPECTATOR


def router(driver: Driver, history: History, access: Access, accounts: Accounts) -> APIRouter:
    """Return the routes."""
    api = APIRouter(prefix="/episodes")

    @api.post("", status_code=201, tags=["episodes"], responses=problems(403, 422, 429))
    async def start(
        connection: Request, request: StartEpisode, response: Response, idempotency_key: IdempotencyKey = None
    ) -> EpisodeSummary:
        """Start a match, or queue it. A repeated `Idempotency-Key` returns the match that was started first."""
        key = _scoped("start", idempotency_key)
        allowed = access.start(connection, accounts.filled(connection, request))
        if not driver.knows(key):
            access.check_unfinished(connection)
        summary = driver.start(allowed, key=key, visitor=access.visitor(connection))
        access.started(connection, summary.episode_id)
        operator = access.auth.grant(connection).operator
        public = summary if operator else history.summary(summary.episode_id, SPECTATOR)
        return _created(response, placed(public, public_queue(driver, history.behind())))

    @api.post("/{episode_id}/fork", status_code=201, tags=["steering"], responses=problems(403, 404, 409, 422, 429))
    async def fork(
        connection: Request,
        episode_id: str,
        request: ForkEpisode,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> EpisodeSummary:
        """Start a new match from a moment of this one, which stays as it is."""
        access.operator(connection)
        key = _scoped(f"fork {episode_id}", idempotency_key)
        await history.load(episode_id)
        return _created(response, await driver.fork(episode_id, request, key=key, by="operator"))

    @api.post("/{episode_id}/commands", tags=["steering"], responses=problems(403, 404, 409, 422))
    async def command(
        connection: Request, episode_id: str, command: Command, idempotency_key: IdempotencyKey = None
    ) -> EpisodeSummary:
        """Steer a match. A command that would change nothing does nothing; an `Idempotency-Key` is obeyed once."""
        access.operator(connection)
        key = _scoped(f"command {episode_id}", idempotency_key)
        return driver.command(episode_id, command, key=key, by="operator")

    return api


def _scoped(scope: str, key: str | None) -> str | None:
    return None if key is None else f"{scope} {key}"


def _created(response: Response, summary: EpisodeSummary) -> EpisodeSummary:
    response.headers["Location"] = f"/api/episodes/{summary.episode_id}"
    return summary
