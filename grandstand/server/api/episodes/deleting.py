"""Deleting an episode from the record."""

from __future__ import annotations

from fastapi import APIRouter, Request

from grandstand.server.access import Access
from grandstand.server.api.parameters import problems
from grandstand.server.matches.deleting import Deletion


def router(deletion: Deletion, access: Access) -> APIRouter:
    """Return the route."""
    api = APIRouter(prefix="/api/episodes", tags=["steering"])

    @api.delete("/{episode_id}", status_code=204, responses=problems(403, 404, 409, 422, 503))
    async def delete(connection: Request, episode_id: str) -> None:
        """Delete an episode that has ended, and the matches that a tournament or a training run has played.

        Nothing of it is kept: events, clips, the copy in the bucket. It is counted in no statistics any more.
        """
        access.operator(connection)
        await deletion.delete(episode_id)

    return api
