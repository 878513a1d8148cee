"""Seats of live matches that are played from outside."""

from __future__ import annotations

from fastapi import APIRouter, Request

from grandstand.games.base import OptionError
from grandstand.models import Draft, SeatOpened
from grandstand.server.access import Access
from grandstand.server.api.parameters import problems
from grandstand.server.auth import digest, new_token
from grandstand.server.bodies import SeatAction, SeatToken, SeatView
from grandstand.server.matches.driver import Driver
from grandstand.spectator.bus import Bus


def router(driver: Driver, bus: Bus, access: Access) -> APIRouter:
    """Return the routes."""
    api = APIRouter(prefix="/episodes/{episode_id}/seats/{seat}", tags=["seats"])

    @api.get("", responses=problems(403, 404, 409, 422))
    async def seat_view(connection: Request, episode_id: str, seat: str) -> SeatView:
        """Return what a seat may know and do now. Requires the seat's token or an operator."""
        access.seat(connection, episode_id, seat)
        live = driver.match(episode_id)
        person = live.person(seat)
        match = live.runner.match
        return SeatView(
            episode_id=episode_id,
            seat=seat,
            index=match.index,
            turn=match.game.turn,
            asked=person.asked,
            deadline=person.deadline,
            observation=match.game.observation(seat),
            legal=match.game.legal(seat),
            text=match.game.text(seat),
        )

    @api.post("", status_code=202, responses=problems(403, 404, 409, 422))
    async def act(connection: Request, episode_id: str, seat: str, decision: SeatAction) -> None:
        """Submit a seat's action, or its messages in a round of press. An illegal action changes nothing."""
        access.seat(connection, episode_id, seat)
        person = driver.match(episode_id).person(seat)
        if (decision.action is None) == (decision.messages is None):
            raise OptionError("action: send either an action or messages")
        if decision.action is not None:
            person.submit(decision.action)
        else:
            person.say(decision.messages or [])

    @api.post("/token", status_code=201, responses=problems(403, 404, 409, 422))
    async def open_seat(connection: Request, episode_id: str, seat: str) -> SeatToken:
        """Create a token that plays an external player's seat. It is returned once; only its hash is kept."""
        access.operator(connection)
        driver.match(episode_id).person(seat)
        token = new_token()
        bus.publish(episode_id, [Draft.of(SeatOpened(seat=seat, token_sha256=digest(token)), "private")])
        return SeatToken(episode_id=episode_id, seat=seat, token=token)

    return api
