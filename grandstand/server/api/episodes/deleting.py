"""Deleting an episode from the record."""

from __future__ import annotations

from fastapi import APIRouter, Request

from grandstand.server.http import problems
from grandstand.server.parts import Parts

router = APIRouter(tags=["steering"])


@router.delete("/{episode_id}", status_code=204, responses=problems(403, 404, 409, 422, 503))
async def delete(parts: Parts, connection: Request, episode_id: str) -> None:
    """Delete an episode that has ended, and the matches that a tournament or a training run has played.

    Nothing of it is kept: events, clips, the copy in the bucket. It is counted in no statistics any more.
    """
    parts.access.operator(connection)
    await parts.deletion.delete(episode_id)
