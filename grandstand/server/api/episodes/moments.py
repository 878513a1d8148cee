"""The best moments of recent matches."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from grandstand.server.bodies.lobby import Highlight
from grandstand.server.lobby.moments import LISTED
from grandstand.server.parts import Parts

router = APIRouter(tags=["episodes"])


@router.get("")
async def moments(
    parts: Parts, game: str | None = None, limit: Annotated[int, Query(ge=1, le=LISTED)] = 6
) -> list[Highlight]:
    """Return the most important moments of the last day, as spectators may know them, with excerpts to draw."""
    highlights = await parts.moments.highlights()
    listed = [each for each in highlights if game in (None, each.game)][:limit]
    return [await parts.moments.excerpted(each) for each in listed]
