"""The best moments of recent matches."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from grandstand.server.bodies import Highlight
from grandstand.server.parts import Parts
from grandstand.server.results.moments import LISTED

router = APIRouter(tags=["episodes"])


@router.get("")
async def moments(
    parts: Parts, game: str | None = None, limit: Annotated[int, Query(ge=1, le=LISTED)] = 6
) -> list[Highlight]:
    """Return the most important moments of the last day, as spectators may know them."""
    highlights = await parts.moments.highlights()
    return [each for each in highlights if game in (None, each.game)][:limit]
