"""The language models of a match that callers pay for: whether they have a key, and entering one."""

from __future__ import annotations

from fastapi import APIRouter, Request

from grandstand.games.base import OptionError
from grandstand.players.own_models import checked_key, parts_of
from grandstand.server.bodies.people import EnterKey, OwnModelSeat
from grandstand.server.http import problems
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.parts import Parts

router = APIRouter(tags=["seats"])


@router.get("", responses=problems(403, 404, 409, 422))
async def read(parts: Parts, connection: Request, episode_id: str) -> list[OwnModelSeat]:
    """Return the seats whose models are paid for by callers. Requires a token for one of its seats or an operator."""
    parts.access.any_seat(connection, episode_id)
    return _seats(parts.driver.match(episode_id))


@router.put("/key", responses=problems(403, 404, 409, 422, 429))
async def enter(parts: Parts, connection: Request, episode_id: str, request: EnterKey) -> list[OwnModelSeat]:
    """Give the models of one endpoint a key. It is kept in memory, and dropped when the match ends."""
    parts.access.any_seat(connection, episode_id)
    live = parts.driver.match(episode_id)
    players = live.own.players if live.own else {}
    seats = [seat for seat, player in players.items() if parts_of(player.name)[0] == request.endpoint]
    if live.own is None or not seats:
        raise OptionError("endpoint: no model of this match that a caller pays for has it")
    key = request.api_key or parts.accounts.key(connection, request.endpoint)
    if key is None:
        raise OptionError("api_key: it is missing; enter your key")
    live.own.enter(dict.fromkeys(seats, checked_key(key, "api_key")))
    return _seats(live)


def _seats(live: LiveMatch) -> list[OwnModelSeat]:
    seats = []
    for seat, player in (live.own.players if live.own else {}).items():
        endpoint, model = parts_of(player.name)
        reason = "" if player.has_key else player.why
        seats.append(OwnModelSeat(seat=seat, endpoint=endpoint, model=model, has_key=player.has_key, reason=reason))
    return seats
