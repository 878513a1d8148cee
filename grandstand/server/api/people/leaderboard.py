"""`GET /api/leaderboard` and `/api/reports/leaderboard`: the players of an option set, as data and as a report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from grandstand.play.ratings.leaderboard import NEEDED
from grandstand.server.api.people.boards import Game, Setting, Visitors, choose, leaderboard_of, option_sets
from grandstand.server.bodies.players import Leaderboard, PageReport
from grandstand.server.http import problems
from grandstand.server.parts import Parts
from grandstand.server.reports.leaderboard import leaderboard_report
from grandstand.server.results.leaderboards import Board

Kind = Annotated[str, Query(max_length=100, description="The kind of the players that are shown; by default all.")]

router = APIRouter(tags=["games"])


@router.get("/leaderboard", response_model=Leaderboard, responses=problems(404))
async def leaderboard(
    parts: Parts, request: Request, game: Game = "", setting: Setting = "", visitors: Visitors = False
) -> Response:
    """Return the leaderboard of an option set, as spectators may know it; operators also know all costs."""
    return await respond(parts, request, game, setting, visitors, Leaderboard.model_dump_json)


@router.get("/reports/leaderboard", response_model=PageReport, responses=problems(404))
async def leaderboard_page(
    parts: Parts, request: Request, game: Game = "", setting: Setting = "", visitors: Visitors = False, kind: Kind = ""
) -> Response:
    """Return the report of a leaderboard."""
    return await respond(parts, request, game, setting, visitors, lambda board: leaderboard_report(board, kind).text())


async def respond(
    parts: Parts, request: Request, game: str, setting: str, visitors: bool, write: Callable[[Leaderboard], str]
) -> Response:
    """Return the leaderboard of an option set as `write` renders it, in another thread. Raise HTTPException."""
    sets = await parts.boards.sets(visitors=visitors)
    choice = choose(sets, game, setting)
    about = {
        "settings": option_sets(sets, choice.game),
        "unread": sets.unread,
        "visitors": visitors,
        "visitor_matches": sets.others.get(choice.game, 0),
        "repeats": 0 if choice.options is None else sets.repeats.get(choice.options, 0),
    }
    if choice.options is None:
        empty = Leaderboard(game=choice.game, settings=[], needed=NEEDED)
        return _json(write(empty.model_copy(update=about)))
    options, operator = choice.options, parts.access.auth.grant(request).operator

    def made(board: Board) -> str:
        return write(leaderboard_of(board, options, operator).model_copy(update=about))

    return _json(await parts.boards.compute(sets, options, made))


def _json(text: str) -> Response:
    return Response(text, media_type="application/json")
