"""Matches of this server: start, fork, steer and delete them."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from grandstand.server.bodies.matches import Command, ForkEpisode, StartEpisode
from grandstand.server.http import IdempotencyKey, problems
from grandstand.server.lobby.waiting import placed, public_queue
from grandstand.server.matches.idempotency import scoped_key
from grandstand.server.parts import Parts
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.viewpoint import SPECTATOR

router = APIRouter()


@router.post("", status_code=201, tags=["episodes"], responses=problems(403, 422, 429))
async def start(
    parts: Parts, connection: Request, request: StartEpisode, response: Response, idempotency_key: IdempotencyKey = None
) -> EpisodeSummary:
    """Start a match, or queue it. A repeated `Idempotency-Key` returns the match that was started first."""
    key = await scoped_key(parts.recorder, "start", idempotency_key)
    allowed = await parts.access.start(connection, parts.accounts.filled(connection, request))
    summary = await parts.driver.start(allowed, key=key, visitor=parts.access.visitor(connection))
    operator = parts.access.auth.grant(connection).operator
    public = summary if operator else parts.history.summary(summary.episode_id, SPECTATOR)
    return _created(response, placed(public, public_queue(parts.driver, parts.history.behind())))


@router.post("/{episode_id}/fork", status_code=201, tags=["steering"], responses=problems(403, 404, 409, 422, 429))
async def fork(
    parts: Parts,
    connection: Request,
    episode_id: str,
    request: ForkEpisode,
    response: Response,
    idempotency_key: IdempotencyKey = None,
) -> EpisodeSummary:
    """Start a new match from a moment of this one, which stays as it is."""
    parts.access.operator(connection)
    key = await scoped_key(parts.recorder, f"fork {episode_id}", idempotency_key)
    await parts.history.load(episode_id)
    return _created(response, await parts.driver.fork(episode_id, request, key=key, by="operator"))


@router.post("/{episode_id}/commands", tags=["steering"], responses=problems(403, 404, 409, 422))
async def command(
    parts: Parts, connection: Request, episode_id: str, command: Command, idempotency_key: IdempotencyKey = None
) -> EpisodeSummary:
    """Steer a match. A command that would change nothing does nothing; an `Idempotency-Key` is obeyed once."""
    parts.access.operator(connection)
    key = await scoped_key(parts.recorder, f"command {episode_id}", idempotency_key)
    return await parts.driver.command(episode_id, command, key=key, by="operator")


@router.delete("/{episode_id}", status_code=204, tags=["steering"], responses=problems(403, 404, 409, 422, 503))
async def delete(parts: Parts, connection: Request, episode_id: str) -> None:
    """Delete an episode that has ended, and the matches that a tournament or a training run has played.

    Its events, its clips and its copy in the bucket are deleted, and statistics no longer count it.
    """
    parts.access.operator(connection)
    await parts.deletion.delete(episode_id)


def _created(response: Response, summary: EpisodeSummary) -> EpisodeSummary:
    response.headers["Location"] = f"/api/episodes/{summary.episode_id}"
    return summary
