"""A match in which the caller plays."""

from __future__ import annotations

from fastapi import APIRouter, Request

from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.server.api.seats.seats import opened
from grandstand.server.bodies.seats import PlayEpisode, SeatToken
from grandstand.server.http import problems
from grandstand.server.parts import Parts

router = APIRouter(tags=["seats"])


@router.post("", status_code=201, responses=problems(403, 422, 429))
async def play(parts: Parts, connection: Request, request: PlayEpisode) -> SeatToken:
    """Start a match with the caller, or a model that the caller pays for, in one seat; return the token of the seat.

    The seats that the request leaves out are filled by built-in players. A visitor's match is bounded.
    """
    spec = game_spec(request.game)
    seats = spec.seats(request.options)
    seat = request.seat or seats[0]
    if seat not in seats:
        raise OptionError(f"seat: {request.game} has no seat {seat!r}; there are {', '.join(seats)}")
    people = [info.name for info in parts.roster.players(spec) if info.kind == "human" and info.available]
    if not people and seat not in request.models:
        raise OptionError("roster: it has no available player of kind `human`, which a visitor plays as; add one")
    start = parts.access.play(connection, parts.accounts.filled(connection, request), seat, next(iter(people), ""))
    parts.access.check_unfinished(connection)
    if start.models:
        parts.access.check_keys(connection, parts.driver.keyed)
    episode_id = parts.driver.start(start, visitor=parts.access.visitor(connection)).episode_id
    parts.access.started(connection, episode_id)
    return opened(parts.bus, episode_id, seat)
